# The one door: `make demo` drives, `make test` proves. Both need git, make and
# Go 1.25 or later, and install the rest of what they need with apt.

SHELL       := /bin/bash
STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.7.0
PREFIX      ?= /usr/local
DESTDIR     ?=

BUILD_PKGS  := gcc libc6-dev pkg-config xorg-dev libgl1-mesa-dev libgl1-mesa-dri
TEST_PKGS   := qemu-system-x86 xz-utils zstd xvfb xauth systemd udev

.PHONY: help demo build test check unit static vm window bench install tools kernels clean

help:
	@echo 'make demo      build and drive without any hardware'
	@echo 'make build     bin/rig'
	@echo 'make test      everything: format, vet, staticcheck, race, the real kernel, the window'
	@echo 'make window    the tests of the window alone'
	@echo 'make vm        the tests on real kernels alone'
	@echo 'make bench     cost of a tick and of its parts'
	@echo 'make install   program, service, udev rules and limits under $(PREFIX) and /etc'

demo: build
	bin/rig run --demo

build: tools
	@scripts/need-packages $(BUILD_PKGS)
	go build -o bin/rig ./cmd/rig

tools:
	@scripts/need-tools

test: tools
	@scripts/need-packages $(BUILD_PKGS) $(TEST_PKGS)
	@$(MAKE) --no-print-directory check unit static vm

check:
	@unformatted=$$(gofmt -l .); if [ -n "$$unformatted" ]; then echo "not gofmt-clean: $$unformatted"; exit 1; fi
	go vet ./...
	CGO_ENABLED=0 go vet ./...
	go run $(STATICCHECK) ./...

# Every test that needs no kernel of its own, under the race detector, where long
# drives are cut short. The packages of the car and of cueing start no goroutine
# (internal/archtest), so that there is nothing to race for but cars that drive at
# once: their tests are the static build's. The window's run first and alone, for
# they draw in real time, under Xvfb; CI= makes a missing Xvfb a failure.
unit:
	CI=1 go test -race -short -timeout 30m ./display/...
	CI=1 go test -race -short -timeout 30m $$(go list ./... | grep -Ev '/(display|sim|sim/maneuver|sim/road|sim/tire|cueing)$$')
	CI=1 go test -race -run AtOnce ./sim

static:
	CGO_ENABLED=0 go build ./...
	CGO_ENABLED=0 go test -timeout 30m ./...

window:
	CI=1 go test -count=1 ./display/... ./cmd/rig/...

kernels: tools
	@scripts/need-packages $(TEST_PKGS)
	test/vm/kernel.sh

# The devices and the whole program on real kernels, in QEMU.
vm: kernels
	CGO_ENABLED=0 go build -o bin/vmexec ./test/vm/vmexec
	CGO_ENABLED=0 go build -o bin/rig-static ./cmd/rig
	test/vm/run.sh

bench:
	go test -run '^$$' -bench . -benchmem ./sim/... ./ffb ./cueing ./internal/...

# Builds as whoever you are, and asks sudo for the rest where it is needed.
install: build
	scripts/install "$(DESTDIR)" "$(PREFIX)"

clean:
	rm -rf bin
