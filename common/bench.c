/* SPDX-License-Identifier: BSD-3-Clause */
#include "bench.h"

#include "autoconf.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "argfile.h"
#include "backends/backend.h"
#include "columns.h"
#include "config.h"
#include "help.h"
#include "launcher.h"
#include "run.h"
#include "sentinel.h"
#include "world.h"

enum { SETS_MOST = 8, OPERATIONS_MOST = 16, BACKENDS_MOST = 6 };

/* Everything that main's arguments say. */
struct invocation {
    const struct program *program;
    struct config config;
    struct argfile arguments;
    struct option_set sets[SETS_MOST];
    size_t nsets;
    void *settings[BACKENDS_MOST]; /* of each backend of this build */
    const struct operation *operations[OPERATIONS_MOST];
};

static void add_set(struct invocation *invocation, const struct option *rows,
                    size_t count, void *values)
{
    if (count > 0 && invocation->nsets < SETS_MOST)
        invocation->sets[invocation->nsets++] =
            (struct option_set){.rows = rows, .count = count, .values = values};
}

/* The common rows, those of collectives or of point to point, and each
 * backend's. */
static int add_sets(struct invocation *invocation, struct err *err)
{
    const struct backend_type *type;

    add_set(invocation, config_options, config_options_count, &invocation->config);
    if (invocation->program->operations)
        add_set(invocation, config_collective_options, config_collective_options_count,
                &invocation->config);
    else
        add_set(invocation, config_p2p_options, config_p2p_options_count,
                &invocation->config);
    for (size_t i = 0; i < BACKENDS_MOST && (type = backend_type_get(i)); i++) {
        invocation->settings[i] = calloc(1, type->settings_bytes + 1);
        if (!invocation->settings[i])
            return err_set(err, EXIT_CODE_FAILURE, "out of memory");
        add_set(invocation, type->options, type->noptions, invocation->settings[i]);
    }
    return options_defaults(invocation->sets, invocation->nsets,
                            invocation->program->defaults, err);
}

/* The rows of the operations that this invocation measures. */
static void choose_operations(struct invocation *invocation)
{
    const char *const *names = invocation->program->operations;
    size_t count = 0;
    const char *name;

    for (size_t i = 0; names && names[i]; i++)
        invocation->operations[count++] = operation_find(names[i]);
    for (size_t i = 0; !names && (name = transfer_name(i)); i++)
        if (invocation->config.transfers >> i & 1)
            invocation->operations[count++] = operation_find(name);
    invocation->operations[count] = NULL;
}

/* Whether this build can join several processes at all. */
static bool joins_ranks(void)
{
    return strcmp(world_library(), "none") != 0;
}

/* What can be judged without having met the others. */
static int check_alone(const struct invocation *invocation, struct err *err)
{
    const struct backend_type *type =
        backend_type_get((size_t)invocation->config.backend);
    struct columns columns;

    for (size_t i = 0; invocation->operations[i]; i++)
        if (!backend_find(type, invocation->operations[i]->name))
            return err_set(err, EXIT_CODE_USAGE, "backend %s does not offer %s: %s",
                           type->name, invocation->operations[i]->title,
                           joins_ranks()
                               ? "choose another with --backend (see --list)"
                               : "it takes a build with MPI (configure --with-mpi)");
    if (columns_choose(&columns, (enum format)invocation->config.format,
                       invocation->config.columns, err))
        return -1;
    return config_check(&invocation->config, err);
}

static bool wants_text(const struct config *config)
{
    return config->help || config->version || config->list;
}

static int parse(struct invocation *invocation, int argc, char **argv, struct err *err)
{
    struct argfile *arguments = &invocation->arguments;

    if (add_sets(invocation, err) || argfile_open(arguments, argc, argv, err) ||
        options_parse(invocation->sets, invocation->nsets, arguments->argc,
                      arguments->argv, err))
        return -1;
    choose_operations(invocation);
    return wants_text(&invocation->config) ? 0 : check_alone(invocation, err);
}

static int print_text(const struct invocation *invocation, struct err *err)
{
    if (invocation->config.help)
        help_print(invocation->program, invocation->sets, invocation->nsets, stdout);
    else if (invocation->config.version)
        help_version(invocation->program, stdout);
    else
        help_list(stdout);
    if (fflush(stdout) != 0 || ferror(stdout))
        return err_set(err, EXIT_CODE_FAILURE, "standard output: %s", strerror(errno));
    return 0;
}

/* A file that is opened where a standard one should be would be written into: libraries
 * do open files. Writes to what was closed still fail. */
static void occupy_standard_files(void)
{
    static const int modes[] = {O_RDWR, O_RDONLY, O_RDONLY};

    for (int fd = 0; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0)
            open("/dev/null", modes[fd]);
}

static void print_error(const struct program *program, const struct err *err)
{
    fflush(stdout);
    fprintf(stderr, "%s: %s\n", program->name, err->text);
}

/* What the launcher says is held against what MPI says: a program that is linked with
 * another MPI than its launcher's sees a world of one, n times. */
static int check_world(const struct invocation *invocation,
                       const struct launcher *launcher, int nranks, struct err *err)
{
    const struct program *program = invocation->program;

    if (launcher->size > 1 && !joins_ranks())
        return err_set(err, EXIT_CODE_USAGE,
                       "%s started %d processes, but this build has no MPI to join them: "
                       "configure it --with-mpi",
                       launcher->name, launcher->size);
    if (launcher->size > 0 && launcher->size != nranks)
        return err_set(err, EXIT_CODE_USAGE,
                       "%s started %d processes, but this program (%s) sees %d: use the "
                       "launcher of the MPI that it was built with",
                       launcher->name, launcher->size, world_library(), nranks);
    if (nranks < program->min_ranks)
        return err_set(err, EXIT_CODE_USAGE,
                       "this needs at least %d ranks: mpirun -np %d %s",
                       program->min_ranks, program->min_ranks, program->name);
    if (invocation->config.root >= (uint64_t)nranks)
        return err_set(err, EXIT_CODE_USAGE, "--root %llu: there are ranks 0 to %d",
                       (unsigned long long)invocation->config.root, nranks - 1);
    if (nranks == 1 && launcher->size == 0 && !invocation->config.allow_single)
        return err_set(err, EXIT_CODE_USAGE,
                       "started as one rank alone: %s%s%sgive --allow-single",
                       joins_ranks() ? "start several with mpirun -np 4 " : "",
                       joins_ranks() ? program->name : "", joins_ranks() ? ", or " : "");
    return 0;
}

/* FNV-1a over all that decides what a rank does: 52 bits of it, which a double holds. */
static double fingerprint(const struct invocation *invocation)
{
    const struct argfile *arguments = &invocation->arguments;
    uint64_t hash = 0xcbf29ce484222325u;

    for (int i = 0; i < arguments->argc; i++) {
        const char *text = i == 0 ? invocation->program->name : arguments->argv[i];

        do
            hash = (hash ^ (unsigned char)*text) * 0x100000001b3u;
        while (*text++);
    }
    for (const char *text = PACKAGE_VERSION; *text; text++)
        hash = (hash ^ (unsigned char)*text) * 0x100000001b3u;
    return (double)(hash >> 12);
}

/* Ranks that were told different things would wait for each other for ever. */
static int check_alike(struct world *world, double fingerprint, struct err *err)
{
    struct world_max ends[2] = {{.value = fingerprint}, {.value = -fingerprint}};

    if (world_max_everywhere(world, ends, 2, err))
        return -1;
    if (ends[0].value == -ends[1].value)
        return 0;
    return err_set(err, EXIT_CODE_USAGE,
                   "the ranks were not started alike: give all of them the same program, "
                   "version and options (rank %d differs from rank %d)",
                   ends[0].rank, ends[1].rank);
}

/* From here on all ranks exist, and all leave with the same code. */
static int run_together(struct invocation *invocation, const struct launcher *launcher,
                        struct sentinel *sentinel, struct world *world, struct err *err)
{
    const struct config *config = &invocation->config;

    if (err->code == 0)
        check_world(invocation, launcher, world->nranks, err);
    if (world_agree(world, err))
        return -1;
    return run_measure(
        &(struct run){
            .program = invocation->program->name,
            .world = world,
            .config = config,
            .type = backend_type_get((size_t)config->backend),
            .settings = invocation->settings[config->backend],
            .operations = invocation->operations,
            .sets = invocation->sets,
            .nsets = invocation->nsets,
            .sentinel = sentinel,
            .under_launcher = launcher->size > 0,
        },
        err);
}

/* Started by hand there is nobody to agree with: a text needs no MPI. */
static int answer_alone(const struct invocation *invocation, struct err *err)
{
    if (err->code != 0 || print_text(invocation, err))
        print_error(invocation->program, err);
    return err->code;
}

static int bench_run(int argc, char **argv, struct invocation *invocation)
{
    struct launcher launcher;
    struct sentinel sentinel;
    struct world world;
    struct err err = {0}, trouble = {0};

    parse(invocation, argc, argv, &err);
    launcher_detect(&launcher);
    bool text = err.code == 0 && wants_text(&invocation->config);
    if (launcher.size == 0 && (text || err.code != 0))
        return answer_alone(invocation, &err);
    if (sentinel_open(&sentinel, launcher.size > 0, &trouble) ||
        world_open(&world, &argc, &argv, &trouble)) {
        print_error(invocation->program, &trouble);
        return trouble.code;
    }
    /* Processes that do not see each other print once through the launcher's rank. */
    bool speaks = world.rank == 0 && (world.nranks > 1 || launcher.rank == 0);
    int failed = check_alike(&world, fingerprint(invocation), &trouble);
    if (failed)
        err = err.code ? err : trouble;
    else if (text)
        failed = speaks && print_text(invocation, &err);
    else
        failed = run_together(invocation, &launcher, &sentinel, &world, &err);
    if (failed && speaks)
        print_error(invocation->program, &err);
    fflush(stdout);
    world.ops->close(&world);
    return err.code;
}

static int print_man(struct invocation *invocation)
{
    struct err err = {0};

    if (add_sets(invocation, &err))
        return err.code;
    help_man(invocation->program, invocation->sets, invocation->nsets, stdout);
    return EXIT_CODE_GOOD;
}

int bench_main(int argc, char **argv, const struct program *program)
{
    struct invocation invocation = {.program = program};
    occupy_standard_files();
    bool man = argc == 2 && strcmp(argv[1], "--man") == 0;
    int code = man ? print_man(&invocation) : bench_run(argc, argv, &invocation);

    argfile_close(&invocation.arguments);
    for (size_t i = 0; i < BACKENDS_MOST; i++)
        free(invocation.settings[i]);
    return code;
}
