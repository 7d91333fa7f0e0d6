/* SPDX-License-Identifier: MIT
 *
 * header.js - reads mtc.h and mtc_advice.h as text: what they declare
 *
 * The package is written from this: calls, options, results and types have the
 * names and the words of the headers.  Runs when the package is made, not when
 * it is used.
 */

/* A number in control characters stands for a comment while the rest, which is
 * plain C, is read. */
const ITEM = new RegExp([
    '\u0001(?<comment>\\d+)\u0001',
    '#define\\s+(?<macro>\\w+) +(?<value>\\w+)',
    'enum\\s*(?<enum>\\w*)\\s*{(?<words>[^}]*)}\\s*\\w*\\s*;',
    'typedef\\s+struct\\s+(?<struct>\\w+)\\s*{(?<body>[^}]*)}\\s*\\w+\\s*;',
    'MTC_API\\s+(?<returns>[\\w\\s*]+?)\\s*(?<call>mtc_\\w+)' +
        '\\((?<args>[^)]*)\\)\\s*;'
].join('|'), 'g');
const MARK = /\u0001\d+\u0001/g;

/* What all words of an enum begin with, up to the last underscore. */
function prefixOf(words) {
    let most = words[0];
    for (const word of words)
        while (!word.startsWith(most))
            most = most.slice(0, -1);
    return most.slice(0, most.lastIndexOf('_') + 1);
}

class Reader {
    constructor(texts) {
        this.macros = {};
        this.api = {version: '', enums: {}, structs: {}, calls: {}};
        this.comments = [];
        const all = texts.map(t => t.split('#ifdef MTC_INTERNAL')[0]).join('');
        this.read(all.replace(/\/\*[^]*?\*\//g, c => this.hide(c)));
        const part = name => this.macros['MTC_VERSION_' + name];
        this.api.version = ['MAJOR', 'MINOR', 'PATCH'].map(part).join('.');
    }

    hide(comment) {                     /* keeps it without its stars */
        this.comments.push(comment.slice(2, -2)
                                  .replace(/\n\s*\* ?/g, '\n').trim());
        return `\u0001${this.comments.length - 1}\u0001`;
    }

    read(text) {
        let section = '', doc = '';
        for (const {groups: item} of text.matchAll(ITEM)) {
            if (item.comment !== undefined) {
                doc = this.comments[item.comment];
                if (/^(----|====)/.test(doc)) {
                    section = doc.replace(/[-=]{3,}/g, '').trim();
                    doc = '';
                }
                continue;
            }
            this.declare(item, doc, section);
            doc = '';
        }
    }

    declare(item, doc, section) {
        const {enums, structs, calls} = this.api;
        if (item.macro !== undefined)
            this.macros[item.macro] = item.value;
        else if (item.words !== undefined)
            enums[item.enum] = this.words(item.words);
        else if (item.struct !== undefined)
            structs[item.struct] = this.fields(item.body);
        else
            calls[item.call] = {
                returns: item.returns.replace(/const|\s+$/g, '').trim(),
                arguments: item.args.replace(MARK, '').split(',')
                    .map(a => a.trim()).filter(a => a !== 'void')
                    .flatMap(a => this.names(a, '')), doc, section};
    }

    words(body) {                       /* of an enum, without their prefix */
        const found = {};
        let value = 0;
        for (const [, name, given] of body.replace(MARK, '')
                 .matchAll(/(\w+)(?:\s*=\s*(-?\d+))?/g)) {
            value = given === undefined ? value : Number(given);
            this.macros[name] = found[name] = value++;
        }
        const begin = prefixOf(Object.keys(found)).length;
        return Object.fromEntries(Object.entries(found).map(
            ([name, v]) => [name.slice(begin).toLowerCase(), v]));
    }

    fields(body) {                      /* with the comment behind each */
        const fields = [];
        for (const [, text, number] of body.matchAll(
                 /([^;]+);[ \t]*(?:\u0001(\d+)\u0001)?/g)) {
            const doc = number === undefined ? '' : this.comments[number];
            fields.push(...this.names(text.replace(MARK, '').trim(),
                                      doc.replace(/\s+/g, ' ')));
        }
        return fields;
    }

    names(text, doc) {                  /* `const T *a, *b[2]` declares two */
        const pointer = /^[\w\s*]+\(\*(\w+)\)\s*\(/.exec(text);
        if (pointer !== null)
            return [{type: 'function', stars: 1, name: pointer[1], dims: [],
                     doc, input: false}];
        const [, type, rest] = /^\s*(unsigned char|\w+)([^]*)/.exec(
            text.replace(/\b(const|struct)\b/g, ''));
        return rest.split(',').map(each => {
            const [, name, dims] = /(\w+)((?:\[\w+\])*)\s*$/.exec(each);
            return {type, stars: each.split('*').length - 1, name,
                    dims: (dims.match(/\w+/g) ?? []).map(
                        x => Number(this.macros[x] ?? x)),
                    doc, input: text.startsWith('const')};
        });
    }
}

/* What the headers, given as texts, declare. */
export function readHeaders(...texts) {
    return new Reader(texts).api;
}
