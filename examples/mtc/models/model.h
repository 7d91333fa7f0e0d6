/* SPDX-License-Identifier: MIT
 *
 * model.h - models: what labels new samples, in memory and as a file
 *
 * `--save` makes one of a finished job, `mtc assign` and `mtc export` read it.
 * mtc.1 describes the file, member by member.
 */
#ifndef APP_MODEL_H
#define APP_MODEL_H

#include "../base/data.h"
#include "../texts/texts.h"

/* How a sample x, preprocessed, gets its label.  Sums run over all d features
 * of a row that is written out, zeros too, so that labels do not depend on the
 * form of the file.  dot is mtc_dot.  The lowest z wins a tie.
 *   NEAREST     argmin_z divergence(x + smooth || centers[z]), as by
 *               mtc_kmeans_assign (no smooth where it is a squared distance)
 *   LINEAR      f[p] = dot(x, W[p]) + bias[p]; see winner below
 *   KERNEL      f[p] = sum_i coefficients[p][i] exp(-gamma |x - support[i]|^2)
 *               + bias[p], mtc_svm_assign
 * The winner among f [problems]: 0 if there is none or k is 1; of one problem
 * 1 if f > 0, else 0; of several the largest.  Of the first, z becomes the
 * label number[z]. */
typedef enum model_rule {
    RULE_NEAREST, RULE_LINEAR, RULE_KERNEL
} model_rule;

/* A column of words, which is `n` features from `first` on: 1 where the word
 * is that of the sample, else 0. */
typedef struct model_words {
    const char *column;
    size_t first, n;
    const char **word;              /* [n] ascending */
} model_words;

/* Features that are words, behind `numbers` that are columns of a table. */
typedef struct model_texts {
    text_rules rules;
    words columns;                  /* of tables, or members of JSON lines */
    size_t numbers;
    const char **words;             /* [n] the last n of the model's names */
    size_t n;
} model_texts;

/* A task, and its figures by the rule; what a rule does not use is NULL. */
typedef struct model_task {
    const char *name;
    size_t k;                       /* clusters, or classes */
    mtc_real *fill;                 /* [d] raw values for missing ones */
    /* NEAREST */
    size_t rows;                    /* centers: k, or fewer where clusters that
                                       are empty have none */
    int *number;                    /* [rows] cluster of each, ascending; NULL:
                                       0, 1, ... */
    mtc_real *centers;              /* [rows*d] */
    mtc_real *radius;               /* [rows] largest distance in training; 0
                                       where no sample came */
    /* LINEAR, KERNEL */
    size_t problems;                /* 0 (k = 1), 1 (k = 2), k; nb: k */
    mtc_real *weights, *bias;       /* LINEAR: W [problems*d]; [problems] */
    size_t n_support;               /* KERNEL */
    mtc_real *support, *coefficients;   /* [n_support*d] [problems*n_support] */
    mtc_real gamma;
} model_task;

typedef struct model {
    const char *file;               /* that it is read from or goes to */
    const char *method, *kind;      /* kind: cluster or transfer */
    int guarded;                    /* 1: with --guard */
    int stand_in;                   /* 1: the method has no rule of its own;
                                       these are the means of its answer */
    model_rule rule;
    text options;                   /* JSON, as used; not read again */
    /* features, as the method saw them */
    size_t d;
    const char **names;             /* [d] by the tables' headers, or NULL */
    size_t *columns;                /* [d] places in the file, from 1, that
                                       ascend; NULL: 1..d */
    model_words *hot;               /* [n_hot] */
    size_t n_hot;
    model_texts *texts;             /* NULL: features are no words */
    /* how tables were read: what new files have to agree with */
    const char *decimal;            /* . or , or ?: the files differ; or NULL */
    const char **signs;             /* [d] of the numbers, "": none; or NULL */
    double *first_day;              /* [d] that days count from, 0: it has no
                                       dates; or NULL */
    const char **left;              /* [n_left] columns that were left out, */
    size_t *left_place;             /* and their places, see column_place */
    size_t n_left;
    /* preprocessing: none, l2, tfidf or zscore, with its figures */
    scaling scaled;
    /* NEAREST */
    const char *divergence;         /* sqeuclidean mahalanobis kl is */
    mtc_real smooth;                /* 0 for sqeuclidean */
    file_metric metric;             /* mahalanobis */
    int angles;                     /* 1: distances are 1 - cosine */
    /* classes of a transfer by their number: words, or numbers; or neither */
    const char **word;              /* [n_classes] */
    int *number;                    /* [n_classes] */
    size_t n_classes;
    size_t n;
    model_task *task;               /* [n] */
    /* only of the file: constants, and the sizes of optional tables */
    const char *format, *version, *rule_word;
    size_t schema, n_names, n_scaled, n_balance;
    double *balance;
} model;

/* ---- model.c, model_file.c ---- */

const char *rule_name(model_rule rule);
size_t columns_of(const model *m);
int has_distances(const model *m);
mtc_divergence divergence_named(const char *name, const file_metric *metric);
int counts_values(const model *m);
int model_number(const model_task *k, int z);
double model_border(const model *m, size_t t, size_t z);
void model_label(app *a, const model *m, size_t t, const mtc_data *X,
                 const char *subject, int *winner, mtc_real *distance);
void model_write(app *a, const char *path, model *m);
model model_read(app *a, const char *path);

/* ---- fit.c ---- */

size_t column_place(const task *t, size_t number);
void settle_reading(app *a, const model *m, settings *set);
tasks load_new(app *a, const model *m, const words *files,
               const settings *set);

#endif
