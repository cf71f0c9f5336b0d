/* SPDX-License-Identifier: BSD-3-Clause */
#include "autoconf.h"

#include "run_header.h"

#include <stdbool.h>
#include <gnu/libc-version.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "clean.h"
#include "environment.h"
#include "record.h"
#include "revision.h"
#include "system.h"
#include "topology.h"
#include "utc.h"

extern char **environ;

/* clang's own text begins with its name. */
#ifdef __clang__
#define COMPILER __VERSION__
#else
#define COMPILER "GCC " __VERSION__
#endif

enum { RUN_ID_BYTES = 16 };

/* Without the kernel's randomness the time and the process tell runs apart. */
static void fill_id(unsigned char id[RUN_ID_BYTES])
{
    char now[UTC_TEXT];

    if (getrandom(id, RUN_ID_BYTES, 0) == RUN_ID_BYTES)
        return;
    snprintf((char *)id, RUN_ID_BYTES, "%d%s", (int)getpid(), utc_now(now) + 10);
}

static json_t *make_id(void)
{
    unsigned char id[RUN_ID_BYTES] = {0};
    char text[2 * RUN_ID_BYTES + 1];

    fill_id(id);
    for (size_t i = 0; i < RUN_ID_BYTES; i++)
        snprintf(text + 2 * i, 3, "%02x", id[i]);
    return json_string(text);
}

static json_t *make_backend(const struct run_facts *facts)
{
    const char *library = facts->backend->library ? facts->backend->library() : NULL;

    return json_pack("{s:o*, s:o*}", "name", clean_json(facts->backend->name), "library",
                     clean_json(library));
}

static json_t *make_world(const struct run_facts *facts)
{
    return json_pack("{s:o*, s:i, s:i}", "library", clean_json(world_library()), "ranks",
                     facts->world->nranks, "nodes", facts->world->nnodes);
}

static json_t *make_hosts(const struct run_facts *facts)
{
    json_t *hosts = json_array();

    for (int i = 0; i < facts->world->nnodes; i++)
        json_array_append_new(hosts, json_pack("{s:o*, s:i}", "host",
                                               clean_json(facts->hosts[i]), "ranks",
                                               facts->ranks_per_node[i]));
    return hosts;
}

/* Whether a rank is bound as the one before it, on the same host. */
static bool bound_alike(const struct run_facts *facts, int rank)
{
    return facts->node[rank] == facts->node[rank - 1] &&
           strcmp(facts->binding[rank].cpus, facts->binding[rank - 1].cpus) == 0;
}

/* One entry for neighbours that are bound alike. */
static json_t *make_binding(const struct run_facts *facts)
{
    json_t *bindings = json_array();
    int nranks = facts->node ? facts->world->nranks : 0;

    for (int first = 0, next; first < nranks; first = next) {
        for (next = first + 1; next < nranks && bound_alike(facts, next); next++)
            ;
        json_array_append_new(bindings,
                              json_pack("{s:i, s:i, s:o*, s:s}", "first_rank", first,
                                        "ranks", next - first, "host",
                                        clean_json(facts->hosts[facts->node[first]]),
                                        "cpus", facts->binding[first].cpus));
    }
    return bindings;
}

/* Flags that are not set are left out: --help and its like never are in a run. */
static void add_setting(void *context, const struct option *row, const char *value)
{
    if (row->type == OPTION_FLAG && strcmp(value, "false") == 0)
        return;
    json_object_set_new(context, row->name, clean_json(value));
}

static json_t *make_config(const struct run_facts *facts)
{
    json_t *config = json_object();

    options_echo(facts->sets, facts->nsets, add_setting, config);
    return config;
}

/* FNV-1a, 64 bits. */
static uint64_t hash_text(uint64_t hash, const char *text)
{
    for (; *text; text++)
        hash = (hash ^ (unsigned char)*text) * 0x100000001b3u;
    return hash;
}

static uint64_t hash_point(uint64_t hash, const struct point *point)
{
    char text[256];

    snprintf(text, sizeof text, "%s|%s|%s|%s|%s|%" PRIu64 "|%" PRIu64 "\n",
             point->operation->name, point->pattern ? point->pattern->name : "",
             datatype_name(point->datatype),
             point->operation->reduces ? op_name(point->op) : "",
             timing_name(point->timing), point->bytes, point->window);
    return hash_text(hash, text);
}

static json_t *make_plan(const struct run_facts *facts)
{
    const struct plan *plan = facts->plan;
    uint64_t hash = 0xcbf29ce484222325u;
    char text[17];

    for (size_t i = 0; i < plan->count; i++)
        hash = hash_point(hash, &plan->points[i]);
    snprintf(text, sizeof text, "%016" PRIx64, hash);
    return json_pack("{s:I, s:I, s:s}", "points", (json_int_t)plan->count, "rounded",
                     (json_int_t)plan->rounded, "hash", text);
}

static json_t *make_environment(const struct run_facts *facts)
{
    (void)facts;
    return environment_json(environ);
}

static json_t *make_system(const struct run_facts *facts)
{
    (void)facts;
    return system_json("");
}

static json_t *make_build(const struct run_facts *facts)
{
    (void)facts;
    return json_pack("{s:s}", "compiler", COMPILER);
}

static json_t *make_libraries(const struct run_facts *facts)
{
    char libc[64];

    (void)facts;
    snprintf(libc, sizeof libc, "glibc %s", gnu_get_libc_version());
    return json_pack("{s:s, s:s, s:s}", "libc", libc, "json", "jansson " JANSSON_VERSION,
                     "topology", topology_library());
}

static json_t *make_start(const struct run_facts *facts)
{
    char now[UTC_TEXT];

    (void)facts;
    return json_string(utc_now(now));
}

static json_t *make_kind(void)
{
    return json_pack("{s:s, s:i, s:o}", "kind", "run", "schema", RECORD_SCHEMA, "run",
                     make_id());
}

static json_t *make_program(const struct run_facts *facts)
{
    return clean_json(facts->program);
}

static json_t *make_version(const struct run_facts *facts)
{
    (void)facts;
    return json_string(PACKAGE_VERSION);
}

static json_t *make_git(const struct run_facts *facts)
{
    (void)facts;
    return clean_json(rackmark_revision());
}

json_t *run_header_make(const struct run_facts *facts)
{
    /* in this order, after kind, schema and run; NULL, which is left out: not known */
    static const struct {
        const char *key;
        json_t *(*make)(const struct run_facts *facts);
    } parts[] = {
        {"program", make_program},
        {"version", make_version},
        {"git", make_git},
        {"start_utc", make_start},
        {"backend", make_backend},
        {"world", make_world},
        {"hosts", make_hosts},
        {"binding", make_binding},
        {"config", make_config},
        {"plan", make_plan},
        {"environment", make_environment},
        {"system", make_system},
        {"build", make_build},
        {"libraries", make_libraries},
    };
    json_t *header = make_kind();

    for (size_t i = 0; header && i < sizeof parts / sizeof *parts; i++)
        json_object_set_new(header, parts[i].key, parts[i].make(facts));
    return header;
}
