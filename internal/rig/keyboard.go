package rig

import (
	"math"

	"rig/internal/frame"
	"rig/sim"
)

// keyboard turns keys, which are up or down, into a steering wheel and pedals,
// which are not: it ramps, and its lock shrinks with speed.
type keyboard struct {
	dt              float64
	hands           *sim.KeySteer
	steer           float64 // steering wheel [rad], positive left
	throttle, brake float64
	reverse         bool

	untouched float64 // time since a driving key was down [s]
	touched   bool    // a driving key was down at all
}

const (
	driveKeys  = frame.KeyLeft | frame.KeyRight | frame.KeyUp | frame.KeyDown
	keysGoIdle = 5.0 // then the driver model takes over again [s]
	pedalRate  = 3.0 // full pedals a second
)

// step takes the keys that are down and the car's speed [m/s].
func (k *keyboard) step(keys uint64, speed float64) {
	k.untouched += k.dt
	if keys&driveKeys != 0 {
		k.touched, k.untouched = true, 0
	}
	k.steer = k.hands.Step(k.steer, axis(keys, frame.KeyRight, frame.KeyLeft), speed, k.dt)
	k.pedals(keys, speed)
}

// pedals brakes before it turns the direction round.
func (k *keyboard) pedals(keys uint64, speed float64) {
	up, down := axis(keys, 0, frame.KeyUp), axis(keys, 0, frame.KeyDown)
	if up > 0 && k.reverse && speed > -0.5 {
		k.reverse = false
	}
	if down > 0 && !k.reverse && speed < 0.5 {
		k.reverse = true
	}
	if k.reverse {
		up, down = down, up
	}
	k.throttle = towards(k.throttle, up, pedalRate*k.dt)
	k.brake = towards(k.brake, down, pedalRate*k.dt)
}

// active tells whether the keys drive.
func (k *keyboard) active() bool { return k.touched && k.untouched < keysGoIdle }

// follow keeps the keyboard's wheel where the driver model's is, so that
// taking over is no jerk.
func (k *keyboard) follow(steer, throttle, brake float64) {
	k.steer, k.throttle, k.brake, k.reverse = steer, throttle, brake, false
}

func axis(keys, negative, positive uint64) float64 {
	v := 0.0
	if keys&positive != 0 {
		v++
	}
	if negative != 0 && keys&negative != 0 {
		v--
	}
	return v
}

func towards(v, target, step float64) float64 {
	return v + math.Max(-step, math.Min(step, target-v))
}
