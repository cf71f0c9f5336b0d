# SPDX-License-Identifier: BSD-3-Clause

# RACKMARK_TESTS: the tools that tests need. A test without its tool is skipped with a
# reason; --enable-strict-tests makes a missing tool an error, here and in the tests.
AC_DEFUN([RACKMARK_TESTS], [
  AC_ARG_ENABLE([strict-tests],
    [AS_HELP_STRING([--enable-strict-tests], [fail where a tool for tests is missing])],
    [], [enable_strict_tests=no])
  AC_ARG_ENABLE([smoke-tests],
    [AS_HELP_STRING([--enable-smoke-tests],
                    [make check runs the unit and smoke tests only])],
    [], [enable_smoke_tests=no])
  tests_missing=
  PKG_CHECK_MODULES([CMOCKA], [cmocka >= 1.1.0], [have_cmocka=yes],
    [have_cmocka=no
     tests_missing="$tests_missing libcmocka-dev"])
  RACKMARK_TEST_PROGRAM([BATS], [bats], [bats])
  RACKMARK_TEST_PROGRAM([SHELLCHECK], [shellcheck], [shellcheck])
  RACKMARK_TEST_PROGRAM([CODESPELL], [codespell], [codespell])
  AC_ARG_VAR([PYTHON3], [a Python with jsonschema])
  AC_MSG_CHECKING([for a python3 with jsonschema])
  # Debian's package serves /usr/bin/python3, which need not be the first in PATH.
  for rackmark_python in $PYTHON3 `command -v python3` /usr/bin/python3; do
    PYTHON3=
    "$rackmark_python" -c 'import jsonschema' 2>/dev/null || continue
    PYTHON3=$rackmark_python
    break
  done
  AC_MSG_RESULT([${PYTHON3:-no}])
  AS_IF([test -z "$PYTHON3"], [tests_missing="$tests_missing python3-jsonschema"])
  AS_IF([test -n "$tests_missing" && test "$enable_strict_tests" = yes],
    [AC_MSG_ERROR([--enable-strict-tests: install$tests_missing])])
  AS_IF([test "$MPI_FLAVOUR" != none && test -z "$MPIRUN" &&
         test "$enable_strict_tests" = yes],
    [AC_MSG_ERROR([--enable-strict-tests: no launcher of $MPI_FLAVOUR was found; set MPIRUN])])
  STRICT_TESTS=$enable_strict_tests
  AC_SUBST([STRICT_TESTS])
  AM_CONDITIONAL([HAVE_CMOCKA], [test "$have_cmocka" = yes])
  AM_CONDITIONAL([SMOKE_TESTS], [test "$enable_smoke_tests" = yes])
])

# RACKMARK_TEST_PROGRAM(VARIABLE, PROGRAM, DEBIAN PACKAGE)
AC_DEFUN([RACKMARK_TEST_PROGRAM], [
  AC_PATH_PROG([$1], [$2])
  AS_IF([test -z "$$1"], [tests_missing="$tests_missing $3"])
])
