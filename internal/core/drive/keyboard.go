package drive

import (
	"math"

	"rig.example/rig/internal/core/frame"
	"rig.example/rig/sim/assist"
)

// keyboard turns keys into steering and pedals: it ramps them, and reduces the steering range with speed.
type keyboard struct {
	steer  float64 // steering wheel [rad], positive left
	pedals assist.Pedals

	manual bool // the driver changes gears, so that the down key only brakes and does not select reverse
	launch bool // launch control is on, which limits the throttle by itself

	idleTime float64 // time since a driving key was down [s]
	used     bool    // a driving key was down at least once
}

const (
	driveKeys     = frame.KeyLeft | frame.KeyRight | frame.KeyUp | frame.KeyDown
	keysIdleAfter = 5.0 // time without a driving key after which the driver model takes over again [s]
	pedalRate     = 3.0 // speed of the throttle pedal, fraction of its travel per second [1/s]
)

// step applies the keys that are down, for the car's speed [m/s] and the slip of its driven wheels.
func (k *keyboard) step(c *cockpit, keys uint64, speed, slip float64) {
	k.idleTime += c.dt
	if keys&driveKeys != 0 {
		k.used, k.idleTime = true, 0
	}
	k.steer = c.keySteer.Step(k.steer, axis(keys, frame.KeyRight, frame.KeyLeft), speed, c.dt)
	k.stepPedals(c, keys, speed, slip)
}

// stepPedals moves the pedals. With launch control both keys together hold the car for a start.
func (k *keyboard) stepPedals(c *cockpit, keys uint64, speed, slip float64) {
	const minSpeed = 1.0 // [m/s]; below it the down key would mean reverse
	before, up, down := k.pedals, keys&frame.KeyUp != 0, keys&frame.KeyDown != 0
	if k.manual {
		before.Reverse, speed = false, math.Max(math.Abs(speed), minSpeed)
	}
	k.pedals = c.keyPedals.Step(before, up, down, speed, slip, c.dt)
	if k.launch && up && !k.pedals.Reverse {
		k.pedals.Throttle = approach(before.Throttle, 1, pedalRate*c.dt)
	}
}

// direction returns the gear, 1 or -1 for reverse, while the car changes gears.
func (k *keyboard) direction() int8 {
	if k.pedals.Reverse {
		return -1
	}
	return 1
}

// active reports whether the keyboard drives.
func (k *keyboard) active() bool { return k.used && k.idleTime < keysIdleAfter }

// follow copies the driver model's controls, so that the keyboard takes over without a jump.
func (k *keyboard) follow(steer, throttle, brake float64) {
	k.steer, k.pedals = steer, assist.Pedals{Throttle: throttle, Brake: brake}
}

// axis returns 1, -1 or 0 for two opposite keys.
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
