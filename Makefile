# `make help` prints the line behind each ##. Only `deps` installs anything.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: deps build demo test test-consumers fuzz bench lint docs install help

PREFIX ?= /usr/local
DESTDIR ?=

# The Swift libraries inside the program, no search path of the build machine in it, and every
# symbol bound at start. Per product: a library product cannot be linked this way.
RELEASE := -c release --static-swift-stdlib --disable-local-rpath -Xlinker -z -Xlinker now
COMMAND := .build/release/whorl

deps: ## install what the build and the tests need (asks first; YES=1 answers)
	@Scripts/deps

build: ## the command, at .build/release/whorl
	@Scripts/require build
	timeout -k 10 3600 swift build $(RELEASE) --product whorl
	@Scripts/check-elf $(COMMAND)

demo: build ## the story told, on a simulated reader (and on recorded traffic, with WHORL_RECORDINGS)
	@Scripts/require demo
	$(COMMAND) demo
	@for tape in $${WHORL_RECORDINGS:+"$$WHORL_RECORDINGS"/synaptics "$$WHORL_RECORDINGS"/elanmoc}; do \
		if [ -e "$$tape/device" ]; then $(COMMAND) demo --recording "$$tape"; fi; \
	done

test: ## everything that is tested; no hardware needed
	@Scripts/require test
	@Scripts/test

test-consumers: ## packages that use ours as a stranger would
	@Scripts/require build
	@Tests/Consumers/run

fuzz: ## what reads strangers' bytes, under libFuzzer, five minutes each (SECONDS_EACH, JOBS)
	@Scripts/require build
	@Tests/Fuzzing/run

bench: build ## how fast, each number beside what it is compared to
	@Scripts/require bench
	Benchmarks/run $(RELEASE)

lint: ## format, file length, shell scripts
	@Scripts/require lint
	@Scripts/lint

docs: ## the products' documentation, below .build/docs; a broken link is an error
	@Scripts/require docs
	@Scripts/docs

install: ## what `make build` built, below PREFIX (and DESTDIR)
	@Scripts/install '$(DESTDIR)$(PREFIX)' $(COMMAND)

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
