#!/bin/sh
# Runs the tests that need a real kernel on Debian's standard and PREEMPT_RT
# kernels, or on those named: all of them in virtual time, and a drive over a
# real serial line with the host's clock. `make vm` builds what this needs.
#
# Shows each package's result, what failed, and the figures that were measured.
set -eu
cd "$(dirname "$0")/../.."
log=$(mktemp)
trap 'rm -f "$log"' EXIT
began=$(date +%s)
failed=

# vm FLAGS PATTERN PACKAGE... runs tests in machines, two at a time.
vm() {
	flags=$1 pattern=$2
	shift 2
	status=0
	CGO_ENABLED=0 go test -count=1 -p 2 -v -timeout 15m -run "$pattern" \
		-exec "$PWD/bin/vmexec $flags -timeout 10m -file $PWD/bin/rig-static:/bin/rig" "$@" >"$log" 2>&1 || status=$?
	if [ $status -ne 0 ]; then
		failed=yes
		cat "$log"
		return
	fi
	grep -E '^(ok|---|FAIL)|figure: ' "$log" | grep -vE '^--- (PASS|SKIP)' | sed -E 's/^ +[a-z_]+\.go:[0-9]+: figure:/   /'
}

for kernel in ${*:-std rt}; do
	echo "== kernel $kernel, virtual time"
	vm "-kernel $kernel -icount" . \
		./test/vm/drive ./devices/wheel ./devices/pedals ./internal/evdev ./calib ./test/vm/labtest
	vm "-kernel $kernel -icount" TestVM ./internal/rig
	echo "== kernel $kernel, the host's clock"
	vm "-kernel $kernel" 'TestTheWholeChain|TestADriveEndsParked' ./test/vm/drive
done
echo "real kernel: $(($(date +%s) - began)) s"
[ -z "$failed" ] || { echo "real kernel: FAILED, see above"; exit 1; }
