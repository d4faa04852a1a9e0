package main

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/alecthomas/kong"

	"rig.example/rig/test/level"
)

// Each command, and whether it moves something or pushes: then signals give it orders.
var movers = map[string]bool{
	"run": true, "setup": true, "follow": true, "ffb test": true, "calibrate wheel": true, "calibrate pedals": true, "calibrate ffb": true,
	"motion home": true, "motion park": true, "motion jog": true, "motion sweep": true, "motion config": true,
	"motion omct": false, "motion scope": false, "motion profile save": false, "motion profile use": false, "motion profile list": false, "motion watch": false, "motion tune": false, "ffb live": false, "ffb map": false, "devices": false, "check": false,
	"bench": false, "tire": false, "road": false, "timers": false, "version": false, "maneuver": false, "worker": false, "channels": false, "ls": false, "replay": false, "export": false, "report": false, "latency": false, "watch": false, "display": false, "screens": false, "outputs": false, "sound": false, "shaker test": true, "shaker sweep": true, "dash": false, "stop": false, "pause": false, "confirm": false,
	"driver list": false, "driver show": false, "driver new": false, "driver use": false, "driver delete": false,
	"session join": true, "session-member": false, "session host": false, "session watch": false, "session grid": false, "session start": false, "session abort": false, "session pause": false, "session resume": false, "session stop": false, "session flag": false, "session notice": false, "session penalty": false, "session end": false, "session results": false,
	"session invite": false, "session revoke": false, "session members": false,
	"help": false, "completion": false, "man": false, "complete": false,
}

func TestEveryCommandThatMovesHandlesSignals(t *testing.T) {
	var c commands
	parser, err := kong.New(&c, kong.Name("rig"))
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, n := range parser.Model.Leaves(false) {
		name := strings.TrimPrefix(n.FullPath(), "rig ")
		moves, known := movers[name]
		if _, handles := n.Target.Addr().Interface().(mover); !known || handles != moves {
			t.Errorf("%s: known %v, moves %v, handles signals %v", name, known, moves, handles)
		}
		seen++
	}
	if seen != len(movers) {
		t.Errorf("%d commands, %d are known here", seen, len(movers))
	}
}

// signalled runs a command of `rig motion` in memory, and sends it signals: each when what is
// printed has its text. It returns how long the command went on after the last of them.
func signalled(t *testing.T, args []string, on ...signalOn) (status int, errs string, took time.Duration) {
	t.Helper()
	signals := make(chan os.Signal, 4)
	var out, e steps
	s := &streams{in: strings.NewReader(""), out: &out, err: &e, signals: func() (<-chan os.Signal, func()) { return signals, func() { close(signals) } }}
	ended := make(chan int, 1)
	go func() {
		ended <- perform(append([]string{"motion"}, append(args, "--demo", "--page", socketPath(t))...), s)
	}()
	for _, next := range on {
		for !strings.Contains(out.String()+e.String(), next.text) {
			time.Sleep(time.Millisecond)
			if len(ended) > 0 {
				t.Fatalf("ended before %q: %s%s", next.text, out.String(), e.String())
			}
		}
		time.Sleep(next.after)
		signals <- next.signal
	}
	began := time.Now()
	status = <-ended
	return status, e.String(), time.Since(began)
}

// signalOn is a signal that is sent so long after a text was printed.
type signalOn struct {
	text   string
	after  time.Duration
	signal os.Signal
}

// The software stop halts whatever moves, also what parks after Ctrl-C; a confirmation does
// nothing.
func TestTheSoftwareStopHaltsEveryCommandThatMovesThePlatform(t *testing.T) {
	t.Parallel()
	low := filepath.Join(t.TempDir(), "rig.toml") // the simulated controller begins at the center
	if err := os.WriteFile(low, []byte("[motion]\npark_share = [0.1, 0.1, 0.1]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	stop := func(text string, after time.Duration) []signalOn {
		return []signalOn{{text, after, syscall.SIGUSR1}, {text, 0, syscall.SIGUSR2}}
	}
	for _, tt := range []struct {
		name string
		args []string
		on   []signalOn
	}{
		{"home", []string{"home", "--hold", "9s"}, stop("at its center", time.Second)},
		{"home, on its way back", []string{"home", "--hold", "0s"}, stop("parking", time.Second)},
		{"park", []string{"park"}, stop("parking", time.Second)},
		{"jog", []string{"jog", "1", "--share", "0.3"}, stop("1 of 1", time.Second)},
		{"sweep", []string{"sweep"}, stop("2 of 4", time.Second)},
		{"Ctrl-C first", []string{"jog", "1", "--share", "0.3"}, append([]signalOn{{"1 of 1", time.Second, os.Interrupt}}, stop("interrupted: parking", 100*time.Millisecond)...)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				status, errs, took := signalled(t, append(tt.args, "--config", low), tt.on...)
				if status != exitFailed || took > 300*time.Millisecond {
					t.Errorf("status %d, %v after the stop", status, took)
				}
				for _, want := range []string{"stopped by the operator (rig stop or SIGUSR2)", "the platform is NOT parked but halted (left "} {
					if !strings.Contains(errs, want) {
						t.Errorf("%q lacks %q", errs, want)
					}
				}
			})
		})
	}
}

// Who ends a drive after an emergency stop is told that the platform was left halted.
func TestADriveThatEndsStoppedFails(t *testing.T) {
	level.SkipIfQuick(t)
	signals := make(chan os.Signal, 2)
	var out, errs steps
	s := &streams{in: strings.NewReader(""), out: &out, err: &errs, signals: func() (<-chan os.Signal, func()) { return signals, func() {} }}
	ended := make(chan int, 1)
	go func() {
		ended <- perform([]string{"run", "--demo", "--headless", "--config", onSkidpad(t), "--page", socketPath(t)}, s)
	}()
	for _, next := range []struct {
		text   string
		signal os.Signal
	}{{"state=engaging", syscall.SIGUSR2}, {"state=stopped", syscall.SIGTERM}} {
		for !strings.Contains(errs.String(), next.text) {
			select {
			case status := <-ended:
				t.Fatalf("ended before %q, status %d: %s", next.text, status, errs.String())
			case <-time.After(10 * time.Millisecond):
			}
		}
		signals <- next.signal
	}
	if status := <-ended; status != exitFailed {
		t.Errorf("status %d", status)
	}
	for _, want := range []string{"releasing: torque is off; the platform is halted and stays where it is", "rig: ended stopped (emergency stop); the platform is NOT parked but halted (left "} {
		if !strings.Contains(errs.String(), want) {
			t.Errorf("%q lacks %q", errs.String(), want)
		}
	}
}
