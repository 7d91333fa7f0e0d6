#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random models, exported, compiled, run: labels as `mtc assign` gives them,
and by --far of every other model also what it calls far.

    tests/tools/export.py PROGRAM DIRECTORY [--models N] [--seed S]
                          [--compilers "gcc clang g++"]

Draws models of every rule, preprocessing and divergence, with tasks of
unequal k, clusters without a center, ties, and names that are hard to write
in C.  `mtc export` makes headers of them; one program for each compiler
labels random rows by all headers, with -Werror under the library's own
warnings.  Labels must be those of `mtc assign`, all of them, and also on the
border: between two rows of different labels the program looks for the place
where one becomes the other, so that the last bit of a sum decides.
"""
import argparse
import json
import os
import random
import shutil
import subprocess
import sys

WARN = ("-pedantic -Wall -Wextra -Wconversion -Wshadow -Wpointer-arith "
        "-Werror").split()
C = "-std=c99 -Wvla -Wstrict-prototypes -Wmissing-prototypes".split()
BUILDS = {"gcc": ["gcc", *C, "-O2"], "clang": ["clang", *C, "-O2"],
          "gcc-O0": ["gcc", *C, "-O0"], "tcc": ["tcc", "-std=c99"],
          "clang++": ["clang++", "-std=c++17", "-O1", "-x", "c++"],
          "g++": ["g++", "-std=c++98", "-O2", "-x", "c++"],
          "arm": ["arm-linux-gnueabihf-gcc", *C, "-O2", "-static"],
          "s390x": ["s390x-linux-gnu-gcc", *C, "-O2", "-static"]}
EMULATOR = {"arm": ["qemu-arm"], "s390x": ["qemu-s390x"]}
HARD = ["a\"b", "back\\slash", "end */ of", "/* begin", "/*/", "??/", "??=",
        "tab\tand\nline", "gr\u00f6\u00dfe", "\u202eright", "%d %s", "@$",
        "', '", "\\", "*/", "????", "// x"]


class Maker:
    """Draws one model; self.positive: rows have to be above 0."""

    def __init__(self, seed):
        self.r = r = random.Random(seed)
        self.rule = r.choice(["nearest"] * 3 + ["linear", "kernel"])
        self.d = r.choice([1, 2, 3, 4, 5, 7, 8, 9, 16, 17, 40])
        self.tasks = 1 if self.rule in ("linear", "kernel") \
            else r.choice([1, 1, 2, 3])
        self.whole = r.random() < .4            # ties are likely, then
        self.divergence = r.choice(["sqeuclidean", "sqeuclidean",
                                    "mahalanobis", "kl", "is"])
        self.positive = self.rule == "nearest" and \
            self.divergence in ("kl", "is")
        self.how = r.choice(["none", "none", "l2", "tfidf", "zscore"])
        if self.positive and self.how == "zscore":
            self.how = "none"
        self.scale = 1.0 if self.whole else 10.0 ** r.choice([0, 0, 0, 3, -3])

    def real(self):
        r = self.r
        if self.whole:
            x = float(r.randint(-2, 2))
        else:
            x = r.gauss(0, 1) * self.scale
        return abs(x) + (1.0 if self.whole else 1e-3) if self.positive else x

    def reals(self, n):
        return [self.real() for _ in range(n)]

    def matrix(self, m, n):
        rows = [self.reals(n) for _ in range(m)]
        if m > 1 and self.r.random() < .2:      # a tie for certain
            rows[-1] = list(rows[0])
        return rows

    def row(self):
        """A sample: of any size, sparse now and then."""
        r = self.r
        x = self.reals(self.d)
        kind = r.random()
        if kind < .2 and not self.positive:
            x = [v if r.random() < .5 else 0.0 for v in x]
        elif kind < .3:
            x = [v * 10.0 ** r.randint(-30, 30) for v in x]
        return x

    def hostile(self):
        """A sample that `mtc assign` may refuse."""
        r = self.r
        x = self.reals(self.d)
        for j in range(self.d):
            if j == 0 or r.random() < .3:
                x[j] = r.choice([0.0, -1.0, 1e160, -1e300, 1.7e308, 5e-324,
                                 1e-310, -1e-170])
        return x

    def task(self, t):
        r, d = self.r, self.d
        k = r.choice([1, 2, 2, 3, 4, 5])
        name = r.choice(HARD) + str(t) if r.random() < .2 else "t%d" % t
        out = {"name": name.replace("\n", " "), "k": k}
        if self.rule in ("linear", "kernel"):
            problems = k if k > 2 or r.random() < .3 else k - 1
            out["bias"] = self.reals(problems)
            if self.rule == "linear":
                out["weights"] = self.matrix(problems, d)
            else:
                n = r.choice([0, 1, 5, 12])
                out["support"] = self.matrix(n, d)
                out["coefficients"] = self.matrix(problems, n)
                out["gamma"] = 10.0 ** r.uniform(-3, 1) / self.scale ** 2
            return out
        rows = k
        if k > 1 and r.random() < .2:
            out["numbers"] = sorted(r.sample(range(k), k - 1))
            rows = k - 1
        out["centers"] = self.matrix(rows, d)
        out["radius"] = [abs(self.real()) for _ in range(rows)]
        return out

    def model(self):
        r, d = self.r, self.d
        transfer = self.rule in ("linear", "kernel")
        how = {"how": self.how}
        if self.how == "tfidf":
            how["idf"] = [abs(self.real()) for _ in range(d)]
        elif self.how == "zscore":
            how["mean"] = self.reals(d)
            how["deviation"] = [r.choice([0.0, 1.0, abs(self.real())])
                                for _ in range(d)]
        names = ["f%d" % j for j in range(d)]
        for j in range(d):
            if r.random() < .1:
                names[j] = r.choice(HARD).replace("\n", " ") + str(j)
        method = {"nearest": "mbc", "linear": "svm", "kernel": "svm"}
        m = {"format": "mtc-model", "schema": 2, "mtc": "0", "guard": False,
             "stand_in": False, "options": {}, "rule": self.rule,
             "kind": "transfer" if transfer else "cluster",
             "method": method[self.rule], "preprocess": how,
             "features": {"count": d, "names": names},
             "tasks": [self.task(t) for t in range(self.tasks)]}
        if transfer:
            k = m["tasks"][0]["k"]
            m["classes"] = [r.choice(HARD) + str(z) for z in range(k)] \
                if r.random() < .5 else list(range(5, 5 + k))
        if self.rule == "nearest":
            m["angles"] = self.divergence == "sqeuclidean" and r.random() < .5
            m["divergence"] = self.divergence
            m["smooth"] = 0.0 if self.divergence == "sqeuclidean" \
                else r.choice([0.0, .5])
            if self.positive and self.how != "none":
                m["smooth"] = .5                # some x may become 0
            if self.divergence == "mahalanobis":
                A = [[r.gauss(0, 1) for _ in range(d)] for _ in range(d)]
                m["metric"] = [[sum(A[max(i, j)][q] * A[min(i, j)][q]
                                    for q in range(d)) + d * (i == j)
                                for j in range(d)] for i in range(d)]
        return m


def run(*command, give=None):
    got = subprocess.run(command, capture_output=True, text=True, input=give)
    if got.returncode != 0:
        sys.exit("export: FAILED, %s\n%s%s" % (" ".join(command), got.stdout,
                                               got.stderr))
    return got.stdout


def quoted(name):
    return '"%s"' % name.replace('"', '""')


def write_rows(path, model, rows):
    with open(path, "w") as f:
        f.write(",".join(map(quoted, model["features"]["names"])) + "\n")
        for x in rows:
            f.write(",".join("%.17g" % v for v in x) + "\n")


def has_far(i, model):
    return i % 2 == 0 and model["rule"] == "nearest"


def assign(mtc, where, i, csv, t, model):
    """Labels by `mtc assign`, plus 1000 if far; -1 for a row that it
    refuses."""
    got = subprocess.run([mtc, "assign", os.path.join(where, "m%d.json" % i),
                          csv, "--task", str(t), "--labels", "none",
                          "--header", "yes", "--json", "-", "--quiet"],
                         capture_output=True, text=True)
    if got.returncode not in (0, 1):
        sys.exit("export: FAILED, mtc assign, model %d: %s" % (i, got.stderr))
    if got.returncode == 1:
        return [-1]
    said, = json.loads(got.stdout)["tasks"]
    far = said["far"] if has_far(i, model) else [0] * len(said["labels"])
    return [label + 1000 * f for label, f in zip(said["labels"], far)]


def make(mtc, where, i, seed):
    """Model and header number i; rows as (i, task, values), labels."""
    maker = Maker(seed * 1000003 + i)
    model = maker.model()
    path = os.path.join(where, "m%d.json" % i)
    with open(path, "w") as f:
        json.dump(model, f)
    run(mtc, "export", path, "--c", "m%d" % i, "--out", where, "--quiet",
        *["--far"] * has_far(i, model))
    usual = [maker.row() for _ in range(20)]
    hostile = [maker.hostile() for _ in range(2)]
    rows, labels = [], []
    for t in range(maker.tasks):
        labels += many(mtc, where, i, model, t, usual)
        for x in hostile:                       # one by one: -1 if refused
            labels += many(mtc, where, i, model, t, [x])
        rows += [(i, t, x) for x in usual + hostile]
    return model, rows, labels


def many(mtc, where, i, model, t, rows):
    """Labels of rows that are all taken, or of one that may not be."""
    csv = os.path.join(where, "rows.csv")
    write_rows(csv, model, rows)
    labels = assign(mtc, where, i, csv, t, model)
    if len(labels) != len(rows):
        sys.exit("export: FAILED, model %d refuses what it should take" % i)
    return labels


MAIN = r"""
typedef struct item {
    int (*label)(int, const double *), (*far)(int, const double *), features;
} item;
static const item items[] = {
%s
};
static int answer(const item *m, int t, const double *x)
{
    const int label = m->label(t, x);
    return label < 0 || m->far == 0 ? label : label + 1000 * m->far(t, x);
}
static int read_row(int n, double *x)
{
    int j;
    for (j = 0; j < n; j++)
        if (scanf("%%lf", &x[j]) != 1)
            return 0;
    return 1;
}
/* Rows `a` and `b` of different labels become neighbors of different labels. */
static void approach(const item *m, int t, double *a, double *b)
{
    const int from = answer(m, t, a);
    double x[64];
    int step, j;
    for (step = 0; step < 80; step++) {
        for (j = 0; j < m->features; j++)
            x[j] = a[j] + (b[j] - a[j]) / 2;
        for (j = 0; j < m->features; j++)
            (answer(m, t, x) == from ? a : b)[j] = x[j];
    }
}
static void print_row(int n, const double *x)
{
    int j;
    for (j = 0; j < n; j++)
        printf("%%.17g ", x[j]);
    printf("\n");
}
int main(int argc, char **argv)
{
    double a[64], b[64];
    int i, t;
    (void)argv;
    while (scanf("%%d %%d", &i, &t) == 2 && read_row(items[i].features, a)) {
        if (argc > 1 && read_row(items[i].features, b)) {
            approach(&items[i], t, a, b);
            print_row(items[i].features, a);
            print_row(items[i].features, b);
        } else
            printf("%%d\n", answer(&items[i], t, a));
    }
    return 0;
}
"""


def program(where, models):
    """Labels of rows `model task values...`; or of pairs, the border."""
    path = os.path.join(where, "main.c")
    with open(path, "w") as f:
        f.write('#include <stdio.h>\n')
        for i in range(len(models)):
            f.write('#include "m%d.h"\n' % i)
        f.write(MAIN % ",\n".join(
            "    {m%d_label, %s, M%d_FEATURES}" %
            (i, "m%d_far" % i if has_far(i, model) else "0", i)
            for i, model in enumerate(models)))
    return path


def text_of(x):
    return " ".join("%.17g" % v for v in x)


def pairs_of(rows, labels):
    """For each model and task, a few pairs of different labels."""
    found = {}
    for p in range(1, len(rows)):
        (i, t, x), (i0, t0, x0) = rows[p], rows[p - 1]
        taken = found.setdefault((i, t), [])
        if (i, t) == (i0, t0) and labels[p] != labels[p - 1] and \
                min(labels[p], labels[p - 1]) >= 0 and len(taken) < 4:
            taken.append((x0, x))
    return found


def borders(mtc, where, exe, models, rows, labels):
    """Rows on the borders, by the program itself; labels by assign."""
    pairs = pairs_of(rows, labels)
    asked = "".join("%d %d %s %s\n" % (i, t, text_of(x), text_of(y))
                    for (i, t), of in pairs.items() for x, y in of)
    said = iter(run(exe, "border", give=asked).split("\n"))
    more, want = [], []
    for (i, t), of in pairs.items():
        near = [[float(v) for v in next(said).split()]
                for _ in range(2 * len(of))]
        if near:
            more += [(i, t, x) for x in near]
            want += many(mtc, where, i, models[i], t, near)
    return more, want


def build(where, name, source):
    """The program, or None where a tool is missing."""
    command = BUILDS[name]
    missing = [c for c in command[:1] + EMULATOR.get(name, [])
               if shutil.which(c) is None]
    if missing:
        print("export %s: skipped, no %s" % (name, missing[0]))
        return None
    exe = os.path.join(where, name)
    run(*command, *(WARN if name != "tcc" else []), source, "-o", exe)
    return EMULATOR.get(name, []) + [exe]


def main():
    p = argparse.ArgumentParser()
    p.add_argument("mtc")
    p.add_argument("where")
    p.add_argument("--models", type=int, default=60)
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--builds", default="gcc gcc-O0 clang g++ clang++ tcc "
                   "arm s390x")
    o = p.parse_args()
    shutil.rmtree(o.where, ignore_errors=True)
    os.makedirs(o.where)
    models, rows, want = [], [], []
    for i in range(o.models):
        model, more, labels = make(o.mtc, o.where, i, o.seed)
        models.append(model)
        rows += more
        want += labels
    source = program(o.where, models)
    bad = ran = near = 0
    for name in o.builds.split():
        exe = build(o.where, name, source)
        if exe is None:
            continue
        if near == 0:                           # by the first build there is
            more, labels = borders(o.mtc, o.where, exe[-1], models, rows, want)
            near = len(more)
            rows += more
            want += labels
        got = run(*exe, give="".join("%d %d %s\n" % (i, t, text_of(x))
                                     for i, t, x in rows)).split("\n")[:-1]
        differ = [(row, w, g) for row, w, g in zip(rows, want, got)
                  if w != int(g)]
        if len(got) != len(want) or differ:
            bad = 1
            print("export %s: FAILED, %d of %d labels differ, seed %d: %s"
                  % (name, len(differ), len(want), o.seed, differ[:3]))
        else:
            ran += 1
            print("export %s: %d labels, %d of them on borders, equal" %
                  (name, len(got), near))
    print("export: %d models, %d labels, in %d builds those of mtc assign%s" %
          (len(models), len(want), ran, "; others FAILED" if bad else ""))
    sys.exit(bad)


main()
