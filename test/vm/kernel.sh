#!/bin/sh
# Fetches Debian's kernels for the tests in the virtual machine. Nothing is
# installed: the packages are downloaded, unpacked, and the kernel and the
# drivers the tests may need are kept in a cache.
#
#   test/vm/kernel.sh [std] [rt]        both if none is named
#
# The cache is ${RIG_VM_CACHE:-$HOME/.cache/rig/vm}/{std,rt}. A kernel that is
# there is left alone; remove its folder to fetch today's. Without apt-get, as on
# a system that is not Debian, it takes a package that you put there: std.deb and
# rt.deb, those of linux-image-amd64 and linux-image-rt-amd64.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
cache=${RIG_VM_CACHE:-$HOME/.cache/rig/vm}

# Folders of drivers to keep; the rest of the package is 300 MB of other hardware.
keep="drivers/hid drivers/input drivers/usb drivers/i2c drivers/gpio drivers/leds lib"

die() {
	echo "kernel.sh: $*" >&2
	exit 1
}

# Downloaded packages belong to the user who runs this; lists are refreshed by root.
refresh() {
	if [ "$(id -u)" = 0 ]; then
		apt-get update -qq
	else
		echo "kernel.sh: refreshing apt's lists with sudo" >&2
		sudo apt-get update -qq
	fi
}

# image META prints the package META points to today; empty if lists lack it.
image() {
	apt-cache depends "$1" 2>/dev/null | sed -n 's/^ *Depends: \(linux-image-[0-9][^ ]*\)$/\1/p' | head -n 1
}

# download KIND META leaves the kernel's package in the current folder: the user's own, or META's.
download() {
	if [ -e "$cache/$1.deb" ]; then
		name=$cache/$1.deb
		cp "$name" linux-image-own.deb
		return
	fi
	for tool in apt-get apt-cache; do
		command -v $tool >/dev/null || die "no kernel in $cache/$1 and no $tool to fetch one; put the package that Debian's $2 depends on there as $cache/$1.deb (https://packages.debian.org/$2)"
	done
	shift
	name=$(image "$1")
	if [ -z "$name" ] || ! apt-get download -q "$name" 2>download.log; then
		refresh # the lists are missing, or older than the archive
		name=$(image "$1")
		[ -n "$name" ] || die "apt knows no $1; add Debian's main archive to apt's sources"
		apt-get download -q "$name" || die "cannot download $name; see apt's message above"
	fi
}

fetch() {
	kind=$1 meta=$2
	[ -e "$cache/$kind/vmlinux" ] && return
	work=$(mktemp -d -p "$cache")
	trap 'rm -rf "$work"' EXIT
	cd "$work"
	download "$kind" "$meta"
	ar x ./linux-image-*.deb
	mkdir package
	tar -xf data.tar.* -C package
	mkdir -p new/modules/kernel
	modules=$(echo package/lib/modules/* package/usr/lib/modules/*)
	for dir in $modules; do
		[ -d "$dir" ] || continue
		cp "$dir/modules.builtin" new/modules/
		for part in $keep; do
			[ -d "$dir/kernel/$part" ] || continue
			mkdir -p "new/modules/kernel/$part"
			cp -r "$dir/kernel/$part/." "new/modules/kernel/$part/"
		done
	done
	(cd "$here/../.." && CGO_ENABLED=0 go run ./test/vm/vmexec unpack "$work"/package/boot/vmlinuz-* "$work/new/vmlinux")
	rm -rf "${cache:?}/$kind"
	mv -T new "$cache/$kind"
	cd /
	rm -rf "$work"
	echo "kernel.sh: $name is in $cache/$kind" >&2
}

for tool in ar tar go; do
	command -v "$tool" >/dev/null || die "$tool not found; install it"
done
mkdir -p "$cache"
cache=$(cd "$cache" && pwd)
for kind in ${*:-std rt}; do
	case $kind in
	std) fetch std linux-image-amd64 ;;
	rt) fetch rt linux-image-rt-amd64 ;;
	*) die "$kind: want std or rt" ;;
	esac
done
