# SPDX-License-Identifier: BSD-3-Clause

# RACKMARK_ARG_WITH(NAME, WHAT): --with-NAME=check|yes|no|DIR into with_NAME.
AC_DEFUN([RACKMARK_ARG_WITH], [
  AC_ARG_WITH([$1],
    [AS_HELP_STRING([--with-$1=check|yes|no|DIR], [$2 @<:@check@:>@])],
    [], [with_$1=check])
  case $with_$1 in
    yes | no | check | /*) ;;
    *) AC_MSG_ERROR([--with-$1=$with_$1: give check, yes, no or an absolute directory]) ;;
  esac
])

# RACKMARK_MISSING(NAME, WHAT, DEBIAN PACKAGES): ends configure unless check was asked for.
AC_DEFUN([RACKMARK_MISSING], [
  case $with_$1 in
    check) ;;
    yes) AC_MSG_ERROR([--with-$1: $2 was found: install $3, or say --without-$1]) ;;
    *) AC_MSG_ERROR([--with-$1=$with_$1: $2 was found under $with_$1]) ;;
  esac
])

# RACKMARK_LIBRARY(NAME, MODULE, HEADER, FUNCTION, LIBRARY, DIRECTORIES, PACKAGES):
# looks for a C library under the directory given, by pkg-config, in DIRECTORIES, and where
# the compiler looks by itself. Sets have_NAME, NAME_why, and NAME_CFLAGS and NAME_LIBS in
# capitals.
AC_DEFUN([RACKMARK_LIBRARY], [
  m4_pushdef([CAPITALS], m4_toupper([$1]))
  have_$1=no
  $1_why="not asked for"
  AS_IF([test "$with_$1" != no], [
    AC_MSG_CHECKING([for lib$5])
    case $with_$1 in
      yes | check)
        rackmark_places=
        for rackmark_dir in $6; do
          test ! -d "$rackmark_dir" || rackmark_places="$rackmark_places $rackmark_dir"
        done
        rackmark_places="$2 $rackmark_places default" ;;
      *) rackmark_places=$with_$1 ;;
    esac
    for rackmark_place in $rackmark_places; do
      AS_CASE([$rackmark_place],
        [/*], [
          # Another -I may lead to another one.
          test -f "$rackmark_place/include/$3" || continue
          CAPITALS[]_CFLAGS="-I$rackmark_place/include"
          CAPITALS[]_LIBS=
          for rackmark_lib in lib64 lib; do
            test ! -d "$rackmark_place/$rackmark_lib" ||
              CAPITALS[]_LIBS="$CAPITALS[]_LIBS -L$rackmark_place/$rackmark_lib -Wl,-rpath,$rackmark_place/$rackmark_lib"
          done
          CAPITALS[]_LIBS="$CAPITALS[]_LIBS -l$5"
          $1_why="found in $rackmark_place"],
        [default], [
          CAPITALS[]_CFLAGS=
          CAPITALS[]_LIBS=-l$5
          $1_why="found"],
        [
          test -n "$PKG_CONFIG" && $PKG_CONFIG --exists $rackmark_place || continue
          CAPITALS[]_CFLAGS=`$PKG_CONFIG --cflags $rackmark_place`
          CAPITALS[]_LIBS=`$PKG_CONFIG --libs $rackmark_place`
          $1_why="`$PKG_CONFIG --modversion $rackmark_place` found"])
      rackmark_saved_CPPFLAGS=$CPPFLAGS rackmark_saved_LIBS=$LIBS
      CPPFLAGS="$CPPFLAGS $CAPITALS[]_CFLAGS"
      LIBS="$CAPITALS[]_LIBS $LIBS"
      AC_LINK_IFELSE([AC_LANG_PROGRAM([[#include <$3>]], [[return $4 == 0;]])],
        [have_$1=yes])
      CPPFLAGS=$rackmark_saved_CPPFLAGS LIBS=$rackmark_saved_LIBS
      test "$have_$1" = no || break
    done
    AC_MSG_RESULT([$have_$1])
    AS_IF([test "$have_$1" = no],
      [$1_why="not found"
       RACKMARK_MISSING([$1], [no lib$5 with $3], [$7])])
  ])
  AS_IF([test "$have_$1" = no], [CAPITALS[]_CFLAGS= CAPITALS[]_LIBS=])
  m4_popdef([CAPITALS])
])

AC_DEFUN([RACKMARK_HWLOC], [
  RACKMARK_ARG_WITH([hwloc], [record the topology of the hosts])
  RACKMARK_LIBRARY([hwloc], [hwloc], [hwloc.h], [hwloc_topology_init], [hwloc], [],
                   [libhwloc-dev])
  AC_SUBST([HWLOC_CFLAGS])
  AC_SUBST([HWLOC_LIBS])
  AM_CONDITIONAL([HAVE_HWLOC], [test "$have_hwloc" = yes])
])

# The next three have no backend in this release: they are looked for so that the summary
# can say what is there, and nothing is linked with them.

AC_DEFUN([RACKMARK_IBVERBS], [
  RACKMARK_ARG_WITH([ibverbs], [look for libibverbs; no verbs backend in this release])
  RACKMARK_LIBRARY([ibverbs], [libibverbs], [infiniband/verbs.h], [ibv_get_device_list],
                   [ibverbs], [], [libibverbs-dev])
])

AC_DEFUN([RACKMARK_CUDA], [
  RACKMARK_ARG_WITH([cuda], [look for the CUDA runtime; no nccl backend in this release])
  RACKMARK_LIBRARY([cuda], [cudart], [cuda_runtime.h], [cudaGetDeviceCount], [cudart],
                   [$CUDA_HOME /usr/local/cuda], [the CUDA toolkit])
])

# NCCL's header includes CUDA's.
AC_DEFUN([RACKMARK_NCCL], [
  RACKMARK_ARG_WITH([nccl], [look for NCCL; no nccl backend in this release])
  rackmark_outer_CPPFLAGS=$CPPFLAGS rackmark_outer_LIBS=$LIBS
  CPPFLAGS="$CPPFLAGS $CUDA_CFLAGS"
  LIBS="$CUDA_LIBS $LIBS"
  RACKMARK_LIBRARY([nccl], [nccl], [nccl.h], [ncclGetVersion], [nccl],
                   [$NCCL_HOME $CUDA_HOME /usr/local/cuda], [NCCL])
  CPPFLAGS=$rackmark_outer_CPPFLAGS LIBS=$rackmark_outer_LIBS
])
