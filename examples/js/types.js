/* SPDX-License-Identifier: MIT
 *
 * types.js - index.d.ts: the types of the package, in the headers' words
 */

const HEAD = `/* Written from mtc.h and mtc_advice.h.  Options have the names, the defaults
 * and the words of the headers; what is left out has its default. */

/** Numbers of a matrix, row by row; shape tells rows and columns. */
export interface Numbers extends Float64Array { readonly shape?: number[]; }
export interface Csr {
    n: number; d: number; row: ArrayLike<number>; column: ArrayLike<number>;
    values: ArrayLike<number>;
}
/** Samples as rows: an array of rows, numbers with a shape, or CSR. */
export type Matrix = ReadonlyArray<ArrayLike<number>> | Csr
    | (ArrayLike<number> & {readonly shape?: ReadonlyArray<number>})
    | {data: ArrayLike<number>; shape: ReadonlyArray<number>};
/** One matrix for each task, or one matrix alone. */
export type Tasks = ReadonlyArray<Matrix> | Matrix;
export type Labels = ArrayLike<number>;
/** A word, or Mahalanobis' matrix. */
export type Divergence = 'sqeuclidean' | 'kl' | 'is' | Matrix;
export interface Call { seed?: number | bigint; }

/** What every failure throws.  task, row and column count from 0. */
export class MtcError extends Error {
    status: STATUS;
    task?: number; row?: number; column?: number;
}
/** A matrix as an array of rows. */
export function rows(X: Matrix): Float64Array[];
export const version: string;
`;

const TAIL = `
/** k-means, as users of ml.js know it. */
export class KMeans {
    constructor(options?: KmeansOptions & Call);
    result: KmeansResult; labels: Int32Array; centers: Numbers;
    fit(X: Matrix): this;
    predict(X: Matrix): Int32Array;
}
/** Of one matrix, labels and centers are arrays; of several, lists of them. */
export class MBC<T extends Tasks = Tasks> {
    constructor(options?: MbcOptions & Call);
    result: MbcResult; labels: any; centers: any;
    fit(tasks: Tasks): this;
    predict(X: Matrix, task?: number): Int32Array;
}
/** mtc_auto; the number of clusters is chosen if it is not given. */
export class Auto<T extends Tasks = Tasks> {
    constructor(options?: AutoOptions & Call);
    result: AutoResult; choice?: ChooseResult; labels: any; centers: any;
    fit(tasks: Tasks): this;
    predict(X: Matrix, task?: number): Int32Array;
}
export function bridge_score(features: ArrayLike<number>,
                             model?: BridgeModel): number;
declare const mtc: typeof import('./INDEX');
export default mtc;
`;

const nameOf = struct => struct.slice(4).replace(
    /(^|_)(\w)/g, (all, line, letter) => letter.toUpperCase());
const comment = (text, indent = '') => text === '' ? ''
    : `${indent}/** ${text.replace(/\*\//g, '* /')
                          .replace(/\n/g, `\n${indent} * `)} */\n`;

export function typesOf(api, calls, index) {
    const wordsOf = e => Object.keys(api.enums[e]).map(w => `'${w}'`)
        .join(' | ');

    function given(f) {                         /* what a caller may pass */
        return f.type === 'mtc_data' ? 'Matrix'
            : f.type === 'mtc_divergence' ? 'Divergence'
            : f.type in api.enums ? wordsOf(f.type)
            : f.type.endsWith('_options') || f.type in api.structs
            ? nameOf(f.type)
            : f.type === 'uint64_t' ? 'number | bigint'
            : f.stars === 0 ? 'number'
            : f.stars === 1 ? 'ArrayLike<number>'
            : 'ReadonlyArray<ArrayLike<number>>';
    }
    function found(f) {                         /* what a caller gets */
        const plain = f.type === 'mtc_real' ? 'Numbers'
            : f.type === 'uint32_t' ? 'Uint32Array' : 'Int32Array';
        return f.type === 'mtc_divergence' ? 'Divergence | null'
            : f.type === 'char' ? 'string[]'
            : f.type in api.enums ? wordsOf(f.type)
            : f.type === 'mtc_data' ? 'any'
            : f.type in api.structs
            ? nameOf(f.type) + (f.stars > 0 || f.dims.length > 0 ? '[]' : '')
            : f.stars === 0 ? (f.dims.length > 0 ? plain : 'number')
            : f.stars === 1 ? plain
            : /\[[^\]]*\*[^\]]*\] of/.test(f.doc) ? `(${plain} | null)[][]`
            : `${plain}[]`;
    }
    function struct(name) {
        const isOptions = name.endsWith('_options');
        const inner = f => f.stars === 0 && f.type.endsWith('_options');
        const fields = api.structs[name].filter(f => ![
            'mtc_block', 'mtc_ttl_factors'].includes(f.type));
        const members = fields.map(f => comment(f.doc, '    ') + '    ' +
            f.name + (isOptions ? '?: ' + (f.name === 'clusters'
                ? 'number | number[]' : given(f)) : ': ' + found(f)) + ';\n');
        const base = isOptions
            ? fields.filter(inner).map(f => nameOf(f.type)) : [];
        return `export interface ${nameOf(name)}` +
            (base.length > 0 ? ` extends Partial<Omit<${base.join(', ')}, '${
                fields.map(f => f.name).join("' | '")}'>>` : '') +
            ` {\n${members.join('')}}\n`;
    }
    function call(name) {
        const {inputs, optional, result, lists, arguments: all, kinds} =
            calls[name].call;
        const options = all.find(a => kinds[a.name] === 'options');
        const type = a => lists.has(a.name) && a.type === 'mtc_data' ? 'Tasks'
            : a.name === 'cost' || a.stars === 1 && a.type === 'mtc_real' &&
              /\*/.test(calls[name].call.extents[a.name]) ? 'Matrix'
            : kinds[a.name] === 'model' ? nameOf(a.type) : given(a);
        const more = optional.map(a => `${a.name}?: ${type(a)}`);
        const outputs = all.filter(a => kinds[a.name] === 'output');
        const out = a => a.type in api.structs ? nameOf(a.type)
            : calls[name].call.isOne(a) ? 'number' : found({...a, stars: 1});
        const returns = result !== undefined ? nameOf(result)
            : outputs.length === 1 ? out(outputs[0])
            : `{${outputs.map(a => `${a.name}: ${out(a)}`).join('; ')}}`;
        const {doc, section} = api.calls['mtc_' + name];
        return comment([options === undefined ? '' : section, doc]
                       .filter(t => t !== '').join('\n\n')) +
            `export function ${name}(` + [
                ...inputs.map(a => `${a.name}: ${type(a)}`),
                'options?: ' + [...options === undefined ? []
                    : [nameOf(options.type)], 'Call',
                    ...more.length > 0 ? [`{${more.join('; ')}}`] : []]
                    .join(' & ')].join(', ') + `): ${returns};\n`;
    }
    const used = Object.keys(api.structs).filter(s => ![
        'mtc_context', 'mtc_place', 'mtc_block', 'mtc_arena', 'mtc_random',
        'mtc_data', 'mtc_divergence', 'mtc_metric', 'mtc_ttl_factors'
    ].includes(s));
    return HEAD.replace('STATUS', wordsOf('mtc_status')) + '\n' +
        used.map(struct).join('\n') + '\n' +
        Object.keys(calls).filter(n => calls[n].call !== undefined)
              .map(call).join('\n') + TAIL.replace('INDEX', index);
}
