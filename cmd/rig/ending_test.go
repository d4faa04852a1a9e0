package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/core/framepage"
	"rig.example/rig/internal/core/guard"
	"rig.example/rig/test/level"
)

// drivesOn waits until the rig at a socket drives, and returns its process.
func drivesOn(t *testing.T, socket string) (pid int) {
	t.Helper()
	await(t, "the drive", func() bool {
		p, err := framepage.Open(socket)
		if err != nil {
			return false
		}
		defer p.Close()
		var f frame.Frame
		pid = p.WriterPID()
		return p.Read(&f) && f.State == uint64(guard.Driving)
	})
	return pid
}

// interactiveShell starts a shell on a terminal of its own, as a window does. What it shows grows in shown.
func interactiveShell(t *testing.T) (master io.ReadWriteCloser, shell *exec.Cmd, shown *steps) {
	t.Helper()
	master, tty := openPty(t)
	shell = exec.Command("bash", "--norc", "--noprofile", "-i")
	shell.Env = append(os.Environ(), asRig+"=1", "DISPLAY=", "WAYLAND_DISPLAY=", "TERM=xterm")
	shell.Stdin, shell.Stdout, shell.Stderr, shell.SysProcAttr = tty, tty, tty, &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := shell.Start(); err != nil {
		t.Fatal(err)
	}
	tty.Close()
	shown = new(steps)
	go func() {
		b := make([]byte, 4096)
		for n, err := 0, error(nil); err == nil; shown.Write(b[:n]) {
			n, err = master.Read(b)
		}
	}()
	return master, shell, shown
}

// A movement goes on in the background of a terminal that stops whatever writes from there.
func TestTheBackgroundStopsNoMovement(t *testing.T) {
	level.SkipIfQuick(t)
	t.Parallel()
	master, shell, shown := interactiveShell(t)
	defer shell.Wait()
	defer master.Close()
	fmt.Fprintf(master, "stty tostop; %s motion jog 1 --share 0.02 --speed 0.3 --demo --page %s &\n", os.Args[0], socketPath(t))
	await(t, "the end of the movement", func() bool { return strings.Contains(shown.String(), "done, parked") })
}

// Who closes the terminal ends the drive in good order: the shell and then the kernel send SIGHUP, and nothing that is
// written to the terminal arrives any more.
func TestAClosedTerminalParks(t *testing.T) {
	level.SkipIfQuick(t)
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil { // the shell ends before the drive
		t.Fatal(err)
	}
	defer func() { _ = unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0) }()
	for _, where := range []string{"", ">"} { // the summary goes to the terminal, or to a file
		socket, skidpad, file := socketPath(t), onSkidpad(t), filepath.Join(t.TempDir(), "out.json")
		master, shell, shown := interactiveShell(t)
		command := strings.Join([]string{os.Args[0], "run", "--demo", "--headless", "--json", "--config", skidpad, "--page", socket}, " ")
		if where == ">" {
			command += " > " + file
		}
		fmt.Fprintln(master, command)
		pid := drivesOn(t, socket)
		master.Close()
		_ = shell.Wait()
		var status syscall.WaitStatus
		if _, err := syscall.Wait4(pid, &status, 0, nil); err != nil || !status.Exited() || status.ExitStatus() != exitDone {
			t.Errorf("%q: %v, exited %v with %d, by %v\n%s", where, err, status.Exited(), status.ExitStatus(), status.Signal(), shown.String())
		}
		if where == ">" {
			if text, err := os.ReadFile(file); err != nil || !strings.Contains(string(text), `"exit_state":"parked"`) {
				t.Errorf("%v: %s", err, text)
			}
		}
	}
}

// However the signals that end a drive follow each other, only a Ctrl-C that answers the offer ends it before the platform
// is parked.
func TestASecondSignal(t *testing.T) {
	level.SkipIfQuick(t)
	const offer = "Ctrl-C once more ends at once and leaves it there"
	for _, tt := range []struct {
		name   string
		first  os.Signal
		offer  bool          // the second comes after the offer was read
		after  time.Duration // more
		second os.Signal
		forced bool
	}{
		{"timeout", syscall.SIGTERM, false, 0, syscall.SIGTERM, false},
		{"Ctrl-C twice", syscall.SIGINT, false, 10 * time.Millisecond, syscall.SIGINT, false},
		{"SIGTERM long after", syscall.SIGINT, true, 600 * time.Millisecond, syscall.SIGTERM, false},
		{"Ctrl-C after the offer", syscall.SIGINT, true, 600 * time.Millisecond, syscall.SIGINT, true},
		{"Ctrl-C after SIGHUP", syscall.SIGHUP, true, 600 * time.Millisecond, syscall.SIGINT, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			socket, slow := socketPath(t), filepath.Join(t.TempDir(), "rig.toml")
			if err := os.WriteFile(slow, []byte("track = \"skidpad\"\n[guard]\nrelease_s = 3\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			drive := rigProcess("run", "--demo", "--headless", "--json", "--config", slow, "--page", socket)
			var out, errs steps
			drive.Stdout, drive.Stderr = &out, &errs
			if err := drive.Start(); err != nil {
				t.Fatal(err)
			}
			drivesOn(t, socket)
			_ = drive.Process.Signal(tt.first)
			if tt.offer {
				await(t, "the offer", func() bool { return strings.Contains(errs.String(), offer) })
			}
			time.Sleep(tt.after)
			_ = drive.Process.Signal(tt.second)
			_ = drive.Wait()
			status := drive.ProcessState.ExitCode()
			parked := status == exitDone && strings.Contains(out.String(), `"exit_state":"parked"`)
			told := status == exitFailed && strings.Contains(errs.String(), "rig: ended at once: the kernel stops the force; the platform is NOT parked but ")
			if parked == tt.forced || told != tt.forced {
				t.Errorf("status %d, %q\n%s", status, out.String(), errs.String())
			}
		})
	}
}

// A movement by hand neither waits for a terminal that takes nothing nor ends by it.
func TestAStuckTerminalHoldsUpNoMovement(t *testing.T) {
	level.SkipIfQuick(t)
	t.Parallel()
	_, tty := openPty(t)
	if err := unix.IoctlSetInt(int(tty.Fd()), unix.TCXONC, unix.TCOOFF); err != nil { // as Ctrl-S does
		t.Fatal(err)
	}
	socket := socketPath(t)
	sweep := rigProcess("motion", "home", "--demo", "--hold", "10m", "--page", socket)
	sweep.Stdout, sweep.Stderr = tty, tty
	if err := sweep.Start(); err != nil {
		t.Fatal(err)
	}
	defer sweep.Process.Kill()
	await(t, "the command", func() bool { _, err := os.Stat(socket + ".orders"); return err == nil })
	_ = sweep.Process.Signal(syscall.SIGTERM)
	ended := make(chan error, 1)
	go func() { ended <- sweep.Wait() }()
	select {
	case err := <-ended:
		if sweep.ProcessState.ExitCode() != exitFailed {
			t.Error(err)
		}
	case <-time.After(3 * time.Minute):
		t.Fatal("the command does not end")
	}
}
