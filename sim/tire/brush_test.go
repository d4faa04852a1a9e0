package tire

import (
	"bufio"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"rig.example/rig/test/near"
)

// rigid is a tire of round numbers: mu 1, C = 60 kN at 4 kN, a = 0.1 m, so that
// it slides from a theoretical slip of 0.2 on and its trail is a/3.
func rigid(t testing.TB, load float64) *Brush {
	t.Helper()
	b, err := NewBrush(BrushParams{
		Friction: 1, NominalLoad: load, Stiffness: 15 * load, HalfLength: 0.1,
		CarcassStiffness: 1e9, RollingResistance: 0.01,
	}, 0.3)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func road205(t testing.TB) *Brush {
	t.Helper()
	b, err := NewBrush(DefaultBrush(), 0.3)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestBrushFollowsItsClosedForms(t *testing.T) {
	b := rigid(t, 4000)
	tests := []struct {
		name       string
		c          Contact
		fx, fy, mz float64 // worked by hand from 3q - 3q² + q³ and a·q·(1-q)³
	}{
		{"no slip", Contact{}, 0, 0, 0},
		{"a quarter of sliding, left", Contact{TanAlpha: 0.05}, 0, -4000 * 0.578125, 4000 * 0.1 * 0.25 * 0.421875},
		{"half, right", Contact{TanAlpha: -0.1}, 0, 4000 * 0.875, -4000 * 0.1 * 0.5 * 0.125},
		{"just sliding", Contact{TanAlpha: 0.2}, 0, -4000, 0},
		{"far beyond", Contact{TanAlpha: 50}, 0, -4000, 0},
		{"driving, kappa/(1+kappa) = 0.1", Contact{Kappa: 1.0 / 9}, 4000 * 0.875, 0, 0},
		{"braking, kappa/(1+kappa) = -0.05", Contact{Kappa: -1.0 / 21}, -4000 * 0.578125, 0, 0},
		{"locked", Contact{Kappa: -1}, -4000, 0, 0},
		{"combined 3:4, half", Contact{Kappa: 0.06 / 0.94, TanAlpha: 0.08 / 0.94},
			4000 * 0.875 * 0.6, -4000 * 0.875 * 0.8, 4000*0.1*0.5*0.125*0.8 + 2100*2800/1e9},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.c.Load, tt.c.Surface = 4000, Dry()
			f := b.Forces(tt.c)
			near.Value(t, "Fx", f.Fx, tt.fx, 4000e-9)
			near.Value(t, "Fy", f.Fy, tt.fy, 4000e-9)
			near.Value(t, "Mz", f.Mz, tt.mz, 400e-9)
		})
	}
}

func TestTrailAtNoSlipIsASixthOfTheContact(t *testing.T) {
	b := rigid(t, 4000)
	f := b.Forces(Contact{TanAlpha: 1e-12, Load: 4000, Surface: Dry()})
	near.Value(t, "trail", -f.Mz/f.Fy, 0.2/6, 1e-9)
	f = b.Forces(Contact{TanAlpha: 1e-12, Load: 1000, Surface: Dry()})
	near.Value(t, "trail at a quarter of the load", -f.Mz/f.Fy, 0.1/6, 1e-9)
}

func TestRoadTireIsPlausible(t *testing.T) {
	b := road205(t)
	const alpha = 1e-7
	f := b.Forces(Contact{TanAlpha: alpha, Load: 4000, Surface: Dry()})
	near.Value(t, "cornering stiffness", -f.Fy/alpha, 53e3, 1)
	near.Value(t, "friction at twice the load", b.Friction(8000), 0.92, 1e-12)
	near.Value(t, "rolling resistance", -f.My/0.30/4000, 0.012, 1e-12)
	f = b.Forces(Contact{TanAlpha: 9, Load: 4000, Surface: Surface{0.3, 1, 1}})
	near.Value(t, "force on a slippery road", f.Fy, -1200, 1e-9)
}

func TestBrakingChangesTheAligningMoment(t *testing.T) {
	b := road205(t)
	free := b.Forces(Contact{TanAlpha: 0.05, Load: 4000, Surface: Dry()})
	driven := b.Forces(Contact{Kappa: 0.02, TanAlpha: 0.05, Load: 4000, Surface: Dry()})
	braked := b.Forces(Contact{Kappa: -0.15, TanAlpha: 0.05, Load: 4000, Surface: Dry()})
	if !(free.Mz > 0 && driven.Mz > 0.8*free.Mz && braked.Mz < 0) {
		t.Errorf("Mz free %.1f, driven %.1f, braked %.1f N·m", free.Mz, driven.Mz, braked.Mz)
	}
}

func TestBrushAgreesWithANumericalBrush(t *testing.T) {
	file, err := os.Open("testdata/brush_reference.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	rows := 0
	for lines := bufio.NewScanner(file); lines.Scan(); {
		var fx, fy, mz, load, kappa, alpha float64
		line := lines.Text()
		if strings.HasPrefix(line, "#") || strings.HasPrefix(line, "fx") {
			continue
		}
		if _, err := fmt.Sscanf(strings.ReplaceAll(line, ",", " "), "%g %g %g %g %g %g",
			&fx, &fy, &mz, &load, &kappa, &alpha); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		f := rigid(t, load).Forces(Contact{Kappa: kappa, TanAlpha: math.Tan(alpha), Load: load, Surface: Dry()})
		near.Value(t, "Fx of "+line, f.Fx, fx, 0.002*load)
		near.Value(t, "Fy of "+line, f.Fy, -fy, 0.002*load)
		near.Value(t, "Mz of "+line, f.Mz, -mz, 0.002*load*0.1)
		rows++
	}
	if rows != 50 {
		t.Errorf("%d rows, want 50", rows)
	}
}

func TestBrushHasNoSteps(t *testing.T) { walk(t, road205(t), 1) }

func FuzzBrush(f *testing.F) {
	f.Add(0.1, 0.05, 0.0, 4000.0, 1.0)
	f.Add(-1.0, -0.3, 0.1, 1e300, 1e300)
	f.Add(math.Inf(1), math.Inf(-1), math.NaN(), math.Inf(1), 1e-300)
	f.Add(math.NaN(), 1e-320, 0.0, 5e-324, 1.0)
	f.Add(0.0, 0.1, 0.0, -1.0, 1.0)
	f.Fuzz(func(t *testing.T, kappa, tanAlpha, gamma, load, grip float64) {
		b := road205(t)
		c := Contact{Kappa: kappa, TanAlpha: tanAlpha, Gamma: gamma, Load: load, Surface: Surface{grip, 1, 1}}
		got := b.Forces(c)
		for _, v := range []float64{got.Fx, got.Fy, got.Mx, got.My, got.Mz} {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				t.Fatalf("%+v gives %+v", c, got)
			}
		}
		if !(load > 0) || !(grip > 0) {
			if got != (Forces{}) {
				t.Fatalf("%+v gives %+v without load", c, got)
			}
			return
		}
		largest := b.Capacity(Contact{Load: load, Surface: Surface{grip, 1, 1}}).ForceX
		if math.Hypot(got.Fx, got.Fy) > largest*(1+1e-12)+1e-300 {
			t.Fatalf("%+v: force %g N above the limit of %g N", c, math.Hypot(got.Fx, got.Fy), largest)
		}
		c.TanAlpha = -c.TanAlpha
		if m := b.Forces(c); m.Fx != got.Fx || m.Fy != -got.Fy || m.Mz != -got.Mz {
			t.Fatalf("%+v: %+v does not mirror %+v", c, m, got)
		}
	})
}

func TestBrushParamsNameEveryBadField(t *testing.T) {
	p := DefaultBrush()
	p.Friction, p.NominalLoad = math.NaN(), -1
	_, err := NewBrush(p, 0.3)
	if err == nil || !strings.Contains(err.Error(), "friction = NaN: must be 0.01 to 3") ||
		!strings.Contains(err.Error(), "nominal_load_n = -1") {
		t.Errorf("error %v", err)
	}
}

func BenchmarkBrush(b *testing.B) {
	m := road205(b)
	c := Contact{Kappa: 0.02, TanAlpha: 0.05, Load: 4000, Surface: Dry()}
	b.ReportAllocs()
	for b.Loop() {
		m.Forces(c)
	}
}

// By hand: q·(1-q)³ has its top at q = 1/4, where it is 27/256, and the force
// 3q - 3q² + q³ is 37/64 of what it comes to at q = 1.
func TestAligningTorquePeaksAtAQuarterOfTheSlidingSlip(t *testing.T) {
	b, err := NewBrush(DefaultBrush(), 0.31)
	if err != nil {
		t.Fatal(err)
	}
	const sliding = 3 * 1.0 * 4000 / 53e3 // 3·mu·Fz/C
	at := func(q float64) Forces { return b.Forces(Contact{TanAlpha: q * sliding, Load: 4000, Surface: Dry()}) }
	top := at(0.25)
	near.Value(t, "greatest aligning torque", top.Mz, 27.0/256*4000*0.085, 1e-9)
	near.Value(t, "side force there", top.Fy, -37.0/64*4000, 1e-9)
	for _, q := range []float64{0.05, 0.2, 0.249, 0.251, 0.3, 0.6, 0.99} {
		if f := at(q); f.Mz >= top.Mz || f.Fy <= -4000 {
			t.Errorf("at %g of the sliding slip %.3f N·m and %.1f N", q, f.Mz, f.Fy)
		}
	}
	near.Value(t, "sliding", at(1).Fy, -4000, 1e-9)
	near.Value(t, "aligning torque of a tire that slides", at(1).Mz, 0, 1e-9)
}
