package driver

import (
	"math"
	"strings"
	"sync"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/road"
	"rig.example/rig/sim"
	"rig.example/rig/sim/assist"
	"rig.example/rig/sim/chassis"
	"rig.example/rig/sim/driveline"
	"rig.example/rig/sim/suspension"
	"rig.example/rig/sim/trial"
	"rig.example/rig/test/club"
	"rig.example/rig/test/level"
	"rig.example/rig/test/near"
)

// driven is a coupe on the built-in circuit with a driver.
type driven struct {
	car     *sim.Car
	circuit *road.Circuit
	driver  *Model
}

func newDriven(cfg Config) (d driven, err error) {
	if d.circuit, err = club.LoadOnce(); err == nil {
		d.car, err = sim.New(sim.DefaultCar(), d.circuit, sim.Dt)
	}
	if err == nil {
		d.driver, err = New(cfg, d.car, d.circuit, sim.Dt)
	}
	return d, err
}

// The two usual drivers are made once, for their trials and plans take longer than many a test.
var (
	calmDriver = sync.OnceValues(func() (driven, error) { return newDriven(DefaultConfig()) })
	fastDriver = sync.OnceValues(func() (driven, error) { return newDriven(LapConfig()) })
)

// ready returns the driver by DefaultConfig with its car and circuit.
func ready(t testing.TB) (*sim.Car, *road.Circuit, *Model) {
	t.Helper()
	return readyBy(t, calmDriver)
}

func readyBy(t testing.TB, made func() (driven, error)) (*sim.Car, *road.Circuit, *Model) {
	t.Helper()
	d, err := made()
	if err != nil {
		t.Fatal(err)
	}
	return d.car, d.circuit, d.driver
}

func TestLapsOnTheRoad(t *testing.T) {
	level.SkipIfQuick(t)
	t.Parallel()
	n := level.Pick(0, 1, 3) // laps, and a part of the next
	car, circuit, d := ready(t)
	s := car.Rest(r3.Vec{X: 10}, 0)
	m := d.Start(&s)
	laps, worst, hardest, before := 0, 0.0, 0.0, m.Station
	var lap [3]float64
	started := 0.0
	for laps < n || m.Station < 200 {
		car.Step(&s, d.Drive(&m, &s))
		if laps+int(m.Station/100) > 0 { // from the middle of the road it comes to its line first
			worst = max(worst, math.Abs(m.LineOffset))
		}
		hardest = max(hardest, math.Abs(s.Acc.Y+9.81*math.Sin(d.line.At(m.LineStation).Bank))) // as it is felt
		now := float64(s.Tick) * sim.Dt
		if before > circuit.Length()-50 && m.Station < 50 {
			lap[laps] = now - started
			started = now
			laps++
		}
		before = m.Station
		if d.beyondEdge(m.Station, m.LateralOffset) > -0.9 || now > 600 {
			t.Fatalf("after %.1f s at station %.0f m: %.2f m beside the line, %.2f m beside the middle, speed %.1f m/s",
				now, m.Station, m.LineOffset, m.LateralOffset, s.Speed)
		}
	}
	t.Logf("laps of %.0f m in %.2f s, worst %.2f m beside the line, up to %.2f g", circuit.Length(), lap, worst, hardest/9.81)
	if worst > 0.9 {
		t.Errorf("worst lateral error %.2f m, want 0.9 m at most", worst)
	}
	if last := lap[n-1]; last < 120 || last > 150 {
		t.Errorf("lap time %.2f s, want 120 to 150 s", last)
	}
	if hardest < 0.55*9.81 || hardest > 0.75*9.81 {
		t.Errorf("%.2f g sideways, want a sporty drive", hardest/9.81)
	}
}

func TestSteeringAndPedalRatesAreLimited(t *testing.T) {
	level.SkipIfQuick(t)
	t.Parallel()
	car, _, d := readyBy(t, fastDriver)
	s := car.Rest(r3.Vec{X: 10}, 0)
	m := d.Start(&s)
	var previous sim.Input
	turns, rate, sum := 0, 0.0, 0.0
	const ticks = 80_000
	for range ticks {
		in := d.Drive(&m, &s)
		now := (in.Steer - previous.Steer) / sim.Dt
		if math.Abs(now) > 0.3 && now*rate < 0 {
			turns++
		}
		if math.Abs(now) > 0.3 {
			rate = now
		}
		sum += now * now
		for _, pedal := range []float64{in.Throttle - previous.Throttle, in.Brake - previous.Brake} {
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
		previous = in
	}
	rms, count := math.Sqrt(sum/ticks), float64(turns)/(ticks*sim.Dt)
	t.Logf("steering at %.2f rad/s rms, turned round %.2f times a second", rms, count)
	if rms > 1 || count > 1 {
		t.Errorf("steering at %.2f rad/s rms, turned round %.2f times a second, want at most 1 of both", rms, count)
	}
}

// Where the road is neither banked nor bent upwards or downwards, the plan's accelerations are
// within the car's limits by its grip.
func TestPlanKeepsWithinTheLimits(t *testing.T) {
	level.SkipIfQuick(t)
	for _, made := range []func() (driven, error){calmDriver, fastDriver} {
		_, _, d := readyBy(t, made)
		cfg := d.cfg
		for s := 0.0; s < d.line.Length(); s++ {
			v, along := d.PlannedSpeeds().At(s)
			if v <= 0 || v > cfg.Fastest || along > cfg.Driving+1e-9 || -along > cfg.Braking+1e-9 {
				t.Fatalf("%.0f m: %.1f m/s, %.2f m/s² along", s, v, along)
			}
			p := d.line.At(s)
			heaves := math.Abs(d.line.At(s+3).Slope-d.line.At(s-3).Slope) / 6 * v * v
			if math.Abs(p.Bank) > 0.005 || heaves > 0.1 {
				continue
			}
			m := Memory{LineStation: s}
			side, stop := v*v*math.Abs(p.Curvature), d.effort*d.lineGrip(s)*d.limits.braking.at(v)
			if side > 1.02*d.targetAy(&m, v, p.Curvature) || -along > 1.02*stop+9.81*math.Abs(p.Slope)+0.1 {
				t.Fatalf("%.0f m: %.1f m/s, %.2f m/s² across, %.2f m/s² along", s, v, side, along)
			}
		}
	}
}

func TestDownforceRaisesThePlannedSpeed(t *testing.T) {
	p := sim.DefaultCar()
	plain, err := trial.New(p, road.Asphalt(), trialDt, 1, assist.Switches{})
	if err != nil {
		t.Fatal(err)
	}
	p.Aero = []chassis.AeroSurface{{X: -1.3, LiftArea: -4}}
	wings, err := trial.New(p, road.Asphalt(), trialDt, 1, assist.Switches{})
	if err != nil {
		t.Fatal(err)
	}
	a, b := findLimits(plain), findLimits(wings)
	// 4 m² press with 0.6125·4·50² N at 50 m/s, 0.42 of the weight; soft tires give less for it.
	gain := b.lateral.at(50)/a.lateral.at(50) - 1
	if gain < 0.15 || gain > 0.45 {
		t.Errorf("wings bring %.0f %% at 50 m/s", 100*gain)
	}
	if still := b.lateral.at(5)/a.lateral.at(5) - 1; math.Abs(still) > 0.03 {
		t.Errorf("wings bring %.1f %% at 5 m/s", 100*still)
	}
}

func TestCatchesASlide(t *testing.T) {
	level.SkipIfQuick(t)
	t.Parallel()
	for _, made := range []func() (driven, error){calmDriver, fastDriver} {
		for _, kick := range []float64{0.7, -0.7} {
			car, _, d := readyBy(t, made)
			s := car.Rest(r3.Vec{X: 100}, 0)
			m := d.Start(&s)
			for s.Speed < 25 {
				car.Step(&s, d.Drive(&m, &s))
			}
			s.Rate.Z += kick
			offset, largest := math.Inf(-1), 0.0
			for range 4000 {
				car.Step(&s, d.Drive(&m, &s))
				offset = max(offset, d.beyondEdge(m.Station, m.LateralOffset))
				largest = max(largest, math.Abs(d.headingError(&m, &s)))
			}
			if offset > -1 || largest > 40*degree || math.Abs(m.LineOffset) > 0.5 {
				t.Errorf("kick of %g rad/s: up to %.0f° astray and %.1f m beyond the road, %.1f m beside the line in the end",
					kick, largest/degree, offset, m.LineOffset)
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
	if math.Abs(m.LineOffset) > 0.3 || s.Speed < 10 {
		t.Errorf("after 8 s %.2f m beside the line at %.1f m/s, station %.0f of %.0f m",
			m.LineOffset, s.Speed, m.Station, circuit.Length())
	}
}

func TestDriverHandlesInvalidStates(t *testing.T) {
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
	level.SkipIfQuick(t)
	t.Parallel()
	noLoad, brakeless, slow := sim.DefaultCar(), sim.DefaultCar(), sim.DefaultCar()
	noLoad.Gravity = 0
	brakeless.Brakes.Torque = 0
	slow.Driveline.TorqueCurve = []driveline.TorquePoint{{RPM: 1000, Torque: 0}}
	for name, p := range map[string]sim.Params{"weightless": noLoad, "without brakes": brakeless, "without an engine": slow} {
		circuit := club.Circuit(t)
		car, err := sim.New(p, circuit, sim.Dt)
		if err != nil {
			t.Fatal(err)
		}
		d, err := New(LapConfig(), car, circuit, sim.Dt)
		if err != nil {
			t.Fatal(err)
		}
		for s := 0.0; s < d.line.Length(); s++ {
			if v, along := d.PlannedSpeeds().At(s); finite(v, 0) != v || finite(along, 1e9) != along || v <= 0 {
				t.Fatalf("%s: plan of %g m/s and %g m/s²", name, v, along)
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
	if err == nil || !strings.Contains(err.Error(), "lateral_mps2 = 0: must be 0.5 to 60") ||
		!strings.Contains(err.Error(), "braking_mps2 = NaN") || !strings.Contains(err.Error(), "effort = 1.1") ||
		!strings.Contains(err.Error(), `line = "": must be racing or centre`) ||
		strings.Contains(err.Error(), "fastest") || strings.Contains(err.Error(), "driving") {
		t.Errorf("error %v", err)
	}
	for _, c := range []Config{DefaultConfig(), LapConfig()} {
		if err := c.Validate(); err != nil {
			t.Error(err)
		}
	}
}

// What full throttle gives goes by the radius of a tire's file, not by radius_m.
func TestDriveAccelUsesTheTireFilesRadius(t *testing.T) {
	pull := func(radius float64) float64 {
		p := sim.DefaultCar()
		for _, a := range []*suspension.Params{&p.Front, &p.Rear} {
			a.Tire.Model, a.Tire.File, a.Wheel.Radius = "road", nil, radius
		}
		d := Model{params: p, rearRadius: p.Rear.Radius()}
		return d.driveAccel(2, 20)
	}
	near.Value(t, "acceleration", pull(0.45), pull(0.31), 0)
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
		if _, err := New(DefaultConfig(), car, circuit, sim.Dt); err != nil {
			b.Fatal(err)
		}
	}
}
