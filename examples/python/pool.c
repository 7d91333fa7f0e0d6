/* SPDX-License-Identifier: MIT
 *
 * pool.c - the pool of examples/threads.c, for the Python package
 *
 * It is linked into the library of a wheel, so that calls from Python share
 * their work without a word of Python between the pieces.  Where it is not
 * there, threads of Python do the same.
 */
#define main threads_example            /* which is not called here */
int threads_example(void);

#include "../threads.c"

#include <stdlib.h>

void *mtc_python_pool(size_t lanes);
void mtc_python_parallel(void *pool, size_t n,
                         void (*piece)(void *job, size_t i), void *job);
void mtc_python_close(void *pool);

/* Returns a pool of so many lanes, or NULL without memory. */
void *mtc_python_pool(size_t lanes)
{
    thread_pool *p = (thread_pool *)malloc(sizeof *p);
    if (p != NULL)
        pool_open(p, lanes);
    return p;
}

void mtc_python_parallel(void *pool, size_t n,
                         void (*piece)(void *job, size_t i), void *job)
{
    pool_parallel(pool, n, piece, job);
}

void mtc_python_close(void *pool)
{
    pool_close((thread_pool *)pool);
    free(pool);
}
