package road

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"rig.example/rig/internal/valid"
)

// Profile is a pattern of heights that repeats along a road. It is continuous;
// the zero value is none.
//
//   - kerb: teeth that rise evenly over Length and fall over the rest of Pitch
//   - rumble: waves of a cosine from 0 to Height, Pitch long
//   - milled: cuts of a parabola, Length long and Height deep, one each Pitch
//   - bumps: single waves of a cosine, Length long and Height high, one each Pitch
//   - blocks: stones, Pitch long and Width wide, each row half a stone further than
//     the last. Joints are at 0 and tops at 40 to 100 % of Height, another one for
//     each stone, the same in every run; edges are round over Length
type Profile struct {
	Kind   string  // as above; empty is none
	Height float64 // [m]
	Pitch  float64 // along the road [m]
	Length float64 // [m]
	Width  float64 // across the road [m]
}

// profileKinds lists the patterns.
func profileKinds() []string {
	return []string{"none", "kerb", "rumble", "milled", "blocks", "bumps"}
}

// kind returns the pattern's name in files.
func (p Profile) kind() string {
	if p.Kind == "" {
		return "none"
	}
	return p.Kind
}

// usualProfile returns a pattern as it is often built; what is not known is left
// for Validate to refuse.
func usualProfile(kind string) Profile {
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
	if !slices.Contains(profileKinds(), p.Kind) {
		return fmt.Errorf("profile = %q: choose %s", p.Kind, strings.Join(profileKinds(), ", "))
	}
	errs := []error{
		valid.InRange("height_mm", p.Height*1e3, 0, 300),
		valid.InRange("pitch_m", p.Pitch, 0.02, 1000),
	}
	switch p.Kind {
	case "rumble":
	case "blocks":
		most := min(p.Pitch, p.Width) / 2
		errs = append(errs, valid.InRange("block_width_m", p.Width, 0.02, 10), valid.InRange("length_m", p.Length, 0.002, most))
	case "kerb":
		errs = append(errs, valid.InRange("length_m", p.Length, 0.05*p.Pitch, 0.95*p.Pitch))
	default:
		errs = append(errs, valid.InRange("length_m", p.Length, 0.01, p.Pitch))
	}
	return errors.Join(append(errs, p.steep())...)
}

// steep reports flanks on which a wheel would not stand but hit a wall.
func (p Profile) steep() error {
	if slope := p.steepest(); slope > 1 {
		return fmt.Errorf("height_mm = %g makes flanks of %.0f°: allowed is 45°; lower it, or make length_m or pitch_m longer",
			p.Height*1e3, math.Atan(slope)*180/math.Pi)
	}
	return nil
}

// steepest returns the highest slope of the pattern.
func (p Profile) steepest() float64 {
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

// profileFar is beyond all places of a road [m].
const profileFar = 1e8

// Regular tells whether there is one at all, which then comes again with every Pitch.
func (p *Profile) Regular() bool { return p.kind() != "none" && p.Height > 0 && p.Pitch > 0 }

// At returns the height [m] at a place of a road, along it and to the left of its
// middle [m], and the slopes in both directions. Beyond all roads it is 0.
func (p *Profile) At(along, across float64) (z, slopeAlong, slopeAcross float64) {
	if p.Kind == "" || !(math.Abs(along) < profileFar && math.Abs(across) < profileFar) { // also true for NaN
		return 0, 0, 0
	}
	if p.Kind == "blocks" {
		return p.blocks(along, across)
	}
	u := p.Pitch * beyondWhole(along/p.Pitch)
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

// beyondWhole returns how far x is beyond the last whole number.
func beyondWhole(x float64) float64 { return x - math.Floor(x) }

func (p *Profile) tooth(u float64) (z, slope float64) {
	if u < p.Length {
		return p.Height * u / p.Length, p.Height / p.Length
	}
	slope = -p.Height / (p.Pitch - p.Length)
	return slope * (u - p.Pitch), slope
}

// wave is one of a cosine, from 0 to 0.
func (p *Profile) wave(u, length float64) (z, slope float64) {
	k := 2 * math.Pi / length
	sin, cos := math.Sincos(k * u)
	return p.Height / 2 * (1 - cos), p.Height / 2 * k * sin
}

func (p *Profile) blocks(along, across float64) (z, slopeAlong, slopeAcross float64) {
	v := across / p.Width
	row := int64(math.Floor(v))
	u := along/p.Pitch + 0.5*float64(row&1)
	stone := int64(math.Floor(u))
	const low = 0.4
	top := p.Height * (low + (1-low)*randomShare(scatter(uint64(stone)<<32^uint64(row)&0xffffffff)))
	a, da := rounded(p.Pitch*beyondWhole(u), p.Pitch, p.Length)
	b, db := rounded(p.Width*beyondWhole(v), p.Width, p.Length)
	return top * a * b, top * da * b, top * a * db
}

// rounded rises from 0 at the ends of a length to 1 between them, over a flank at
// each, and returns its slope too.
func rounded(u, length, flank float64) (y, slope float64) {
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
