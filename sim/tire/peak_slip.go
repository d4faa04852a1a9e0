package tire

import "math"

// normalizedSlip returns the slip, sliding included, over the slip at which a brush of the tire's
// stiffness and friction begins to slide fully.
func (g *contactGrip) normalizedSlip(t *carcass) float64 {
	x, y := t.sx*g.perLimitSlipX, t.sy*g.perLimitSlipY
	return math.Sqrt(x*x + y*y)
}

// peakSlip returns the smallest slip at which the tire has 99.9 % of its largest lateral force, over the
// slip limit of a brush of the same stiffness and friction. It is the mean of both sides.
//
// This ratio depends on the shape of the curve and little on load and ground: 0.9 for a brush, 0.6 to
// 0.7 for tires of the Magic Formula, 1.2 on ice. A curve without a peak counts as 1.5.
func peakSlip(m Model) float64 {
	const load, low, high = 4e3, 0.5, 1.5 // [N]
	on := Contact{Load: load, Surface: Dry(), Speed: 15}
	capacity := m.Capacity(on)
	if !capacity.hasFriction() {
		return 1
	}
	limitSlip := 3 * capacity.ForceY / capacity.StiffnessY
	ratio := (peakTangent(m, on, 1) + peakTangent(m, on, -1)) / 2 / limitSlip
	return min(max(ratio, low), high)
}

// peakTangent returns the tangent of the slip angle of the peak on one side (1 left, -1 right).
func peakTangent(m Model, on Contact, side float64) float64 {
	const step, steps, peakShare = 0.0025, 400, 0.999
	var force [steps]float64
	best := 0.0
	for i := range force {
		on.TanAlpha = side * step * float64(i+1)
		force[i] = -side * m.Forces(on).Fy
		best = max(best, force[i])
	}
	for i := range force {
		if force[i] >= peakShare*best {
			return step * float64(i+1)
		}
	}
	return step
}
