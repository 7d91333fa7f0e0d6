/* SPDX-License-Identifier: MIT
 *
 * calls.mjs - ten calls as JSON, for check.sh to compare with Python's
 *
 * Reals are written as the 16 digits of their bits.  The data come from sines,
 * rounded to thousandths, so that both languages have the same numbers.
 */
import mtc from 'mtc';

const round = x => Math.round(x * 1000) / 1000;
const table = (n, d, shift) => Array.from({length: n}, (_, i) =>
    Array.from({length: d}, (_, j) => round(
        Math.sin(7 * i + 3 * j + shift) + ((i + j) % 3 === 0 ? 4 : 1))));
const X = table(60, 4, 0), Y = table(50, 4, 1), k = {clusters: 3};
const z = Array.from(X, (_, i) => i % 3);

const bits = x => {
    const view = new DataView(new ArrayBuffer(8));
    view.setFloat64(0, x);
    return view.getBigUint64(0).toString(16).padStart(16, '0');
};
const plain = v => v instanceof Float64Array ? Array.from(v, bits)
    : ArrayBuffer.isView(v) ? Array.from(v)
    : Array.isArray(v) ? v.map(plain) : typeof v === 'number' ? bits(v) : v;

const found = {
    kmeans: mtc.kmeans(X, k).centers,
    lssmtc: mtc.lssmtc([X, Y], k).objective,
    mbc: mtc.mbc([X, Y], {...k, seed: 7}).centers,
    mtcfir: mtc.mtcfir([X, Y], k).labels,
    lssttc: mtc.lssttc([X], [z], Y, k).W,
    svm: mtc.svm_assign(Y, X, mtc.svm(X, z, {classes: 3})).decisions,
    ec: mtc.ec(X, k).labels,
    auto: mtc.auto([X, Y], k).by_family,
    choose: mtc.choose([X]).common.p,
    pca: mtc.pca([X, Y], {dimension: 2}).components
};
for (const name in found)
    console.log(name, JSON.stringify(plain(found[name])));
