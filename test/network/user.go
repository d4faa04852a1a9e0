package network

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// The process's first thread cannot end before the process, so it must not become a node's: the main goroutine keeps it.
func init() { runtime.LockOSThread() }

// noUserNamespace says why an ordinary user has no user namespace; it is empty if that is not so.
var noUserNamespace string

// Main runs the tests of a package that uses a Network. Those of an ordinary user run in a user namespace, in which
// the kernel lets them make networks. TestMain must call it.
func Main(m *testing.M) int {
	const inside = "RIG_TEST_NETWORK" // is set in the user namespace
	if os.Geteuid() == 0 || os.Getenv(inside) != "" {
		return m.Run()
	}
	c := exec.Command("/proc/self/exe", os.Args[1:]...)
	c.Stdin, c.Stdout, c.Stderr = os.Stdin, os.Stdout, os.Stderr
	c.Env = append(os.Environ(), inside+"=1")
	c.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  unix.CLONE_NEWUSER,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Geteuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getegid(), Size: 1}},
		Pdeathsig:   syscall.SIGKILL,
	}
	if err := c.Start(); err != nil {
		noUserNamespace = fmt.Sprintf("(a user namespace is refused too: %v)", err)
		return m.Run()
	}
	if err := c.Wait(); err != nil && c.ProcessState.ExitCode() < 0 {
		fmt.Fprintln(os.Stderr, err)
	}
	return max(c.ProcessState.ExitCode(), -c.ProcessState.ExitCode())
}

// refusedByKernel reports whether err means that this machine allows no such network.
func refusedByKernel(err error) bool {
	for _, e := range []error{unix.EPERM, unix.EACCES, unix.ENOENT, unix.ENODEV, unix.ENXIO, unix.ENOSPC, unix.ENOSYS} {
		if errors.Is(err, e) {
			return true
		}
	}
	return false
}
