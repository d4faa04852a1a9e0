package tire

import (
	"encoding/csv"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"rig.example/rig/test/near"
)

// shifted is the reference's tire for a camber of either sign: in the original
// its shifts turn over with that, which no file can say.
func shifted(t *testing.T) (topLeft, topRight Model) {
	t.Helper()
	text, err := builtinFiles.ReadFile("data/reference.tir")
	if err != nil {
		t.Fatal(err)
	}
	other := strings.NewReplacer("PHY1 = 0.0026747", "PHY1 = -0.0026747", "PVY1 = 0.037318", "PVY1 = -0.037318").Replace(string(text))
	rotated, err := Parse("turned.tir", []byte(other))
	if err != nil || other == string(text) {
		t.Fatalf("error %v, or nothing turned over", err)
	}
	return builtin(t, "reference").Model, rotated.Model
}

// Side forces are those of the original to 7e-5 of the load in steps, sine and
// braking, and to 3e-4 on the unloaded wheel near the end of the ramp. Longitudinal
// ones differ by up to 0.43 % of the load in hard braking: the original's S_Vx stands
// inside the sine and grows with the load, here a shift takes its place.
func TestTheReferenceTireHasTheForcesOfTheOriginal(t *testing.T) {
	topLeft, topRight := shifted(t)
	for _, row := range referenceRows(t) {
		c := Contact{Kappa: row[1], TanAlpha: math.Tan(row[2]), Gamma: row[3], Load: row[4], Surface: Dry()}
		m := topLeft
		if c.Gamma > 0 {
			m = topRight
		}
		f := m.Forces(c)
		if x, y := (f.Fx-row[5])/c.Load, (f.Fy-row[6])/c.Load; !(math.Abs(x) <= 5e-3 && math.Abs(y) <= 4e-4) {
			t.Errorf("at %.2f s, %+v: Fx off by %.2g of the load, Fy by %.2g", row[0], c, x, y)
		}
	}
}

// referenceRows returns time, slip, slip angle, inclination, load and both forces.
func referenceRows(t *testing.T) (rows [][7]float64) {
	t.Helper()
	text, err := os.ReadFile("testdata/reference.csv")
	if err != nil {
		t.Fatal(err)
	}
	r := csv.NewReader(strings.NewReader(string(text)))
	r.Comment = '#'
	lines, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range lines[1:] {
		var row [7]float64
		for i := range row {
			if row[i], err = strconv.ParseFloat(line[i+1], 64); err != nil {
				t.Fatal(err)
			}
		}
		rows = append(rows, row)
	}
	return rows
}

// What the original says nothing of is plausible.
func TestTheReferenceTireIsComplete(t *testing.T) {
	const little = 1e-4
	tr := builtin(t, "reference")
	at := benchOf(tr)
	if tr.Kind != "MF 5.2" || len(tr.Notices) > 0 || len(tr.UnusedKeys) > 0 {
		t.Errorf("%s, notices %q, unused %q", tr.Kind, tr.Notices, tr.UnusedKeys)
	}
	capacity := tr.Model.Capacity(Contact{Load: tr.NominalLoad, Surface: Dry()})
	near.Value(t, "longitudinal relaxation length [m]", capacity.RelaxationX, 0.15, 0.001)
	near.Value(t, "lateral relaxation length [m]", capacity.RelaxationY, 0.25, 0.001)
	near.Value(t, "rolling resistance over load and radius", -at(1, 0, 0, 0).My/tr.NominalLoad/tr.Radius, 0.01, 1e-9)
	moment := func(angle float64) float64 { // without the shifts, which both cambers have of opposite sign
		return (at(1, 0, angle, 0).Mz - at(1, 0, -angle, 0).Mz) / 2
	}
	sideAt := func(share, angle float64) float64 {
		return (at(share, 0, angle, 0).Fy - at(share, 0, -angle, 0).Fy) / 2
	}
	side := func(angle float64) float64 { return sideAt(1, angle) }
	near.Value(t, "trail at no slip [m]", -moment(little)/side(little), 0.03, 0.002)
	angle, _ := greatest(30, func(a float64) float64 { return -side(a) })
	near.Value(t, "trail at the peak [m]", -moment(angle)/side(angle), 0, 0.003)
	span{7, 10}.check(t, "slip angle of the peak [deg]", angle)
	for _, share := range []float64{0.3, 1, 2} {
		stiffness := -sideAt(share, little) / math.Tan(little*degree) / (share * tr.NominalLoad)
		near.Value(t, "stiffness over load, as published", stiffness, 21.92, 0.1)
		near.Value(t, "overturning [N·m], K_lt of the load and the side force", at(share, 0, 3, 0).Mx,
			1.6430724599974725e-05*share*tr.NominalLoad*at(share, 0, 3, 0).Fy, 0.1)
	}
}
