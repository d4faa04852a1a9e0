//go:build cgo

package main

/*
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

int rig_stdout_closed;

// It runs before Go's runtime, which opens /dev/null in the place of what is closed.
__attribute__((constructor)) static void rig_look_at_stdout(void) {
	rig_stdout_closed = fcntl(STDOUT_FILENO, F_GETFD) == -1 && errno == EBADF;
}
*/
import "C"

// knowsClosed says that this build can tell a closed stdout from /dev/null.
const knowsClosed = true

// closedStdout reports whether stdout was closed as the program began. It calls no C.
func closedStdout() bool { return C.rig_stdout_closed != 0 }
