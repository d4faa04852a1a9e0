package driver

import (
	"fmt"
	"math"
	"testing"

	"rig.example/rig/road"
	"rig.example/rig/sim"
	"rig.example/rig/sim/assist"
	"rig.example/rig/sim/driveline"
	"rig.example/rig/sim/trial"
	"rig.example/rig/test/near"
)

// started is a run of a car on level asphalt, in steps of dt [s].
func started(t testing.TB, p sim.Params, dt float64) *trial.Run {
	t.Helper()
	tr, err := trial.New(p, road.Asphalt(), dt, 100, assist.Switches{})
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

func TestShiftSpeedIsWhereTheNextGearPullsMore(t *testing.T) {
	falling := GearPull{Speed: []float64{5, 10, 15, 20}, Ax: []float64{6, 6, 4, 0}}
	for _, tt := range []struct {
		name string
		next GearPull
		want float64
	}{
		{"between two measured speeds", GearPull{Speed: []float64{8, 25}, Ax: []float64{3, 3}}, 16.25},
		{"not before its revs end", GearPull{Speed: []float64{8, 25}, Ax: []float64{0, 0}}, 19.7},
		{"where the next is not known", GearPull{Speed: []float64{30, 40}, Ax: []float64{9, 9}}, 19.7},
		{"at once", GearPull{Speed: []float64{2, 40}, Ax: []float64{9, 9}}, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			near.Value(t, "speed", falling.shiftSpeed(&tt.next), tt.want, 1e-9)
		})
	}
}

// An engine with a flat torque up to where it ends is shifted there, for a lower gear
// always pulls more.
func TestDriverUsesAllRevsWithFlatTorque(t *testing.T) {
	p := sim.DefaultCar()
	p.Driveline.TorqueCurve = []driveline.TorquePoint{{RPM: 1000, Torque: 200}, {RPM: 6900, Torque: 200}, {RPM: 7000, Torque: 0}}
	pulls := MeasureGears(started(t, p, 2e-3))
	for i, k := range pulls[:len(pulls)-2] {
		rpm := k.ShiftSpeed * k.EngineOverSpeed * 30 / math.Pi
		if rpm < 6700 || rpm > 7000 {
			t.Errorf("gear %d is left at %.0f 1/min", i+1, rpm)
		}
	}
	if last := pulls[len(pulls)-1]; !math.IsInf(last.ShiftSpeed, 1) {
		t.Errorf("the last gear is left at %g m/s", last.ShiftSpeed)
	}
}

func TestLaneKeeperReturnsToTheLine(t *testing.T) {
	for _, speed := range []float64{5, 15, 40} {
		tr := started(t, sim.DefaultCar(), 2e-3)
		tr.PlaceRolling(speed, 0)
		tr.State.Pos.Y = 1
		var h LaneKeeper
		tr.RunUntil(12, func(float64) {
			tr.Input.Steer = h.Steer(tr)
			tr.HoldSpeed(speed, 0)
		})
		near.Value(t, fmt.Sprintf("place across at %g m/s", speed), tr.State.Pos.Y, 0, 0.02)
		near.Value(t, "heading", tr.State.Yaw(), 0, 2e-3)
	}
}

func TestPedalSpeedIsLimited(t *testing.T) {
	near.Value(t, "down", MovePedal(0.2, 1, 0.01), 0.3, 1e-12)
	near.Value(t, "up", MovePedal(0.2, 0, 0.01), 0.1, 1e-12)
	near.Value(t, "there", MovePedal(0.2, 0.25, 0.01), 0.25, 1e-12)
}

func TestCruiseControlReachesItsSpeed(t *testing.T) {
	tr := started(t, sim.DefaultCar(), 2e-3)
	tr.PlaceRolling(25, 5)
	c := CruiseControl{}
	tr.RunUntil(40, func(float64) { tr.Input.Throttle = c.Throttle(tr, 25) })
	near.Value(t, "speed", tr.State.Speed, 25, 1e-3)
}

func TestShiftNeedsSpeedOrRevsWithoutWheelSpin(t *testing.T) {
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
			tr := started(t, sim.DefaultCar(), sim.Dt)
			tr.State.Driveline.Gear, tr.State.Speed, tr.State.Driveline.EngineSpeed, tr.State.Driveline.Gearbox.InputSpeed = tt.engaged, tt.speed, tt.engine, tt.shaft
			d := StraightLine{Run: tr, Gears: []GearPull{{maxEngine: 600, ShiftSpeed: 50}, {maxEngine: 600, ShiftSpeed: 90}}, Lever: 1}
			if d.ChooseGear(); d.Lever != tt.lever {
				t.Errorf("lever in %d, want %d", d.Lever, tt.lever)
			}
		})
	}
}
