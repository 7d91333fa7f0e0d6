/* Loads the library: with SIMD where the engine has it.  In a browser this is
 * one request; under node it reads a file beside this one. */
async function bytesOf(name) {
    const url = new URL(name, import.meta.url);
    if (url.protocol !== 'file:')
        return (await fetch(url)).arrayBuffer();
    return (await import('node:fs')).readFileSync(url);
}

const made = await WebAssembly.instantiate(
    await bytesOf(hasSimd() ? 'mtc-simd.wasm' : 'mtc.wasm'), {});
const mtc = interfaceOf(made.instance.exports, api);
export default mtc;
