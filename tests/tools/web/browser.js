/* SPDX-License-Identifier: MIT
 *
 * browser.js - a chromium without a window, driven through a pipe
 *
 * It speaks the devtools protocol: JSON that ends in a zero byte, to its file
 * descriptor 3 and from 4.  `open` gives a tab with what a test does in it.
 */
'use strict';
const fs = require('fs'), path = require('path');
const {spawn} = require('child_process');

/* Starts it, with its files in `room`. */
function start(room) {
    fs.rmSync(room, {recursive: true, force: true});
    fs.mkdirSync(path.join(room, 'Default'), {recursive: true});
    fs.writeFileSync(path.join(room, 'Default', 'Preferences'), JSON.stringify(
        {profile: {default_content_setting_values: {automatic_downloads: 1}}}));
    const child = spawn('chromium', ['--headless=new', '--no-sandbox',
        '--remote-debugging-pipe', '--user-data-dir=' + room,
        '--disable-gpu', '--no-first-run', '--hide-scrollbars',
        '--disable-dev-shm-usage', '--disable-background-networking',
        '--disable-component-update', 'about:blank'],
        {stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe']});
    const [to, from] = [child.stdio[3], child.stdio[4]];
    const waiting = new Map(), listeners = new Set();
    let calls = 0, rest = Buffer.alloc(0);

    from.on('data', chunk => {
        rest = Buffer.concat([rest, chunk]);
        for (let end; (end = rest.indexOf(0)) >= 0;) {
            const message = JSON.parse(rest.subarray(0, end).toString());
            rest = rest.subarray(end + 1);
            const wait = waiting.get(message.id);
            if (wait === undefined)
                listeners.forEach(f => f(message));
            else if (message.error)
                wait.no(new Error(message.error.message));
            else
                wait.yes(message.result);
            waiting.delete(message.id);
        }
    });
    child.on('exit', code => waiting.forEach(w =>
        w.no(new Error('chromium ended with ' + code))));
    to.on('error', () => {});

    function call(method, params = {}, sessionId = undefined) {
        const id = ++calls;
        to.write(JSON.stringify({id, method, params, sessionId}) + '\0');
        return new Promise((yes, no) => waiting.set(id, {yes, no}));
    }

    /* A tab at the address; errors of its scripts are collected, and in
     * `asked` the addresses that it asks for. */
    async function open(url, asked = []) {
        const {targetId} = await call('Target.createTarget',
                                      {url: 'about:blank'});
        const {sessionId} = await call('Target.attachToTarget',
                                       {targetId, flatten: true});
        const tab = (method, params) => call(method, params, sessionId);
        const errors = [];
        listeners.add(m => {
            if (m.sessionId !== sessionId)
                return;
            if (m.method === 'Runtime.exceptionThrown')
                errors.push(m.params.exceptionDetails.exception?.description ||
                            m.params.exceptionDetails.text);
            if (m.method === 'Network.requestWillBeSent')
                asked.push(m.params.request.url);
            if (m.method === 'Log.entryAdded' &&
                m.params.entry.level === 'error')
                errors.push(m.params.entry.text);
        });
        await tab('Page.enable');
        await tab('Runtime.enable');
        await tab('Log.enable');
        await tab('Network.enable');

        /* The value of an expression, or of what it promises. */
        async function value(expression) {
            const r = await tab('Runtime.evaluate', {expression,
                awaitPromise: true, returnByValue: true, userGesture: true});
            if (r.exceptionDetails)
                throw new Error(r.exceptionDetails.exception.description);
            return r.result.value;
        }
        /* Waits until it is true. */
        async function until(expression, seconds = 60) {
            const end = Date.now() + 1000 * seconds;
            while (!await value(`Boolean(${expression})`)) {
                if (Date.now() > end)
                    throw new Error('in vain: ' + expression);
                await new Promise(go => setTimeout(go, 50));
            }
        }
        /* By the mouse, where the element is. */
        async function click(selector) {
            const [x, y] = await value(`(() => {
                const e = document.querySelector(${JSON.stringify(selector)});
                e.scrollIntoView({block: 'center'});
                const r = e.getBoundingClientRect();
                return [r.x + r.width / 2, r.y + r.height / 2];
            })()`);
            for (const type of ['mousePressed', 'mouseReleased'])
                await tab('Input.dispatchMouseEvent', {type, x, y,
                    button: 'left', clickCount: 1});
        }
        async function key(name, code, text = undefined) {
            for (const type of ['keyDown', 'keyUp'])
                await tab('Input.dispatchKeyEvent', {type, key: name,
                    code: name, windowsVirtualKeyCode: code,
                    text: type === 'keyDown' ? text : undefined});
        }
        async function screenshot(file, whole = true) {
            const {data} = await tab('Page.captureScreenshot',
                {captureBeyondViewport: whole});
            fs.writeFileSync(file, Buffer.from(data, 'base64'));
        }
        /* What the page's own thread did while `work` ran: the longest task in
         * ms of its processor time, which other programs do not change, and
         * by the clock. */
        async function longestTask(work) {
            const part = 'disabled-by-default-devtools.timeline';
            await call('Tracing.start', {transferMode: 'ReturnAsStream',
                traceConfig: {includedCategories: ['toplevel', part]}});
            await work();
            const ended = new Promise(done => listeners.add(m =>
                m.method === 'Tracing.tracingComplete' && done(m.params)));
            await call('Tracing.end');
            const {stream} = await ended;
            const events = JSON.parse(await contentOf(stream)).traceEvents;
            const ids = new Set(events.filter(e => e.name === 'thread_name' &&
                e.args.name === 'CrRendererMain').map(e => e.pid));
            const tasks = events.filter(e => ids.has(e.pid) &&
                e.pid === e.tid && e.name === 'RunTask' && e.tdur > 0);
            const longest = name => tasks.reduce((most, e) =>
                Math.max(most, e[name] / 1000), 0);
            return {processor: longest('tdur'), clock: longest('dur')};
        }
        async function contentOf(handle) {
            let text = '';
            for (let end = false; !end;) {
                const r = await call('IO.read', {handle});
                text += Buffer.from(r.data, r.base64Encoded ? 'base64'
                                                            : 'utf8');
                end = r.eof;
            }
            return text;
        }
        await tab('Page.navigate', {url});
        return {tab, value, until, click, key, screenshot, longestTask,
                errors};
    }
    async function close() {
        const ended = new Promise(done => child.on('exit', done));
        await call('Browser.close').catch(() => {});
        await ended;
    }
    return {call, open, close};
}

module.exports = {start};
