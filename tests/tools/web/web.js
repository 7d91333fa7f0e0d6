/* SPDX-License-Identifier: MIT
 *
 * web.js - the page in a real browser, as a user has it
 *
 *     node tests/tools/web/web.js BUILD
 *
 * BUILD/web/index.html is opened from the disk; what it shows and what is
 * downloaded from it has to be what BUILD/mtc prints and writes.  Pictures of
 * the page, to be looked at, go to BUILD/web_test/.
 */
'use strict';
const fs = require('fs'), path = require('path');
const {pathToFileURL} = require('url');
const {spawnSync} = require('child_process');
const browser = require('./browser.js');
const wasi = require('../../../examples/web/wasi.js');

const build = path.resolve(process.argv[2]);
const room = path.join(build, 'web_test');
const at = (...names) => path.join(room, ...names);
const mtc = (args, cwd = room) => spawnSync(path.join(build, 'mtc'), args,
                                            {cwd, maxBuffer: 1 << 28});
let passed = 0, failed = 0;
function check(what, fine, but = '') {
    passed += fine ? 1 : 0;
    failed += fine ? 0 : 1;
    if (!fine)
        console.log(`web: FAILED: ${what} ${but}`);
}
const same = (what, a, b) => check(what, a === b, `\n  ${a}\n  not ${b}`);
const timeless = text => text.replace(/"seconds": ?[-+.e0-9]+/g, '');

/* ---- what a user does ---- */

const DONE = '$("working").hidden && (!$("answer").hidden || ' +
             '$("error").textContent !== "" || /Canc/.test($("status").' +
             'textContent))';
let page;

const click = what => page.click(what);
async function run(what = '#run') {
    await page.value('$("answer").hidden = true; showError(""); say("")');
    await click(what);
    await page.until(DONE);
}
async function drop(...names) {
    const before = await page.value('files.length');
    const data = {items: [], files: names.map(n => at(n)),
                  dragOperationsMask: 1};
    for (const type of ['dragEnter', 'dragOver', 'drop'])
        await page.tab('Input.dispatchDragEvent',
                       {type, x: 200, y: 200, data});
    await page.until(`files.length === ${before + names.length}`);
}
const removeAll = () => page.value('while (files.length > 0) ' +
    'document.querySelector("#files .remove").click()');
async function choose(command) {
    await click(`[value=${command}]`);
    await page.until(`$("manual-text").textContent
        .startsWith("mtc ${command}")`);
}
/* Clicks a link and gives what came down.  Chromium drops the eleventh download
 * of a short time without a word, so that it is asked for again. */
async function download(name) {
    fs.rmSync(at('down', name), {force: true});
    for (let i = 0; i < 200 && !fs.existsSync(at('down', name)); i++) {
        if (i % 40 === 0)
            await click(`#downloads a[download="${name}"]`);
        await new Promise(go => setTimeout(go, 25));
    }
    return fs.readFileSync(at('down', name), 'utf8');
}
async function media(width, height, scheme, scale = 1) {
    await page.tab('Emulation.setDeviceMetricsOverride',
        {width, height, deviceScaleFactor: scale, mobile: width < 600});
    await page.tab('Emulation.setEmulatedMedia', {features:
        [{name: 'prefers-color-scheme', value: scheme}]});
}
const text = id => page.value(`$("${id}").textContent`);

/* ---- the tests ---- */

/* The example's files by the program, with the command that the page shows. */
async function exampleIsTheProgram(name, labels) {
    await run(`[data-example=${name}]`);
    same(`${name}: no error`, await text('error'), '');
    check(`${name}: the picture is there`, await page.value(
        'document.querySelector("figure div").shadowRoot' +
        '.querySelectorAll("svg path").length > 3'));
    check(`${name}: the table is there`, await page.value(
        'document.querySelectorAll("#answer tbody tr").length > 0'));
    same(`${name}: a mark tells sample and cluster`,
        await page.value('(() => { const m = document.querySelector("figure ' +
            'div").shadowRoot.querySelector("path title").parentNode; ' +
            'm.dispatchEvent(new MouseEvent("click", {bubbles: true, ' +
            'composed: true})); return document.querySelector("figure p")' +
            '.textContent.replace(/[\\d.]+/g, "N"); })()'),
        `row N, ${name === 'transfer' ? 'class' : 'cluster'} N`);
    for (const [file, content] of await page.value(
        'Promise.all(files.map(async f => [f.name, await f.blob.text()]))'))
        fs.writeFileSync(at('own', file), content);
    const line = await text('command');
    const r = mtc(line.split(' ').slice(1), at('own'));
    same(`${name}: the command runs`, r.status, 0);
    same(`${name}: report`, await download('report.txt'), r.stdout.toString());
    for (const [got, file] of [
        ['picture.svg', 'picture.svg'], ['result.json', 'result.json'],
        ['model.json', 'model.json'],
        [`${labels}.labels`, `labels/${labels}.labels`],
        [`${labels}.labels.csv`, `labels/${labels}.csv`]])
        check(`${name}: ${got} is the program's`,
              timeless(await download(got)) ===
              timeless(fs.readFileSync(at('own', file), 'utf8')));
}

async function modelAsC() {
    await click('#downloads button');
    await page.until('document.querySelector("a[download=\'model.h\']")');
    mtc(['export', 'model.json', '--c', 'model', '--out', 'c'], at('own'));
    same('model.h is the program\'s', await download('model.h'),
         fs.readFileSync(at('own', 'c', 'model.h'), 'utf8'));
}

async function dropped() {
    await removeAll();
    check('nothing to run', await page.value('$("run").disabled'));
    await drop('blobs1.svm', 'blobs2.svm');
    await choose('cluster');
    await run();
    const r = mtc(['cluster', 'auto', 'blobs1.svm', 'blobs2.svm', '--out',
                   'labels']);
    same('dropped files run', await text('error'), '');
    same('their report', await download('report.txt'), r.stdout.toString());
    same('their labels', await download('blobs2.labels'),
         fs.readFileSync(at('labels', 'blobs2.labels'), 'utf8'));
    await drop('blobs1.svm');
    check('a second file of one name has another', await page.value(
        'files[2].name === "blobs1-2.svm"'));
}

/* Names as people have them. */
async function names() {
    const name = 'zwei W\u00f6rter <b>.csv';
    fs.writeFileSync(at(name), fs.readFileSync(at('own', 'north.csv')));
    fs.writeFileSync(at('-k.csv'), fs.readFileSync(at('own', 'south.csv')));
    await removeAll();
    await drop(name, '-k.csv');
    await run();
    same('names in the table', await page.value('Array.from(document' +
        '.querySelectorAll("#sizes table")[0].querySelectorAll("tbody tr"),' +
        ' r => r.innerText.replace(/\\s+/g, " ")).join("|")'),
        'zwei W\u00f6rter <b> 150 4 3|_k 120 4 3');
    check('a name is quoted', (await text('command'))
        .includes(`'${name}' _k.csv --`), await text('command'));
}

/* The program would call both of them twin. */
async function twins() {
    fs.writeFileSync(at('twin.csv'), 'x,y\n0,1\n0,2\n9,1\n9,3\n');
    fs.writeFileSync(at('twin.tsv'), 'x\ty\n70\t5\n70\t6\n90\t5\n90\t7\n');
    await removeAll();
    await drop('twin.csv', 'twin.tsv');
    await page.until('columns.length === 2');
    await page.value('$("k").value = "2"');
    await run();
    await page.until('$("rows").getAttribute("aria-busy") === "false"');
    same('rows of two files of one name', await page.value('Array.from(' +
        'document.querySelectorAll("#rows tbody tr"), r => [0, 3, 4].map(i =>' +
        ' r.children[i].textContent).join(",")).join(" ")'),
        'twin,0,1 twin,0,2 twin,9,1 twin,9,3 ' +
        'twin-2,70,5 twin-2,70,6 twin-2,90,5 twin-2,90,7');
    await page.value('$("k").value = ""');
}

async function badFile() {
    await removeAll();
    await drop('bad.csv');
    await run();
    same('a bad file is refused as by the program', 'mtc: ' +
         await text('error') + '\n',
         mtc(['cluster', 'auto', 'bad.csv']).stderr.toString());
    check('no answer then', await page.value('$("answer").hidden'));
    await page.screenshot(at('error.png'));
    await accessible('an error');
}

/* A table of the user's own: what its columns are, and other roles. */
async function columns() {
    await removeAll();
    await drop('own.csv');
    await page.until('document.querySelectorAll("#column-table tbody tr")' +
                     '.length === 5');
    same('roles as proposed', await page.value('columns.map(c => c.part)' +
         '.join(" ")'), 'id feature feature none feature');
    check('a word among numbers is told', /'four' in 1 row is taken for missing/
          .test(await text('columns')), await text('columns'));
    check('the first rows', /No\. 4/.test(await text('columns')) &&
          !/No\. 5/.test(await text('columns')));
    await page.screenshot(at('columns.png'));
    await accessible('columns');
    await choose('cluster');
    const line = ['cluster', 'auto', 'own.csv', '--id', 'customer', '--missing',
                  'mean', '--out', 'labels'];
    await run();
    same('they run', await text('error'), '');
    same('as the program does', await download('report.txt'),
         mtc(line).stdout.toString());
    await page.value('document.querySelector("#look summary").focus()');
    await page.key('Enter', 13, '\r');
    check('Enter opens the columns', await page.value('$("look").open'));
    for (let i = 0; i < 20 && await page.value('document.activeElement' +
         '.getAttribute("aria-label")') !== 'Use city'; i++)
        await page.key('Tab', 9);
    await page.key(' ', 32, ' ');
    same('Space uses one', await page.value('columns[3].part'), 'feature');
    await run();
    line.push('--onehot', 'city');
    same('with words', await download('report.txt'),
         mtc(line).stdout.toString());
}

/* Files whose columns differ: those that all have are used. */
async function someColumns() {
    await removeAll();
    await drop('own.csv', 'half.csv');
    await page.until('columns.length === 6');
    same('those of all files', await page.value('columns.map(c => c.part)' +
         '.join(" ")'), 'none feature none none feature none');
    await run();
    same('they run together', await text('error'), '');
    same('as by the program', await download('report.txt'),
         mtc(['cluster', 'auto', 'own.csv', 'half.csv', '--drop',
              'customer,basket,city', '--match', 'common', '--missing',
              'mean']).stdout.toString());
}

/* ec scales each file by itself. */
async function single() {
    fs.writeFileSync(at('wide.csv'), 'x,y\n' + Array.from({length: 40},
        (_, i) => `${i * 7 % 11},${i * i * 500 % 9900}\n`).join(''));
    fs.writeFileSync(at('even.csv'), 'x,y\n' + Array.from({length: 40},
        (_, i) => `${i * 7 % 11},${i * i % 9}\n`).join(''));
    await removeAll();
    await drop('wide.csv', 'even.csv');
    await choose('cluster');
    await page.value('$("method").value = "ec"; $("k").value = "2"; ' +
                     '$("method").dispatchEvent(new Event("change"))');
    await page.until('$("option-runs")');
    await run();
    check('a notice of one file names it', /wide\.csv: columns on different/
          .test(await text('answer')), await text('error'));
    await page.value('$("k").value = ""; $("method").value = "auto"; ' +
                     '$("method").dispatchEvent(new Event("change"))');
    await page.until('!$("option-runs")');
}

/* An empty column, which the program wants to be told to leave out. */
async function hollow() {
    fs.writeFileSync(at('hollow.csv'), 'x,y,note\n' + Array.from({length: 20},
        (_, i) => `${i % 2 * 9 + i % 3},${i % 2},\n`).join(''));
    await removeAll();
    await drop('hollow.csv');
    await page.until('columns.length === 3');
    await run();
    same('an empty column is left out', await text('error'), '');
}

/* All rows: sorted, filtered, and the cluster that the program gives. */
async function rows() {
    const told = fs.readFileSync(at('labels', 'own.csv'), 'utf8')
        .replace(/"/g, '').split('\n');
    const shown = async () => {
        await page.until('$("rows").getAttribute("aria-busy") === "false"');
        return page.value('Array.from(document.querySelectorAll(' +
            '"#rows tbody tr"), r => r.children[0].textContent + "," + ' +
            'r.children[1].textContent)');
    };
    same('the first page of rows', (await shown()).join('\n'),
         told.slice(1, 51).join('\n'));
    await click('#row-pages button + button');
    same('the second', (await shown()).join('\n'),
         told.slice(51, 61).join('\n'));
    await click('#rows thead button');
    await click('#rows thead button');
    same('sorted the other way', (await shown())[0].split(',')[0], 'No. 59');
    same('which is said', await page.value('document.querySelector(' +
         '"#rows th").getAttribute("aria-sort")'), 'descending');
    await page.value('$("row-filter").value = "no. 17"; ' +
                     '$("row-filter").dispatchEvent(new Event("input"))');
    same('filtered', (await shown()).join('|'), told[18]);
    same('the answer begins with a sentence', await page.value(
        '$("answer").firstChild.className'), 'verdict');
    await page.value('$("row-filter").value = ""; ' +
                     '$("row-filter").dispatchEvent(new Event("input"))');
    await page.screenshot(at('rows.png'));
}

/* Rows are sorted by numbers as the program reads them, what is missing last. */
async function numbers() {
    const order = async (name, lines) => {
        fs.writeFileSync(at(name), lines.join('\n') + '\n');
        await removeAll();
        await drop(name);
        await page.until('columns.length === 2');
        await run();
        await click('#rows th:nth-child(3) button');
        await page.until('$("rows").getAttribute("aria-busy") === "false"');
        return page.value('Array.from(document.querySelectorAll(' +
            '"#rows tbody tr"), r => r.children[2].textContent).join(" ")');
    };
    await choose('cluster');
    await page.value('$("method").value = "kmeans"; $("k").value = "2"; ' +
                     '$("method").dispatchEvent(new Event("change"))');
    await page.until('$("option-iterations")');
    same('one value is missing', await order('hole.csv',
         ['x,y', '1.5,1', '1.25,2', 'NA,8', '-5,9', '-10,7']),
         '-10 -5 1.25 1.5 NA');
    same('the header is a comment', await order('noted.csv',
         ['# of a sensor', '# x,label', '4,a', '1.5,a', '1,b', '9,b', '8,a']),
         '1 1.5 4 8 9');
    same('the header is below comments', await order('below.csv',
         ['# of a sensor', 'x,label', '4,a', '1.5,a', '1,b', '9,b', '8,a']),
         '1 1.5 4 8 9');
    same('decimal commas', await order('comma.csv',
         ['x;y', '10,5;1', '10,19;2', '-5;8', '-10,5;9']),
         '-10,5 -5 10,19 10,5');
    same('negative in other ways', await order('negative.csv',
         ['x,y', '(12.50),1', '-,2', '3.00,8', '-20.00,9', '9.00,7']),
         '-20.00 (12.50) 3.00 9.00 -');
    same('no cents', await order('even.csv',
         ['x;y', '49,-;1', '-29,-;2', '9,50;8', '120,-;9']),
         '-29,- 9,50 49,- 120,-');
    same('amounts', await order('amount.csv', ['x,y', '"$1,200.50",1',
         '$980.00,3', '"$10,000.00",8', '$20.00,9']),
         '$20.00 $980.00 $1,200.50 $10,000.00');
}

/* A column of texts, and folders of texts as the program reads them. */
async function texts() {
    const line = ['cluster', 'kmeans', '--k', '2'];
    await removeAll();
    await drop('reviews.csv');
    await page.until('columns.length === 2');
    same('a text is found', await page.value('columns.map(c => c.part)' +
         '.join(" ")'), 'id text');
    await choose('cluster');
    await page.value('$("method").value = "kmeans"; $("k").value = "2"; ' +
                     '$("method").dispatchEvent(new Event("change"))');
    await page.until('$("option-iterations")');
    await run();
    same('a column of texts', await download('report.txt'), mtc([...line,
         'reviews.csv', '--text', 'note', '--id', 'name']).stdout.toString());
    await removeAll();
    await drop('mails');
    await page.until('columns.length === 3');
    same('a folder has classes', await page.value('columns.map(c => c.name + ' +
         '" " + c.part).join(" ")'), 'name id label labels text text');
    await run();
    same('a folder of texts', await download('report.txt'),
         mtc([...line, 'mails']).stdout.toString());
    await removeAll();
    fs.mkdirSync(at('many'));
    for (let i = 0; i < 10000; i++)
        fs.writeFileSync(at('many', i + '.txt'), prose(i));
    const slow = await page.longestTask(() => drop('many'));
    check('10 000 files', /10000 texts of many/.test(await text('status')),
          await text('status'));
    check('while the page answers', slow.processor < 100,
          slow.processor + ' ms');
    await page.value(`orSay('more', () => addFolder('more', Array.from(
        {length: 20001}, (_, i) => [i + '.txt', new File(['a'], 'x')])))`);
    same('or the bound is said', await text('error'),
         'more was not read: more than 20000 files.');
    await page.value(`orSay('tables', () => addFolder('tables', Array.from(
        {length: 10000}, (_, i) => [i + '.csv', new File(['a'], 'x')])))`);
    check('that of tables, too', /10001 files are more than the 100/.test(
          await text('error')), await text('error'));
    await page.value('$("k").value = ""; $("method").value = "auto"; ' +
                     '$("method").dispatchEvent(new Event("change"))');
    await page.until('!$("option-iterations")');
}

/* By the file chooser; every question; a model applied to other data. */
async function questions() {
    await removeAll();
    const {root} = await page.tab('DOM.getDocument');
    const {nodeId} = await page.tab('DOM.querySelector',
        {nodeId: root.nodeId, selector: '#pick'});
    await page.tab('DOM.setFileInputFiles', {nodeId,
        files: [at('blobs1.svm'), at('blobs2.svm')]});
    await page.until('files.length === 2');
    for (const [command, line] of [
        ['choose', ['choose']], ['relate', ['relate']],
        ['compare', ['compare']]]) {
        await choose(command);
        await run();
        const r = mtc([...line, 'blobs1.svm', 'blobs2.svm']);
        same(command, (await download('report.txt'))
                          .replace(/ +(\d+\.\d\d|seconds)$/gm, ''),
             r.stdout.toString().replace(/ +(\d+\.\d\d|seconds)$/gm, ''));
        await page.screenshot(at(command + '.png'));
        await accessible(command);
    }
    mtc(['cluster', 'kmeans', 'blobs1.svm', '--save', 'model.json']);
    await drop('model.json');
    await choose('assign');
    await run();
    same('assign', await download('report.txt'),
         mtc(['assign', 'model.json', 'blobs1.svm', 'blobs2.svm'])
             .stdout.toString());
}

/* An option found in the help text, and a method without a model. */
async function options() {
    await removeAll();
    await drop('blobs1.svm', 'blobs2.svm');
    await choose('cluster');
    await page.value('$("method").value = "ec"; ' +
                     '$("method").dispatchEvent(new Event("change"))');
    await page.until('$("option-runs")');
    await page.value('$("option-runs").value = 4; $("k").value = 3');
    await run();
    same('ec with options', await download('report.txt'),
         mtc(['cluster', 'ec', 'blobs1.svm', 'blobs2.svm', '--k', '3',
              '--runs', '4']).stdout.toString());
    check('why it has no model',
          /no model: --save: /.test(await text('downloads')));
    await page.value('$("k").value = ""');
}

/* A long run: the bar moves, the page answers, Cancel by the keyboard. */
async function cancelled() {
    await removeAll();
    await drop('long1.svm', 'long2.svm');
    await page.value('$("method").value = "mtcfir"; ' +
                     '$("method").dispatchEvent(new Event("change"))');
    await page.until('$("option-layers")');
    await page.value('$("answer").hidden = true; $("run").click()');
    await page.until('$("bar").value > 0', 120);
    const first = await page.value('$("bar").value');
    await page.until(`$("bar").value > ${first}`, 120);
    check('the result pane tells', await page.value('!$("doing").hidden && ' +
        '/\\d %/.test($("doing-text").textContent) && ' +
        '/mtcfir of 2 files/.test($("status").textContent)'),
        await text('doing-text') + await text('status'));
    const late = await page.value('new Promise(go => { const t = ' +
        'performance.now(); setTimeout(() => go(performance.now() - t), 0) })');
    check('the page stays alive', late < 1000, late + ' ms');
    await page.value('$("method").value = "mbc"; ' +
                     '$("method").dispatchEvent(new Event("change"))');
    await page.until('$("option-divergence")', 20);
    check('the form, too', await page.value('!$("working").hidden'));
    await page.screenshot(at('running.png'));
    same('Cancel has the focus',
         await page.value('document.activeElement.id'), 'cancel');
    await page.key('Enter', 13, '\r');
    await page.until(DONE);
    check('it was cancelled', /^Cancelled/.test(await text('status')));
    same('Run has the focus', await page.value('document.activeElement.id'),
         'run');
    await removeAll();
    await drop('blobs1.svm');
    await run();
    same('and runs again', await text('error'), '');
}

/* 50 MB are read and clustered while the page answers, also when the answer
 * comes; of its rows all can be seen, and sorted. */
async function large() {
    const n = 600000, values = i => Array.from({length: 10}, (_, j) =>
        ((i % 5) * (j + 1) * 7 % 11 + (i * (2 * j + 3)) % 997 / 997)
            .toFixed(5)).join(',');
    const out = fs.openSync(at('large.csv'), 'w');
    fs.writeSync(out, 'a,b,c,d,e,f,g,h,i,j\n');
    for (let i = 0; i < n; i += 1000)
        fs.writeSync(out, Array.from({length: 1000}, (_, j) =>
            values(i + j) + '\n').join(''));
    fs.closeSync(out);
    check('50 MB', fs.statSync(at('large.csv')).size > 48e6);
    await removeAll();
    await page.value('$("method").value = "kmeans"; $("k").value = "5"; ' +
                     '$("method").dispatchEvent(new Event("change"))');
    await page.until('$("option-iterations")');
    const slow = await page.longestTask(async () => {
        await drop('large.csv');
        await page.until('columns.length === 10');
        await page.value('$("answer").hidden = true; ' +
                         'setTimeout(() => $("run").click(), 0); 0');
        await page.until('!$("answer").hidden || ' +
                         '$("error").textContent !== ""', 300);
        await page.until('document.querySelector("figure div").shadowRoot' +
                         '.querySelectorAll("path title").length > 4000');
        await page.value('document.querySelector("#rows th + th button")' +
                         '.click()');
        await page.until('$("rows").getAttribute("aria-busy") === "false"');
    });
    same('50 MB are clustered', await text('error'), '');
    check('and the page answers within 100 ms', slow.processor < 100,
          slow.processor + ' ms');
    console.log(`web: 50 MB of CSV: the page's longest task is ` +
                `${slow.processor.toFixed(0)} ms, by the clock ` +
                `${slow.clock.toFixed(0)} ms`);
    check('all rows are there', /of 600000 rows/.test(await text('answer')));
    await page.value('$("method").value = "ward"; ' +
                     '$("method").dispatchEvent(new Event("change"))');
    await page.until('topic() === "ward" && $("memory").textContent !== ""');
    check('a method of all pairs says its bound', /2,880 GB here, and a page ha/
        .test(await text('memory')), await text('memory'));
    await page.value('$("answer").hidden = true; $("run").click()');
    await page.until('$("error").textContent !== ""');
    same('and is refused', await text('error'), await text('memory'));
    await removeAll();
    await page.value('$("k").value = ""; $("method").value = "auto"; ' +
                     '$("method").dispatchEvent(new Event("change"))');
    await page.until('!$("option-iterations")');
}

/* What the page says of memory beside what the program takes. */
async function memory() {
    const wasm = new WebAssembly.Module(
        fs.readFileSync(path.join(build, 'mtc.wasm')));
    const Instance = WebAssembly.Instance, n = 1200;
    const rows = Array.from({length: n}, (_, i) => `${i % 3 * 2 + i * i % 7},` +
        `${i * i * i % 11}\n`).join('');
    let made = null;
    WebAssembly.Instance = function (module, imports) {
        made = new Instance(module, imports);
        return made;
    };
    for (const method of ['ward', 'snmf', 'mtcfir', 'samtc', 'mtctki', 'smkc'])
        for (const names of [['a.csv'], ['a.csv', 'b.csv']]) {
            const some = rows.slice(0, Math.floor(rows.length / names.length));
            const bytes = Buffer.from('x,y\n' + some.slice(0,
                some.lastIndexOf('\n') + 1));
            const lines = bytes.toString().split('\n').length - 2;
            wasi.run(wasm, ['mtc', 'cluster', method, '--k', '3', ...names],
                     names.map(name => [name, new Uint8Array(bytes)]));
            const took = made.exports.memory.buffer.byteLength - 1.2e6;
            const said = await page.value(`bytesForPairs("${method}", ` +
                `[${names.map(() => lines).join()}])`);
            check(`memory of ${method}`, said <= took && took < 2 * said + 2e6,
                  `${names.length}: ${said} said, ${took} taken`);
        }
    WebAssembly.Instance = Instance;
}

/* axe-core of npm, if it can be had: the text of its script. */
function axeSource() {
    const at_ = path.join(build, 'npm');
    const script = path.join(at_, 'node_modules/axe-core/axe.min.js');
    if (!fs.existsSync(script))
        spawnSync('npm', ['install', '--prefix', at_, '--no-audit', '--no-fund',
                          'axe-core@4'], {timeout: 120000});
    if (fs.existsSync(script))
        return fs.readFileSync(script, 'utf8');
    console.log('web: contrast and labels skipped, no axe-core from npm');
    return null;
}
const axe = axeSource();
const EVERY_LOOK = [[1280, 'light'], [1280, 'dark'], [390, 'light'],
                    [390, 'dark']];
/* Contrast, labels and the like, wide and narrow, light and dark. */
async function accessible(what) {
    for (const [width, scheme] of axe === null ? [] : EVERY_LOOK) {
        await media(width, 900, scheme);
        same(`${what}, ${width}, ${scheme}: axe-core`, await page.value(axe +
            '; axe.run(document, {resultTypes: ["violations"]}).then(r => ' +
            'r.violations.map(v => v.id + " " + v.nodes[0].html).join(" "))'),
            '');
    }
    await media(1280, 900, 'light');
}

/* From the top of the page to an answer with Tab and Enter alone. */
async function keyboard() {
    for (const [width, scheme] of EVERY_LOOK) {
        await media(width, 900, scheme);
        await byKeys();
    }
    await media(1280, 900, 'light');
}
async function byKeys() {
    await page.value('document.querySelector(".skip").focus()');
    const seen = [];
    for (let i = 0; i < 12 && !seen.includes('shops'); i++) {
        await page.key('Tab', 9);
        seen.push(await page.value('document.activeElement.dataset.example ||' +
                                   ' document.activeElement.id'));
    }
    check('Tab reaches files and examples', seen.includes('pick') &&
          seen.includes('shops'), seen.join(' '));
    await page.value('$("answer").hidden = true');
    await page.key('Enter', 13, '\r');
    await page.until(DONE);
    same('the results have the focus then',
         await page.value('document.activeElement.id'), 'results');
    const {nodes} = await page.tab('Accessibility.getFullAXTree');
    const controls = nodes.filter(n => !n.ignored && n.role &&
        /^(button|link|textbox|combobox|radio|checkbox|progressbar|img)$/
            .test(n.role.value));
    const nameless = controls.filter(n => !n.name || !n.name.value);
    check('every control has a name', controls.length > 20 &&
          nameless.length === 0, nameless.map(n => n.role.value).join(' '));
    check('news are told', nodes.some(n => n.role?.value === 'status') &&
          await page.value('$("error").getAttribute("role") === "alert"'));
}

/* Light and dark, wide and narrow: pictures to look at. */
async function looks() {
    await media(1280, 900, 'light');
    await page.screenshot(at('light.png'));
    const light = await page.value('getComputedStyle(document.body)' +
                                   '.backgroundColor');
    await media(1280, 900, 'dark');
    await page.screenshot(at('dark.png'));
    check('dark is dark', light !== await page.value(
        'getComputedStyle(document.body).backgroundColor'));
    same('so is the picture', await page.value('getComputedStyle(document.' +
        'querySelector("figure div").shadowRoot.querySelector("rect.b")).fill'),
        'rgb(21, 24, 29)');
    await media(390, 844, 'light', 2);
    await page.screenshot(at('phone.png'));
    check('the picture is whole', await page.value('(() => { const r = ' +
        'document.querySelector("figure div").shadowRoot.querySelector("svg")' +
        '.getBoundingClientRect(); return r.left >= 0 && ' +
        'r.right <= 390; })()'));
    check('a phone shows it without scrolling sideways', await page.value(
        'document.documentElement.scrollWidth <= 390'),
        await page.value('document.documentElement.scrollWidth'));
    await media(1280, 900, 'light');
}

/* The page may not reach anything; nor did it. */
async function apart(asked) {
    same('nothing was asked for but the page', asked.filter(u =>
        !/^(file|blob|data):/.test(u)).join(' '), '');
    same('no connection is allowed', await page.value(
        'fetch("https://example.org").then(() => "open", () => "closed")'),
        'closed');
}

async function all() {
    const c = browser.start(at('profile'));
    try {
        const asked = [];
        await c.call('Browser.setDownloadBehavior',
                     {behavior: 'allow', downloadPath: at('down')});
        page = await c.open(pathToFileURL(path.join(build, 'web/index.html'))
                                .href, asked);
        await media(1280, 900, 'light');
        await page.until('document.body.classList.contains("ready")');
        await page.screenshot(at('first.png'));
        await accessible('the first page');
        await exampleIsTheProgram('shops', 'north');
        await modelAsC();
        await accessible('an answer');
        await exampleIsTheProgram('texts', 'text1');
        await exampleIsTheProgram('transfer', 'bridge3');
        await page.screenshot(at('transfer.png'));
        for (const test of [dropped, names, twins, badFile, columns, rows,
                            someColumns, single, hollow, numbers, texts,
                            questions, options, cancelled, keyboard, looks,
                            large, memory])
            await test();
        same('no script failed', page.errors.join('\n'), '');
        await apart(asked);
    } finally {
        await c.close();
    }
}

fs.rmSync(room, {recursive: true, force: true});
for (const d of ['own', 'down'])
    fs.mkdirSync(at(d), {recursive: true});
mtc(['generate', 'blobs', '--out', '.']);
mtc(['generate', 'text', '--n', '1500', '--out', 'long']);
for (const i of [1, 2])
    fs.renameSync(at('long', `text${i}.svm`), at(`long${i}.svm`));
fs.writeFileSync(at('half.csv'), 'visits,size,more\n' +
    Array.from({length: 60}, (_, i) => `${i % 2 * 9 + i % 4},${i % 2 * 8},` +
        `${i * i % 7}\n`).join(''));
const prose = i => (i % 2 ? 'The cat and the kitten sleep'
    : 'Our ship sails on the sea') + ` on day ${'abcdefg'[i % 7].repeat(3)} ` +
    `again, ${String.fromCharCode(97 + i % 26).repeat(2 + i / 26)}`;
fs.writeFileSync(at('reviews.csv'), 'name,note\n' + Array.from({length: 40},
    (_, i) => `No. ${i},"${prose(i)}, it is said"\n`).join(''));
for (let i = 0; i < 40; i++) {
    const folder = at('mails', i % 2 ? 'cats' : 'ships');
    fs.mkdirSync(folder, {recursive: true});
    fs.writeFileSync(path.join(folder, `${i}.txt`), prose(i));
}
fs.writeFileSync(at('bad.csv'), 'a,b\n1,2\n3\n5,6\n');
fs.writeFileSync(at('own.csv'), 'customer,visits,basket,city,size\n' +
    Array.from({length: 60}, (_, i) => `No. ${i},${i % 2 * 9 + i % 5},` +
        `${i === 7 ? 'four' : i},${'RPO'[i % 3]},${i === 9 ? '' : i % 2 * 8}\n`)
        .join(''));
all().then(() => {
    console.log(`web: ${passed} passed, ${failed} failed`);
    process.exitCode = failed > 0 ? 1 : 0;
}, e => {
    console.log('web: FAILED: ' + e.stack);
    process.exitCode = 1;
});
