#!/usr/bin/env node
/* SPDX-License-Identifier: MIT
 *
 * program.mjs - the program mtc, as WebAssembly, on the files of this machine
 */
import fs from 'node:fs';
import {createRequire} from 'node:module';
import path from 'node:path';

const {jumps} = createRequire(import.meta.url)('./jump.js');
const quiet = process.emitWarning;              /* node:wasi is experimental */
process.emitWarning = (text, ...more) =>
    String(text).includes('WASI') || quiet.call(process, text, ...more);
const {WASI} = await import('node:wasi');

/* The program sees this folder, and the folders of all paths outside of it
 * that its arguments name. */
const args = process.argv.slice(2), preopens = {'.': '.'};
for (const name of args.flatMap(a => a.split(',')))
    if (/^(\/|\.\.)/.test(name))
        for (const folder of [path.dirname(name), name])
            if (fs.statSync(folder, {throwIfNoEntry: false})?.isDirectory())
                preopens[folder] = folder;

const wasi = new WASI({version: 'preview1', args: ['mtc', ...args],
                       env: process.env, preopens, returnOnExit: true});
const module_ = new WebAssembly.Module(
    fs.readFileSync(new URL('program.wasm', import.meta.url)));
let program;
const imports = {wasi_snapshot_preview1: wasi.wasiImport,
                 env: jumps(module_, () => program.exports)};
program = new WebAssembly.Instance(module_, imports);
process.exitCode = wasi.start(program);
