// Package service tests the service under systemd: its tests run in a virtual machine with the package installed, an emulated
// wheel and a simulated platform. TestTheServiceUnderSystemd of test/deb boots it.
package service

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"rig.example/rig/devices/motion/port"
	"rig.example/rig/devices/motion/simulated"
	"rig.example/rig/devices/motion/smc3"
	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/core/framepage"
	"rig.example/rig/internal/core/guard"
	"rig.example/rig/test/vm/g29"
)

// run runs a command that may not fail, and returns what it prints.
func run(t *testing.T, name string, args ...string) string {
	t.Helper()
	out, err := exec.Command(name, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out))
}

// property returns a property of rig.service.
func property(t *testing.T, name string) string {
	t.Helper()
	return run(t, "systemctl", "show", "--value", "-p", name, "rig.service")
}

// platform simulates a controller on a line, and returns the line's name.
func platform(t *testing.T) string {
	t.Helper()
	line, path, err := port.OpenPty()
	if err != nil {
		t.Fatal(err)
	}
	run(t, "chgrp", "dialout", path)
	run(t, "chmod", "660", path)
	ctx, cancel := context.WithCancel(context.Background())
	served := make(chan struct{})
	go func() { simulated.Serve(ctx, smc3.NewSimulator(smc3.DefaultSimulatorConfig()), line); close(served) }()
	t.Cleanup(func() { cancel(); line.Close(); <-served })
	return path
}

// waitState waits until the service's rig is in a state, in the guest's virtual time.
func waitState(t *testing.T, p *framepage.Page, want guard.State) {
	t.Helper()
	var f frame.Frame
	for end := time.Now().Add(2 * time.Minute); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		if p.Read(&f) && guard.State(f.State) == want {
			return
		}
	}
	t.Fatalf("the rig is %v, want %v\n%s", guard.State(f.State), want, run(t, "journalctl", "-u", "rig", "--no-pager"))
}

func TestTheServiceDrivesAndParks(t *testing.T) {
	if os.Getenv("RIG_SERVICE_TEST") == "" {
		t.Skip("needs a virtual machine with systemd: scripts/prove deb")
	}
	wheel, err := g29.New(g29.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(wheel.Unplug)
	if _, err := wheel.Node(); err != nil {
		t.Fatal(err)
	}
	wheel.SetInput(g29.AtRest())
	run(t, "udevadm", "settle")
	config := fmt.Sprintf("profiles_dir = \"/var/lib/rig/profiles\"\n[wheel]\nrange_deg = 540\n[motion]\nprotocol = \"smc3\"\nport = %q\nbaud = 115200\nboot_wait_s = 0.1\n", platform(t))
	if err := os.WriteFile("/etc/rig/rig.toml", []byte(config), 0o644); err != nil {
		t.Fatal(err)
	}
	run(t, "systemctl", "start", "rig.service")
	t.Cleanup(func() { t.Logf("%s", run(t, "journalctl", "-u", "rig", "--no-pager")) })
	p, err := framepage.Open("/run/rig/page")
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	waitState(t, p, guard.Driving)
	t.Run("real time", func(t *testing.T) { realTime(t, property(t, "MainPID")) })
	t.Run("range", rangeIsSet)
	t.Run("watchdog", func(t *testing.T) {
		before := property(t, "WatchdogTimestampMonotonic")
		time.Sleep(10 * time.Second) // five times WatchdogSec
		waitState(t, p, guard.Driving)
		if now := property(t, "WatchdogTimestampMonotonic"); now == before || property(t, "ActiveState") != "active" {
			t.Errorf("the watchdog was last fed at %s, before at %s; the service is %s", now, before, property(t, "ActiveState"))
		}
	})
	t.Run("orders of the group", func(t *testing.T) {
		run(t, "runuser", "-u", "nobody", "-g", "rig", "--", "rig", "pause") // fails unless the rig obeys
		run(t, "runuser", "-u", "nobody", "-g", "rig", "--", "rig", "pause", "--off")
		waitState(t, p, guard.Driving)
	})
	t.Log(run(t, "systemctl", "status", "--no-pager", "rig.service"))
	run(t, "systemctl", "stop", "rig.service")
	if result, status := property(t, "Result"), property(t, "ExecMainStatus"); result != "success" || status != "0" {
		t.Errorf("the service ended with %s, status %s", result, status)
	}
	journal := run(t, "journalctl", "-u", "rig", "--no-pager")
	if !strings.Contains(journal, "parked") {
		t.Error("the platform is not parked")
	}
	for _, word := range []string{"permission denied", "not permitted", "read-only file system"} {
		if strings.Contains(strings.ToLower(journal), word) {
			t.Errorf("the journal has %q", word)
		}
	}
}

// realTime checks that a thread of the process has real-time priority, and that its memory is locked.
func realTime(t *testing.T, pid string) {
	tasks, err := filepath.Glob("/proc/" + pid + "/task/[0-9]*")
	if err != nil {
		t.Fatal(err)
	}
	fifo := false
	for _, task := range tasks {
		id, err := strconv.Atoi(filepath.Base(task))
		if err != nil {
			t.Fatal(err)
		}
		attr, err := unix.SchedGetAttr(id, 0)
		fifo = fifo || err == nil && attr.Policy == unix.SCHED_FIFO
	}
	if !fifo {
		t.Error("no thread has the policy SCHED_FIFO")
	}
	status, err := os.ReadFile("/proc/" + pid + "/status")
	if err != nil || !strings.Contains(string(status), "VmLck:") || strings.Contains(string(status), "VmLck:\t       0 kB") {
		t.Errorf("no memory is locked: %v\n%s", err, status)
	}
}

// rangeIsSet checks that the service could write the wheel's rotation range, a file in /sys.
func rangeIsSet(t *testing.T) {
	files, err := filepath.Glob("/sys/bus/hid/devices/*/range")
	if err != nil || len(files) != 1 {
		t.Fatalf("ranges %q, %v; want one", files, err)
	}
	if text, err := os.ReadFile(files[0]); err != nil || strings.TrimSpace(string(text)) != "540" {
		t.Errorf("the rotation range is %q, %v; want 540", text, err)
	}
}
