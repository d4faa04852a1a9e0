package main

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"rig.example/rig/internal/core/frame"
	"rig.example/rig/test/level"
)

// filling is stdout on a disk that runs out of space after a number of bytes.
type filling struct{ left int }

func (f *filling) Write(b []byte) (int, error) {
	n := min(f.left, len(b))
	if f.left -= n; n < len(b) {
		return n, &os.PathError{Op: "write", Path: "/dev/stdout", Err: syscall.ENOSPC}
	}
	return n, nil
}

// printing are calls of all commands that print without a device.
func printing(t *testing.T) [][]string {
	skidpad := onSkidpad(t)
	demo := []string{"--demo", "--config", skidpad, "--page", socketPath(t)}
	calls := [][]string{
		{"--help"}, {"run", "--help"},
		{"devices"}, {"devices", "--json"}, {"devices", "--watch"}, {"check", "--config", skidpad}, {"check", "--json", "--config", skidpad},
		{"tire"}, {"tire", "--json"}, {"tire", "road"}, {"tire", "road", "--sweep", "slip-angle", "--csv", "-"},
		{"road", "skidpad"},
		{"maneuver"}, {"maneuver", "--json"}, {"maneuver", "step-steer", "--csv", "-"},
		{"latency", "--duration", "50ms", "--config", skidpad}, {"latency", "--duration", "50ms", "--json", "--config", skidpad},
		append([]string{"run", "--headless", "--duration", "50ms", "--json"}, demo...),
	}
	if level.All() { // they take some seconds each
		calls = append(calls, append([]string{"run", "--headless", "--duration", "50ms"}, demo...),
			append([]string{"motion", "home"}, demo...), append([]string{"motion", "home", "--json"}, demo...),
			[]string{"motion", "omct", "--config", skidpad}, []string{"motion", "omct", "--json", "--config", skidpad})
	}
	shown, path := publish(t)
	shown.Publish(&frame.Frame{Tick: 1})
	for _, args := range watchers {
		calls = append(calls, append(slices.Clone(args), "--page", path))
	}
	return calls
}

// A result that cannot be written is a failure, told once: it is lost, whatever came before.
func TestAResultThatCannotBeWrittenIsAFailureInOneLine(t *testing.T) {
	level.SkipIfQuick(t)
	t.Parallel()
	for i, args := range printing(t) {
		left := i % 2 // bytes that are taken before
		var errs bytes.Buffer
		status := within(t, args, func() int { return realMain(args, strings.NewReader(""), &filling{left}, &errs) })
		said := errs.String()
		if status != exitFailed || faultLines(said) != 1 || strings.Count(said, "stdout cannot be written: no space left on device") != 1 {
			t.Errorf("%q after %d bytes: status %d, %q", args, left, status, said)
		}
	}
}

// faultLines counts the faults that a command told: its own lines, but for the one that names the configuration.
func faultLines(said string) int {
	return strings.Count("\n"+said, "\nrig: ") - strings.Count("\n"+said, "\nrig: configuration: ")
}

// within returns what a command that must end returned.
func within(t *testing.T, args []string, command func() int) int {
	t.Helper()
	done := make(chan int, 1)
	go func() { done <- command() }()
	select {
	case status := <-done:
		return status
	case <-time.After(2 * time.Minute):
		t.Fatalf("%q does not end", args)
		return 0
	}
}

// What failed beside stdout is told as well.
func TestAFullStdoutHidesNoOtherFault(t *testing.T) {
	o := &stdoutWriter{w: &filling{}}
	_, err := io.WriteString(o, "x")
	other := errors.New("the platform is not parked")
	got := o.finalError(errors.Join(other, err, err))
	if !errors.Is(got, other) || strings.Count(oneLine(got), "stdout") != 1 {
		t.Errorf("%v", got)
	}
	if got := new(stdoutWriter).finalError(other); got != other {
		t.Errorf("%v where stdout works", got)
	}
}

// The same with the program's own descriptors: on /dev/full, and closed.
func TestStdoutOfTheProcess(t *testing.T) {
	for _, redirect := range []string{">/dev/full", ">&-", ">/dev/null", "1<>/dev/null"} {
		cmd := exec.Command("sh", "-c", `exec "$0" tire `+redirect, os.Args[0])
		cmd.Env = append(os.Environ(), asRig+"=1")
		said, _ := cmd.CombinedOutput()
		status, lines := exitFailed, 1
		if strings.Contains(redirect, "null") || redirect == ">&-" && !detectsClosedStdout {
			status, lines = exitDone, 0
		}
		if got := cmd.ProcessState.ExitCode(); got != status || strings.Count(string(said), "\n") != lines {
			t.Errorf("%s: status %d, %q", redirect, got, said)
		}
	}
}
