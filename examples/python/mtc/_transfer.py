# SPDX-License-Identifier: MIT
"""A transfer without a choice of methods, by the program."""
import os
import re
import tempfile

import numpy as np

from ._classifiers import encoded
from ._data import View
from ._errors import Error
from ._program import page, run, write, write_labeled


class Transfer:
    """Labels of a target from a labeled source: `mtc transfer auto`.

    Three methods vote, on columns brought to the source's where the target's
    rows lie far from it; warnings (mtc.Notice) say what was done to columns,
    and which may be in other units.  Options are the program's, by name.

    Attributes, of the last target
    ------------------------------
    votes_ : share of the votes that each row's label has
    far_ : which rows lie far from the source, so that their labels are guesses
    distance_ : from the source; above 1 a row is far
    sentence_ : the answer in a sentence
    report_ : all that the program found, an mtc.Report

    Example
    -------
    >>> model = mtc.Transfer().fit(source, labels)
    >>> model.predict(target)
    """
    _estimator_type = "classifier"

    def __init__(self, **options):
        self._options = options

    def get_params(self, deep=True):
        """The options, as scikit-learn asks for them."""
        return dict(self._options)

    def set_params(self, **options):
        """Sets options by name, and gives the estimator itself."""
        self._options.update(options)
        return self

    def fit(self, source, labels):
        """Keeps the source, a matrix or DataFrame, and its labels, numbers or
        words: predict learns from them and the target together."""
        frame = hasattr(source, "columns") and hasattr(source, "to_csv")
        kept = source.copy() if frame else View(source, "source").owned()
        self.classes_, (codes,) = encoded(
            [labels], [len(source) if frame else kept.n])
        self._source = kept
        words = self.classes_.dtype.kind == "U" and \
            getattr(kept, "row", None) is None and all(map(
                re.compile(r"(?!(?i:na|nan|null|none)$)[A-Za-z]\w*").fullmatch,
                self.classes_))                 # others go by their numbers
        self._labels = self.classes_[codes] if words else codes
        return self

    def predict(self, target):
        """The labels of the target's rows, all of which take part."""
        if not hasattr(self, "_source"):
            raise Error("This Transfer instance is not fitted yet")
        if self._options.get("missing") == "drop":
            raise Error("missing: rows that are left out have no label")
        with tempfile.TemporaryDirectory() as at:
            source, name = write_labeled(
                self._source, os.path.join(at, "source"), self._labels)
            target = write(target, os.path.join(at, "target"))
            words = ["auto", "--source", source, "--target", target]
            self.report_ = run("transfer", (), {
                **self._options, "labels": name}, words)
        found = self.report_.tasks[0]
        self.sentence_ = self.report_.sentence
        self.votes_ = np.array(found["votes"])
        self.far_ = np.array(found["far"], bool)
        self.distance_ = np.array(found["distance"])
        said = np.array(self.report_.classes)[found["labels"]]
        return said if self._labels.dtype.kind == "U" else self.classes_[said]

    def __repr__(self):
        return "Transfer(" + ", ".join(
            f"{k}={v!r}" for k, v in self._options.items()) + ")"

    def _repr_html_(self):
        return page(self.report_.text, self.report_.svg) \
            if hasattr(self, "report_") else f"<pre>{self!r}</pre>"
