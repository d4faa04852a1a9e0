package omct

import (
	"errors"
	"fmt"
	"math"
	"math/cmplx"
	"runtime"
	"sync"

	"rig.example/rig/cueing"
	"rig.example/rig/internal/kit/valid"
)

// Platform describes all that a drive has between the car's motion and the actuators.
type Platform struct {
	Cueing   cueing.Config
	Tuning   cueing.Tuning
	Geometry cueing.Geometry
	Span     cueing.Span // range of the legs' lengths

	// NewInterpolator returns a function that converts each target to the lengths to which the actuators
	// are sent. It is called once per measurement, because the function may have a state. nil sends the
	// actuators to the targets themselves.
	NewInterpolator func() func(cueing.Legs) cueing.Legs
	TargetPeriod    int // ticks from one target to the next; 0 is 1
}

// Options say how the test is done.
type Options struct {
	Size float64    // amplitude of the vehicle's motion over that of the standard
	Head [3]float64 // position of the driver's head relative to the platform's reference point, x, y and z [m]
	Dt   float64    // time step of the cueing [s]; 1 ms in a drive

	Progress func(share float64) // is called with the share of the test that is done; may be nil
}

// DefaultOptions measure as the standard does, with the head at the reference point.
func DefaultOptions() Options { return Options{Size: 1, Dt: 1e-3} }

// Validate returns an error for every field that is out of range.
func (o Options) Validate() error {
	if err := errors.Join(
		valid.InRange("--size", o.Size, 1e-3, 10),
		valid.InRange("--head-m x", o.Head[0], -3, 3), valid.InRange("--head-m y", o.Head[1], -3, 3), valid.InRange("--head-m z", o.Head[2], -3, 3),
		valid.InRange("dt", o.Dt, 1e-4, 0.01),
	); err != nil {
		return fmt.Errorf("omct: %w", err)
	}
	return nil
}

// Result is the result of the test: how the platform reproduces each motion of the vehicle.
type Result struct {
	Mode     string  `json:"mode"`
	Geometry string  `json:"geometry"`
	Tuned    string  `json:"tuned,omitempty"` // tuning factors that are not 1, formatted for people; empty if all are 1
	Size     float64 `json:"size"`            // amplitude of the vehicle's motion over that of the standard
	Summary  string  `json:"summary"`         // the result in one sentence
	Felt     []Felt  `json:"felt"`
	Tests    []Test  `json:"tests"`
}

// Test is one channel at all frequencies.
type Test struct {
	Number       int     `json:"number"`   // 1..10, as the standard counts
	VehicleAxis  string  `json:"vehicle"`  // axis of the vehicle's motion
	PlatformAxis string  `json:"platform"` // axis of the platform's motion that is measured
	Direct       bool    `json:"direct"`
	Unit         string  `json:"gain_unit"`
	Points       []Point `json:"points"`
}

// Point is one frequency of a test.
type Point struct {
	Omega      float64  `json:"omega_rad_per_s"`
	Hz         float64  `json:"hz"`
	Input      float64  `json:"input_amplitude"` // m/s² or deg
	Gain       float64  `json:"gain"`
	Phase      *float64 `json:"phase_deg"`  // phase of the platform, negative where it lags the vehicle; null if the platform does not move
	Distortion *float64 `json:"distortion"` // amplitude of the harmonics over that of the fundamental; null if the platform does not move
	Scale      float64  `json:"scale"`      // smallest factor by which the workspace's limits scaled a pose, 0 to 1
}

// minGain is the gain below which phase and distortion are not defined.
const minGain = 1e-5

// Run does the test on all processors. Its result does not depend on the number of processors.
func Run(p Platform, o Options) (*Result, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	var outcomes [axes][Count]outcome
	jobs := make([]*measurement, 0, axes*Count)
	for axis := range axes {
		for _, omega := range Frequencies() {
			d, err := newMeasurement(p, o, axis, omega)
			if err != nil {
				return nil, err
			}
			jobs = append(jobs, d)
		}
	}
	inParallel(len(jobs), o.Progress, func(i int) { outcomes[i/Count][i%Count] = jobs[i].run() })
	r := &Result{Mode: p.Cueing.Mode, Geometry: p.Geometry.Kind, Size: o.Size}
	for i, c := range channels {
		r.Tests = append(r.Tests, c.test(i+1, &outcomes[c.from]))
	}
	r.summarize()
	return r, nil
}

// inParallel calls work for 0..n-1 on all processors.
func inParallel(n int, progress func(share float64), work func(i int)) {
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
		if progress != nil {
			progress(float64(i) / float64(n))
		}
		next <- i
	}
	close(next)
	wg.Wait()
}

// test returns the test of a channel from the outcomes of the vehicle's motion in one axis.
func (c channel) test(number int, outcomes *[Count]outcome) Test {
	t := Test{Number: number, VehicleAxis: axisNames[c.from], PlatformAxis: axisNames[c.to], Direct: c.from == c.to, Unit: c.unit()}
	for i := range outcomes {
		t.Points = append(t.Points, c.point(&outcomes[i]))
	}
	return t
}

// degrees is one radian in degrees.
const degrees = 180 / math.Pi

// point returns the gain and phase of a channel at one frequency, in the units of the test.
func (c channel) point(o *outcome) Point {
	p := Point{Omega: o.omega, Hz: o.omega / (2 * math.Pi), Input: o.amplitude, Gain: cmplx.Abs(o.response[c.to]), Scale: o.minScale}
	if p.Gain > minGain {
		phase, distortion := cmplx.Phase(o.response[c.to])*degrees, o.distortion[c.to]
		p.Phase, p.Distortion = &phase, &distortion
	}
	if isRotation(c.from) {
		p.Input *= degrees
		p.Gain /= degrees
	}
	if isRotation(c.to) {
		p.Gain *= degrees
	}
	return p
}
