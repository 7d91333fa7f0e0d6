/* SPDX-License-Identifier: MIT
 *
 * job.c - options, who holds which rows, and what is reported at the end
 */
#define _POSIX_C_SOURCE 200809L
#include "federated.h"

#include <limits.h>
#include <math.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

static const char help[] =
    "mpirun -np N federated_mbc [options] --k K TASK...\n\n"
    "MBC, and with --lambda 0 k-means, of tasks on several machines; or\n"
    "LSSMTC, mode recon.  A TASK is a LIBSVM file or a table (.csv, .tsv), or\n"
    "several joined by commas, its rows in parts.  Tables are read as\n"
    "`mtc cluster --preprocess none` reads each by itself; all need the same\n"
    "columns.  With at least as many files as ranks each rank reads its share\n"
    "of the list; with fewer, ranks share the lines of a file.\n\n"
    "  --k K or K1,K2,...      clusters of all tasks, or of each\n"
    "  --method NAME           mbc or lssmtc (mbc)\n"
    "  --lambda X              mbc: pull of other tasks, >= 0 (.5)\n"
    "                          lssmtc: weight of own centers, 0 to 1 (.75)\n"
    "  --subspace N, --offset X   of lssmtc (as many as clusters, .2)\n"
    "  --restarts N            of k-means, which lssmtc begins with (10)\n"
    "  --divergence NAME       sqeuclidean, kl or is\n"
    "  --smooth X              added to every value; for kl and is (0)\n"
    "  --iterations N          at most (mbc 100, lssmtc 20)\n"
    "  --tolerance X           relative fall to stop at (1e-10, 0)\n"
    "  --init FILE,FILE,...    0-based labels to start from, for each file\n"
    "  --seed N                of the start without --init (1)\n"
    "  --out DIR               NAME.labels for each file, by the rank that\n"
    "                          read it: a 0-based cluster a line\n"
    "  --json FILE             what was found, by rank 0; -: standard output\n"
    "  --generate RxWxV        no files: R rows of V words out of W a task\n"
    "  --tasks N               how many tasks are generated (2)\n"
    "  --labels, --id, --use, --drop, --header, --decimal\n"
    "                          of tables: as `mtc help options` has them\n"
    "  --quiet                 no iterations, no table\n";

/* All ranks find the same mistake: the first says so and ends the others,
 * which wait for it. */
static void leave_to_first(const job *j)
{
    if (j->rank > 0)
        all_agree(0);
}

static void bad_usage(const job *j, const char *format, const char *what)
{
    leave_to_first(j);
    give_up(USAGE, format, what);
}

/* A whole or real option in low..high. */
static double number_option(const job *j, const char *name, const char *text,
                            double low, double high, int whole)
{
    double x = 0;
    const char *end;
    if (text == NULL || !number_at(text, &x, &end) || *end != '\0' ||
        x < low || x > high || (whole && floor(x) < x))
        bad_usage(j, "%s: not a number that it can have", name);
    return x;
}

/* The parts of `list` between commas; their number in *n. */
static char **split(const char *list, size_t *n)
{
    char *copy = joined(list, "", "", ""), **part;
    *n = 1;
    for (const char *s = list; *s != '\0'; s++)
        *n += *s == ',';
    part = zeros(*n, sizeof *part);
    for (size_t i = 0; i < *n; i++) {
        part[i] = copy;
        copy += strcspn(copy, ",");
        *copy++ = '\0';
    }
    return part;
}

/* 1: `mtc cluster` has it, too, and table.c hands it on. */
static int of_columns(const char *name)
{
    static const char *const known[] = {"--labels", "--id", "--use", "--drop",
                                        "--header", "--decimal"};
    size_t i = 0, n = sizeof known / sizeof *known;
    while (i < n && strcmp(name, known[i]) != 0)
        i++;
    return i < n;
}

static void add_column_option(const job *j, settings *s, char *name,
                              char *value)
{
    if (s->columns + 2 > sizeof s->column / sizeof *s->column)
        bad_usage(j, "%s: too many options of tables", name);
    s->column[s->columns++] = name;
    s->column[s->columns++] = value;
}

/* Options stand anywhere; the tasks move to the front of argv, *n of them. */
static settings read_options(job *j, int argc, char **argv, int *n)
{
    settings s = {.lambda = -1, .iterations = -1, .tolerance = -2, .seed = 1,
                  .tasks = 2, .divergence = "sqeuclidean", .offset = .2,
                  .restarts = 10, .method = "mbc"}; /* < 0: by the method */
    struct { const char *name, **text; double *x, low, high; int whole; }
    list[] = {
        {"--k", &s.k, NULL, 0, 0, 0}, {"--init", &s.init, NULL, 0, 0, 0},
        {"--out", &s.out, NULL, 0, 0, 0}, {"--json", &s.json, NULL, 0, 0, 0},
        {"--divergence", &s.divergence, NULL, 0, 0, 0},
        {"--generate", &s.generate, NULL, 0, 0, 0},
        {"--method", &s.method, NULL, 0, 0, 0},
        {"--subspace", NULL, &s.subspace, 1, 1e6, 1},
        {"--offset", NULL, &s.offset, 0, 10, 0},
        {"--restarts", NULL, &s.restarts, 1, 1e6, 1},
        {"--lambda", NULL, &s.lambda, 0, 1e45, 0},
        {"--smooth", NULL, &s.smooth, 0, 1e45, 0},
        {"--tolerance", NULL, &s.tolerance, -1, 1, 0},
        {"--iterations", NULL, &s.iterations, 1, 1e9, 1},
        {"--seed", NULL, &s.seed, 0, 9e15, 1},
        {"--tasks", NULL, &s.tasks, 1, 1000, 1}};
    size_t known = sizeof list / sizeof *list, i;
    for (int a = 1; a < argc; a++) {
        const char *name = argv[a];
        s.quiet |= strcmp(name, "--quiet") == 0;
        if (strncmp(name, "--", 2) != 0)
            argv[(*n)++] = argv[a];
        if (strncmp(name, "--", 2) != 0 || strcmp(name, "--quiet") == 0)
            continue;
        for (i = 0; i < known && strcmp(name, list[i].name) != 0;)
            i++;
        if (i == known && !of_columns(name))
            bad_usage(j, "unknown option %s; --help lists them", name);
        const char *value = argv[++a];
        if (value == NULL)
            bad_usage(j, "%s: needs a value", name);
        else if (i == known)
            add_column_option(j, &s, argv[a - 1], argv[a]);
        else if (list[i].x == NULL)
            *list[i].text = value;
        else
            *list[i].x = number_option(j, name, value, list[i].low,
                                        list[i].high, list[i].whole);
    }
    return s;
}

/* Defaults that differ, and what lssmtc cannot do here. */
static void settle_method(const job *j, settings *s)
{
    int lss = strcmp(s->method, "lssmtc") == 0;
    if (!lss && strcmp(s->method, "mbc") != 0)
        bad_usage(j, "--method %s: need mbc or lssmtc", s->method);
    if (lss && s->lambda > 1)
        bad_usage(j, "%s: --lambda is at most 1", s->method);
    if (lss && (strcmp(s->divergence, "sqeuclidean") != 0 ||
                strchr(s->k != NULL ? s->k : "", ',') != NULL))
        bad_usage(j, "%s: takes squared distances, and one --k for all tasks",
                  s->method);
    if (s->lambda < 0)
        s->lambda = lss ? .75 : .5;
    if (s->iterations < 0)
        s->iterations = lss ? 20 : 100;
    if (s->tolerance < -1)
        s->tolerance = lss ? 0 : 1e-10;
}

/* The file's name without directory and ending. */
static char *name_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *name = joined(slash != NULL ? slash + 1 : path, "", "", "");
    char *dot = strrchr(name, '.');
    if (dot != NULL && dot != name)
        *dot = '\0';
    return name;
}

/* Files of all tasks, or as many generated ones, and their labels to start
 * from. */
static void list_files(job *j, int n, char **tasks)
{
    char **init = NULL, **part, number[32];
    size_t inits = 0, parts = 1;
    j->T = n > 0 ? (size_t)n : (size_t)j->set.tasks;
    if ((n > 0) == (j->set.generate != NULL))
        bad_usage(j, "%s", n > 0 ? "--generate takes no files"
                                 : "no files; --help says more");
    if (j->set.init != NULL)
        init = split(j->set.init, &inits);
    for (size_t t = 0; t < j->T; t++) {
        part = n > 0 ? split(tasks[t], &parts) : NULL;
        j->file = realloc(j->file, (j->files + parts) * sizeof *j->file);
        if (j->file == NULL)
            give_up(BAD_DATA, "no memory");
        for (size_t p = 0; p < parts; p++) {
            snprintf(number, sizeof number, "task%zu", t + 1);
            source f = {.path = part != NULL ? part[p] : NULL, .task = t,
                        .name = name_of(part != NULL ? part[p] : number)};
            f.init = j->files < inits ? init[j->files] : NULL;
            j->file[j->files++] = f;
        }
    }
    if (init != NULL && inits != j->files)
        bad_usage(j, "%s: need as many files of labels as files of rows",
                  "--init");
    int ranks = j->ranks, files = (int)j->files;
    for (int f = 0; f < files; f++) {       /* runs of ranks, or of files */
        int spread = ranks > files;
        j->file[f].first = (f * ranks + spread * (files - 1)) / files;
        int next = ((f + 1) * ranks + spread * (files - 1)) / files;
        j->file[f].ranks = spread ? next - j->file[f].first : 1;
    }
}

/* Outputs can be written, have names of their own, and are no inputs: said
 * before the work, not after it. */
static void check_outputs(const job *j)
{
    const char *json = j->set.json;
    if (j->set.out != NULL)
        make_folder(j->set.out, 1);
    for (size_t f = 0; f < j->files && j->set.out != NULL; f++) {
        char *path = joined(j->set.out, "/", j->file[f].name, ".labels");
        for (size_t g = 0; g < f; g++)
            if (strcmp(j->file[f].name, j->file[g].name) == 0)
                bad_usage(j, "two files are called %s: their labels would "
                          "have one name", j->file[f].name);
        check_output(path, j->file, j->files);
        free(path);
    }
    if (j->rank > 0 || json == NULL || strcmp(json, "-") == 0)
        return;
    check_output(json, j->file, j->files);
    if (!close_output(begin_output(json), json))
        give_up(BAD_DATA, "--json: nothing can be written there");
    end_output(json, 0);
}

static void set_divergence(job *j)
{
    const char *name = j->set.divergence;
    int kl = strcmp(name, "kl") == 0, is = strcmp(name, "is") == 0;
    if (!kl && !is && strcmp(name, "sqeuclidean") != 0)
        bad_usage(j, "divergence %s: need sqeuclidean, kl or is", name);
    j->div = kl ? mtc_kl() : is ? mtc_itakura_saito() : mtc_sqeuclidean();
    j->opt = mtc_mbc_defaults();
    j->opt.divergence = kl || is ? &j->div : NULL;
    j->opt.smooth = kl || is ? (mtc_real)j->set.smooth : 0; /* it cancels */
}

static void set_clusters(job *j)
{
    size_t given = 0;
    char **part = split(j->set.k != NULL ? j->set.k : "", &given);
    if (j->set.k == NULL)
        bad_usage(j, "%s: how many clusters?", "--k");
    if (given != 1 && given != j->T)
        bad_usage(j, "--k %s: need one number, or one for each task",
                  j->set.k);
    for (size_t t = 0; t < j->T; t++) {
        j->k[t] = (size_t)number_option(j, "--k", part[given > 1 ? t : 0], 1,
                                        1e6, 1);
        j->most = j->k[t] > j->most ? j->k[t] : j->most;
    }
}

static shape shape_of(const job *j)
{
    shape like = {0, 0, 0, 4 * j->most};
    char end;
    if (sscanf(j->set.generate, "%zux%zux%zu%c", &like.rows, &like.words,
               &like.values, &end) != 3 || like.values == 0 ||
        like.words / like.values == 0 || like.words > UINT32_MAX)
        bad_usage(j, "--generate %s: need ROWSxWORDSxVALUES, WORDS >= VALUES",
                  j->set.generate);
    return like;
}

static void read_share(job *j, rows *to, const source *from, int part)
{
    if (!is_a_table(from->path)) {
        read_rows(to, from, part, from->ranks);
        return;
    }
    table t = read_a_table(from->path, j->set.column, j->set.columns);
    if (t.reason[0] != '\0')
        give_up(BAD_DATA, "%s", t.reason);
    if (j->names != 0 && j->names != t.columns)
        give_up(BAD_DATA, "%s: its columns are not those of the table before; "
                "--use names the ones to take", from->path);
    j->names = t.columns;
    if (t.notices != NULL && !j->set.quiet && j->rank == from->first &&
        j->d == 0)                  /* once: lssmtc reads files again */
        fputs(t.notices, stderr);
    add_table(to, &t, part, from->ranks);
    free_table(&t);
}

/* Appends share `part` of `parts` of what is read or made up. */
static void take_share(job *j, rows *to, const source *from, int part,
                       int parts)
{
    source share = *from;
    share.ranks = parts;
    if (from->path != NULL) {
        read_share(j, to, &share, part);
        return;
    }
    shape like = shape_of(j);
    generate_rows(to, &like, (uint64_t)j->set.seed, from->task,
                  like.rows * (size_t)part / (size_t)parts,
                  like.rows * (size_t)(part + 1) / (size_t)parts);
}

void append_whole(job *j, rows *to, const source *from)
{
    FILE *in = from->path != NULL ? fopen(from->path, "r") : NULL;
    if (from->path != NULL && in == NULL)
        give_up(BAD_DATA, "%s: rank %d cannot read it, and lssmtc begins with "
                "all rows of a task; --init names labels to start from",
                from->path, j->rank);
    if (in != NULL)
        fclose(in);
    take_share(j, to, from, 0, 1);
}

/* The rows of this rank; then what all have, in numbers. */
static void load(job *j)
{
    rows *own = zeros(j->T, sizeof *own);
    size_t *mine = zeros(j->T, sizeof *mine), d = 0;
    for (size_t f = 0; f < j->files; f++) {
        source *from = &j->file[f];
        int part = j->rank - from->first, parts = from->ranks;
        rows *to = &own[from->task];
        from->begin = to->n;
        if (part >= 0 && part < parts)
            take_share(j, to, from, part, parts);
        from->n = to->n - from->begin;
    }
    for (size_t t = 0; t < j->T; t++) {
        mine[t] = own[t].n;
        d = own[t].d > d ? own[t].d : d;
    }
    if (!all_equal(j->names)) {
        leave_to_first(j);
        give_up(BAD_DATA, "tables on several ranks have different columns; "
                "--use names the ones to take");
    }
    tell_counts(j, mine, d);
    for (size_t t = 0; t < j->T; t++) {
        j->X[t] = mtc_csr(own[t].n, j->d, own[t].row, own[t].column,
                          own[t].values);
        j->labels[t] = zeros(own[t].n, sizeof **j->labels);
    }
    free(mine);
    free(own);
}

/* What no rank can serve, found before anything is computed. */
static void check_data(const job *j)
{
    for (size_t f = 0; f < j->files; f++) {
        const source *from = &j->file[f];
        size_t t = from->task, end = from->begin + from->n;
        const mtc_data *X = &j->X[t];
        if (j->n[t] < j->k[t]) {
            leave_to_first(j);
            give_up(BAD_DATA, "%s: %zu rows are too few for %zu clusters",
                    from->name, j->n[t], j->k[t]);
        }
        for (size_t i = from->begin; i < end; i++) {
            int fits = X->row[i + 1] - X->row[i] == j->d ||
                       j->div.admits(j->div.user, 0, j->opt.smooth);
            for (size_t e = X->row[i]; e < X->row[i + 1]; e++)
                fits &= j->div.admits(j->div.user, X->column[e],
                                      X->values[e] + j->opt.smooth);
            if (!fits)
                give_up(BAD_DATA, "%s: row %zu of this rank has a value that "
                        "%s cannot take; --smooth X adds X to every value",
                        from->name, i - from->begin + 1, j->set.divergence);
        }
    }
    if (j->d == 0 || j->d > INT_MAX / j->most) {
        leave_to_first(j);
        give_up(BAD_DATA, "%zu features are %s", j->d, j->d == 0 ? "too few"
                : "too many for one message: number those that occur");
    }
}

static void allocate(job *j)
{
    size_t pairs = j->T * j->T, room = j->most * j->most;
    j->U = zeros(j->T, sizeof *j->U);
    j->S = zeros(j->T, sizeof *j->S);
    for (size_t t = 0; t < j->T; t++) {
        j->U[t] = zeros(j->k[t] * j->d, sizeof **j->U);
        j->S[t] = zeros(j->k[t] * j->d, sizeof **j->S);
    }
    if (pairs > INT_MAX / (room + 1))
        give_up(BAD_DATA, "too many pairs of clusters for one message");
    j->count = zeros(j->T * j->most, sizeof *j->count);
    j->plans = zeros(pairs * (room + 1), sizeof *j->plans);
    j->cost = j->plans + pairs * room;
    j->within = zeros(j->T, sizeof *j->within);
    j->objective = zeros((size_t)j->set.iterations + 1, sizeof *j->objective);
}

void set_up(job *j, int argc, char **argv)
{
    double began = MPI_Wtime();
    int tasks = 0;
    for (int a = 1; a < argc; a++)
        if (strcmp(argv[a], "--help") == 0) {
            fputs(j->rank == 0 ? help : "", stdout);
            MPI_Finalize();
            exit(0);
        }
    j->ctx = mtc_context_defaults();
    j->set = read_options(j, argc, argv, &tasks);
    settle_method(j, &j->set);
    list_files(j, tasks, argv);
    check_outputs(j);
    j->k = zeros(j->T, sizeof *j->k);
    j->n = zeros(j->T, sizeof *j->n);
    j->held = zeros(j->T * (size_t)j->ranks, sizeof *j->held);
    j->X = zeros(j->T, sizeof *j->X);
    j->labels = zeros(j->T, sizeof *j->labels);
    set_divergence(j);
    set_clusters(j);
    load(j);
    check_data(j);
    for (size_t f = 0; f < j->files && j->set.init != NULL; f++) {
        const source *of = &j->file[f];
        if (j->rank >= of->first && j->rank < of->first + of->ranks)
            read_start(of, rows_before(j, of, j->rank), of->n,
                       rows_of(j, of), j->k[of->task],
                       j->labels[of->task] + of->begin);
    }
    allocate(j);
    j->reading = MPI_Wtime() - began;
}

/* ---- reports ---- */

/* The rank that has the first line of a file writes its labels.  Returns 0 if
 * that failed. */
static int write_labels(const job *j, const source *f, const char *path)
{
    size_t n = j->rank == f->first ? rows_of(j, f) : 0;
    int *all = zeros(n, sizeof *all), fine = 1;
    gather_labels(j, f, all);
    if (j->rank == f->first) {
        FILE *out = begin_output(path);
        for (size_t i = 0; i < n && out != NULL; i++)
            fprintf(out, "%d\n", all[i]);
        fine = close_output(out, path);
    }
    free(all);
    return fine;
}

static void put_name(FILE *out, const char *s)
{
    putc('"', out);
    for (; *s != '\0'; s++)
        if ((unsigned char)*s < ' ')
            fprintf(out, "\\u%04x", (unsigned)*s);
        else
            fprintf(out, *s == '"' || *s == '\\' ? "\\%c" : "%c", *s);
    putc('"', out);
}

static void put_tasks(const job *j, FILE *out)
{
    size_t f = 0;
    for (size_t t = 0; t < j->T; t++) {
        const mtc_real *count = j->count + t * j->most;
        size_t used = 0;
        while (j->file[f].task < t)
            f++;
        for (size_t z = 0; z < j->k[t]; z++)
            used += count[z] > 0;
        fprintf(out, "%s\n    {\"name\": ", t > 0 ? "," : "");
        put_name(out, j->file[f].name);
        fprintf(out, ", \"n\": %zu, \"d\": %zu, \"k\": %zu, \"k_effective\": "
                "%zu,\n     \"within\": %.17g, \"sizes\": [", j->n[t], j->d,
                j->k[t], used, (double)j->within[t]);
        for (size_t z = 0; z < j->k[t]; z++)
            fprintf(out, "%s%.0f", z > 0 ? ", " : "", (double)count[z]);
        fprintf(out, "]}");
    }
}

/* Plans as the program has them: [k][k_s] for every ordered pair. */
static void put_plans(const job *j, FILE *out)
{
    const char *comma = "";
    for (size_t p = 0; p < j->T * j->T; p++) {
        size_t t = p / j->T, s = p % j->T;
        const mtc_real *W = j->plans + p * j->most * j->most;
        if (s == t)
            continue;
        fprintf(out, "%s\n    {\"from\": %zu, \"to\": %zu, \"weights\": [",
                comma, t, s);
        for (size_t e = 0; e < j->k[t] * j->k[s]; e++)
            fprintf(out, "%s%.17g", e == 0 ? "[" : e % j->k[s] == 0 ? "], ["
                    : ", ", (double)W[e]);
        fprintf(out, "]]}");
        comma = ",";
    }
}

/* No labels: they stay with their rows, in --out. */
static void put_json(const job *j, FILE *out, const totals *of)
{
    int plans = j->T > 1 && strcmp(j->set.method, "mbc") == 0;
    fprintf(out, "{\n  \"mtc\": \"%s\",\n  \"schema\": 1,\n  \"method\": "
            "\"%s\",\n  \"options\": {\"lambda\": %.17g, \"divergence\": "
            "\"%s\", \"smooth\": %.17g, \"iterations\": %.0f, \"tolerance\": "
            "%.17g, \"seed\": %.0f, \"subspace\": %.0f, "
            "\"offset\": %.17g},\n  \"ranks\": %d,\n  \"iterations\": %zu,"
            "\n  \"converged\": %s,\n  \"objective\": [", mtc_version(),
            j->set.method, j->set.lambda, j->set.divergence, j->set.smooth,
            j->set.iterations, j->set.tolerance, j->set.seed, j->set.subspace,
            j->set.offset, j->ranks, j->iterations,
            j->converged ? "true" : "false");
    for (size_t i = 0; i <= j->iterations; i++)
        fprintf(out, "%s%.17g", i > 0 ? ", " : "", (double)j->objective[i]);
    fprintf(out, "],\n  \"tasks\": [");
    put_tasks(j, out);
    fprintf(out, "],\n  \"correspondence\": ");
    fprintf(out, plans ? "[" : "null");
    if (plans)
        put_plans(j, out);
    fprintf(out, "%s,\n  \"per_iteration\": {\"seconds\": %.17g, "
            "\"busiest_rank\": %.17g, \"bytes\": %.0f},\n  \"memory\": %.0f,"
            "\n  \"seconds\": %.17g\n}\n", plans ? "]" : "", of->seconds,
            of->busy, of->bytes, of->memory, j->seconds);
}

static void print_table(const job *j, const totals *of)
{
    size_t f = 0;
    printf("%-16s %9s %8s %4s %12s\n", "task", "n", "d", "k", "within");
    for (size_t t = 0; t < j->T; t++) {
        while (j->file[f].task < t)
            f++;
        printf("%-16s %9zu %8zu %4zu %12.6g\n", j->file[f].name, j->n[t], j->d,
               j->k[t], (double)j->within[t]);
    }
    printf("%zu iterations, %s; objective %.10g\n"
           "%d ranks: %.3g s to read, %.3g s an iteration, of which the busiest"
           " computes %.3g s;\n%.3g MB travel in each; at most %.4g MB of "
           "memory a rank\n", j->iterations,
           j->converged ? "converged" : "not converged",
           (double)j->objective[j->iterations], j->ranks, j->reading,
           of->seconds, of->busy, of->bytes / 1e6, of->memory / 1e6);
}

/* Either every file is there in the end, or none. */
int report(job *j)
{
    struct rusage used;
    const char *json = j->set.json;
    int fine = 1, to_file = json != NULL && strcmp(json, "-") != 0;
    getrusage(RUSAGE_SELF, &used);
    totals of = figures(j, 1024 * (double)used.ru_maxrss);
    if (j->set.out != NULL)
        make_folder(j->set.out, 0);
    for (size_t f = 0; f < j->files && j->set.out != NULL; f++)
        fine &= write_labels(j, &j->file[f], joined(j->set.out, "/",
                             j->file[f].name, ".labels"));
    if (j->rank == 0 && to_file) {
        FILE *out = begin_output(json);
        if (out != NULL)
            put_json(j, out, &of);
        fine &= close_output(out, json);
    }
    fine = all_agree(fine);
    for (size_t f = 0; f < j->files && j->set.out != NULL; f++)
        if (j->rank == j->file[f].first)
            end_output(joined(j->set.out, "/", j->file[f].name, ".labels"),
                       fine);
    if (j->rank == 0 && to_file)
        end_output(json, fine);
    if (j->rank == 0 && fine && json != NULL && !to_file)
        put_json(j, stdout, &of);
    else if (j->rank == 0 && fine && !j->set.quiet)
        print_table(j, &of);
    return fine ? 0 : BAD_DATA;
}
