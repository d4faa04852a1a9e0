package omct

import (
	"errors"
	"fmt"
	"math"
	"math/cmplx"
	"runtime"
	"sync"

	"rig.example/rig/cueing"
)

// Platform is all that stands between the car's motion and the actuators of a running rig.
type Platform struct {
	Cueing   cueing.Config
	Tuning   cueing.Tuning
	Geometry cueing.Geometry
	Span     cueing.Span // of its legs

	// Path returns what makes of a demand where the actuators are sent, one for each swing,
	// which is asked every Every ticks. nil where they are sent to the demand itself.
	Path  func() func(cueing.Legs) cueing.Legs
	Every int
}

// Options say what is measured.
type Options struct {
	Size float64    // of the vehicle's motion, 1 is the standard's
	Head [3]float64 // of the driver, over the platform's reference point [m]
	Dt   float64    // of the cueing [s]; the rig's is 1 ms
}

// DefaultOptions measure as the standard does, with the head at the reference point.
func DefaultOptions() Options { return Options{Size: 1, Dt: 1e-3} }

// Validate reports every field that is out of range.
func (o Options) Validate() error {
	return errors.Join(
		inRange("size", o.Size, 1e-3, 10),
		inRange("head x", o.Head[0], -3, 3), inRange("head y", o.Head[1], -3, 3), inRange("head z", o.Head[2], -3, 3),
		inRange("dt", o.Dt, 1e-4, 0.01),
	)
}

func inRange(name string, v, low, high float64) error {
	if v >= low && v <= high { // false for NaN
		return nil
	}
	return fmt.Errorf("omct: %s: %g is out of range; %g..%g", name, v, low, high)
}

// Result is what the platform gives, test by test.
type Result struct {
	Mode     string  `json:"mode"`
	Geometry string  `json:"geometry"`
	Tuned    string  `json:"tuned,omitempty"` // factors that are not 1, as people read them
	Size     float64 `json:"size"`            // of the vehicle's motion, 1 is the standard's
	Summary  string  `json:"summary"`         // in a sentence
	Felt     []Felt  `json:"felt"`
	Tests    []Test  `json:"tests"`
}

// Test is one channel at all frequencies.
type Test struct {
	Number int     `json:"number"` // 1..10, as the standard counts
	From   string  `json:"vehicle"`
	To     string  `json:"platform"`
	Direct bool    `json:"direct"`
	Unit   string  `json:"gain_unit"`
	Points []Point `json:"points"`
}

// Point is one frequency of a test.
type Point struct {
	Omega      float64  `json:"omega_rad_per_s"`
	Hz         float64  `json:"hz"`
	Input      float64  `json:"input_amplitude"` // m/s² or deg
	Gain       float64  `json:"gain"`
	Phase      *float64 `json:"phase_deg"`  // of the platform behind the vehicle below 0; null where there is no motion
	Distortion *float64 `json:"distortion"` // what swings at multiples of the frequency, as a share; null likewise
	Scale      float64  `json:"scale"`      // least that the workspace left of a pose
}

// nothing is the gain below which there is no motion to tell a phase of.
const nothing = 1e-5

// Run measures. It works on all processors and its result does not depend on how many.
func Run(p Platform, o Options) (*Result, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	var outcomes [axes][Count]outcome
	jobs := make([]*drive, 0, axes*Count)
	for axis := range axes {
		for _, omega := range Frequencies() {
			d, err := newDrive(p, o, axis, omega)
			if err != nil {
				return nil, err
			}
			jobs = append(jobs, d)
		}
	}
	each(len(jobs), func(i int) { outcomes[i/Count][i%Count] = jobs[i].run() })
	r := &Result{Mode: p.Cueing.Mode, Geometry: p.Geometry.Kind, Size: o.Size}
	for i, c := range channels {
		r.Tests = append(r.Tests, c.test(i+1, &outcomes[c.from]))
	}
	r.sum()
	return r, nil
}

// each calls work for 0..n-1 on all processors.
func each(n int, work func(i int)) {
	next := make(chan int)
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for i := range next {
				work(i)
			}
		})
	}
	for i := range n {
		next <- i
	}
	close(next)
	wg.Wait()
}

// test picks a channel out of what the vehicle's motion in one axis led to.
func (c channel) test(number int, outcomes *[Count]outcome) Test {
	t := Test{Number: number, From: axisNames[c.from], To: axisNames[c.to], Direct: c.from == c.to, Unit: c.unit()}
	for i := range outcomes {
		t.Points = append(t.Points, c.point(&outcomes[i]))
	}
	return t
}

const degrees = 180 / math.Pi

func (c channel) point(o *outcome) Point {
	p := Point{Omega: o.omega, Hz: o.omega / (2 * math.Pi), Input: o.amplitude, Gain: cmplx.Abs(o.response[c.to]), Scale: o.scale}
	if p.Gain > nothing {
		phase, distortion := cmplx.Phase(o.response[c.to])*degrees, o.distortion[c.to]
		p.Phase, p.Distortion = &phase, &distortion
	}
	if rotates(c.from) {
		p.Input *= degrees
		p.Gain /= degrees
	}
	if rotates(c.to) {
		p.Gain *= degrees
	}
	return p
}
