# How OpenBench builds an engine: make EXE=name [EVALFILE=path]
#
#   EXE       the name of the program, which is put beside this file
#   EVALFILE  a network file to put into it; without one it has the networks of nets/
#
# Everybody else: cargo build --release
#
# make profiled builds it twice: the first program counts what a search really does, by which the second is arranged. It
# needs the llvm-profdata of the compiler's own LLVM (rustup component add llvm-tools, or PROFDATA=path).

EXE ?= accrue
CARGO ?= cargo
SYSROOT = $(shell rustc --print sysroot)
PROFDATA ?= $(firstword $(wildcard $(SYSROOT)/lib/rustlib/*/bin/llvm-profdata*) llvm-profdata)
PROFILE := $(CURDIR)/target/profile

ifeq ($(OS),Windows_NT)
    SUFFIX := .exe
endif
NAME := $(EXE:.exe=)$(SUFFIX)

export EVALFILE

.PHONY: build profiled help

build: ## the program, optimised
	$(CARGO) rustc --release --package accrue --bin accrue -- --emit link=$(NAME)
ifneq ($(strip $(EVALFILE)),)
	"$(abspath $(NAME))" net info "$(EVALFILE)"
endif

profiled: ## the program, optimised by how it runs
	@"$(PROFDATA)" --version >/dev/null || { echo "no llvm-profdata: rustup component add llvm-tools, or give PROFDATA=path" >&2; exit 2; }
	rm -rf "$(PROFILE)"
	RUSTFLAGS="-C profile-generate=$(PROFILE)" $(CARGO) build --release --package accrue --target-dir target/profiling
	target/profiling/release/accrue bench
	target/profiling/release/accrue bench --mode classical
	target/profiling/release/accrue bench 10 --game hexchess
	target/profiling/release/accrue bench 10 --game connect_four
	target/profiling/release/accrue "position startpos" "go depth 13" "setoption name SearchMode value classical" "go depth 13" >/dev/null
	"$(PROFDATA)" merge -o "$(PROFILE)/all.profdata" "$(PROFILE)"
	RUSTFLAGS="-C profile-use=$(PROFILE)/all.profdata" $(CARGO) rustc --release --package accrue --bin accrue --target-dir target/profiled -- --emit link=$(NAME)

help: ## this list
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/\1  \2/p' $(firstword $(MAKEFILE_LIST))
