package tirerig

import (
	"fmt"

	"rig.example/rig/sim/tire"
)

// Aligning compares where the aligning torque and the side force of a tire have their peaks: a torque
// that falls before the side force warns the driver of the grip limit.
type Aligning struct {
	Load           float64 `json:"fz_n"`
	PeakTorque     float64 `json:"peak_nm"`         // 0 for a tire without aligning torque
	PeakAngle      float64 `json:"peak_rad"`        // slip angle at that peak
	ForcePeakAngle float64 `json:"force_peak_rad"`  // slip angle of the largest side force
	PeakAngleRatio float64 `json:"angle_ratio"`     // PeakAngle divided by ForcePeakAngle; 0 for a tire without aligning torque
	TorqueLeftPct  float64 `json:"torque_left_pct"` // torque at the side force's peak [% of PeakTorque]
}

// findAligning finds the peaks of aligning torque and side force at slip angles up to 60°. The other
// conditions are those of p.
func (b *Bench) findAligning(p Point) Aligning {
	path := func(share float64) Point {
		at := p
		at.Alpha = alphaPath(1)(share).Alpha
		return at
	}
	const minArm = 1e-6 // torque over load below which the tire has no aligning torque [m]
	torque, at := b.maximum(path, func(f tire.Forces) float64 { return f.Mz })
	_, force := b.maximum(path, func(f tire.Forces) float64 { return -f.Fy })
	a := Aligning{Load: p.Load, ForcePeakAngle: force.Alpha}
	if torque > minArm*p.Load && force.Alpha > 0 {
		a.PeakTorque, a.PeakAngle, a.PeakAngleRatio = torque, at.Alpha, at.Alpha/force.Alpha
		a.TorqueLeftPct = 100 * b.Forces(force).Mz / torque
	}
	return a
}

// String describes the peaks in words.
func (a Aligning) String() string {
	return fmt.Sprintf("up to %.1f N·m at %s, the side force at %s: %.2f of its slip angle", a.PeakTorque, degrees(a.PeakAngle), degrees(a.ForcePeakAngle), a.PeakAngleRatio)
}

// addAligningPeaks sets r.Aligning to the peaks of aligning torque and side force at each load of a slip
// angle sweep.
func (b *Bench) addAligningPeaks(r *Result) {
	for _, load := range r.sweep.Loads {
		a := b.findAligning(Point{Kappa: r.sweep.Kappa, Gamma: r.sweep.Gamma * perDegree, Load: load})
		r.Aligning = append(r.Aligning, a)
	}
}
