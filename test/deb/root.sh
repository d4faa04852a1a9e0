#!/bin/sh
# Makes a clean Debian system (mmdebstrap, minbase) for the tests of the package, and prints the path of its archive:
#
#   test/deb/root.sh [RELEASE]      by default that of this machine, such as bookworm
#
# Sources and proxies are those of this machine's apt. The archive stays in ${RIG_DEB_CACHE:-$HOME/.cache/rig/deb}; remove
# it to fetch today's.
set -eu

cache=${RIG_DEB_CACHE:-$HOME/.cache/rig/deb}
own=$(. /etc/os-release && echo "$VERSION_CODENAME")
release=${1:-$own}
archive=$cache/$release.tar

if [ ! -e "$archive" ]; then
	mkdir -p "$cache"
	work=$(mktemp -d -p "$cache")
	trap 'rm -rf "$work"' EXIT
	apt-get indextargets --format 'deb $(REPO_URI) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' 'Origin: Debian' | sort -u >"$work/all"
	[ -s "$work/all" ] || { echo "root.sh: apt has no lists of Debian: apt-get update" >&2; exit 1; }
	if [ "$release" = "$own" ]; then
		cp "$work/all" "$work/sources"
	else # the archive alone, without updates, under another name
		sed -n "s/ $own / $release /p" "$work/all" >"$work/sources"
	fi
	apt-config dump | grep -E '^Acquire::(http|https|ftp|Retries|Check|Allow|Proxy)' >"$work/apt.conf" || true
	mmdebstrap --quiet --variant=minbase --aptopt="$work/apt.conf" "$release" "$work/root.tar" - <"$work/sources" >&2
	mv "$work/root.tar" "$archive"
fi
echo "$archive"
