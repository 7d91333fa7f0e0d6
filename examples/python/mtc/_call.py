# SPDX-License-Identifier: MIT
"""The calls of mtc.h as functions of Python."""
import ctypes
import inspect
import re
import signal
import threading
import types
from ctypes import addressof, c_char_p, c_int, c_size_t, c_void_p, sizeof

import numpy as np

from ._convert import Result, Scopes, read_struct
from ._data import View, views_of
from ._document import of_function
from ._errors import Error, OutOfMemory
from ._header import Field
from ._library import (C, NUMPY, c_function, declared, header, library,
                       python_name, structs, words_of)
from ._names import bound
from ._threads import lanes_for, lend
from ._write import Writer, defaults_of, number_of, numbers_of

_PROGRESS = ctypes.CFUNCTYPE(c_int, c_void_p, c_char_p,
                             c_size_t, c_size_t)


class Context:
    """The context of one call: seed, progress, Ctrl-C, threads."""

    def __init__(self, seed, progress, n_jobs=1):
        self.raw = c_function("mtc_context_defaults")()
        self.raw.seed = number_of("uint64_t", seed, "seed")
        self.progress = progress() if isinstance(progress, type) else progress
        self.stop, self.raised = False, None
        self.main = threading.current_thread() is threading.main_thread() \
            and signal.getsignal(signal.SIGINT) is signal.default_int_handler
        self.callback = _PROGRESS(self._tick)
        if self.main or progress is not None:
            self.raw.progress = ctypes.cast(self.callback, c_void_p)
        self.lent = lend(self.raw, lanes_for(n_jobs), self._failed)

    def _failed(self, error):
        self.stop, self.raised = True, error

    def _tick(self, _user, stage, done, total):
        bar, stage = self.progress, stage.decode()
        try:
            if hasattr(bar, "refresh"):         # as tqdm's
                bar.desc, bar.n, bar.total = stage, done, total
                bar.refresh()
            elif bar is not None and bar(stage, done, total):
                self.stop = True
        except BaseException as error:          # not to be lost in C
            self._failed(error)
        return int(self.stop)

    def run(self, function, arguments):
        """The call; a Ctrl-C stops it and is raised when it has returned."""
        def interrupt(*_):
            self._failed(KeyboardInterrupt())
        before = signal.signal(signal.SIGINT, interrupt) if self.main else None
        try:
            return function(addressof(self.raw), *arguments)
        finally:
            if self.main:
                signal.signal(signal.SIGINT, before)

    def error(self, name, status):  # the Error of a status, with its place
        place, word = self.raw.error, words_of("mtc_status")[status]
        what = ctypes.string_at(place.what or b"").decode()
        where = {key: getattr(place, key) for key in ("task", "row", "column")
                 if getattr(place, key) != c_size_t(-1).value}
        text = f"{name}: {c_function('mtc_status_text')(status).decode()}"
        text += f": {what}" * (what not in text) + "".join(
            f", {key} {i}" for key, i in where.items())
        error = (OutOfMemory if word == "no_memory" else Error)(text)
        vars(error).update(where, status=word, what=what)
        return error


class Function:
    """One call of mtc.h: its arguments come from Python values."""
    #: what an argument is if it is left out; usual extents of outputs
    LEFT_OUT = {"queries": None, "views": None, "distance": "sqeuclidean",
                "gamma": 0, "div": None, "form": "links", "ridge": 1e-3,
                "view": 0}
    USUAL = {"labels": "X.n", "out": "1", "mean": "1", "total": "1"}

    def __init__(self, call):
        self.c_name, self.name = call.name, call.name[4:]
        self.function = c_function(call.name)
        self.arguments = call.arguments[1:]
        self.lists = {a.name[2:] for a in self.arguments
                      if a.name[:2] == "n_"} | {"views"}
        self.kinds = {a.name: self._kind(a) for a in self.arguments}
        kinds = {self.kinds[a.name]: a.type for a in self.arguments}
        self.model, self.result = kinds.get("model"), kinds.get("result")
        self.options = kinds.get("options")
        self.inputs = [a for a in self.arguments if self.kinds[a.name] in (
            "data", "model", "divergence", "array", "number")]
        self.defaults, P = {}, inspect.Parameter
        if self.options:                        # clusters=[3, 4] is for each
            found = vars(read_struct(self.options, defaults_of(self.options, call.name),
                               Scopes()))
            for value in [v for v in found.values() if isinstance(v, Result)]:
                found = {**vars(value), **found}
            self.defaults = {k: v for k, v in found.items() if k[0] != "_" and
                             k != "clusters_of" and not isinstance(v, Result)}
        self.documented = {n.strip(): extent for names, extent in re.findall(
            r"((?:\w+,\s)*\w+)\s\[([^\]]+)\]",
            call.section + call.doc) for n in names.split(",")}
        left_out = {name: value for name, value in self.LEFT_OUT.items()
                    if not any(a.name == "n_" + name for a in self.arguments)}
        self.signature = inspect.Signature([
            P(a.name, P.POSITIONAL_OR_KEYWORD,
              default=left_out.get(a.name, P.empty))
            for a in sorted(self.inputs, key=lambda a: a.name in left_out)
        ] + [P(name, P.KEYWORD_ONLY, default=value) for name, value in
             {**self.defaults, "seed": 1, "progress": None,
              "n_jobs": None}.items()])

    @staticmethod
    def _kind(a):
        if a.stars == 0:
            return "derived" if a.name in ("n", "m", "ldc") \
                or a.name[:2] == "n_" else "number"
        fields = structs.get(a.type)
        if fields and fields[0].type == "mtc_block":
            return "model" if a.const else "result"
        return "options" if a.type.endswith("_options") else \
            "output" if not a.const else "data" if a.type == "mtc_data" else \
            "divergence" if a.type == "mtc_divergence" else "array"

    def python(self):  # a plain function, with all that the header says
        def function(*args, **kwargs):
            given = bound(self.signature, self.name, args, kwargs)
            given.apply_defaults()
            try:
                return Run(self, given.arguments).result()
            except Error as error:
                if not str(error).startswith(self.name + ": "):
                    error.args = (f"{self.name}: {error}",)
                raise
        function.__name__ = function.__qualname__ = self.name
        function.__signature__ = self.signature
        call = declared.calls[self.c_name]
        function.__doc__ = of_function(
            self, call.section if self.result or not call.doc else "", call.doc)
        return function


class Run(Writer):
    """One run of a call; a method for each kind of argument makes it ready."""

    def __init__(self, call, given):
        super().__init__()
        self.call, self.given, self.env = call, given, {}
        self.scopes, self.names = Scopes([self.env]), {}
        self.out, self.last = {}, (None, None)
        self.context = Context(given["seed"], given["progress"],
                               given["n_jobs"])
        if call.model:
            if getattr(given["res"], "_struct", None) != call.model:
                raise Error(f"res: a {call.model[4:]} is needed")
            self.scopes.append(vars(given["res"]))
        self.ready = {a.name: getattr(self, "_" + call.kinds[a.name])(
            a, given.get(a.name)) for a in sorted(
                call.arguments, key=lambda a: call.kinds[a.name] == "derived")}

    def _data(self, a, value):  # features that are shared go by name
        many = a.name in self.call.lists
        group = a.name if self.call.name == "trec" else "far" if a.name in (
            "views", "target") and self.given.get("views") is not None else ""
        if self.call.model and a.name == "X":
            self.names[group] = getattr(self.given["res"], "_names", None)
        if value is None:
            return None
        names = self.names.get(group)
        views = views_of(value, a.name, names) if many else \
            [View(value, a.name, names)]
        if not views:
            raise Error(f"{a.name}: there are none")
        self.names[group] = views[0].names or names
        self.last = self.names[group], views[0].d
        self._sizes(a.name, many, views)
        return self.views(views)

    def _sizes(self, name, many, views):        # what extents can be of
        rows, env = [v.n for v in views], self.env
        env[name + ".n"] = rows if many else rows[0]
        env.setdefault("d", views[0].d)
        if many:
            env[name] = env["n_" + name] = len(views)
            env["N"] = sum(rows)
        if many and name not in ("bridges", "views") or \
                self.call.name == "lssttc":
            env["n_t"] = env.get("n_t", []) + rows
        if name in ("bridges", "points", "queries"):
            env["n_b"], env["n_q"] = rows, rows[0]
        if not many and (name == "target" or "n" not in env):
            env["n"] = rows[0]

    def _derived(self, a, _value):              # rows are contiguous
        return self.env.get("n" if a.name == "ldc" else a.name)

    def _number(self, a, value):
        self.env[a.name] = number_of(a.type, value, a.name)
        return self.env[a.name]

    def _divergence(self, _a, value):
        return None if value is None else self.divergence(value, self.env["d"])

    def _array(self, a, value):
        """Labels of data, labels of each source, or as documented."""
        owner = a.name.replace("labels", "").strip("_") or "X"
        owner = next((n for n in (owner, owner.upper(), owner + "s")
                      if n + ".n" in self.env), None)
        extent = (None, owner + ".n" if owner else "m*n" if a.name == "cost"
                  else self.call.documented.get(a.name, "n"))
        if a.stars == 2:
            extent = (owner, owner + ".n") if owner else \
                ("tasks", "n_t") if "tasks" in self.call.lists else ("m", "n")
        return self.array(a, value, extent, self.scopes)

    def _model(self, a, value):
        return self.address(self.rebuilt(a.type, value))

    def _options(self, a, _value):
        name, given = self.call.c_name, self.given
        values = {key: given[key] for key in self.call.defaults}
        raw = self.options(a.type, defaults_of(a.type, name), values,
                           self.scopes, name)
        self.scopes.append(numbers_of(a.type, raw))
        return self.address(raw)

    def _output(self, a, _value):               # room for what is written
        extent = self.call.documented.get(
            a.name, self.call.USUAL.get(a.name, "unknown"))
        room = C[a.type]() if a.type in structs else np.zeros(
            self.scopes.dims(extent), NUMPY[a.type])
        self.out[a.name] = (a.type, room, extent)
        return self.address(room)

    def _result(self, a, _value):  # more room, should the library be another
        self.raw = C[a.type].from_buffer(bytearray(sizeof(C[a.type]) + 1024))
        return addressof(self.raw)

    def result(self):
        context, call = self.context, self.call
        status = context.run(call.function, [self.ready[a.name]
                                             for a in call.arguments])
        try:
            if context.raised is not None or status != 0:
                raise context.raised or context.error(call.name, status)
            return self._found() if call.result else self._written()
        finally:
            if status == 0 and call.result:
                c_function("mtc_free")(addressof(context.raw),
                                      addressof(self.raw))

    def _found(self):
        whole, size = self.raw.block.whole, sizeof(self.raw)
        if whole != size:                       # the library says its size
            raise Error(f"{self.call.result} has {whole} bytes in {library}, "
                        f"{size} by {header}: these are not of one version")
        found = read_struct(self.call.result, self.raw, self.scopes[::-1])
        used = {**self.given, **self.scopes[-1]}
        found._names, found._d = self.last      # for the call's assign
        if hasattr(found, "divergence"):        # functions of C: as it was given
            found.divergence = used["divergence"]
        return found

    def _written(self):
        values = {
            name: read_struct(kind, room, []) if kind in structs
            else room[0].item() if extent == "1"
            else room.view(np.intp) if kind == "size_t" else room
            for name, (kind, room, extent) in self.out.items()}
        return next(iter(values.values())) if len(values) == 1 \
            else Result(self.call.name, values)

# Linear algebra is left to numpy, and so are a step of MBC and one that writes
# its inputs.
LEFT = {"mtc_data_check", "mtc_eigen_operator", "mtc_match", "mtc_symeig",
         "mtc_symeig_range", "mtc_free", "mtc_mbc_centroid"}
CALLS = {name[4:]: Function(call) for name, call in declared.calls.items()
          if call.arguments and call.arguments[0].type == "mtc_context"
          and name not in LEFT}
#: the functions, by the names of mtc.h without mtc_
calls = types.SimpleNamespace(**{name: call.python()
                                 for name, call in CALLS.items()})


def bridge_score(features, model=None):
    """In [0,1]: larger is better.  The model is one of bridge_fit, or None."""
    to, f = Writer(), Field("mtc_real", 1, "features", (), "", True)
    model = model and to.address(to.rebuilt("mtc_bridge_model", model))
    return c_function("mtc_bridge_score")(
        model, to.array(f, features, (None, "6"), Scopes()))
