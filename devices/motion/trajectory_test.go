package motion

import (
	"math"
	"math/rand/v2"
	"testing"

	"rig.example/rig/devices/motion/wire"
	"rig.example/rig/test/level"
)

// run steps p for a number of seconds with the same orders.
func run(p *trajectory, seconds float64, o stepInput) (l wire.Legs) {
	o.elapsed = p.dt
	for range int(math.Round(seconds / p.dt)) {
		l = p.step(o)
	}
	return l
}

func readyTrajectory() *trajectory {
	p := newTrajectory(quickConfig("/dev/null"))
	p.start(wire.AllAt(0.5), false)
	p.state, p.staysWhereFound, p.awaitsHome = Ready, false, false // as after an order to home
	return p
}

func TestTrajectoryStates(t *testing.T) {
	fresh := stepInput{target: wire.AllAt(0.7), hasNewTarget: true}
	late := stepInput{target: wire.AllAt(0.7), hasNewTarget: true, age: 0.15}
	park := stepInput{target: wire.AllAt(0.7), hasNewTarget: true, park: true}
	halt := stepInput{target: wire.AllAt(0.7), hasNewTarget: true, halt: true}
	tests := []struct {
		name  string
		drive func(p *trajectory)
		want  State
	}{
		{"at the center it is ready at once", func(*trajectory) {}, Ready},
		{"without targets it stays ready", func(p *trajectory) { run(p, 5, stepInput{}) }, Ready},
		{"a target makes it active", func(p *trajectory) { p.step(fresh) }, Active},
		{"48 ms without one are nothing", func(p *trajectory) { p.step(fresh); run(p, 0.048, stepInput{}) }, Active},
		{"56 ms without one park it", func(p *trajectory) { p.step(fresh); run(p, 0.056, stepInput{}) }, Parking},
		{"then it rests", func(p *trajectory) { p.step(fresh); run(p, 1, stepInput{}) }, Parked},
		{"a target while it parks is followed", func(p *trajectory) { run(p, 1, fresh); run(p, 0.1, stepInput{}); p.step(fresh) }, Active},
		{"a target after it parked homes it", func(p *trajectory) { run(p, 1, fresh); run(p, 2, stepInput{}); p.step(fresh) }, Homing},
		{"an order to park outdoes targets", func(p *trajectory) { run(p, 1, fresh); p.step(park) }, Parking},
		{"and keeps doing so", func(p *trajectory) { run(p, 1, fresh); run(p, 3, park) }, Parked},
		{"an order to park while homing", func(p *trajectory) { p.start(wire.AllAt(0.2), false); p.step(park) }, Parking},
		{"a bad target is a fault", func(p *trajectory) { p.step(fresh); p.step(stepInput{faults: wire.FaultTarget}) }, Fault},
		{"good ones do not lift it", func(p *trajectory) { p.step(stepInput{faults: wire.FaultTarget}); run(p, 3, fresh) }, Fault},
		{"a new line does not lift it", func(p *trajectory) { p.step(stepInput{faults: wire.FaultTarget}); p.start(wire.AllAt(0.5), false) }, Fault},
		{"one that is late parks it, fresh as it seems", func(p *trajectory) { p.step(fresh); p.step(late) }, Parking},
		{"one that is late takes nothing up", func(p *trajectory) { p.step(late) }, Ready},
		{"time counts, not steps", func(p *trajectory) { p.step(fresh); p.step(stepInput{elapsed: 0.06}) }, Parking},
		{"a halt while it follows", func(p *trajectory) { run(p, 1, fresh); p.step(halt) }, Halted},
		{"a halt while it homes", func(p *trajectory) { p.start(wire.AllAt(0.2), false); p.step(stepInput{}); p.step(halt) }, Halted},
		{"a halt while it parks", func(p *trajectory) { run(p, 1, fresh); p.step(park); p.step(halt) }, Halted},
		{"a halt outdoes an order to park", func(p *trajectory) { run(p, 1, fresh); p.step(stepInput{halt: true, park: true}) }, Halted},
		{"a halt in a fault", func(p *trajectory) { p.step(stepInput{faults: wire.FaultTarget}); p.step(halt) }, Halted},
		{"a bad target while halted", func(p *trajectory) { p.step(halt); p.step(stepInput{halt: true, faults: wire.FaultTarget}) }, Halted},
		{"nothing but an order lifts a halt", func(p *trajectory) { p.step(halt); run(p, 3, fresh) }, Halted},
		{"a new line does not lift it either", func(p *trajectory) { p.step(halt); p.start(wire.AllAt(0.3), false) }, Halted},
		{"a home order waits for the halt to be lifted", func(p *trajectory) { p.step(stepInput{halt: true, homeOrders: 1}) }, Halted},
		{"and then is obeyed", func(p *trajectory) {
			run(p, 1, fresh)
			p.step(stepInput{halt: true, homeOrders: 1})
			p.step(stepInput{homeOrders: 1})
		}, Homing},
		{"parking lifts a halt", func(p *trajectory) { run(p, 1, fresh); p.step(halt); p.step(stepInput{park: true}) }, Parking},
		{"an open belt parks it", func(p *trajectory) { run(p, 1, fresh); p.step(stepInput{interlock: true}) }, Parking},
		{"and it stays", func(p *trajectory) {
			run(p, 1, fresh)
			run(p, 3, stepInput{interlock: true, target: wire.AllAt(0.7), hasNewTarget: true})
		}, Parked},
		{"found with an open belt it does not move", func(p *trajectory) { p.start(wire.AllAt(0.2), true); run(p, 3, stepInput{interlock: true}) }, Halted},
		{"a drive that failed is a fault", func(p *trajectory) { run(p, 1, fresh); p.step(stepInput{faults: wire.FaultDrive}) }, Fault},
		{"that is latched", func(p *trajectory) { p.step(stepInput{faults: wire.FaultDrive}); run(p, 3, fresh) }, Fault},
		{"until it is homed", func(p *trajectory) { p.step(stepInput{faults: wire.FaultDrive}); p.step(stepInput{homeOrders: 1}) }, Ready},
		{"and the drive is well", func(p *trajectory) {
			p.step(stepInput{faults: wire.FaultDrive})
			p.step(stepInput{homeOrders: 1, faults: wire.FaultDrive})
		}, Fault},
		{"a spike filter at work is no fault", func(p *trajectory) {
			run(p, 1, fresh)
			p.step(stepInput{target: wire.AllAt(0.7), hasNewTarget: true, faults: wire.FaultSpike})
		}, Active},
		{"homing lifts it", func(p *trajectory) {
			p.step(stepInput{faults: wire.FaultTarget})
			p.start(wire.AllAt(0.2), false)
			p.step(stepInput{homeOrders: 1})
		}, Homing},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := readyTrajectory()
			tt.drive(p)
			if p.state != tt.want {
				t.Errorf("is %s, want %s", p.state, tt.want)
			}
		})
	}
}

func TestTrajectoryHomesAtHomeSpeed(t *testing.T) {
	p := newTrajectory(quickConfig("/dev/null"))
	p.start(wire.AllAt(0.1), false)
	if p.step(stepInput{}); p.state != Waiting {
		t.Errorf("is %s before an order", p.state)
	}
	p.step(stepInput{homeOrders: 1})
	for last := wire.AllAt(0.1); p.state == Homing; {
		l := p.step(stepInput{homeOrders: 1})
		if v := (l[0] - last[0]) / p.dt; v > p.cfg.HomeSpeed+hair {
			t.Fatalf("homes with %g strokes/s, at most %g", v, p.cfg.HomeSpeed)
		}
		last = l
	}
}

func TestTrajectoryTakesUpTargetsGently(t *testing.T) {
	p := readyTrajectory()
	p.cfg.MaxTargetJump = 0
	first := p.step(stepInput{target: wire.AllAt(0.9), hasNewTarget: true})
	last := first
	for range 25 { // 0.1 s
		l := p.step(stepInput{target: wire.AllAt(0.9), hasNewTarget: true})
		if v := (l[0] - last[0]) / p.dt; v > p.cfg.HomeSpeed+0.1*(p.cfg.MaxSpeed[0]-p.cfg.HomeSpeed)+0.01 {
			t.Fatalf("%g strokes/s in the first tenth of a second", v)
		}
		last = l
	}
	run(p, 2, stepInput{target: wire.AllAt(0.1), hasNewTarget: true})
	top := 0.0
	last = wire.AllAt(p.limiters[0].position)
	for range 250 {
		l := p.step(stepInput{target: wire.AllAt(0.9), hasNewTarget: true})
		top = max(top, (l[0]-last[0])/p.dt)
		last = l
	}
	if math.Abs(top-1.5) > 1e-6 {
		t.Errorf("later reaches %g strokes/s, want 1.5", top)
	}
}

func TestTrajectoryHoldsBeforeItParksInAFault(t *testing.T) {
	p := readyTrajectory()
	run(p, 2, stepInput{target: wire.AllAt(0.7), hasNewTarget: true})
	held := p.step(stepInput{faults: wire.FaultTarget})
	if got := run(p, 0.2, stepInput{}); math.Abs(got[0]-held[0]) > hair {
		t.Errorf("moved from %g to %g while it holds", held[0], got[0])
	}
	if got := run(p, 1, stepInput{}); math.Abs(got[0]-p.cfg.ParkPosition[0]) > hair || !p.isParked() {
		t.Errorf("is at %g, want parked at %g", got[0], p.cfg.ParkPosition[0])
	}
}

func TestTrajectoryHaltBrakesAndHolds(t *testing.T) {
	p := readyTrajectory()
	run(p, 0.3, stepInput{target: wire.AllAt(0.9), hasNewTarget: true})
	speed, from := p.limiters[0].velocity, p.limiters[0].position
	gaining := p.limiters[0].accel
	if speed < 0.5 {
		t.Fatalf("moves with %g strokes/s, too slow for the test", speed)
	}
	way := speed*speed/(2*p.cfg.MaxAccel[0]) + speed*gaining/p.cfg.MaxJerk[0] // and what it still gains meanwhile
	at := run(p, 1, stepInput{halt: true})[0] - from
	if math.Abs(at-way) > speed*p.dt {
		t.Errorf("stopped after %g of the stroke, want its braking distance %g", at, way)
	}
	if !p.isHeld() {
		t.Error("not at rest after a second")
	}
	if now := run(p, 5, stepInput{halt: true, park: true})[0] - from; now != at {
		t.Errorf("crept from %g to %g", at, now)
	}
}

// Whatever is ordered in whatever order, no axis leaves its limits.
func TestTrajectoryKeepsTheLimitsOfEveryAxis(t *testing.T) {
	level.SkipIfQuick(t)
	rng := rand.New(rand.NewPCG(5, 6))
	p := readyTrajectory()
	last, speed, gain := wire.AllAt(0.5), wire.Legs{}, wire.Legs{}
	o := stepInput{}
	for range 100_000 {
		if rng.IntN(20) == 0 {
			o = stepInput{elapsed: p.dt, hasNewTarget: rng.IntN(3) > 0, faults: wire.Faults(rng.IntN(500)/499) << rng.IntN(9), interlock: rng.IntN(50) == 0, unresponsive: rng.IntN(30) == 0, halt: rng.IntN(20) == 0, park: rng.IntN(20) == 0, homeOrders: o.homeOrders + uint64(rng.IntN(30)/29)}
			for i := range o.target {
				o.target[i] = rng.Float64()*1.5 - 0.25
			}
		}
		l := p.step(o)
		for i, v := range l {
			now := (v - last[i]) / p.dt
			accel := (now - speed[i]) / p.dt
			if v < 0.1-hair || v > 0.9+hair || math.Abs(now) > 1.5+1e-6 || math.Abs(accel) > 20+1e-6 || math.Abs(accel-gain[i]) > 2000*p.dt+1e-6 {
				t.Fatalf("%s: axis %d at %g with %g strokes/s after %g, %g strokes/s² after %g", p.state, i, v, now, speed[i], accel, gain[i])
			}
			speed[i], gain[i] = now, accel
		}
		last = l
	}
}

// A single target that jumps is not followed; one that stays is followed,
// and not at once at full speed.
func TestTrajectoryHoldsATargetThatJumps(t *testing.T) {
	p := readyTrajectory()
	run(p, 2, stepInput{target: wire.AllAt(0.3), hasNewTarget: true})
	p.step(stepInput{elapsed: p.dt, target: wire.AllAt(0.8), hasNewTarget: true})
	if at := run(p, 0.1, stepInput{target: wire.AllAt(0.3), hasNewTarget: true}); math.Abs(at[0]-0.3) > hair || p.targetJumps != 1 {
		t.Errorf("a spike moved it to %g and gave %d warnings, want 0.3 and 1", at[0], p.targetJumps)
	}
	if at := run(p, 0.19, stepInput{target: wire.AllAt(0.8), hasNewTarget: true}); math.Abs(at[0]-0.3) > hair || p.state != Active {
		t.Errorf("%s at %g before it is sure, want active at 0.3", p.state, at[0])
	}
	run(p, 0.1, stepInput{target: wire.AllAt(0.8), hasNewTarget: true})
	if v := p.limiters[0].velocity; v < 0.3 || v > p.cfg.HomeSpeed+0.1*(p.cfg.MaxSpeed[0]-p.cfg.HomeSpeed) {
		t.Errorf("rejoins with %g strokes/s", v)
	}
	if at := run(p, 2, stepInput{target: wire.AllAt(0.8), hasNewTarget: true}); math.Abs(at[0]-0.8) > hair || p.targetJumps != 2 {
		t.Errorf("came to %g with %d warnings, want 0.8 and 2", at[0], p.targetJumps)
	}
}

func TestTrajectoryFollowsAnyJumpWithoutASpikeFilter(t *testing.T) {
	p := readyTrajectory()
	p.cfg.MaxTargetJump = 0
	run(p, 2, stepInput{target: wire.AllAt(0.1), hasNewTarget: true})
	if run(p, 0.05, stepInput{target: wire.AllAt(0.9), hasNewTarget: true}); p.limiters[0].velocity < 0.3 || p.targetJumps != 0 {
		t.Errorf("moves with %g after %d warnings", p.limiters[0].velocity, p.targetJumps)
	}
}

func TestTrajectoryThatParksOnAHalt(t *testing.T) {
	p := readyTrajectory()
	p.cfg.StopAction = StopPark
	run(p, 2, stepInput{target: wire.AllAt(0.9), hasNewTarget: true})
	at := run(p, 2, stepInput{target: wire.AllAt(0.9), hasNewTarget: true, halt: true})
	if p.state != Halted || math.Abs(at[0]-p.cfg.ParkPosition[0]) > hair || !p.isParked() {
		t.Errorf("%s at %g, want halted at the park position", p.state, at[0])
	}
}

// When its emergency stop is released, a controller sends its actuators after
// the last target: it must not have gone on meanwhile.
func TestTrajectoryStaysUnderTheControllersEmergencyStop(t *testing.T) {
	p := readyTrajectory()
	run(p, 2, stepInput{target: wire.AllAt(0.7), hasNewTarget: true})
	if at := run(p, 3, stepInput{faults: wire.FaultStop}); math.Abs(at[0]-0.7) > hair || p.state != Fault {
		t.Errorf("%s at %g, want a fault at 0.7", p.state, at[0])
	}
}

// Where it is not known whether the controller follows, nothing moves; after
// that targets are taken up as gently as at first.
func TestTrajectoryHoldsWhileItDoesNotKnow(t *testing.T) {
	p := readyTrajectory()
	run(p, 2, stepInput{target: wire.AllAt(0.5), hasNewTarget: true})
	run(p, 0.2, stepInput{target: wire.AllAt(0.7), hasNewTarget: true, unresponsive: true})
	if at := p.limiters[0].position; math.Abs(at-0.5) > hair {
		t.Errorf("went to %g, want 0.5", at)
	}
	if p.step(stepInput{target: wire.AllAt(0.7), hasNewTarget: true}); p.activeTime > p.dt {
		t.Errorf("takes up targets as if it had followed for %g s", p.activeTime)
	}
}

func TestTrajectoryStepAllocatesNothing(t *testing.T) {
	p := readyTrajectory()
	if n := testing.AllocsPerRun(100, func() { p.step(stepInput{target: wire.AllAt(0.7), hasNewTarget: true}) }); n != 0 {
		t.Errorf("%g allocations, want 0", n)
	}
}
