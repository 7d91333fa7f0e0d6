/* SPDX-License-Identifier: MIT
 *
 * cells.js - tables as text: their rows, and the cells of a row
 *
 * The page shows a table's first rows by it, and the worker of rows.js all of
 * them.
 */

/* UTF-8, or else Latin-1, as the program has it. */
function decoded(bytes, cut = false) {
    const kind = bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le'
               : bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : 'utf-8';
    try {
        return new TextDecoder(kind, {fatal: true})
            .decode(bytes, {stream: cut});
    } catch (e) {
        return Array.from(bytes, b => String.fromCharCode(b)).join('');
    }
}

/* Is a line that begins so a comment?  Not with a spreadsheet's error as its
 * first cell: as the program has it. */
const SHEET_ERROR = /^#(N\/A|DIV\/0!|REF!|VALUE!|NUM!|NAME\?|NULL!)(.)/;
function isComment(line, separator) {
    const head = line.trimStart();
    const error = SHEET_ERROR.exec(head);
    return head[0] === '#' && !(error && error[2] === separator);
}

/* Where the rows of a text are: 2 i and 2 i + 1 are where row i begins and
 * ends.  A quoted cell may have line ends in it; blank lines and comments are
 * no rows. */
function findRows(text, separator, most = Infinity) {
    const QUOTE = 34, LINE = 10, part = separator.charCodeAt(0);
    const found = [];
    let begin = 0, quoted = false, fresh = true, blank = true;
    for (let i = 0; i <= text.length && found.length < 2 * most; i++) {
        const c = i < text.length ? text.charCodeAt(i) : LINE;
        if (c === QUOTE && quoted && text.charCodeAt(i + 1) === QUOTE)
            i++;
        else if (c === QUOTE && (quoted || fresh)) {
            quoted = !quoted;
            fresh = blank = false;
        } else if (i < text.length && quoted)
            continue;
        else if (c === LINE) {
            if (!blank && !isComment(text.slice(begin, Math.min(i, begin + 99)),
                                     separator))
                found.push(begin, i);
            begin = i + 1;
            quoted = false;
            fresh = blank = true;
        } else if (c === part) {
            fresh = true;
            blank = false;
        } else if (c > 32)
            fresh = blank = false;
    }
    return found;
}

/* The cells of one row; quotes as in CSV. */
function cellsOf(row, separator) {
    const cells = [];
    let cell = '', quoted = false;
    for (let i = 0; i < row.length; i++) {
        const c = row[i];
        if (quoted && c === '"' && row[i + 1] === '"') {
            cell += c;
            i++;
        } else if (c === '"' && (quoted || cell.trim() === '')) {
            quoted = !quoted;
            cell = quoted ? '' : cell;
        } else if (c === separator && !quoted) {
            cells.push(cell);
            cell = '';
        } else if (quoted || c !== '\r')
            cell += c;
    }
    return [...cells, cell];
}

/* A table as long as it is: its rows are made when they are asked for.  The
 * `names` of its header stand in its first row, unless a comment above has
 * them, which the program takes for the header, too. */
class Sheet {
    constructor(text, separator, names, most = Infinity) {
        this.text = text.replace(/^\ufeff/, '')
            .replace(/^\s*sep=[,;\t|]\r?\n/i, '');
        this.separator = separator;
        this.length = most;
        this.rows = findRows(this.text, separator, most + 1);
        this.head = names ? this.cells(0) : [];
        const above = this.text.slice(0, this.rows[0]);
        const commented = /^\s*#/m.test(above) &&
            !this.head.some(h => names.includes(h.trim()));
        if (names && !commented)
            this.rows.splice(0, 2);
        this.length = Math.min(this.rows.length / 2, most);
    }
    line(i) {
        return this.text.slice(this.rows[2 * i], this.rows[2 * i + 1]);
    }
    cells(i) {
        return i < this.length ? cellsOf(this.line(i), this.separator) : [];
    }
}
