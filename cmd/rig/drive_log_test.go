package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"rig.example/rig/internal/kit/printable"
	"rig.example/rig/internal/live/console/consoletest"
	"rig.example/rig/test/level"
)

// A drive in a terminal shows its state below the log, and at the end the log and the summary alone.
func TestADriveInATerminal(t *testing.T) {
	level.SkipIfQuick(t)
	screen := consoletest.New(80, 24)
	socket, watched := socketPath(t), make(chan bool, 1)
	go func() {
		await(t, "the state", func() bool { return strings.Contains(screen.String(), "\nstate     driving   cause: faded in") })
		watched <- true
	}()
	status := onTerminal(t, screen, func(tty *os.File) int {
		return realMain([]string{"run", "--demo", "--headless", "--duration", "4s", "--config", onSkidpad(t), "--page", socket}, strings.NewReader(""), tty, tty)
	})
	<-watched
	got := screen.String()
	if status != exitDone {
		t.Errorf("status %d", status)
	}
	for _, want := range []string{`^rig: configuration: `, `\n\d\d:\d\d:\d\d  info     rig driving  from=engaging state=driving cause="faded in"\n`, `state=parked cause="platform parked"\n`, `\n[\d ]+ of [\d ]+ ticks on time`} {
		if !regexp.MustCompile(want).MatchString(got) {
			t.Errorf("%s is not in\n%s", want, got)
		}
	}
	if strings.Contains(got, "state     ") || strings.Contains(got, "level=") {
		t.Errorf("the state or another form of the log is left:\n%s", got)
	}
}

// A terminal without control sequences gets lines alone, and --log chooses the form of the log, without a state.
func TestTheFormOfTheLog(t *testing.T) {
	level.SkipIfQuick(t)
	skidpad := onSkidpad(t)
	drive := func(args ...string) string {
		var out steps
		status := onTerminal(t, &out, func(tty *os.File) int {
			return realMain(append([]string{"run", "--demo", "--headless", "--duration", "1ms", "--config", skidpad, "--page", socketPath(t)}, args...), strings.NewReader(""), tty, tty)
		})
		if status != exitDone {
			t.Errorf("%q: status %d, %s", args, status, out.String())
		}
		return out.String()
	}
	for _, tt := range []struct{ args, want, not string }{
		{"--log=text", `level=INFO msg="rig parked"`, "\x1b"},
		{"--log=json", `"level":"INFO","msg":"rig parked"`, "\x1b"},
	} {
		if out := drive(tt.args); !strings.Contains(out, tt.want) || strings.Contains(out, tt.not) {
			t.Errorf("%s: %q", tt.args, out)
		}
	}
	t.Setenv("TERM", "dumb")
	if out := drive(); !strings.Contains(out, "info     rig parked  from=") || strings.Contains(out, "\x1b") {
		t.Errorf("on a dumb terminal: %q", out)
	}
	_, _, errs := rigCommand(t, "run", "--demo", "--headless", "--duration", "1ms", "--log", "json", "--config", skidpad, "--page", socketPath(t))
	for l := range strings.Lines(said(errs)) {
		var record struct{ Time, Level, Msg string }
		if err := json.Unmarshal([]byte(l), &record); err != nil || record.Time == "" || record.Level == "" || record.Msg == "" {
			t.Errorf("%v: %s", err, l)
		}
	}
	if status, _, errs := rigCommand(t, "run", "--log", "xml"); status != exitUsage || !strings.Contains(errs, `must be one of "auto","text","json"`) {
		t.Errorf("status %d, %q", status, errs)
	}
}

// A terminal that takes nothing (Ctrl-S, a slow line) holds up neither the drive nor its end.
func TestAStuckTerminalHoldsUpNoDrive(t *testing.T) {
	level.SkipIfQuick(t)
	t.Parallel()
	_, tty := openPty(t)
	if err := unix.IoctlSetInt(int(tty.Fd()), unix.TCXONC, unix.TCOOFF); err != nil { // as Ctrl-S does
		t.Fatal(err)
	}
	socket := socketPath(t)
	drive := rigProcess("run", "--demo", "--headless", "--json", "--config", onSkidpad(t), "--page", socket)
	var out bytes.Buffer
	drive.Stdout, drive.Stderr = &out, tty
	if err := drive.Start(); err != nil {
		t.Fatal(err)
	}
	defer drive.Process.Kill()
	await(t, "the drive", func() bool { return shows(socket) })
	_ = drive.Process.Signal(syscall.SIGTERM)
	ended := make(chan error, 1)
	go func() { ended <- drive.Wait() }()
	select {
	case err := <-ended:
		if err != nil || !strings.Contains(out.String(), `"exit_state":"parked"`) {
			t.Errorf("%v, %q", err, out.String())
		}
	case <-time.After(3 * time.Minute):
		t.Fatal("the drive does not end")
	}
}

// Ctrl-Z removes the state and stops the process; when it goes on, the state is shown below what the shell wrote.
func TestCtrlZStopsADriveInATerminal(t *testing.T) {
	level.SkipIfQuick(t)
	t.Parallel()
	socket, skidpad := socketPath(t), onSkidpad(t)
	screen := consoletest.New(80, 24)
	onTerminal(t, screen, func(tty *os.File) int {
		// The shell is the leader of a session and gives each of its jobs a process group, as one in a terminal does.
		shell := exec.Command("bash", "-c", `set -m; "$@" & echo $!; while kill -0 $! 2>/dev/null; do sleep 0.1; done`, "bash", os.Args[0], "run", "--demo", "--headless", "--config", skidpad, "--page", socket)
		shell.Env = append(os.Environ(), asRig+"=1", "DISPLAY=", "WAYLAND_DISPLAY=", "TERM=xterm")
		shell.Stderr, shell.SysProcAttr = tty, &syscall.SysProcAttr{Setsid: true}
		var said steps
		shell.Stdout = &said
		if err := shell.Start(); err != nil {
			t.Error(err)
			return exitFailed
		}
		defer shell.Process.Kill()
		shown := func(what string, n int) {
			await(t, fmt.Sprintf("%d of %q on\n%s", n, what, printable.Excerpt(screen.String())), func() bool { return strings.Count(screen.String(), what) == n })
		}
		shown("\nstate     ", 1)
		var pid int
		_, _ = fmt.Sscan(said.String(), &pid)
		_ = syscall.Kill(pid, syscall.SIGTSTP)
		await(t, "the process to stop", func() bool { return stateOf(pid) == "T" })
		shown("\nstate     ", 0)
		fmt.Fprint(tty, "[1]+  Stopped\r\n")
		_ = syscall.Kill(pid, syscall.SIGCONT)
		shown("\nstate     ", 1)
		_ = syscall.Kill(pid, syscall.SIGTERM)
		_ = shell.Wait()
		return exitDone
	})
	if got := screen.String(); !strings.Contains(got, "\n[1]+  Stopped\n") || strings.Contains(got, "state     ") {
		t.Errorf("at the end:\n%s", got)
	}
}

// stateOf returns the letter of a process' state, "" if there is none.
func stateOf(pid int) string {
	stat, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	_, rest, _ := strings.Cut(string(stat), ") ")
	return rest[:min(1, len(rest))]
}
