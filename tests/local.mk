# SPDX-License-Identifier: BSD-3-Clause
# Every test speaks TAP: cmocka programs, bats files and shell scripts. Tests that need
# something which is not there are skipped, with the reason; see --enable-strict-tests.

unit_tests = \
	%D%/unit/test_argfile \
	%D%/unit/test_binding \
	%D%/unit/test_buffers \
	%D%/unit/test_columns \
	%D%/unit/test_config \
	%D%/unit/test_coverage \
	%D%/unit/test_datatypes \
	%D%/unit/test_dry_run \
	%D%/unit/test_environment \
	%D%/unit/test_err \
	%D%/unit/test_help \
	%D%/unit/test_launcher \
	%D%/unit/test_limit \
	%D%/unit/test_limit_links \
	%D%/unit/test_limit_values \
	%D%/unit/test_measure \
	%D%/unit/test_nic \
	%D%/unit/test_notes \
	%D%/unit/test_operations \
	%D%/unit/test_options \
	%D%/unit/test_options_table \
	%D%/unit/test_options_text \
	%D%/unit/test_output \
	%D%/unit/test_output_threads \
	%D%/unit/test_plan \
	%D%/unit/test_plan_shuffle \
	%D%/unit/test_progress \
	%D%/unit/test_prose \
	%D%/unit/test_record \
	%D%/unit/test_result_file \
	%D%/unit/test_roster \
	%D%/unit/test_run_header \
	%D%/unit/test_samples \
	%D%/unit/test_schedule \
	%D%/unit/test_sentinel \
	%D%/unit/test_shape \
	%D%/unit/test_slots \
	%D%/unit/test_stats \
	%D%/unit/test_stats_series \
	%D%/unit/test_suggest \
	%D%/unit/test_system \
	%D%/unit/test_topology \
	%D%/unit/test_units \
	%D%/unit/test_values \
	%D%/unit/test_values_power \
	%D%/unit/test_values_stream \
	%D%/unit/test_verify \
	%D%/unit/test_writers

# The programs on the command line, and the scripts. make installcheck runs the former
# on what was installed.
cli_tests = \
	%D%/cli/options.bats \
	%D%/cli/smoke.bats \
	%D%/cli/validate.bats
setup_tests = \
	%D%/cli/setup.bats

# Under mpirun: one at a time (tests/tap.sh holds a lock).
mpi_tests = \
	%D%/mpi/damage.bats \
	%D%/mpi/errors.bats \
	%D%/mpi/options.bats \
	%D%/mpi/output.bats

# Long ones: make check-slow.
slow_tests = \
	%D%/slow/large.bats

lint_tests = \
	%D%/lint/codespell.sh \
	%D%/lint/dist.sh \
	%D%/lint/includes.sh \
	%D%/lint/lengths.sh \
	%D%/lint/shellcheck.sh \
	%D%/lint/spdx.sh

TESTS =
if HAVE_CMOCKA
check_PROGRAMS += $(unit_tests)
TESTS += $(unit_tests)
else
TESTS += %D%/unit/absent.sh
endif
TESTS += $(cli_tests)
if !SMOKE_TESTS
TESTS += $(setup_tests) $(lint_tests)
if HAVE_MPI
TESTS += $(mpi_tests)
endif
endif

EXTRA_DIST += \
	$(cli_tests) \
	$(setup_tests) \
	$(mpi_tests) \
	$(slow_tests) \
	$(lint_tests) \
	%D%/allowed_skips \
	%D%/lint/lib.sh \
	%D%/mpi/lib.bash \
	%D%/tap.sh \
	%D%/validate.py \
	%D%/unit/absent.sh

# Ranks that are threads, with scripted times.
check_LIBRARIES = %D%/fakes/libfakes.a
%C%_fakes_libfakes_a_SOURCES = %D%/fakes/fake_ranks.c %D%/fakes/fake_ranks.h

# A unit test is the file of its name, and links with this.
LDADD = %D%/fakes/libfakes.a $(rackmark_libs) $(CMOCKA_LIBS)
noinst_HEADERS = \
	%D%/unit/arithmetic.h \
	%D%/unit/limit_fixture.h \
	%D%/unit/limit_plays.h \
	%D%/unit/link_counter.h \
	%D%/unit/options_fixture.h \
	%D%/unit/output_fixture.h \
	%D%/unit/series_fixture.h \
	%D%/unit/values_fixture.h \
	%D%/unit/verify_fixture.h

# Rackmark beside peers: make bench, which is no test. make check builds the programs.
bench_programs = \
	%D%/bench/harness \
	%D%/bench/verify
check_PROGRAMS += $(bench_programs)
%C%_bench_harness_LDADD = $(rackmark_libs)
%C%_bench_verify_LDADD = $(rackmark_libs)
noinst_HEADERS += %D%/bench/pairs.h
EXTRA_DIST += \
	%D%/bench/README.md \
	%D%/bench/run

# Libraries for LD_PRELOAD that damage what MPI delivers.
if HAVE_MPI
check_PROGRAMS += %D%/fakes/pmpi_damage.so
%C%_fakes_pmpi_damage_so_SOURCES = %D%/fakes/pmpi_damage.c
%C%_fakes_pmpi_damage_so_CFLAGS = $(AM_CFLAGS) -fPIC
%C%_fakes_pmpi_damage_so_LDFLAGS = $(AM_LDFLAGS) -shared
%C%_fakes_pmpi_damage_so_LDADD = $(MPI_LIBS)
else
EXTRA_DIST += %D%/fakes/pmpi_damage.c
endif

TEST_EXTENSIONS = .bats .sh
rackmark_tap_driver = env AM_TAP_AWK='$(AWK)' $(SHELL) \
	'$(abs_top_srcdir)/build-aux/tap-driver.sh'
rackmark_tap = bash '$(abs_top_srcdir)/tests/tap.sh'
LOG_DRIVER = $(rackmark_tap_driver)
LOG_COMPILER = $(rackmark_tap) program
BATS_LOG_DRIVER = $(rackmark_tap_driver)
BATS_LOG_COMPILER = $(rackmark_tap) bats
SH_LOG_DRIVER = $(rackmark_tap_driver)
SH_LOG_COMPILER = $(rackmark_tap) shell

# Where the programs under test lie; make installcheck says the installed ones.
RACKMARK_BIN = $(abs_top_builddir)

AM_TESTS_ENVIRONMENT = \
	top_srcdir='$(abs_top_srcdir)'; export top_srcdir; \
	top_builddir='$(abs_top_builddir)'; export top_builddir; \
	RACKMARK_BIN='$(RACKMARK_BIN)'; export RACKMARK_BIN; \
	MPIRUN='$(MPIRUN)'; export MPIRUN; \
	MPI_FLAVOUR='$(MPI_FLAVOUR)'; export MPI_FLAVOUR; \
	OMPI_ALLOW_RUN_AS_ROOT=1; export OMPI_ALLOW_RUN_AS_ROOT; \
	OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1; export OMPI_ALLOW_RUN_AS_ROOT_CONFIRM; \
	OMPI_MCA_rmaps_base_oversubscribe=1; export OMPI_MCA_rmaps_base_oversubscribe; \
	BATS='$(BATS)'; export BATS; \
	SHELLCHECK='$(SHELLCHECK)'; export SHELLCHECK; \
	CODESPELL='$(CODESPELL)'; export CODESPELL; \
	PYTHON3='$(PYTHON3)'; export PYTHON3; \
	STRICT_TESTS='$(STRICT_TESTS)'; export STRICT_TESTS;

check-slow: all $(check_PROGRAMS)
	$(MAKE) $(AM_MAKEFLAGS) check-TESTS TESTS='$(slow_tests)'

# For builds whose make check leaves them out.
check-mpi: all $(check_PROGRAMS)
	$(MAKE) $(AM_MAKEFLAGS) check-TESTS TESTS='$(mpi_tests)'

# BENCH: arguments of the script.
bench: all $(bench_programs)
	@$(AM_TESTS_ENVIRONMENT) bash '$(abs_top_srcdir)/tests/bench/run' $(BENCH)

installcheck-local:
	$(MAKE) $(AM_MAKEFLAGS) check-TESTS TESTS='$(cli_tests)' \
	  RACKMARK_BIN='$(DESTDIR)$(bindir)'

CLEANFILES += %D%/mpi.lock

.PHONY: bench check-mpi check-slow
