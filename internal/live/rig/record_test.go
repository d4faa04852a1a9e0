package rig

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"rig.example/rig/cueing"
	"rig.example/rig/internal/core/channels"
	"rig.example/rig/internal/core/drive"
	"rig.example/rig/internal/files/config"
	"rig.example/rig/internal/files/drivesetup"
	"rig.example/rig/internal/files/recording"
	"rig.example/rig/internal/files/replay"
	"rig.example/rig/internal/kit/version"
	"rig.example/rig/test/level"
)

// recorderOf returns a recorder of a rig that writes into a new file.
func recorderOf(t testing.TB, r *Rig, cfg config.Config, demo bool) (*recording.Recorder, string) {
	t.Helper()
	var forces *drivesetup.Forces
	if r.presets != nil {
		forces = r.presets.forces
	}
	h, err := replay.Header(cfg, r.drive, nil, forces, demo, time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "drive.mcap")
	rec, err := recording.New(h, channels.All(), r.drive, recording.Options{File: path, BlackBoxFolder: filepath.Dir(path), BlackBoxBytes: 48 << 20, KeepBlackBoxes: 3,
		Cause: func(drive.Change) string { return "because" }})
	if err != nil {
		t.Fatal(err)
	}
	return rec, path
}

// Kerbs, spins, contact, replugged devices, stops and switches: a wild drive, recorded and driven again by its file, is
// the same to the last bit, and so is every second that a player goes to.
func TestAWildDriveReplaysFromItsRecording(t *testing.T) {
	plan := worldPlan{seed: 77, ticks: level.Pick(4000, 40_000, 600_000), car: "gt"}
	s, w := plan.build(t)
	r := s.rig
	cfg := plan.config(t)
	rec, path := recorderOf(t, r, cfg, false)
	tunes := []drive.Tune{{Factor: drive.ForceGain, Share: 0.8}, {Factor: drive.MotionSway, Share: 0.5}, {Factor: drive.MotionFilter, Share: 0.4},
		{Factor: drive.LimitTravel, Share: 0.3}, {Factor: drive.LimitSpeed, Share: 0.6}, {Factor: drive.LimitAccel, Share: 0.7}, {Factor: drive.MotionFilter, Share: 1}}
	var states []uint64 // before each second
	for tick := range plan.ticks {
		if tick%1000 == 0 {
			states = append(states, r.drive.State.Hash())
		}
		m := w.next(outlook{&r.drive.State.Car, r.drive.State.Guard.State(), r.out.Frame.Flags, r.orders.IsReleased()})
		m.flaw = 0 // what no tick does by itself
		s.apply(m)
		if tick%300 == 299 {
			r.orders.Tune(tunes[tick/300%len(tunes)])
		}
		r.in = r.sense()
		rec.Before(&r.in, &r.drive.State)
		r.out = r.drive.Step(&r.in)
		rec.After(&r.drive.State, r.out)
		if r.act(&r.in, r.out); tick%500 == 0 {
			rec.Pack()
			rec.Wait()
		}
		if r.out.Done {
			break
		}
	}
	if err := rec.Close(&r.drive.State, ""); err != nil || rec.Missing() != 0 {
		t.Fatal(err, rec.Missing())
	}
	if got := r.drive.State.Motion.Share(cueing.TravelShare); got > 0.31 {
		t.Errorf("the travel's share is %g", got)
	}
	file, err := recording.Open(path)
	if err != nil || !file.Whole || file.Damage != "" {
		t.Fatalf("%v, %+v", err, file)
	}
	defer file.Close()
	p, err := replay.NewPlayer(file, nil, false)
	if err != nil {
		t.Fatal(err)
	}
	v, err := p.Verify(func(float64) {})
	if err != nil || !v.Equal || v.Hashes < len(states)-1 || v.Ticks < uint64(len(states)-1)*1000 {
		t.Fatalf("%+v of %d s, %v", v, len(states), err)
	}
	if p.Drive.State != r.drive.State {
		t.Errorf("the end differs: %+v", drive.Differences(&p.Drive.State, &r.drive.State, 3))
	}
	for n := range states {
		second := uint64(n*7919) % uint64(len(states)) // in some order
		if err := p.Seek(second * 1000); err != nil || p.Drive.State.Hash() != states[second] {
			t.Fatalf("second %d: %v, state differs", second, err)
		}
	}
	sum, err := file.Summary()
	if err != nil || sum.Faults == 0 || sum.Ticks != v.Ticks {
		t.Errorf("%+v, %v", sum, err)
	}
	boxes, _ := filepath.Glob(filepath.Join(filepath.Dir(path), "blackbox-*.mcap"))
	if len(boxes) == 0 || len(boxes) > 3 {
		t.Errorf("black boxes %v", boxes)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 || float64(info.Size())/float64(v.Ticks)*60_000 > 25e6 {
		t.Errorf("%v: %v, %d bytes for %d ticks", err, info.Mode(), info.Size(), v.Ticks)
	}
}

// recordedDemo returns a recording of a demo.
func recordedDemo(t testing.TB, seconds int) *recording.Recording {
	t.Helper()
	cfg := config.Default()
	r := demoOf(t, cfg)
	rec, path := recorderOf(t, r, cfg, true)
	for tick := range seconds * 1000 {
		r.in = r.sense()
		rec.Before(&r.in, &r.drive.State)
		r.out = r.drive.Step(&r.in)
		rec.After(&r.drive.State, r.out)
		if r.act(&r.in, r.out); tick%500 == 0 {
			rec.Pack()
			rec.Wait()
		}
	}
	if err := rec.Close(&r.drive.State, ""); err != nil {
		t.Fatal(err)
	}
	file, err := recording.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { file.Close() })
	return file
}

// A replay that differs tells from which tick on, and in what: half the gain in the scale of the force, from the start.
func TestAReplayTellsWhatDiffers(t *testing.T) {
	level.SkipIfQuick(t)
	file := recordedDemo(t, 4)
	p, err := replay.NewPlayer(file, []string{"ffb.gain=0.5"}, false)
	if err != nil {
		t.Fatal(err)
	}
	v, err := p.Verify(func(float64) {})
	if err != nil || v.Equal || v.Tick != 1 || v.Since != 0 || !strings.HasPrefix(v.Field, "force_scale is 0.08") {
		t.Errorf("%+v, %v", v, err)
	}
	file.Header.Commit = "another"
	if _, err := replay.NewPlayer(file, nil, false); err == nil || !strings.Contains(err.Error(), "commit another") || !strings.Contains(err.Error(), "--drift") {
		t.Errorf("another build: %v", err)
	}
	if _, err := replay.NewPlayer(file, nil, true); err != nil {
		t.Errorf("another build, as it is: %v", err)
	}
	file.Header.Commit = version.Current().Commit
	file.Blocks = file.Blocks[1:]
	if _, err := replay.NewPlayer(file, []string{"ffb.gain=0.5"}, false); err == nil || !strings.Contains(err.Error(), "from the start") {
		t.Errorf("a changed rig in the middle: %v", err)
	}
	file.Header.State = "another"
	if _, err := replay.NewPlayer(file, nil, true); err == nil || strings.Contains(err.Error(), "--drift") {
		t.Errorf("another state: %v", err)
	}
}

// A changed rig drives by the same inputs: a force's gain changes nothing but forces, a heavier car drives in another way
// from then on.
func TestARecordingDrivesAChangedRig(t *testing.T) {
	level.SkipIfQuick(t)
	file := recordedDemo(t, 8)
	for _, tt := range []struct {
		set   string
		drive bool // the car drives in another way
		more  string
		less  string // channel that becomes smaller
	}{
		{"ffb.gain=0.5", false, "", "rim_torque"},
		{"tuning.gain=0.5", false, "", "platform_pitch"},
		{"car.mass_kg=1500", true, "wheel_fl_load", ""},
	} {
		list, err := channels.Named("speed,rim_torque,platform_pitch,wheel_fl_load")
		if err != nil {
			t.Fatal(err)
		}
		both, err := replay.Compare(file, []string{tt.set}, replay.Part{Channels: list}, func(float64) {})
		if err != nil {
			t.Errorf("%s: %v", tt.set, err)
			continue
		}
		if changed := both.Hypothetical == both.Hypothetical; changed != tt.drive {
			t.Errorf("%s: hypothetical from %g s", tt.set, both.Hypothetical)
		}
		if tt.less != "" && !(energy(both.Changed.Channel(tt.less).Values) < 0.5*energy(both.Base.Channel(tt.less).Values)) {
			t.Errorf("%s: %s is not smaller", tt.set, tt.less)
		}
		if tt.more != "" && !(energy(both.Changed.Channel(tt.more).Values) > 1.1*energy(both.Base.Channel(tt.more).Values)) {
			t.Errorf("%s: %s is not larger", tt.set, tt.more)
		}
	}
}

// energy returns the sum of squares.
func energy(list []float64) (sum float64) {
	for _, v := range list {
		if v == v {
			sum += v * v
		}
	}
	return sum
}

// The loop's part of recording allocates nothing.
func TestRecordingATickAllocatesNothing(t *testing.T) {
	cfg := config.Default()
	r := demoOf(t, cfg)
	rec, _ := recorderOf(t, r, cfg, true)
	if n := testing.AllocsPerRun(2000, func() {
		rec.Before(&r.in, &r.drive.State)
		rec.After(&r.drive.State, r.out)
	}); n != 0 {
		t.Errorf("%g allocations", n)
	}
}

func BenchmarkRecordATick(b *testing.B) {
	cfg := config.Default()
	r := demoOf(b, cfg)
	rec, _ := recorderOf(b, r, cfg, true)
	r.in = r.sense()
	r.out = r.drive.Step(&r.in)
	b.ReportAllocs()
	for n := range b.N {
		rec.Before(&r.in, &r.drive.State)
		rec.After(&r.drive.State, r.out)
		if n%4000 == 3999 {
			b.StopTimer()
			rec.Pack()
			rec.Wait()
			b.StartTimer()
		}
	}
}

// A replay of a demo, without a display: how many times faster than real time it is.
func BenchmarkReplay(b *testing.B) {
	const seconds = 20
	file := recordedDemo(b, seconds)
	p, err := replay.NewPlayer(file, nil, false)
	if err != nil {
		b.Fatal(err)
	}
	b.ResetTimer()
	for range b.N {
		if err := p.Seek(0); err != nil {
			b.Fatal(err)
		}
		for {
			if ok, err := p.Next(); err != nil {
				b.Fatal(err)
			} else if !ok {
				break
			}
		}
	}
	b.ReportMetric(float64(b.N)*seconds/b.Elapsed().Seconds(), "×real-time")
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/seconds/1000, "ns/tick")
}

// A recording that says it lasts for years is refused before memory is set aside for it.
func TestALogThatIsTooLongIsRefused(t *testing.T) {
	file := recordedDemo(t, 1)
	file.Blocks[len(file.Blocks)-1].Next = 1e12
	file.Close() // so that only its index tells how long it is
	if _, err := replay.Log(file, replay.Part{Channels: channels.All()}); err == nil || !strings.Contains(err.Error(), "too many") {
		t.Errorf("error %v", err)
	}
}
