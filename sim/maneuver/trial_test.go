package maneuver

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/sim"
	"rig.example/rig/sim/road"
	"rig.example/rig/sim/tire"
)

func newTest(t testing.TB, o Options) *trial {
	t.Helper()
	o, err := o.settled()
	if err != nil {
		t.Fatal(err)
	}
	tr, err := newTrial(sim.DefaultCar(), road.Asphalt(), o)
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

func TestRollingInEndsInBalance(t *testing.T) {
	tr := newTest(t, Options{})
	tr.roll(25, 0)
	s := &tr.s
	near(t, "place", s.Pos.X, 0, 0.1)
	near(t, "speed", s.Vel.X, 25, 1e-3)
	near(t, "acceleration", s.Acc.X, 0, 1e-3)
	near(t, "climbing", s.Vel.Z, 0, 1e-4)
	if s.Pos.Y != 0 || s.Vel.Y != 0 {
		t.Errorf("drifted sideways: %g m, %g m/s", s.Pos.Y, s.Vel.Y)
	}
}

func TestAnIdealControllerHolds(t *testing.T) {
	t.Run("the speed, in a bend", func(t *testing.T) {
		tr := newTest(t, Options{})
		tr.roll(20, 0)
		tr.until(4, func(float64) {
			tr.in.Steer = tr.wheel(0.03)
			tr.hold(20, 0)
			near(t, "speed", motionOf(&tr.s).vx, 20, 0.02)
		})
	})
	t.Run("a growing speed", func(t *testing.T) {
		tr := newTest(t, Options{})
		tr.roll(20, 0)
		tr.until(3, func(now float64) { tr.hold(20+2*now, 2) })
		near(t, "speed", tr.s.Speed, 26, 0.01)
	})
	t.Run("the deceleration", func(t *testing.T) {
		tr := newTest(t, Options{})
		tr.roll(30, 0)
		tr.until(3, func(float64) { tr.holdAx(-3) })
		near(t, "speed", tr.s.Speed, 21, 0.05)
	})
}

func TestTheSteeringTableKnowsTheCar(t *testing.T) {
	tr := newTest(t, Options{})
	near(t, "road wheel angle at the lock", tr.mostRoad()/degree, 36, 1.5)
	for _, road := range []float64{0, 1e-4, 0.02, -0.02, 0.3, 0.6} {
		tr.rest(0, 0, 0)
		tr.car.Step(&tr.s, sim.Input{Steer: tr.wheel(road)})
		near(t, "mean road wheel angle", (tr.s.Wheels[tire.FL].Steer+tr.s.Wheels[tire.FR].Steer)/2, road, 1e-5)
	}
	if tr.wheel(0.1) != -tr.wheel(-0.1) {
		t.Error("left and right differ")
	}
	near(t, "small angle by the ratio", tr.wheel(0.01), 0.145, 1e-5)
	near(t, "beyond the lock", tr.wheel(3), tr.lock, 1e-12)
}

func TestGrounds(t *testing.T) {
	both := bumpRoad{road.Asphalt(), 5, 0.4, 0.05, false}
	left := both
	left.leftOnly = true
	for _, tt := range []struct {
		name  string
		g     road.Ground
		p     r3.Vec
		depth float64
		n     r3.Vec
	}{
		{"before the bump", both, r3.Vec{X: 4.9, Z: 0.3}, -0.3, r3.Vec{Z: 1}},
		{"behind it", both, r3.Vec{X: 5.5, Z: 0.3}, -0.3, r3.Vec{Z: 1}},
		{"on its top", both, r3.Vec{X: 5.2, Y: -1, Z: 0.3}, -0.25, r3.Vec{Z: 1}},
		{"on its steepest, half way up", both, r3.Vec{X: 5.1, Z: 0.025}, 0, r3.Vec{X: -0.365525, Z: 0.930802}},
		{"left half, on the left", left, r3.Vec{X: 5.2, Y: 1, Z: 0}, 0.05, r3.Vec{Z: 1}},
		{"left half, on the right", left, r3.Vec{X: 5.2, Y: -1, Z: 0}, 0, r3.Vec{Z: 1}},
		{"30° hill, on it", newHill(math.Pi / 6), r3.Vec{X: math.Sqrt(3), Z: 1}, 0, r3.Vec{X: -0.5, Z: 0.8660254}},
		{"30° hill, above it", newHill(math.Pi / 6), r3.Vec{Z: 2}, -1.7320508, r3.Vec{X: -0.5, Z: 0.8660254}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := tt.g.Touch(tt.p)
			near(t, "depth", c.Depth, tt.depth, 1e-6)
			near(t, "normal", r3.Norm(r3.Sub(c.Normal, tt.n)), 0, 1e-6)
			near(t, "way to the point", r3.Norm(r3.Sub(r3.Sub(c.Point, tt.p), r3.Scale(c.Depth, c.Normal))), 0, 1e-12)
			if c.Surface != road.Asphalt().Surface {
				t.Error("another surface")
			}
		})
	}
}
