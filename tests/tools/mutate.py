# SPDX-License-Identifier: MIT
"""Do the tests notice one mistake in the library?            (make mutants)

usage: mutate.py N [--seed S] [--at FILE:LINE] [--verbose]

Draws N lines of code of the library, makes a small mistake in each and runs
the tests: a failure, a crash or four times the usual time kills the mutant;
one that does not compile is none.  Prints the survivors, and whether they
give the bits of tests/hashes.txt; --verbose the killed and by what suite.
"""
import argparse
import os
import random
import re
import subprocess
import sys
import time

CC = os.environ.get("CC", "cc") + " -std=c99"
FILES, DIR = ("mtc.c", "linalg.c", "lp.c"), "build/mutants"
PROGRAMS = {"tests": "tests/*.o examples/compared/*.o", "hash": "hash.o",
            "mtc": "examples/mtc/*.o examples/compared/*.o",
            **{e: "examples/%s.o" % e
               for e in ("quickstart", "sparse", "static_memory")}}
TOKEN = re.compile(r"""/\*.*?\*/|^[ \t]*\#(?:\\\n|[^\n])*|"(?:\\.|[^"\\])*"
    |'(?:\\.|[^'\\])*'|\d[\w.]*(?:(?<=[eE])[-+]\d+)?|\w+|->|\+\+|--|<<=?|>>=?
    |[-+*/%&|^<>=!]=|&&|\|\||\S""", re.S | re.M | re.X)
FLIP = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==",
        "+": "-", "-": "+", "*": "/", "/": "*", "&&": "||", "||": "&&",
        "+=": "-=", "-=": "+=", "*=": "/=", "/=": "*="}


def end_of(tok, i, stops):
    """The first token from i on that is in stops, or closes what is around."""
    depth = 0
    for j in range(i, len(tok)):
        text = tok[j][2]
        depth -= text in ")]}"
        if depth < 0 or depth == 0 and text in stops:
            return j
        depth += text in "([{"


def mistakes(src, tok):
    """(begin, end, new text) of each in a body of (begin, end, token)."""
    for i in range(1, len(tok) - 1):
        at, to, text = tok[i]
        if text in FLIP and (src[at - 1] + src[to]).isspace():  # no sign, *p
            yield at, to, FLIP[text]
        elif re.fullmatch(r"\d+u?", text):
            n = int(text.rstrip("u"))
            yield at, to, str(n + 1)
            if n > 0:
                yield at, to, str(n - 1)
        elif text == "?":
            colon = end_of(tok, i + 1, ":")
            end = end_of(tok, colon + 1, ";,")
            yield at, tok[end][0], "? %s : %s" % (
                src[tok[colon][1]:tok[end][0]], src[to:tok[colon][0]])
        elif (tok[i - 1][2] in ";{})" and re.match(r"[a-zA-Z_*]", text)
              and (text == "*" or not re.match(r"[\w*]", tok[i + 1][2]))):
            end = end_of(tok, i, ";{")              # a statement, undeclared
            if tok[end][2] == ";" and any(
                    re.fullmatch(r"[-+*/|]?=", t[2]) for t in tok[i:end]):
                yield at, tok[end][0], ""


def mutants():
    """(file, line) -> the mistakes to make there, each with its function."""
    lines = {}
    for name in FILES:
        src = open(name).read()
        for body in re.finditer(r"^\{\n.*?^\}", src, re.S | re.M):
            tok = [(m.start(), m.end(), m.group())
                   for m in TOKEN.finditer(src, body.start(), body.end())
                   if m.group()[:2] != "/*" and m.group().lstrip()[0] != "#"]
            head = src[:body.start()].rsplit("\n\n", 1)[-1]
            function = re.findall(r"^\w.*?(\w+)\(", head, re.M)[-1]
            for begin, end, new in mistakes(src, tok):
                line = name, src.count("\n", 0, begin) + 1
                lines.setdefault(line, []).append((function, begin, end, new))
    return lines


def run(command, limit=600):
    """The exit status; not 0 after limit seconds or beyond 4 GB."""
    return subprocess.call("exec </dev/null >/dev/null 2>&1; ulimit -v 4000000;"
                           "exec timeout -s KILL %f %s" % (limit, command),
                           shell=True)


def compiles(source, out):
    return run("%s -O1 -I. -c %s -o %s/obj/%s" % (CC, source, DIR, out)) == 0


def prepare():
    """Builds the tests; the seconds that each suite takes."""
    programs = " ".join("%s/%s" % (DIR, p) for p in PROGRAMS if p != "hash")
    subprocess.run("rm -f %s && MAKEFLAGS= make -s B=%s CFLAGS=-O1 %s" % (
        programs, DIR, programs), shell=True, check=True)
    compiles("tests/tools/hash.c", "hash.o")
    usual = {}
    for suite in re.findall(r"\((\w+)\)", open(DIR + "/suites.h").read()):
        began = time.time()
        if run("%s/tests -x demo -s %s" % (DIR, suite)) != 0:
            sys.exit("mutate: %s fails without a mistake" % suite)
        usual[suite] = time.time() - began
    return usual


def judge(name, function, usual):
    """The suite that kills the mutant; if there is none, what the bits say."""
    others = " ".join("%s.o" % f[:-2] for f in FILES if f != name)
    for program, parts in PROGRAMS.items():
        subprocess.run("cd %s/obj && %s mutant.o %s %s -lm -o ../%s" % (
            DIR, CC, others, parts, program), shell=True, check=True)
    tag = function.replace("mtc_", "").split("_")[0]
    for s in sorted(usual, key=lambda s: (               # its own, fast, slow
            s.startswith("cli"), not s.startswith(tag), usual[s])):
        if run("%s/tests -f -x demo -s %s" % (DIR, s), 2 + 4 * usual[s]) != 0:
            return s
    status = run(DIR + "/hash tests/hashes.txt", 60)
    return "other bits" if status else "same bits"


def main(count, seed, at, verbose):
    lines = {l: m for l, m in mutants().items() if at in ("", "%s:%d" % l)}
    usual, rng, tried, killed = prepare(), random.Random(seed), 0, 0
    while tried < count and any(lines.values()):
        name, line = rng.choice(sorted(l for l in lines if lines[l]))
        rng.shuffle(lines[name, line])
        function, begin, end, new = lines[name, line].pop()
        src = open(name).read()
        with open(DIR + "/mutant.c", "w") as mutant:
            mutant.write(src[:begin] + new + src[end:])
        if not compiles(mutant.name, "mutant.o"):
            continue
        by = judge(name, function, usual)
        tried, killed = tried + 1, killed + (by in usual)
        if verbose or by not in usual:
            print("%s:%d: %s: %s -> %s  (%s)" % (
                name, line, function, " ".join(src[begin:end].split()),
                " ".join(new.split()) or "nothing", by), flush=True)
    print("%d mutants, %d killed, %d survive" % (tried, killed, tried - killed))


p = argparse.ArgumentParser()
p.add_argument("count", type=int)
p.add_argument("--seed", type=int, default=1)
p.add_argument("--at", default="")
p.add_argument("--verbose", action="store_true")
main(**vars(p.parse_args()))
