package trial

import (
	"testing"

	"rig.example/rig/road"
	"rig.example/rig/sim"
	"rig.example/rig/sim/assist"
	"rig.example/rig/sim/tire"
	"rig.example/rig/test/near"
)

// started is a run of the default car on level asphalt.
func started(t testing.TB, rate, dt float64) *Run {
	t.Helper()
	tr, err := New(sim.DefaultCar(), road.Asphalt(), dt, rate, assist.Switches{})
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

func TestPlaceRollingEndsInSteadyState(t *testing.T) {
	tr := started(t, 100, sim.Dt)
	tr.PlaceRolling(25, 0)
	s := &tr.State
	near.Value(t, "place", s.Pos.X, 0, 0.1)
	near.Value(t, "speed", s.Vel.X, 25, 1e-3)
	near.Value(t, "acceleration", s.Acc.X, 0, 1e-3)
	near.Value(t, "climbing", s.Vel.Z, 0, 1e-4)
	if s.Pos.Y != 0 || s.Vel.Y != 0 {
		t.Errorf("drifted sideways: %g m, %g m/s", s.Pos.Y, s.Vel.Y)
	}
}

func TestHoldSpeedAndHoldAx(t *testing.T) {
	t.Run("the speed, in a bend", func(t *testing.T) {
		tr := started(t, 100, sim.Dt)
		tr.PlaceRolling(20, 0)
		tr.RunUntil(4, func(float64) {
			tr.Input.Steer = tr.SteeringWheelFor(0.03)
			tr.HoldSpeed(20, 0)
			near.Value(t, "speed", MotionOf(&tr.State).Vx, 20, 0.02)
		})
	})
	t.Run("a growing speed", func(t *testing.T) {
		tr := started(t, 100, sim.Dt)
		tr.PlaceRolling(20, 0)
		tr.RunUntil(3, func(now float64) { tr.HoldSpeed(20+2*now, 2) })
		near.Value(t, "speed", tr.State.Speed, 26, 0.01)
	})
	t.Run("the deceleration", func(t *testing.T) {
		tr := started(t, 100, sim.Dt)
		tr.PlaceRolling(30, 0)
		tr.RunUntil(3, func(float64) { tr.HoldAx(-3) })
		near.Value(t, "speed", tr.State.Speed, 21, 0.05)
	})
}

func TestSteeringTableFollowsTheCar(t *testing.T) {
	tr := started(t, 100, sim.Dt)
	near.Value(t, "road wheel angle at the lock", tr.MaxRoadWheelAngle()/degree, 36, 1.5)
	for _, road := range []float64{0, 1e-4, 0.02, -0.02, 0.3, 0.6} {
		tr.PlaceAtRest(0, 0, 0)
		tr.Car.Step(&tr.State, sim.Input{Steer: tr.SteeringWheelFor(road)})
		near.Value(t, "mean road wheel angle", (tr.State.Wheels[tire.FL].Steer+tr.State.Wheels[tire.FR].Steer)/2, road, 1e-5)
	}
	if tr.SteeringWheelFor(0.1) != -tr.SteeringWheelFor(-0.1) {
		t.Error("left and right differ")
	}
	near.Value(t, "small angle by the ratio", tr.SteeringWheelFor(0.01), 0.145, 1e-5)
	near.Value(t, "beyond the lock", tr.SteeringWheelFor(3), tr.Lock, 1e-12)
}
