package motion

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"rig.example/rig/devices/motion/simulated"
	"rig.example/rig/devices/motion/smc3"
	"rig.example/rig/devices/motion/wire"
	"rig.example/rig/test/level"
)

// tampered is a controller of which the second motor can be held, and its sensor slip.
type tampered struct {
	placeable
	held bool
}

// placeable is a simulated controller whose motors can be moved by hand.
type placeable interface {
	simulated.Controller
	Place(motor int, position float64)
}

const tamperedMotor = 1

// Advance lets d pass with the motor standing where it is held.
func (c *tampered) Advance(d time.Duration) (out []byte) {
	for ; d > 0; d -= simulated.Period {
		at := c.Positions()[tamperedMotor]
		out = append(out, c.placeable.Advance(min(d, simulated.Period))...)
		if c.held {
			c.Place(tamperedMotor, at)
		}
	}
	return out
}

// slip moves the motor for all that its controller knows.
func (c *tampered) slip(by float64) {
	c.Place(tamperedMotor, c.Positions()[tamperedMotor]+by)
}

// onTampered returns a platform in mid-drive, on targets as cueing gives them: swings of up
// to a third of the stroke in a few seconds.
func onTampered(t *testing.T) (v *virtual, c *tampered, drive func(seconds float64, until func() bool)) {
	cfg := DefaultConfig()
	cfg.Protocol, cfg.BootWait = ProtocolSMC3, 0.1
	return driveTampered(t, cfg, smc3.NewSimulator(smc3.DefaultSimulatorConfig()))
}

// driveTampered is onTampered with any controller.
func driveTampered(t *testing.T, cfg Config, sim placeable) (v *virtual, c *tampered, drive func(seconds float64, until func() bool)) {
	c = &tampered{placeable: sim}
	v = newVirtual(t, cfg, c)
	v.untilState(Ready)
	drive = func(seconds float64, until func() bool) {
		for range int(seconds / v.cfg.period().Seconds()) {
			s := v.now.Seconds()
			v.push(wire.AllAt(0.5 + 0.25*math.Sin(1.9*s) + 0.08*math.Sin(5.3*s)))
			if v.step(); until() {
				return
			}
		}
	}
	drive(8, func() bool { return false })
	v.want(Active)
	return v, c, drive
}

// A motor that stands still in a drive is a fault within half a second of its path being
// farther away than follow_error_share, whenever in the drive it sticks.
func TestStuckActuatorTripsWithinHalfASecond(t *testing.T) {
	level.SkipIfQuick(t)
	t.Parallel()
	longest := time.Duration(0)
	for moment := range 10 {
		v, c, drive := onTampered(t)
		drive(0.33*float64(moment), func() bool { return false })
		c.held = true
		at, since := c.Positions()[tamperedMotor], v.now
		drive(10, func() bool {
			if math.Abs(v.machine.sent[tamperedMotor]-at) <= v.cfg.MaxFollowError+0.01 {
				since = v.now // its path is where it stands
			}
			return v.machine.state() == Fault
		})
		if v.trajectory.faultCause != wire.FaultFollow {
			t.Fatalf("stuck after %d steps: %s (%s)", moment, v.machine.state(), v.trajectory.faultCause)
		}
		longest = max(longest, v.now-since)
	}
	t.Logf("the longest was %v", longest)
	if longest > 500*time.Millisecond {
		t.Errorf("a stuck motor is a fault after %v, want 0.5 s at most", longest)
	}
}

// A sensor that slips by 300 of 1023 counts is a fault, also where the controller drives its
// motor back to where the sensor reports what was sent.
func TestJumpOfTheFeedbackIsAFault(t *testing.T) {
	level.SkipIfQuick(t)
	t.Parallel()
	for _, held := range []bool{false, true} {
		for moment := range 5 {
			v, c, drive := onTampered(t)
			drive(0.66*float64(moment), func() bool { return false })
			by := 300.0 / 1023
			if v.machine.sent[tamperedMotor] > 0.5 {
				by = -by
			}
			began := v.now
			c.held = held
			c.slip(by)
			drive(2, func() bool { return v.machine.state() == Fault })
			if v.trajectory.faultCause&wire.FaultJump == 0 || v.now-began > 100*time.Millisecond {
				t.Errorf("slipped by %.2f, motor held: %t: %s (%s) after %v, want a jump in 0.1 s", by, held, v.machine.state(), v.trajectory.faultCause, v.now-began)
			}
		}
	}
}

// One wrong answer is no jump: the platform holds until the next, and goes on gently.
func TestOneWrongPositionHoldsForAnAnswer(t *testing.T) {
	v, _, drive := onTampered(t)
	for _, wrong := range []float64{0, 1, 0.95} {
		v.board.store(wire.Answer{Kind: wire.AnswerPosition, Axis: 0, Position: wrong, Temperature: math.NaN()}, v.now)
		began, held := v.now, false
		drive(1, func() bool {
			held = held || v.machine.monitor.hasImplausiblePosition()
			return held && !v.machine.monitor.hasImplausiblePosition()
		})
		if !held || v.now-began > 40*time.Millisecond {
			t.Errorf("told %g: held: %t, for %v, want until the next answer, 30 ms", wrong, held, v.now-began)
		}
		drive(3, func() bool { return false })
		if v.trajectory.faultCause != 0 || v.machine.state() != Active {
			t.Fatalf("told %g: is %s (%s)", wrong, v.machine.state(), v.trajectory.faultCause)
		}
	}
}

// Answers that are all impossible are a broken sensor.
func TestSensorThatTellsNonsenseIsAFault(t *testing.T) {
	v, _, drive := onTampered(t)
	rng := rand.New(rand.NewPCG(3, 0))
	v.only = func(a wire.Answer) bool { return a.Kind != wire.AnswerPosition || a.Axis != 0 }
	next := v.now
	drive(1, func() bool {
		if v.now >= next {
			v.board.store(wire.Answer{Kind: wire.AnswerPosition, Axis: 0, Position: 2*float64(rng.IntN(2)) - 0.5, Temperature: math.NaN()}, v.now)
			next += 20 * time.Millisecond
		}
		return v.machine.state() == Fault
	})
	if v.trajectory.faultCause&wire.FaultJump == 0 {
		t.Errorf("is %s (%s), want a jump", v.machine.state(), v.trajectory.faultCause)
	}
}

// laggard is an actuator that follows a path late, told of as coarsely, as noisily and as
// seldom as a controller does.
type laggard struct {
	delay, lag   float64 // [s]
	quantum      float64 // of what is told, share of the stroke
	noise        float64 // largest, share of the stroke
	every        float64 // between two answers [s]
	lost         float64 // share of the answers
	rng          *rand.Rand
	history      []float64
	at, told     float64
	toldAt, next time.Duration
	stuck        bool
	fast         bool // the path may go at 2 strokes/s and 15 strokes/s²
}

func (l *laggard) step(path, dt float64, now time.Duration) {
	l.history = append(l.history, path)
	late := l.history[max(0, len(l.history)-1-int(l.delay/dt))]
	if !l.stuck {
		l.at += (late - l.at) * dt / (l.lag + dt)
	}
	if now < l.next {
		return
	}
	l.next = now + time.Duration(l.every*float64(time.Second))
	if l.rng.Float64() >= l.lost {
		v := l.at + l.noise*(2*l.rng.Float64()-1)
		l.told, l.toldAt = math.Floor(v/l.quantum)*l.quantum, now
	}
}

// sweepLags calls f for actuators of all kinds, each on an axis of its own and with a path
// of wild targets within the default limits.
func sweepLags(t *testing.T, f func(t *testing.T, rate float64, l laggard)) {
	for _, rate := range []float64{20, 100, 250, 500} {
		for _, lag := range []laggard{{}, {lag: 0.05}, {delay: 0.1}, {lag: 0.15}, {delay: 0.1, lag: 0.1}, {lag: 0.25}, {delay: 0.3}, {lag: 0.3}} {
			for _, told := range []laggard{
				{quantum: 1.0 / 1023, every: 0.01}, {quantum: 4.0 / 1023, every: 0.03}, {quantum: 4.0 / 1023, every: 0.03, noise: 0.015},
				{quantum: 4.0 / 1023, every: 0.03, lost: 0.3}, {quantum: 4.0 / 1023, every: 0.1},
			} {
				l := lag
				l.quantum, l.every, l.noise, l.lost = told.quantum, told.every, told.noise, told.lost
				t.Run(fmt.Sprintf("%g Hz, delay %g, lag %g, every %g s, noise %g, lost %g", rate, l.delay, l.lag, l.every, l.noise, l.lost), func(t *testing.T) {
					l.rng = rand.New(rand.NewPCG(7, uint64(rate)))
					f(t, rate, l)
				})
			}
		}
	}
}

// swept drives the actuator along a path of wild targets until it ends, for a number of seconds
// at most.
func (l *laggard) swept(rate, seconds float64, ends func(w *watch, path float64, wrong wire.Faults) bool) {
	w := watching(DefaultConfig().MaxFollowError, DefaultConfig().MaxFollowTime, 1/rate)
	cfg := DefaultConfig()
	axis := limiter{dt: 1 / rate}
	axis.reset(0.5)
	start, target := wire.AllAt(0.5), 0.5
	l.at, l.told = 0.5, 0.5
	w.start(&start, w.now)
	lim := limits{cfg.MinPosition[0], cfg.MaxPosition[0], cfg.MaxSpeed[0], cfg.MaxAccel[0], cfg.MaxJerk[0]}
	if l.fast {
		lim.speed, lim.accel, lim.jerk = 2, 15, 500
	}
	for range int(seconds * rate) {
		if l.rng.Float64() < 2/rate {
			target = l.rng.Float64()
		}
		path := axis.step(target, 0, lim)
		w.now += time.Duration(float64(time.Second) / rate)
		l.step(path, 1/rate, w.now)
		legs, told, toldAt := wire.AllAt(path), wire.AllAt(math.NaN()), [wire.Axes]time.Duration{l.toldAt}
		if w.now-l.toldAt <= silenceLimit/4 {
			told[0] = l.told
		}
		if ends(w, path, w.step(&legs, &told, &toldAt, w.now)) {
			return
		}
	}
}

// No lag up to 0.3 s is a fault, however coarse, noisy and rare the answers, and also where
// the path may go twice as fast as by default.
func TestNoLagIsAFault(t *testing.T) {
	level.SkipIfQuick(t)
	t.Parallel()
	sweepLags(t, func(t *testing.T, rate float64, l laggard) {
		for seed := range uint64(level.Pick(1, 1, 3)) {
			for _, fast := range []bool{false, true} {
				l := l // with targets of its own, however long the others ran
				l.rng, l.fast = rand.New(rand.NewPCG(9+seed, uint64(rate))), fast
				l.swept(rate, float64(level.Pick(5, 10, 60)), func(w *watch, _ float64, wrong wire.Faults) bool {
					if wrong != 0 || w.hasImplausiblePosition() {
						t.Errorf("seed %d, fast: %t: %s after %v; delay %g, error %.3f", seed, fast, wrong, w.now, w.actuators[0].lag, w.error[0])
						return true
					}
					return false
				})
			}
		}
	})
}

// An actuator that sticks is found within 0.4 s after its path went farther away than the
// limit where its lag was 0.16 s or less, and within 0.8 s whatever it was.
func TestStuckActuatorIsFoundWhateverItsLag(t *testing.T) {
	level.SkipIfQuick(t)
	t.Parallel()
	sweepLags(t, func(t *testing.T, rate float64, l laggard) {
		var since, took time.Duration
		found := false
		l.swept(rate, 20, func(w *watch, path float64, wrong wire.Faults) bool {
			if w.now < 6*time.Second {
				return false
			}
			if !l.stuck {
				l.stuck, since = true, w.now
			}
			if math.Abs(path-l.at) <= w.limit+l.noise+l.quantum {
				since = w.now
			}
			took, found = w.now-since, wrong&wire.FaultFollow != 0
			return found
		})
		limit := 800 * time.Millisecond
		if l.delay+l.lag < 0.17 {
			limit = 400 * time.Millisecond
		}
		if !found || took > limit {
			t.Errorf("found: %t, after %v; want %v at most", found, took, limit)
		}
	})
}

// The lag that is measured is that of the actuator, to the step of the measure and the age
// of its answers.
func TestLagIsMeasured(t *testing.T) {
	for _, delay := range []float64{0, 0.06, 0.2, 0.3} {
		l := laggard{delay: delay, quantum: 4.0 / 1023, every: 0.03, rng: rand.New(rand.NewPCG(7, 0))}
		lag := math.NaN()
		l.swept(250, 20, func(w *watch, _ float64, _ wire.Faults) bool { lag = w.actuators[0].lag; return false })
		if math.Abs(lag-delay) > lagStep+hair {
			t.Errorf("a delay of %g s is measured as %g s", delay, lag)
		}
	}
}
