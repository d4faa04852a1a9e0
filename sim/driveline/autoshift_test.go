package driveline

import (
	"testing"

	"rig.example/rig/test/near"
)

func TestAMapReplacesTheLines(t *testing.T) {
	c := lone(t, func(p *Params) { p.Gearbox.ShiftMap = []ShiftPoint{{0, 2000, 1200}, {1, 4000, 2000}} })
	near.Value(t, "up at half throttle", c.box.upshiftSpeed.At(0.5), 3000*PerRPM, 1e-9)
	near.Value(t, "down at half throttle", c.box.downshiftSpeed.At(0.5), 1600*PerRPM, 1e-9)
}
