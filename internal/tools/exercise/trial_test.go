package exercise

import (
	"context"
	"errors"
	"io"
	"math"
	"strings"
	"testing"
	"time"

	"rig.example/rig/calib/dialog"
	"rig.example/rig/devices/estop"
	"rig.example/rig/devices/wheel"
	"rig.example/rig/internal/core/guard"
	"rig.example/rig/internal/core/loop"
	"rig.example/rig/internal/files/config"
)

// slowRim is a simulated wheel that answers late, and remembers the largest torque.
type slowRim struct {
	*wheel.Sim
	queue   []float64
	delay   int // [ticks]
	most    float64
	first   float64 // torque that was not 0 first [N·m]
	gone    bool
	faulty  bool
	torques []float64
}

func newSlowRim(delay int) *slowRim {
	cfg := wheel.DefaultSimConfig()
	cfg.RatedNm = 12
	return &slowRim{Sim: wheel.NewSim(cfg), delay: delay}
}

func (s *slowRim) Poll(out *wheel.Sample) {
	s.Sim.Step()
	s.Sim.Poll(out)
	out.Present, out.Fault = !s.gone, s.faulty
}

func (s *slowRim) Push(torque float64) {
	s.most = max(s.most, math.Abs(torque))
	if s.first == 0 {
		s.first = torque
	}
	s.torques = append(s.torques, torque)
	s.queue = append(s.queue, torque)
	if len(s.queue) > s.delay {
		s.Sim.Push(s.queue[0])
		s.queue = s.queue[1:]
	}
}

// tried plays a trial to its end; at calls what happens in a tick.
func tried(t *testing.T, trial ForceTrial, rim *slowRim, at func(tick int, r *trialRun)) (*trialRun, error) {
	t.Helper()
	cfg := config.Default()
	cfg.Wheel.MaxTorque, cfg.FFB.MaxTorque, cfg.Guard.MaxTorque = 20, 20, 20
	r, err := newTrialRun(cfg, trial, rim, nil)
	if err != nil {
		t.Fatal(err)
	}
	for tick := range 80_000 {
		if at != nil {
			at(tick, r)
		}
		if err := r.tick(); errors.Is(err, loop.ErrDone) {
			return r, nil
		} else if err != nil {
			return r, err
		}
	}
	t.Fatal("the trial does not end")
	return nil, nil
}

func trialOf(name string, torque float64) ForceTrial {
	return ForceTrial{Effect: name, Torque: torque, Hz: 5, Duration: 5 * time.Second}
}

func TestTrialsStayWithinTheirTorque(t *testing.T) {
	for _, e := range trialEffects {
		rim := newSlowRim(10)
		rim.Hands(0, 5)
		r, err := tried(t, trialOf(e.name, 1.5), rim, func(tick int, r *trialRun) {
			if !e.hasSide { // somebody turns the rim
				rim.Hands(2*math.Sin(float64(tick)/200), 40)
			}
		})
		if err != nil {
			t.Errorf("%s: %v", e.name, err)
			continue
		}
		if rim.most > 1.5 || rim.most < 0.5 {
			t.Errorf("%s: %.2f N·m at most, want 0.5 to 1.5", e.name, rim.most)
		}
		if last := rim.torques[len(rim.torques)-1]; last != 0 {
			t.Errorf("%s: leaves %g N·m", e.name, last)
		}
		if d := r.result("a wheel", nil).Duration; d < 4.9 || d > 5.6 {
			t.Errorf("%s: lasted %g s", e.name, d)
		}
	}
}

func TestTrialsFadeIn(t *testing.T) {
	rim := newSlowRim(0)
	rim.Hands(0, 40)
	if _, err := tried(t, trialOf("constant", 2), rim, nil); err != nil {
		t.Fatal(err)
	}
	for _, at := range []struct {
		tick int
		most float64
	}{{100, 0.03}, {500, 0.35}, {1000, 1.05}} {
		if got := rim.torques[at.tick]; got > at.most {
			t.Errorf("%.2f N·m after %d ms, want at most %.2f", got, at.tick, at.most)
		}
	}
	if got := rim.torques[2500]; got != 2 {
		t.Errorf("%g N·m after 2.5 s, want 2", got)
	}
}

// The side that is announced is the side that comes.
func TestTrialsBeginOnTheSideTheyTell(t *testing.T) {
	for _, e := range trialEffects {
		if !e.hasSide {
			continue
		}
		for _, torque := range []float64{1, -1} {
			rim := newSlowRim(0)
			rim.Hands(0, 20)
			if _, err := tried(t, trialOf(e.name, torque), rim, nil); err != nil {
				t.Fatal(err)
			}
			says := e.describe(torque, 5, 5)
			if left := rim.first > 0; left != (torque > 0) || left != strings.Contains(says, "LEFT") || left == strings.Contains(says, "RIGHT") {
				t.Errorf("%s of %g: first %g N·m, says %q", e.name, torque, rim.first, says)
			}
		}
	}
}

func TestTrialsThatResistKeepARimStill(t *testing.T) {
	for _, name := range []string{"spring", "damper", "friction"} {
		for _, delay := range []int{0, 10, 20} {
			for _, torque := range []float64{0.5, 2, 8} {
				rim := newSlowRim(delay)
				rim.Hands(0.6, 60) // moved aside, and let go
				r, err := tried(t, trialOf(name, torque), rim, func(tick int, r *trialRun) {
					if tick == 2500 {
						rim.Hands(0, 0)
					}
				})
				if err != nil {
					t.Fatal(err)
				}
				n := len(r.angles)
				swing := 0.0
				for _, a := range r.angles[n-1000 : n-600] {
					swing = max(swing, math.Abs(a-r.angles[n-600]))
				}
				if swing > 1.0/degreesPerRadian {
					t.Errorf("%s of %g N·m, %d ms late: the rim still swings by %.2f°", name, torque, delay, swing*degreesPerRadian)
				}
			}
		}
	}
}

func TestTrialTellsHowLateTheWheelIs(t *testing.T) {
	for _, stiffness := range []float64{0, 5, 20} {
		for _, delay := range []int{0, 2, 10, 25} {
			rim := newSlowRim(delay)
			rim.Hands(0, stiffness)
			r, err := tried(t, trialOf("impact", 1), rim, nil)
			if err != nil {
				t.Fatal(err)
			}
			got := r.result("", nil).Delay
			if got == nil {
				t.Errorf("%d ms late, arms of %g N·m/rad: it cannot tell", delay, stiffness)
			} else if math.Abs(*got-float64(delay)) > 4 {
				t.Errorf("%d ms late, arms of %g N·m/rad: tells %.1f ms", delay, stiffness, *got)
			}
		}
	}
	knock := make([]float64, 2000)
	knock[500], knock[501] = 1, 1
	if d := responseDelay(knock, make([]float64, 2000)); !math.IsNaN(d) {
		t.Errorf("a rim that does nothing answers after %g s", d)
	}
}

func TestTrialsThatAreCutShort(t *testing.T) {
	for _, c := range []struct {
		name  string
		trial ForceTrial
		at    func(tick int, r *trialRun, rim *slowRim)
		want  string
	}{
		{"Ctrl-C", trialOf("sine", 1), func(tick int, r *trialRun, _ *slowRim) { r.haltRequested.Store(tick >= 2500) }, "the torque is off"},
		{"nobody holds the rim", trialOf("constant", 1), func(_ int, _ *trialRun, rim *slowRim) { rim.Hands(0, 0) }, "more than 120°"},
		{"unplugged", trialOf("sine", 1), func(tick int, _ *trialRun, rim *slowRim) { rim.gone = tick >= 2500 }, "the wheel was disconnected"},
		{"no wheel", trialOf("sine", 1), func(_ int, _ *trialRun, rim *slowRim) { rim.gone = true }, "did not become ready"},
		{"stop button", trialOf("sine", 1), func(tick int, r *trialRun, _ *slowRim) {
			if tick == 2500 {
				r.controls = pressing{wheel.Edges{Pressed: 1 << wheel.Stop}}
			}
		}, "stopped by its button"},
		{"stop switch", trialOf("sine", 1), func(tick int, r *trialRun, _ *slowRim) {
			if tick == 2500 {
				r.switches.Stop = pressedSwitch{}
			}
		}, "release the switch"},
		{"a faulty sensor", trialOf("sine", 1), func(tick int, _ *trialRun, rim *slowRim) { rim.faulty = tick >= 2500 }, "the steering sensor is faulty"},
		{"rig stood still", trialOf("sine", 1), func(tick int, r *trialRun, _ *slowRim) {
			if tick == 0 || tick == 2500 {
				r.stats.Lateness.Add(2 * time.Second)
			}
		}, "no effect continues by itself"},
	} {
		rim := newSlowRim(0)
		rim.Hands(0, 20)
		_, err := tried(t, c.trial, rim, func(tick int, r *trialRun) { c.at(tick, r, rim) })
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
		n := len(rim.torques)
		if rim.torques[n-1] != 0 || strings.Contains("Ctrl-C stop button stop switch a faulty sensor rig stood still", c.name) && (rim.torques[2499] == 0 || rim.torques[2500] != 0) {
			t.Errorf("%s: %g N·m before, %g in its tick, %g in the end", c.name, rim.torques[2499], rim.torques[2500], rim.torques[n-1])
		}
	}
}

// After a short time without a step the effect fades in again, and what a tick found that took too long reaches no rim.
func TestATrialThatWasHeldUpBeginsAtNothing(t *testing.T) {
	rim, now, looks := newSlowRim(0), time.Duration(0), 0
	rim.Hands(0, 20)
	_, err := tried(t, trialOf("constant", 1), rim, func(tick int, r *trialRun) {
		switch tick {
		case 0, 2500:
			r.stats.Lateness.Add(60 * time.Millisecond)
		case 4800:
			r.gap.Now = func() time.Duration { looks++; now += 30 * time.Millisecond; return now }
		case 4801:
			r.gap.Now = nil
		}
	})
	if err != nil || rim.torques[2499] == 0 || rim.torques[4799] == 0 || rim.torques[4801] == 0 {
		t.Fatalf("%v, %g, %g, %g N·m", err, rim.torques[2499], rim.torques[4799], rim.torques[4801])
	}
	if rim.torques[2500] != 0 || rim.torques[2520] > 0.01 || rim.torques[4800] != 0 || looks != 2 {
		t.Errorf("%g and %g N·m after a time without a step, %g in a tick that was held up (%d looks)", rim.torques[2500], rim.torques[2520], rim.torques[4800], looks)
	}
}

type pressing struct{ e wheel.Edges }

func (p pressing) Poll() wheel.Edges { return p.e }

type pressedSwitch struct{}

func (pressedSwitch) State() (bool, estop.Cause) { return true, estop.Opened }
func (pressedSwitch) Enable(bool)                {}
func (pressedSwitch) Relay() (bool, estop.Cause) { return false, estop.None }

func TestLimitsOfATrial(t *testing.T) {
	for _, c := range []struct {
		name   string
		torque float64
		high   bool
		edit   func(*config.Config)
		want   float64
		why    string
	}{
		{"gentle", 1, false, func(*config.Config) {}, 1, ""},
		{"the wheel's", -6, false, func(*config.Config) {}, 4, "wheel.max_torque_nm"},
		{"no consent", 15, false, func(c *config.Config) { c.Wheel.MaxTorque, c.FFB.MaxTorque, c.Guard.MaxTorque = 20, 20, 20 }, 8, "the missing flag --high-torque"},
		{"consent", 15, true, func(c *config.Config) { c.Wheel.MaxTorque, c.FFB.MaxTorque, c.Guard.MaxTorque = 20, 20, 20 }, 15, ""},
		{"consent, and a guard", 15, true, func(c *config.Config) { c.Wheel.MaxTorque, c.FFB.MaxTorque = 20, 20 }, guard.SafeTorque, "guard.max_torque_nm"},
	} {
		cfg := config.Default()
		c.edit(&cfg)
		trial := trialOf("constant", c.torque)
		trial.HighTorque = c.high
		if got, why := trial.torqueLimit(cfg); got != c.want || why != c.why {
			t.Errorf("%s: %g N·m by %q, want %g by %q", c.name, got, why, c.want, c.why)
		}
	}
}

func TestTrialsThatAreRefused(t *testing.T) {
	for _, c := range []struct {
		edit func(*ForceTrial)
		want string
	}{
		{func(t *ForceTrial) { t.Effect = "tickle" }, "choose constant, sine"},
		{func(t *ForceTrial) { t.Torque = math.NaN() }, "--torque-nm NaN"},
		{func(t *ForceTrial) { t.Torque = 0 }, "cannot be felt"},
		{func(t *ForceTrial) { t.Effect, t.Torque = "spring", -1 }, "has no side"},
		{func(t *ForceTrial) { t.Hz = 0 }, "--hz 0"},
		{func(t *ForceTrial) { t.Duration = time.Hour }, "--duration 1h"},
	} {
		trial := trialOf("constant", 1)
		c.edit(&trial)
		if err := trial.Validate(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %q", trial, err, c.want)
		}
	}
}

func TestATrialAsksFirst(t *testing.T) {
	for _, c := range []struct {
		name, answer string
		torque       float64
		agreed, ok   bool
	}{
		{"yes", "yes\n", 1, false, true},
		{"no", "no\n", 1, false, false},
		{"nothing", "\n", 1, false, false},
		{"y is no word", "y\n", 1, false, false},
		{"--yes", "", 2, true, true},
		{"--yes is not enough", "no\n", 2.5, true, false},
		{"--yes and yes", "yes\n", 2.5, true, true},
	} {
		var out strings.Builder
		o := ForceTrialOptions{UI: dialog.New(strings.NewReader(c.answer), &out, false), Output: &out, Confirmed: c.agreed}
		err := trialOf("constant", c.torque).confirm(context.Background(), config.Default(), "G29", o)
		if (err == nil) != c.ok || !strings.Contains(out.String(), "G29: constant pushes the rim to the LEFT") {
			t.Errorf("%s: %v after %q", c.name, err, out.String())
		}
	}
	for torque, gives := range map[float64]bool{2: true, 2.5: false} { // what --yes cannot do is not advised
		o := ForceTrialOptions{UI: dialog.New(strings.NewReader(""), io.Discard, false), Output: io.Discard, Confirmed: !gives}
		err := trialOf("constant", torque).confirm(context.Background(), config.Default(), "G29", o)
		if err == nil || strings.Contains(err.Error(), "--yes") != gives {
			t.Errorf("%g N·m, nobody answers: %v", torque, err)
		}
	}
}
