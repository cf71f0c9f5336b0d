# SPDX-License-Identifier: BSD-3-Clause
# Each program writes its own man page from its option table, so none can be stale.
man_pages = \
	%D%/rackmark-allgather.1 \
	%D%/rackmark-allreduce.1 \
	%D%/rackmark-alltoall.1 \
	%D%/rackmark-barrier.1 \
	%D%/rackmark-broadcast.1 \
	%D%/rackmark-p2p.1 \
	%D%/rackmark-reducescatter.1

if !CROSS_COMPILING
nodist_man_MANS = $(man_pages)
CLEANFILES += $(man_pages)
endif

rackmark_write_man = $(AM_V_GEN)$(MKDIR_P) %D% && \
	./$(@F:.1=)$(EXEEXT) --man > $@.tmp && mv $@.tmp $@

%D%/rackmark-allgather.1: rackmark-allgather$(EXEEXT)
	$(rackmark_write_man)
%D%/rackmark-allreduce.1: rackmark-allreduce$(EXEEXT)
	$(rackmark_write_man)
%D%/rackmark-alltoall.1: rackmark-alltoall$(EXEEXT)
	$(rackmark_write_man)
%D%/rackmark-barrier.1: rackmark-barrier$(EXEEXT)
	$(rackmark_write_man)
%D%/rackmark-broadcast.1: rackmark-broadcast$(EXEEXT)
	$(rackmark_write_man)
%D%/rackmark-p2p.1: rackmark-p2p$(EXEEXT)
	$(rackmark_write_man)
%D%/rackmark-reducescatter.1: rackmark-reducescatter$(EXEEXT)
	$(rackmark_write_man)
