package tire

import (
	"math"
	"strings"
	"testing"

	"rig.example/rig/test/level"
	"rig.example/rig/test/near"
)

// network has round conductances at 20 m/s and 3 kN: surface to outside 30 + 50,
// surface to bulk 20, side walls 20, bulk to gas 12, gas to rim 4 W/K.
func network() HeatParams {
	p := DefaultHeat()
	p.Air, p.Track = 20, 20
	p.AirStill, p.AirMoving, p.TreadArea = 20, 4, 0.3 // a film of 100 W/(m²·K)
	p.SideArea, p.SideWall = 0.4, 100
	p.RoadContact, p.ContactPressure = 5000, 300
	p.SurfaceToBulk, p.BulkToGas, p.GasToRim = 20, 12, 4
	p.SurfaceHeat, p.BulkHeat, p.GasHeat = 400, 4000, 100
	p.SlipPowerShare, p.Abrasion = 0.5, 0
	return p
}

// sealed is a tire that no heat leaves while nothing presses it on the road.
func sealed() HeatParams {
	p := network()
	p.AirStill, p.AirMoving, p.SideWall, p.GasToRim = 0, 0, 0, 0
	return p
}

func newThermal(t testing.TB, p HeatParams, dt float64) *Thermal {
	t.Helper()
	m, err := NewThermal(p, dt)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

const air20 = 293.15 // [K]

// cruise is what the network stands in, at rest of heat.
func cruise() HeatInput { return HeatInput{Load: 3000, Speed: 20, Air: air20, Track: air20} }

func warmed(m *Thermal, seconds float64, in HeatInput) Heat {
	h := m.Start()
	for range int(seconds/m.dt + 0.5) {
		m.Step(&h, in)
	}
	return h
}

func TestSettledTemperaturesAreThoseOfTheNetwork(t *testing.T) {
	tests := []struct {
		name               string
		change             func(*HeatInput)
		surface, bulk, gas float64 // above the air [K], by hand from resistors in series and parallel
	}{
		{"nothing", func(*HeatInput) {}, 0, 0, 0},
		// The bulk loses 20·80/(20+80) + 20 + 12·4/(12+4) = 39 W/K.
		{"rolling 780 W", func(in *HeatInput) { in.RollingPower = 780 }, 4, 20, 15},
		// The surface sees 80 and 20 in series with 23: 3900/43 W/K.
		{"sliding 1 kW, half of it the road's", func(in *HeatInput) { in.SlipPower = 1000 }, 500 * 43 / 3900., 10000 / 3900., 7500 / 3900.},
		{"track 10 K warmer", func(in *HeatInput) { in.Track += 10 }, 500 * 43 / 3900., 10000 / 3900., 7500 / 3900.},
		{"backward", func(in *HeatInput) { in.RollingPower, in.Speed = 780, -20 }, 4, 20, 15},
		// In the air: 20·30/(20+30) + 20 + 3 = 35 W/K.
		{"lifted", func(in *HeatInput) { in.RollingPower, in.Load = 700, 0 }, 8, 20, 15},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			in := cruise()
			tt.change(&in)
			h := warmed(newThermal(t, network(), 0.01), 4000, in)
			near.Value(t, "surface", h.Surface-air20, tt.surface, 1e-6)
			near.Value(t, "bulk", h.Bulk-air20, tt.bulk, 1e-6)
			near.Value(t, "gas", h.Gas-air20, tt.gas, 1e-6)
		})
	}
}

func TestRoadTakesHeatWithLoadAndTheRootOfSpeed(t *testing.T) {
	p := sealed()
	p.SurfaceToBulk = 0
	tests := []struct {
		name        string
		load, speed float64
		want        float64 // above the track [K]: 500 W over the road contact's conductance
	}{
		{"50 W/K", 3000, 20, 10},
		{"four times the speed", 3000, 80, 5},
		{"half the load", 1500, 20, 20},
		{"standing, as at 0.2 m/s", 3000, 0, 100},
	}
	for _, tt := range tests {
		in := HeatInput{Load: tt.load, Speed: tt.speed, SlipPower: 1000, Air: 250, Track: 300}
		near.Value(t, tt.name, warmed(newThermal(t, p, 0.01), 3000, in).Surface-300, tt.want, 1e-6)
	}
}

func TestColdTireWarmsWithoutOvershoot(t *testing.T) {
	for _, dt := range []float64{0.001, 0.005, 1} {
		m := newThermal(t, network(), dt)
		in := cruise()
		in.RollingPower = 780
		h := m.Start()
		for i := range int(600 / dt) {
			last := h
			m.Step(&h, in)
			if h.Surface < last.Surface || h.Bulk < last.Bulk || h.Gas < last.Gas {
				t.Fatalf("dt %g: cools at tick %d from %+v to %+v", dt, i, last, h)
			}
		}
		if h.Surface > air20+4+1e-9 || h.Bulk > air20+20+1e-9 || h.Gas > air20+15+1e-9 {
			t.Errorf("dt %g: overshoots to %+v", dt, h)
		}
	}
}

func TestInsulatedTireConservesEnergy(t *testing.T) {
	const seconds, skid, rolling = 100, 2000.0, 300.0
	h := warmed(newThermal(t, sealed(), 0.001), seconds, HeatInput{SlipPower: skid, RollingPower: rolling, Air: 250, Track: 350})
	energyGain := 400*(h.Surface-air20) + 4000*(h.Bulk-air20) + 100*(h.Gas-air20)
	near.Value(t, "heat [J]", energyGain, seconds*(skid/2+rolling), 1e-5)
}

func TestHeatOfATickIsWhatFlowedIn(t *testing.T) {
	m := newThermal(t, network(), 0.001)
	h := Heat{Surface: 420, Bulk: 350, Gas: 310}
	in := HeatInput{Load: 3000, Speed: 20, SlipPower: 8000, RollingPower: 900, Air: 280, Track: 300}
	for i := range 1000 {
		last := h
		m.Step(&h, in)
		energyGain := 400*(h.Surface-last.Surface) + 4000*(h.Bulk-last.Bulk) + 100*(h.Gas-last.Gas)
		// Implicit: the flows are those of the temperatures that result.
		flow := 4000 + 900 - 30*(h.Surface-280) - 50*(h.Surface-300) - 20*(h.Bulk-280) - 4*(h.Gas-280)
		if math.Abs(energyGain-0.001*flow) > 1e-8 {
			t.Fatalf("tick %d: gained %.12g J, %.12g J flowed in", i, energyGain, 0.001*flow)
		}
	}
}

func TestSurfaceAloneCoolsExponentially(t *testing.T) {
	p := network()
	p.SurfaceToBulk = 0
	m := newThermal(t, p, 0.001)
	h := m.Start()
	h.Surface += 100
	for range 5000 { // one time constant, 400 J/K over 80 W/K
		m.Step(&h, cruise())
	}
	near.Value(t, "rest", (h.Surface-air20)/100, math.Exp(-1), 1e-4)
	near.Value(t, "bulk", h.Bulk, air20, 0)
}

func TestTireAtRestStaysAtTheAirsTemperature(t *testing.T) {
	p := DefaultHeat()
	p.Track = p.Air
	m := newThermal(t, p, 0.001)
	air, track := m.Ambient()
	if h := warmed(m, 100, HeatInput{Load: 4000, Air: air, Track: track}); h != m.Start() {
		t.Errorf("%+v, want %+v", h, m.Start())
	}
}

// road4kN is a default tire that rolls at a speed under 4 kN with a drag of 1 %.
func road4kN(m *Thermal, speed float64) HeatInput {
	air, _ := m.Ambient()
	return HeatInput{Load: 4000, Speed: speed, RollingPower: 40 * speed, Air: air, Track: air}
}

func TestRoadTireWarmsAsTiresDo(t *testing.T) {
	m := newThermal(t, DefaultHeat(), 0.005)
	in := road4kN(m, 80/3.6)
	h := warmed(m, 1800, in)
	if bulk := h.Bulk - air20; bulk < 15 || bulk > 40 {
		t.Errorf("bulk %.1f K above the air after half an hour at 80 km/h, want 15 to 40", bulk)
	}
	if rise := m.Pressure(&h, 220e3) - 220e3; rise < 10e3 || rise > 35e3 {
		t.Errorf("pressure rose by %.0f Pa, want 10 to 35 kPa", rise)
	}
	if faster := warmed(m, 1800, road4kN(m, 130/3.6)); faster.Bulk <= h.Bulk {
		t.Errorf("bulk %.1f K at 130 km/h, %.1f K at 80 km/h", faster.Bulk, h.Bulk)
	}
	in.SlipPower = 8000 // 6° of slip: 4 kN at 2 m/s
	if hot := warmed(m, 60, in).Surface - air20; hot < 20 || hot > 70 {
		t.Errorf("surface %.1f K above the air after a minute of hard cornering, want 20 to 70", hot)
	}
}

// timeTo returns when a temperature has come 63 % of its way [s].
func timeTo(m *Thermal, in HeatInput, long float64, of func(*Heat) float64) float64 {
	start, end := m.Start(), warmed(m, long, in)
	h := start
	for i := 1; ; i++ {
		m.Step(&h, in)
		if of(&h)-of(&start) >= 0.632*(of(&end)-of(&start)) {
			return float64(i) * m.dt
		}
	}
}

func TestSurfaceTakesSecondsAndBulkMinutes(t *testing.T) {
	m := newThermal(t, DefaultHeat(), 0.01)
	in := road4kN(m, 80/3.6)
	if s := timeTo(m, in, 7200, func(h *Heat) float64 { return h.Bulk }); s < 180 || s > 1200 {
		t.Errorf("bulk takes %.0f s, want 3 to 20 minutes", s)
	}
	in.SlipPower = 8000
	if s := timeTo(m, in, 20, func(h *Heat) float64 { return h.Surface }); s < 1 || s > 10 {
		t.Errorf("surface takes %.1f s, want 1 to 10", s)
	}
}

func TestHalfTheStepChangesTemperaturesLittle(t *testing.T) {
	in := HeatInput{Load: 4000, Speed: 20, SlipPower: 8000, RollingPower: 800, Air: air20, Track: air20}
	whole := warmed(newThermal(t, DefaultHeat(), 0.001), 5, in)
	half := warmed(newThermal(t, DefaultHeat(), 0.0005), 5, in)
	near.Value(t, "surface", half.Surface, whole.Surface, 0.005)
	near.Value(t, "bulk", half.Bulk, whole.Bulk, 0.0005)
	near.Value(t, "gas", half.Gas, whole.Gas, 0.0005)
	near.Value(t, "wear", half.Wear/whole.Wear, 1, 1e-4)
}

func TestAbsurdPowerNeverLeavesTheRange(t *testing.T) {
	level.SkipIfQuick(t)
	for _, dt := range []float64{0.001, 0.005} {
		m := newThermal(t, DefaultHeat(), dt)
		h := m.Start()
		for i := range 20_000 {
			in := HeatInput{Load: 1e12, Speed: 1e6, Air: air20, Track: air20}
			if i%2 == 0 {
				in = HeatInput{SlipPower: 1e18, RollingPower: 1e18, Air: air20, Track: air20}
			}
			m.Step(&h, in)
			if low := min(h.Surface, h.Bulk, h.Gas); !(low >= air20-1e-9 && max(h.Surface, h.Bulk, h.Gas) <= 1500) {
				t.Fatalf("dt %g, tick %d: %+v", dt, i, h)
			}
		}
		for range int(10_000 / dt) {
			m.Step(&h, HeatInput{Load: 4000, Speed: 30, Air: air20, Track: air20})
		}
		near.Value(t, "surface, cooled", h.Surface, air20, 1e-6)
		near.Value(t, "bulk, cooled", h.Bulk, air20, 1e-6)
	}
}

func TestInvalidPowerCountsAsZero(t *testing.T) {
	m := newThermal(t, DefaultHeat(), 0.001)
	want := warmed(m, 1, cruise())
	for _, power := range []float64{-1e4, math.Inf(-1), math.NaN()} {
		in := cruise()
		in.SlipPower, in.RollingPower = power, power
		if h := warmed(m, 1, in); h != want {
			t.Errorf("%g W gives %+v, want %+v", power, h, want)
		}
	}
}

func TestPressureIsThatOfAnIdealGas(t *testing.T) {
	p := DefaultHeat()
	tests := []struct {
		name      string
		air, gas  float64 // [°C]
		cold, now float64 // gauge [Pa]
	}{
		{"cold", 20, 20, 220e3, 220e3},
		{"warm: 321.325 kPa absolute · 333.15/293.15 less the atmosphere", 20, 60, 220e3, 263844.45},
		{"filled on a frosty day, 273.15 K to 283.15 K", 0, 10, 220e3, 231763.68},
		{"colder than filled", 20, 0, 220e3, 198077.78},
		{"the tire's own", 20, 60, 0, 0},
		{"no pressure", 20, 60, math.NaN(), 0},
		{"below none", 20, 60, -1, 0},
		{"flat and cold is not the tire's own", 20, -40, 1e3, 1e3},
	}
	for _, tt := range tests {
		p.Air = tt.air
		h := Heat{Surface: 400, Bulk: 350, Gas: tt.gas + 273.15}
		near.Value(t, tt.name, newThermal(t, p, 0.001).Pressure(&h, tt.cold), tt.now, 0.01)
	}
}

func TestTemperatureAndWearChangeTheTire(t *testing.T) {
	const at = 50 + 273.15 // the optimum
	tests := []struct {
		name            string
		h               Heat
		grip, stiffness float64
		tolerance       float64
	}{
		{"at the optimum, new", Heat{at, at, 300, 0}, 1, 1, 0},
		{"a window too cold", Heat{at - 40, at, 300, 0}, 0.9, 1, 1e-12},
		{"a window too hot", Heat{at + 40, at, 300, 0}, 0.9, 1, 1e-12},
		{"half a window off: 1 - 0.4·(1/12)/(1 + 1/12)", Heat{at + 20, at, 300, 0}, 1 - 0.4/13, 1, 1e-12},
		{"far too hot", Heat{1500, at, 300, 0}, 0.6, 1, 0.002},
		{"bulk 10 K colder", Heat{at, at - 10, 300, 0}, 1, 1.03, 1e-12},
		{"bulk 10 K hotter", Heat{at, at + 10, 300, 0}, 1, 0.97, 1e-12},
		{"bulk on fire", Heat{at, 1400, 300, 0}, 1, 0.3, 1e-12},
		{"half worn", Heat{at, at, 300, 0.5}, 0.975, 1.15, 1e-12},
		{"worn out", Heat{at, at, 300, 1}, 0.95, 1.3, 1e-12},
	}
	m := newThermal(t, DefaultHeat(), 0.001)
	for _, tt := range tests {
		grip, stiffness := m.Factors(&tt.h)
		near.Value(t, "grip "+tt.name, grip, tt.grip, tt.tolerance)
		near.Value(t, "stiffness "+tt.name, stiffness, tt.stiffness, tt.tolerance)
	}
	p := DefaultHeat()
	p.Softening = 0.02
	_, stiffness := newThermal(t, p, 0.001).Factors(&Heat{at, 200, 300, 0})
	near.Value(t, "stiffness of a soft tire, frozen", stiffness, 2, 0)
}

func TestGripIsExactlyOneAtEveryOptimum(t *testing.T) {
	p := DefaultHeat()
	for i := range 201 {
		p.Optimum = -20.3 + float64(i)
		p.MinGrip = 0.1 + 0.75*float64(i)/200
		p.Window = 5 + float64(i)
		at := p.Optimum + 273.15
		grip, stiffness := newThermal(t, p, 0.001).Factors(&Heat{Surface: at, Bulk: at, Gas: at})
		if grip != 1 || stiffness != 1 {
			t.Fatalf("optimum %g °C: grip %.17g, stiffness %.17g", p.Optimum, grip, stiffness)
		}
	}
}

func TestGripFallsOnBothSidesOfTheOptimum(t *testing.T) {
	m := newThermal(t, DefaultHeat(), 0.001)
	last, lastStiffness := 0.0, 3.0
	for c := -40.0; c <= 300; c++ {
		h := Heat{Surface: c + 273.15, Bulk: c + 273.15, Gas: 300}
		grip, stiffness := m.Factors(&h)
		if (grip > last) != (c <= 50) || grip < 0.6 || grip > 1 {
			t.Errorf("grip %g at %g °C after %g", grip, c, last)
		}
		if stiffness > lastStiffness {
			t.Errorf("stiffness grows to %g at %g °C", stiffness, c)
		}
		last, lastStiffness = grip, stiffness
	}
}

func TestTreadWearsWithSlidingEnergy(t *testing.T) {
	p := DefaultHeat()
	p.AbrasionGain = 0
	m := newThermal(t, p, 0.01)
	in := HeatInput{Load: 4000, Speed: 20, SlipPower: 10e3, RollingPower: 1e3, Air: air20, Track: air20}
	near.Value(t, "1 MJ of 20 mg/kJ off 1.6 kg", warmed(m, 100, in).Wear, 1.0/80, 1e-12)
	near.Value(t, "worn out after 80 MJ and no further", warmed(m, 10e3, in).Wear, 1, 0)
	in.SlipPower = 0
	near.Value(t, "rolling without slip", warmed(m, 100, in).Wear, 0, 0)
}

func TestHotTreadWearsFaster(t *testing.T) {
	m := newThermal(t, DefaultHeat(), 0.001)
	tests := []struct {
		name    string
		surface float64 // [°C]
		want    float64 // share of the tread for 100 J
	}{
		{"at the optimum", 50, 100 / 80e6},
		{"50 K above: twice as fast", 100, 200 / 80e6},
		{"25 K below: half", 25, 50 / 80e6},
		{"ice cold: a fifth", -40, 20 / 80e6},
	}
	for _, tt := range tests {
		h := Heat{Surface: tt.surface + 273.15, Bulk: air20, Gas: air20}
		m.Step(&h, HeatInput{SlipPower: 100e3, Air: air20, Track: air20})
		near.Value(t, tt.name, h.Wear, tt.want, 1e-18)
	}
}

func TestHeatParamsNameEveryBadField(t *testing.T) {
	if err := DefaultHeat().Validate(); err != nil || DefaultHeat().Enabled {
		t.Errorf("default: error %v, enabled %t", err, DefaultHeat().Enabled)
	}
	p := DefaultHeat()
	p.Optimum, p.TreadMass = math.NaN(), -1
	_, err := NewThermal(p, 0)
	for _, want := range []string{"tire: heat: ", "optimum_c = NaN: must be -40 to 200", "tread_kg = -1", "dt = 0"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v does not say %q", err, want)
		}
	}
}

func FuzzThermal(f *testing.F) {
	f.Add(4000.0, 20.0, 8000.0, 800.0, 293.0, 300.0, 330.0, 320.0, 310.0, 0.1)
	f.Add(math.Inf(1), math.Inf(-1), math.NaN(), math.Inf(1), math.Inf(-1), math.NaN(), math.NaN(), math.Inf(1), 0.0, 2.0)
	f.Add(-1.0, 0.0, -1e300, 1e300, 0.0, 5e-324, 1e300, -1e300, 1e-300, math.NaN())
	f.Fuzz(func(t *testing.T, load, speed, skid, rolling, air, track, surface, bulk, gas, worn float64) {
		m := newThermal(t, DefaultHeat(), 0.001)
		h := Heat{Surface: surface, Bulk: bulk, Gas: gas, Wear: worn}
		if grip, stiffness := m.Factors(&h); !(grip >= 0.5 && grip <= 1 && stiffness >= 0.3 && stiffness <= 2.6) {
			t.Fatalf("%+v gives grip %g, stiffness %g", h, grip, stiffness)
		}
		if p := m.Pressure(&h, load); !(p >= 0 && p < 1e9) {
			t.Fatalf("%+v gives %g Pa from %g Pa", h, p, load)
		}
		in := HeatInput{Load: load, Speed: speed, SlipPower: skid, RollingPower: rolling, Air: air, Track: track}
		for range 20 {
			m.Step(&h, in)
			low, high := min(h.Surface, h.Bulk, h.Gas), max(h.Surface, h.Bulk, h.Gas)
			if !(low >= 150 && high <= 1500 && h.Wear >= 0 && h.Wear <= 1) {
				t.Fatalf("%+v gives %+v", in, h)
			}
		}
	})
}

// wholeTick is all that a car asks of a tire in a tick.
func wholeTick(m *Thermal, h *Heat) {
	m.Step(h, HeatInput{Load: 4000, Speed: 20, SlipPower: 500, RollingPower: 800, Air: air20, Track: air20})
	m.Factors(h)
	m.Pressure(h, 220e3)
}

func TestThermalAllocatesNothing(t *testing.T) {
	m := newThermal(t, DefaultHeat(), 0.001)
	h := m.Start()
	if n := testing.AllocsPerRun(100, func() { wholeTick(m, &h) }); n != 0 {
		t.Errorf("%g allocations", n)
	}
}

func BenchmarkThermal(b *testing.B) {
	m := newThermal(b, DefaultHeat(), 0.001)
	h := m.Start()
	b.ReportAllocs()
	for b.Loop() {
		wholeTick(m, &h)
	}
}
