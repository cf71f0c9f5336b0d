# SPDX-License-Identifier: BSD-3-Clause
noinst_LIBRARIES += librackmark.a

librackmark_a_SOURCES = \
	%D%/argfile.c %D%/argfile.h \
	%D%/bench.c %D%/bench.h \
	%D%/binding.c %D%/binding.h \
	%D%/buffers.c %D%/buffers.h \
	%D%/cgroup.c %D%/cgroup.h \
	%D%/clean.c %D%/clean.h \
	%D%/columns.c %D%/columns.h \
	%D%/config.c %D%/config.h %D%/config_options.c \
	%D%/datatypes.c %D%/datatypes.h \
	%D%/dry_run.c %D%/dry_run.h \
	%D%/environment.c %D%/environment.h \
	%D%/err.c %D%/err.h \
	%D%/figures.c %D%/figures.h \
	%D%/help.c %D%/help.h \
	%D%/launcher.c %D%/launcher.h \
	%D%/limit.c %D%/limit.h \
	%D%/limit_private.h \
	%D%/limit_rows.c \
	%D%/measure.c %D%/measure.h \
	%D%/memory.c %D%/memory.h \
	%D%/mpi_text.h \
	%D%/nic.c %D%/nic.h \
	%D%/notes.c %D%/notes.h \
	%D%/operations.c %D%/operations.h \
	%D%/options.c %D%/options.h \
	%D%/options_echo.c \
	%D%/options_help.c \
	%D%/options_private.h \
	%D%/options_value.c \
	%D%/output.c %D%/output.h \
	%D%/patterns.c %D%/patterns.h \
	%D%/plan.c %D%/plan.h \
	%D%/progress.c %D%/progress.h \
	%D%/prose.c %D%/prose.h \
	%D%/record.c %D%/record.h \
	%D%/result_file.c %D%/result_file.h \
	%D%/revision.h \
	%D%/roster.c %D%/roster.h \
	%D%/run.c %D%/run.h \
	%D%/run_header.c %D%/run_header.h \
	%D%/samples.c %D%/samples.h \
	%D%/schedule.c %D%/schedule.h \
	%D%/sentinel.c %D%/sentinel.h \
	%D%/shape.c %D%/shape.h \
	%D%/small_file.c %D%/small_file.h \
	%D%/slots.c %D%/slots.h \
	%D%/stats.c %D%/stats.h \
	%D%/suggest.c %D%/suggest.h \
	%D%/system.c %D%/system.h \
	%D%/topology.h \
	%D%/trial.c %D%/trial.h %D%/trial_before.c \
	%D%/units.c %D%/units.h \
	%D%/utc.c %D%/utc.h \
	%D%/values.c %D%/values.h \
	%D%/values_private.h \
	%D%/values_stream.c \
	%D%/verify.c %D%/verify.h \
	%D%/world.c %D%/world.h \
	%D%/world_single.c \
	%D%/writer_csv.c \
	%D%/writer_json.c \
	%D%/writer_text.c \
	%D%/writers.h \
	%D%/backends/backend.h \
	%D%/backends/backends.c \
	%D%/backends/host.c \
	%D%/backends/list.h \
	%D%/backends/local.c

# What the build has decides which file is compiled, not an #ifdef.
if HAVE_MPI
librackmark_a_SOURCES += %D%/world_mpi.c %D%/backends/mpi.c %D%/backends/list_mpi.c
else
librackmark_a_SOURCES += %D%/world_absent.c %D%/backends/list_local.c
endif
if HAVE_HWLOC
librackmark_a_SOURCES += %D%/topology_hwloc.c
else
librackmark_a_SOURCES += %D%/topology_none.c
endif

# The commit that is being built. Looked up in every make, written only when changed.
nodist_librackmark_a_SOURCES = %D%/revision.c
CLEANFILES += %D%/revision.c

%D%/revision.c: rackmark-always
	@$(MKDIR_P) %D%
	@$(SHELL) $(top_srcdir)/scripts/lib/revision.sh $(top_srcdir) $@

rackmark-always:

.PHONY: rackmark-always
