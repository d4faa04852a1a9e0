package sim

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/sim/driveline"
	"rig.example/rig/test/level"
	"rig.example/rig/test/near"
)

// drivelines are those that the laws below are held with.
func drivelines() map[string]Params {
	list := map[string]Params{}
	add := func(name string, front float64, change func(*driveline.Params)) {
		p := DefaultCar()
		p.Driveline.FrontShare = front
		change(&p.Driveline)
		list[name] = p
	}
	add("rear drive", 0, func(*driveline.Params) {})
	add("front drive", 1, func(*driveline.Params) {})
	add("four driven", 0.4, func(*driveline.Params) {})
	add("locked", 0.5, func(d *driveline.Params) {
		d.FrontDifferential.Kind, d.RearDifferential.Kind, d.CenterDifferential.Kind = "locked", "locked", "locked"
	})
	add("limited slip", 0.4, func(d *driveline.Params) {
		d.FrontDifferential.Kind, d.RearDifferential.Kind, d.CenterDifferential.Kind = "limited_slip", "limited_slip", "limited_slip"
	})
	add("fluid and gears", 0.6, func(d *driveline.Params) {
		d.FrontDifferential.Kind, d.RearDifferential.Kind, d.CenterDifferential.Kind = "torque_sensing", "viscous", "viscous"
	})
	add("hang-on", 0, func(d *driveline.Params) {
		d.RearDifferential.Kind, d.CenterDifferential.Kind = "limited_slip", "active"
	})
	return list
}

// What the engine gives is at the wheels, lost or stored, in every tick and in all.
func TestEveryWattIsAccountedFor(t *testing.T) {
	for name, p := range drivelines() {
		t.Run(name, func(t *testing.T) {
			c := newCar(t, p, Dt)
			s := c.Rest(r3.Vec{}, 0)
			start := c.DrivelineEnergy(&s)
			var in, out, turned float64
			for tick := range 16_000 {
				before := c.DrivelineEnergy(&s)
				c.Step(&s, drive(tick))
				f := &s.Driveline.Flow
				gone := f.Clutch + f.Gearbox + f.Differentials + f.Shafts + f.Wheels
				stored := c.DrivelineEnergy(&s) - before
				if miss := f.Engine - gone - stored/c.dt; math.Abs(miss) > 1e-6*(1e3+math.Abs(f.Engine)+math.Abs(gone)) {
					t.Fatalf("after %d ms %.3g W of %.3g W are missing", tick, miss, f.Engine)
				}
				in, out = in+f.Engine*c.dt, out+gone*c.dt
				turned += math.Abs(f.Engine) * c.dt
			}
			near.Value(t, "in less out and stored, over all that the engine did", (in-out-(c.DrivelineEnergy(&s)-start))/turned, 0, 1e-9)
		})
	}
}

// No part gives power of its own, but for what a tick in which outputs pass each other, or in
// which what turns stops, lends by its mean speed.
func TestNoPartOfTheDrivelineGivesPower(t *testing.T) {
	level.SkipIfQuick(t)
	t.Parallel()
	for name, p := range drivelines() {
		t.Run(name, func(t *testing.T) {
			c := newCar(t, p, Dt)
			s := c.Rest(r3.Vec{}, 0)
			var least driveline.PowerFlow
			var shafts float64
			for tick := range 16_000 {
				c.Step(&s, drive(tick))
				least.Clutch = min(least.Clutch, s.Driveline.Flow.Clutch)
				least.Gearbox = min(least.Gearbox, s.Driveline.Flow.Gearbox)
				least.Differentials = min(least.Differentials, s.Driveline.Flow.Differentials)
				shafts += s.Driveline.Flow.Shafts * c.dt
			}
			if least.Clutch < -1e-6 || least.Gearbox < -5 || least.Differentials < -0.1 || shafts < 0 {
				t.Errorf("clutch %.3g W, gearbox %.3g W, differentials %.3g W at least; shafts lost %.3g J", least.Clutch, least.Gearbox, least.Differentials, shafts)
			}
		})
	}
}
