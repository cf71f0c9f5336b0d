# SPDX-License-Identifier: BSD-3-Clause

# RACKMARK_ADD_FLAG(VARIABLE, FLAG): appends FLAG where the compiler knows it. -Werror,
# because clang only warns of an unknown one.
AC_DEFUN([RACKMARK_ADD_FLAG], [
  rackmark_saved_CFLAGS=$CFLAGS
  CFLAGS="$CFLAGS -Werror $2"
  AC_MSG_CHECKING([whether $CC accepts $2])
  AC_COMPILE_IFELSE([AC_LANG_PROGRAM()],
    [AC_MSG_RESULT([yes])
     $1="$$1 $2"],
    [AC_MSG_RESULT([no])])
  CFLAGS=$rackmark_saved_CFLAGS
])

# RACKMARK_COMPILER_FLAGS: the language and the warnings, in RACKMARK_CFLAGS.
AC_DEFUN([RACKMARK_COMPILER_FLAGS], [
  RACKMARK_CFLAGS=
  AC_ARG_ENABLE([werror],
    [AS_HELP_STRING([--enable-werror], [treat warnings as errors])],
    [], [enable_werror=no])
  RACKMARK_ADD_FLAG([RACKMARK_CFLAGS], [-std=gnu11])
  m4_foreach_w([rackmark_flag],
    [-Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes],
    [RACKMARK_ADD_FLAG([RACKMARK_CFLAGS], rackmark_flag)])
  AS_IF([test "$enable_werror" = yes], [RACKMARK_ADD_FLAG([RACKMARK_CFLAGS], [-Werror])])
  AC_SUBST([RACKMARK_CFLAGS])
])

# RACKMARK_SANITIZERS: --enable-sanitizers, in SANITIZER_FLAGS (compiler and linker).
AC_DEFUN([RACKMARK_SANITIZERS], [
  SANITIZER_FLAGS=
  AC_ARG_ENABLE([sanitizers],
    [AS_HELP_STRING([--enable-sanitizers], [build with ASan and UBSan])],
    [], [enable_sanitizers=no])
  AS_IF([test "$enable_sanitizers" = yes], [
    # Without -fno-sanitize-recover UBSan prints and the test passes.
    SANITIZER_FLAGS="-fsanitize=address,undefined -fno-omit-frame-pointer -fno-sanitize-recover=all"
    rackmark_saved_CFLAGS=$CFLAGS
    CFLAGS="$CFLAGS $SANITIZER_FLAGS"
    AC_MSG_CHECKING([whether $CC links with sanitizers])
    AC_LINK_IFELSE([AC_LANG_PROGRAM()],
      [AC_MSG_RESULT([yes])],
      [AC_MSG_RESULT([no])
       AC_MSG_ERROR([--enable-sanitizers: $CC cannot link with $SANITIZER_FLAGS])])
    CFLAGS=$rackmark_saved_CFLAGS
  ])
  AC_SUBST([SANITIZER_FLAGS])
])
