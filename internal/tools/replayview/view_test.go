package replayview

import (
	"math"
	"testing"
	"time"

	"rig.example/rig/internal/core/drive"
	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/core/framepage"
	"rig.example/rig/internal/files/recording"
	"rig.example/rig/internal/files/replay/replaytest"
	"rig.example/rig/test/level"
)

// viewOf returns a view of a drive of the demo, with a mark at 6.001 s and a fault at 9 s, and the state's hashes before
// each tick.
func viewOf(t *testing.T, ticks int) (*view, []uint64) {
	t.Helper()
	var hashes []uint64
	path := replaytest.Demo(t, replaytest.Config(t, replaytest.Round), ticks, func(tick int, in *drive.Inputs) {
		if tick == 6001 {
			in.Window.Keys = frame.KeyMark
		}
		if tick == 9000 {
			in.Operator.Stops++
		}
	})
	r, err := recording.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	v, err := newView(r)
	if err != nil {
		t.Fatal(err)
	}
	if v.page, err = framepage.New(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { v.page.Close() })
	if err := v.step(0); err != nil {
		t.Fatal(err)
	}
	for v.player.Tick() < uint64(ticks) {
		hashes = append(hashes, v.player.Drive.State.Hash())
		if ok, err := v.player.Next(); err != nil || !ok {
			t.Fatal(ok, err)
		}
	}
	return v, append(hashes, v.player.Drive.State.Hash())
}

// Wherever the keys lead, what is shown is the recorded drive to the last bit.
func TestViewGoesWhereTheKeysLead(t *testing.T) {
	level.SkipIfQuick(t)
	v, hashes := viewOf(t, 12_000)
	seek := math.NaN()
	for i, tt := range []struct {
		keys  uint64
		dt    float64
		place uint64
	}{
		{frame.KeyHome, 0, 1}, {frame.KeyMark, 0, 6002}, {0, 0, 6002}, {frame.KeyMark, 0, 9001}, {frame.KeyPrevious, 0, 6002},
		{frame.KeyStop, 0, 6002}, {frame.KeyLeft, 0, 6001}, {0, 0, 6001}, {frame.KeyLeft, 0, 6000}, {frame.KeyRight, 0, 6001}, {frame.KeyStop, 0.1, 6101},
		{frame.KeyUp, 0.1, 6301}, {frame.KeyEnd, 0, 12_000}, {frame.KeyLeft, 0, 11_999}, {frame.KeyStop | frame.KeyPageUp, 0, 1},
	} {
		v.page.SetKeys(tt.keys)
		v.page.SetSeek(seek)
		if err := v.step(tt.dt); err != nil {
			t.Fatal(err)
		}
		if at := v.player.Tick(); at != tt.place {
			t.Fatalf("step %d: at %d, want %d", i, at, tt.place)
		}
		if at := tt.place - hashBase; v.player.Drive.State.Hash() != hashes[at] {
			t.Errorf("step %d: not the recorded state before tick %d", i, tt.place)
		}
		var f frame.Frame
		var r frame.Replay
		if !v.page.Read(&f) || !v.page.Replay(&r) || f.Tick != v.player.Drive.State.Car.Tick || math.Abs(r.Position-float64(tt.place)/1000) > 1e-9 || r.Length != 12 {
			t.Errorf("step %d: the page shows tick %d at %g of %g s", i, f.Tick, r.Position, r.Length)
		}
	}
	if v.shown.Count != 2 || v.shown.Marks[0] != (frame.Mark{Time: 6.001, Kind: frame.DriverMark}) || v.shown.Marks[1] != (frame.Mark{Time: 9, Kind: frame.FaultMark}) {
		t.Errorf("%d marks: %+v", v.shown.Count, v.shown.Marks[:v.shown.Count])
	}
	var r frame.Replay
	if !v.page.Replay(&r) || r.Bar() == nil {
		t.Error("no bar")
	}
	v.pauseAt(6)
	if err := v.step(0); err != nil || v.player.Tick() != 6000 || !v.page.Replay(&r) || r.Bar() != nil {
		t.Errorf("a picture of 6 s is of tick %d, and has the bar %v (%v)", v.player.Tick(), r.Bar(), err)
	}
}

// hashBase is the tick of the first of viewOf's hashes.
const hashBase = 1

// At eight times real time the drive is driven faster than it is shown.
func TestViewKeepsUp(t *testing.T) {
	level.SkipIfQuick(t)
	v, _ := viewOf(t, 12_000)
	if err := v.goTo(1); err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	if err := v.goTo(8001); err != nil {
		t.Fatal(err)
	}
	t.Logf("figure: 8 s of the drive in %v", time.Since(began))
	if at := v.player.Tick(); at != 8001 {
		t.Errorf("at %d, want 8001", at)
	}
	began = time.Now()
	if err := v.goTo(8000); err != nil {
		t.Fatal(err)
	}
	t.Logf("figure: a tick back in %v", time.Since(began))
}

// Steps back lead over a gap in the recording, and play goes on behind it.
func TestViewGoesOverAGap(t *testing.T) {
	level.SkipIfQuick(t)
	r, err := recording.Open(replaytest.DemoWithGap(t, replaytest.Config(t, replaytest.Round), 30_000, 5000, 20_000))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	v, err := newView(r)
	if err != nil {
		t.Fatal(err)
	}
	v.page, err = framepage.New()
	if err != nil {
		t.Fatal(err)
	}
	defer v.page.Close()
	var before uint64
	gap := uint64(0)
	for v.controls.Paused = false; !v.controls.Paused; {
		v.page.SetKeys(0)
		if err := v.step(0.1); err != nil {
			t.Fatal(err)
		}
		if jumped := v.controls.Place - before; jumped > 101 {
			gap = v.controls.Place
		}
		before = v.controls.Place
	}
	if gap == 0 || v.controls.Place != 30_000 {
		t.Fatalf("no gap: at %d", v.controls.Place)
	}
	if err := v.goTo(gap); err != nil {
		t.Fatal(err)
	}
	v.controls.Place = v.player.Tick()
	v.page.SetKeys(frame.KeyLeft)
	if err := v.step(0); err != nil {
		t.Fatal(err)
	}
	if at := v.controls.Place; at >= gap {
		t.Errorf("a step back from %d behind the gap ends at %d", gap, at)
	}
}
