package rig

import (
	"context"
	"log/slog"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"rig/devices/estop"
	"rig/internal/frame"
	"rig/internal/guard"
)

func TestTransitionsArriveInOrder(t *testing.T) {
	var ring transitions
	if _, _, ok := ring.take(); ok {
		t.Error("a transition before the first")
	}
	want := guard.Transition{From: guard.Driving, To: guard.Fault, Cause: guard.BadTorque}
	ring.put(guard.Transition{From: guard.Ready, To: guard.Engaging, Cause: guard.WheelReady}, estop.None)
	ring.put(want, estop.Opened)
	ring.take()
	if got, why, ok := ring.take(); !ok || got != want || why != estop.Opened {
		t.Errorf("took %v, %v %v, want %v", got, why, ok, want)
	}
	for range 1000 {
		ring.put(want, estop.None)
	}
	n := 0
	for _, _, ok := ring.take(); ok; _, _, ok = ring.take() {
		n++
	}
	if n != len(ring.ring) {
		t.Errorf("%d of 1000 unread transitions kept, want the newest %d", n, len(ring.ring))
	}
}

func TestDisplayIsStartedAgainAFewTimes(t *testing.T) {
	started := 0
	v := &view{log: slog.New(slog.DiscardHandler), wait: time.Millisecond, closed: func() bool { return true }, command: func() *exec.Cmd {
		started++
		return exec.Command("false")
	}}
	v.run(context.Background())
	if started != maxRestarts+1 || v.restarts.Load() != maxRestarts {
		t.Errorf("started %d times, restarted %d, want %d and %d", started, v.restarts.Load(), maxRestarts+1, maxRestarts)
	}
}

func TestClosedDisplayStaysClosed(t *testing.T) {
	started := 0
	v := &view{log: slog.New(slog.DiscardHandler), wait: time.Millisecond, closed: func() bool { return true }, command: func() *exec.Cmd {
		started++
		return exec.Command("true")
	}}
	v.run(context.Background())
	if started != 1 {
		t.Errorf("started %d times", started)
	}
}

func TestTerminatedDisplayIsStartedAgain(t *testing.T) {
	started := 0
	v := &view{log: slog.New(slog.DiscardHandler), wait: time.Millisecond, closed: func() bool { return false }, command: func() *exec.Cmd {
		started++
		return exec.Command("true") // ends well, but nobody closed the window
	}}
	v.run(context.Background())
	if started != maxRestarts+1 {
		t.Errorf("started %d times, want %d", started, maxRestarts+1)
	}
}

func TestHangingDisplayIsKilled(t *testing.T) {
	t.Parallel() // it waits most of its time
	ctx, cancel := context.WithCancel(context.Background())
	deaf := filepath.Join(t.TempDir(), "deaf") // is there once it has set its trap
	v := &view{log: slog.New(slog.DiscardHandler), wait: time.Millisecond, closed: func() bool { return false }, command: func() *exec.Cmd {
		return exec.Command("sh", "-c", "trap '' TERM; : >"+deaf+"; while :; do sleep 0.1; done")
	}}
	done := make(chan struct{})
	go func() { v.run(ctx); close(done) }()
	for _, err := os.Stat(deaf); err != nil; _, err = os.Stat(deaf) {
		time.Sleep(time.Millisecond)
	}
	cancel()
	<-done // or it hangs
}

func TestDisplayEndsWithTheRig(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	v := &view{log: slog.New(slog.DiscardHandler), wait: time.Millisecond, closed: func() bool { return true }, command: func() *exec.Cmd { return exec.Command("sleep", "3600") }}
	done := make(chan struct{})
	go func() { v.run(ctx); close(done) }()
	for v.pid.Load() == 0 {
		time.Sleep(time.Millisecond)
	}
	cancel()
	<-done // or the display outlives the rig
}

func TestTorqueBarGrowsToTheSideOfTheTorque(t *testing.T) {
	for _, tt := range []struct {
		torque float64
		want   string
	}{
		{0, "[      |      ]"},
		{2, "[██████|      ]"},
		{-1, "[      |███   ]"},
		{9, "[██████|      ]"},
	} {
		if got := torqueBar(tt.torque, 2); got != tt.want {
			t.Errorf("%g N·m of 2: %s, want %s", tt.torque, got, tt.want)
		}
	}
}

func TestStatusLineTellsWhatMatters(t *testing.T) {
	f := &frame.Frame{Tick: 12_345, State: uint64(guard.Driving), Speed: 25, Gear: 3, RimTorque: -1.5, RatedTorque: 2, Flags: frame.Clipping,
		ABS: 5, Stability: 3, Fuel: 38.44, Charge: 0.7}
	f.Flags |= frame.EngineRuns | frame.StabilityWorks | frame.PitOn
	f.Pose[3] = 0.05
	line := StatusLine(f)
	for _, want := range []string{"driving", "12.3 s", "90.0 km/h", "gear 3", "38.4 L  ABS 5  ESC 3!  PIT  rim", "-1.50 N·m CLIP", "roll  +2.9°"} {
		if !strings.Contains(line, want) {
			t.Errorf("%q lacks %q", line, want)
		}
	}
	electric := &frame.Frame{Fuel: math.NaN(), Charge: 0.456}
	if line := StatusLine(electric); !strings.Contains(line, "ENGINE OFF  46 %  rim") {
		t.Errorf("%q does not tell of engine and battery", line)
	}
}
