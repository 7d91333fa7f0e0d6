/* SPDX-License-Identifier: MIT
 *
 * memory.js - the library's memory: structs of C in 32-bit WebAssembly
 *
 * Reads and writes numbers, arrays and structs at addresses, as the layouts of
 * the header's structs have them.
 */

/* Thrown for every failure; `status` is the word of mtc_status. */
export class MtcError extends Error {
    constructor(message, more = {}) {
        super(message);
        this.name = 'MtcError';
        Object.assign(this, {status: 'invalid'}, more);
    }
}

export const invalid = message => { throw new MtcError(message); };

/* Numbers by their C type: size, name in DataView, array type. */
const NUMBERS = {
    size_t: [4, 'Uint32', Uint32Array], int: [4, 'Int32', Int32Array],
    uint32_t: [4, 'Uint32', Uint32Array],
    uint64_t: [8, 'BigUint64', BigUint64Array],
    mtc_real: [8, 'Float64', Float64Array]
};
const POINTER = NUMBERS.size_t;
export const NONE = 0xffffffff;         /* MTC_NONE */

export class Memory {
    constructor(library, api) {
        this.library = library;
        this.api = api;
        this.layouts = new Map();
        this.taken = [];
    }

    buffer() { return this.library.memory.buffer; }
    view() { return new DataView(this.buffer()); }

    /* `bytes` bytes that live until the next release(). */
    take(bytes) {
        const at = this.library.malloc(Math.max(bytes, 8));
        if (at === 0)
            throw new MtcError('out of memory', {status: 'no_memory'});
        this.taken.push(at);
        new Uint8Array(this.buffer(), at, bytes).fill(0);
        return at;
    }
    release() {
        for (const at of this.taken.splice(0))
            this.library.free(at);
    }

    /* A number's size, name and array type, or null for a struct. */
    number(f) {
        return f.stars > 0 ? POINTER
             : f.type in this.api.enums ? NUMBERS.int
             : NUMBERS[f.type] ?? null;
    }
    /* {size, align, at: {member: offset}} of a struct. */
    layout(name) {
        if (this.layouts.has(name))
            return this.layouts.get(name);
        const found = {size: 0, align: 1, at: {}};
        for (const f of this.api.structs[name]) {
            const number = this.number(f);
            const inner = number === null ? this.layout(f.type)
                                          : {size: number[0], align: number[0]};
            found.at[f.name] = Math.ceil(found.size / inner.align)
                             * inner.align;
            found.size = found.at[f.name] +
                inner.size * f.dims.reduce((a, b) => a * b, 1);
            found.align = Math.max(found.align, inner.align);
        }
        found.size = Math.ceil(found.size / found.align) * found.align;
        this.layouts.set(name, found);
        return found;
    }
    sizeOf(type) {
        return NUMBERS[type]?.[0] ??
            (type in this.api.structs ? this.layout(type).size : 4);
    }

    get(f, at) {
        const [, name] = this.number(f);
        return this.view()['get' + name](at, true);
    }
    set(f, at, value) {
        const [, name] = this.number(f);
        this.view()['set' + name](at, value, true);
    }
    address(at) { return this.view().getUint32(at, true); }

    /* Copies an array of numbers in, and gives its address. */
    put(type, values) {
        const [size, , Kind] = NUMBERS[type] ?? POINTER;
        const at = this.take(size * values.length);
        new Kind(this.buffer(), at, values.length).set(values);
        return at;
    }
    /* A copy of `count` numbers; counts are signed: MTC_NONE is -1. */
    copy(type, at, count) {
        const Kind = type === 'size_t' ? Int32Array : NUMBERS[type][2];
        return new Kind(this.buffer(), at, count).slice();
    }
    text(at) {
        const bytes = new Uint8Array(this.buffer(), at);
        return new TextDecoder().decode(bytes.slice(0, bytes.indexOf(0)));
    }
}
