package main

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"rig/devices/motion"
	"rig/internal/frame"
)

// asTerminal runs the program with a terminal for its output, and returns what it wrote.
func asTerminal(t *testing.T, args ...string) (status int, out string) {
	t.Helper()
	master, path, err := motion.OpenPty()
	if err != nil {
		t.Fatal(err)
	}
	slave, err := os.OpenFile(path, os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	read := make(chan struct{})
	go func() {
		defer close(read)
		var b [4096]byte
		for {
			n, err := master.Read(b[:])
			text.Write(b[:n])
			if err != nil || bytes.HasSuffix(text.Bytes(), []byte("END")) {
				return
			}
		}
	}()
	status = realMain(args, strings.NewReader(""), slave, slave)
	_, _ = slave.WriteString("END")
	<-read
	slave.Close()
	master.Close()
	return status, text.String()
}

// One drive is watched in three ways at once.
func TestFFBShowsTheForceOfARunningRig(t *testing.T) {
	path := page(t)
	drive := demoDrive(t, path, "4s")
	var wg sync.WaitGroup
	wg.Go(func() { checkForceObjects(t, path) })
	wg.Go(func() { checkForceLines(t, path) })
	wg.Go(func() { checkForceScreen(t, path) })
	wg.Wait()
	if errs := <-drive; strings.Contains(errs, "ERROR") {
		t.Error(errs)
	}
}

// demoDrive drives the demo beside the test and returns once frames are on the page. The
// channel gives what the drive said on stderr, at its end.
func demoDrive(t *testing.T, path, duration string) <-chan string {
	t.Helper()
	drive := make(chan string, 1)
	go func() {
		var o, e bytes.Buffer
		realMain([]string{"run", "--demo", "--headless", "--duration", duration, "--page", path}, strings.NewReader(""), &o, &e)
		drive <- e.String()
	}()
	for !shows(path) {
		select {
		case errs := <-drive:
			t.Fatalf("the drive ended before it began: %s", errs)
		case <-time.After(20 * time.Millisecond):
		}
	}
	return drive
}

// shows tells whether a rig writes frames to the page.
func shows(path string) bool {
	page, err := frame.Open(path)
	if err != nil {
		return false
	}
	defer page.Close()
	first := page.Seq()
	time.Sleep(20 * time.Millisecond)
	return page.Seq() != first
}

func checkForceObjects(t *testing.T, path string) {
	status, out, errs := rigCommand(t, "ffb", "--json", "--page", path)
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if status != exitDone || len(lines) < 10 || !strings.Contains(errs, "the rig has stopped") {
		t.Errorf("status %d, %d lines, %q", status, len(lines), errs)
		return
	}
	moved := false
	for _, l := range lines {
		var f map[string]any
		if err := json.Unmarshal([]byte(l), &f); err != nil {
			t.Errorf("%v in %s", err, l)
			return
		}
		for _, key := range []string{"column_nm", "gained_nm", "asked_nm", "limited_nm", "sent_nm", "rim_torque_nm", "rated_nm", "clipped_share", "ffb_gain", "hands_on"} {
			if _, ok := f[key].(float64); !ok {
				t.Errorf("%s is %v", key, f[key])
			}
		}
		moved = moved || f["rim_torque_nm"] != 0.0
	}
	if !moved {
		t.Error("the rim got no torque")
	}
}

func checkForceLines(t *testing.T, path string) {
	status, out, _ := rigCommand(t, "ffb", "--page", path)
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if status != exitDone || len(lines) < 2 || len(lines) > 12 || strings.Contains(out, "\x1b") {
		t.Errorf("status %d, %d lines in some 6 s:\n%s", status, len(lines), out)
	}
	for _, l := range lines {
		if !strings.Contains(l, "column ") || !strings.Contains(l, "at the rim ") || !strings.Contains(l, "clipped ") {
			t.Errorf("%q", l)
		}
	}
}

func checkForceScreen(t *testing.T, path string) {
	status, out := asTerminal(t, "ffb", "live", "--page", path)
	if status != exitDone || !strings.Contains(out, "\x1b[?25l") || !strings.Contains(out, "\x1b[?25h") || !strings.Contains(out, "soft lock") || !strings.Contains(out, "█") {
		t.Errorf("status %d, %q", status, out[:min(len(out), 600)])
	}
}

func TestFFBWithoutARigSaysSo(t *testing.T) {
	for _, args := range [][]string{{"ffb"}, {"ffb", "--json"}, {"ffb", "live"}} {
		status, out, errs := rigCommand(t, append(args, "--page", page(t))...)
		if status != exitFailed || out != "" || !strings.Contains(errs, "is rig running?") || strings.Count(errs, "\n") != 1 {
			t.Errorf("%q: status %d, %q", args, status, errs)
		}
	}
}

func TestFFBTestWithoutAWheelSaysSo(t *testing.T) {
	status, out, errs := rigCommand(t, "ffb", "test", "sine", "--yes", "--json", "--device", "no such wheel", "--page", page(t))
	if status != exitFailed || out != "" || !strings.Contains(errs, "wheel: no device matches") || strings.Count(errs, "\n") != 1 {
		t.Errorf("status %d, %q, %q", status, out, errs)
	}
}

func TestFFBTestRefusesWhatNobodyMeans(t *testing.T) {
	for _, args := range [][]string{{"tickle"}, {"--torque-nm", "0"}, {"--torque-nm", "nan"}, {"spring", "--torque-nm=-1"}, {"--duration", "1h"}, {"sine", "--hz", "0"}} {
		status, _, errs := rigCommand(t, append([]string{"ffb", "test", "--page", page(t)}, args...)...)
		if status != exitUsage || strings.Count(strings.TrimSpace(errs), "\n") != 0 {
			t.Errorf("%q: status %d, %q", args, status, errs)
		}
	}
}

// A drive pushes the same rim.
func TestFFBTestWaitsForTheEndOfADrive(t *testing.T) {
	path := page(t)
	held, err := frame.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer held.Close()
	status, _, errs := rigCommand(t, "ffb", "test", "--page", path)
	if status != exitFailed || !strings.Contains(errs, "in use by another rig") {
		t.Errorf("status %d, %q", status, errs)
	}
}
