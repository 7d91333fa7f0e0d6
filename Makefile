# SPDX-License-Identifier: MIT
# `make` builds the library and the program, `make help` lists the targets.
# Everything that is built goes to $(B)/.

# ---- settings: CC AR CFLAGS CPPFLAGS LDFLAGS DESTDIR, and these ----
B       = build
PREFIX ?= /usr/local
BINDIR ?= $(PREFIX)/bin
LIBDIR ?= $(PREFIX)/lib
INCLUDEDIR ?= $(PREFIX)/include
MANDIR ?= $(PREFIX)/share/man
BASHDIR ?= $(PREFIX)/share/bash-completion/completions
PYTHON  = /usr/bin/python3#           for tests; to install: python3 of the PATH
RUN     =#                            in front of what was built: valgrind, qemu
TFLAGS  =#                            to the tests: see `build/tests -h`
V       =#                            1: the commands in full, not a line a file

# ---- no need to touch what follows ----
WARN    = -pedantic -Wall -Wextra -Wconversion -Wshadow -Wvla \
          -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith
MAKEFLAGS += --no-print-directory
ifeq ($(MAKELEVEL),0)  # as many jobs as processors; -j on the command line wins
MAKEFLAGS += -j$(shell nproc 2>/dev/null || echo 2)
endif
# tcc writes no list of the headers that a file needs.
DEPENDS = $(if $(findstring tcc,$(CC)),,-MMD -MP)
OPT     = -O3#                        unless CFLAGS say another one
FLAGS   = -std=c99 $(WARN) $(OPT) -ffunction-sections -fdata-sections \
          $(DEPENDS) $(CPPFLAGS) $(CFLAGS)
LINK    = $(CC) $(CFLAGS) $(LDFLAGS)
Q       = $(if $(filter 1,$(V)),,@)#  in front of a command that `say` names
say     = $(if $(filter 1,$(V)),@:,@printf '  %-4s %s\n' $(1) $(2))
VERSION = $(shell awk '/define MTC_VERSION_[MP]/ {v = v s $$3; s = "."} \
          END {print v}' mtc.h)
# Until 1.0 a new minor number may break programs: it is in the name.
SO      = libmtc.so.$(basename $(VERSION))
# The shared library exports what the headers declare, and nothing else.
ifneq ($(findstring mingw,$(shell $(CC) -dumpmachine)),)
EXE     = .exe
SHARED  = $(B)/libmtc.dll
SHARING = -Wl,--out-implib,$@.a
PIC     = -DMTC_SHARED '-DMTC_API=__declspec(dllexport)'
else
THREADS = -pthread#                   of program and papers; none on Windows
SHARED  = $(B)/libmtc.so
SHARING = -Wl,-soname,$(SO)
PIC     = -fPIC -fvisibility=hidden -DMTC_SHARED \
          '-DMTC_API=__attribute__((visibility("default")))'
endif
SRC     = linalg.c lp.c mtc.c
OBJ     = $(SRC:%.c=$(B)/obj/%.o)
ADVICE  = $(wildcard examples/advice/*.c)
LIB     = $(SRC) $(ADVICE)#           what libmtc has; $(SRC) is dropped in
objects = $(patsubst %.c,$(B)/obj/%.o,$(wildcard $(1)/*.c))
PROGRAM = $(call objects,examples/mtc/*)
COMPARED = $(call objects,examples/compared)
PAGES   = $(patsubst examples/%.c,$(B)/%$(EXE),$(filter-out \
          $(if $(EXE),examples/threads.c),$(wildcard examples/*.c)))
PAPERS  = $(patsubst examples/experiments/%.c,$(B)/%$(EXE),\
          $(wildcard examples/experiments/*.c))
PROGS   = $(B)/mtc$(EXE) $(PAGES) $(PAPERS)

all: lib bin ## use: the library and the program
lib: $(B)/libmtc.a $(SHARED) ## use: the library, static and shared
bin: $(B)/mtc$(EXE) $(B)/mtc.1 ## use: the program, its page and its completion
mtc: $(B)/mtc$(EXE)
examples: $(PROGS) ## use: all programs of examples and of the papers' pages

define compile
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)$(CC) $(FLAGS) -c $< -o $@
endef
define link
	$(call say,LINK,$@)
	$(Q)$(LINK) $(THREADS) $^ -lm -o $@
endef
$(B)/obj/%.o: %.c
	$(compile)
$(B)/obj/pic/%.o: %.c
	$(compile)
$(B)/obj/pic/%.o: FLAGS += $(PIC)
$(B)/libmtc.a: $(OBJ) $(ADVICE:%.c=$(B)/obj/%.o)
	@rm -f $@
	$(call say,AR,$@)
	$(Q)$(AR) rcs $@ $^
$(SHARED): $(LIB:%.c=$(B)/obj/pic/%.o)
	$(call say,LINK,$@)
	$(Q)$(LINK) -shared $(SHARING) $^ -lm -o $@
$(B)/obj/examples/%.o: OPT = -O1#     it is the library that takes the time
$(B)/obj/examples/advice/%.o: OPT = -O3# and this is a part of it
$(B)/obj/examples/mtc/base/%.o $(B)/obj/examples/mtc/tables/%.o $(B)/obj/examples/mtc/texts/%.o: OPT = -O2# files are large
$(B)/mtc$(EXE): $(PROGRAM) $(COMPARED) $(B)/libmtc.a
	$(link)
# The program writes OPTIONS of its page and its completion, where it can run.
$(B)/mtc.1: examples/mtc.1.in $(B)/mtc$(EXE)
	@for f in 'help manual' 'completion bash'; do \
	    $(RUN) $(B)/mtc$(EXE) $$f > $(B)/mtc.$${f#* } 2>/dev/null || { \
	    echo 'See mtc help options.' > $(B)/mtc.manual; \
	    rm -f $(B)/mtc.bash; echo "$(B)/mtc$(EXE) does not run here: no" \
	        "completion, and mtc.1 without OPTIONS"; break; }; \
	done
	@sed -e '/^@OPTIONS@$$/{r $(B)/mtc.manual' -e 'd;}' $< > $@
$(PAGES): $(B)/%$(EXE): $(B)/obj/examples/%.o $(B)/libmtc.a
	$(link)
$(PAPERS): $(B)/%$(EXE): $(B)/obj/examples/experiments/%.o $(COMPARED) $(B)/libmtc.a
	$(link)

PY      = $(if $(EXE),,$(SHARED))#    what Python is tested with; other builds: none
test: $(PY) $(B)/tests $(PROGS) ## test: all tests; the last line is "N passed, N failed"
	@RUN='$(RUN)' PYTHON='$(if $(PY),$(PYTHON))' \
	    tests/tools/run.sh $(B) $(TFLAGS)
demo: $(B)/mtc$(EXE) ## use: what the program does, command by command
	@MTC=$(B)/mtc examples/demo.sh $(B)/demo

# ---- install: nothing that was built is run, Python is not installed unasked ----
install: install-lib install-bin ## use: library and program, with PREFIX= and DESTDIR=
install-lib: lib ## use: headers, libraries, mtc.pc, mtc.3; ldconfig is yours to run
	install -d $(addprefix $(DESTDIR),$(INCLUDEDIR) $(BINDIR) \
	    $(LIBDIR)/pkgconfig $(MANDIR)/man3)
	$(call headers,$(DESTDIR)$(INCLUDEDIR))
	install -m 644 $(B)/libmtc.a $(DESTDIR)$(LIBDIR)
ifdef EXE
	install -m 755 $(SHARED) $(DESTDIR)$(BINDIR)
	install -m 644 $(SHARED).a $(DESTDIR)$(LIBDIR)
else
	install -m 755 $(SHARED) $(DESTDIR)$(LIBDIR)/libmtc.so.$(VERSION)
	ln -sf libmtc.so.$(VERSION) $(DESTDIR)$(LIBDIR)/$(SO)
	ln -sf $(SO) $(DESTDIR)$(LIBDIR)/libmtc.so
endif
	sed -e 's,@prefix@,$(PREFIX),; s,@libdir@,$(LIBDIR),' \
	    -e 's,@includedir@,$(INCLUDEDIR),; s,@VERSION@,$(VERSION),' \
	    -e 's,@single@,$(filter -DMTC_SINGLE,$(FLAGS)),; s, *$$,,' \
	    examples/packages/mtc.pc.in > $(DESTDIR)$(LIBDIR)/pkgconfig/mtc.pc
	install -m 644 examples/mtc.3 $(DESTDIR)$(MANDIR)/man3
install-bin: bin ## use: the program, its pages and its completion
	install -d $(addprefix $(DESTDIR),$(BINDIR) $(MANDIR)/man1 \
	    $(MANDIR)/man5 $(BASHDIR))
	install -m 755 $(B)/mtc$(EXE) $(DESTDIR)$(BINDIR)
	install -m 644 $(B)/mtc.1 $(DESTDIR)$(MANDIR)/man1
	install -m 644 examples/mtc-*.5 $(DESTDIR)$(MANDIR)/man5
	test ! -e $(B)/mtc.bash || install -m 644 $(B)/mtc.bash $(DESTDIR)$(BASHDIR)/mtc
uninstall: ## use: takes away what these put there
	@DESTDIR='$(DESTDIR)' PREFIX='$(PREFIX)' examples/packages/uninstall.sh \
	    $(addprefix $(INCLUDEDIR)/,mtc.h mtc_advice.h) \
	    $(addprefix $(BINDIR)/,mtc$(EXE) libmtc.dll) $(addprefix $(LIBDIR)/,\
	    libmtc.a libmtc.dll.a libmtc.so libmtc.so.$(VERSION) $(SO) pkgconfig/mtc.pc) \
	    $(addprefix $(MANDIR)/,man1/mtc.1 man3/mtc.3 man5/mtc-files.5 \
	    man5/mtc-json.5 man5/mtc-model.5) $(BASHDIR)/mtc $(PYTHONDIR)/mtc/

# ---- packages, WebAssembly, npm, all checks ----
include examples/packages/packages.mk
include examples/web/web.mk
include tests/checks.mk

clean: ## maintain: removes all that was built
	rm -rf $(B)
help: ## maintain: this list
	@for use in use test check measure maintain; do \
	    echo "To $$use:"; awk -F ":.*## $$use: " \
	    'NF == 2 {printf "  make %-17s %s\n", $$1, $$2}' \
	    Makefile examples/*/*.mk tests/*.mk; done
	@echo "V=1 shows the commands.  CC CFLAGS PREFIX DESTDIR: as ever."

.PHONY: all lib bin mtc examples test demo install install-lib install-bin \
        uninstall clean help
.SECONDARY:
.SUFFIXES:
.DELETE_ON_ERROR:
-include $(shell find $(B)/obj -name '*.d' 2>/dev/null)
