# SPDX-License-Identifier: MIT
"""What all estimators have in common.

They are as scikit-learn's, which they do not need: parameters are the options
of a call, with n_clusters for clusters (a number, or one for each task)."""
import inspect
import sys
import warnings

import numpy as np

from ._call import CALLS, calls
from ._data import View, marks_of, place_of
from ._document import of_estimator
from ._errors import Error, Notice
from ._names import bound
from ._scale import Scaling, settle


class Estimator:
    _call, _assign, _without, _more = None, None, (), {}
    _other = {}                                 # than the library's defaults
    _ours = ("random_state", "scale")           # no parameters of a call
    _draws = False                              # pictures, from the data
    _estimator_type = "clusterer"

    def __init_subclass__(cls):
        if cls._call is None:
            return
        P, options = inspect.Parameter, dict(CALLS[cls._call].defaults)
        first = {"n_clusters": options.pop("clusters")} \
            if "clusters" in options else {}
        cls._parameters = {
            k: v for k, v in {**first, **options, **cls._more, "seed": 1,
                              "random_state": None, "scale": None,
                              "n_jobs": None, "progress": None,
                              **cls._other}.items()
            if k not in cls._without + ("classes",)}
        signature = inspect.Signature(
            [P(k, P.POSITIONAL_OR_KEYWORD if k in ("self", "n_clusters")
               else P.KEYWORD_ONLY, default=v) for k, v in
             {"self": P.empty, **cls._parameters}.items()])

        def __init__(*args, **kwargs):
            given = bound(signature, cls.__name__, args, kwargs)
            given.apply_defaults()
            vars(given.arguments.pop("self")).update(given.arguments)
        cls.__init__, __init__.__signature__ = __init__, signature
        cls._words, cls._several = cls.__doc__, CALLS[cls._call].lists
        cls._document()

    @classmethod
    def _document(cls):
        call = CALLS[cls._call]
        cls.__doc__ = of_estimator(cls, call)

    def get_params(self, deep=True):
        """All parameters by name, as scikit-learn asks for them."""
        return {name: getattr(self, name) for name in self._parameters}

    def set_params(self, **params):
        """Sets parameters by name, and gives the estimator itself."""
        for name, value in params.items():
            if name not in self._parameters:
                raise Error(f"Invalid parameter {name!r}: none of "
                            f"{list(self._parameters)}")
            setattr(self, name, value)
        return self

    def __repr__(self):
        return f"{type(self).__name__}(" + ", ".join(
            f"{k}={v!r}" for k, v in self.get_params().items()
            if np.any(v != self._parameters[k])) + ")"

    def __getstate__(self):  # the data of the fit stay behind
        return {k: v for k, v in vars(self).items() if k != "_seen"}

    def __sklearn_is_fitted__(self):
        return hasattr(self, "result_")

    def _more_tags(self):                       # scikit-learn below 1.6
        return {"requires_y": self._estimator_type == "classifier"}

    def __sklearn_tags__(self):                 # and from then on
        from sklearn.base import BaseEstimator
        tags = BaseEstimator().__sklearn_tags__()
        tags.estimator_type = self._estimator_type
        tags.target_tags.required = self._estimator_type == "classifier"
        return tags

    def _run(self, *data, **more):  # the call, with our parameters
        given = {"clusters" if k == "n_clusters" else k: v for k, v in
                 self.get_params().items()
                 if k not in self._more and k not in self._ours}
        return getattr(calls, self._call)(*data, **{
            **given, "seed": self.seed_, **more})

    def _draw_seed(self):
        """seed_ of this fit: random_state as scikit-learn has it, of which a
        generator is drawn from once; or seed.  What was fitted before is gone,
        should this fit fail: its scale and classes would be others."""
        vars(self).pop("result_", None)
        state = self.random_state
        draw = getattr(state, "integers", getattr(state, "randint", None))
        self.seed_ = self.seed if state is None \
            else state if draw is None else int(draw(2 ** 31))

    def _check_count(self):
        if "n_clusters" in self._parameters and self.n_clusters is None and \
                self._parameters["n_clusters"] is not None:
            raise Error("n_clusters: a number is needed; mtc.Auto chooses one")

    def _prepared(self, views):  # by `scale`, which says what it did
        self._check_count()
        self._draw_seed()
        self.scale_, self.notices_ = settle(views, self.scale, self.seed_)
        if self._draws:
            self._seen, self._marks = views, marks_of(views)
        for line in self.notices_:
            warnings.warn(Notice(line), stacklevel=3)
        return [self.scale_.apply(view) for view in views]

    def _learned(self, res, labels=None):       # what every fit leaves
        self.result_, self.n_features_in_ = res, res._d
        vars(self).pop("feature_names_in_", None)
        if res._names is not None:
            self.feature_names_in_ = np.array(res._names, object)
        found = {"labels_": labels, "n_iter_": getattr(res, "iterations", None),
                 "objective_": getattr(res, "objective", None),
                 "relatedness_": getattr(res, "relatedness", None)}
        vars(self).update({k: v for k, v in found.items() if v is not None})
        return self

    def _model(self):                           # what _assign reads
        return self.result_

    def _need_fit(self):
        if not self.__sklearn_is_fitted__():
            known = sys.modules.get("sklearn.exceptions", object)
            raise type("NotFittedError", (
                Error, getattr(known, "NotFittedError", object)), {})(
                    f"This {type(self).__name__} instance is not fitted yet")

    def save(self, path):
        """Writes the model as the program's --save does: mtc.load and `mtc
        assign` read it, and label new samples as predict does."""
        from ._save import save                 # needs models and the program
        save(self, path)

    def export_c(self, path, far=False):
        """Writes the model as one header of C, NAME.h, which needs no library:
        NAME_label(task, x) gives the label of a sample and, if it is asked
        for, NAME_far(task, x) whether it lies farther from its center than all
        samples of the fit.  By `mtc export`."""
        from ._save import export_c
        export_c(self, path, far)

    def _checked(self, X):
        """New samples, scaled; they have to have the features of the fit."""
        self._need_fit()
        name = type(self).__name__
        view = View(X, "X", getattr(self, "feature_names_in_", None))
        if view.d != self.n_features_in_:
            raise Error(f"X has {view.d} features, but {name} is expecting "
                        f"{self.n_features_in_} features as input")
        return vars(self).get("scale_", Scaling()).apply(view)

    def _place(self, task):  # of a task of the fit
        return place_of(task, vars(self).get("task_names_"),
                        getattr(self.result_, "tasks", 1))

    def _assigned(self, X, task=0):
        """The labels of new samples, which have the features of the fit.  task
        is the number or the name of the task that they belong to."""
        view = self._checked(X)
        task = self._place(task)
        call = self._assign or self._call + "_assign"
        given = {"X": view, "task": task, "res": self._model(),
                 **vars(self).get("_data", {})}
        return getattr(calls, call)(**{a.name: given[a.name]
                                       for a in CALLS[call].inputs})
