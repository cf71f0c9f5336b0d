/* SPDX-License-Identifier: BSD-3-Clause */
/* Network rates from trees that look like /sys. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "nic.h"

struct file {
    const char *path, *text; /* text NULL: a directory */
};

enum { FILES_MOST = 12 };

#define IB  "/sys/class/infiniband/"
#define NET "/sys/class/net/"

static const struct {
    struct file files[FILES_MOST];
    double Bps;
} trees[] = {
    {{{NULL, NULL}}, 0},
    /* Two active ports, one that is down. */
    {{{IB "mlx5_0/device", NULL},
      {IB "mlx5_0/ports/1/state", "4: ACTIVE\n"},
      {IB "mlx5_0/ports/1/rate", "400 Gb/sec (4X NDR)\n"},
      {IB "mlx5_0/ports/1/link_layer", "InfiniBand\n"},
      {IB "mlx5_1/device", NULL},
      {IB "mlx5_1/ports/1/state", "4: ACTIVE\n"},
      {IB "mlx5_1/ports/1/rate", "800 Gb/sec (4X XDR)\n"},
      {IB "mlx5_2/device", NULL},
      {IB "mlx5_2/ports/1/state", "1: DOWN\n"},
      {IB "mlx5_2/ports/1/rate", "10 Gb/sec (4X SDR)\n"}},
     150e9},
    /* InfiniBand counts where there is any, and its IP interface does not. */
    {{{IB "mlx5_0/device", NULL},
      {IB "mlx5_0/ports/1/state", "4: ACTIVE\n"},
      {IB "mlx5_0/ports/1/rate", "100 Gb/sec (4X EDR)\n"},
      {NET "eth0/device", NULL},
      {NET "eth0/operstate", "up\n"},
      {NET "eth0/speed", "10000\n"}},
     12.5e9},
    /* Soft RDMA has no device; neither has a bridge. */
    {{{IB "rxe0/ports/1/state", "4: ACTIVE\n"},
      {IB "rxe0/ports/1/rate", "10 Gb/sec (1X FDR10)\n"},
      {NET "veth0/operstate", "up\n"},
      {NET "veth0/speed", "10000\n"}},
     0},
    {{{NET "eth0/device", NULL},
      {NET "eth0/operstate", "up\n"},
      {NET "eth0/type", "1\n"},
      {NET "eth0/speed", "25000\n"},
      {NET "eth1/device", NULL},
      {NET "eth1/operstate", "down\n"},
      {NET "eth1/speed", "25000\n"},
      {NET "ib0/device", NULL},
      {NET "ib0/operstate", "up\n"},
      {NET "ib0/type", "32\n"},
      {NET "ib0/speed", "100000\n"}},
     3.125e9},
    /* One that does not tell: the sum is unknown, not less. */
    {{{NET "eth0/device", NULL},
      {NET "eth0/operstate", "up\n"},
      {NET "eth0/speed", "25000\n"},
      {NET "eth1/device", NULL},
      {NET "eth1/operstate", "up\n"},
      {NET "eth1/speed", "-1\n"}},
     0},
};

static void make(const char *root, const struct file *file)
{
    char path[512];

    snprintf(path, sizeof path, "%s%s", root, file->path);
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(path, 0777);
        *slash = '/';
    }
    if (!file->text) {
        assert_int_equal(mkdir(path, 0777), 0);
        return;
    }
    FILE *to = fopen(path, "w");
    assert_non_null(to);
    fputs(file->text, to);
    fclose(to);
}

static void test_trees(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof trees / sizeof trees[0]; i++) {
        char root[] = "/tmp/rackmark-nic-XXXXXX", command[64];

        assert_non_null(mkdtemp(root));
        for (size_t f = 0; f < FILES_MOST && trees[i].files[f].path; f++)
            make(root, &trees[i].files[f]);
        double Bps = nic_rate_Bps(root);
        snprintf(command, sizeof command, "rm -rf %s", root);
        assert_int_equal(system(command), 0);
        if (fabs(Bps - trees[i].Bps) > 1)
            fail_msg("tree %zu: %g instead of %g", i, Bps, trees[i].Bps);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_trees)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
