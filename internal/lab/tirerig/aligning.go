package tirerig

import (
	"fmt"

	"rig.example/rig/sim/tire"
)

// Aligning tells how early a tire's aligning torque warns of its grip's end: where it
// is greatest, against where the side force is.
type Aligning struct {
	Load   float64 `json:"fz_n"`
	Torque float64 `json:"peak_nm"`         // 0 for a tire that has none
	At     float64 `json:"peak_rad"`        // slip angle there
	Force  float64 `json:"force_peak_rad"`  // slip angle of the greatest side force
	Ratio  float64 `json:"angle_ratio"`     // of the two; 0 for a tire without aligning torque
	Left   float64 `json:"torque_left_pct"` // of the greatest torque, where the side force is greatest
}

// aligning looks for both peaks at slip angles up to 60° to the left, with all else of p.
func (b *Bench) aligning(p Point) Aligning {
	walk := func(share float64) Point {
		at := p
		at.Alpha = alongAngle(1)(share).Alpha
		return at
	}
	const least = 1e-6 // [m], torque over load: less is none
	torque, at := b.crest(walk, func(f tire.Forces) float64 { return f.Mz })
	_, force := b.crest(walk, func(f tire.Forces) float64 { return -f.Fy })
	a := Aligning{Load: p.Load, Force: force.Alpha}
	if torque > least*p.Load && force.Alpha > 0 {
		a.Torque, a.At, a.Ratio = torque, at.Alpha, at.Alpha/force.Alpha
		a.Left = 100 * b.Forces(force).Mz / torque
	}
	return a
}

func (a Aligning) String() string {
	return fmt.Sprintf("up to %.1f N·m at %s, the side force at %s: %.2f of its slip angle", a.Torque, degrees(a.At), degrees(a.Force), a.Ratio)
}

// early finds the peaks for each load of a slip angle sweep.
func (b *Bench) early(r *Result) {
	for _, load := range r.asked.Loads {
		a := b.aligning(Point{Kappa: r.asked.Kappa, Gamma: r.asked.Gamma * perDegree, Load: load})
		r.Aligning = append(r.Aligning, a)
	}
}
