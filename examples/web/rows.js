/* SPDX-License-Identifier: MIT
 *
 * rows.js - all rows with their cluster: sorted, filtered, a page at a time
 */

const ROWS_ON_PAGE = 50, MOST_ROWS = 30000, MOST_BYTES = 4e6, MOST_CELLS = 8;

/* What --out wrote, NAME.csv of the files, beside the rows they came from.
 * Gives head and records, lists of cells: file, name, cluster, then columns
 * of the tables. */
function labeledRows(out, inputs) {
    const written = Array.from(out.files).filter(([path]) =>
        /^labels\/.*\.csv$/.test(path));
    const records = [], used = columns.filter(c => !c.loose &&
        c.part !== 'id').slice(0, MOST_CELLS);
    let what = ['row', 'cluster'], cut = false;
    for (const [path, bytes] of written) {
        const name = path.slice(7, -4);
        const file = inputs.find(([n]) => n.replace(/\.[^.]*$/, '') === name);
        const short = bytes.length > MOST_BYTES
            ? bytes.subarray(0, MOST_BYTES) : bytes;
        const left = MOST_ROWS - records.length;
        const rows = cellsOf(decoded(short, true), ',', left + 2);
        cut = cut || rows.length > left + 1;
        rows.length = Math.min(rows.length, left + 1);
        const cells = file && sheets.has(file[0]) && used.length > 0 &&
                      file[1].length <= MOST_BYTES
            ? rowsOf({name: file[0], bytes: file[1]}, rows.length) : [];
        const t = file && sheets.get(file[0]);
        const at = used.map(c => t ? t.columns.findIndex(k =>
            k.name === c.name) : -1);
        what = rows[0] || what;
        rows.slice(1).forEach((row, i) => records.push([name, ...row,
            ...(cells.length > 0 ? at.map(j => (cells[i] || [])[j] || '')
                                 : [])]));
    }
    const wide = records.reduce((n, r) => Math.max(n, r.length), 0);
    return {head: ['file', ...what, ...used.map(c => c.name)].slice(0, wide),
            cluster: 1 + Math.max(what.indexOf('cluster'), 1), records, cut};
}

/* By number where both are numbers; empty cells are last. */
function inOrder(a, b) {
    const x = Number(a), y = Number(b);
    if (a === '' || b === '')
        return (a === '') - (b === '');
    return Number.isNaN(x) || Number.isNaN(y)
        ? a.localeCompare(b, undefined, {numeric: true}) : x - y;
}

/* The table with its controls, or nothing where no rows were labeled. */
function rowsTable(out, inputs) {
    const {head, cluster, records, cut} = labeledRows(out, inputs);
    if (records.length === 0)
        return [];
    const clusters = Array.from(new Set(records.map(r => r[cluster])))
        .sort(inOrder);
    const shown = {list: records, first: 0, by: -1, down: false};
    const one = new Set(records.map(r => r[0])).size === 1;
    const seen = head.map((h, i) => i).filter(i => i > 0 || !one);
    const body = make('tbody');
    const count = make('span', {class: 'hint', role: 'status'});
    const filter = make('input', {id: 'row-filter',
        placeholder: 'any part of a row', input: refresh});
    const only = make('select', {id: 'row-cluster', change: refresh},
        make('option', {value: ''}, 'all'),
        ...clusters.map(z => make('option', {value: z}, z)));
    const turn = by => () => {
        shown.first += by;
        draw();
    };
    const back = make('button', {type: 'button', class: 'button',
        click: turn(-ROWS_ON_PAGE)}, 'Previous');
    const next = make('button', {type: 'button', class: 'button',
        click: turn(ROWS_ON_PAGE)}, 'Next');
    const heads = seen.map(i => make('th', {scope: 'col',
        'aria-sort': 'none'}, make('button', {type: 'button', click() {
            shown.down = shown.by === i && !shown.down;
            shown.by = i;
            refresh();
        }}, head[i])));

    function draw() {
        const n = shown.list.length;
        const last = Math.min(shown.first + ROWS_ON_PAGE, n);
        body.replaceChildren(...shown.list.slice(shown.first, last).map(r =>
            make('tr', {}, ...seen.map(i => {
                const cell = make(i === 1 ? 'th' : 'td',
                    {scope: i === 1 && 'row'}, (r[i] || '').slice(0, 120));
                if (i === cluster && /^\d+$/.test(r[i]))
                    cell.prepend(make('span',
                        {class: `dot c${Number(r[i]) % 7}`}));
                return cell;
            }))));
        count.textContent = n === 0 ? 'No row is like this.'
            : `${shown.first + 1} to ${last} of ${n} rows` +
              (n < records.length ? ` (${records.length} in all)` : '');
        back.disabled = shown.first === 0;
        next.disabled = last === n;
    }
    function refresh() {
        const part = filter.value.trim().toLowerCase();
        const {by, down} = shown;
        shown.list = records.filter(r =>
            (only.value === '' || r[cluster] === only.value) &&
            (part === '' || seen.some(i =>
                (r[i] || '').toLowerCase().includes(part))));
        if (by >= 0)
            shown.list.sort((a, b) => (down ? -1 : 1) *
                                      inOrder(a[by] || '', b[by] || ''));
        shown.first = 0;
        heads.forEach((h, j) => h.setAttribute('aria-sort',
            seen[j] !== by ? 'none' : down ? 'descending' : 'ascending'));
        draw();
    }
    draw();
    return [make('h3', {}, 'All rows'),
        make('div', {id: 'row-controls'},
            make('label', {}, 'Filter ', filter),
            make('label', {}, `${head[cluster]} `, only), count),
        make('div', {class: 'scroll tall', tabindex: 0, role: 'group',
                     'aria-label': 'All rows'},
            make('table', {id: 'rows'}, make('thead', {},
                make('tr', {}, ...heads)), body)),
        make('p', {id: 'row-pages'}, back, next),
        ...(cut ? [make('p', {class: 'hint'}, `The table ends after ` +
            `${records.length} rows; the files below have all.`)] : [])];
}
