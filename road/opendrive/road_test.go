package opendrive

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/test/near"
)

const straight100 = `<geometry s="0" x="0" y="0" hdg="0" length="100"><line/></geometry>`

func TestElevation(t *testing.T) {
	road := one(t, file(100, straight100, `<elevationProfile>
		<elevation s="0" a="2" b="0.1"/><elevation s="50" a="7" b="0.1" c="-0.001"/></elevationProfile>`, twoLanes))
	p := road.At(20, 3)
	nearVec(t, "ramp", p.Pos, r3.Vec{X: 20, Y: 3, Z: 4}, 1e-12)
	nearVec(t, "its normal", p.Normal, r3.Scale(1/math.Sqrt(1.01), r3.Vec{X: -0.1, Z: 1}), 1e-9)
	p = road.At(100, -3)
	nearVec(t, "top", p.Pos, r3.Vec{X: 100, Y: -3, Z: 9.5}, 1e-12)
	nearVec(t, "its normal", p.Normal, r3.Vec{Z: 1}, 1e-9)
}

// A circle of constant banking is a cone: t runs along its side.
func TestBankedCircle(t *testing.T) {
	const bank, radius = 0.3, 50.0
	road := one(t, file(100, geometry(0, 0, 0, 0, 100, `<arc curvature="0.02"/>`),
		`<lateralProfile><superelevation s="0" a="0.3"/></lateralProfile>`, twoLanes))
	for _, at := range []struct{ s, t float64 }{{0, 0}, {10, 3}, {60, -3.5}} {
		p := road.At(at.s, at.t)
		angle := at.s / radius
		out := radius - at.t*math.Cos(bank) // distance from the axis at (0, 50)
		nearVec(t, "place", p.Pos, r3.Vec{X: out * math.Sin(angle), Y: 50 - out*math.Cos(angle), Z: at.t * math.Sin(bank)}, 1e-9)
		// The left side is high, so the normal leans outwards, to the right.
		lean := math.Sin(bank)
		nearVec(t, "normal", p.Normal, r3.Vec{X: lean * math.Sin(angle), Y: -lean * math.Cos(angle), Z: math.Cos(bank)}, 1e-8)
		near.Value(t, "bank", p.Bank, bank, 0)
		near.Value(t, "heading", p.Heading, angle, 1e-12)
	}
}

// Banking that grows along a straight is a ruled surface; it stands off the
// axis that it turns about and is inclined to it.
func TestNormalWhereBankingGrows(t *testing.T) {
	road := one(t, file(100, straight100, `<lateralProfile><superelevation s="0" a="0" b="0.01"/><shape s="0" t="-9" a="-1.3" b="0.2"/></lateralProfile>`, twoLanes))
	const s, at, h, growth = 80.0, 3.0, 1.1, 0.01
	sin, cos := math.Sincos(s * growth)
	along := r3.Vec{X: 1, Y: -growth * (at*sin + h*cos), Z: growth * (at*cos - h*sin)}
	across := r3.Vec{Y: cos - 0.2*sin, Z: sin + 0.2*cos}
	nearVec(t, "place", road.At(s, at).Pos, r3.Vec{X: s, Y: at*cos - h*sin, Z: at*sin + h*cos}, 1e-9)
	nearVec(t, "normal", road.At(s, at).Normal, r3.Unit(r3.Cross(along, across)), 1e-9)
}

// The normal is that of the surface that the points are on.
func TestNormalIsSquareToTheSurface(t *testing.T) {
	const h = 1e-3
	for _, road := range parts(t).Roads {
		for s := 0.7; s < road.Length-1; s += 3.7 {
			for _, at := range []float64{-3.3, -1, 0.4, 3} {
				n := road.At(s, at).Normal
				along := r3.Sub(road.At(s+h, at).Pos, road.At(s-h, at).Pos)
				across := r3.Sub(road.At(s, at+h).Pos, road.At(s, at-h).Pos)
				near.Value(t, "along", r3.Dot(n, r3.Unit(along)), 0, 1e-5)
				near.Value(t, "across", r3.Dot(n, r3.Unit(across)), 0, 1e-5)
				near.Value(t, "size", r3.Norm(n), 1, 1e-12)
			}
		}
	}
}

func TestCrossSections(t *testing.T) {
	const banked = `<superelevation s="0" a="0.1"/>`
	sin, cos := math.Sincos(0.1)
	for _, tt := range []struct {
		name, lateral, lanes string
		t                    float64
		y, z                 float64
		lane                 int
	}{
		{"crossfall falls to both sides: left", `<crossfall s="0" side="both" a="0.02"/>`, twoLanes, 2, 2, -2 * math.Tan(0.02), 1},
		{"crossfall falls to both sides: right", `<crossfall s="0" side="both" a="0.02"/>`, twoLanes, -2, -2, -2 * math.Tan(0.02), -1},
		{"crossfall of the right side: left", `<crossfall s="0" side="right" a="0.02"/>`, twoLanes, 2, 2, 0, 1},
		{"crossfall of the right side: right", `<crossfall s="0" side="right" a="0.02"/>`, twoLanes, -2, -2, -2 * math.Tan(0.02), -1},
		{"shape between two rows", `<shape s="0" t="-3" a="0"/><shape s="40" t="-3" a="0.1" b="0.02" c="0.001"/>`, twoLanes, 1, 1, (0.1 + 0.08 + 0.016) / 2, 1},
		{"shape on a bank", banked + `<shape s="0" t="0" a="0.2"/>`, twoLanes, 2, 2*cos - 0.2*sin, 2*sin + 0.2*cos, 1},
		{"raised lane", "", lanes(`<height sOffset="0" inner="0.1" outer="0.3"/>`, "false"), 4.5, 4.5, 0.15, 2},
		{"lane rising along the road", "", lanes(`<height sOffset="10" inner="0" outer="0"/><height sOffset="30" inner="0.2" outer="0.2"/>`, "false"), 5, 5, 0.1, 2},
		{"lane beside a raised one", "", lanes(`<height sOffset="0" inner="0.1" outer="0.3"/>`, "false"), 3.9, 3.9, 0, 1},
		{"level lane", banked, lanes("", "true"), 6, 4*cos + 2*cos - (-2*math.Tan(0.1))*sin, 4 * sin, 2},
		{"offset of lane 0", "", `<laneOffset s="0" a="0" b="0.1"/>` + twoLanes, 1.9, 1.9, 0, -1},
		{"beside the road", "", twoLanes, 9, 9, 0, 0},
		{"lanes by borders", "", `<laneSection s="0"><right>
			<lane id="-1" type="driving"><border sOffset="0" a="-3"/></lane>
			<lane id="-2" type="shoulder"><border sOffset="0" a="-4"/></lane></right></laneSection>`, -3.5, -3.5, 0, -2},
	} {
		road := one(t, file(100, straight100, "<lateralProfile>"+tt.lateral+"</lateralProfile>", tt.lanes))
		p := road.At(20, tt.t)
		nearVec(t, tt.name, p.Pos, r3.Vec{X: 20, Y: tt.y, Z: tt.z}, 1e-9)
		if p.Lane != tt.lane {
			t.Errorf("%s: lane %d, want %d", tt.name, p.Lane, tt.lane)
		}
	}
}

// lanes has a lane of 4 m to the left and one beside it with something in it.
func lanes(in, level string) string {
	return `<laneSection s="0"><left>
		<lane id="1" type="driving"><width sOffset="0" a="4"/></lane>
		<lane id="2" type="sidewalk" level="` + level + `"><width sOffset="0" a="2"/>` + in + `</lane>
	</left></laneSection>`
}

func TestAnythingGivesAFinitePlace(t *testing.T) {
	for _, road := range parts(t).Roads {
		for _, s := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), -1, 1e300} {
			for _, at := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), 1e300, 0} {
				p := road.At(s, at)
				for _, v := range []float64{p.Pos.X, p.Pos.Y, p.Pos.Z, p.Normal.X, p.Normal.Y, p.Normal.Z, p.Heading} {
					if math.IsNaN(v) || math.IsInf(v, 0) {
						t.Fatalf("At(%g, %g) = %+v", s, at, p)
					}
				}
			}
		}
	}
}

func TestLine(t *testing.T) {
	road := one(t, file(100, geometry(0, 0, 0, 0, 100, `<arc curvature="0.02"/>`),
		`<lateralProfile><superelevation s="0" a="0.1"/></lateralProfile>`,
		`<laneSection s="0"><right>
			<lane id="-1" type="driving"><width sOffset="0" a="4"/></lane>
			<lane id="-2" type="driving"><width sOffset="0" a="4"/></lane>
			<lane id="-3" type="shoulder"><width sOffset="0" a="2"/></lane></right></laneSection>`))
	line := road.Line(0.5)
	radius := 50 + 4*math.Cos(0.1)
	near.Value(t, "length", line.Length, 2*radius, 0.001)
	if line.Closed || len(line.Points) != 201 {
		t.Errorf("closed %v with %d points, want an open line of 201", line.Closed, len(line.Points))
	}
	for _, p := range line.Points {
		angle := p.RoadS / 50
		nearVec(t, "place", p.Pos, r3.Vec{X: radius * math.Sin(angle), Y: 50 - radius*math.Cos(angle), Z: -4 * math.Sin(0.1)}, 1e-9)
		near.Value(t, "curvature", p.Curvature, 1/radius, 1e-9)
		near.Value(t, "heading", p.Heading, angle, 1e-8)
		near.Value(t, "left", p.Left, 4, 1e-12)
		near.Value(t, "right", p.Right, 4, 1e-12)
		near.Value(t, "bank", p.Bank, 0.1, 1e-9)
	}
}

func TestLineOfACircleIsClosed(t *testing.T) {
	const length = 100 * math.Pi
	line := one(t, file(length, geometry(0, 7, 8, 9, length, `<arc curvature="-0.02"/>`), "", twoLanes)).Line(1)
	if !line.Closed {
		t.Error("open")
	}
	near.Value(t, "heading at the end", line.Points[len(line.Points)-1].Heading, 9-2*math.Pi, 1e-7)
}

func TestPaint(t *testing.T) {
	road := parts(t).Road("1")
	for _, tt := range []struct {
		s, t float64
		want string
	}{
		{10, 0, "broken"}, {10, 0.059, "broken"}, {10, 0.061, ""}, {10, 3.5, "solid"}, {10, -3.5, ""}, {70, 0.4, ""},
	} {
		m, ok := road.paintAt(tt.s, tt.t)
		if m.Type != tt.want || ok != (tt.want != "") {
			t.Errorf("at s %g t %g: %q, want %q", tt.s, tt.t, m.Type, tt.want)
		}
	}
}
