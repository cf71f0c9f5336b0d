/* SPDX-License-Identifier: BSD-3-Clause */
#include "topology.h"

#include <errno.h>
#include <hwloc.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* hwloc gives memory without CPUs (HBM, a GPU's memory) the CPUs that are near it, so
 * an empty set is not the sign. Each CPU belongs to one node only: of the nodes that
 * share CPUs the one with the fewest is theirs, and the first of equals. */
static bool owns_cpus(hwloc_topology_t machine, hwloc_obj_t node)
{
    int weight = hwloc_bitmap_weight(node->cpuset);
    hwloc_obj_t other = NULL;

    if (weight == 0)
        return false;
    while ((other = hwloc_get_next_obj_by_type(machine, HWLOC_OBJ_NUMANODE, other))) {
        int other_weight = hwloc_bitmap_weight(other->cpuset);

        if (other == node || !hwloc_bitmap_intersects(other->cpuset, node->cpuset))
            continue;
        if (other_weight < weight ||
            (other_weight == weight && other->logical_index < node->logical_index))
            return false;
    }
    return true;
}

static int count_nodes(hwloc_topology_t machine)
{
    hwloc_obj_t node = NULL;
    int count = 0;

    while ((node = hwloc_get_next_obj_by_type(machine, HWLOC_OBJ_NUMANODE, node)))
        count += owns_cpus(machine, node);
    return count;
}

/* hwloc says 0 for a level that it does not see. */
static int count_of(hwloc_topology_t machine, hwloc_obj_type_t type)
{
    int count = hwloc_get_nbobjs_by_type(machine, type);

    return count > 0 ? count : -1;
}

static void read_model(hwloc_topology_t machine, char model[TOPOLOGY_TEXT])
{
    hwloc_obj_t package = hwloc_get_obj_by_type(machine, HWLOC_OBJ_PACKAGE, 0);
    hwloc_obj_t root = hwloc_get_root_obj(machine);
    const char *text = package ? hwloc_obj_get_info_by_name(package, "CPUModel") : NULL;

    if (!text)
        text = hwloc_obj_get_info_by_name(root, "CPUModel");
    snprintf(model, TOPOLOGY_TEXT, "%s", text ? text : "");
}

static int load(hwloc_topology_t *machine)
{
    if (hwloc_topology_init(machine) != 0)
        return -1;
    hwloc_topology_set_flags(*machine, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED);
    if (hwloc_topology_load(*machine) == 0)
        return 0;
    hwloc_topology_destroy(*machine);
    return -1;
}

/* NUMA nodes do not count memory that was plugged in later: of this machine the kernel is
 * asked. */
static uint64_t memory_of(hwloc_topology_t machine)
{
    if (!hwloc_topology_is_thissystem(machine))
        return hwloc_get_root_obj(machine)->total_memory;
    return (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
}

int topology_read(struct topology *topology, struct err *err)
{
    hwloc_topology_t machine;

    *topology = (struct topology){-1, -1, -1, -1, .cpu = ""};
    if (load(&machine) != 0)
        return err_set(err, EXIT_CODE_FAILURE, "hwloc cannot read this machine: %s",
                       strerror(errno));
    topology->packages = count_of(machine, HWLOC_OBJ_PACKAGE);
    topology->cores = count_of(machine, HWLOC_OBJ_CORE);
    topology->threads = count_of(machine, HWLOC_OBJ_PU);
    topology->numa_nodes = count_nodes(machine);
    topology->memory_bytes = memory_of(machine);
    read_model(machine, topology->cpu);
    hwloc_topology_destroy(machine);
    return 0;
}

int topology_bound_cores(void)
{
    hwloc_topology_t machine;
    hwloc_bitmap_t bound = hwloc_bitmap_alloc();
    int cores = 0;

    if (!bound || load(&machine) != 0) {
        hwloc_bitmap_free(bound);
        return 0;
    }
    if (hwloc_get_cpubind(machine, bound, HWLOC_CPUBIND_PROCESS) == 0) {
        hwloc_obj_t core = NULL;

        while ((core = hwloc_get_next_obj_by_type(machine, HWLOC_OBJ_CORE, core)))
            cores += hwloc_bitmap_intersects(core->cpuset, bound);
    }
    hwloc_topology_destroy(machine);
    hwloc_bitmap_free(bound);
    return cores;
}

const char *topology_library(void)
{
    return "hwloc " HWLOC_VERSION;
}
