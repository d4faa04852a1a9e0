package tire

import (
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"strconv"
	"testing"
	"time"

	"rig.example/rig/test/near"
)

// parsed returns a tire of testdata.
func parsed(t testing.TB, name string) *Tire {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name + ".tir")
	if err != nil {
		t.Fatal(err)
	}
	tr, err := Parse(name+".tir", data)
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

// table returns the rows of a table in testdata as maps from column to figure.
func table(t testing.TB, name string) (rows []map[string]float64) {
	t.Helper()
	f, err := os.Open("testdata/" + name + ".csv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r := csv.NewReader(f)
	r.Comment = '#'
	cells, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range cells[1:] {
		row := map[string]float64{}
		for i, cell := range line {
			if row[cells[0][i]], err = strconv.ParseFloat(cell, 64); err != nil {
				t.Fatal(err)
			}
		}
		rows = append(rows, row)
	}
	return rows
}

var references = []string{"mf52", "pac2002", "mf61", "mf61_tvd3"}

// The tables come from MFeval 4.0, which we did not write; their figures have ten digits.
func TestMagicFormulaAgreesWithMFeval(t *testing.T) {
	for _, name := range references {
		t.Run(name, func(t *testing.T) {
			m := parsed(t, name).Model
			rows := table(t, name)
			if len(rows) != 469 {
				t.Fatalf("%d rows, want 469", len(rows))
			}
			worst, peak := map[string]float64{}, map[string]float64{}
			for _, r := range rows {
				got := m.Forces(Contact{
					Kappa: r["kappa"], TanAlpha: math.Tan(r["alpha"]), Gamma: r["gamma"], Load: r["Fz"], Surface: Dry(), Speed: 16.7,
				})
				for column, v := range map[string]float64{"Fx": got.Fx, "Fy": got.Fy, "Mx": got.Mx, "My": got.My, "Mz": got.Mz} {
					worst[column] = max(worst[column], math.Abs(v-r[column]))
					peak[column] = max(peak[column], math.Abs(r[column]))
				}
			}
			for column := range worst {
				if worst[column] > 1e-8*peak[column] {
					t.Errorf("%s is off by %.3g of a peak of %.4g", column, worst[column], peak[column])
				}
			}
		})
	}
}

func TestMagicFormulaCapacityAgreesWithMFeval(t *testing.T) {
	for _, name := range references {
		m := parsed(t, name).Model
		for _, r := range table(t, name) {
			if r["gamma"] != 0 {
				continue // capacities are those of an upright wheel
			}
			c := m.Capacity(Contact{Load: r["Fz"], Surface: Dry()})
			what := fmt.Sprintf("%s at %g N: ", name, r["Fz"])
			near.Value(t, what+"longitudinal relaxation length", c.RelaxationX, r["sigmax"], 1e-9)
			near.Value(t, what+"lateral relaxation length", c.RelaxationY, r["sigmay"], 1e-9)
			near.Value(t, what+"half length", c.HalfLength, r["two_a"]/2, 1e-9)
		}
	}
}

// The stiffnesses that Capacity tells are the slopes of Forces about no slip.
func TestMagicFormulaSlopesAreItsStiffnesses(t *testing.T) {
	const small = 1e-6
	for _, name := range references {
		m := parsed(t, name).Model
		c := Contact{Load: 4000, Surface: Dry()}
		capacity := m.Capacity(c)
		slope := func(more, less Contact) (x, y float64) {
			a, b := m.Forces(more), m.Forces(less)
			return (a.Fx - b.Fx) / (2 * small), (a.Fy - b.Fy) / (2 * small)
		}
		up, down := c, c
		up.Kappa, down.Kappa = small, -small
		kx, _ := slope(up, down)
		up, down = c, c
		up.TanAlpha, down.TanAlpha = small, -small
		_, ky := slope(up, down)
		// The shifts move the steepest place a little away from no slip.
		near.Value(t, name+": dFx/dkappa", kx, capacity.StiffnessX, 0.03*capacity.StiffnessX)
		near.Value(t, name+": dFy/dalpha", -ky, capacity.StiffnessY, 0.03*capacity.StiffnessY)
	}
}

func TestMagicFormulaStaysInTheFilesRange(t *testing.T) {
	m := parsed(t, "mf61").Model
	in := Contact{Kappa: 1, TanAlpha: math.Tan(0.96), Gamma: 0.105, Load: 18000, Surface: Dry(), Pressure: 400e3}
	out := Contact{Kappa: 5, TanAlpha: 9, Gamma: 1, Load: 1e6, Surface: Dry(), Pressure: 1e7}
	a, b := m.Forces(in), m.Forces(out)
	a.My, b.My = 0, 0 // rolling resistance follows the real load and slip
	if a != b {
		t.Errorf("at the limits %+v, beyond %+v", a, b)
	}
}

func TestMagicFormulaFollowsSurfaceAndPressure(t *testing.T) {
	m := parsed(t, "mf61").Model
	c := Contact{TanAlpha: 1, Load: 6752, Surface: Dry()}
	dry, largest := m.Forces(c).Fy, m.Capacity(c).ForceY
	c.Surface.Grip = 0.5
	near.Value(t, "most on half the grip", m.Capacity(c).ForceY/largest, 0.5, 1e-12)
	near.Value(t, "sliding force on half the grip", m.Forces(c).Fy/dry, 0.5, 0.03) // further past its peak
	c = Contact{TanAlpha: 0.001, Load: 6752, Surface: Dry()}
	dry = m.Capacity(c).StiffnessY
	c.Surface.Stiffness = 0.7
	near.Value(t, "stiffness on a soft surface", m.Capacity(c).StiffnessY/dry, 0.7, 1e-12)
	c = Contact{Load: 6752, Surface: Surface{1, 1, 3}}
	near.Value(t, "rolling resistance", m.Capacity(c).Rolling/m.Capacity(Contact{Load: 6752, Surface: Dry()}).Rolling, 3, 1e-12)
	// (4.E25): PPY1 and PPY2 of the file.
	c = Contact{Load: 6752, Surface: Dry(), Pressure: 300e3}
	const dpi = 300.0/260 - 1
	p := m.(*MagicFormula).c
	want := (1 + p.PPY1*dpi) * math.Sin(p.PKY4*math.Atan(1/(p.PKY2*(1+p.PPY2*dpi)))) / math.Sin(p.PKY4*math.Atan(1/p.PKY2))
	near.Value(t, "stiffness at 300 kPa", m.Capacity(c).StiffnessY/m.Capacity(Contact{Load: 6752, Surface: Dry()}).StiffnessY, want, 1e-9)
}

func TestMagicFormulaWithoutLoadGivesNothing(t *testing.T) {
	m := parsed(t, "mf61").Model
	for _, load := range []float64{0, -1, math.Inf(-1), math.NaN()} {
		if f := m.Forces(Contact{TanAlpha: 0.1, Load: load, Surface: Dry()}); f != (Forces{}) {
			t.Errorf("load %g: %+v", load, f)
		}
	}
}

// A step of slip changes the force by no more than the greatest slope allows.
func TestMagicFormulaIsContinuous(t *testing.T) {
	for _, name := range references {
		m := parsed(t, name).Model
		capacity := m.Capacity(Contact{Load: 4000, Surface: Dry()})
		const step = 1e-4
		last := Forces{}
		for i := -20000; i <= 20000; i++ {
			f := m.Forces(Contact{Kappa: 0.3 * float64(i) * step, TanAlpha: float64(i) * step, Load: 4000, Surface: Dry()})
			if i > -20000 {
				// The signs in E (4.E14, 4.E24) make a small step of it where the slip
				// changes its side, but none of the force.
				if math.Abs(f.Fx-last.Fx) > 2*capacity.StiffnessX*step || math.Abs(f.Fy-last.Fy) > 2*capacity.StiffnessY*step || math.Abs(f.Mz-last.Mz) > 20*step*200 {
					t.Fatalf("%s: from %+v to %+v at %g", name, last, f, float64(i)*step)
				}
			}
			last = f
		}
	}
}

func FuzzMagic(f *testing.F) {
	f.Add(0.1, 0.05, 0.0, 4000.0, 1.0, 1.0, 220e3, 16.7)
	f.Add(-1.0, -0.3, 0.1, 1e300, 1e300, 1e-300, 1e300, 1e300)
	f.Add(math.Inf(1), math.Inf(-1), math.NaN(), math.Inf(1), 1e-300, 1.0, math.NaN(), math.Inf(1))
	f.Add(0.0, 0.1, 0.0, 5e-324, 1.0, 1.0, -1.0, 0.0)
	var models []Model
	for _, name := range references {
		models = append(models, parsed(f, name).Model)
	}
	f.Fuzz(func(t *testing.T, kappa, tanAlpha, gamma, load, grip, stiffness, pressure, speed float64) {
		c := Contact{
			Kappa: kappa, TanAlpha: tanAlpha, Gamma: gamma, Load: load,
			Surface: Surface{grip, stiffness, 1}, Pressure: pressure, Speed: speed,
		}
		for _, m := range models {
			got := m.Forces(c)
			if sum := got.Fx + got.Fy + got.Mx + got.My + got.Mz; sum-sum != 0 {
				t.Fatalf("%+v gives %+v", c, got)
			}
			if load > 0 {
				capacity := m.Capacity(c)
				if sum := capacity.StiffnessX + capacity.StiffnessY + capacity.ForceX + capacity.ForceY + capacity.Rolling + capacity.RelaxationX + capacity.RelaxationY + capacity.HalfLength; sum-sum != 0 {
					t.Fatalf("%+v: %+v", c, capacity)
				}
			}
		}
	})
}

func TestMagicAllocatesNothing(t *testing.T) {
	m := parsed(t, "mf61").Model
	c := Contact{Kappa: 0.02, TanAlpha: 0.05, Gamma: 0.02, Load: 4000, Surface: Dry()}
	if n := testing.AllocsPerRun(100, func() { m.Forces(c); m.Capacity(c) }); n != 0 {
		t.Errorf("%g allocations", n)
	}
}

func BenchmarkMagic(b *testing.B) {
	for _, name := range references {
		b.Run(name, func(b *testing.B) {
			m := parsed(b, name).Model
			c := Contact{Kappa: 0.02, TanAlpha: 0.05, Gamma: 0.02, Load: 4000, Surface: Dry()}
			b.ReportAllocs()
			for b.Loop() {
				m.Forces(c)
			}
		})
	}
}

// The cost of the Magic Formula over that of the brush, in one run: machines differ.
func BenchmarkMagicOverBrush(b *testing.B) {
	magic, brush := parsed(b, "mf61").Model, road205(b)
	c := Contact{Kappa: 0.02, TanAlpha: 0.05, Gamma: 0.02, Load: 4000, Surface: Dry()}
	cost := func(m Model) time.Duration {
		start := time.Now()
		for range 1000 {
			m.Forces(c)
		}
		return time.Since(start)
	}
	var ofMagic, ofBrush time.Duration
	for b.Loop() {
		ofMagic += cost(magic)
		ofBrush += cost(brush)
	}
	b.ReportMetric(float64(ofMagic)/float64(ofBrush), "magic/brush")
}

// MFeval's effective radius and deflection, at its spin and forces.
func TestStandingTireAgreesWithMFeval(t *testing.T) {
	for _, name := range references {
		tr := parsed(t, name)
		v, err := NewVertical(tr.Vertical)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range table(t, name) {
			what := fmt.Sprintf("%s at %g N, slip %g: ", name, r["Fz"], r["kappa"])
			near.Value(t, what+"effective radius", v.EffectiveRadius(r["Fz"], r["omega"]), r["Re"], 1e-7)
			if r["rho"] != 0 {
				running := VerticalInput{Spin: r["omega"], Pressure: tr.Pressure, Fx: r["Fx"], Fy: r["Fy"]}
				near.Value(t, what+"load", v.Force(r["rho"], running), r["Fz"], 1e-5*r["Fz"])
			}
		}
	}
}
