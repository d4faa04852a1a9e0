//go:build amd64 && !amd64.v3

package steering

import (
	"testing"

	"rig.example/rig/sim/tire"
)

func TestTheLinkageIsStraightAhead(t *testing.T) {
	a := turnedTo(t, all, 0, 20)
	if a.Angle != [4]float64{} || a.Rack != 0 || a.Gain[tire.FL] != a.Gain[tire.FR] {
		t.Errorf("not straight ahead: %+v", a)
	}
}
