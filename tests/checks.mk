# SPDX-License-Identifier: MIT
# How the tests are built, the same tests in other builds, and the promises
# beyond the tests: tests/README.md says what each holds.
TESTS   = $(wildcard tests/*/test_*.c)
TESTOBJ = $(TESTS:%.c=$(B)/obj/%.o) $(B)/obj/tests/main.o
$(B)/suites.h: $(TESTS)
	@mkdir -p $(@D)
	@sed -n 's/^SUITE(\([A-Za-z0-9_]*\)).*/RUN(\1)/p' $^ > $@
	@test -s $@ || { echo "no SUITE in $^: no test would run"; exit 1; }
$(B)/obj/tests/main.o: $(B)/suites.h
$(TESTOBJ): OPT = -O1
$(TESTOBJ): FLAGS += -I$(B) -Itests -DMTC_PROGRAM='"$(abspath $(B))/mtc"' \
                     $(TESTFLAGS)
# The tests lend lanes to small calls, too.
LENT    = $(if $(filter %/linalg.o,$(OBJ)),$(B)/obj/lent/linalg.o) \
          $(B)/obj/lent/examples/advice/desk.o
$(LENT) $(B)/obj/tests/promises/test_lanes.o: FLAGS += -DMTC_LANES_LEAST=1
$(B)/obj/lent/%.o: %.c
	$(compile)
$(B)/tests: $(TESTOBJ) $(COMPARED) $(LENT) $(B)/libmtc.a
	$(link)

# ---- the same tests in other builds: V_x its settings, N_x what it needs ----
CHECKS    = clang single fast nomalloc asan msan amalgamation valgrind
BY_HAND   = musl arm s390x#           slow: check-bits has these machines too
SAN       = -O1 -g1 -fno-sanitize-recover=all -fsanitize=
QUICK     = TESTFLAGS=-O0#            these are compiled in a third of the time
FEWER     = CPPFLAGS=-DTEST_FEWER=10
MEM       = TESTS=tests/promises/test_memory.c# every call there is
INT       = float-cast-overflow,implicit-conversion
CROSS     = LDFLAGS=-static
ONE       = PROGS='$(addprefix $(B)/$*/,mtc quickstart sparse static_memory)'
# Its bits are those of gcc (check-bits), and so is how well it does.
V_clang        = CC=clang CFLAGS=-O1 $(QUICK) $(FEWER)
V_single       = CPPFLAGS=-DMTC_SINGLE CFLAGS=-O1 $(QUICK) $(ONE)
V_fast         = CPPFLAGS=-DMTC_FAST CFLAGS=-O1 $(QUICK) $(ONE)
V_nomalloc     = CPPFLAGS=-DMTC_NO_MALLOC CFLAGS=-O1 PROGS= $(MEM)
# What is undefined in the tests themselves is no matter; the address sanitizer
# sees null and too small objects.
V_asan         = CFLAGS='$(SAN)address,undefined,float-cast-overflow \
                 -fno-sanitize=null,object-size' $(FEWER) $(ONE) \
                 TESTFLAGS='-O0 -fno-sanitize=undefined,float-cast-overflow'
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
           check-export firmware check-wasm check-web check-python check-results
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
FUZZING  = -std=c99 -O1 -g1 -fno-sanitize-recover=all \
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
	@$(call need,$(PYTHON)); CC='$(CC)' tests/tools/packages/wheel.sh $(B) $(PYTHON)
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
$(B)/fuzz/%.o: %.c mtc.h $(wildcard examples/mtc/*/*.h)
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)clang $(FUZZING) -c $< -o $@
$(B)/fuzz_methods: tests/promises/calls.h tests/fuzz/compared.h \
                   $(wildcard examples/compared/*)
$(B)/fuzz_readers $(B)/fuzz_models $(B)/fuzz_texts: tests/fuzz/program.h \
                   $(patsubst $(B)/obj/%,$(B)/fuzz/%,\
                   $(filter-out %/main.o,$(PROGRAM)) $(COMPARED))
$(B)/fuzz_%: tests/fuzz/%.c $(LIB:%.c=$(B)/fuzz/%.o)
	$(call say,LINK,$@)
	$(Q)clang $(FUZZING) -pthread $< $(filter %.o,$^) -lm -o $@
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
	    || { tail -n 30 $(B)/fuzz_$$f.log; exit 1; }; done; \
	rm -f /tmp/mtc_fuzz_*
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
MPICC  ?= mpicc
FEDERATED = $(call objects,examples/federated)
$(FEDERATED): private CC = $(MPICC)
$(FEDERATED): FLAGS += -ffp-contract=off
$(B)/federated_mbc: private CC = $(MPICC)
# Tables are read by the program's own files.
$(B)/federated_mbc: $(FEDERATED) $(filter-out %/main.o,$(PROGRAM)) \
                    $(COMPARED) $(B)/libmtc.a
	$(link)
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
symbols: $(B)/libmtc.a $(SHARED) ## check: no state, no name but mtc_ and adv_, only libc and libm; what is exported
	@! nm -f sysv $< | awk -F '|' '$$3 ~ /^ *[bBdDC] *$$/' | \
	    grep -v '\.data\.rel\.ro'
	@! nm -g --defined-only $< | awk 'NF == 3 && $$3 !~ /^(mtc|adv)_/' | grep .
	@! nm -u $< | awk 'NF == 2 {print $$2}' | grep -vxE \
	    '(mtc|adv)_.*|malloc|free|mem(cpy|set|move|cmp)|(sqrt|fabs|floor)f?|__cpu_model|_GLOBAL_OFFSET_TABLE_'
	@sed -n 's/^function //p' tests/promises/abi.txt | sort > $(B)/declared
	@nm -D --defined-only $(SHARED) | awk '{print $$3}' | sort | \
	    diff $(B)/declared -
	@echo "symbols: ok"

# ---- measures, and the tables of the papers' pages ----
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
# As on a machine without AVX-512: our choice of kernels, and OpenBLAS's.
$(B)/bench/avx2/libmtc_%.so: tests/tools/bench_shim.c $(LIB) mtc.h
	@mkdir -p $(@D)
	@sed 's/__builtin_cpu_supports("avx512f")/0/' linalg.c > $(@D)/linalg.c
	$(call say,LINK,$@)
	$(Q)$(CC) $(FLAGS) -I. -fPIC -shared $(THREADS) tests/tools/bench_shim.c $(LIB:linalg.c=$(@D)/linalg.c) -lm -o $@
$(B)/bench/bench_fast $(B)/bench/libmtc_fast.so $(B)/bench/avx2/libmtc_fast.so: FLAGS += -DMTC_FAST
bench: $(B)/bench/bench_default $(B)/bench/bench_fast ## measure: our own figures
	@for b in $^; do $$b; done
$(B)/bench/lanes: tests/tools/bench_lanes.c examples/threads.c $(LIB) mtc.h
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$(Q)$(CC) $(FLAGS) $(THREADS) tests/tools/bench_lanes.c $(LIB) -lm -o $@
bench-lanes: $(B)/bench/lanes ## measure: what 2, 4, 8, 16 lanes would gain; ROWS=auto: some
	@$< $(ROWS)
$(B)/bench/bench_read: tests/tools/bench_read.c $(COMPARED) \
                       $(filter-out %/main.o,$(PROGRAM)) $(B)/libmtc.a
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$(Q)$(CC) $(FLAGS) -O1 $(THREADS) $^ -lm -o $@
bench-peers: $(B)/bench/libmtc_default.so $(B)/bench/libmtc_fast.so $(B)/bench/bench_read $(B)/mtc ## measure: ratios to peers
	@/usr/bin/python3 tests/tools/bench_peers.py $^
bench-peers-avx2: $(B)/bench/avx2/libmtc_default.so $(B)/bench/avx2/libmtc_fast.so $(B)/bench/bench_read $(B)/mtc ## measure: the same without AVX-512
	@OPENBLAS_CORETYPE=Haswell /usr/bin/python3 tests/tools/bench_peers.py $^
# All but the programs that take minutes; these, beside them; or those of WORD.
R_short = build/[^t]\|build/tra
R_long  = build/t[^r]\|build/tr[^a]
R_word  = $(WORD)
RESULTS = $(addprefix check-results-,$(if $(WORD),word,short long))
check-results: $(RESULTS) ## check: tables of examples/experiments; DATA=dir for all, WORD=trec for some
check-results-pages:
	@tests/tools/papers/results_test.sh
	@tests/tools/papers/equations.sh
check-results-short check-results-long check-results-word: check-results-%: \
    check-results-pages $(PAPERS) $(B)/mtc$(EXE)
	@tests/tools/papers/results.sh $(B) "$(DATA)" "$(R_$*)"
check-results-long: $(if $(DATA),check-results-short)
results: $(PAPERS) $(B)/mtc$(EXE) ## maintain: these tables, written again
	@tests/tools/papers/results.sh --write $(B) "$(DATA)" "$(WORD)"
data: $(B)/mtc$(EXE) ## measure: the papers' texts, from ARCHIVES=dir to build/data
	@examples/experiments/data.sh $< $(ARCHIVES) $(B)/data
equations: ## maintain: where the equations of the papers are, on their pages
	@tests/tools/papers/equations.sh --write

.PHONY: results data equations $(addprefix check-results-,pages short long word)
.PHONY: check layout cxx asan symbols bench bench-lanes bench-peers bench-peers-avx2 sweep abi hashes mutants \
        $(PYCHECKS) $(PROMISES) $(CHECKS:%=check-%) $(BY_HAND:%=check-%)
