# SPDX-License-Identifier: MIT
# The library as packages of other build systems, and as one file: #include it,
# or compile it with -DMTC_API= and use mtc.h as ever.
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

# ---- of make install: both headers lie in one folder ----
headers = install -m 644 mtc.h $(1) && \
          sed 's,"../../mtc.h","mtc.h",' examples/advice/mtc_advice.h \
          > $(1)/mtc_advice.h && chmod 644 $(1)/mtc_advice.h
PYTHON_AT = $(DESTDIR)$(PYTHONDIR)/mtc
PYTHONDIR ?= $(shell $(PYTHON) -c \
          'import sysconfig; print(sysconfig.get_path("purelib"))')
install-python uninstall: PYTHON = python3
install-python: ## use: the module for python3 or PYTHON=, or into PYTHONDIR=
	install -d $(PYTHON_AT)
	install -m 644 $(addprefix examples/python/mtc/,*.py *.pyi py.typed) $(PYTHON_AT)
	$(call headers,$(PYTHON_AT))
	printf '%s\n' '# written by make install-python' \
	    'LIBRARY = "$(if $(EXE),$(BINDIR)/libmtc.dll,$(LIBDIR)/$(SO))"' \
	    'PROGRAM = "$(BINDIR)/mtc$(EXE)"' > $(PYTHON_AT)/_installed.py
check-dist: ## check: each package built and used, where its tools are
	@CC='$(CC)' tests/tools/packages/dist.sh $(B)/dist-check

.PHONY: amalgamation dist debian wheel install-python check-dist
