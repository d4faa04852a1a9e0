package chassis

import (
	"fmt"
	"testing"

	"rig.example/rig/road"
	"rig.example/rig/test/near"
)

func TestTheInverseUndoesTheMass(t *testing.T) {
	for name, p := range map[string]Params{"alike on both sides": coupe().Params, "skewed": skewed(), "of parts": loaded().Resolved()} {
		k := coupe()
		k.Params = p
		c := built(t, k, road.Asphalt())
		m := &c.masses
		for fixed := range m.inverses {
			whole := m.massMatrix(fixed)
			for col := range 4 {
				var unit Impulse
				unit[col] = 1
				d := m.inverses[fixed].deltaV(&unit)
				for row := range 4 {
					got, want := 0.0, 0.0
					for i := range 4 {
						got += whole[row][i] * d[i]
					}
					if row == col {
						want = 1
					}
					near.Value(t, fmt.Sprintf("%s, set %04b, %d by %d", name, fixed, row, col), got, want, 1e-11)
				}
			}
		}
	}
}

// Wheels that slide freely leave their mass out of a push along z and of moments
// about x and y; wheels at their ends are part of the body.
func TestFreeWheelsDoNotResist(t *testing.T) {
	c := built(t, square(), road.Asphalt())
	free, whole := &c.masses.inverses[0], &c.masses.inverses[15]
	near.Value(t, "mass without wheels", 1/free[0][0], 1200-4*45, 1e-9)
	near.Value(t, "roll without wheels", 1/free[1][1], 500-4*45*0.75*0.75, 1e-9)
	near.Value(t, "pitch without wheels", 1/free[2][2], 1600-4*45*1.3*1.3, 1e-9)
	near.Value(t, "yaw with wheels", 1/free[3][3], 1800, 1e-9)
	near.Value(t, "mass", 1/whole[0][0], 1200, 1e-9)
	near.Value(t, "roll", 1/whole[1][1], 500, 1e-9)
	near.Value(t, "pitch", 1/whole[2][2], 1600, 1e-9)
}
