/* SPDX-License-Identifier: MIT
 *
 * rows.js - all rows with their cluster: sorted, filtered, a page at a time
 *
 * The rows are in a worker, which finds those that are shown.
 */

const ROWS_ON_PAGE = 50, MOST_CELLS = 8;
let sorter = null;                          /* the worker, of one answer */

/* What --out wrote, NAME.csv of the files, beside the tables they came
 * from. */
function labeledFiles(out, inputs, used) {
    return Array.from(out.files)
        .filter(([path]) => /^labels\/.*\.csv$/.test(path))
        .map(([path, labels]) => {
            const name = path.slice(7, -4);
            const file = inputs.find(([n]) => taskName(n) === name);
            const t = file && sheets.get(file[0]);
            return {name, labels, table: t && used.length > 0 ? file[1] : null,
                    separator: t ? t.separator : ',', names: t && headerNames(t),
                    decimal: t && t.decimal, signs: used.map(c =>
                        c.type === 'numbers' ? c.sign || '' : null),
                    columns: used.map(c => t ? t.columns.findIndex(k =>
                        k.name === c.name) : -1)};
        });
}

/* A question at a time; of those that come meanwhile the last one counts. */
function questioner(worker, told) {
    let waiting = false, next = null;
    const ask = question => {
        next = question;
        if (waiting || next === null)
            return;
        waiting = true;
        worker.postMessage(next);
        next = null;
    };
    worker.onmessage = ({data}) => {
        waiting = false;
        if (next === null)
            told(data);
        ask(next);
    };
    return ask;
}

/* The table with its controls, or nothing where no rows were labeled. */
async function rowsTable(out, inputs) {
    const used = columns.filter(c => !c.loose && c.part !== 'id')
        .slice(0, MOST_CELLS);
    const labeled = labeledFiles(out, inputs, used);
    if (sorter !== null)
        sorter.terminate();
    sorter = null;
    if (labeled.length === 0)
        return [];
    const worker = new Worker(rowsScript);
    sorter = worker;
    const all = await new Promise((done, fail) => {
        worker.onmessage = ({data}) => done(data);
        worker.onerror = e => {
            e.preventDefault();
            done({count: 0});
        };
        worker.postMessage({files: labeled});
    });
    return all.count === 0 ? [] : rowsShown(worker, all, labeled.length, used);
}

function rowsShown(worker, {count: total, head: own, cluster, clusters, wide},
                   parts, used) {
    const head = ['file', ...own, ...(wide ? used.map(c => c.name) : [])];
    const seen = head.map((h, i) => i).filter(i => i > 0 || parts > 1);
    const shown = {first: 0, by: -1, down: false};
    const body = make('tbody');
    const count = make('span', {class: 'hint', role: 'status'});
    const filter = make('input', {id: 'row-filter',
        placeholder: 'any part of a row', input: refresh});
    const only = make('select', {id: 'row-cluster', change: refresh},
        make('option', {value: ''}, 'all'),
        ...clusters.map(z => make('option', {value: z}, z)));
    const turn = by => () => {
        shown.first += by;
        find();
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
    const whole = make('table', {id: 'rows'}, make('thead', {},
        make('tr', {}, ...heads)), body);
    const ask = questioner(worker, draw);

    function draw({n, rows}) {
        const last = shown.first + rows.length;
        body.replaceChildren(...rows.map(r =>
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
              (n < total ? ` (${total} in all)` : '');
        back.disabled = shown.first === 0;
        next.disabled = last === n;
        whole.setAttribute('aria-busy', 'false');
    }
    function find() {
        whole.setAttribute('aria-busy', 'true');
        ask({filter: filter.value.trim().toLowerCase(), only: only.value,
             cluster, by: shown.by, down: shown.down, seen,
             first: shown.first, most: ROWS_ON_PAGE});
    }
    function refresh() {
        shown.first = 0;
        heads.forEach((h, j) => h.setAttribute('aria-sort',
            seen[j] !== shown.by ? 'none'
                : shown.down ? 'descending' : 'ascending'));
        count.textContent = 'Looking for rows.';
        find();
    }
    find();
    return [make('h3', {}, 'All rows'),
        make('div', {id: 'row-controls'},
            make('label', {}, 'Filter ', filter),
            make('label', {}, `${head[cluster]} `, only), count),
        make('div', {class: 'scroll tall', tabindex: 0, role: 'group',
                     'aria-label': 'All rows'}, whole),
        make('p', {id: 'row-pages'}, back, next)];
}
