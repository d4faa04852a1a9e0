package drive

import (
	"math"
	"strings"
	"testing"

	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/core/guard"
)

const testSpeed = 20 // [m/s]

// The car keeps its speed until the drive engages, and then rolls on without a jolt while the torque is still faded out.
func TestACarStartsRolling(t *testing.T) {
	r := seated(t, nil)
	must(t, r.StartRolling(testSpeed))
	r.in.Operator.Start = false
	start := r.State.Car
	r.run(1000)
	if r.State.Guard.State().Moves() || r.State.Car != start {
		t.Fatalf("before the drive it moved, in state %v", r.State.Guard.State())
	}
	r.in.Operator.Start = true
	for r.run(1); r.State.Guard.State() != guard.Engaging; r.run(1) {
		if r.State.Car != start || r.out.Torque != 0 {
			t.Fatalf("in state %v it moves, with %g N·m at the rim", r.State.Guard.State(), r.out.Torque)
		}
	}
	for tick := range 500 {
		r.run(1)
		c := &r.State.Car
		if math.Abs(c.SpecificForce.X) > 2 || math.Abs(c.SpecificForce.Z-9.81) > 2 {
			t.Fatalf("tick %d: it is thrown: specific force %.2f m/s²", tick, c.SpecificForce)
		}
		if faded := float64(tick+2) * r.Setup.Dt / r.Setup.Guard.Engage * r.Setup.Guard.MaxTorque; math.Abs(r.out.Torque) > faded {
			t.Fatalf("tick %d: %.3f N·m, must be below %.3f while it fades in", tick, r.out.Torque, faded)
		}
	}
	c := &r.State.Car
	rpm := c.RPM()
	if math.Abs(c.Speed-testSpeed) > 0.6 || !c.Driveline.Engine.Running || rpm < 1500 || c.Driveline.Gear < 2 {
		t.Errorf("after half a second: %.2f m/s, gear %d, %.0f/min", c.Speed, c.Driveline.Gear, rpm)
	}
}

// In each mode of clutch and shifting the car stays in gear.
func TestARollingCarStaysInGear(t *testing.T) {
	for _, shifting := range []Mode{Auto, On, Off} {
		for _, clutch := range []Mode{Auto, On, Off} {
			r := seated(t, func(s *Setup) { s.Assists.Shifting, s.Assists.Clutch = shifting, clutch })
			must(t, r.StartRolling(testSpeed))
			gear := r.State.Car.Driveline.Gear
			if r.run(r.ticks(3)); r.State.Car.Driveline.Gear != gear || math.Abs(r.State.Car.Speed) < testSpeed/2 {
				t.Errorf("shifting %v, clutch %v: gear %d after %d, %.1f m/s", shifting, clutch, r.State.Car.Driveline.Gear, gear, r.State.Car.Speed)
			}
		}
	}
}

// ticks returns the number of ticks in a time [s].
func (r *tester) ticks(seconds float64) int { return int(seconds / r.Setup.Dt) }

func TestACarThatIsPutBackStands(t *testing.T) {
	r := seated(t, nil)
	must(t, r.StartRolling(testSpeed))
	r.run(r.ticks(2))
	r.in.Buttons.Pressed = frame.KeyReset
	if r.run(1); math.Abs(r.State.Car.Speed) > 0.1 {
		t.Errorf("put back at %.2f m/s", r.State.Car.Speed)
	}
}

// A place on the grid is one from rest, and leaves the lever as it is without a speed.
func TestOnTheGridTheCarStands(t *testing.T) {
	rolling, standing := seated(t, nil), seated(t, nil)
	must(t, rolling.StartRolling(testSpeed))
	for _, r := range []*tester{rolling, standing} {
		must(t, r.StartOnGrid(Grid{8, 2}))
	}
	if list := Differences(&rolling.State, &standing.State, 3); len(list) > 0 {
		t.Errorf("%+v", list)
	}
}

func TestAStartSpeedBeyondTheEnginesIsRefused(t *testing.T) {
	r := seated(t, nil)
	if err := r.StartRolling(200); err == nil || strings.Contains(err.Error(), "\n") || !strings.Contains(err.Error(), "at most") {
		t.Errorf("%v", err)
	}
}
