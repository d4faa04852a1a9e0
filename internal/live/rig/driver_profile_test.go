package rig

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"

	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/core/guard"
	"rig.example/rig/internal/files/config"
	"rig.example/rig/internal/files/drivers"
)

// A beaten record is logged once and shown, but not in place of what is wrong. At the end it is kept, and so is what keys
// have changed.
func TestARecordIsShownLoggedAndKept(t *testing.T) {
	cfg := config.Default()
	cfg.Profiles = t.TempDir()
	store, err := drivers.StoreOf(cfg)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := store.New("anna", cfg); err != nil {
		t.Fatal(err)
	}
	if err := drivers.Apply(&cfg, "anna"); err != nil {
		t.Fatal(err)
	}
	session, err := drivers.NewSession(cfg, true)
	if err != nil {
		t.Fatal(err)
	}
	r := withPage(t, demoOf(t, cfg))
	said := &bytes.Buffer{}
	log := slog.New(slog.NewTextHandler(said, nil))
	s := &supervisor{rig: r, devices: &deviceSet{}, log: log, driver: session}
	show := func(f frame.Frame, want string) {
		t.Helper()
		r.page.Publish(&f)
		s.check(t.Context())
		if got := r.page.Notice(); !strings.HasPrefix(got, want) || want == "" && got != "" {
			t.Errorf("the notice is %q, want %q", got, want)
		}
	}
	f := frame.Frame{Tick: 1000}
	show(f, "")
	f.Tick, f.Lap.Best = 91_000, 90
	show(f, "RECORD: 1:30.000")
	show(f, "RECORD: 1:30.000")
	stopped := f
	stopped.State = uint64(guard.Stopped)
	show(stopped, "STOPPED")
	if n := strings.Count(said.String(), "RECORD: 1:30.000"); n != 1 {
		t.Errorf("it is logged %d times:\n%s", n, said)
	}
	if err := r.Tick(); err != nil {
		t.Fatal(err)
	}
	r.out.Frame.Lap.Best, r.out.Frame.Tick = 89.5, 92_000
	r.out.Frame.ABS = 6
	sum := r.endDriver(Options{Driver: session, Log: log})
	if sum == nil || !sum.Beaten || sum.Record.Lap != 89.5 {
		t.Errorf("the summary tells %+v", sum)
	}
	if list, err := store.Records("anna"); err != nil || len(list) != 1 || list[0].Lap != 89.5 || list[0].Car != "coupe" || list[0].Track != "club" {
		t.Errorf("kept: %+v, %v", list, err)
	}
	if text, err := store.Text("anna"); err != nil || !strings.HasSuffix(string(text), "\n[assists]\nabs = 6\n") || strings.Contains(string(text), "gain") {
		t.Errorf("the profile is %s, %v", text, err)
	}
	if sum := r.endDriver(Options{}); sum != nil {
		t.Errorf("nobody in particular: %+v", sum)
	}
}

// The lines of the table [tuning] are printed, unless a driver's profile has them.
func TestTheTuningIsPrintedUnlessItIsKept(t *testing.T) {
	for _, tt := range []struct {
		driver *drivers.Summary
		want   bool
	}{{nil, true}, {&drivers.Summary{Name: "anna"}, true}, {&drivers.Summary{Name: "anna", Kept: true}, false}} {
		var out strings.Builder
		Summary{Tuning: []string{"[tuning]", "surge = 0.5"}, Driver: tt.driver}.Print(&out)
		if got := strings.Contains(out.String(), "surge = 0.5"); got != tt.want {
			t.Errorf("%+v: printed %v\n%s", tt.driver, got, out.String())
		}
	}
}
