package tire

import "math"

// strain returns the slip, that of sliding counted in, over what can be held.
func (g *grip) strain(t *stretched) float64 {
	x, y := t.sx*g.overX, t.sy*g.overY
	return math.Sqrt(x*x + y*y)
}

// peak returns the least slip at which the tire gives 99.9 % of the most that it gives
// sideways, over what a brush of its stiffness and friction holds: the mean of both sides.
//
// It is a matter of the curve's shape, which load and ground change little: 0.9 for a brush,
// 0.6 to 0.7 for tires of the Magic Formula, 1.2 on ice. A curve without a peak counts as 1.5.
func peak(m Model) float64 {
	const load, least, most = 4e3, 0.5, 1.5 // [N]
	on := Contact{Load: load, Surface: Dry(), Speed: 15}
	can := m.Capacity(on)
	if !can.holds() {
		return 1
	}
	held := 3 * can.ForceY / can.StiffnessY
	at := (peakTangent(m, on, 1) + peakTangent(m, on, -1)) / 2 / held
	return min(max(at, least), most)
}

// peakTangent returns the tangent of the slip angle of the peak on one side.
func peakTangent(m Model, on Contact, side float64) float64 {
	const step, steps, enough = 0.0025, 400, 0.999
	var force [steps]float64
	best := 0.0
	for i := range force {
		on.TanAlpha = side * step * float64(i+1)
		force[i] = -side * m.Forces(on).Fy
		best = max(best, force[i])
	}
	for i := range force {
		if force[i] >= enough*best {
			return step * float64(i+1)
		}
	}
	return step
}
