// Package layout builds roads from readable plans: straights and bends, surfaces, bumps and ramps.
//
// It takes a Plan, as users write it in TOML. It returns the road's center line (Plan.Line) and a Ribbon,
// the road.Ground along it: one smooth surface of road, kerbs, verges and open terrain. It reads no file,
// and a Ribbon never changes after it is built.
package layout

import (
	"errors"
	"fmt"
	"math"

	"rig.example/rig/internal/kit/valid"
)

// Plan describes a closed road that is built from pieces.
type Plan struct {
	// width of the road where no piece sets another one
	Width float64 `toml:"width_m" range:"2..60"`
	// surface of the road
	Road string `toml:"road"`
	// surface of the verge, the ground beside the road
	Verge string `toml:"verge"`
	// width of the verge, from the road's edge to the open terrain
	VergeWidth float64 `toml:"verge_m" range:"2..200"`
	// width of the inner part of the verge that continues the road's plane, with its features; the rest of
	// the verge blends into the terrain. At most `verge_m` - 0.5
	Shoulder float64 `toml:"shoulder_m" range:"0..199.5" valid:"-"`
	// width of the kerbs
	KerbWidth float64 `toml:"kerb_m" range:"0.1..5"`
	// height of the back of the kerbs above the road
	KerbHeight float64 `toml:"kerb_height_mm" range:"0..200"`

	// the straights and bends of the road, in driving order
	Pieces []Piece `toml:"piece" count:"1..1000"`
	// stretches of another surface; where they overlap, the last one counts
	Parts []Part `toml:"part" count:"0..1000"`
	// bumps, waves and ramps on the road
	Features []Feature `toml:"feature" count:"0..1000"`
}

// Default returns a plan without pieces: a road of 10 m, the width of a club circuit, with verges of grass.
func Default() Plan {
	return Plan{Width: 10, Road: "tarmac", Verge: "grass", VergeWidth: 12, Shoulder: 1.5, KerbWidth: 1, KerbHeight: 40}
}

// Piece is a part of a road's center line: a straight if Turn is 0, else a bend whose curvature grows
// linearly over Ramp metres, stays at 1/Radius and falls again, so that the steering angle has no jumps.
type Piece struct {
	// name by which the keys `on` of parts, features and marks refer to the piece
	Name string `toml:"name"`
	// length of a straight; for a free straight only an estimate
	Length float64 `toml:"length_m" range:"0.1..100000" valid:"-"`
	// whether rig sets the length of this straight so that the circuit closes; exactly two straights must be
	// free, or none
	Free bool `toml:"free"`
	// angle by which a bend turns, positive to the left; 0 makes a straight
	Turn float64 `toml:"turn_deg" range:"-720..720" valid:"-"`
	// radius of a bend
	Radius float64 `toml:"radius_m" range:"5..20000" valid:"-"`
	// length of the transition at each end of a bend, over which the curvature changes linearly; at most the
	// length of the bend's arc
	Ramp float64 `toml:"ramp_m" range:"0..251327" valid:"-"`
	// height of the road at the end of the piece. Between the given heights the road follows a smooth curve
	Height *float64 `toml:"height_m" range:"-10000..10000"`
	// bank angle of a bend, positive towards its inside. It grows and falls with the curvature over the
	// transitions; without `ramp_m` only a circuit of a single bend can have one
	Bank float64 `toml:"bank_deg" range:"-10..45" valid:"-"`
	// width of the road at the end of the piece; 0 means the width of the layout
	Width float64 `toml:"width_m" range:"0 (as before) or 2..60"`
	// sides of a bend that have a kerb; empty means inside in bends with a radius below 150 m, else none
	Kerb string `toml:"kerb" oneof:",none,inside,outside,both"`
}

// Stretch is a part of a road. With both sides 0 it has the whole width of the road.
type Stretch struct {
	// name of the piece from whose start `from_m` and `to_m` are measured; empty means the road's start
	On string `toml:"on"`
	// start of the stretch along the road
	From float64 `toml:"from_m"`
	// end of the stretch along the road
	To float64 `toml:"to_m"`
	// lateral position of its right side, positive left of the center line; with both sides 0 the stretch has
	// the whole width of the road
	Right float64 `toml:"right_m"`
	// lateral position of its left side, positive left of the center line
	Left float64 `toml:"left_m"`
}

// Part is a stretch of another surface.
type Part struct {
	Stretch
	// name of the surface of the stretch; empty means that of the road
	Surface string `toml:"surface"`
	// name of the area that the stretch belongs to, at most 7 in a circuit; the grip of areas can change during
	// a run
	AreaName string `toml:"area"`
}

// Feature is a shape that rises from a stretch of a road, or sinks into it.
//
// A bump is one cosine wave as long as the stretch. Waves are as many as fit. A ramp goes up with its
// grade, stays level and goes down again, with rounded corners.
type Feature struct {
	Stretch
	// `bump` is one cosine wave as long as the stretch; `waves` are as many waves as fit into it; `ramp` rises
	// with a constant grade, continues level and falls again, with rounded corners. Beside its sides each ends
	// within 0.3 m
	Kind string `toml:"kind" oneof:"bump,waves,ramp"`
	// height of its top above the road; a negative one sinks into it
	Height float64 `toml:"height_mm" range:"-5000..20000"`
	// length of one wave
	Pitch float64 `toml:"pitch_m" range:"0.1..100" valid:"-"`
	// slope of a ramp
	Grade float64 `toml:"grade_percent" range:"1..100" valid:"-"`
}

// Validate reports every value that is out of range.
func (l Plan) Validate() error {
	errs := []error{
		valid.Struct(l),
		valid.InRange("shoulder_m", l.Shoulder, 0, l.VergeWidth-0.5),
	}
	for i, p := range l.Pieces {
		// A banked bend needs a ramp, unless it is the whole circuit: then the bank never changes.
		if p.Bank != 0 && p.Ramp == 0 && len(l.Pieces) > 1 {
			errs = append(errs, fmt.Errorf("piece[%d].bank_deg = %g: needs ramp_m, over which it comes and goes", i, p.Bank))
		}
	}
	return errors.Join(errs...)
}

// Validate reports every value that is out of range.
func (p Piece) Validate() error {
	err := valid.Struct(p)
	switch {
	case p.Turn != 0:
		return errors.Join(err, valid.Fields(p, "turn_deg", "radius_m", "bank_deg"),
			valid.InRange("ramp_m", p.Ramp, 0, p.angle()*p.Radius))
	case p.Bank != 0:
		return errors.Join(err, errors.New("bank_deg: a straight has none"))
	}
	return errors.Join(err, valid.Fields(p, "length_m"))
}

// angle returns the absolute angle of a bend [rad].
func (p Piece) angle() float64 { return math.Abs(p.Turn) * math.Pi / 180 }

// Validate reports every value that is out of range.
func (f Feature) Validate() error {
	err := valid.Struct(f)
	switch f.Kind {
	case "waves":
		return errors.Join(err, valid.Fields(f, "pitch_m"))
	case "ramp":
		return errors.Join(err, valid.Fields(f, "grade_percent"))
	}
	return err
}
