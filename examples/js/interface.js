/* SPDX-License-Identifier: MIT
 *
 * interface.js - all that the package exports, for a library that is loaded
 */
import {Library, callsOf} from './call.js';
import {estimatorsOf} from './estimators.js';
import {MtcError} from './memory.js';
import {rowsOf} from './data.js';

/* Does the engine have 128-bit vectors?  A module that has one tells. */
export function hasSimd() {
    return WebAssembly.validate(new Uint8Array([
        0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10,
        10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11]));
}

export function interfaceOf(exports, api) {
    const library = new Library(exports, api), calls = callsOf(library);
    const bridge_score = (features, model) =>
        library.bridgeScore(features, model);
    return {...calls, bridge_score, ...estimatorsOf(calls), MtcError,
            rows: rowsOf, version: api.version};
}
