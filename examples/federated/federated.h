/* SPDX-License-Identifier: MIT
 *
 * federated.h - one run: its options, who holds what, its state.
 * federated_mbc.c is MBC, lssmtc.c the other method, start.c how both begin,
 * ranks.c what travels, job.c sets up and reports, rows.c reads and writes,
 * table.c reads tables.
 */
#ifndef FEDERATED_H
#define FEDERATED_H

#include <stdio.h>

#include "../../mtc.h"
#include "table.h"

enum { BAD_DATA = 1, USAGE = 2 };   /* exit status */

/* The rows of one task that this rank holds, in CSR. */
typedef struct rows {
    size_t n, d;                    /* d: highest index here */
    size_t *row;
    uint32_t *column;
    mtc_real *values;
    size_t room_row, room_value;    /* allocated */
} rows;

/* A file, or generated rows: all of a task or a part of it.  Ranks first ..
 * first + ranks - 1 hold it, each a run of its lines. */
typedef struct source {
    const char *path, *init;        /* init: labels to start from, or NULL */
    char *name;                     /* of the path, no directory, no ending */
    size_t task;
    int first, ranks;
    size_t begin, n;                /* of the rows here: from, how many */
} source;

typedef struct settings {
    const char *k, *init, *out, *json, *divergence, *generate;
    double lambda, smooth, iterations, tolerance, seed, tasks;
    double subspace, offset, restarts;  /* of lssmtc */
    const char *method;
    char *column[16];               /* options of tables and their values, */
    size_t columns;                 /* so many of both */
    int quiet;
} settings;

/* What a rank knows.  Rows and labels are its own; all else is the same on
 * every rank, to the bit. */
typedef struct job {
    settings set;
    int rank, ranks;
    source *file;                   /* [files], in the order of the tasks */
    size_t files, T, d, most;       /* tasks, features, largest k */
    size_t *k, *n;                  /* [T] clusters, rows on all ranks */
    size_t *held;                   /* [ranks*T] rows on each */
    mtc_data *X;                    /* [T] rows here; X.n = 0 where none */
    int **labels;                   /* [T] of [X.n] */
    uint64_t names;                 /* of the columns of tables; 0: none */
    mtc_divergence div;
    mtc_mbc_options opt;            /* divergence and smooth: for new labels */
    mtc_context ctx;
    mtc_real **U, **S;              /* [T] of [k*d] centroids, sums of rows */
    mtc_real *count;                /* [T*most] rows of a cluster */
    mtc_real *plans, *cost;         /* [T*T] of [most*most], [T*T] */
    mtc_real *within;               /* [T] mean distance to the centroid */
    mtc_real *objective;            /* [iterations+1] */
    size_t iterations;
    int converged;
    double received;                /* bytes that came to this rank */
    double seconds, reading;        /* of the iterations; before them */
    double busy;                    /* processor time of them outside MPI */
} job;

/* ---- ranks.c ---- */

/* The rank that has the last rows of task t; the one that has its row *row,
 * which becomes the number of the row there. */
int last_holder(const job *j, size_t t);
int holder_of(const job *j, size_t t, size_t *row);
/* Sums over the rows of task t, in their order: x [n] goes on from the rank
 * that has the rows before these, or from 0, and is passed on to the next. */
void go_on(job *j, size_t t, mtc_real *x, size_t n);
void pass_on(job *j, size_t t, const mtc_real *x, size_t n);
/* x [n] of one rank to all. */
void send_to_all(job *j, mtc_real *x, size_t n, int from);
/* Everywhere the sum of what the ranks have.  All but one have 0, or the terms
 * are counts: it is exact, in any order. */
void add_up(job *j, mtc_real *x, size_t n);
/* Fills j->d, j->held and j->n: mine [T] rows are here, d features. */
void tell_counts(job *j, const size_t *mine, size_t d);
/* Rows of a file on the ranks before `rank`; on all ranks. */
size_t rows_before(const job *j, const source *f, int rank);
size_t rows_of(const job *j, const source *f);
/* all [rows_of] labels of a file, on the rank that has its first line. */
void gather_labels(const job *j, const source *f, int *all);
/* The other way: labels of all rows of a file, from rank `owner`, which has
 * read so many of them, to those that hold them. */
void deal_labels(const job *j, const source *f, int owner, const int *all,
                 size_t read);
/* Of an iteration, on rank 0. */
typedef struct totals {
    double memory, busy;            /* of the rank with the most */
    double bytes, seconds;          /* to all ranks; from begin to end */
} totals;
totals figures(const job *j, double memory);
int all_agree(int fine);            /* 1 if it is 1 everywhere */
int all_equal(uint64_t x);          /* 1 if it is, but where it is 0 */

/* ---- lssmtc.c ---- */

void descend_lssmtc(job *j);

/* ---- start.c ---- */

/* Centroids of task t to find the first labels by: rows that were drawn. */
void draw_seeds(job *j, size_t t);
/* Centroids of task t under given labels, where these leave some empty. */
void begin_at_mean(job *j, size_t t);
/* Cluster z of task t is the one that cluster z of the first is moved to, where
 * both have as many: W^0t is a permutation / K. */
void number_clusters(job *j, size_t t);

/* The labels that LSSMTC begins with. */
void begin_with_kmeans(job *j);

/* ---- job.c ---- */

void set_up(job *j, int argc, char **argv);
/* Appends all rows of a file, whoever holds them. */
void append_whole(job *j, rows *to, const source *from);
int report(job *j);                 /* the exit status */

/* ---- rows.c ---- */

/* Ends every rank: "federated_mbc: message", then this exit status. */
void give_up(int status, const char *format, ...);
/* Memory of count * size bytes, zeros; or fails. */
void *zeros(size_t count, size_t size);

/* A number by itself, up to the next blank or the end; 0 if it is none. */
int number_at(const char *s, double *x, const char **end);

/* Appends the lines of `from` that begin in share `part` of `parts` of its
 * bytes.  Fails with file, line and reason. */
void read_rows(rows *to, const source *from, int part, int parts);
/* Appends that share of the rows of a table. */
void add_table(rows *to, const table *from, int part, int parts);

/* Appends rows first .. last-1 of a text that the seed makes up: of `words`
 * words each has `values`, half of them from the row's topic. */
typedef struct shape { size_t rows, words, values, topics; } shape;
void generate_rows(rows *to, const shape *like, uint64_t seed, size_t task,
                   size_t first, size_t last);

/* Lines skip .. skip+n-1 of a file of `total` labels in 0..k-1. */
void read_start(const source *of, size_t skip, size_t n, size_t total,
                size_t k, int *labels);

/* Label files and JSON are written to PATH.part, then moved to their place once
 * every rank has written its own, or removed if one could not. */
char *joined(const char *a, const char *b, const char *c, const char *d);
void check_output(const char *path, const source *inputs, size_t n);
void make_folder(const char *path, int try_only);
FILE *begin_output(const char *path);           /* NULL: close_output tells */
int close_output(FILE *out, const char *path);  /* 0: failed, and said so */
void end_output(const char *path, int keep);

#endif
