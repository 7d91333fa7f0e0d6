# SPDX-License-Identifier: MIT
"""Types of the package, for editors and mypy, from the headers.

    python -m mtc._stubs > mtc/__init__.pyi

A test compares: write it again when a header or an estimator has changed."""
import inspect

import mtc

from ._call import CALLS
from ._document import option_fields
from ._library import enums, python_name, structs

HEAD = '''\
# SPDX-License-Identifier: MIT
# Written by python -m mtc._stubs from the headers.
from typing import Any, Callable, Dict, List, Literal, Optional, Sequence, Union

import numpy as np

Array = np.ndarray[Any, Any]
Matrix = Any                            # array, DataFrame, scipy.sparse, rows
Tasks = Any                             # one of these, a list or a dict of them
Divergence = Union[Literal["sqeuclidean", "kl", "is"], Array]
Progress = Any                          # callable, or a bar as tqdm's
Scale = Optional[Literal["none", "auto", "zscore"]]

__version__: str
header: str
library: str
real: str

class Error(ValueError):
    status: str
    task: int
    row: int
    column: int
class NotNumbers(Error, TypeError): ...
class OutOfMemory(Error, MemoryError): ...
class Notice(UserWarning):
    code: str
    columns: List[str]

class Result:
    def __getattr__(self, name: str) -> Any: ...
class Report:
    command: str
    text: str
    svg: Optional[str]
    def __getattr__(self, name: str) -> Any: ...
class Tables:
    names: List[str]
    data: List[Any]
    labels: List[Any]
    ids: List[Any]
    features: List[str]
    description: Report

class Model:
    method: str
    rule: str
    tasks: List[str]
    classes_: Any
    def __init__(self, path: Any) -> None: ...
    def predict(self, X: Matrix, task: Union[int, str] = ...) -> Array: ...
load = Model

class Transfer:
    classes_: Array
    votes_: Array
    far_: Array
    distance_: Array
    sentence_: str
    report_: Report
    def __init__(self, **options: Any) -> None: ...
    def fit(self, source: Matrix, labels: Any) -> "Transfer": ...
    def predict(self, target: Matrix) -> Array: ...
    def get_params(self, deep: Any = ...) -> Dict[str, Any]: ...
    def set_params(self, **options: Any) -> "Transfer": ...

def threads(n: int) -> Any: ...
def describe(*tasks: Any, **options: Any) -> Report: ...
def compare(*tasks: Any, **options: Any) -> Report: ...
def relate(*tasks: Any, **options: Any) -> Report: ...
def read(*files: Any, **options: Any) -> Tables: ...
def bridge_score(features: Any, model: Optional[Result] = ...) -> float: ...
'''
OWN = {"seed": "int", "random_state": "Any", "scale": "Scale",
       "n_jobs": "Optional[int]", "progress": "Progress",
       "n_clusters": "Union[int, Sequence[int], None]",
       "clusters": "Union[int, Sequence[int]]", "neighbor_share": "float"}
RETURNS = {"fit": "{0}", "set_params": "{0}", "score": "float",
           "get_params": "Dict[str, Any]", "save": "None", "export_c": "None"}


def literal(enum):
    return "Literal[" + ", ".join(f'"{word}"' for word in enums[enum]) + "]"


def given(f):
    """The type of an option or an argument."""
    if f is None:
        return "Any"
    if f.type == "mtc_divergence":
        return "Optional[Divergence]"
    if f.type in enums:
        return literal(f.type)
    if f.type in structs:
        return "Matrix" if f.type == "mtc_data" else "Optional[Dict[str, Any]]"
    plain = "float" if f.type == "mtc_real" else "int"
    return plain if not f.stars else "Any"


def found(f):
    """The type of a result's member."""
    if f.type in enums:
        return literal(f.type)
    if f.type == "mtc_data" or f.type == "mtc_divergence":
        return "Any"
    if f.type in structs:
        one = result_name(f.type)
        return f"List[{one}]" if f.dims or f.stars else one
    plain = "float" if f.type == "mtc_real" else "int"
    return plain if not f.stars and not f.dims else \
        "Array" if f.stars < 2 else "List[Any]"


def result_name(struct):
    return "_" + "".join(w.capitalize() for w in struct[4:].split("_"))


def result_class(struct):
    lines = [f"class {result_name(struct)}(Result):"] + [
        f"    {python_name(f.name)}: {found(f)}" for f in structs[struct]
        if f.type not in ("mtc_block", "char", "mtc_ttl_factors")]
    return "\n".join(lines if len(lines) > 1 else lines + ["    ..."])


def parameter(name, p, fields):
    own = fields.get(name.rstrip("_"))
    kind = OWN.get(name) or given(own)
    if p.default is None and not kind.startswith(("Any", "Optional")):
        kind = f"Optional[{kind}]"
    return f"{name}: {kind} = ..."


def function(name, call):
    fields, arguments = option_fields(call), []
    for a in call.signature.parameters.values():
        if a.kind == a.KEYWORD_ONLY and "*" not in arguments:
            arguments.append("*")
        if a.kind == a.KEYWORD_ONLY:
            arguments.append(parameter(a.name, a, fields))
        else:
            kind = {"data": "Tasks" if a.name in call.lists else "Matrix",
                    "model": "Any", "array": "Any", "divergence": "Any"}.get(
                        call.kinds[a.name]) or given(next(
                            f for f in call.inputs if f.name == a.name))
            arguments.append(f"{a.name}: {kind}" +
                             " = ..." * (a.default is not a.empty))
    returns = result_name(call.result) if call.result else "Any"
    outputs = [a for a in call.arguments if call.kinds[a.name] == "output"]
    if not call.result and len(outputs) == 1:
        a, = outputs
        one = call.documented.get(a.name, call.USUAL.get(a.name)) == "1"
        returns = result_name(a.type) if a.type in structs else \
            "float" if one else "Array"
    elif not call.result and outputs:
        returns = "Result"
    return f"def {name}({', '.join(arguments)}) -> {returns}: ..."


def method(cls, name, f):
    arguments = []
    for p in inspect.signature(f).parameters.values():
        kind = {"X": "Tasks", "task": "Union[int, str, None]",
                "far": "bool"}.get(p.name, "Any")
        arguments.append(
            "self" if p.name == "self" else f"**{p.name}: Any"
            if p.kind == p.VAR_KEYWORD else f"{p.name}: {kind}" +
            " = ..." * (p.default is not p.empty))
    kind = RETURNS.get(name, "Any").format(f'"{cls.__name__}"')
    return f"    def {name}({', '.join(arguments)}) -> {kind}: ..."


def estimator(cls):
    call = CALLS[cls._call]
    fields = {**option_fields(call)}
    parameters = inspect.signature(cls.__init__).parameters
    arguments = ["self"]
    for p in parameters.values():
        if p.name == "self":
            continue
        if p.kind == p.KEYWORD_ONLY and "*" not in arguments:
            arguments.append("*")
        arguments.append(parameter(p.name, p, fields))
    lines = [f"class {cls.__name__}:",
             f"    result_: {result_name(call.result) if call.result else 'Any'}",
             "    labels_: Any", "    n_features_in_: int",
             "    notices_: List[str]",
             *["    sentence_: Optional[str]"] * hasattr(cls, "sentence_"),
             f"    def __init__({', '.join(arguments)}) -> None: ...",
             "    def __getattr__(self, name: str) -> Any: ..."]
    methods = {name: f for base in reversed(cls.__mro__)
               for name, f in vars(base).items()
               if inspect.isfunction(f) and name[0] != "_"}
    return "\n".join(lines + [method(cls, *each) for each in methods.items()])


def text():
    plain = [s for s in structs if s not in (
        "mtc_context", "mtc_place", "mtc_block", "mtc_arena", "mtc_random",
        "mtc_data", "mtc_divergence", "mtc_metric", "mtc_ttl_factors")
        and not s.endswith("_options")]
    classes = [c for c in vars(mtc).values() if inspect.isclass(c) and
               getattr(c, "_call", None) is not None]
    return "\n".join([HEAD] + [result_class(s) + "\n" for s in sorted(plain)] +
                     [function(n, c) for n, c in sorted(CALLS.items())] + [""] +
                     [estimator(c) + "\n" for c in sorted(
                         classes, key=lambda c: c.__name__)])


if __name__ == "__main__":
    print(text(), end="")
