package maneuver

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig/sim"
	"rig/sim/road"
)

func ready(t testing.TB) (*sim.Car, *road.Circuit, *Driver) {
	t.Helper()
	return readyBy(t, DefaultConfig())
}

func readyBy(t testing.TB, cfg Config) (*sim.Car, *road.Circuit, *Driver) {
	t.Helper()
	circuit := club(t)
	car, err := sim.New(sim.DefaultCar(), circuit, sim.Dt)
	if err != nil {
		t.Fatal(err)
	}
	d, err := NewDriver(cfg, car, circuit, sim.Dt)
	if err != nil {
		t.Fatal(err)
	}
	return car, circuit, d
}

func TestThreeLapsOnTheRoad(t *testing.T) {
	car, circuit, d := ready(t)
	s := car.Rest(r3.Vec{X: 10}, 0)
	m := d.Start(&s)
	laps, worst, hardest, before := 0, 0.0, 0.0, m.Station
	var lap [3]float64
	started := 0.0
	for laps < 3 {
		car.Step(&s, d.Drive(&m, &s))
		worst = max(worst, math.Abs(m.Lateral))
		hardest = max(hardest, math.Abs(s.Acc.Y))
		now := float64(s.Tick) * sim.Dt
		if before > circuit.Length()-50 && m.Station < 50 {
			lap[laps] = now - started
			started = now
			laps++
		}
		before = m.Station
		if worst > circuit.At(0).Left-1 || now > 600 {
			t.Fatalf("after %.1f s at station %.0f m: %.2f m beside the line, speed %.1f m/s",
				now, m.Station, m.Lateral, s.Speed)
		}
	}
	t.Logf("laps of %.0f m in %.2f s, worst %.2f m beside the line, up to %.2f g", circuit.Length(), lap, worst, hardest/9.81)
	if worst > 1.3 {
		t.Errorf("worst lateral error %.2f m, want 1.3 m at most", worst)
	}
	if lap[2] < 120 || lap[2] > 150 {
		t.Errorf("lap time %.2f s, want 120 to 150 s", lap[2])
	}
	if hardest < 0.55*9.81 || hardest > 0.7*9.81 {
		t.Errorf("%.2f g sideways, want a sporty drive", hardest/9.81)
	}
}

func TestHandsAndFeetAreHuman(t *testing.T) {
	car, _, d := readyBy(t, LapConfig())
	s := car.Rest(r3.Vec{X: 10}, 0)
	m := d.Start(&s)
	var was sim.Input
	turns, rate, sum := 0, 0.0, 0.0
	const ticks = 80_000
	for range ticks {
		in := d.Drive(&m, &s)
		now := (in.Steer - was.Steer) / sim.Dt
		if math.Abs(now) > 0.3 && now*rate < 0 {
			turns++
		}
		if math.Abs(now) > 0.3 {
			rate = now
		}
		sum += now * now
		for _, pedal := range []float64{in.Throttle - was.Throttle, in.Brake - was.Brake} {
			if math.Abs(pedal)/sim.Dt > 8.001 {
				t.Fatalf("tick %d: a pedal moves by %.1f 1/s", s.Tick, pedal/sim.Dt)
			}
		}
		if math.Abs(now) > 15 {
			t.Fatalf("tick %d: steering wheel at %.1f rad/s", s.Tick, now)
		}
		if in.Throttle > 0 && in.Brake > 0.15 {
			t.Fatalf("tick %d: throttle %.2f and brake %.2f", s.Tick, in.Throttle, in.Brake)
		}
		car.Step(&s, in)
		was = in
	}
	rms, often := math.Sqrt(sum/ticks), float64(turns)/(ticks*sim.Dt)
	t.Logf("steering at %.2f rad/s rms, turned round %.2f times a second", rms, often)
	if rms > 1 || often > 1 {
		t.Errorf("steering at %.2f rad/s rms, turned round %.2f times a second, want at most 1 of both", rms, often)
	}
}

func TestPlanKeepsWithinTheLimits(t *testing.T) {
	for _, cfg := range []Config{DefaultConfig(), LapConfig()} {
		_, circuit, d := readyBy(t, cfg)
		p := &d.plan
		for i, v := range p.speed {
			next := p.speed[(i+1)%len(p.speed)]
			side := v * v * math.Abs(circuit.At(float64(i)*p.step).Curvature)
			along := (next*next - v*v) / (2 * p.step)
			if v <= 0 || v > cfg.Fastest || side > 1.001*d.cornering(v) || -along > 1.001*d.braking(max(v, next)) || along > cfg.Driving+1e-9 {
				t.Fatalf("%.0f m: %.1f m/s, %.2f m/s² across, %.2f m/s² along", float64(i)*p.step, v, side, along)
			}
		}
	}
}

func TestDownforceIsSeen(t *testing.T) {
	p := sim.DefaultCar()
	plain, err := newTrial(p, road.Asphalt(), Options{Rate: 1, Dt: tryDt})
	if err != nil {
		t.Fatal(err)
	}
	p.Aero = []sim.AeroSurface{{X: -1.3, LiftArea: -4}}
	wings, err := newTrial(p, road.Asphalt(), Options{Rate: 1, Dt: tryDt})
	if err != nil {
		t.Fatal(err)
	}
	a, b := plain.findLimits(), wings.findLimits()
	// 4 m² press with 0.6125·4·50² N at 50 m/s, 0.42 of the weight; soft tires give less for it.
	gain := b.side.at(50)/a.side.at(50) - 1
	if gain < 0.15 || gain > 0.45 {
		t.Errorf("wings bring %.0f %% at 50 m/s", 100*gain)
	}
	if still := b.side.at(5)/a.side.at(5) - 1; math.Abs(still) > 0.03 {
		t.Errorf("wings bring %.1f %% at 5 m/s", 100*still)
	}
}

func TestCatchesASlide(t *testing.T) {
	for _, cfg := range []Config{DefaultConfig(), LapConfig()} {
		for _, kick := range []float64{0.7, -0.7} {
			car, circuit, d := readyBy(t, cfg)
			s := car.Rest(r3.Vec{X: 100}, 0)
			m := d.Start(&s)
			for s.Speed < 25 {
				car.Step(&s, d.Drive(&m, &s))
			}
			s.Rate.Z += kick
			aside, most := 0.0, 0.0
			for range 4000 {
				car.Step(&s, d.Drive(&m, &s))
				aside = max(aside, math.Abs(m.Lateral))
				most = max(most, math.Abs(d.astray(&m, &s)))
			}
			if aside > circuit.At(0).Left-1 || most > 40*degree || math.Abs(m.Lateral) > 0.5 {
				t.Errorf("kick of %g rad/s: up to %.0f° astray and %.1f m beside the line, %.1f m in the end",
					kick, most/degree, aside, m.Lateral)
			}
		}
	}
}

func TestFindsBackToTheLine(t *testing.T) {
	car, circuit, d := ready(t)
	s := car.Rest(r3.Vec{X: 100, Y: 4}, 0.1)
	m := d.Start(&s)
	for range 8000 {
		car.Step(&s, d.Drive(&m, &s))
	}
	if math.Abs(m.Lateral) > 0.3 || s.Speed < 10 {
		t.Errorf("after 8 s %.2f m beside the line at %.1f m/s, station %.0f of %.0f m",
			m.Lateral, s.Speed, m.Station, circuit.Length())
	}
}

func TestDriverStandsNonsense(t *testing.T) {
	car, _, d := ready(t)
	for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), 1e300} {
		rest := car.Rest(r3.Vec{X: 100}, 0)
		m := d.Start(&rest)
		for i := range 7 {
			s := rest
			*[]*float64{&s.Pos.X, &s.Vel.X, &s.Speed, &s.Acc.Y, &s.Rate.Z, &s.Wheels[0].Kappa, &s.Wheels[3].Alpha}[i] = bad
			in := d.Drive(&m, &s)
			for _, v := range []float64{in.Steer, in.Throttle, in.Brake} {
				if finite(v, -1000) != v {
					t.Errorf("%g in place %d: input %+v", bad, i, in)
				}
			}
		}
		s := rest
		for range 5000 {
			car.Step(&s, d.Drive(&m, &s))
		}
		if !(s.Speed > 5) {
			t.Errorf("after %g the car does not drive: %.1f m/s", bad, s.Speed)
		}
	}
}

func TestOddCarsGetADriver(t *testing.T) {
	weightless, brakeless, slow := sim.DefaultCar(), sim.DefaultCar(), sim.DefaultCar()
	weightless.Gravity = 0
	brakeless.Brakes.Torque = 0
	slow.Driveline.Torque = []sim.TorquePoint{{RPM: 1000, Torque: 0}}
	for name, p := range map[string]sim.Params{"weightless": weightless, "without brakes": brakeless, "without an engine": slow} {
		circuit := club(t)
		car, err := sim.New(p, circuit, sim.Dt)
		if err != nil {
			t.Fatal(err)
		}
		d, err := NewDriver(LapConfig(), car, circuit, sim.Dt)
		if err != nil {
			t.Fatal(err)
		}
		for i, v := range d.plan.speed {
			if finite(v, 0) != v || finite(d.plan.ahead[i], 1e9) != d.plan.ahead[i] || v <= 0 {
				t.Fatalf("%s: plan of %g m/s and %g m/s²", name, v, d.plan.ahead[i])
			}
		}
	}
}

func TestDriveAllocatesNothing(t *testing.T) {
	car, _, d := ready(t)
	s := car.Rest(r3.Vec{X: 10}, 0)
	m := d.Start(&s)
	if n := testing.AllocsPerRun(1000, func() { car.Step(&s, d.Drive(&m, &s)) }); n != 0 {
		t.Errorf("%g allocations", n)
	}
}

func TestConfigNamesEveryBadField(t *testing.T) {
	err := Config{Effort: 1.1, Lateral: 0, Braking: math.NaN(), Driving: 3, Fastest: 30}.Validate()
	if err == nil || !strings.Contains(err.Error(), "lateral_mps2 = 0: allowed is 0.5 to 60") ||
		!strings.Contains(err.Error(), "braking_mps2 = NaN") || !strings.Contains(err.Error(), "effort = 1.1") ||
		strings.Contains(err.Error(), "fastest") || strings.Contains(err.Error(), "driving") {
		t.Errorf("error %v", err)
	}
	for _, c := range []Config{DefaultConfig(), LapConfig()} {
		if err := c.Validate(); err != nil {
			t.Error(err)
		}
	}
}

func BenchmarkDrive(b *testing.B) {
	car, _, d := ready(b)
	s := car.Rest(r3.Vec{X: 10}, 0)
	m := d.Start(&s)
	b.ReportAllocs()
	for b.Loop() {
		d.Drive(&m, &s)
	}
}

func BenchmarkNewDriver(b *testing.B) {
	car, circuit, _ := ready(b)
	for b.Loop() {
		if _, err := NewDriver(DefaultConfig(), car, circuit, sim.Dt); err != nil {
			b.Fatal(err)
		}
	}
}
