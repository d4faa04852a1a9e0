package watch

import (
	"strings"
	"testing"

	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/core/guard"
)

func TestLineAndScriptTellOfTheLap(t *testing.T) {
	f := &frame.Frame{Flags: frame.LapInvalid | frame.OffTrack | frame.InPit}
	f.Lap = frame.Lap{Number: 3, Count: 2, Time: 61.27, Best: 83.456, Delta: -0.125, Sectors: 3, Sector: 1, Splits: [8]float64{30.5}}
	if got := lapText(f); got != "lap 3 1:01.3! -0.12  best 1:23.456  OFF TRACK  PIT LANE  " {
		t.Errorf("%q", got)
	}
	got := string(Status(f, nil))
	const want = `"lap":{"number":3,"count":2,"time_s":61.27,"last_s":null,"best_s":83.456,"delta_s":-0.125,"sectors_s":[30.5],"valid":false,"off_track":true,"wrong_way":false,"in_pit":true},`
	if !strings.Contains(got, want) {
		t.Errorf("%s, want %s", got, want)
	}
	if got := lapText(&frame.Frame{}); got != "" {
		t.Errorf("%q before the first lap", got)
	}
}

func TestALineSaysHowFarADriveWithLapsIs(t *testing.T) {
	laps := Laps{Limit: 2, Length: 4000}
	f := &frame.Frame{Speed: 36.7, RimTorque: 1.234}
	f.Pose[frame.Roll] = -0.02
	if got := laps.Line(f); got != "before the start line, parked" {
		t.Errorf("%q", got)
	}
	f.State = uint64(guard.Driving)
	f.Lap = frame.Lap{Number: 1, Time: 47.26, Distance: 1360}
	if got := laps.Line(f); got != "lap 1 of 2, 34 %, 0:47.3, 132 km/h, rim 1.23 N·m left, platform roll -1.1°" {
		t.Errorf("%q", got)
	}
	for distance, want := range map[float64]string{-5: "[                    ] 0 %", 3000: "[███████████████     ] 75 %", 4001: "[████████████████████] 100 %"} {
		if f.Lap.Distance = distance; laps.bar(f) != want {
			t.Errorf("%g m: %q", distance, laps.bar(f))
		}
	}
}
