// Package benchmark measures what rig's calculations cost on the machine that it runs on: steps of the car on several
// grounds, the stages of a whole tick, and how the cost grows with triangles, rays and actuators.
//
// Inputs are built-in cars and circuits; the output is a Report. It uses no device and no real-time priority. Every
// figure is the lower quartile of short runs, so that other programs disturb it little.
package benchmark

import (
	"context"
	"fmt"
	"slices"
	"time"

	"gonum.org/v1/gonum/stat"

	"rig.example/rig/sim"
)

// Report is what a calculation costs on this machine.
type Report struct {
	Steps     []Cost  `json:"steps"`     // one step of the car
	Tick      Cost    `json:"tick"`      // a whole tick of the demo, without devices
	Stages    []Cost  `json:"stages"`    // parts of that tick
	Triangles []Point `json:"triangles"` // a step over the number of triangles of the ground
	Rays      []Point `json:"rays"`      // a step over the number of rays of each wheel
	Actuators []Point `json:"actuators"` // motion cueing over the number of actuators
}

// Cost is the time of one calculation.
type Cost struct {
	Name        string  `json:"name"`
	Nanoseconds float64 `json:"ns"`
	RealTime    float64 `json:"real_time_factor"` // how many times faster than real time it is at 1 kHz
}

// newCost returns the cost of a calculation that takes a time [ns], at least 1.
func newCost(name string, ns float64) Cost {
	ns = max(ns, 1)
	return Cost{Name: name, Nanoseconds: ns, RealTime: sim.Dt * 1e9 / ns}
}

// Point is a point of a curve of costs.
type Point struct {
	Count       int     `json:"count"`
	Nanoseconds float64 `json:"ns"`
}

// Measure measures for about as long as budget, and longer on a slow machine. It tells progress what it begins. It
// returns early with ctx's error.
func Measure(ctx context.Context, budget time.Duration, progress func(what string)) (*Report, error) {
	var r Report
	share := budget / 24 // of one figure
	for _, part := range []struct {
		what string
		run  func(share time.Duration) error
	}{
		{"steps of the car", r.measureSteps},
		{"stages of a tick", r.measureTick},
		{"triangles", r.measureTriangles},
		{"rays", r.measureRays},
		{"actuators", r.measureActuators},
	} {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		progress(part.what)
		if err := part.run(share); err != nil {
			return nil, fmt.Errorf("speed: %s: %w", part.what, err)
		}
	}
	return &r, nil
}

const chunk = 250 // calls that are timed together

// timed returns the mean time of a call in a chunk of them [ns].
func timed(call func()) float64 {
	start := time.Now()
	for range chunk {
		call()
	}
	return float64(time.Since(start).Nanoseconds()) / chunk
}

// pace returns the time of a call [ns], measured within a time.
func pace(within time.Duration, call func()) float64 {
	var list []float64
	for start := time.Now(); len(list) < 5 || time.Since(start) < within; {
		list = append(list, timed(call))
	}
	return quantile(list, 0.25)
}

// extra returns the times of chunks of base [ns], and by how much a call takes longer [ns]: the median of the differences
// between chunks that alternate.
func extra(within time.Duration, base, call func()) (bases []float64, more float64) {
	var list []float64
	for start := time.Now(); len(list) < 9 || time.Since(start) < within; {
		without := timed(base)
		bases, list = append(bases, without), append(list, timed(call)-without)
	}
	return bases, quantile(list, 0.5)
}

// quantile returns the value of a list below which a share of it lies. It sorts the list.
func quantile(list []float64, share float64) float64 {
	slices.Sort(list)
	return stat.Quantile(share, stat.Empirical, list, nil)
}
