/* SPDX-License-Identifier: MIT
 *
 * methods.c - every row of calls.h, and the compared systems behind them,
 * under libFuzzer, with shapes, options and values that come from the input
 * and mean no good.
 *
 *   bytes 0..9   row; clusters; tasks and forms; features; samples of three
 *                tasks; the allocation to fail; what is hostile; a seed
 *   bytes 10..49 the dice of the options
 *   the rest     values, a byte each; when they end, a generator goes on
 *
 * Whatever comes: the status is one of the header's; a failure leaves the
 * outputs as they were; a result has labels in range, finite reals, an
 * objective that never rises; the heap is balanced; two runs over memory
 * filled with different bytes agree; and no run ticks more often than TICKS
 * (or, without a tick, takes longer than libFuzzer's -timeout).
 *
 * With -DMTC_SWEEP it is a program of its own, which draws its inputs blindly
 * but far more of them a second: sweep SECONDS SEED FILE.  The input that
 * failed is left in FILE, for libFuzzer's program to run.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "../promises/calls.h"
#include "compared.h"

enum { ROWS = METHOD_ROWS + COMPARED_ROWS };

#ifdef MTC_SWEEP
enum { TICKS = 200, SWEEP = 1 };        /* who is slow is not waited for */
#else
enum { TICKS = 20000, SWEEP = 0 };
#endif
enum { HEAD = 10, DICE = 40, MOST_N = 20, MOST_D = 12 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* ---- a heap that counts, poisons and fails ----------------------------- */

typedef struct heap {
    size_t live, calls, fail_at, refused;
    int poison;
} heap;

static void *heap_take(void *memory, size_t size)
{
    heap *h = (heap *)memory;
    void *p = NULL;
    if (++h->calls != h->fail_at && size <= (size_t)1 << 24)
        p = malloc(size);               /* exact: the sanitizer sees its end */
    if (p == NULL) {
        h->refused++;
        return NULL;
    }
    h->live++;
    return memset(p, h->poison, size);
}

static void heap_give(void *memory, void *block, size_t size)
{
    heap *h = (heap *)memory;
    memset(block, h->poison, size);     /* the size is right, or it crashes */
    h->live--;
    free(block);
}

typedef struct ticker { size_t ticks; } ticker;

static int tick(void *user, const char *what, size_t done, size_t total)
{
    (void)what, (void)done, (void)total;
    return ++((ticker *)user)->ticks >= TICKS;
}

/* ---- scenes ------------------------------------------------------------ */

typedef struct source {
    const uint8_t *at, *end;
    uint64_t state;
    int hostile;
} source;

static unsigned next_byte(source *s)
{
    if (s->at < s->end)
        return *s->at++;
    s->state = s->state * UINT64_C(6364136223846793005)
               + UINT64_C(1442695040888963407);
    return (unsigned)(s->state >> 57);          /* none of the hostile ones */
}

static mtc_real next_real(source *s)
{
    unsigned b = next_byte(s);
    if (b < 64)
        return 0;
    if (b >= 236 && s->hostile & 1)
        return hostile_real(b);
    if (b >= 228 && s->hostile & 32)            /* in the domain, barely */
        return hostile_real(b % 5 + 10);
    return ((mtc_real)b - 96) / 16;
}

typedef struct pieces { void *p[40]; size_t n; } pieces;

static void *piece(pieces *all, size_t count, size_t size)
{
    void *p = malloc(count * size == 0 ? 1 : count * size);
    if (p == NULL)
        exit(0);
    return all->p[all->n++] = p;
}

/* shift 0: as they come; 1: none negative; below 1: all above 0; 2: none
 * negative, and symmetric - where the hostility allows. */
static mtc_data make_view(pieces *all, source *s, size_t n, size_t d, int csr,
                          mtc_real shift)
{
    mtc_real *x = (mtc_real *)piece(all, n * d, sizeof *x);
    for (size_t i = 0; i < n * d; i++) {
        x[i] = next_real(s);
        if (shift > 0 && !(s->hostile & 2))
            x[i] = (x[i] < 0 ? -x[i] : x[i]) + (shift < 1 ? shift : 0);
    }
    if (shift > 1)
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < i && !(s->hostile & 4); j++)
                x[i * d + j] = x[j * d + i];
    if (!csr)
        return mtc_dense(n, d, x);
    size_t stored = 0;
    for (size_t i = 0; i < n * d; i++)
        stored += !(x[i] == 0);
    size_t *row = (size_t *)piece(all, n + 1, sizeof *row);
    uint32_t *column = (uint32_t *)piece(all, stored, sizeof *column);
    mtc_real *v = (mtc_real *)piece(all, stored, sizeof *v);
    return stage_csr(n, d, x, row, column, v);
}

static const int *make_labels(pieces *all, source *s, size_t n, size_t k)
{
    int *x = (int *)piece(all, n, sizeof *x);
    for (size_t i = 0; i < n; i++) {
        unsigned b = next_byte(s);
        x[i] = (int)(k == 0 ? 0 : b % (k > 100 ? 100 : k));
        if (s->hostile & 8 && b > 200)
            x[i] = (int)b - 228;
    }
    return x;
}

/* x [n] of two extreme sizes. */
static void make_extreme(source *s, mtc_real *x, size_t n)
{
    mtc_real two[2];
    for (size_t e = 0; e < 2; e++)
        two[e] = extreme_real(next_byte(s) % EXTREMES);
    for (size_t i = 0; i < n; i++) {
        unsigned b = next_byte(s);
        x[i] = two[b & 1];
        for (unsigned half = 0; half < (b >> 1 & 3) && x[i] > 1; half++)
            x[i] /= 2;
    }
}

static void make_scene(scene *sc, pieces *all, const uint8_t *h,
                       const uint8_t *dice, source *s)
{
    static const size_t ks[16] = {1, 2, 3, 4, 2, 3, 5, 2, 7, 3, 2, 4, 0, 21,
                                  40, SIZE_MAX};
    size_t d = (size_t)h[3] % MOST_D + 1;
    memset(sc, 0, sizeof *sc);
    sc->k = ks[h[1] % 16];
    sc->tasks = (size_t)h[2] % 2 + 2;
    for (size_t t = 0; t < SCENE_TASKS; t++) {
        size_t n = (size_t)h[4 + t] % MOST_N + 1;
        sc->task[t] = make_view(all, s, n, d, h[2] >> (2 + t) & 1,
                                (mtc_real)(h[2] >> 7));
        sc->labels[t] = make_labels(all, s, n, sc->k);
    }
    size_t n = sc->task[0].n;
    sc->positive = make_view(all, s, n, d, h[2] >> 5 & 1, (mtc_real)0.125);
    sc->square = make_view(all, s, n, n, h[2] >> 6 & 1, 2);
    mtc_data plain = make_view(all, s, 1, n * 8, 0, (mtc_real)0.125);
    if (s->hostile & 64)
        make_extreme(s, (mtc_real *)plain.values, plain.d);     /* ours */
    sc->plain = plain.values;
    sc->plain_n = plain.d;
    sc->dice = dice;
    sc->dice_n = DICE;
    sc->hostile = (h[8] >> 4 & 1) | (h[8] >> 5 & 2);
}

/* ---- one input --------------------------------------------------------- */

static void die(const method_row *row, const char *what)
{
    fprintf(stderr, "%s: %s\n", row->name, what);
    if (getenv("MTC_FUZZ_ON") == NULL)          /* set: go on, by hand */
        abort();
}

static uint64_t run_once(const method_row *row, const uint8_t *data,
                         size_t size, int poison)
{
    static const char before[] = "of an earlier call";
    uint8_t head[HEAD + DICE] = {0};
    memcpy(head, data, size < sizeof head ? size : sizeof head);
    source src = {data + (size < sizeof head ? size : sizeof head),
                  data + size, head[9], head[8]};
    pieces all = {{NULL}, 0};
    heap h = {0, 0, head[7] % 8 == 7 ? (size_t)head[7] / 8 + 1 : 0, 0, poison};
    ticker clock = {0};
    scene s;
    compared_outcome out;
    witness w = WITNESS;
    make_scene(&s, &all, head, head + HEAD, &src);
    mtc_context ctx = mtc_context_defaults();
    ctx.allocate = heap_take;
    ctx.release = heap_give;
    ctx.memory = &h;
    ctx.progress = tick;
    ctx.user = &clock;
    ctx.seed = head[9];
    ctx.error.what = before;
    memset(&out, ARRAYS_POISON, sizeof out);
    mtc_status st = row->run(&ctx, &s, &out);
    see_word(&w, (uint64_t)(int64_t)st);
    if ((int)st > MTC_OK || st < MTC_LIMIT)
        die(row, st == (mtc_status)TOUCHED ? "failed and wrote its arrays"
                                           : "no status of the header");
    if (st == MTC_OK) {
        row->see(&s, &out, &w);
        if (w.wrong != NULL)
            die(row, w.wrong);
        row->release(&ctx, &out);
    } else if (!poisoned(&out, sizeof out)) {
        die(row, "failed and wrote its result");
    }
    if (st == MTC_OK ? ctx.error.what != before
                     : ctx.error.what == NULL || ctx.error.what == before)
        die(row, st == MTC_OK ? "succeeds, and leaves an error"
                              : "fails, and does not say why");
    if (h.live != 0)
        die(row, "leaks");
    if (clock.ticks > TICKS)
        die(row, "goes on after it was cancelled");
    if (clock.ticks == TICKS && !s.hostile && !SWEEP)
        die(row, "ticks without end");
    if (st == MTC_NO_MEMORY && h.refused == 0)
        die(row, "says NO_MEMORY though it had all");
    for (size_t i = 0; i < all.n; i++)
        free(all.p[i]);
    return w.hash;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    unsigned number = data[0] % ROWS;
    const method_row *row = number < METHOD_ROWS
                                ? &method_rows[number]
                                : &compared_rows[number - METHOD_ROWS];
    if (run_once(row, data, size, 0x00) != run_once(row, data, size, 0xff))
        die(row, "reads memory it did not write");
    return 0;
}

#ifdef MTC_SWEEP
/* ---- inputs without libFuzzer ------------------------------------------ */

enum { LONGEST = 200 };

typedef struct drawn { uint8_t byte[LONGEST]; size_t size; } drawn;

static drawn now;                       /* the handler has no argument */
static const char *left_in;

static void leave_input(int signal_number)
{
    FILE *f = fopen(left_in, "wb");
    if (f != NULL) {
        fwrite(now.byte, 1, now.size, f);
        fclose(f);
    }
    fprintf(stderr, "signal %d; the input is in %s\n", signal_number, left_in);
    _Exit(1);
}

static unsigned draw(uint64_t *state, unsigned n)
{
    *state = *state * UINT64_C(6364136223846793005)
             + UINT64_C(1442695040888963407);
    return (unsigned)(*state >> 33) % n;
}

/* Few dice differ from the defaults, most of these hostile: what many at once
 * would have refused comes to run.  Data are legal three times in four. */
static void draw_input(drawn *in, uint64_t *state)
{
    memset(in, 0, sizeof *in);
    in->size = HEAD + DICE + draw(state, LONGEST - HEAD - DICE);
    for (size_t i = 0; i < HEAD; i++)
        in->byte[i] = (uint8_t)draw(state, 256);
    in->byte[0] = (uint8_t)draw(state, (unsigned)ROWS);
    if (draw(state, 3) > 0)
        in->byte[1] = (uint8_t)draw(state, 4);          /* 1 to 4 clusters */
    in->byte[2] |= draw(state, 2) ? 0x80 : 0;           /* none negative */
    in->byte[7] = 0;                                    /* no want of memory */
    if (draw(state, 4) > 0)
        in->byte[8] = 0x10;                             /* options alone */
    else if (draw(state, 2))
        in->byte[8] = 0x30;                             /* and large data */
    if (draw(state, 3) == 0)
        in->byte[8] = (uint8_t)(in->byte[8] & ~1u) | 0x40;  /* and weights */
    for (unsigned i = 0, n = 1 + draw(state, 4); i < n; i++)
        in->byte[HEAD + draw(state, 16)] =
            (uint8_t)(draw(state, 4) ? 220 + draw(state, 22)
                                     : draw(state, 220));
    for (size_t i = HEAD + DICE; i < in->size; i++)
        in->byte[i] = (uint8_t)draw(state, 256);
}

int main(int argc, char **argv)
{
    if (argc != 4) {
        fprintf(stderr, "usage: sweep SECONDS SEED FILE\n");
        return 2;
    }
    double seconds = strtod(argv[1], NULL);
    uint64_t state = strtoull(argv[2], NULL, 10), runs = 0;
    time_t start = time(NULL);
    left_in = argv[3];
    signal(SIGSEGV, leave_input);
    signal(SIGABRT, leave_input);
    signal(SIGFPE, leave_input);
    for (; difftime(time(NULL), start) < seconds; runs++) {
        draw_input(&now, &state);
        LLVMFuzzerTestOneInput(now.byte, now.size);
    }
    printf("sweep in %s: %llu runs, DONE\n",
           sizeof(mtc_real) == 8 ? "double" : "float",
           (unsigned long long)runs);
    return 0;
}
#endif
