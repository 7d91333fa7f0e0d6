/* SPDX-License-Identifier: MIT
 *
 * cli.c - the `mtc` program: the library at work on files.
 *
 *   Part 1  The platform, memory, messages
 *   Part 2  Text that grows, and files
 *   Part 3  Options: one table; parsing, checking and printing from it
 *   Part 4  Reading: numbers, LIBSVM, CSV, label files
 *   Part 5  Tasks: names, one feature space, preprocessing, stacking
 *   Part 6  Methods: from options to calls of the library
 *   Part 7  Reports: table, JSON, label files
 *   Part 8  Pictures: one SVG that explains a run
 *   Part 9  Commands: cluster, transfer, bridge, relate, emd, centroid, score
 *   Part 10 Comparison: does sharing help this data?
 *   Part 11 Generated data and the demonstration
 *   Part 12 Help and main
 *
 * The library never prints, reads files or leaves the process; this file is
 * where all of that happens.  An error is told once, at the place where it
 * is seen, and ends the program: 1 for bad data, 2 for bad usage, 130 if
 * Ctrl-C was pressed; nothing is written then.  Every byte, the library's
 * included, comes from one pool that is freed at the end, so that no path out
 * of the program leaks.
 */
#if defined(__unix__) || defined(__APPLE__)
#define CLI_POSIX
#define _POSIX_C_SOURCE 200112L
#endif
#ifdef _WIN32
#define __USE_MINGW_ANSI_STDIO 1            /* printf as in C99 there, too */
#endif

#include <errno.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifdef CLI_POSIX
#include <sys/stat.h>
#include <unistd.h>
#endif

#include "../mtc.h"

#ifdef __GNUC__
#define CLI_NORETURN __attribute__((noreturn))
#ifdef _WIN32
#define CLI_PRINTF(f, v) __attribute__((format(gnu_printf, f, v)))
#else
#define CLI_PRINTF(f, v) __attribute__((format(printf, f, v)))
#endif
#else
#define CLI_NORETURN
#define CLI_PRINTF(f, v)
#endif

#ifdef MTC_SINGLE
#define CLI_REAL_MAX ((double)FLT_MAX)
#else
#define CLI_REAL_MAX DBL_MAX
#endif

#ifdef _WIN32
#define CLI_BACKSLASH 1                     /* parts a path there */
#else
#define CLI_BACKSLASH 0
#endif

enum { BAD_DATA = 1, BAD_USAGE = 2, INTERRUPTED = 130 };  /* exit statuses */

/* ==========================================================================
 * Part 1  The platform, memory, messages
 *
 * Three things are not in C99: is this a terminal, make a directory, and the
 * time of day finer than a second.  They come from POSIX where there is one
 * and are done without elsewhere.
 * Memory is a ring of blocks; `leave` frees the ring and ends the program.
 * So `fail` may be called at any depth, and nothing else has to return an
 * error, look at one or clean up behind one.  Within a trial alone `fail`
 * comes back: to where the trial began, with the reason; what the trial took
 * from the pool is given back there.
 * Ctrl-C sets a flag.  The library's progress callback and the readers look
 * at it; a second one ends the program as ever.
 * ========================================================================== */

/* Is standard error a terminal?  Unknown counts as no: progress is then
 * silent, which harms nobody. */
static int on_terminal(void)
{
#ifdef CLI_POSIX
    return isatty(2);
#else
    return 0;
#endif
}

/* Is the path something that a file must not be moved onto: a device, a
 * pipe, a link? */
static int is_special(const char *path)
{
#ifdef CLI_POSIX
    struct stat s;
    return lstat(path, &s) == 0 && !S_ISREG(s.st_mode);
#else
    (void)path;
    return 0;
#endif
}

/* Moves a file to its place.  Where there is no POSIX, one that is already
 * there may have to go first.  0: fine. */
static int move_file(const char *from, const char *to)
{
#ifndef CLI_POSIX
    (void)remove(to);
#endif
    return rename(from, to);
}

/* A number that no other running program has, as far as it can be known. */
static long program_number(void)
{
#ifdef CLI_POSIX
    return (long)getpid();
#else
    return 0;
#endif
}

/* Makes a directory where the platform can; 1: there was none before.  A
 * failure is not told here: the first file written into it will say what is
 * wrong. */
static int make_directory(const char *path)
{
#ifdef CLI_POSIX
    return mkdir(path, 0777) == 0;
#else
    (void)path;
    return 0;
#endif
}

/* Seconds from some fixed point: by the wall where that is known. */
static double now(void)
{
#ifdef CLI_POSIX
    struct timespec t;
    if (clock_gettime(CLOCK_MONOTONIC, &t) == 0)
        return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
#endif
    return (double)clock() / CLOCKS_PER_SEC;
}

/* A block of the pool: this header, then the bytes.  The blocks form a ring
 * through the pool's own header.  Four words keep what follows aligned. */
typedef struct block {
    struct block *previous, *next;
    size_t size, unused;
} block;

/* A file that lives in memory alone: the demonstration writes and reads its
 * data without touching the disk. */
typedef struct memory_file {
    const char *path;
    char *text;
    size_t length;
} memory_file;

/* A file, or a directory (text NULL), that the run will write at its end. */
typedef struct output {
    const char *path;
    char *part;                     /* written under this name for now */
    const char *text;
    size_t length;
    int made;                       /* a directory that was not there */
} output;

/* A stretch of work that may fail without ending the program. */
typedef struct trial {
    jmp_buf back;
    char reason[200];               /* "": it did not fail */
} trial;

/* The whole state of a run of the program. */
typedef struct app {
    block pool;
    const char *topic;              /* what `mtc help` would explain */
    trial *trial;                   /* under way, or NULL */
    int terminal, quiet;
    int percent;                    /* progress as it stands there; -1: none */
    const char *stage;
    double began, shown;            /* times: of the stage, of the line */
    char working_on[80];            /* stands before the stage */
    output *outputs;
    size_t n_outputs, room_outputs, committed;
    int in_memory;                  /* files are written to memory alone */
    memory_file *files;
    size_t n_files, room_files;
    const char **class_name;        /* text labels, in order of appearance */
    size_t n_classes, room_classes;
    size_t *slots, room_slots;      /* where a class name is found again */
    const char *numbered, *named;   /* a file with labels of either kind */
    int apart;                      /* 1: no file's labels mean another's */
    size_t refused;                 /* bytes that the library did not get */
    double accuracy;                /* mean over the tasks of the last run */
} app;

/* Gives back every block; the pool is then empty and usable. */
static void pool_free(app *a)
{
    for (block *b = a->pool.next; b != &a->pool;) {
        block *next = b->next;
        free(b);
        b = next;
    }
    a->pool.previous = a->pool.next = &a->pool;
}

/* Gives back the block `mark` and all that was taken after it. */
static void pool_rewind(app *a, void *mark)
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

/* Set by the first Ctrl-C, which tells a terminal that it was seen: all that
 * a signal handler may reach. */
static volatile sig_atomic_t interrupt_seen, interrupt_told;

static void on_interrupt(int number)
{
    signal(number, SIG_DFL);                    /* the next one ends at once */
    interrupt_seen = 1;
#ifdef CLI_POSIX
    static const char words[] =
        "\nmtc: stops at the next safe point; Ctrl-C again: at once\n";
    int before = errno;
    if (interrupt_told && write(2, words, sizeof words - 1) < 0)
        interrupt_told = 0;                     /* there is nobody to tell */
    errno = before;
#endif
}

/* Where Ctrl-C is ignored, as under nohup, it stays so. */
static void watch_interrupts(void)
{
    interrupt_told = on_terminal();
    if (signal(SIGINT, on_interrupt) == SIG_IGN)
        signal(SIGINT, SIG_IGN);
}

/* The unfinished line of progress goes before anything else is written. */
static void wipe_progress(app *a)
{
    if (a->percent >= 0)
        fprintf(stderr, "\r%78s\r", "");
    a->percent = -1;
    a->stage = NULL;
}

/* The one way out besides the end of main.  Outputs that are not whole are
 * not left behind, nor a directory that was made for them. */
static CLI_NORETURN void leave(app *a, int status)
{
    for (size_t i = 0; i < a->n_outputs; i++)
        if (a->outputs[i].part != NULL)
            remove(a->outputs[i].part);
    for (size_t i = a->n_outputs; i-- > 0;)
        if (a->outputs[i].made)
            remove(a->outputs[i].path);         /* fails if not empty */
    pool_free(a);
    exit(status);
}

/* Ends the program after Ctrl-C. */
static CLI_NORETURN void stop(app *a)
{
    wipe_progress(a);
    fprintf(stderr, "mtc: interrupted; nothing %swas written\n",
            a->committed > 0 ? "more " : "");
    leave(a, INTERRUPTED);
}

/* Ends the program: `mtc: message` on standard error; or ends the trial.
 * After Ctrl-C that is the reason, whatever it made fail. */
static CLI_NORETURN CLI_PRINTF(3, 4)
void fail(app *a, int status, const char *format, ...)
{
    va_list args;
    if (interrupt_seen)
        stop(a);
    va_start(args, format);
    if (a->trial != NULL) {
        vsnprintf(a->trial->reason, sizeof a->trial->reason, format, args);
        va_end(args);
        longjmp(a->trial->back, 1);
    }
    wipe_progress(a);
    fputs("mtc: ", stderr);
    vfprintf(stderr, format, args);
    if (status == BAD_USAGE)
        fprintf(stderr, "\nSee `mtc help%s%s`.", a->topic != NULL ? " " : "",
                a->topic != NULL ? a->topic : "");
    fputc('\n', stderr);
    va_end(args);
    leave(a, status);
}

/* `mtc: warning: message`, unless --quiet. */
static CLI_PRINTF(2, 3)
void warn(app *a, const char *format, ...)
{
    va_list args;
    if (a->quiet || a->trial != NULL)
        return;
    va_start(args, format);
    wipe_progress(a);
    fputs("mtc: warning: ", stderr);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
}

/* "1:05 left" once there is something to go by. */
static void time_left(char *words, double elapsed, size_t done, size_t total)
{
    double left = elapsed * (double)(total - done) / (double)done;
    words[0] = '\0';
    if (elapsed >= 1 && done > 0 && done <= total && left < 360000)
        sprintf(words, "%.0f:%02.0f left", floor(left / 60),
                floor(fmod(left, 60)));
}

/* The library's progress callback: a line rewritten now and then, where
 * somebody looks.  1, which stops the library, after Ctrl-C. */
static int show_progress(void *user, const char *stage, size_t done,
                         size_t total)
{
    app *a = (app *)user;
    int percent = total > 0 ? (int)(100.0 * (double)done / (double)total) : 0;
    char left[40], what[160];
    if (interrupt_seen)
        return 1;
    if (!a->terminal || a->quiet)
        return 0;
    double time = now();
    if (stage != a->stage || percent < a->percent)
        a->began = time;
    a->stage = stage;
    if (time - a->shown < 0.1)
        return 0;
    a->shown = time;
    a->percent = percent;
    time_left(left, time - a->began, done, total);
    sprintf(what, "%s%.40s", a->working_on, stage);
    fprintf(stderr, "\r%-50.50s %3d %% %15s", what, percent, left);
    fflush(stderr);
    return 0;
}

/* A safe point of work that is not the library's. */
static void safe_point(app *a, const char *stage, size_t done, size_t total)
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
    moved->size = size;
    return moved + 1;
}

/* Gives one block back before the end; NULL is nothing. */
static void pool_release(void *memory)
{
    if (memory == NULL)
        return;
    block *b = (block *)memory - 1;
    b->previous->next = b->next;
    b->next->previous = b->previous;
    free(b);
}

/* count objects of `size` bytes, all zero; never NULL. */
static void *take(app *a, size_t count, size_t size)
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
#define TAKE(a, count, type) ((type *)take(a, count, sizeof(type)))

/* Makes room for one more than `used` objects in an array that doubles. */
static void *grow(app *a, void *array, size_t used, size_t *room, size_t size)
{
    if (used < *room)
        return array;
    size_t more = *room < 16 ? 16 : *room;
    if (more > SIZE_MAX / 2 / size - *room)
        fail(a, BAD_DATA, "no memory: an array is too long");
    *room += more;
    array = pool_resize(a, array, *room * size);
    if (array == NULL)
        fail(a, BAD_DATA, "no memory for %zu x %zu bytes", *room, size);
    return array;
}
#define GROW(a, array, used, room) \
    ((array) = grow(a, array, used, &(room), sizeof *(array)))

/* A copy of count objects of `size` bytes. */
static void *copy(app *a, const void *from, size_t count, size_t size)
{
    void *to = take(a, count, size);
    return count > 0 ? memcpy(to, from, count * size) : to;
}
#define COPY(a, from, count, type) \
    ((type *)copy(a, from, count, sizeof(type)))

/* The library's allocator pair over the pool. */
static void *lend(void *memory, size_t size)
{
    app *a = (app *)memory;
    void *lent = pool_resize(a, NULL, size);
    a->refused = lent == NULL ? size : 0;
    return lent;
}

static void give_back(void *memory, void *lent, size_t size)
{
    (void)memory;
    (void)size;
    pool_release(lent);
}

/* What the library is given: our memory, our progress, a seed. */
static mtc_context context_of(app *a, uint64_t seed)
{
    mtc_context ctx = mtc_context_defaults();
    ctx.allocate = lend;
    ctx.release = give_back;
    ctx.memory = a;
    ctx.progress = show_progress;
    ctx.user = a;
    ctx.seed = seed;
    return ctx;
}

/* Ends the program unless s is OK; says where the library saw the fault. */
static void check(app *a, const mtc_context *ctx, mtc_status s,
                  const char *subject)
{
    char row[40] = "", column[40] = "";
    if (s == MTC_OK)
        return;
    if (s == MTC_CANCELLED)
        stop(a);
    if (s == MTC_NO_MEMORY && a->refused > 0)
        fail(a, BAD_DATA, "%s%s%s (%.4g MB at once)",
             subject != NULL ? subject : "", subject != NULL ? ": " : "",
             mtc_status_text(s), (double)a->refused / 1e6);
    if (ctx->error.row != MTC_NONE)
        sprintf(row, ", sample %zu", ctx->error.row + 1);
    if (ctx->error.column != MTC_NONE)
        sprintf(column, ", feature %zu", ctx->error.column + 1);
    fail(a, BAD_DATA, "%s%s%s (%s%s%s)", subject != NULL ? subject : "",
         subject != NULL ? ": " : "", mtc_status_text(s),
         ctx->error.what, row, column);
}

/* ==========================================================================
 * Part 2  Text that grows, and files
 *
 * All output is composed in memory and written at the end of a command: each
 * file under another name first, then all are moved to their places.  So a
 * run that fails leaves no file, and no file is ever half.  The readers, too,
 * get a whole file as one text, so that lines have no greatest length.
 * ========================================================================== */

typedef struct text {
    char *at;                       /* ends in NUL; NULL while empty */
    size_t length, room;
} text;

/* printf to the end of a text. */
static CLI_PRINTF(3, 4)
void put(app *a, text *t, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (length < 0)
        fail(a, BAD_DATA, "a text cannot be formatted");
    size_t end = t->length + (size_t)length;
    while (t->room <= end)
        GROW(a, t->at, t->room, t->room);
    va_start(args, format);
    vsnprintf(t->at + t->length, (size_t)length + 1, format, args);
    va_end(args);
    t->length = end;
}

/* The length of the UTF-8 character at s, or 0 if there is none. */
static size_t utf8_length(const char *s)
{
    const unsigned char *u = (const unsigned char *)s;
    size_t more = u[0] < 0x80 ? 0 : u[0] < 0xc2 ? 9 : u[0] < 0xe0 ? 1
                : u[0] < 0xf0 ? 2 : u[0] < 0xf5 ? 3 : 9;
    if (more == 9)
        return 0;
    for (size_t i = 1; i <= more; i++)
        if ((u[i] & 0xc0) != 0x80)
            return 0;
    if ((u[0] == 0xe0 && u[1] < 0xa0) || (u[0] == 0xed && u[1] > 0x9f) ||
        (u[0] == 0xf0 && u[1] < 0x90) || (u[0] == 0xf4 && u[1] > 0x8f))
        return 0;                   /* too long a form, surrogate, too large */
    return more + 1;
}

/* Text for JSON (xml 0, with its quotes) or SVG (xml 1).  A byte that is not
 * UTF-8 becomes a question mark: file names may hold anything. */
static void put_escaped(app *a, text *t, const char *s, int xml)
{
    if (!xml)
        put(a, t, "\"");
    for (size_t step; *s != '\0'; s += step) {
        size_t length = utf8_length(s);
        unsigned char c = (unsigned char)*s;
        step = length > 0 ? length : 1;
        if (length == 0 || (xml && c < 32))
            put(a, t, "?");
        else if (xml && strchr("&<>\"", c) != NULL)
            put(a, t, "&#%d;", c);
        else if (!xml && (c == '"' || c == '\\'))
            put(a, t, "\\%c", c);
        else if (c < 32)
            put(a, t, "\\u%04x", c);
        else
            put(a, t, "%.*s", (int)length, s);
    }
    if (!xml)
        put(a, t, "\"");
}

/* A real of JSON, which knows no NaN and no infinity. */
static void put_real(app *a, text *t, double x)
{
    if (x - x == 0)
        put(a, t, "%.17g", x);
    else
        put(a, t, "null");
}

/* [x, y, ...] */
static void put_reals(app *a, text *t, size_t n, const mtc_real *x)
{
    for (size_t i = 0; i < n; i++) {
        put(a, t, i == 0 ? "[" : ", ");
        put_real(a, t, (double)x[i]);
    }
    put(a, t, n == 0 ? "[]" : "]");
}

/* [[...], [...]], row by row. */
static void put_matrix(app *a, text *t, size_t m, size_t n,
                       const mtc_real *x)
{
    for (size_t i = 0; i < m; i++) {
        put(a, t, i == 0 ? "[" : ",\n    ");
        put_reals(a, t, n, x + i * n);
    }
    put(a, t, m == 0 ? "[]" : "]");
}

static void put_ints(app *a, text *t, size_t n, const int *x)
{
    for (size_t i = 0; i < n; i++)
        put(a, t, i == 0 ? "[%d" : ", %d", x[i]);
    put(a, t, n == 0 ? "[]" : "]");
}

/* A path with its directory cut off. */
static const char *base_name(const char *path)
{
    const char *base = path;
    for (const char *s = path; *s != '\0'; s++)
        if (*s == '/' || (*s == '\\' && CLI_BACKSLASH))
            base = s + 1;
    return base;
}

/* DIRECTORY/NAMEending */
static const char *join_path(app *a, const char *directory, const char *name,
                             const char *ending)
{
    text path = {NULL, 0, 0};
    size_t n = strlen(directory);
    int bare = n > 0 && directory[n - 1] == '/';
    put(a, &path, "%s%s%s%s", directory, bare ? "" : "/", name, ending);
    return path.at;
}

/* Keeps a file for read_file; a file of the same path is replaced. */
static void save_in_memory(app *a, const char *path, const text *t)
{
    memory_file *f = NULL;
    for (size_t i = 0; i < a->n_files; i++)
        if (strcmp(a->files[i].path, path) == 0)
            f = &a->files[i];
    if (f == NULL) {
        GROW(a, a->files, a->n_files, a->room_files);
        f = &a->files[a->n_files++];
    }
    f->path = COPY(a, path, strlen(path) + 1, char);
    f->text = t->at;
    f->length = t->length;
}

/* Notes what is to be written; text NULL: a directory. */
static void note_output(app *a, const char *path, const char *at,
                        size_t length)
{
    GROW(a, a->outputs, a->n_outputs, a->room_outputs);
    output *o = &a->outputs[a->n_outputs++];
    o->path = COPY(a, path, strlen(path) + 1, char);
    o->part = NULL;
    o->made = 0;
    o->text = at;
    o->length = length;
}

/* A whole file, or standard output if the path is "-". */
static void save(app *a, const char *path, const text *t)
{
    if (a->in_memory && strcmp(path, "-") != 0)
        save_in_memory(a, path, t);
    else if (t->length > 0 || strcmp(path, "-") != 0)
        note_output(a, path, t->length > 0 ? t->at : "", t->length);
}

/* The directory of files that follow, and those above it. */
static void save_directory(app *a, const char *path)
{
    for (size_t n = 1; !a->in_memory && path[n - 1] != '\0'; n++)
        if (path[n] == '/' || path[n] == '\0') {
            text above = {NULL, 0, 0};
            put(a, &above, "%.*s", (int)n, path);
            note_output(a, above.at, NULL, 0);
        }
}

/* Writes a file under a name of its own beside its place, or right there
 * where nothing can be moved. */
static void write_output(app *a, output *o, size_t i)
{
    int special = is_special(o->path);
    text name = {NULL, 0, 0};
    put(a, &name, "%.*s.mtc-%ld-%zu.part", (int)(base_name(o->path) - o->path),
        o->path, program_number(), i);
    FILE *f = fopen(special ? o->path : name.at, "wb");
    if (f == NULL)
        fail(a, BAD_DATA, "%s: %s", o->path, strerror(errno));
    if (!special)
        o->part = name.at;
    size_t written = fwrite(o->text, 1, o->length, f);
    if (fclose(f) != 0 || written != o->length)
        fail(a, BAD_DATA, "%s: %s", o->path, strerror(errno));
}

static void place_output(app *a, output *o)
{
    if (move_file(o->part, o->path) != 0)
        fail(a, BAD_DATA, "%s: %s", o->path, strerror(errno));
    o->part = NULL;
    a->committed++;
}

/* Writes everything that the command has saved. */
static void commit(app *a)
{
    if (interrupt_seen)
        stop(a);
    wipe_progress(a);
    for (size_t i = 0; i < a->n_outputs; i++)
        if (a->outputs[i].text == NULL)
            a->outputs[i].made = make_directory(a->outputs[i].path);
        else if (strcmp(a->outputs[i].path, "-") != 0)
            write_output(a, &a->outputs[i], i);
    for (size_t i = 0; i < a->n_outputs; i++)
        if (a->outputs[i].part != NULL)
            place_output(a, &a->outputs[i]);
    for (size_t i = 0; i < a->n_outputs; i++)
        if (strcmp(a->outputs[i].path, "-") == 0)   /* main sees a failure */
            fwrite(a->outputs[i].text, 1, a->outputs[i].length, stdout);
    a->n_outputs = 0;
}

/* Appends a file of the disk to t.  The room is kept one byte larger than
 * what is read, for the NUL. */
static void read_disk(app *a, const char *path, text *t)
{
    FILE *f = fopen(path, "rb");
    if (f == NULL)
        fail(a, BAD_DATA, "%s: %s", path, strerror(errno));
    size_t got;
    do {
        while (t->room - t->length < 65536)
            GROW(a, t->at, t->room, t->room);
        got = fread(t->at + t->length, 1, 65535, f);
        t->length += got;
    } while (got > 0);
    int broken = ferror(f), why = errno;
    fclose(f);
    if (broken)
        fail(a, BAD_DATA, "%s: cannot be read: %s", path, strerror(why));
    t->at[t->length] = '\0';
}

/* The whole of a file as a text of its own that may be cut up. */
static char *read_file(app *a, const char *path)
{
    text t = {NULL, 0, 0};
    for (size_t i = 0; i < a->n_files && t.at == NULL; i++)
        if (strcmp(a->files[i].path, path) == 0) {
            t.length = a->files[i].length;
            t.at = COPY(a, a->files[i].text, t.length + 1, char);
        }
    if (t.at == NULL)
        read_disk(a, path, &t);
    if (strlen(t.at) != t.length) {
        size_t line = 1;
        for (const char *s = t.at; *s != '\0'; s++)
            line += *s == '\n';
        fail(a, BAD_DATA, "%s:%zu: a NUL byte: this is not text", path,
             line);
    }
    if (strncmp(t.at, "\xef\xbb\xbf", 3) == 0)     /* a byte order mark */
        memmove(t.at, t.at + 3, t.length - 2);
    return t.at;
}

/* ==========================================================================
 * Part 3  Options: one table; parsing, checking and printing from it
 *
 * `options` says of every option what it is called, what type it has, where
 * its value goes, what is allowed and what it means.  A command or a method
 * only lists the names it takes, with their defaults: "k seed=1 keep=.95".
 * A name behind "~" is common to all methods, but this one has no use for it:
 * it is taken with a warning, so that one line can serve several methods.
 * Defaults, parsing, messages, `mtc help` and the `options` of the JSON all
 * come from these two, and so cannot contradict one another.
 * ========================================================================== */

typedef struct counts { size_t n, *at; } counts;
typedef struct reals { size_t n; double *at; } reals;
typedef struct words { size_t n, room; const char **at; } words;

/* The values of all options.  What a command does not know stays 0. */
typedef struct settings {
    counts k;
    uint64_t seed;
    size_t iterations, restarts, neighbors, samples, tasks;
    size_t subspace, rank, repeats;
    double tolerance, keep, sigma, cost, gamma, width, mu;
    reals share, weights;
    double lambda, offset;
    double smooth;
    const char *divergence, *metric, *centroid, *seeds;
    size_t layers;
    double noise, ridge;
    const char *variant_fir;
    int normalize;
    size_t features, common, chain;
    double tie, evidence;
    const char *variant, *start_ttl, *view1, *view2, *origin;
    words bridge, triples;
    const char *form;
    int try_out, absolute;
    size_t runs, columns, pairs, moves;
    double qmin, threshold, separation;
    const char *meta;
    const char *preprocess, *labels, *similarity, *pick, *kernel;
    const char *mode, *start, *projection;
    const char *out, *json, *svg, *target, *supply, *demand;
    words init, centers, source, partitions, subsets, factors;
    const char *rows;
    const char *gate;
    size_t folds;
    double margin;
    int rich;
    int pool, guard, quiet, control, verbose;
    int lambda_given, iterations_given;     /* 1: not by default */
    words idle;                     /* given, but of no effect here */
} settings;

typedef enum option_type {
    FLAG,                           /* int; takes no value */
    COUNT,                          /* size_t in an interval */
    COUNTS,                         /* the same, or a comma list of them */
    SEED,                           /* uint64_t */
    REAL,                           /* double in an interval */
    REALS,                          /* the same, or a comma list of them */
    CHOICE,                         /* one of a few words */
    TEXT,                           /* any text: a path, a name */
    PATHS,                          /* a comma list of paths */
    FILES                           /* all arguments up to the next option */
} option_type;

/* `name` is what stands after "--"; behind a dot, what tells two options of
 * one name apart.  `allowed` is for the reader and for the check: an interval,
 * the words of a choice; for files just how they are given. */
typedef struct option {
    const char *name;
    option_type type;
    size_t target;                  /* place in settings */
    const char *allowed;
    const char *help;
} option;

#define IN(field) offsetof(settings, field)

static const option options[] = {
    {"k", COUNTS, IN(k), "[1,inf)",
     "clusters: one number, or a comma list with one for each\n"
     "task; default: the number of classes in the file's labels"},
    {"init", PATHS, IN(init), "FILE,FILE,...",
     "start from these labels (0-based, one a line), one file for\n"
     "each task in order; then there is one run"},
    {"centers", PATHS, IN(centers), "FILE.csv,FILE.csv,...",
     "start from these centroids (k rows, one column for each\n"
     "feature, in the data's units after --preprocess), one file for\n"
     "each task in order; then there is one run"},
    {"pool", FLAG, IN(pool), NULL,
     "stack all tasks and cluster them as one"},
    {"seed", SEED, IN(seed), NULL, "of everything random"},
    {"restarts", COUNT, IN(restarts), "[1,inf)",
     "runs of k-means from different seeds"},
    {"pick", CHOICE, IN(pick), "vote|loss",
     "the consensus of all restarts (of five or more without --init),\n"
     "or the one of lowest loss"},
    {"iterations", COUNT, IN(iterations), "[1,inf)",
     "bound on the iterations"},
    {"tolerance", REAL, IN(tolerance), "[0,inf)",
     "stop when the objective falls by less than this share"},
    {"keep", REAL, IN(keep), "(0,1]",
     "share of the variance that the components keep"},
    {"similarity", CHOICE, IN(similarity), "cosine|gaussian",
     "of two samples: max(cosine, 0), which suits text, or\n"
     "exp(-|x-y|^2 / (2 sigma^2)); default: cosine, or gaussian if\n"
     "--sigma is given"},
    {"sigma", REAL, IN(sigma), "(0,inf)",
     "width of the Gaussian; default: the median distance of the\n"
     "task's samples (among 1000 of them, evenly spread, if more)"},
    {"neighbors.share", REALS, IN(share), "(0,1]",
     "each sample keeps its ceil(share * n / k) nearest; one share,\n"
     "or a comma list with one for each task"},
    {"neighbors.count", COUNT, IN(neighbors), "[0,inf)",
     "each sample keeps this many nearest; 0: all"},
    {"lambda", REAL, IN(lambda), "[0,1]",
     "weight of each task's own centroids; 1: tasks alone"},
    {"mode", CHOICE, IN(mode), "recon|pca|literal",
     "what the shared subspace means: centroids confined to it, the\n"
     "paper's eigenproblem within --rank components, or as printed"},
    {"subspace", COUNT, IN(subspace), "[1,inf)",
     "its dimension; where no default is shown: the number of clusters"},
    {"rank", COUNT, IN(rank), "[1,inf)",
     "components that mode pca works in"},
    {"offset", REAL, IN(offset), "[0,100]",
     "added to the start's indicators; 0 would freeze it"},
    {"projection", TEXT, IN(projection), "FILE.csv",
     "begin from this subspace: features x its dimension, columns\n"
     "orthonormal; default: the one that suits the start"},
    {"start", CHOICE, IN(start), "aligned|pooled|separate",
     "k-means in each task with matched centres, on all tasks\n"
     "together, or in each task as it comes"},
    {"init.target", PATHS, IN(init), "FILE",
     "start the target from these labels (0-based, one a line)"},
    {"width", REAL, IN(width), "(0,inf)",
     "of the Gaussian similarity exp(-|x-y|^2 / width), times the mean\n"
     "squared distance"},
    {"absolute", FLAG, IN(absolute), NULL,
     "--width is a squared distance itself"},
    {"mu", REAL, IN(mu), "(0,inf)",
     "weight of the given labels; small: labels spread further"},
    {"cost", REAL, IN(cost), "(0,inf)", "C: price of a margin error"},
    {"kernel", CHOICE, IN(kernel), "linear|rbf",
     "linear, or exp(-gamma |x-y|^2)"},
    {"gamma", REAL, IN(gamma), "(0,inf)", "of the rbf kernel; default: 1/d"},
    {"tolerance.gap", REAL, IN(tolerance), "(0,inf)",
     "stop when the KKT gap is this small"},
    {"iterations.auto", COUNT, IN(iterations), "[1,inf)",
     "bound on the iterations; default: by the number of samples"},
    {"source", FILES, IN(source), "FILE...", "labelled data to learn from"},
    {"target", TEXT, IN(target), "FILE",
     "data to label; its own labels only score the result"},
    {"preprocess", CHOICE, IN(preprocess), "none|l2|tfidf|zscore",
     "l2: rows to length 1.  tfidf: x ln((1+n)/(1+df)), then l2.\n"
     "zscore: features to mean 0 and deviation 1 (makes sparse data\n"
     "dense).  Frequencies, means and deviations are taken over all\n"
     "files of the run that have their features in common"},
    {"labels", TEXT, IN(labels), "first|last|none|NAME",
     "column of the labels in a CSV file; default: the one named\n"
     "label or class, if there is one.  Labels that are not whole\n"
     "numbers are numbered from 0 in the order of appearance"},
    {"out", TEXT, IN(out), "DIR",
     "directory for the files written; made if it is not there"},
    {"json", TEXT, IN(json), "FILE|-",
     "all results as one JSON object; - prints it in place of the\n"
     "table"},
    {"svg", TEXT, IN(svg), "FILE|-",
     "picture: two principal components of each task, and what the\n"
     "method has of correspondence, relatedness and objective; -\n"
     "prints it in place of the table"},
    {"repeats", COUNT, IN(repeats), "[1,inf)",
     "runs of each method with different seeds"},
    {"control", FLAG, IN(control), NULL,
     "sharing methods again on data whose columns are permuted in\n"
     "each task, so that nothing is shared"},
    {"verbose", FLAG, IN(verbose), NULL, "a line for each task as well"},
    {"quiet", FLAG, IN(quiet), NULL, "no table, progress or warnings"},
    {"guard", FLAG, IN(guard), NULL,
     "votes over --restarts runs that share and runs of each task alone\n"
     "(mbc: 10); a task keeps the shared answer only where it is the\n"
     "more stable one.  Defaults are then lambda .5, of mbc 30 iterations"},
    {"gate", CHOICE, IN(gate), "folds|seeds",
     "of --guard: stability when samples are left out, or among runs\n"
     "from different seeds, which is cheaper and lets more harm pass"},
    {"folds", COUNT, IN(folds), "[2,1000]", "of --guard"},
    {"margin", REAL, IN(margin), "[0,1]",
     "of --guard with folds: by how much the shared answer has to be\n"
     "the more stable one"},
    {"rich", FLAG, IN(rich), NULL,
     "features of a denoising autoencoder vote as well: a little better\n"
     "on text, slower"},
    {"restarts.family", COUNT, IN(restarts), "[2,1000]",
     "runs of the families that have several"},
    {"supply", TEXT, IN(supply), "FILE",
     "one number a line for each row of the costs; default: 1/rows"},
    {"demand", TEXT, IN(demand), "FILE",
     "one number a line for each column; default: 1/columns"},
    {"lambda.pull", REAL, IN(lambda), "[0,inf)",
     "weight of the transport between tasks; 0: tasks alone"},
    {"divergence", CHOICE, IN(divergence), "sqeuclidean|mahalanobis|kl|is",
     "of a sample from its centroid: squared distance, (x-y)'A(x-y),\n"
     "Kullback-Leibler or Itakura-Saito"},
    {"metric", TEXT, IN(metric), "FILE.csv",
     "A of mahalanobis, positive definite, features x features"},
    {"smooth", REAL, IN(smooth), "[0,inf)",
     "added to every value, absent ones too, for kl and is"},
    {"centroid", CHOICE, IN(centroid), "exact|geodesic",
     "exact minimiser, or the paper's walk on a geodesic"},
    {"weights", REALS, IN(weights), "[0,inf)",
     "A,B: of the own mean, above 0, and of the other"},
    {"restarts.seeds", COUNT, IN(restarts), "[1,inf)",
     "runs from different seeds; the one of lowest loss is kept"},
    {"seeds", CHOICE, IN(seeds), "samples|spread",
     "random samples as they come, or far apart (k-means++)"},
    {"layers", COUNT, IN(layers), "[0,1000]",
     "of shared features; 0: the samples as they are, good for images"},
    {"noise", REAL, IN(noise), "[0,1)",
     "chance that a feature is struck out while features are learned"},
    {"ridge", REAL, IN(ridge), "[0,inf)",
     "added to the features' moments; 0 is fine if there is noise"},
    {"variant.fir", CHOICE, IN(variant_fir), "full|nF|nI|nR",
     "nF: no shared features.  nI: the task's cosines in place of\n"
     "similarities that tasks agree on.  nR: all tasks count alike"},
    {"normalize", FLAG, IN(normalize), NULL,
     "similarities by degree before they are factored (not in the\n"
     "paper)"},
    {"bridge", FILES, IN(bridge), "FILE...",
     "unlabelled data that has features of both source and target"},
    {"view1", TEXT, IN(view1), "FILE",
     "in place of --bridge: its samples with the source's features"},
    {"view2", TEXT, IN(view2), "FILE",
     "and the same samples, row by row, with the target's features"},
    {"features", COUNT, IN(features), "[1,100000]",
     "columns of a factorisation, shared and own together"},
    {"common", COUNT, IN(common), "[1,100000]",
     "how many of them two neighbouring domains share"},
    {"variant.ttl", CHOICE, IN(variant), "repaired|published",
     "repaired goes leg by leg and keeps a shared part; published does\n"
     "all at once and takes from the start alone which class is which"},
    {"start.ttl", CHOICE, IN(start_ttl), "informed|random",
     "logistic regression source -> bridge -> target, or random"},
    {"tie", REAL, IN(tie), "[0,1e6]",
     "repaired: price of what source and bridge do not share; grid\n"
     ".1 .3 1"},
    {"chain", COUNT, IN(chain), "[0,inf)",
     "repaired: sweeps from source to bridge, then from bridge to\n"
     "target, before all together; at most half of --iterations each"},
    {"evidence", REAL, IN(evidence), "[0,inf)",
     "repaired: carry nothing over if one half of the source does not\n"
     "predict the other's labels by so many deviations better than\n"
     "permuted ones (40 samples or more); 0: no such test"},
    {"rows", CHOICE, IN(rows), "sum|length|given",
     "samples are scaled to sum 1 or to length 1, or are left"},
    {"factors", PATHS, IN(factors), "FILE.csv,...",
     "begin from these 14 matrices, with one bridge: of leg 1 (source,\n"
     "bridge) F shared, F of either, A shared, A of either; the same of\n"
     "leg 2; classes of the bridge's samples, of the target's.  F is\n"
     "features x factors, A factors x classes"},
    {"source.one", TEXT, IN(origin), "FILE", "the data to learn from"},
    {"triples", PATHS, IN(triples), "FILE.csv,...",
     "score by a logistic regression on these triples: a line for each,\n"
     "the six features in the order shown, then 1 if the bridge helped,\n"
     "else 0; default: by the larger distance"},
    {"form", CHOICE, IN(form), "links|linear",
     "of that score: of both A-distances of the candidate as links of a\n"
     "chain, or linear in the six features, as published"},
    {"ridge.score", REAL, IN(ridge), "(0,inf)",
     "of that regression, on standardised features"},
    {"try", FLAG, IN(try_out), NULL,
     "source and target have labels: tell what each candidate is worth,\n"
     "by the target's share right under label propagation without it\n"
     "(direct) and with it (bridged); it helps if that grows by 3 %,\n"
     "which says little of one pair: where source and target share no\n"
     "feature, direct is chance"},
    {"gamma.try", REAL, IN(gamma), "(0,inf)",
     "of that propagation: exp(-gamma |x-y|^2) on rows of length 1"},
    {"out.triples", TEXT, IN(out), "DIR",
     "with --try: write triples.csv there, to be given as --triples"},
    {"runs", COUNT, IN(runs), "[1,1000000]", "partitions of the ensemble"},
    {"columns", COUNT, IN(columns), "[1,inf)",
     "features of each, drawn at random"},
    {"partitions", PATHS, IN(partitions), "FILE.csv,...",
     "vote over these in place of k-means runs: a line for each\n"
     "sample, a column for each run, labels from 0; one file for each\n"
     "task, for trec the sources' and the target's"},
    {"subsets", PATHS, IN(subsets), "FILE.csv,...",
     "with --partitions: a line for each run, its features from 0;\n"
     "default: all features"},
    {"restarts.vote", COUNT, IN(restarts), "[1,inf)",
     "runs of the k-means that ends the vote over the partitions"},
    {"iterations.run", COUNT, IN(iterations), "[1,inf)",
     "bound on the iterations of a run's k-means"},
    {"meta", CHOICE, IN(meta),
     "probability|both|coassociation|silhouette|threshold",
     "when two samples belong together.  probability: as often as in\n"
     "the source at equal co-association.  both, coassociation,\n"
     "silhouette: by an SVM on these (published).  threshold: by\n"
     "--threshold on the co-association, without the source"},
    {"threshold", REAL, IN(threshold), "[0,1]", "see --meta threshold"},
    {"gamma.pairs", REAL, IN(gamma), "(0,inf)", "of the SVM's rbf kernel"},
    {"pairs", COUNT, IN(pairs), "[1,inf)",
     "source pairs that the SVM learns from, at most"},
    {"moves", COUNT, IN(moves), "[1,inf)",
     "of single samples, at most; default: 40 with an SVM, as is\n"
     "published, else half of the samples but 40 at least"},
    {"qmin", REAL, IN(qmin), "[0,inf)",
     "move no more once the objective is below"},
    {"separation", REAL, IN(separation), "[0,inf)",
     "of ensemble: factor of the class means; 1 as published"},
    {"n", COUNT, IN(samples), "[1,1000000]",
     "samples in each task; default: 150, for ensemble 100 and 80"},
    {"tasks", COUNT, IN(tasks), "[1,1000]", "number of tasks"},
    {"k.classes", COUNTS, IN(k), "[1,inf)",
     "classes: as many as the sources have, or it is refused"},
    {"k.target", COUNTS, IN(k), "[1,inf)",
     "clusters of the target; default: the number of its classes, or of\n"
     "the sources' if it has no labels"},
    {"k.one", COUNTS, IN(k), "[1,8]",
     "number of classes; default: 3, for moons 2"}
};
enum { N_OPTIONS = sizeof options / sizeof options[0] };

/* What a command allows is a text: names of options, each with its default
 * behind "=" if it has one.  Walks over it: name and value of the next; those
 * without effect are passed over. */
typedef struct allowed_walk {
    const char *rest;
    char name[24], value[24];
    const option *option;
} allowed_walk;

/* Copies up to one of `stops`, cut to the room; returns the full length. */
static size_t copy_word(char *to, size_t room, const char *from,
                        const char *stops)
{
    size_t n = strcspn(from, stops);
    size_t kept = n < room ? n : room - 1;
    memcpy(to, from, kept);
    to[kept] = '\0';
    return n;
}

static int next_allowed(allowed_walk *w)
{
    while (*(w->rest += strspn(w->rest, " ")) == '~')
        w->rest += strcspn(w->rest, " ");
    if (*w->rest == '\0')
        return 0;
    w->rest += copy_word(w->name, sizeof w->name, w->rest, " =");
    w->value[0] = '\0';
    if (*w->rest == '=')
        w->rest += 1 + copy_word(w->value, sizeof w->value, w->rest + 1, " ");
    size_t i = 0;                   /* a list never names what is not there */
    while (i + 1 < N_OPTIONS && strcmp(options[i].name, w->name) != 0)
        i++;
    w->option = &options[i];
    return 1;
}

/* Stands before the first of the list. */
static allowed_walk walk(const char *allowed)
{
    allowed_walk w;
    memset(&w, 0, sizeof w);
    w.rest = allowed;
    return w;
}

/* The part of an option's name that is typed. */
static int typed_length(const option *o)
{
    return (int)strcspn(o->name, ".");
}

static int is_typed(const option *o, const char *name, size_t length)
{
    return (size_t)typed_length(o) == length &&
           strncmp(o->name, name, length) == 0;
}

/* Does `allowed` name it as one without effect? */
static int is_idle(const char *allowed, const char *name, size_t length)
{
    for (const char *s = strchr(allowed, '~'); s != NULL; s = strchr(s, '~')) {
        s++;
        if (strcspn(s, " ") == length && strncmp(s, name, length) == 0)
            return 1;
    }
    return 0;
}

/* The option of that name in `allowed`; ends the program if there is none. */
static const option *find_option(app *a, const char *allowed,
                                 const char *name, size_t length)
{
    text known = {NULL, 0, 0};
    for (allowed_walk w = walk(allowed); next_allowed(&w);) {
        if (is_typed(w.option, name, length))
            return w.option;
        put(a, &known, " --%.*s", typed_length(w.option), w.option->name);
    }
    for (size_t i = 0; i < N_OPTIONS; i++)
        if (is_typed(&options[i], name, length)) {
            if (is_idle(allowed, name, length))
                return &options[i];
            fail(a, BAD_USAGE, "--%.*s is not an option of %s; it has:%s",
                 (int)length, name, a->topic, known.length ? known.at : " -");
        }
    fail(a, BAD_USAGE, "unknown option --%.*s; %s has:%s", (int)length, name,
         a->topic, known.length ? known.at : " none");
}

/* Is x in an interval such as "(0,1]" or "[1,inf)"? */
static int within(const char *interval, double x)
{
    char *rest;
    double low = strtod(interval + 1, &rest);
    double high = strtod(rest + 1, &rest);
    return (*interval == '(' ? x > low : x >= low) &&
           (*rest == ')' ? x < high : x <= high);
}

/* The end of the decimal number at s, or s itself if there is none.  (strtod
 * alone would also take hexadecimal, "nan" and leading space.) */
static const char *decimal_end(const char *s)
{
    const char *digits = "0123456789";
    const char *p = s + (*s == '+' || *s == '-');
    size_t whole = strspn(p, digits), part = 0;
    p += whole;
    if (*p == '.') {
        part = strspn(p + 1, digits);
        p += 1 + part;
    }
    if (whole + part == 0)
        return s;
    if (*p == 'e' || *p == 'E') {
        const char *e = p + 1 + (p[1] == '+' || p[1] == '-');
        size_t n = strspn(e, digits);
        if (n > 0)
            p = e + n;
    }
    return p;
}

/* A whole decimal number up to `most` at s; *end behind it.  1: fine. */
static int whole_at(const char *s, uint64_t most, uint64_t *value,
                    const char **end)
{
    uint64_t x = 0;
    const char *p = s;
    for (; *p >= '0' && *p <= '9'; p++) {
        unsigned digit = (unsigned)(*p - '0');
        if (x > (most - digit) / 10)
            return 0;
        x = 10 * x + digit;
    }
    *value = x;
    *end = p;
    return p > s;
}

/* Ends the program: names the option, the value and what is allowed. */
static CLI_NORETURN void bad_value(app *a, const option *o, const char *value)
{
    const char *kind = o->type == REAL ? "a number in "
                     : o->type == REALS ? "numbers with commas, in "
                     : o->type == CHOICE ? "one of "
                     : o->type == SEED ? "a whole number below 2^64"
                     : o->type == COUNT ? "a whole number in "
                     : o->type == COUNTS ? "whole numbers with commas, in "
                     : "";
    fail(a, BAD_USAGE, "--%.*s %s: expected %s%s", typed_length(o), o->name,
         value, kind, o->allowed != NULL ? o->allowed : "");
}

/* A count up to its end, which is a comma or the end of the value. */
static size_t to_count(app *a, const option *o, const char *value,
                       const char **end)
{
    uint64_t x;
    if (!whole_at(value, SIZE_MAX, &x, end) ||
        !within(o->allowed, (double)x) || (**end != '\0' && **end != ','))
        bad_value(a, o, value);
    return (size_t)x;
}

static counts to_counts(app *a, const option *o, const char *value)
{
    counts c = {0, NULL};
    size_t room = 0;
    for (const char *s = value, *end;; s = end + 1) {
        size_t x = to_count(a, o, s, &end);
        GROW(a, c.at, c.n, room);
        c.at[c.n++] = x;
        if (*end == '\0')
            return c;
    }
}

/* A decimal number up to its end: of the value, or a comma in a list. */
static double to_real(app *a, const option *o, const char *value,
                      const char **end)
{
    *end = decimal_end(value);
    double x = strtod(value, NULL);
    int over = **end == '\0' || (o->type == REALS && **end == ',');
    if (*end == value || !over || !within(o->allowed, x) ||
        fabs(x) > CLI_REAL_MAX)
        bad_value(a, o, value);
    return x;
}

static reals to_reals(app *a, const option *o, const char *value)
{
    reals c = {0, NULL};
    size_t room = 0;
    for (const char *s = value, *end;; s = end + 1) {
        double x = to_real(a, o, s, &end);
        GROW(a, c.at, c.n, room);
        c.at[c.n++] = x;
        if (*end == '\0')
            return c;
    }
}

/* Which words of "a|b|c" is the value?  Returns the value, checked. */
static const char *to_choice(app *a, const option *o, const char *value)
{
    size_t n = strlen(value);
    for (const char *s = o->allowed; n > 0; s += strcspn(s, "|") + 1) {
        size_t length = strcspn(s, "|");
        if (length == n && strncmp(s, value, n) == 0)
            return COPY(a, value, n + 1, char);
        if (s[length] == '\0')
            break;
    }
    bad_value(a, o, value);
}

/* Appends a copy of a word of that length. */
static void add_word(app *a, words *w, const char *from, size_t length)
{
    char *s = TAKE(a, length + 1, char);
    memcpy(s, from, length);
    GROW(a, w->at, w->n, w->room);
    w->at[w->n++] = s;
}

/* Splits at commas; an empty path is an error. */
static void add_paths(app *a, const option *o, words *w, const char *value)
{
    w->n = 0;                       /* given again: the last one counts */
    for (const char *s = value;; s += strcspn(s, ",") + 1) {
        size_t n = strcspn(s, ",");
        if (n == 0)
            bad_value(a, o, value);
        add_word(a, w, s, n);
        if (s[n] == '\0')
            return;
    }
}

/* Writes one value to its place in the settings. */
static void set_option(app *a, settings *set, const option *o,
                       const char *value)
{
    void *at = (char *)set + o->target;
    const char *end;
    uint64_t whole;
    switch (o->type) {
    case FLAG: *(int *)at = 1; break;
    case COUNT:
        *(size_t *)at = to_count(a, o, value, &end);
        if (*end != '\0')
            bad_value(a, o, value);
        break;
    case COUNTS: *(counts *)at = to_counts(a, o, value); break;
    case SEED:
        if (!whole_at(value, UINT64_MAX, &whole, &end) || *end != '\0')
            bad_value(a, o, value);
        *(uint64_t *)at = whole;
        break;
    case REAL: *(double *)at = to_real(a, o, value, &end); break;
    case REALS: *(reals *)at = to_reals(a, o, value); break;
    case CHOICE: *(const char **)at = to_choice(a, o, value); break;
    case TEXT:
        if (*value == '\0')
            bad_value(a, o, value);
        *(const char **)at = COPY(a, value, strlen(value) + 1, char);
        break;
    case PATHS: add_paths(a, o, (words *)at, value); break;
    case FILES: add_word(a, (words *)at, value, strlen(value)); break;
    }
}

/* A lone "-" is an operand. */
static int looks_like_option(const char *s)
{
    return s[0] == '-' && s[1] != '\0';
}

/* The option at argv[i], in any form; returns the last argument it used. */
static int parse_option(app *a, const char *allowed, int argc, char **argv,
                        int i, settings *set)
{
    const char *arg = argv[i];
    if (arg[1] != '-')
        fail(a, BAD_USAGE, "%s: options begin with two dashes", arg);
    size_t length = strcspn(arg + 2, "=");
    const option *o = find_option(a, allowed, arg + 2, length);
    const char *value = arg[2 + length] == '=' ? arg + 3 + length : NULL;
    set->lambda_given |= o->target == IN(lambda);
    set->iterations_given |= o->target == IN(iterations);
    settings unused = *set;
    if (is_idle(allowed, arg + 2, length)) {    /* read, checked, forgotten */
        add_word(a, &set->idle, arg + 2, length);
        set = &unused;
    }
    if (o->type == FLAG) {
        if (value != NULL)
            fail(a, BAD_USAGE, "--%.*s takes no value", (int)length, arg + 2);
        set_option(a, set, o, "");
        return i;
    }
    int follows = i + 1 < argc && !(o->type == FILES &&
                                    looks_like_option(argv[i + 1]));
    if (value == NULL && !follows)
        fail(a, BAD_USAGE, "--%.*s: a value is missing", (int)length,
             arg + 2);
    set_option(a, set, o, value != NULL ? value : argv[++i]);
    while (value == NULL && o->type == FILES && i + 1 < argc &&
           !looks_like_option(argv[i + 1]))
        set_option(a, set, o, argv[++i]);
    return i;
}

/* What holds where no option is given. */
static void set_defaults(app *a, const char *allowed, settings *set)
{
    memset(set, 0, sizeof *set);
    for (allowed_walk w = walk(allowed); next_allowed(&w);)
        if (w.value[0] != '\0')
            set_option(a, set, w.option, w.value);
}

/* Defaults, then options and operands in any order; returns the operands. */
static words parse(app *a, const char *topic, const char *allowed, int argc,
                   char **argv, settings *set)
{
    words operands = {0, 0, NULL};
    int options_end = 0;
    a->topic = topic;
    a->numbered = a->named = NULL;              /* a new run */
    a->apart = 0;
    a->n_classes = 0;
    set_defaults(a, allowed, set);
    for (int i = 0; i < argc; i++) {
        if (!options_end && strcmp(argv[i], "--") == 0)
            options_end = 1;
        else if (!options_end && looks_like_option(argv[i]))
            i = parse_option(a, allowed, argc, argv, i, set);
        else
            add_word(a, &operands, argv[i], strlen(argv[i]));
    }
    a->quiet = set->quiet;
    if (set->svg != NULL && set->json != NULL &&
        strcmp(set->json, set->svg) == 0)
        fail(a, BAD_USAGE, "--json and --svg both go to %s", set->svg);
    for (size_t i = 0; i < set->idle.n; i++)
        warn(a, "--%s has no effect on %s", set->idle.at[i], topic);
    return operands;
}

/* One number where all are equal, else the list; null where none is. */
static void put_counts(app *a, text *t, const counts *c)
{
    size_t n = c->n;
    while (n > 1 && c->at[n - 1] == c->at[0])
        n--;
    if (n > 1)
        n = c->n;
    if (n == 0)
        put(a, t, "null");
    else if (n == 1)
        put(a, t, "%zu", c->at[0]);
    for (size_t i = 0; n > 1 && i < n; i++)
        put(a, t, "%s%zu%s", i == 0 ? "[" : ", ", c->at[i],
            i + 1 == n ? "]" : "");
}

static void put_list(app *a, text *t, const reals *x)
{
    for (size_t i = 0; i < x->n; i++) {
        put(a, t, x->n == 1 ? "" : i == 0 ? "[" : ", ");
        put_real(a, t, x->at[i]);
    }
    put(a, t, x->n == 0 ? "null" : x->n == 1 ? "" : "]");
}

static void put_words(app *a, text *t, const words *w)
{
    for (size_t i = 0; i < w->n; i++) {
        put(a, t, i == 0 ? "[" : ", ");
        put_escaped(a, t, w->at[i], 0);
    }
    put(a, t, w->n == 0 ? "null" : "]");
}

/* The value of one option as JSON; null where none was given or is used. */
static void put_value(app *a, text *t, const settings *set, const option *o)
{
    const void *at = (const char *)set + o->target;
    const char *s;
    switch (o->type) {
    case FLAG: put(a, t, *(const int *)at ? "true" : "false"); break;
    case COUNT:
        if (within(o->allowed, (double)*(const size_t *)at))
            put(a, t, "%zu", *(const size_t *)at);
        else
            put(a, t, "null");
        break;
    case COUNTS: put_counts(a, t, (const counts *)at); break;
    case SEED:
        put(a, t, "%llu", (unsigned long long)*(const uint64_t *)at);
        break;
    case REAL:
        if (within(o->allowed, *(const double *)at))
            put_real(a, t, *(const double *)at);
        else
            put(a, t, "null");
        break;
    case REALS: put_list(a, t, (const reals *)at); break;
    case CHOICE:
    case TEXT:
        s = *(const char *const *)at;
        if (s != NULL)
            put_escaped(a, t, s, 0);
        else
            put(a, t, "null");
        break;
    case PATHS:
    case FILES: put_words(a, t, (const words *)at); break;
    }
}

/* {"name": value, ...} of everything in `allowed`, as used. */
static void put_options(app *a, text *t, const char *allowed,
                        const settings *set)
{
    const char *separator = "{";
    for (allowed_walk w = walk(allowed); next_allowed(&w);) {
        put(a, t, "%s\"%.*s\": ", separator, typed_length(w.option),
            w.option->name);
        put_value(a, t, set, w.option);
        separator = ", ";
    }
    put(a, t, "}");
}

/* Is the word w? */
static int is(const char *word, const char *w)
{
    return word != NULL && strcmp(word, w) == 0;
}

/* ==========================================================================
 * Part 4  Reading: numbers, LIBSVM, CSV, label files
 *
 * Whatever is not exactly as it should be ends the program with file, line
 * and reason; nothing is guessed, skipped or repaired.  Numbers are decimal
 * and finite.  What the readers know about labels:
 *   - LIBSVM has whole numbers.  CSV may have words too, which are numbered
 *     from 0 in the order in which the run's files show them;
 *   - truth is NULL where a file has none or --labels none is given.
 * ========================================================================== */

/* One data set as read: CSR, or dense where row is NULL. */
typedef struct task {
    const char *file, *name;
    size_t n, d;
    mtc_real *values;               /* CSR [row[n]], dense [n*d] */
    size_t *row;                    /* [n+1] */
    uint32_t *column;               /* [row[n]] */
    int *truth;                     /* [n] labels of the file, or NULL */
    int named;                      /* 1: they stand for words */
    size_t room_values, room_row, room_column, room_truth;
    size_t own;                     /* features of the file itself, <= d */
} task;

/* Ends the program: `mtc: file:line: reason`. */
static CLI_NORETURN CLI_PRINTF(4, 5)
void bad_line(app *a, const char *file, size_t line, const char *format, ...)
{
    char reason[200];
    va_list args;
    va_start(args, format);
    vsnprintf(reason, sizeof reason, format, args);
    va_end(args);
    fail(a, BAD_DATA, "%s:%zu: %s", file, line, reason);
}

static const char *skip_space(const char *s)
{
    return s + strspn(s, " \t\r");
}

static int at_gap(const char *s)
{
    return *s == '\0' || strchr(" \t\r", *s) != NULL;
}

/* The lines of a text, one after the other. */
typedef struct lines {
    char *next;
    size_t number;
} lines;

/* The next line with content, without comment and leading space, or NULL. */
static const char *next_line(lines *l)
{
    while (*l->next != '\0') {
        char *line = l->next, *end = line + strcspn(line, "\n");
        l->next = *end == '\n' ? end + 1 : end;
        l->number++;
        *end = '\0';
        line[strcspn(line, "#")] = '\0';
        const char *content = skip_space(line);
        if (*content != '\0')
            return content;
    }
    return NULL;
}

static int starts_like(const char *s, const char *lower)
{
    while (*lower != '\0' && (*s | 32) == *lower) {
        s++;
        lower++;
    }
    return *lower == '\0';
}

/* The number at s.  Returns NULL, or what is wrong with it. */
static const char *real_at(const char *s, double *x, const char **end)
{
    *end = decimal_end(s);
    if (*end == s) {
        const char *word = s + (*s == '+' || *s == '-');
        return starts_like(word, "nan") || starts_like(word, "inf")
                   ? "is not a finite number" : "is not a number";
    }
    *x = strtod(s, NULL);
    return fabs(*x) > CLI_REAL_MAX ? "is too large" : NULL;
}

/* A class label at s: a whole number, also in the form 1.0 or +1. */
static const char *label_at(const char *s, int *label, const char **end)
{
    double x;
    const char *wrong = real_at(s, &x, end);
    if (wrong != NULL)
        return wrong;
    if (x != floor(x) || x < INT_MIN || x > INT_MAX)
        return "is not a whole number that fits an int";
    *label = (int)x;
    return NULL;
}

/* Some of the input, cut to what fits a message. */
static const char *quote_length(app *a, const char *s, size_t n)
{
    text t = {NULL, 0, 0};
    put(a, &t, "'%.*s%s'", (int)(n < 30 ? n : 30), s, n < 30 ? "" : "...");
    return t.at;
}

/* A word of it. */
static const char *quote(app *a, const char *s)
{
    return quote_length(a, s, strcspn(s, " \t\r\n"));
}

/* ---- LIBSVM: label index:value ..., indices from 1, ascending ---- */

/* One index:value pair at s, after the column `last` (0: none yet). */
static const char *libsvm_pair(app *a, task *t, size_t line, const char *s,
                               uint64_t *last)
{
    const char *end = s, *number;
    uint64_t index = 0;
    double x = 0;
    if (!whole_at(s, UINT32_MAX, &index, &end) || *end != ':')
        bad_line(a, t->file, line, "%s is not index:value with an index of "
                 "at most %lu", quote(a, s), (unsigned long)UINT32_MAX);
    if (index == 0)
        bad_line(a, t->file, line, "index 0: indices begin at 1");
    if (index <= *last)
        bad_line(a, t->file, line, "index %lu comes after %lu: indices have "
                 "to ascend", (unsigned long)index, (unsigned long)*last);
    number = end + 1;
    const char *wrong = real_at(number, &x, &end);
    if (wrong == NULL && !at_gap(end))
        wrong = "is not a number";
    if (wrong != NULL)
        bad_line(a, t->file, line, "value %s of index %lu %s",
                 quote(a, number), (unsigned long)index, wrong);
    *last = index;
    if (x != 0) {                   /* what is 0 is not stored */
        size_t *used = &t->row[t->n + 1];
        GROW(a, t->values, *used, t->room_values);
        GROW(a, t->column, *used, t->room_column);
        t->values[*used] = (mtc_real)x;
        t->column[(*used)++] = (uint32_t)(index - 1);
    }
    return skip_space(end);
}

/* One sample.  row[n+1], its end, counts up while its pairs are read. */
static void libsvm_row(app *a, task *t, size_t line, const char *s)
{
    const char *end = s;
    int label = 0;
    uint64_t last = 0;
    size_t word = strcspn(s, " \t\r");
    if (memchr(s, ':', word) != NULL)
        bad_line(a, t->file, line, "no label before %s", quote(a, s));
    const char *wrong = label_at(s, &label, &end);
    if (wrong == NULL && !at_gap(end))
        wrong = "is not a number";
    if (wrong != NULL)
        bad_line(a, t->file, line, "label %s %s", quote(a, s), wrong);
    GROW(a, t->row, t->n + 1, t->room_row);
    t->row[t->n + 1] = t->row[t->n];
    for (s = skip_space(end); *s != '\0';)
        s = libsvm_pair(a, t, line, s, &last);
    GROW(a, t->truth, t->n, t->room_truth);
    t->truth[t->n++] = label;
    if (t->d < last)
        t->d = (size_t)last;
}

/* Labels of a run are numbers in all files or words in all: a word's number
 * must not meet another file's label by accident, where the two can meet. */
static void note_labels(app *a, task *t, int words_used)
{
    t->named = words_used;
    if (words_used)
        a->named = t->file;
    else
        a->numbered = t->file;
    if (a->named != NULL && a->numbered != NULL && !a->apart)
        fail(a, BAD_DATA, "%s: labels are words, but in %s they are numbers",
             a->named, a->numbered);
}

/* row[0] = 0 is set here, each further row by its sample.  Arrays are there
 * even if every value is 0 and none is stored. */
static void read_libsvm(app *a, task *t)
{
    char *all = read_file(a, t->file);
    lines l = {all, 0};
    GROW(a, t->values, 0, t->room_values);
    GROW(a, t->column, 0, t->room_column);
    GROW(a, t->row, 0, t->room_row);
    t->row[0] = 0;
    size_t length = strlen(all);
    for (const char *s; (s = next_line(&l)) != NULL;) {
        libsvm_row(a, t, l.number, s);
        if (t->n % 256 == 0)
            safe_point(a, "reading", (size_t)(s - all), length);
    }
    pool_release(all);
    note_labels(a, t, 0);
}

/* ---- CSV: fields by comma, semicolon or tab, quoted where needed ---- */

typedef struct csv {
    const char *file;
    char *next;                     /* the rest of the text */
    char separator;
    size_t line, following;         /* of the record, of what follows it */
    char **field;                   /* of the record, unquoted, trimmed */
    size_t fields, room;
} csv;

/* The separator seen most often in the first line outside quotes. */
static char csv_separator(const char *s)
{
    const char *candidates = ",;\t";
    size_t seen[3] = {0, 0, 0}, best = 0;
    int quoted = 0;
    s += strspn(s, "\r\n");
    for (; *s != '\0' && (quoted || *s != '\n'); s++) {
        const char *c = strchr(candidates, *s);
        if (*s == '"')
            quoted = !quoted;
        else if (!quoted && c != NULL)
            seen[c - candidates]++;
    }
    for (size_t i = 1; i < 3; i++)
        if (seen[i] > seen[best])
            best = i;
    return candidates[best];
}

/* Unquotes the field that opens at c->next in place; returns what follows
 * the closing quote. */
static char *csv_quoted(app *a, csv *c)
{
    char *from = c->next + 1, *to = c->next;
    for (;; from++) {
        if (*from == '\0')
            bad_line(a, c->file, c->line, "a quote is not closed");
        if (*from == '\n')
            c->following++;
        if (*from == '"' && *++from != '"')
            break;
        *to++ = *from;
    }
    /* The text got shorter by two quotes at least, so its end fits here;
     * the separator behind is still untouched. */
    *to = '\0';
    return from + strspn(from, " \r");
}

/* Takes the next field off the record; returns 1 if another one follows. */
static int csv_field(app *a, csv *c)
{
    char stops[3] = {c->separator, '\n', '\0'};
    c->next += strspn(c->next, " ");
    char *start = c->next, *end, *last;
    if (*start == '"') {
        end = last = csv_quoted(a, c);
        if (*end != '\0' && strchr(stops, *end) == NULL)
            bad_line(a, c->file, c->line, "text after a closing quote");
    } else {
        end = last = start + strcspn(start, stops);
        while (last > start && (last[-1] == ' ' || last[-1] == '\r'))
            last--;
    }
    char stop = *end;
    *last = '\0';
    GROW(a, c->field, c->fields, c->room);
    c->field[c->fields++] = start;
    c->next = stop == '\0' ? end : end + 1;
    c->following += stop == '\n';
    return stop == c->separator;
}

/* Goes to what is not blank; returns it. */
static char csv_skip_blank(csv *c)
{
    for (; *(c->next += strspn(c->next, " \r")) == '\n'; c->next++)
        c->following++;
    return *c->next;
}

/* The next record that is neither blank nor, from a # on, a comment; 0 at
 * the end of the text. */
static int csv_record(app *a, csv *c)
{
    while (csv_skip_blank(c) == '#')
        c->next += strcspn(c->next, "\n");
    if (*c->next == '\0')
        return 0;
    c->line = c->following;
    c->fields = 0;
    while (csv_field(a, c))
        ;
    return 1;
}

static int same_letters(const char *s, const char *lower)
{
    return strlen(s) == strlen(lower) && starts_like(s, lower);
}

/* Is the field a word, as only a header or a label can be?  An empty field,
 * "nan" and the like are faulty numbers, not words; so is what begins with a
 * number and goes on without a letter. */
static int csv_is_word(const char *field)
{
    double x;
    const char *end, *wrong = real_at(field, &x, &end);
    if (wrong == NULL)
        return end[strspn(end, "0123456789+-.,;: \t")] != '\0';
    field += *field == '+' || *field == '-';
    return *field != '\0' && !same_letters(field, "nan") &&
           !same_letters(field, "na") && !same_letters(field, "inf") &&
           !same_letters(field, "infinity");
}

/* The two names by which a column of labels is known. */
static int csv_names_labels(const char *field)
{
    return same_letters(field, "label") || same_letters(field, "class");
}

/* Has the record the name of the labels' column in it? */
static int csv_has_name(const csv *c, const char *labels)
{
    int by_name = !is(labels, "first") && !is(labels, "last") &&
                  !is(labels, "none");
    for (size_t j = 0; j < c->fields; j++)
        if (csv_names_labels(c->field[j]) ||
            (by_name && is(labels, c->field[j])))
            return 1;
    return 0;
}

/* A header has the name of the labels' column in it; or it has words, and no
 * number among them: a sample with one letter too many is no header.  What
 * stands in the labels' column counts only if it is such a name. */
static int csv_is_header(const csv *c, const char *labels)
{
    size_t found = 0, numbers = 0;
    if (csv_has_name(c, labels))
        return 1;
    for (size_t j = 0; j < c->fields; j++) {
        const char *field = c->field[j];
        int first = is(labels, "first") && j == 0;
        int last = is(labels, "last") && j + 1 == c->fields;
        if (first || last)
            continue;
        if (csv_is_word(field))
            found++;
        else
            numbers += *field != '\0';
    }
    return found > 0 && numbers == 0;
}

/* Goes over comments to the first record.  A comment that names the labels'
 * column is the header, as some programs write it. */
static void csv_head(app *a, csv *c, const char *labels)
{
    while (csv_skip_blank(c) == '#') {
        char *line = c->next + 1;
        size_t n = strcspn(line, "\n");
        text copy = {NULL, 0, 0};
        put(a, &copy, "%.*s", (int)n, line);
        csv names = {c->file, copy.at, csv_separator(copy.at), 1, 1, NULL, 0,
                     0};
        c->next = line;
        if (strchr(copy.at, '"') == NULL && csv_record(a, &names) &&
            csv_has_name(&names, labels))
            break;
        c->next += n;
    }
    c->separator = csv_separator(c->next);
}

/* The labels' column by the option's word or the header; MTC_NONE: none. */
static size_t csv_label_column(app *a, const csv *c, const char *labels,
                               int header)
{
    if (labels == NULL || is(labels, "auto")) {
        for (size_t j = 0; header && j < c->fields; j++)
            if (csv_names_labels(c->field[j]))
                return j;
        return MTC_NONE;
    }
    if (is(labels, "none"))
        return MTC_NONE;
    if (is(labels, "first") || is(labels, "last"))
        return is(labels, "first") ? 0 : c->fields - 1;
    for (size_t j = 0; header && j < c->fields; j++)
        if (is(labels, c->field[j]))
            return j;
    bad_line(a, c->file, c->line, "no column is named %s", labels);
}

/* One sample; the label stays a word until all of them are seen. */
static void csv_row(app *a, csv *c, task *t, size_t label, size_t width,
                    words *labels)
{
    if (c->fields != width)
        bad_line(a, c->file, c->line, "%zu fields, but %zu before", c->fields,
                 width);
    for (size_t j = 0; j < width; j++) {
        const char *field = c->field[j], *end = field;
        double x = 0;
        if (j == label) {
            if (*field == '\0')
                bad_line(a, c->file, c->line, "the label is empty");
            GROW(a, labels->at, labels->n, labels->room);
            labels->at[labels->n++] = field;
            continue;
        }
        const char *wrong = *field == '\0' ? "is empty"
                                           : real_at(field, &x, &end);
        if (wrong == NULL && *end != '\0')
            wrong = "is not a number";
        if (wrong != NULL)
            bad_line(a, c->file, c->line, "column %zu, %s, %s", j + 1,
                     quote_length(a, field, strcspn(field, "\r\n")), wrong);
        size_t used = t->n * t->d + (j > label ? j - 1 : j);
        GROW(a, t->values, used, t->room_values);
        t->values[used] = (mtc_real)x;
    }
    t->n++;
}

/* The slot of a class name: where it is, or the free one where it goes.  A
 * slot holds the class's number + 1; there are always free ones. */
static size_t class_slot(const app *a, const char *name)
{
    size_t hash = 5381;
    for (const char *s = name; *s != '\0'; s++)
        hash = 33 * hash + (unsigned char)*s;
    for (size_t slot = hash % a->room_slots;; slot = (slot + 1) % a->room_slots)
        if (a->slots[slot] == 0 ||
            strcmp(a->class_name[a->slots[slot] - 1], name) == 0)
            return slot;
}

/* The number of a class name: its place in the order of appearance. */
static int class_number(app *a, const char *name)
{
    if (2 * a->n_classes >= a->room_slots || a->n_classes == 0) {
        a->room_slots = 4 * a->n_classes + 61;
        pool_release(a->slots);
        a->slots = TAKE(a, a->room_slots, size_t);
        for (size_t i = 0; i < a->n_classes; i++)
            a->slots[class_slot(a, a->class_name[i])] = i + 1;
    }
    size_t *number = &a->slots[class_slot(a, name)];
    if (*number == 0) {
        GROW(a, a->class_name, a->n_classes, a->room_classes);
        a->class_name[a->n_classes] = name;
        *number = ++a->n_classes;
    }
    return (int)*number - 1;
}

/* The labels as ints: their values if all are whole numbers, else numbered
 * by appearance over all files of the run.  A word before nothing but numbers
 * is the end of a header of numbers: as a sample it would be one too many.
 * `first` is its line, 0 where there is a header already. */
static void csv_labels(app *a, task *t, const words *labels, size_t first)
{
    size_t whole = 0;
    int first_whole = 0;
    t->truth = TAKE(a, labels->n, int);
    for (size_t i = 0; i < labels->n; i++) {
        const char *end;
        int fits = label_at(labels->at[i], &t->truth[i], &end) == NULL &&
                   *end == '\0';
        whole += (size_t)fits;
        first_whole |= fits && i == 0;
    }
    if (first > 0 && whole > 0 && whole + 1 == labels->n && !first_whole &&
        csv_is_word(labels->at[0]))
        bad_line(a, t->file, first, "label '%s' is a word, all others are "
                 "numbers; if this is a header, give --labels %s",
                 labels->at[0], labels->at[0]);
    for (size_t i = 0; whole < labels->n && i < labels->n; i++)
        t->truth[i] = class_number(a, labels->at[i]);
    note_labels(a, t, whole < labels->n);
}

/* The first record is the header or the first sample. */
static void read_csv(app *a, task *t, const char *label_option)
{
    char *all = read_file(a, t->file);
    size_t length = strlen(all);
    csv c = {t->file, all, ',', 1, 1, NULL, 0, 0};
    words labels = {0, 0, NULL};
    csv_head(a, &c, label_option);
    if (!csv_record(a, &c))
        return;
    int header = csv_is_header(&c, label_option);
    size_t first = header ? 0 : c.line;
    size_t width = c.fields;
    size_t label = csv_label_column(a, &c, label_option, header);
    t->d = width - (label != MTC_NONE);
    if (!header)
        csv_row(a, &c, t, label, width, &labels);
    while (csv_record(a, &c)) {
        csv_row(a, &c, t, label, width, &labels);
        if (t->n % 256 == 0)
            safe_point(a, "reading", (size_t)(c.next - all), length);
    }
    if (label != MTC_NONE)
        csv_labels(a, t, &labels, first);
}

/* ---- files of any kind ---- */

/* Upper and lower case alike. */
static int ends_with(const char *s, const char *ending)
{
    size_t n = strlen(s), m = strlen(ending);
    if (n < m)
        return 0;
    for (size_t i = 0; i < m; i++)
        if ((s[n - m + i] | 32) != (ending[i] | 32))
            return 0;
    return 1;
}

static int is_csv(const char *path)
{
    return ends_with(path, ".csv");
}

static int is_libsvm(const char *path)
{
    return ends_with(path, ".svm") || ends_with(path, ".libsvm") ||
           ends_with(path, ".txt");
}

/* A data file by the ending of its name. */
static task read_task(app *a, const char *path, const char *labels)
{
    task t;
    memset(&t, 0, sizeof t);
    t.file = path;
    if (is_csv(path))
        read_csv(a, &t, labels);
    else if (is_libsvm(path))
        read_libsvm(a, &t);
    else
        fail(a, BAD_DATA, "%s: unknown kind of file; known are .svm .libsvm "
             ".txt .csv", path);
    if (t.n == 0)
        fail(a, BAD_DATA, "%s:1: no samples", path);
    if (is(labels, "none"))
        t.truth = NULL;
    return t;
}

/* A file of one number a line, each in low..high; whole 1: no fractions. */
static double *read_column(app *a, const char *path, double low, double high,
                           int whole, size_t *n)
{
    lines l = {read_file(a, path), 0};
    double *x = NULL;
    size_t room = 0;
    *n = 0;
    for (const char *s; (s = next_line(&l)) != NULL; ++*n) {
        const char *end;
        GROW(a, x, *n, room);
        const char *wrong = real_at(s, &x[*n], &end);
        if (wrong == NULL && *skip_space(end) != '\0')
            wrong = "is not one number";
        if (wrong == NULL && whole && x[*n] != floor(x[*n]))
            wrong = "is not a whole number";
        if (wrong != NULL)
            bad_line(a, path, l.number, "%s %s", quote(a, s), wrong);
        if (x[*n] < low || x[*n] > high)
            bad_line(a, path, l.number, "%s is out of range: %s %.10g",
                     quote(a, s), x[*n] < low ? "below" : "above",
                     x[*n] < low ? low : high);
    }
    if (*n == 0)
        fail(a, BAD_DATA, "%s:1: no numbers", path);
    return x;
}

/* Labels, one a line, in low..high. */
static int *read_labels(app *a, const char *path, int low, int high,
                        size_t *n)
{
    double *x = read_column(a, path, low, high, 1, n);
    int *labels = TAKE(a, *n, int);
    for (size_t i = 0; i < *n; i++)
        labels[i] = (int)x[i];
    return labels;
}

/* ==========================================================================
 * Part 5  Tasks: names, one feature space, preprocessing, stacking
 *
 * The tasks of a run lie in one space: the largest index of any file is d,
 * and dense rows are padded with 0 up to it.  Preprocessing looks at all
 * tasks together, so that a feature means the same in each; it sees the
 * target of a transfer too, but never a label.
 * ========================================================================== */

/* The tasks of a run: they share d features, of which the views hold `kept`
 * (fewer than d only where d is huge and most never occur). */
typedef struct tasks {
    size_t n, d, kept;
    task *at;
} tasks;

static mtc_data view_of(const task *t)
{
    return t->row != NULL ? mtc_csr(t->n, t->d, t->row, t->column, t->values)
                          : mtc_dense(t->n, t->d, t->values);
}

/* The same in the task's own features, without those of other files. */
static mtc_data own_view(const task *t)
{
    mtc_data X = view_of(t);
    X.d = t->own;
    return X;
}

/* The values of a view are numbered 0, 1, ... over all rows; those of row i
 * begin here, and value p stands in this column. */
static size_t row_begin(const mtc_data *X, size_t i)
{
    return X->row != NULL ? X->row[i] : i * X->stride;
}

static size_t column_of(const mtc_data *X, size_t p)
{
    return X->row != NULL ? X->column[p] : p % X->stride;
}

/* The file's name without directory and ending; a name that is taken gets
 * .2, .3 and so on, since it will name files. */
static void name_task(app *a, tasks *all, size_t i)
{
    const char *base = base_name(all->at[i].file);
    const char *dot = strrchr(base, '.');
    int length = (int)(dot != NULL && dot > base ? (size_t)(dot - base)
                                                 : strlen(base));
    for (size_t copies = 1, taken = 1; taken; copies++) {
        text name = {NULL, 0, 0};
        put(a, &name, "%.*s", length, base);
        if (copies > 1)
            put(a, &name, ".%zu", copies);
        taken = 0;
        for (size_t j = 0; j < i; j++)
            taken |= strcmp(all->at[j].name, name.at) == 0;
        all->at[i].name = name.at;
    }
}

/* Gives a task d features: a dense one is laid out anew, padded with 0. */
static void widen(app *a, task *t, size_t d)
{
    if (t->row == NULL && t->d < d) {
        if (d > SIZE_MAX / t->n)
            fail(a, BAD_DATA, "%s: %zu features are too many for dense data",
                 t->file, d);
        mtc_real *wide = TAKE(a, t->n * d, mtc_real);
        for (size_t i = 0; i < t->n; i++)
            memcpy(wide + i * d, t->values + i * t->d,
                   t->d * sizeof *wide);
        pool_release(t->values);
        t->values = wide;
    }
    t->d = d;
}

static int compare_columns(const void *x, const void *y)
{
    uint32_t p = *(const uint32_t *)x, q = *(const uint32_t *)y;
    return (p > q) - (p < q);
}

/* The columns that occur in any task, ascending; *count of them.  The first
 * is always among them, so that there is one; those of a dense task all are,
 * so that they keep their places. */
static uint32_t *columns_in_use(app *a, const tasks *all, size_t *count)
{
    size_t n = 1, room = 1;
    uint32_t *used = TAKE(a, room, uint32_t);
    for (size_t i = 0; i < all->n; i++) {
        const task *t = &all->at[i];
        size_t stored = t->row != NULL ? t->row[t->n] : t->d;
        for (size_t p = 0; p < stored; p++) {
            GROW(a, used, n, room);
            used[n++] = t->row != NULL ? t->column[p] : (uint32_t)p;
        }
    }
    qsort(used, n, sizeof *used, compare_columns);
    *count = 0;
    for (size_t p = 0; p < n; p++)
        if (p == 0 || used[p] != used[p - 1])
            used[(*count)++] = used[p];
    return used;
}

/* Above this many features, columns that never occur are left out: a hashed
 * index of a few billions must not cost a centre of a few billion zeros. */
#define CLI_WIDE ((size_t)1 << 20)

static void leave_out_unused(app *a, tasks *all)
{
    uint32_t *used = columns_in_use(a, all, &all->kept);
    for (size_t i = 0; i < all->n; i++) {
        task *t = &all->at[i];
        for (size_t p = 0; t->row != NULL && p < t->row[t->n]; p++) {
            const uint32_t *at = (const uint32_t *)bsearch(
                &t->column[p], used, all->kept, sizeof *used,
                compare_columns);
            t->column[p] = (uint32_t)(at - used);
            if (p == 0 || t->column[p] >= t->own)
                t->own = t->column[p] + (size_t)1;
        }
    }
    pool_release(used);
}

/* Reads all files; the largest index wins. */
static tasks load_tasks(app *a, const words *files, const char *labels)
{
    tasks all = {files->n, 0, 0, TAKE(a, files->n, task)};
    for (size_t i = 0; i < all.n; i++) {
        all.at[i] = read_task(a, files->at[i], labels);
        name_task(a, &all, i);
        all.at[i].own = all.at[i].d > 0 ? all.at[i].d : 1;
        if (all.d < all.at[i].d)
            all.d = all.at[i].d;
    }
    if (all.d == 0)
        fail(a, BAD_DATA, "%s:1: no features", files->at[0]);
    all.kept = all.d;
    if (all.d > CLI_WIDE)
        leave_out_unused(a, &all);
    for (size_t i = 0; i < all.n; i++)
        widen(a, &all.at[i], all.kept);
    return all;
}

static int compare_reals(const void *x, const void *y)
{
    double p = *(const double *)x, q = *(const double *)y;
    return (p > q) - (p < q);
}

static int compare_ints(const void *x, const void *y)
{
    int p = *(const int *)x, q = *(const int *)y;
    return (p > q) - (p < q);
}

/* The distinct labels among x [n], ascending; *count of them. */
static int *distinct(app *a, size_t n, const int *x, size_t *count)
{
    int *sorted = COPY(a, x, n, int);
    qsort(sorted, n, sizeof *sorted, compare_ints);
    *count = 0;
    for (size_t i = 0; i < n; i++)
        if (i == 0 || sorted[i] != sorted[i - 1])
            sorted[(*count)++] = sorted[i];
    return sorted;
}

/* How many different labels there are. */
static size_t count_distinct(app *a, size_t n, const int *x)
{
    size_t count;
    pool_release(distinct(a, n, x, &count));
    return count;
}

/* ---- preprocessing, in place ---- */

/* Rows to length 1; a zero row stays. */
static void unit_rows(task *t)
{
    mtc_data X = view_of(t);
    for (size_t i = 0; i < t->n; i++) {
        double square = 0;
        size_t begin = row_begin(&X, i), end = row_begin(&X, i + 1);
        for (size_t p = begin; p < end; p++)
            square += (double)t->values[p] * (double)t->values[p];
        for (size_t p = begin; p < end && square > 0; p++)
            t->values[p] = (mtc_real)((double)t->values[p] / sqrt(square));
    }
}

/* df [d]: in how many samples of all tasks a feature occurs. */
static size_t *frequencies(app *a, const tasks *all)
{
    size_t *df = TAKE(a, all->kept, size_t);
    for (size_t i = 0; i < all->n; i++) {
        mtc_data X = view_of(&all->at[i]);
        for (size_t p = 0; p < row_begin(&X, X.n); p++)
            df[column_of(&X, p)] += X.values[p] != 0;
    }
    return df;
}

/* x ln((1+n)/(1+df)) with n samples of all tasks, of which df have the
 * feature; then rows to length 1. */
static void tfidf(app *a, tasks *all)
{
    size_t *df = frequencies(a, all), n = 0;
    for (size_t i = 0; i < all->n; i++)
        n += all->at[i].n;
    for (size_t i = 0; i < all->n; i++) {
        task *t = &all->at[i];
        mtc_data X = view_of(t);
        for (size_t p = 0; p < row_begin(&X, X.n); p++) {
            mtc_real rare = (mtc_real)(1 + n) /
                            (mtc_real)(1 + df[column_of(&X, p)]);
            t->values[p] *= mtc_log(rare);
        }
        unit_rows(t);
    }
    pool_release(df);
}

/* The most values that zscore will write out for sparse data: 400 MB. */
#define CLI_DENSE_LIMIT 50000000.0

/* CSR becomes dense, if that is not too much. */
static void densify(app *a, task *t)
{
    if (t->row == NULL)
        return;
    if ((double)t->n * (double)t->d > CLI_DENSE_LIMIT)
        fail(a, BAD_DATA, "%s: --preprocess zscore would make %zu x %zu "
             "sparse data dense; try l2 or tfidf", t->file, t->n, t->d);
    mtc_real *dense = TAKE(a, t->n * t->d, mtc_real);
    for (size_t i = 0; i < t->n; i++)
        for (size_t p = t->row[i]; p < t->row[i + 1]; p++)
            dense[i * t->d + t->column[p]] = t->values[p];
    t->values = dense;
    t->row = NULL;
}

/* Features to mean 0 and standard deviation 1 over all tasks together; a
 * constant feature becomes 0. */
static void zscore(app *a, tasks *all)
{
    double n = 0;
    size_t d = all->kept;
    for (size_t i = 0; i < all->n; i++)
        densify(a, &all->at[i]);
    double *mean = TAKE(a, d, double), *square = TAKE(a, d, double);
    for (size_t i = 0; i < all->n; i++) {
        n += (double)all->at[i].n;
        for (size_t p = 0; p < all->at[i].n * d; p++)
            mean[p % d] += (double)all->at[i].values[p];
    }
    for (size_t j = 0; j < d; j++)
        mean[j] /= n;
    for (size_t i = 0; i < all->n; i++)
        for (size_t p = 0; p < all->at[i].n * d; p++) {
            double off = (double)all->at[i].values[p] - mean[p % d];
            square[p % d] += off * off;
        }
    for (size_t i = 0; i < all->n; i++)
        for (size_t p = 0; p < all->at[i].n * d; p++) {
            double off = (double)all->at[i].values[p] - mean[p % d];
            double deviation = sqrt(square[p % d] / n);
            int constant = deviation <= 1e-12 * fabs(mean[p % d]);
            all->at[i].values[p] = (mtc_real)(constant ? 0
                                                       : off / deviation);
        }
}

/* By the word of --preprocess. */
static void preprocess(app *a, tasks *all, const char *how)
{
    if (is(how, "tfidf"))
        tfidf(a, all);
    else if (is(how, "zscore"))
        zscore(a, all);
    else if (is(how, "l2"))
        for (size_t i = 0; i < all->n; i++)
            unit_rows(&all->at[i]);
}

/* Each task by itself: for methods whose tasks have features of their own. */
static void preprocess_each(app *a, tasks *all, const char *how)
{
    for (size_t i = 0; i < all->n; i++) {
        tasks one = {1, all->d, all->kept, &all->at[i]};
        preprocess(a, &one, how);
    }
}

/* ---- stacking ---- */

/* Memory for all tasks below one another, as CSR if any of them is.  Labels
 * come along if every task has them. */
static task empty_stack(app *a, const tasks *all)
{
    task s;
    size_t values = 0;
    int sparse = 0, labelled = 1;
    memset(&s, 0, sizeof s);
    s.file = s.name = "pool";
    s.d = all->kept;
    for (size_t i = 0; i < all->n; i++) {
        mtc_data X = view_of(&all->at[i]);
        s.n += X.n;
        values += row_begin(&X, X.n);
        sparse |= X.row != NULL;
        labelled &= all->at[i].truth != NULL;
        s.own = s.own < all->at[i].own ? all->at[i].own : s.own;
    }
    s.values = TAKE(a, values, mtc_real);
    s.row = sparse ? TAKE(a, s.n + 1, size_t) : NULL;
    s.column = sparse ? TAKE(a, values, uint32_t) : NULL;
    s.truth = labelled ? TAKE(a, s.n, int) : NULL;
    return s;
}

/* All tasks below one another. */
static task stack(app *a, const tasks *all)
{
    task s = empty_stack(a, all);
    for (size_t i = 0, q = 0, r = 0; i < all->n; i++) {
        mtc_data X = view_of(&all->at[i]);
        if (s.truth != NULL)
            memcpy(s.truth + r, all->at[i].truth, X.n * sizeof *s.truth);
        for (size_t j = 0; s.row != NULL && j < X.n; j++)
            s.row[r + j + 1] = q + row_begin(&X, j + 1);
        for (size_t p = 0; p < row_begin(&X, X.n); p++, q++) {
            s.values[q] = X.values[p];
            if (s.column != NULL)
                s.column[q] = (uint32_t)column_of(&X, p);
        }
        r += X.n;
    }
    return s;
}

/* ---- some of the rows ---- */

/* The rows i of t with i % step == at, or those without if keep is 0; no
 * labels. */
static task some_rows(app *a, const task *t, size_t step, size_t at, int keep)
{
    mtc_data X = view_of(t);
    task s;
    size_t used = 0, values = 0;
    memset(&s, 0, sizeof s);
    s.file = t->file;
    s.name = t->name;
    s.d = t->d;
    s.own = t->own;
    for (size_t i = 0; i < t->n; i++)
        if ((i % step == at) == keep) {
            values += row_begin(&X, i + 1) - row_begin(&X, i);
            s.n++;
        }
    s.values = TAKE(a, values, mtc_real);
    s.row = t->row != NULL ? TAKE(a, s.n + 1, size_t) : NULL;
    s.column = t->row != NULL ? TAKE(a, values, uint32_t) : NULL;
    for (size_t i = 0, r = 0; i < t->n; i++) {
        size_t begin = row_begin(&X, i), count = row_begin(&X, i + 1) - begin;
        if ((i % step == at) != keep)
            continue;
        memcpy(s.values + used, t->values + begin, count * sizeof *s.values);
        if (s.row != NULL) {
            memcpy(s.column + used, t->column + begin,
                   count * sizeof *s.column);
            s.row[++r] = used + count;
        }
        used += count;
    }
    return s;
}

static void release_rows(task *t)
{
    pool_release(t->values);
    pool_release(t->row);
    pool_release(t->column);
}

/* ==========================================================================
 * Part 6  Methods: from options to calls of the library
 *
 * A method reads its job and fills one outcome for each task.  To add one:
 * write its run function, and a row in the table `methods` at the end.
 * ========================================================================== */

/* What came out for one task. */
typedef struct outcome {
    int *labels;                    /* [n] */
    size_t k_effective, iterations;
    int converged;
    mtc_real *objective;            /* [trace]: at the start, after each */
    size_t trace;
    double own;                     /* the method's own figure, see `own` */
} outcome;

/* What is to be done. */
typedef struct job {
    app *a;
    mtc_context *ctx;
    settings *set;
    size_t n, d;                    /* tasks to be labelled; features */
    int separate;                   /* 1: each task has features of its own */
    const char **name;              /* [n] */
    mtc_data *data;                 /* [n] */
    size_t *k;                      /* [n] clusters, or classes */
    int **start;                    /* [n] start labels, each may be NULL */
    outcome *out;                   /* [n] */
    size_t n_sources;               /* transfer: labelled 0..k-1 */
    mtc_data *source;               /* [n_sources] */
    int **source_labels;            /* [n_sources] */
    size_t n_bridges;               /* transfer: unlabelled, in between */
    mtc_data *bridge, *view;        /* [n_bridges]; view NULL: the same */
    mtc_data all_sources;           /* stacked */
    const int *all_labels;
    mtc_real *relatedness;          /* [n*n], or NULL */
    mtc_real **weights;             /* [n*n] of [k*k]: how the clusters of two
                                       tasks correspond; or NULL */
    text members;                   /* the method's own members of the JSON */
    text remarks;                   /* what it has to say below the table */
    int apart;                      /* 1: cluster numbers are each task's own */
} job;

typedef struct method {
    const char *name, *kind;        /* kind: the command it belongs to */
    void (*run)(job *, size_t t);   /* for one task after the other */
    int joint;                      /* 1: one run, t = 0, does all tasks; 2:
                                       but each has cluster numbers its own */
    int fixed_steps;                /* 1: stops after its iterations, as a rule */
    int traces;                     /* 1: JSON has one objective for each
                                       task even if there is but one */
    const char *own;                /* name of the own figure, or NULL */
    const char *options;            /* allowed, with defaults */
    const char *summary, *help;
} method;

/* Ends the program unless s is OK; names the file or task that the library
 * blames (sources count first, then bridges), else the method. */
static void check_job(const job *j, mtc_status s, const char *name)
{
    const settings *set = j->set;
    size_t t = j->ctx->error.task;
    size_t targets = j->n_sources + j->n_bridges;
    const char *subject = name;
    if (t < j->n_sources)
        subject = set->source.at[t];
    else if (t < targets)
        subject = set->view1 != NULL ? set->view1
                                     : set->bridge.at[t - j->n_sources];
    else if (t != MTC_NONE && t - targets < j->n)
        subject = j->name[t - targets];
    check(j->a, j->ctx, s, subject);
}

/* The same of a call that saw the sources stacked: whose sample it was. */
static void check_stacked(const job *j, mtc_status s)
{
    size_t *row = &j->ctx->error.row, i = 0;
    for (; *row != MTC_NONE && i + 1 < j->n_sources &&
           *row >= j->source[i].n; i++)
        *row -= j->source[i].n;
    check(j->a, j->ctx, s, j->set->source.at[i]);
}

/* Common ends of results: labels [n] and objective [trace] are copied, since
 * the result itself is about to be freed. */
static void keep_result(job *j, size_t t, const int *labels,
                        const mtc_real *objective, size_t iterations,
                        int converged, size_t k_effective)
{
    outcome *o = &j->out[t];
    o->labels = COPY(j->a, labels, j->data[t].n, int);
    o->iterations = iterations;
    o->converged = converged;
    o->k_effective = k_effective;
    if (objective != NULL) {
        o->trace = iterations + 1;
        o->objective = COPY(j->a, objective, o->trace, mtc_real);
    }
}

static mtc_pick pick_of(const job *j)
{
    return is(j->set->pick, "vote") ? MTC_PICK_VOTE : MTC_PICK_LOSS;
}

/* What every run of k-means has in common. */
static mtc_kmeans_options kmeans_options(const job *j, size_t t)
{
    mtc_kmeans_options opt = mtc_kmeans_defaults();
    opt.pick = pick_of(j);
    opt.clusters = j->k[t];
    opt.restarts = j->set->restarts;
    opt.start_labels = j->start[t];
    return opt;
}

/* A table of numbers without labels. */
static task read_matrix(app *a, const char *path)
{
    task t;
    memset(&t, 0, sizeof t);
    t.file = path;
    read_csv(a, &t, "none");
    return t;
}

/* --centers of the t-th data set; NULL: not given. */
static mtc_real *read_centers(const job *j, size_t t)
{
    if (j->set->centers.n == 0)
        return NULL;
    task c = read_matrix(j->a, j->set->centers.at[t]);
    if (c.n != j->k[t] || c.d != j->data[t].d)
        fail(j->a, BAD_DATA, "%s: %zu x %zu numbers; expected %zu x %zu, "
             "clusters x features", c.file, c.n, c.d, j->k[t], j->data[t].d);
    return c.values;
}

/* k-means of the rows of X, which stand for those of task t. */
static void run_kmeans_on(job *j, size_t t, const mtc_data *X)
{
    mtc_kmeans_options opt = kmeans_options(j, t);
    mtc_kmeans_result res;
    opt.iterations = j->set->iterations;
    opt.tolerance = (mtc_real)j->set->tolerance;
    opt.start_centers = read_centers(j, t);
    check(j->a, j->ctx, mtc_kmeans(j->ctx, X, &opt, &res), j->name[t]);
    keep_result(j, t, res.labels, res.objective, res.iterations,
                res.converged, res.k_effective);
    mtc_kmeans_free(j->ctx, &res);
}

static void run_kmeans(job *j, size_t t)
{
    run_kmeans_on(j, t, &j->data[t]);
}

/* Principal components, then k-means; constant data has no component and
 * goes to k-means as it is. */
static void run_pcakm(job *j, size_t t)
{
    mtc_pca_options opt = mtc_pca_defaults();
    mtc_pca_result pca;
    opt.keep = (mtc_real)j->set->keep;
    check(j->a, j->ctx, mtc_pca(j->ctx, &j->data[t], &opt, &pca), j->name[t]);
    mtc_data scores = mtc_dense(j->data[t].n, pca.dimension, pca.scores);
    run_kmeans_on(j, t, pca.dimension > 0 ? &scores : &j->data[t]);
    j->out[t].own = (double)pca.dimension;
    mtc_pca_free(j->ctx, &pca);
}

/* The square root of the middle one of the squared distances between samples,
 * of which there are 1000 at most; 1 where half of them are equal. */
static double median_distance(app *a, const mtc_data *X)
{
    size_t step = (X->n + 999) / 1000, m = (X->n + step - 1) / step, count = 0;
    double *square = TAKE(a, m * (m - 1) / 2, double);
    mtc_real *row = TAKE(a, X->d, mtc_real), *norm = TAKE(a, X->n, mtc_real);
    mtc_data_norms(X, norm);
    for (size_t i = 0; i < X->n; i += step) {
        memset(row, 0, X->d * sizeof *row);
        mtc_data_axpy(X, i, 1, row);
        for (size_t p = 0; p < i; p += step)
            square[count++] = (double)norm[i] + (double)norm[p] -
                              2 * (double)mtc_data_dot(X, p, row);
    }
    qsort(square, count, sizeof *square, compare_reals);
    double middle = count == 0 ? 0 : square[count / 2];
    pool_release(norm);
    pool_release(row);
    pool_release(square);
    return middle > 0 ? sqrt(middle) : 1;
}

static void run_ncut(job *j, size_t t)
{
    double sigma = j->set->sigma;
    mtc_ncut_options opt = mtc_ncut_defaults();
    mtc_ncut_result res;
    opt.clusters = j->k[t];
    opt.restarts = j->set->restarts;
    opt.pick = pick_of(j);
    opt.start_labels = j->start[t];
    if (is(j->set->similarity, "gaussian")) {
        if (!(sigma > 0))
            sigma = median_distance(j->a, &j->data[t]);
        opt.graph.similarity = MTC_GAUSSIAN;
        opt.graph.absolute = 1;
        opt.graph.width = (mtc_real)(2 * sigma * sigma);
        put(j->a, &j->members, t == 0 ? ",\n  \"sigma\": [" : ", ");
        put_real(j->a, &j->members, sigma);
        put(j->a, &j->members, t + 1 == j->n ? "]" : "");
    }
    check(j->a, j->ctx, mtc_ncut(j->ctx, &j->data[t], &opt, &res),
          j->name[t]);
    keep_result(j, t, res.labels, res.objective, res.iterations,
                res.converged, res.k_effective);
    j->out[t].own = (double)res.cut;
    mtc_ncut_free(j->ctx, &res);
}

/* The values of D^-1/2 W D^-1/2, D = diag(W 1), laid out as those of W. */
static mtc_real *normalised(app *a, const mtc_data *W)
{
    mtc_real *M = TAKE(a, row_begin(W, W->n), mtc_real);
    double *root = TAKE(a, W->n, double);
    for (size_t i = 0; i < W->n; i++) {
        for (size_t p = row_begin(W, i); p < row_begin(W, i + 1); p++)
            root[i] += (double)W->values[p];
        root[i] = sqrt(root[i]);
    }
    for (size_t i = 0; i < W->n; i++)
        for (size_t p = row_begin(W, i); p < row_begin(W, i + 1); p++) {
            double scale = root[i] * root[column_of(W, p)];
            M[p] = (mtc_real)(scale > 0 ? (double)W->values[p] / scale : 0);
        }
    pool_release(root);
    return M;
}

/* Nearest neighbours that a sample keeps: never more than there are. */
static size_t bounded_neighbors(double wanted, size_t n)
{
    return wanted < (double)(n - 1) ? (size_t)wanted : n - 1;
}

/* Labels to start from: those of --init, else of k-means. */
static int *start_labels(job *j, size_t t)
{
    mtc_kmeans_options opt = kmeans_options(j, t);
    mtc_kmeans_result res;
    if (j->start[t] != NULL)
        return j->start[t];
    check(j->a, j->ctx, mtc_kmeans(j->ctx, &j->data[t], &opt, &res),
          j->name[t]);
    int *labels = COPY(j->a, res.labels, j->data[t].n, int);
    mtc_kmeans_free(j->ctx, &res);
    return labels;
}

/* --neighbors of the t-th data set: one for all, or a list. */
static double share_of(const job *j, size_t t)
{
    const reals *share = &j->set->share;
    return share->at[share->n > 1 ? t : 0];
}

/* Symmetric NMF of the normalised cosine graph of nearest neighbours. */
static void run_snmf(job *j, size_t t)
{
    const mtc_data *X = &j->data[t];
    mtc_graph_options graph = mtc_graph_defaults();
    mtc_snmf_options opt = mtc_snmf_defaults();
    mtc_graph W;
    mtc_snmf_result res;
    graph.neighbors = bounded_neighbors(
        ceil(share_of(j, t) * (double)X->n / (double)j->k[t]), X->n);
    check(j->a, j->ctx, mtc_graph_build(j->ctx, X, 1, &graph, &W),
          j->name[t]);
    mtc_data M = W.weights;
    M.values = normalised(j->a, &W.weights);
    opt.clusters = j->k[t];
    opt.iterations = j->set->iterations;
    opt.tolerance = (mtc_real)j->set->tolerance;
    opt.start_labels = start_labels(j, t);
    check(j->a, j->ctx, mtc_snmf(j->ctx, &M, &opt, &res), j->name[t]);
    keep_result(j, t, res.labels, res.objective, res.iterations,
                res.converged, res.k_effective);
    mtc_snmf_free(j->ctx, &res);
    mtc_graph_free(j->ctx, &W);
}

/* Trained on all sources as one set; the gap reported is the widest. */
static void run_svm(job *j, size_t t)
{
    mtc_svm_options opt = mtc_svm_defaults();
    mtc_svm_result res;
    int *labels = TAKE(j->a, j->data[t].n, int);
    opt.classes = j->k[t];
    opt.kernel = is(j->set->kernel, "rbf") ? MTC_RBF : MTC_LINEAR;
    opt.gamma = (mtc_real)(j->set->gamma > 0 ? j->set->gamma
                                             : 1 / (double)j->d);
    opt.cost = (mtc_real)j->set->cost;
    opt.tolerance = (mtc_real)j->set->tolerance;
    opt.iterations = j->set->iterations;
    check_stacked(j, mtc_svm(j->ctx, &j->all_sources, j->all_labels, &opt,
                             &res));
    check(j->a, j->ctx, mtc_svm_assign(j->ctx, &j->data[t], &j->all_sources,
                                       &res, labels, NULL), j->name[t]);
    keep_result(j, t, labels, NULL, res.iterations, res.converged, 0);
    for (size_t p = 0; p < res.problems; p++)
        if (j->out[t].own < (double)res.gap[p])
            j->out[t].own = (double)res.gap[p];
    if (opt.kernel == MTC_RBF)
        j->set->gamma = (double)res.gamma;      /* as used */
    mtc_svm_free(j->ctx, &res);
}

/* Both kinds of label propagation; the graph spans all sources and t. */
static void propagate(job *j, size_t t, int consistency)
{
    mtc_propagate_options opt = mtc_propagate_defaults();
    mtc_propagate_result res;
    opt.classes = j->k[t];
    opt.consistency = consistency;
    opt.graph.neighbors = bounded_neighbors(
        (double)j->set->neighbors, j->data[t].n + j->all_sources.n);
    opt.graph.width = (mtc_real)j->set->width;
    opt.graph.absolute = j->set->absolute;
    opt.iterations = j->set->iterations;
    if (consistency)
        opt.mu = (mtc_real)j->set->mu;
    check_job(j, mtc_propagate(j->ctx, j->source,
                               (const int *const *)j->source_labels,
                               j->n_sources, &j->data[t], &opt, &res),
              consistency ? "llgc" : "gfhf");
    keep_result(j, t, res.labels, NULL, res.iterations, res.converged, 0);
    j->out[t].own = (double)res.residual;
    put(j->a, &j->members, ",\n  \"scores\": ");
    put_matrix(j->a, &j->members, j->data[t].n, j->k[t], res.scores);
    mtc_propagate_free(j->ctx, &res);
}

static void run_gfhf(job *j, size_t t)
{
    propagate(j, t, 0);
}

static void run_llgc(job *j, size_t t)
{
    propagate(j, t, 1);
}

/* --guard has defaults of its own, those it was measured with. */
static void settle_guard(settings *set, double lambda, size_t iterations)
{
    if (!set->guard)
        return;
    if (!set->lambda_given)
        set->lambda = lambda;
    if (!set->iterations_given)
        set->iterations = iterations;
}

/* The options of lssmtc, asi and lssttc, from the common ones. */
static mtc_lssmtc_options shared_options(const job *j, double lambda)
{
    const settings *set = j->set;
    mtc_lssmtc_options opt = mtc_lssmtc_defaults();
    opt.clusters = j->k[0];
    opt.lambda = (mtc_real)lambda;
    opt.mode = is(set->mode, "pca") ? MTC_PCA
               : is(set->mode, "literal") ? MTC_LITERAL : MTC_RECON;
    opt.start = is(set->start, "pooled") ? MTC_START_POOLED
                : is(set->start, "separate") ? MTC_START_SEPARATE
                                             : MTC_START_ALIGNED;
    opt.subspace = set->subspace;
    opt.rank = set->rank > 0 ? set->rank : opt.rank;
    opt.offset = (mtc_real)set->offset;
    opt.iterations = set->iterations;
    opt.tolerance = (mtc_real)set->tolerance;
    opt.restarts = set->restarts > 0 ? set->restarts : opt.restarts;
    return opt;
}

/* Task t of the job from task s of the result; the trace with the first. */
static void keep_shared(job *j, size_t t, const mtc_lssmtc_result *res,
                        size_t s)
{
    keep_result(j, t, res->labels[s], t == 0 ? res->objective : NULL,
                res->iterations, res->converged, res->k_effective[s]);
    j->set->subspace = res->width;              /* as used */
}

/* ---- guard and auto: see mtc_guard and mtc_auto ---- */

/* JSON and remarks for each task: what was kept, and why. */
static void report_guard(job *j, const mtc_guard_result *res)
{
    app *a = j->a;
    for (size_t t = 0; t < j->n; t++) {
        double alone = (double)res->stability_single[t];
        double shared = (double)res->stability_shared[t];
        const char *kept = res->kept[t] ? "shared" : "single";
        put(a, &j->members, "%s{\"stability_single\": %.17g, "
            "\"stability_shared\": %.17g, \"kept\": \"%s\", "
            "\"agreement_ab\": %.17g, \"loss_single\": %.17g, "
            "\"loss_shared\": %.17g}",
            t == 0 ? ",\n  \"guard\": [\n    " : ",\n    ", alone, shared, kept,
            (double)res->agreement[t], (double)res->loss_single[t],
            (double)res->loss_shared[t]);
        put(a, &j->remarks, "%s: ", j->name[t]);
        if (alone < 0)
            put(a, &j->remarks, "%s", res->kept[t]
                ? "the vote of both" : j->n == 1 ? "alone: there is one task"
                : "alone: too few samples to tell whether sharing is safe");
        else
            put(a, &j->remarks, "%s (stability alone %.2f, shared %.2f%s)",
                res->kept[t] ? "the shared answer" : "alone", alone, shared,
                (double)res->agreement[t] < 0.5 && fabs(alone - shared) < 0.05
                ? "; the answers differ and neither is the more stable: the "
                  "data do not decide" : "");
        put(a, &j->remarks, "\n");
    }
    put(a, &j->members, "]");
}

/* The method of opt, guarded.  --restarts are the runs that vote; mbc's 1 by
 * default means the guard's own number. */
static void run_guarded(job *j, mtc_guard_options *opt)
{
    mtc_guard_result res;
    if (j->start[0] != NULL || j->set->centers.n > 0)
        fail(j->a, BAD_USAGE, "--guard makes its own starts: no %s",
             j->start[0] != NULL ? "--init" : "--centers");
    if (j->set->restarts > 1)
        opt->runs = j->set->restarts;
    else if (opt->method != MTC_GUARD_MBC)
        fail(j->a, BAD_USAGE, "--restarts 1: --guard needs 2 runs or more");
    j->set->restarts = opt->runs;               /* as used */
    opt->clusters_of = j->k;
    opt->gate = is(j->set->gate, "seeds") ? MTC_GATE_SEEDS : MTC_GATE_FOLDS;
    if (opt->method != MTC_GUARD_MTCFIR)        /* which has no gate */
        opt->folds = j->set->folds;
    if (opt->method != MTC_GUARD_MTCFIR && opt->gate == MTC_GATE_FOLDS)
        opt->margin = (mtc_real)j->set->margin;
    check_job(j, mtc_guard(j->ctx, j->data, j->n, opt, &res), "guard");
    for (size_t t = 0; t < j->n; t++)
        keep_result(j, t, res.labels[t], NULL, 0, 1, res.k_effective[t]);
    j->apart = 1;
    report_guard(j, &res);
    mtc_guard_free(j->ctx, &res);
}

/* Did sharing change anything?  In words, from the ARI between the answer and
 * the vote of the families alone. */
static const char *sharing_in_words(double ari)
{
    return ari > 0.99 ? "sharing changed nothing"
           : ari > 0.9 ? "sharing changed little"
           : ari > 0.6 ? "sharing mattered" : "sharing changed most of it";
}

static void report_auto(job *j, const mtc_auto_result *res)
{
    app *a = j->a;
    for (size_t t = 0; t < j->n; t++) {
        const mtc_real *ari = res->by_family + t * res->families;
        size_t best = 0, worst = 0;
        put(a, &j->members, t == 0 ? ",\n  \"auto\": [\n    {\"families\": {"
                                   : ",\n    {\"families\": {");
        for (size_t f = 0; f < res->families; f++) {
            put(a, &j->members, "%s\"%s\": %.17g", f == 0 ? "" : ", ",
                res->name[f], (double)ari[f]);
            best = ari[f] > ari[best] ? f : best;
            worst = ari[f] < ari[worst] ? f : worst;
        }
        put(a, &j->members, "}, \"agreement\": %.17g, \"sharing\": %.17g, "
            "\"voting\": %zu}", (double)res->agreement[t],
            (double)res->sharing[t], res->voting[t]);
        put(a, &j->remarks, "%s: families agree with the answer by %.2f (most "
            "%s %.2f, least %s %.2f)", j->name[t], (double)res->agreement[t],
            res->name[best], (double)ari[best], res->name[worst],
            (double)ari[worst]);
        if (j->n > 1)
            put(a, &j->remarks, "; %s (%.2f with those alone)",
                sharing_in_words((double)res->sharing[t]),
                (double)res->sharing[t]);
        put(a, &j->remarks, "\n");
    }
    put(a, &j->members, "]");
}

static void run_auto(job *j, size_t t)
{
    mtc_auto_options opt = mtc_auto_defaults();
    mtc_auto_result res;
    (void)t;
    opt.clusters_of = j->k;
    opt.rich = j->set->rich;
    opt.runs = j->set->restarts;
    check_job(j, mtc_auto(j->ctx, j->data, j->n, &opt, &res), "auto");
    for (size_t i = 0; i < j->n; i++)
        keep_result(j, i, res.labels[i], NULL, 0, 1, res.k_effective[i]);
    report_auto(j, &res);
    mtc_auto_free(j->ctx, &res);
}

/* match [n*n*k], the partner of each cluster: weights with 1/k there. */
static void keep_match(job *j, const size_t *match)
{
    size_t k = j->k[0];
    j->weights = TAKE(j->a, j->n * j->n, mtc_real *);
    for (size_t p = 0; p < j->n * j->n; p++) {
        j->weights[p] = TAKE(j->a, k * k, mtc_real);
        for (size_t z = 0; z < k; z++)
            for (size_t y = 0; y < k; y++)
                j->weights[p][z * k + y] =
                    match[p * k + z] == y ? 1 / (mtc_real)k : 0;
    }
}

/* --projection: as many rows as features; its width is the subspace's. */
static const mtc_real *read_projection(job *j)
{
    settings *set = j->set;
    if (set->projection == NULL)
        return NULL;
    if (set->guard)
        fail(j->a, BAD_USAGE, "--guard makes its own starts: no --projection");
    task t = read_matrix(j->a, set->projection);
    if (t.n != j->data[0].d || (set->subspace > 0 && t.d != set->subspace))
        fail(j->a, BAD_DATA, "%s: %zu x %zu numbers; expected %zu x %zu, "
             "features x --subspace", t.file, t.n, t.d, j->data[0].d,
             set->subspace > 0 ? set->subspace : t.d);
    set->subspace = t.d;
    return t.values;
}

static void run_lssmtc(job *j, size_t t)
{
    settle_guard(j->set, 0.5, j->set->iterations);
    const mtc_real *W = read_projection(j);
    mtc_lssmtc_options opt = shared_options(j, j->set->lambda);
    mtc_lssmtc_result res;
    opt.start_W = W;
    opt.start_labels = j->start[t] != NULL ? (const int *const *)j->start
                                           : NULL;
    for (size_t i = 1; i < j->n; i++)
        if (j->k[i] != j->k[0])
            fail(j->a, BAD_USAGE, "%s has %zu clusters, %s %zu: lssmtc needs "
                 "one number for all; give --k", j->name[0], j->k[0],
                 j->name[i], j->k[i]);
    if (j->set->guard) {
        mtc_guard_options guard = mtc_guard_defaults();
        guard.method = MTC_GUARD_LSSMTC;
        guard.lssmtc = &opt;
        run_guarded(j, &guard);
        return;
    }
    mtc_status s = mtc_lssmtc(j->ctx, j->data, j->n, &opt, &res);
    if (s == MTC_INVALID && strncmp(j->ctx->error.what, "start_W: ", 9) == 0)
        fail(j->a, BAD_DATA, "%s: %s", j->set->projection,
             j->ctx->error.what + 9);
    check_job(j, s, "lssmtc");
    for (size_t i = 0; i < j->n; i++)
        keep_shared(j, i, &res, i);
    j->relatedness = COPY(j->a, res.relatedness, j->n * j->n, mtc_real);
    keep_match(j, res.match);
    mtc_lssmtc_free(j->ctx, &res);
}

/* One run of asi: lssmtc on one task with the shared term alone.  The trace
 * of the lowest objective so far is kept; the labels are returned. */
static int *asi_once(job *j, size_t t, mtc_context *ctx,
                     const mtc_lssmtc_options *opt)
{
    mtc_lssmtc_result res;
    const outcome *o = &j->out[t];
    check(j->a, ctx, mtc_lssmtc(ctx, &j->data[t], 1, opt, &res), j->name[t]);
    if (o->trace == 0 || res.objective[res.iterations] <
                             o->objective[o->trace - 1])
        keep_result(j, t, res.labels[0], res.objective, res.iterations,
                    res.converged, res.k_effective[0]);
    int *labels = COPY(j->a, res.labels[0], j->data[t].n, int);
    mtc_lssmtc_free(ctx, &res);
    return labels;
}

/* By vote: --restarts runs, each from a k-means of its own. */
static void run_asi(job *j, size_t t)
{
    mtc_lssmtc_options opt = shared_options(j, 0);
    size_t runs = opt.restarts;
    opt.clusters = j->k[t];
    opt.start_labels = j->start[t] != NULL
                           ? (const int *const *)&j->start[t] : NULL;
    if (pick_of(j) == MTC_PICK_LOSS || runs < 5 || j->start[t] != NULL) {
        asi_once(j, t, j->ctx, &opt);
        return;
    }
    const int **labels = TAKE(j->a, runs, const int *);
    opt.restarts = 1;
    for (size_t r = 0; r < runs; r++) {
        mtc_context ctx = *j->ctx;
        ctx.seed += r;
        labels[r] = asi_once(j, t, &ctx, &opt);
    }
    mtc_vote_options vote = mtc_vote_defaults();
    mtc_vote_result res;
    vote.clusters = j->k[t];
    check(j->a, j->ctx, mtc_vote(j->ctx, j->data[t].n, labels, runs, &vote,
                                 &res), j->name[t]);
    j->out[t].labels = COPY(j->a, res.labels, j->data[t].n, int);
    j->out[t].k_effective = res.k_effective;
    mtc_vote_free(j->ctx, &res);
}

static void run_lssttc(job *j, size_t t)
{
    mtc_lssmtc_options opt = shared_options(j, j->set->lambda);
    mtc_lssmtc_result res;
    opt.start_labels = j->start[t] != NULL
                           ? (const int *const *)&j->start[t] : NULL;
    check_job(j, mtc_lssttc(j->ctx, j->source,
                            (const int *const *)j->source_labels,
                            j->n_sources, &j->data[t], &opt, &res), "lssttc");
    keep_shared(j, t, &res, j->n_sources);
    mtc_lssmtc_free(j->ctx, &res);
}

static void run_tsvm(job *j, size_t t)
{
    mtc_tsvm_options opt = mtc_tsvm_defaults();
    mtc_tsvm_result res;
    opt.classes = j->k[t];
    opt.kernel = is(j->set->kernel, "rbf") ? MTC_RBF : MTC_LINEAR;
    opt.gamma = (mtc_real)(j->set->gamma > 0 ? j->set->gamma
                                             : 1 / (double)j->d);
    opt.cost = (mtc_real)j->set->cost;
    opt.tolerance = (mtc_real)j->set->tolerance;
    opt.iterations = j->set->iterations;
    check_job(j, mtc_tsvm(j->ctx, j->source,
                          (const int *const *)j->source_labels,
                          j->n_sources, &j->data[t], &opt, &res), "tsvm");
    keep_result(j, t, res.labels, NULL, res.solved, res.converged, 0);
    j->out[t].own = (double)res.exchanged;
    if (opt.kernel == MTC_RBF)
        j->set->gamma = (double)opt.gamma;      /* as used */
    mtc_tsvm_free(j->ctx, &res);
}

/* The matrix of --metric and its factor, which proves it definite. */
static mtc_metric read_metric(app *a, const char *path, size_t d)
{
    task t = read_matrix(a, path);
    if (t.n != d || t.d != d)
        fail(a, BAD_DATA, "%s: %zu x %zu numbers; the data have %zu features",
             t.file, t.n, t.d, d);
    for (size_t i = 0; i < t.n; i++)
        for (size_t c = 0; c < i; c++)
            if (t.values[i * t.d + c] != t.values[c * t.d + i])
                fail(a, BAD_DATA, "%s: not symmetric in row %zu", t.file,
                     i + 1);
    mtc_real *L = COPY(a, t.values, t.n * t.d, mtc_real);
    if (mtc_cholesky(t.d, L, t.d, NULL) != MTC_OK)
        fail(a, BAD_DATA, "%s: not positive definite", t.file);
    mtc_metric metric = {t.d, t.values, L};
    return metric;
}

/* --divergence of d features; `metric` is its user if it has one. */
static mtc_divergence divergence_of(app *a, const settings *set, size_t d,
                                    mtc_metric *metric)
{
    if (is(set->divergence, "mahalanobis") != (set->metric != NULL))
        fail(a, BAD_USAGE, "--divergence mahalanobis and --metric FILE.csv "
             "go together");
    if (set->metric != NULL) {
        *metric = read_metric(a, set->metric, d);
        return mtc_mahalanobis(metric);
    }
    return is(set->divergence, "kl")   ? mtc_kl()
           : is(set->divergence, "is") ? mtc_itakura_saito()
                                       : mtc_sqeuclidean();
}

/* Are the rows of a file, x + smooth, in the divergence's domain?  The library
 * would name their place in a call, this names the file's. */
static void admit(app *a, const mtc_divergence *div, const char *file,
                  size_t n, size_t d, const mtc_real *x, mtc_real smooth)
{
    for (size_t i = 0; i < n * d; i++)
        if (!div->admits(div->user, i % d, x[i] + smooth))
            fail(a, BAD_DATA, "%s: row %zu, column %zu: %g is outside the "
                 "divergence's domain", file, i / d + 1, i % d + 1,
                 (double)x[i]);
}

static mtc_mbc_middle middle_of(const settings *set)
{
    return is(set->centroid, "geodesic") ? MTC_GEODESIC : MTC_EXACT;
}

/* --centers of all tasks, of x + smooth where that has an effect. */
static const mtc_real *const *mbc_centers(const job *j,
                                          const mtc_divergence *div)
{
    const settings *set = j->set;
    mtc_real smooth = is(set->divergence, "sqeuclidean")
                          ? 0 : (mtc_real)set->smooth;
    mtc_real **U = TAKE(j->a, j->n, mtc_real *);
    for (size_t t = 0; t < j->n && set->centers.n > 0; t++) {
        size_t k = j->k[t], d = j->data[t].d;
        U[t] = read_centers(j, t);
        admit(j->a, div, set->centers.at[t], k, d, U[t], smooth);
        for (size_t i = 0; i < k * d; i++)
            U[t][i] += smooth;
    }
    return set->centers.n > 0 ? (const mtc_real *const *)U : NULL;
}

/* What mbc knows beyond the common: plans, and members of its own. */
static void keep_mbc(job *j, const mtc_mbc_result *res)
{
    app *a = j->a;
    size_t n = j->n;
    j->relatedness = COPY(a, res->relatedness, n * n, mtc_real);
    j->weights = TAKE(a, n * n, mtc_real *);
    for (size_t p = 0; p < n * n; p++)
        j->weights[p] = p / n == p % n ? NULL
                        : COPY(a, res->plans[p], j->k[p / n] * j->k[p % n],
                               mtc_real);
    put(a, &j->members, ",\n  \"d_M\": ");
    put_matrix(a, &j->members, n, n, res->coherence);
    put(a, &j->members, ",\n  \"within\": ");
    put_reals(a, &j->members, n, res->within);
    put(a, &j->members, ",\n  \"gap\": ");
    put_real(a, &j->members, (double)res->gap);
    put(a, &j->members, ",\n  \"nmi\": ");
    put_matrix(a, &j->members, n, n, res->nmi);
}

static void run_mbc(job *j, size_t t)
{
    const settings *set = j->set;
    mtc_mbc_options opt = mtc_mbc_defaults();
    mtc_mbc_result res;
    mtc_metric metric;
    mtc_divergence div = divergence_of(j->a, set, j->d, &metric);
    settle_guard(j->set, set->lambda, 30);
    opt.clusters_of = j->k;
    opt.lambda = (mtc_real)set->lambda;
    opt.divergence = &div;
    opt.smooth = (mtc_real)set->smooth;
    opt.centroid = middle_of(set);
    opt.iterations = set->iterations;
    opt.tolerance = (mtc_real)set->tolerance;
    opt.restarts = set->restarts;
    opt.spread = is(set->seeds, "spread");
    opt.start_labels = j->start[t] != NULL ? (const int *const *)j->start
                                           : NULL;
    opt.start_centers = mbc_centers(j, &div);
    if (j->set->guard) {
        mtc_guard_options guard = mtc_guard_defaults();
        guard.method = MTC_GUARD_MBC;
        guard.mbc = &opt;
        if (is(set->divergence, "sqeuclidean"))
            opt.divergence = NULL;              /* k-means is its like alone */
        run_guarded(j, &guard);
        return;
    }
    check_job(j, mtc_mbc(j->ctx, j->data, j->n, &opt, &res), "mbc");
    for (size_t i = 0; i < j->n; i++)
        keep_result(j, i, res.labels[i], i == 0 ? res.objective : NULL,
                    res.iterations, res.converged, res.k_effective[i]);
    keep_mbc(j, &res);
    mtc_mbc_free(j->ctx, &res);
}

static mtc_mtcfir_options fir_options(const job *j)
{
    static const char *const names[] = {"full", "nF", "nI", "nR"};
    const settings *set = j->set;
    mtc_mtcfir_options opt = mtc_mtcfir_defaults();
    size_t *listed = TAKE(j->a, j->n, size_t);
    opt.clusters_of = j->k;
    opt.layers = set->layers;
    opt.noise = (mtc_real)set->noise;
    opt.ridge = (mtc_real)set->ridge;
    opt.neighbors = (mtc_real)share_of(j, 0);
    opt.neighbors_of = set->share.n > 1 ? listed : NULL;
    for (size_t t = 0; t < j->n && set->share.n > 1; t++)
        listed[t] = bounded_neighbors(
            ceil(share_of(j, t) * (double)j->data[t].n / (double)j->k[t]),
            j->data[t].n);
    for (int v = 0; v < 4; v++)
        if (is(set->variant_fir, names[v]))
            opt.variant = (mtc_mtcfir_variant)v;
    opt.normalize = set->normalize;
    opt.iterations = set->iterations;
    opt.tolerance = (mtc_real)set->tolerance;
    opt.restarts = set->restarts;
    return opt;
}

static void run_mtcfir(job *j, size_t t)
{
    mtc_mtcfir_options opt = fir_options(j);
    mtc_mtcfir_result res;
    size_t n = j->n;
    opt.start_labels = j->start[t] != NULL ? (const int *const *)j->start
                                           : NULL;
    if (opt.noise == 0 && opt.ridge == 0)
        fail(j->a, BAD_USAGE, "--noise 0 needs a --ridge above 0");
    if (j->set->guard) {
        mtc_guard_options guard = mtc_guard_defaults();
        guard.method = MTC_GUARD_MTCFIR;
        guard.mtcfir = &opt;
        run_guarded(j, &guard);
        return;
    }
    check_job(j, mtc_mtcfir(j->ctx, j->data, n, &opt, &res), "mtcfir");
    for (size_t i = 0; i < n; i++)
        keep_result(j, i, res.labels[i], res.objective[i], res.iterations[i],
                    res.converged[i], res.k_effective[i]);
    j->relatedness = COPY(j->a, res.relatedness, n * n, mtc_real);
    j->weights = TAKE(j->a, n * n, mtc_real *);
    for (size_t p = 0; p < n * n; p++)
        j->weights[p] = COPY(j->a, res.plan[p], j->k[p / n] * j->k[p % n],
                             mtc_real);
    put(j->a, &j->members, ",\n  \"alpha\": ");
    put_matrix(j->a, &j->members, n, n, res.alpha);
    put(j->a, &j->members, ",\n  \"threshold\": ");
    put_reals(j->a, &j->members, n, res.threshold);
    put(j->a, &j->members, ",\n  \"neighbors\": ");
    for (size_t i = 0; i < n; i++)
        put(j->a, &j->members, "%s%zu", i == 0 ? "[" : ", ",
            res.neighbors[i]);
    put(j->a, &j->members, "]");
    mtc_mtcfir_free(j->ctx, &res);
}

/* Source -> bridges -> target. */
/* --factors, in the order of its help; parts [14] keep the two G. */
static void read_factors(job *j, size_t t, const mtc_ttl_options *o,
                         mtc_ttl_factors *f, const mtc_real **parts)
{
    app *a = j->a;
    size_t own = o->features - o->common, c = o->classes;
    size_t m[2] = {j->bridge[0].d, j->data[t].d};
    if (j->set->factors.n != 14 || j->n_bridges != 1 || own == 0)
        fail(a, BAD_USAGE, "--factors has %zu files; needed are 14, one bridge "
             "and --common below --features", j->set->factors.n);
    for (size_t i = 0; i < 14; i++) {
        int is_F = i % 6 < 3, leg = i < 6 ? 0 : 1;
        size_t p = i % 3 == 0 ? o->common : own;
        size_t rows = i == 12 ? j->bridge[0].n : i == 13 ? j->data[t].n
                    : is_F ? m[leg] : p;
        size_t columns = i < 12 && is_F ? p : c;
        task M = read_matrix(a, j->set->factors.at[i]);
        if (M.n != rows || M.d != columns)
            fail(a, BAD_DATA, "%s: %zu x %zu numbers; expected %zu x %zu",
                 M.file, M.n, M.d, rows, columns);
        mtc_real **to = i % 3 == 0 ? (is_F ? &f->F1[leg] : &f->A1[leg])
                                   : (is_F ? &f->F2[leg][i % 3 - 1]
                                           : &f->A2[leg][i % 3 - 1]);
        if (i < 12)
            *to = M.values;
        parts[i] = M.values;
    }
}

static mtc_ttl_options ttl_options(const job *j, size_t t)
{
    const settings *set = j->set;
    mtc_ttl_options opt = mtc_ttl_defaults();
    if (set->common > set->features)
        fail(j->a, BAD_USAGE, "--common %zu is more than --features %zu",
             set->common, set->features);
    opt.classes = j->k[t];
    opt.features = set->features;
    opt.common = set->common;
    opt.variant = is(set->variant, "published") ? MTC_TTL_PUBLISHED
                                                : MTC_TTL_REPAIRED;
    opt.start = is(set->start_ttl, "random") ? MTC_TTL_RANDOM
                                             : MTC_TTL_INFORMED;
    opt.tie = (mtc_real)set->tie;
    opt.chain = set->chain;
    opt.evidence = (mtc_real)set->evidence;
    opt.rows = is(set->rows, "length") ? MTC_ROWS_LENGTH
             : is(set->rows, "given")  ? MTC_ROWS_AS_GIVEN : MTC_ROWS_SUM;
    opt.sweeps = set->iterations;
    opt.tolerance = (mtc_real)set->tolerance;
    opt.start_labels = j->start[t];
    return opt;
}

/* What ttl knows beyond the common: what the source's labels are worth, the
 * target's shares of classes, and the bridges' labels. */
static void keep_ttl(job *j, const mtc_ttl_result *res)
{
    app *a = j->a;
    text *to = &j->members;
    if (res->untaught)
        warn(a, "the source's labels cannot be predicted from its own features "
             "(evidence %.2f, --evidence %g): the target gets the source's "
             "shares of classes", (double)res->evidence, j->set->evidence);
    put(a, to, ",\n  \"evidence\": ");
    put_real(a, to, (double)res->evidence);
    put(a, to, ",\n  \"untaught\": %s,\n  \"target_classes\": ",
        res->untaught ? "true" : "false");
    put_matrix(a, to, res->n, res->classes, res->target);
    put(a, to, ",\n  \"bridges\": [");
    for (size_t b = 0; b < res->bridges; b++) {
        put(a, to, "%s{\"shared_with_source\": %zu, "
            "\"shared_with_target\": %zu, \"labels\": ",
            b == 0 ? "\n    " : ",\n    ", res->shared[2 * b],
            res->shared[2 * b + 1]);
        put_ints(a, to, j->bridge[b].n, res->bridge_labels[b]);
        put(a, to, "}");
    }
    put(a, to, "]");
}

static void run_ttl(job *j, size_t t)
{
    mtc_ttl_factors factors;
    const mtc_real *part[14] = {NULL};
    mtc_ttl_options opt = ttl_options(j, t);
    mtc_ttl_result res;
    if (j->set->factors.n > 0) {
        read_factors(j, t, &opt, &factors, part);
        opt.start_factors = &factors;
        opt.start_bridge = part + 12;
        opt.start_target = part[13];
    }
    check_job(j, mtc_ttl(j->ctx, j->source,
                         (const int *const *)j->source_labels, j->n_sources,
                         j->bridge, j->view, j->n_bridges, &j->data[t], &opt,
                         &res), "ttl");
    keep_result(j, t, res.labels, res.objective, res.sweeps, res.converged,
                res.k_effective);
    keep_ttl(j, &res);
    mtc_ttl_free(j->ctx, &res);
}

/* An ensemble and its vote as one object of the JSON. */
static void put_ensemble(job *j, const mtc_ec_result *res)
{
    app *a = j->a;
    text *t = &j->members;
    const mtc_ensemble *e = &res->ensemble;
    put(a, t, "{\"features\": ");
    for (size_t r = 0; r < e->runs && e->features != NULL; r++)
        for (size_t c = 0; c < e->columns; c++)
            put(a, t, "%s%zu%s", c > 0 ? ", " : r > 0 ? ", [" : "[[",
                e->features[r * e->columns + c],
                c + 1 < e->columns ? "" : r + 1 < e->runs ? "]" : "]]");
    if (e->features == NULL)
        put(a, t, "null");
    for (size_t r = 0; r < e->runs; r++) {
        put(a, t, r == 0 ? ",\n    \"partitions\": [" : ",\n      ");
        put_ints(a, t, e->n, e->partitions + r * e->n);
    }
    put(a, t, "],\n    \"singular_values\": ");
    put_reals(a, t, res->rank, res->singular_values);
    put(a, t, ",\n    \"stability\": ");
    put_reals(a, t, e->n, res->stability);
    put(a, t, ",\n    \"cluster_stability\": ");
    put_reals(a, t, res->k, res->cluster_stability);
    put(a, t, ",\n    \"mean_stability\": ");
    put_real(a, t, (double)res->mean_stability);
    put(a, t, "}");
}

/* The i-th file of a list: whole numbers from 0 up to `top`. */
static task read_whole(app *a, const words *files, size_t i, size_t top)
{
    task t = read_matrix(a, files->at[i]);
    for (size_t e = 0; e < t.n * t.d; e++)
        if (t.values[e] < 0 || t.values[e] > (mtc_real)top ||
            t.values[e] != (mtc_real)floor((double)t.values[e]))
            fail(a, BAD_DATA, "%s: row %zu, column %zu is not a whole number "
                 "from 0 to %zu", t.file, e / t.d + 1, e % t.d + 1, top);
    return t;
}

/* The i-th of --partitions, for n samples of d features, and its --subsets:
 * runs and columns are then the files'. */
static void read_ensemble(job *j, size_t i, size_t n, size_t d,
                          const int *const **partitions,
                          const size_t **features)
{
    app *a = j->a;
    settings *set = j->set;
    if (set->partitions.n == 0)
        return;
    task t = read_whole(a, &set->partitions, i, n - 1);
    if (t.n != n || (i > 0 && t.d != set->runs))
        fail(a, BAD_DATA, "%s: %zu lines of %zu labels; expected %zu of %zu, "
             "samples by runs", t.file, t.n, t.d, n, i > 0 ? set->runs : t.d);
    set->runs = t.d;
    const int **run = TAKE(a, t.d, const int *);
    for (size_t r = 0; r < t.d; r++) {
        int *labels = TAKE(a, n, int);
        for (size_t s = 0; s < n; s++)
            labels[s] = (int)t.values[s * t.d + r];
        run[r] = labels;
    }
    *partitions = run;
    if (set->subsets.n == 0)
        return;
    t = read_whole(a, &set->subsets, i, d - 1);
    if (t.n != set->runs || (i > 0 && t.d != set->columns))
        fail(a, BAD_DATA, "%s: %zu lines of %zu features; expected %zu of "
             "%zu, runs by columns", t.file, t.n, t.d, set->runs,
             i > 0 ? set->columns : t.d);
    set->columns = t.d;
    size_t *drawn = TAKE(a, t.n * t.d, size_t);
    for (size_t e = 0; e < t.n * t.d; e++)
        drawn[e] = (size_t)t.values[e];
    *features = drawn;
}

/* As many files as there are data sets, and subsets of partitions alone. */
static void settle_ensemble(app *a, const settings *set, size_t n)
{
    if (set->subsets.n > 0 && set->subsets.n != set->partitions.n)
        fail(a, BAD_USAGE, "--subsets goes with --partitions, file by file");
    if (set->partitions.n > 0 && (set->pool || set->partitions.n != n))
        fail(a, BAD_USAGE, "--partitions has %zu file%s for %zu data set%s",
             set->partitions.n, set->partitions.n == 1 ? "" : "s", n,
             n == 1 ? "" : "s");
}

static mtc_ec_options ensemble_options(const job *j, size_t t)
{
    mtc_ec_options opt = mtc_ec_defaults();
    opt.clusters = j->k[t];
    opt.runs = j->set->runs;
    opt.columns = j->set->columns;
    opt.restarts = j->set->restarts;
    if (j->set->iterations > 0)
        opt.iterations = j->set->iterations;
    return opt;
}

static void run_ec(job *j, size_t t)
{
    const int *const *partitions = NULL;
    const size_t *features = NULL;
    settle_ensemble(j->a, j->set, j->n);
    read_ensemble(j, t, j->data[t].n, j->data[t].d, &partitions, &features);
    mtc_ec_options opt = ensemble_options(j, t);
    mtc_ec_result res;
    opt.partitions = partitions;
    opt.features = features;
    opt.start_labels = j->start[t];
    check(j->a, j->ctx, mtc_ec(j->ctx, &j->data[t], &opt, &res), j->name[t]);
    keep_result(j, t, res.labels, res.objective, res.iterations,
                res.converged, res.k_effective);
    put(j->a, &j->members, t == 0 ? ",\n  \"ensemble\": [" : ",\n    ");
    put_ensemble(j, &res);
    put(j->a, &j->members, t + 1 == j->n ? "]" : "");
    mtc_ec_free(j->ctx, &res);
}

static mtc_meta meta_of(const char *word)
{
    return is(word, "both") ? MTC_META_BOTH
           : is(word, "coassociation") ? MTC_META_COASSOCIATION
           : is(word, "silhouette") ? MTC_META_SILHOUETTE
           : is(word, "threshold") ? MTC_META_THRESHOLD
                                   : MTC_META_PROBABILITY;
}

/* The source's part in it, and what was moved. */
static void put_transfer(job *j, const mtc_trec_result *res)
{
    app *a = j->a;
    text *t = &j->members;
    put(a, t, ",\n  \"start\": ");
    put_ints(a, t, j->data[0].n, res->start);
    put(a, t, ",\n  \"moves\": [");
    for (size_t m = 0; m < res->iterations; m++)
        put(a, t, "%s[%zu, %d, %d]", m == 0 ? "" : ", ", res->moved[m],
            res->from[m], res->to[m]);
    put(a, t, "],\n  \"same\": ");
    put_reals(a, t, j->set->runs + 1, res->same);
    put(a, t, ",\n  \"source_pairs\": %zu,\n  \"ensemble\": ", res->pairs);
    put_ensemble(j, &res->target);
}

static void run_trec(job *j, size_t t)
{
    mtc_trec_options opt = mtc_trec_defaults();
    mtc_trec_result res;
    const int *const *partitions = NULL;
    const size_t *features = NULL;
    settle_ensemble(j->a, j->set, 2);
    read_ensemble(j, 0, j->all_sources.n, j->all_sources.d,
                  &opt.source_partitions, &opt.source_features);
    read_ensemble(j, 1, j->data[t].n, j->data[t].d, &partitions, &features);
    opt.ec = ensemble_options(j, t);
    opt.ec.partitions = partitions;
    opt.ec.features = features;
    opt.meta = meta_of(j->set->meta);
    opt.threshold = (mtc_real)j->set->threshold;
    opt.gamma = (mtc_real)j->set->gamma;
    opt.cost = (mtc_real)j->set->cost;
    opt.pairs = j->set->pairs;
    opt.moves = j->set->moves;
    opt.qmin = (mtc_real)j->set->qmin;
    opt.start_labels = j->start[t];
    mtc_status s = mtc_trec(j->ctx, &j->all_sources, j->all_labels,
                            &j->data[t], &opt, &res);
    if (j->ctx->error.task == 0)
        check_stacked(j, s);
    check(j->a, j->ctx, s, j->ctx->error.task == 1 ? j->name[t] : "trec");
    keep_result(j, t, res.labels, res.objective, res.iterations,
                res.converged, res.target.k_effective);
    put_transfer(j, &res);
    j->set->moves = opt.moves > 0 ? opt.moves : res.moves;      /* as used */
    mtc_trec_free(j->ctx, &res);
}

#define GUARD_OPTIONS \
    " guard gate=folds folds=5 margin=.05"
#define CLUSTER_OPTIONS \
    " seed=1 preprocess=none labels=auto out json svg quiet"
#define TRANSFER_FILES \
    "source target ~pool ~guard" CLUSTER_OPTIONS
#define TRANSFER_OPTIONS \
    "k.classes " TRANSFER_FILES

static const method methods[] = {
    {"kmeans", "cluster", run_kmeans, 0, 0, 0, NULL,
     "k init centers pool restarts=10 pick=vote iterations=300 tolerance=0 "
     "~guard"
     CLUSTER_OPTIONS,
     "k-means, the consensus of several k-means++ starts",
     "Lloyd's iteration on squared Euclidean distances.  The objective is\n"
     "the sum of squared distances to the centres.  By vote, the answer is\n"
     "the consensus of all restarts and the objective one number: that of the\n"
     "means of its clusters.  On real data the vote is nearer to the truth\n"
     "than the lowest loss."},
    {"pcakm", "cluster", run_pcakm, 0, 0, 0, "dimension",
     "k init pool keep=.95 restarts=10 pick=vote iterations=300 tolerance=0 "
     "~guard"
     CLUSTER_OPTIONS,
     "k-means on principal components",
     "The data is projected on the components that keep a share of its\n"
     "variance, then clustered by k-means there.  JSON adds `dimension`."},
    {"ncut", "cluster", run_ncut, 0, 0, 0, "cut",
     "k init pool similarity sigma restarts=10 pick=vote ~iterations "
     "~tolerance ~guard"
     CLUSTER_OPTIONS,
     "normalised cut of the similarity graph",
     "k-means on the top eigenvectors of the normalised similarity matrix;\n"
     "the objective is that k-means's.  JSON adds `cut` and, if the\n"
     "similarities are Gaussian, `sigma` of each task."},
    {"snmf", "cluster", run_snmf, 0, 0, 1, NULL,
     "k init pool neighbors.share=.3 restarts=10 iterations=300 "
     "tolerance=1e-6 ~guard"
     CLUSTER_OPTIONS,
     "symmetric non-negative factorisation of a neighbour graph",
     "The cosine graph of nearest neighbours, normalised by degree, is\n"
     "factored as Y Y'; a sample's cluster is the largest entry of its row.\n"
     "Starts from k-means (best of --restarts) or from --init."},
    {"asi", "cluster", run_asi, 0, 1, 0, NULL,
     "k init pool mode=pca subspace=8 rank=32 offset=.2 restarts=10 "
     "pick=vote iterations=20 tolerance=0 ~guard"
     CLUSTER_OPTIONS,
     "adaptive subspace iteration: a subspace for each task alone",
     "lssmtc with lambda 0 on one task after the other.  In mode recon that\n"
     "would be lambda 1; so the default is pca.  By vote: --restarts runs, each\n"
     "from a k-means of its own; the objective is that of the best of them."},
    {"auto", "cluster", run_auto, 2, 0, 0, NULL,
     "k pool rich restarts.family=10 ~init ~iterations ~tolerance ~guard"
     CLUSTER_OPTIONS,
     "a vote of methods that share and methods that do not: start here",
     "In each task one vote over families of equal weight: normalised cuts of\n"
     "the task's own similarities, k-means on its own singular directions and\n"
     "on those of all tasks, ten runs of mbc and ten of lssmtc.  Part of its\n"
     "gain is the vote, part the sharing; on clusters as k-means assumes them\n"
     "it can be below k-means.  Says for each task which families agree with\n"
     "the answer and whether sharing changed it.  More than 5000 samples: 2000\n"
     "of them vote, the others go to the nearest mean.  JSON adds `auto`: for\n"
     "each task families, agreement, sharing, voting."},
    {"lssmtc", "cluster", run_lssmtc, 1, 1, 0, NULL,
     "k init pool lambda=.75 mode=recon subspace rank=32 offset=.2 "
     "projection start=aligned restarts=10 iterations=20 tolerance=0" GUARD_OPTIONS
     CLUSTER_OPTIONS,
     "one subspace shared by all tasks (Gu & Zhou 2009)",
     "Assumes that the tasks have the same clusters.  Soft partitions with\n"
     "centroids of each task's own and centroids that all tasks share in a\n"
     "subspace.  The paper's grid: lambda .25 .5 .75, subspace 2 4 8 16.\n"
     "Measured: sharing gains on small related tasks and costs on others;\n"
     "lambda 1 is the safe end.  JSON has `relatedness` (own residual over\n"
     "that under the other task's centroids) and `correspondence`."},
    {"svm", "transfer", run_svm, 0, 0, 0, "gap",
     TRANSFER_OPTIONS
     " cost=1 kernel=linear gamma tolerance.gap=1e-3 iterations.auto "
     "~restarts ~init",
     "support vector machine trained on the source",
     "One problem for two classes, one against the rest for more.  JSON adds\n"
     "`gap`: the widest KKT gap, and `classes`: the source's labels."},
    {"gfhf", "transfer", run_gfhf, 0, 0, 0, "residual",
     TRANSFER_OPTIONS " neighbors.count=50 width=.125 absolute "
     "iterations=1000 "
     "~tolerance ~restarts ~init",
     "label propagation by harmonic functions",
     "Labels spread from the source over a graph of both data sets, the\n"
     "source's held fixed.  JSON adds `scores` (samples by classes), `residual`\n"
     "of the linear systems, and `classes`: the source's labels."},
    {"llgc", "transfer", run_llgc, 0, 0, 0, "residual",
     TRANSFER_OPTIONS " neighbors.count=50 width=.125 absolute mu=1 "
     "iterations=1000 "
     "~tolerance ~restarts ~init",
     "label propagation with local and global consistency",
     "As gfhf, but the source's labels may bend.  JSON adds the same."},
    {"tsvm", "transfer", run_tsvm, 0, 0, 0, "exchanged",
     TRANSFER_OPTIONS " cost=1 kernel=linear gamma tolerance.gap=1e-4 "
     "iterations.auto ~restarts ~init",
     "transductive support vector machine (Joachims 1999)",
     "A large margin on source and target together.  Assumes that the\n"
     "classes have the same shares in both.  `iterations` counts the SVMs\n"
     "solved; JSON adds `exchanged`: pairs of labels that changed sides, and\n"
     "`classes`: the source's labels."},
    {"lssttc", "transfer", run_lssttc, 0, 1, 0, NULL,
     "init.target " TRANSFER_OPTIONS
     " lambda=.25 mode=pca subspace=16 rank=100 offset=.2 iterations=20 "
     "tolerance=0 ~restarts",
     "lssmtc with labelled sources (Gu & Zhou 2009)",
     "The sources' partitions are their classes and stay fixed; the target\n"
     "starts from k-means begun at the sources' class means.  JSON adds\n"
     "`classes`: the source's labels."},
    {"mbc", "cluster", run_mbc, 2, 0, 0, NULL,
     "k init centers pool lambda.pull=.5 divergence=sqeuclidean metric "
     "smooth=0 centroid=exact restarts.seeds=1 seeds=samples iterations=100 "
     "tolerance=1e-10" GUARD_OPTIONS
     CLUSTER_OPTIONS,
     "centroids transported between tasks (Zhang & Zhang 2010)",
     "Bregman clustering of every task, its centroids drawn towards those\n"
     "of the others along optimal transport plans.  Tasks share features\n"
     "and are related; their numbers of clusters may differ.  lambda 0 is\n"
     "each task alone; the paper uses .5, and .1 to 1 are worth trying.\n"
     "kl and is need positive values: --smooth makes zeros so.  Measured:\n"
     "helps small tasks with different samples; adds little where tasks\n"
     "overlap.  JSON has the plans in `correspondence`, `relatedness`\n"
     "(within / (within + d_M)), and adds `d_M` (earth mover's distance of\n"
     "the clusters), `within` (mean divergence of each task), `gap` (largest\n"
     "duality gap of a plan) and `nmi` (between tasks of equal size: one\n"
     "data set at two resolutions; -1: sizes differ)."},
    {"mtcfir", "cluster", run_mtcfir, 2, 0, 1, NULL,
     "k init pool layers=3 noise=.5 neighbors.share=.3 ridge=1e-5 "
     "variant.fir=full normalize restarts=10 iterations=300 tolerance=1e-6 "
     "guard"
     CLUSTER_OPTIONS,
     "features and similarities that tasks share (Zhang et al. 2019)",
     "Assumes that the tasks have the same features; their clusters, and how\n"
     "many, may differ.  A denoising autoencoder over all tasks gives shared\n"
     "features, all tasks together tell which samples of one are alike, and\n"
     "those similarities are factored as Y Y'.  The paper's grid: neighbors\n"
     ".1 .3 .5 .7 .9, noise .5 to .9.  Measured: features help on text, not\n"
     "on images (--layers 0).  Starts from k-means (best of --restarts) or\n"
     "from --init.  JSON has an `objective` for each task, `relatedness`\n"
     "(alpha scaled to a unit diagonal), `correspondence` (shares of clusters\n"
     "moved at cost 1 - mean cosine), `alpha`, `threshold` and `neighbors`."},
    {"ttl", "transfer", run_ttl, 0, 1, 0, NULL,
     "init.target bridge view1 view2 " TRANSFER_OPTIONS
     " features=30 common=15 variant.ttl=repaired start.ttl=informed tie=.3 "
     "chain=50 evidence=2.33 rows=sum factors iterations=100 tolerance=0 "
     "~restarts",
     "by way of a bridge to a target that shares nothing (Tan et al. 2015)",
     "Values must not be negative; rows are scaled to sum 1.  A bridge needs\n"
     "features of the source and of the target, which need not share\n"
     "any; a bridge with two views has them in two files.  Factorises source\n"
     "with bridge, then bridge with target; as published (--variant published)\n"
     "both at once, where the objective does not carry the labels: trust that\n"
     "with --start informed only.  The paper's grid: --features 5 to 100, best\n"
     "20 to 40.  Labels that the source's own features cannot predict are not\n"
     "carried over (--evidence).  The objective, a sum over both legs, may rise\n"
     "while one of them is fitted alone.  JSON adds `evidence` that they can be\n"
     "learned, `untaught` (true: too little of it), `target_classes` (samples\n"
     "by classes), `bridges` (labels found, features shared) and `classes`:\n"
     "the source's labels."},
    {"ec", "cluster", run_ec, 0, 0, 0, NULL,
     "k init pool runs=10 columns=3 partitions subsets restarts.vote=10 "
     "iterations.run=300 ~tolerance ~guard"
     CLUSTER_OPTIONS,
     "ensemble of k-means runs in random features (Berikov 2019)",
     "Every run sees a few features drawn at random; the vote over all runs\n"
     "is the normalised cut of how often two samples were together.  Assumes\n"
     "that clusters show in many small sets of features; where they do not,\n"
     "as in images, more --columns help, and plain k-means may be better.\n"
     "Tasks need not have the same features.  --init starts the k-means that\n"
     "ends the vote; the objective is that k-means's.  JSON adds `ensemble`\n"
     "for each task: features, partitions, and stability: how often a sample\n"
     "was together with the others of its cluster."},
    {"trec", "transfer", run_trec, 0, 1, 0, NULL,
     "k.target init.target " TRANSFER_FILES
     " runs=10 columns=3 partitions subsets restarts.vote=10 "
     "iterations.run=300 ~tolerance meta=both threshold=.5 "
     "gamma.pairs=0.03125 cost=10 pairs=2000 moves qmin=5",
     "ec, and what being together means learned elsewhere (Berikov 2019)",
     "Source and target need not have the same features or classes.  From\n"
     "the labelled source it learns how likely two samples belong together\n"
     "that so many runs put together, then moves samples of the target's ec\n"
     "partition, or of --init, to agree with that.  Assumes that ensembles\n"
     "err alike on both.  The default is as published and lost to ec on\n"
     "digits; --meta probability did not, and is the one to take.  Much of the\n"
     "gain needs no source: try --meta threshold, also with --threshold .6.\n"
     "acc is by matching: clusters have no names.  The objective is the\n"
     "distance of eq. 2; iterations are moves.  JSON adds `classes`, `start`,\n"
     "`moves`, `same` (by number of runs together), `source_pairs` and the\n"
     "target's `ensemble`."},
};
enum { N_METHODS = sizeof methods / sizeof methods[0] };

/* 1: the tasks of this method have features of their own. */
static int is_separate(const method *m)
{
    return m->run == run_ec || m->run == run_trec;
}

/* The method of that name; ends the program if the command has none. */
static const method *find_method(app *a, const char *kind, const char *name)
{
    text known = {NULL, 0, 0};
    a->topic = kind;
    for (size_t i = 0; i < N_METHODS; i++) {
        const method *m = &methods[i];
        int named = name != NULL && strcmp(m->name, name) == 0;
        if (strcmp(m->kind, kind) == 0) {
            if (named)
                return m;
            put(a, &known, " %s", m->name);
        } else if (named)
            fail(a, BAD_USAGE, "%s is a method of `mtc %s`", name, m->kind);
    }
    if (name == NULL)
        fail(a, BAD_USAGE, "%s needs a method; known:%s", kind, known.at);
    fail(a, BAD_USAGE, "unknown method %s; known:%s", name, known.at);
}

/* ==========================================================================
 * Part 7  Reports: table, JSON, label files
 *
 * A job knows the data sets as the method saw them; a report has one entry
 * for each task as the user named them (with --pool, many for one).  Truth
 * meets labels here and nowhere else.
 * ========================================================================== */

/* One line of the table.  With truth, the scores. */
typedef struct entry {
    const char *name;
    size_t n, d, k, k_effective;
    const int *labels, *truth;      /* [n]; truth NULL: unknown */
    double acc, nmi, ari;
    double aligned;                 /* below 0: unknown */
} entry;

typedef struct report {
    const method *method;
    const job *job;
    tasks *tasks;                   /* as shown: the job may see them pooled */
    entry *entry;                   /* [tasks->n] */
    double seconds;
    const int *classes;             /* transfer: the source's labels */
    size_t n_classes;
    int named;                      /* 1: they stand for words */
} report;

/* Are the labels found classes, which have names, and not clusters? */
static int finds_classes(const report *r)
{
    return r->classes != NULL && !r->job->separate;
}

/* direct 1: labels are classes, so that they need no matching. */
static void score_entry(job *j, entry *e, int direct)
{
    mtc_scores s;
    if (e->truth == NULL)
        return;
    check(j->a, j->ctx, mtc_score(j->ctx, e->n, e->truth, e->labels, &s),
          e->name);
    e->acc = (double)(direct ? s.direct : s.accuracy);
    e->nmi = (double)s.nmi;
    e->ari = (double)s.ari;
}

/* Share of samples whose cluster is matched with their class when clusters
 * mean the same in every task: one matching, `m`, serves all of them. */
static double aligned_share(const entry *e, const mtc_contingency_result *m)
{
    size_t right = 0;
    for (size_t i = 0; i < e->n; i++)
        for (size_t r = 0; r < m->rows; r++)
            if (m->row_label[r] == e->labels[i])
                right += m->match[r] != MTC_NONE &&
                         m->column_label[m->match[r]] == e->truth[i];
    return (double)right / (double)e->n;
}

/* Fills the column `aligned` where cluster numbers are common to all tasks
 * (they were pooled, or share their clusters) and each truth is known. */
static void align_entries(report *r)
{
    const job *j = r->job;
    mtc_contingency_result m;
    size_t n = 0;
    if (r->tasks->n < 2 || j->apart ||
        !(j->set->pool || r->method->joint == 1))
        return;
    for (size_t i = 0; i < r->tasks->n; n += r->entry[i++].n)
        if (r->entry[i].truth == NULL)
            return;
    int *labels = TAKE(j->a, n, int), *truth = TAKE(j->a, n, int);
    for (size_t i = 0, at = 0; i < r->tasks->n; at += r->entry[i++].n) {
        const entry *e = &r->entry[i];
        memcpy(labels + at, e->labels, e->n * sizeof *labels);
        memcpy(truth + at, e->truth, e->n * sizeof *truth);
    }
    check(j->a, j->ctx, mtc_contingency(j->ctx, n, labels, truth, &m),
          "scores");
    for (size_t i = 0; i < r->tasks->n; i++)
        r->entry[i].aligned = aligned_share(&r->entry[i], &m);
    mtc_contingency_free(j->ctx, &m);
}

/* One column: the score, or a dash. */
static void put_score(app *a, text *t, int known, double x)
{
    if (known)
        put(a, t, " %8.4f", x);
    else
        put(a, t, " %8s", "-");
}

/* Mean of the scores over the tasks with truth. */
static void put_mean(app *a, text *t, const report *r, int width)
{
    double acc = 0, nmi = 0, ari = 0, aligned = 0;
    size_t known = 0;
    for (size_t i = 0; i < r->tasks->n; i++) {
        const entry *e = &r->entry[i];
        if (e->truth == NULL)
            continue;
        known++;
        acc += e->acc;
        nmi += e->nmi;
        ari += e->ari;
        aligned += e->aligned;
    }
    if (known < 2)
        return;
    put(a, t, "%-*s %7s %8s %4s", width, "mean", "", "", "");
    put_score(a, t, 1, acc / (double)known);
    put_score(a, t, 1, nmi / (double)known);
    put_score(a, t, 1, ari / (double)known);
    put_score(a, t, aligned >= 0, aligned / (double)known);
    put(a, t, "\n");
}

static int name_width(const tasks *all)
{
    size_t width = 6;
    for (size_t i = 0; i < all->n; i++)
        if (width < strlen(all->at[i].name))
            width = strlen(all->at[i].name);
    return (int)width;
}

/* The table of cluster and transfer. */
static void print_table(const report *r)
{
    app *a = r->job->a;
    text t = {NULL, 0, 0};
    int width = name_width(r->tasks);
    put(a, &t, "%-*s %7s %8s %4s %8s %8s %8s %8s\n", width, "task", "n", "d",
        "k", "acc", "nmi", "ari", "aligned");
    for (size_t i = 0; i < r->tasks->n; i++) {
        const entry *e = &r->entry[i];
        int known = e->truth != NULL;
        put(a, &t, "%-*s %7zu %8zu %4zu", width, e->name, e->n, e->d, e->k);
        put_score(a, &t, known, e->acc);
        put_score(a, &t, known, e->nmi);
        put_score(a, &t, known, e->ari);
        put_score(a, &t, e->aligned >= 0, e->aligned);
        put(a, &t, "\n");
    }
    put_mean(a, &t, r, width);
    if (r->job->remarks.at != NULL)
        put(a, &t, "%s", r->job->remarks.at);
    save(a, "-", &t);
}

/* ---- JSON ---- */

/* One array, or one for each data set that the method saw. */
static void put_objectives(app *a, text *t, const report *r)
{
    const job *j = r->job;
    size_t n = r->method->joint && !r->method->traces ? 1 : j->n;
    int nested = n > 1 || r->method->traces;
    for (size_t i = 0; i < n; i++) {
        if (nested)
            put(a, t, i == 0 ? "[" : ",\n    ");
        put_reals(a, t, j->out[i].trace, j->out[i].objective);
    }
    put(a, t, nested ? "]" : "");
}

/* One object of `tasks`. */
static void put_entry(app *a, text *t, const entry *e)
{
    put(a, t, "{\"name\": ");
    put_escaped(a, t, e->name, 0);
    put(a, t, ", \"n\": %zu, \"d\": %zu, \"k\": %zu, \"k_effective\": %zu",
        e->n, e->d, e->k, e->k_effective);
    if (e->truth != NULL)
        put(a, t, ", \"acc\": %.17g, \"nmi\": %.17g, \"ari\": %.17g", e->acc,
            e->nmi, e->ari);
    put(a, t, ",\n     \"labels\": ");
    put_ints(a, t, e->n, e->labels);
    put(a, t, "}");
}

/* The labels that 0, 1, ... stand for, as the files have them. */
static void put_classes(app *a, text *t, const report *r)
{
    put(a, t, ",\n  \"classes\": ");
    if (!r->named) {
        put_ints(a, t, r->n_classes, r->classes);
        return;
    }
    for (size_t c = 0; c < r->n_classes; c++) {
        put(a, t, c == 0 ? "[" : ", ");
        put_escaped(a, t, a->class_name[r->classes[c]], 0);
    }
    put(a, t, "]");
}

/* The method's own members: a figure for each task of `cluster`, one figure
 * and the classes for `transfer`. */
static void put_own(app *a, text *t, const report *r)
{
    const job *j = r->job;
    if (r->classes != NULL)
        put_classes(a, t, r);
    if (j->members.at != NULL)
        put(a, t, "%s", j->members.at);
    if (r->method->own == NULL)
        return;
    put(a, t, ",\n  \"%s\": %s", r->method->own, r->classes ? "" : "[");
    for (size_t i = 0; i < j->n; i++) {
        put(a, t, i == 0 ? "" : ", ");
        put_real(a, t, j->out[i].own);
    }
    put(a, t, r->classes ? "" : "]");
}

/* T x T, or null; a pool of several tasks says nothing of them. */
static void put_relatedness(app *a, text *t, const job *j, size_t n_tasks)
{
    if (j->relatedness == NULL || j->n != n_tasks) {
        put(a, t, "null");
        return;
    }
    for (size_t i = 0; i < j->n; i++) {
        put(a, t, i == 0 ? "[" : ",\n    ");
        put_reals(a, t, j->n, j->relatedness + i * j->n);
    }
    put(a, t, "]");
}

/* For every ordered pair of tasks the weights between their clusters; or
 * null. */
static void put_correspondence(app *a, text *t, const job *j, size_t n_tasks)
{
    int first = 1;
    if (j->weights == NULL || j->n != n_tasks) {
        put(a, t, "null");
        return;
    }
    put(a, t, "[");
    for (size_t from = 0; from < j->n; from++)
        for (size_t to = 0; to < j->n; to++) {
            const mtc_real *weights = j->weights[from * j->n + to];
            if (from == to)
                continue;
            put(a, t, "%s{\"from\": %zu, \"to\": %zu, \"weights\": [",
                first ? "\n    " : ",\n    ", from, to);
            first = 0;
            for (size_t z = 0; z < j->k[from]; z++) {
                put(a, t, z == 0 ? "" : ", ");
                put_reals(a, t, j->k[to], weights + z * j->k[to]);
            }
            put(a, t, "]}");
        }
    put(a, t, "]");
}

/* Iterations are the most that a task needed; converged means all. */
static void write_json(const report *r)
{
    const job *j = r->job;
    app *a = j->a;
    text t = {NULL, 0, 0};
    size_t iterations = 0;
    int converged = 1;
    for (size_t i = 0; i < j->n; i++) {
        if (iterations < j->out[i].iterations)
            iterations = j->out[i].iterations;
        converged &= j->out[i].converged;
    }
    put(a, &t, "{\n  \"method\": \"%s\",\n  \"options\": ", r->method->name);
    put_options(a, &t, r->method->options, j->set);
    put(a, &t, ",\n  \"seconds\": %.17g,\n  \"iterations\": %zu,\n"
        "  \"converged\": %s,\n  \"objective\": ", r->seconds, iterations,
        converged ? "true" : "false");
    put_objectives(a, &t, r);
    put(a, &t, ",\n  \"tasks\": [");
    for (size_t i = 0; i < r->tasks->n; i++) {
        put(a, &t, i == 0 ? "\n    " : ",\n    ");
        put_entry(a, &t, &r->entry[i]);
    }
    put(a, &t, "],\n  \"relatedness\": ");
    put_relatedness(a, &t, j, r->tasks->n);
    put(a, &t, ",\n  \"correspondence\": ");
    put_correspondence(a, &t, j, r->tasks->n);
    put_own(a, &t, r);
    put(a, &t, "\n}\n");
    save(a, j->set->json, &t);
}

/* DIR/NAME.labels for each task. */
static void write_labels(const report *r)
{
    app *a = r->job->a;
    const char *out = r->job->set->out;
    save_directory(a, out);
    for (size_t i = 0; i < r->tasks->n; i++) {
        text t = {NULL, 0, 0};
        const entry *e = &r->entry[i];
        for (size_t s = 0; s < e->n; s++)
            put(a, &t, "%d\n", e->labels[s]);
        save(a, join_path(a, out, e->name, ".labels"), &t);
    }
}

/* ==========================================================================
 * Part 8  Pictures: one SVG that explains a run
 *
 * From top to bottom: a square for each task in its first two principal
 * components, between neighbours the correspondence of their clusters as
 * ribbons, the legend, the relatedness of the tasks, the objective.  What a
 * method does not have takes no room.  A cluster has a colour and a shape,
 * its `kind`: matched clusters have the same in every task.
 * Colours come as attributes, for viewers without style sheets, and again as
 * variables that follow the reader's light or dark setting.
 * ========================================================================== */

enum {
    SVG_SIDE = 260, SVG_MARGIN = 24,    /* a task's square */
    SVG_HEAD = 20,                      /* a line of text above something */
    SVG_GAP = 76, SVG_BAR = 10,         /* ribbons and their ends */
    SVG_IN_ROW = 4,                     /* tasks; more begin a new row */
    SVG_CELL = 46, SVG_NAMES = 120,     /* relatedness: cells, row names */
    SVG_PLOT = 300, SVG_PLOT_HIGH = 150, SVG_AXIS = 70,
    SVG_SAMPLE = 1000,                  /* rows that the components need */
    SVG_COLOURS = 7, SVG_SHAPES = 6     /* coprime: 42 kinds differ */
};

/* Colours that differ also for colour-blind eyes (after Okabe and Ito), on
 * light ground and on dark. */
static const char *const svg_light[SVG_COLOURS] = {
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9",
    "#882255"};
static const char *const svg_dark[SVG_COLOURS] = {
    "#4a90e2", "#ff7f3f", "#1fc796", "#e6a3c8", "#ffc33c", "#9ad9ff",
    "#d0608f"};

/* Corners of the shapes after the circle, within a radius of about 1. */
static const struct { size_t n; double xy[24]; } svg_shape[SVG_SHAPES - 1] = {
    {4, {-.88, -.88, .88, -.88, .88, .88, -.88, .88}},
    {3, {0, -1.15, 1.05, .8, -1.05, .8}},
    {4, {0, -1.25, 1, 0, 0, 1.25, -1, 0}},
    {3, {0, 1.15, -1.05, -.8, 1.05, -.8}},
    {12, {-.42, -1.15, .42, -1.15, .42, -.42, 1.15, -.42, 1.15, .42, .42, .42,
          .42, 1.15, -.42, 1.15, -.42, .42, -1.15, .42, -1.15, -.42, -.42,
          -.42}}};

/* A picture while it is drawn.  Blocks flow: from left to right, then on. */
typedef struct picture {
    app *a;
    const report *r;
    const job *job;
    text body;
    size_t **kind;                  /* [tasks] of [k]: look of a cluster */
    size_t kinds;
    int matched;                    /* kinds mean the same in every task */
    double width, x, y, row;        /* of all; where the next block goes */
} picture;

/* Room for a block of that size: moves on to where it fits. */
static void svg_place(picture *p, double width, double height)
{
    if (p->x > 0 && p->x + width > p->width) {
        p->x = 0;
        p->y += p->row;
        p->row = 0;
    }
    if (p->row < height)
        p->row = height;
}

/* Ends a line of blocks. */
static void svg_break(picture *p)
{
    p->x = 0;
    p->y += p->row;
    p->row = 0;
}

/* What makes an outline of the kind around the current point. */
static const char *svg_mark(picture *p, size_t kind, double radius)
{
    text t = {NULL, 0, 0};
    size_t s = kind % SVG_SHAPES;
    if (s == 0) {
        put(p->a, &t, "m%.2f,0a%.2f,%.2f 0 1,0 %.2f,0a%.2f,%.2f 0 1,0 %.2f,0z",
            -radius, radius, radius, 2 * radius, radius, radius, -2 * radius);
        return t.at;
    }
    for (size_t i = 0; i < svg_shape[s - 1].n; i++) {
        const double *xy = svg_shape[s - 1].xy + 2 * i;
        double x = xy[0] - (i > 0 ? xy[-2] : 0);
        double y = xy[1] - (i > 0 ? xy[-1] : 0);
        put(p->a, &t, "%c%.2f,%.2f", i == 0 ? 'm' : 'l', radius * x,
            radius * y);
    }
    put(p->a, &t, "z");
    return t.at;
}

/* class and fill of a kind, for inside a tag. */
static void svg_fill(picture *p, size_t kind)
{
    put(p->a, &p->body, "class=\"c%d\" fill=\"%s\"",
        (int)(kind % SVG_COLOURS), svg_light[kind % SVG_COLOURS]);
}

/* One mark by itself. */
static void svg_one(picture *p, size_t kind, double x, double y)
{
    put(p->a, &p->body, "<path ");
    svg_fill(p, kind);
    put(p->a, &p->body, " d=\"M%.2f,%.2f%s\"/>\n", x, y,
        svg_mark(p, kind, 4.5));
}

/* The first `most` characters of a name; of a longer one, head and tail. */
static void svg_name(picture *p, const char *name, size_t most)
{
    text t = {NULL, 0, 0};
    size_t length = 0, at = 0, tail = most / 3;
    for (const char *s = name; *s != '\0'; length++)
        s += utf8_length(s) > 0 ? utf8_length(s) : 1;
    for (const char *s = name; *s != '\0'; at++) {
        size_t step = utf8_length(s) > 0 ? utf8_length(s) : 1;
        if (length > most && at == most - tail - 1)
            put(p->a, &t, "..");
        if (length <= most || at + tail + 1 < most || at + tail >= length)
            put(p->a, &t, "%.*s", (int)step, s);
        s += step;
    }
    put_escaped(p->a, &p->body, t.at != NULL ? t.at : "", 1);
}

/* Task i: number and name, cut off after `width`. */
static void svg_task_name(picture *p, size_t i, double x, double y,
                          double width)
{
    put(p->a, &p->body, "<svg x=\"%.0f\" y=\"%.0f\" width=\"%.0f\" "
        "height=\"18\"><text class=\"t\" x=\"0\" y=\"13\">", x, y, width);
    if (p->r->tasks->n > 1)
        put(p->a, &p->body, "%zu ", i + 1);
    svg_name(p, p->r->entry[i].name, (size_t)(width / 7.5));
    put(p->a, &p->body, "</text></svg>\n");
}

static void svg_text(picture *p, double x, double y, const char *anchor,
                     const char *shown)
{
    put(p->a, &p->body, "<text class=\"t\" x=\"%.1f\" y=\"%.1f\" "
        "text-anchor=\"%s\">", x, y, anchor);
    put_escaped(p->a, &p->body, shown, 1);
    put(p->a, &p->body, "</text>\n");
}

/* ---- kinds ---- */

/* Clusters of task i are of the kind of the first task's clusters that they
 * are matched with, one to one; the rest are of kinds of their own. */
static void svg_match(picture *p, size_t i)
{
    const job *j = p->job;
    const mtc_real *w = j->weights[i];              /* from the first */
    size_t from = j->k[0], to = j->k[i];
    size_t *partner = TAKE(p->a, from, size_t);
    mtc_real *cost = TAKE(p->a, from * to, mtc_real);
    void *work = take(p->a, mtc_assignment_work(from, to), 1);
    for (size_t q = 0; q < from * to; q++)
        cost[q] = -w[q];
    check(p->a, j->ctx, mtc_assignment(j->ctx, from, to, cost, to, partner,
                                       NULL, NULL, NULL, work), j->name[i]);
    for (size_t y = 0; y < to; y++)
        p->kind[i][y] = MTC_NONE;
    for (size_t z = 0; z < from; z++)
        if (partner[z] != MTC_NONE && w[z * to + partner[z]] > 0)
            p->kind[i][partner[z]] = z;
    for (size_t y = 0; y < to; y++)
        if (p->kind[i][y] == MTC_NONE)
            p->kind[i][y] = p->kinds++;
    pool_release(work);
    pool_release(cost);
    pool_release(partner);
}

/* By the correspondence where there is one, else by number. */
static void svg_kinds(picture *p)
{
    size_t n = p->r->tasks->n;
    int weighed = p->job->weights != NULL && p->job->n == n;
    p->matched = n > 1 && (weighed || p->r->method->joint ||
                           p->job->set->pool);
    p->kind = TAKE(p->a, n, size_t *);
    for (size_t i = 0; i < n; i++)
        if ((i == 0 || !weighed) && p->kinds < p->r->entry[i].k)
            p->kinds = p->r->entry[i].k;
    for (size_t i = 0; i < n; i++) {
        p->kind[i] = TAKE(p->a, p->r->entry[i].k, size_t);
        for (size_t z = 0; z < p->r->entry[i].k; z++)
            p->kind[i][z] = z;
        if (i > 0 && weighed)
            svg_match(p, i);
    }
}

/* ---- the tasks ---- */

/* xy [n*2]: the first two principal components, scaled alike into the unit
 * square.  A direction that does not exist is all 0.5. */
static double *svg_plane(picture *p, const task *t)
{
    app *a = p->a;
    mtc_context *ctx = p->job->ctx;
    mtc_pca_options opt = mtc_pca_defaults();
    mtc_pca_result pca;
    opt.dimension = t->d < 2 ? t->d : 2;
    task few = some_rows(a, t, (t->n + SVG_SAMPLE - 1) / SVG_SAMPLE, 0, 1);
    mtc_data X = view_of(t), sample = view_of(&few);
    check(a, ctx, mtc_pca(ctx, &sample, &opt, &pca), t->name);
    size_t r = pca.dimension < 2 ? pca.dimension : 2;
    mtc_real *scores = TAKE(a, t->n * (r + 1), mtc_real);
    if (r > 0)
        check(a, ctx, mtc_pca_assign(ctx, &X, &pca, scores), t->name);
    double *xy = TAKE(a, 2 * t->n, double), low[2] = {0, 0}, high[2] = {0, 0};
    for (size_t i = 0; i < t->n; i++)
        for (size_t c = 0; c < r; c++) {
            double x = xy[2 * i + c] = (double)scores[i * r + c];
            low[c] = i == 0 || x < low[c] ? x : low[c];
            high[c] = i == 0 || x > high[c] ? x : high[c];
        }
    double span = high[0] - low[0] > high[1] - low[1] ? high[0] - low[0]
                                                      : high[1] - low[1];
    for (size_t q = 0; q < 2 * t->n; q++)
        xy[q] = span > 0 ? 0.5 + (xy[q] - (low[q % 2] + high[q % 2]) / 2) /
                                 span : 0.5;
    mtc_pca_free(ctx, &pca);
    pool_release(scores);
    release_rows(&few);
    return xy;
}

/* mean [kinds*2] of the samples of each kind, from the middle. */
static double *svg_means(picture *p, size_t i, const double *xy)
{
    const entry *e = &p->r->entry[i];
    double *mean = TAKE(p->a, 2 * p->kinds, double);
    double *count = TAKE(p->a, p->kinds, double);
    for (size_t s = 0; s < e->n; s++) {
        size_t kind = p->kind[i][e->labels[s]];
        count[kind]++;
        for (size_t c = 0; c < 2; c++)
            mean[2 * kind + c] += xy[2 * s + c] - 0.5;
    }
    for (size_t q = 0; q < 2 * p->kinds; q++)
        mean[q] /= count[q / 2] > 0 ? count[q / 2] : 1;
    pool_release(count);
    return mean;
}

/* A component's sign means nothing: turns it so that matched clusters lie
 * where those of the first task do. */
static void svg_turn(picture *p, size_t i, double *xy, const double *first)
{
    double *mean = svg_means(p, i, xy);
    for (size_t c = 0; c < 2; c++) {
        double along = 0;
        for (size_t kind = 0; kind < p->kinds; kind++)
            along += mean[2 * kind + c] * first[2 * kind + c];
        for (size_t s = 0; s < p->r->entry[i].n && along < 0; s++)
            xy[2 * s + c] = 1 - xy[2 * s + c];
    }
    pool_release(mean);
}

/* One path holds all samples of a cluster. */
static void svg_samples(picture *p, size_t i, const double *xy)
{
    const entry *e = &p->r->entry[i];
    double inner = SVG_SIDE - 2 * SVG_MARGIN;
    for (size_t z = 0; z < e->k; z++) {
        size_t seen = 0;
        const char *mark = svg_mark(p, p->kind[i][z],
                                    e->n > 2000 ? 1.8 : e->n > 400 ? 2.4 : 3);
        for (size_t s = 0; s < e->n; s++) {
            if ((size_t)e->labels[s] != z)
                continue;
            if (seen++ == 0) {
                put(p->a, &p->body, "<path ");
                svg_fill(p, p->kind[i][z]);
                put(p->a, &p->body, " fill-opacity=\"0.8\" d=\"");
            }
            put(p->a, &p->body, "M%.2f,%.2f%s\n",
                SVG_MARGIN + inner * xy[2 * s],
                SVG_SIDE - SVG_MARGIN - inner * xy[2 * s + 1], mark);
        }
        if (seen > 0)
            put(p->a, &p->body, "\"/>\n");
    }
}

/* The square of one task: name, frame, samples. */
static void svg_panel(picture *p, size_t i, double **first)
{
    double *xy = svg_plane(p, &p->r->tasks->at[i]);
    if (p->matched && i > 0)
        svg_turn(p, i, xy, *first);
    else if (p->matched)
        *first = svg_means(p, i, xy);
    svg_task_name(p, i, p->x + 4, p->y, SVG_SIDE - 8);
    put(p->a, &p->body, "<g transform=\"translate(%.0f,%.0f)\">\n"
        "<rect class=\"l\" x=\"4\" y=\"4\" width=\"%d\" height=\"%d\" "
        "fill=\"none\" stroke=\"#bbbbbb\"/>\n", p->x, p->y + SVG_HEAD - 4,
        SVG_SIDE - 8, SVG_SIDE - 8);
    svg_samples(p, i, xy);
    put(p->a, &p->body, "</g>\n");
    pool_release(xy);
}

/* ---- ribbons ---- */

/* The clusters of task i in the order of their kinds: matched ones then lie
 * side by side. */
static size_t *svg_order(picture *p, size_t i)
{
    size_t k = p->r->entry[i].k, used = 0;
    size_t *order = TAKE(p->a, k, size_t);
    for (size_t kind = 0; kind < p->kinds; kind++)
        for (size_t z = 0; z < k && used < k; z++)
            if (p->kind[i][z] == kind)
                order[used++] = z;
    return order;
}

/* Where the k clusters of one side begin [k], given their shares [k] of the
 * sum of all weights. */
static void svg_ends(const double *share, const size_t *order, size_t k,
                     double height, double *begin)
{
    double gap = k > 1 ? (k > 10 ? 2 : 4) : 0, at = 0;
    for (size_t z = 0; z < k; z++) {
        begin[order[z]] = at;
        at += share[order[z]] * (height - gap * (double)(k - 1)) + gap;
    }
}

/* The bars of one side, each with the mark of its cluster. */
static void svg_bars(picture *p, size_t i, const double *share,
                     const double *begin, double x, double y, double scale)
{
    for (size_t z = 0; z < p->r->entry[i].k; z++) {
        double high = share[z] * scale;
        if (high < 0.1)
            continue;
        put(p->a, &p->body, "<rect ");
        svg_fill(p, p->kind[i][z]);
        put(p->a, &p->body, " x=\"%.1f\" y=\"%.2f\" width=\"%d\" "
            "height=\"%.2f\"/>\n", x, y + begin[z], SVG_BAR, high);
        if (high >= 9)
            put(p->a, &p->body, "<path class=\"b\" fill=\"#ffffff\" "
                "d=\"M%.1f,%.2f%s\"/>\n", x + SVG_BAR / 2,
                y + begin[z] + high / 2, svg_mark(p, p->kind[i][z], 3));
    }
}

/* A band from (x0,y0) to (x1,y1), `high` thick, in the colour of a kind. */
static void svg_band(picture *p, size_t kind, double x0, double y0, double x1,
                     double y1, double high)
{
    double m = (x0 + x1) / 2;
    put(p->a, &p->body, "<path ");
    svg_fill(p, kind);
    put(p->a, &p->body, " fill-opacity=\"0.4\" d=\"M%.1f,%.2fC%.1f,%.2f "
        "%.1f,%.2f %.1f,%.2fv%.2fC%.1f,%.2f %.1f,%.2f %.1f,%.2fz\"/>\n", x0,
        y0, m, y0, m, y1, x1, y1, high, m, y1 + high, m, y0 + high, x0,
        y0 + high);
}

/* Between task i-1 and task i: bars at both sides, a band for each weight,
 * as thick as its share of all weights. */
static void svg_ribbons(picture *p, size_t i)
{
    app *a = p->a;
    const job *j = p->job;
    size_t from = j->k[i - 1], to = j->k[i];
    const mtc_real *w = j->weights[(i - 1) * j->n + i];
    double *left = TAKE(a, from, double), *right = TAKE(a, to, double);
    double *at = TAKE(a, from, double), *into = TAKE(a, to, double), sum = 0;
    double height = SVG_SIDE - 8, x = p->x + 2, y = p->y + SVG_HEAD;
    double x1 = p->x + SVG_GAP - SVG_BAR - 2;
    for (size_t q = 0; q < from * to; q++)
        sum += w[q] > 0 ? (double)w[q] : 0;
    for (size_t q = 0; q < from * to && sum > 0; q++) {
        double share = w[q] > 0 ? (double)w[q] / sum : 0;
        left[q / to] += share;
        right[q % to] += share;
    }
    /* One scale for both sides: that of the side with more gaps. */
    size_t most = from > to ? from : to;
    double scale = height - (most > 10 ? 2 : 4) * (double)(most - 1);
    size_t *near = svg_order(p, i - 1), *far = svg_order(p, i);
    svg_ends(left, near, from, height, at);
    svg_ends(right, far, to, height, into);
    svg_bars(p, i - 1, left, at, x, y, scale);
    svg_bars(p, i, right, into, x1, y, scale);
    for (size_t q = 0; q < from * to && sum > 0; q++) {
        size_t z = near[q / to], v = far[q % to];
        double high = w[z * to + v] > 0
                          ? (double)w[z * to + v] / sum * scale : 0;
        if (high >= 0.2)
            svg_band(p, p->kind[i - 1][z], x + SVG_BAR, y + at[z], x1,
                     y + into[v], high);
        at[z] += high;
        into[v] += high;
    }
    pool_release(far);
    pool_release(near);
    pool_release(into);
    pool_release(at);
    pool_release(right);
    pool_release(left);
}

/* All tasks, with ribbons in front of each but the first. */
static void svg_tasks(picture *p)
{
    size_t n = p->r->tasks->n;
    int ribbons = p->job->weights != NULL && p->job->n == n;
    double *first = NULL;
    for (size_t i = 0; i < n; i++) {
        int indent = ribbons && (i > 0 || n > SVG_IN_ROW);
        svg_place(p, SVG_SIDE + (indent ? SVG_GAP : 0),
                  SVG_SIDE + SVG_HEAD + 4);
        if (ribbons && i > 0)
            svg_ribbons(p, i);
        p->x += indent ? SVG_GAP : 0;
        svg_panel(p, i, &first);
        p->x += SVG_SIDE;
    }
    svg_break(p);
    pool_release(first);
}

/* ---- legend ---- */

/* The task whose own kind it is, and which cluster there. */
static void svg_kind_name(picture *p, size_t kind)
{
    const report *r = p->r;
    for (size_t i = 0; i < r->tasks->n; i++)
        for (size_t z = 0; z < r->entry[i].k; z++) {
            if (p->kind[i][z] != kind)
                continue;
            if (finds_classes(r) && r->named)
                svg_name(p, p->a->class_name[r->classes[z]], 11);
            else if (finds_classes(r))
                put(p->a, &p->body, "%d", r->classes[z]);
            else if (i == 0 || !p->matched)
                put(p->a, &p->body, "%zu", z);
            else
                put(p->a, &p->body, "%zu of task %zu", z, i + 1);
            return;
        }
}

static void svg_legend(picture *p)
{
    const report *r = p->r;
    double step = finds_classes(r) || p->kinds > r->entry[0].k ? 104 : 44;
    p->y += 6;
    svg_place(p, 60, SVG_HEAD);
    svg_text(p, 4, p->y + 13, "start", finds_classes(r) ? "class" : "cluster");
    p->x = 60;
    for (size_t kind = 0; kind < p->kinds; kind++) {
        svg_place(p, step, SVG_HEAD);
        p->x = p->x > 60 ? p->x : 60;           /* lines begin alike */
        svg_one(p, kind, p->x + 10, p->y + 9);
        put(p->a, &p->body, "<text class=\"t\" x=\"%.0f\" y=\"%.0f\">",
            p->x + 20, p->y + 13);
        svg_kind_name(p, kind);
        put(p->a, &p->body, "</text>\n");
        p->x += step;
    }
    svg_break(p);
    if (r->tasks->n > 1) {
        svg_text(p, 4, p->y + 13, "start", p->matched
                 ? "Matched clusters have the same colour and shape."
                 : "Each task by itself: equal marks do not mean equal "
                   "clusters.");
        p->y += SVG_HEAD;
    }
}

/* ---- relatedness ---- */

/* One cell, the darker the larger; its number is readable on it. */
static void svg_cell(picture *p, double x, double y, double value, double low,
                     double high)
{
    double t = high > low ? (value - low) / (high - low) : 0;
    if (value - value != 0)
        t = 0;
    put(p->a, &p->body, "<rect x=\"%.0f\" y=\"%.0f\" width=\"%d\" "
        "height=\"26\" fill=\"#%02x%02x%02x\"/>\n<text x=\"%.0f\" "
        "y=\"%.0f\" text-anchor=\"middle\" fill=\"%s\" font-size=\"12\">",
        x, y, SVG_CELL - 2, (unsigned)(243 - 225 * t),
        (unsigned)(247 - 177 * t), (unsigned)(251 - 121 * t),
        x + SVG_CELL / 2 - 1, y + 17, t > 0.6 ? "#ffffff" : "#222222");
    if (value - value == 0)
        put(p->a, &p->body, fabs(value) < 99.995 ? "%.2f" : "%.3g", value);
    else
        put(p->a, &p->body, "-");
    put(p->a, &p->body, "</text>\n");
}

static void svg_relatedness(picture *p)
{
    size_t n = p->job->n;
    const mtc_real *x = p->job->relatedness;
    double low = 0, high = 0;
    if (x == NULL || n < 2 || n != p->r->tasks->n)
        return;
    for (size_t q = 0; q < n * n; q++) {
        low = (double)x[q] < low ? (double)x[q] : low;
        high = (double)x[q] > high ? (double)x[q] : high;
    }
    double width = SVG_NAMES + (double)n * SVG_CELL + 20;
    svg_place(p, width, 2 * SVG_HEAD + 28 * (double)n + 12);
    svg_text(p, p->x + 4, p->y + 24, "start", "relatedness");
    for (size_t i = 0; i < n; i++) {
        char number[24];
        sprintf(number, "%zu", i + 1);
        svg_text(p, p->x + SVG_NAMES + ((double)i + .5) * SVG_CELL - 1,
                 p->y + 24, "middle", number);
        svg_task_name(p, i, p->x + 4, p->y + 34 + 28 * (double)i,
                      SVG_NAMES - 10);
        for (size_t s = 0; s < n; s++)
            svg_cell(p, p->x + SVG_NAMES + (double)s * SVG_CELL,
                     p->y + 30 + 28 * (double)i, (double)x[i * n + s], low,
                     high);
    }
    p->x += width;
}

/* ---- objective ---- */

/* The least and the largest value; 0: there are no two finite ones. */
static int svg_range(const outcome *o, size_t from, double *low, double *high)
{
    size_t finite = 0;
    for (size_t i = from; i < o->trace; i++) {
        double x = (double)o->objective[i];
        if (x - x != 0)
            continue;
        *low = finite == 0 || x < *low ? x : *low;
        *high = finite == 0 || x > *high ? x : *high;
        finite++;
    }
    return finite > 1;
}

/* Does the first step take nearly all of the fall, so that nothing else of the
 * curve could be seen? */
static int svg_plunges(const outcome *o)
{
    double low = 0, high = 0, all = 0;
    return o->trace > 3 && svg_range(o, 0, &low, &all) &&
           svg_range(o, 1, &low, &high) && high - low < 0.1 * (all - low);
}

/* A line in the look of task i, up to its points. */
static void svg_line(picture *p, size_t i)
{
    static const char *const dash[] = {"none", "7 3", "2 3", "9 3 2 3"};
    put(p->a, &p->body, "<polyline class=\"s%d\" stroke=\"%s\" fill=\"none\" "
        "stroke-width=\"2\" stroke-dasharray=\"%s\" points=\"",
        (int)(i % SVG_COLOURS), svg_light[i % SVG_COLOURS], dash[i % 4]);
}

static void svg_curve(picture *p, size_t i, size_t from, size_t longest,
                      double x, double y)
{
    const outcome *o = &p->job->out[i];
    double low = 0, high = 0;
    svg_range(o, from, &low, &high);
    svg_line(p, i);
    for (size_t s = from; s < o->trace; s++) {
        double value = (double)o->objective[s];
        double up = high > low ? (value - low) / (high - low) : 0.5;
        if (value - value == 0)
            put(p->a, &p->body, "%.1f,%.1f ", x + 6 + (SVG_PLOT - 12) *
                (double)(s - from) / (double)(longest - 1 - from),
                y + 6 + (SVG_PLOT_HIGH - 12) * (1 - up));
    }
    put(p->a, &p->body, "\"/>\n");
}

/* Frame, and numbers at its corners; of several curves only the steps. */
static void svg_axes(picture *p, size_t only, size_t from, size_t longest,
                     double x, double y)
{
    char number[40];
    double low = 0, high = 0;
    put(p->a, &p->body, "<rect class=\"l\" x=\"%.1f\" y=\"%.1f\" "
        "width=\"%d\" height=\"%d\" fill=\"none\" stroke=\"#bbbbbb\"/>\n", x,
        y, SVG_PLOT, SVG_PLOT_HIGH);
    sprintf(number, "%zu", from);
    svg_text(p, x, y + SVG_PLOT_HIGH + 16, "start", number);
    sprintf(number, "%zu iterations", longest - 1);
    svg_text(p, x + SVG_PLOT, y + SVG_PLOT_HIGH + 16, "end", number);
    if (only == MTC_NONE)
        return;
    svg_range(&p->job->out[only], from, &low, &high);
    sprintf(number, "%.4g", high);
    svg_text(p, x - 5, y + 12, "end", number);
    sprintf(number, "%.4g", low);
    svg_text(p, x - 5, y + SVG_PLOT_HIGH - 2, "end", number);
}

/* The objective after each step; of several tasks each on its own scale.  A
 * start far above all that follows is left out. */
static void svg_objective(picture *p)
{
    size_t curves = 0, longest = 0, only = MTC_NONE, from = 1;
    double low, high;
    for (size_t i = 0; i < p->job->n; i++) {
        const outcome *o = &p->job->out[i];
        if (!svg_range(o, 0, &low, &high))
            continue;
        only = curves++ == 0 ? i : MTC_NONE;
        longest = o->trace > longest ? o->trace : longest;
        from = svg_plunges(o) ? from : 0;
    }
    if (curves == 0)
        return;
    double names = curves > 1 ? 170 : 0, left = curves > 1 ? 4 : SVG_AXIS;
    double high_of = (double)curves * 18 > SVG_PLOT_HIGH && curves > 1
                         ? (double)curves * 18 : SVG_PLOT_HIGH;
    svg_place(p, SVG_PLOT + left + names + 20, high_of + 58);
    double x = p->x + left, y = p->y + 32;
    svg_text(p, p->x + 4, p->y + 24, "start", curves == 1
             ? from == 0 ? "objective" : "objective after the first step"
             : from == 0 ? "objective, each from its least to its largest value"
                         : "objective after the first step, each on its scale");
    svg_axes(p, only, from, longest, x, y);
    for (size_t i = 0, line = 0; i < p->job->n; i++) {
        if (!svg_range(&p->job->out[i], 0, &low, &high))
            continue;
        svg_curve(p, i, from, longest, x, y);
        if (curves > 1) {
            double at = y + 18 * (double)line++;
            svg_task_name(p, i, x + SVG_PLOT + 48, at, 120);
            svg_line(p, i);
            put(p->a, &p->body, "%.1f,%.1f %.1f,%.1f\"/>\n",
                x + SVG_PLOT + 8, at + 9, x + SVG_PLOT + 42, at + 9);
        }
    }
    p->x += SVG_PLOT + left + names + 20;
}

/* ---- the whole ---- */

/* Ground, text, lines and kinds for one setting of the reader's. */
static void svg_variables(picture *p, text *t, const char *ground,
                          const char *ink, const char *line,
                          const char *const *colour)
{
    put(p->a, t, ".mtc{--g:%s;--t:%s;--l:%s", ground, ink, line);
    for (int c = 0; c < SVG_COLOURS; c++)
        put(p->a, t, ";--c%d:%s", c, colour[c]);
    put(p->a, t, "}");
}

static void svg_style(picture *p, text *t)
{
    put(p->a, t, "<style>\n");
    svg_variables(p, t, "#ffffff", "#222222", "#bbbbbb", svg_light);
    put(p->a, t, "\n@media (prefers-color-scheme:dark){");
    svg_variables(p, t, "#15181d", "#e2e4e8", "#565b63", svg_dark);
    put(p->a, t, "}\n.b{fill:var(--g)}.t{fill:var(--t)}.l{stroke:var(--l)}");
    for (int c = 0; c < SVG_COLOURS; c++)
        put(p->a, t, "\n.c%d{fill:var(--c%d)}.s%d{stroke:var(--c%d)}", c, c,
            c, c);
    put(p->a, t, "\n</style>\n");
}

/* The widest of what will be drawn decides where lines are broken. */
static double svg_width(const picture *p)
{
    size_t n = p->r->tasks->n, in_row = n < SVG_IN_ROW ? n : SVG_IN_ROW;
    int ribbons = p->job->weights != NULL && p->job->n == n;
    size_t gaps = !ribbons ? 0 : n > SVG_IN_ROW ? in_row : in_row - 1;
    double width = (double)(in_row * SVG_SIDE + gaps * SVG_GAP);
    double least = SVG_PLOT + SVG_AXIS + 24;
    if (p->job->relatedness != NULL && p->job->n == n &&
        least < SVG_NAMES + (double)n * SVG_CELL + 24)
        least = SVG_NAMES + (double)n * SVG_CELL + 24;
    if (p->job->n > 1 && !p->r->method->joint && least < SVG_PLOT + 200)
        least = SVG_PLOT + 200;
    return width > least ? width : least;
}

static void write_svg(const report *r)
{
    app *a = r->job->a;
    picture p;
    text t = {NULL, 0, 0};
    memset(&p, 0, sizeof p);
    p.a = a;
    p.r = r;
    p.job = r->job;
    svg_kinds(&p);
    p.width = svg_width(&p);
    p.y = 4;
    svg_tasks(&p);
    svg_legend(&p);
    svg_relatedness(&p);
    svg_objective(&p);
    svg_break(&p);
    put(a, &t, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"mtc\" role=\"img\""
        " width=\"%.0f\" height=\"%.0f\" viewBox=\"0 0 %.0f %.0f\" "
        "font-family=\"sans-serif\" font-size=\"13\" fill=\"#222222\">\n"
        "<title>mtc %s %s"
        "</title>\n", p.width, p.y + 4, p.width, p.y + 4, r->method->kind,
        r->method->name);
    svg_style(&p, &t);
    put(a, &t, "<rect class=\"b\" width=\"%.0f\" height=\"%.0f\" "
        "fill=\"#ffffff\"/>\n%s</svg>\n", p.width, p.y + 4, p.body.at);
    save(a, r->job->set->svg, &t);
}

/* ==========================================================================
 * Part 9  Commands: cluster, transfer, bridge, relate, emd, centroid, score
 *
 * Each takes the arguments behind its name: parse, load, work, report.
 * ========================================================================== */

/* The operands of a command, `least` of them or more, `most` or fewer. */
static void need_operands(app *a, const words *w, size_t least, size_t most,
                          const char *what)
{
    if (w->n < least)
        fail(a, BAD_USAGE, "%s needs %s", a->topic, what);
    if (w->n > most)
        fail(a, BAD_USAGE, "%s: one argument too many; %s needs %s",
             w->at[most], a->topic, what);
}

/* Arrays for n tasks that are to be labelled. */
static job new_job(app *a, mtc_context *ctx, settings *set, size_t n,
                   size_t d)
{
    job j;
    memset(&j, 0, sizeof j);
    j.a = a;
    j.ctx = ctx;
    j.set = set;
    j.n = n;
    j.d = d;
    j.name = TAKE(a, n, const char *);
    j.data = TAKE(a, n, mtc_data);
    j.k = TAKE(a, n, size_t);
    j.start = TAKE(a, n, int *);
    j.out = TAKE(a, n, outcome);
    return j;
}

/* The work, and how long it took; reading and writing are not in it. */
static void run_job(const method *m, job *j, double *seconds)
{
    double start = now();
    for (size_t t = 0; t < (m->joint ? 1 : j->n); t++)
        m->run(j, t);
    *seconds = now() - start;
}

/* Says what a user would want to know but might not look for. */
static void warn_of(const report *r)
{
    const job *j = r->job;
    for (size_t i = 0; i < j->n; i++) {
        const outcome *o = &j->out[i];
        if (o->k_effective < j->k[i] && j->n_sources == 0)
            warn(j->a, "%s: only %zu of %zu clusters are in use", j->name[i],
                 o->k_effective, j->k[i]);
        if (!o->converged && !r->method->fixed_steps)
            warn(j->a, "%s: not converged after %zu iterations", j->name[i],
                 o->iterations);
    }
}

/* Everything that was asked for. */
static void deliver(const report *r)
{
    app *a = r->job->a;
    const settings *set = r->job->set;
    wipe_progress(a);
    warn_of(r);
    a->accuracy = 0;
    for (size_t i = 0; i < r->tasks->n; i++)
        a->accuracy += r->entry[i].acc / (double)r->tasks->n;
    if (set->out != NULL)
        write_labels(r);
    if (set->svg != NULL)
        write_svg(r);
    if (set->json != NULL)
        write_json(r);
    if (!set->quiet && !is(set->json, "-") && !is(set->svg, "-"))
        print_table(r);
}

/* ---- cluster ---- */

/* Rules between options that the table cannot tell. */
static void settle_cluster(app *a, settings *set, size_t n_tasks)
{
    size_t jobs = set->pool ? 1 : n_tasks;
    if (set->k.n > 1 && set->k.n != jobs)
        fail(a, BAD_USAGE, "--k has %zu numbers for %zu task%s", set->k.n,
             jobs, jobs == 1 ? "" : "s");
    if (set->share.n > 1 && set->share.n != jobs)
        fail(a, BAD_USAGE, "--neighbors has %zu numbers for %zu task%s",
             set->share.n, jobs, jobs == 1 ? "" : "s");
    if (set->init.n > 0 && set->init.n != n_tasks)
        fail(a, BAD_USAGE, "--init has %zu files for %zu tasks", set->init.n,
             n_tasks);
    if (set->centers.n > 0 && set->centers.n != jobs)
        fail(a, BAD_USAGE, "--centers has %zu file%s for %zu task%s",
             set->centers.n, set->centers.n == 1 ? "" : "s", jobs,
             jobs == 1 ? "" : "s");
    if (set->init.n > 0 || set->centers.n > 0)
        set->restarts = 1;          /* a start was given: one run */
    if (set->sigma > 0 && is(set->similarity, "cosine"))
        fail(a, BAD_USAGE, "--sigma is for --similarity gaussian");
    double width = 2 * set->sigma * set->sigma;
    if (set->sigma > 0 && !(width > 1 / CLI_REAL_MAX && width <= CLI_REAL_MAX))
        fail(a, BAD_USAGE, "--sigma %g: its square is 0 or infinite",
             set->sigma);
    if (set->similarity == NULL)
        set->similarity = set->sigma > 0 ? "gaussian" : "cosine";
}

/* k of the t-th data set: as given, or its number of classes; 0: unknown. */
static size_t clusters_of(app *a, const settings *set, size_t t,
                          const task *data)
{
    size_t k = 0;
    if (set->k.n > 0)
        k = set->k.at[set->k.n > 1 ? t : 0];
    else if (data->truth != NULL)
        k = count_distinct(a, data->n, data->truth);
    if (k > data->n)
        fail(a, BAD_USAGE, "--k %zu: %s has only %zu samples", k, data->name,
             data->n);
    return k;
}

/* The start of task t from its file. */
static int *read_start(app *a, const settings *set, size_t t, const task *data,
                       size_t k)
{
    size_t n;
    int top = k > INT_MAX ? INT_MAX : (int)k - 1;
    int *labels = read_labels(a, set->init.at[t], 0, top, &n);
    if (n != data->n)
        fail(a, BAD_DATA, "%s: %zu labels, but %s has %zu samples",
             set->init.at[t], n, data->file, data->n);
    return labels;
}

/* The data sets as the method sees them: each task, or all as one. */
static job cluster_job(app *a, mtc_context *ctx, settings *set,
                       const tasks *all, const task *pool)
{
    job j = new_job(a, ctx, set, set->pool ? 1 : all->n, all->d);
    for (size_t t = 0; t < j.n; t++) {
        const task *data = set->pool ? pool : &all->at[t];
        j.name[t] = data->name;
        j.data[t] = view_of(data);
        j.k[t] = clusters_of(a, set, t, data);
        if (j.k[t] == 0)
            fail(a, BAD_USAGE, "%s has no labels to count classes by: give "
                 "--k", data->name);
    }
    for (size_t t = 0, r = 0; t < all->n && set->init.n > 0; t++) {
        size_t to = set->pool ? 0 : t;
        int *start = read_start(a, set, t, &all->at[t], j.k[to]);
        if (j.start[to] == NULL)
            j.start[to] = TAKE(a, j.data[to].n, int);
        memcpy(j.start[to] + r, start, all->at[t].n * sizeof *start);
        r += set->pool ? all->at[t].n : 0;
    }
    set->k.n = j.n;                             /* as used */
    set->k.at = j.k;
    return j;
}

/* Each task in features of its own, without those of the other files. */
static void see_apart(job *j, const tasks *all)
{
    j->separate = 1;
    for (size_t t = 0; t < j->n; t++)
        j->data[t] = own_view(&all->at[t]);
}

/* One line for each task; pooled labels are cut apart again. */
static void cluster_entries(report *r, job *j)
{
    tasks *all = r->tasks;
    r->entry = TAKE(j->a, all->n, entry);
    for (size_t i = 0, begin = 0; i < all->n; i++) {
        const task *t = &all->at[i];
        const outcome *o = &j->out[j->set->pool ? 0 : i];
        entry *e = &r->entry[i];
        e->name = t->name;
        e->n = t->n;
        e->d = j->separate ? t->own : j->d;
        e->k = j->k[j->set->pool ? 0 : i];
        e->labels = o->labels + begin;
        e->k_effective = j->set->pool
                             ? count_distinct(j->a, t->n, e->labels)
                             : o->k_effective;
        e->truth = t->truth;
        e->aligned = -1;
        score_entry(j, e, 0);
        begin += j->set->pool ? t->n : 0;
    }
    align_entries(r);
}

/* The first argument, unless it is an option. */
static const char *method_name(int argc, char **argv)
{
    return argc > 0 && !looks_like_option(argv[0]) ? argv[0] : NULL;
}

/* mtc cluster METHOD [options] TASK... */
static void run_cluster(app *a, int argc, char **argv)
{
    settings set;
    report r;
    task pool;
    const method *m = find_method(a, "cluster", method_name(argc, argv));
    words files = parse(a, m->name, m->options, argc - 1, argv + 1, &set);
    memset(&r, 0, sizeof r);
    memset(&pool, 0, sizeof pool);
    need_operands(a, &files, 1, SIZE_MAX, "at least one TASK file");
    settle_cluster(a, &set, files.n);
    tasks all = load_tasks(a, &files, set.labels);
    int separate = is_separate(m) && !set.pool;
    (separate ? preprocess_each : preprocess)(a, &all, set.preprocess);
    if (set.pool)
        pool = stack(a, &all);
    mtc_context ctx = context_of(a, set.seed);
    job j = cluster_job(a, &ctx, &set, &all, &pool);
    if (separate)
        see_apart(&j, &all);
    r.method = m;
    r.job = &j;
    r.tasks = &all;
    run_job(m, &j, &r.seconds);
    cluster_entries(&r, &j);
    deliver(&r);
}

/* ---- transfer ---- */

/* The place of `label` among the classes; a label that is not there gets a
 * number of its own beyond them, so that no prediction can equal it. */
static int class_index(const int *classes, size_t n, int label,
                       const int *strangers, size_t n_strangers)
{
    for (size_t c = 0; c < n; c++)
        if (classes[c] == label)
            return (int)c;
    for (size_t s = 0; s < n_strangers; s++)
        if (strangers[s] == label)
            return (int)(n + s);
    return -1;
}

/* The sources' classes, ascending, become 0, 1, ...; the target's truth goes
 * through the same map.  `pool` is the sources stacked. */
static void map_classes(app *a, tasks *sources, task *pool, task *target,
                        report *r)
{
    size_t n_strangers = 0;
    r->classes = distinct(a, pool->n, pool->truth, &r->n_classes);
    for (size_t i = 0, q = 0; i < sources->n; i++)
        for (size_t p = 0; p < sources->at[i].n; p++, q++) {
            int label = pool->truth[q];
            label = class_index(r->classes, r->n_classes, label, NULL, 0);
            sources->at[i].truth[p] = pool->truth[q] = label;
        }
    if (target->truth == NULL)
        return;
    int *strangers = distinct(a, target->n, target->truth, &n_strangers);
    for (size_t p = 0; p < target->n; p++)
        target->truth[p] = class_index(r->classes, r->n_classes,
                                       target->truth[p], strangers,
                                       n_strangers);
}

/* The target is the job's one task. */
static job transfer_job(app *a, mtc_context *ctx, settings *set,
                        const tasks *sources, const task *pool,
                        const task *target, size_t classes)
{
    job j = new_job(a, ctx, set, 1, sources->d);
    j.name[0] = target->name;
    j.data[0] = view_of(target);
    j.k[0] = classes;
    j.n_sources = sources->n;
    j.source = TAKE(a, sources->n, mtc_data);
    j.source_labels = TAKE(a, sources->n, int *);
    for (size_t i = 0; i < sources->n; i++) {
        j.source[i] = view_of(&sources->at[i]);
        j.source_labels[i] = sources->at[i].truth;
    }
    j.all_sources = view_of(pool);
    j.all_labels = pool->truth;
    if (set->init.n > 1)
        fail(a, BAD_USAGE, "--init takes one file: the target's start");
    if (set->init.n == 1)
        j.start[0] = read_start(a, set, 0, target, classes);
    return j;
}

/* One line: the target's. */
static void transfer_entry(report *r, job *j, const task *target)
{
    entry *e = r->entry = TAKE(j->a, 1, entry);
    e->name = target->name;
    e->n = target->n;
    e->d = j->separate ? target->own : j->d;
    e->k = j->k[0];
    e->labels = j->out[0].labels;
    e->k_effective = count_distinct(j->a, e->n, e->labels);
    e->truth = target->truth;
    e->aligned = -1;
    score_entry(j, e, !j->separate);    /* there they are clusters */
}

/* Files in one feature space, preprocessed together, or the last of them by
 * itself. */
static tasks load_space(app *a, const settings *set, const words *files,
                        int last_apart)
{
    tasks all = load_tasks(a, files, set->labels);
    tasks first = {all.n - 1, all.d, all.kept, all.at};
    tasks last = {1, all.d, all.kept, &all.at[all.n - 1]};
    preprocess(a, last_apart ? &first : &all, set->preprocess);
    if (last_apart)
        preprocess(a, &last, set->preprocess);
    return all;
}

static void add_file(app *a, words *files, const char *path)
{
    add_word(a, files, path, strlen(path));
}

/* Sources and the first views of bridges, and the target with the second
 * views: one list if all have the same features, the target last. */
static tasks load_transfer(app *a, settings *set, int separate, tasks *second)
{
    words files = {0, 0, NULL}, others = {0, 0, NULL};
    if (set->source.n == 0)
        fail(a, BAD_USAGE, "--source FILE... is missing");
    if (set->target == NULL)
        fail(a, BAD_USAGE, "--target FILE is missing");
    for (size_t i = 0; i < set->source.n; i++)
        add_file(a, &files, set->source.at[i]);
    for (size_t i = 0; i < set->bridge.n; i++)
        add_file(a, &files, set->bridge.at[i]);
    if (set->view1 != NULL) {
        add_file(a, &files, set->view1);
        add_file(a, &others, set->view2);
    }
    add_file(a, set->view1 != NULL ? &others : &files, set->target);
    tasks all = load_space(a, set, &files, separate);
    for (size_t i = 0; i < set->source.n; i++)
        if (all.at[i].truth == NULL)
            fail(a, BAD_DATA, "%s: a source needs labels", all.at[i].file);
    *second = set->view1 != NULL ? load_space(a, set, &others, 0) : all;
    tasks alone = {1, second->d, second->kept, &second->at[second->n - 1]};
    name_task(a, &alone, 0);        /* a source of its name does not matter */
    return all;
}

/* A method that goes by way of bridges has them, in one form. */
static void settle_bridges(app *a, const settings *set, const method *m)
{
    if (m->run != run_ttl)
        return;
    if ((set->view1 == NULL) != (set->view2 == NULL))
        fail(a, BAD_USAGE, "--view1 and --view2 go together");
    if ((set->bridge.n > 0) == (set->view1 != NULL))
        fail(a, BAD_USAGE, "ttl needs --bridge FILE..., or --view1 FILE "
             "--view2 FILE");
}

/* The bridges stand behind the sources; a second view is first in `second`. */
static void take_bridges(job *j, const tasks *all, const tasks *second)
{
    const settings *set = j->set;
    j->n_bridges = set->bridge.n + (set->view1 != NULL);
    j->bridge = TAKE(j->a, j->n_bridges + 1, mtc_data);
    for (size_t b = 0; b < j->n_bridges; b++)
        j->bridge[b] = view_of(&all->at[set->source.n + b]);
    if (set->view1 == NULL)
        return;
    j->view = TAKE(j->a, 1, mtc_data);
    j->view[0] = view_of(&second->at[0]);
    if (j->view[0].n != j->bridge[0].n)
        fail(j->a, BAD_DATA, "%s has %zu samples, %s %zu: views are of the "
             "same samples", set->view1, j->bridge[0].n, set->view2,
             j->view[0].n);
}

/* mtc transfer METHOD [options] --source FILE... --target FILE */
static void run_transfer(app *a, int argc, char **argv)
{
    settings set;
    report r;
    const method *m = find_method(a, "transfer", method_name(argc, argv));
    words rest = parse(a, m->name, m->options, argc - 1, argv + 1, &set);
    memset(&r, 0, sizeof r);
    need_operands(a, &rest, 0, 0, "its files behind --source and --target");
    int separate = is_separate(m);
    settle_bridges(a, &set, m);
    if (separate && set.k.n > 1)
        fail(a, BAD_USAGE, "--k has %zu numbers for one target", set.k.n);
    a->apart = separate;            /* the target's classes are its own */
    tasks second, all = load_transfer(a, &set, separate, &second);
    task *target = &second.at[second.n - 1];
    tasks sources = {set.source.n, all.d, all.kept, all.at};
    tasks shown = {1, second.d, second.kept, target};
    task pool = stack(a, &sources);
    size_t k = separate ? clusters_of(a, &set, 0, target) : 0;
    r.named = sources.at[0].named;
    for (size_t i = 1; i < sources.n; i++)
        if (sources.at[i].named != r.named)
            fail(a, BAD_DATA, "%s: labels are words, but in %s they are "
                 "numbers", sources.at[r.named ? 0 : i].file,
                 sources.at[r.named ? i : 0].file);
    map_classes(a, &sources, &pool, target, &r);
    if (!separate && set.k.n > 0 &&
        (set.k.n > 1 || set.k.at[0] != r.n_classes))
        fail(a, BAD_USAGE, "--k: the source%s %zu classes",
             sources.n == 1 ? " has" : "s have", r.n_classes);
    mtc_context ctx = context_of(a, set.seed);
    job j = transfer_job(a, &ctx, &set, &sources, &pool, target,
                         k > 0 ? k : r.n_classes);
    j.separate = separate;
    j.d = second.d;
    take_bridges(&j, &all, &second);
    if (separate) {
        j.data[0] = own_view(target);
        j.all_sources = own_view(&pool);
    }
    set.k.n = 1;                                /* as used */
    set.k.at = j.k;
    r.method = m;
    r.job = &j;
    r.tasks = &shown;
    run_job(m, &j, &r.seconds);
    transfer_entry(&r, &j, target);
    deliver(&r);
}

/* ---- bridge ---- */

/* A domain that may stand between source and target. */
typedef struct candidate {
    const char *name;
    double score;
    mtc_real features[MTC_BRIDGE_FEATURES];
    mtc_bridge_gain gain;           /* of --try */
} candidate;

/* A run of `mtc bridge`: its candidates, and what the score was fitted to. */
typedef struct ranking {
    const settings *set;
    size_t n, n_triples;            /* triples 0: score by the rule */
    candidate *c;                   /* [n] */
    mtc_real *features;             /* [n_triples*6] */
    int *helps;                     /* [n_triples] */
    mtc_bridge_model model;
} ranking;

static const char *const feature_names[MTC_BRIDGE_FEATURES] = {
    "complexity_source",      "complexity_bridge",      "complexity_target",
    "distance_source_bridge", "distance_source_target",
    "distance_bridge_target"};

static int compare_candidates(const void *x, const void *y)
{
    const candidate *a = (const candidate *)x, *b = (const candidate *)y;
    return a->score != b->score ? (a->score < b->score) - (a->score > b->score)
                                : strcmp(a->name, b->name);
}

/* The rows of one file of --triples go behind those there are. */
static void add_triples(app *a, ranking *r, const char *path)
{
    const size_t q = MTC_BRIDGE_FEATURES;
    task t = read_matrix(a, path);
    size_t n = r->n_triples + t.n;
    mtc_real *features = TAKE(a, n * q, mtc_real);
    int *helps = TAKE(a, n, int);
    if (t.n == 0 || t.d != q + 1)
        fail(a, BAD_DATA, "%s: %zu lines of %zu numbers; needed are seven in a "
             "line, six features and the outcome", path, t.n, t.d);
    if (r->n_triples > 0) {
        memcpy(features, r->features, r->n_triples * q * sizeof *features);
        memcpy(helps, r->helps, r->n_triples * sizeof *helps);
    }
    for (size_t i = 0; i < t.n; i++) {
        mtc_real last = t.values[i * t.d + q];
        if (last != 0 && last != 1)
            fail(a, BAD_DATA, "%s: triple %zu ends with %g, neither 0 nor 1",
                 path, i + 1, (double)last);
        helps[r->n_triples + i] = last > 0;
        memcpy(features + (r->n_triples + i) * q, t.values + i * t.d,
               q * sizeof *features);
    }
    r->features = features;
    r->helps = helps;
    r->n_triples = n;
}

/* The score by the files of --triples. */
static void fit_triples(app *a, mtc_context *ctx, ranking *r)
{
    const settings *set = r->set;
    size_t good = 0;
    for (size_t i = 0; i < set->triples.n; i++)
        add_triples(a, r, set->triples.at[i]);
    for (size_t i = 0; i < r->n_triples; i++)
        good += r->helps[i] > 0;
    if (good == 0 || good == r->n_triples)
        fail(a, BAD_DATA, "--triples: %s of the %zu helped; needed are both "
             "kinds", good == 0 ? "none" : "all", r->n_triples);
    check(a, ctx, mtc_bridge_fit(ctx, r->n_triples, r->features, r->helps,
                                 is(set->form, "links") ? MTC_BRIDGE_LINKS
                                                        : MTC_BRIDGE_LINEAR,
                                 (mtc_real)set->ridge, &r->model),
          "--triples");
}

static void print_candidates(app *a, const ranking *r, int width)
{
    const candidate *c = r->c;
    int tried = r->set->try_out;
    text t = {NULL, 0, 0};
    width = width < 9 ? 9 : width;
    put(a, &t, "%-*s  score   complexity of          A-distance%s\n"
        "%-*s          source bridge target  s-bridge   s-t  bridge-t%s\n",
        width, "candidate", tried ? "             target right" : "",
        width, "", tried ? "  direct bridged" : "");
    for (size_t i = 0; i < r->n; i++) {
        put(a, &t, "%-*s %6.3f ", width, c[i].name, c[i].score);
        for (size_t q = 0; q < MTC_BRIDGE_FEATURES; q++)
            put(a, &t, q < 3 ? " %6.3f" : q == 3 ? "    %6.3f" : q == 4
                ? " %6.3f" : "    %6.3f", (double)c[i].features[q]);
        if (tried)
            put(a, &t, "  %6.3f  %6.3f%s", (double)c[i].gain.direct,
                (double)c[i].gain.bridged, c[i].gain.helps ? "  helps" : "");
        put(a, &t, "\n");
    }
    if (r->n_triples > 0)
        put(a, &t, "score: chance to help, fitted to %zu triples\n",
            r->n_triples);
    save(a, "-", &t);
}

/* How the score came about. */
static void json_model(app *a, text *t, const ranking *r)
{
    mtc_real *scores = TAKE(a, r->n_triples, mtc_real);
    for (size_t i = 0; i < r->n_triples; i++)
        scores[i] = mtc_bridge_score(&r->model,
                                     r->features + i * MTC_BRIDGE_FEATURES);
    put(a, t, ",\n  \"model\": {\"form\": \"%s\", \"ridge\": ", r->set->form);
    put_real(a, t, r->set->ridge);
    put(a, t, ", \"bias\": ");
    put_real(a, t, (double)r->model.bias);
    put(a, t, ", \"weights\": ");
    put_reals(a, t, MTC_BRIDGE_FEATURES, r->model.weight);
    put(a, t, ", \"link\": ");
    put_real(a, t, (double)r->model.link);
    put(a, t, ",\n    \"triples\": %zu, \"scores\": ", r->n_triples);
    put_reals(a, t, r->n_triples, scores);
    put(a, t, "}");
}

static void json_candidates(app *a, const ranking *r)
{
    text t = {NULL, 0, 0};
    put(a, &t, "{\n  \"feature_names\": [");
    for (size_t q = 0; q < MTC_BRIDGE_FEATURES; q++)
        put(a, &t, "%s\"%s\"", q == 0 ? "" : q == 3 ? ",\n    " : ", ",
            feature_names[q]);
    put(a, &t, "],\n  \"candidates\": [");
    for (size_t i = 0; i < r->n; i++) {
        const candidate *c = &r->c[i];
        put(a, &t, "%s{\"rank\": %zu, \"name\": ",
            i == 0 ? "\n    " : ",\n    ", i + 1);
        put_escaped(a, &t, c->name, 0);
        put(a, &t, ", \"score\": ");
        put_real(a, &t, c->score);
        put(a, &t, ", \"features\": ");
        put_reals(a, &t, MTC_BRIDGE_FEATURES, c->features);
        if (r->set->try_out)
            put(a, &t, ", \"direct\": %.17g, \"bridged\": %.17g, \"helps\": %s",
                (double)c->gain.direct, (double)c->gain.bridged,
                c->gain.helps ? "true" : "false");
        put(a, &t, "}");
    }
    put(a, &t, "]");
    if (r->n_triples > 0)
        json_model(a, &t, r);
    put(a, &t, "\n}\n");
    save(a, r->set->json, &t);
}

/* The candidates with their outcomes, as --triples reads them. */
static void write_triples(app *a, const ranking *r)
{
    text t = {NULL, 0, 0};
    for (size_t q = 0; q < MTC_BRIDGE_FEATURES; q++)
        put(a, &t, "%s,", feature_names[q]);
    put(a, &t, "helps\n");
    for (size_t i = 0; i < r->n; i++) {
        for (size_t q = 0; q < MTC_BRIDGE_FEATURES; q++)
            put(a, &t, "%.17g,", (double)r->c[i].features[q]);
        put(a, &t, "%d\n", r->c[i].gain.helps);
    }
    save_directory(a, r->set->out);
    save(a, join_path(a, r->set->out, "triples", ".csv"), &t);
}

/* Labels of source and target as --try needs them: the source's classes are
 * 0, 1, ..., a class of the target that it has not is one more. */
static size_t try_classes(app *a, task *source, task *target)
{
    report r;
    size_t n = 0;
    memset(&r, 0, sizeof r);
    if (source->truth == NULL || target->truth == NULL)
        fail(a, BAD_DATA, "%s: --try needs labels", source->truth == NULL
             ? source->file : target->file);
    tasks one = {1, source->d, source->d, source};
    task pool = stack(a, &one);
    map_classes(a, &one, &pool, target, &r);
    for (size_t i = 0; i < target->n; i++)
        n = (size_t)target->truth[i] >= n ? (size_t)target->truth[i] + 1 : n;
    return n > r.n_classes ? n : r.n_classes;
}

#define BRIDGE_OPTIONS \
    "source.one target triples form=links ridge.score=1e-3 try " \
    "gamma.try=12.5 out.triples preprocess=none labels=auto json quiet ~seed"

static void settle_bridge(app *a, const settings *set)
{
    if (set->origin == NULL || set->target == NULL)
        fail(a, BAD_USAGE, "%s FILE is missing",
             set->origin == NULL ? "--source" : "--target");
    if (set->out != NULL && !set->try_out)
        fail(a, BAD_USAGE, "--out goes with --try");
}

/* mtc bridge --source FILE --target FILE CANDIDATE... */
static void run_bridge(app *a, int argc, char **argv)
{
    settings set;
    ranking r;
    words files = parse(a, "bridge", BRIDGE_OPTIONS, argc, argv, &set);
    need_operands(a, &files, 1, SIZE_MAX, "one CANDIDATE file or more");
    settle_bridge(a, &set);
    memset(&r, 0, sizeof r);
    r.set = &set;
    r.n = files.n;
    r.c = TAKE(a, r.n, candidate);
    mtc_context ctx = context_of(a, 1);
    if (set.triples.n > 0)
        fit_triples(a, &ctx, &r);
    add_file(a, &files, set.origin);
    add_file(a, &files, set.target);
    tasks all = load_space(a, &set, &files, 0);
    task *from = &all.at[r.n], *to = &all.at[r.n + 1];
    size_t classes = set.try_out ? try_classes(a, from, to) : 0;
    mtc_data S = view_of(from), T = view_of(to);
    for (size_t i = 0; i < r.n; i++) {
        candidate *c = &r.c[i];
        mtc_data X = view_of(&all.at[i]);
        c->name = all.at[i].name;
        check(a, &ctx, mtc_bridge_features(&ctx, &S, &X, &T, c->features),
              c->name);
        if (set.try_out)
            check(a, &ctx, mtc_bridge_try(&ctx, &S, from->truth, &X, &T,
                                          to->truth, classes,
                                          (mtc_real)set.gamma, &c->gain),
                  c->name);
        c->score = (double)mtc_bridge_score(
            r.n_triples > 0 ? &r.model : NULL, c->features);
    }
    qsort(r.c, r.n, sizeof *r.c, compare_candidates);
    wipe_progress(a);
    if (set.out != NULL)
        write_triples(a, &r);
    if (set.json != NULL)
        json_candidates(a, &r);
    if (!set.quiet && !is(set.json, "-"))
        print_candidates(a, &r, name_width(&all));
}

/* ---- relate ---- */

typedef struct relation {
    size_t n;
    mtc_real *mmd, *a_distance, *emd;   /* [n*n]; emd NULL: no k */
    mtc_real *complexity;               /* [n] */
} relation;

/* A feature counts as rare below this share of samples. */
#define CLI_RARE ((mtc_real)0.1)

/* All measures are symmetric: one computation fills both places. */
static void relate_pair(job *j, relation *r, size_t s, size_t t)
{
    const mtc_data *X = &j->data[s], *Y = &j->data[t];
    mtc_real mmd, a_distance, emd = 0;
    check(j->a, j->ctx, mtc_mmd(j->ctx, X, Y, 0, &mmd), j->name[s]);
    check(j->a, j->ctx, mtc_a_distance(j->ctx, X, Y, &a_distance),
          j->name[s]);
    r->mmd[s * r->n + t] = r->mmd[t * r->n + s] = mmd;
    r->a_distance[s * r->n + t] = r->a_distance[t * r->n + s] = a_distance;
    if (r->emd == NULL)
        return;
    check(j->a, j->ctx,
          mtc_partition_emd(j->ctx, X, j->out[s].labels, j->k[s], Y,
                            j->out[t].labels, j->k[t], NULL, &emd),
          j->name[s]);
    r->emd[s * r->n + t] = r->emd[t * r->n + s] = emd;
}

/* All measures; the partitions are those of k-means. */
static relation relate_all(job *j)
{
    app *a = j->a;
    relation r = {j->n, TAKE(a, j->n * j->n, mtc_real),
                  TAKE(a, j->n * j->n, mtc_real),
                  TAKE(a, j->n * j->n, mtc_real), TAKE(a, j->n, mtc_real)};
    for (size_t t = 0; t < j->n; t++) {
        check(a, j->ctx, mtc_complexity(j->ctx, &j->data[t], CLI_RARE,
                                        &r.complexity[t]), j->name[t]);
        if (j->data[t].d < j->d)    /* what was left out is rare indeed */
            r.complexity[t] = 1 - (1 - r.complexity[t]) *
                                  (mtc_real)j->data[t].d / (mtc_real)j->d;
        if (j->k[t] == 0) {
            warn(a, "%s has no labels to count classes by: no emd without "
                 "--k", j->name[t]);
            r.emd = NULL;
        }
    }
    for (size_t t = 0; t < j->n && r.emd != NULL; t++)
        run_kmeans(j, t);
    for (size_t s = 0; s < j->n; s++)
        for (size_t t = s + 1; t < j->n; t++)
            relate_pair(j, &r, s, t);
    return r;
}

/* A titled matrix with `columns` columns, or one column of figures. */
static void put_relation(job *j, text *out, const char *title,
                         const mtc_real *x, size_t columns, int width)
{
    put(j->a, out, "%-*s", width, title);
    for (size_t t = 0; t < columns; t++)
        put(j->a, out, " %12.12s", columns > 1 ? j->name[t] : "");
    put(j->a, out, "\n");
    for (size_t s = 0; s < j->n; s++) {
        put(j->a, out, "%-*s", width, j->name[s]);
        for (size_t t = 0; t < columns; t++)
            put(j->a, out, " %12.6g", (double)x[s * columns + t]);
        put(j->a, out, "\n");
    }
    put(j->a, out, "\n");
}

static void print_relation(job *j, const relation *r, int width)
{
    text t = {NULL, 0, 0};
    width = width < 12 ? 12 : width;
    put_relation(j, &t, "mmd", r->mmd, r->n, width);
    put_relation(j, &t, "a_distance", r->a_distance, r->n, width);
    if (r->emd != NULL)
        put_relation(j, &t, "emd", r->emd, r->n, width);
    put_relation(j, &t, "complexity", r->complexity, 1, width);
    t.length--;                                 /* the last blank entry */
    save(j->a, "-", &t);
}

static void json_relation(job *j, const relation *r)
{
    app *a = j->a;
    text t = {NULL, 0, 0};
    put(a, &t, "{\n  \"mmd\": ");
    put_matrix(a, &t, r->n, r->n, r->mmd);
    put(a, &t, ",\n  \"a_distance\": ");
    put_matrix(a, &t, r->n, r->n, r->a_distance);
    put(a, &t, ",\n  \"emd\": ");
    if (r->emd != NULL)
        put_matrix(a, &t, r->n, r->n, r->emd);
    else
        put(a, &t, "null");
    put(a, &t, ",\n  \"complexity\": ");
    put_reals(a, &t, r->n, r->complexity);
    put(a, &t, "\n}\n");
    save(a, j->set->json, &t);
}

#define RELATE_OPTIONS \
    "k seed=1 restarts=10 iterations=300 tolerance=0 preprocess=none " \
    "labels=auto json quiet"

/* mtc relate [options] TASK TASK... */
static void run_relate(app *a, int argc, char **argv)
{
    settings set;
    words files = parse(a, "relate", RELATE_OPTIONS, argc, argv, &set);
    need_operands(a, &files, 2, SIZE_MAX, "two TASK files or more");
    settle_cluster(a, &set, files.n);
    tasks all = load_tasks(a, &files, set.labels);
    preprocess(a, &all, set.preprocess);
    mtc_context ctx = context_of(a, set.seed);
    job j = new_job(a, &ctx, &set, all.n, all.d);
    for (size_t t = 0; t < j.n; t++) {
        j.name[t] = all.at[t].name;
        j.data[t] = view_of(&all.at[t]);
        j.k[t] = clusters_of(a, &set, t, &all.at[t]);
    }
    relation r = relate_all(&j);
    wipe_progress(a);
    if (set.json != NULL)
        json_relation(&j, &r);
    if (!set.quiet && !is(set.json, "-"))
        print_relation(&j, &r, name_width(&all));
}

/* ---- emd ---- */

typedef struct transport {
    size_t m, n;
    const mtc_real *cost;                       /* [m*n] */
    mtc_real *supply, *demand;                  /* [m], [n] */
    mtc_real *plan, *row_dual, *column_dual;    /* [m*n], [m], [n] */
    mtc_emd_info info;
} transport;

/* A marginal of `n` numbers from its file, or 1/n each. */
static mtc_real *marginal(app *a, const char *path, size_t n,
                          const char *what)
{
    mtc_real *x = TAKE(a, n, mtc_real);
    size_t found = n;
    double *read = path != NULL
        ? read_column(a, path, 0, CLI_REAL_MAX, 0, &found) : NULL;
    if (found != n)
        fail(a, BAD_DATA, "%s: %zu numbers for %zu %s of the costs", path,
             found, n, what);
    for (size_t i = 0; i < n; i++)
        x[i] = (mtc_real)(read != NULL ? read[i] : 1 / (double)n);
    return x;
}

/* Totals that differ are the one fault that needs more words. */
static void solve_transport(app *a, mtc_context *ctx, transport *p,
                            const char *file)
{
    void *work = take(a, mtc_emd_work(p->m, p->n), 1);
    p->plan = TAKE(a, p->m * p->n, mtc_real);
    p->row_dual = TAKE(a, p->m, mtc_real);
    p->column_dual = TAKE(a, p->n, mtc_real);
    mtc_status s = mtc_emd(ctx, p->m, p->n, p->cost, p->n, p->supply,
                           p->demand, NULL, p->plan, p->row_dual,
                           p->column_dual, &p->info, work);
    if (s == MTC_INVALID) {
        double supply = 0, demand = 0;
        for (size_t i = 0; i < p->m; i++)
            supply += (double)p->supply[i];
        for (size_t i = 0; i < p->n; i++)
            demand += (double)p->demand[i];
        fail(a, BAD_DATA, "%s: supply %g and demand %g have to be equal and "
             "above 0", file, supply, demand);
    }
    check(a, ctx, s, file);
}

static void json_transport(app *a, const transport *p, const char *path)
{
    text t = {NULL, 0, 0};
    put(a, &t, "{\n  \"cost\": ");
    put_real(a, &t, (double)p->info.cost);
    put(a, &t, ",\n  \"plan\": ");
    put_matrix(a, &t, p->m, p->n, p->plan);
    put(a, &t, ",\n  \"row_dual\": ");
    put_reals(a, &t, p->m, p->row_dual);
    put(a, &t, ",\n  \"column_dual\": ");
    put_reals(a, &t, p->n, p->column_dual);
    put(a, &t, ",\n  \"gap\": ");
    put_real(a, &t, (double)p->info.gap);
    put(a, &t, ",\n  \"pivots\": %zu\n}\n", p->info.pivots);
    save(a, path, &t);
}

/* The cost, its certificate, and what goes where (0-based). */
static void print_transport(app *a, const transport *p)
{
    text t = {NULL, 0, 0};
    put(a, &t, "cost   %.10g\ngap    %.3g\npivots %zu\n\n",
        (double)p->info.cost, (double)p->info.gap, p->info.pivots);
    put(a, &t, "%6s %6s %14s %14s\n", "row", "column", "amount", "cost");
    for (size_t q = 0; q < p->m * p->n; q++)
        if (p->plan[q] > 0)
            put(a, &t, "%6zu %6zu %14.8g %14.8g\n", q / p->n, q % p->n,
                (double)p->plan[q], (double)p->cost[q]);
    save(a, "-", &t);
}

#define EMD_OPTIONS "supply demand json quiet"

/* mtc emd [options] COST.csv */
static void run_emd(app *a, int argc, char **argv)
{
    settings set;
    task costs;
    transport p;
    words files = parse(a, "emd", EMD_OPTIONS, argc, argv, &set);
    need_operands(a, &files, 1, 1, "one file of costs");
    memset(&costs, 0, sizeof costs);
    memset(&p, 0, sizeof p);
    costs.file = files.at[0];
    read_csv(a, &costs, "none");
    if (costs.n == 0)
        fail(a, BAD_DATA, "%s: no costs", costs.file);
    p.m = costs.n;
    p.n = costs.d;
    p.cost = costs.values;
    p.supply = marginal(a, set.supply, p.m, "rows");
    p.demand = marginal(a, set.demand, p.n, "columns");
    mtc_context ctx = context_of(a, 1);
    solve_transport(a, &ctx, &p, costs.file);
    wipe_progress(a);
    if (set.json != NULL)
        json_transport(a, &p, set.json);
    if (!set.quiet && !is(set.json, "-"))
        print_transport(a, &p);
}

/* ---- centroid ---- */

/* Pairs of means, and what lies between them: u is the least of
 * A d(left || u) + B d(u || right), Eq. 14 of [ZZ10]. */
typedef struct means {
    size_t n, d;
    mtc_real A, B;
    const mtc_real *left, *right;               /* [n*d] */
    mtc_real *u, *value;                        /* [n*d], [n] */
} means;

static means read_means(app *a, const settings *set, const words *files)
{
    task left = read_matrix(a, files->at[0]);
    task right = read_matrix(a, files->at[1]);
    const double *w = set->weights.at;
    if (left.n == 0)
        fail(a, BAD_DATA, "%s: no means", left.file);
    if (left.n != right.n || left.d != right.d)
        fail(a, BAD_DATA, "%s has %zu x %zu numbers, %s %zu x %zu: the means "
             "are compared row by row", left.file, left.n, left.d, right.file,
             right.n, right.d);
    means m = {left.n, left.d, (mtc_real)w[0], (mtc_real)w[1], left.values,
               right.values, TAKE(a, left.n * left.d, mtc_real),
               TAKE(a, left.n, mtc_real)};
    return m;
}

static void json_means(app *a, const means *m, const char *path)
{
    text t = {NULL, 0, 0};
    put(a, &t, "{\n  \"centroids\": ");
    put_matrix(a, &t, m->n, m->d, m->u);
    put(a, &t, ",\n  \"values\": ");
    put_reals(a, &t, m->n, m->value);
    put(a, &t, "\n}\n");
    save(a, path, &t);
}

static void print_means(app *a, const means *m)
{
    text t = {NULL, 0, 0};
    put(a, &t, "%6s %14s  centroid\n", "row", "value");
    for (size_t i = 0; i < m->n; i++) {
        put(a, &t, "%6zu %14.8g ", i, (double)m->value[i]);
        for (size_t c = 0; c < m->d; c++)
            put(a, &t, " %.8g", (double)m->u[i * m->d + c]);
        put(a, &t, "\n");
    }
    save(a, "-", &t);
}

#define CENTROID_OPTIONS \
    "weights=1,.5 divergence=sqeuclidean metric centroid=exact json quiet"

/* mtc centroid [options] OWN.csv OTHER.csv */
static void run_centroid(app *a, int argc, char **argv)
{
    settings set;
    mtc_metric metric;
    words files = parse(a, "centroid", CENTROID_OPTIONS, argc, argv, &set);
    need_operands(a, &files, 2, 2, "two files of means, OWN and OTHER");
    if (set.weights.n != 2 || !(set.weights.at[0] > 0))
        fail(a, BAD_USAGE, "--weights: expected two numbers A,B with A "
             "above 0");
    means m = read_means(a, &set, &files);
    mtc_divergence div = divergence_of(a, &set, m.d, &metric);
    admit(a, &div, files.at[0], m.n, m.d, m.left, 0);
    admit(a, &div, files.at[1], m.n, m.d, m.right, 0);
    mtc_context ctx = context_of(a, 1);
    for (size_t i = 0; i < m.n; i++) {
        const mtc_real *left = m.left + i * m.d, *right = m.right + i * m.d;
        mtc_real *u = m.u + i * m.d;
        check(a, &ctx, mtc_mbc_centroid(&ctx, &div, middle_of(&set), m.d, m.A,
                                        m.B, left, right, u), files.at[0]);
        m.value[i] = m.A * div.value(div.user, m.d, left, u) +
                     m.B * div.value(div.user, m.d, u, right);
    }
    wipe_progress(a);
    if (set.json != NULL)
        json_means(a, &m, set.json);
    if (!set.quiet && !is(set.json, "-"))
        print_means(a, &m);
}

/* ---- score ---- */

/* True labels from a data file by its ending, else one a line. */
static int *read_truth(app *a, const char *path, const char *labels,
                       size_t *n)
{
    if (!is_csv(path) && !is_libsvm(path))
        return read_labels(a, path, INT_MIN, INT_MAX, n);
    task t = read_task(a, path, labels);
    if (t.truth == NULL && is_csv(path) && t.d == 1)
        return read_labels(a, path, INT_MIN, INT_MAX, n);
    if (t.truth == NULL)
        fail(a, BAD_DATA, "%s: no labels", path);
    *n = t.n;
    return t.truth;
}

#define SCORE_OPTIONS "labels=auto json quiet"

/* mtc score [options] PREDICTED TRUTH */
static void run_score(app *a, int argc, char **argv)
{
    settings set;
    size_t n, m;
    mtc_scores s;
    text json = {NULL, 0, 0}, table = {NULL, 0, 0};
    words files = parse(a, "score", SCORE_OPTIONS, argc, argv, &set);
    need_operands(a, &files, 2, 2, "two files, PREDICTED and TRUTH");
    int *predicted = read_labels(a, files.at[0], INT_MIN, INT_MAX, &n);
    int *truth = read_truth(a, files.at[1], set.labels, &m);
    if (n != m)
        fail(a, BAD_DATA, "%s has %zu labels, %s has %zu", files.at[0], n,
             files.at[1], m);
    mtc_context ctx = context_of(a, 1);
    check(a, &ctx, mtc_score(&ctx, n, truth, predicted, &s), files.at[0]);
    if (set.json != NULL) {
        put(a, &json, "{\"acc\": %.17g, \"nmi\": %.17g, \"ari\": %.17g, "
            "\"purity\": %.17g}\n", (double)s.accuracy, (double)s.nmi,
            (double)s.ari, (double)s.purity);
        save(a, set.json, &json);
    }
    if (!set.quiet && !is(set.json, "-")) {
        put(a, &table, "%8s %8s %8s %8s %8s\n%8zu %8.4f %8.4f %8.4f %8.4f\n",
            "n", "acc", "nmi", "ari", "purity", n, (double)s.accuracy,
            (double)s.nmi, (double)s.ari, (double)s.purity);
        save(a, "-", &table);
    }
}

/* ==========================================================================
 * Part 10  Comparison: does sharing help this data?
 *
 * Every method of `cluster` runs with its defaults, each run a trial: one
 * that cannot take this data gets a line that says why.  Rows are of a kind:
 *   single   each task by itself;
 *   pooled   k-means on all tasks as one: sharing at its plainest;
 *   shared   methods that share between tasks (`joint` in their table);
 *   control  those two again on data whose columns are permuted in each task
 *            independently, so that nothing is shared any more.
 * With truth in every file, labels are scored by it.  Without, two figures
 * stand in: `stability`, the mean ARI between the labellings of runs that
 * each leave out a fifth of the rows, extended to all rows by the nearest
 * cluster mean; and `loss`, the mean squared distance to the own cluster's
 * mean.  All is repeated with other seeds: a mean and its standard error.
 * ========================================================================== */

enum { FOLDS = 5, FIGURES = 3 };

/* Below this a difference is none, even if no seed makes any. */
#define CLI_MARGIN 0.005

typedef struct estimate { double mean, error; } estimate;

/* One row of the table. */
typedef struct contender {
    const method *method;
    int pooled, control;
    trial trial;                    /* of its last run */
    double seconds;                 /* all runs together */
    double *figure;                 /* [repeats * tasks * FIGURES] */
    estimate result[FIGURES];       /* of the means over tasks */
    size_t unused;                  /* clusters that stayed empty, at worst */
} contender;

typedef struct comparison {
    app *a;
    const settings *set;
    const tasks *all;
    tasks mixed;                    /* columns permuted; n = 0: no control */
    int truth;
    counts k, pooled_k;             /* pooled_k.n = 0: tasks differ in k */
    contender *row;
    size_t rows, room;
} comparison;

/* The figures of a row without truth and with it; the first decides. */
static const char *const figure_name[2][FIGURES] = {
    {"stability", "loss", NULL}, {"acc", "nmi", "ari"}};

/* ---- one run ---- */

/* Labels [tasks] of [n] of data by a run of r's method. */
static void run_contender(comparison *c, contender *r, const tasks *data,
                          uint64_t seed, int **labels)
{
    app *a = c->a;
    settings set;
    task pool;
    double seconds;
    memset(&pool, 0, sizeof pool);
    set_defaults(a, r->method->options, &set);
    set.seed = seed;
    set.pool = r->pooled;
    set.k = set.pool ? c->pooled_k : c->k;
    if (set.k.n == 0)
        fail(a, BAD_USAGE, "tasks have different numbers of clusters");
    settle_cluster(a, &set, data->n);
    if (set.pool)
        pool = stack(a, data);
    mtc_context ctx = context_of(a, seed);
    job j = cluster_job(a, &ctx, &set, data, &pool);
    if (is_separate(r->method) && !set.pool)
        see_apart(&j, data);
    run_job(r->method, &j, &seconds);
    r->seconds += seconds;
    for (size_t i = 0, begin = 0; i < data->n; i++) {
        const int *from = j.out[set.pool ? 0 : i].labels + begin;
        memcpy(labels[i], from, data->at[i].n * sizeof *from);
        begin += set.pool ? data->at[i].n : 0;
    }
}

/* The same as a trial: 1 if it ran. */
static int try_contender(comparison *c, contender *r, const tasks *data,
                         uint64_t seed, int **labels)
{
    app *a = c->a;
    void *mark = take(a, 1, 1);
    r->trial.reason[0] = '\0';
    a->trial = &r->trial;
    if (setjmp(r->trial.back) == 0)
        run_contender(c, r, data, seed, labels);
    a->trial = NULL;
    pool_rewind(a, mark);
    return r->trial.reason[0] == '\0';
}

/* ---- figures without truth ---- */

/* mean [k*d] of the clusters and, for each, square [k] of its length; < 0:
 * the cluster is empty. */
static double *cluster_means(app *a, const mtc_data *X, const int *labels,
                             size_t k, double *square)
{
    double *mean = TAKE(a, k * X->d, double), *count = TAKE(a, k, double);
    for (size_t i = 0; i < X->n; i++) {
        double *m = mean + (size_t)labels[i] * X->d;
        count[labels[i]]++;
        for (size_t p = row_begin(X, i); p < row_begin(X, i + 1); p++)
            m[column_of(X, p)] += (double)X->values[p];
    }
    for (size_t z = 0; z < k; z++) {
        square[z] = count[z] > 0 ? 0 : -1;
        for (size_t c = 0; c < X->d && count[z] > 0; c++) {
            mean[z * X->d + c] /= count[z];
            square[z] += mean[z * X->d + c] * mean[z * X->d + c];
        }
    }
    pool_release(count);
    return mean;
}

/* |x - m|^2 for row i of X, given |m|^2. */
static double distance_to(const mtc_data *X, size_t i, const double *m,
                          double square)
{
    double sum = square;
    for (size_t p = row_begin(X, i); p < row_begin(X, i + 1); p++) {
        double x = (double)X->values[p];
        sum += x * (x - 2 * m[column_of(X, p)]);
    }
    return sum;
}

/* Mean squared distance to the own cluster's mean. */
static double local_loss(app *a, const task *t, const int *labels, size_t k)
{
    mtc_data X = view_of(t);
    double *square = TAKE(a, k, double), sum = 0;
    double *mean = cluster_means(a, &X, labels, k, square);
    for (size_t i = 0; i < X.n; i++)
        sum += distance_to(&X, i, mean + (size_t)labels[i] * X.d,
                           square[labels[i]]);
    pool_release(mean);
    pool_release(square);
    return sum / (double)X.n;
}

/* Labels of some rows, extended to all [t->n] by the nearest mean. */
static void extend(app *a, const task *some, const int *labels, size_t k,
                   const task *t, int *extended)
{
    mtc_data S = view_of(some), X = view_of(t);
    double *square = TAKE(a, k, double);
    double *mean = cluster_means(a, &S, labels, k, square);
    for (size_t i = 0; i < X.n; i++) {
        double least = 0;
        extended[i] = -1;
        for (size_t z = 0; z < k; z++) {
            if (square[z] < 0)
                continue;
            double distance = distance_to(&X, i, mean + z * X.d, square[z]);
            if (extended[i] < 0 || distance < least) {
                least = distance;
                extended[i] = (int)z;
            }
        }
    }
    pool_release(mean);
    pool_release(square);
}

/* k of a row's labels in task i. */
static size_t clusters_in(const comparison *c, const contender *r, size_t i)
{
    return r->pooled ? c->pooled_k.at[0] : c->k.at[i];
}

/* [n] labels for each task. */
static int **label_arrays(app *a, const tasks *data)
{
    int **labels = TAKE(a, data->n, int *);
    for (size_t i = 0; i < data->n; i++)
        labels[i] = TAKE(a, data->at[i].n, int);
    return labels;
}

/* The f-th run of the stability: without every fifth row, from the f-th;
 * extended [tasks] of [n]. */
static int run_fold(comparison *c, contender *r, const tasks *data,
                    uint64_t seed, size_t f, int **extended)
{
    app *a = c->a;
    tasks part = {data->n, data->d, data->kept, TAKE(a, data->n, task)};
    for (size_t i = 0; i < data->n; i++) {
        part.at[i] = some_rows(a, &data->at[i], FOLDS, f, 0);
        if (part.at[i].n < c->k.at[i])
            return 0;
    }
    int **labels = label_arrays(a, &part);
    if (!try_contender(c, r, &part, seed, labels))
        return 0;
    for (size_t i = 0; i < data->n; i++)
        extend(a, &part.at[i], labels[i], clusters_in(c, r, i), &data->at[i],
               extended[i]);
    return 1;
}

/* stability [tasks]: mean ARI over all pairs of folds; NaN where a fold
 * cannot be run. */
static void find_stability(comparison *c, contender *r, const tasks *data,
                           uint64_t seed, double *stability)
{
    app *a = c->a;
    void *mark = take(a, 1, 1);
    int **extended[FOLDS], fine = 1;
    mtc_context ctx = context_of(a, seed);
    for (size_t f = 0; f < FOLDS && fine; f++) {
        extended[f] = label_arrays(a, data);
        fine = run_fold(c, r, data, seed, f, extended[f]);
    }
    for (size_t i = 0; i < data->n; i++) {
        stability[i * FIGURES] = fine ? 0 : (double)NAN;
        for (size_t f = 0; f < FOLDS && fine; f++)
            for (size_t g = 0; g < f; g++) {
                mtc_scores s;
                check(a, &ctx, mtc_score(&ctx, data->at[i].n, extended[f][i],
                                         extended[g][i], &s), NULL);
                stability[i * FIGURES] += 2 * (double)s.ari /
                                          (FOLDS * (FOLDS - 1));
            }
    }
    pool_rewind(a, mark);
}

/* ---- rows ---- */

/* The figures of one run with that seed, [tasks * FIGURES]; 0: cannot. */
static int measure(comparison *c, contender *r, uint64_t seed, double *figure)
{
    app *a = c->a;
    const tasks *data = r->control ? &c->mixed : c->all;
    void *mark = take(a, 1, 1);
    int **labels = label_arrays(a, data);
    mtc_context ctx = context_of(a, seed);
    int fine = try_contender(c, r, data, seed, labels);
    for (size_t i = 0; i < data->n && fine; i++) {
        const task *t = &data->at[i];
        size_t k = clusters_in(c, r, i);
        size_t used = count_distinct(a, t->n, labels[i]);
        mtc_scores s;
        if (k > used + r->unused && !r->pooled)
            r->unused = k - used;
        if (c->truth) {
            check(a, &ctx, mtc_score(&ctx, t->n, t->truth, labels[i], &s),
                  t->name);
            figure[i * FIGURES] = (double)s.accuracy;
            figure[i * FIGURES + 1] = (double)s.nmi;
            figure[i * FIGURES + 2] = (double)s.ari;
        } else
            figure[i * FIGURES + 1] = local_loss(a, t, labels[i], k);
    }
    pool_rewind(a, mark);
    if (fine && !c->truth)
        find_stability(c, r, data, seed, figure);
    return fine;
}

/* Mean and standard error of n numbers, `step` apart.  Differences from the
 * first keep equal numbers free of rounding. */
static estimate estimate_of(const double *x, size_t n, size_t step)
{
    estimate e = {x[0], 0};
    for (size_t i = 0; i < n; i++)
        e.mean += (x[i * step] - x[0]) / (double)n;
    for (size_t i = 0; i < n; i++)
        e.error += (x[i * step] - e.mean) * (x[i * step] - e.mean);
    e.error = n > 1 ? sqrt(e.error / (double)(n - 1) / (double)n) : 0;
    return e;
}

/* Adds a row and fills it. */
static void contend(comparison *c, const method *m, int pooled, int control)
{
    app *a = c->a;
    size_t n = c->all->n, repeats = c->set->repeats;
    GROW(a, c->row, c->rows, c->room);
    contender *r = &c->row[c->rows++];
    memset(r, 0, sizeof *r);
    r->method = m;
    r->pooled = pooled;
    r->control = control;
    r->figure = TAKE(a, repeats * n * FIGURES, double);
    double *mean = TAKE(a, repeats * FIGURES, double);
    int fine = 1;
    for (size_t s = 0; s < repeats && fine; s++) {
        double *figure = r->figure + s * n * FIGURES;
        sprintf(a->working_on, "%.16s, %zu of %zu: ", m->name, s + 1,
                repeats);
        fine = measure(c, r, c->set->seed + s, figure);
        for (size_t p = 0; p < n * FIGURES; p++)
            mean[s * FIGURES + p % FIGURES] += figure[p] / (double)n;
    }
    for (size_t f = 0; f < FIGURES; f++)
        r->result[f] = estimate_of(mean + f, repeats, FIGURES);
    a->working_on[0] = '\0';
}

/* The rows of one kind of data: 0 as they are, 1 the control. */
static void contend_all(comparison *c, int control)
{
    for (int joint = control; joint < 2; joint++) {
        for (size_t i = 0; i < N_METHODS; i++)
            if (is(methods[i].kind, "cluster") && !methods[i].joint == !joint)
                contend(c, &methods[i], 0, control);
        if (joint == control)                   /* between, or at the end */
            contend(c, &methods[0], 1, control);
    }
}

/* ---- the control: columns permuted ---- */

/* One row of a sparse task with columns renamed, ascending again. */
static void rename_columns(task *t, size_t row, const uint32_t *name)
{
    for (size_t p = t->row[row]; p < t->row[row + 1]; p++) {
        uint32_t column = name[t->column[p]];
        mtc_real value = t->values[p];
        size_t q = p;
        for (; q > t->row[row] && t->column[q - 1] > column; q--) {
            t->column[q] = t->column[q - 1];
            t->values[q] = t->values[q - 1];
        }
        t->column[q] = column;
        t->values[q] = value;
    }
}

/* A copy of the task with its columns in another order. */
static task permute_columns(app *a, const task *from, mtc_random *r)
{
    task t = some_rows(a, from, 1, 0, 1);
    uint32_t *name = TAKE(a, t.d, uint32_t);
    for (size_t c = 0; c < t.d; c++) {
        size_t other = mtc_random_below(r, c + 1);
        name[c] = name[other];
        name[other] = (uint32_t)c;
    }
    for (size_t i = 0; i < t.n; i++)
        if (t.row != NULL)
            rename_columns(&t, i, name);
        else
            for (size_t c = 0; c < t.d; c++)
                t.values[i * t.d + name[c]] = from->values[i * t.d + c];
    t.truth = from->truth;
    t.own = t.d;                    /* its features are now anywhere */
    pool_release(name);
    return t;
}

/* ---- the table ---- */

static const char *kind_of(const contender *r)
{
    return r->control ? (r->pooled ? "pooled control" : "shared control")
                      : r->pooled ? "pooled"
                                  : r->method->joint ? "shared" : "single";
}

static size_t figures_of(const comparison *c)
{
    return c->truth ? 3 : 2;
}

static void put_estimate(app *a, text *t, estimate e)
{
    if (e.mean - e.mean == 0)
        put(a, t, " %10.4g %8.2g", e.mean, e.error > 1e-9 ? e.error : 0);
    else
        put(a, t, " %10s %8s", "-", "-");
}

/* One line for each task, means over the repeats. */
static void put_tasks_of(const comparison *c, text *t, const contender *r)
{
    size_t n = c->all->n;
    for (size_t i = 0; i < n; i++) {
        put(c->a, t, "  %-22.22s", c->all->at[i].name);
        for (size_t f = 0; f < figures_of(c); f++) {
            estimate e = estimate_of(r->figure + i * FIGURES + f,
                                     c->set->repeats, n * FIGURES);
            put_estimate(c->a, t, e);
        }
        put(c->a, t, "\n");
    }
}

static void put_contender(const comparison *c, text *t, const contender *r)
{
    put(c->a, t, "%-9s %-14s", r->method->name, kind_of(r));
    if (r->trial.reason[0] != '\0') {
        put(c->a, t, " cannot run: %s\n", r->trial.reason);
        return;
    }
    for (size_t f = 0; f < figures_of(c); f++)
        put_estimate(c->a, t, r->result[f]);
    put(c->a, t, " %8.2f", r->seconds);
    put(c->a, t, r->unused == 1 ? "  (%zu cluster empty)\n"
                 : r->unused > 0 ? "  (%zu clusters empty)\n" : "\n",
        r->unused);
    if (c->set->verbose)
        put_tasks_of(c, t, r);
}

static void put_comparison(const comparison *c, text *t)
{
    put(c->a, t, "%-9s %-14s", "method", "kind");
    for (size_t f = 0; f < figures_of(c); f++)
        put(c->a, t, " %10s %8s", figure_name[c->truth][f], "+-");
    put(c->a, t, " %8s\n", "seconds");
    for (size_t i = 0; i < c->rows; i++)
        put_contender(c, t, &c->row[i]);
}

/* ---- the verdict ---- */

/* The row with the best first figure, among those that share or not; NULL if
 * none has run.  Without truth a method that leaves clusters empty is stable
 * for the wrong reason and does not count. */
static const contender *best_of(const comparison *c, int shared)
{
    const contender *best = NULL;
    for (size_t i = 0; i < c->rows; i++) {
        const contender *r = &c->row[i];
        double x = r->result[0].mean;
        if (r->trial.reason[0] == '\0' && !r->control && x - x == 0 &&
            (r->pooled || r->method->joint) == shared &&
            (c->truth || r->unused == 0) &&
            (best == NULL || x > best->result[0].mean))
            best = r;
    }
    return best;
}

/* The same method and kind on permuted columns, or NULL. */
static const contender *control_of(const comparison *c, const contender *of)
{
    for (size_t i = 0; i < c->rows; i++)
        if (c->row[i].control && c->row[i].method == of->method &&
            c->row[i].pooled == of->pooled &&
            c->row[i].trial.reason[0] == '\0')
            return &c->row[i];
    return NULL;
}

/* How far apart two rows are, and how sure that is. */
static estimate difference(const contender *x, const contender *y)
{
    estimate e;
    e.mean = x->result[0].mean - y->result[0].mean;
    e.error = sqrt(x->result[0].error * x->result[0].error +
                   y->result[0].error * y->result[0].error);
    return e;
}

/* -1, 0, 1: below, within and above the noise. */
static int sign_of(estimate e)
{
    double noise = 2 * e.error > CLI_MARGIN ? 2 * e.error : CLI_MARGIN;
    return e.mean > noise ? 1 : e.mean < -noise ? -1 : 0;
}

/* What the control says of the best row that shares. */
static void put_control(const comparison *c, text *t, const contender *shared,
                        const contender *single)
{
    const contender *control = control_of(c, shared);
    if (control == NULL)
        return;
    estimate lost = difference(shared, control);
    put(c->a, t, "  With columns permuted, so that nothing is shared, it "
        "gets %.4g: ", control->result[0].mean);
    if (sign_of(lost) > 0)
        put(c->a, t, "%.4g of its result comes from what the tasks share.",
            lost.mean);
    else if (sign_of(difference(shared, single)) > 0)
        put(c->a, t, "its gain does not come from sharing.");
    else
        put(c->a, t, "it makes no use of what the tasks share.");
}

/* The answer in words.  Sharing gets no credit for a gain most of which is
 * kept where nothing is shared. */
static const char *verdict(const comparison *c)
{
    const contender *single = best_of(c, 0), *shared = best_of(c, 1);
    const char *what = figure_name[c->truth][0];
    text t = {NULL, 0, 0};
    if (single == NULL || shared == NULL) {
        put(c->a, &t, "No answer: no %s method has a result on this data.",
            single == NULL ? "single-task" : "sharing");
        return t.at;
    }
    const contender *control = control_of(c, shared);
    estimate e = difference(shared, single);
    int sign = sign_of(e);
    int kept = control != NULL && difference(shared, control).mean < e.mean / 2;
    put(c->a, &t, "%s: %s of %s (%s) is %.4g, that of the best single-task "
        "method, %s, %.4g: %+.4g, standard error %.2g.",
        sign > 0 ? kept ? "Sharing hardly helps" : "Sharing helps"
        : sign < 0 ? "Sharing does not help" : "No clear answer",
        what, shared->method->name, shared->pooled ? "pooled" : "shared",
        shared->result[0].mean, single->method->name, single->result[0].mean,
        e.mean, e.error);
    if (sign == 0)
        put(c->a, &t, "  The difference is within the noise.");
    if (c->set->repeats < 2)
        put(c->a, &t, "  One run each says nothing of noise: try --repeats "
            "3.");
    if (!c->truth)
        put(c->a, &t, "  Stable is not the same as right; local loss is %.4g "
            "against %.4g.", shared->result[1].mean, single->result[1].mean);
    put_control(c, &t, shared, single);
    return t.at;
}

/* ---- JSON ---- */

static void json_figures(const comparison *c, text *t, const contender *r)
{
    size_t n = c->all->n;
    for (size_t f = 0; f < figures_of(c); f++) {
        put(c->a, t, ", \"%s\": {\"mean\": ", figure_name[c->truth][f]);
        put_real(c->a, t, r->result[f].mean);
        put(c->a, t, ", \"error\": ");
        put_real(c->a, t, r->result[f].error);
        put(c->a, t, "}");
    }
    put(c->a, t, ",\n     \"tasks\": [");
    for (size_t i = 0; i < n; i++) {
        put(c->a, t, i == 0 ? "{\"name\": " : ", {\"name\": ");
        put_escaped(c->a, t, c->all->at[i].name, 0);
        for (size_t f = 0; f < figures_of(c); f++) {
            estimate e = estimate_of(r->figure + i * FIGURES + f,
                                     c->set->repeats, n * FIGURES);
            put(c->a, t, ", \"%s\": ", figure_name[c->truth][f]);
            put_real(c->a, t, e.mean);
        }
        put(c->a, t, "}");
    }
    put(c->a, t, "]");
}

/* "name": the method of a row, or null. */
static void json_best(const comparison *c, text *t, const char *name,
                      const contender *r)
{
    put(c->a, t, ",\n  \"%s\": ", name);
    put(c->a, t, r != NULL ? "\"%s\"" : "null",
        r != NULL ? r->method->name : "");
}

#define COMPARE_OPTIONS \
    "k repeats=3 control verbose seed=1 preprocess=none labels=auto json quiet"

static void json_comparison(const comparison *c)
{
    app *a = c->a;
    text t = {NULL, 0, 0};
    const contender *single = best_of(c, 0), *shared = best_of(c, 1);
    put(a, &t, "{\n  \"options\": ");
    put_options(a, &t, COMPARE_OPTIONS, c->set);
    put(a, &t, ",\n  \"truth\": %s,\n  \"rows\": [",
        c->truth ? "true" : "false");
    for (size_t i = 0; i < c->rows; i++) {
        const contender *r = &c->row[i];
        put(a, &t, "%s\n    {\"method\": \"%s\", \"kind\": \"%s\", "
            "\"seconds\": %.17g, \"reason\": ", i == 0 ? "" : ",",
            r->method->name, kind_of(r), r->seconds);
        if (r->trial.reason[0] != '\0')
            put_escaped(a, &t, r->trial.reason, 0);
        else {
            put(a, &t, "null, \"empty\": %zu", r->unused);
            json_figures(c, &t, r);
        }
        put(a, &t, "}");
    }
    put(a, &t, "]");
    json_best(c, &t, "best_single", single);
    json_best(c, &t, "best_shared", shared);
    put(a, &t, ",\n  \"difference\": ");
    if (single != NULL && shared != NULL) {
        estimate e = difference(shared, single);
        put(a, &t, "{\"mean\": ");
        put_real(a, &t, e.mean);
        put(a, &t, ", \"error\": ");
        put_real(a, &t, e.error);
        put(a, &t, "}");
    } else
        put(a, &t, "null");
    put(a, &t, ",\n  \"verdict\": ");
    put_escaped(a, &t, verdict(c), 0);
    put(a, &t, "\n}\n");
    save(a, c->set->json, &t);
}

/* ---- the command ---- */

/* k of each task, and of all as one: the number of classes in all, or what
 * every task has. */
static void settle_counts(comparison *c)
{
    app *a = c->a;
    const tasks *all = c->all;
    c->k.n = all->n;
    c->k.at = TAKE(a, all->n, size_t);
    c->pooled_k.n = 1;
    c->pooled_k.at = TAKE(a, 1, size_t);
    for (size_t i = 0; i < all->n; i++) {
        c->k.at[i] = clusters_of(a, c->set, i, &all->at[i]);
        if (c->k.at[i] == 0)
            fail(a, BAD_USAGE, "%s has no labels to count classes by: give "
                 "--k", all->at[i].name);
        if (c->k.at[i] != c->k.at[0])
            c->pooled_k.n = 0;
    }
    c->pooled_k.at[0] = c->k.at[0];
    if (c->set->k.n == 0) {
        task pool = stack(a, all);
        c->pooled_k.n = 1;
        c->pooled_k.at[0] = count_distinct(a, pool.n, pool.truth);
        release_rows(&pool);
    }
}

/* Runs everything on loaded tasks. */
static comparison compare_tasks(app *a, const settings *set, const tasks *all)
{
    comparison c;
    memset(&c, 0, sizeof c);
    c.a = a;
    c.set = set;
    c.all = all;
    c.truth = 1;
    for (size_t i = 0; i < all->n; i++)
        c.truth &= all->at[i].truth != NULL;
    settle_counts(&c);
    contend_all(&c, 0);
    if (set->control) {
        mtc_random r = mtc_random_seed(set->seed);
        c.mixed = *all;
        c.mixed.at = TAKE(a, all->n, task);
        for (size_t i = 0; i < all->n; i++)
            c.mixed.at[i] = permute_columns(a, &all->at[i], &r);
        contend_all(&c, 1);
    }
    return c;
}

/* Words in lines of at most 78 characters. */
static void put_wrapped(app *a, text *t, const char *s)
{
    size_t column = 0;
    for (; *(s += strspn(s, " ")) != '\0'; s += strcspn(s, " ")) {
        int n = (int)strcspn(s, " ");
        int fits = column > 0 && column + (size_t)n + 1 <= 78;
        put(a, t, "%s%.*s", column == 0 ? "" : fits ? " " : "\n", n, s);
        column = (fits ? column + 1 : 0) + (size_t)n;
    }
    put(a, t, "\n");
}

/* mtc compare [options] TASK TASK... */
static void run_compare(app *a, int argc, char **argv)
{
    settings set;
    text t = {NULL, 0, 0};
    words files = parse(a, "compare", COMPARE_OPTIONS, argc, argv, &set);
    need_operands(a, &files, 2, SIZE_MAX, "two TASK files or more");
    settle_cluster(a, &set, files.n);
    tasks all = load_tasks(a, &files, set.labels);
    preprocess(a, &all, set.preprocess);
    comparison c = compare_tasks(a, &set, &all);
    if (set.json != NULL)
        json_comparison(&c);
    if (!set.quiet && !is(set.json, "-")) {
        put_comparison(&c, &t);
        put(a, &t, "\n");
        put_wrapped(a, &t, verdict(&c));
        save(a, "-", &t);
    }
}

/* ==========================================================================
 * Part 11  Generated data and the demonstration
 *
 * Everything random is drawn from the library's generator, so that a seed
 * gives the same data on every machine.  The demonstration is a list of
 * command lines that are run as typed, on files that exist in memory only.
 * ========================================================================== */

/* A generator writes the text of task t.  What the tasks share is drawn from
 * the seed alone, what is the task's own from the seed and t. */
typedef struct generator {
    const char *name;
    void (*make)(app *a, const settings *set, size_t k, size_t t, text *out);
    size_t k;                       /* default number of classes */
    size_t tasks;                   /* as many files always; 0: --tasks */
    const char *help;
} generator;

/* Chance of task t alone. */
static mtc_random own_stream(const settings *set, size_t t)
{
    return mtc_random_seed(set->seed + 1000003 * ((uint64_t)t + 1));
}

/* What tells Gaussian clusters from others: dimensions, how far the centres
 * are from 0 in each, how far a task is moved as a whole. */
typedef struct blobs { size_t d; double apart, moved; } blobs;

/* Gaussian clusters of deviation 1 around k centres drawn from `centres`. */
static void put_blobs(app *a, const settings *set, size_t k, blobs b,
                      mtc_random *own, mtc_random *centres, text *out)
{
    double *centre = TAKE(a, k * b.d, double), *shift = TAKE(a, b.d, double);
    for (size_t p = 0; p < k * b.d; p++)
        centre[p] = b.apart * (double)mtc_random_normal(centres);
    for (size_t c = 0; c < b.d; c++)
        shift[c] = b.moved > 0 ? b.moved * (double)mtc_random_normal(own) : 0;
    for (size_t i = 0; i < set->samples; i++) {
        put(a, out, "%zu", i % k + 1);
        for (size_t c = 0; c < b.d; c++)
            put(a, out, " %zu:%.9g", c + 1, centre[i % k * b.d + c] +
                shift[c] + (double)mtc_random_normal(own));
        put(a, out, "\n");
    }
    pool_release(shift);
    pool_release(centre);
}

/* Centres that all tasks have, and a shift of the task's own. */
static void make_blobs(app *a, const settings *set, size_t k, size_t t,
                       text *out)
{
    blobs b = {5, 1.4, t == 0 ? 0 : 0.7};
    mtc_random shared = mtc_random_seed(set->seed), own = own_stream(set, t);
    put_blobs(a, set, k, b, &own, &shared, out);
}

/* Centres that all tasks have, close to one another in many dimensions: a
 * small task by itself hardly shows them. */
static void make_siblings(app *a, const settings *set, size_t k, size_t t,
                          text *out)
{
    blobs b = {30, 0.45, 0};
    mtc_random shared = mtc_random_seed(set->seed), own = own_stream(set, t);
    put_blobs(a, set, k, b, &own, &shared, out);
}

/* Centres of each task's own: nothing is shared. */
static void make_strangers(app *a, const settings *set, size_t k, size_t t,
                           text *out)
{
    blobs b = {5, 1.4, 0};
    mtc_random own = own_stream(set, t);
    put_blobs(a, set, k, b, &own, &own, out);
}

/* A word of a document: now and then one of its topic, out of 20 that the
 * topic has in all tasks or 20 that it has in this one; else background.
 * Squaring the draw makes small numbers frequent, as in real text. */
static size_t draw_word(mtc_random *r, size_t topic, size_t t)
{
    double u = (double)mtc_random_real(r), v = (double)mtc_random_real(r);
    size_t skewed = (size_t)(v * v * 20);
    if (u < 0.07)
        return 100 + topic % 8 * 20 + skewed;       /* the topic's, shared */
    if (u < 0.10)
        return 260 + (topic + t * 3) % 7 * 20 + skewed;     /* task's own */
    return (size_t)(v * v * 100);                   /* background */
}

/* Documents of 40 to 79 words, as counts. */
static void make_text(app *a, const settings *set, size_t k, size_t t,
                      text *out)
{
    enum { WORDS = 400 };
    mtc_random own = own_stream(set, t);
    for (size_t i = 0; i < set->samples; i++) {
        size_t seen[WORDS] = {0}, length = 40 + mtc_random_below(&own, 40);
        for (size_t w = 0; w < length; w++)
            seen[draw_word(&own, i % k, t)]++;
        put(a, out, "%zu", i % k + 1);
        for (size_t w = 0; w < WORDS; w++)
            if (seen[w] > 0)
                put(a, out, " %zu:%zu", w + 1, seen[w]);
        put(a, out, "\n");
    }
}

/* Two half circles that reach into one another; each task is turned a little
 * further.  A random direction is a normal vector, so no sine is needed. */
static void make_moons(app *a, const settings *set, size_t k, size_t t,
                       text *out)
{
    mtc_random own = own_stream(set, t);
    double q = 0.1 * (double)t;                     /* tan of half the turn */
    double cosine = (1 - q * q) / (1 + q * q), sine = 2 * q / (1 + q * q);
    (void)k;
    for (size_t i = 0; i < set->samples; i++) {
        double u = (double)mtc_random_normal(&own);
        double v = (double)mtc_random_normal(&own);
        double length = sqrt(u * u + v * v) + 1e-12;
        double x = u / length, y = fabs(v) / length;
        if (i % 2 == 1) {
            x = 1 - x;
            y = 0.4 - y;
        }
        x += 0.07 * (double)mtc_random_normal(&own);
        y += 0.07 * (double)mtc_random_normal(&own);
        put(a, out, "%zu 1:%.9g 2:%.9g\n", i % 2 + 1, cosine * x - sine * y,
            sine * x + cosine * y);
    }
}

/* The data of Berikov 2019: two spheres and two strips, class means times
 * --separation.  The first task is the paper's source with 16 features, the
 * others are targets with 24. */
static void make_ensemble(app *a, const settings *set, size_t k, size_t t,
                          text *out)
{
    enum { D = 24 };
    mtc_random own = own_stream(set, t);
    size_t d = t == 0 ? 16 : D, each = (set->samples + k - 1) / k;
    double far = t == 0 ? 6 : 8, wide = t == 0 ? 5 : 6, x[D] = {0};
    double step = sqrt(t == 0 ? 0.2 : 0.25), f = set->separation;
    for (size_t i = 0; i < set->samples; i++) {
        size_t z = i / each;
        put(a, out, "%zu", z + 1);
        for (size_t c = 0; c < d; c++) {
            double e = (double)mtc_random_normal(&own);
            double sign = (c % 2 == 0) == (z == 2) ? -1 : 1;
            if (z < 2)
                x[c] = (z == 1 ? f * far : 0) + e;
            else
                x[c] = (i % each == 0 ? f * sign * wide : x[c] + 0.2) +
                       step * e;
            put(a, out, " %zu:%.9g", c + 1, x[c]);
        }
        put(a, out, "\n");
    }
}

/* A word of a text: of its topic by 4 in 10, else background.  `mixed` 0: even
 * words alone; 1: odd ones; 2: both; 3: few odd ones. */
static size_t draw_half(mtc_random *r, size_t topic, int mixed)
{
    double u = (double)mtc_random_real(r), v = (double)mtc_random_real(r);
    size_t word = u < 0.4 ? 60 + topic * 30 + (size_t)(v * v * 30)
                          : (size_t)(v * v * 60);
    double odd = mixed == 0 ? 0 : mixed == 1 ? 1 : mixed == 2 ? .5 : .05;
    return 2 * word + ((double)mtc_random_real(r) < odd);
}

/* Word counts: source, bridge, target; a domain near the source and one of
 * other topics. */
static void make_bridge(app *a, const settings *set, size_t k, size_t t,
                        text *out)
{
    enum { WORDS = 2 * (60 + 16 * 30) };
    static const int mixed[5] = {0, 2, 1, 3, 2};
    mtc_random own = own_stream(set, t);
    for (size_t i = 0; i < set->samples; i++) {
        size_t seen[WORDS] = {0};
        for (size_t w = 0; w < 12; w++)
            seen[draw_half(&own, i % k + (t == 4 ? 8 : 0), mixed[t])]++;
        put(a, out, "%zu", i % k + 1);
        for (size_t w = 0; w < WORDS; w++)
            if (seen[w] > 0)
                put(a, out, " %zu:%zu", w + 1, seen[w]);
        put(a, out, "\n");
    }
}

/* Source in words; bridge in words, the same samples in bins; target in
 * bins. */
static void make_views(app *a, const settings *set, size_t k, size_t t,
                       text *out)
{
    enum { BINS = 48 };
    mtc_random own = own_stream(set, t);
    if (t < 2) {
        make_bridge(a, set, k, t == 0 ? 0 : 1, out);
        return;
    }
    for (size_t i = 0; i < set->samples; i++) {
        size_t seen[BINS] = {0};
        for (size_t w = 0; w < 40; w++) {
            double u = (double)mtc_random_real(&own);
            size_t bin = mtc_random_below(&own, BINS);
            seen[u < 0.25 ? (i % k * 6 + bin % 6) % BINS : bin]++;
        }
        put(a, out, "%zu", i % k + 1);
        for (size_t w = 0; w < BINS; w++)
            if (seen[w] > 0)
                put(a, out, " %zu:%zu", w + 1, seen[w]);
        put(a, out, "\n");
    }
}

static const generator generators[] = {
    {"blobs", make_blobs, 3, 0,
     "Gaussian clusters with shared centres, shifted in each task"},
    {"siblings", make_siblings, 3, 0,
     "Gaussian clusters with the very same centres, hard to tell apart"},
    {"strangers", make_strangers, 3, 0,
     "Gaussian clusters with centres of each task's own: unrelated"},
    {"text", make_text, 3, 0,
     "word counts of topics that share part of their words"},
    {"moons", make_moons, 2, 0,
     "two interleaved half circles, turned in each task"},
    {"ensemble", make_ensemble, 4, 0,
     "two spheres and two strips: a source and targets of other features"},
    {"bridge", make_bridge, 2, 5,
     "word counts: source, bridge, target, and two other candidates"},
    {"views", make_views, 2, 4,
     "source in words, a bridge in words and in bins, target in bins"}
};
enum { N_GENERATORS = sizeof generators / sizeof generators[0] };

#define GENERATE_OPTIONS "out n tasks=2 k.one separation=1 seed=1 quiet"

static const generator *find_generator(app *a, const char *name)
{
    text known = {NULL, 0, 0};
    for (size_t i = 0; i < N_GENERATORS; i++) {
        if (strcmp(generators[i].name, name) == 0)
            return &generators[i];
        put(a, &known, " %s", generators[i].name);
    }
    fail(a, BAD_USAGE, "unknown data %s; known:%s", name, known.at);
}

/* DIR/NAMEt.svm for t = 1, 2, ... */
static void run_generate(app *a, int argc, char **argv)
{
    settings set;
    text told = {NULL, 0, 0};
    words names = parse(a, "generate", GENERATE_OPTIONS, argc, argv, &set);
    need_operands(a, &names, 1, 1, "one NAME of data");
    const generator *g = find_generator(a, names.at[0]);
    size_t k = set.k.n > 0 ? set.k.at[0] : g->k;
    if (set.out == NULL)
        fail(a, BAD_USAGE, "--out DIR is missing");
    int fixed = g->make == make_moons || g->make == make_ensemble;
    if (set.k.n > 1 || (set.k.n == 1 && fixed && k != g->k))
        fail(a, BAD_USAGE, "--k: %s takes %s", g->name,
             !fixed ? "one number" : g->k == 2 ? "2" : "4");
    size_t n = set.samples;
    save_directory(a, set.out);
    set.tasks = g->tasks > 0 ? g->tasks : set.tasks;
    for (size_t t = 0; t < set.tasks; t++) {
        text out = {NULL, 0, 0};
        char ending[32];
        sprintf(ending, "%zu.svm", t + 1);
        const char *path = join_path(a, set.out, g->name, ending);
        safe_point(a, "generating", t, set.tasks);
        set.samples = n > 0 ? n : g->make != make_ensemble ? 150
                      : t == 0 ? 100 : 80;
        g->make(a, &set, k, t, &out);
        save(a, path, &out);
        put(a, &told, "%s: %zu samples, %zu classes\n", path, set.samples, k);
    }
    if (!set.quiet)
        save(a, "-", &told);
}

/* ---- demo ---- */

typedef void command_run(app *a, int argc, char **argv);

/* One step: what to run (a leading @ in a word is the data's directory), and
 * what to see in it. */
typedef struct step {
    command_run *run;
    const char *line, *note;
} step;

static const step demo_steps[] = {
    {run_generate, "generate blobs --out @",
     "Two related tasks: three Gaussian clusters each, around the same\n"
     "centres, the second task shifted as a whole."},
    {run_cluster, "cluster kmeans @/blobs1.svm @/blobs2.svm --out @",
     "Each task by itself.  The files' labels only score the result: acc is\n"
     "the best one-to-one matching, nmi and ari need none.  Cluster numbers\n"
     "of the two tasks have nothing to do with one another: no `aligned`."},
    {run_cluster, "cluster kmeans --pool @/blobs1.svm @/blobs2.svm",
     "Both stacked: cluster numbers now mean the same in both, and `aligned`\n"
     "says how well one matching serves all tasks.  Pooling works as long as\n"
     "the shift between the tasks is smaller than the clusters are apart."},
    {run_cluster, "cluster pcakm --keep .9 @/blobs1.svm @/blobs2.svm",
     "k-means on the principal components that keep 90 % of the variance."},
    {run_cluster, "cluster lssmtc @/blobs1.svm @/blobs2.svm",
     "The tasks share their clusters through a common subspace: numbers mean\n"
     "the same in both, although nothing was pooled."},
    {run_cluster, "cluster lssmtc --guard @/blobs1.svm @/blobs2.svm",
     "Does sharing help here?  The guard runs both, leaves samples out, and\n"
     "keeps for each task the answer that changes less."},
    {run_cluster, "cluster auto @/blobs1.svm @/blobs2.svm",
     "What to try first: a vote of methods that share and methods that do\n"
     "not, and how far they agree."},
    {run_score, "score @/blobs1.labels @/blobs1.svm",
     "Labels written by --out above, scored from their file."},
    {run_relate, "relate @/blobs1.svm @/blobs2.svm",
     "How far apart the tasks are: mmd compares distributions, a_distance\n"
     "asks how well a classifier tells them apart (2: always), emd moves\n"
     "one task's clusters onto the other's."},
    {run_transfer, "transfer svm --source @/blobs1.svm --target @/blobs2.svm",
     "Labels of the first task teach; the second is labelled.  acc is direct\n"
     "here: classes have names."},
    {run_transfer, "transfer gfhf --source @/blobs1.svm --target @/blobs2.svm",
     "The same by spreading labels over a graph of both tasks ..."},
    {run_transfer, "transfer llgc --source @/blobs1.svm --target @/blobs2.svm",
     "... and with labels that may bend."},
    {run_transfer, "transfer tsvm --source @/blobs1.svm --target @/blobs2.svm",
     "The support vector machine again, which now looks for the gap between\n"
     "the target's samples as well."},
    {run_transfer,
     "transfer lssttc --source @/blobs1.svm --target @/blobs2.svm",
     "lssmtc with the first task's classes held fixed."},
    {run_generate, "generate text --out @",
     "Word counts: three topics, whose words are one in ten; most of those\n"
     "are common to both tasks."},
    {run_cluster, "cluster kmeans @/text1.svm @/text2.svm",
     "k-means on raw counts sees long documents first ..."},
    {run_cluster, "cluster kmeans --preprocess tfidf @/text1.svm @/text2.svm",
     "... and topics once frequent words weigh less."},
    {run_cluster, "cluster ncut --preprocess tfidf @/text1.svm @/text2.svm",
     "The normalised cut looks at all cosines between documents."},
    {run_cluster, "cluster snmf --preprocess tfidf @/text1.svm @/text2.svm",
     "Symmetric NMF looks at nearest neighbours."},
    {run_generate, "generate moons --out @ --tasks 1",
     "Two half circles that reach into one another."},
    {run_cluster, "cluster kmeans @/moons1.svm",
     "Straight borders cannot part them ..."},
    {run_cluster, "cluster ncut --sigma .02 @/moons1.svm",
     "... but near neighbours, weighed by a narrow Gaussian, can."},
    {run_emd, "emd @/cost.csv",
     "Three sources, three sinks, equal shares: the cheapest plan, and the\n"
     "gap that proves it to be cheapest."},
    {run_cluster, "cluster mbc @/blobs1.svm @/blobs2.svm",
     "Each task has clusters of its own, pulled towards those of the other\n"
     "that they are moved to at least cost: shifted clusters keep their\n"
     "places, and --json shows who corresponds to whom."},
    {run_cluster, "cluster mbc --divergence kl --smooth .1 --k 3,5 "
     "--restarts 10 @/text1.svm @/text2.svm",
     "Counts under the Kullback-Leibler divergence, and a finer view of the\n"
     "second task: numbers of clusters may differ."},
    {run_centroid, "centroid --divergence kl @/own.csv @/other.csv",
     "The step inside of it: a cluster's own mean, another that pulls, and\n"
     "the centroid between them, each coordinate at its best ..."},
    {run_centroid,
     "centroid --divergence kl --centroid geodesic @/own.csv @/other.csv",
     "... which the paper's search along one curve does not reach."},
    {run_cluster, "cluster mtcfir @/text1.svm @/text2.svm",
     "Raw counts again.  Words that occur together come to stand for each\n"
     "other, in both tasks, and two documents are alike when both tasks see\n"
     "them alike ..."},
    {run_cluster, "cluster mtcfir --variant nF @/text1.svm @/text2.svm",
     "... which without those shared features is of no use here."},
    {run_generate, "generate bridge --out @",
     "A source (bridge1) and a target (bridge3) that share no word, a bridge\n"
     "(bridge2) that has the words of both, and two more candidates: bridge4,\n"
     "near the source, and bridge5, of other topics."},
    {run_bridge, "bridge --source @/bridge1.svm --target @/bridge3.svm "
     "@/bridge2.svm @/bridge4.svm @/bridge5.svm",
     "Which domain is between them?  The score is that of the weaker link: a\n"
     "classifier tells the bridge from neither side as surely."},
    {run_transfer, "transfer ttl --source @/bridge1.svm --bridge @/bridge2.svm "
     "--target @/bridge3.svm",
     "Labels go from source to bridge to target."},
    {run_generate, "generate ensemble --separation .3 --out @",
     "Two spheres and two strips: 16 features in the first file, 24 in the\n"
     "second, which have nothing to do with one another."},
    {run_cluster, "cluster ec @/ensemble2.svm",
     "Ten k-means runs in three random features each, and their vote."},
    {run_transfer,
     "transfer trec --meta probability --source @/ensemble1.svm --target "
     "@/ensemble2.svm",
     "The first file's labels tell how likely two samples are of one class\n"
     "that were together in so many runs; the vote above is then repaired.\n"
     "(The default, --meta both, is the published rule: see `mtc help trec`.)"},
};

#define DEMO_OPTIONS "out"

/* The words of a step's line with @ replaced by the directory. */
static words demo_words(app *a, const char *s, const char *directory)
{
    words w = {0, 0, NULL};
    for (; *s != '\0'; s += strspn(s, " ")) {
        size_t n = strcspn(s, " ");
        text word = {NULL, 0, 0};
        if (*s == '@')
            put(a, &word, "%s%.*s", directory, (int)n - 1, s + 1);
        else
            put(a, &word, "%.*s", (int)n, s);
        add_word(a, &w, word.at, word.length);
        s += n;
    }
    return w;
}

/* The arguments behind "mtc COMMAND" as main would have them. */
static char **demo_arguments(app *a, const words *w)
{
    char **argv = TAKE(a, w->n, char *);
    for (size_t i = 1; i < w->n; i++)
        argv[i - 1] = COPY(a, w->at[i], strlen(w->at[i]) + 1, char);
    return argv;
}

/* Shows the command, runs it, explains it. */
static void run_step(app *a, const step *s, const char *directory)
{
    words w = demo_words(a, s->line, directory);
    printf("\n$ mtc");
    for (size_t i = 0; i < w.n; i++)
        printf(" %s", w.at[i]);
    printf("\n");
    s->run(a, (int)w.n - 1, demo_arguments(a, &w));
    commit(a);
    printf("%s\n", s->note);
}

/* ---- the demonstration's table: where sharing helps and where not ---- */

typedef struct demo_case {
    const char *name, *line;        /* as the table says it; the data */
    const char *files;              /* of that data, without number */
    size_t tasks;
    const char *preprocess;
} demo_case;

static const demo_case demo_cases[] = {
    {"same centres, 6 x 30", "generate siblings --n 30 --tasks 6 --out @/c",
     "/c/siblings", 6, "none"},
    {"same centres, 6 x 120", "generate siblings --n 120 --tasks 6 --out @/d",
     "/d/siblings", 6, "none"},
    {"shifted, 4 x 30", "generate blobs --n 30 --tasks 4 --out @/c",
     "/c/blobs", 4, "none"},
    {"unrelated, 4 x 30", "generate strangers --n 30 --tasks 4 --out @/c",
     "/c/strangers", 4, "none"},
    {"topics, 4 x 30", "generate text --n 30 --tasks 4 --out @/c",
     "/c/text", 4, "tfidf"},
    {"turned moons, 3 x 60", "generate moons --n 60 --tasks 3 --out @/c",
     "/c/moons", 3, "none"}};
enum { N_CASES = sizeof demo_cases / sizeof demo_cases[0] };

static words demo_files(app *a, const demo_case *c, const char *directory)
{
    words files = {0, 0, NULL};
    for (size_t t = 1; t <= c->tasks; t++) {
        text name = {NULL, 0, 0};
        put(a, &name, "%s%s%zu.svm", directory, c->files, t);
        add_word(a, &files, name.at, name.length);
    }
    return files;
}

/* One cell: the accuracy, and whether it is above (+) or below (-) the best
 * single-task method by more than the noise. */
static void put_cell(const comparison *c, text *t, const contender *r)
{
    const contender *single = best_of(c, 0);
    if (r->trial.reason[0] != '\0') {
        put(c->a, t, " %9s ", "-");
        return;
    }
    int sign = sign_of(difference(r, single));
    put(c->a, t, " %9.3f%c", r->result[0].mean,
        sign > 0 ? '+' : sign < 0 ? '-' : ' ');
}

/* One row: the data set, its best single-task method, all that share. */
static void put_case(app *a, text *t, const demo_case *d,
                     const char *directory)
{
    settings set;
    words w = demo_words(a, d->line, directory);
    add_word(a, &w, "--quiet", 7);
    run_generate(a, (int)w.n - 1, demo_arguments(a, &w));
    a->quiet = 0;
    commit(a);
    words files = demo_files(a, d, directory);
    set_defaults(a, COMPARE_OPTIONS, &set);
    tasks all = load_tasks(a, &files, set.labels);
    preprocess(a, &all, d->preprocess);
    comparison c = compare_tasks(a, &set, &all);
    const contender *single = best_of(&c, 0), *shared = best_of(&c, 1);
    if (single == NULL)
        fail(a, BAD_DATA, "%s: no method runs", d->name);
    put(a, t, "%-22s %7.3f %-6s", d->name, single->result[0].mean,
        single->method->name);
    for (size_t i = 0; i < c.rows; i++)
        if (c.row[i].pooled || c.row[i].method->joint)
            put_cell(&c, t, &c.row[i]);
    int sign = shared != NULL ? sign_of(difference(shared, single)) : -1;
    put(a, t, "  %s\n", sign > 0 ? "helps" : sign < 0 ? "does not help"
                                                      : "makes no difference");
}

/* Prints the table at once. */
static void demo_table(app *a, const char *directory)
{
    text t = {NULL, 0, 0};
    put(a, &t, "\n%-22s %14s %10s", "tasks x samples", "best single ",
        "pooled ");
    for (size_t i = 0; i < N_METHODS; i++)
        if (is(methods[i].kind, "cluster") && methods[i].joint)
            put(a, &t, " %10s", methods[i].name);
    put(a, &t, "   sharing\n");
    for (size_t i = 0; i < N_CASES; i++)
        put_case(a, &t, &demo_cases[i], directory);
    wipe_progress(a);
    printf("\nDoes sharing between tasks help?  Mean accuracy over all tasks "
           "and three seeds;\n+ and - are above and below the best "
           "single-task method by more than noise.\n`mtc compare` prints this "
           "in full for your own data.\n%s", t.at);
}

/* ---- the second table: what a labelled source is worth ---- */

typedef struct demo_transfer {
    const char *data, *alone, *files;
} demo_transfer;

/* The files of a method, and what clusters its target without a source. */
static demo_transfer transfer_case(const method *m)
{
    static const demo_transfer words_apart = {
        "no common word", "cluster kmeans --preprocess tfidf @/bridge3.svm",
        "--source @/bridge1.svm --bridge @/bridge2.svm --target "
        "@/bridge3.svm"};
    static const demo_transfer spaces_apart = {
        "no common feature", "cluster ec @/ensemble2.svm",
        "--source @/ensemble1.svm --target @/ensemble2.svm"};
    static const demo_transfer same = {
        "shifted", "cluster kmeans @/c/blobs2.svm",
        "--source @/c/blobs1.svm --target @/c/blobs2.svm"};
    return m->run == run_ttl ? words_apart
           : m->run == run_trec ? spaces_apart : same;
}

/* Mean accuracy of a line over three seeds. */
static double demo_accuracy(app *a, command_run *run, const char *line,
                            const char *directory)
{
    double sum = 0;
    for (int seed = 1; seed <= 3; seed++) {
        text whole = {NULL, 0, 0};
        put(a, &whole, "%s --quiet --seed %d", line, seed);
        words w = demo_words(a, whole.at, directory);
        run(a, (int)w.n - 1, demo_arguments(a, &w));
        sum += a->accuracy;
    }
    a->quiet = 0;
    return sum / 3;
}

/* Every method of transfer beside the target clustered alone. */
static void demo_transfers(app *a, const char *directory)
{
    text t = {NULL, 0, 0};
    put(a, &t, "\n%-8s %-18s %18s %14s\n", "method", "source, target",
        "target alone", "with source");
    for (size_t i = 0; i < N_METHODS; i++) {
        char name[24];
        text line = {NULL, 0, 0};
        if (!is(methods[i].kind, "transfer"))
            continue;
        demo_transfer c = transfer_case(&methods[i]);
        copy_word(name, sizeof name, c.alone + strlen("cluster "), " ");
        put(a, &t, "%-8s %-18s %7.3f %-10s", methods[i].name, c.data,
            demo_accuracy(a, run_cluster, c.alone, directory), name);
        put(a, &line, "transfer %s %s", methods[i].name, c.files);
        put(a, &t, " %14.3f\n",
            demo_accuracy(a, run_transfer, line.at, directory));
    }
    wipe_progress(a);
    printf("\nAnd what is a labelled source worth?  Accuracy on the target, "
           "three seeds; alone by\nthe best matching of clusters and classes, "
           "as for trec.\n%s", t.at);
}

/* A picture by each method of `cluster`, in the directory. */
static void demo_pictures(app *a, const char *directory)
{
    trial *t = TAKE(a, 1, trial);
    printf("\nPictures:");
    for (size_t i = 0; i < N_METHODS; i++) {
        text line = {NULL, 0, 0};
        if (!is(methods[i].kind, "cluster"))
            continue;
        put(a, &line, "cluster %s @/c/siblings1.svm @/c/siblings2.svm "
            "@/c/siblings3.svm --quiet --svg @/%s.svg", methods[i].name,
            methods[i].name);
        words w = demo_words(a, line.at, directory);
        char **argv = demo_arguments(a, &w);
        t->reason[0] = '\0';
        a->trial = t;
        if (setjmp(t->back) == 0)
            run_cluster(a, (int)w.n - 1, argv);
        a->trial = NULL;
        if (t->reason[0] != '\0')
            a->n_outputs = 0;
        else
            printf(" %s/%s.svg", directory, methods[i].name);
        commit(a);
    }
    printf("\n");
}

/* Runs the steps on files in memory, or in a real directory with --out. */
static void run_demo(app *a, int argc, char **argv)
{
    settings set;
    text cost = {NULL, 0, 0}, own = {NULL, 0, 0}, other = {NULL, 0, 0};
    words rest = parse(a, "demo", DEMO_OPTIONS, argc, argv, &set);
    need_operands(a, &rest, 0, 0, "no operand");
    const char *directory = set.out != NULL ? set.out : "demo";
    a->in_memory = set.out == NULL;
    save_directory(a, directory);
    printf("What `mtc` does, on generated data%s.\n",
           a->in_memory ? " (nothing is written; with --out DIR the files "
                          "stay)" : "");
    put(a, &cost, "4,1,3\n2,0,5\n3,2,2\n");
    save(a, join_path(a, directory, "cost", ".csv"), &cost);
    put(a, &own, "1,5,.2\n");
    save(a, join_path(a, directory, "own", ".csv"), &own);
    put(a, &other, "9,5,4\n");
    save(a, join_path(a, directory, "other", ".csv"), &other);
    for (size_t i = 0; i < sizeof demo_steps / sizeof demo_steps[0]; i++)
        run_step(a, &demo_steps[i], directory);
    demo_table(a, directory);
    demo_transfers(a, directory);
    if (!a->in_memory)
        demo_pictures(a, directory);
}

/* ==========================================================================
 * Part 12  Help and main
 * ========================================================================== */

typedef struct command {
    const char *name;
    command_run *run;
    const char *options;            /* NULL: each method has its own */
    const char *usage, *summary, *help;
} command;

static const command commands[] = {
    {"cluster", run_cluster, NULL, "METHOD [options] TASK...",
     "find the groups in each of several data sets",
     "Each task is clustered by itself, or all as one with --pool.  The table\n"
     "shows n samples, d features, k clusters and, where a file has labels,\n"
     "acc (best one-to-one matching), nmi, ari, and with --pool `aligned`:\n"
     "the share that is right when one matching serves all tasks."},
    {"transfer", run_transfer, NULL,
     "METHOD [options] --source FILE... --target FILE [--bridge FILE...]",
     "label one data set by what another one teaches",
     "The sources' labels, in ascending order, are the classes 0, 1, ...; the\n"
     "target's own labels only score the result, and acc is direct, without\n"
     "matching.  A class that no source has is never right."},
    {"bridge", run_bridge, BRIDGE_OPTIONS,
     "--source FILE --target FILE CANDIDATE...",
     "rank domains that may stand between source and target",
     "For `transfer ttl`.  Shows the six features of source, candidate and\n"
     "target: complexities (share of features positive in fewer than a tenth\n"
     "of the samples) and A-distances (0: no classifier tells two apart, 2:\n"
     "one always does).  score = 1 - (the larger distance of the candidate) /\n"
     "2, or by a fit to triples whose outcome is known: --try finds outcomes\n"
     "where labels are known, --triples learns from them.  Without --try labels\n"
     "are not used."},
    {"relate", run_relate, RELATE_OPTIONS, "[options] TASK TASK...",
     "how far apart the tasks are",
     "mmd: maximum mean discrepancy.  a_distance: 0 if a classifier cannot\n"
     "tell two tasks apart, 2 if it always can.  emd: earth mover's distance\n"
     "between the tasks' k-means partitions.  complexity: share of features\n"
     "that are positive in fewer than a tenth of the samples."},
    {"compare", run_compare, COMPARE_OPTIONS, "[options] TASK TASK...",
     "every method beside the others: does sharing help this data?",
     "Each method of cluster runs with its defaults on each task alone\n"
     "(single), on all as one (pooled), or shares between tasks (shared).\n"
     "With labels in all files: acc, nmi and ari, means over the tasks.\n"
     "Without: stability, the mean ARI between runs that each leave out a\n"
     "fifth of the samples, and loss, the mean squared distance to the own\n"
     "cluster's mean.  Behind each its standard error over the repeats.  The\n"
     "last sentence tells whether sharing helped, by acc or by stability."},
    {"emd", run_emd, EMD_OPTIONS, "[options] COST.csv",
     "the cheapest transport plan, with its proof",
     "Row i, column j of the file: cost of moving one unit from i to j."},
    {"centroid", run_centroid, CENTROID_OPTIONS,
     "[options] OWN.csv OTHER.csv",
     "where mbc puts the centroid between two means",
     "For row i of both files: u, the least of A d(own||u) + B d(u||other),\n"
     "and that value.  In `cluster mbc` A is a cluster's share of its task\n"
     "plus lambda / k, B is lambda / k; own is the mean of its samples and of\n"
     "the centroids moved to it, other the mean, in the divergence's dual\n"
     "coordinates, of the centroids it is moved to."},
    {"score", run_score, SCORE_OPTIONS, "[options] PREDICTED TRUTH",
     "accuracy, nmi, ari and purity of labels",
     "PREDICTED holds one whole number a line.  So does TRUTH, or it is a\n"
     "data file (.svm .libsvm .txt .csv) with labels."},
    {"generate", run_generate, GENERATE_OPTIONS, "[options] NAME --out DIR",
     "write synthetic data sets", "The data:"},
    {"demo", run_demo, DEMO_OPTIONS, "[--out DIR]",
     "all of it on generated data, in seconds",
     "In the end, a table of data sets on which sharing helps and others.\n"
     "Files are kept in memory, or in DIR, which then has pictures as well."}
};
enum { N_COMMANDS = sizeof commands / sizeof commands[0] };

/* Text of several lines, each indented. */
static void print_indented(const char *s, int indent)
{
    for (; *s != '\0'; s += strcspn(s, "\n"), s += *s == '\n')
        printf("%*s%.*s\n", indent, "", (int)strcspn(s, "\n"), s);
}

/* Every option of a list: name, what may be given, default, meaning. */
static void print_options(const char *allowed)
{
    for (allowed_walk w = walk(allowed); next_allowed(&w);) {
        const option *o = w.option;
        printf("  --%.*s", typed_length(o), o->name);
        if (o->type == SEED)
            printf(" N");
        else if (o->type == COUNT || o->type == COUNTS)
            printf(" N in %s", o->allowed);
        else if (o->type == REAL || o->type == REALS)
            printf(" X in %s", o->allowed);
        else if (o->type != FLAG)
            printf(" %s", o->allowed);
        if (w.value[0] != '\0' && !is(w.value, "auto"))
            printf("  (default %s)", w.value);
        printf("\n");
        print_indented(o->help, 6);
    }
}

/* The methods of one command, a line each. */
static void print_methods(const char *kind)
{
    for (size_t i = 0; i < N_METHODS; i++)
        if (strcmp(methods[i].kind, kind) == 0)
            printf("  %-8s %s\n", methods[i].name, methods[i].summary);
}

static void print_usage(void)
{
    printf("mtc %s - multi-task clustering and transfer learning\n\n",
           mtc_version());
    for (size_t i = 0; i < N_COMMANDS; i++)
        printf("  mtc %-8s %s\n  %12s   %s\n", commands[i].name,
               commands[i].usage, "", commands[i].summary);
    printf("  mtc help     [COMMAND|METHOD]\n  mtc version\n"
           "\nMethods of cluster:\n");
    print_methods("cluster");
    printf("\nMethods of transfer:\n");
    print_methods("transfer");
    printf("\nFiles: .svm .libsvm .txt hold `label index:value ...` lines, "
           "indices from 1\nascending; .csv is dense, with or without a "
           "header;\n# begins a comment.  Exit status: 0 fine, 1 bad data "
           "or file, 2 bad\nusage, 130 Ctrl-C: nothing is written then.\n");
}

static void help_method(const method *m)
{
    const char *usage = strcmp(m->kind, "cluster") == 0
        ? "[options] TASK..." : "[options] --source FILE... --target FILE";
    printf("mtc %s %s %s%s\n\n%s.\n", m->kind, m->name, usage,
           m->run == run_ttl ? " [--bridge FILE...]" : "", m->summary);
    print_indented(m->help, 0);
    printf("\nOptions:\n");
    print_options(m->options);
}

static void help_command(const command *c)
{
    printf("mtc %s %s\n\n%s%s\n", c->name, c->usage, c->summary,
           c->summary[strlen(c->summary) - 1] == '?' ? "" : ".");
    print_indented(c->help, 0);
    for (size_t i = 0; c->run == run_generate && i < N_GENERATORS; i++)
        printf("  %-9s %s\n", generators[i].name, generators[i].help);
    if (c->options == NULL) {
        printf("\nMethods (`mtc help METHOD` shows the options of one):\n");
        print_methods(c->name);
        return;
    }
    printf("\nOptions:\n");
    print_options(c->options);
}

static const command *find_command(const char *name)
{
    for (size_t i = 0; i < N_COMMANDS; i++)
        if (strcmp(commands[i].name, name) == 0)
            return &commands[i];
    return NULL;
}

/* Help on a method, a command, or everything. */
static void run_help(app *a, const char *topic)
{
    if (topic == NULL) {
        print_usage();
        return;
    }
    for (size_t i = 0; i < N_METHODS; i++)
        if (strcmp(methods[i].name, topic) == 0) {
            help_method(&methods[i]);
            return;
        }
    const command *c = find_command(topic);
    if (c == NULL)
        fail(a, BAD_USAGE, "no help on %s", topic);
    help_command(c);
}

/* `--help` anywhere before `--` asks for help on the method, or command. */
static int asks_for_help(int argc, char **argv)
{
    for (int i = 0; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)
            return 1;
    return 0;
}

static void help_with(app *a, const command *c, int argc, char **argv)
{
    const char *name = c->options == NULL ? method_name(argc, argv) : NULL;
    run_help(a, name != NULL ? find_method(a, c->name, name)->name : c->name);
}

/* Finds the command; arguments behind its name go to it. */
static void run_program(app *a, int argc, char **argv)
{
    const char *name = argc > 0 ? argv[0] : "";
    const command *c = find_command(name);
    if (argc == 0)
        fail(a, BAD_USAGE, "a command is missing");
    if (c != NULL && asks_for_help(argc - 1, argv + 1))
        help_with(a, c, argc - 1, argv + 1);
    else if (c != NULL)
        c->run(a, argc - 1, argv + 1);
    else if (is(name, "help"))
        run_help(a, argc > 1 ? argv[1] : NULL);
    else if (is(name, "--help") || is(name, "-h"))
        run_help(a, NULL);
    else if (is(name, "version") || is(name, "--version"))
        printf("mtc %s\n", mtc_version());
    else
        fail(a, BAD_USAGE, "unknown command %s", name);
}

int main(int argc, char **argv)
{
    app a;
    memset(&a, 0, sizeof a);
    a.pool.previous = a.pool.next = &a.pool;
    a.terminal = on_terminal();
    a.percent = -1;
    watch_interrupts();
    run_program(&a, argc > 0 ? argc - 1 : 0, argv + 1);
    commit(&a);
    if (fflush(stdout) != 0 || ferror(stdout))
        fail(&a, BAD_DATA, "standard output: %s", strerror(errno));
    pool_free(&a);
    return 0;
}
