/* SPDX-License-Identifier: MIT
 *
 * folders.js - a folder of texts, handed to the program as one .jsonl file
 *
 * Its objects have `name`, the path below the folder, `text`, and `label`, the
 * first folder of the path, if all files lie in one: as the program reads a
 * directory.  A folder of tables is the tables.
 */

const MOST_TEXTS = 20000, MOST_TEXT_BYTES = 200e6, AT_A_TIME = 100;
const IS_TABLE = /\.(csv|tsv|svm|libsvm|jsonl)$/i;

/* What a dropped thing is: a handle where the browser has them, for entries
 * of a page that was opened from the disk cannot be read in all of them. */
const droppedThing = item => item.getAsFileSystemHandle
    ? item.getAsFileSystemHandle().catch(() => null) : item.webkitGetAsEntry();
const isFolder = e => e !== null && (e.kind === 'directory' ||
                                     e.isDirectory === true);
function fileOf(e) {
    return e instanceof File ? e : e.getFile ? e.getFile()
        : new Promise((yes, no) => e.file(yes, no));
}
/* All that is in a folder. */
async function entriesOf(folder) {
    const found = [];
    if (folder.values) {
        for await (const e of folder.values())
            found.push(e);
        return found;
    }
    const reader = folder.createReader();
    const some = () => new Promise((yes, no) => reader.readEntries(yes, no));
    for (let list = await some(); list.length > 0; list = await some())
        found.push(...list);
    return found;
}

/* The files below a folder that was dropped: pairs of path and what gives the
 * file.  Ends when there are too many. */
async function listFolder(folder, below = '', found = []) {
    for (const e of await entriesOf(folder))
        if (found.length > MOST_TEXTS)
            break;
        else if (isFolder(e) && !e.name.startsWith('.'))
            await listFolder(e, below + e.name + '/', found);
        else if (!e.name.startsWith('.'))
            found.push([below + e.name, e]);
    return found;
}

/* The lines of texts; gives a file of them, and how many files are no
 * texts. */
async function linesOf(folder, list) {
    const classes = list.every(([path]) => path.includes('/'));
    const lines = [], encoder = new TextEncoder();
    let bytes = 0, others = 0;
    for (let i = 0; i < list.length; i += AT_A_TIME) {
        say(`Reading ${folder}: ${i} of ${list.length} files.`);
        const part = await Promise.all(list.slice(i, i + AT_A_TIME).map(
            async ([path, e]) => [path, new Uint8Array(
                await (await fileOf(e)).arrayBuffer())]));
        for (const [name, content] of part) {
            const text = decoded(content);
            if (text.includes('\0')) {
                others++;
                continue;
            }
            const label = classes ? {label: name.split('/')[0]} : {};
            lines.push(encoder.encode(
                JSON.stringify({name, ...label, text}) + '\n'));
            bytes += content.length;
        }
        if (bytes > MOST_TEXT_BYTES)
            throw new Error(`more than ${MOST_TEXT_BYTES / 1e6} MB of texts`);
    }
    return {all: new Blob(lines), others};
}

/* Adds what is in a folder; `list` has pairs of path and file or entry. */
async function addFolder(folder, list) {
    const seen = list.filter(([path]) => !/(^|\/)\./.test(path))
        .sort(([a], [b]) => a < b ? -1 : 1);
    if (seen.length === 0)
        throw new Error('the folder is empty');
    if (seen.every(([path]) => IS_TABLE.test(path))) {
        await addFiles(await Promise.all(seen.map(([, e]) => fileOf(e))));
        return;
    }
    if (seen.length > MOST_TEXTS)
        throw new Error(`more than ${MOST_TEXTS} files`);
    const {all, others} = await linesOf(folder, seen);
    if (all.size === 0)
        throw new Error('no file in it is a text');
    files.push(await fileFrom(freshName(folder + '.jsonl'), all, true));
    settleRoles();
    showFiles();
    await lookAgain();
    say(`${seen.length - others} texts of ${folder} read.` +
        (others === 0 ? '' : ` ${others} files are no texts and were left ` +
                             'out.'));
}

/* What was dropped: files, folders or both. */
async function addDropped(things, list) {
    const all = await Promise.all(things);
    const folders = all.filter(isFolder);
    const plain = folders.length === 0 ? list
        : await Promise.all(all.filter(e => e && !isFolder(e)).map(fileOf));
    if (plain.length > 0)
        await addFiles(plain);
    for (const f of folders)
        await orSay(f.name, async () => addFolder(f.name,
                                                  await listFolder(f)));
}

/* What was chosen: paths begin with the folder's name. */
async function addChosen(list) {
    if (list.length === 0)
        return;
    const folder = list[0].webkitRelativePath.split('/')[0];
    await orSay(folder, () => addFolder(folder, list.map(f =>
        [f.webkitRelativePath.slice(folder.length + 1), f])));
}
async function orSay(folder, work) {
    try {
        await work();
    } catch (e) {
        say('');
        showError(`${folder} was not read: ` + (e instanceof DOMException
            ? 'this browser does not show it to the page. Press "Choose a ' +
              'folder".' : `${e.message}.`));
    }
}
