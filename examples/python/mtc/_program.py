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

PICTURES = ("cluster", "relate", "transfer")


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


def label_name(names):
    """A name for a column of labels that no other column has."""
    name = "class"
    while name in names:
        name += "_"
    return name


def write_labeled(X, path, labels):
    """A source with its labels: the file, and the name of their column; None:
    LIBSVM text has none."""
    if hasattr(X, "to_csv"):
        name = label_name(list(X.columns))
        return write(X.assign(**{name: labels}), path), name
    return write(X, path, labels), None if X.row is not None else \
        label_name(X.names or [])


def write(X, path, labels=None):
    """One task as a file: a table in full digits, or LIBSVM text, whose labels
    are whole numbers."""
    if hasattr(X, "columns") and hasattr(X, "to_csv"):
        if getattr(X.columns, "nlevels", 1) > 1:    # would be several lines
            X = X.set_axis([" ".join(map(str, name)) for name in X.columns],
                           axis=1)
        X.to_csv(path + ".csv", index=False, float_format="%.17g",
                 quoting=csv.QUOTE_NONNUMERIC)  # "NA" and "#1" are words
        return path + ".csv"
    view = X if isinstance(X, View) else View(X)
    if view.row is None:
        names = list(view.names or [f"f{j + 1}" for j in range(view.d)])
        last = [[]] * view.n if labels is None else [[y] for y in labels]
        with open(path + ".csv", "w", newline="", encoding="utf-8") as file:
            out = csv.writer(file)
            out.writerow(names + ([] if labels is None
                                  else [label_name(names)]))
            out.writerows([["%.17g" % v for v in row] + y
                           for row, y in zip(view.values, last)])
        return path + ".csv"
    with open(path + ".svm", "w", encoding="ascii") as file:
        for i in range(view.n):
            here = slice(int(view.row[i]), int(view.row[i + 1]))
            cells = dict(zip(view.column[here], view.values[here]))
            if i == 0:                              # there are so many columns
                cells.setdefault(view.d - 1, 0)
            file.write(" ".join(["%d" % (0 if labels is None else labels[i])] + [
                "%d:%.17g" % (j + 1, cells[j]) for j in sorted(cells)]) + "\n")
    return path + ".svm"


def _has_numbers(X):
    """Are all values numbers, which are written with a point?"""
    if isinstance(X, dict):
        return all(map(_has_numbers, X.values()))
    if isinstance(X, (list, tuple)) and not is_one(X):
        return all(map(_has_numbers, X))
    return not hasattr(X, "dtypes") or all(
        kind in (float, int) for kind in X.dtypes)


def _is_path(X):
    return isinstance(X, (str, os.PathLike))


def _files(tasks, at):
    """Paths as they are; data become files named task1, task2, or as in a
    dictionary.  Are all such, and so have headers?"""
    if len(tasks) == 1 and isinstance(tasks[0], dict):
        tasks = list(tasks[0].items())
    elif len(tasks) == 1 and not _is_path(tasks[0]) and not is_one(tasks[0]):
        tasks = list(tasks[0])
    if not any(isinstance(each, tuple) for each in tasks):
        tasks = [(f"task{t + 1}", X) for t, X in enumerate(tasks)]
    names = [str(name) for name, X in tasks if not _is_path(X)]
    if len(set(names)) < len(names):
        raise Error("two tasks have one name: " + ", ".join(names))
    for name, X in tasks:
        if os.sep in str(name) and not _is_path(X):
            raise Error(f"{name!r}: a task's name has no {os.sep}")
    return [os.fspath(X) if _is_path(X) else write(X, os.path.join(
        at, str(name))) for name, X in tasks], not any(
            _is_path(X) for _, X in tasks)


WORDS = {("header", False): "no", ("header", True): "yes",
         ("labels", False): "none"}


def _arguments(options):
    """Options by name: lambda_=.5 is --lambda .5, True a flag."""
    given = []
    for name, value in options.items():
        if isinstance(value, bool):
            value = WORDS.get((name, value), value)
        if value is None or value is False:
            continue
        given.append("--" + name.rstrip("_").replace("_", "-"))
        if isinstance(value, (list, tuple, np.ndarray)):
            given.append(",".join(str(v).replace(",", "\\,") for v in value))
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


def started(command, line):
    """The program has run with these arguments, or it is an Error why not."""
    program = find("MTC_PROGRAM", PROGRAM)
    try:
        ran = subprocess.run([program, *line], stdin=subprocess.DEVNULL,
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    except OSError as error:
        refuse(program, error)
    if ran.returncode != 0:
        raise Error(f"{command}: " + _reason(ran))
    return ran


def run(command, tasks, options, words=(), tell=True):
    """Runs a command, and gives its Report; its notices become warnings."""
    with tempfile.TemporaryDirectory() as at:
        made = {"json": os.path.join(at, "found.json")}
        if command in PICTURES:
            made["svg"] = os.path.join(at, "picture.svg")
        for name in made:
            if options.get(name) is not None:
                raise Error(f"{name}: no option here, the result has it")
        files, headed = _files(tasks, at)
        if headed:                              # its names may be numbers
            made["header"] = "yes"
            if "decimal" not in options and all(map(_has_numbers, tasks)):
                made["decimal"] = "."
        ran = started(command, [command, *words, *_arguments(
            {**options, **made}), *files])
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


def _role(column):
    """A column that only might name the samples has no role; one that is
    refused is a feature, of which _faults tells."""
    if column["role"] == "id" and column["faults"]:
        return None
    return "feature" if column["role"] == "refused" else column["role"]


def _faults(column):  # gaps are none: they come as NaN
    return [fault for fault in column["faults"]
            if not fault["text"].startswith("is missing")]


def _why_left(column):
    """Why a column is in no matrix; None: it is, or an option says so."""
    if _role(column) in ("feature", "labels", "id"):
        return None
    wrong = column["faults"][:1]
    return column["why"] or "".join(
        f"'{f['value'][:30]}' in line {f['line']} {f['text']}" for f in wrong) or \
        {"index": "it numbers the samples", "text": "it has texts",
         "words": "it has words"}.get(column["role"])


def _tell_left(task):
    left = {c["name"]: why for c in task["columns"] if (why := _why_left(c))}
    if left:
        warnings.warn(Notice(f"{task['file']}: left out: " + "; ".join(
            f"{name} ({why})" for name, why in left.items()), "left-out",
            list(left)), stacklevel=5)


class Tables:
    """Files as the program reads them: data, a matrix for each, with NaN where
    a value is missing; features, their names; labels and ids, or None."""
    def __init__(self, report, written):
        self.description = report
        self.names = [task["name"] for task in report.tasks]
        self.data, self.labels, self.ids = [], [], []
        widest = max(task.get("d", 0) for task in report.tasks)
        for task in report.tasks:
            path = os.path.join(written, task["name"])
            if os.path.exists(path + ".svm"):
                self._take_rows(path + ".svm", widest)
            elif os.path.exists(path + ".csv"):
                self._take_columns(path + ".csv", task)
            else:
                raise Error(f"{task['file']}: it holds texts; `mtc vectorize` "
                            "makes numbers of them")
        kinds = [[c["name"] for c in task["columns"]
                  if _role(c) == "feature"] for task in report.tasks]
        self.features = kinds[0]
        for t, names in enumerate(kinds):       # in the order of the first
            if sorted(names) != sorted(self.features):
                raise Error(f"{self.names[t]}: its features differ from those "
                            f"of {self.names[0]}; use= names those that are "
                            "common")
            if names != self.features:
                self.data[t] = self.data[t][:, [names.index(n)
                                                for n in self.features]]

    def _take_columns(self, path, task):
        with open(path, newline="", encoding="utf-8") as file:
            try:
                rows = list(csv.reader(file))[1 if task["header"] else 0:]
            except csv.Error as error:          # a field may be too long
                raise Error(f"{task['file']}: {error}; see "
                            "csv.field_size_limit") from None
        roles = [_role(column) for column in task["columns"]]
        if "feature" not in roles:
            raise Error(f"{task['file']}: no column is a feature; "
                        "mtc.describe says why")
        for column in task["columns"]:
            if _role(column) == "feature" and _faults(column):
                wrong = _faults(column)[0]
                raise Error(f"{task['file']}:{wrong['line']}: "
                            f"'{wrong['value']}' {wrong['text']}; drop= leaves "
                            f"{column['name']} out")
        _tell_left(task)
        found = [[row[j] for row in rows] for j in range(len(roles))]
        self.data.append(np.array(
            [[cell or "nan" for cell in cells] for cells, role
             in zip(found, roles) if role == "feature"], float).T.copy())
        for kind, to in (("labels", self.labels), ("id", self.ids)):
            to.append(np.array(found[roles.index(kind)]) if kind in roles
                      else None)

    def _take_rows(self, path, widest):
        """LIBSVM text: a sparse matrix, or a dense one without scipy."""
        with open(path, encoding="ascii") as file:
            lines = [line.split() for line in file]
        at = [(i, *pair.split(":")) for i, line in enumerate(lines)
              for pair in line[1:]]
        i = np.array([row for row, _, _ in at], int)
        j = np.array([column for _, column, _ in at], int) - 1
        x, shape = np.array([v for _, _, v in at], float), (len(lines), widest)
        try:
            from scipy.sparse import csr_matrix
            self.data.append(csr_matrix((x, (i, j)), shape))
        except ImportError:
            self.data.append(np.zeros(shape))
            self.data[-1][i, j] = x
        self.labels.append(np.array([line[0] for line in lines]))
        self.ids.append(None)

    def __repr__(self):
        return "<mtc tables: " + ", ".join(
            f"{name} {x.shape[0]} x {x.shape[1]}"
            for name, x in zip(self.names, self.data)) + ">"

    def _repr_html_(self):
        return self.description._repr_html_()


def read(*files, **options):
    """The tables in files, with the roles that the program gives their columns;
    labels=, use=, drop=, id= and the like are its options."""
    if not files or not all(map(_is_path, files)):
        raise Error("read: the names of files are needed")
    if "out" in options:
        raise Error("read: out= is for mtc.describe")
    if options.get("missing") is not None:
        raise Error("read: missing= is for commands that use the values; here "
                    "they come as they are, NaN where one is missing")
    with tempfile.TemporaryDirectory() as at:
        return Tables(run("describe", files, {**options, "out": at}), at)


def main():
    """The command `mtc` of an installed wheel."""
    program = find("MTC_PROGRAM", PROGRAM)
    try:
        os.execv(program, [program] + sys.argv[1:])
    except OSError as error:
        refuse(program, error)
