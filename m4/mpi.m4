# SPDX-License-Identifier: BSD-3-Clause

# The searches are shell functions: several candidates go through the same test.
m4_defun([_RACKMARK_MPI_FUNCTIONS], [
# rackmark_mpi_try CFLAGS LIBS ORIGIN BINDIR: takes these flags when MPI_Init links.
rackmark_mpi_try ()
{
  test "$MPI_FLAVOUR" = none || return 0
  rackmark_saved_CPPFLAGS=$CPPFLAGS rackmark_saved_LIBS=$LIBS
  CPPFLAGS="$CPPFLAGS $[1]"
  LIBS="$[2] $LIBS"
  AC_MSG_CHECKING([for MPI by $[3]])
  AC_LINK_IFELSE(
    [AC_LANG_PROGRAM([[#include <mpi.h>]], [[return MPI_Init(0, 0);]])],
    [MPI_FLAVOUR=other
     AC_PREPROC_IFELSE([AC_LANG_PROGRAM([[#include <mpi.h>
#ifndef OPEN_MPI
#error another
#endif]])], [MPI_FLAVOUR=openmpi],
       [AC_PREPROC_IFELSE([AC_LANG_PROGRAM([[#include <mpi.h>
#ifndef MPICH_VERSION
#error another
#endif]])], [MPI_FLAVOUR=mpich])])
     MPI_CFLAGS=$[1] MPI_LIBS=$[2] mpi_origin=$[3] mpi_bindir=$[4]])
  AC_MSG_RESULT([$MPI_FLAVOUR])
  CPPFLAGS=$rackmark_saved_CPPFLAGS LIBS=$rackmark_saved_LIBS
}

# rackmark_mpi_try_wrapper MPICC: splits what the wrapper would call.
rackmark_mpi_try_wrapper ()
{
  rackmark_wrapper=`command -v "$[1]"` || return 0
  rackmark_words=`"$rackmark_wrapper" --showme 2>/dev/null ||
                  "$rackmark_wrapper" -show 2>/dev/null`
  rackmark_compile= rackmark_link= rackmark_first=yes
  for rackmark_word in $rackmark_words; do
    case $rackmark_first,$rackmark_word in
      yes,*) rackmark_first=no ;;
      *,-I* | *,-D*) rackmark_compile="$rackmark_compile $rackmark_word" ;;
      *) rackmark_link="$rackmark_link $rackmark_word" ;;
    esac
  done
  rackmark_mpi_try "$rackmark_compile" "$rackmark_link" "$rackmark_wrapper" \
    "`dirname "$rackmark_wrapper"`"
}

# rackmark_mpi_try_module NAME [DIR]: a pkg-config module, of the MPI under DIR.
rackmark_mpi_try_module ()
{
  test -n "$PKG_CONFIG" || return 0
  rackmark_path=$PKG_CONFIG_PATH rackmark_rpath= rackmark_from="pkg-config $[1]"
  if test -n "$[2]"; then
    rackmark_path=$[2]/lib/pkgconfig:$[2]/lib64/pkgconfig
    rackmark_rpath="-Wl,-rpath,$[2]/lib"
    rackmark_from="$rackmark_from in $[2]"
  fi
  rackmark_compile=`PKG_CONFIG_PATH=$rackmark_path $PKG_CONFIG --cflags $[1] 2>/dev/null` ||
    return 0
  rackmark_link=`PKG_CONFIG_PATH=$rackmark_path $PKG_CONFIG --libs $[1] 2>/dev/null`
  rackmark_mpi_try "$rackmark_compile" "$rackmark_link $rackmark_rpath" "$rackmark_from" \
    "${2:+$[2]/bin}"
}

rackmark_mpi_find ()
{
  case $with_mpi in
    yes | check) rackmark_dir= ;;
    *) rackmark_dir=$with_mpi ;;
  esac
  if test -n "$MPI_CFLAGS$MPI_LIBS"; then
    rackmark_mpi_try "$MPI_CFLAGS" "$MPI_LIBS" "MPI_CFLAGS and MPI_LIBS" \
      "${rackmark_dir:+$rackmark_dir/bin}"
    return 0
  fi
  if test -n "$rackmark_dir"; then
    rackmark_mpi_try_wrapper "$rackmark_dir/bin/mpicc"
    for rackmark_module in ompi-c mpich mpi; do
      test -f "$rackmark_dir/lib/pkgconfig/$rackmark_module.pc" ||
        test -f "$rackmark_dir/lib64/pkgconfig/$rackmark_module.pc" || continue
      rackmark_mpi_try_module $rackmark_module "$rackmark_dir"
    done
    return 0
  fi
  set dummy $CC
  rackmark_mpi_try "" "" "the compiler $CC" "`dirname "\`command -v $[2]\`"`"
  # The wrapper first: a module that the user has loaded puts its own in front in PATH.
  rackmark_mpi_try_wrapper mpicc
  for rackmark_module in ompi-c mpich mpi; do
    rackmark_mpi_try_module $rackmark_module
  done
}

# rackmark_mpi_speaks LAUNCHER: whether it is of the library's family. Another family's
# launcher starts N worlds of one.
rackmark_mpi_speaks ()
{
  rackmark_says=`"$[1]" --version 2>&1 </dev/null`
  case $MPI_FLAVOUR,$rackmark_says in
    openmpi,*"Open MPI"* | openmpi,*OpenRTE*) return 0 ;;
    openmpi,* | *,*"Open MPI"* | *,*OpenRTE*) return 1 ;;
    mpich,*HYDRA* | mpich,*[[Hh]]ydra* | mpich,*MPICH* | mpich,*Intel*) return 0 ;;
    mpich,*) return 1 ;;
  esac
}

rackmark_mpi_launcher ()
{
  AC_MSG_CHECKING([for the launcher of $MPI_FLAVOUR])
  if test -z "$MPIRUN"; then
    rackmark_beside=
    test -z "$mpi_bindir" || rackmark_beside="$mpi_bindir/mpirun $mpi_bindir/mpiexec"
    for rackmark_name in $rackmark_beside mpirun.$MPI_FLAVOUR mpirun mpiexec.hydra mpiexec
    do
      # The library under DIR has its launcher there, or none that is known.
      case $rackmark_dir,$rackmark_name in
        ,* | *,*/*) ;;
        *) continue ;;
      esac
      rackmark_path=`command -v $rackmark_name` || continue
      rackmark_mpi_speaks "$rackmark_path" || continue
      MPIRUN=$rackmark_path
      break
    done
  fi
  AC_MSG_RESULT([${MPIRUN:-none}])
  mpi_why="$MPI_FLAVOUR by $mpi_origin; launcher ${MPIRUN:-not found: tests on MPI are skipped}"
}
])

# RACKMARK_MPI: --with-mpi. Sets MPI_CFLAGS, MPI_LIBS, MPI_FLAVOUR (openmpi, mpich, other,
# none) and MPIRUN, the launcher that belongs to the library, empty when there is none.
AC_DEFUN([RACKMARK_MPI], [
  RACKMARK_ARG_WITH([mpi], [measure MPI, and run on more than one process])
  AC_ARG_VAR([MPI_CFLAGS], [compiler flags for MPI, instead of looking for them])
  AC_ARG_VAR([MPI_LIBS], [linker flags for MPI, instead of looking for them])
  AC_ARG_VAR([MPIRUN], [the launcher that belongs to the MPI library])
  _RACKMARK_MPI_FUNCTIONS
  MPI_FLAVOUR=none
  mpi_why="not asked for"
  AS_IF([test "$with_mpi" != no], [
    rackmark_mpi_find
    AS_IF([test "$MPI_FLAVOUR" != none], [rackmark_mpi_launcher],
      [mpi_why="not found"
       RACKMARK_MISSING([mpi], [no MPI library that links], [libopenmpi-dev openmpi-bin])])
  ])
  AS_IF([test "$MPI_FLAVOUR" = none], [MPI_CFLAGS= MPI_LIBS= MPIRUN=])
  # MPICH's MPI_STATUSES_IGNORE is the address 1, which gcc takes for a small array.
  AS_IF([test "$MPI_FLAVOUR" = mpich],
    [RACKMARK_ADD_FLAG([RACKMARK_CFLAGS], [-Wno-stringop-overflow])])
  AC_SUBST([MPI_FLAVOUR])
  AM_CONDITIONAL([HAVE_MPI], [test "$MPI_FLAVOUR" != none])
])
