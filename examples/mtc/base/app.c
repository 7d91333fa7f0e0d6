/* SPDX-License-Identifier: MIT
 *
 * app.c - the platform, memory, messages, progress
 *
 * Three things are not in C99: is this a terminal, make a directory, and the
 * time of day finer than a second.  They come from POSIX or Windows where
 * there is one and are done without elsewhere.
 * Memory is a ring of blocks; `leave` frees the ring and ends the program.
 * So `fail` may be called at any depth, and nothing else has to return an
 * error, look at one or clean up behind one.  Only within a trial does `fail`
 * come back: to where the trial began, with the reason; what the trial took
 * from the pool is given back there.  Pieces of work that are done at once have
 * an app each, and `fail` ends the piece: see jobs.c.
 * Ctrl-C sets a flag, and the library's progress callback and the readers look
 * at it; a second Ctrl-C ends the program at once.
 */
#include "app.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifdef APP_POSIX
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#elif defined(_WIN32)
#include <direct.h>
#include <fcntl.h>
#include <io.h>
#include <sys/stat.h>
#endif

/* Is standard error a terminal?  Unknown counts as no: progress is then
 * silent, which harms nobody. */
int on_terminal(void)
{
#ifdef APP_POSIX
    return isatty(2);
#elif defined(_WIN32)
    return _isatty(2);
#else
    return 0;
#endif
}

/* Is the path something that a file must not be moved onto: a device, a
 * pipe, a link? */
int is_special(const char *path)
{
#ifdef APP_POSIX
    struct stat s;
    return lstat(path, &s) == 0 && !S_ISREG(s.st_mode);
#else
    (void)path;
    return 0;
#endif
}

/* Do two paths lead to one file, pipe or directory?  Not by their spelling,
 * where it can be known. */
int same_file(const char *path, const char *other)
{
#ifdef APP_POSIX
    struct stat s, t;
    return stat(path, &s) == 0 && stat(other, &t) == 0 &&
           (S_ISREG(s.st_mode) || S_ISFIFO(s.st_mode) || S_ISDIR(s.st_mode)) &&
           s.st_dev == t.st_dev && s.st_ino == t.st_ino;
#elif defined(_WIN32)
    char whole[_MAX_PATH], its[_MAX_PATH];
    return _fullpath(whole, path, _MAX_PATH) != NULL &&
           _fullpath(its, other, _MAX_PATH) != NULL &&
           _stricmp(whole, its) == 0;
#else
    return strcmp(path, other) == 0;
#endif
}

/* Moves a file to its place.  Where there is no POSIX, one that is already
 * there may have to go first.  0: fine. */
int move_file(const char *from, const char *to)
{
#ifndef APP_POSIX
    (void)remove(to);
#endif
    return rename(from, to);
}

/* A new file to write.  NULL with EEXIST: the name is taken, be it by a link
 * that leads nowhere. */
FILE *create_file(const char *path)
{
#if defined(APP_POSIX)
    int file = open(path, O_WRONLY | O_CREAT | O_EXCL, 0666);
    return file < 0 ? NULL : fdopen(file, "wb");
#elif defined(_WIN32)
    int file = _open(path, _O_WRONLY | _O_CREAT | _O_EXCL | _O_BINARY,
                     _S_IREAD | _S_IWRITE);
    return file < 0 ? NULL : _fdopen(file, "wb");
#else
    return fopen(path, "wb");
#endif
}

/* Makes a directory where the platform can.  1: there was none before, 0: it is
 * there, -1: errno says why not. */
int make_directory(const char *path)
{
#ifdef APP_POSIX
    int made = mkdir(path, 0777) == 0;
#elif defined(_WIN32)
    int made = _mkdir(path) == 0;
#else
    int made = 0;
#endif
#if defined(APP_POSIX) || defined(_WIN32)
    struct stat s;
    int why = errno;
    if (!made && (stat(path, &s) != 0 || (s.st_mode & S_IFMT) != S_IFDIR)) {
        errno = why;
        return -1;
    }
#endif
    return made;
}

/* Seconds from some fixed point: by the wall where that is known. */
double now(void)
{
#ifdef APP_POSIX
    struct timespec t;
    if (clock_gettime(CLOCK_MONOTONIC, &t) == 0)
        return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
#endif
    return (double)clock() / CLOCKS_PER_SEC;
}

/* Gives back every block; the pool is then empty and usable. */
void pool_free(app *a)
{
    for (block *b = a->pool.next; b != &a->pool;) {
        block *next = b->next;
        free(b);
        b = next;
    }
    a->pool.previous = a->pool.next = &a->pool;
}

/* Gives back the block `mark` and all that was taken after it. */
void pool_rewind(app *a, void *mark)
{
    block *b = (block *)mark - 1, *last = b->previous;
    while (b != &a->pool) {
        block *next = b->next;
        free(b);
        b = next;
    }
    last->next = &a->pool;
    a->pool.previous = last;
}

/* All that a piece of work has taken is now a's. */
void pool_join(app *a, app *from)
{
    block *first = from->pool.next, *last = from->pool.previous;
    if (first == &from->pool)
        return;
    first->previous = a->pool.previous;
    first->previous->next = first;
    last->next = &a->pool;
    a->pool.previous = last;
    from->pool.previous = from->pool.next = &from->pool;
}

/* Set by the first Ctrl-C, which tells a terminal that it was seen: all that a
 * signal handler may reach. */
static volatile sig_atomic_t interrupt_seen, interrupt_told;

static void on_interrupt(int number)
{
    int before = errno;
    signal(number, SIG_DFL);                    /* the next one ends at once */
    interrupt_seen = 1;
#ifdef APP_POSIX
    static const char message[] =
        "\nmtc: stops at the next safe point; Ctrl-C again: at once\n";
    if (interrupt_told && write(2, message, sizeof message - 1) < 0)
        interrupt_told = 0;                     /* nobody reads it */
#endif
    errno = before;
}

/* Where Ctrl-C is ignored, as under nohup, it stays so.  It ends a call of the
 * system that waits for data.  A file beyond a limit is an error of writing,
 * like a full disk. */
void watch_interrupts(void)
{
    interrupt_told = on_terminal();
#if defined(APP_POSIX) && !defined(__wasi__)
    struct sigaction before, mine;
    memset(&mine, 0, sizeof mine);
    mine.sa_handler = on_interrupt;
    if (sigaction(SIGINT, NULL, &before) == 0 && before.sa_handler != SIG_IGN)
        sigaction(SIGINT, &mine, NULL);
#else
    if (signal(SIGINT, on_interrupt) == SIG_IGN)
        signal(SIGINT, SIG_IGN);
#endif
#ifdef SIGXFSZ
    signal(SIGXFSZ, SIG_IGN);
#endif
}

/* A pipe that nobody reads any more is an error of writing while outputs are
 * not yet at their places, or some would be left behind under other names.
 * Afterwards it ends the program, as pipes do. */
void outlive_pipes(int yes)
{
#ifdef SIGPIPE
    signal(SIGPIPE, yes ? SIG_IGN : SIG_DFL);
#else
    (void)yes;
#endif
}

/* The unfinished line of progress goes before anything else is written. */
void wipe_progress(app *a)
{
    if (a->percent >= 0)
        fprintf(stderr, "\r%39s\r", "");
    a->percent = -1;
    a->stage = NULL;
}

/* The one way out besides the end of main.  Outputs that are not whole are
 * not left behind, nor a directory that was made for them. */
static APP_NORETURN void leave(app *a, int status)
{
    for (size_t i = 0; i < a->n_outputs; i++)
        if (a->outputs[i].part != NULL)
            remove(a->outputs[i].part);
    for (size_t i = a->n_outputs; i-- > 0;)
        if (a->outputs[i].made)
            remove(a->outputs[i].path);         /* fails if not empty */
    close_lanes(a->lanes);
    pool_free(a);
    exit(status);
}

/* Shall the work end?  Only the first thread sees the signal. */
int must_stop(app *a)
{
    return a->errand != NULL ? errand_stopped(a->errand) : interrupt_seen;
}

/* Ends the program, or the piece of work, after Ctrl-C. */
void stop(app *a)
{
    if (a->errand != NULL)
        errand_end(a->errand, INTERRUPTED, "");
    wipe_progress(a);
    fprintf(stderr, "mtc: interrupted; nothing %swas written\n",
            a->committed > 0 ? "more " : "");
    leave(a, INTERRUPTED);
}

void stop_if_interrupted(app *a)
{
    if (must_stop(a))
        stop(a);
}

/* Ends the program: `mtc: message` on standard error; or ends the trial,
 * or the piece of work, whose message will end the program later.  After Ctrl-C
 * that is the reason, whatever it made fail. */
void fail(app *a, int status, const char *format, ...)
{
    char message[MESSAGE];
    va_list args;
    if (must_stop(a))
        stop(a);
    va_start(args, format);
    format_message(message, sizeof message, format, args);
    va_end(args);
    if (a->trial != NULL) {
        copy_word(a->trial->reason, REASON, message, "");
        longjmp(a->trial->back, 1);
    }
    if (a->errand != NULL)
        errand_end(a->errand, status, message);
    print_notices(a, 1);
    wipe_progress(a);
    fprintf(stderr, "mtc: %s", message);
    if (status == BAD_USAGE)
        fprintf(stderr, "\nSee `mtc help%s%s`.", a->topic != NULL ? " " : "",
                a->topic != NULL ? a->topic : "");
    fputc('\n', stderr);
    if (a->answers_json && status != INTERRUPTED)
        print_json_error(a, status, message);
    leave(a, status);
}

/* "1:05 left" once there is something to go by. */
static void time_left(char *in_words, double elapsed, double done)
{
    double left = elapsed * (1 - done) / done;
    in_words[0] = '\0';
    if (elapsed >= 1 && done > 0.02 && left < 360000)
        sprintf(in_words, "%.0f:%02.0f left", floor(left / 60),
                floor(fmod(left, 60)));
}

/* There is one bar for a command.  What comes now takes it from one share of
 * the whole to another. */
void progress_outer(app *a, double from, double to)
{
    a->outer[0] = from;
    a->outer[1] = to;
    progress_part(a, 0, 1);
}

/* Part i of n of what is under way. */
void progress_part(app *a, size_t i, size_t n)
{
    double step = (a->outer[1] - a->outer[0]) / (double)n;
    a->part[0] = a->outer[0] + step * (double)i;
    a->part[1] = a->part[0] + step;
    a->at = a->base = 0;
    a->stage = NULL;
    a->whole = 0;
}

/* How much of the part is done.  Nobody knows how many stages a part has, so that
 * each takes half of what is left of it; but auto and guard tell of the whole
 * under their own names.  It never goes back. */
static double share_done(app *a, const char *stage, double done)
{
    int whole = strcmp(stage, "auto") == 0 || strcmp(stage, "guard") == 0;
    if (stage != a->stage)
        a->base = a->at;
    a->stage = stage;
    a->whole |= whole;
    double at = whole ? done : a->base + (1 - a->base) * done / 2;
    if (at > a->at && (whole || !a->whole))
        a->at = at;
    return a->at;
}

/* A line rewritten now and then, where somebody looks; its 39 columns fit any
 * terminal.  `done`: of the part that is under way. */
void show_share(app *a, double done, const char *working_on,
                const char *stage)
{
    char left[40], what[160];
    double time = now();
    double share = a->part[0] + (a->part[1] - a->part[0]) * done;
    if (!a->terminal || a->quiet)
        return;
    if (!(a->began > 0))
        a->began = time;
    if (time - a->shown < 0.1)
        return;
    a->shown = time;
    a->percent = (int)(100 * share);
    time_left(left, time - a->began, share);
    sprintf(what, "%.79s%.40s", working_on, stage);
    fprintf(stderr, "\r%-20.20s %3d %% %12s", what, a->percent, left);
    fflush(stderr);
}

/* The library's progress callback.  1, which stops the library, after
 * Ctrl-C. */
static int show_progress(void *user, const char *stage, size_t done,
                         size_t total)
{
    app *a = (app *)user;
    if (must_stop(a))
        return 1;
    if (!a->terminal || a->quiet)
        return 0;
    enter_progress(a->lanes);
    double share = share_done(a, stage, total > 0 ? (double)done /
                                                    (double)total : 0);
    if (a->errand != NULL)
        errand_progress(a->errand, a->part[0] +
                        (a->part[1] - a->part[0]) * share, stage);
    else
        show_share(a, share, a->working_on, stage);
    leave_progress(a->lanes);
    return 0;
}

/* A safe point of work that is not the library's. */
void safe_point(app *a, const char *stage, size_t done, size_t total)
{
    if (show_progress(a, stage, done, total))
        stop(a);
}

/* `size` bytes that hold what `old` held (NULL: nothing), or NULL. */
static void *pool_resize(app *a, void *old, size_t size)
{
    block *b = old != NULL ? (block *)old - 1 : NULL;
    if (size > SIZE_MAX - sizeof *b)
        return NULL;
    block *moved = (block *)realloc(b, sizeof *b + size);
    if (moved == NULL)
        return NULL;
    if (old == NULL) {                          /* new: at the ring's end */
        moved->previous = a->pool.previous;
        moved->next = &a->pool;
    }
    moved->previous->next = moved->next->previous = moved;
    return moved + 1;
}

/* Gives one block back before the end; NULL is nothing. */
void pool_release(void *memory)
{
    if (memory == NULL)
        return;
    block *b = (block *)memory - 1;
    b->previous->next = b->next;
    b->next->previous = b->previous;
    free(b);
}

/* count objects of `size` bytes, all zero; never NULL. */
void *take(app *a, size_t count, size_t size)
{
    void *memory = NULL;
    if (count == 0)
        count = 1;
    if (count <= SIZE_MAX / size)
        memory = pool_resize(a, NULL, count * size);
    if (memory == NULL)
        fail(a, BAD_DATA, "no memory for %zu x %zu bytes", count, size);
    return memset(memory, 0, count * size);
}

/* Doubles the room of an array. */
void *grow(app *a, void *array, size_t *room, size_t size)
{
    size_t more = *room < 16 ? 16 : *room;
    if (more > SIZE_MAX / 2 / size - *room)
        fail(a, BAD_DATA, "no memory: an array is too long");
    *room += more;
    array = pool_resize(a, array, *room * size);
    if (array == NULL)
        fail(a, BAD_DATA, "no memory for %zu x %zu bytes", *room, size);
    return array;
}

/* A copy of count objects of `size` bytes. */
void *copy(app *a, const void *from, size_t count, size_t size)
{
    void *to = take(a, count, size);
    return count > 0 ? memcpy(to, from, count * size) : to;
}

/* The library's allocator pair over the pool. */
static void *lend(void *memory, size_t size)
{
    return pool_resize((app *)memory, NULL, size);
}

static void give_back(void *memory, void *lent, size_t size)
{
    (void)memory;
    (void)size;
    pool_release(lent);
}

/* What the library is given: our memory, our progress, a seed. */
mtc_context context_of(app *a, uint64_t seed)
{
    mtc_context ctx = mtc_context_defaults();
    ctx.allocate = lend;
    ctx.release = give_back;
    ctx.memory = a;
    ctx.progress = show_progress;
    ctx.user = a;
    ctx.seed = seed;
    lend_lanes(&ctx, a->lanes);
    return ctx;
}

/* Ends the program unless s is OK; says where the library saw the fault. */
void check(app *a, const mtc_context *ctx, mtc_status s, const char *subject)
{
    char row[40] = "", column[40] = "";
    if (s == MTC_OK)
        return;
    if (s == MTC_CANCELLED)
        stop(a);
    if (s == MTC_NO_MEMORY && ctx->need > 0)
        fail(a, BAD_DATA, "%s%s%s (%.4g MB are needed)",
             subject != NULL ? subject : "", subject != NULL ? ": " : "",
             mtc_status_text(s), (double)ctx->need / 1e6);
    if (ctx->error.row != MTC_NONE)
        sprintf(row, ", sample %zu", ctx->error.row + 1);
    if (ctx->error.column != MTC_NONE)
        sprintf(column, ", feature %zu", ctx->error.column + 1);
    fail(a, BAD_DATA, "%s%s%s (%s%s%s)", subject != NULL ? subject : "",
         subject != NULL ? ": " : "", mtc_status_text(s),
         ctx->error.what, row, column);
}
