# SPDX-License-Identifier: BSD-3-Clause

# RACKMARK_SUMMARY: what was configured, and why; the last words of configure.
AC_DEFUN([RACKMARK_SUMMARY], [
  rackmark_tests=complete
  test -z "$tests_missing" || rackmark_tests="skipped in part, for want of$tests_missing"
  have_mpi=yes
  test "$MPI_FLAVOUR" != none || have_mpi=no
  cat <<END

$PACKAGE_STRING is configured:

  backends
    mpi     `printf %-4s $have_mpi`($mpi_why)
    local   yes
    nccl    no  (CUDA $cuda_why, NCCL $nccl_why; no nccl backend in this release)
    verbs   no  (libibverbs $ibverbs_why; no verbs backend in this release)

  hwloc     `printf %-4s $have_hwloc`($hwloc_why)
  tests     $rackmark_tests
  compiler  `$CC --version | sed 1q`
  command   $CC${CPPFLAGS:+ $CPPFLAGS}$RACKMARK_CFLAGS${SANITIZER_FLAGS:+ $SANITIZER_FLAGS} $CFLAGS
  prefix    $prefix

END
])
