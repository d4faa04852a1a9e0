// Package displaytest holds what the tests of the display and of its parts look at: scenes, and
// frames of a car in them. It is part of no program.
package displaytest

import (
	"math"

	"rig.example/rig/internal/frame"
)

// The oval: two straights of 300 m, two half circles of 80 m
// radius, 300 points, run counter-clockwise from the middle of the lower straight.
const (
	OvalStraight = 300.0
	OvalRadius   = 80.0
	OvalPoints   = 300
)

// ovalAt returns the place and heading at station s on the oval.
func ovalAt(s float64) (x, y, heading float64) {
	turn := math.Pi * OvalRadius
	s = math.Mod(s+OvalStraight/2, 2*(OvalStraight+turn))
	side := 1.0
	if s >= OvalStraight+turn {
		s -= OvalStraight + turn
		side = -1
	}
	heading = 0
	if s < OvalStraight {
		x, y = s-OvalStraight/2, -OvalRadius
	} else {
		heading = (s - OvalStraight) / OvalRadius
		x = OvalStraight/2 + OvalRadius*math.Sin(heading)
		y = -OvalRadius * math.Cos(heading)
	}
	if side < 0 {
		return -x, -y, heading + math.Pi
	}
	return x, y, heading
}

// The materials of the oval and the hill.
const (
	Tarmac uint8 = iota
	Grass
	Wet
)

var materials = []frame.Material{
	{Name: "tarmac", Colour: [3]float64{0.07, 0.07, 0.075}}, {Name: "grass", Colour: [3]float64{0.07, 0.16, 0.03}},
	{Name: "wet", Colour: [3]float64{0.01, 0.01, 0.012}},
}

// Oval has kerbs inside of its turns (on the left) and, in the second
// half of the lower straight, on the right.
func Oval() *frame.Scene {
	s := &frame.Scene{Closed: true, Start: 15, Materials: materials, Car: frame.Car{
		Length: 4.5, Width: 1.86, Height: 1.28, CGHeight: 0.46,
		CGToFront: 1.25, Wheelbase: 2.6, WheelRadius: 0.33, SteerRatio: 14,
	}}
	length := 2 * (OvalStraight + math.Pi*OvalRadius)
	for i := range OvalPoints {
		at := length * float64(i) / OvalPoints
		x, y, heading := ovalAt(at)
		p := frame.Point{X: x, Y: y, Left: 5, Right: 5, VergeLeft: 10, VergeRight: 10}
		if h := math.Mod(heading, math.Pi); h > 0.01 && h < math.Pi-0.01 {
			p.KerbLeft = 0.9
		}
		if at > 20 && at < 140 {
			p.KerbRight = 0.9
		}
		for k := range p.Paint {
			if d := p.PaintOffset(k); d > 5 || d < -5 {
				p.Paint[k] = Grass
			}
		}
		s.Points = append(s.Points, p)
	}
	return s
}

// OvalFrame is a car at station s of the oval, at 30 m/s in a left-hand bend.
func OvalFrame(s float64) *frame.Frame {
	scene := Oval()
	x, y, heading := ovalAt(s)
	sin, cos := math.Sincos(heading)
	f := &frame.Frame{
		Tick: 1, State: 4,
		Flags: frame.WheelPresent | frame.PedalsPresent | frame.PlatformPresent | frame.Demo | frame.EngineRuns | frame.AutoGears,
		Pos:   [3]float64{x, y, scene.CGHeight},
		Att:   [4]float64{math.Cos(heading / 2), 0, 0, math.Sin(heading / 2)},
		Vel:   [3]float64{30 * cos, 30 * sin, 0},
		Speed: 30, Gear: 4, RPM: 5200, Steer: 0.6, Throttle: 0.7, Brake: 0.1,
		Fuel: 38.4, Charge: 0.7,
		RimTorque: -3.1, AskedTorque: -7, RatedTorque: 8,
		Pose:         frame.Pose{frame.Roll: 0.06, frame.Pitch: -0.035},
		Motion:       frame.Motion{Legs: 3},
		Legs:         [8]float64{0.62, 0.38, 0.55, 0.5, 0.5, 0.5},
		LegsFeedback: [8]float64{0.58, 0.42, 0.53, math.NaN(), math.NaN(), math.NaN()},
		Station:      s,
	}
	for i := range f.Wheels {
		forward, left := scene.CGToFront, 0.79
		if i >= 2 {
			forward -= scene.Wheelbase
		}
		if i%2 == 1 {
			left = -left
		}
		w := &f.Wheels[i]
		w.Pos = [3]float64{x + forward*cos - left*sin, y + forward*sin + left*cos, scene.WheelRadius}
		w.Rotation = 1.2
		if i < 2 {
			w.Steer = f.Steer / scene.SteerRatio * 4
		}
	}
	return f
}
