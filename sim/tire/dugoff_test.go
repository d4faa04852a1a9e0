package tire

import (
	"math"
	"strings"
	"testing"

	"rig.example/rig/test/near"
)

func dugoffTire(t testing.TB, p DugoffParams) *Dugoff {
	t.Helper()
	m, err := NewDugoff(p, 0.31)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// published is the listing of GDSim's driving workshop, part VI ("Brushing Up
// and Misc. Details"): slip counts braking positive, forward and sideways are
// those on the car with a sideways axis of its own.
func published(mu, patch, stiff, load, slip, angle float64) (forward, sideways float64) {
	stiffness := 0.5e6 * stiff * patch * patch
	friction := mu * load
	long, lat := stiffness*slip, stiffness*math.Tan(angle)
	deflect := math.Sqrt(long*long + lat*lat)
	if deflect == 0 {
		return 0, 0
	}
	critical := friction * (1 - slip) * patch / (2 * deflect)
	if critical >= patch {
		return -long / (1 - slip), lat / (1 - slip)
	}
	part := (1 - friction*(1-slip)/(4*deflect)) / deflect
	return -friction * long * part, friction * lat * part
}

func TestDugoffEqualsThePublishedListingForForwardRolling(t *testing.T) {
	tests := []struct {
		name             string
		mu, patch, stiff float64
	}{
		{"softest", 1, 0.15, 5},
		{"stiffest", 1, 0.25, 10},
		{"greasy", 0.4, 0.2, 7},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := dugoffTire(t, DugoffParams{tt.mu, tt.patch, tt.stiff, 4000, 0.01})
			points := 0
			for _, load := range []float64{500, 2000, 4000, 9000} {
				for slip := -3.0; slip < 0.999; slip += 0.03125 { // from four times too fast to all but locked
					for angle := -1.2; angle < 1.21; angle += 0.1 {
						forward, sideways := published(tt.mu, tt.patch, tt.stiff, load, slip, angle)
						f := m.Forces(Contact{Kappa: -slip, TanAlpha: math.Tan(angle), Load: load, Surface: Dry()})
						near.Value(t, "Fx", f.Fx, forward, 1e-9*load)
						near.Value(t, "Fy", f.Fy, -sideways, 1e-9*load)
						points++
					}
				}
			}
			if points < 12000 {
				t.Errorf("%d points only", points)
			}
		})
	}
}

func TestDugoffByHand(t *testing.T) {
	m := dugoffTire(t, DugoffParams{1, 0.2, 5, 4000, 0.01}) // 100 kN of slip stiffness
	tests := []struct {
		name       string
		kappa, tan float64
		load       float64
		fx, fy     float64
	}{
		{"no slip", 0, 0, 4000, 0, 0},
		{"linear, left", 0, 0.01, 4000, 0, -1000},
		{"half of the friction, right", 0, -0.02, 4000, 0, 2000},
		{"twice that slip", 0, 0.04, 4000, 0, -3000},
		{"driving, sigma 0.04", 1.0 / 24, 0, 4000, 3000, 0},
		{"braking, sigma -0.04", -1.0 / 26, 0, 4000, -3000, 0},
		{"combined 3:4, sigma 0.05", 0.03 / 0.97, 0.04 / 0.97, 4000, 3200 * 0.6, -3200 * 0.8},
		{"locked", -1, 0, 4000, -4000, 0},
		{"locked and askew", -1, 0.75, 4000, -3200, -2400},
		{"turning backward, where the listing has 4013 N", -1.5, 0, 4000, -4000, 0},
		{"locked, of less stiffness than load", -1, 0, 300e3, -300e3, 0},
		{"in the air", 0.1, 0.1, 0, 0, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := m.Forces(Contact{Kappa: tt.kappa, TanAlpha: tt.tan, Load: tt.load, Surface: Dry()})
			near.Value(t, "Fx", f.Fx, tt.fx, 1e-9*(1+tt.load))
			near.Value(t, "Fy", f.Fy, tt.fy, 1e-9*(1+tt.load))
			near.Value(t, "Mz", f.Mz, 0, 0)
		})
	}
}

func TestDugoffGrowsWithSlipFromLockedToSpinning(t *testing.T) {
	m := dugoffTire(t, DefaultDugoff())
	last := math.Inf(-1)
	for _, grid := range []struct{ from, to, by float64 }{{-2, 2, 1e-3}, {2, 100, 0.1}, {100, 1e6, 1e3}} {
		for kappa := grid.from; kappa < grid.to; kappa += grid.by {
			fx := m.Forces(Contact{Kappa: kappa, Load: 4000, Surface: Dry()}).Fx
			if fx < last-1e-9 {
				t.Fatalf("force falls to %g N at a slip of %g", fx, kappa)
			}
			last = fx
		}
	}
	// A wheel that spins on the spot has a slip of 1 over its rolled way: S = 56.25 kN.
	near.Value(t, "force of a spinning wheel", last, 4000*(1-4000/(4*56250.)), 0.01)
}

func TestDugoffSlidesSoonerUnderLessLoadAndGrip(t *testing.T) {
	m := dugoffTire(t, DefaultDugoff())
	capacity := m.Capacity(Contact{Load: 1000, Surface: Surface{Grip: 0.5, Stiffness: 0.8, Rolling: 2}})
	near.Value(t, "stiffness", capacity.StiffnessY, 0.8*56250, 1e-9)
	near.Value(t, "force", capacity.ForceX, 500, 1e-9)
	near.Value(t, "half length at a quarter of the load", capacity.HalfLength, 0.0375, 1e-12)
	near.Value(t, "rolling resistance", capacity.Rolling, 2*0.012*0.31*1000, 1e-12)
}

func TestDugoffHasNoSteps(t *testing.T) {
	// A braked wheel's slope over kappa is steeper than over the rolled way.
	walk(t, dugoffTire(t, DefaultDugoff()), 1.1)
}

func TestDugoffParamsNameEveryBadField(t *testing.T) {
	p := DefaultDugoff()
	p.Friction, p.TireStiffness = math.NaN(), 5e6
	_, err := NewDugoff(p, 9)
	wantInError(t, err, "tire: dugoff: friction = NaN", "tire_stiffness = 5000000: must be 0.1 to 100", "radius = 9")
}

func FuzzDugoff(f *testing.F) {
	seedContacts(f)
	f.Fuzz(func(t *testing.T, kappa, tanAlpha, load, grip, stiffness, rolling float64) {
		c := Contact{Kappa: kappa, TanAlpha: tanAlpha, Load: load, Surface: Surface{grip, stiffness, rolling}}
		checkContact(t, dugoffTire(t, DefaultDugoff()), c, inCircle)
	})
}

func TestDugoffAllocatesNothing(t *testing.T) { wantNoAllocation(t, dugoffTire(t, DefaultDugoff())) }

func BenchmarkDugoff(b *testing.B) { benchmarkForces(b, dugoffTire(b, DefaultDugoff())) }

// Shared by the models without an aligning moment.

// seedContacts adds slips, load and the surface's factors at the edges.
func seedContacts(f *testing.F) {
	f.Add(0.1, 0.05, 4000.0, 1.0, 1.0, 1.0)
	f.Add(-1.0, -0.3, 1e300, 1e300, 1e300, 1e300)
	f.Add(-1.5, 0.0, 200e3, 1.0, 1e-300, 1.0)
	f.Add(math.Inf(1), math.Inf(-1), math.Inf(1), 1e-300, 1.0, math.NaN())
	f.Add(math.NaN(), 1e-320, 5e-324, 1.0, 5e-324, -1.0)
	f.Add(0.0, 0.1, -1.0, 1.0, 1.0, 0.0)
	f.Add(0.0, 0.1, 1.0, math.NaN(), 0.0, 0.0)
}

// A limit says how much of its limit a force uses.
type limit func(f Forces, capacity Capacity) float64

func inCircle(f Forces, capacity Capacity) float64 {
	return math.Hypot(f.Fx, f.Fy) / capacity.ForceX
}

func inEllipse(f Forces, capacity Capacity) float64 {
	return math.Hypot(f.Fx/capacity.ForceX, f.Fy/capacity.ForceY)
}

func inSquare(f Forces, capacity Capacity) float64 {
	return max(math.Abs(f.Fx)/capacity.ForceX, math.Abs(f.Fy)/capacity.ForceY)
}

// checkContact holds what must hold at every contact: finite, nothing without
// load, within the limit, mirrored, and never with the sliding.
func checkContact(t *testing.T, m Model, c Contact, used limit) {
	t.Helper()
	got := m.Forces(c)
	if sum := got.Fx + got.Fy + got.My; math.IsNaN(sum) || math.IsInf(sum, 0) || got.Mx != 0 || got.Mz != 0 {
		t.Fatalf("%+v gives %+v", c, got)
	}
	if !(c.Load > 0) || !(c.Surface.Grip > 0) || !(c.Surface.Stiffness > 0) {
		if got != (Forces{}) {
			t.Fatalf("%+v gives %+v without anything that presses", c, got)
		}
		return
	}
	capacity := m.Capacity(Contact{Load: c.Load, Surface: c.Surface})
	if sum := 1/capacity.StiffnessX + 1/capacity.StiffnessY + capacity.ForceX + capacity.ForceY + capacity.Rolling + capacity.HalfLength; math.IsNaN(sum) ||
		capacity.Rolling < 0 || c.Surface.Stiffness > 1e-9 && math.IsInf(sum, 0) {
		t.Fatalf("%+v has capacity %+v", c, capacity)
	}
	const noise = 1e-100 // [N], below which squares are 0
	if capacity.ForceX > noise && used(got, capacity) > 1+1e-12 {
		t.Fatalf("%+v: %+v above %+v", c, got, capacity)
	}
	if got.Fx*c.Kappa < 0 || got.Fy*c.TanAlpha > 0 || got.My > 0 {
		t.Fatalf("%+v: %+v is with the sliding", c, got)
	}
	c.TanAlpha = -c.TanAlpha
	if mirror := m.Forces(c); mirror.Fx != got.Fx || mirror.Fy != -got.Fy {
		t.Fatalf("%+v: %+v does not mirror %+v", c, mirror, got)
	}
}

// walk goes over a grid of slips in small steps and refuses a step larger than
// the slope at no slip allows, times a factor.
func walk(t *testing.T, m Model, factor float64) {
	t.Helper()
	const by = 1e-3
	for _, load := range []float64{300, 4000} {
		capacity := m.Capacity(Contact{Load: load, Surface: Dry()})
		largest := by * factor * max(capacity.StiffnessX, capacity.StiffnessY)
		at := func(kappa, tan float64) Forces {
			return m.Forces(Contact{Kappa: kappa, TanAlpha: tan, Load: load, Surface: Dry()})
		}
		for i := -1500; i < 1500; i += 7 {
			for j := -1000; j < 1000; j += 7 {
				kappa, tan := float64(i)*by, float64(j)*by
				here, ahead, offset := at(kappa, tan), at(kappa+by, tan), at(kappa, tan+by)
				step := max(math.Hypot(ahead.Fx-here.Fx, ahead.Fy-here.Fy), math.Hypot(offset.Fx-here.Fx, offset.Fy-here.Fy))
				if !(step <= largest) {
					t.Fatalf("a step of %g N, more than %g N, at %g, %g under %g N", step, largest, kappa, tan, load)
				}
			}
		}
	}
}

func wantInError(t *testing.T, err error, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("error %v, want %q in it", err, part)
		}
	}
}

func wantNoAllocation(t *testing.T, m Model) {
	t.Helper()
	c := Contact{Kappa: 0.02, TanAlpha: 0.05, Load: 4000, Surface: Dry()}
	if n := testing.AllocsPerRun(100, func() { m.Forces(c); m.Capacity(c) }); n != 0 {
		t.Errorf("%g allocations", n)
	}
}

func benchmarkForces(b *testing.B, m Model) {
	c := Contact{Kappa: 0.02, TanAlpha: 0.05, Load: 4000, Surface: Dry()}
	b.ReportAllocs()
	for b.Loop() {
		m.Forces(c)
	}
}
