package sim

import (
	"cmp"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/sim/driveline"
	"rig.example/rig/test/level"
)

var manyBounds = flag.Int("bounds", 0, "how many powertrains at the bounds of their parameters to drive, 0 for the usual")

// extreme draws a value between two bounds: often one of them, and mostly what suits a car.
func (l lot) extreme(v *float64, low, high float64) {
	switch {
	case l.chance(0.12):
		*v = low
	case l.chance(0.12):
		*v = high
	case l.chance(0.1):
		*v = l.span(low, high)
	}
}

// utmost moves the powertrain of p to the bounds of what is allowed.
func (l lot) utmost(p *Params) {
	d := &p.Driveline
	l.extreme(&d.EngineFriction, 0, 1e3)
	l.extreme(&d.EngineDrag, 0, 10)
	l.extreme(&d.EngineInertia, 0.01, 10)
	l.extreme(&d.ClutchCapacity, 1, 10e3)
	l.extreme(&d.ReverseGear, 0.2, 20)
	l.extreme(&d.FinalDrive, 0.5, 20)
	l.extreme(&d.FrontShare, 0, 1)
	l.extreme(&d.Efficiency, 0.5, 1)
	l.extreme(&d.SpinLoss, 0, 500)
	for i := range d.Gears {
		l.extreme(&d.Gears[i], 0.2, 20)
	}
	for i := range d.TorqueCurve {
		l.extreme(&d.TorqueCurve[i].Torque, 0, 5e3)
	}
	g := &d.Gearbox
	g.Kind = pick(l, "automatic", "automatic", "dog", "sequential", "single", "synchro")
	l.extreme(&g.SynchroTorque, 5, 1e3)
	l.extreme(&g.LeverTime, 0, 2)
	l.extreme(&g.GrindingTorque, 0, 100)
	l.extreme(&g.DogWindowRPM, 10, 3e3)
	l.extreme(&g.CutTime, 0.01, 1)
	l.extreme(&g.BlipTime, 0.01, 1)
	l.extreme(&g.HandoverTime, 0.05, 2)
	l.extreme(&g.ShiftCutShare, 0, 1)
	l.extreme(&g.OverRevRPM, 500, 30e3)
	k := &d.Clutch
	l.extreme(&k.BitePoint, 0.1, 1)
	l.extreme(&k.BiteWidth, 0.01, k.BitePoint)
	k.BiteWidth = min(k.BiteWidth, k.BitePoint)
	l.extreme(&k.OpenTime, 0.005, 1)
	l.extreme(&k.CloseTime, 0.01, 2)
	l.extreme(&k.CreepTorque, 0, 200)
	l.fluids(&d.Converter)
	h := &d.Shafts
	l.extreme(&h.Stiffness, 500, 200e3)
	l.extreme(&h.Damping, 0, 2e3)
	l.extreme(&h.InnerInertia, 0.002, 1)
	l.extreme(&h.CarrierInertia, 0.001, 10)
	l.extreme(&h.InputInertia, 0.001, 1)
	for _, q := range []*driveline.Differential{&d.FrontDifferential, &d.RearDifferential, &d.CenterDifferential} {
		*q = l.differential()
		l.extreme(&q.Preload, 0, 5e3)
		l.extreme(&q.ViscousTorque, 0, 5e3)
		l.extreme(&q.BiasRatio, 1, 10)
		l.extreme(&q.ClutchCapacity, 0, 10e3)
		l.extreme(&q.SpeedGain, 0, 10)
	}
	l.extreme(&d.Turbo.BoostShare, 0, 0.8)
	l.extreme(&d.Turbo.LagTime, 0.01, 5)
	d.Engine.Limiter = pick(l, "hard", "soft", "off")
	l.extreme(&d.Engine.IdleAuthority, 0, 1)
	d.Motor.Enabled = l.chance(0.15)
	l.extreme(&d.Motor.Torque, 1, 5e3)
	l.extreme(&d.Motor.Power, 0.1, 3e3)
	l.extreme(&d.Motor.MaxRPM, 500, 30e3)
	l.extreme(&d.Motor.Regen, 0, 5e3)
	l.extreme(&d.Motor.RegenPower, 0, 3e3)
	l.extreme(&d.Motor.RegenFade, 1, 5e3)
	l.extreme(&d.Motor.Capacity, 0.01, 1e3)
	l.extreme(&p.Brakes.Torque, 0, 100e3)
	l.extreme(&p.Brakes.FrontShare, 0, 1)
	l.extreme(&p.Brakes.Lag, 0, 1)
	l.extreme(&p.Front.WheelDamping, 0, 20)
	l.extreme(&p.Rear.WheelDamping, 0, 20)
	l.extreme(&p.Front.Wheel.Inertia, 0.1, 10)
	l.extreme(&p.Rear.Wheel.Inertia, 0.1, 10)
	l.extreme(&p.Fuel.Level, 0.1, 1000)
}

// fluids is the converter's part of it.
func (l lot) fluids(k *driveline.Converter) {
	k.Enabled = l.chance(0.8)
	l.extreme(&k.CoastShare, 0, 1)
	l.extreme(&k.TurbineInertia, 0.01, 1)
	l.extreme(&k.LockupCapacity, 0, 10e3)
	l.extreme(&k.LockupTime, 0.02, 5)
	for i := range k.Points[:len(k.Points)-1] {
		l.extreme(&k.Points[i].Capacity, 1e-5, 0.2)
	}
}

// lends is the share of an engine's work that the books may miss: its torque may be a hundred
// times what its inertia gets over within a tick, and each tick counts by its mean speed.
const lends = 0.08

// A powertrain at the bounds of what a car's file may say either is refused, or drives:
// all stays finite, every watt is accounted for, and its parts give no energy.
func TestPowertrainsAtTheirBounds(t *testing.T) {
	t.Parallel()
	refused, many := 0, cmp.Or(*manyBounds, level.Pick(10, 40, 40))
	for seed := *firstCar; seed < *firstCar+uint64(many); seed++ {
		l := lot{rand.New(rand.NewPCG(seed, 5))}
		p := DefaultCar()
		l.utmost(&p)
		c, err := New(p, slope(l.maybe(0.3, 0.1)), pick(l, 1e-3, 1e-3, 2e-3, 5e-4))
		if err != nil {
			refused++
			continue
		}
		if why := endures(c, l); why != "" {
			t.Errorf("powertrain %d: %s", seed, why)
		}
	}
	t.Logf("%d of %d refused", refused, many)
}

// endures drives a car with wild hands and electronics for 4 s and says what went wrong, or
// nothing.
func endures(c *Car, l lot) string {
	s := c.Rest(r3.Vec{}, 0)
	var in Input
	lost, turned := 0.0, 0.0
	for tick := range 4000 {
		if tick%200 == 0 {
			in = wild(l.Rand)
			l.electronics(&in)
		}
		before := c.DrivelineEnergy(&s)
		c.Step(&s, in)
		f := &s.Driveline.Flow
		losses := f.Clutch + f.Gearbox + f.Differentials + f.Shafts
		stored := (c.DrivelineEnergy(&s) - before) / c.dt
		size := 1e3 + math.Abs(f.Engine) + math.Abs(losses) + math.Abs(f.Wheels) + math.Abs(stored)
		if miss := f.Engine - losses - f.Wheels - stored; !(math.Abs(miss) < 1e-6*size) {
			return fmt.Sprintf("%d: %.3g W of %.3g W are missing", tick, miss, size)
		}
		lost, turned = lost+losses*c.dt, turned+math.Abs(f.Engine)*c.dt
		if lost < -5-lends*turned {
			return fmt.Sprintf("%d: %.0f J from nothing, of %.0f J that the engine turned over", tick, -lost, turned)
		}
	}
	if !finite(reflect.ValueOf(s)) {
		return fmt.Sprintf("not finite: %+v", s.Assist)
	}
	return ""
}
