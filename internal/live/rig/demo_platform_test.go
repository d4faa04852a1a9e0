package rig

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"rig.example/rig/devices/motion"
	"rig.example/rig/internal/core/guard"
	"rig.example/rig/internal/files/config"
	"rig.example/rig/test/level"
)

// The demo's platform lives in the time of the drive: its thread, which gets to run once in seconds of the loop's ticks,
// finds no fault, no silence and no restart, and parks at the end.
func TestADemosPlatformLivesInTheTimeOfTheDrive(t *testing.T) {
	level.SkipIfQuick(t)
	synctest.Test(t, func(t *testing.T) {
		var said bytes.Buffer
		cfg := config.Default()
		cfg.Track = "skidpad"
		r, d, end := supervisedOn(t, Options{Config: cfg, Demo: true, Log: slog.New(slog.NewTextHandler(&said, nil))}, func(*Rig) {}, nil)
		if _, ok := d.platform.(*motion.Demo); !ok || d.controller != nil {
			t.Fatalf("the platform is a %T", d.platform)
		}
		for tick := range 30_000 {
			if err := r.Tick(); err != nil {
				t.Fatal(err)
			}
			if tick%3000 == 0 { // the bubble's time, which the thread has, stands still in between
				time.Sleep(10 * time.Millisecond)
			}
		}
		time.Sleep(10 * time.Millisecond)
		if r.drive.State.Guard.State() != guard.Driving || d.platform.Status().State != motion.Active {
			t.Errorf("%v, platform %v", r.drive.State.Guard.State(), d.platform.Status().State)
		}
		if _, err := leaves(r, end); err != nil || platformOf(r) != motion.Parked {
			t.Errorf("%v, platform %v", err, platformOf(r))
		}
		if text := said.String(); strings.Contains(text, "level=WARN") || strings.Contains(text, "level=ERROR") {
			t.Errorf("said %s", text)
		}
	})
}

// Who asks for it gets a pseudo-terminal.
func TestADemosControllerIsAtTheOtherEndOfAPty(t *testing.T) {
	cfg := config.Default()
	cfg.Track, cfg.Motion.Port = "skidpad", "pty"
	_, d, err := build(Options{Config: cfg, Demo: true, Log: slog.New(slog.DiscardHandler)}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := d.platform.(*motion.Platform); !ok || d.controller == nil || !strings.HasPrefix(d.motion.Port, "/dev/pts/") {
		t.Errorf("the platform is a %T on %s", d.platform, d.motion.Port)
	}
	if err := d.close(); err != nil {
		t.Error(err)
	}
}
