/* SPDX-License-Identifier: MIT
 *
 * errors.cjs - what wrong arguments throw, and that results outlive calls
 */
'use strict';
const mtc = require('mtc');
const assert = require('node:assert/strict');

/* The failure of f, which has these members. */
function fails(f, members, text) {
    try {
        f();
    } catch (e) {
        assert(e instanceof mtc.MtcError, String(e));
        for (const name in members)
            assert.equal(e[name], members[name], `${name} of ${e.message}`);
        assert.match(e.message, text);
        return;
    }
    assert.fail('nothing was thrown');
}
const X = [[1, 2], [3, 4], [9, 9], [8, 9]];
const csr = more => ({n: 2, d: 2, row: [0, 1, 2], column: [0, 1],
                      values: [1, 2], ...more});

fails(() => mtc.mbc([X, [[1, 2], [3, NaN]]], {clusters: 1}),
      {status: 'domain', task: 1, row: 1, column: 1}, /^mbc: .*task 1, row 1/);
fails(() => mtc.kmeans(X, {clusters: 5}), {status: 'invalid'}, /clusters/);
fails(() => mtc.kmeans(X, {cluster: 2}), {}, /cluster is no option of kmeans/);
fails(() => mtc.kmeans(X, {clusters: 1.5}), {}, /clusters: 1\.5/);
fails(() => mtc.kmeans([[1, 2], [3]]), {}, /row 1 has not 2 numbers/);
fails(() => mtc.kmeans([[1, 2], [3, '4']]), {}, /row 1, column 1/);
fails(() => mtc.kmeans([1, 2]), {}, /a matrix is needed/);
fails(() => mtc.kmeans(csr({row: [0, 2, 1]})), {}, /row falls/);
fails(() => mtc.kmeans(csr({values: [1]})), {}, /need 2 numbers/);
fails(() => mtc.kmeans(csr({row: [0, 2]})), {}, /row needs 3 numbers/);
fails(() => mtc.kmeans(X, {start_labels: [0, 1]}), {}, /start_labels: 2/);
fails(() => mtc.mbc_assign(X, 0, mtc.kmeans(X)), {}, /a result of mbc/);
fails(() => mtc.lssmtc([X, X], {mode: 'odd'}), {}, /'odd' is none of recon/);
fails(() => new mtc.KMeans().predict(X), {}, /not fitted/);
fails(() => mtc.score([0], [0], {clusters: 2}), {}, /no option/);

/* Results are copies, and one matrix can be given in all four forms. */
const flat = Object.assign(new Float64Array(X.flat()), {shape: [4, 2]});
const sparse = {n: 4, d: 2, row: [0, 2, 4, 6, 8],
                column: [0, 1, 0, 1, 0, 1, 0, 1], values: X.flat()};
const first = mtc.kmeans(X), kept = Array.from(first.centers);
for (const same of [flat, sparse, {data: X.flat(), shape: [4, 2]}])
    assert.deepEqual(mtc.kmeans(same).labels, first.labels);
for (let i = 0; i < 200; i++)
    mtc.mbc([X, X], {clusters: 2, seed: i});
assert.deepEqual(Array.from(first.centers), kept);
assert.deepEqual(first.centers.shape, [2, 2]);
assert.deepEqual(mtc.rows(first.centers).flatMap(r => [...r]), kept);

/* The classes: labels, and new samples that are the old ones. */
const near = [[1, 2], [3, 4]];
for (const Kind of [mtc.KMeans, mtc.MBC, mtc.Auto]) {
    const model = new Kind({clusters: 2}).fit(X);
    assert.deepEqual(model.predict(near), model.labels.slice(0, 2));
}
const two = new mtc.MBC({clusters: 2}).fit([X, X]);
assert.equal(two.labels.length, 2);
assert.deepEqual(two.predict(X, 1), two.labels[1]);
console.log('errors: as they should be');
