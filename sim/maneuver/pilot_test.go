package maneuver

import (
	"fmt"
	"math"
	"testing"

	"rig.example/rig/sim"
	"rig.example/rig/sim/road"
	"rig.example/rig/sim/trial"
)

func TestAGateIsPassedWithinATick(t *testing.T) {
	for _, tt := range []struct {
		name          string
		before, after float64
		want          float64 // [s], of a tick from 2.0 to 2.1
	}{
		{"not reached", 5, 9.99, math.NaN()},
		{"a quarter of the tick", 9, 13, 2.025},
		{"at its end", 9, 10, 2.1},
		{"before it", 11, 12, 2.0},
		{"standing on it", 10, 10, 2.1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			g := trial.NewGate(10)
			passed := g.Watch(2.1, 0.1, tt.before, tt.after)
			if passed == math.IsNaN(tt.want) || passed && math.Abs(g.At-tt.want) > 1e-12 {
				t.Errorf("passed %v at %g", passed, g.At)
			}
			if was := g.At; passed && (!g.Watch(3, 0.1, 20, 21) || g.At != was) {
				t.Error("passed again")
			}
		})
	}
}

func TestAGearIsLeftWhereTheNextPullsMore(t *testing.T) {
	falling := pull{speed: []float64{5, 10, 15, 20}, ax: []float64{6, 6, 4, 0}}
	for _, tt := range []struct {
		name string
		next pull
		want float64
	}{
		{"between two measured speeds", pull{speed: []float64{8, 25}, ax: []float64{3, 3}}, 16.25},
		{"not before its revs end", pull{speed: []float64{8, 25}, ax: []float64{0, 0}}, 19.7},
		{"where the next is not known", pull{speed: []float64{30, 40}, ax: []float64{9, 9}}, 19.7},
		{"at once", pull{speed: []float64{2, 40}, ax: []float64{9, 9}}, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			near(t, "speed", falling.meets(&tt.next), tt.want, 1e-9)
		})
	}
}

// An engine with a flat torque up to where it ends is shifted there, for a lower gear
// always pulls more.
func TestTheDriverRevsAnEngineOfFlatTorqueOut(t *testing.T) {
	p := sim.DefaultCar()
	p.Driveline.Torque = []sim.TorquePoint{{RPM: 1000, Torque: 200}, {RPM: 6900, Torque: 200}, {RPM: 7000, Torque: 0}}
	o, err := Options{Dt: 2e-3}.settled()
	if err != nil {
		t.Fatal(err)
	}
	tr, err := newRun(p, road.Asphalt(), o)
	if err != nil {
		t.Fatal(err)
	}
	pulls := pullAll(&tr.Run)
	for i, k := range pulls[:len(pulls)-2] {
		rpm := k.until * k.revs * 30 / math.Pi
		if rpm < 6700 || rpm > 7000 {
			t.Errorf("gear %d is left at %.0f 1/min", i+1, rpm)
		}
	}
	if last := pulls[len(pulls)-1]; !math.IsInf(last.until, 1) {
		t.Errorf("the last gear is left at %g m/s", last.until)
	}
}

func TestTheHelmBringsTheCarBackToItsLine(t *testing.T) {
	for _, speed := range []float64{5, 15, 40} {
		tr := newTest(t, Options{Dt: 2e-3})
		tr.Roll(speed, 0)
		tr.State.Pos.Y = 1
		var h helm
		tr.Until(12, func(float64) {
			tr.Input.Steer = h.steer(&tr.Run)
			tr.HoldSpeed(speed, 0)
		})
		near(t, fmt.Sprintf("place across at %g m/s", speed), tr.State.Pos.Y, 0, 0.02)
		near(t, "heading", tr.State.Yaw(), 0, 2e-3)
	}
}

func TestAFootIsQuickButNoJump(t *testing.T) {
	near(t, "down", foot(0.2, 1, 0.01), 0.3, 1e-12)
	near(t, "up", foot(0.2, 0, 0.01), 0.1, 1e-12)
	near(t, "there", foot(0.2, 0.25, 0.01), 0.25, 1e-12)
}

func TestTheCruiserFindsItsSpeed(t *testing.T) {
	tr := newTest(t, Options{Dt: 2e-3})
	tr.Roll(25, 5)
	c := cruise{}
	tr.Until(40, func(float64) { tr.Input.Throttle = c.throttle(&tr.Run, 25) })
	near(t, "speed", tr.State.Speed, 25, 1e-3)
}

func TestAShiftNeedsSpeedOrRevsThatAreTheWheels(t *testing.T) {
	for _, tt := range []struct {
		name                 string
		engaged              int8
		speed, engine, shaft float64
		lever                int8
	}{
		{"too slow", 1, 45, 500, 500, 1},
		{"fast enough", 1, 50, 500, 500, 2},
		{"at the end of the revs", 1, 45, 595, 594, 2},
		{"at it with an open clutch", 1, 45, 595, 450, 1},
		{"at it with wheels that spin", 1, 30, 595, 594, 1},
		{"between gears", 0, 60, 500, 500, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tr := newTest(t, Options{})
			tr.State.Driveline.Gear, tr.State.Speed, tr.State.Driveline.Engine, tr.State.Driveline.Box.Shaft = tt.engaged, tt.speed, tt.engine, tt.shaft
			d := pilot{t: &tr.Run, pulls: []pull{{top: 600, until: 50}, {top: 600, until: 90}}, lever: 1}
			if d.shift(); d.lever != tt.lever {
				t.Errorf("lever in %d, want %d", d.lever, tt.lever)
			}
		})
	}
}
