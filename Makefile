# A thin front of CMake: each target configures a preset of CMakePresets.json and builds, runs or tests it.
# `make` and `make run` need a C compiler and cmake, nothing else.
.DEFAULT_GOAL := all
.PHONY: all run test bench bench-gpu cuda-kernels bench-parts fuzz asan tsan msan valgrind checked mcu wasm run-mcu bench-mcu bench-networks amalgamation coverage docs cost install python wheel dist ci-full clean help
.SUFFIXES:

JOBS    ?= 2
SECONDS ?= 30
PREFIX  ?= /usr/local

GENERATOR := $(shell command -v ninja >/dev/null 2>&1 || echo '-G "Unix Makefiles"')

# $(call configure,preset,folder): once; after that the build tool configures again by itself when it must.
configure = test -f $(2)/CMakeCache.txt || cmake --preset $(1) $(GENERATOR)
build = cmake --build $(1) --parallel $(JOBS)

all: ## the libraries, build/libtessera.a and build/libtessera.so, and the command, build/tessera
	@$(call configure,release,build)
	@$(call build,build) --target tessera_libraries tessera_command

run: ## the tour: what a tensor can do, in a minute; then a network that reads handwritten digits
	@scripts/setup
	@$(call configure,release,build)
	@$(call build,build) --target tessera_libraries
	@$(call build,build) --target tessera_examples
	@cd build && ./tour
	@echo
	@build/examples/digits

test: ## every test, release build
	@scripts/setup
	@$(call configure,release,build)
	@$(call build,build)
	@scripts/run-tests build

bench: ## Tessera beside its peers: a table, build/bench.json, build/bench.png (BENCH="--quick --only 'add*'")
	@$(call configure,release,build)
	@$(call build,build) --target tessera_libraries tessera_compare
	@scripts/bench build --jobs $(JOBS) $(BENCH)

bench-gpu: ## Tessera on a GPU beside PyTorch, row by row: a table, build/bench_gpu.json (BENCH="--only 'sum*'")
	@$(call configure,release,build)
	@$(call build,build) --target tessera_libraries bench_gpu
	@scripts/bench-gpu build $(BENCH)

cuda-kernels: all ## kernels for GPUs compiled beforehand, build/tessera_cuda_kernels; make install takes them (needs NVRTC, no GPU)
	@$(call build,build) --target tessera_cuda_kernels

bench-parts: ## each part's own benchmark: small calls and their instructions, memory, plans, kernels
	@$(call configure,release,build)
	@$(call build,build) --target tessera_libraries tessera_benches
	@set -e; for b in build/bench_*; do if test -x $$b && test $$b != build/bench_gpu; then echo "== $$b"; $$b; fi; done
	@scripts/count-instructions build

fuzz: ## every fuzzer for SECONDS seconds (clang)
	@$(call configure,fuzz,build-fuzz)
	@$(call build,build-fuzz)
	@scripts/fuzz build-fuzz $(SECONDS)

asan: ## the tests under the address and undefined-behaviour sanitizers
	@$(call configure,asan,build-asan)
	@$(call build,build-asan)
	@scripts/run-tests build-asan

tsan: ## the tests under the thread sanitizer
	@$(call configure,tsan,build-tsan)
	@$(call build,build-tsan)
	@scripts/run-tests build-tsan

msan: ## the tests under the memory sanitizer (clang)
	@$(call configure,msan,build-msan)
	@$(call build,build-msan)
	@scripts/run-tests build-msan

valgrind: ## every test binary under valgrind
	@$(call configure,dev,build-dev)
	@$(call build,build-dev)
	@scripts/valgrind-tests build-dev

checked: ## the tests in the checked build
	@$(call configure,checked,build-checked)
	@$(call build,build-checked)
	@scripts/run-tests build-checked

mcu: ## Cortex-M4F: the library, its tests under QEMU, flash sizes (see scripts/setup --cross)
	@$(call configure,mcu,build-mcu)
	@$(call build,build-mcu)
	@scripts/run-tests build-mcu

wasm: ## WebAssembly with SIMD128: the library, its tests under node, the size of a small module (see scripts/setup --wasm)
	@$(call configure,wasm,build-wasm)
	@$(call build,build-wasm)
	@scripts/run-tests build-wasm
	@scripts/wasm-size build-wasm

run-mcu: ## networks from flash on a Cortex-M4F under QEMU: accuracy, flash, RAM, instructions (see scripts/setup --cross)
	@$(call configure,mcu,build-mcu)
	@$(call build,build-mcu) --target tessera_mcu_examples >/dev/null
	@scripts/mcu-examples build-mcu

bench-mcu: ## instructions of each op and of 8-bit layers on a Cortex-M4F; the tables of docs/microcontrollers.md
	@$(call configure,mcu,build-mcu)
	@$(call build,build-mcu) --target bench_mcu bench_mcu_layers bench_mcu_floats >/dev/null
	@scripts/mcu-layers build-mcu
	@scripts/mcu-layers floats build-mcu
	@scripts/mcu-bench build-mcu | tee build-mcu/bench.md
	@scripts/doc-table bench-mcu docs/microcontrollers.md <build-mcu/bench.md

bench-networks: ## the networks of MLPerf Tiny on Cortex-M4, M55 and RV32: instructions, flash, RAM (CMSIS_NN=path: CMSIS-NN beside them)
	@$(call configure,release,build)
	@$(call configure,mcu,build-mcu)
	@$(call configure,mcu-m55,build-mcu-m55)
	@$(call configure,mcu-rv32,build-mcu-rv32)
	@scripts/mcu-networks build build-mcu build-mcu-m55 build-mcu-rv32 | tee build/networks.md
	@scripts/doc-table networks docs/microcontrollers.md <build/networks.md

amalgamation: ## build/amalgamation/tessera.h and tessera.c: the mcu profile as one header and one source
	@scripts/amalgamate build/amalgamation
	@echo "build/amalgamation/tessera.h, tessera.c"

coverage: ## line and branch coverage; fails under 95 % and 85 %
	@$(call configure,coverage,build-coverage)
	@$(call build,build-coverage)
	@scripts/coverage build-coverage

docs: ## the reference, build/docs/html/index.html, and its manual pages; a warning is an error
	@command -v doxygen >/dev/null || { echo "make docs needs doxygen: scripts/setup --analysis installs it, or your system's package doxygen" >&2; exit 1; }
	@rm -rf build/docs
	@mkdir -p build/docs
	@doxygen docs/Doxyfile
	@scripts/man3 build/docs/man/man3
	@echo "build/docs/html/index.html, man -M build/docs/man tsr_add"

cost: all ## what each family costs to build and to link; lengths of files and functions
	@scripts/family-cost build

install: all ## into PREFIX
	@cmake --install build --prefix "$(PREFIX)"

python: ## the Python module, build/python/tessera (PYTHONPATH=build/python python3; needs Python's headers)
	@$(call configure,release,build)
	@grep -q '^TSR_PYTHON_FOUND:INTERNAL=.' build/CMakeCache.txt || cmake build >/dev/null
	@grep -q '^TSR_PYTHON_FOUND:INTERNAL=.' build/CMakeCache.txt || { echo "make python needs python3 with its headers: Debian's python3-dev (scripts/setup installs it)" >&2; exit 1; }
	@$(call build,build) --target tessera_python
	@echo "build/python/tessera: PYTHONPATH=build/python python3 -c 'import tessera as ts; print(ts.arange(3))'"

wheel: python ## a wheel of the Python module for pip, in build/dist
	@python3 python/backend.py build/dist

dist: ## build/dist: the source archive of this commit, its contents (SPDX) and SHA-256 sums; the same bits each time
	@scripts/dist

ci-full: ## everything: all sanitizers, all targets, coverage, documentation
	@scripts/ci-full

clean: ## forget everything that was built
	rm -rf build build-*

help: ## this list
	@sed -n 's/^\([a-z-]*\):[^#]*## \(.*\)/  make \1@\2/p' Makefile | awk -F@ '{printf "%-16s %s\n", $$1, $$2}'
