# SPDX-License-Identifier: MIT
"""Names of parameters, and what to say of those that are not known."""

#: what other libraries call our parameters
OTHERS = {"n_init": "restarts", "max_iter": "iterations", "tol": "tolerance",
          "k": "n_clusters", "clusters": "n_clusters", "C": "cost",
          "n_neighbors": "neighbors", "verbose": "progress",
          "n_components": "dimension", "init": "start_labels",
          "class_weight": "costs"}


def bound(signature, name, args, kwargs):
    """The arguments of a call; a name that is not known gets those that are."""
    known = [p for p in signature.parameters if p != "self"]
    for given in kwargs:
        if given not in known:
            other = OTHERS.get(given)
            if other not in known and f"n_{other}" not in known:
                other = given[2:] if given[2:] in known else None
            raise TypeError(
                f"{name} has no parameter {given!r}" +
                (f"; {other} is what it is called here" if other else "") +
                ": there are " + ", ".join(known))
    return signature.bind(*args, **kwargs)
