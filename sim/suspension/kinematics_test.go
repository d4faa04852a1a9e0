package suspension

import (
	"math"
	"testing"

	"rig.example/rig/test/near"
)

// Beyond its rows a table holds: a spring on it goes on by its rate, the wheel stands as it did.
func TestATableHoldsBeyondItsEnds(t *testing.T) {
	rows := [][]float64{{-0.02, 1, 0.1, -0.004, 0, 0, 1}, {0, 0, 0, 0, 0, 0, 0.9}, {0.02, -2, -0.1, 0.004, 0, 0, 0.7}}
	p := soft()
	p.Kinematics.Table = rows
	k := corner(t, &p)
	for _, bump := range []float64{0.03, 0.05} {
		var st linkMotion
		k.links.at(&st, k.RestTravel+bump)
		near.Value(t, "camber", st.camber*180/math.Pi, -2, 0.15)
		near.Value(t, "toe", st.toe*180/math.Pi, -0.1, 0.01)
		near.Value(t, "motion ratio", st.ratio, 0.7, 0.015)
		near.Value(t, "way outward", st.dContactOut, 0, 1e-12)
		_, rate := k.spring.at(k.RestTravel + bump)
		near.Value(t, "rate at the wheel", rate, 25e3*0.7*0.7, 1e-6)
	}
}
