package rig

import (
	"testing"

	"rig/calib"
	"rig/devices/estop"
	"rig/devices/motion"
	"rig/devices/pedals"
	"rig/devices/wheel"
	"rig/internal/config"
	"rig/internal/guard"
	"rig/sim"
	"rig/sim/maneuver"
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
	d := &led{person: person{wheel: wheel.New(cfg.Wheel, nowhere, nil), pedals: pedals.New(cfg.Pedals, nowhere, nil)}}
	d.hands.Present, d.feet.Present = true, true
	d.model = driverOf(b, cfg, r)
	d.memory = d.model.Start(&r.state)
	r.driver, r.wheel, r.own = d, unplugged{d.wheel}, &shaken{room: 1}
	r.orders.start.Store(true)
	return r
}

// led is a person whose hands and feet a driver model leads, so that the car keeps to the road.
// Wheel and pedals are asked as ever, though nothing is plugged in.
type led struct {
	person
	model  *maneuver.Driver
	memory maneuver.Memory
}

func (l *led) read(r *Rig) sim.Input {
	var nothing person
	moves := r.guard.State().Moves()
	l.wheel.Poll(&nothing.hands)
	l.wheel.Live(moves)
	l.pedals.Poll(&nothing.feet)
	if moves {
		wish := l.model.Drive(&l.memory, &r.state)
		l.hands.Angle, l.feet.Throttle, l.feet.Brake = wish.Steer, wish.Throttle, wish.Brake
	}
	return l.input(r)
}

// unplugged is a wheel that nobody plugged in, and that may give a torque all the same.
type unplugged struct{ *wheel.Wheel }

func (u unplugged) Rated() float64 { return max(u.Wheel.Rated(), 8) }

// benchOnPlatform adds a platform that follows at once.
func benchOnPlatform(r *Rig) { r.platform = &following{state: motion.Active} }

// benchWithSwitches adds the cockpit's buttons, an emergency stop and a belt, none of them used.
func benchWithSwitches(r *Rig) {
	r.controls, r.estop = &fingers{}, &cutout{}
	r.belt.line = &buckle{cause: estop.None}
}

// benchMoves reports whether a rig is in the middle of a drive.
func benchMoves(r *Rig) bool { return r.guard.State() == guard.Driving && r.state.Speed > 2 }

// BenchmarkTick is what a tick costs with ever more around the car. Drives are equal from run to
// run, and whoever compares two programs has both drive equally far, as with -benchtime=100000x.
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
