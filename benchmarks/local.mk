# SPDX-License-Identifier: BSD-3-Clause
bin_PROGRAMS += \
	rackmark-allgather \
	rackmark-allreduce \
	rackmark-alltoall \
	rackmark-barrier \
	rackmark-broadcast \
	rackmark-p2p \
	rackmark-reducescatter

rackmark_allgather_SOURCES = %D%/allgather.c
rackmark_allgather_LDADD = $(rackmark_libs)

rackmark_allreduce_SOURCES = %D%/allreduce.c
rackmark_allreduce_LDADD = $(rackmark_libs)

rackmark_alltoall_SOURCES = %D%/alltoall.c
rackmark_alltoall_LDADD = $(rackmark_libs)

rackmark_barrier_SOURCES = %D%/barrier.c
rackmark_barrier_LDADD = $(rackmark_libs)

rackmark_broadcast_SOURCES = %D%/broadcast.c
rackmark_broadcast_LDADD = $(rackmark_libs)

rackmark_p2p_SOURCES = %D%/p2p.c
rackmark_p2p_LDADD = $(rackmark_libs)

rackmark_reducescatter_SOURCES = %D%/reducescatter.c
rackmark_reducescatter_LDADD = $(rackmark_libs)
