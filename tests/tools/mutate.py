# SPDX-License-Identifier: MIT
"""Do the tests notice one mistake in the library?            (make mutants)

usage: mutate.py N [--seed S] [--only FILE[:FIRST-LAST]]... [--fast SECONDS]
                 [--stale] [--verbose]
       mutate.py --check

Draws N lines of code of the library, makes a small mistake in each and runs
the tests: a failure, a crash, four times the usual time of the processor or
4 GB kill the mutant; one that does not compile is none.  Who survives meets
the library's own tests again, under the address and undefined sanitizers.
Prints the survivors as tests/tools/equivalent.txt has them, which lists those
that no test can kill, each with its reason.

--only     a part: files (also those of examples/compared), lines of one
--fast     leaves out suites that take longer: a first look at survivors
--stale    after an edit: what is known of the suites is taken as it was
--verbose  prints the killed, too, and by what suite
--check    says which entries of the list have lost their code

A mutant is one function, compiled alone into a shared object that is loaded
before the library: every function of the library is global in this build.
What a suite runs and who was killed once is known in build/mutants.
"""
import argparse
import glob
import hashlib
import json
import os
import random
import re
import resource
import subprocess
import sys
import time

CC = os.environ.get("CC", "cc") + " -std=c99 -I. -fPIC -w " \
    "-DMTC_LANES_LEAST=1 "                          # as the tests have it
ADVICE = "examples/advice"
LIBRARY = ["mtc.c", "linalg.c", "lp.c", *sorted(glob.glob(ADVICE + "/*.c"))]
DIR = os.environ.get("B", "build") + "/mutants"
LIST = "tests/tools/equivalent.txt"
SANITIZE = "-O1 -fsanitize=address,undefined -fno-sanitize-recover=all "
PROGRAMS = {"tests": "obj/tests/main.o obj/tests/*/*.o",
            "mtc": "obj/examples/mtc/*/*.o",
            **{e: "obj/examples/%s.o" % e
               for e in ("quickstart", "sparse", "static_memory")}}
TOKEN = re.compile(r"""/\*.*?\*/|^[ \t]*\#(?:\\\n|[^\n])*|"(?:\\.|[^"\\])*"
    |'(?:\\.|[^'\\])*'|\d[\w.]*(?:(?<=[eE])[-+]\d+)?|\w+|->|\+\+|--|<<=?|>>=?
    |[-+*/%&|^<>=!]=|&&|\|\||\S""", re.S | re.M | re.X)
FLIP = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==",
        "+": "-", "-": "+", "*": "/", "/": "*", "&&": "||", "||": "&&",
        "+=": "-=", "-=": "+=", "*=": "/=", "/=": "*="}


# ---- mistakes ----

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
    silent = 0                                  # MTC_ASSERT: only test builds
    for i in range(1, len(tok) - 1):
        at, to, text = tok[i]
        if text == "MTC_ASSERT":
            silent = tok[end_of(tok, i, ";")][0]
        if at < silent:
            continue
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


def functions(src):
    """(begin of the head, begin and end of the body, name) of each."""
    for body in re.finditer(r"^\{\n.*?^\}", src, re.S | re.M):
        begin = src.rfind("\n", 0, body.start() - 1) + 1
        while not re.match(r"\w", src[begin]):      # a head of several lines
            begin = src.rfind("\n", 0, begin - 1) + 1
        name = re.search(r"(\w+)\(", src[begin:body.start()]).group(1)
        yield begin, body.start(), body.end(), name


class Mutant:
    def __init__(self, file, src, function, body, begin, end, new):
        self.file, self.src = file, src
        self.function, self.body = function, body
        self.begin, self.end, self.new = begin, end, new
        self.line = src.count("\n", 0, begin) + 1
        first, last = src.rfind("\n", 0, begin) + 1, src.index("\n", end)
        self.key = "%s: %s\n- %s\n+ %s" % (file, function, *(
            " ".join(re.sub(r"/\*.*?(\*/|$)", "", s, flags=re.S).split())
            for s in (src[first:last],
                      src[first:begin] + new + src[end:last])))

    def text(self):
        """The file with the mistake; of the library, its function alone."""
        src, out, at = self.src, [], 0
        for head, body, end, name in functions(src):
            out.append(src[at:head])
            if self.file not in LIBRARY:
                out.append(src[head:end])
            elif name == self.function:
                out.append(bare(src[head:body]) + src[body:self.begin]
                           + self.new + src[self.end:end])
            else:
                out.append("__attribute__((weak)) %s;" % bare(src[head:body]))
            at = end
        if self.file not in LIBRARY:
            return src[:self.begin] + self.new + src[self.end:]
        return "".join(out) + src[at:]


def bare(head):
    return re.sub(r"\b(static|inline) ", "", head)


def mutants(only):
    """(file, line) -> the mistakes to make there."""
    lines, twins = {}, {}
    for part in only or LIBRARY:
        pattern, first, last = (re.split("[:-]", part) + [0, 0])[:3]
        for file in sorted(glob.glob(pattern)):
            src = open(file).read()
            for _, begin, end, name in functions(src):
                tok = [(m.start(), m.end(), m.group())
                       for m in TOKEN.finditer(src, begin, end)
                       if m.group()[:2] != "/*" and m.group().strip()[0] != "#"]
                for m in mistakes(src, tok):
                    m = Mutant(file, src, name, src[begin:end], *m)
                    twins[m.key] = twins.get(m.key, 0) + 1
                    if twins[m.key] > 1:                 # the same line again
                        m.key = m.key.replace("\n", " #%d\n" % twins[m.key], 1)
                    if int(first) <= m.line <= (int(last) or 1 << 30):
                        lines.setdefault((file, m.line), []).append(m)
    return lines


def equivalents():
    """The entries of the list: key -> reason."""
    if not os.path.exists(LIST):
        return {}
    text = re.sub(r"^#.*\n", "", open(LIST).read(), flags=re.M)
    entries = re.findall(r"^(\S+: \w+(?: #\d+)?\n- .*\n\+.*)\n"
                         r"((?:  .*\n)+)", text, re.M)
    return {key: " ".join(why.split()) for key, why in entries}


# ---- running the tests ----

def shell(command):
    subprocess.run(command, shell=True, check=True)


def run(command, limit=600, preload="", kilobytes="4000000"):
    """(exit status, seconds of the processor); a bound on these and on GB."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    status = subprocess.call(
        "exec </dev/null >/dev/null 2>&1; ulimit -v %s; ulimit -t %d;"
        "export LD_PRELOAD='%s'; exec timeout -s KILL %d %s" % (
            kilobytes, limit, preload, 60 + 20 * limit, command), shell=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return status, after.ru_utime - before.ru_utime


def digest(*patterns):
    files = sorted(f for p in patterns for f in glob.glob(p))
    return hashlib.sha256(b"".join(open(f, "rb").read()
                                   for f in files)).hexdigest()


def library(name, sources, flags, to="."):
    shell("cd %s && %s %s -shared -I../.. -I../../%s %s -o %s/lib%s.so" % (
        DIR, CC, flags, ADVICE, " ".join(sources), to, name))


def libraries():
    """Of the library with every function global; of what is compared; of the
    library as it is, which counts the lines that run."""
    for file in LIBRARY:
        src, out, at = open(file).read(), [], 0
        for head, body, end, name in functions(src):
            out += src[at:head], bare(src[head:body])
            at = body
        os.makedirs(os.path.dirname("%s/%s" % (DIR, file)), exist_ok=True)
        with open("%s/%s" % (DIR, file), "w") as f:
            f.write("".join(out) + src[at:])
    shell("rm -f %s/*.gc*" % DIR)
    library("cov", ["../../" + f for f in LIBRARY], "-O1 --coverage")
    library("whole", LIBRARY, "-O2")
    library("compared", ["../../" + f for f in sorted(glob.glob(
        "examples/compared/*.c"))], "-O1")


def prepare(stale):
    """Builds it all; suite -> [seconds, functions of the library that it runs],
    of suites that are as they were from a file."""
    cache, known, suites = DIR + "/suites.json", {}, {}
    if os.path.exists(cache):
        known = json.load(open(cache))
    same = digest("*.[ch]", "tests/*.h", "tests/*/*.h", "examples/*/*.[ch]",
                  "examples/mtc/*/*.[ch]")
    shell("MAKEFLAGS= make -s B=%s CFLAGS='-O1 -fvisibility=hidden' %s" % (
        DIR, " ".join("%s/%s" % (DIR, p) for p in PROGRAMS)))
    if known.get("same") != same:
        libraries()
        known = {**(known if stale else {}), "same": same}
    for program, parts in [*PROGRAMS.items(),
                           ("hash", "-O1 -I../.. ../../tests/tools/hash.c")]:
        shell("cd %s && %s %s -Wl,-rpath,$PWD -L. -lcompared -lwhole -lm -o %s"
              % (DIR, CC, parts, program))
    for file in sorted(glob.glob("tests/*/test_*.c")):
        for suite in re.findall(r"^SUITE\((\w+)\)", open(file).read(), re.M):
            if suite not in known or (known[suite][2] != digest(file)
                                      and not stale):
                status, seconds = run("%s/tests -s %s" % (DIR, suite))
                if status != 0:
                    print("# %s fails without a mistake: left out" % suite)
                    continue
                known[suite] = seconds, covered(suite), digest(file)
                json.dump(known, open(cache, "w"))
            suites[suite] = known[suite][:2]
    return suites


def covered(suite):
    """The functions of the library that a suite runs."""
    shell("rm -f %s/*.gcda" % DIR)
    run("%s/tests -s %s" % (DIR, suite),
        preload=os.path.abspath(DIR + "/libcov.so"))
    names = []
    for file in LIBRARY:
        text = subprocess.run("cd %s && gcov -t libcov.so-%s.gcda" % (
            DIR, os.path.basename(file)[:-2]), shell=True, capture_output=True,
            text=True).stdout
        ran = {int(n) for n in re.findall(r"^ *\d+\*?: *(\d+):", text.split(
            "0:Source:../../" + file)[-1], re.M)}
        src = open(file).read()
        for _, begin, end, name in functions(src):
            first = src.count("\n", 0, begin) + 1
            if ran.intersection(range(first, first + src.count(
                    "\n", begin, end) + 1)):
                names.append(name)
    return names


def judge(m, suites, fast):
    """The suite that kills the mutant; if there is none, what the bits say;
    None for one that does not compile."""
    with open(DIR + "/mutant.c", "w") as file:
        file.write(m.text())
    if run("%s -O1 -shared %s -I%s -o %s/mutant.so" % (
            CC, file.name, os.path.dirname(m.file) or ".", DIR))[0] != 0:
        return None
    tag = os.path.basename(m.file)[:-2] if m.file not in LIBRARY else \
        m.function.replace("mtc_", "").split("_")[0]
    tag = {"trec": "ec_", "ens": "ec_", "panel": "auto", "guard": "auto",
           "adv": "auto", "curve": "choose"}.get(tag, tag)
    known = {f for s in suites for f in suites[s][1]}
    mutant = os.path.abspath(DIR + "/mutant.so")
    for s in sorted(suites, key=lambda s: (              # its own, fast, slow
            tag not in s, s.startswith("cli"), suites[s][0])):
        seconds, ran = suites[s]
        if (m.function in known and m.function not in ran
                or seconds > fast and tag not in s):
            continue
        if all(run("%s/tests -f -s %s" % (DIR, s), 3 + int(4 * seconds),
                   mutant)[0] != 0 for again in range(1 + s.startswith("cli"))):
            return s                                     # signals may be late
    if m.file in LIBRARY and sanitized(m.function, suites):
        return "sanitizers"
    status = run(DIR + "/hash tests/promises/hashes.txt", 60, mutant)[0]
    return "other bits" if status else "same bits"


def sanitized(function, suites):
    """Does a suite of the library fail where memory is watched?"""
    to = DIR + "/asan"
    asan = subprocess.run(CC.split()[0] + " -print-file-name=libasan.so",
                          shell=True, capture_output=True, text=True).stdout
    same = digest("*.[ch]", "tests/*.[ch]", "tests/*/*.[ch]",
                  "tests/promises/calls/*.h")
    if not os.path.exists(to + "/same") or open(to + "/same").read() != same:
        tests = [f for f in glob.glob("tests/*/test_*.c") if "_cli" not in f]
        shell("MAKEFLAGS= make -s B=%s CFLAGS='%s -fvisibility=hidden' "
              "CPPFLAGS=-DTEST_FEWER=10 TESTS='%s' %s/tests" % (
                  to, SANITIZE, " ".join(tests), to))
        library("whole", LIBRARY, SANITIZE, "asan")
        shell("cd %s && %s %s obj/tests/main.o obj/tests/*/*.o obj/examples/compared/*.o "
              "-Wl,-rpath,$PWD -L. -lwhole -lm -o tests" % (to, CC, SANITIZE))
        open(to + "/same", "w").write(same)
    if run("%s %s -shared %s/mutant.c -o %s/mutant.so" % (
            CC, SANITIZE, DIR, to))[0] != 0:
        return False
    own = [s for s in sorted(suites, key=lambda s: suites[s][0])
           if not s.startswith("cli") and function in suites[s][1]]
    return any(run("%s/tests -f -s %s" % (to, s), 60 + int(40 * suites[s][0]),
                   "%s %s/mutant.so" % (asan.strip(), os.path.abspath(to)),
                   "unlimited")[0] != 0 for s in own)


def main(count, seed, only, fast, stale, verbose, check):
    lines, listed = mutants(only), equivalents()
    if check:
        known = {m.key for ms in mutants(only + list(LIBRARY)).values()
                 for m in ms}
        lost = [key for key in listed if key not in known]
        print("\n\n".join(lost + ["%d entries, %d lost" % (
            len(listed), len(lost))]))
        sys.exit(len(lost) > 0)
    suites, rng, began = prepare(stale), random.Random(seed), time.time()
    record, dead = DIR + "/killed.json", {}
    if os.path.exists(record):
        dead = json.load(open(record))
    tried = killed = equivalent = 0
    while tried < count and any(lines.values()):
        place = rng.choice(sorted(l for l in lines if lines[l]))
        rng.shuffle(lines[place])
        m = lines[place].pop()
        name = hashlib.sha256((m.key + m.body).encode()).hexdigest()
        if m.key in listed:
            tried, equivalent = tried + 1, equivalent + 1
            continue
        by = dead.get(name) or judge(m, suites, fast)
        if by is None:
            continue
        tried += 1
        if not by.endswith(" bits"):
            killed, dead[name] = killed + 1, by
            json.dump(dead, open(record, "w"))
        if verbose or by.endswith(" bits"):
            print("# %s:%d, %s, after %d\n%s\n" % (
                *place, by, tried, m.key), flush=True)
    print("%d mutants, %d killed, %d equivalent, %d survive: %.1f %% of those "
          "not equivalent are killed (%.0f s)" % (
              tried, killed, equivalent, tried - killed - equivalent,
              100 * killed / max(1, tried - equivalent), time.time() - began))


if __name__ == "__main__":
    p = argparse.ArgumentParser()
    p.add_argument("count", type=int, nargs="?", default=0)
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--only", action="append", default=[])
    p.add_argument("--fast", type=float, default=1e9)
    p.add_argument("--stale", action="store_true")
    p.add_argument("--verbose", action="store_true")
    p.add_argument("--check", action="store_true")
    main(**vars(p.parse_args()))
