# SPDX-License-Identifier: BSD-3-Clause
bin_PROGRAMS += rackmark-allreduce rackmark-allgather rackmark-p2p

rackmark_allreduce_SOURCES = %D%/allreduce.c
rackmark_allreduce_LDADD = $(rackmark_libs)

rackmark_allgather_SOURCES = %D%/allgather.c
rackmark_allgather_LDADD = $(rackmark_libs)

rackmark_p2p_SOURCES = %D%/p2p.c
rackmark_p2p_LDADD = $(rackmark_libs)
