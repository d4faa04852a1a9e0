//go:build amd64 && !amd64.v3

package sim

import (
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
)

func TestALopsidedCarMirrorsItsMirrorImage(t *testing.T) {
	p := skewed()
	p.CGLeft = 0.05
	q := skewed()
	q.CGLeft, q.InertiaXY, q.InertiaYZ = -p.CGLeft, -p.InertiaXY, -p.InertiaYZ
	c, d := newCar(t, p, Dt), newCar(t, q, Dt)
	mirrorEachOther(t, c, d, c.Rest(r3.Vec{X: 1, Y: 2}, 0.3), 16_000)
}
