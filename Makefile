# `make demo` drives without hardware, `make test` runs all checks and tests. Both need git and make, and
# install everything else with apt: Go too, where apt has 1.21 or later (scripts/need-tools).

SHELL       := /bin/bash
STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.7.0
PREFIX      ?= /usr/local
DESTDIR     ?=

include scripts/target

BUILD_PKGS  := gcc libc6-dev pkg-config xorg-dev libgl1-mesa-dev libgl1-mesa-dri
TEST_PKGS   := qemu-system-x86 xz-utils zstd xvfb xauth systemd udev chromium pulseaudio
ALL_PKGS    := weston xwayland mmdebstrap lintian qemu-user-static cpio desktop-file-utils
DEB_PKGS    := dpkg-dev

.PHONY: help demo build quick test test-all mutants faults window vm bench soak install uninstall deb deb-test tools packages kernels clean

help:
	@echo 'make demo      build and drive a lap without any hardware'
	@echo 'make build     bin/rig'
	@echo 'make quick     run build, vet and unit tests; use it between two edits'
	@echo 'make test      run all checks: format, vet, staticcheck, race detector, real kernels, window'
	@echo 'make test-all  run every test in full: both kernels, the host clock, many random cars'
	@echo 'make mutants   plant faults, one at a time, and check that a test detects each; IN="sim calib" only there'
	@echo 'make faults    plant faults in a drive, measure what wheel and platform do, and write docs/reference/faults.md'
	@echo 'make window    run only the tests of the window'
	@echo 'make vm        run only the tests on real kernels'
	@echo 'make bench     measure the time of a tick and of its parts'
	@echo 'make soak      drive for eight virtual hours with faults and replugs, and one by the clock: does anything grow? SOAK=3m HOST=3m'
	@echo 'make install   install program, service, udev rules and limits under $(PREFIX) and /etc'
	@echo 'make uninstall remove what make install installed; what belongs to users stays'
	@echo 'make deb       bin/deb/*.deb: for amd64 with the window, for arm64 without'
	@echo 'make deb-test  build the packages and try them in clean Debian systems'

demo: build
	@scripts/demo bin/demo

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
	@scripts/need-packages $(DEB_PKGS) $(ALL_PKGS)
	@scripts/prove all

window: packages
	@scripts/prove display window

vm: kernels
	@scripts/prove vm

mutants: tools
	go run ./test/mutants $(IN)

faults: tools
	go test ./internal/live/rig -run EveryFault -args -write

bench:
	go test -run '^$$' -bench . -benchmem ./sim/... ./road/... ./ffb ./cueing ./internal/...

SOAK ?= 8h
HOST ?= 1h
soak: build
	go test ./internal/live/rig -v -timeout 0 -run Soak -args -soak $(SOAK) -host $(HOST)

# Builds as the calling user. scripts/install uses sudo where it is needed.
install: build
	scripts/share bin/rig bin/share
	scripts/install "$(DESTDIR)" "$(PREFIX)"

uninstall:
	scripts/uninstall "$(DESTDIR)" "$(PREFIX)"

deb: tools
	@scripts/need-packages $(BUILD_PKGS) $(DEB_PKGS)
	rm -rf bin/deb
	scripts/deb bin/deb

deb-test: kernels
	@scripts/need-packages $(DEB_PKGS) $(ALL_PKGS)
	@scripts/prove deb

clean:
	rm -rf bin
