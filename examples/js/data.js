/* SPDX-License-Identifier: MIT
 *
 * data.js - samples as the library takes them
 *
 * A matrix is an array of rows, a Float64Array (or any typed array) with a
 * `shape` of [rows, columns], an object {data, shape}, or CSR: {n, d, row,
 * column, values}, as mtc_data of mtc.h has them.
 */
import {invalid} from './memory.js';

const isArray = x => Array.isArray(x) || ArrayBuffer.isView(x);
export const isSparse = X => X !== null && typeof X === 'object' &&
    'row' in X && 'column' in X;

/* Is it one matrix, not a list of them? */
export function isOne(X) {
    return isSparse(X) || X?.shape !== undefined ||
        isArray(X) && isArray(X[0]) && !isArray(X[0][0]) &&
        X[0].shape === undefined;
}

/* numbers [n*d] with their shape, which is not listed among the entries. */
export function shaped(numbers, ...shape) {
    return Object.defineProperty(numbers, 'shape', {value: shape});
}

function sparse(X, what) {
    const {n, d, row, column, values} = X;
    const wrong = why => invalid(`${what}: ${why}`);
    if (row.length !== n + 1 || row[0] !== 0)
        wrong(`row needs ${n + 1} numbers that begin with 0`);
    for (let i = 0; i < n; i++)
        if (!(row[i] <= row[i + 1]))
            wrong(`row falls behind number ${i}`);
    if (column.length < row[n] || values.length < row[n])
        wrong(`column and values need ${row[n]} numbers`);
    return {n, d, row, column, values};
}

function flat(rows, what) {
    const n = rows.length, d = rows[0]?.length ?? 0;
    const values = new Float64Array(n * d);
    for (let i = 0; i < n; i++) {
        if (!isArray(rows[i]) || rows[i].length !== d)
            invalid(`${what}: row ${i} has not ${d} numbers`);
        for (let j = 0; j < d; j++)
            if (typeof rows[i][j] !== 'number')
                invalid(`${what}: row ${i}, column ${j} is not a number`);
        values.set(rows[i], i * d);
    }
    return {n, d, values};
}

/* {n, d, values} or CSR; `what` is its name in messages. */
export function matrix(X, what) {
    if (isSparse(X))
        return sparse(X, what);
    const shape = X?.shape, values = X?.data ?? X;
    if (shape === undefined)
        return isArray(X) && isArray(X[0]) ? flat(X, what)
            : invalid(`${what}: a matrix is needed: an array of rows, a ` +
                      'Float64Array with a shape, or CSR');
    if (shape.length !== 2 || values.length !== shape[0] * shape[1])
        invalid(`${what}: ${values.length} values have not the shape ` +
                `[${shape}]`);
    return {n: shape[0], d: shape[1], values};
}

/* A matrix with a shape as an array of rows. */
export function rowsOf(X) {
    const {n, d, values} = matrix(X, 'X');
    return Array.from({length: n}, (_, i) => values.slice(i * d, i * d + d));
}
