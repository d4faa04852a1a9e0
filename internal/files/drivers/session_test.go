package drivers

import (
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"rig.example/rig/cueing"
	"rig.example/rig/internal/core/drive"
	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/files/config"
)

// shifting is a drive whose driver has, or has not, changed who changes gears.
type shifting struct {
	mode    drive.Mode
	changed bool
}

func (s shifting) ShiftingChanged() (drive.Mode, bool) { return s.mode, s.changed }

// sessionOf begins a drive of anna.
func sessionOf(t *testing.T, cfg config.Config, s Store, records bool) *Session {
	t.Helper()
	cfg.Driver, cfg.Car, cfg.Track = "anna", "/cars/mine.toml", "club"
	if _, err := s.Text("anna"); err != nil {
		put(t, s.Profile("anna"), "")
	}
	session, err := NewSession(cfg, records)
	if err != nil {
		t.Fatal(err)
	}
	session.now = func() time.Time { return time.Date(2026, 11, 28, 12, 0, 0, 0, time.UTC) }
	return session
}

// driven returns a frame of a drive in which nothing was changed.
func driven(cfg *config.Config, tick uint64) *frame.Frame {
	f := &frame.Frame{Tick: tick, Gain: 1, ABS: uint64(cfg.Assists.ABS), Traction: uint64(cfg.Assists.Traction), Stability: uint64(cfg.Assists.Stability)}
	f.Tuned[drive.ForceGain-1] = 1
	tuning := cueing.Tuning(cfg.Tuning)
	for i, v := range drive.Factors(&tuning) {
		f.Motion.Tuning[i] = *v
	}
	return f
}

func TestARecordIsShownKeptAndTold(t *testing.T) {
	cfg, store := rigOf(t)
	s := sessionOf(t, cfg, store, true)
	f := driven(&cfg, 1000)
	f.Lap.Sectors = 2
	if notice, isNew := s.See(f); notice != "" || isNew {
		t.Errorf("before the first lap: %q", notice)
	}
	f.Tick, f.Lap.BestSectors[0] = 31_000, 30.0004
	if notice, isNew := s.See(f); notice != "" || isNew {
		t.Errorf("after a sector: %q", notice)
	}
	f.Tick, f.Lap.Best, f.Lap.BestSectors[1] = 91_000, 90.5004, 60.5
	if notice, isNew := s.See(f); notice != "RECORD: 1:30.500" || !isNew {
		t.Errorf("the first lap: %q, %v", notice, isNew)
	}
	if notice, isNew := s.See(f); notice == "" || isNew {
		t.Errorf("the next frame: %q, %v", notice, isNew)
	}
	f.Tick, f.Lap.Best = 180_000, 89
	if notice, _ := s.See(f); notice != "RECORD: 1:29.000, 1.500 s better than before" {
		t.Errorf("the second lap: %q", notice)
	}
	f.Tick += noticeTime
	if notice, _ := s.See(f); notice != "" {
		t.Errorf("later: %q", notice)
	}
	if err := s.End(f, shifting{}); err != nil {
		t.Fatal(err)
	}
	want := []Record{{Car: "mine", Track: "club", Lap: 89, LapDate: "2026-11-28T12:00:00Z", Sectors: []float64{30, 60.5}, Dates: []string{"2026-11-28T12:00:00Z", "2026-11-28T12:00:00Z"}}}
	if list, err := store.Records("anna"); err != nil || !reflect.DeepEqual(list, want) {
		t.Errorf("%+v, %v; want %+v", list, err, want)
	}
	if text := s.Summary().String(); text != "new record of anna with mine on club: lap 1:29.000 of 2026-11-28, sector 1 30.000, sector 2 60.500" {
		t.Errorf("summary: %q", text)
	}

	again := sessionOf(t, cfg, store, true) // is slower
	f.Lap.Best, f.Tick = 95, 1000
	if notice, _ := again.See(f); notice != "" {
		t.Errorf("a slower lap: %q", notice)
	}
	if err := again.End(f, shifting{}); err != nil {
		t.Fatal(err)
	}
	if text := again.Summary().String(); !strings.HasPrefix(text, "record of anna with mine on club: lap 1:29.000") || again.Summary().Beaten {
		t.Errorf("summary of a slower drive: %q", text)
	}
	faster := sessionOf(t, cfg, store, true)
	f.Lap.Best = 88
	if err := faster.End(f, shifting{}); err != nil { // in the last frame
		t.Fatal(err)
	}
	if text := faster.Summary().String(); !strings.Contains(text, "lap 1:28.000") || !strings.Contains(text, "; before: lap 1:29.000") {
		t.Errorf("summary of a faster drive: %q", text)
	}
}

// A driver model drives in a demo: its laps are nobody's.
func TestADriveWithoutRecordsKeepsNone(t *testing.T) {
	cfg, store := rigOf(t)
	s, f := sessionOf(t, cfg, store, false), driven(&cfg, 1000)
	f.Lap.Best = 80
	if notice, _ := s.See(f); notice != "" {
		t.Error(notice)
	}
	if err := s.End(f, shifting{}); err != nil || s.Summary().String() != "" {
		t.Error(err)
	}
	if list, _ := store.Records("anna"); len(list) != 0 {
		t.Errorf("%+v", list)
	}
}

func TestWhatKeysChangedIsKept(t *testing.T) {
	cfg, store := rigOf(t)
	cfg.Assists.ABS = 3
	for _, tt := range []struct {
		name   string
		change func(f *frame.Frame)
		gears  shifting
		want   map[string]any
	}{
		{"nothing", func(*frame.Frame) {}, shifting{}, map[string]any{}},
		{"gain", func(f *frame.Frame) { f.Gain, f.Tuned[0] = 0.85, 0.85 }, shifting{}, map[string]any{"ffb.gain": 0.85}},
		{"a preset's gain is nobody's choice", func(f *frame.Frame) { f.Gain = 0.7 }, shifting{}, map[string]any{}},
		{"no gain", func(f *frame.Frame) { f.Tuned[0] = math.NaN() }, shifting{}, map[string]any{}},
		{"motion", func(f *frame.Frame) { f.Motion.Tuning[0], f.Motion.Tuning[1], f.Motion.Tuning[11] = 0.5, 1.5, 0 }, shifting{}, map[string]any{"tuning.gain": 0.5, "tuning.surge": 1.5, "tuning.belt": 0.0}},
		{"aids", func(f *frame.Frame) { f.ABS, f.Traction, f.Stability = 4, 2, 1 }, shifting{}, map[string]any{"assists.abs": 4, "assists.traction": 2, "assists.stability": 1}},
		{"aids before the car moved", func(f *frame.Frame) { f.ABS, f.Tick = 0, 0 }, shifting{}, map[string]any{}},
		{"aids of another simulator", func(f *frame.Frame) { f.ABS, f.Follow.On = 0, 1 }, shifting{}, map[string]any{}},
		{"gears", func(*frame.Frame) {}, shifting{drive.Off, true}, map[string]any{}},
	} {
		f := driven(&cfg, 1000)
		tt.change(f)
		if got := changedKeys(&cfg, f); !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
		s := sessionOf(t, cfg, store, false)
		put(t, store.Profile("anna"), "# mine\n")
		if err := s.End(f, tt.gears); err != nil {
			t.Fatal(err)
		}
		next := cfg
		if err := Apply(&next, "anna"); err != nil {
			t.Fatalf("%s: %v", tt.name, err)
		}
		if got := changedKeys(&next, f); len(got) > 1 || len(got) == 1 && got["ffb.gain"] == nil {
			t.Errorf("%s: the next drive does not begin so: %v", tt.name, slices.Collect(maps.Keys(got)))
		}
		if gain, ok := tt.want["ffb.gain"]; ok && next.FFB.Gain != gain {
			t.Errorf("%s: the next drive begins with a gain of %g", tt.name, next.FFB.Gain)
		}
		if tt.gears.changed && next.Assists.Shifting != config.Off {
			t.Errorf("the next drive begins with automatic_shifting = %q", next.Assists.Shifting)
		}
	}
}

func TestNobodyInParticularHasNoSession(t *testing.T) {
	cfg, _ := rigOf(t)
	if s, err := NewSession(cfg, true); s != nil || err != nil {
		t.Errorf("%v, %v", s, err)
	}
}

// What cannot be written is an error at the end, and does not hold up the drive.
func TestRecordsThatCannotBeKept(t *testing.T) {
	cfg, store := rigOf(t)
	s, f := sessionOf(t, cfg, store, true), driven(&cfg, 1000)
	put(t, store.recordsPath("anna"), "no records")
	for lap := range 5 {
		f.Lap.Best = 90 - float64(lap)
		s.See(f)
	}
	if err := s.End(f, shifting{}); err == nil || !strings.Contains(err.Error(), "records of anna are not kept") {
		t.Error(err)
	}
}

// The program that prints the summary needs to know whether the profile has what was changed.
func TestTheSummaryTellsWhatIsKept(t *testing.T) {
	cfg, store := rigOf(t)
	for text, want := range map[string]bool{"": true, "x = 1\n": false} {
		s, f := sessionOf(t, cfg, store, false), driven(&cfg, 1000)
		put(t, store.Profile("anna"), text)
		f.ABS = 7
		if err := s.End(f, shifting{}); (err == nil) != want || s.Summary().Kept != want {
			t.Errorf("%q: %v, kept %v", text, err, s.Summary().Kept)
		}
	}
}
