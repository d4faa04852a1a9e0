package layout

import (
	"fmt"
	"math"

	"rig.example/rig/sim/road"
)

// feature is a Feature as a tick needs it.
type feature struct {
	span
	height  float64 // [m]
	pitch   float64 // of bump and waves [m]
	slope   float64 // of a ramp, 0 if it is none
	rounded float64 // length of a ramp's corners [m]
}

// fits reports a feature that is longer than its stretch.
func (f *Feature) fits(at span) error {
	need := 0.2
	if f.Kind == "ramp" {
		need = 2*math.Abs(f.Height)/1e3/(f.Grade/100) + 3*f.corner()
	}
	if f.Kind == "waves" {
		need = f.Pitch
	}
	if at.length < need {
		return fmt.Errorf("%s: %.3g m long: needs %.3g m", f.Kind, at.length, need)
	}
	return nil
}

// corner returns how long the rounding of a ramp's corners is [m].
func (f *Feature) corner() float64 {
	const share, most = 0.5, 4.0 // of the climb, [m]
	return min(share*math.Abs(f.Height)/1e3/(f.Grade/100), most)
}

func newFeature(f *Feature, at span) feature {
	out := feature{span: at, height: f.Height / 1e3, pitch: at.length}
	switch f.Kind {
	case "waves":
		out.pitch = at.length / math.Floor(at.length/f.Pitch)
	case "ramp":
		out.slope, out.rounded = math.Copysign(f.Grade/100, f.Height), f.corner()
	}
	return out
}

// at returns the height d metres into a feature and its slope.
func (f *feature) at(d float64) (z, dz float64) {
	if !(d > 0 && d < f.length) {
		return 0, 0
	}
	if f.slope != 0 {
		return f.ramp(d)
	}
	k := 2 * math.Pi / f.pitch
	sin, cos := math.Sincos(k * d)
	return f.height / 2 * (1 - cos), f.height / 2 * k * sin
}

// ramp climbs with its grade, whose changes are spread over the corners evenly.
func (f *feature) ramp(d float64) (z, dz float64) {
	sign := 1.0
	if d > f.length/2 {
		d, sign = f.length-d, -1
	}
	foot, slopeFoot := corner(d, 0, f.rounded)
	top, slopeTop := corner(d, f.height/f.slope, f.rounded)
	return f.slope * (foot - top), sign * f.slope * (slopeFoot - slopeTop)
}

// corner returns how far d is behind a place, where it begins to count over a length
// by a parabola, and its slope.
func corner(d, at, length float64) (y, dy float64) {
	d -= at
	if d <= 0 {
		return 0, 0
	}
	if d >= length {
		return d - length/2, 1
	}
	return d * d / (2 * length), d / length
}

// across returns the share of a feature beside its sides, which it leaves over
// a short way, and its slope to the left [1/m]. p is the road's middle there.
func (f *feature) across(lateral float64, p *road.Point) (share, slope float64) {
	const way = 0.3 // [m]
	left, right := f.left, f.right
	if f.whole {
		left, right = p.Left, -p.Right
	}
	if lateral > (left+right)/2 {
		y, dy := smooth((left + way - lateral) / way)
		return y, -dy / way
	}
	y, dy := smooth((lateral - right + way) / way)
	return y, dy / way
}
