package opendrive

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/test/near"
)

func nearVec(t *testing.T, what string, got, want r3.Vec, tolerance float64) {
	t.Helper()
	if !(r3.Norm(r3.Sub(got, want)) <= tolerance) {
		t.Errorf("%s = %.7f, want %.7f within %.2g", what, got, want, tolerance)
	}
}

// twoLanes is a lane of 3.5 m on either side.
const twoLanes = `<laneSection s="0">
	<left><lane id="1" type="driving"><width sOffset="0" a="3.5"/></lane></left>
	<right><lane id="-1" type="driving"><width sOffset="0" a="3.5"/></lane></right>
</laneSection>`

// file is a network of one road.
func file(length float64, plan, profiles, lanes string) string {
	return fmt.Sprintf(`<OpenDRIVE><header revMajor="1" revMinor="7"/><road id="1" length="%.17g" junction="-1">
		<planView>%s</planView>%s<lanes>%s</lanes></road></OpenDRIVE>`, length, plan, profiles, lanes)
}

func geometry(s, x, y, hdg, length float64, form string) string {
	return fmt.Sprintf(`<geometry s="%.17g" x="%.17g" y="%.17g" hdg="%.17g" length="%.17g">%s</geometry>`, s, x, y, hdg, length, form)
}

func parse(t testing.TB, text string) *Map {
	t.Helper()
	m, err := Parse([]byte(text), "test.xodr")
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// one parses a network of one road and expects no warnings.
func one(t testing.TB, text string) *Road {
	t.Helper()
	m := parse(t, text)
	if len(m.Warnings) > 0 {
		t.Fatal(strings.Join(m.Warnings, "\n"))
	}
	return m.Roads[0]
}

// Values of Fresnel's integrals C and S with their argument π·x²/2, from
// Abramowitz and Stegun, table 7.7.
func TestClothoidIsFresnelsIntegrals(t *testing.T) {
	for _, tt := range []struct{ x, c, s float64 }{
		{0.5, 0.4923442, 0.0647324},
		{1, 0.7798934004, 0.4382591474},
		{2, 0.4882534061, 0.3434156784},
		{5, 0.5636311887, 0.4991913819},
	} {
		p := clothoid{growth: math.Pi}.at(tt.x)
		near.Value(t, fmt.Sprintf("C(%g)", tt.x), p.x, tt.c, 1e-7)
		near.Value(t, fmt.Sprintf("S(%g)", tt.x), p.y, tt.s, 1e-7)
		near.Value(t, "heading", p.heading, math.Pi*tt.x*tt.x/2, 1e-12)
		// As long and wide as a motorway's, the other way round, and backwards.
		p = clothoid{growth: -math.Pi / 1e4}.at(100 * tt.x)
		near.Value(t, "100·C", p.x, 100*tt.c, 1e-5)
		near.Value(t, "-100·S", p.y, -100*tt.s, 1e-5)
	}
}

func TestClothoidFromTheMiddle(t *testing.T) {
	// From x = 1, where Euler's spiral heads along y, to x = 2.
	p := clothoid{from: math.Pi, growth: math.Pi}.at(1)
	near.Value(t, "ahead", p.x, 0.3434156784-0.4382591474, 1e-9)
	near.Value(t, "left", p.y, 0.7798934004-0.4882534061, 1e-9)
	near.Value(t, "curvature", p.curvature, 2*math.Pi, 1e-12)
}

func TestClothoidWithoutGrowthIsAnArc(t *testing.T) {
	for _, growth := range []float64{0, 1e-18, -1e-12} {
		p := clothoid{0.01, growth}.at(50 * math.Pi)
		near.Value(t, "x", p.x, 100, 1e-6)
		near.Value(t, "y", p.y, 100, 1e-6)
	}
}

func TestArcs(t *testing.T) {
	p := arc{-0.01}.at(50 * math.Pi)
	near.Value(t, "x", p.x, 100, 1e-9)
	near.Value(t, "y", p.y, -100, 1e-9)
	p = arc{1e-9}.at(1000) // y = s²·k/2
	near.Value(t, "x of a nearly straight one", p.x, 1000, 1e-6)
	near.Value(t, "y of a nearly straight one", p.y, 0.0005, 1e-12)
}

// The length of the parabola v = c·u² is u/2·√(1+4c²u²) + asinh(2cu)/(4c).
func TestPoly3IsMeasuredAlongTheCurve(t *testing.T) {
	const c = 0.05
	length := func(u float64) float64 {
		return u/2*math.Sqrt(1+4*c*c*u*u) + math.Asinh(2*c*u)/(4*c)
	}
	road := one(t, file(length(20), geometry(0, 3, 4, math.Pi/2, length(20), `<poly3 a="0" b="0" c="0.05" d="0"/>`), "", twoLanes))
	for _, u := range []float64{0, 0.3, 5, 12.345, 20} {
		p := road.At(length(u), 0)
		nearVec(t, fmt.Sprintf("u = %g", u), p.Pos, r3.Vec{X: 3 - c*u*u, Y: 4 + u}, 1e-6)
		near.Value(t, "heading", p.Heading, math.Pi/2+math.Atan(2*c*u), 1e-6)
		near.Value(t, "curvature", p.Curvature, 2*c/math.Pow(1+4*c*c*u*u, 1.5), 1e-6)
	}
}

func TestParamPoly3(t *testing.T) {
	const form = `<paramPoly3 aU="0" bU="%g" cU="0" dU="0" aV="0" bV="0" cV="%g" dV="0" pRange="%s"/>`
	by := map[string]string{
		"arcLength":  fmt.Sprintf(form, 1., 0.001, "arcLength"),
		"normalized": fmt.Sprintf(form, 40., 1.6, "normalized"),
	}
	for name, text := range by {
		road := one(t, file(40, geometry(0, 0, 0, 0, 40, text), "", twoLanes))
		p := road.At(30, 0)
		nearVec(t, name, p.Pos, r3.Vec{X: 30, Y: 0.9}, 1e-9)
		near.Value(t, name+": heading", p.Heading, math.Atan(0.06), 1e-9)
		near.Value(t, name+": curvature", p.Curvature, 0.002/math.Pow(1+0.0036, 1.5), 1e-9)
	}
}
