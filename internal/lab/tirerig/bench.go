// Package tirerig is a test rig for tires without the machine, as `rig tire`
// uses it: it holds a tire at steady slips and notes the forces. In go a tire
// and what is asked of it, out come sweeps, batches of points, plots and a
// summary. It never rolls a tire from one state into another: that is what
// package tire does in a car.
package tirerig

import (
	"fmt"
	"math"
	"strings"

	"rig.example/rig/internal/config"
	"rig.example/rig/internal/source"
	"rig.example/rig/sim/tire"
)

// Bench is a tire on a surface. Pressure and Speed hold where a point does not
// say its own; 0 is the tire's own.
type Bench struct {
	Tire        *tire.Tire
	Surface     tire.Surface
	SurfaceName string
	Pressure    float64 // [Pa]
	Speed       float64 // [m/s]
}

// Point is what one line of a test asks, in the axes of package tire.
type Point struct {
	Kappa    float64 // longitudinal slip, driving is positive
	Alpha    float64 // slip angle [rad]
	Gamma    float64 // inclination [rad]
	Load     float64 // [N]
	Pressure float64 // [Pa]; 0 is the bench's
	Speed    float64 // [m/s]; 0 is the bench's
}

// Forces returns what the tire answers to a point in steady state. Everything
// on this bench asks through it, so that the same point has the same bits in
// a sweep and in a batch.
func (b *Bench) Forces(p Point) tire.Forces {
	f := b.Tire.Model.Forces(b.contact(p))
	// A sum with 0 takes the sign off a -0, which would only look odd in a table.
	return tire.Forces{Fx: f.Fx + 0, Fy: f.Fy + 0, Mx: f.Mx + 0, My: f.My + 0, Mz: f.Mz + 0}
}

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

// Open finds a tire: a built-in one by its name, or a file whose name ends
// with .tir or has a slash. Its faults are *config.Problem.
func Open(name string) (*tire.Tire, error) {
	if !strings.HasSuffix(strings.ToLower(name), ".tir") && !strings.Contains(name, "/") {
		t, err := tire.Builtin(name)
		if err != nil {
			return nil, &config.Problem{File: "tire", Text: strings.TrimPrefix(err.Error(), "tire: ")}
		}
		return t, nil
	}
	data, err := source.Read(name, source.Text)
	if err != nil {
		return nil, unreadable(name, err)
	}
	t, err := tire.Parse(name, data)
	if err != nil {
		return nil, config.TireProblems(err)
	}
	return t, nil
}

// wrong is a fault of how the bench was asked: flag names what is wrong.
func wrong(flag, format string, args ...any) error {
	return &config.Problem{File: flag, Text: fmt.Sprintf(format, args...)}
}

// Edges of what the bench takes, and what a tire of a car ever sees.
const (
	mostLoad  = 1e6 // [N]
	mostKappa = 1e6
	leastKPa  = 10
	mostKPa   = 2000
	mostSpeed = 500 // [m/s]

	perKPa     = 1e3 // [Pa]
	perDegree  = math.Pi / 180
	rightAngle = math.Pi / 2
)

// SetPressure holds the tire at an inflation [kPa].
func (b *Bench) SetPressure(kPa float64) error {
	if text := badPressure(kPa); text != "" {
		return wrong("--pressure", "%s", text)
	}
	b.Pressure = kPa * perKPa
	return nil
}

// SetSpeed rolls the tire at a speed [m/s].
func (b *Bench) SetSpeed(v float64) error {
	if text := badSpeed(v); text != "" {
		return wrong("--speed", "%s", text)
	}
	b.Speed = v
	return nil
}

// SetSurface puts the tire on a surface by its name.
func (b *Bench) SetSurface(name string) error {
	s, err := tire.SurfaceNamed(name)
	if err != nil {
		return wrong("--surface", "%s", strings.TrimPrefix(err.Error(), "tire: "))
	}
	b.Surface, b.SurfaceName = s, name
	return nil
}

// badPressure says what is wrong with an inflation [kPa], or nothing.
func badPressure(kPa float64) string {
	if kPa >= leastKPa && kPa <= mostKPa {
		return ""
	}
	return fmt.Sprintf("%g kPa: allowed is %d to %d kPa above the air's; 1 bar is 100 kPa", kPa, leastKPa, mostKPa)
}

// badSpeed says what is wrong with a speed [m/s], or nothing.
func badSpeed(v float64) string {
	if v > 0 && v <= mostSpeed {
		return ""
	}
	return fmt.Sprintf("%g m/s: the test runs forward; give a speed above 0 and up to %d m/s", v, mostSpeed)
}
