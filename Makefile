# SPDX-License-Identifier: MIT
# `make help` lists the targets.  Everything that is built goes to $(B)/.

# ---- settings: CC CFLAGS CPPFLAGS LDFLAGS PREFIX LIBDIR MANDIR PYTHONDIR DESTDIR ----
B       = build
CFLAGS ?= -O3
PREFIX ?= /usr/local
LIBDIR ?= $(PREFIX)/lib
MANDIR ?= $(PREFIX)/share/man
PYTHONDIR ?= $(PREFIX)/lib/python3/dist-packages
BASHDIR ?= $(PREFIX)/share/bash-completion/completions
ZSHDIR ?= $(PREFIX)/share/zsh/site-functions
WARN    = -pedantic -Wall -Wextra -Wconversion -Wshadow -Wvla \
          -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith
RUN     =#                            in front of the tests: valgrind, qemu
TFLAGS  =#                            to the tests: see `build/tests -h`
V       =#                            1: the commands in full, not a line a file

# ---- no need to touch what follows ----
MAKEFLAGS += --no-print-directory
ifeq ($(MAKELEVEL),0)  # as many jobs as processors; -j on the command line wins
MAKEFLAGS += -j$(shell nproc 2>/dev/null || echo 2)
endif
# tcc writes no list of the headers that a file needs.
DEPENDS = $(if $(findstring tcc,$(CC)),,-MMD -MP)
FLAGS   = -std=c99 $(WARN) -ffunction-sections -fdata-sections $(DEPENDS) \
          $(CPPFLAGS) $(CFLAGS)
LINK    = $(CC) $(CFLAGS) $(LDFLAGS)
Q       = $(if $(filter 1,$(V)),,@)#  in front of a command that `say` names
say     = $(if $(filter 1,$(V)),@:,@printf '  %-4s %s\n' $(1) $(2))
VERSION = $(shell awk '/define MTC_VERSION_[MP]/ {v = v s $$3; s = "."} \
          END {print v}' mtc.h)
# Until 1.0 a new minor number may break programs: it is in the name.
SO      = libmtc.so.$(basename $(VERSION))
ifneq ($(findstring mingw,$(shell $(CC) -dumpmachine)),)
EXE     = .exe
SHARED  = $(B)/libmtc.dll
SHARING = -Wl,--out-implib,$@.a
else
THREADS = -pthread#                   of program and papers; none on Windows
SHARED  = $(B)/libmtc.so
SHARING = -Wl,-soname,$(SO)
endif
SRC     = linalg.c lp.c mtc.c
OBJ     = $(SRC:%.c=$(B)/obj/%.o)
ADVICE  = $(wildcard examples/advice/*.c)
LIB     = $(SRC) $(ADVICE)#           what libmtc has; $(SRC) is dropped in
TESTS   = $(wildcard tests/*/test_*.c)
TESTOBJ = $(TESTS:%.c=$(B)/obj/%.o) $(B)/obj/tests/main.o
objects = $(patsubst %.c,$(B)/obj/%.o,$(wildcard $(1)/*.c))
PROGRAM = $(call objects,examples/mtc/*)
COMPARED = $(call objects,examples/compared)
PAGES   = $(patsubst examples/%.c,$(B)/%$(EXE),$(filter-out \
          $(if $(EXE),examples/threads.c),$(wildcard examples/*.c)))
PAPERS  = $(patsubst examples/experiments/%.c,$(B)/%$(EXE),\
          $(wildcard examples/experiments/*.c))
PROGS   = $(B)/mtc$(EXE) $(PAGES) $(PAPERS)
MPICC  ?= mpicc
FEDERATED = $(call objects,examples/federated)

all: $(B)/libmtc.a $(SHARED) $(PROGS) ## use: libraries, program, examples
mtc: $(B)/mtc$(EXE) ## use: the program alone

$(B)/obj/%.o: %.c
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)$(CC) $(FLAGS) -c $< -o $@
$(B)/obj/pic/%.o: %.c
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)$(CC) $(FLAGS) -fPIC -c $< -o $@
$(B)/libmtc.a: $(OBJ) $(ADVICE:%.c=$(B)/obj/%.o)
	@rm -f $@
	$(call say,AR,$@)
	$(Q)$(AR) rcs $@ $^
$(SHARED): $(LIB:%.c=$(B)/obj/pic/%.o)
	$(call say,LINK,$@)
	$(Q)$(LINK) -shared $(SHARING) $^ -lm -o $@
$(B)/obj/examples/%.o: FLAGS += -O1#  it is the library that takes the time
$(B)/obj/examples/advice/%.o: FLAGS += $(CFLAGS)#  and this is a part of it
$(B)/mtc$(EXE): $(PROGRAM) $(COMPARED) $(B)/libmtc.a
	$(call say,LINK,$@)
	$(Q)$(LINK) $(THREADS) $^ -lm -o $@
$(PAGES): $(B)/%$(EXE): $(B)/obj/examples/%.o $(B)/libmtc.a
	$(call say,LINK,$@)
	$(Q)$(LINK) $(THREADS) $^ -lm -o $@
$(PAPERS): $(B)/%$(EXE): $(B)/obj/examples/experiments/%.o $(COMPARED) $(B)/libmtc.a
	$(call say,LINK,$@)
	$(Q)$(LINK) $(THREADS) $^ -lm -o $@

$(B)/suites.h: $(TESTS)
	@mkdir -p $(@D)
	@sed -n 's/^SUITE(\([A-Za-z0-9_]*\)).*/RUN(\1)/p' $^ > $@
	@test -s $@ || { echo "no SUITE in $^: no test would run"; exit 1; }
$(B)/obj/tests/main.o: $(B)/suites.h
$(TESTOBJ): FLAGS += -O1 -I$(B) -Itests -DMTC_PROGRAM='"$(abspath $(B))/mtc"'
# The tests lend lanes to small calls, too.
LENT    = $(if $(filter %/linalg.o,$(OBJ)),$(B)/obj/lent/linalg.o) \
          $(B)/obj/lent/examples/advice/desk.o
$(LENT) $(B)/obj/tests/promises/test_lanes.o: FLAGS += -DMTC_LANES_LEAST=1
$(B)/obj/lent/%.o: %.c
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)$(CC) $(FLAGS) -c $< -o $@
$(B)/tests: $(TESTOBJ) $(COMPARED) $(LENT) $(B)/libmtc.a
	$(call say,LINK,$@)
	$(Q)$(LINK) $(THREADS) $^ -lm -o $@
PYTHON  = /usr/bin/python3
PY      = $(if $(EXE),,$(SHARED))#    what Python is tested with; other builds: none
test: $(PY) $(B)/tests $(PROGS) ## test: all tests; the last line is "N passed, N failed"
	@RUN='$(RUN)' PYTHON='$(if $(PY),$(PYTHON))' \
	    tests/tools/run.sh $(B) $(TFLAGS)

# ---- the same tests in other builds: V_x its settings, N_x what it needs ----
CHECKS    = clang single fast nomalloc asan msan amalgamation valgrind
BY_HAND   = musl arm s390x#           slow: check-bits has these machines too
SAN       = -O1 -g -fno-sanitize-recover=all -fsanitize=
FEWER     = CPPFLAGS=-DTEST_FEWER=10
MEM       = TESTS=tests/promises/test_memory.c# every call there is
INT       = float-cast-overflow,implicit-conversion
CROSS     = LDFLAGS=-static
ONE       = PROGS='$(addprefix $(B)/$*/,mtc quickstart sparse static_memory)'
V_clang        = CC=clang CFLAGS=-O1
V_single       = CPPFLAGS=-DMTC_SINGLE CFLAGS=-O1 $(ONE)
V_fast         = CPPFLAGS=-DMTC_FAST CFLAGS=-O1 $(ONE)
V_nomalloc     = CPPFLAGS=-DMTC_NO_MALLOC CFLAGS=-O1 PROGS= $(MEM)
V_asan         = CFLAGS='$(SAN)address,undefined,float-cast-overflow' \
                 $(FEWER) $(ONE)
V_msan         = CC=clang PROGS= $(FEWER) CFLAGS='$(SAN)memory,undefined,$(INT)'
V_amalgamation = OBJ=$(B)/amalgamation/mtc_amalgamation.o CFLAGS=-O1 \
                 $(MEM) $(ONE)
# Valgrind is slow: dense views are left to the sanitizers.
V_valgrind     = CFLAGS='-O1 -g' RUN='valgrind -q --error-exitcode=9' \
                 TFLAGS='-x _dense' $(MEM) PROGS=
V_musl         = CC=musl-gcc $(CROSS) $(ONE)
V_arm          = CC=arm-linux-gnueabihf-gcc RUN=qemu-arm $(CROSS) $(ONE)
V_s390x        = CC=s390x-linux-gnu-gcc RUN=qemu-s390x $(CROSS) $(ONE)
N_clang = clang
N_msan  = clang
N_valgrind = valgrind
N_musl  = musl-gcc
N_arm   = arm-linux-gnueabihf-gcc qemu-arm
N_s390x = s390x-linux-gnu-gcc qemu-s390x

PROMISES = check-abi check-dist check-bits check-size check-tsan check-fuzz check-flags coverage \
           analyze differential check-federated \
           check-export firmware check-wasm check-web check-python
check: layout test symbols cxx $(CHECKS:%=check-%) $(PROMISES) ## test: every check there is
$(CHECKS:%=check-%) $(BY_HAND:%=check-%): check-%:
	@mkdir -p $(B)
	@for n in $(N_$*); do command -v $$n >/dev/null \
	    || { echo "check $*: skipped, no $$n"; exit 0; }; done; \
	$(MAKE) test B=$(B)/$* PY= $(V_$*) \
	    > $(B)/$*.log 2>&1 \
	    && echo "check $*: `tail -n 1 $(B)/$*.log`" \
	    || { grep -a '^FAIL' $(B)/$*.log; tail -n 20 $(B)/$*.log; \
	         echo "check $*: FAILED"; exit 1; }

# ---- the promises beyond the tests: one line each, see README ----
FUZZ     = 10#                        seconds for each fuzz target
need     = command -v $(1) >/dev/null || { echo "$@: skipped, no $(1)"; exit 0; }
FUZZING  = -std=c99 -O1 -g -fno-sanitize-recover=all \
           -fsanitize=fuzzer,address,undefined,float-cast-overflow

layout: ## test: top level, 80 columns of ASCII, license lines, budgets
	@tests/tools/layout.sh
check-bits: ## check: the same bits with every compiler and machine at hand
	@tests/tools/bits.sh $(B)/bits
check-abi: ## check: what a linked program counts on is as tests/promises/abi.txt has it
	@tests/tools/abi.sh $(B)/abi tests/promises/abi.txt
abi: ## maintain: writes tests/promises/abi.txt again: say why in the change
	@tests/tools/abi.sh $(B)/abi > tests/promises/abi.txt
hashes: ## maintain: writes tests/promises/hashes.txt again: say why in the change
	@mkdir -p $(B)
	@for s in '' _single; do $(CC) -std=c99 -O2 $${s:+-DMTC_SINGLE} \
	    tests/tools/hash.c $(LIB) -lm -o $(B)/hash && $(B)/hash \
	    > tests/promises/hashes$$s.txt || exit 1; done
check-flags: ## check: compiler flags that change results do not pass silently
	@tests/tools/flags.sh $(B)/flags
PYLIB    = $(CC) -std=c99 -O1 -g -fPIC -shared $(LIB) -lm
PYCHECKS = $(addprefix check-python-,asan float double wheel)
check-python: $(PYCHECKS) ## check: Python, all of its tests; in float; every array to the byte; the wheel
$(PYCHECKS): $(SHARED) $(B)/mtc$(EXE)
check-python-asan:
	@$(call need,$(PYTHON)); mkdir -p $(B)/python/asan; \
	asan=`$(CC) -print-file-name=libasan.so`; test ! -e $$asan || { \
	    $(PYLIB) -fsanitize=address -o $(B)/python/asan/libmtc.so && \
	    LD_PRELOAD=$$asan ASAN_OPTIONS=detect_leaks=0 $(PYTHON) \
	        tests/test_python.py $(B)/python/asan shapes_ assign_ starts_ \
	        estimators_keep transfer_gives what_is_no_model; }
check-python-float:
	@$(call need,$(PYTHON)); mkdir -p $(B)/python/float; \
	$(PYLIB) -DMTC_SINGLE -o $(B)/python/float/libmtc.so && \
	$(PYTHON) tests/test_python.py $(B)/python/float --all
check-python-double:
	@$(call need,$(PYTHON)); $(PYTHON) tests/test_python.py $(B) --all
check-python-wheel:
	@$(call need,$(PYTHON)); CC='$(CC)' tests/tools/wheel.sh $(B) $(PYTHON)
check-size: ## check: bytes of each function and what it needs, alone on a Cortex-M4
	@tests/tools/size.sh $(B)/size
firmware: $(B)/mtc$(EXE) ## use: k-means, and an exported model, on a Cortex-M4: flash, RAM, labels
	@tests/tools/firmware.sh $(B)/firmware $(B)/mtc$(EXE)
MODELS   = 200
check-export: $(B)/mtc$(EXE) ## check: random models: exported, compiled, run, compared with assign
	@$(call need,python3); python3 tests/tools/export.py $(B)/mtc$(EXE) \
	    $(B)/export --models $(MODELS)
check-relate: $(B)/mtc$(EXE) ## check: random halves of one set differ in 7 % of draws at most
	@tests/tools/halves.sh $(B)/mtc$(EXE) $(B)/halves
check-tsan: ## check: four threads at once, under the thread sanitizer, equal bits
	@mkdir -p $(B)
	@$(call need,clang); clang -std=c99 -O1 -g -fsanitize=thread -pthread \
	    tests/tools/threads.c $(LIB) -lm -o $(B)/four_threads && $(B)/four_threads
	@$(call need,clang); $(MAKE) test B=$(B)/tsan CC=clang \
	    CFLAGS='-O1 -g -fsanitize=thread' \
	    TESTS='tests/program/test_cli_jobs.c tests/promises/test_lanes.c' \
	    PROGS='$(B)/tsan/mtc' PY= > $(B)/tsan.log 2>&1 \
	    && echo "the program's jobs, lanes: `tail -n 1 $(B)/tsan.log`" \
	    || { tail -n 40 $(B)/tsan.log; exit 1; }
$(B)/fuzz/%.o: %.c mtc.h
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)clang $(FUZZING) -c $< -o $@
$(B)/fuzz_methods: tests/promises/calls.h tests/fuzz/compared.h \
                   $(wildcard examples/compared/*)
$(B)/fuzz_readers $(B)/fuzz_models $(B)/fuzz_texts: tests/fuzz/program.h \
                   $(wildcard examples/mtc/*/*)
$(B)/fuzz_%: tests/fuzz/%.c $(LIB:%.c=$(B)/fuzz/%.o)
	$(call say,LINK,$@)
	$(Q)clang $(FUZZING) $< $(LIB:%.c=$(B)/fuzz/%.o) -lm -o $@
sweep: $(B)/libmtc.a ## measure: every call, options drawn blindly; double, then float
	@set -e; c='$(CC) -std=c99 -O1 -ffp-contract=off -DMTC_SWEEP'; \
	$$c tests/fuzz/methods.c $< -lm -o $(B)/sweep_double; \
	$$c -DMTC_SINGLE tests/fuzz/methods.c $(LIB) -lm -o $(B)/sweep_float; \
	for r in double float; do \
	    $(B)/sweep_$$r $(FUZZ) $(SEED) $(B)/sweep_$$r.bin; done
check-fuzz: sweep ## check: all fuzz targets for FUZZ seconds each
	@$(call need,clang); for f in methods readers models texts; do \
	    mkdir -p $(B)/corpus/$$f && \
	    $(MAKE) $(B)/fuzz_$$f > $(B)/fuzz_$$f.log 2>&1 && \
	    $(B)/fuzz_$$f -max_total_time=$(FUZZ) -timeout=60 \
	        -max_len=$$(test $$f = models && echo 3000 || echo 600) \
	        $$(test $$f = methods || echo -close_fd_mask=3) \
	        -artifact_prefix=$(B)/ $(B)/corpus/$$f \
	        tests/fuzz/corpus/$$f > $(B)/fuzz_$$f.log 2>&1 \
	    && echo "fuzz $$f: `grep -a DONE $(B)/fuzz_$$f.log`" \
	    || { tail -n 30 $(B)/fuzz_$$f.log; exit 1; }; done
coverage: ## measure: lines and branches of the library that the tests reach
	@$(call need,gcovr); tests/tools/coverage.sh $(B)/cov
differential: ## check: thousands of random cases against scikit-learn, POT, LIBSVM
	@$(MAKE) $(B)/bench/libmtc_default.so $(B)/mtc$(EXE) > /dev/null
	@MTC=$(B)/mtc$(EXE) /usr/bin/python3 tests/tools/differential.py \
	    $(B)/bench/libmtc_default.so
N        = 40
SEED     = 1
mutants: ## measure: by hand: N=40 SEED=1, do the tests notice a mistake in the library
	@CC='$(CC)' python3 tests/tools/mutate.py $(N) --seed $(SEED)
$(FEDERATED): private CC = $(MPICC)
$(FEDERATED): FLAGS += -ffp-contract=off
$(B)/federated_mbc: private CC = $(MPICC)
# Tables are read by the program's own files.
$(B)/federated_mbc: $(FEDERATED) $(filter-out %/main.o,$(PROGRAM)) \
                    $(COMPARED) $(B)/libmtc.a
	$(call say,LINK,$@)
	$(Q)$(LINK) $(THREADS) $^ -lm -o $@
federated: ## use: MBC, LSSMTC and k-means over MPI, where mpicc is
	@$(call need,$(MPICC)); $(MAKE) $(B)/federated_mbc
check-federated: ## check: the same labels on 1 to 7 ranks as on one machine
	@$(call need,$(MPICC)); $(call need,mpirun); \
	$(MAKE) $(B)/federated_mbc $(B)/mtc > /dev/null && \
	tests/tools/federated.sh $(B)
cxx: ## check: the headers compile as C++98 and C++17
	@for s in c++98 c++17; do echo '#include "examples/advice/mtc_advice.h"' | \
	    $(CXX) -std=$$s -Wall -Wextra -Werror -I. -x c++ -fsyntax-only - \
	    && echo "$$s: ok" || exit 1; done
asan: check-asan ## check: the tests under the address sanitizer
symbols: $(B)/libmtc.a ## check: no state, no name but mtc_ and adv_, only libc and libm
	@! nm -f sysv $< | awk -F '|' '$$3 ~ /^ *[bBdDC] *$$/' | \
	    grep -v '\.data\.rel\.ro'
	@! nm -g --defined-only $< | awk 'NF == 3 && $$3 !~ /^(mtc|adv)_/' | grep .
	@! nm -u $< | awk 'NF == 2 {print $$2}' | grep -vxE \
	    '(mtc|adv)_.*|malloc|free|mem(cpy|set|move|cmp)|(sqrt|fabs|floor)f?|__cpu_model|_GLOBAL_OFFSET_TABLE_'
	@echo "symbols: ok"

# One file: #include it, or compile it with -DMTC_API= and use mtc.h as ever.
$(B)/mtc_amalgamation.c: mtc.h $(SRC)
	@mkdir -p $(@D)
	@printf '%s\n' '#ifndef MTC_API' '#define MTC_API static' '#endif' \
	    '#define MTC_INTERNAL' '#ifdef __GNUC__' \
	    '#pragma GCC diagnostic ignored "-Wunused-function"' '#endif' > $@
	@sed -e '/^#include "mtc.h"/d' -e '/^#define MTC_INTERNAL/d' $^ >> $@
$(B)/mtc_amalgamation.o: $(B)/mtc_amalgamation.c
	$(call say,CC,$<)
	$(Q)$(CC) $(FLAGS) -c $< -o $(@:.o=_static.o)
	$(Q)$(CC) $(FLAGS) -DMTC_API= -c $< -o $@
amalgamation: $(B)/mtc_amalgamation.o ## use: the library as one file

export URL MAIL#                      of the manifests, see examples/packages
dist: $(B)/mtc_amalgamation.c ## use: packages for other build systems
	@examples/packages/pack.sh $(B)/dist $<
debian: ## use: the folder debian/ for dpkg-buildpackage; MAIL= names the maintainer
	@examples/packages/debian.sh
wheel: $(SHARED) $(B)/mtc$(EXE) ## use: Python: a wheel and a source archive for pip; URL= the project's address
	@mkdir -p $(B)/dist/python && cd examples/python && export MTC_BUILT=$(abspath $(B)) && \
	$(PYTHON) -m pip -q --disable-pip-version-check wheel --no-build-isolation \
	    --no-deps --no-index -w $(abspath $(B))/dist/python . && \
	$(PYTHON) setup.py -q sdist -d $(abspath $(B))/dist/python && \
	ls $(abspath $(B))/dist/python
check-dist: ## check: each package built and used, where its tools are
	@CC='$(CC)' tests/tools/dist.sh $(B)/dist-check

# ---- the program in WebAssembly, and the page around it: examples/web ----
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
	@$(MAKE) $(B)/web/index.html && tests/tools/web_size.sh $(B)/web
check-wasm: ## check: the program in WebAssembly writes what the program writes
	@mkdir -p $(B)
	@$(wasi); $(call need,node); $(MAKE) $(B)/mtc web > $(B)/web.log 2>&1 && \
	grep '^web:' $(B)/web.log && node tests/tools/wasm_same.js $(B) || \
	{ tail -n 20 $(B)/web.log; exit 1; }
check-web: ## check: the page in a real browser: drop, run, cancel, download
	@mkdir -p $(B)
	@$(wasi); $(call need,node); $(call need,chromium); \
	$(MAKE) $(B)/mtc web > $(B)/web.log 2>&1 && \
	node tests/tools/web.js $(B) || { tail -n 20 $(B)/web.log; exit 1; }

# ---- the npm package: examples/js ----
include examples/js/js.mk

# ---- everything else ----
demo: $(B)/mtc ## use: what the program does, command by command
	@MTC=$(B)/mtc examples/demo.sh $(B)/demo
analyze: ## check: cppcheck, clang-tidy and gcc -fanalyzer, without a finding
	@tests/tools/analyze.sh $(B)/analyze
$(B)/bench/bench_%: tests/tools/bench.c $(LIB) mtc.h tests/test_util.h
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$(Q)$(CC) $(FLAGS) tests/tools/bench.c $(LIB) -lm -o $@
$(B)/bench/libmtc_%.so: tests/tools/bench_shim.c $(LIB) mtc.h
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$(Q)$(CC) $(FLAGS) -fPIC -shared $(THREADS) tests/tools/bench_shim.c $(LIB) -lm -o $@
$(B)/bench/bench_fast $(B)/bench/libmtc_fast.so: FLAGS += -DMTC_FAST
bench: $(B)/bench/bench_default $(B)/bench/bench_fast ## measure: our own figures
	@for b in $^; do $$b; done
$(B)/bench/bench_read: tests/tools/bench_read.c $(B)/libmtc.a \
                       $(wildcard examples/mtc/*/*)
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$(Q)$(CC) $(FLAGS) -O1 $< $(B)/libmtc.a -lm -o $@
bench-peers: $(B)/bench/libmtc_default.so $(B)/bench/libmtc_fast.so $(B)/bench/bench_read $(B)/mtc ## measure: ratios to peers
	@/usr/bin/python3 tests/tools/bench_peers.py $^
.PHONY: check-results results data equations
check-results: $(PAPERS) $(B)/mtc$(EXE) ## measure: tables of examples/experiments; DATA=dir for all, WORD=trec for some
	@tests/tools/results_test.sh
	@tests/tools/equations.sh
	@tests/tools/results.sh $(B) "$(DATA)" "$(WORD)"
results: $(PAPERS) $(B)/mtc$(EXE) ## maintain: these tables, written again
	@tests/tools/results.sh --write $(B) "$(DATA)" "$(WORD)"
data: $(B)/mtc$(EXE) ## measure: the papers' texts, from ARCHIVES=dir to build/data
	@examples/experiments/data.sh $< $(ARCHIVES) $(B)/data
equations: ## maintain: where the equations of the papers are, on their pages
	@tests/tools/equations.sh --write
# Both headers lie in one folder there.
headers = install -m 644 mtc.h $(1) && \
          sed 's,"../../mtc.h","mtc.h",' examples/advice/mtc_advice.h \
          > $(1)/mtc_advice.h && chmod 644 $(1)/mtc_advice.h
install: $(B)/libmtc.a $(SHARED) $(B)/mtc$(EXE) ## use: headers, libraries, program, pages
	install -d $(addprefix $(DESTDIR),$(PREFIX)/include $(PREFIX)/bin \
	    $(LIBDIR)/pkgconfig $(MANDIR)/man1 $(MANDIR)/man3 \
	    $(MANDIR)/man5)
	$(call headers,$(DESTDIR)$(PREFIX)/include)
	install -m 644 $(B)/libmtc.a $(DESTDIR)$(LIBDIR)
ifdef EXE
	install -m 755 $(SHARED) $(DESTDIR)$(PREFIX)/bin
	install -m 644 $(SHARED).a $(DESTDIR)$(LIBDIR)
else
	install -m 755 $(SHARED) $(DESTDIR)$(LIBDIR)/libmtc.so.$(VERSION)
	ln -sf libmtc.so.$(VERSION) $(DESTDIR)$(LIBDIR)/$(SO)
	ln -sf $(SO) $(DESTDIR)$(LIBDIR)/libmtc.so
endif
	printf '%s\n' 'prefix=$(PREFIX)' 'libdir=$(LIBDIR)' 'Name: mtc' \
	    'Description: multi-task clustering and transfer learning' \
	    'Version: $(VERSION)' 'Cflags: -I$${prefix}/include' \
	    'Libs: -L$${libdir} -lmtc' 'Libs.private: -lm' \
	    > $(DESTDIR)$(LIBDIR)/pkgconfig/mtc.pc
	install -m 755 $(B)/mtc$(EXE) $(DESTDIR)$(PREFIX)/bin
	install -m 644 examples/mtc.1 $(DESTDIR)$(MANDIR)/man1
	install -m 644 examples/mtc.3 $(DESTDIR)$(MANDIR)/man3
	install -m 644 examples/mtc-files.5 examples/mtc-json.5 examples/mtc-model.5 \
	    $(DESTDIR)$(MANDIR)/man5
	install -d $(DESTDIR)$(BASHDIR) $(DESTDIR)$(ZSHDIR)
	$(RUN) $(B)/mtc$(EXE) completion bash > $(DESTDIR)$(BASHDIR)/mtc
	$(RUN) $(B)/mtc$(EXE) completion zsh > $(DESTDIR)$(ZSHDIR)/_mtc
	install -d $(DESTDIR)$(PYTHONDIR)/mtc
	install -m 644 examples/python/mtc/*.py $(DESTDIR)$(PYTHONDIR)/mtc
	$(call headers,$(DESTDIR)$(PYTHONDIR)/mtc)
	printf '%s\n' '# written by make install' \
	    'LIBRARY = "$(if $(EXE),$(PREFIX)/bin/libmtc.dll,$(LIBDIR)/$(SO))"' \
	    'PROGRAM = "$(PREFIX)/bin/mtc$(EXE)"' \
	    > $(DESTDIR)$(PYTHONDIR)/mtc/_installed.py
# Empty directories go, too, but those of the system.
uninstall: ## use: takes away what install put there
	rm -f $(addprefix $(DESTDIR)$(PREFIX)/,include/mtc.h \
	    include/mtc_advice.h bin/mtc$(EXE) bin/libmtc.dll) $(addprefix $(DESTDIR)$(LIBDIR)/,libmtc.a \
	    libmtc.dll.a libmtc.so libmtc.so.$(VERSION) $(SO) \
	    pkgconfig/mtc.pc) $(addprefix $(DESTDIR)$(MANDIR)/,man1/mtc.1 \
	    man3/mtc.3 man5/mtc-files.5 man5/mtc-json.5 man5/mtc-model.5)
	rm -f $(DESTDIR)$(BASHDIR)/mtc $(DESTDIR)$(ZSHDIR)/_mtc
	rm -rf $(DESTDIR)$(PYTHONDIR)/mtc
	@for d in $(addprefix $(DESTDIR),$(BASHDIR) $(ZSHDIR) $(PYTHONDIR) \
	    $(LIBDIR)/pkgconfig $(addprefix $(MANDIR)/man,1 3 5) \
	    $(PREFIX)/include $(PREFIX)/bin); do \
	    while case $$d in $(if $(DESTDIR),$(DESTDIR)/?,$(PREFIX))*) ;; *) false ;; esac && \
	        case $$d:$${d%/*} in /usr/local/share/man:*|*:|*:/usr|*:/usr/local) \
	            false ;; esac && \
	        rmdir "$$d" 2>/dev/null; do d=$${d%/*}; done; \
	done
clean: ## maintain: removes all that was built
	rm -rf $(B)
help: ## maintain: this list
	@for use in use test check measure maintain; do \
	    echo "To $$use:"; awk -F ":.*## $$use: " \
	    'NF == 2 {printf "  make %-17s %s\n", $$1, $$2}' Makefile; done
	@echo "V=1 shows the commands.  CC CFLAGS PREFIX DESTDIR: as ever."

.PHONY: all mtc test check layout cxx asan symbols amalgamation dist debian wheel web demo bench \
        bench-peers sweep abi hashes mutants install uninstall clean help $(PYCHECKS) $(PROMISES) $(CHECKS:%=check-%) \
        $(BY_HAND:%=check-%)
.SECONDARY:
.SUFFIXES:
.DELETE_ON_ERROR:
-include $(wildcard $(B)/obj/*.d $(B)/obj/*/*.d $(B)/obj/*/*/*.d \
          $(B)/obj/*/*/*/*.d $(B)/obj/*/*/*/*/*.d \
          $(B)/wasm/*.d $(B)/wasm/*/*/*.d $(B)/wasm/*/*/*/*.d)
