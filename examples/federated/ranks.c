/* SPDX-License-Identifier: MIT
 *
 * ranks.c - all that travels between ranks, and all calls of MPI but those that
 * begin, end and tell the time
 */
#include "federated.h"

#include <mpi.h>
#include <string.h>
#include <time.h>

#define WORLD MPI_COMM_WORLD
#define REAL (sizeof(mtc_real) == sizeof(double) ? MPI_DOUBLE : MPI_FLOAT)

/* A call of MPI: processor time in it, mostly spent waiting, is not work. */
#define CALL(j, call)                                              \
    do {                                                           \
        clock_t before_ = clock();                                 \
        call;                                                      \
        (j)->busy -= (double)(clock() - before_) / CLOCKS_PER_SEC; \
    } while (0)

static size_t rows_on(const job *j, int rank, size_t t)
{
    return j->held[(size_t)rank * j->T + t];
}

/* The next rank in direction `step` that has rows of task t, or -1. */
static int neighbor(const job *j, size_t t, int rank, int step)
{
    do
        rank += step;
    while (rank >= 0 && rank < j->ranks && rows_on(j, rank, t) == 0);
    return rank < j->ranks ? rank : -1;
}

int last_holder(const job *j, size_t t)
{
    return neighbor(j, t, j->ranks, -1);
}

int holder_of(const job *j, size_t t, size_t *row)
{
    int rank = 0;
    for (; *row >= rows_on(j, rank, t); rank++)
        *row -= rows_on(j, rank, t);
    return rank;
}

void go_on(job *j, size_t t, mtc_real *x, size_t n)
{
    int before = neighbor(j, t, j->rank, -1);
    memset(x, 0, n * sizeof *x);
    if (before < 0)
        return;
    CALL(j, MPI_Recv(x, (int)n, REAL, before, 0, WORLD, MPI_STATUS_IGNORE));
    j->received += (double)(n * sizeof *x);
}

void pass_on(job *j, size_t t, const mtc_real *x, size_t n)
{
    int after = neighbor(j, t, j->rank, 1);
    if (after >= 0)
        CALL(j, MPI_Send(x, (int)n, REAL, after, 0, WORLD));
}

void send_to_all(job *j, mtc_real *x, size_t n, int from)
{
    CALL(j, MPI_Bcast(x, (int)n, REAL, from, WORLD));
    j->received += from != j->rank ? (double)(n * sizeof *x) : 0;
}

void add_up(job *j, mtc_real *x, size_t n)
{
    CALL(j, MPI_Allreduce(MPI_IN_PLACE, x, (int)n, REAL, MPI_SUM, WORLD));
    j->received += j->ranks > 1 ? (double)(n * sizeof *x) : 0;
}

void tell_counts(job *j, const size_t *mine, size_t d)
{
    MPI_Allreduce(&d, &j->d, 1, MPI_UNSIGNED_LONG, MPI_MAX, WORLD);
    MPI_Allgather(mine, (int)j->T, MPI_UNSIGNED_LONG, j->held, (int)j->T,
                  MPI_UNSIGNED_LONG, WORLD);
    for (size_t t = 0; t < j->T; t++)
        for (int r = 0; r < j->ranks; r++)
            j->n[t] += rows_on(j, r, t);
}

/* Ranks that share a file hold nothing else. */
size_t rows_before(const job *j, const source *f, int rank)
{
    size_t n = 0;
    for (int r = f->first; r < rank && f->ranks > 1; r++)
        n += rows_on(j, r, f->task);
    return n;
}

size_t rows_of(const job *j, const source *f)
{
    return f->ranks > 1 ? rows_before(j, f, f->first + f->ranks) : f->n;
}

void gather_labels(const job *j, const source *f, int *all)
{
    const int *here = j->labels[f->task] + f->begin;
    if (j->rank > f->first && j->rank < f->first + f->ranks)
        MPI_Send(here, (int)f->n, MPI_INT, f->first, 0, WORLD);
    if (j->rank != f->first)
        return;
    memcpy(all, here, f->n * sizeof *all);
    for (int r = f->first + 1; r < f->first + f->ranks; r++)
        MPI_Recv(all + rows_before(j, f, r), (int)rows_on(j, r, f->task),
                 MPI_INT, r, 0, WORLD, MPI_STATUS_IGNORE);
}

/* A file of one name may be another file on another rank. */
static void check_copy(const source *f, int rank, size_t held, size_t read)
{
    if (held != read)
        give_up(BAD_DATA, "%s: rank %d reads %lu rows, but the ranks hold %lu: "
                "their files differ, and lssmtc begins with all rows of a "
                "task; --init names labels to start from",
                f->path != NULL ? f->path : "generated rows", rank,
                (unsigned long)read, (unsigned long)held);
}

/* Only the holder knows how many rows of a file it has, if it has others. */
void deal_labels(const job *j, const source *f, int owner, const int *all,
                 size_t read)
{
    int *here = j->labels[f->task] + f->begin;
    if (j->rank == owner && f->ranks > 1)
        check_copy(f, owner, rows_of(j, f), read);
    for (int r = f->first; r < f->first + f->ranks; r++) {
        size_t n = f->n;
        const int *from = all != NULL ? all + rows_before(j, f, r) : NULL;
        if (r == owner && j->rank == owner) {
            if (f->ranks == 1)
                check_copy(f, owner, n, read);
            memcpy(here, from, n * sizeof *here);
        } else if (j->rank == r) {
            MPI_Send(&n, 1, MPI_UNSIGNED_LONG, owner, 0, WORLD);
            MPI_Recv(here, (int)n, MPI_INT, owner, 0, WORLD,
                     MPI_STATUS_IGNORE);
        } else if (j->rank == owner) {
            MPI_Recv(&n, 1, MPI_UNSIGNED_LONG, r, 0, WORLD,
                     MPI_STATUS_IGNORE);
            if (f->ranks == 1)
                check_copy(f, owner, n, read);
            MPI_Send(from, (int)n, MPI_INT, r, 0, WORLD);
        }
    }
}

totals figures(const job *j, double memory)
{
    double steps = j->iterations > 0 ? (double)j->iterations : 1;
    double most[2] = {memory, j->busy / steps}, got[2] = {0, 0}, bytes = 0;
    double received = j->received / steps;
    MPI_Reduce(most, got, 2, MPI_DOUBLE, MPI_MAX, 0, WORLD);
    MPI_Reduce(&received, &bytes, 1, MPI_DOUBLE, MPI_SUM, 0, WORLD);
    return (totals){got[0], got[1], bytes, j->seconds / steps};
}

int all_equal(uint64_t x)
{
    uint64_t low = x > 0 ? x : UINT64_MAX, high = x;
    MPI_Allreduce(MPI_IN_PLACE, &low, 1, MPI_UINT64_T, MPI_MIN, WORLD);
    MPI_Allreduce(MPI_IN_PLACE, &high, 1, MPI_UINT64_T, MPI_MAX, WORLD);
    return low >= high;
}

int all_agree(int fine)
{
    MPI_Allreduce(MPI_IN_PLACE, &fine, 1, MPI_INT, MPI_MIN, WORLD);
    return fine;
}
