#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random models, exported, compiled, run: labels as `mtc assign` gives them.

    tests/tools/export.py PROGRAM DIRECTORY [--models N] [--seed S]
                          [--compilers "gcc clang g++"]

Draws models of every rule, preprocessing and divergence, with tasks of
unequal k, clusters without a center, ties, and names that are hard to write
in C.  `mtc export` makes headers of them; one program for each compiler
labels random rows by all headers, with -Werror under the library's own
warnings.  Labels must be those of `mtc assign`, all of them.
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
        self.rule = r.choice(["nearest"] * 3 + ["subspace", "components",
                                                "linear", "kernel"])
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
                out["scale"] = r.choice([1.0, 1.0, 3.0, .1])
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
        width = d
        if self.rule == "subspace":
            width = r.choice([1, 2, d])
            out["lambda"] = r.choice([0.0, .25, .5, 1.0, r.random()])
            out["projection"] = self.matrix(d, width)
            out["shared"] = self.matrix(rows, width)
        elif self.rule == "components":
            width = r.choice([0, 1, 2, d])
            out["mean"] = self.reals(d)
            out["components"] = self.matrix(width, d)
        out["centers"] = self.matrix(
            rows, width if self.rule == "components" else d)
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
        method = {"nearest": "mbc", "subspace": "lssmtc",
                  "components": "pcakm", "linear": "nb", "kernel": "svm"}
        m = {"format": "mtc-model", "schema": 1, "mtc": "0", "guard": False,
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
            m["angles"] = False
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


def run(*command):
    got = subprocess.run(command, capture_output=True, text=True)
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


def assign(mtc, where, i, csv, t):
    """Labels by `mtc assign`; -1 for a row that it refuses."""
    out = os.path.join(where, "out")
    got = subprocess.run([mtc, "assign", os.path.join(where, "m%d.json" % i),
                          csv, "--task", str(t), "--labels", "none",
                          "--header", "yes", "--out", out, "--quiet"],
                         capture_output=True, text=True)
    if got.returncode not in (0, 1):
        sys.exit("export: FAILED, mtc assign, model %d: %s" % (i, got.stderr))
    if got.returncode == 1:
        return [-1]
    name = os.path.basename(csv)[:-4] + ".labels"
    with open(os.path.join(out, name)) as f:
        return [int(s) for s in f]


def make(mtc, where, i, seed):
    """Model, header and rows number i; rows and labels of each task."""
    maker = Maker(seed * 1000003 + i)
    model = maker.model()
    path = os.path.join(where, "m%d.json" % i)
    with open(path, "w") as f:
        json.dump(model, f)
    run(mtc, "export", path, "--c", "m%d" % i, "--out", where, "--quiet")
    rows = [maker.row() for _ in range(20)]
    hostile = [maker.hostile() for _ in range(2)]
    csv = os.path.join(where, "rows.csv")
    labels = []
    for t in range(maker.tasks):
        write_rows(csv, model, rows)
        labels.append(assign(mtc, where, i, csv, t))
        if len(labels[-1]) != len(rows):
            sys.exit("export: FAILED, model %d was refused" % i)
        for x in hostile:                       # one by one: -1 if refused
            write_rows(csv, model, [x])
            labels[-1] += assign(mtc, where, i, csv, t)
    return rows + hostile, labels


def program(where, made):
    """A program that prints the labels of all models."""
    path = os.path.join(where, "main.c")
    with open(path, "w") as f:
        f.write('#include <stdio.h>\n')
        for i in range(len(made)):
            f.write('#include "m%d.h"\n' % i)
        f.write("int main(void)\n{\n    int t, r;\n")
        for i, (rows, _) in enumerate(made):
            f.write("    {\n    static const double x[] = {\n")
            f.write(",\n".join("%.17g" % v for x in rows for v in x))
            f.write("};\n    for (t = 0; t < M%d_TASKS; t++)\n"
                    "        for (r = 0; r < %d; r++)\n"
                    '            printf("%d %%d %%d %%d\\n", t, r, '
                    "m%d_label(t, x + r * M%d_FEATURES));\n    }\n"
                    % (i, len(rows), i, i, i))
        f.write("    return 0;\n}\n")
    return path


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
    made = [make(o.mtc, o.where, i, o.seed) for i in range(o.models)]
    want = ["%d %d %d %d" % (i, t, r, label)
            for i, (_, labels) in enumerate(made)
            for t, of in enumerate(labels) for r, label in enumerate(of)]
    source = program(o.where, made)
    bad = ran = 0
    for name in o.builds.split():
        command = BUILDS[name]
        missing = [c for c in command[:1] + EMULATOR.get(name, [])
                   if shutil.which(c) is None]
        if missing:
            print("export %s: skipped, no %s" % (name, missing[0]))
            continue
        exe = os.path.join(o.where, name)
        run(*command, *(WARN if name != "tcc" else []), source, "-o", exe)
        got = run(*EMULATOR.get(name, []), exe).split("\n")[:-1]
        differ = [(w, g) for w, g in zip(want, got) if w != g]
        if len(got) != len(want) or differ:
            bad = 1
            print("export %s: FAILED, %d of %d labels differ, seed %d: %s"
                  % (name, len(differ), len(want), o.seed, differ[:3]))
        else:
            ran += 1
            print("export %s: %d labels of %d models equal" %
                  (name, len(got), len(made)))
    print("export: %d models, %d labels, in %d builds those of mtc assign%s" %
          (len(made), len(want), ran, "; others FAILED" if bad else ""))
    sys.exit(bad)


main()
