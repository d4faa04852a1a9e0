package drive

import (
	"math"

	"rig.example/rig/internal/frame"
	"rig.example/rig/sim/assist"
)

// keyboard turns keys, which are up or down, into a steering wheel and pedals,
// which are not: it ramps, and its lock shrinks with speed.
type keyboard struct {
	steer  float64 // steering wheel [rad], positive left
	pedals assist.Pedals

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

// step takes the keys that are down.
func (k *keyboard) step(d *Drive) {
	car, keys, dt := &d.State.Car, d.State.pressed, d.Setup.Dt
	speed, slip := car.Speed, d.Setup.Car.DrivenSlip(car)
	k.untouched += dt
	if keys&driveKeys != 0 {
		k.touched, k.untouched = true, 0
	}
	k.steer = d.keySteer.Step(k.steer, axis(keys, frame.KeyRight, frame.KeyLeft), speed, dt)
	k.press(d, speed, slip)
}

// press moves the pedals, for the car's speed [m/s] and the slip of its driven wheels. With launch control both keys together hold the car for a start.
func (k *keyboard) press(d *Drive, speed, slip float64) {
	const rolls = 1.0 // [m/s]; slower than that the down key would mean backward
	was, up, down, dt := k.pedals, d.State.down(frame.KeyUp), d.State.down(frame.KeyDown), d.Setup.Dt
	if k.manual {
		was.Reverse, speed = false, math.Max(math.Abs(speed), rolls)
	}
	k.pedals = d.keyPedals.Step(was, up, down, speed, slip, dt)
	if k.launch && up && !k.pedals.Reverse {
		k.pedals.Throttle = towards(was.Throttle, 1, pedalRate*dt)
	}
}

// direction returns the gear that the keys mean where the car changes gears.
func (k *keyboard) direction() int8 {
	if k.pedals.Reverse {
		return -1
	}
	return 1
}

// active reports whether the keys drive.
func (k *keyboard) active() bool { return k.touched && k.untouched < keysGoIdle }

// follow keeps the keyboard's wheel where the driver model's is, so that
// taking over is no jerk.
func (k *keyboard) follow(steer, throttle, brake float64) {
	k.steer, k.pedals = steer, assist.Pedals{Throttle: throttle, Brake: brake}
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
