/* SPDX-License-Identifier: MIT
 *
 * memory.js - methods that keep numbers for all pairs of rows: what that takes
 *
 * A program in WebAssembly has 4 GB at most.  Which methods need so much is
 * said before they run, because the program knows only when it has tried.
 */

const PAGE_BYTES = 4 * 2 ** 30;
/* Bytes for a pair, at the least, and of which rows: those of the largest file
 * (one after the other), of each file, or of all files together. */
const PAIRS = {ward: [8, 'largest'], snmf: [4.5, 'largest'],
               mtcfir: [8, 'each'], samtc: [12, 'each'], mtctki: [9, 'each'],
               smkc: [8, 'all'], cdsc: [8, 'all'], latentmap: [16, 'all']};

/* Bytes that a method needs for files of so many rows; 0: not many. */
function bytesForPairs(method, rows) {
    if (PAIRS[method] === undefined || rows.length === 0)
        return 0;
    const [bytes, which] = PAIRS[method];
    const sum = list => list.reduce((a, b) => a + b, 0);
    const pairs = which === 'largest' ? Math.max(...rows) ** 2
        : which === 'each' ? sum(rows.map(n => n * n)) : sum(rows) ** 2;
    return bytes * pairs;
}

/* Rows that there is memory for, in round figures. */
function mostRows(method) {
    const n = Math.sqrt(PAGE_BYTES / PAIRS[method][0]);
    return (Math.floor(n / 1000) * 1000).toLocaleString('en');
}

/* What to know before a run; '' if nothing. */
function memoryInWords(method, rows) {
    if (PAIRS[method] === undefined)
        return '';
    const bytes = bytesForPairs(method, rows);
    const first = `${method} keeps a number for every pair of rows` +
        {largest: ' of a file', each: ' of each file',
         all: ', those of all files together'}[PAIRS[method][1]];
    const size = bytes < 1e9 ? `${Math.ceil(bytes / 1e6)} MB`
                             : `${Math.ceil(bytes / 1e9)
                                 .toLocaleString('en')} GB`;
    const bound = `about ${mostRows(method)} rows`;
    return bytes === 0 ? `${first}: the page has memory for ${bound}.`
        : bytes > PAGE_BYTES
        ? `${first}. That is ${size} here, and a page has 4 GB, which is ` +
          `enough for ${bound}. Choose another method, such as auto or ` +
          'kmeans, or fewer rows.'
        : `${first}: at least ${size} here. The page has memory for ${bound}.`;
}

/* The program's message that memory is short, in the page's words. */
function shortOfMemory(text) {
    return /could not supply the memory|what memory can address|no memory/
        .test(text) ? 'This needs more memory than a page can have, which is ' +
        '4 GB. Choose another method, such as auto or kmeans, or fewer rows; ' +
        'or run it on a command line.' : text;
}
