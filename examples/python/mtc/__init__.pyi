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

class _AcrossResult(Result):
    tasks: int
    groups: int
    d: int
    clusters: Array
    group: List[Any]
    sure: Array
    perhaps: Array
    anchored: Array
    same: List[Any]
    scale: Array
    offset: Array
    kind: Array
    gain: Array
    odd: Array

class _AlignMeasure(Result):
    tried: int
    strange: float
    thin: float
    odd: float
    margin: float

class _AlignResult(Result):
    d: int
    sparse: int
    spread: float
    scaled: int
    kept: Literal["as_is", "units", "own", "shares"]
    together: int
    of: List[_AlignMeasure]
    width: float
    limit: float
    mean: Array
    deviation: Array
    scale: Array
    shift: Array
    unit: Array
    factor: Array
    distance: Array
    share: Array

class _ApartResult(Result):
    groups: int
    rows: int
    count: Array
    worst: Literal["apart", "touch", "overlap"]
    border: Array
    mix: Array
    among: Array
    edges: Array

class _AutoResult(Result):
    tasks: int
    d: int
    families: int
    geometry: Literal["auto", "directions", "sizes", "distances"]
    zeros: float
    agreement_distances: float
    agreement_directions: float
    clusters: Array
    labels: List[Any]
    by_family: Array
    agreement: Array
    kept: Array
    candidate: List[_Judged]
    margin: Array
    agreement_ab: Array
    agreement_kept: Array
    matched: Array
    k_effective: Array
    centers: List[Any]

class _BridgeModel(Result):
    bias: float
    weight: Array
    link: float

class _Choice(Result):
    k: int
    best: int
    second: int
    verdict: Literal["none", "clear", "unclear", "few"]
    sure: float
    limit: int
    p: Array
    gap: Array
    usil: Array
    mix: Array
    mixdep: Array
    height: Array

class _ChooseResult(Result):
    common: _Choice
    tasks: int
    task: List[_Choice]

class _ConsistentResult(Result):
    tasks: int
    n: int
    M: Any
    neighbors: Array
    threshold: Array
    alpha: Array
    relatedness: Array

class _ContingencyResult(Result):
    rows: int
    columns: int
    row_label: Array
    column_label: Array
    count: Array
    match: Array

class _EcResult(Result):
    labels: Array
    ensemble: _Ensemble
    vote: _VoteResult
    support: Array

class _EmdInfo(Result):
    cost: float
    gap: float
    pivots: int

class _Ensemble(Result):
    n: int
    d: int
    runs: int
    columns: int
    clusters: int
    partitions: Array
    features: Array
    sizes: Array
    centers: Array
    silhouette: Array

class _Graph(Result):
    weights: Any
    width: float

class _GuardResult(Result):
    tasks: int
    d: int
    clusters: Array
    labels: List[Any]
    single: List[Any]
    shared: List[Any]
    kept: Array
    matched: Array
    stability_single: Array
    stability_shared: Array
    agreement: Array
    loss_single: Array
    loss_shared: Array
    k_effective: Array
    centers: List[Any]

class _JudgeResult(Result):
    partitions: int
    kept: int
    margin: float
    of: List[_Judged]

class _Judged(Result):
    score: float
    entropy: float
    path: float
    info_near: float
    info_far: float
    edges: int
    smallest: int
    allowed: int

class _KmeansResult(Result):
    clusters: int
    d: int
    labels: Array
    centers: Array
    objective: Array
    loss: float
    iterations: int
    converged: int
    k_effective: int
    divergence: Any

class _LogisticResult(Result):
    classes: int
    d: int
    W: Array
    bias: Array
    objective: Array
    gradient: float
    iterations: int
    converged: int

class _LssmtcResult(Result):
    tasks: int
    clusters: int
    d: int
    subspace: int
    width: int
    lambda_: float
    labels: List[Any]
    P: List[Any]
    centers: List[Any]
    means: List[Any]
    W: Array
    M: Array
    objective: Array
    iterations: int
    converged: int
    k_effective: Array
    relatedness: Array
    matched: Array

class _MbcResult(Result):
    tasks: int
    d: int
    divergence: Any
    smooth: float
    clusters: Array
    labels: List[Any]
    centers: List[Any]
    plans: List[Any]
    matched: Array
    gap: float
    objective: Array
    loss: float
    within: Array
    iterations: int
    converged: int
    k_effective: Array
    coherence: Array
    relatedness: Array

class _MsdaResult(Result):
    n: int
    d: int
    layers: int
    h: Array

class _MtcfirResult(Result):
    tasks: int
    n: int
    d: int
    clusters: Array
    labels: List[Any]
    Y: List[Any]
    objective: List[Any]
    iterations: Array
    converged: Array
    k_effective: Array
    M: Any
    neighbors: Array
    threshold: Array
    alpha: Array
    relatedness: Array
    matched: Array
    features: List[_MsdaResult]

class _NcutResult(Result):
    labels: Array
    embedding: Array
    eigenvalues: Array
    cut: float
    objective: Array
    iterations: int
    converged: int
    k_effective: int

class _PcaResult(Result):
    dimension: int
    d: int
    views: int
    mean: Array
    components: Array
    variance: Array
    total: float
    scores: Array

class _Scores(Result):
    accuracy: float
    nmi: float
    ari: float
    purity: float
    direct: float

class _SnmfResult(Result):
    labels: Array
    Y: Array
    objective: Array
    iterations: int
    converged: int
    k_effective: int

class _SvmResult(Result):
    classes: int
    problems: int
    n: int
    d: int
    kernel: Literal["linear", "rbf"]
    gamma: float
    coefficients: Array
    bias: Array
    objective: Array
    gap: Array
    support: Array
    iterations: int
    converged: int

class _TrecResult(Result):
    labels: Array
    start: Array
    source: _Ensemble
    target: _EcResult
    pairs: int
    same: Array
    gap: float
    iterations: int
    moved: Array
    from_: Array
    to: Array
    objective: Array
    converged: int

class _TreeResult(Result):
    n: int
    from_: Array
    to: Array
    length: Array

class _TtlResult(Result):
    classes: int
    common: int
    own: int
    d: int
    n: int
    bridge_n: int
    labels: Array
    target: Array
    bridge_labels: Array
    bridge: Array
    shared: Array
    objective: Array
    iterations: int
    converged: int
    k_effective: int
    weights: Array
    center: Array
    gram: Array

class _VoteResult(Result):
    clusters: int
    labels: Array
    rank: int
    embedding: Array
    singular_values: Array
    stability: Array
    cluster_stability: Array
    mean_stability: float
    objective: Array
    iterations: int
    converged: int
    k_effective: int

class _WardResult(Result):
    n: int
    first: Array
    second: Array
    height: Array

def a_distance(X: Matrix, Y: Matrix, *, seed: int = ..., progress: Optional[Progress] = ..., n_jobs: Optional[int] = ...) -> float: ...
def across(tasks: Tasks, labels: Any, *, maps: int = ..., zero: Any = ..., seed: int = ..., progress: Optional[Progress] = ..., n_jobs: Optional[int] = ...) -> _AcrossResult: ...
def align(source: Matrix, labels: Any, classes: int, target: Matrix, *, map: int = ..., seed: int = ..., progress: Optional[Progress] = ..., n_jobs: Optional[int] = ...) -> _AlignResult: ...
def apart(X: Matrix, task: int, labels: Any, groups: int, *, seed: int = ..., progress: Optional[Progress] = ..., n_jobs: Optional[int] = ...) -> _ApartResult: ...
def assignment(cost: Any, *, seed: int = ..., progress: Optional[Progress] = ..., n_jobs: Optional[int] = ...) -> Result: ...
def auto(tasks: Tasks, *, clusters: Union[int, Sequence[int]] = ..., geometry: Literal["auto", "directions", "sizes", "distances"] = ..., runs: int = ..., sample: int = ..., seed: int = ..., progress: Optional[Progress] = ..., n_jobs: Optional[int] = ...) -> _AutoResult: ...
def auto_assign(X: Matrix, task: int, res: Any, *, seed: int = ..., progress: Optional[Progress] = ..., n_jobs: Optional[int] = ...) -> Array: ...
def bridge_features(source: Matrix, bridge: Matrix, target: Matrix, *, seed: int = ..., progress: Optional[Progress] = ..., n_jobs: Optional[int] = ...) -> Array: ...
def bridge_fit(features: Any, labels: Any, form: Literal["links", "linear"] = ..., ridge: float = ..., *, seed: int = ..., progress: Optional[Progress] = ..., n_jobs: Optional[int] = ...) -> _BridgeModel: ...
def choose(tasks: Tasks, *, min: int = ..., max: int = ..., seed: int = ..., progress: Optional[Progress] = ..., n_jobs: Optional[int] = ...) -> _ChooseResult: ...
def complexity(X: Matrix, t: float, *, seed: int = ..., progress: Optional[Progress] = ..., n_jobs: Optional[int] = ...) -> float: ...
def consistent(tasks: Tasks, *, clusters: Union[int, Sequence[int]] = ..., neighbor_share: float = ..., neighbors_of: Any = ..., uniform: int = ..., direct: int = ..., distances: int = ..., seed: int = ..., progress: Optional[Progress] = ..., n_jobs: Optional[int] = ...) -> _ConsistentResult: ...
def contingency(a: Any, b: Any, *, seed: int = ..., progress: Optional[Progress] = ..., n_jobs: Optional[int] = ...) -> _ContingencyResult: ...
def ec(X: Matrix, *, clusters: Union[int, Sequence[int]] = ..., runs: int = ..., columns: int = ..., iterations: int = ..., restarts: int = ..., partitions: Any = ..., features: Any = ..., start_labels: Any = ..., seed: int = ..., progress: Optional[Progress] = ..., n_jobs: Optional[int] = ...) -> _EcResult: ...
def ec_assign(X: Matrix, res: Any, *, seed: int = ..., progress: Optional[Progress] = ..., n_jobs: Optional[int] = ...) -> Array: ...
def emd(cost: Any, supply: Any, demand: Any, *, pivots: int = ..., seed: int = ..., progress: Optional[Progress] = ..., n_jobs: Optional[int] = ...) -> Result: ...
def far_rows(X: Matrix, *, seed: int = ..., progress: Optional[Progress] = ..., n_jobs: Optional[int] = ...) -> Array: ...
def graph_build(sets: Tasks, *, similarity: Literal["cosine", "gaussian"] = ..., neighbors: int = ..., width: float = ..., absolute: int = ..., local: int = ..., loops: int = ..., seed: int = ..., progress: Optional[Progress] = ..., n_jobs: Optional[int] = ...) -> _Graph: ...
def guard(tasks: Tasks, *, method: Literal["mbc", "lssmtc"] = ..., clusters: Union[int, Sequence[int]] = ..., runs: int = ..., folds: int = ..., margin: float = ..., mbc: Optional[Dict[str, Any]] = ..., lssmtc: Optional[Dict[str, Any]] = ..., seed: int = ..., progress: Optional[Progress] = ..., n_jobs: Optional[int] = ...) -> _GuardResult: ...
def guard_assign(X: Matrix, task: int, res: Any, *, seed: int = ..., progress: Optional[Progress] = ..., n_jobs: Optional[int] = ...) -> Array: ...
def judge(X: Matrix, partitions: Any, clusters: int, *, seed: int = ..., progress: Optional[Progress] = ..., n_jobs: Optional[int] = ...) -> _JudgeResult: ...
def kmeans(X: Matrix, *, clusters: Union[int, Sequence[int]] = ..., restarts: int = ..., iterations: int = ..., tolerance: float = ..., weights: Any = ..., start_labels: Any = ..., start_centers: Any = ..., divergence: Optional[Divergence] = ..., seed: int = ..., progress: Optional[Progress] = ..., n_jobs: Optional[int] = ...) -> _KmeansResult: ...
def kmeans_assign(X: Matrix, res: Any, *, seed: int = ..., progress: Optional[Progress] = ..., n_jobs: Optional[int] = ...) -> Array: ...
def logistic(X: Matrix, labels: Any, *, classes: int = ..., ridge: float = ..., weights: Any = ..., iterations: int = ..., tolerance: float = ..., seed: int = ..., progress: Optional[Progress] = ..., n_jobs: Optional[int] = ...) -> _LogisticResult: ...
def logistic_assign(X: Matrix, res: Any, *, seed: int = ..., progress: Optional[Progress] = ..., n_jobs: Optional[int] = ...) -> Result: ...
def lssmtc(tasks: Tasks, *, clusters: Union[int, Sequence[int]] = ..., lambda_: float = ..., mode: Literal["recon", "pca", "literal"] = ..., subspace: int = ..., rank: int = ..., offset: float = ..., start: Literal["aligned", "pooled"] = ..., iterations: int = ..., tolerance: float = ..., restarts: int = ..., start_labels: Any = ..., match_start: int = ..., start_W: Any = ..., seed: int = ..., progress: Optional[Progress] = ..., n_jobs: Optional[int] = ...) -> _LssmtcResult: ...
def lssmtc_assign(X: Matrix, task: int, res: Any, *, seed: int = ..., progress: Optional[Progress] = ..., n_jobs: Optional[int] = ...) -> Array: ...
def lssttc(sources: Tasks, source_labels: Any, target: Matrix, *, clusters: Union[int, Sequence[int]] = ..., lambda_: float = ..., mode: Literal["recon", "pca", "literal"] = ..., subspace: int = ..., rank: int = ..., offset: float = ..., start: Literal["aligned", "pooled"] = ..., iterations: int = ..., tolerance: float = ..., restarts: int = ..., start_labels: Any = ..., match_start: int = ..., start_W: Any = ..., seed: int = ..., progress: Optional[Progress] = ..., n_jobs: Optional[int] = ...) -> _LssmtcResult: ...
def mbc(tasks: Tasks, *, clusters: Union[int, Sequence[int]] = ..., lambda_: float = ..., divergence: Optional[Divergence] = ..., smooth: float = ..., center: int = ..., centroid: Literal["exact", "geodesic"] = ..., iterations: int = ..., tolerance: float = ..., restarts: int = ..., start_labels: Any = ..., start_centers: Any = ..., seed: int = ..., progress: Optional[Progress] = ..., n_jobs: Optional[int] = ...) -> _MbcResult: ...
def mbc_assign(X: Matrix, task: int, res: Any, *, seed: int = ..., progress: Optional[Progress] = ..., n_jobs: Optional[int] = ...) -> Array: ...
def msda(sets: Tasks, *, layers: int = ..., noise: float = ..., ridge: float = ..., seed: int = ..., progress: Optional[Progress] = ..., n_jobs: Optional[int] = ...) -> _MsdaResult: ...
def mtcfir(tasks: Tasks, *, clusters: Union[int, Sequence[int]] = ..., layers: int = ..., noise: float = ..., ridge: float = ..., neighbor_share: float = ..., neighbors_of: Any = ..., variant: Literal["full", "nf", "ni", "nr"] = ..., iterations: int = ..., tolerance: float = ..., restarts: int = ..., start_labels: Any = ..., seed: int = ..., progress: Optional[Progress] = ..., n_jobs: Optional[int] = ...) -> _MtcfirResult: ...
def ncut(X: Matrix, *, similarity: Literal["cosine", "gaussian"] = ..., neighbors: int = ..., width: float = ..., absolute: int = ..., local: int = ..., loops: int = ..., clusters: Union[int, Sequence[int]] = ..., restarts: int = ..., start_labels: Any = ..., given: int = ..., tolerance: float = ..., seed: int = ..., progress: Optional[Progress] = ..., n_jobs: Optional[int] = ...) -> _NcutResult: ...
def neighbors(points: Matrix, k: int, queries: Matrix = ..., distance: Literal["sqeuclidean", "cosine"] = ..., *, seed: int = ..., progress: Optional[Progress] = ..., n_jobs: Optional[int] = ...) -> Result: ...
def partition_emd(X: Matrix, x_labels: Any, x_k: int, Y: Matrix, y_labels: Any, y_k: int, div: Any = ..., *, seed: int = ..., progress: Optional[Progress] = ..., n_jobs: Optional[int] = ...) -> float: ...
def pca(views: Tasks, *, dimension: int = ..., keep: float = ..., mean: Literal["common", "none", "own"] = ..., tolerance: float = ..., seed: int = ..., progress: Optional[Progress] = ..., n_jobs: Optional[int] = ...) -> _PcaResult: ...
def pca_assign(X: Matrix, res: Any, view: int = ..., *, seed: int = ..., progress: Optional[Progress] = ..., n_jobs: Optional[int] = ...) -> Array: ...
def score(truth: Any, predicted: Any, *, seed: int = ..., progress: Optional[Progress] = ..., n_jobs: Optional[int] = ...) -> _Scores: ...
def silhouette(X: Matrix, labels: Any, k: int, *, seed: int = ..., progress: Optional[Progress] = ..., n_jobs: Optional[int] = ...) -> Result: ...
def snmf(M: Matrix, *, clusters: Union[int, Sequence[int]] = ..., iterations: int = ..., tolerance: float = ..., start_labels: Any = ..., seed: int = ..., progress: Optional[Progress] = ..., n_jobs: Optional[int] = ...) -> _SnmfResult: ...
def spectral(S: Matrix, k: int, *, seed: int = ..., progress: Optional[Progress] = ..., n_jobs: Optional[int] = ...) -> Result: ...
def svm(X: Matrix, labels: Any, *, classes: int = ..., kernel: Literal["linear", "rbf"] = ..., gamma: float = ..., cost: float = ..., costs: Any = ..., tolerance: float = ..., iterations: int = ..., cache: int = ..., start: Any = ..., seed: int = ..., progress: Optional[Progress] = ..., n_jobs: Optional[int] = ...) -> _SvmResult: ...
def svm_assign(X: Matrix, train: Matrix, res: Any, *, seed: int = ..., progress: Optional[Progress] = ..., n_jobs: Optional[int] = ...) -> Result: ...
def trec(source: Matrix, source_labels: Any, target: Matrix, *, clusters: Union[int, Sequence[int]] = ..., runs: int = ..., columns: int = ..., iterations: int = ..., restarts: int = ..., partitions: Any = ..., features: Any = ..., start_labels: Any = ..., source_clusters: int = ..., source_partitions: Any = ..., source_features: Any = ..., meta: Literal["probability", "both", "coassociation"] = ..., gamma: float = ..., cost: float = ..., pairs: int = ..., qmin: float = ..., seed: int = ..., progress: Optional[Progress] = ..., n_jobs: Optional[int] = ...) -> _TrecResult: ...
def tree(X: Matrix, *, seed: int = ..., progress: Optional[Progress] = ..., n_jobs: Optional[int] = ...) -> _TreeResult: ...
def tree_cut(res: Any, *, clusters: Union[int, Sequence[int]] = ..., gini: float = ..., seed: int = ..., progress: Optional[Progress] = ..., n_jobs: Optional[int] = ...) -> Array: ...
def ttl(sources: Tasks, source_labels: Any, bridges: Tasks, target: Matrix, views: Tasks = ..., *, classes: int = ..., features: int = ..., common: int = ..., variant: Literal["repaired", "published"] = ..., feature_weights: Literal["auto", "idf", "none"] = ..., start: Literal["informed", "random"] = ..., rows: Literal["sum", "length", "as_given"] = ..., iterations: int = ..., tolerance: float = ..., start_labels: Any = ..., known: Any = ..., bridge_known: Any = ..., seed: int = ..., progress: Optional[Progress] = ..., n_jobs: Optional[int] = ...) -> _TtlResult: ...
def ttl_assign(X: Matrix, res: Any, *, seed: int = ..., progress: Optional[Progress] = ..., n_jobs: Optional[int] = ...) -> Array: ...
def vote(runs: Any, *, clusters: Union[int, Sequence[int]] = ..., weights: Any = ..., losses: Any = ..., restarts: int = ..., start_labels: Any = ..., seed: int = ..., progress: Optional[Progress] = ..., n_jobs: Optional[int] = ...) -> _VoteResult: ...
def ward(X: Matrix, *, seed: int = ..., progress: Optional[Progress] = ..., n_jobs: Optional[int] = ...) -> _WardResult: ...
def ward_cut(res: Any, k: int, *, seed: int = ..., progress: Optional[Progress] = ..., n_jobs: Optional[int] = ...) -> Array: ...

class Auto:
    result_: _AutoResult
    labels_: Any
    n_features_in_: int
    notices_: List[str]
    sentence_: Optional[str]
    def __init__(self, n_clusters: Optional[Union[int, Sequence[int], None]] = ..., *, geometry: Literal["auto", "directions", "sizes", "distances"] = ..., runs: int = ..., sample: int = ..., seed: int = ..., random_state: Any = ..., scale: Scale = ..., n_jobs: Optional[int] = ..., progress: Optional[Progress] = ...) -> None: ...
    def __getattr__(self, name: str) -> Any: ...
    def get_params(self, deep: Any = ...) -> Dict[str, Any]: ...
    def set_params(self, **params: Any) -> "Auto": ...
    def save(self, path: Any) -> None: ...
    def export_c(self, path: Any, far: bool = ...) -> None: ...
    def fit(self, X: Tasks, y: Any = ...) -> "Auto": ...
    def fit_predict(self, X: Tasks, y: Any = ...) -> Any: ...
    def transform(self, X: Tasks, task: Union[int, str, None] = ...) -> Any: ...
    def fit_transform(self, X: Tasks, y: Any = ...) -> Any: ...
    def score(self, X: Tasks, y: Any = ..., task: Union[int, str, None] = ...) -> float: ...
    def predict(self, X: Tasks, task: Union[int, str, None] = ...) -> Any: ...

class EC:
    result_: _EcResult
    labels_: Any
    n_features_in_: int
    notices_: List[str]
    sentence_: Optional[str]
    def __init__(self, n_clusters: Union[int, Sequence[int], None] = ..., *, runs: int = ..., columns: int = ..., iterations: int = ..., restarts: int = ..., partitions: Any = ..., features: Any = ..., start_labels: Any = ..., seed: int = ..., random_state: Any = ..., scale: Optional[Scale] = ..., n_jobs: Optional[int] = ..., progress: Optional[Progress] = ...) -> None: ...
    def __getattr__(self, name: str) -> Any: ...
    def get_params(self, deep: Any = ...) -> Dict[str, Any]: ...
    def set_params(self, **params: Any) -> "EC": ...
    def save(self, path: Any) -> None: ...
    def export_c(self, path: Any, far: bool = ...) -> None: ...
    def fit(self, X: Tasks, y: Any = ...) -> "EC": ...
    def fit_predict(self, X: Tasks, y: Any = ...) -> Any: ...
    def predict(self, X: Tasks, task: Union[int, str, None] = ...) -> Any: ...

class Genie:
    result_: Any
    labels_: Any
    n_features_in_: int
    notices_: List[str]
    sentence_: Optional[str]
    def __init__(self, n_clusters: Union[int, Sequence[int], None] = ..., *, gini: float = ..., seed: int = ..., random_state: Any = ..., scale: Optional[Scale] = ..., n_jobs: Optional[int] = ..., progress: Optional[Progress] = ...) -> None: ...
    def __getattr__(self, name: str) -> Any: ...
    def get_params(self, deep: Any = ...) -> Dict[str, Any]: ...
    def set_params(self, **params: Any) -> "Genie": ...
    def save(self, path: Any) -> None: ...
    def export_c(self, path: Any, far: bool = ...) -> None: ...
    def fit(self, X: Tasks, y: Any = ...) -> "Genie": ...
    def fit_predict(self, X: Tasks, y: Any = ...) -> Any: ...

class Guard:
    result_: _GuardResult
    labels_: Any
    n_features_in_: int
    notices_: List[str]
    sentence_: Optional[str]
    def __init__(self, n_clusters: Union[int, Sequence[int], None] = ..., *, method: Literal["mbc", "lssmtc"] = ..., runs: int = ..., folds: int = ..., margin: float = ..., mbc: Optional[Dict[str, Any]] = ..., lssmtc: Optional[Dict[str, Any]] = ..., seed: int = ..., random_state: Any = ..., scale: Optional[Scale] = ..., n_jobs: Optional[int] = ..., progress: Optional[Progress] = ...) -> None: ...
    def __getattr__(self, name: str) -> Any: ...
    def get_params(self, deep: Any = ...) -> Dict[str, Any]: ...
    def set_params(self, **params: Any) -> "Guard": ...
    def save(self, path: Any) -> None: ...
    def export_c(self, path: Any, far: bool = ...) -> None: ...
    def fit(self, X: Tasks, y: Any = ...) -> "Guard": ...
    def fit_predict(self, X: Tasks, y: Any = ...) -> Any: ...
    def transform(self, X: Tasks, task: Union[int, str, None] = ...) -> Any: ...
    def fit_transform(self, X: Tasks, y: Any = ...) -> Any: ...
    def score(self, X: Tasks, y: Any = ..., task: Union[int, str, None] = ...) -> float: ...
    def predict(self, X: Tasks, task: Union[int, str, None] = ...) -> Any: ...

class KMeans:
    result_: _KmeansResult
    labels_: Any
    n_features_in_: int
    notices_: List[str]
    sentence_: Optional[str]
    def __init__(self, n_clusters: Union[int, Sequence[int], None] = ..., *, restarts: int = ..., iterations: int = ..., tolerance: float = ..., start_labels: Any = ..., start_centers: Any = ..., divergence: Optional[Divergence] = ..., seed: int = ..., random_state: Any = ..., scale: Optional[Scale] = ..., n_jobs: Optional[int] = ..., progress: Optional[Progress] = ...) -> None: ...
    def __getattr__(self, name: str) -> Any: ...
    def get_params(self, deep: Any = ...) -> Dict[str, Any]: ...
    def set_params(self, **params: Any) -> "KMeans": ...
    def save(self, path: Any) -> None: ...
    def export_c(self, path: Any, far: bool = ...) -> None: ...
    def fit(self, X: Tasks, y: Any = ..., sample_weight: Any = ...) -> "KMeans": ...
    def fit_predict(self, X: Tasks, y: Any = ...) -> Any: ...
    def transform(self, X: Tasks, task: Union[int, str, None] = ...) -> Any: ...
    def fit_transform(self, X: Tasks, y: Any = ...) -> Any: ...
    def score(self, X: Tasks, y: Any = ..., task: Union[int, str, None] = ...) -> float: ...
    def predict(self, X: Tasks, task: Union[int, str, None] = ...) -> Any: ...

class LSSMTC:
    result_: _LssmtcResult
    labels_: Any
    n_features_in_: int
    notices_: List[str]
    sentence_: Optional[str]
    def __init__(self, n_clusters: Union[int, Sequence[int], None] = ..., *, lambda_: float = ..., mode: Literal["recon", "pca", "literal"] = ..., subspace: int = ..., rank: int = ..., offset: float = ..., start: Literal["aligned", "pooled"] = ..., iterations: int = ..., tolerance: float = ..., restarts: int = ..., start_labels: Any = ..., match_start: int = ..., start_W: Any = ..., seed: int = ..., random_state: Any = ..., scale: Optional[Scale] = ..., n_jobs: Optional[int] = ..., progress: Optional[Progress] = ...) -> None: ...
    def __getattr__(self, name: str) -> Any: ...
    def get_params(self, deep: Any = ...) -> Dict[str, Any]: ...
    def set_params(self, **params: Any) -> "LSSMTC": ...
    def save(self, path: Any) -> None: ...
    def export_c(self, path: Any, far: bool = ...) -> None: ...
    def fit(self, X: Tasks, y: Any = ...) -> "LSSMTC": ...
    def fit_predict(self, X: Tasks, y: Any = ...) -> Any: ...
    def transform(self, X: Tasks, task: Union[int, str, None] = ...) -> Any: ...
    def fit_transform(self, X: Tasks, y: Any = ...) -> Any: ...
    def score(self, X: Tasks, y: Any = ..., task: Union[int, str, None] = ...) -> float: ...
    def predict(self, X: Tasks, task: Union[int, str, None] = ...) -> Any: ...

class LSSTTC:
    result_: _LssmtcResult
    labels_: Any
    n_features_in_: int
    notices_: List[str]
    def __init__(self, *, lambda_: float = ..., mode: Literal["recon", "pca", "literal"] = ..., subspace: int = ..., rank: int = ..., offset: float = ..., start: Literal["aligned", "pooled"] = ..., iterations: int = ..., tolerance: float = ..., restarts: int = ..., start_labels: Any = ..., match_start: int = ..., start_W: Any = ..., seed: int = ..., random_state: Any = ..., scale: Optional[Scale] = ..., n_jobs: Optional[int] = ..., progress: Optional[Progress] = ...) -> None: ...
    def __getattr__(self, name: str) -> Any: ...
    def get_params(self, deep: Any = ...) -> Dict[str, Any]: ...
    def set_params(self, **params: Any) -> "LSSTTC": ...
    def save(self, path: Any) -> None: ...
    def export_c(self, path: Any, far: bool = ...) -> None: ...
    def fit(self, sources: Any, labels: Any, target: Any, **more: Any) -> "LSSTTC": ...
    def predict(self, X: Tasks) -> Any: ...

class Logistic:
    result_: _LogisticResult
    labels_: Any
    n_features_in_: int
    notices_: List[str]
    def __init__(self, *, ridge: float = ..., iterations: int = ..., tolerance: float = ..., seed: int = ..., random_state: Any = ..., scale: Optional[Scale] = ..., n_jobs: Optional[int] = ..., progress: Optional[Progress] = ...) -> None: ...
    def __getattr__(self, name: str) -> Any: ...
    def get_params(self, deep: Any = ...) -> Dict[str, Any]: ...
    def set_params(self, **params: Any) -> "Logistic": ...
    def save(self, path: Any) -> None: ...
    def export_c(self, path: Any, far: bool = ...) -> None: ...
    def fit(self, X: Tasks, y: Any, sample_weight: Any = ...) -> "Logistic": ...
    def predict(self, X: Tasks) -> Any: ...
    def score(self, X: Tasks, y: Any, sample_weight: Any = ...) -> float: ...
    def predict_proba(self, X: Tasks) -> Any: ...
    def decision_function(self, X: Tasks) -> Any: ...

class MBC:
    result_: _MbcResult
    labels_: Any
    n_features_in_: int
    notices_: List[str]
    sentence_: Optional[str]
    def __init__(self, n_clusters: Union[int, Sequence[int], None] = ..., *, lambda_: float = ..., divergence: Optional[Divergence] = ..., smooth: float = ..., center: int = ..., centroid: Literal["exact", "geodesic"] = ..., iterations: int = ..., tolerance: float = ..., restarts: int = ..., start_labels: Any = ..., start_centers: Any = ..., seed: int = ..., random_state: Any = ..., scale: Optional[Scale] = ..., n_jobs: Optional[int] = ..., progress: Optional[Progress] = ...) -> None: ...
    def __getattr__(self, name: str) -> Any: ...
    def get_params(self, deep: Any = ...) -> Dict[str, Any]: ...
    def set_params(self, **params: Any) -> "MBC": ...
    def save(self, path: Any) -> None: ...
    def export_c(self, path: Any, far: bool = ...) -> None: ...
    def fit(self, X: Tasks, y: Any = ...) -> "MBC": ...
    def fit_predict(self, X: Tasks, y: Any = ...) -> Any: ...
    def transform(self, X: Tasks, task: Union[int, str, None] = ...) -> Any: ...
    def fit_transform(self, X: Tasks, y: Any = ...) -> Any: ...
    def score(self, X: Tasks, y: Any = ..., task: Union[int, str, None] = ...) -> float: ...
    def predict(self, X: Tasks, task: Union[int, str, None] = ...) -> Any: ...

class MTCFIR:
    result_: _MtcfirResult
    labels_: Any
    n_features_in_: int
    notices_: List[str]
    sentence_: Optional[str]
    def __init__(self, n_clusters: Union[int, Sequence[int], None] = ..., *, layers: int = ..., noise: float = ..., ridge: float = ..., neighbor_share: float = ..., neighbors_of: Any = ..., variant: Literal["full", "nf", "ni", "nr"] = ..., iterations: int = ..., tolerance: float = ..., restarts: int = ..., start_labels: Any = ..., seed: int = ..., random_state: Any = ..., scale: Optional[Scale] = ..., n_jobs: Optional[int] = ..., progress: Optional[Progress] = ...) -> None: ...
    def __getattr__(self, name: str) -> Any: ...
    def get_params(self, deep: Any = ...) -> Dict[str, Any]: ...
    def set_params(self, **params: Any) -> "MTCFIR": ...
    def save(self, path: Any) -> None: ...
    def export_c(self, path: Any, far: bool = ...) -> None: ...
    def fit(self, X: Tasks, y: Any = ...) -> "MTCFIR": ...
    def fit_predict(self, X: Tasks, y: Any = ...) -> Any: ...
    def transform(self, X: Tasks, task: Union[int, str, None] = ...) -> Any: ...
    def fit_transform(self, X: Tasks, y: Any = ...) -> Any: ...
    def score(self, X: Tasks, y: Any = ..., task: Union[int, str, None] = ...) -> float: ...
    def predict(self, X: Tasks, task: Union[int, str, None] = ...) -> Any: ...

class NCut:
    result_: _NcutResult
    labels_: Any
    n_features_in_: int
    notices_: List[str]
    sentence_: Optional[str]
    def __init__(self, n_clusters: Union[int, Sequence[int], None] = ..., *, similarity: Literal["cosine", "gaussian"] = ..., neighbors: int = ..., width: float = ..., absolute: int = ..., local: int = ..., loops: int = ..., restarts: int = ..., start_labels: Any = ..., given: int = ..., tolerance: float = ..., seed: int = ..., random_state: Any = ..., scale: Optional[Scale] = ..., n_jobs: Optional[int] = ..., progress: Optional[Progress] = ...) -> None: ...
    def __getattr__(self, name: str) -> Any: ...
    def get_params(self, deep: Any = ...) -> Dict[str, Any]: ...
    def set_params(self, **params: Any) -> "NCut": ...
    def save(self, path: Any) -> None: ...
    def export_c(self, path: Any, far: bool = ...) -> None: ...
    def fit(self, X: Tasks, y: Any = ...) -> "NCut": ...
    def fit_predict(self, X: Tasks, y: Any = ...) -> Any: ...

class SNMF:
    result_: _SnmfResult
    labels_: Any
    n_features_in_: int
    notices_: List[str]
    sentence_: Optional[str]
    def __init__(self, n_clusters: Union[int, Sequence[int], None] = ..., *, iterations: int = ..., tolerance: float = ..., start_labels: Any = ..., neighbor_share: float = ..., restarts: Any = ..., seed: int = ..., random_state: Any = ..., scale: Optional[Scale] = ..., n_jobs: Optional[int] = ..., progress: Optional[Progress] = ...) -> None: ...
    def __getattr__(self, name: str) -> Any: ...
    def get_params(self, deep: Any = ...) -> Dict[str, Any]: ...
    def set_params(self, **params: Any) -> "SNMF": ...
    def save(self, path: Any) -> None: ...
    def export_c(self, path: Any, far: bool = ...) -> None: ...
    def fit(self, X: Tasks, y: Any = ...) -> "SNMF": ...
    def fit_predict(self, X: Tasks, y: Any = ...) -> Any: ...

class SVM:
    result_: _SvmResult
    labels_: Any
    n_features_in_: int
    notices_: List[str]
    def __init__(self, *, kernel: Literal["linear", "rbf"] = ..., gamma: float = ..., cost: float = ..., tolerance: float = ..., iterations: int = ..., cache: int = ..., seed: int = ..., random_state: Any = ..., scale: Optional[Scale] = ..., n_jobs: Optional[int] = ..., progress: Optional[Progress] = ...) -> None: ...
    def __getattr__(self, name: str) -> Any: ...
    def get_params(self, deep: Any = ...) -> Dict[str, Any]: ...
    def set_params(self, **params: Any) -> "SVM": ...
    def save(self, path: Any) -> None: ...
    def export_c(self, path: Any, far: bool = ...) -> None: ...
    def fit(self, X: Tasks, y: Any, sample_weight: Any = ...) -> "SVM": ...
    def predict(self, X: Tasks) -> Any: ...
    def score(self, X: Tasks, y: Any, sample_weight: Any = ...) -> float: ...
    def decision_function(self, X: Tasks) -> Any: ...

class TTL:
    result_: _TtlResult
    labels_: Any
    n_features_in_: int
    notices_: List[str]
    def __init__(self, *, features: int = ..., common: int = ..., variant: Literal["repaired", "published"] = ..., feature_weights: Literal["auto", "idf", "none"] = ..., start: Literal["informed", "random"] = ..., rows: Literal["sum", "length", "as_given"] = ..., iterations: int = ..., tolerance: float = ..., start_labels: Any = ..., known: Any = ..., bridge_known: Any = ..., seed: int = ..., random_state: Any = ..., scale: Optional[Scale] = ..., n_jobs: Optional[int] = ..., progress: Optional[Progress] = ...) -> None: ...
    def __getattr__(self, name: str) -> Any: ...
    def get_params(self, deep: Any = ...) -> Dict[str, Any]: ...
    def set_params(self, **params: Any) -> "TTL": ...
    def save(self, path: Any) -> None: ...
    def export_c(self, path: Any, far: bool = ...) -> None: ...
    def fit(self, sources: Any, labels: Any, target: Any, **more: Any) -> "TTL": ...
    def predict(self, X: Tasks) -> Any: ...

class TrEC:
    result_: _TrecResult
    labels_: Any
    n_features_in_: int
    notices_: List[str]
    def __init__(self, n_clusters: Union[int, Sequence[int], None] = ..., *, runs: int = ..., columns: int = ..., iterations: int = ..., restarts: int = ..., partitions: Any = ..., features: Any = ..., start_labels: Any = ..., source_clusters: int = ..., source_partitions: Any = ..., source_features: Any = ..., meta: Literal["probability", "both", "coassociation"] = ..., gamma: float = ..., cost: float = ..., pairs: int = ..., qmin: float = ..., seed: int = ..., random_state: Any = ..., scale: Optional[Scale] = ..., n_jobs: Optional[int] = ..., progress: Optional[Progress] = ...) -> None: ...
    def __getattr__(self, name: str) -> Any: ...
    def get_params(self, deep: Any = ...) -> Dict[str, Any]: ...
    def set_params(self, **params: Any) -> "TrEC": ...
    def save(self, path: Any) -> None: ...
    def export_c(self, path: Any, far: bool = ...) -> None: ...
    def fit(self, sources: Any, labels: Any, target: Any, **more: Any) -> "TrEC": ...
    def predict(self, X: Tasks) -> Any: ...

class Ward:
    result_: _WardResult
    labels_: Any
    n_features_in_: int
    notices_: List[str]
    sentence_: Optional[str]
    def __init__(self, n_clusters: Union[int, Sequence[int], None] = ..., *, seed: int = ..., random_state: Any = ..., scale: Optional[Scale] = ..., n_jobs: Optional[int] = ..., progress: Optional[Progress] = ...) -> None: ...
    def __getattr__(self, name: str) -> Any: ...
    def get_params(self, deep: Any = ...) -> Dict[str, Any]: ...
    def set_params(self, **params: Any) -> "Ward": ...
    def save(self, path: Any) -> None: ...
    def export_c(self, path: Any, far: bool = ...) -> None: ...
    def fit(self, X: Tasks, y: Any = ...) -> "Ward": ...
    def fit_predict(self, X: Tasks, y: Any = ...) -> Any: ...
