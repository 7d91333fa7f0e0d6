# SPDX-License-Identifier: MIT
# The program in WebAssembly, and the page around it.
WASI     = clang --target=wasm32-wasi --sysroot=$(WASI_SYSROOT)
WASI_SYSROOT ?= /usr#                 where the headers of wasi-libc are
WASI_FLAGS = -std=c99 $(WARN) -Oz -msign-ext -mnontrapping-fptoint -MMD -MP \
           -mllvm -inline-threshold=-20 -mllvm -enable-emscripten-sjlj \
           -DMTC_NO_THREADS -D_WASI_EMULATED_SIGNAL -D_WASI_EMULATED_GETPID \
           -D_WASI_EMULATED_PROCESS_CLOCKS -Iexamples/web
WASI_LINK = -Wl,--export-table,--export=__stack_pointer,--strip-all \
           -Wl,-O2,--compress-relocations,-z,stack-size=1048576 \
           -lwasi-emulated-signal -lwasi-emulated-getpid \
           -lwasi-emulated-process-clocks
WASM     = $(SRC:%.c=$(B)/wasm/%.o) $(patsubst %.c,$(B)/wasm/%.o,\
           $(foreach d,advice mtc/* compared web,$(wildcard examples/$d/*.c)))
try_wasi = echo 'int main(void) { return 0; }' | \
           $(WASI) -x c - -o /dev/null 2>/dev/null
wasi     = $(call need,clang); $(call need,wasm-ld); $(call need,xz); \
           $(try_wasi) || { echo "$@: skipped, no wasi-libc"; exit 0; }
$(B)/wasm/%.o: %.c
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)$(WASI) $(WASI_FLAGS) -c $< -o $@
# The kernel of products wants its loops unrolled: twice as fast for 1 KB.
$(B)/wasm/linalg.o: WASI_FLAGS += -Os -mllvm -unroll-threshold=150
$(B)/mtc.wasm: $(WASM)
	$(call say,LINK,$@)
	$(Q)$(WASI) $^ $(WASI_LINK) -o $@
$(B)/web/index.html: $(B)/mtc.wasm examples/web/pack.sh \
                     $(addprefix examples/web/,index.html page.css page.js \
                     cells.js columns.js folders.js memory.js rows.js \
                     rows_worker.js lzma.js jump.js wasi.js worker.js)
	@mkdir -p $(@D)
	@examples/web/pack.sh $< > $@ || { rm -f $@; exit 1; }
web: ## use: the page in the browser, one file: build/web/index.html
	@{ command -v xz >/dev/null && $(try_wasi); } || { \
	echo "web: the tools are missing.  On Debian or Ubuntu:" >&2; \
	echo "  apt install clang lld wasi-libc libclang-rt-dev-wasm32 xz-utils" \
	    >&2; exit 1; }
	@$(MAKE) $(B)/web/index.html && tests/tools/web/web_size.sh $(B)/web
check-wasm: ## check: the program in WebAssembly writes what the program writes
	@mkdir -p $(B)
	@$(wasi); $(call need,node); $(MAKE) $(B)/mtc web > $(B)/web.log 2>&1 && \
	grep '^web:' $(B)/web.log && node tests/tools/web/wasm_same.js $(B) || \
	{ tail -n 20 $(B)/web.log; exit 1; }
check-web: ## check: the page in a real browser: drop, run, cancel, download
	@mkdir -p $(B)
	@$(wasi); $(call need,node); $(call need,chromium); \
	$(MAKE) $(B)/mtc web > $(B)/web.log 2>&1 && \
	node tests/tools/web/web.js $(B) || { tail -n 20 $(B)/web.log; exit 1; }

.PHONY: web check-wasm check-web
-include $(wildcard $(B)/wasm/*.d $(B)/wasm/*/*/*.d $(B)/wasm/*/*/*/*.d)

# ---- the npm package: examples/js ----
include examples/js/js.mk
