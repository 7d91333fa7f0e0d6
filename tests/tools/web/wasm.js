/* SPDX-License-Identifier: MIT
 *
 * wasm.js - runs a WebAssembly program under node as the page runs it
 *
 *     node tests/tools/web/wasm.js PROGRAM.wasm ARGUMENT...
 *
 * It sees those files that its arguments name.  What it writes to files is
 * not kept: see wasm_same.js.
 */
'use strict';
const fs = require('fs');
const wasi = require('../../../examples/web/wasi.js');

const [program, ...args] = process.argv.slice(2);
const files = args.filter(a => fs.existsSync(a) && fs.statSync(a).isFile())
                  .map(a => [a, new Uint8Array(fs.readFileSync(a))]);
const out = wasi.run(new WebAssembly.Module(fs.readFileSync(program)),
                     [program, ...args], files, (fd, text) =>
                     fs.writeSync(fd, text));
if (out.broken !== null)
    console.error(out.broken);
process.exitCode = out.status;
