// Package layout builds roads from readable plans: straights and bends, surfaces, bumps and ramps.
//
// In goes a Plan, as people write it in TOML. Out come the road's centre line (Plan.Line) and a
// Ribbon, the road.Ground along it: one smooth surface of road, kerbs, verges and open terrain.
// It reads no file, and a Ribbon never changes once it is built.
package layout

import (
	"errors"
	"fmt"
	"math"

	"rig.example/rig/internal/valid"
)

// Plan describes a road that is built from pieces: a readable plan of a circuit.
type Plan struct {
	Width      float64 `toml:"width_m"`        // of the road where no piece says otherwise
	Road       string  `toml:"road"`           // surface of the road
	Verge      string  `toml:"verge"`          // surface beside it
	VergeWidth float64 `toml:"verge_m"`        // from the edge to the open terrain
	Shoulder   float64 `toml:"shoulder_m"`     // of that what goes on as the road does, even and with its features
	KerbWidth  float64 `toml:"kerb_m"`         // of the kerbs
	KerbHeight float64 `toml:"kerb_height_mm"` // of their backs above the road

	Pieces   []Piece   `toml:"piece"`   // in driving order
	Parts    []Part    `toml:"part"`    // of another surface; the last counts
	Features []Feature `toml:"feature"` // bumps, waves and ramps
}

// Default is a road of a club circuit's width, in grass.
func Default() Plan {
	return Plan{Width: 10, Road: "tarmac", Verge: "grass", VergeWidth: 12, Shoulder: 1.5, KerbWidth: 1, KerbHeight: 40}
}

// Piece is a part of a road's centre line: a straight if Turn is 0, else a
// bend whose curvature grows evenly over Ramp metres, stays at 1/Radius and
// falls again, so that the steering wheel never has to jump.
type Piece struct {
	Name   string   `toml:"name"`     // for those who lay something on it
	Length float64  `toml:"length_m"` // of a straight; a guess for a free one
	Free   bool     `toml:"free"`     // a straight whose length closes the circuit; there are two
	Turn   float64  `toml:"turn_deg"` // of a bend, positive to the left
	Radius float64  `toml:"radius_m"` // of a bend
	Ramp   float64  `toml:"ramp_m"`   // of a bend: length of each transition
	Height *float64 `toml:"height_m"` // of the road at its end; where none is given the road finds its way
	Bank   float64  `toml:"bank_deg"` // of a bend, positive towards its inside
	Width  float64  `toml:"width_m"`  // of the road at its end, 0 for that of the layout
	Kerb   string   `toml:"kerb"`     // none, inside, outside or both; by itself inside of tight bends
}

// Stretch is a part of a road as seen from above. Both sides 0 is the whole width.
type Stretch struct {
	On    string  `toml:"on"`      // the piece that it is measured from, by its name; by itself the start
	From  float64 `toml:"from_m"`  // along the road from that piece's start
	To    float64 `toml:"to_m"`    // the same
	Right float64 `toml:"right_m"` // its right side, beside the centre line, positive to the left
	Left  float64 `toml:"left_m"`  // its left side
}

// Part is a stretch of another surface.
type Part struct {
	Stretch
	Surface string `toml:"surface"`
	Area    string `toml:"area"` // a name makes it an area whose grip can change during a run
}

// Feature is something that rises from a stretch of a road, or sinks into it.
//
// A bump is one wave of a cosine as long as the stretch, waves are as many as fit, a
// ramp goes up by its grade, on and down again, with rounded corners.
type Feature struct {
	Stretch
	Kind   string  `toml:"kind"`          // bump, waves or ramp
	Height float64 `toml:"height_mm"`     // negative is down
	Pitch  float64 `toml:"pitch_m"`       // of waves
	Grade  float64 `toml:"grade_percent"` // of a ramp
}

// Validate reports every value that is out of range.
func (l Plan) Validate() error {
	errs := []error{
		valid.InRange("width_m", l.Width, 2, 60),
		valid.InRange("verge_m", l.VergeWidth, 2, 200),
		valid.InRange("shoulder_m", l.Shoulder, 0, l.VergeWidth-0.5),
		valid.InRange("kerb_m", l.KerbWidth, 0.1, 5),
		valid.InRange("kerb_height_mm", l.KerbHeight, 0, 200),
	}
	if len(l.Pieces) == 0 {
		errs = append(errs, errors.New("piece: there is none: a road needs at least one"))
	}
	if len(l.Pieces) > 1000 || len(l.Parts) > 1000 || len(l.Features) > 1000 {
		return errors.Join(append(errs, errors.New("piece, part and feature: 1000 of each at most"))...)
	}
	for i, p := range l.Pieces {
		errs = append(errs, valid.Within(fmt.Sprintf("piece[%d]", i), p.Validate()))
		if p.Bank != 0 && p.Ramp == 0 && len(l.Pieces) > 1 { // a ring alone is banked all round
			errs = append(errs, fmt.Errorf("piece[%d].bank_deg = %g: needs ramp_m, over which it comes and goes", i, p.Bank))
		}
	}
	for i, f := range l.Features {
		errs = append(errs, valid.Within(fmt.Sprintf("feature[%d]", i), f.Validate()))
	}
	return errors.Join(errs...)
}

// Validate reports the first value that makes no road.
func (p Piece) Validate() error {
	switch p.Kerb {
	case "", "none", "inside", "outside", "both":
	default:
		return fmt.Errorf("kerb = %q: choose none, inside, outside or both", p.Kerb)
	}
	if p.Width != 0 && !(p.Width >= 2 && p.Width <= 60) {
		return valid.InRange("width_m", p.Width, 2, 60)
	}
	if h := p.Height; h != nil && !(math.Abs(*h) <= 1e4) {
		return valid.InRange("height_m", *h, -1e4, 1e4)
	}
	if p.Turn == 0 {
		if p.Bank != 0 {
			return errors.New("bank_deg: a straight has none")
		}
		return valid.InRange("length_m", p.Length, 0.1, 100e3)
	}
	return errors.Join(
		valid.InRange("turn_deg", p.Turn, -720, 720),
		valid.InRange("radius_m", p.Radius, 5, 20e3),
		valid.InRange("bank_deg", p.Bank, -10, 45),
		valid.InRange("ramp_m", p.Ramp, 0, p.angle()*p.Radius))
}

// angle returns how far a bend turns [rad].
func (p Piece) angle() float64 { return math.Abs(p.Turn) * math.Pi / 180 }

// Validate reports every value that is out of range.
func (f Feature) Validate() error {
	errs := []error{valid.InRange("height_mm", f.Height, -5e3, 20e3)}
	switch f.Kind {
	case "bump":
	case "waves":
		errs = append(errs, valid.InRange("pitch_m", f.Pitch, 0.1, 100))
	case "ramp":
		errs = append(errs, valid.InRange("grade_percent", f.Grade, 1, 100))
	default:
		errs = append(errs, fmt.Errorf("kind = %q: choose bump, waves or ramp", f.Kind))
	}
	return errors.Join(errs...)
}
