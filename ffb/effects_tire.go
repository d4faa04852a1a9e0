package ffb

import (
	"math"

	"rig.example/rig/sim"
	"rig.example/rig/sim/tire"
)

// axleStrain returns the load-weighted mean of two wheels' slip divided by the slip at their tires'
// peak force, or 0 without load. Ice, rain and load are included.
func axleStrain(left, right *sim.WheelState) float64 {
	l, r := bounded(left.Load, maxLoad), bounded(right.Load, maxLoad)
	if !(l+r > 0) {
		return 0
	}
	return (l*bounded(left.Roll.NormalizedSlip, maxStrain) + r*bounded(right.Roll.NormalizedSlip, maxStrain)) / (l + r)
}

const (
	maxLoad   = 1e6 // [N]
	maxStrain = 1e3 // slip divided by the slip at peak force
	maxSpeed  = 300 // [m/s]
)

// slidingShare returns how much of a slide is felt, 0..1: 0 up to half the slip at the peak, 1 from the
// peak on, where the whole contact patch slides.
func slidingShare(strain float64) float64 { return smoothStep(strain, 0.5, 1) }

// understeerCue is the reduction of the column's torque while the front tires slide.
type understeerCue struct{ lag lag }

func newUndersteerCue(dt float64) understeerCue { return understeerCue{newLag(0.01, dt)} }

// next returns the reduction at a full cue, 0..0.8: 0 up to half the slip at the front tires' peak, full
// from 1.25 times the slip at the peak on. It fades in from 2 to 6 m/s, because parking strains tires
// too.
func (l *understeerCue) next(share *float64, car *sim.State) float64 {
	const maxShare = 0.8 // a rim without any torque would convey nothing
	strain := axleStrain(&car.Wheels[tire.FL], &car.Wheels[tire.FR])
	speed := math.Abs(bounded(car.Speed, maxSpeed))
	return l.lag.next(share, maxShare*smoothStep(strain, 0.5, 1.25)*smoothStep(speed, 2, 6))
}

// scrub is the vibration of tread blocks that sliding front tires drag over the road.
//
// A block sticks and slips each time it has been dragged by about its own length, so the frequency is the
// sliding speed divided by that length. The strength is the sliding force divided by the vertical load.
// The sliding speed is the sliding power divided by the sliding force. The delay is 10 ms of the speed's
// low-pass plus the fade of 15 ms.
type scrub struct {
	dt    float64
	speed lag // low-pass of the sliding speed
	sine  sine
}

type scrubState struct {
	slipEnergy [2]float64 // each front wheel's energy lost by sliding up to the last tick [J]
	known      bool       // slipEnergy is valid; false before the first tick
	speed      float64    // low-passed sliding speed [m/s]
	sine       sineState
}

func newScrub(dt float64) scrub {
	return scrub{dt: dt, speed: newLag(0.01, dt), sine: newSine(dt)}
}

func (c *scrub) next(s *scrubState, car *sim.State) float64 {
	const block = 0.03 // length of a tread block with its groove [m]
	left, right := c.wheelSliding(s, car, tire.FL), c.wheelSliding(s, car, tire.FR)
	s.known = true
	force := left.force + right.force
	if !(force > 0) {
		return c.sine.next(&s.sine, s.speed/block, 0)
	}
	speed := c.speed.next(&s.speed, min((left.power+right.power)/force, maxSpeed))
	return c.sine.next(&s.sine, speed/block, min(force/(left.load+right.load), 1))
}

// sliding holds the sliding power, the sliding force and the vertical load of a wheel.
type sliding struct{ power, force, load float64 } // [W, N, N]

// wheelSliding returns the sliding of front wheel i.
func (c *scrub) wheelSliding(s *scrubState, car *sim.State, i int) (drag sliding) {
	const maxEnergy, maxPower = 1e12, 1e7
	w := &car.Wheels[i]
	energy := bounded(w.Roll.SlipEnergy, maxEnergy)
	power := (energy - s.slipEnergy[i]) / c.dt
	s.slipEnergy[i] = energy
	if drag.load = max(bounded(w.Load, maxLoad), 0); drag.load == 0 || !s.known {
		return drag
	}
	x, y := bounded(w.Fx, maxLoad), bounded(w.Fy, maxLoad)
	share := slidingShare(bounded(w.Roll.NormalizedSlip, maxStrain))
	drag.force, drag.power = share*math.Sqrt(x*x+y*y), share*min(max(power, 0), maxPower)
	return drag
}

// lockUp is the rumble of locked front wheels. Their contact patch follows the waves of the pavement that
// are about as long as the patch. The delay is the fade of 15 ms.
type lockUp struct{ sine sine }

func newLockUp(dt float64) lockUp { return lockUp{newSine(dt)} }

func (l *lockUp) next(s *sineState, car *sim.State) float64 {
	const wave = 0.1 // wavelength of the pavement [m]
	speed := bounded(car.Speed, maxSpeed)
	left, right := locked(&car.Wheels[tire.FL], speed), locked(&car.Wheels[tire.FR], speed)
	slideSpeed := min(max(left, right), 1) * math.Abs(speed)
	return l.sine.next(s, slideSpeed/wave, (smoothStep(left, 0.5, 0.8)+smoothStep(right, 0.5, 0.8))/2)
}

// locked returns a wheel's braking slip, 1 if the wheel is locked; speed is the car's [m/s], of either
// sign.
func locked(w *sim.WheelState, speed float64) float64 {
	return -bounded(math.Copysign(1, speed)*w.Kappa, maxStrain)
}

// rearSlip signals oversteer by the rate of the rear axle's slip angle, which is the part of the yaw
// motion that steering does not cause. It is weighted by how much the rear tires slide, so that turning
// in is not felt, and fades in from 3 to 8 m/s forward.
//
// A rear axle that slides to the right, as in a left bend, turns the rim to the right, where the driver
// must steer. Two low-passes of 15 Hz suppress axle hop; their delay is 21 ms.
type rearSlip struct {
	dt         float64
	lag1, lag2 lag
}

type rearSlipState struct {
	angle      float64 // mean slip angle of the rear wheels in the last tick [rad]
	known      bool    // angle is valid: both rear wheels touched the ground
	lag1, lag2 float64 // values of the two low-passes
}

func newRearSlip(dt float64) rearSlip {
	const time = 1 / (2 * math.Pi * 15) // [s]
	return rearSlip{dt: dt, lag1: newLag(time, dt), lag2: newLag(time, dt)}
}

func (r *rearSlip) next(s *rearSlipState, car *sim.State) float64 {
	const fullRate = 0.5 // [rad/s]
	left, right := &car.Wheels[tire.RL], &car.Wheels[tire.RR]
	weight := slidingShare(axleStrain(left, right)) * smoothStep(bounded(car.Speed, maxSpeed), 3, 8)
	return softClip(r.lag2.next(&s.lag2, r.lag1.next(&s.lag1, weight*r.rate(s, left, right)/fullRate)))
}

// rate returns how fast the axle's slip angle grows [rad/s]; 0 while a wheel is in the air.
func (r *rearSlip) rate(s *rearSlipState, left, right *sim.WheelState) float64 {
	const maxRate = 5 // [rad/s]; only a wheel that lands after a jump is faster
	angle := (bounded(left.Alpha, math.Pi) + bounded(right.Alpha, math.Pi)) / 2
	before, known := s.angle, s.known
	s.angle, s.known = angle, left.Load > 0 && right.Load > 0
	if !known || !s.known {
		return 0
	}
	return bounded((angle-before)/r.dt, maxRate)
}
