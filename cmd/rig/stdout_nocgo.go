//go:build !cgo

package main

// knowsClosed says that this build cannot tell a closed stdout from /dev/null: none of its
// code runs before Go's runtime has opened that.
const knowsClosed = false

func closedStdout() bool { return false }
