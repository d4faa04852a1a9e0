package maneuver

import (
	"math"
	"strings"
	"testing"

	"rig.example/rig/road"
	"rig.example/rig/sim"
	"rig.example/rig/sim/assist"
	"rig.example/rig/test/level"
)

// Help is on from the first tick of every run, and wherever an input is made anew.
func TestAssistsAreInEveryInput(t *testing.T) {
	assists := assist.Switches{ABS: 3, Stability: 7, PitLimiter: true}
	o, err := Options{Assists: assists}.withDefaults()
	if err != nil {
		t.Fatal(err)
	}
	tr, err := newRun(sim.DefaultCar(), road.Asphalt(), o)
	if err != nil {
		t.Fatal(err)
	}
	tr.PlaceAtRest(0, 0, 0)
	if tr.Input.Assists != assists {
		t.Errorf("at rest %+v", tr.Input.Assists)
	}
	tr.PlaceRolling(20, 3)
	if tr.Input.Assists != assists || tr.Input.Gear != 3 {
		t.Errorf("rolling %+v", tr.Input)
	}
	tr.SetInput(sim.Input{Brake: 1})
	if tr.Input.Assists != assists || tr.Input.Brake != 1 {
		t.Errorf("pressed %+v", tr.Input)
	}
	back := tr.AssistsOff()
	if tr.PlaceAtRest(0, 0, 0); tr.Input.Assists != (assist.Switches{}) {
		t.Errorf("unaided %+v", tr.Input.Assists)
	}
	if back(); tr.Assists != assists {
		t.Errorf("afterwards %+v", tr.Assists)
	}
}

func TestAssistLevelsHaveARange(t *testing.T) {
	const want = "maneuver: drop: assists: stability = 11: must be 0 to 10"
	_, err := Do("drop", sim.DefaultCar(), Options{Assists: assist.Switches{Stability: 11}})
	if err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}

// A manoeuvre that switches an assist itself is not changed by the same one.
func TestManeuverOverridesTheUsersAssists(t *testing.T) {
	get := func(r *Result, name string) float64 {
		for _, m := range r.Metrics {
			if m.Name == name {
				return m.Value.(float64)
			}
		}
		return math.NaN()
	}
	run := func(name string, assists assist.Switches) *Result {
		r, err := Do(name, sim.DefaultCar(), Options{Dt: milliseconds(4, 2), Assists: assists})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	t.Parallel()
	usual, withAssists := run("launch", assist.Switches{}), run("launch", assist.Switches{Traction: 5, Launch: true, AutoClutch: true, AutoShift: true})
	for _, name := range []string{"t_0_100_s", "t_0_100_off_s", "max_slip_off"} {
		if a, b := get(usual, name), get(withAssists, name); a != b {
			t.Errorf("launch: %s = %g, with help %g", name, a, b)
		}
	}
	level.SkipIfQuick(t)
	usual, withAssists = run("brake", assist.Switches{}), run("brake", assist.Switches{ABS: 5})
	for _, name := range []string{"brake_100_0_m", "brake_100_0_no_abs_m", "brake_100_0_threshold_m", "peak_mu"} {
		if a, b := get(usual, name), get(withAssists, name); a != b {
			t.Errorf("brake: %s = %g, with ABS asked for %g", name, a, b)
		}
	}
}

func TestTheSineWithDwellSaysThatStabilityControlIsOff(t *testing.T) {
	level.SkipIfQuick(t)
	t.Parallel()
	for level, want := range map[uint8]bool{0: true, 5: false} {
		r, err := Do("sine-dwell", sim.DefaultCar(), Options{Dt: milliseconds(4, 2), Assists: assist.Switches{Stability: level}})
		if err != nil {
			t.Fatal(err)
		}
		if notes := strings.Join(r.Notes, "; "); strings.Contains(notes, "stability control is off") != want {
			t.Errorf("level %d: %s", level, notes)
		}
	}
}
