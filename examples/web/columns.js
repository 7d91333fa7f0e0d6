/* SPDX-License-Identifier: MIT
 *
 * columns.js - what is in the user's own files, before anything is run
 *
 * `mtc describe --json` says what each column holds and what it would be; the
 * page shows that with the first rows, lets the user decide otherwise and
 * makes options of what was decided.
 */

const PARTS = {feature: 'feature', text: 'text', labels: 'label', id: 'name',
               none: 'left out'};
const SHOWN_COLUMNS = 200, SHOWN_ROWS = 5;
let columns = [];               /* of all files together, by name */
let sheets = new Map();         /* a file's separator, header, rows */
let rowCounts = new Map();      /* of a file, where they are known */
let looked = Promise.resolve(); /* until the files have been looked at */
let looks = 0;

/* ---- reading ---- */

/* The names in a table's header, or null where it has none. */
const headerNames = t => t.header ? t.columns.map(c => c.name) : null;

/* The first rows of a table, each a list of cells. */
function firstCells(file) {
    const t = sheets.get(file.name);
    const sheet = new Sheet(decoded(file.head, true), t.separator,
                            headerNames(t), SHOWN_ROWS);
    return Array.from({length: sheet.length}, (_, i) => sheet.cells(i));
}

/* The members of a .jsonl file's first objects, as describe has columns. */
function membersOf(file) {
    const found = new Map();
    const lines = decoded(file.head, true).split('\n');
    const whole = file.blob.size <= file.head.length ? lines
                                                     : lines.slice(0, -1);
    for (const line of whole.filter(l => l.trim() !== '').slice(0, 100)) {
        let object = {};
        try {
            object = JSON.parse(line);
        } catch (e) {
            break;                          /* the program says where */
        }
        for (const [name, value] of Object.entries(object)) {
            const k = found.get(name) || {name, length: 0, words: false};
            k.length += typeof value === 'string' ? value.length : 0;
            k.words = k.words || typeof value === 'string';
            found.set(name, k);
        }
    }
    const all = Array.from(found.values());
    const isLabel = k => /^(label|class|target)$/i.test(k.name);
    const isName = k => /^(id|name)$/i.test(k.name);
    const longest = all.filter(k => k.words && !isLabel(k) && !isName(k))
        .sort((a, b) => b.length - a.length)[0];
    return all.map(k => ({name: k.name, number: 0, loose: true,
        type: k.words ? 'words' : 'numbers', range: null, missing: 0,
        different: 0, why: null, faults: [], role: k === longest ? 'text'
            : isLabel(k) ? 'labels' : isName(k) ? 'id' : 'left out'}));
}

/* ---- what the columns are ---- */

const PROPOSED = {feature: 'feature', onehot: 'feature', words: 'feature',
                  text: 'text', labels: 'labels', id: 'id'};

/* Adds a file's column to that of the same name in other files. */
function mergeColumn(all, file, k) {
    const own = all.get(k.name);
    if (own === undefined) {
        all.set(k.name, {...k, numbers: [k.number], files: 1, guessed: k.role,
                         part: PROPOSED[k.role] || 'none',
                         faults: k.faults.map(f => ({...f, file}))});
        return;
    }
    own.files++;
    own.numbers.push(k.number);
    own.missing += k.missing;
    own.different = Math.max(own.different, k.different);
    own.faults.push(...k.faults.map(f => ({...f, file})));
    if (own.range !== null && k.range !== null && own.type === k.type)
        own.range = [own.range[0] < k.range[0] ? own.range[0] : k.range[0],
                     own.range[1] > k.range[1] ? own.range[1] : k.range[1]];
    if (own.type !== k.type && k.type !== 'empty') {
        own.type = own.type === 'empty' ? k.type : 'mixed';
        own.part = 'none';
    }
    if (k.why === null && own.why !== null && k.role === 'feature') {
        own.why = null;                 /* it varies in one of them */
        own.part = 'feature';
    }
}

/* One column names the samples, and all files have it; one has labels.  Texts
 * are clustered by where there are no features. */
function settleParts(files_) {
    for (const part of ['id', 'labels']) {
        const its = columns.filter(c => c.part === part);
        for (const c of its.slice(1))
            c.part = 'none';
    }
    if (!columns.some(c => c.part === 'feature' || c.part === 'text'))
        for (const c of columns.filter(k => k.why === 'texts'))
            c.part = 'text';            /* there is nothing else to go by */
    for (const c of columns) {
        if (c.files < files_ && c.part !== 'labels') {
            c.part = 'none';
            c.some = true;
        }
        c.first = c.part;
    }
}

/* Looks at the files; whoever adds another meanwhile sees that one, too. */
async function look() {
    const turn = ++looks;
    const plain = files.filter(f => !/\.(json|jsonl)$/i.test(f.name));
    const lines = files.filter(f => /\.jsonl$/i.test(f.name));
    const all = new Map();
    let said = {tasks: [], notices: []};
    columns = [];
    sheets = new Map();
    rowCounts = new Map();
    showColumns([]);
    if (plain.length > 0) {
        say('Looking at the files.');
        const out = await guide.run(['describe', '--json', '-',
            ...plain.map(f => f.name)], plain.map(f => [f.name, f.blob]));
        if (turn !== looks)
            return;
        if (out.status !== 0) {
            say('');
            showError(out.broken || messages(out.stderr).join('\n'));
            return;
        }
        said = JSON.parse(out.stdout);
    }
    sheets = new Map(said.tasks.filter(t => t.columns.length > 0)
                               .map(t => [t.file, t]));
    rowCounts = new Map(said.tasks.map(t => [t.file, t.n]));
    for (const t of said.tasks)
        t.columns.forEach(k => mergeColumn(all, t.file, k));
    for (const f of lines)
        membersOf(f).forEach(k => mergeColumn(all, f.name, k));
    columns = Array.from(all.values());
    settleParts(sheets.size + lines.length);
    say(filesInWords(said.tasks));
    showColumns(said.notices);
    showMemory();
}

function filesInWords(tasks) {
    const rows = tasks.map(t => `${t.file}: ${t.n} rows`);
    return `${files.length} ${files.length === 1 ? 'file' : 'files'} loaded` +
           (rows.length > 0 && rows.length < 5 ? ` (${rows.join(', ')}).`
                                               : '.');
}

/* ---- what was decided, as options ---- */

/* A comma parts the names of a list, and letters that are not UTF-8 come as
 * question marks; a number has neither. */
const listed = list => list.map(c => /[,?\ufffd]/.test(c.name)
    ? String(c.numbers[0]) : c.name).join(',');
const isWords = c => c.type === 'words' || c.type === 'mixed';
const isDate = c => c.type === 'dates';

/* Pairs of option and value; none where the program would do it anyway. */
function columnOptions() {
    const those = part => columns.filter(c => c.part === part);
    const features = those('feature').filter(c => !c.loose);
    const texts = those('text'), labels = those('labels');
    const dated = features.some(isDate), found = [];
    const add = (option, list) => {
        if (list.length > 0)
            found.push([option, listed(list)]);
    };
    add('text', texts);
    add('id', those('id'));
    if (labels.length > 0 && labels[0].guessed !== 'labels')
        add('labels', labels);
    if (labels.length === 0 && columns.some(c => c.guessed === 'labels'))
        found.push(['labels', 'none']);
    add('onehot', features.filter(c => c.type === 'words'));
    if (dated)
        found.push(['dates', 'days']);
    if (texts.length > 0 || features.some(c => c.why !== null && !isDate(c)))
        add('use', features.filter(c => c.type !== 'words'));
    else
        add('drop', those('none').filter(c => !c.loose &&
            (!c.some || isWords(c)) && c.guessed !== 'index' &&
            (c.why === null || c.type === 'empty' || (dated && isDate(c)))));
    if (columns.some(c => c.some && !c.loose))
        found.push(['match', 'common']);
    if (features.some(c => c.missing > 0))
        found.push(['missing', 'mean']);
    return found;
}

/* ---- on the page ---- */

/* Notices in the page's words, by the columns and whether there are several;
 * others lose what names an option. */
const NOTICES = {
    index: c => `${c} only counts the rows, so it is left out.`,
    id: (c, many) => many ? `${c} only number the rows, so they are left out.`
                          : `${c} only numbers the rows, so it is left out.`,
    'id-repeats': (c, many) => many
        ? `${c} are named like identifiers, but values repeat, so they are ` +
          'used.'
        : `${c} is named like an identifier, but values repeat, so it is used.`,
    ascending: (c, many) => many
        ? `${c} ascend from row to row. Leave them out if they only number ` +
          'the rows.'
        : `${c} ascends from row to row. Leave it out if it only numbers the ` +
          'rows.',
    code: (c, many) => many
        ? `${c} have numbers that begin with 0. Leave them out if they are ` +
          'codes.'
        : `${c} has numbers that begin with 0. Leave it out if these are codes.`,
    'same-name': c => `Some of ${c} share a name in the file, and are told ` +
                      'apart by a number.',
    constant: (c, many) => many
        ? `${c} are the same in every row, so they are left out.`
        : `${c} is the same in every row, so it is left out.`,
    dates: (c, many) => many ? `${c} have dates, so they are left out.`
                             : `${c} has dates, so it is left out.`,
    words: (c, many) => many
        ? `${c} have words, so they are left out. As features, each word counts.`
        : `${c} has words, so it is left out. As a feature, each word counts.`,
    texts: (c, many) => `${c} ${many ? 'have' : 'has'} texts.`,
    copies: c => `${c} are copies of one another, so what they hold counts ` +
                 'twice.',
    match: (c, many) => many
        ? `Only some files have ${c}, so these are left out.`
        : `Only some files have ${c}, so that is left out.`,
    scaled: () => 'The columns have very different scales, so each was ' +
                  'scaled to count alike.',
    unscaled: () => 'The columns have different scales and were left as ' +
                    'they are.',
    logs: (c, many) => many
        ? `${c} grow by factors, so their logarithms were taken.`
        : `${c} grows by factors, so its logarithm was taken.`,
    'stop-words': () => 'The texts were taken for English; words like "the" ' +
                        'and "of" were left out.',
    weights: () => 'Words that few texts have count more than words that ' +
                   'many have.'
};
function noticeInWords(n) {
    const last = n.columns.length - 1;
    const names = last < 1 ? n.columns.join('')
        : n.columns.slice(0, last).join(', ') + ' and ' + n.columns[last];
    const stays = n.code === 'index' && /it is a feature/.test(n.text);
    const single = /^(un)?scaled$|^logs$/.test(n.code) && files.some(f =>
        n.text.startsWith(f.name + ': '));  /* ec: each file by itself */
    if (NOTICES[n.code] && !stays && !single &&
        (names !== '' || NOTICES[n.code].length === 0))
        return NOTICES[n.code](names, n.columns.length > 1);
    const text = n.text.split(/; --|;? see --/)[0];
    const named = /^\S*\.\w+:/.test(text);  /* a file's name stays */
    return (named ? text[0] : text[0].toUpperCase()) + text.slice(1) +
           (/[.!?]$/.test(text) ? '' : '.');
}

function rangeInWords(c) {
    const short = x => typeof x === 'number' ? String(Number(x.toPrecision(6)))
                                             : x;
    return c.type === 'words' ? (c.different > 0 ? c.different + ' different'
                                                 : '')
        : c.range === null ? ''
        : `${short(c.range[0])} to ${short(c.range[1])}`;
}

/* What is wrong with the columns: a sentence for each. */
function faultsInWords(many) {
    const bad = columns.filter(c => c.type === 'mixed' && c.faults.length > 0);
    return bad.slice(0, 8).map(c => {
        const [f] = c.faults, more = c.faults.length - 1;
        const where = `line ${f.line}${many ? ' of ' + f.file : ''}`;
        return `${c.name} holds numbers, but ${where} has ` +
            `"${f.value.slice(0, 30)}", which ${f.text}` +
            (more > 0 ? `, and ${more === 1 ? 'one more line has such a value'
                                             : 'so have others'}` : '') +
            '. Correct the file to use this column.';
    }).concat(bad.length > 8 ? [`${bad.length - 8} more columns are like ` +
                                'this.'] : []);
}

/* Why a column is not used, and what will be done. */
function wordsAbout(c) {
    const found = [];
    if (c.some)
        found.push('not in all files');
    else if (c.why !== null && !isDate(c))
        found.push(c.why);
    if (c.type === 'mixed')
        found.push('not all of it is numbers');
    if (c.missing > 0 && c.part === 'feature')
        found.push('missing values become the mean');
    return found.join('; ');
}

function columnRow(c) {
    const role = make('select', {'aria-label': `Role of ${c.name}`,
        change: () => choosePart(c, role.value)},
        ...Object.entries(PARTS)
            .filter(([part]) => !c.loose || part !== 'feature')
            .map(([part, word]) =>
                make('option', {value: part, selected: part === c.part},
                     word)));
    const use = make('input', {type: 'checkbox', 'aria-label': `Use ${c.name}`,
        change: () => choosePart(c, !use.checked ? 'none'
            : c.first !== 'none' ? c.first : c.loose ? 'text' : 'feature')});
    use.checked = c.part !== 'none';
    c.show = () => {
        use.checked = c.part !== 'none';
        role.value = c.part;
        about.textContent = wordsAbout(c);
    };
    const about = make('td', {class: 'hint'}, wordsAbout(c));
    return make('tr', {}, make('td', {}, use),
        make('th', {scope: 'row'}, c.name), make('td', {}, role),
        make('td', {}, c.type), make('td', {class: 'figure'}, rangeInWords(c)),
        make('td', {class: 'figure'}, c.missing > 0 ? String(c.missing) : ''),
        about);
}

/* A column may take over what another one was. */
function choosePart(c, part) {
    for (const other of columns)
        if (other !== c && other.part === part &&
            (part === 'id' || part === 'labels')) {
            other.part = 'none';
            other.show && other.show();
        }
    c.part = part;
    c.some = c.some && part === 'none';
    c.show();
}

function firstRows(file) {
    const t = sheets.get(file.name);
    const head = t.columns.slice(0, 12).map(k => k.name);
    const short = x => x.length > 60 ? x.slice(0, 59) + '\u2026' : x;
    return [make('h3', {}, `First rows of ${file.name}`),
        make('div', {class: 'scroll', tabindex: 0, role: 'group',
                     'aria-label': `First rows of ${file.name}`},
            make('table', {}, make('thead', {}, make('tr', {},
                ...head.map(h => make('th', {scope: 'col'}, h)))),
                make('tbody', {}, ...firstCells(file).map(row =>
                    make('tr', {}, ...head.map((h, i) =>
                        make('td', {}, short(row[i] || ''))))))))];
}

/* The table of the columns; what is wrong stands above it. */
function showColumns(notices) {
    const many = files.length > 1;
    $('look').hidden = columns.length === 0;
    if (columns.length === 0) {
        $('columns').replaceChildren();
        return;
    }
    const notes = [...faultsInWords(many), ...notices.map(noticeInWords)];
    const shown = columns.slice(0, SHOWN_COLUMNS);
    if (shown.length < columns.length)
        notes.push(`The first ${shown.length} of ${columns.length} columns ` +
                   'are shown; the others are used as proposed.');
    if (!columns.some(c => c.part === 'feature' || c.part === 'text'))
        notes.push('No column is a feature or a text yet: choose one.');
    const head = ['Use', 'Column', 'Role', 'Type', 'Range', 'Missing', 'Note'];
    $('columns').replaceChildren(
        ...(notes.length === 0 ? [] : [make('ul', {class: 'notes',
            'aria-label': 'About the files'},
            ...notes.map(n => make('li', {}, n)))]),
        make('div', {class: 'scroll tall', tabindex: 0, role: 'group',
                     'aria-label': 'Columns'},
            make('table', {id: 'column-table'}, make('thead', {},
                make('tr', {}, ...head.map((h, i) => make('th',
                    {scope: 'col', class: (i === 4 || i === 5) && 'figure'},
                    h)))),
                make('tbody', {}, ...shown.map(columnRow)))),
        ...files.filter(f => sheets.has(f.name)).slice(0, 4)
                .flatMap(firstRows));
}
