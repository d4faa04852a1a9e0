package main

import (
	"bufio"
	"os"
	"strings"
	"syscall"
	"testing"

	"rig.example/rig/devices/motion/port"
	"rig.example/rig/test/level"
)

func TestFFBMapRefusesWhatItCannotDo(t *testing.T) {
	tests := []struct {
		name string
		args []string
		want string
	}{
		{"a picture without a format", []string{"ffb", "map", "--picture", "map.gif"}, "end the name with .svg or .png"},
		{"a car that is not there", []string{"ffb", "map", "--car", "nosuchcar"}, "nosuchcar"},
		{"a file that is not there", []string{"ffb", "map", "--config", "/nosuch.toml"}, "nosuch.toml"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var out, errs strings.Builder
			if code := realMain(tt.args, strings.NewReader(""), &out, &errs); code == exitDone || !strings.Contains(errs.String(), tt.want) {
				t.Errorf("status %d, %q", code, errs.String())
			}
		})
	}
}

// What is simulated says so, in its progress as in its help: nobody must take his hands off a
// rim that will not move.
func TestSimulationsSayThatNothingMoves(t *testing.T) {
	level.SkipIfQuick(t)
	for _, c := range []struct{ args, says []string }{
		{[]string{"ffb", "--help"}, []string{"your wheel does not move", "simulate the rim at every delay"}},
		{[]string{"motion", "omct"}, []string{"simulating", "your platform does not move", "% |"}},
	} {
		var out strings.Builder
		onTerminal(t, &out, func(tty *os.File) int { return realMain(c.args, strings.NewReader(""), tty, tty) })
		got := strings.Join(strings.Fields(out.String()), " ")
		for _, say := range c.says {
			if !strings.Contains(got, say) {
				t.Errorf("%q: %.300q, want %q", c.args, got, say)
			}
		}
		if strings.Contains(got, "pushing") || strings.Contains(got, "swinging the car") {
			t.Errorf("%q: %.300q", c.args, got)
		}
	}
}

func TestTheMapsProgressSaysThatTheWheelDoesNotMove(t *testing.T) {
	master, path, err := port.OpenPty()
	if err != nil {
		t.Fatal(err)
	}
	defer master.Close()
	slave, err := os.OpenFile(path, os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer slave.Close()
	cmd := rigProcess("ffb", "map")
	cmd.Stderr = slave
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	screen := bufio.NewReader(master)
	_, _ = screen.ReadString('\n') // which configuration is in force
	line, err := screen.ReadString('\n')
	cmd.Process.Kill() // the map takes a minute
	cmd.Wait()
	if err != nil || strings.TrimSpace(line) != "simulating (your wheel does not move); this takes a minute …" {
		t.Errorf("%q, %v", line, err)
	}
}
