package motion

import (
	"math"
	"slices"
	"testing"
	"time"

	"rig.example/rig/devices/motion/wire"
	"rig.example/rig/test/level"
)

// troubles are what can happen to a controller or its line while nobody looks after the platform.
var troubles = map[string]func(v *virtual){
	"silent for 1 s": func(v *virtual) {
		v.deaf = true
		v.idle(1)
		v.deaf = false
	},
	"restarted": func(v *virtual) { v.sim.Reset() },
	"unplugged": func(v *virtual) {
		v.sim.Reset() // its power comes from the bus
		v.lose(500 * time.Millisecond)
	},
	"unplugged for long": func(v *virtual) {
		v.sim.Reset()
		v.lose(time.Minute)
	},
}

// staysFor fails the test if an actuator moves, or the platform homes or follows, for some seconds.
func (v *virtual) staysFor(seconds float64, push bool) {
	v.t.Helper()
	at := v.sim.Positions()
	for range int(seconds / v.cfg.period().Seconds()) {
		if push {
			v.push(wire.AllAt(0.6))
		}
		v.step()
		if s := v.machine.state(); s == Homing || s.Follows() {
			v.t.Fatalf("it is %s, and nobody ordered it", s)
		}
		for axis, now := range v.sim.Positions() {
			if math.Abs(now-at[axis]) > 0.01 {
				v.t.Fatalf("%s: actuator %d moves from %.3f to %.3f, and nobody ordered it", v.machine.state(), axis, at[axis], now)
			}
		}
	}
}

// found waits until the platform has been found again after a trouble, and its controller has ended what it does by
// itself when it starts.
func (v *virtual) found() {
	v.t.Helper()
	v.idle(2)
	for moves := true; moves; {
		before := v.sim.Positions()
		v.idle(1)
		moves = !slices.Equal(before, v.sim.Positions())
	}
	v.until("found", func() bool { return v.machine.phase == driving && !v.machine.silent && !v.machine.unresponsive })
}

// A platform that is parked stays where it is, whatever happens to its line: somebody may be climbing off.
func TestAParkedPlatformDoesNotHomeByItself(t *testing.T) {
	level.SkipIfQuick(t)
	for name, happen := range troubles {
		t.Run(name, func(t *testing.T) {
			onEveryProtocol(t, func(t *testing.T, v *virtual, _ *dirtyLine) {
				v.homesGently(wire.AllAt(0.65))
				v.alone = true
				v.untilState(Parked)
				happen(v)
				v.found()
				v.staysFor(5, false)
			})
		})
	}
}

// One that followed, and is found again, waits for an order however many targets come; a fault, a halt that parks and
// silence do not move it then.
func TestAPlatformThatIsFoundAgainWaits(t *testing.T) {
	level.SkipIfQuick(t)
	for name, happen := range troubles {
		t.Run(name, func(t *testing.T) {
			onEveryProtocol(t, func(t *testing.T, v *virtual, _ *dirtyLine) {
				v.homesGently(wire.AllAt(0.65))
				v.alone = true
				v.drive(3, wire.AllAt(0.65))
				happen(v)
				v.found()
				if s := v.machine.state(); s != Waiting {
					return // what cannot tell where it stands was not lost, or parks blindly
				}
				v.staysFor(3, true)
				v.trajectory.cfg.StopAction, v.requests.halt = StopPark, true
				v.staysFor(3, true)
				v.requests.halt = false
				v.requests.homeOrders++
				v.homesGently(wire.AllAt(0.6))
			})
		})
	}
}

// An order that was given while the platform was away does not move it when it comes back.
func TestAnOrderToAnAbsentPlatformIsForgotten(t *testing.T) {
	for _, wasHeard := range []bool{true, false} { // before it went away
		v := virtualSMC3(t)
		if wasHeard {
			v.homesGently(wire.AllAt(0.65))
		}
		v.alone, v.deaf = true, !wasHeard
		v.idle(10)
		v.pause(time.Minute)
		v.requests.homeOrders++
		v.p.homeOrders.Store(v.requests.homeOrders)
		v.deaf = false
		v.open()
		v.found()
		v.staysFor(5, true)
		v.requests.homeOrders++
		v.homesGently(wire.AllAt(0.6))
	}
}

// One that is found with its belt open, or at a fault or halted, and cannot tell where it stands, is sent nothing: it would go
// there at full speed.
func TestAPlatformFoundAtAnUnknownPlaceIsNotMoved(t *testing.T) {
	level.SkipIfQuick(t)
	for name, find := range map[string]func(v *virtual){
		"belt open": func(v *virtual) { v.requests.interlock = true },
		"halted":    func(v *virtual) { v.loseWhileItMoves(func() { v.requests.halt = true }) },
		"halted, with its belt open": func(v *virtual) {
			v.loseWhileItMoves(func() { v.requests.halt, v.requests.interlock = true, true })
		},
		"fault": func(v *virtual) {
			v.loseWhileItMoves(func() { v.trajectory.state, v.trajectory.faultCause = Fault, wire.FaultTarget })
		},
	} {
		t.Run(name, func(t *testing.T) {
			onEveryProtocol(t, func(t *testing.T, v *virtual, _ *dirtyLine) {
				v.machine.cfg.StartPosition = wire.AllAt(0.3) // where it does not stand
				find(v)
				v.alone = true
				for range int(8 / v.cfg.period().Seconds()) {
					if v.step(); v.machine.phase == driving && !v.machine.placeKnown && v.phaseDrives() {
						t.Fatalf("%s: is sent a target", v.machine.state())
					}
				}
			})
		})
	}
}

// loseWhileItMoves lets the platform follow a target, do what happens while it moves, and lose its line for a minute.
func (v *virtual) loseWhileItMoves(happens func()) {
	v.t.Helper()
	v.homesGently(wire.AllAt(0.65))
	v.drive(0.1, wire.AllAt(0.4))
	happens()
	v.step()
	v.sim.Reset()
	v.lose(time.Minute)
}
