/* SPDX-License-Identifier: BSD-3-Clause */
/* The commit that was built; the build writes revision.c. */
#ifndef RACKMARK_REVISION_H
#define RACKMARK_REVISION_H

/* As `git describe` gives it; "" where that is not known. */
const char *rackmark_revision(void);

#endif
