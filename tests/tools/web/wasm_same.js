/* SPDX-License-Identifier: MIT
 *
 * wasm_same.js - the program in WebAssembly does what the program does
 *
 *     node tests/tools/web/wasm_same.js BUILD
 *
 * Every method and most commands run twice, BUILD/mtc on the disk and
 * BUILD/mtc.wasm over files in memory: exit status, tables, messages,
 * pictures, JSON, models and label files have to be the same bytes, times
 * apart.  And BUILD/web/index.html, unpacked, holds that program, and allows
 * the script that is in it.
 */
'use strict';
const fs = require('fs'), path = require('path');
const {spawnSync} = require('child_process');
const crypto = require('crypto');
const wasi = require('../../../examples/web/wasi.js');
const unlzma = require('../../../examples/web/lzma.js');

const build = path.resolve(process.argv[2]);
const room = path.join(build, 'wasm_same');
const program = path.join(build, 'mtc');
const wasm = fs.readFileSync(path.join(build, 'mtc.wasm'));
const module_ = new WebAssembly.Module(wasm);

/* ---- the commands: `>` stands for all outputs ---- */

const out = '--json out/r.json --svg out/r.svg --out out/labels ' +
            '--save out/model.json';
const help = text => spawnSync(program, ['help', text]).stdout.toString();
const methodsOf = kind =>                       /* as the program lists them */
    Array.from(help(kind).split('Methods (')[1].matchAll(/^  (\w+) /gm),
               m => m[1]);
const two = {                                   /* what needs more files */
    ttl: '--source bridge1.svm --bridge bridge2.svm --target bridge3.svm',
    cotransfer: '--source views1.svm --view1 views2.svm --view2 views3.svm ' +
                '--target views4.svm --known known.txt',
    htlic: '--source views1.svm --view1 views2.svm --view2 views3.svm ' +
           '--target views4.svm --known known.txt',
    trec: '--source blobs1.svm --target siblings1.svm'
};
const pool = {ec: ' --pool'};                   /* has no model of several */
const lines = [
    ...['blobs', 'text', 'siblings', 'bridge']
        .map(name => `generate ${name} --out .`),
    ...methodsOf('cluster')
        .map(m => `cluster ${m} blobs1.svm blobs2.svm${pool[m] || ''} >`),
    ...methodsOf('transfer').map(m => `transfer ${m} ` +
        (two[m] || '--source text1.svm --target text2.svm') + ' >'),
    'cluster auto text1.svm text2.svm --preprocess tfidf >',
    'cluster lssmtc blobs1.svm blobs2.svm --guard --k 3 >',
    'cluster auto north.csv south.csv >',
    'choose blobs1.svm blobs2.svm --json out/r.json',
    'relate blobs1.svm blobs2.svm --json out/r.json',
    /* some of its methods refuse this data: a jump out of each */
    'compare north.csv south.csv --k 3,2 --json out/r.json',
    'compare text1.svm text2.svm --repeats 2 --json out/r.json',
    'bridge --source bridge1.svm --target bridge3.svm bridge2.svm bridge4.svm',
    'emd cost.csv --json out/r.json',
    'cluster mbc north.csv south.csv --save model.json',
    'assign model.json south.csv north.csv --json out/r.json --out out/labels',
    'export model.json --c shops --out out',
    'help', 'help auto', 'help files', 'version'
];
const refused = [                       /* a word, a file, what is in it */
    'cluster kmean blobs1.svm', 'cluster auto nobody.csv',
    'cluster auto bad.csv >', 'cluster auto empty.csv >',
    'cluster auto north.csv --k 99 >', 'cluster auto north.csv --json north.csv'
];

function csv(shift) {
    let text = 'height,"width, in mm",class\n';
    for (let i = 0; i < 60; i++)
        text += `${Math.sin(i) + 3 * (i % 3) + shift},` +
                `${Math.cos(7 * i) - 2 * (i % 3)},${'xyz'[i % 3]}\n`;
    return text;
}
/* Counts of two topics in so many words, as LIBSVM text. */
const topics = width => Array.from({length: 40}, (_, i) => `${i % 2 + 1}` +
    Array.from({length: width}, (_, f) => [f + 1, f % 2 === i % 2
        ? 1 + (3 * i + 7 * f) % 5 : (i + 5 * f) % 7 === 0 ? 1 : 0])
        .filter(([, count]) => count > 0)
        .map(([word, count]) => ` ${word}:${count}`).join('') + '\n').join('');
const data = {
    'views1.svm': topics(18), 'views2.svm': topics(18),
    'views3.svm': topics(12), 'views4.svm': topics(12),
    'north.csv': csv(0), 'south.csv': csv(.5), 'empty.csv': '',
    'bad.csv': 'a,b\n1,2\n3,four\n5,6\n', 'cost.csv': '4,1,3\n2,0,5\n3,2,2\n',
    'known.txt': Array.from({length: 10}, (_, i) => `${i} ${i % 2 + 1}\n`)
                      .join('')
};

/* ---- both runs ---- */

function filesBelow(directory, prefix = '') {
    return fs.readdirSync(path.join(directory, prefix), {withFileTypes: true})
        .flatMap(e => e.isDirectory()
            ? filesBelow(directory, prefix + e.name + '/')
            : [[prefix + e.name, new Uint8Array(fs.readFileSync(
                    path.join(directory, prefix, e.name)))]]);
}
/* Without the times, and without the line of progress. */
const timeless = text =>
    text.replace(/"seconds": ?[-+.e0-9]+/g, '"seconds":0')
        .replace(/ +(\d+\.\d\d|seconds)$/gm, '');
const shown = text => text.split('\n').map(l => l.split('\r').pop()).join('\n');

function here(args) {
    const r = spawnSync(program, args, {cwd: room, maxBuffer: 1 << 28});
    return {status: r.status, stdout: r.stdout.toString(),
            stderr: r.stderr.toString(), files: new Map(filesBelow(room))};
}
function there(args) {
    const files = filesBelow(room), r = wasi.run(module_, ['mtc', ...args],
                                                 files);
    if (r.broken !== null)
        r.stderr += r.broken;
    r.stderr = shown(r.stderr);
    return r;
}
/* What differs, in words, or null. */
function difference(a, b) {
    const text = bytes => timeless(Buffer.from(bytes).toString());
    if (a.status !== b.status)
        return `exit ${b.status}, not ${a.status}: ${b.stderr}${a.stderr}`;
    for (const stream of ['stdout', 'stderr'])
        if (timeless(a[stream]) !== timeless(b[stream]))
            return `${stream}: ${b[stream]}\nnot: ${a[stream]}`;
    for (const name of new Set([...a.files.keys(), ...b.files.keys()])) {
        if (!a.files.has(name) || !b.files.has(name))
            return `${name}: only one of them wrote it`;
        if (text(a.files.get(name)) !== text(b.files.get(name)))
            return `${name}: other bytes`;
    }
    return null;
}

fs.rmSync(room, {recursive: true, force: true});
fs.mkdirSync(room, {recursive: true});
for (const name in data)
    fs.writeFileSync(path.join(room, name), data[name]);
let equal = 0, differ = 0;
for (const line of [...lines, ...refused]) {
    const args = line.replace(' >', ' ' + out).split(' ');
    fs.rmSync(path.join(room, 'out'), {recursive: true, force: true});
    fs.mkdirSync(path.join(room, 'out'));
    fs.writeFileSync(path.join(room, 'out', 'keep'), '');
    const b = there(args), a = here(args);
    const d = (a.status === 0) !== lines.includes(line)
        ? `exit ${a.status}: ${a.stderr}` : difference(a, b);
    if (d === null)
        equal++;
    else {
        differ++;
        console.log(`mtc ${line}\n  ${d}`);
    }
}
/* ---- the page ---- */

const page = fs.readFileSync(path.join(build, 'web/index.html'), 'latin1');
const packed = /id="program">\n([^\n]*)/.exec(page)[1];
const script = /<script>([^]*?)<\/script>/.exec(page)[1];
const hash = crypto.createHash('sha256').update(script, 'latin1')
                   .digest('base64');
if (!wasm.equals(unlzma(Buffer.from(packed, 'base64')))) {
    console.log('the page holds another program');
    differ++;
}
if (!page.includes(`'sha256-${hash}'`)) {
    console.log('the page does not allow its own script');
    differ++;
}
for (const size of [0, 1, 5000, 300000]) {      /* noise, zeros, copies */
    const bytes = Buffer.alloc(size);
    for (let i = 0, x = 1; i < size; i++, x = x * 69069 + 1 >>> 0)
        bytes[i] = i % 9000 < 3000 ? x >>> 24 : i % 9000 < 6000 ? 0
                   : bytes[i - 5000 - i % 3];
    const packed = spawnSync('xz', ['--format=lzma', '-c'], {input: bytes});
    if (!bytes.equals(unlzma(packed.stdout))) {
        console.log(`${size} bytes are not unpacked as they were`);
        differ++;
    }
}
console.log(`wasm: ${equal} runs equal, ${differ} differ`);
process.exitCode = differ > 0 ? 1 : 0;
