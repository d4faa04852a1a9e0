package ffb

import (
	"math"

	"rig.example/rig/sim"
	"rig.example/rig/sim/tire"
)

// strained returns the mean of two wheels' slip over that of their tires' peak, by load; 0
// where nothing carries. Ice, rain and load count as the tires feel them.
func strained(left, right *sim.Wheel) float64 {
	l, r := bounded(left.Load, mostLoad), bounded(right.Load, mostLoad)
	if !(l+r > 0) {
		return 0
	}
	return (l*bounded(left.Roll.Strain, mostStrain) + r*bounded(right.Roll.Strain, mostStrain)) / (l + r)
}

const (
	mostLoad   = 1e6 // [N]
	mostStrain = 1e3
	mostSpeed  = 300 // [m/s]
)

// slides returns the share 0..1 of a slide that is felt at a strain: none up to half the
// slip of the peak, all from the peak on, where the whole contact slides.
func slides(strain float64) float64 { return rise(strain, 0.5, 1) }

// lightness is how much of the column's torque sliding front tires take.
type lightness struct{ lag lag }

func newLightness(dt float64) lightness { return lightness{newLag(0.01, dt)} }

// next returns the share that is taken at a full cue, 0..0.8: none up to half the slip of the
// front tires' peak, all from 1.25 times that on. Below 2 m/s, where parking
// strains tires too, there is none, and from 6 m/s on all.
func (l *lightness) next(taken *float64, car *sim.State) float64 {
	const most = 0.8 // a rim without any torque would tell nothing
	strain := strained(&car.Wheels[tire.FL], &car.Wheels[tire.FR])
	speed := math.Abs(bounded(car.Speed, mostSpeed))
	return l.lag.next(taken, most*rise(strain, 0.5, 1.25)*rise(speed, 2, 6))
}

// scrub is the vibration of tread blocks that sliding front tires drag over the road.
//
// A block sticks and slips each time it has been dragged by about its own length: the
// frequency is the sliding speed over that. The strength is the force that slides over the
// load, where the force is the sliding power over the sliding speed. It is late by the 10 ms
// that smooth the speed and the 15 ms of fading.
type scrub struct {
	dt    float64
	speed lag // of the sliding [m/s]
	sine  vibration
}

type scrubState struct {
	skid  [2]float64 // energy lost before [J]
	known bool       // skid is of the last tick
	speed float64    // of the sliding [m/s]
	sine  vibrationState
}

func newScrub(dt float64) scrub {
	return scrub{dt: dt, speed: newLag(0.01, dt), sine: newVibration(dt)}
}

func (c *scrub) next(s *scrubState, car *sim.State) float64 {
	const block = 0.03 // length of a tread block with its groove [m]
	left, right := c.slide(s, car, tire.FL), c.slide(s, car, tire.FR)
	s.known = true
	force := left.force + right.force
	if !(force > 0) {
		return c.sine.next(&s.sine, s.speed/block, 0)
	}
	speed := c.speed.next(&s.speed, min((left.power+right.power)/force, mostSpeed))
	return c.sine.next(&s.sine, speed/block, min(force/(left.load+right.load), 1))
}

// sliding is what one wheel drags over the road.
type sliding struct{ power, force, load float64 } // [W, N, N]

// slide finds what front wheel i drags.
func (c *scrub) slide(s *scrubState, car *sim.State, i int) (d sliding) {
	const mostEnergy, mostPower = 1e12, 1e7
	w := &car.Wheels[i]
	skid := bounded(w.Roll.Skid, mostEnergy)
	power := (skid - s.skid[i]) / c.dt
	s.skid[i] = skid
	if d.load = max(bounded(w.Load, mostLoad), 0); d.load == 0 || !s.known {
		return d
	}
	x, y := bounded(w.Fx, mostLoad), bounded(w.Fy, mostLoad)
	share := slides(bounded(w.Roll.Strain, mostStrain))
	d.force, d.power = share*math.Sqrt(x*x+y*y), share*min(max(power, 0), mostPower)
	return d
}

// lockUp is the rumble of front wheels that are dragged over the road locked: their flat
// contact follows the waves of the pavement of about its own length. It is late by the 15 ms
// of fading.
type lockUp struct{ sine vibration }

func newLockUp(dt float64) lockUp { return lockUp{newVibration(dt)} }

func (l *lockUp) next(s *vibrationState, car *sim.State) float64 {
	const wave = 0.1 // [m]
	speed := bounded(car.Speed, mostSpeed)
	left, right := locked(&car.Wheels[tire.FL], speed), locked(&car.Wheels[tire.FR], speed)
	dragged := min(max(left, right), 1) * math.Abs(speed)
	return l.sine.next(s, dragged/wave, (rise(left, 0.5, 0.8)+rise(right, 0.5, 0.8))/2)
}

// locked returns a wheel's slip in braking, 1 where it stands still at a speed of the car
// [m/s], either way.
func locked(w *sim.Wheel, speed float64) float64 {
	return -bounded(math.Copysign(1, speed)*w.Kappa, mostStrain)
}

// rearSlip tells that the rear axle steps out, by how fast its slip angle changes: that is
// the part of the yaw acceleration which no steering asks for. It counts as far as the
// rear tires slide, so that turning in is not felt, and from 3 to 8 m/s ahead.
//
// Rear wheels that run away to the right, as in a left bend, turn the rim to the right:
// where the driver must steer. Two low-passes of 15 Hz keep the axle's hopping out; they are
// late by 21 ms.
type rearSlip struct {
	dt          float64
	first, then lag
}

type rearSlipState struct {
	angle       float64 // slip angle of the last tick [rad]
	known       bool    // angle is from the last tick
	first, then float64 // values of the two low-passes
}

func newRearSlip(dt float64) rearSlip {
	const time = 1 / (2 * math.Pi * 15) // [s]
	return rearSlip{dt: dt, first: newLag(time, dt), then: newLag(time, dt)}
}

func (r *rearSlip) next(s *rearSlipState, car *sim.State) float64 {
	const whole = 0.5 // [rad/s]
	left, right := &car.Wheels[tire.RL], &car.Wheels[tire.RR]
	felt := slides(strained(left, right)) * rise(bounded(car.Speed, mostSpeed), 3, 8)
	return bend(r.then.next(&s.then, r.first.next(&s.first, felt*r.rate(s, left, right)/whole)))
}

// rate returns how fast the axle's slip angle grows [rad/s]; 0 while a wheel is in the air.
func (r *rearSlip) rate(s *rearSlipState, left, right *sim.Wheel) float64 {
	const fastest = 5 // [rad/s]; more is a wheel that comes down
	angle := (bounded(left.Alpha, math.Pi) + bounded(right.Alpha, math.Pi)) / 2
	was, known := s.angle, s.known
	s.angle, s.known = angle, left.Load > 0 && right.Load > 0
	if !known || !s.known {
		return 0
	}
	return bounded((angle-was)/r.dt, fastest)
}
