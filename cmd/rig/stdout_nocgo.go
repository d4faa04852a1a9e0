//go:build !cgo

package main

// detectsClosedStdout is false: a build without cgo cannot distinguish a closed stdout from /dev/null,
// because Go's runtime has opened /dev/null before any other code runs.
const detectsClosedStdout = false

func isStdoutClosed() bool { return false }
