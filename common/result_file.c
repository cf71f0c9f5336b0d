/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE 1 /* memrchr */
#include "result_file.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

/* A run header with the names of ten thousand hosts stays under it. */
enum { TAIL_MOST = 1 << 20 };

static const char first_key[] = "{\"kind\":\"run\"";

static int refuse(const char *path, const char *why, struct err *err)
{
    return err_set(err, EXIT_CODE_USAGE, "cannot write %s: %s", path, why);
}

/* A pipe without a reader is refused at once: waiting for one would hang all ranks.
 * O_RDWR would open it too, but then its reader's death would go unseen. */
static int open_fifo(const char *path)
{
    return open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
}

/* Never 0, 1 or 2, even where the caller started us with these closed: what is meant
 * for standard output would land in the file. */
static int above_standard(int fd)
{
    int higher = fd;

    if (fd >= 0 && fd <= STDERR_FILENO) {
        higher = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
        close(fd);
    }
    return higher;
}

static int open_any(const char *path, struct stat *status)
{
    const int flags = O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY;
    int fd = -1;

    if (stat(path, status) == 0 && S_ISFIFO(status->st_mode))
        fd = open_fifo(path);
    else
        fd = open(path, flags, 0666);
    fd = above_standard(fd);
    if (fd >= 0 && fstat(fd, status) != 0) {
        close(fd);
        fd = -1;
    }
    return fd;
}

static bool is_standard_output(const struct stat *status)
{
    struct stat standard;

    return fstat(STDOUT_FILENO, &standard) == 0 && standard.st_dev == status->st_dev &&
           standard.st_ino == status->st_ino;
}

/* Some network file systems have no locks: that is no reason to refuse. */
static int lock(const struct result_file *file, struct err *err)
{
    if (flock(file->fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        return err_set(err, EXIT_CODE_USAGE, "another run is writing to %s", file->path);
    return 0;
}

static int check_head(const struct result_file *file, struct err *err)
{
    char head[sizeof first_key]; /* the key, and what follows it */
    const size_t key = sizeof first_key - 1;
    ssize_t got = pread(file->fd, head, sizeof head, 0);

    if (got < 0)
        return refuse(file->path, strerror(errno), err);
    if ((size_t)got != sizeof head || memcmp(head, first_key, key) != 0 ||
        (head[key] != ',' && head[key] != '}'))
        return err_set(err, EXIT_CODE_USAGE,
                       "%s is not a Rackmark result file: choose another name",
                       file->path);
    return 0;
}

/* Where the last complete line ends; 0 when there is none, -1 when it is not to be
 * found within TAIL_MOST. */
static off_t last_line_end(int fd, off_t size)
{
    char chunk[4096];
    off_t from = size;

    while (from > 0 && size - from < TAIL_MOST) {
        size_t want = from < (off_t)sizeof chunk ? (size_t)from : sizeof chunk;
        const char *newline;

        from -= (off_t)want;
        if (pread(fd, chunk, want, from) != (ssize_t)want)
            return -1;
        newline = memrchr(chunk, '\n', want);
        if (newline)
            return from + (newline - chunk) + 1;
    }
    return from == 0 ? 0 : -1;
}

/* check_head has passed: the file is ours, even where all of it is one unfinished
 * header. */
static int cut_tail(const struct result_file *file, off_t size, struct err *err)
{
    off_t end = last_line_end(file->fd, size);

    if (end < 0)
        return refuse(file->path, "its last line has no end; choose another name", err);
    if (end < size && ftruncate(file->fd, end) != 0)
        return refuse(file->path, strerror(errno), err);
    return 0;
}

/* The size is read under the lock: until then another run may have written. */
static int adopt(const struct result_file *file, struct err *err)
{
    struct stat status;

    if (lock(file, err) != 0)
        return -1;
    if (fstat(file->fd, &status) != 0)
        return refuse(file->path, strerror(errno), err);
    if (status.st_size == 0)
        return 0;
    if (check_head(file, err) != 0)
        return -1;
    return cut_tail(file, status.st_size, err);
}

static int check_kind(const struct result_file *file, const struct stat *status,
                      struct err *err)
{
    if (S_ISBLK(status->st_mode) || S_ISSOCK(status->st_mode))
        return refuse(file->path, "it is neither a file, a pipe nor a terminal", err);
    if (!S_ISCHR(status->st_mode) && is_standard_output(status))
        return refuse(file->path, "standard output goes there already", err);
    return file->regular ? adopt(file, err) : 0;
}

int result_file_open(struct result_file *file, const char *path, struct err *err)
{
    struct stat status = {.st_mode = 0};

    *file = (struct result_file){.fd = -1, .path = path};
    if (!path)
        return 0;
    if (!*path)
        return err_set(err, EXIT_CODE_USAGE, "the name of the result file is empty");
    if (strcmp(path, "-") == 0)
        return refuse(path, "for standard output use --format jsonl", err);
    file->fd = open_any(path, &status);
    if (file->fd < 0 && errno == ENXIO && S_ISFIFO(status.st_mode))
        return refuse(path, "nothing reads this pipe; start its reader first", err);
    if (file->fd < 0)
        return refuse(path, strerror(errno), err);
    file->regular = S_ISREG(status.st_mode);
    if (check_kind(file, &status, err) != 0) {
        result_file_close(file);
        return -1;
    }
    return 0;
}

size_t result_file_put(int fd, const char *data, size_t size)
{
    struct pollfd writable = {.fd = fd, .events = POLLOUT};
    size_t done = 0;

    while (done < size) {
        ssize_t wrote = write(fd, data + done, size - done);

        if (wrote > 0)
            done += (size_t)wrote;
        else if (errno == EAGAIN) /* a FIFO, or a terminal that somebody made so */
            poll(&writable, 1, -1);
        else if (errno != EINTR)
            break;
    }
    return done;
}

int result_file_append(struct result_file *file, const char *line, size_t size,
                       struct err *err)
{
    off_t before;
    size_t done;
    int why;

    if (file->fd < 0 || file->broken)
        return 0;
    before = file->regular ? lseek(file->fd, 0, SEEK_END) : -1;
    done = result_file_put(file->fd, line, size);
    if (done == size)
        return 0;
    why = errno;
    if (done > 0)
        file->broken = before < 0 || ftruncate(file->fd, before) != 0;
    return err_set(err, EXIT_CODE_FAILURE, "cannot write %s: %s", file->path,
                   strerror(why));
}

int result_file_sync(struct result_file *file, struct err *err)
{
    if (file->fd < 0 || !file->regular || fdatasync(file->fd) == 0)
        return 0;
    return err_set(err, EXIT_CODE_FAILURE, "cannot write %s: %s", file->path,
                   strerror(errno));
}

void result_file_close(struct result_file *file)
{
    if (file->fd >= 0)
        close(file->fd);
    file->fd = -1;
}
