/* SPDX-License-Identifier: MIT
 *
 * pack.js - writes the folder of the npm package
 *
 *     node examples/js/pack.js names             the calls to export, a line each
 *     node examples/js/pack.js FOLDER            all files but the .wasm
 *
 * FOLDER has mtc.wasm already: types are written from what it exports.
 */
import fs from 'node:fs';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {Library, callsOf} from './call.js';
import {readHeaders} from './header.js';
import {typesOf} from './types.js';

const here = path.dirname(fileURLToPath(import.meta.url));
const top = path.join(here, '../..');
const read = name => fs.readFileSync(path.join(top, name), 'utf8');
const api = readHeaders(read('mtc.h'), read('examples/advice/mtc_advice.h'));
const MODULES = ['memory', 'data', 'call', 'estimators', 'interface'];

/* All modules as one text without imports and exports. */
function core() {
    const text = MODULES.map(name => read(`examples/js/${name}.js`)
        .replace(/^import [^;]*;\n/gm, '').replace(/^export /gm, ''));
    return `/* mtc ${api.version}, MIT license.  Written from mtc.h. */\n` +
        `const api = ${JSON.stringify(api)};\n\n` + text.join('\n');
}

const NODE = '>=18';
function manifest() {
    const entry = (types, file) => ({types: './' + types, default: './' + file});
    return {
        name: 'mtc', version: api.version, license: 'MIT',
        description: 'Clusters several related data sets together, and ' +
            'carries knowledge from a labeled data set to an unlabeled one',
        keywords: ['clustering', 'k-means', 'multi-task', 'transfer-learning',
                   'machine-learning', 'wasm'],
        main: './mtc.cjs', module: './mtc.mjs', types: './index.d.ts',
        exports: {'.': {import: entry('index.d.mts', 'mtc.mjs'),
                        require: entry('index.d.ts', 'mtc.cjs')},
                  './package.json': './package.json', './*.wasm': './*.wasm'},
        bin: {mtc: './program.mjs'}, engines: {node: NODE},
        sideEffects: false
    };
}

function write(folder) {
    const put = (name, text) => fs.writeFileSync(path.join(folder, name), text);
    const wasm = fs.readFileSync(path.join(folder, 'mtc.wasm'));
    const library = new Library(new WebAssembly.Instance(
        new WebAssembly.Module(wasm), {}).exports, api);
    const calls = callsOf(library);
    const names = [...Object.keys(calls), 'bridge_score', 'KMeans', 'MBC',
                   'Auto', 'rows', 'version'];
    put('mtc.mjs', core() + '\n' + read('examples/js/load.mjs') +
        `export {MtcError};\nexport const {${names.join(', ')}} = mtc;\n`);
    put('mtc.cjs', `'use strict';\n${core()}\n${read('examples/js/load.cjs')}`);
    put('index.d.ts', typesOf(api, calls, 'index'));
    put('index.d.mts', typesOf(api, calls, 'index.mjs'));
    put('program.mjs', read('examples/js/program.mjs'));
    put('jump.js', read('examples/web/jump.js'));
    put('README.md', read('examples/js/README.md'));
    put('LICENSE', read('LICENSE'));
    put('package.json', JSON.stringify(manifest(), null, 2) + '\n');
}

if (process.argv[2] === 'names')
    console.log(Object.keys(api.calls).join('\n'));
else
    write(process.argv[2]);
