/* SPDX-License-Identifier: MIT
 *
 * worker.js - beside the page, so that it stays alive: runs the program and
 * tells what its line of progress says (app.c, show_progress)
 */
onmessage = ({data: {id, module, args, files}}) => {
    let line = '';
    const out = wasi.run(module, args, files, (fd, text) => {
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
    out.files = Array.from(out.files);
    postMessage({id, out}, out.files.map(([, bytes]) => bytes.buffer));
};
