package racing

import (
	"math"

	"rig.example/rig/road"
)

// linePoint holds the properties of a line at one station that limit the speed there.
type linePoint struct {
	curvature         float64 // seen from above [1/m]
	verticalCurvature float64 // seen from the side [1/m], positive in a dip
	sinBank, cosBank  float64 // sine and cosine of the bank angle
	sinSlope          float64 // sine of the slope's angle, positive uphill
	cosSlope          float64 // cosine of the slope's angle
	lengthRatio       float64 // length along the road over horizontal length
	grip              float64 // factor on the accelerations of Limits, for the grip of the road here
}

// linePointAt returns the properties of l at a station [m]. The vertical curvature is the mean over a car's
// length.
func linePointAt(l *road.Line, s float64) linePoint {
	const halfLength = 1.5 // half the length of a car [m]
	p := l.At(s)
	lengthRatio := math.Sqrt(1 + p.Slope*p.Slope)
	st := linePoint{
		curvature: p.Curvature, grip: 1, lengthRatio: lengthRatio, sinSlope: p.Slope / lengthRatio, cosSlope: 1 / lengthRatio,
		verticalCurvature: (l.At(s+halfLength).Slope - l.At(s-halfLength).Slope) / (2 * halfLength) / (lengthRatio * lengthRatio * lengthRatio),
	}
	st.sinBank, st.cosBank = math.Sincos(p.Bank)
	return st
}

// lateral returns the lateral acceleration that the tires must transmit, positive towards the inside of the
// bend, and the load: the normal force on the road per mass of the car. Both are in m/s². They follow from
// gravity, bends and crests in the road's cross section.
func (st *linePoint) lateral(v, gravity float64) (lateral, load float64) {
	horizontalSpeed := v * st.cosSlope
	left := horizontalSpeed * horizontalSpeed * st.curvature
	up := v*v*st.verticalCurvature + gravity*st.cosSlope
	lateral, load = left*st.cosBank+up*st.sinBank, up*st.cosBank-left*st.sinBank
	if st.curvature < 0 {
		lateral = -lateral
	}
	return lateral, load
}

// underLoad returns an acceleration limit under a load [m/s²]. limitAt returns the limit on a level road at a
// speed. Its value at standstill is proportional to the load; the rest is the effect of downforce.
func (lim *Limits) underLoad(limitAt func(float64) float64, st *linePoint, v, load float64) float64 {
	if limitAt == nil {
		return unlimited
	}
	limit := limitAt(v)
	if lim.Gravity > 0 {
		limit += limitAt(0) * (max(load, 0)/lim.Gravity - 1)
	}
	return clampLimit(st.grip * limit)
}

// clampLimit returns a limit between 0 and unlimited; NaN becomes 0.
func clampLimit(limit float64) float64 {
	if limit > 0 {
		return min(limit, unlimited)
	}
	return 0
}

// lateralLimit returns the maximum lateral acceleration at a point [m/s²].
func (lim *Limits) lateralLimit(st *linePoint, v, load float64) float64 {
	return min(lim.underLoad(lim.LateralAccel, st, v, load), orUnlimited(lim.MaxLateral))
}

// unlimited is an acceleration above those of all cars [m/s²].
const unlimited = 1e3

// orUnlimited returns limit, or unlimited if it is 0.
func orUnlimited(limit float64) float64 {
	if limit == 0 {
		return unlimited
	}
	return limit
}

// canHold reports whether a car at speed v stays on the road at a point.
func (lim *Limits) canHold(st *linePoint, v float64) bool {
	lateral, load := st.lateral(v, lim.Gravity)
	return load >= lim.MinLoad*lim.Gravity && lateral <= lim.lateralLimit(st, v, load)
}

// cornerSpeed returns the maximum speed at a point [m/s], by bisection.
func (lim *Limits) cornerSpeed(st *linePoint) float64 {
	const minSpeed, topSpeed = 1.0, 200.0 // range of the search [m/s]
	const rounds = 50
	low, high := minSpeed, topSpeed
	if lim.MaxSpeed > 0 {
		high = lim.MaxSpeed
	}
	if lim.canHold(st, high) {
		return high
	}
	low = min(low, high)
	for range rounds {
		if mid := (low + high) / 2; lim.canHold(st, mid) {
			low = mid
		} else {
			high = mid
		}
	}
	return low
}

// remainingGrip returns the fraction of the longitudinal grip that remains at speed v in a bend, and the load
// [m/s²].
func (lim *Limits) remainingGrip(st *linePoint, v float64) (fraction, load float64) {
	lateral, load := st.lateral(v, lim.Gravity)
	limit := lim.lateralLimit(st, v, load)
	used := 0.0
	if lateral != 0 {
		used = min(math.Abs(lateral)/max(limit, 1e-9), 1)
	}
	if lim.CombinedGrip != nil {
		return min(clampLimit(lim.CombinedGrip(used)), 1), load
	}
	return math.Sqrt(1 - used*used), load
}

// drag returns the deceleration by air and rolling resistance [m/s²].
func (lim *Limits) drag(v float64) float64 {
	if lim.Drag == nil {
		return 0
	}
	return clampLimit(lim.Drag(v))
}

// maxDeceleration returns the maximum deceleration at a point [m/s²].
func (lim *Limits) maxDeceleration(st *linePoint, v float64) float64 {
	fraction, load := lim.remainingGrip(st, v)
	braking := fraction * lim.underLoad(lim.BrakeAccel, st, v, load)
	return min(braking+lim.drag(v)+lim.Gravity*st.sinSlope, orUnlimited(lim.MaxBraking))
}

// maxAcceleration returns the maximum acceleration at a point [m/s²]; it may be negative uphill.
func (lim *Limits) maxAcceleration(st *linePoint, v float64) float64 {
	fraction, load := lim.remainingGrip(st, v)
	drive := fraction * lim.underLoad(lim.TractionAccel, st, v, load)
	if lim.EngineAccel != nil {
		drive = min(drive, clampLimit(lim.EngineAccel(v)))
	}
	return min(drive-lim.drag(v)-lim.Gravity*st.sinSlope, orUnlimited(lim.MaxDrive))
}
