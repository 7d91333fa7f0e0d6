/* SPDX-License-Identifier: MIT
 *
 * rows_worker.js - beside the page: all rows of the answer, however many
 *
 * It has the tables and the labels that came of them as text, and makes only
 * those rows that the page asks for.  Sorting half a million takes seconds,
 * which the page does not have.
 */
'use strict';

const read = blob => decoded(new Uint8Array(
    new FileReaderSync().readAsArrayBuffer(blob)));
const collator = new Intl.Collator(undefined, {numeric: true});
let parts = [];             /* of a file: its name, labels, table, columns */
let count = 0;              /* rows of all parts */
let asked = '', order = []; /* the last question; its rows, in order */

/* The row of the whole: file, name, cluster, then columns of its table. */
function record(i) {
    const part = parts.find(p => i < p.first + p.labels.length);
    const cells = part.table === null ? [] : part.table.cells(i - part.first);
    return [part.name, ...part.labels.cells(i - part.first),
            ...part.columns.map(j => cells[j] || '')];
}

/* A table that is too long for a string is left out. */
function tableOf(file) {
    try {
        return file.table === null ? null
            : new Sheet(read(file.table), file.separator, file.names);
    } catch (e) {
        return null;
    }
}

function open(files) {
    parts = [];
    count = 0;
    asked = '';
    for (const file of files) {
        const table = tableOf(file);
        const part = {name: file.name, first: count, table,
                      decimal: file.decimal, signs: file.signs,
                      labels: new Sheet(read(file.labels), ',', []),
                      columns: table === null ? [] : file.columns};
        count += part.labels.length;
        parts.push(part);
    }
    const head = parts.length > 0 ? parts[0].labels.head : ['row', 'cluster'];
    const cluster = Math.max(head.indexOf('cluster'), 1);
    const clusters = new Set();
    for (const {labels} of parts)
        for (let i = 0; i < labels.length; i++)
            clusters.add(labels.cells(i)[cluster]);
    return {count, head, cluster: cluster + 1,
            wide: parts.some(p => p.columns.length > 0),
            clusters: Array.from(clusters).sort(collator.compare)};
}

/* The rows that a question wants, in its order.  Most rows without the words
 * are found out before they are parted into cells. */
function find({filter, only, cluster, by, down, seen}) {
    const found = [], plain = !filter.includes('"');
    const has = text => text.toLowerCase().includes(filter);
    for (const p of parts)
        for (let i = 0; i < p.labels.length; i++) {
            if (only !== '' && p.labels.cells(i)[cluster - 1] !== only)
                continue;
            if (filter !== '' && plain && !has(p.name) &&
                !has(p.labels.line(i)) &&
                (p.table === null || i >= p.table.length ||
                 !has(p.table.line(i))))
                continue;
            const row = filter === '' ? [] : record(p.first + i);
            if (filter === '' || seen.some(j => has(row[j] || '')))
                found.push(p.first + i);
        }
    return by < 0 ? found : sorted(found, by, down);
}

/* The plain number in cell `by` of a row: the program says which columns have
 * numbers, their sign, and the decimal sign.  What is missing is ''. */
function plainCell(i, by) {
    const part = parts.find(p => i < p.first + p.labels.length);
    const cell = record(i)[by] || '';
    const sign = part.signs[by - 1 - part.labels.head.length] ?? null;
    const other = part.decimal === ',' ? /[^\d,e+-]/gi : /[^\d.e+-]/gi;
    const even = cell.replace(/([.,])[-\u2013\u2212]/, '$1');  /* 49,- */
    const plain = even.replace(sign, '').replace(/\u2212/g, '-')
        .replace(other, '').replace(',', '.');
    return sign === null ? cell : !/\d/.test(plain) || cell[0] === '#' ? ''
        : /[-)]\s*$/.test(even) ? '-' + plain.replace(/-/g, '') : plain;
}

/* By number where all are numbers; empty cells are last. */
function sorted(list, by, down) {
    const text = new Map(list.map(i => [i, plainCell(i, by)]));
    const side = down ? -1 : 1;
    const number = new Float64Array(count);
    let numbers = true;
    for (const [i, t] of text) {
        number[i] = t === '' ? NaN : Number(t);
        numbers = numbers && (t === '' || !Number.isNaN(number[i]));
    }
    const less = numbers ? (a, b) => number[a] - number[b]
        : (a, b) => collator.compare(text.get(a), text.get(b));
    const filled = list.filter(i => text.get(i) !== '');
    return filled.sort((a, b) => side * less(a, b) || a - b)
        .concat(list.filter(i => text.get(i) === ''));
}

onmessage = ({data}) => {
    if (data.files) {
        postMessage(open(data.files));
        return;
    }
    const {first, most, ...question} = data, same = JSON.stringify(question);
    if (same !== asked)
        order = find(question);
    asked = same;
    postMessage({n: order.length,
                 rows: order.slice(first, first + most).map(record)});
};
