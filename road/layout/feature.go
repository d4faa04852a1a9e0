package layout

import (
	"fmt"
	"math"

	"rig.example/rig/road"
)

// placedFeature is a Feature at its place on the line, with the values that Touch uses.
type placedFeature struct {
	span
	height float64 // [m]
	pitch  float64 // length of the bump or of one wave [m]
	slope  float64 // slope of a ramp, negative if its height is; 0 for other kinds
	corner float64 // length of a ramp's rounded corners [m]
}

// checkLength returns an error if a feature does not fit into its stretch.
func (f *Feature) checkLength(at span) error {
	minLength := 0.2
	if f.Kind == "ramp" {
		minLength = 2*math.Abs(f.Height)/1e3/(f.Grade/100) + 3*f.cornerLength()
	}
	if f.Kind == "waves" {
		minLength = f.Pitch
	}
	if at.length < minLength {
		return fmt.Errorf("%s: %.3g m long: must be at least %.3g m", f.Kind, at.length, minLength)
	}
	return nil
}

// cornerLength returns the length of a ramp's rounded corners [m].
func (f *Feature) cornerLength() float64 {
	const fraction, limit = 0.5, 4.0 // fraction of the length of the ramp's rise, and maximum [m]
	return min(fraction*math.Abs(f.Height)/1e3/(f.Grade/100), limit)
}

// placeFeature returns a feature at its span.
func placeFeature(f *Feature, at span) placedFeature {
	out := placedFeature{span: at, height: f.Height / 1e3, pitch: at.length}
	switch f.Kind {
	case "waves":
		out.pitch = at.length / math.Floor(at.length/f.Pitch)
	case "ramp":
		out.slope, out.corner = math.Copysign(f.Grade/100, f.Height), f.cornerLength()
	}
	return out
}

// steepest returns the slope of a feature at its steepest, along the road and at its sides.
func (f *placedFeature) steepest() float64 {
	along, side := math.Abs(f.slope), 1.5/featureFade*math.Abs(f.height)
	if f.slope == 0 {
		along = math.Pi * math.Abs(f.height) / f.pitch
	}
	return math.Hypot(along, side)
}

// at returns the height of a feature at the distance d from its start [m], and the slope dz along the road.
func (f *placedFeature) at(d float64) (z, dz float64) {
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

// ramp returns the height of a ramp at the distance d from its start [m], and the slope dz. The slope changes
// linearly over the rounded corners.
func (f *placedFeature) ramp(d float64) (z, dz float64) {
	sign := 1.0
	if d > f.length/2 {
		d, sign = f.length-d, -1
	}
	bottom, bottomSlope := roundedRamp(d, 0, f.corner)
	top, topSlope := roundedRamp(d, f.height/f.slope, f.corner)
	return f.slope * (bottom - top), sign * f.slope * (bottomSlope - topSlope)
}

// roundedRamp returns the value at d of a curve that is 0 up to start, rises as a parabola over a length and
// then with the slope 1; all in metres. It returns the slope as well.
func roundedRamp(d, start, length float64) (y, dy float64) {
	d -= start
	if d <= 0 {
		return 0, 0
	}
	if d >= length {
		return d - length/2, 1
	}
	return d * d / (2 * length), d / length
}

// featureFade is the distance beside a feature's side over which its height fades to 0 [m].
const featureFade = 0.3

// across returns the fraction of a feature's height at a lateral position [m, positive to the left], and its
// derivative to the left [1/m]. The fraction is 1 within the feature and fades to 0 beside its sides. p is
// the point of the center line.
func (f *placedFeature) across(lateral float64, p *road.Point) (fraction, slope float64) {
	left, right := f.left, f.right
	if f.wholeWidth {
		left, right = p.Left, -p.Right
	}
	if lateral > (left+right)/2 {
		fraction, dy := smoothstep((left + featureFade - lateral) / featureFade)
		return fraction, -dy / featureFade
	}
	fraction, dy := smoothstep((lateral - right + featureFade) / featureFade)
	return fraction, dy / featureFade
}
