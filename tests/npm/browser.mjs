/* SPDX-License-Identifier: MIT
 *
 * browser.mjs - the README's page in a Chromium without a window
 *
 *     node browser.mjs BROWSER.JS FOLDER PAGE
 *
 * Serves the package's FOLDER with the page in it on this machine, and looks
 * for two clusters in the page.
 */
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import {createRequire} from 'node:module';

const [tools, folder, page] = process.argv.slice(2);
const {start} = createRequire(import.meta.url)(tools);
const kinds = {'.mjs': 'text/javascript', '.wasm': 'application/wasm',
               '.html': 'text/html'};
const server = http.createServer((request, answer) => {
    const name = request.url === '/' ? page
        : path.join(folder, path.basename(request.url));
    fs.readFile(name, (error, bytes) => {
        answer.writeHead(error ? 404 : 200,
                         {'content-type': kinds[path.extname(name)] ?? ''});
        answer.end(error ? '' : bytes);
    });
});
await new Promise(yes => server.listen(0, '127.0.0.1', yes));
const chromium = start(path.resolve('chromium'));
const tab = await chromium.open(`http://127.0.0.1:${server.address().port}/`);
const words = `document.getElementById('out')?.textContent`;
await tab.until(`/^\\d/.test(${words})`, 30);
const text = await tab.value(words);
console.log(`browser: ${text}`);
await chromium.close();
process.exit(['0 0 1 1', '1 1 0 0'].includes(text) ? 0 : 1);
