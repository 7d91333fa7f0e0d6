/* Loads the library: with SIMD where the engine has it. */
const name = hasSimd() ? 'mtc-simd.wasm' : 'mtc.wasm';
const bytes = require('node:fs').readFileSync(
    require('node:path').join(__dirname, name));
const made = new WebAssembly.Instance(new WebAssembly.Module(bytes), {});
module.exports = interfaceOf(made.exports, api);
