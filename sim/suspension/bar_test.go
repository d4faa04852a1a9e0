package suspension

import (
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/test/near"
)

func TestABarStiffensWithSpeed(t *testing.T) {
	p := soft()
	p.Bar.Mode, p.Bar.Auto, p.Bar.AutoFrom, p.Bar.AutoFull, p.Bar.AutoMinShare = "force", true, 36, 108, 0.2
	b := newBar(&p, 1, dt)
	for speed, want := range map[float64]float64{0: 0.2, 10: 0.2, 20: 0.6, 30: 1, 60: 1} { // [m/s]
		near.Value(t, "part", b.speedShare(r3.Vec{X: 0.6 * speed, Y: -0.8 * speed}), want, 1e-12)
		l, r := strut{travel: 0.1, touches: true}, strut{travel: 0.04, touches: true}
		var k Coupling
		b.couple(&k, dt, b.speedShare(r3.Vec{X: speed}), &l, &r)
		near.Value(t, "moved", k.left, want*5000*0.06/0.24, 1e-9)
	}
}

// By hand: J = π·0.022⁴/32 = 2.29980e-8 m⁴, G·J/L = 1823.7 N·m/rad, over the arm's 0.0625 m².
func TestTorsionRateOfARoundBar(t *testing.T) {
	near.Value(t, "rate", DefaultBar().torsionRate(), 29180, 5)
	thick, long := DefaultBar(), DefaultBar()
	thick.Diameter *= 2
	long.ArmLength *= 2
	near.Value(t, "twice the diameter", thick.torsionRate()/DefaultBar().torsionRate(), 16, 1e-9)
	near.Value(t, "twice the arm", long.torsionRate()/DefaultBar().torsionRate(), 0.25, 1e-9)
}
