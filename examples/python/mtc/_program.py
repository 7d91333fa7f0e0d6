# SPDX-License-Identifier: MIT
"""The program, which comes with the package: it reads files, judges and draws.

mtc.describe, mtc.compare and mtc.relate take what the program takes, files or
data, and its options by name; what it prints is an object.  mtc.read gives the
columns of tables as arrays."""
import csv
import html
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import warnings

import numpy as np

from ._data import View, is_one
from ._errors import Error, Notice
from ._places import PROGRAM, find, refuse

PICTURES = ("cluster", "compare", "relate", "choose")


class Report:
    """What a command of the program found: the members of its JSON, see
    mtc-json(5), as attributes; str() is what it prints."""
    def __init__(self, command, found, text, svg):
        self.command, self.text, self.svg = command, text, svg
        vars(self).update({name: value for name, value in found.items()
                           if name not in ("mtc", "schema")})

    def __repr__(self):
        return self.text

    def _repr_html_(self):
        return page(self.text, self.svg)


def page(text, svg):
    """A picture, with what is to be read below it."""
    picture = "" if not svg else f"<div>{svg[svg.index('<svg'):]}</div>"
    return f"{picture}<pre>{html.escape(text.strip())}</pre>"


def _write(X, path):
    """One task as a file: a table in full digits, or LIBSVM text."""
    if hasattr(X, "columns") and hasattr(X, "to_csv"):
        X.to_csv(path + ".csv", index=False, float_format="%.17g")
        return path + ".csv"
    view = X if isinstance(X, View) else View(X)
    if view.row is None:
        names = view.names or [f"f{j + 1}" for j in range(view.d)]
        with open(path + ".csv", "w", newline="", encoding="utf-8") as file:
            out = csv.writer(file)
            out.writerow(names)
            out.writerows([["%.17g" % v for v in row] for row in view.values])
        return path + ".csv"
    with open(path + ".svm", "w", encoding="ascii") as file:
        for i in range(view.n):
            here = slice(int(view.row[i]), int(view.row[i + 1]))
            file.write(" ".join(["0"] + [
                "%d:%.17g" % (j + 1, v) for j, v in zip(
                    view.column[here], view.values[here])]) + "\n")
    return path + ".svm"


def _is_path(X):
    return isinstance(X, (str, os.PathLike))


def _files(tasks, at):
    """Paths as they are; data become files named task1, task2, or as in a
    dictionary."""
    if len(tasks) == 1 and isinstance(tasks[0], dict):
        tasks = list(tasks[0].items())
    elif len(tasks) == 1 and not _is_path(tasks[0]) and not is_one(tasks[0]):
        tasks = list(tasks[0])
    if not any(isinstance(each, tuple) for each in tasks):
        tasks = [(f"task{t + 1}", X) for t, X in enumerate(tasks)]
    return [os.fspath(X) if _is_path(X) else _write(X, os.path.join(
        at, str(name))) for name, X in tasks]


def _arguments(options):
    """Options by name: lambda_=.5 is --lambda .5, True a flag."""
    given = []
    for name, value in options.items():
        if value is None or value is False:
            continue
        given.append("--" + name.rstrip("_").replace("_", "-"))
        if isinstance(value, (list, tuple, np.ndarray)):
            given.append(",".join(str(v) for v in value))
        elif value is not True:
            given.append(str(value))
    return given


def _reason(ran):
    """Why the program ended, without its notices and the command to try."""
    lines = ran.stderr.decode("utf-8", "replace").strip().split("\n")
    lines = [line[5:] if line.startswith("mtc: ") else line.strip()
             for line in lines]
    return " ".join(line for line in lines if not line.startswith(
        ("note: ", "try: "))) or f"it ended with status {ran.returncode}"


def run(command, tasks, options, words=(), tell=True):
    """Runs a command, and gives its Report; its notices become warnings."""
    program = find("MTC_PROGRAM", PROGRAM)
    with tempfile.TemporaryDirectory() as at:
        made = {"json": os.path.join(at, "found.json")}
        if command in PICTURES:
            made["svg"] = os.path.join(at, "picture.svg")
        line = [program, command, *words, *_arguments({**options, **made}),
                *_files(tasks, at)]
        try:
            ran = subprocess.run(line, stdin=subprocess.DEVNULL,
                                 stdout=subprocess.PIPE,
                                 stderr=subprocess.PIPE)
        except OSError as error:
            refuse(program, error)
        if ran.returncode != 0:
            raise Error(f"{command}: " + _reason(ran))
        found = json.loads(pathlib.Path(made["json"]).read_text("utf-8"))
        svg = pathlib.Path(made["svg"]).read_text("utf-8") \
            if os.path.exists(made.get("svg", "")) else None
    for notice in found["notices"] if tell else []:
        warnings.warn(Notice(notice["text"], notice["code"],
                             notice["columns"]), stacklevel=3)
    return Report(command, found, ran.stdout.decode("utf-8", "replace"), svg)


def describe(*tasks, **options):
    """What the columns of tables hold, and what is wrong with them: `mtc
    describe`.  tasks are files, arrays or DataFrames."""
    return run("describe", tasks, options)


def compare(*tasks, **options):
    """Every method beside the others, does sharing help this data: `mtc
    compare`; verdict has the answer in words."""
    return run("compare", tasks, options)


def relate(*tasks, **options):
    """How far apart tasks are: `mtc relate`."""
    return run("relate", tasks, options)


# The program decides what a column is; the numbers are read here, since it
# writes none that are as in the file, with NaN for what is missing.  They are
# held against what it found, and a column that it reads otherwise is refused.
class Tables:
    """Files as the program reads them: data, a matrix for each, with NaN where
    a value is missing; features, their names; labels and ids, or None."""
    def __init__(self, report):
        self.description = report
        self.names = [task["name"] for task in report.tasks]
        self.data, self.labels, self.ids = [], [], []
        for task in report.tasks:
            self._read(task)
        kinds = [[c["name"] for c in task["columns"]
                  if c["role"] == "feature"] for task in report.tasks]
        self.features = kinds[0]
        for t, names in enumerate(kinds):       # in the order of the first
            if sorted(names) != sorted(self.features):
                raise Error(f"{self.names[t]}: its features differ from those "
                            f"of {self.names[0]}; use= names those that are "
                            "common")
            self.data[t] = self.data[t][:, [names.index(n)
                                            for n in self.features]]

    def _read(self, task):
        with open(task["file"], newline="", encoding="utf-8-sig") as file:
            rows = [row for row in csv.reader(file, delimiter=task["separator"])
                    if any(cell.strip() for cell in row)]
        rows = rows[1:] if task["header"] else rows
        by_role = {}
        for column in task["columns"]:
            cells = [row[column["number"] - 1].strip()
                     if column["number"] <= len(row) else "" for row in rows]
            if column["role"] == "feature":
                cells = _numbers(cells, column, task)
            by_role.setdefault(column["role"], []).append(cells)
        if len(rows) != task["n"] or "feature" not in by_role:
            raise Error(f"{task['file']}: {task['n']} rows of numbers are "
                        f"expected, not {len(rows)}")
        self.data.append(np.column_stack(by_role["feature"]))
        for kind, to in (("labels", self.labels), ("id", self.ids)):
            to.append(np.array(by_role[kind][0]) if kind in by_role else None)

    def __repr__(self):
        return "<mtc tables: " + ", ".join(
            f"{name} {x.shape[0]} x {x.shape[1]}"
            for name, x in zip(self.names, self.data)) + ">"

    def _repr_html_(self):
        return self.description._repr_html_()


def _numbers(cells, column, task):
    """A column of numbers: read here, and held against what the program found
    in it."""
    thousands = {".": ",", ",": "."}[task["decimal"]]
    sign, found = column["sign"] or "", []
    for cell in cells:
        text = cell.replace(sign, "") if sign else cell
        text = text.replace(thousands, "").replace(task["decimal"], ".")
        try:
            found.append(float("".join(text.split())))
        except ValueError:
            found.append(np.nan)
    x = np.array(found)
    x[~np.isfinite(x)] = np.nan
    known = x[~np.isnan(x)]
    same = len(known) == column["values"] and (len(known) == 0 or np.allclose(
        [known.min(), known.max()], column["range"], rtol=1e-6))
    if column["type"] != "numbers" or not same:
        raise Error(f"{task['file']}: the column {column['name']} holds "
                    f"{column['type']} that are not read here; drop= leaves it "
                    "out")
    return x


def read(*files, **options):
    """The tables in files, with the roles that the program gives their columns;
    labels=, use=, drop=, id= and the like are its options."""
    if not files or not all(map(_is_path, files)):
        raise Error("read: the names of files are needed")
    return Tables(run("describe", files, options))


def main():
    """The command `mtc` of an installed wheel."""
    program = find("MTC_PROGRAM", PROGRAM)
    try:
        os.execv(program, [program] + sys.argv[1:])
    except OSError as error:
        refuse(program, error)
