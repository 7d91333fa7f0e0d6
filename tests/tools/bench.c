/* SPDX-License-Identifier: MIT
 *
 * bench.c - this library's own figures: seconds of one call, and GFlop/s
 * where the number of operations is known.  One thread, best of several.
 * Times differ between machines: for ratios see bench_peers.py.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../test_util.h"

#define ENOUGH 0.3                  /* seconds to spend on one row */

/* One row of the table: prepare() is not timed, run() is. */
typedef struct bench {
    const char *name;
    size_t n, d;
    double flops;                   /* of one call; 0: unknown */
    void (*prepare)(const struct bench *b);
    mtc_status (*run)(const struct bench *b);
} bench;

static mtc_real *A, *B, *C, *V;     /* n x n each, or what a row makes of it */
static size_t *row;
static uint32_t *column;
static void *work;

static mtc_real *reals(size_t n)
{
    mtc_real *x = (mtc_real *)calloc(n, sizeof *x);
    if (x == NULL)
        exit(1);
    return x;
}

static void *bytes(size_t size)
{
    void *p = malloc(size > 0 ? size : 1);
    if (p == NULL)
        exit(1);
    return p;
}

static void report(const bench *b)
{
    double best = 1e30, spent = 0;
    mtc_status s = MTC_OK;
    for (int i = 0; s == MTC_OK && (i < 3 || spent < ENOUGH); i++) {
        b->prepare(b);
        clock_t start = clock();
        s = b->run(b);
        double t = (double)(clock() - start) / CLOCKS_PER_SEC;
        spent += t;
        best = t < best ? t : best;
    }
    if (s != MTC_OK)
        printf("%-28s %6lu  %s\n", b->name, (unsigned long)b->n,
               mtc_status_text(s));
    else if (b->flops > 0)
        printf("%-28s %6lu %11.6f s %8.2f GFlop/s\n", b->name,
               (unsigned long)b->n, best, b->flops / best * 1e-9);
    else
        printf("%-28s %6lu %11.6f s\n", b->name, (unsigned long)b->n, best);
    fflush(stdout);
}

/* ---- linear algebra: square matrices ----------------------------------- */

static void random_pair(const bench *b)
{
    test_fill(A, b->n * b->n, 1, -1, 1);
    test_fill(B, b->n * b->n, 2, -1, 1);
}

static mtc_status gemm(const bench *b)
{
    size_t n = b->n;
    mtc_gemm(0, 0, n, n, n, 1, A, n, B, n, 0, C, n, work);
    return MTC_OK;
}

static mtc_status syrk(const bench *b)
{
    mtc_syrk(0, b->n, b->n, 1, A, b->n, 0, C, b->n, work);
    return MTC_OK;
}

/* Symmetric, and definite through its diagonal. */
static void symmetric(const bench *b)
{
    size_t n = b->n;
    test_fill(A, n * n, 1, -1, 1);
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < i; j++)
            A[j * n + i] = A[i * n + j];
        A[i * n + i] = (mtc_real)n;
    }
}

static mtc_status cholesky(const bench *b)
{
    return mtc_cholesky(b->n, A, b->n, work);
}

static mtc_status qr(const bench *b)
{
    return mtc_qr(b->n, b->n, A, b->n, NULL, 0, work);
}

static mtc_status eigen(const bench *b)
{
    return mtc_symeig(NULL, b->n, A, b->n, C, V, b->n);
}

static mtc_status eigen_top(const bench *b)
{
    return mtc_symeig_range(NULL, b->n, A, b->n, b->n - 16, 16, C, V, 16);
}

/* ---- data: n x d in A, CSR in row, column, B --------------------------- */

static void sparse_samples(const bench *b)
{
    test_fill(A, b->n * b->d, 1, 0, 1);
    for (size_t i = 0; i < b->n * b->d; i++)
        if (A[i] >= (mtc_real)0.05)
            A[i] = 0;
    test_sparse(b->n, b->d, A, row, column, B);
}

static mtc_status gram_dense(const bench *b)
{
    mtc_data X = mtc_dense(b->n, b->d, A);
    mtc_data_gram(&X, &X, C, b->n, work);
    return MTC_OK;
}

static mtc_status gram_csr(const bench *b)
{
    mtc_data X = mtc_csr(b->n, b->d, row, column, B);
    mtc_data_gram(&X, &X, C, b->n, work);
    return MTC_OK;
}

/* Ten overlapping groups. */
static void groups(const bench *b)
{
    test_fill(A, b->n * b->d, 1, -1, 1);
    for (size_t i = 0; i < b->n; i++)
        A[i * b->d + i % 10 % b->d] += 1;
}

static mtc_status kmeans(const bench *b)
{
    mtc_data X = mtc_dense(b->n, b->d, A);
    mtc_kmeans_options o = mtc_kmeans_defaults();
    mtc_kmeans_result r;
    o.clusters = 10;
    o.restarts = 1;
    mtc_status s = mtc_kmeans(NULL, &X, &o, &r);
    if (s == MTC_OK)
        mtc_free(NULL, &r.block);
    return s;
}

static mtc_status svm(const bench *b)
{
    mtc_data X = mtc_dense(b->n, b->d, A);
    mtc_svm_options o = mtc_svm_defaults();
    mtc_svm_result r;
    int *y = (int *)bytes(b->n * sizeof *y);
    for (size_t i = 0; i < b->n; i++)
        y[i] = i % 10 < 5;
    o.kernel = MTC_KERNEL_RBF;
    mtc_status s = mtc_svm(NULL, &X, y, &o, &r);
    if (s == MTC_OK)
        mtc_free(NULL, &r.block);
    free(y);
    return s;
}

/* ---- transport: costs in A, marginals at the start of B ---------------- */

static void transport(const bench *b)
{
    test_fill(A, b->n * b->n, 1, 0, 1);
    for (size_t i = 0; i < b->n; i++)
        B[i] = 1 / (mtc_real)b->n;
}

static mtc_status emd(const bench *b)
{
    return mtc_emd(NULL, b->n, b->n, A, b->n, B, B, NULL, C, NULL, NULL, NULL);
}

static mtc_status assignment(const bench *b)
{
    return mtc_assignment(NULL, b->n, b->n, A, b->n, row, NULL, NULL, NULL);
}

#define CUBE(n) ((double)(n) * (n) * (n))

static const bench benches[] = {
    {"gemm", 128, 0, 2 * CUBE(128), random_pair, gemm},
    {"gemm", 256, 0, 2 * CUBE(256), random_pair, gemm},
    {"gemm", 512, 0, 2 * CUBE(512), random_pair, gemm},
    {"gemm", 1024, 0, 2 * CUBE(1024), random_pair, gemm},
    {"syrk", 1000, 0, CUBE(1000), random_pair, syrk},
    {"Cholesky", 1000, 0, CUBE(1000) / 3, symmetric, cholesky},
    {"QR", 500, 0, CUBE(500) * 8 / 3, random_pair, qr},
    {"all eigenpairs", 500, 0, CUBE(500) * 9, symmetric, eigen},
    {"all eigenpairs", 1000, 0, CUBE(1000) * 9, symmetric, eigen},
    {"16 eigenpairs", 1000, 0, CUBE(1000) * 4 / 3, symmetric, eigen_top},
    {"Gram, dense, d = 1000", 1000, 1000, CUBE(1000), sparse_samples,
     gram_dense},
    {"Gram, CSR 5 %, d = 1000", 1000, 1000, 0, sparse_samples, gram_csr},
    {"EMD, uniform", 100, 0, 0, transport, emd},
    {"EMD, uniform", 500, 0, 0, transport, emd},
    {"EMD, uniform", 1000, 0, 0, transport, emd},
    {"assignment", 1000, 0, 0, transport, assignment},
    {"k-means, d = 50, k = 10", 10000, 50, 0, groups, kmeans},
    {"RBF SVM, d = 20", 3000, 20, 0, groups, svm}
};

enum { LARGEST = 1024, BENCHES = sizeof benches / sizeof benches[0] };

/* The most work that any row asks for. */
static size_t most_work(void)
{
    mtc_data X = mtc_dense(LARGEST, LARGEST, A);
    mtc_data Y = mtc_csr(LARGEST, LARGEST, row, column, B);
    size_t n = LARGEST;
    size_t need[] = {mtc_gemm_work(n, n, n), mtc_qr_work(n, n),
                     mtc_data_work(&X, &X, n), mtc_data_work(&Y, &Y, n)};
    size_t most = 0;
    for (size_t i = 0; i < sizeof need / sizeof need[0]; i++)
        most = need[i] > most ? need[i] : most;
    return most;
}

/* ---- growth of LSSMTC: what an iteration costs ------------------------- */

/* n sparse samples, `filled` values a row at random. */
static mtc_data random_text(size_t n, size_t d, size_t filled, uint64_t seed)
{
    mtc_random r = mtc_random_seed(seed);
    size_t *rows = (size_t *)bytes((n + 1) * sizeof *rows), gap = d / filled;
    uint32_t *columns = (uint32_t *)bytes(n * filled * sizeof *columns);
    mtc_real *values = (mtc_real *)bytes(n * filled * sizeof *values);
    for (size_t i = 0; i < n; i++) {
        rows[i] = i * filled;
        for (size_t e = 0; e < filled; e++) {       /* one in each stretch */
            size_t word = mtc_random_below(&r, gap);
            columns[i * filled + e] = (uint32_t)(e * gap + word);
            values[i * filled + e] = mtc_random_real(&r) + (mtc_real)0.1;
        }
    }
    rows[n] = n * filled;
    return mtc_csr(n, d, rows, columns, values);
}

static void free_text(const mtc_data *X)
{
    free((void *)X->row);
    free((void *)X->column);
    free((void *)X->values);
}

/* Seconds of an iteration: a long run less a short one. */
static void lssmtc_growth(size_t n, size_t d, size_t filled)
{
    mtc_data tasks[2] = {random_text(n, d, filled, 1),
                         random_text(n, d, filled, 2)};
    int *start = (int *)bytes(n * sizeof *start);
    const int *starts[2] = {start, start};
    double seconds[2];
    for (size_t i = 0; i < n; i++)
        start[i] = (int)(i % 4);
    mtc_lssmtc_options o = mtc_lssmtc_defaults();
    o.clusters = 4;
    o.start_labels = starts;
    for (int run = 0; run < 2; run++) {
        mtc_lssmtc_result res;
        o.iterations = run == 0 ? 1 : 11;
        clock_t begin = clock();
        if (mtc_lssmtc(NULL, tasks, 2, &o, &res) != MTC_OK)
            exit(1);
        seconds[run] = (double)(clock() - begin) / CLOCKS_PER_SEC;
        mtc_free(NULL, &res.block);
    }
    mtc_context ask = mtc_measure();
    mtc_lssmtc_result none;
    mtc_lssmtc(&ask, tasks, 2, &o, &none);          /* what it takes */
    double data = (double)(2 * n * filled) *
                  (double)(sizeof(mtc_real) + sizeof(uint32_t));
    printf("lssmtc recon 2 x %6lu x %6lu, %3lu a row  %9.2f ms an iteration, "
           "memory %.2f x the data's\n", (unsigned long)n, (unsigned long)d,
           (unsigned long)filled, (seconds[1] - seconds[0]) * 100,
           (double)ask.need / data);
    for (size_t t = 0; t < 2; t++)
        free_text(&tasks[t]);
    free(start);
}

/* ---- what a vote of families costs beside ten runs of k-means ----------- */

/* A row of counts becomes a sample: of unit length, term by inverse document
 * frequency, or as it is if idf is NULL.  Returns the number of its values. */
static size_t weigh_words(size_t d, const size_t *count, const mtc_real *idf,
                          uint32_t *columns, mtc_real *values)
{
    size_t nnz = 0;
    mtc_real norm = 0;
    for (size_t w = 0; w < d; w++)
        if (count[w] > 0) {
            columns[nnz] = (uint32_t)w;
            values[nnz] = (mtc_real)count[w] * (idf != NULL ? idf[w] : 1);
            norm += values[nnz] * values[nnz];
            nnz++;
        }
    for (size_t e = 0; e < nnz && idf != NULL; e++)
        values[e] /= (mtc_real)sqrt((double)norm);
    return nnz;
}

/* n samples as newsgroups have them: `words` draws by Zipf's law, of which
 * two in five are by the frequencies of the sample's topic, the others by
 * those of all.  k-means takes ten steps on it, as it does on news, not
 * the two or three of topics that nothing blurs.  As `counts` samples are as
 * they are, a quarter of `words` to four times as long. */
static mtc_data news_text(size_t n, size_t d, size_t words, size_t topics,
                          uint64_t seed, int counts)
{
    const double head = 20;         /* words of about the same frequency */
    const size_t most = counts ? 4 * words : words;
    mtc_random r = mtc_random_seed(seed);
    size_t *rows = (size_t *)bytes((n + 1) * sizeof *rows);
    uint32_t *columns = (uint32_t *)bytes(n * most * sizeof *columns);
    mtc_real *values = (mtc_real *)bytes(n * most * sizeof *values);
    size_t *count = (size_t *)bytes(d * sizeof *count);
    mtc_real *idf = reals(d);
    for (size_t w = 0; w < d; w++)  /* log of rank, what is left of log 1/df */
        idf[w] = (mtc_real)log(1 + ((double)w + 1) / head);
    rows[0] = 0;
    for (size_t i = 0; i < n; i++) {
        double times = counts ? pow(16, (double)mtc_random_real(&r)) / 4 : 1;
        memset(count, 0, d * sizeof *count);
        for (size_t e = 0; e < (size_t)((double)words * times); e++) {
            double u = (double)mtc_random_real(&r);
            size_t w = (size_t)(head * (pow(1 + (double)d / head, u) - 1)) % d;
            if (mtc_random_below(&r, 5) < 2)
                w = (w * 37 + 501 * (i % topics)) % d;
            count[w]++;
        }
        rows[i + 1] = rows[i] + weigh_words(d, count, counts ? NULL : idf,
                                            columns + rows[i],
                                            values + rows[i]);
    }
    free(count);
    free(idf);
    return mtc_csr(n, d, rows, columns, values);
}

static void auto_cost(size_t n, size_t d, int counts)
{
    enum { TASKS = 4, TOPICS = 4 };
    mtc_data tasks[TASKS];
    mtc_kmeans_options ko = mtc_kmeans_defaults();
    mtc_auto_options o = mtc_auto_defaults();
    mtc_auto_result res;
    ko.clusters = o.clusters = TOPICS;
    for (size_t t = 0; t < TASKS; t++)
        tasks[t] = news_text(n, d, 75, TOPICS, t + 1, counts);
    clock_t begin = clock();
    for (size_t t = 0; t < TASKS; t++) {
        mtc_kmeans_result km;
        if (mtc_kmeans(NULL, &tasks[t], &ko, &km) != MTC_OK)
            exit(1);
        mtc_free(NULL, &km.block);
    }
    clock_t middle = clock();
    if (mtc_auto(NULL, tasks, TASKS, &o, &res) != MTC_OK)
        exit(1);
    clock_t end = clock();
    printf("auto %d x %lu x %lu%s  %9.2f s, %.1f x ten runs of k-means\n",
           (int)TASKS, (unsigned long)n,
           (unsigned long)d, counts ? ", counts" : "",
           (double)(end - middle) / CLOCKS_PER_SEC,
           (double)(end - middle) / (double)(middle - begin));
    mtc_free(NULL, &res.block);
    for (size_t t = 0; t < TASKS; t++)
        free_text(&tasks[t]);
}

/* choose beside auto and Ward's tree, of four blobs that nearly touch. */
static void choose_cost(size_t n, size_t d)
{
    mtc_real *x = reals(n * d);
    mtc_random rng = mtc_random_seed(1);
    mtc_auto_options o = mtc_auto_defaults();
    mtc_auto_result res;
    mtc_choose_result choice;
    mtc_ward_result tree;
    for (size_t i = 0; i < n; i++)
        for (size_t f = 0; f < d; f++)
            x[i * d + f] = mtc_random_normal(&rng) + (f == i % 4 ? 4 : 0);
    mtc_data X = mtc_dense(n, d, x);
    o.clusters = 4;
    clock_t begin = clock();
    if (mtc_choose(NULL, &X, 1, NULL, &choice) != MTC_OK)
        exit(1);
    clock_t middle = clock();
    if (mtc_auto(NULL, &X, 1, &o, &res) != MTC_OK)
        exit(1);
    clock_t last = clock();
    if (mtc_ward(NULL, &X, &tree) != MTC_OK)
        exit(1);
    clock_t end = clock();
    printf("choose %lu x %lu  %9.3f s, %.1f x auto (at most 3); ward %.3f s\n",
           (unsigned long)n, (unsigned long)d,
           (double)(middle - begin) / CLOCKS_PER_SEC,
           (double)(middle - begin) / (double)(last - middle),
           (double)(end - last) / CLOCKS_PER_SEC);
    mtc_free(NULL, &choice.block);
    mtc_free(NULL, &res.block);
    mtc_free(NULL, &tree.block);
    free(x);
}

/* choose where the first look is not final: sixteen squares of a grid. */
static void choose_twice(size_t n)
{
    mtc_real *x = reals(2 * n);
    mtc_random rng = mtc_random_seed(1);
    mtc_choose_options o = mtc_choose_defaults();
    mtc_choose_result choice;
    double seconds[2];
    for (size_t i = 0; i < n; i++) {
        x[2 * i] = (mtc_real)(i % 4 * 4) + 2 * mtc_random_real(&rng);
        x[2 * i + 1] = (mtc_real)(i / 4 % 4 * 4) + 2 * mtc_random_real(&rng);
    }
    mtc_data X = mtc_dense(n, 2, x);
    for (int look = 0; look < 2; look++) {
        clock_t begin = clock();
        o.max = look == 0 ? 12 : 48;
        if (mtc_choose(NULL, &X, 1, &o, &choice) != MTC_OK)
            exit(1);
        seconds[look] = (double)(clock() - begin) / CLOCKS_PER_SEC;
        mtc_free(NULL, &choice.block);
    }
    printf("choose %lu x 2, 16 squares  %9.3f s, the second look %.1f times "
           "the first (at most 7)\n", (unsigned long)n, seconds[1],
           (seconds[1] - seconds[0]) / seconds[0]);
    free(x);
}

int main(void)
{
    size_t all = (size_t)LARGEST * LARGEST;
    A = reals(all);
    B = reals(all);
    C = reals(all);
    V = reals(all);
    row = (size_t *)bytes((LARGEST + 1) * sizeof *row);
    column = (uint32_t *)bytes(all * sizeof *column);
    memset(row, 0, (LARGEST + 1) * sizeof *row);
    work = bytes(most_work());
    printf("mtc %s, %lu-byte reals\n", mtc_version(),
           (unsigned long)sizeof(mtc_real));
    for (size_t i = 0; i < BENCHES; i++)
        report(&benches[i]);
    lssmtc_growth(2000, 3000, 50);
    lssmtc_growth(4000, 3000, 50);              /* n twice */
    lssmtc_growth(2000, 6000, 50);              /* d twice */
    lssmtc_growth(2000, 3000, 100);             /* values twice */
    lssmtc_growth(10000, 30000, 90);            /* .3 % of 20 000 x 30 000 */
    auto_cost(500, 3000, 0);                 /* 2 000 x 3 000 in all */
    auto_cost(500, 3000, 1);                 /* rows of unequal length */
    auto_cost(3400, 3000, 0);                /* of which 2 000 a task vote */
    choose_cost(500, 10);
    choose_cost(1000, 10);
    choose_twice(640);
    free(A);
    free(B);
    free(C);
    free(V);
    free(row);
    free(column);
    free(work);
    return 0;
}
