package sound

import (
	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/kit/valid"
)

// Car is what does not change during a drive: how the car and the ground sound.
type Car struct {
	cylinders  int // 0 for an electric car
	turbo      bool
	idleRPM    float64
	limitRPM   float64 // at which the engine's torque ends
	peakTorque float64 // [N·m]
	wheelbase  float64 // [m]
	travel     [2]float64
	hasLine    bool // stations are known

	materials       []material // of the ground, and behind them those below the wheels of another simulator's car
	groundMaterials int
}

// Materials below another simulator's car, counted from Car.groundMaterials: a road, grass or gravel, and a rumble strip.
const (
	followedRoad = iota
	followedRough
	followedStrip
)

// material is a surface as it sounds.
type material struct {
	rolling [bands]float64 // gain of each band of the rolling noise
	squeal  float64        // how readily tires squeal on it, 0..1
	grains  float64        // stones or crumbs that hit the body, 0..1
	pitch   float64        // distance of its teeth [m]; 0 without any
	tooth   float64        // strength of a tooth, 0..1
	wet     float64        // 0..1
}

// surfaceSound is what a surface's rolling sound means here.
type surfaceSound struct {
	name           string
	rolling        [bands]float64
	squeal, grains float64
}

// surfaceSounds has the gains of the rolling noise's bands. Asphalt has its maximum near 1 kHz, as rolling noise of cars
// has (Directive (EU) 2015/996, table F-1); the others are estimates of how they differ from it.
var surfaceSounds = [...]surfaceSound{
	{"asphalt", [bands]float64{0.5, 0.6, 1, 0.6, 0.25}, 1, 0},
	{"concrete", [bands]float64{0.6, 0.8, 1.1, 0.8, 0.3}, 1, 0},
	{"kerb", [bands]float64{1, 0.9, 0.8, 0.4, 0.2}, 0.7, 0},
	{"cobbles", [bands]float64{1.6, 1.4, 0.9, 0.5, 0.2}, 0.3, 0},
	{"gravel", [bands]float64{0.8, 0.9, 1, 1.2, 1.2}, 0, 1},
	{"sand", [bands]float64{0.6, 0.6, 0.5, 0.6, 0.8}, 0, 0.3},
	{"earth", [bands]float64{0.9, 0.8, 0.6, 0.4, 0.3}, 0, 0.4},
	{"grass", [bands]float64{0.7, 0.6, 0.4, 0.4, 0.5}, 0, 0.1},
	{"snow", [bands]float64{0.4, 0.5, 0.5, 0.3, 0.3}, 0, 0},
	{"ice", [bands]float64{0.2, 0.3, 0.4, 0.4, 0.3}, 0.1, 0},
}

// NewCar returns the sound of the car and the ground of a scene.
func NewCar(s *frame.Scene) Car {
	c := Car{
		cylinders: int(valid.Clamp(float64(s.Car.Cylinders), 0, 16)), turbo: s.Car.Turbo == 1,
		idleRPM: valid.Clamp(s.Car.IdleRPM, 0, maxRPM), limitRPM: max(valid.Clamp(s.Car.MaxRPM, 0, maxRPM), 1000), peakTorque: max(valid.Clamp(s.Car.PeakTorque, 0, 1e5), 1),
		wheelbase: s.Car.Wheelbase, travel: s.Car.Travel, hasLine: s.LapLength > 0 || len(s.Points) > 0,
	}
	if s.Car.Electric == 1 {
		c.cylinders = 0
	}
	for _, m := range s.Materials {
		c.materials = append(c.materials, newMaterial(m))
	}
	if len(c.materials) == 0 {
		c.materials = []material{newMaterial(frame.Material{Sound: "asphalt"})}
	}
	c.groundMaterials = len(c.materials)
	followed := [...]frame.Material{followedRoad: {Sound: "asphalt"}, followedRough: {Sound: "earth"}, followedStrip: {Sound: "kerb", Pitch: 0.35, Height: 0.015}}
	for _, m := range followed {
		c.materials = append(c.materials, newMaterial(m))
	}
	return c
}

func newMaterial(m frame.Material) (out material) {
	const fullHeight = 0.02 // [m]
	for _, s := range surfaceSounds {
		if s.name == m.Sound {
			out = material{rolling: s.rolling, squeal: s.squeal, grains: s.grains}
		}
	}
	if m.Pitch > 0 {
		out.pitch, out.tooth = m.Pitch, valid.Clamp(m.Height/fullHeight, 0, 1)
	}
	if m.Wet == 1 {
		out.wet = 1
		out.squeal *= 0.1
	}
	return out
}
