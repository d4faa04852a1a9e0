package main

import (
	"bytes"
	"encoding/json"
	"io"
	"log/slog"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"rig.example/rig/devices/motion/port"
	"rig.example/rig/internal/core/framepage"
	"rig.example/rig/internal/files/config"
	"rig.example/rig/internal/live/console/consoletest"
	"rig.example/rig/internal/live/operator"
	"rig.example/rig/internal/live/rig"
	"rig.example/rig/test/level"
)

// openPty opens a pseudo-terminal for the test.
func openPty(t *testing.T) (master io.ReadWriteCloser, tty *os.File) {
	t.Helper()
	master, path, err := port.OpenPty()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { master.Close() })
	if tty, err = os.OpenFile(path, os.O_RDWR|syscall.O_NOCTTY, 0); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { tty.Close() })
	return master, tty
}

// onTerminal calls run with a terminal, and gives out what is printed there as it comes.
func onTerminal(t *testing.T, out io.Writer, run func(tty *os.File) (status int)) (status int) {
	t.Helper()
	master, slave := openPty(t)
	read := make(chan struct{})
	go func() {
		defer close(read)
		var b [4096]byte
		for {
			n, err := master.Read(b[:])
			text, ended := bytes.CutSuffix(b[:n], []byte("END"))
			out.Write(text)
			if err != nil || ended {
				return
			}
		}
	}()
	status = run(slave)
	_, _ = slave.WriteString("END")
	<-read
	return status
}

// demoDrive drives the demo beside the test and returns once frames are on the page. end ends
// the drive; log is what it has said so far.
func demoDrive(t *testing.T, path string) (log *steps, end func() error) {
	t.Helper()
	orders, ended := make(chan operator.Order, 1), make(chan error, 1)
	var said steps
	go func() {
		_, err := rig.Run(rig.Options{Config: config.Default(), Demo: true, Headless: true, Page: path, Orders: orders, Log: slog.New(slog.NewTextHandler(&said, nil))})
		ended <- err
	}()
	for !shows(path) {
		select {
		case err := <-ended:
			t.Fatalf("the drive ended before it began: %v, %s", err, said.String())
		case <-time.After(20 * time.Millisecond):
		}
	}
	return &said, func() error {
		orders <- operator.FadeOutAndPark
		return <-ended
	}
}

// shows reports whether a rig writes frames to the page.
func shows(path string) bool {
	p, err := framepage.Open(path)
	if err != nil {
		return false
	}
	defer p.Close()
	return p.Seq() > 1
}

// watching is a command that shows a drive, and when it has shown enough of it.
type watching struct {
	args     []string
	terminal bool
	enough   func(out string) bool

	out, errs steps
	status    int
}

func (w *watching) run(t *testing.T, path string) {
	args := append(w.args, "--page", path)
	if w.terminal {
		w.status = onTerminal(t, &w.out, func(tty *os.File) int { return realMain(args, strings.NewReader(""), tty, tty) })
		return
	}
	w.status = realMain(args, strings.NewReader(""), &w.out, &w.errs)
}

// has is enough when every part has been shown.
func has(parts ...string) func(string) bool {
	return func(out string) bool {
		return !slices.ContainsFunc(parts, func(part string) bool { return !strings.Contains(out, part) })
	}
}

// One drive is watched in eight ways at once. It goes on until each has shown what it must show,
// and then each ends by itself. Whatever holds up the machine, nothing of it is a fault of the platform.
func TestADriveIsWatched(t *testing.T) {
	level.SkipIfQuick(t)
	follows := regexp.MustCompile(`"platform":"active".*"demand":\d.*"feedback":\d`)
	objects := &watching{args: []string{"ffb", "--json"}, enough: func(out string) bool {
		n := strings.Count(out, "\n")
		return n >= 10 && strings.Count(out, `"rim_torque_nm":0,`) < n-1
	}}
	lines := &watching{args: []string{"ffb"}, enough: func(out string) bool { return strings.Count(out, "\n") >= 2 }}
	screen := &watching{args: []string{"ffb", "live"}, terminal: true, enough: has("\x1b[K\r\n", "soft lock", "█")}
	platform := &watching{args: []string{"motion", "watch", "--json"}, enough: follows.MatchString}
	platformLines := &watching{args: []string{"motion", "watch"}, enough: has("platform ", "left ")}
	platformScreen := &watching{args: []string{"motion", "watch"}, terminal: true, enough: has("\x1b[K\r\n", "actuator", "right", "·█·")}
	state := &watching{args: []string{"watch"}, terminal: true, enough: has("state     driving", "ticks/s", "\nspeed ", "▁", "A block is a second")}
	stateLines := &watching{args: []string{"watch"}, enough: has("driving ", "rim [")}
	all := []*watching{objects, lines, screen, platform, platformLines, platformScreen, state, stateLines}

	path := socketPath(t)
	log, end := demoDrive(t, path)
	var wg sync.WaitGroup
	for _, w := range all {
		wg.Go(func() { w.run(t, path) })
	}
	for _, w := range all {
		await(t, strings.Join(w.args, " "), func() bool { return w.enough(w.out.String()) })
	}
	err := end()
	wg.Wait()
	if said := log.String(); err != nil || strings.Contains(said, "ERROR") || strings.Contains(said, "platform fault") || strings.Contains(said, "restarted") {
		t.Error(err, said)
	}
	for _, w := range all {
		if w.status != exitDone {
			t.Errorf("%q: status %d, %q", w.args, w.status, w.errs.String())
		}
	}
	if !strings.Contains(objects.out.String(), `"ended":{"state":"parked","status":0,"error":""}`) || !strings.Contains(screen.out.String(), "the rig has ended: parked, status 0") {
		t.Errorf("said %q at the end, the terminal got %q", objects.out.String(), screen.out.String())
	}
	checkLastLine(t, state.out.String())
	checkForceObjects(t, objects.out.String())
	checkForceLines(t, lines.out.String())
	checkMotionObjects(t, platform.out.String())
	if out := platformLines.out.String() + stateLines.out.String(); strings.Contains(out, "\x1b") {
		t.Errorf("%q where there is no terminal", out)
	}
}

// checkLastLine checks what a view of the state leaves on a terminal: how the rig ended, and no state, which is no more.
func checkLastLine(t *testing.T, out string) {
	t.Helper()
	screen := consoletest.New(80, 24)
	_, _ = io.WriteString(screen, out)
	if got := screen.String(); got != "the rig has ended: parked, status 0" {
		t.Errorf("on the terminal at the end:\n%s", got)
	}
}

// await waits for a condition; the limit only ends a hang.
func await(t *testing.T, what string, reached func() bool) {
	t.Helper()
	for end := time.Now().Add(3 * time.Minute); !reached(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%s: not within 3 minutes", what)
		}
	}
}

func checkForceObjects(t *testing.T, out string) {
	t.Helper()
	for l := range strings.Lines(out) {
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
	}
}

func checkForceLines(t *testing.T, out string) {
	t.Helper()
	for l := range strings.Lines(out) {
		if l == "the rig has ended: parked, status 0\n" {
			continue
		}
		if !strings.Contains(l, "column ") || !strings.Contains(l, "at the rim ") || !strings.Contains(l, "clipped ") || strings.Contains(l, "\x1b") {
			t.Errorf("%q", l)
		}
	}
}

func TestFFBWithoutARigSaysSo(t *testing.T) {
	for _, args := range [][]string{{"ffb"}, {"ffb", "--json"}, {"ffb", "live"}} {
		status, out, errs := rigCommand(t, append(args, "--page", socketPath(t))...)
		if status != exitFailed || out != "" || !strings.Contains(errs, "is rig running?") || strings.Count(errs, "\n") != 1 {
			t.Errorf("%q: status %d, %q", args, status, errs)
		}
	}
}

func TestFFBTestWithoutAWheelSaysSo(t *testing.T) {
	status, out, errs := rigCommand(t, "ffb", "test", "sine", "--yes", "--json", "--device", "no such wheel", "--page", socketPath(t))
	if status != exitFailed || out != "" || !strings.Contains(errs, "wheel: no device matches") || strings.Count(said(errs), "\n") != 1 {
		t.Errorf("status %d, %q, %q", status, out, errs)
	}
}

func TestFFBTestRefusesWhatNobodyMeans(t *testing.T) {
	for _, args := range [][]string{{"tickle"}, {"--torque-nm", "0"}, {"--torque-nm", "nan"}, {"spring", "--torque-nm=-1"}, {"--duration", "1h"}, {"sine", "--hz", "0"}} {
		status, _, errs := rigCommand(t, append([]string{"ffb", "test", "--page", socketPath(t)}, args...)...)
		if status != exitUsage || strings.Count(strings.TrimSpace(errs), "\n") != 0 {
			t.Errorf("%q: status %d, %q", args, status, errs)
		}
	}
}

// A drive pushes the same rim.
func TestWhatPushesWaitsForTheEndOfADrive(t *testing.T) {
	path := socketPath(t)
	held, err := framepage.Reserve(path)
	if err != nil {
		t.Fatal(err)
	}
	defer held.Close()
	for _, args := range [][]string{{"ffb", "test"}, {"calibrate", "wheel"}, {"calibrate", "ffb"}} {
		status, _, errs := rigCommand(t, append(args, "--page", path)...)
		if status != exitFailed || !strings.Contains(errs, "another rig of this user is running") {
			t.Errorf("%q: status %d, %q", args, status, errs)
		}
	}
}
