/* SPDX-License-Identifier: MIT
 *
 * lzma.js - unpacks what `xz --format=lzma` packs
 *
 * The program is a seventh smaller than with gzip, which browsers know
 * themselves.  After Igor Pavlov's LZMA specification, whose names are kept:
 * a range decoder of bits, each with a probability that learns; the bits make
 * literals, or matches with one of the last four distances or a new one.
 */
'use strict';

function unlzma(input) {
    const lc = input[0] % 9, lp = Math.floor(input[0] / 9) % 5,
          pb = Math.floor(input[0] / 45);
    let at = 14, range = 0xffffffff, code = 0;
    for (let i = 0; i < 4; i++)
        code = code * 256 + input[at++];

    const fresh = n => new Uint16Array(n).fill(1024);
    const literal = fresh(0x300 << (lc + lp)), isMatch = fresh(12 << 4),
          isRep = fresh(12), isRepG0 = fresh(12), isRepG1 = fresh(12),
          isRepG2 = fresh(12), isRep0Long = fresh(12 << 4),
          slots = fresh(4 << 6), special = fresh(128), align = fresh(16);
    const lengths = () => ({choice: fresh(2), low: fresh(16 << 3),
                            mid: fresh(16 << 3), high: fresh(256)});
    const matchLength = lengths(), repLength = lengths();

    function bit(p, i) {
        const bound = (range >>> 11) * p[i];
        const one = code >= bound;
        if (one) {
            range -= bound;
            code -= bound;
            p[i] -= p[i] >> 5;
        } else {
            range = bound;
            p[i] += (2048 - p[i]) >> 5;
        }
        if (range < 0x1000000) {
            range *= 256;
            code = code * 256 + input[at++];
        }
        return one ? 1 : 0;
    }
    function direct(n) {                    /* bits without a probability */
        let x = 0;
        for (; n > 0; n--) {
            range = Math.floor(range / 2);
            const one = code >= range;
            code -= one ? range : 0;
            x = 2 * x + (one ? 1 : 0);
            if (range < 0x1000000) {
                range *= 256;
                code = code * 256 + input[at++];
            }
        }
        return x;
    }
    function tree(p, base, n) {
        let m = 1;
        for (let i = 0; i < n; i++)
            m = 2 * m + bit(p, base + m);
        return m - (1 << n);
    }
    function reverse(p, base, n) {          /* lowest bit first */
        let m = 1, x = 0;
        for (let i = 0; i < n; i++) {
            const b = bit(p, base + m);
            m = 2 * m + b;
            x += b << i;
        }
        return x;
    }
    function length(l, place) {
        if (bit(l.choice, 0) === 0)
            return 2 + tree(l.low, place << 3, 3);
        if (bit(l.choice, 1) === 0)
            return 10 + tree(l.mid, place << 3, 3);
        return 18 + tree(l.high, 0, 8);
    }
    function distance(n) {
        const slot = tree(slots, Math.min(n - 2, 3) << 6, 6);
        if (slot < 4)
            return slot;
        const bits = (slot >> 1) - 1, high = (2 + slot % 2) * 2 ** bits;
        return slot < 14
            ? high + reverse(special, high - slot, bits)
            : high + direct(bits - 4) * 16 + reverse(align, 0, 4);
    }

    let out = new Uint8Array(1 << 20), size = 0, state = 0;
    let rep = [0, 0, 0, 0];
    const put = byte => {
        if (size === out.length) {
            const more = new Uint8Array(2 * size);
            more.set(out);
            out = more;
        }
        out[size++] = byte;
    };
    function putLiteral() {
        const before = size > 0 ? out[size - 1] : 0;
        const place = (size % (1 << lp) << lc) + (before >> (8 - lc));
        let symbol = 1, match = state >= 7 ? out[size - rep[0] - 1] : -1;
        while (symbol < 256) {
            const b = match >> 7 & 1;
            const one = bit(literal, 0x300 * place + symbol +
                                     (match < 0 ? 0 : 256 + 256 * b));
            match = match >= 0 && b === one ? match << 1 & 255 : -1;
            symbol = 2 * symbol + one;
        }
        put(symbol & 255);
        state = state < 4 ? 0 : state < 10 ? state - 3 : state - 6;
    }
    for (;;) {
        const place = size % (1 << pb), i = (state << 4) + place;
        if (at > input.length)
            throw new Error('the packed program is cut short');
        if (bit(isMatch, i) === 0) {
            putLiteral();
            continue;
        }
        let n;
        if (bit(isRep, state) === 0) {      /* a match at a new distance */
            n = length(matchLength, place);
            rep = [distance(n), rep[0], rep[1], rep[2]];
            if (rep[0] === 0xffffffff)      /* the mark of the end */
                return out.slice(0, size);
            state = state < 7 ? 7 : 10;
        } else {
            n = 0;
            if (bit(isRepG0, state) === 1) {    /* an older one to the front */
                const k = bit(isRepG1, state) === 0 ? 1
                          : 2 + bit(isRepG2, state);
                rep.unshift(rep.splice(k, 1)[0]);
            } else if (bit(isRep0Long, i) === 0)
                n = 1;
            state = state < 7 ? (n === 1 ? 9 : 8) : 11;
            n = n === 1 ? 1 : length(repLength, place);
        }
        for (; n > 0; n--)
            put(out[size - rep[0] - 1]);
    }
}

if (typeof module !== 'undefined')
    module.exports = unlzma;
