/* SPDX-License-Identifier: MIT
 *
 * types.ts - compiles under --strict; a line marked so must not
 */
import mtc, {KMeans, Matrix, MtcError, kmeans, rows} from 'mtc';

const X: Matrix = [[1, 2], [3, 4], [9, 9]];
const found = kmeans(X, {clusters: 2, seed: 3, divergence: 'sqeuclidean'});
const labels: Int32Array = found.labels;
const center: number = found.centers[0];
const model = new KMeans({clusters: 2}).fit(X);
const more: Int32Array = model.predict([[1, 2]]);
const shared = mtc.mbc([X, X], {clusters: 2, lambda: .3});
const first: Int32Array = shared.labels[0];
mtc.mbc_assign(X, 1, shared);
mtc.guard([X, X], {clusters: 2, mbc: {lambda: .2}}).kept[0];
mtc.emd([[1, 2]], [1], [.5, .5]).info.cost.toFixed(2);
mtc.lssttc([X], [[0, 1, 1]], X, {clusters: 2, mode: 'recon'}).labels;
mtc.auto({n: 1, d: 1, row: [0, 1], column: [0], values: [1]});
rows(found.centers)[0][1].toFixed(2);
try {
    kmeans(X, {clusters: 9});
} catch (e) {
    if (e instanceof MtcError)
        console.log(e.status, e.task, labels, center, more, first);
}
// @ts-expect-error
kmeans(X, {cluster: 2});
// @ts-expect-error
mtc.lssmtc([X, X], {mode: 'odd'});
// @ts-expect-error
mtc.mbc_assign(X, shared);
