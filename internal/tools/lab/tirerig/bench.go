// Package tirerig is a simulated tire test rig, for `rig tire`: it holds a tire at
// steady slips and records the forces. Its input is a tire and its conditions;
// its output is sweeps, batches of points, plots and a summary. It is steady-state
// only: transients are package tire's.
package tirerig

import (
	"fmt"
	"math"
	"strings"

	"rig.example/rig/internal/files/config"
	"rig.example/rig/internal/kit/userfile"
	"rig.example/rig/sim/tire"
)

// Bench is a tire on a surface. Pressure and Speed apply where a point has none; 0 is the tire's nominal
// value.
type Bench struct {
	Tire        *tire.Tire
	Surface     tire.Surface
	SurfaceName string
	Pressure    float64 // [Pa]
	Speed       float64 // [m/s]
}

// Point is one test condition, in the axes of package tire.
type Point struct {
	Kappa    float64 // longitudinal slip, driving is positive
	Alpha    float64 // slip angle [rad]
	Gamma    float64 // inclination [rad]
	Load     float64 // [N]
	Pressure float64 // inflation pressure [Pa]; 0 is the bench's
	Speed    float64 // [m/s]; 0 is the bench's
}

// Forces returns the tire's steady forces at a point. Every result of this package comes from it, so
// that a point has the same bits in a sweep and in a batch.
func (b *Bench) Forces(p Point) tire.Forces {
	f := b.Tire.Model.Forces(b.contact(p))
	// Adding 0 turns -0 into 0, which reads better in a table.
	return tire.Forces{Fx: f.Fx + 0, Fy: f.Fy + 0, Mx: f.Mx + 0, My: f.My + 0, Mz: f.Mz + 0}
}

// contact returns the contact of a point, with the bench's conditions where it has none.
func (b *Bench) contact(p Point) tire.Contact {
	c := tire.Contact{
		Kappa: p.Kappa, TanAlpha: math.Tan(p.Alpha), Gamma: p.Gamma, Load: p.Load, Surface: b.Surface,
		Pressure: b.Pressure, Speed: b.Speed,
	}
	if p.Pressure > 0 {
		c.Pressure = p.Pressure
	}
	if p.Speed > 0 {
		c.Speed = p.Speed
	}
	return c
}

// Open returns a built-in tire by its name, or one from a file whose name ends with .tir or has a slash.
// Its errors are *config.Problem.
func Open(name string) (*tire.Tire, error) {
	if !strings.HasSuffix(strings.ToLower(name), ".tir") && !strings.Contains(name, "/") {
		t, err := tire.Builtin(name)
		if err != nil {
			return nil, &config.Problem{File: "tire", Text: strings.TrimPrefix(err.Error(), "tire: ")}
		}
		return t, nil
	}
	data, err := userfile.Read(name, userfile.MaxText)
	if err != nil {
		return nil, readError(name, err)
	}
	t, err := tire.Parse(name, data)
	if err != nil {
		return nil, config.TireProblems(err)
	}
	return t, nil
}

// flagError returns an error about the value of a flag.
func flagError(flag, format string, args ...any) error {
	return &config.Problem{File: flag, Text: fmt.Sprintf(format, args...)}
}

// Limits of the bench's input.
const (
	maxLoad  = 1e6 // [N]
	maxKappa = 1e6
	minKPa   = 10
	maxKPa   = 2000
	maxSpeed = 500 // [m/s]

	perKPa     = 1e3           // 1 kPa [Pa]
	perDegree  = math.Pi / 180 // 1 degree [rad]
	rightAngle = math.Pi / 2   // [rad]
)

// SetPressure sets the inflation pressure [kPa].
func (b *Bench) SetPressure(kPa float64) error {
	if text := pressureProblem(kPa); text != "" {
		return flagError("--pressure", "%s", text)
	}
	b.Pressure = kPa * perKPa
	return nil
}

// SetSpeed sets the rolling speed [m/s].
func (b *Bench) SetSpeed(v float64) error {
	if text := speedProblem(v); text != "" {
		return flagError("--speed", "%s", text)
	}
	b.Speed = v
	return nil
}

// SetSurface sets the surface by its name.
func (b *Bench) SetSurface(name string) error {
	s, err := tire.SurfaceNamed(name)
	if err != nil {
		return flagError("--surface", "%s", strings.TrimPrefix(err.Error(), "tire: "))
	}
	b.Surface, b.SurfaceName = s, name
	return nil
}

// pressureProblem returns what is wrong with an inflation pressure [kPa], "" if nothing is.
func pressureProblem(kPa float64) string {
	if kPa >= minKPa && kPa <= maxKPa {
		return ""
	}
	return fmt.Sprintf("%g kPa: must be %d to %d kPa above atmospheric pressure; 1 bar is 100 kPa", kPa, minKPa, maxKPa)
}

// speedProblem returns what is wrong with a speed [m/s], "" if nothing is.
func speedProblem(v float64) string {
	if v > 0 && v <= maxSpeed {
		return ""
	}
	return fmt.Sprintf("%g m/s: must be above 0 and up to %d m/s", v, maxSpeed)
}
