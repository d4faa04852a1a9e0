//go:build amd64 && !amd64.v3

package sim

import (
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/sim/tire"
)

func TestASteeringWithEverythingMirrors(t *testing.T) {
	c := newCar(t, steered(everything), Dt)
	mirrorEachOther(t, c, c, c.Rest(r3.Vec{X: 1, Y: 2}, 0.3), 16_000)
}

func TestTheLinkageIsStraightAhead(t *testing.T) {
	a := turnedTo(t, steered(everything), 0, 20)
	if a.angle != [4]float64{} || a.rack != 0 || a.gain[tire.FL] != a.gain[tire.FR] {
		t.Errorf("not straight ahead: %+v", a)
	}
}
