//go:build amd64 && !amd64.v3

package sim

import (
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/sim/assist"
	"rig.example/rig/sim/tire"
)

// mirroredHelp returns what the electronics of a mirrored car remember.
func mirroredHelp(a assist.State) assist.State {
	sides := func(v [4]float64) [4]float64 { return [4]float64{v[tire.FR], v[tire.FL], v[tire.RR], v[tire.RL]} }
	a.Traction.BrakeIntegral, a.Traction.Brake = sides(a.Traction.BrakeIntegral), sides(a.Traction.Brake)
	a.Stability.TargetYawRate, a.Stability.YawAccel = -a.Stability.TargetYawRate, -a.Stability.YawAccel
	a.Stability.Brake = sides(a.Stability.Brake)
	return a
}

func TestAssistsMirror(t *testing.T) {
	for _, front := range []float64{0, 0.5, 1} {
		p := DefaultCar()
		p.Driveline.FrontShare = front
		c := slippery(t, p, 0.5)
		left := c.Rest(r3.Vec{X: 1, Y: 2}, 0.3)
		right := mirrored(left)
		worked := [2]bool{}
		for tick := range 16_000 {
			in := drive(tick)
			in.Assists = allHelp()
			in.Assists.PitLimiter = false
			c.Step(&left, in)
			in.Steer = -in.Steer
			c.Step(&right, in)
			if right != mirrored(left) { // -0 equals 0
				t.Fatalf("front share %g, after %d ms:\n%+v\n%+v", front, tick, right.Assist, mirrored(left).Assist)
			}
			worked[0] = worked[0] || left.Assist.Traction.IsActive()
			worked[1] = worked[1] || left.Assist.Stability.IsActive()
		}
		if worked != [2]bool{true, true} {
			t.Errorf("front share %g: traction and stability control worked: %v", front, worked)
		}
	}
}
