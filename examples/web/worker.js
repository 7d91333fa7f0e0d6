/* SPDX-License-Identifier: MIT
 *
 * worker.js - beside the page, so that it stays alive: runs the program and
 * tells what its line of progress says (app.c, show_progress)
 */
function readFiles(files) {                 /* pairs of name and Blob */
    return files.map(([name, blob]) => {
        try {
            return [name, new Uint8Array(
                new FileReaderSync().readAsArrayBuffer(blob))];
        } catch (e) {
            throw new Error(`${name} cannot be read: it was changed or ` +
                            'removed, or it is too large. Add it again');
        }
    });
}

onmessage = ({data: {id, module, args, files}}) => {
    let line = '', inputs;
    try {
        inputs = readFiles(files);
    } catch (e) {
        postMessage({id, out: {status: 1, broken: null, stdout: '',
                               stderr: `${e.message}.`, files: []}});
        return;
    }
    const out = wasi.run(module, args, inputs, (fd, text) => {
        if (fd !== 2)
            return;
        line += text;
        line = line.slice(line.search(/[^\r\n]*$/));
        const told = /^(.*?) +(\d+) %(?: +(\S+ left))?/.exec(line);
        if (told !== null)
            postMessage({id, stage: told[1], percent: Number(told[2]),
                         left: told[3] || ''});
    });
    const result = out.files.get('result.json');
    if (result !== undefined)               /* long, and only this is shown */
        out.notices = JSON.parse(new TextDecoder().decode(result)).notices;
    inputs.forEach(([name]) => out.files.delete(name));
    out.files = Array.from(out.files, ([path, bytes]) =>
        [path, new Blob([bytes])]);
    postMessage({id, out});
};
