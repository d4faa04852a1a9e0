package rig

import (
	"math"

	"rig/internal/frame"
	"rig/sim"
)

// keyboard turns keys, which are up or down, into a steering wheel and pedals,
// which are not: it ramps, and its lock shrinks with speed.
type keyboard struct {
	dt     float64
	hands  *sim.KeySteer
	feet   *sim.KeyPedals
	steer  float64 // steering wheel [rad], positive left
	pedals sim.Pedals

	manual bool // the driver changes gears, so that the down key only brakes
	launch bool // launch control is on, which eases the throttle itself

	untouched float64 // time since a driving key was down [s]
	touched   bool    // a driving key was down at all
}

const (
	driveKeys  = frame.KeyLeft | frame.KeyRight | frame.KeyUp | frame.KeyDown
	keysGoIdle = 5.0 // then the driver model takes over again [s]
	pedalRate  = 3.0 // full pedals a second
)

// step takes the keys that are down, the car's speed [m/s], and the slip of its driven wheels.
func (k *keyboard) step(keys uint64, speed, slip float64) {
	k.untouched += k.dt
	if keys&driveKeys != 0 {
		k.touched, k.untouched = true, 0
	}
	k.steer = k.hands.Step(k.steer, axis(keys, frame.KeyRight, frame.KeyLeft), speed, k.dt)
	k.press(keys&frame.KeyUp != 0, keys&frame.KeyDown != 0, speed, slip)
}

// press moves the pedals. With launch control both keys together hold the car for a start.
func (k *keyboard) press(up, down bool, speed, slip float64) {
	const rolls = 1.0 // [m/s]; slower than that the down key would mean backward
	was := k.pedals
	if k.manual {
		was.Reverse, speed = false, math.Max(math.Abs(speed), rolls)
	}
	k.pedals = k.feet.Step(was, up, down, speed, slip, k.dt)
	if k.launch && up && !k.pedals.Reverse {
		k.pedals.Throttle = towards(was.Throttle, 1, pedalRate*k.dt)
	}
}

// direction returns the gear that the keys mean where the car changes gears.
func (k *keyboard) direction() int8 {
	if k.pedals.Reverse {
		return -1
	}
	return 1
}

// active tells whether the keys drive.
func (k *keyboard) active() bool { return k.touched && k.untouched < keysGoIdle }

// follow keeps the keyboard's wheel where the driver model's is, so that
// taking over is no jerk.
func (k *keyboard) follow(steer, throttle, brake float64) {
	k.steer, k.pedals = steer, sim.Pedals{Throttle: throttle, Brake: brake}
}

func axis(keys, negative, positive uint64) float64 {
	v := 0.0
	if keys&positive != 0 {
		v++
	}
	if keys&negative != 0 {
		v--
	}
	return v
}

func towards(v, target, step float64) float64 {
	return v + math.Max(-step, math.Min(step, target-v))
}
