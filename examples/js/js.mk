# SPDX-License-Identifier: MIT
# The npm package: the library as WebAssembly, plain and with SIMD, the
# program, and what node examples/js/pack.js writes from the headers.
NPM       = $(B)/npm/package
JS_SRC    = mtc.c linalg.c lp.c $(wildcard examples/advice/*.c)
JS_CALLS  = $(shell node examples/js/pack.js names 2>/dev/null)
JS_FLAGS  = -std=c99 $(WARN) -O2 -msign-ext -mnontrapping-fptoint -MMD -MP
JS_LINK   = -mexec-model=reactor -Wl,-O2,--strip-all,-z,stack-size=1048576 \
            $(JS_CALLS:%=-Wl,--export-if-defined=%) \
            -Wl,--export=malloc,--export=free
JS_FILES  = $(wildcard examples/js/*) examples/web/jump.js mtc.h \
            examples/advice/mtc_advice.h
$(B)/js/plain/%.o: %.c
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)$(WASI) $(JS_FLAGS) -c $< -o $@
$(B)/js/simd/%.o: %.c
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)$(WASI) $(JS_FLAGS) -msimd128 -c $< -o $@
$(NPM)/mtc.wasm: $(JS_SRC:%.c=$(B)/js/plain/%.o)
$(NPM)/mtc-simd.wasm: $(JS_SRC:%.c=$(B)/js/simd/%.o)
$(NPM)/mtc.wasm $(NPM)/mtc-simd.wasm:
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$(Q)$(WASI) $(JS_LINK) $^ -o $@
	@chmod -x $@
$(NPM)/program.wasm: $(B)/mtc.wasm
	@mkdir -p $(@D)
	@install -m 644 $< $@
$(NPM)/package.json: $(NPM)/mtc.wasm $(NPM)/mtc-simd.wasm $(NPM)/program.wasm \
                     $(JS_FILES)
	@node examples/js/pack.js $(NPM)
npm: ## use: the npm package: build/npm/mtc-VERSION.tgz
	@{ command -v node && command -v npm && $(try_wasi); } >/dev/null || { \
	echo "npm: node, npm, clang, lld, wasi-libc and libclang-rt-dev-wasm32" \
	    "are needed" >&2; exit 1; }
	@$(MAKE) $(NPM)/package.json && cd $(B)/npm && npm pack --silent ./package
check-npm: ## check: the npm package in an empty project: bits, errors, types, npx
	@$(wasi); $(call need,node); $(call need,npm); \
	$(MAKE) npm $(B)/mtc $(SHARED) > $(B)/npm.log 2>&1 || { \
	tail -n 20 $(B)/npm.log; exit 1; }; tests/npm/check.sh $(abspath $(B))
-include $(wildcard $(B)/js/*/*.d $(B)/js/*/*/*/*.d)
