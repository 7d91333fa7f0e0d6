/* SPDX-License-Identifier: MIT
 *
 * call.js - the calls of the headers as functions of JavaScript
 *
 * Arguments come in the order of C without context, counts, options and
 * outputs; then an object with options by name and `seed`.  An extent such as
 * "[n*d]" in a comment of the headers says how long an array is.  It is looked
 * up in scopes, the nearest first; "[tasks] of [n_t*k]" is an array of arrays.
 */
import {Memory, MtcError, NONE, invalid} from './memory.js';
import {isOne, isSparse, matrix, shaped} from './data.js';

const EXTENT = /\[([^\]]+)\](?: of \[([^\]]+)\])?/g;
const GIVEN = {                         /* what no comment says */
    'mtc_trec_options.source_partitions': '[runs] of [source.n]',
    'mtc_trec_options.source_features': '[runs*columns]',
    'mtc_trec_result.from': '[iterations]',
    'mtc_trec_result.to': '[iterations]',
    'mtc_lssttc.start_labels': '[1] of [target.n]'
};
const ALIAS = {c: ['clusters', 'classes'], k: ['clusters', 'classes'],
               K: ['limit'], r: ['dimension']};
/* What an argument is if it is left out, and usual extents of outputs. */
const LEFT_OUT = {queries: null, views: null, distance: 'sqeuclidean',
                  gamma: 0, div: null, form: 'links', ridge: 1e-3, view: 0};
const USUAL = {labels: 'X.n', out: '1', mean: '1', total: '1'};
/* Callbacks, steps of methods, and linear algebra for its own sake. */
const LEFT = ['data_check', 'eigen_operator', 'match', 'symeig',
              'symeig_range', 'free', 'mbc_centroid'];
const DIVERGENCES = {sqeuclidean: 'mtc_sqeuclidean', kl: 'mtc_kl',
                     is: 'mtc_itakura_saito'};
const product = list => list.reduce((a, b) => a * b, 1);
const hidden = (object, name, value) =>
    Object.defineProperty(object, name, {value});

/* Numbers by name, or lists of numbers for tasks; nearest scope first. */
class Scopes extends Array {
    size(symbol, t = 0, s = 0) {
        if (/^\d+$/.test(symbol))
            return Number(symbol);
        const [, base, index] = /^(\w+)_([tksb])$/.exec(symbol) ?? [];
        if (base === 'n' || base === 'k' || base === 'K') {
            t = index === 's' ? s : t;
            symbol = index === 'b' ? 'n_b' : base === 'n' ? 'n_t' : 'k';
        }
        for (const scope of this)
            for (const name of [symbol, ...ALIAS[symbol] ?? []]) {
                const value = scope[name];
                if (value !== undefined && value !== null)
                    return Number(value.length === undefined ? value
                                                             : value[t]);
            }
        return null;
    }
    dims(extent, t = 0, s = 0) {        /* "layers*(d+1)*d" to [3, 5, 4] */
        return [...extent.matchAll(/([\w.]+)([+-]\d+)?/g)].map(
            ([, name, more]) => {
                const size = this.size(name, t, s);
                if (size === null)
                    invalid(`the extent [${extent}] is not known here`);
                return size + Number(more ?? 0);
            });
    }
    static of(...scopes) {
        const list = new Scopes();
        list.push(...scopes);
        return list;
    }
}

/* What an argument of a call is. */
function kindOf(a, structs) {
    if (a.stars === 0)
        return /^(n|m|ldc|n_.*)$/.test(a.name) ? 'derived' : 'number';
    if (structs[a.type]?.[0].type === 'mtc_block')
        return a.input ? 'model' : 'result';
    return a.type.endsWith('_options') ? 'options'
         : !a.input ? 'output'
         : a.type === 'mtc_data' ? 'data'
         : a.type === 'mtc_divergence' ? 'divergence' : 'array';
}

/* The library with its interface, and what all calls use. */
export class Library {
    constructor(exports, api) {
        exports._initialize();
        this.c = exports;
        this.api = api;
        this.memory = new Memory(exports, api);
        this.extents = new Map();
    }

    /* Of every pointer in a struct: [outer or null, inner]. */
    extentsOf(struct) {
        if (this.extents.has(struct))
            return this.extents.get(struct);
        const pointers = this.api.structs[struct].filter(f => f.stars > 0);
        const found = {}, seen = {};
        let last = [null, null];
        for (const f of pointers) {
            const all = [...(GIVEN[`${struct}.${f.name}`] ?? f.doc)
                         .matchAll(EXTENT)];
            const sharing = this.api.structs[struct]
                .filter(g => g.doc === f.doc).length;
            const n = seen[f.doc] ?? 0;
            if (all.length > 0) {       /* "; [m]" goes on with [tasks] */
                const [, outer, inner] = all[all.length >= sharing ? n : 0];
                last = found[f.name] = f.stars === 1 ? [null, outer]
                    : inner === undefined ? [last[0], outer] : [outer, inner];
            }
            seen[f.doc] = n + 1;
        }
        this.extents.set(struct, found);
        return found;
    }

    wordOf(type, value) {
        const words = this.api.enums[type];
        return Object.keys(words).find(w => words[w] === value);
    }
    numberOf(type, value, what) {
        const words = this.api.enums[type];
        if (words !== undefined && typeof value === 'string')
            return words[value.toLowerCase()] ?? invalid(
                `${what}: '${value}' is none of ${Object.keys(words)}`);
        if (type === 'uint64_t')
            return BigInt.asUintN(64, BigInt(value));
        const number = typeof value === 'boolean' ? Number(value) : value;
        if (typeof number !== 'number' ||
            type !== 'mtc_real' && !Number.isInteger(number) ||
            type === 'size_t' && (number < 0 || number > NONE))
            invalid(`${what}: ${value} is not a number that it can be`);
        return number;
    }

    /* ---- from C ---------------------------------------------------------- */

    readMatrix(at) {
        const {at: place} = this.memory.layout('mtc_data'), m = this.memory;
        const get = name => m.address(at + place[name]);
        const n = get('n'), d = get('d'), row = get('row');
        if (row === 0) {
            const stride = get('stride');
            const all = m.copy('mtc_real', get('values'), n * stride);
            const out = new Float64Array(n * d);
            for (let i = 0; i < n; i++)
                out.set(all.subarray(i * stride, i * stride + d), i * d);
            return shaped(out, n, d);
        }
        const starts = m.copy('size_t', row, n + 1);
        return {n, d, row: starts,
                column: m.copy('uint32_t', get('column'), starts[n]),
                values: m.copy('mtc_real', get('values'), starts[n])};
    }

    readArray(f, at, dims) {
        const found = this.memory.copy(f.type, at, product(dims));
        return dims.length > 1 ? shaped(found, ...dims) : found;
    }

    /* Addresses in a list, or in rows of it, as what they point to. */
    readList(f, at, extent, scopes) {
        const outer = scopes.dims(extent[0]), width = outer[1] ?? 1;
        const each = this.memory.copy('size_t', at, product(outer)).map(
            a => a >>> 0);
        const found = Array.from(each, (a, i) => a === 0 ? null
            : this.readArray(f, a >>> 0, scopes.dims(
                extent[1], Math.floor(i / width), i % outer.at(-1))));
        return outer.length === 1 ? found
            : Array.from({length: outer[0]}, (_, i) =>
                         found.slice(i * width, i * width + width));
    }

    readStructs(f, at, extent, scopes) {
        if (f.type === 'mtc_msda_result')
            return this.readStruct(f.type, at, scopes);
        const dims = scopes.dims(extent[1]), size = this.memory.sizeOf(f.type);
        const found = Array.from({length: product(dims)}, (_, i) =>
            this.readStruct(f.type, at + i * size, scopes));
        return dims.length === 1 ? found
            : Array.from({length: dims[0]}, (_, i) =>
                         found.slice(i * dims[1], (i + 1) * dims[1]));
    }

    readMember(f, at, extent, scopes) {
        const m = this.memory;
        if (f.type === 'mtc_divergence')
            return null;                /* see Run.found */
        if (f.type === 'char')
            return Array.from({length: product(f.dims)},
                              (_, i) => m.address(at + 4 * i))
                        .filter(a => a !== 0).map(a => m.text(a));
        if (f.stars > 0) {
            const to = m.address(at);
            return to === 0 ? null
                : f.stars > 1 ? this.readList(f, to, extent, scopes)
                : f.type in this.api.structs
                ? this.readStructs(f, to, extent, scopes)
                : this.readArray(f, to, scopes.dims(extent[1]));
        }
        if (f.type in this.api.structs)
            return f.dims.length > 0
                ? Array.from({length: f.dims[0]}, (_, i) => this.readStruct(
                    f.type, at + i * m.sizeOf(f.type), scopes))
                : this.readStruct(f.type, at, scopes);
        if (f.dims.length > 0)
            return m.copy(f.type, at, product(f.dims));
        const value = m.get(f, at);
        return f.type in this.api.enums ? this.wordOf(f.type, value)
            : f.type === 'size_t' && value === NONE ? -1 : value;
    }

    /* A struct as a plain object: numbers first, which extents are of. */
    readStruct(struct, at, scopes) {
        if (struct === 'mtc_data')
            return this.readMatrix(at);
        const own = {}, within = Scopes.of(own, ...scopes);
        const extents = this.extentsOf(struct), result = {};
        const fields = this.api.structs[struct].filter(
            f => f.type !== 'mtc_block' && f.type !== 'mtc_ttl_factors');
        const place = this.memory.layout(struct).at;
        for (const f of [...fields].sort((a, b) => a.stars - b.stars)) {
            const value = this.readMember(f, at + place[f.name],
                extents[f.name] ?? [null, 'unknown'], within);
            own[f.name] = value;
            if (f.name === 'clusters')
                own.k_r = value;
            if (value?.runs !== undefined)      /* an ensemble */
                Object.assign(own, {k_r: value.clusters, runs: value.runs});
        }
        for (const f of fields)
            result[f.name] = own[f.name];
        return hidden(result, 'struct', struct);
    }

    /* ---- to C ------------------------------------------------------------ */

    /* The address of views, one behind the other. */
    putViews(views) {
        const m = this.memory, size = m.sizeOf('mtc_data');
        const at = m.take(size * views.length), {at: place} =
            m.layout('mtc_data');
        views.forEach((X, i) => {
            const values = m.put('mtc_real', X.values.slice(
                0, isSparse(X) ? X.row[X.n] : undefined));
            const set = (name, value) => m.view().setUint32(
                at + i * size + place[name], value, true);
            set('n', X.n);
            set('d', X.d);
            set('values', values);
            if (!isSparse(X))
                set('stride', X.d);
            else {
                set('row', m.put('size_t', X.row));
                set('column', m.put('uint32_t', X.column.slice(0, X.row[X.n])));
            }
        });
        return at;
    }

    /* An array of an extent, or several; what is not known yet is set. */
    putArray(f, value, [outer, inner], scopes, what = f.name, t = 0) {
        if (outer !== null && outer !== undefined) {
            const list = Array.from(value);
            const needed = outer === 'm' ? list.length : scopes.size(outer);
            scopes[0].m ??= needed;
            if (list.length !== needed)
                invalid(`${what}: ${list.length} arrays, not ${needed}`);
            return this.memory.put('size_t', list.map((v, i) => this.putArray(
                f, v, [null, inner], scopes, `${what}[${i}]`, i)));
        }
        const flat = ArrayBuffer.isView(value) ? value
                   : Array.isArray(value) ? value.flat() : [value];
        const shape = value.shape ?? (Array.isArray(value[0])
            ? [value.length, value[0].length] : [flat.length]);
        inner.split('*').forEach((name, i) => {
            if ((name === 'n' || name === 'm') && scopes.size(name) === null)
                scopes[0][name] = shape[i]; /* of a call without data */
        });
        const dims = scopes.dims(inner, t);
        if (flat.length !== product(dims))
            invalid(`${what}: ${flat.length} numbers, not ${dims.join(' x ')}`);
        const whole = f.type !== 'mtc_real';
        for (const x of flat)
            if (typeof x !== 'number' || whole && !Number.isInteger(x))
                invalid(`${what}: ${x} is not ${whole ? 'a whole' : 'a'} ` +
                        'number');
        return this.memory.put(f.type, flat);
    }

    /* A word, or Mahalanobis' matrix [d*d]. */
    putDivergence(value, d) {
        if (typeof value === 'string') {
            if (!(value in DIVERGENCES))
                invalid(`divergence: '${value}' is none of ` +
                        Object.keys(DIVERGENCES));
            return this.struct('mtc_divergence', DIVERGENCES[value]);
        }
        const A = matrix(value, 'divergence'), m = this.memory;
        const L = m.put('mtc_real', A.values);
        if (A.n !== d || A.d !== d || this.c.mtc_cholesky(d, L, d, 0) !== 0)
            invalid(`divergence: ${d} x ${d}, symmetric, definite is needed`);
        const metric = m.take(m.sizeOf('mtc_metric'));
        const {at} = m.layout('mtc_metric');
        m.view().setUint32(metric + at.d, d, true);
        m.view().setUint32(metric + at.L, L, true);
        return this.struct('mtc_divergence', 'mtc_mahalanobis', metric);
    }

    /* The address of a struct that a function returns by value: a struct of
     * one number comes as that number. */
    struct(type, name, ...args) {
        const at = this.memory.take(this.memory.sizeOf(type)), f = this.c[name];
        if (f.length > args.length)
            f(at, ...args);
        else
            this.memory.set(this.api.structs[type][0], at, f(...args));
        return at;
    }

    /* A struct of options as the library fills it. */
    defaults(struct, call) {
        const name = [call + '_defaults', struct.replace('options', 'defaults')]
            .find(n => n in this.api.calls);
        return name === undefined
            ? this.memory.take(this.memory.sizeOf(struct))
            : this.struct(struct, name);
    }

    /* The scope that a struct of options is. */
    numbersOf(struct, at) {
        const scope = {}, m = this.memory, place = m.layout(struct).at;
        for (const f of this.api.structs[struct])
            if (f.stars === 0 && f.type in this.api.structs)
                Object.assign(scope,
                              this.numbersOf(f.type, at + place[f.name]));
            else if (f.stars === 0)
                scope[f.name] = m.get(f, at + place[f.name]);
        const c = scope.classes ?? 0;
        return {...scope, l: scope.subspace || scope.clusters,
                problems: Math.max(c, 1) - (c < 3 ? 1 : 0)};
    }

    /* Sets options by name: numbers first, then what depends on them. */
    setOptions(struct, at, values, scopes, call) {
        const place = this.memory.layout(struct).at, several = {};
        const fields = this.api.structs[struct];
        const inner = name => fields.find(f => f.stars === 0 &&
            this.api.structs[f.type]?.some(g => g.name === name));
        values = {...values};
        if (values.clusters?.length !== undefined &&
            fields.some(f => f.name === 'clusters_of'))
            several.clusters = values.clusters_of = values.clusters;
        if (several.clusters !== undefined)
            delete values.clusters;
        const stars = name => fields.find(f => f.name === name)?.stars ?? 0;
        const names = Object.keys(values).filter(
            n => values[n] !== undefined && values[n] !== null);
        for (const name of names.sort((a, b) => stars(a) - stars(b))) {
            const own = fields.find(f => f.name === name);
            const f = own ?? inner(name) ?? invalid(
                `${name} is no option of ${call.slice(4)}: there are ` +
                fields.map(g => g.name).join(', '));
            const to = at + place[f.name], value = values[name];
            if (f.stars > 0)
                this.memory.set(f, to, this.option(f, value, struct, call,
                    Scopes.of({...this.numbersOf(struct, at), ...several},
                              ...scopes)));
            else if (f.type in this.api.structs)
                this.setOptions(f.type, to, own ? value : {[name]: value},
                                scopes, call);
            else
                this.memory.set(f, to, this.numberOf(f.type, value, name));
        }
        return at;
    }

    option(f, value, struct, call, scopes) {
        if (f.type === 'mtc_divergence')
            return this.putDivergence(value, scopes.size('d'));
        if (f.type.endsWith('_options'))        /* of a guard's method */
            return this.setOptions(f.type, this.defaults(f.type, ''), value,
                                   scopes, call);
        const given = GIVEN[`${call}.${f.name}`];
        const [, outer, inner] = given === undefined ? []
            : [...given.matchAll(EXTENT)][0];
        const extent = given === undefined ? this.extentsOf(struct)[f.name]
            : inner === undefined ? [null, outer] : [outer, inner];
        return extent === undefined ? invalid(`${f.name} cannot be given here`)
            : this.putArray(f, value, extent, scopes);
    }

    /* The struct of C again, of a result that a call gave. */
    rebuild(struct, result) {
        const m = this.memory, at = m.take(m.sizeOf(struct));
        const place = m.layout(struct).at;
        for (const f of this.api.structs[struct]) {
            const value = result[f.name], to = at + place[f.name];
            if (value === undefined || value === null || f.type === 'char' ||
                f.type === 'mtc_block' || f.type === 'mtc_judged')
                continue;
            this.rebuildMember(f, value, to, result);
        }
        return at;
    }

    /* How well a bridge fits, in [0,1]: of a model of bridge_fit, or of none. */
    bridgeScore(features, model = null) {
        try {
            const f = {type: 'mtc_real', name: 'features'};
            const at = this.putArray(f, features, [null, '6'], Scopes.of());
            return this.c.mtc_bridge_score(model === null ? 0
                : this.rebuild('mtc_bridge_model', model), at);
        } finally {
            this.memory.release();
        }
    }

    rebuildMember(f, value, to, result) {
        const m = this.memory, {structs} = this.api;
        const copy = v => v === null ? 0 : m.put(f.type, v);
        if (f.type === 'mtc_divergence')
            m.set(f, to, this.putDivergence(value, result.d));
        else if (f.type === 'mtc_data')
            m.set(f, to, this.putViews(value.map(X => matrix(X, f.name))));
        else if (f.type in structs && f.stars > 0)
            m.set(f, to, this.rebuild(f.type, value));
        else if (f.type in structs) {
            const from = this.rebuild(f.type, value), size = m.sizeOf(f.type);
            new Uint8Array(m.buffer()).copyWithin(to, from, from + size);
        } else if (f.stars === 1)
            m.set(f, to, copy(value));
        else if (f.stars > 1)
            m.set(f, to, m.put('size_t', value.flat().map(copy)));
        else if (f.dims.length > 0)
            value.forEach((x, i) => m.set(f, to + i * m.sizeOf(f.type), x));
        else
            m.set(f, to, this.numberOf(f.type, value, f.name));
    }
}

/* What a call takes, found once. */
class Call {
    constructor(library, cName) {
        const {arguments: all, section, doc} = library.api.calls[cName];
        this.library = library;
        this.cName = cName;
        this.name = cName.slice(4);
        this.arguments = all.slice(1);
        this.kinds = Object.fromEntries(this.arguments.map(
            a => [a.name, kindOf(a, library.api.structs)]));
        this.lists = new Set(['views', ...this.arguments
            .filter(a => a.name.startsWith('n_')).map(a => a.name.slice(2))]);
        this.result = this.arguments.find(
            a => this.kinds[a.name] === 'result')?.type;
        const leftOut = a => a.name in LEFT_OUT &&
            !this.arguments.some(b => b.name === 'n_' + a.name);
        const inputs = this.arguments.filter(a => !['derived', 'options',
            'output', 'result'].includes(this.kinds[a.name]));
        this.inputs = inputs.filter(a => !leftOut(a));
        this.optional = inputs.filter(leftOut);
        this.extents = {};
        for (const [, names, extent] of (section + doc).matchAll(
                 /((?:\w+,\s)*\w+)\s\[([^\]]+)\]/g))
            for (const name of names.split(','))
                this.extents[name.trim()] = extent;
    }

    /* Is an output one number? */
    isOne(a) { return (this.extents[a.name] ?? USUAL[a.name]) === '1'; }

    run(given) {
        try {
            return new Run(this, given).run();
        } catch (error) {
            if (error instanceof MtcError &&
                !error.message.startsWith(this.name + ': '))
                error.message = `${this.name}: ${error.message}`;
            throw error;
        } finally {
            this.library.memory.release();
        }
    }
}

/* One run of a call; a method for each kind of argument makes it ready. */
class Run {
    constructor(call, given) {
        this.call = call;
        this.library = call.library;
        this.memory = call.library.memory;
        this.env = {};
        this.scopes = Scopes.of(this.env);
        this.out = [];
        this.given = {...LEFT_OUT, ...given.options};
        if (given.positional.length !== call.inputs.length)
            invalid(`${call.inputs.map(a => a.name).join(', ')} are needed, ` +
                    'then options');
        call.inputs.forEach((a, i) => this.given[a.name] =
            given.positional[i]);
        this.options = {...given.options};
        for (const name of ['seed', ...call.optional.map(a => a.name)])
            delete this.options[name];
    }

    /* ---- arguments ------------------------------------------------------- */

    model(a, value) {
        if (value?.struct !== a.type)
            invalid(`${a.name}: a result of ${a.type.slice(4, -7)} is needed`);
        this.scopes.push(value);
        return this.library.rebuild(a.type, value);
    }
    data(a, value) {
        if (value === null || value === undefined)
            return 0;
        const many = this.call.lists.has(a.name);
        const list = !many || isOne(value) ? [value] : Array.from(value);
        const views = list.map((X, t) => matrix(
            X, many ? `${a.name}[${t}]` : a.name));
        if (views.length === 0)
            invalid(`${a.name}: there are none`);
        this.sizes(a.name, many, views);
        return this.library.putViews(views);
    }
    sizes(name, many, views) {          /* what extents can be of */
        const env = this.env, rows = views.map(X => X.n);
        env[name + '.n'] = many ? rows : rows[0];
        env.d ??= views[0].d;
        if (many) {
            env[name] = env['n_' + name] = views.length;
            env.N = rows.reduce((a, b) => a + b, 0);
        }
        if (many && name !== 'bridges' && name !== 'views' ||
            this.call.name === 'lssttc')
            env.n_t = [...env.n_t ?? [], ...rows];
        if (['bridges', 'points', 'queries'].includes(name))
            Object.assign(env, {n_b: rows, n_q: rows[0]});
        if (!many && (name === 'target' || env.n === undefined))
            env.n = rows[0];
    }
    derived(a) { return this.env[a.name === 'ldc' ? 'n' : a.name] ?? 0; }
    number(a, value) {
        return this.env[a.name] = this.library.numberOf(a.type, value, a.name);
    }
    divergence(a, value) {
        return value === null ? 0
            : this.library.putDivergence(value, this.env.d);
    }
    array(a, value) {                   /* labels of data, or as documented */
        const plain = a.name.replace('labels', '').replace(/^_|_$/g, '') || 'X';
        const owner = [plain, plain.toUpperCase(), plain + 's'].find(
            n => n + '.n' in this.env);
        const inner = owner !== undefined ? owner + '.n'
            : a.name === 'cost' ? 'm*n' : this.call.extents[a.name] ?? 'n';
        const extent = a.stars < 2 ? [null, inner]
            : owner !== undefined ? [owner, inner] : ['m', 'n'];
        return this.library.putArray(a, value, extent, this.scopes);
    }
    optionsOf(a) {
        const {library, call} = this;
        const at = library.defaults(a.type, call.cName);
        library.setOptions(a.type, at, this.options, this.scopes, call.cName);
        this.scopes.push(library.numbersOf(a.type, at));
        return at;
    }
    output(a) {                         /* room for what is written */
        const extent = this.call.extents[a.name] ?? USUAL[a.name];
        const isStruct = a.type in this.library.api.structs;
        const dims = isStruct ? [1] : this.scopes.dims(extent ?? 'unknown');
        const at = this.memory.take(product(dims) *
                                    this.memory.sizeOf(a.type));
        this.out.push({a, at, dims, isStruct, one: this.call.isOne(a)});
        return at;
    }

    /* ---- the call -------------------------------------------------------- */

    ready() {
        const methods = {options: 'optionsOf'}, made = {};
        const order = [...this.call.arguments].sort((a, b) =>
            (this.call.kinds[a.name] === 'derived') -
            (this.call.kinds[b.name] === 'derived'));
        for (const a of order) {
            const kind = this.call.kinds[a.name];
            made[a.name] = kind === 'result'
                ? this.raw = this.memory.take(this.memory.sizeOf(a.type))
                : this[methods[kind] ?? kind](a, this.given[a.name]);
        }
        if (!this.call.arguments.some(
                a => this.call.kinds[a.name] === 'options'))
            for (const name of Object.keys(this.options))
                invalid(`${name} is no option: there are none`);
        return this.call.arguments.map(a => made[a.name]);
    }

    run() {
        const {library, memory, call} = this;
        const context = library.struct('mtc_context', 'mtc_context_defaults');
        const seed = library.api.structs.mtc_context.find(
            f => f.name === 'seed');
        const place = memory.layout('mtc_context').at;
        memory.set(seed, context + place.seed, library.numberOf(
            'uint64_t', this.given.seed ?? 1, 'seed'));
        const status = library.c[call.cName](context, ...this.ready());
        if (status !== 0)
            throw this.failure(status, context + place.error);
        if (call.result === undefined)
            return this.written();
        try {
            return this.found();
        } finally {
            library.c.mtc_free(context, this.raw);
        }
    }

    failure(status, at) {
        const {library, memory} = this, place = memory.layout('mtc_place').at;
        const what = memory.address(at + place.what);
        const more = {status: library.wordOf('mtc_status', status)};
        let message = memory.text(library.c.mtc_status_text(status));
        if (what !== 0)
            message += ': ' + memory.text(what);
        for (const name of ['task', 'row', 'column']) {
            const index = memory.address(at + place[name]);
            if (index !== NONE) {
                more[name] = index;
                message += `, ${name} ${index}`;
            }
        }
        return new MtcError(`${this.call.name}: ${message}`, more);
    }

    found() {
        const result = this.library.readStruct(
            this.call.result, this.raw, [...this.scopes].reverse());
        if ('divergence' in result)     /* functions of C: as it was given */
            result.divergence = this.options.divergence ?? null;
        return result;
    }

    written() {
        const found = Object.fromEntries(this.out.map(
            ({a, at, dims, isStruct, one}) => [a.name,
                isStruct ? this.library.readStruct(a.type, at, [])
                : one ? this.memory.get({...a, stars: 0}, at)
                : this.library.readArray(a, at, dims)]));
        const values = Object.values(found);
        return values.length === 1 ? values[0] : found;
    }
}

/* All calls that take a context, by their names without mtc_. */
export function callsOf(library) {
    const calls = {};
    for (const [cName, call] of Object.entries(library.api.calls)) {
        const name = cName.slice(4);
        if (call.arguments[0]?.type !== 'mtc_context' || LEFT.includes(name))
            continue;
        const made = new Call(library, cName), n = made.inputs.length;
        calls[name] = (...args) => made.run({positional: args.slice(0, n),
                                             options: args[n] ?? {}});
        hidden(calls[name], 'call', made);
        Object.defineProperty(calls[name], 'name', {value: name});
    }
    return calls;
}
