//go:build cgo

package main

/*
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

int rig_stdout_closed;

// It runs before Go's runtime, which opens /dev/null in place of a closed stdout.
__attribute__((constructor)) static void rig_check_stdout(void) {
	rig_stdout_closed = fcntl(STDOUT_FILENO, F_GETFD) == -1 && errno == EBADF;
}
*/
import "C"

// detectsClosedStdout reports whether this build can distinguish a closed stdout from /dev/null.
const detectsClosedStdout = true

// isStdoutClosed reports whether stdout was closed when the program started. It reads a variable that the
// C code above has set.
func isStdoutClosed() bool { return C.rig_stdout_closed != 0 }
