/* SPDX-License-Identifier: BSD-3-Clause */
/* Which processors a rank may run on, as the kernel says it (a launcher's own report
 * can err), and whether ranks get in each other's way. */
#ifndef RACKMARK_BINDING_H
#define RACKMARK_BINDING_H

enum { BINDING_TEXT = 64 };

struct binding {
    char cpus[BINDING_TEXT]; /* "0-3,8": a list as in /sys; cut with "..." */
    int ncpus;               /* hardware threads in it; 0: unknown */
    int ncores;              /* physical cores that these belong to; 0: unknown */
};

/* Of the calling process. */
void binding_read(struct binding *binding);

/* "0-3,8" of the CPUs whose flag is set. */
void binding_list(const unsigned char *set, int count, char text[BINDING_TEXT]);

/* Ranks that can be kept busy at the same time without sharing: cores, or threads where
 * cores are unknown; 0: unknown. */
int binding_room(const struct binding *binding);

#endif
