/* SPDX-License-Identifier: BSD-3-Clause */
/* What is known of this host: kernel, processors, memory and the settings that move
 * figures. */
#ifndef RACKMARK_SYSTEM_H
#define RACKMARK_SYSTEM_H

#include <jansson.h>

/* An object; what is not known is left out of it. root goes before the paths of all
 * files that are read: "" for this machine. NULL when out of memory. */
json_t *system_json(const char *root);

#endif
