/* SPDX-License-Identifier: MIT
 *
 * job.h - methods, jobs, reports and commands
 */
#ifndef APP_JOB_H
#define APP_JOB_H

#include "../../advice/mtc_advice.h"
#include "../base/data.h"

/* ---- job.c ---- */

/* What --guard found in one task: of its answer alone [0] and shared [1]. */
typedef struct guarded {
    double stability[2], loss[2];   /* stability below 0: not measured */
    size_t used[2];                 /* clusters */
} guarded;

/* What came out for one task. */
typedef struct outcome {
    int *labels;                    /* [n] */
    size_t k_effective, iterations;
    int converged;
    mtc_real *objective;            /* [trace]: at the start, after each */
    size_t trace;
    double own;                     /* the method's own figure, see `own` */
    mtc_real *score;                /* [n] of the label, or NULL */
    guarded guarded;                /* with --guard only */
} outcome;

/* What equal cluster numbers of several files have to do with the groups of
 * mtc_across. */
enum numbering {
    NUMBERS_DIFFER,                 /* the method's own, which do not fit, */
    NUMBERS_FIT,                    /* which are those of the groups, */
    NUMBERS_GIVEN                   /* or given by number_groups */
};

/* What is to be done. */
typedef struct job {
    app *a;
    mtc_context *ctx;
    settings *set;
    size_t n, d;                    /* tasks to be labeled; features */
    int separate;                   /* 1: each task has features of its own */
    const char **name;              /* [n] */
    mtc_data *data;                 /* [n] */
    size_t *k;                      /* [n] clusters, or classes */
    int **start;                    /* [n] start labels, each may be NULL */
    outcome *out;                   /* [n] */
    size_t n_sources;               /* transfer: labeled 0..k-1 */
    mtc_data *source;               /* [n_sources] */
    const int *const *source_labels;    /* [n_sources] */
    size_t n_bridges;               /* transfer: unlabeled, in between */
    mtc_data *bridge, *view;        /* [n_bridges]; view NULL: the same */
    const int *known;               /* [n of the target] classes, or -1; or
                                       NULL */
    mtc_data all_sources;           /* stacked */
    const int *all_labels;
    mtc_real *relatedness;          /* [n*n], or NULL */
    mtc_real **weights;             /* [n*n] of [k*k]: how the clusters of two
                                       tasks correspond; or NULL */
    const mtc_across_result *across;    /* groups over all tasks; or NULL */
    enum numbering numbers;         /* what labels have to do with them */
    struct voting *voting;          /* of a transfer with --align; or NULL */
    struct model *model;            /* --save: to be filled; or NULL */
    text members;                   /* the method's own members of the JSON */
    text sure;                      /* what it has to say in the sentence, of
                                       how sure the number is, */
    text notes;                     /* and below the table */
    size_t by_classes;              /* tasks whose labels set the number */
} job;

/* What the program has to know of a method besides its options. */
enum {
    JOINT = 1 << 0,                 /* one run, t = 0, does all tasks */
    FIXED_STEPS = 1 << 2,           /* all iterations, as a rule */
    TRACES = 1 << 3,                /* one objective for each task in JSON
                                       even if there is but one */
    SEPARATE = 1 << 4,              /* tasks have features of their own */
    OF_COUNTS = 1 << 5,             /* values are counts of words */
    VIEWS = 1 << 6,                 /* takes --view1 and --view2, */
    BRIDGES = 1 << 7,               /* or any number of --bridge, */
    ONE_BRIDGE = 1 << 8,            /* or one */
    KNOWN = 1 << 9,                 /* learns from --known alone */
    ONE_K = 1 << 10,                /* all tasks have as many clusters */
    GUARD = 1 << 11,                /* a guard that measures stability */
    MEANS = 1 << 12,                /* centers are means of the answer */
    BY_MEANS = 1 << 13,             /* which are its rule for new samples */
    COMPARED = 1 << 14,             /* stands in examples/compared/, */
    RECONSTRUCTED = 1 << 15,        /* some of it not as published */
    SCALES = 1 << 16                /* columns on different scales are z-scored
                                       in tables */
};

typedef void method_run(job *j, size_t t);  /* for one task after the other */

typedef struct method {
    const char *name, *kind;        /* kind: the command it belongs to */
    method_run *run;
    unsigned flags;
    const char *own;                /* name of the own figure, or NULL */
    const char *assumes;
    const char *options;            /* allowed, with defaults */
    const char *summary, *help;
} method;

void check_job(const job *j, mtc_status s, const char *name);
void check_stacked(const job *j, mtc_status s);
const int *const *starts_of(const job *j, size_t t);
void keep_result(job *j, size_t t, const int *labels,
                 const mtc_real *objective, size_t iterations, int converged,
                 size_t k_effective);
void keep_scores(job *j, size_t t, const mtc_real *scores);
void keep_numbers(job *j, const int *matched);
job new_job(app *a, mtc_context *ctx, settings *set, size_t n, size_t d);
void run_job(const method *m, job *j, double *seconds);

/* ---- cluster.c, guard.c, ensemble.c, transfer.c, aligned.c, compared.c ---- */

method_run run_kmeans, run_vote, run_pcakm, run_ncut, run_genie, run_snmf,
    run_ward, run_lssmtc, run_asi, run_mbc, run_mtcfir, run_auto, run_ec,
    run_trec, run_aligned, run_svm, run_lssttc, run_ttl, run_gfhf, run_llgc,
    run_tsvm, run_nb, run_cocc, run_smbc, run_smkc, run_cdsc, run_tritl,
    run_latentmap, run_cotransfer, run_htlic, run_samtc, run_mtctki, run_dmtc;
size_t bounded_neighbors(double wanted, size_t n);
mtc_lssmtc_options shared_options(const job *j, double lambda);
void keep_shared(job *j, size_t t, const mtc_lssmtc_result *res, size_t s);
mtc_divergence divergence_of(app *a, const settings *set, size_t d,
                             file_metric *metric);
void settle_guard(settings *set, double lambda, size_t iterations);
void run_guarded(job *j, mtc_guard_options *opt);

/* ---- save.c: what methods hand over for --save ---- */

void keep_centers(job *j, size_t t, size_t width, const mtc_real *centers);
void keep_divergence(job *j, const file_metric *metric);
void keep_angles(job *j);
void keep_components(job *j, size_t t, const mtc_pca_result *pca);
void keep_linear(job *j, size_t t, size_t problems, const mtc_real *weights,
                 const mtc_real *bias);

/* What a support vector machine learned from the rows of all sets. */
typedef struct machine {
    const mtc_data *sets;           /* [n_sets] */
    size_t n_sets, problems;
    const mtc_real *coefficients;   /* [problems*n] n rows of all sets */
    const mtc_real *bias;           /* [problems] */
    mtc_real gamma;                 /* 0: it is linear */
    mtc_real scale;                 /* linear: rows were divided by it */
} machine;

void keep_machine(job *j, size_t t, const machine *v);

/* ---- methods.c ---- */

extern const method methods[];
extern const size_t n_methods;

int wants_counts(const method *m, const settings *set);
const method *find_method(app *a, const char *kind, const char *name);

/* ---- report.c, summary.c, picture.c ---- */

/* One line of the table.  With truth, the scores. */
typedef struct entry {
    const char *name;
    size_t n, d, k, k_effective;
    const int *labels, *truth;      /* [n]; truth NULL: unknown */
    double acc, nmi, ari;
    const mtc_real *score;          /* [n] of the labels, or NULL */
    const mtc_real *distance;       /* assign: [n], or NULL; and */
    const int *far;                 /* [n] 1: beyond the cluster's radius, or
                                       far from the source; or NULL */
} entry;

typedef struct report {
    const method *method;
    job *job;
    tasks *tasks;                   /* as shown: the job may see them pooled */
    entry *entry;                   /* [tasks->n] */
    double seconds;
    const tasks *sources;           /* transfer: where labels come from */
    const int *classes;             /* transfer: the source's labels */
    size_t n_classes;
    const int *strangers;           /* and others that the target has: they
                                       are numbered behind the classes */
    int named;                      /* 1: they stand for words */
    struct overview *seen;          /* one look at the result, for all that
                                       shows it: summary.h */
} report;

int finds_classes(const report *r);

/* ---- across.c ---- */

void find_groups(const method *m, job *j, const tasks *all);
int is_own(const report *r, size_t t, size_t z);
size_t files_of_group(const report *r, size_t z, size_t *last);
void put_spread(app *a, text *out, const tasks *all, size_t t, size_t f,
                double ratio, const char *others);
void put_across(text *out, const report *r);
void put_pairs_across(text *out, const report *r);
void put_across_members(text *t, const report *r);
void put_sure_pairs(text *t, const job *j, size_t from, size_t to);

/* ---- aligned.c ---- */

enum { MOST_VOTERS = 6 };

/* How a target was brought to its sources; and without a method, what voted
 * and how that ended. */
typedef struct voting {
    mtc_align_result found;
    int votes;                      /* 1: there was a vote */
    size_t voters;                  /* 0: the source has but one class */
    const char *name[MOST_VOTERS];  /* rbf, llgc, ... */
    mtc_align_map map[MOST_VOTERS];
    size_t same[MOST_VOTERS];       /* rows with the answer's label */
    size_t agreed, n_far;           /* rows with all votes, and far rows */
    int *far;                       /* [n] */
} voting;

void align_job(const report *r);
int is_voted(const job *j);
void settle_aligned(const report *r);
void tell_other_units(const report *r, const task *sources);
struct profile;
void put_votes(text *out, const report *r, const struct profile *p);
void put_row_votes(text *t, const report *r);
void put_aligned_members(text *t, const report *r);

/* ---- save.c ---- */

void begin_model(job *j, const method *m);
void settle_save(app *a, const settings *set, const method *m, size_t n);
void save_model(const report *r);

/* ---- show ---- */

void score_entry(job *j, entry *e, int direct);
int name_width(const tasks *all);
void put_preparation(app *a, text *t, const char *name, const preparation *p);
void print_table(const report *r);
void hint_at_preprocessing(app *a, const tasks *all);
const int *row_labels(app *a, const entry *e, const task *data);
void put_classes(app *a, text *t, const report *r);
void write_json(const report *r);
void write_labels(const report *r);
void write_svg(const report *r);

enum { SVG_TITLE = 26 };                /* of a page's height */

double heat_width(size_t n);
double heat_height(size_t n);
void heat_map(app *a, text *t, double x, double y, const char *title,
              size_t n, const char *const *name, const mtc_real *value);
void svg_put_text(app *a, text *t, double x, double y, const char *anchor,
                  const char *shown);
void svg_write(app *a, const char *path, const char *title, double width,
               double height, const text *body);

/* ---- choose.c ---- */

/* How many clusters: of all tasks, and of each by itself. */
typedef struct k_choice {
    size_t n;
    const char **name;              /* [n] */
    mtc_choose_result found;
} k_choice;

#define CHOOSE_OPTIONS \
    "k-min=1 k-max=48 seed=1 preprocess.auto=auto log=auto" READ_OPTIONS \
    " json jobs verbose quiet"

void choose_for(job *j, const task *const *at, int one);
size_t choose_common(app *a, const settings *set, const tasks *all);
void put_k_choice(app *a, text *t, const k_choice *c, const preparation *p);

/* ---- odd_rows.c ---- */

size_t without_far(app *a, const settings *set, size_t n,
                   const task *const *at, task *rest, text *what);

/* ---- the files of commands/ ---- */

/* Arguments are those behind the name of the command. */
typedef void command_run(app *a, int argc, char **argv);

/* How files are read, in every command that reads several; and how results
 * are written. */
#define TEXT_OPTIONS \
    " text markup=none token=letters word-length=2-25 stop stem=none " \
    "min-texts=2 max-share=.5 vocabulary=10000"
#define READ_OPTIONS \
    " labels=auto use drop id onehot header missing missing-word split " \
    "decimal names dates match strict" TEXT_OPTIONS
#define FILE_OPTIONS READ_OPTIONS " out json"

#define RELATE_OPTIONS \
    "k.numbers seed=1 restarts=10 iterations=300 tolerance=0 " \
    "preprocess.auto=auto log=auto " \
    READ_OPTIONS " json svg jobs verbose quiet"
#define COMPARE_OPTIONS \
    "k repeats=3 seed=1 preprocess.auto=auto log=auto" READ_OPTIONS \
    " json jobs quiet"
#define DESCRIBE_OPTIONS \
    "labels=auto use drop id onehot header missing missing-word decimal" \
    TEXT_OPTIONS " out json quiet"
#define EMD_OPTIONS "supply demand json quiet"
#define SCORE_OPTIONS "labels=auto header decimal json quiet"
#define BRIDGE_OPTIONS \
    "source.one target preprocess=none" READ_OPTIONS \
    " json jobs quiet"
#define ASSIGN_OPTIONS \
    "task labels=auto use drop id text header missing missing-word " \
    "decimal names " \
    "strict out json quiet"
#define VECTORIZE_OPTIONS \
    "out preprocess.words=tfidf labels=auto use drop id onehot " \
    "header missing missing-word split decimal dates match strict" \
    TEXT_OPTIONS " quiet"
#define GENERATE_OPTIONS "out n=150 tasks=2 k.one seed=1 quiet"

command_run run_cluster, run_transfer, run_relate, run_choose, run_compare,
    run_describe, run_emd, run_assign, run_score, run_vectorize, run_bridge,
    run_generate;
void settle_cluster(app *a, settings *set, size_t n_tasks);
size_t clusters_of(app *a, const settings *set, size_t t, const task *data);
job cluster_job(app *a, mtc_context *ctx, settings *set, const tasks *all,
                const task *pool);
tasks load_together(app *a, settings *set, const words *files);
void see_apart(job *j, const tasks *all);
const char *method_name(int argc, char **argv);
int is_data_file(const char *name);
void map_classes(app *a, tasks *sources, task *pool, task *target, report *r);
tasks load_space(app *a, settings *set, const words *files, int last_apart,
                 int counted, int scales);
void print_completion(app *a, const words *names, const char *const *allowed);
void write_rows(app *a, const settings *set, const task *t,
                const size_t *place);
void print_generators(void);

#endif
