package drive

import (
	"fmt"
	"math"
	"math/bits"
	"testing"

	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/core/guard"
	"rig.example/rig/sim"
	"rig.example/rig/test/level"
)

// rim is a real rim that nobody holds, behind a wheel that answers late.
type rim struct {
	inertia, friction float64 // [kg·m²], [N·m]
	late              int     // ticks from a torque to the angle that it causes
	angle, speed      float64
	held              bool      // somebody holds it
	reversed          bool      // its force pushes the wrong way
	torques           []float64 // on their way
}

// step turns the rim for a tick, by the torque of some ticks ago.
func (r *rim) step(torque float64) {
	r.torques = append(r.torques, torque)
	if len(r.torques) <= r.late {
		return
	}
	torque, r.torques = r.torques[0], r.torques[1:]
	if r.reversed {
		torque = -torque
	}
	speed := r.speed + torque/r.inertia*sim.Dt
	r.speed = math.Copysign(max(0, math.Abs(speed)-r.friction/r.inertia*sim.Dt), speed)
	if r.held {
		r.speed = 0
	}
	r.angle += r.speed * sim.Dt
}

// turned is a demo whose driver model turns a real rim. highest is the highest torque so far [N·m].
type turned struct {
	*tester
	rim     *rim
	highest float64
}

func newTurned(t *testing.T, r *rim) *turned {
	t.Helper()
	d := &turned{tester: demo(t), rim: r}
	d.UseRimServo()
	d.Setup.AnyKeyStops = true
	return d
}

// run steps drive and rim, and calls each after every tick.
func (d *turned) run(t *testing.T, ticks int, each func()) {
	t.Helper()
	for range ticks {
		d.in.Wheel.Angle = d.rim.angle
		d.out = d.Step(&d.in)
		d.in.Operator.ConfirmBy, d.in.Buttons.Pressed = guard.Nobody, 0
		d.rim.step(d.out.Torque)
		d.highest = max(d.highest, math.Abs(d.out.Torque)+d.out.OwnEffects)
		if each != nil {
			each()
		}
	}
}

func light() *rim { return &rim{inertia: 0.04, friction: 0.15, late: 12} }

// The rim follows the driver model, whatever its inertia and friction, and the model drives the car.
func TestARealRimFollowsTheDriverModel(t *testing.T) {
	level.SkipIfQuick(t)
	rims := []*rim{light(), {inertia: 0.08, friction: 0.5, late: 14}, {inertia: 0.02, friction: 0.02, late: 16}, {inertia: 0.1, friction: 0.1, late: 5}}
	for _, r := range rims[:level.Pick(2, 2, 4)] { // the usual one, and the one that is hardest to turn
		name := fmt.Sprintf("%+v", *r)
		d := newTurned(t, r)
		sum, worst, n, most := 0.0, 0.0, 0, 0.0
		d.run(t, 40_000, func() {
			if d.out.State != guard.Driving || d.State.Car.Speed < 5 {
				return
			}
			wanted := d.State.model.Input.Steer
			e := math.Abs(r.angle - wanted)
			sum, n, worst, most = sum+e*e, n+1, max(worst, e), max(most, math.Abs(wanted))
		})
		rms := math.Sqrt(sum / float64(n))
		t.Logf("%s: error %.3f rad rms, %.3f at most, of angles up to %.2f; %.2f N·m at most", name, rms, worst, most, d.highest)
		if n < 20_000 || most < 0.5 || rms > 0.15 || worst > 0.5 || d.highest > ServoMaxTorque {
			t.Errorf("%s: error %.3f rad rms, %.3f at most, of angles up to %.2f in %d ticks; %.2f N·m at most", name, rms, worst, most, n, d.highest)
		}
		if _, side := d.Setup.Circuit.Nearest(d.State.Car.Pos, d.State.Station); math.Abs(side) > 6 {
			t.Errorf("%s: the car is %.1f m beside the line", name, side)
		}
	}
}

// Nothing makes the torque at a rim that turns by itself exceed 2 N·m, all effects of the wheel included: neither a
// strong wheel nor consent nor what the rim does.
func TestATurnedRimNeverGetsMoreThanTwoNewtonMetres(t *testing.T) {
	for _, c := range []struct {
		name               string
		rated, own, driven float64
		want               float64
	}{{"strong", 20, 0, 20, 2}, {"weak", 0.7, 0, 8, 0.7}, {"with effects of its own", 20, 0.5, 20, 1.5}, {"with all of them", 20, 3, 20, 0}, {"little allowed", 20, 0, 1, 1}} {
		d := newTurned(t, light())
		d.in.Wheel.Rated, d.in.Wheel.OwnEffectsMax = c.rated, c.own
		cfg := d.Setup.Guard
		cfg.MaxTorque = c.driven
		d.Setup.Guard = cfg
		d.State.Guard = *guard.New(cfg, sim.Dt)
		d.State.Guard.AllowHighTorque()
		tick := 0
		d.run(t, 6000, func() {
			if tick++; tick%700 == 0 { // somebody throws it about, but never for as long as a second
				d.rim.angle, d.rim.speed = math.Sin(float64(tick)), 8*math.Cos(float64(tick))
			}
			if torque := math.Abs(d.out.Torque); torque > c.want {
				t.Fatalf("%s: %g N·m in tick %d, want %g at most", c.name, torque, tick, c.want)
			}
		})
		if d.highest < 0.99*c.want || d.out.State != guard.Driving {
			t.Errorf("%s: %g N·m at most in %v, want %g", c.name, d.highest, d.out.State, c.want)
		}
	}
}

// A rim that starts far from where it is to be begins without torque, and turns slowly.
func TestATurnedRimBeginsGently(t *testing.T) {
	d := newTurned(t, &rim{inertia: 0.03, friction: 0.02, late: 5, angle: 4})
	d.in.Operator.Start = false
	d.run(t, 100, nil)
	d.in.Operator.Start = true
	fastest, last := 0.0, 0.0
	d.run(t, 3000, func() {
		fastest = max(fastest, math.Abs(d.rim.speed))
		if math.Abs(d.out.Torque-last) > 0.2 {
			t.Fatalf("torque from %g to %g N·m in a tick", last, d.out.Torque)
		}
		last = d.out.Torque
	})
	if fastest > 1.5*servoTargetSpeed || math.Abs(d.rim.angle-d.State.model.Input.Steer) > 0.3 {
		t.Errorf("up to %.1f rad/s; ended at %.2f rad, want %.2f", fastest, d.rim.angle, d.State.model.Input.Steer)
	}
}

// hold has somebody hold the rim at an angle that the driver model does not want.
func (d *turned) hold(angle float64) {
	d.rim.held, d.rim.speed, d.rim.angle = true, 0, angle
}

// A rim that does not follow for a second at full torque is a fault, until the operator confirms.
func TestARimThatIsHeldIsAFault(t *testing.T) {
	d := newTurned(t, light())
	d.run(t, 4000, nil)
	d.hold(1.5)
	ticks := 0
	for ; d.out.State == guard.Driving && ticks < 3000; ticks++ {
		d.run(t, 1, nil)
	}
	if ticks < 1000 || ticks > 1400 || d.out.State != guard.Fault || !d.out.RimStuck || d.out.Torque != 0 {
		t.Fatalf("%v after %d ticks, stuck %v, %g N·m; want a fault after a second", d.out.State, ticks, d.out.RimStuck, d.out.Torque)
	}
	d.run(t, 2000, nil)
	if d.out.State != guard.Fault || d.out.Torque != 0 || d.out.RimStuck {
		t.Errorf("%v, %g N·m, stuck %v before the confirmation", d.out.State, d.out.Torque, d.out.RimStuck)
	}
	d.rim.held = false
	d.in.Operator.ConfirmBy, d.in.Operator.Confirmed = guard.ByCommand, d.in.Operator.Stops
	if d.run(t, 3000, nil); d.out.State != guard.Driving {
		t.Errorf("%v after it", d.out.State)
	}
}

// A rim whose force pushes the wrong way loses it within a turn.
func TestARimThatRunsAwayIsAFault(t *testing.T) {
	d := newTurned(t, light())
	d.run(t, 4000, nil)
	from := d.rim.angle
	d.rim.reversed = true
	d.rim.angle += 0.1
	d.run(t, 3000, func() {
		if far := math.Abs(d.rim.angle - from); d.out.State == guard.Driving && far > 2*math.Pi {
			t.Fatalf("%.1f rad from where it began, at %.1f rad/s", far, d.rim.speed)
		}
	})
	if d.out.State != guard.Fault || d.out.Torque != 0 {
		t.Errorf("%v, %g N·m", d.out.State, d.out.Torque)
	}
}

// What holds the torque back is no rim that does not follow: a wheel without force, a fade, a small distance.
func TestARimWithoutTorqueIsNotStuck(t *testing.T) {
	level.SkipIfQuick(t)
	for name, change := range map[string]func(d *turned){
		"no force":      func(d *turned) { d.in.Wheel.Rated = 0; d.hold(2) },
		"a little off":  func(d *turned) { d.hold(d.State.model.Input.Steer + 0.3) },
		"dead man":      func(d *turned) { d.in.Window.Keys = 0; d.hold(2) },
		"no wheel":      func(d *turned) { d.in.Wheel.Present = false; d.hold(2) },
		"wheel is back": func(d *turned) { d.in.Wheel.Present = false; d.run(t, 10, nil); d.in.Wheel.Present = true; d.hold(0.6) },
	} {
		d := newTurned(t, light())
		if name == "dead man" {
			cfg := d.Setup.Guard
			cfg.DeadMan = true
			d.Setup.Guard = cfg
			d.State.Guard = *guard.New(cfg, sim.Dt)
			d.in.Buttons.Down = frame.KeyDeadMan
			d.run(t, 4000, nil)
			d.in.Buttons.Down = 0
		} else {
			d.run(t, 4000, nil)
		}
		speed := d.State.Car.Speed
		change(d)
		d.run(t, 1300, func() {
			if e := math.Abs(d.State.Input.Steer - d.State.model.Input.Steer); e > 0.05 {
				t.Fatalf("%s: the car is steered %.2f rad beside the model", name, e)
			}
		})
		if d.out.State != guard.Driving || d.State.Car.Speed < speed/2 {
			t.Errorf("%s: %v at %.1f m/s", name, d.out.State, d.State.Car.Speed)
		}
	}
}

// Releases, stops and pauses take the torque off a turned rim as ever.
func TestATurnedRimIsReleased(t *testing.T) {
	for name, c := range map[string]struct {
		order func(d *turned)
		ticks int
	}{
		"release":  {func(d *turned) { d.in.Operator.Release = true }, 520},
		"pause":    {func(d *turned) { d.State.Cockpit.Paused = true }, 520},
		"an order": {func(d *turned) { d.in.Operator.Stops++ }, 1},
		"a switch": {func(d *turned) { d.in.Stop.Pressed = true }, 1},
		"unplug":   {func(d *turned) { d.in.Wheel.Present = false }, 1},
		"belt":     {func(d *turned) { d.in.InterlockOpen = true }, 520},
	} {
		d := newTurned(t, light())
		d.run(t, 4000, nil)
		d.rim.angle += 0.4 // so that there is a torque
		d.run(t, 20, nil)
		if before := math.Abs(d.out.Torque); before < 0.3 {
			t.Fatalf("%s: %g N·m before it", name, before)
		}
		c.order(d)
		if d.run(t, c.ticks, nil); d.out.Torque != 0 {
			t.Errorf("%s: %g N·m after %d ticks in %v", name, d.out.Torque, c.ticks, d.out.State)
		}
	}
}

// NaN of the wheel is a fault that ends with it.
func TestNaNOfTheRimIsAFault(t *testing.T) {
	d := newTurned(t, light())
	d.run(t, 4000, nil)
	at := d.rim.angle
	d.rim.angle = math.NaN()
	if d.run(t, 2, nil); d.out.State != guard.Fault || d.out.Torque != 0 {
		t.Fatalf("%v, %g N·m", d.out.State, d.out.Torque)
	}
	*d.rim = *light()
	d.rim.angle, d.in.Operator.ConfirmBy, d.in.Operator.Confirmed = at, guard.ByCommand, d.in.Operator.Stops
	if d.run(t, 3000, nil); d.out.State != guard.Driving || math.IsNaN(d.out.Torque) {
		t.Errorf("%v, %g N·m after the confirmation", d.out.State, d.out.Torque)
	}
}

func TestATickWithATurnedRimAllocatesNothing(t *testing.T) {
	d := newTurned(t, &rim{inertia: 0.04})
	d.run(t, 3000, nil)
	if n := testing.AllocsPerRun(1000, func() { d.Step(&d.in) }); n != 0 {
		t.Errorf("a tick allocates %g times", n)
	}
}

// Each key of the window and each button stops in the very tick, until it is confirmed, and does nothing else.
func TestAnyKeyStops(t *testing.T) {
	d := newTurned(t, light())
	pictures := func() { d.in.Window.Pictures++ }
	steady := func(ticks int) {
		for range ticks {
			d.in.Window.Pictures++
			d.run(t, 1, nil)
		}
	}
	d.in.Window.Keys = frame.WindowFocused // which is none
	if steady(2600); d.out.State != guard.Driving {
		t.Fatalf("%v in a window that has the keyboard", d.out.State)
	}
	for key := uint64(1); key <= frame.KeyOther; key <<= 1 {
		if key&(frame.KeyClose|frame.KeyInterlock) != 0 {
			continue
		}
		for _, button := range []bool{false, true} {
			if !level.All() && button == (bits.TrailingZeros64(key)%2 == 0) {
				continue // each key or the button that does the same
			}
			if steady(2600); d.out.State != guard.Driving {
				t.Fatalf("%v before key %d", d.out.State, bits.TrailingZeros64(key))
			}
			gain, rain := d.State.Rim.Force.Gain(), d.State.Cockpit.Rain
			if pictures(); button {
				d.in.Buttons.Pressed = key
			} else {
				d.in.Window.Keys = key
			}
			d.run(t, 1, nil)
			if d.out.State != guard.Stopped || d.out.Torque != 0 || !d.out.Platform.Halt {
				t.Errorf("key %d, button %v: %v, %g N·m, halt %v in that tick", bits.TrailingZeros64(key), button, d.out.State, d.out.Torque, d.out.Platform.Halt)
			}
			steady(50)
			d.in.Window.Keys = 0
			if steady(300); d.out.State != guard.Stopped || d.State.Cockpit.Paused || d.State.Rim.Force.Gain() != gain || d.State.Cockpit.Rain != rain || d.State.Cockpit.keyboard.active() {
				t.Errorf("key %d, button %v: %v, paused %v when it was let go", bits.TrailingZeros64(key), button, d.out.State, d.State.Cockpit.Paused)
			}
			d.in.Window.Keys = frame.KeyClear
			steady(20)
			d.in.Window.Keys = 0
		}
	}
}

// The key that confirms does not confirm its own stop, however long it is held, and the next press does.
func TestEnterStopsOnceAndThenConfirms(t *testing.T) {
	d := newTurned(t, light())
	press := func(keys uint64, ticks int) guard.State {
		d.in.Window.Keys = keys
		for range ticks {
			d.in.Window.Pictures++
			d.run(t, 1, nil)
		}
		return d.out.State
	}
	press(0, 3000)
	if s := press(frame.KeyClear, 3000); s != guard.Stopped {
		t.Errorf("%v while Enter is held", s)
	}
	if s := press(0, 500); s != guard.Stopped {
		t.Errorf("%v when it was let go", s)
	}
	press(frame.KeyClear, 50)
	if s := press(0, 3000); s != guard.Driving {
		t.Errorf("%v after it was pressed again", s)
	}
	d.in.Stop.Pressed = true
	press(0, 10)
	if s := press(frame.KeyClear, 50); s != guard.Stopped {
		t.Errorf("%v by Enter while the stop lasts", s)
	}
}

// A button that is held down all the time, such as a switch that stays on, stops once.
func TestASwitchThatStaysOnStopsOnce(t *testing.T) {
	d := newTurned(t, light())
	d.in.Buttons.Down = frame.KeyHandbrake
	if d.run(t, 2, nil); d.out.State != guard.Stopped {
		t.Errorf("%v at the start", d.out.State)
	}
	d.in.Operator.ConfirmBy, d.in.Operator.Confirmed = guard.ByCommand, d.in.Operator.Stops
	if d.run(t, 4000, nil); d.out.State != guard.Driving || d.State.Input.Handbrake != 0 {
		t.Errorf("%v after the confirmation, handbrake %g", d.out.State, d.State.Input.Handbrake)
	}
}

// The dead man's button and the closed belt are held, and never stop.
func TestWhatIsHeldToDriveIsNoStop(t *testing.T) {
	d := newTurned(t, light())
	cfg := d.Setup.Guard
	cfg.DeadMan = true
	d.Setup.Guard, d.Setup.InterlockButton = cfg, true
	d.State.Guard = *guard.New(cfg, sim.Dt)
	d.in.Buttons.Down = frame.KeyInterlock | frame.KeyDeadMan
	if d.run(t, 4000, nil); d.out.State != guard.Driving || d.highest == 0 {
		t.Errorf("%v, %g N·m at most", d.out.State, d.highest)
	}
}

// Hands on the rim are not asked of a rim that turns by itself.
func TestATurnedRimNeedsNoHands(t *testing.T) {
	d := newTurned(t, light())
	cfg := d.Setup.Guard
	cfg.HandsOff = 0.5
	d.Setup.Guard = cfg
	d.State.Guard = *guard.New(cfg, sim.Dt)
	if d.run(t, 20_000, nil); d.State.Guard.HandsOff() {
		t.Error("the torque is off because nobody holds the rim")
	}
}
