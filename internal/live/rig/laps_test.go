package rig

import (
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"rig.example/rig/internal/core/drive"
	"rig.example/rig/internal/core/guard"
	"rig.example/rig/internal/files/config"
	"rig.example/rig/internal/live/operator"
	"rig.example/rig/road/lap"
	"rig.example/rig/test/level"
)

func TestSummaryTellsOfTheLatestLaps(t *testing.T) {
	r := demo(t)
	if list := r.laps(); list == nil || len(list) != 0 {
		t.Errorf("%v before the first lap", list)
	}
	l := &r.drive.State.Laps
	l.Clock.Count = drive.StoredLaps + 3
	for n := range l.Clock.Count {
		l.Done[n%drive.StoredLaps] = lap.Lap{Number: n + 1, Time: 90, Valid: true}
	}
	list := r.laps()
	if len(list) != drive.StoredLaps || list[0].Number != 4 || list[drive.StoredLaps-1].Number != drive.StoredLaps+3 || len(list[0].Sectors) != r.drive.Timing().Sectors() {
		t.Fatalf("%d laps, from %+v on", len(list), list[0])
	}
}

func TestLapsArePrinted(t *testing.T) {
	best := 83.4567
	var b strings.Builder
	printLaps(&b, []LapTime{
		{Number: 1, Time: 90.5, Sectors: []float64{30.25, 60.25}, Off: 1.26, Cuts: 1, Pit: 4},
		{Number: 2, Time: best, Sectors: []float64{30, 53.4567}, Valid: true},
	}, &best)
	const want = "lap 1   1:30.500   30.250  60.250  invalid, 1.3 s off the track, cuts: 1  4.0 s in the pit lane\n" +
		"lap 2   1:23.457   30.000  53.457\nbest lap 1:23.457\n"
	if b.String() != want {
		t.Errorf("%q, want %q", b.String(), want)
	}
}

// A demo with a number of laps begins on the grid and ends parked after them.
func TestADriveEndsAfterItsLaps(t *testing.T) {
	level.SkipIfQuick(t)
	synctest.Test(t, func(t *testing.T) {
		cfg := config.Default()
		cfg.Track = "skidpad"
		r, _, end := supervised(t, Options{Config: cfg, Demo: true, Laps: 1}, func(*Rig) {})
		if start := r.drive.Setup.Circuit.Length() - 8; r.drive.State.Station != start || r.drive.Setup.WaitTimeout < 300 {
			t.Errorf("begins at %g m, waits %g s", r.drive.State.Station, r.drive.Setup.WaitTimeout)
		}
		_, err := toItsEnd(t, r, end)
		sum := r.summary()
		if err != nil || sum.LapCount != 1 || sum.ExitState != guard.Parked.String() || sum.Distance > 1.1*r.drive.Setup.Circuit.Length() {
			t.Errorf("%v: %d laps, %g m, ended %s", err, sum.LapCount, sum.Distance, sum.ExitState)
		}
		if sum.TopSpeed < 10 || sum.TopSpeed > 50 {
			t.Errorf("top speed %g m/s", sum.TopSpeed)
		}
	})
}

// A lap that does not end is given up, whether the car stands or moves.
func TestADriveWhoseLapDoesNotEndGivesUp(t *testing.T) {
	level.SkipIfQuick(t)
	for _, tt := range []struct {
		name string
		edit func(*Rig)
		want string
	}{
		{"stopped", func(r *Rig) { r.orders.Give(operator.EmergencyStop, guard.ByCommand) }, "the drive waited for the operator to confirm after an emergency stop"},
		{"on its way", func(*Rig) {}, "the drive waited for the car, which is still on its way"},
		{"paused", func(r *Rig) { r.orders.Give(operator.Pause, guard.ByCommand) }, "the drive waited for "},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				cfg := config.Default()
				cfg.Track = "skidpad"
				r, _, end := supervised(t, Options{Config: cfg, Demo: true, Laps: 1}, func(r *Rig) { r.drive.Setup.WaitTimeout = 15; tt.edit(r) })
				took, err := toItsEnd(t, r, end)
				if err == nil || !strings.Contains(err.Error(), "gave up because lap 1 did not end within 15 s: "+tt.want) || took > 40*time.Second {
					t.Errorf("%v after %v, want %q", err, took, tt.want)
				}
			})
		})
	}
}

// A person may take any time for a lap; where there is no road there are no laps.
func TestLapsOfAPerson(t *testing.T) {
	cfg := config.Default()
	r := undriven(t, cfg)
	if err := r.limitLaps(&Options{Laps: 3, Log: slog.New(slog.DiscardHandler)}); err != nil || r.drive.Setup.LapLimit != 3 || r.drive.Setup.WaitTimeout != 0 || r.drive.Setup.Grid.Behind != 8 {
		t.Errorf("%v, %+v, waits %g s", err, r.drive.Setup.Grid, r.drive.Setup.WaitTimeout)
	}
	pad := *r.drive.Setup.Circuit
	pad.Roadless = true
	r = undriven(t, cfg)
	r.drive.Setup.Circuit = &pad
	if err := r.limitLaps(&Options{Laps: 1}); err == nil || !strings.Contains(err.Error(), "leave --laps out") {
		t.Errorf("without a road: %v", err)
	}
}

func TestThePunctualityInTheSummary(t *testing.T) {
	s := Summary{Timing: Timing{Missed: 3, Dropped: 1, Lateness: Quantiles{Max: 2345}}, LoopTicks: 1_141_202, TopSpeed: 50, Distance: 100, ExitState: "parked"}
	var b strings.Builder
	s.Print(&b)
	const want = "drove 100.0 m on 0.000 L, top speed 180.0 km/h, ended parked\nrim torque up to 0.00 N·m, platform roll up to 0.00°\n1 141 200 of 1 141 203 ticks on time (100.0 %), the latest 2.3 ms late\n"
	if b.String() != want {
		t.Errorf("%q, want %q", b.String(), want)
	}
}
