/* SPDX-License-Identifier: MIT
 *
 * readme.mjs - writes the blocks of the README to files
 *
 *     node readme.mjs README.md      lines.mjs, lines.out, page.html
 */
import fs from 'node:fs';

const text = fs.readFileSync(process.argv[2], 'utf8');
const block = kind => new RegExp('^```' + kind + '\\n([^]*?)^```$', 'm')
    .exec(text)[1];
fs.writeFileSync('lines.mjs', block('js'));
fs.writeFileSync('lines.out', /^```js\n[^]*?^```\n\n```\n([^]*?)^```$/m
    .exec(text)[1]);
fs.writeFileSync('page.html', block('html'));
