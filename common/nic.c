/* SPDX-License-Identifier: BSD-3-Clause */
#include "nic.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "small_file.h"

static const double Bps_per_Gbit = 1e9 / 8, Bps_per_Mbit = 1e6 / 8;

/* What has been found so far; a port that does not tell its rate spoils the sum. */
struct sum {
    double Bps;
    bool unknown;
};

static void add_rate(struct sum *sum, double Bps)
{
    sum->Bps += Bps;
    sum->unknown |= !(Bps > 0);
}

/* "400 Gb/sec (4X NDR)" of a port in state "4: ACTIVE". */
static void add_port(struct sum *sum, const char *root, const char *port)
{
    char path[SMALL_FILE_PATH], text[SMALL_FILE_TEXT];

    snprintf(path, sizeof path, "%s/state", port);
    if (!small_file_read(text, root, path) || !strstr(text, "ACTIVE"))
        return;
    snprintf(path, sizeof path, "%s/link_layer", port);
    if (small_file_read(text, root, path) && strcmp(text, "InfiniBand") != 0)
        return; /* an Ethernet port: counted as such */
    snprintf(path, sizeof path, "%s/rate", port);
    add_rate(sum,
             small_file_read(text, root, path) ? strtod(text, NULL) * Bps_per_Gbit : 0);
}

/* An interface that is up: its speed in Mb/s. */
static void add_interface(struct sum *sum, const char *root, const char *interface)
{
    char path[SMALL_FILE_PATH], text[SMALL_FILE_TEXT];

    snprintf(path, sizeof path, "%s/device", interface);
    if (!small_file_exists(root, path))
        return;
    snprintf(path, sizeof path, "%s/operstate", interface);
    if (!small_file_read(text, root, path) || strcmp(text, "up") != 0)
        return;
    snprintf(path, sizeof path, "%s/type", interface);
    if (small_file_read(text, root, path) && strcmp(text, "1") != 0)
        return; /* not Ethernet: IP over an InfiniBand port, say */
    snprintf(path, sizeof path, "%s/speed", interface);
    add_rate(sum,
             small_file_read(text, root, path) ? strtod(text, NULL) * Bps_per_Mbit : 0);
}

/* Calls add for each entry of a directory below root. */
static void each_entry(struct sum *sum, const char *root, const char *directory,
                       void (*add)(struct sum *sum, const char *root, const char *path))
{
    char path[SMALL_FILE_PATH];

    snprintf(path, sizeof path, "%s%s", root, directory);
    DIR *entries = opendir(path);
    const struct dirent *entry;

    while (entries && (entry = readdir(entries))) {
        if (entry->d_name[0] == '.')
            continue;
        if ((size_t)snprintf(path, sizeof path, "%s/%s", directory, entry->d_name) <
            sizeof path)
            add(sum, root, path);
    }
    if (entries)
        closedir(entries);
}

static void add_adapter(struct sum *sum, const char *root, const char *adapter)
{
    char path[SMALL_FILE_PATH];

    snprintf(path, sizeof path, "%s/device", adapter);
    if (!small_file_exists(root, path))
        return;
    snprintf(path, sizeof path, "%s/ports", adapter);
    each_entry(sum, root, path, add_port);
}

double nic_rate_Bps(const char *root)
{
    struct sum sum = {0};

    each_entry(&sum, root, "/sys/class/infiniband", add_adapter);
    if (sum.Bps == 0 && !sum.unknown)
        each_entry(&sum, root, "/sys/class/net", add_interface);
    return sum.unknown ? 0 : sum.Bps;
}
