/* SPDX-License-Identifier: MIT
 *
 * page.js - the page around the program
 *
 * It asks the program itself (`mtc help ...`) for its methods and options,
 * makes a form of them and a command line of the form, lets the worker run
 * that over the files, and shows what was printed and written.  So the page
 * knows no method, and a new one is in it as soon as the program has it.
 */
'use strict';

const $ = id => document.getElementById(id);

/* An element; attributes that are functions listen, the rest is inside. */
function make(tag, attributes = {}, ...inside) {
    const e = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes))
        if (typeof value === 'function')
            e.addEventListener(name, value);
        else if (value !== false)
            e.setAttribute(name, value === true ? '' : value);
    e.append(...inside);
    return e;
}

/* ---- the program, in a worker: a run at a time ---- */

function unpack() {
    const packed = atob($('program').textContent.trim());
    $('program').remove();
    return WebAssembly.compile(
        unlzma(Uint8Array.from(packed, c => c.charCodeAt(0))));
}
/* after the page has been drawn once */
const compiled = new Promise(go => setTimeout(go, 0)).then(unpack);

const scriptOf = id => URL.createObjectURL(new Blob([$(id).textContent],
                                              {type: 'text/javascript'}));
const script = scriptOf('worker'), rowsScript = scriptOf('rows-worker');
function engine() {
    let worker = null, runs = 0;
    const waiting = new Map();              /* by number of the run */

    function start() {
        worker = new Worker(script);
        worker.onmessage = ({data}) => {
            const run = waiting.get(data.id);
            if (data.out === undefined) {
                run.told(data);
                return;
            }
            waiting.delete(data.id);
            data.out.files = new Map(data.out.files);
            run.done(data.out);
        };
        worker.onerror = e => {             /* such as: no memory at all */
            stop(String(e.message || 'the worker stopped'));
        };
    }
    /* Ends what is under way; a new worker comes with the next run. */
    function stop(reason) {
        if (worker !== null)
            worker.terminate();
        worker = null;
        for (const run of waiting.values())
            run.done({status: reason ? 134 : 130, broken: reason || null,
                      stdout: '', stderr: '', files: new Map()});
        waiting.clear();
    }
    async function run(args, files = [], told = () => {}) {
        const module = await compiled;
        if (worker === null)
            start();
        return new Promise(done => {
            const id = ++runs;
            waiting.set(id, {done, told});
            worker.postMessage({id, module, args: ['mtc', ...args], files});
        });
    }
    return {run, stop};
}
const program = engine();
const guide = engine();                     /* answers while that one works */

/* ---- what the program says of itself ---- */

const helps = new Map();
function helpOn(topic) {                    /* a promise of its text */
    if (!helps.has(topic))
        helps.set(topic, guide.run(['help', topic]).then(r => r.stdout));
    return helps.get(topic);
}

/* The methods of a command: name, summary, of the papers' comparisons or
 * not. */
function methodsIn(help) {
    const found = [];
    let compared = false;
    for (const line of help.split('\nMethods (')[1].split('\n')) {
        const m = /^ {2}(\w+) +(\S.*)$/.exec(line);
        compared = compared || line.startsWith('Systems ');
        if (m !== null)
            found.push({name: m[1], summary: m[2], compared});
    }
    return found;
}

/* The options in a help text: name, what it takes, default, explanation. */
function optionsIn(help) {
    const found = new Map();
    let last = null;
    for (const line of help.split('\n')) {
        const m = /^ {2}--([a-z0-9-]+)(?: (\S.*))?$/.exec(line);
        const more = /^ {6}(\S.*)$/.exec(line);
        if (m !== null) {
            const rest = (m[2] || '').split(/ {2,}/);
            const by = rest.find(r => r.startsWith('(default '));
            last = {name: m[1], takes: rest[0],
                    standard: by ? by.slice(9, -1) : '',
                    text: rest.slice(1).filter(r => r !== by).join(' ')};
            found.set(m[1], last);
        } else if (more !== null && last !== null)
            last.text += (last.text ? ' ' : '') + more[1];
        else
            last = null;
    }
    return found;
}

/* ---- the files ---- */

const ROLES = ['source', 'target', 'bridge', 'view1', 'view2', 'known'];
const MOST_FILES = 100;
const HEAD = 1 << 18;                       /* bytes that the page looks at */
const files = [];                           /* see fileFrom */
let options = new Map();                    /* of what is chosen */

function sizeInWords(n) {
    return n < 1000 ? n + ' B' : n < 1e6 ? (n / 1e3).toFixed(0) + ' KB'
                                         : (n / 1e6).toFixed(1) + ' MB';
}

/* What the program calls a file in its outputs; a model has no place there. */
const taskName = name => name.endsWith('.json') ? name
    : name.replace(/(.)\.[^.]*$/s, '$1');

/* A name that no other file has, of whatever ending, and that is no option. */
function freshName(name) {
    const [, stem, ending] = /^(.*?)(\.[^.]*)?$/s.exec(
        name.replace(/[\/\\\r\n]/g, '_').replace(/^-/, '_'));
    let fresh = stem + (ending || '');
    for (let i = 2; files.some(f => taskName(f.name) === taskName(fresh)); i++)
        fresh = `${stem}-${i}${ending || ''}`;
    return fresh;
}

/* A file of the list.  Its bytes stay where they are: the workers read them,
 * and the page has no more than the first of them. */
async function fileFrom(name, blob, made = false) {
    const head = new Uint8Array(await blob.slice(0, HEAD).arrayBuffer());
    return {name, blob, head, made, role: ''};
}

async function addFiles(list) {
    const unread = [];
    if (files.length + list.length > MOST_FILES) {
        showError(`Nothing was added: ${files.length + list.length} files ` +
                  `are more than the ${MOST_FILES} that the page takes. ` +
                  'Texts can be more, in one folder.');
        return;
    }
    for (const f of list)
        try {
            files.push(await fileFrom(freshName(f.name), f));
        } catch (e) {
            unread.push(`${f.name}: cannot be read (a folder?)`);
        }
    settleRoles();
    showFiles();
    await lookAgain();
    if (unread.length > 0)
        showError(unread.join('\n'));
}

/* Files that came or went are shown before anything is run. */
function lookAgain() {
    $('answer').hidden = true;
    $('welcome').hidden = files.length > 0;
    $('answer').before($('look'));
    $('look').open = true;
    showError('');
    looked = look();
    return looked;
}

/* In a transfer each file has a role; the last one is the target unless one
 * was chosen. */
function roles() {
    return command() === 'transfer' ? ROLES.filter(r => options.has(r)) : [];
}
function settleRoles() {
    const can = roles();
    for (const f of files)
        if (!can.includes(f.role))
            f.role = '';
    const rest = files.filter(f => f.role === '');
    if (rest.length > 0 && can.length > 0 &&
        !files.some(f => f.role === 'target'))
        rest.pop().role = 'target';
    for (const f of rest)
        f.role = can.includes('bridge') &&
                 files.some(g => g.role === 'source') ? 'bridge' : 'source';
}

function showFiles() {
    const words = {view1: 'first view', view2: 'second view',
                   known: 'known labels'};
    $('files').replaceChildren(...files.map((f, i) => {
        const item = make('li', {}, make('span', {class: 'name'}, f.name),
                          make('span', {class: 'size'},
                               sizeInWords(f.blob.size)));
        if (roles().length > 0) {
            const role = make('select', {'aria-label': `Role of ${f.name}`,
                change: () => { f.role = role.value; showReady(); }},
                ...roles().map(r => make('option',
                    {value: r, selected: r === f.role}, words[r] || r)));
            item.append(role);
        }
        item.append(make('button', {type: 'button', class: 'remove',
            'aria-label': `Remove ${f.name}`, click() {
                files.splice(i, 1);
                showFiles();
                lookAgain();
                (document.querySelectorAll('#files .remove')[
                    Math.min(i, files.length - 1)] || $('pick')).focus();
            }}, '\u00d7'));
        return item;
    }));
    fillFileChoices();
    showReady();
}

/* ---- the form ---- */

const MAIN = ['k', 'preprocess', 'seed'];   /* fields that are always shown */
const OURS = ['json', 'svg', 'out', 'save', 'quiet', 'jobs', ...ROLES];
let fields = [];                            /* of "more options" */
let summaries = new Map();                  /* of methods, by name */

function command() {
    return document.querySelector('[name=command]:checked').value;
}
function hasMethods() {
    return command() === 'cluster' || command() === 'transfer';
}

/* The methods of the command; auto first.  Whoever has changed his mind by
 * the time of the answer does not see it; here and below. */
async function showMethods(wanted) {
    const asked = command(), help = await helpOn(asked);
    if (asked !== command())
        return;
    const found = methodsIn(help);
    const start = wanted || (found.some(m => m.name === 'auto') ? 'auto' : '');
    summaries = new Map(found.map(m => [m.name, m.summary]));
    found.sort((a, b) => (b.name === 'auto') - (a.name === 'auto'));
    const choices = list => list.map(m =>
        make('option', {value: m.name, selected: m.name === start}, m.name));
    $('method').replaceChildren(...choices(found.filter(m => !m.compared)),
        make('optgroup', {label: 'What papers compare with'},
             ...choices(found.filter(m => m.compared))));
}

/* A field for an option of the program; `value()` is what was chosen, or ''
 * for the default. */
function fieldOf(o) {
    const id = 'option-' + o.name;
    const choice = /^[^ ]*\|/.test(o.takes) && !/[A-Z]/.test(o.takes);
    let input;
    if (o.takes === '')
        input = make('input', {id, type: 'checkbox'});
    else if (choice)
        input = make('select', {id}, make('option', {value: ''},
                     o.standard || 'default'),
            ...o.takes.split('|').filter(w => w !== o.standard)
                .map(w => make('option', {value: w}, w)));
    else if (/^FILE(\.csv)?$/.test(o.takes))
        input = make('select', {id, class: 'of-files'});
    else
        input = make('input', {id, placeholder: o.standard || o.takes});
    input.setAttribute('aria-describedby', id + '-text');
    const text = make('p', {class: 'hint', id: id + '-text'}, o.text);
    const row = make('div', {class: 'option'},
                     make('label', {for: id}, '--' + o.name), input, text);
    return {name: o.name, row, input, value: () =>
        o.takes === '' ? input.checked : input.value.trim()};
}

/* Those options that take a file choose among the files. */
function fillFileChoices() {
    for (const {input} of fields)
        if (input.classList.contains('of-files')) {
            const before = input.value;
            input.replaceChildren(make('option', {value: ''}, 'none'),
                ...files.map(f => make('option',
                    {value: f.name, selected: f.name === before}, f.name)));
        }
}

const topic = () => hasMethods() ? $('method').value : command();
async function showOptions() {
    const asked = topic(), help = await helpOn(asked);
    const longer = optionsIn(await helpOn('options'));
    if (asked !== topic())
        return;
    const kept = new Map(fields.map(f => [f.name, f.value()]));
    options = optionsIn(help);
    for (const [name, o] of options)
        if (longer.has(name) && longer.get(name).text.length > o.text.length)
            o.text = longer.get(name).text;
    $('method-field').hidden = !hasMethods();
    $('about').textContent = hasMethods()
        ? summaries.get(asked).replace(/ \*$/, '') + '.' : '';
    showMemory();
    $('manual-text').textContent = help.split(/\n(Options|Example)/)[0];
    $('manual').querySelector('summary').textContent = hasMethods()
        ? 'About this method' : 'What it tells';
    for (const e of document.querySelectorAll('[data-option]'))
        e.hidden = !options.has(e.dataset.option);
    $('preprocess').options[0].textContent = options.has('preprocess') &&
        /auto/.test(options.get('preprocess').takes) ? 'automatic' : 'default';
    $('k').placeholder = options.has('k') &&
                         options.get('k').takes.includes('auto') ? 'auto' : '';
    fields = Array.from(options.values())
        .filter(o => !MAIN.includes(o.name) && !OURS.includes(o.name) &&
                     !/^FILE.*(,|\.\.\.)/.test(o.takes))
        .map(fieldOf);
    fillFileChoices();
    for (const f of fields) {
        const before = kept.get(f.name);
        if (before === true)
            f.input.checked = true;
        else if (before && (f.input.tagName !== 'SELECT' ||
                 Array.from(f.input.options).some(o => o.value === before)))
            f.input.value = before;
    }
    $('more-options').replaceChildren(...fields.map(f => f.row));
    settleRoles();
    showFiles();
}

/* What the method keeps, before it is run. */
const memoryWords = () => memoryInWords(topic(),
    files.map(f => rowCounts.get(f.name) || 0).filter(n => n > 0));
function showMemory() {
    $('memory').textContent = memoryWords();
}
const isTooMuch = () => bytesForPairs(topic(),
    files.map(f => rowCounts.get(f.name) || 0)) > PAGE_BYTES;

/* The words of the command line: what the form says, then the outputs. */
function commandLine(save = true) {
    const words = [command()], used = new Set(), given = [];
    if (hasMethods())
        words.push($('method').value);
    for (const name of MAIN)
        if (options.has(name) && $(name).value.trim() !== '')
            given.push('--' + name, $(name).value.trim());
    for (const f of fields) {
        const value = f.value();
        if (value === true)
            given.push('--' + f.name);
        else if (value)
            given.push('--' + f.name, value);
        if (f.input.classList.contains('of-files'))
            used.add(value);
    }
    for (const [option, value] of columnOptions())
        if (options.has(option) && (command() !== 'assign' ||
                                    ['text', 'id'].includes(option)) &&
            !fields.some(f => f.name === option && f.value()))
            given.push('--' + option, value);
    const free = files.filter(f => !used.has(f.name));
    for (const role of roles()) {
        const its = free.filter(f => f.role === role).map(f => f.name);
        if (its.length > 0)
            words.push('--' + role, ...its);
    }
    if (roles().length === 0)               /* of assign: the model first */
        words.push(...free.map(f => f.name).sort((a, b) =>
            command() === 'assign' && b.endsWith('.json') -
                                      a.endsWith('.json')));
    for (const [option, name] of [['svg', 'picture.svg'],
                                  ['json', 'result.json'], ['out', 'labels'],
                                  ['save', 'model.json']])
        if (options.has(option) && (save || option !== 'save'))
            given.push('--' + option, name);
    return [...words, ...given];
}
function quoted(word) {
    return /^[\w.,:=+\/@%-]+$/.test(word) ? word
                                  : "'" + word.replace(/'/g, "'\\''") + "'";
}
function showReady() {
    $('run').disabled = files.length === 0 || busy;
}

/* ---- a run ---- */

let busy = false;

function say(text) {
    $('status').textContent = text;
}
/* What went wrong, as the program has it. */
function showError(text) {
    const lines = text.split('\n').filter(l => !/^See `mtc help/.test(l));
    $('error').replaceChildren(...(text === '' ? [] : [make('p', {},
        lines.join('\n').trim().replace(/^mtc: /, ''))]));
    if (fields.some(f => text.includes('--' + f.name)))
        $('more').open = true;              /* what would help is there */
}
function showBusy(on) {
    busy = on;
    $('working').hidden = !on;
    $('run').hidden = on;
    $('bar').removeAttribute('value');
    $('stage').textContent = 'Working';
    $('doing').hidden = !on;
    $('doing-bar').removeAttribute('value');
    $('doing-text').textContent = 'Starting.';
    document.body.classList.toggle('busy', on);
    showReady();
    (on ? $('cancel') : $('run')).focus();
}
/* What is under way, and for how long. */
function questionInWords() {
    const words = {cluster: 'Clustering', transfer: 'Transfer',
                   choose: 'The choice of a number', relate: 'A comparison',
                   compare: 'A trial of methods', assign: 'Labeling'};
    return words[command()] +
           (hasMethods() ? ` by ${$('method').value}` : '');
}
function countSeconds() {
    const began = performance.now();
    const tell = () => {
        const s = Math.floor((performance.now() - began) / 1000);
        $('doing-time').textContent = `${s} s so far. The page can be used ` +
                                      'meanwhile.';
    };
    tell();
    return setInterval(tell, 1000);
}

/* Standard error without the lines of progress. */
const messages = text => text.split('\n').map(l => l.split('\r').pop().trim())
                             .filter(l => l !== '');

function fail(text) {
    say('');
    $('look').open = true;
    showError(text);
    $('error').scrollIntoView({block: 'nearest'});
}

async function run() {
    if (busy || files.length === 0)
        return;
    showError('');
    say(`${questionInWords()} of ${files.length === 1 ? files[0].name
        : files.length + ' files'} is under way.`);
    $('welcome').hidden = true;
    $('answer').hidden = true;
    $('look').open = false;
    showBusy(true);
    const clock = countSeconds();
    await looked;
    showError('');
    if (isTooMuch()) {
        clearInterval(clock);
        showBusy(false);
        fail(memoryWords());
        return;
    }
    const began = performance.now();
    const its = files.map(f => [f.name, f.blob]);
    const told = ({stage, percent, left}) => {
        $('bar').value = percent;
        $('bar').textContent = percent + ' %';
        $('stage').textContent = `${stage}${left ? ', ' + left : ''}`;
        $('doing-bar').value = percent;
        $('doing-text').textContent = `${stage}: ${percent} %` +
                                      (left ? `, ${left}` : '');
    };
    const bare = commandLine(false);
    let args = commandLine(), unsaved = '';
    let out = await program.run(args, its, told);
    if (out.status === 2 && /--save/.test(out.stderr)) {
        unsaved = messages(out.stderr)[0].replace(/^mtc: /, '');
        args = bare;
        out = await program.run(args, its, told);
    }
    clearInterval(clock);
    showBusy(false);
    if (out.status === 130) {
        say('Cancelled: nothing was written.');
        $('look').open = true;
    } else if (out.status !== 0)
        fail(out.broken === null
            ? shortOfMemory(messages(out.stderr).join('\n'))
            : `The program broke down: ${out.broken}`);
    else {
        const time = (performance.now() - began) / 1000;
        say(`Done in ${time < 10 ? time.toFixed(1) : time.toFixed(0)} s.`);
        $('answer').after($('look'));       /* the answer comes first now */
        await showAnswer(args, its, out, unsaved);
        $('results').focus({preventScroll: true});
        $('results').scrollIntoView({block: 'nearest'});
        if (innerWidth < 800)
            $('results').scrollIntoView();
    }
}

/* ---- the answer ---- */

/* A table of the program's text as one of the page: names may have spaces, so
 * that columns are counted from the right. */
function taskTable(lines) {
    const head = lines[0].trim().split(/ +/);
    const rows = lines.slice(1).map(line => {
        const words = line.trim().split(/ +/);
        const mean = /^mean {10,}/.test(line);
        const most = mean ? words.length - 1 : head.length - 1;
        const figures = words.slice(words.length - most);
        while (figures.length < head.length - 1)
            figures.unshift('');
        return [words.slice(0, words.length - most).join(' '), ...figures];
    });
    return table(head, rows);
}
/* Of rows of text; figures stand to the right.  The last column may be a
 * `long` text: a narrow page has it in a row of its own. */
function table(head, rows, long = false, colors = false) {
    const figure = i => i > 0 && !(long && i === head.length - 1);
    const cell = (tag, i, text) => make(tag, {
        class: figure(i) && 'figure',
        scope: tag === 'th' && (i === 0 ? 'row' : 'col')}, text);
    const line = (row, z) => {
        const cells = row.map((text, i) =>
            cell(i === 0 ? 'th' : 'td', i, text));
        if (colors)
            cells[0].prepend(make('span', {class: `dot c${z % 7}`}));
        return [make('tr', {}, ...cells), ...(long ? [make('tr',
            {class: 'below'}, make('td', {colspan: head.length - 1},
                head[head.length - 1].split(':')[0] + ' ',
                row[row.length - 1]))] : [])];
    };
    return make('div', {class: 'scroll', tabindex: 0, role: 'group',
                        'aria-label': `Table, a row for each ${head[0]}`},
        make('table', {class: long && 'long'},
            make('thead', {}, make('tr', {}, ...head.map((h, i) =>
                make('th', {scope: 'col', class: figure(i) && 'figure'}, h)))),
            make('tbody', {}, ...rows.flatMap(line))));
}

/* A heading "NAME: silhouette ..." and its clusters. */
function clusterTable(lines) {
    const more = /differs in: (.*)$/.exec(lines[1]);
    const head = lines[1].split(' differs in:')[0].trim().split(/ +/);
    if (more !== null)
        head.push(`differs in: ${more[1]}`);
    const rows = lines.slice(2).map(line => {
        const m = /^ *(.*?) +(\d+) +([\d.]+ ?%) +(\S+) *(.*)$/.exec(line);
        return m === null ? [line.trim()] : m.slice(1, head.length + 1);
    });
    return [make('h3', {}, lines[0]), table(head, rows, more !== null, true)];
}

/* The program's text: what is a table becomes one, the rest stays as it is. */
function textParts(text) {
    const parts = [];
    for (const block of text.replace(/\n+$/, '').split('\n\n')) {
        let lines = block.split('\n');
        if (/^task +n +d +k/.test(lines[0])) {
            const columns = lines[0].trim().split(/ +/).length - 1;
            const figures = new RegExp(`( +[-+.e0-9]+){${columns}}$`);
            let end = lines.findIndex((l, i) => i > 0 && !figures.test(l) &&
                                                !/^mean {10,}/.test(l));
            end = end > 0 ? end : lines.length;
            parts.push(taskTable(lines.slice(0, end)));
            lines = lines.slice(end);
        }
        if (lines.length > 1 && /^ +(cluster|class) +size/.test(lines[1])) {
            let end = lines.findIndex((l, i) => i > 1 && !/^ /.test(l));
            end = end > 0 ? end : lines.length;
            parts.push(...clusterTable(lines.slice(0, end)));
            lines = lines.slice(end);
        }
        if (lines.length > 0 && lines.every(l => !/\S {2,}\S/.test(l)))
            parts.push(make('p', {class: 'text'}, lines.join('\n')));
        else if (lines.length > 0)
            parts.push(make('pre', {tabindex: 0, role: 'group',
                'aria-label': 'Figures'}, lines.join('\n')));
    }
    return parts;
}

/* Marks of samples are lines of their own in the picture; there may be
 * thousands.  They are taken out and put in some at a time, so that the page
 * answers meanwhile.  Gives the picture and what puts in the next of them. */
const MARKS_AT_ONCE = 300;
function pictureInPieces(text) {
    const parsed = inside => new DOMParser()
        .parseFromString(inside, 'image/svg+xml').documentElement;
    const runs = [];
    const bare = text.replace(/(^<path d=.*<\/path>\n)+/gm, marks => {
        const lines = marks.split('\n').slice(0, -1);
        for (let i = 0; i < lines.length; i += MARKS_AT_ONCE)
            runs.push(lines.slice(i, i + MARKS_AT_ONCE).join('\n'));
        return `<g id="run${runs.length}"/>\n`;
    });
    const svg = parsed(bare), ends = Array.from(svg.querySelectorAll('[id]'));
    let done = 0;
    const more = () => {
        if (done === runs.length)
            return false;
        const marks = parsed('<svg xmlns="http://www.w3.org/2000/svg">' +
                             runs[done++] + '</svg>');
        ends[0].before(...Array.from(marks.children));
        if (ends[0].id === `run${done}`)
            ends.shift().remove();
        return done < runs.length;
    };
    return {svg, more};
}

/* The picture has its own style sheet: a root of its own keeps it in. */
async function picture(blob) {
    const {svg, more} = pictureInPieces(await blob.text());
    const figure = make('figure', {class: 'scroll', tabindex: 0,
                                   'aria-label': 'Picture'});
    const inside = make('div', {click(e) {
        const mark = e.composedPath().find(p => p.tagName === 'path');
        const its = mark && mark.querySelector('title');
        if (its)
            told.textContent = its.textContent;
    }});
    const told = make('p', {class: 'hint', role: 'status'});
    const larger = make('button', {type: 'button', class: 'button larger',
        'aria-pressed': 'false', click() {
            const on = figure.classList.toggle('wide-picture');
            larger.setAttribute('aria-pressed', String(on));
        }}, 'Larger');
    svg.setAttribute('style', 'display:block;max-width:100%;height:auto;' +
                     'min-width:var(--least,0)');
    inside.attachShadow({mode: 'open'}).append(document.adoptNode(svg));
    figure.append(inside, told, larger);
    const fill = async () => {
        while (more() && !busy)
            await pause();
    };
    more();
    return {figure, fill};
}

let urls = [];                              /* of the files offered */
function link(name, blob) {
    const url = URL.createObjectURL(blob);
    urls.push(url);
    return make('a', {class: 'file', href: url, download: name}, name);
}

/* labels/NAME.csv would be taken for NAME.csv, the input, once it is saved. */
function downloads(out, unsaved) {
    const list = make('ul', {id: 'downloads', 'aria-label': 'Downloads'});
    const add = (...inside) => list.append(make('li', {}, ...inside));
    for (const [path, blob] of out.files) {
        const name = path.replace(/^labels\//, '');
        if (path.startsWith('labels/') && name.endsWith('.csv'))
            add(link(name.replace(/\.csv$/, '.labels.csv'), blob));
        else
            add(link(name, blob));
    }
    for (const f of files.filter(g => g.made))
        add(link(f.name, f.blob));
    add(link('report.txt', new Blob([out.stdout])));
    if (out.files.has('model.json'))
        addExport(out.files.get('model.json'), add);
    else if (unsaved)
        add(make('span', {class: 'hint'}, 'no model: ' + unsaved));
    return list;
}

/* The model as C, where the program can write it. */
async function addExport(model, add) {
    if (!/^ *mtc export/m.test((await guide.run(['help'])).stdout))
        return;
    const button = make('button', {type: 'button', async click() {
        const out = await program.run(['export', 'model.json', '--c', 'model',
                                       '--out', 'c'], [['model.json', model]]);
        const made = Array.from(out.files).filter(([p]) => p.startsWith('c/'));
        if (out.status !== 0)
            button.replaceWith(make('span', {class: 'hint'},
                messages(out.stderr).join(' ').replace(/^mtc: /, '')));
        else {
            const its = made.map(([p, blob]) => link(p.slice(2), blob));
            button.replaceWith(...its);
            its[0].focus();
            say('The model as C is ready.');
        }
    }}, 'model as C');
    add(button);
}

/* What the run remarked: by its JSON, or as it was printed. */
function notesOf(out) {
    return out.notices !== undefined ? out.notices.map(noticeInWords)
        : messages(out.stderr).map(n => n.replace(/^mtc: /, ''));
}

/* A piece at a time, so that the page answers meanwhile. */
const pause = () => new Promise(go => setTimeout(go, 10));
async function showAnswer(args, inputs, out, unsaved) {
    urls.forEach(url => URL.revokeObjectURL(url));
    urls = [];
    const parts = textParts(out.stdout), notes = notesOf(out);
    const title = document.querySelector('[name=command]:checked + span');
    const first = parts.length > 0 && parts[0].matches('p.text')
        ? [parts.shift()] : [];
    first.forEach(p => {
        p.className = 'verdict';
        p.textContent = p.textContent.replace(/\n/g, ' ');
    });
    const drawn = out.files.has('picture.svg')
        ? [await picture(out.files.get('picture.svg'))] : [];
    await pause();
    const rows = await rowsTable(out, inputs);
    await pause();
    const taken = downloads(out, unsaved);
    await pause();
    if (busy)                               /* with the next run already */
        return;
    $('h-results').textContent = title.textContent;
    $('answer').replaceChildren(...first, ...drawn.map(d => d.figure),
        ...(notes.length === 0 ? [] : [make('ul', {class: 'notes',
            'aria-label': 'Notes'},
            ...notes.map(n => make('li', {}, n)))]),
        ...rows,
        make('div', {id: 'sizes'}, ...parts),
        make('h3', {}, 'Take with you'), taken,
        make('h3', {}, 'The same on a command line'),
        make('pre', {id: 'command', tabindex: 0, role: 'group',
                     'aria-label': 'Command line'},
             ['mtc', ...args].map(quoted).join(' ')));
    $('answer').hidden = false;
    drawn.forEach(d => d.fill());
}

/* ---- examples ---- */

/* Customers of a shop: three kinds, a little other in each shop. */
function shop(seed, n, shift) {
    let state = seed, rows = 'visits,basket,age,evenings\n';
    const uniform = () => {
        state = (state * 1103515245 + 12345) % 2147483648;
        return state / 2147483648;
    };
    const normal = () => uniform() + uniform() + uniform() + uniform() - 2;
    const kinds = [[2, 80, 52, .15], [9, 14, 24, .75], [5, 38, 38, .4]];
    for (let i = 0; i < n; i++) {
        const [visits, basket, age, evenings] = kinds[i % 3];
        rows += [visits + 1.1 * normal() + shift,
                 basket + 9 * normal() - 4 * shift, age + 6 * normal(),
                 Math.min(Math.max(evenings + .14 * normal(), 0), 1)]
            .map(x => x.toFixed(2)).join(',') + '\n';
    }
    return new Blob([rows]);
}
/* What `mtc generate` writes. */
async function generated(name, n) {
    const out = await program.run(['generate', name, '--out', '.']);
    return Promise.all(Array.from(out.files).slice(0, n)
        .map(([path, blob]) => fileFrom(path, blob)));
}
const examples = {
    shops: {command: 'cluster', method: 'auto', preprocess: '',
            files: () => Promise.all([
                fileFrom('north.csv', shop(7, 150, 0)),
                fileFrom('south.csv', shop(11, 120, .8))])},
    texts: {command: 'cluster', method: 'auto', preprocess: 'tfidf',
            files: () => generated('text', 2)},
    transfer: {command: 'transfer', method: 'ttl', preprocess: '',
               files: () => generated('bridge', 3)}
};
async function showExample(name) {
    const e = examples[name];
    if (busy)
        return;
    files.splice(0, files.length, ...await e.files());
    await lookAgain();
    document.querySelector(`[value=${e.command}]`).checked = true;
    $('form').querySelectorAll('#k, #seed').forEach(f => { f.value = ''; });
    $('preprocess').value = e.preprocess;
    fields = [];
    await showMethods(e.method);
    await showOptions();
    await run();
}

/* ---- what the user does ---- */

async function commandChanged() {
    if (hasMethods())
        await showMethods();
    await showOptions();
}

for (const radio of document.querySelectorAll('[name=command]'))
    radio.addEventListener('change', commandChanged);
$('method').addEventListener('change', showOptions);
$('pick').addEventListener('change', async () => {
    await addFiles($('pick').files);
    $('pick').value = '';
});
$('pick-folder').addEventListener('change', async () => {
    await addChosen(Array.from($('pick-folder').files));
    $('pick-folder').value = '';
});
$('form').addEventListener('submit', e => { e.preventDefault(); run(); });
$('cancel').addEventListener('click', () => program.stop());
$('examples').addEventListener('click', e => {
    if (e.target.dataset.example)
        showExample(e.target.dataset.example);
});
addEventListener('dragover', e => {
    e.preventDefault();
    document.body.classList.add('over');
});
addEventListener('dragleave', e => {
    if (e.relatedTarget === null)
        document.body.classList.remove('over');
});
addEventListener('drop', e => {
    e.preventDefault();
    document.body.classList.remove('over');
    addDropped(Array.from(e.dataTransfer.items, droppedThing),
               Array.from(e.dataTransfer.files));
});

compiled.then(commandChanged).then(
    () => document.body.classList.add('ready'),
    e => showError('This browser cannot run the program: ' + e + '. Any of ' +
                   'the last three years can.'));
