# How OpenBench builds an engine: make EXE=name [EVALFILE=path]
#
#   EXE       the name of the program, which is put beside this file
#   EVALFILE  a network file to put into it; without one it has the networks of nets/
#
# Everybody else: cargo build --release

EXE ?= accrue
CARGO ?= cargo

ifeq ($(OS),Windows_NT)
    SUFFIX := .exe
endif
NAME := $(EXE:.exe=)$(SUFFIX)

export EVALFILE

.PHONY: build help

build: ## the program, optimised
	$(CARGO) rustc --release --package accrue --bin accrue -- --emit link=$(NAME)
ifneq ($(strip $(EVALFILE)),)
	"$(abspath $(NAME))" net info "$(EVALFILE)"
endif

help: ## this list
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/\1  \2/p' $(firstword $(MAKEFILE_LIST))
