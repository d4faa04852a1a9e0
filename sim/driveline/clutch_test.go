package driveline

import (
	"testing"

	"rig.example/rig/test/near"
)

func TestTheBiteIsWhereItsKeysSay(t *testing.T) {
	c := lone(t, func(*Params) {})
	var s State
	for _, tt := range []struct{ pedal, hold float64 }{{0, 480}, {0.25, 480}, {0.45, 240}, {0.65, 0}, {1, 0}} {
		near.Value(t, "hold", c.clutchCapacity(&s, &orders{Input: Input{Clutch: tt.pedal}}), tt.hold, 1e-9)
	}
}
