package sim_test

import (
	"fmt"
	"math"
	"testing"
	"time"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/internal/files/config"
	"rig.example/rig/road"
	"rig.example/rig/sim"
	"rig.example/rig/sim/assist"
	"rig.example/rig/sim/tire"
	"rig.example/rig/test/level"
)

// builtin returns a built-in car on level asphalt, with settings as --set takes them.
func builtin(t testing.TB, dt float64, name string, set ...string) *sim.Car {
	t.Helper()
	p, err := config.LoadCar(name, set...)
	if err != nil {
		t.Fatal(err)
	}
	c, err := sim.New(p, road.Asphalt(), dt)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// thrown returns a car at a speed [m/s] along x.
func thrown(c *sim.Car, speed float64) sim.State {
	return c.Underway(r3.Vec{}, 0, speed, 0)
}

// inBend is the driver of the benchmarks: 20 m/s in a bend, under power.
func inBend(s *sim.State) sim.Input {
	return sim.Input{Steer: 0.4, Throttle: 0.2 + 0.3*(20-s.Speed), Gear: 3}
}

// settled returns a car that the driver of the benchmarks has driven for two seconds.
func settled(c *sim.Car, dt float64) sim.State {
	s := thrown(c, 20)
	for range int(2 / dt) {
		c.Step(&s, inBend(&s))
	}
	return s
}

func brushed() []string { return []string{"front.tire.model=brush", "rear.tire.model=brush"} }

// allHelp has every assist as the car's maker chose.
func allHelp() assist.Switches {
	return assist.Switches{ABS: 5, Traction: 5, Stability: 5, AutoClutch: true, AutoShift: true}
}

// loaded returns a coupe with a turbo, a consumption map, four driven wheels and three
// limited-slip differentials.
func loaded(t testing.TB) *sim.Car {
	t.Helper()
	p, err := config.LoadCar("coupe",
		"driveline.front_share=0.4",
		"driveline.front_differential.kind=limited_slip",
		"driveline.rear_differential.kind=limited_slip",
		"driveline.center_differential.kind=limited_slip",
		"driveline.turbo.boost_share=0.4")
	if err != nil {
		t.Fatal(err)
	}
	c, err := sim.New(p, road.Asphalt(), sim.Dt)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// ride is what a benchmark drives: from a state on, and from there again before long.
type ride struct {
	name  string
	car   *sim.Car
	from  sim.State
	drive func(s *sim.State) sim.Input
}

// lasts is how many ticks of a ride come before it begins anew: in them nobody who brakes stops.
const lasts = 1000

// step drives one tick.
func (r *ride) step(s *sim.State) {
	if s.Tick >= r.from.Tick+lasts {
		*s = r.from
	}
	r.car.Step(s, r.drive(s))
}

// rides are the coupe as it comes and with all that a car can have, in a bend under power
// and braking as hard as it can.
func rides(t testing.TB) []ride {
	t.Helper()
	mf, brush, all := builtin(t, sim.Dt, "coupe"), builtin(t, sim.Dt, "coupe", brushed()...), loaded(t)
	bend := func(s *sim.State) sim.Input {
		in := inBend(s)
		in.Assists = allHelp()
		return in
	}
	brake := func(*sim.State) sim.Input { return sim.Input{Brake: 1, Gear: 3, Assists: allHelp()} }
	turning, braking := thrown(all, 20), all.Underway(r3.Vec{}, 0, 30, 3)
	for range 2000 {
		all.Step(&turning, bend(&turning))
	}
	for range 300 {
		all.Step(&braking, brake(&braking))
	}
	return []ride{
		{"coupe-mf", mf, settled(mf, sim.Dt), inBend},
		{"coupe-brush", brush, settled(brush, sim.Dt), inBend},
		{"coupe-mf-everything", all, turning, bend},
		{"coupe-mf-abs", all, braking, brake},
	}
}

// BenchmarkStep is one tick of the coupe on level ground, and what share of it each
// stage takes. Shares are of one run: the machine's speed does not count.
func BenchmarkStep(b *testing.B) {
	for _, r := range rides(b) {
		b.Run(r.name, func(b *testing.B) {
			s := r.from
			b.ReportAllocs()
			for b.Loop() {
				r.step(&s)
			}
			spent, all := stageTimes(&r)
			for i, name := range sim.Stages()[1:] {
				b.ReportMetric(100*spent[i+1]/all, name+"-%")
			}
		})
	}
}

// stageTimes returns the mean time of each stage, less what the clock takes, and
// their sum [ns]. Ticks that somebody interrupted are left out.
func stageTimes(r *ride) (spent []float64, all float64) {
	const ticks, interrupted = 50_000, 5 * time.Microsecond
	spent = make([]float64, len(sim.Stages()))
	counts := make([]int, len(spent))
	s := r.from
	start := time.Now()
	last := time.Since(start)
	for tick := range ticks {
		if tick%lasts == 0 {
			s = r.from
		}
		r.car.StepInStages(&s, r.drive(&s), func(stage int) {
			now := time.Since(start)
			if took := now - last; took < interrupted {
				spent[stage] += float64(took)
				counts[stage]++
			}
			last = time.Since(start)
		})
	}
	for i := range spent {
		spent[i] /= float64(max(counts[i], 1))
	}
	for i := len(spent) - 1; i > 0; i-- {
		spent[i] = max(spent[i]-spent[0], 0)
		all += spent[i]
	}
	return spent, all
}

// BenchmarkRate is the cost of a second's drive at three rates of the step.
func BenchmarkRate(b *testing.B) {
	for _, hz := range []float64{500, 1000, 4000} {
		b.Run(fmt.Sprintf("%.0f-hz", hz), func(b *testing.B) {
			c := builtin(b, 1/hz, "coupe")
			s := settled(c, 1/hz)
			for b.Loop() {
				c.Step(&s, inBend(&s))
			}
			each := float64(b.Elapsed().Nanoseconds()) / float64(b.N)
			b.ReportMetric(each*hz*1e-6, "ms/s")
		})
	}
}

func TestAStepInStagesIsAStep(t *testing.T) {
	for _, r := range rides(t) {
		s, parts, calls := r.from, r.from, 0
		for range lasts {
			r.step(&s)
			r.car.StepInStages(&parts, r.drive(&parts), func(int) { calls++ })
		}
		if s != parts || calls != lasts*(len(sim.Stages())+1) {
			t.Errorf("%s: a step in stages leads elsewhere than a step, or tells of %d stages", r.name, calls)
		}
	}
}

func TestABuiltInCarsStepAllocatesNothing(t *testing.T) {
	for _, name := range config.Cars() {
		c := builtin(t, sim.Dt, name)
		s := settled(c, sim.Dt)
		if n := testing.AllocsPerRun(200, func() { c.Step(&s, inBend(&s)) }); n != 0 {
			t.Errorf("%s: %g allocations", name, n)
		}
	}
}

func TestAStepWithEverythingOnAllocatesNothing(t *testing.T) {
	for _, r := range rides(t) {
		s := r.from
		if n := testing.AllocsPerRun(2*lasts, func() { r.step(&s) }); n != 0 {
			t.Errorf("%s: %g allocations", r.name, n)
		}
	}
}

// The rides that are timed must be what they are called: everything works in them.
func TestTheTimedRidesWorkEverything(t *testing.T) {
	list := rides(t)
	var helped, locked bool
	for i, r := range list[2:] {
		s := r.from
		for range lasts {
			r.step(&s)
			if i == 0 {
				helped = helped || s.Assist.Reference > 15 && s.Driveline.Engine.Boost > 0 && s.Driveline.Fuel > 0 && s.Driveline.Gearbox.WantedGear > 0
			} else {
				locked = locked || s.Brakes.Wheels[tire.FL].ABS.IsActive() && s.Brakes.Wheels[tire.RL].ABS.IsActive()
			}
		}
		if s.Speed < 2 {
			t.Errorf("%s: ends at %g m/s", r.name, s.Speed)
		}
	}
	if !helped || !locked {
		t.Errorf("electronics, boost and automatic gears work: %t; the ABS works in front and behind: %t", helped, locked)
	}
}

// laneChange enters at 22 m/s, steers through a sine of two seconds to 3.5 m/s² and
// goes straight on; in gear, the engine turns with the wheels from the start.
func laneChange(c *sim.Car, dt float64, gear int8) sim.State {
	const entry, period, ay = 22.0, 2.0, 3.5
	p := c.Params()
	most := p.Steering.Ratio * ay * (p.Wheelbase/(entry*entry) + max(c.Understeer(), 0))
	s := c.Underway(r3.Vec{}, 0, entry, gear)
	for i := range int(5 / dt) {
		at := (float64(i) + 0.5) * dt // the middle of the tick, so that every rate steers alike
		in := sim.Input{Gear: gear}
		if gear != 0 { // a limiter would shake the body whenever its ticks fall
			in.Throttle = 0.3
		}
		if at > 1 && at < 1+period {
			in.Steer = most * math.Sin(2*math.Pi*(at-1)/period)
		}
		c.Step(&s, in)
	}
	return s
}

// ends returns where lane changes end at steps of 2, 1, 0.5 ms, and of 0.25 ms if all must be tested.
func ends(t *testing.T, name string, gear int8) []sim.State {
	list := make([]sim.State, level.Pick(0, 3, 4))
	for i := range list {
		dt := 2e-3 / float64(int(1)<<i)
		list[i] = laneChange(builtin(t, dt, name), dt, gear)
	}
	return list
}

// Half the step halves the error of a method of first order, and with it what
// half the step changes, in neutral and through a closed clutch.
func TestALaneChangeConvergesWithShorterSteps(t *testing.T) {
	level.SkipIfQuick(t)
	const shrinks = 0.6 // what half the step changes, over what the step before changed, at most
	tests := []struct {
		name string
		gear int8
		most float64 // by half the rig's step, in 110 m [m]
	}{
		{"in neutral", 0, 0.006},
		{"in gear", 3, 0.010},
	}
	for i, name := range config.Cars() {
		for k, tt := range tests {
			if i%2 == k && !level.All() {
				continue
			}
			t.Run(name+" "+tt.name, func(t *testing.T) {
				t.Parallel()
				end := ends(t, name, tt.gear)
				apart := make([]float64, len(end)-1)
				for i := range apart {
					apart[i] = r3.Norm(r3.Sub(end[i].Pos, end[i+1].Pos))
				}
				last := &end[len(end)-1]
				t.Logf("%.1f m ahead, %.2f m aside; from 2 ms on half the step moves that by %.5f m", last.Pos.X, last.Pos.Y, apart)
				for i := range apart[1:] {
					if apart[i+1] > shrinks*apart[i] {
						t.Errorf("half the step moves the end by %.5f m: that does not converge", apart)
					}
				}
				if apart[1] > tt.most {
					t.Errorf("half the rig's step moves the end by %.4f m, want %g m at most", apart[1], tt.most)
				}
			})
		}
	}
}
