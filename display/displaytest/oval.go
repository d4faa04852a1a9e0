// Package displaytest returns scenes, and frames of a car in them, for the tests of display, hud and scene.
// In: nothing, or a position along the track.
// Out: a new frame.Scene or frame.Frame, which the caller may change.
// It is deterministic, and never part of the program rig.
package displaytest

import (
	"math"

	"rig.example/rig/internal/core/frame"
)

// The oval has two straights of 300 m and two half circles of 80 m radius. It runs counter-clockwise from
// the middle of the lower straight and has 300 points.
const (
	OvalStraight = 300.0
	OvalRadius   = 80.0
	OvalPoints   = 300
)

// ovalAt returns the position [m] and heading [rad, 0 along x, positive to the left] at station s [m] of the oval.
func ovalAt(s float64) (x, y, heading float64) {
	turnLength := math.Pi * OvalRadius
	s = math.Mod(s+OvalStraight/2, 2*(OvalStraight+turnLength))
	secondHalf := s >= OvalStraight+turnLength
	if secondHalf {
		s -= OvalStraight + turnLength
	}
	heading = 0
	if s < OvalStraight {
		x, y = s-OvalStraight/2, -OvalRadius
	} else {
		heading = (s - OvalStraight) / OvalRadius
		x = OvalStraight/2 + OvalRadius*math.Sin(heading)
		y = -OvalRadius * math.Cos(heading)
	}
	if secondHalf {
		return -x, -y, heading + math.Pi
	}
	return x, y, heading
}

// The materials of the oval and the hill, as indices into frame.Scene.Materials.
const (
	Tarmac uint8 = iota
	Grass
	Wet
)

var materials = []frame.Material{
	{Name: "tarmac", Colour: [3]float64{0.07, 0.07, 0.075}}, {Name: "grass", Colour: [3]float64{0.07, 0.16, 0.03}},
	{Name: "wet", Colour: [3]float64{0.01, 0.01, 0.012}},
}

// Oval returns the scene of an oval with kerbs on the inside of its turns (on the left) and on the right
// of a part of the lower straight.
func Oval() *frame.Scene {
	s := &frame.Scene{Closed: true, Start: 15, Materials: materials, Names: Names, Car: frame.Car{
		Length: 4.5, Width: 1.86, Height: 1.28, CGHeight: 0.46,
		CGToFront: 1.25, Wheelbase: 2.6, WheelRadius: 0.33, SteerRatio: 14,
	}}
	length := 2 * (OvalStraight + math.Pi*OvalRadius)
	for i := range OvalPoints {
		station := length * float64(i) / OvalPoints
		x, y, heading := ovalAt(station)
		p := frame.Point{X: x, Y: y, Left: 5, Right: 5, VergeLeft: 10, VergeRight: 10}
		if h := math.Mod(heading, math.Pi); h > 0.01 && h < math.Pi-0.01 {
			p.KerbLeft = 0.9
		}
		if station > 20 && station < 140 {
			p.KerbRight = 0.9
		}
		for k := range p.Materials {
			if d := p.MaterialOffset(k); d > 5 || d < -5 {
				p.Materials[k] = Grass
			}
		}
		s.Points = append(s.Points, p)
	}
	return s
}

// OvalFrame returns a frame of a car at station s [m] of the oval, at 30 m/s and steered to the left.
func OvalFrame(s float64) *frame.Frame {
	scene := Oval()
	x, y, heading := ovalAt(s)
	sin, cos := math.Sincos(heading)
	f := &frame.Frame{
		Tick: 1, State: 4,
		Flags: frame.WheelPresent | frame.PedalsPresent | frame.PlatformPresent | frame.Demo | frame.EngineRunning | frame.AutoGears,
		Pos:   [3]float64{x, y, scene.CGHeight},
		Att:   [4]float64{math.Cos(heading / 2), 0, 0, math.Sin(heading / 2)},
		Vel:   [3]float64{30 * cos, 30 * sin, 0},
		Speed: 30, Gear: 4, RPM: 5200, Steer: 0.6, Throttle: 0.7, Brake: 0.1,
		Fuel: 38.4, Charge: 0.7,
		RimTorque: -3.1, AskedTorque: -7, RatedTorque: 8,
		Pose:         frame.Pose{frame.Roll: 0.06, frame.Pitch: -0.035},
		Motion:       frame.Motion{LegCount: 3},
		Legs:         [8]float64{0.62, 0.38, 0.55, 0.5, 0.5, 0.5},
		LegsFeedback: [8]float64{0.58, 0.42, 0.53, math.NaN(), math.NaN(), math.NaN()},
		Station:      s,
	}
	for i := range f.Wheels {
		const halfTrack = 0.79                      // [m]
		forward, left := scene.CGToFront, halfTrack // position of the hub relative to the center of mass [m]
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
