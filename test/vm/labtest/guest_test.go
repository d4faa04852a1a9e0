// Package labtest tests the behavior of the kernel and its drivers on which rig relies. Its tests run in the virtual
// machine.
package labtest

import (
	"fmt"
	"net"
	"os"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// inGuest skips the test outside the virtual machine.
func inGuest(t *testing.T) {
	t.Helper()
	if os.Getenv("RIG_VM") == "" {
		t.Skip("needs the virtual machine: see test/vm/README.md")
	}
}

func TestKernelIsTheRequestedOne(t *testing.T) {
	inGuest(t)
	version, err := os.ReadFile("/proc/version")
	if err != nil {
		t.Fatal(err)
	}
	asked := os.Getenv("RIG_VM_KERNEL")
	realTime := strings.Contains(string(version), "PREEMPT_RT")
	if realTime != (asked == "rt") {
		t.Errorf("asked for kernel %s, got %s", asked, version)
	}
}

func TestGuestHasTheFilesThatRigOpens(t *testing.T) {
	inGuest(t)
	for _, path := range []string{
		"/dev/cpu_dma_latency",
		"/dev/input",
		"/dev/ptmx",
		"/dev/pts/ptmx",
		"/dev/shm",
		"/dev/uinput",
		"/sys/devices/platform/vhci_hcd.0/attach",
		"/sys/kernel/debug/usb",
	} {
		if _, err := os.Stat(path); err != nil {
			t.Error(err)
		}
	}
	if name, err := os.Hostname(); err != nil || name != "rig-vm" {
		t.Errorf("host name %q, %v; want rig-vm", name, err)
	}
}

func TestProcessorLatencyCanBeLimited(t *testing.T) {
	inGuest(t)
	f, err := os.OpenFile("/dev/cpu_dma_latency", os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.Write([]byte{0, 0, 0, 0}); err != nil {
		t.Error(err)
	}
}

func TestPseudoTerminalsOpen(t *testing.T) {
	inGuest(t)
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer master.Close()
	number, err := unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(fmt.Sprintf("/dev/pts/%d", number)); err != nil {
		t.Error(err)
	}
}

func TestLoopbackIsUp(t *testing.T) {
	inGuest(t)
	listen, err := net.Listen("tcp", "localhost:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listen.Close()
	conn, err := net.Dial("tcp", listen.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	conn.Close()
}
