# The one door: `make demo` drives, `make test` proves. Both need git, make and
# Go 1.25 or later, and install the rest of what they need with apt.

SHELL       := /bin/bash
STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.7.0
PREFIX      ?= /usr/local
DESTDIR     ?=

include scripts/target

BUILD_PKGS  := gcc libc6-dev pkg-config xorg-dev libgl1-mesa-dev libgl1-mesa-dri
TEST_PKGS   := qemu-system-x86 xz-utils zstd xvfb xauth systemd udev

.PHONY: help demo build quick test test-all mutants window vm bench install tools packages kernels clean

help:
	@echo 'make demo      build and drive without any hardware'
	@echo 'make build     bin/rig'
	@echo 'make quick     what to run between two edits: build, vet, unit tests'
	@echo 'make test      all that users are promised: format, vet, staticcheck, race, real kernels, the window'
	@echo 'make test-all  every test in full: both kernels, the host clock, many random cars'
	@echo 'make mutants   plants faults, one at a time, and sees the tests notice'
	@echo 'make window    the tests of the window alone'
	@echo 'make vm        the tests on real kernels alone'
	@echo 'make bench     cost of a tick and of its parts'
	@echo 'make install   program, service, udev rules and limits under $(PREFIX) and /etc'

demo: build
	bin/rig run --demo

build: tools
	@scripts/need-packages $(BUILD_PKGS)
	scripts/build bin/rig

tools:
	@scripts/need-tools

packages: tools
	@scripts/need-packages $(BUILD_PKGS) $(TEST_PKGS)

kernels: packages
	test/vm/kernel.sh

quick: packages
	@scripts/prove quick

test: kernels
	@scripts/prove test

test-all: kernels
	@scripts/prove all

window: packages
	@scripts/prove window

vm: kernels
	@scripts/prove vm

mutants: tools
	go run ./test/mutants

bench:
	go test -run '^$$' -bench . -benchmem ./sim/... ./ffb ./cueing ./internal/...

# Builds as whoever you are, and asks sudo for the rest where it is needed.
install: build
	scripts/install "$(DESTDIR)" "$(PREFIX)"

clean:
	rm -rf bin
