/* SPDX-License-Identifier: MIT
 *
 * jump.js - longjmp for a program in WebAssembly: see jump.c
 *
 * A call that may be jumped out of goes through invoke_*: its stack is given
 * back, and it returns nothing of use.
 */
'use strict';

/* What `env` has to be for a module whose instance has exports(). */
function jumps(module_, exports) {
    class Jump {}
    const env = {jump_thrown() { throw new Jump(); }};
    const invoke = nothing => (f, ...rest) => {
        const {__stack_pointer: sp, __indirect_function_table: functions} =
            exports();
        const before = sp.value;
        try {
            return functions.get(f)(...rest);
        } catch (e) {
            if (!(e instanceof Jump))
                throw e;
            sp.value = before;
            return nothing;
        }
    };
    for (const {name} of WebAssembly.Module.imports(module_))
        if (name.startsWith('invoke_'))         /* then its result's type */
            env[name] = invoke(name[7] === 'j' ? 0n : 0);
    return env;
}

if (typeof module !== 'undefined')
    module.exports = {jumps};
