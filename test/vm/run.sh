#!/bin/sh
# Runs the tests that need a real kernel on Debian's standard and PREEMPT_RT
# kernels, or on those named: all of them in virtual time, and a drive over a
# real serial line with the host's clock. `make vm` builds what this needs.
#
# The kernels run beside each other, for one machine keeps one processor busy;
# what has the host's clock runs alone. Shows each package's result, what failed,
# and the figures that were measured.
set -eu
cd "$(dirname "$0")/../.."
logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT
began=$(date +%s)
kernels=${*:-std rt}
failed=

# vm LOG FLAGS PATTERN PACKAGE... runs tests in machines, one after the other.
vm() {
	log=$1 flags=$2 pattern=$3
	shift 3
	CGO_ENABLED=0 go test -count=1 -p 1 -v -timeout 45m -run "$pattern" \
		-exec "$PWD/bin/vmexec $flags -timeout 40m -file $PWD/bin/rig-static:/bin/rig" "$@" >"$log" 2>&1
}

# show STATUS LOG tells what went wrong in full, or else results and figures.
show() {
	if [ "$1" -ne 0 ]; then
		failed=yes
		cat "$2"
		return
	fi
	grep -E '^(ok|---|FAIL)|figure: ' "$2" | grep -vE '^--- (PASS|SKIP)' | sed -E 's/^ +[a-z_]+\.go:[0-9]+: figure:/   /'
}

virtual() {
	status=0
	vm "$logs/$1" "-kernel $1 -icount" . \
		./test/vm/drive ./devices/wheel ./devices/pedals ./internal/evdev ./calib ./test/vm/labtest ./test/vm/motion || status=$?
	vm "$logs/$1.rig" "-kernel $1 -icount" TestVM ./internal/rig || status=$?
	cat "$logs/$1.rig" >>"$logs/$1"
	return $status
}

jobs=
for kernel in $kernels; do
	virtual "$kernel" &
	jobs="$jobs $kernel:$!"
done
for job in $jobs; do
	status=0
	wait "${job#*:}" || status=$?
	echo "== kernel ${job%:*}, virtual time"
	show $status "$logs/${job%:*}"
done
for kernel in $kernels; do
	echo "== kernel $kernel, the host's clock"
	for try in 1 2 3; do # a host that is busy with something else stalls a machine that has its clock
		status=0
		vm "$logs/host" "-kernel $kernel" 'TestTheWholeChain|TestADriveEndsParked' ./test/vm/drive || status=$?
		[ $status -ne 0 ] || break
		echo "   try $try failed"
	done
	show $status "$logs/host"
done
echo "real kernel: $(($(date +%s) - began)) s"
[ -z "$failed" ] || { echo "real kernel: FAILED, see above"; exit 1; }
