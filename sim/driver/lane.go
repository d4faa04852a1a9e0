package driver

import (
	"math"

	"rig.example/rig/sim/trial"
)

// LaneKeeper is a plain driver's hands: they keep the car on the world's x axis.
type LaneKeeper struct {
	held float64 // angle that a lasting pull has taught them [rad at the road wheels]
}

// Steer returns the steering wheel angle [rad] a tick after t.Input's: on the arc that leads
// back to the axis a moment ahead, and against a car that turns out of its course.
func (h *LaneKeeper) Steer(t *trial.Run) float64 {
	const (
		least, moment = 2.0, 0.5 // looked ahead [m], [s]
		counter, soon = 2.0, 0.1 // of the angle beside the course; of the yaw rate [s]
		learning      = 0.3      // [1/s]
		hands         = 600.0    // [°/s]
	)
	m, goes := trial.MotionOf(&t.State), course(&t.State)
	ahead := least + moment*max(m.Vx, 0)
	goes += counter*math.Remainder(t.State.Yaw()-goes, 2*math.Pi) + soon*m.YawRate
	bend := -2 * (t.State.Pos.Y + ahead*math.Sin(goes)) / (ahead * ahead)
	arc := bend * (t.Params.Wheelbase + max(t.Car.Understeer(), 0)*m.Vx*m.Vx)
	most := t.MostRoad() / 2
	h.held = min(max(h.held+learning*arc*t.Dt, -most), most)
	return toward(t.Input.Steer, t.Wheel(h.held+arc), hands*degree*t.Dt)
}

// MovePedal returns where a pedal is after dt [s] that was at was and is wanted at want, 0..1: a foot
// moves it no faster than ten times a second.
func MovePedal(was, want, dt float64) float64 {
	const quick = 10.0 // pedals a second
	return toward(was, want, quick*dt)
}

// CruiseControl holds a speed with the throttle.
type CruiseControl struct {
	Base float64 // throttle that the speed has been found to take
}

// Throttle returns the pedal that leads to a speed [m/s].
func (c *CruiseControl) Throttle(t *trial.Run, speed float64) float64 {
	const quick, slow = 0.25, 0.12 // for each m/s, and for each m/s a second
	missing := min(max(speed-trial.MotionOf(&t.State).Vx, -2), 2)
	c.Base = min(max(c.Base+slow*missing*t.Dt, 0), 1)
	return min(max(c.Base+quick*missing, 0), 1)
}
