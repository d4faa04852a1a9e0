package rig

import (
	"testing"

	"rig.example/rig/calib"
	"rig.example/rig/devices/estop"
	"rig.example/rig/devices/motion"
	"rig.example/rig/devices/pedals"
	"rig.example/rig/devices/wheel"
	"rig.example/rig/internal/core/guard"
	"rig.example/rig/internal/files/config"
	"rig.example/rig/internal/files/drivesetup"
	"rig.example/rig/sim/driver"
)

// All that the benchmarks know of the inside of a rig stands in the functions and types before
// BenchmarkTick, so that the same benchmarks measure the code before and after a change.

// benchDemo returns a rig that a driver model drives, without platform and page.
func benchDemo(b *testing.B) *Rig {
	r := demo(b)
	r.platform = nil
	return r
}

// benchPerson returns a rig that a person drives, without platform and page.
func benchPerson(b *testing.B) *Rig {
	cfg := config.Default()
	r, nowhere := undriven(b, cfg), calib.Store{Dir: b.TempDir()}
	d := &led{unplugged: unplugged{wheel.New(cfg.Wheel, nowhere, nil)}, by: r, model: driverOf(b, cfg, r)}
	d.memory = d.model.Start(&r.drive.State.Car)
	r.wheel, r.pedals, r.ownEffects = d, ledFeet{pedals.New(cfg.Pedals, nowhere, nil), d}, &shaken{room: 1}
	shaking(r, drivesetup.Patterns(r.drive.Setup.Circuit.Ground)...)
	r.orders.Start()
	return r
}

// led is a wheel that a driver model turns, so that the car keeps to the road. The real one is
// asked as ever, though nothing is plugged in.
type led struct {
	unplugged
	by     *Rig
	model  *driver.Model
	memory driver.Memory
}

func (l *led) Poll(out *wheel.Sample) {
	var nothing wheel.Sample
	if l.unplugged.Poll(&nothing); l.by.drive.State.Guard.State().Moves() {
		l.model.Drive(&l.memory, &l.by.drive.State.Car)
	}
	*out = wheel.Sample{Present: true, Angle: l.memory.Input.Steer}
}

// ledFeet are the pedals of the same driver.
type ledFeet struct {
	*pedals.Pedals
	by *led
}

func (f ledFeet) Poll(out *pedals.Sample) {
	f.Pedals.Poll(out)
	*out = pedals.Sample{Present: true, Throttle: f.by.memory.Input.Throttle, Brake: f.by.memory.Input.Brake}
}

// unplugged is a wheel that nobody plugged in, and that may give a torque all the same.
type unplugged struct{ *wheel.Wheel }

func (u unplugged) Rated() float64 { return max(u.Wheel.Rated(), 8) }

// benchOnPlatform adds a platform that follows at once.
func benchOnPlatform(r *Rig) { r.platform = &following{state: motion.Active} }

// benchWithSwitches adds the cockpit's buttons, an emergency stop and a belt, none of them used.
func benchWithSwitches(r *Rig) {
	r.controls, r.estop = &fingers{}, &cutout{}
	r.interlock.Line = &buckle{cause: estop.None}
}

// benchMoves reports whether a rig is in the middle of a drive.
func benchMoves(r *Rig) bool {
	return r.drive.State.Guard.State() == guard.Driving && r.drive.State.Car.Speed > 2
}

// BenchmarkTick is what a tick costs with ever more around the car. Drives are equal from run to
// run, and to compare two programs both must drive equally far, as with -benchtime=100000x.
func BenchmarkTick(b *testing.B) {
	for _, c := range []struct {
		name string
		rig  func(b *testing.B) *Rig
	}{
		{"demo", benchDemo},
		{"wheel", benchPerson},
		{"platform", func(b *testing.B) *Rig {
			r := benchDemo(b)
			benchOnPlatform(r)
			return r
		}},
		{"page", func(b *testing.B) *Rig { return withPage(b, benchDemo(b)) }},
		{"everything", func(b *testing.B) *Rig {
			r := withPage(b, benchPerson(b))
			benchOnPlatform(r)
			benchWithSwitches(r)
			return r
		}},
	} {
		b.Run(c.name, func(b *testing.B) {
			r := c.rig(b)
			run(b, r, 8000)
			if !benchMoves(r) {
				b.Fatal("does not drive")
			}
			b.ReportAllocs()
			for b.Loop() {
				if err := r.Tick(); err != nil {
					b.Fatal(err)
				}
			}
			if !benchMoves(r) {
				b.Error("did not drive on to the end")
			}
		})
	}
}
