package road

import (
	"errors"
	"fmt"
	"math"

	"rig.example/rig/internal/kit/splitmix"
	"rig.example/rig/internal/kit/valid"
)

// Profile is a pattern of heights that repeats along a road. It is continuous.
// The zero value is no pattern.
//
//   - kerb: teeth that rise linearly over Length and fall over the rest of Pitch
//   - rumble: cosine waves from 0 to Height, Pitch long
//   - milled: parabolic cuts, Length long and Height deep, one every Pitch
//   - bumps: single cosine waves, Length long and Height high, one every Pitch
//   - blocks: stones, Pitch long and Width wide, each row offset by half a stone. Joints are
//     at height 0 and tops at 40 to 100 % of Height, different for each stone but the
//     same in every run; edges are rounded over Length
type Profile struct {
	Kind   string  // as above; empty is no pattern
	Height float64 // [m]
	Pitch  float64 // along the road [m]
	Length float64 // [m]
	Width  float64 // across the road [m]
}

// kind returns the pattern's name in files.
func (p Profile) kind() string {
	if p.Kind == "" {
		return "none"
	}
	return p.Kind
}

// defaultProfile returns the usual dimensions of a pattern. Validate refuses unknown kinds.
func defaultProfile(kind string) Profile {
	switch kind {
	case "none":
		return Profile{}
	case "kerb":
		return Profile{kind, 0.02, 0.5, 0.4, 0}
	case "milled":
		return Profile{kind, 0.013, 0.3, 0.18, 0}
	case "blocks":
		return Profile{kind, 0.02, 0.2, 0.03, 0.14}
	case "bumps":
		return Profile{kind, 0.05, 10, 1, 0}
	}
	return Profile{Kind: kind, Height: 0.01, Pitch: 0.35}
}

// Validate reports every value that is out of range.
func (p Profile) Validate() error {
	if p.Kind == "" {
		return nil
	}
	height := p.Height * 1e3 // [mm]
	params := SurfaceParams{Profile: p.Kind, Height: &height, Pitch: &p.Pitch, Length: &p.Length, Width: &p.Width}
	if err := valid.Fields(params, "profile"); err != nil {
		return err
	}
	errs := []error{valid.Fields(params, "height_mm", "pitch_m")}
	switch p.Kind {
	case "rumble":
	case "blocks":
		errs = append(errs, valid.Fields(params, "block_width_m"), valid.AtMost(params, "length_m", min(p.Pitch, p.Width)/2))
	case "kerb":
		errs = append(errs, valid.InRange("length_m", p.Length, 0.05*p.Pitch, 0.95*p.Pitch))
	default:
		errs = append(errs, valid.InRange("length_m", p.Length, 0.01, p.Pitch))
	}
	if slope := p.maxSlope(); slope > 1 { // a wheel would hit a steeper flank like a wall
		errs = append(errs, fmt.Errorf("height_mm = %g makes flanks of %.0f°: must be at most 45°; "+
			"reduce it, or increase length_m or pitch_m", p.Height*1e3, math.Atan(slope)*180/math.Pi))
	}
	return errors.Join(errs...)
}

// maxSlope returns the maximum slope of the pattern, height over length.
func (p Profile) maxSlope() float64 {
	switch p.Kind {
	case "kerb":
		return p.Height / min(p.Length, p.Pitch-p.Length)
	case "rumble":
		return math.Pi * p.Height / p.Pitch
	case "milled":
		return 4 * p.Height / p.Length
	case "bumps":
		return math.Pi * p.Height / p.Length
	}
	return 1.5 * p.Height / p.Length
}

// IsPeriodic reports whether the profile has a pattern that repeats every Pitch metres.
func (p *Profile) IsPeriodic() bool { return p.kind() != "none" && p.Height > 0 && p.Pitch > 0 }

// At returns the height [m] at a position along the road and to the left of its center line [m], and the
// slopes in both directions. It returns 0 for NaN and for positions outside all roads.
func (p *Profile) At(along, across float64) (z, slopeAlong, slopeAcross float64) {
	isOnRoad := math.Abs(along) < MaxCoordinate && math.Abs(across) < MaxCoordinate // false for NaN
	if p.Kind == "" || !isOnRoad {
		return 0, 0, 0
	}
	if p.Kind == "blocks" {
		return p.blocks(along, across)
	}
	u := p.Pitch * fractionalPart(along/p.Pitch)
	switch p.Kind {
	case "kerb":
		z, slopeAlong = p.tooth(u)
	case "rumble":
		z, slopeAlong = p.wave(u, p.Pitch)
	case "bumps":
		if u < p.Length {
			z, slopeAlong = p.wave(u, p.Length)
		}
	case "milled":
		if u < p.Length {
			x := 2*u/p.Length - 1
			z, slopeAlong = p.Height*(x*x-1), 4*p.Height*x/p.Length
		}
	}
	return z, slopeAlong, 0
}

// fractionalPart returns x - floor(x), which is in 0..1.
func fractionalPart(x float64) float64 { return x - math.Floor(x) }

// tooth returns the height [m] and slope of a kerb's tooth at u [m] from its start.
func (p *Profile) tooth(u float64) (z, slope float64) {
	if u < p.Length {
		return p.Height * u / p.Length, p.Height / p.Length
	}
	slope = -p.Height / (p.Pitch - p.Length)
	return slope * (u - p.Pitch), slope
}

// wave returns the height [m] and slope of one cosine wave of a length [m] at u [m] from its start.
func (p *Profile) wave(u, length float64) (z, slope float64) {
	k := 2 * math.Pi / length
	sin, cos := math.Sincos(k * u)
	return p.Height / 2 * (1 - cos), p.Height / 2 * k * sin
}

// blocks returns the height of paving stones [m] at a position along and across the road [m], and the slopes
// in both directions.
func (p *Profile) blocks(along, across float64) (z, slopeAlong, slopeAcross float64) {
	v := across / p.Width
	row := int64(math.Floor(v))
	u := along/p.Pitch + 0.5*float64(row&1)
	stone := int64(math.Floor(u))
	const low = 0.4 // lowest top of a stone, as a fraction of Height
	top := p.Height * (low + (1-low)*randomFraction(splitmix.Mix(uint64(stone)<<32^uint64(row)&0xffffffff)))
	a, da := roundedEdges(p.Pitch*fractionalPart(u), p.Pitch, p.Length)
	b, db := roundedEdges(p.Width*fractionalPart(v), p.Width, p.Length)
	return top * a * b, top * da * b, top * a * db
}

// roundedEdges returns the value at u of a curve that is 0 at both ends of a length and 1 between them, with
// a cubic flank at each end; u, length and flank are in metres. It returns the slope as well [1/m].
func roundedEdges(u, length, flank float64) (y, slope float64) {
	sign := 1.0
	if 2*u > length {
		u, sign = length-u, -1
	}
	if u >= flank {
		return 1, 0
	}
	x := u / flank
	return x * x * (3 - 2*x), sign * 6 * x * (1 - x) / flank
}
