/* SPDX-License-Identifier: MIT
 *
 * peers.mjs - a table beside the registry's packages: seconds and loss
 *
 * The start of k-means is the same for both: rows 0, 1, ... of the data.
 */
import mtc from 'mtc';

let state = 1;
const random = () => (state = (Math.imul(state, 69069) + 1) >>> 0) / 2 ** 32;
const normal = () => Math.sqrt(-2 * Math.log(1 - random())) *
                     Math.cos(2 * Math.PI * random());
function blobs(n, d, k) {
    const centers = Array.from({length: k}, () => Array.from({length: d},
                                                             normal));
    return Array.from({length: n}, (_, i) => centers[i % k].map(
        c => c + 1.5 * normal()));
}
function loss(X, labels, k) {
    const d = X[0].length, count = new Array(k).fill(0);
    const mean = Array.from({length: k}, () => new Float64Array(d));
    X.forEach((x, i) => {
        count[labels[i]]++;
        x.forEach((v, j) => mean[labels[i]][j] += v);
    });
    return X.reduce((sum, x, i) => sum + x.reduce((s, v, j) =>
        s + (v - mean[labels[i]][j] / count[labels[i]]) ** 2, 0), 0);
}
function row(name, X, k, run) {
    const start = performance.now(), labels = run();
    const seconds = ((performance.now() - start) / 1000).toFixed(3);
    console.log(`${name.padEnd(44)} ${seconds.padStart(8)} s   loss ` +
                loss(X, labels, k).toPrecision(7));
}
const maybe = async name => {
    try {
        const found = await import(name);
        return found.default?.kmeans !== undefined ||
            found.default?.agnes !== undefined ||
            typeof found.default?.KMEANS === 'function' ? found.default : found;
    } catch {
        console.log(`${name} is not there`);
        return null;
    }
};

const X = blobs(10000, 50, 8);
row('mtc.kmeans, 10 000 x 50, k = 8', X, 8, () => mtc.kmeans(X, {
    clusters: 8, start_centers: X.slice(0, 8), iterations: 100}).labels);
const mlKmeans = await maybe('ml-kmeans');
if (mlKmeans !== null)
    row('ml-kmeans', X, 8, () => mlKmeans.kmeans(X, 8, {
        initialization: X.slice(0, 8), maxIterations: 100}).clusters);
const density = await maybe('density-clustering');
if (density !== null)
    row('density-clustering, KMEANS', X, 8, () => {
        const labels = [];
        new density.KMEANS().run(X, 8).forEach((members, z) =>
            members.forEach(i => labels[i] = z));
        return labels;
    });

const Y = blobs(1000, 50, 8);
row('mtc.ward, 1000 x 50, cut at 8', Y, 8, () => mtc.ward_cut(
    mtc.ward(Y), 8));
const hclust = await maybe('ml-hclust');
if (hclust !== null)
    row('ml-hclust, agnes ward', Y, 8, () => {
        const labels = [];
        hclust.agnes(Y, {method: 'ward'}).group(8).children.forEach(
            (tree, z) => tree.indices().forEach(i => labels[i] = z));
        return labels;
    });
