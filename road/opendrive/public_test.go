package opendrive

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/test/near"
)

// record is a geometry of a public OpenDRIVE file. Each ends where the file
// says that the next one starts: points that others' software computed.
type record struct {
	s, x, y, hdg, length float64
	form                 string
}

func (g record) text() string { return geometry(g.s, g.x, g.y, g.hdg, g.length, g.form) }

func TestPublicRecordsEndWhereTheNextStarts(t *testing.T) {
	const param = `<paramPoly3 pRange="%s" aU="0" bU="%.17g" cU="%.17g" dU="%.17g" aV="0" bV="%.17g" cV="%.17g" dV="%.17g"/>`
	arcLength := func(cu, du, cv, dv float64) string {
		return fmt.Sprintf(param, "arcLength", 1., cu, du, 0., cv, dv)
	}
	for _, tt := range []struct {
		name      string
		tolerance float64 // as many digits as the file gives [m, rad]
		records   []record
	}{
		{"spiral, arc and spiral of a town", 1e-6, []record{
			{6.7665868569339089, -23.233413143066091, 4.25, 2.2204460492503131e-16, 13.473997480893811, `<spiral curvStart="0" curvEnd="-6.3846739791627374e-03"/>`},
			{20.240584337827720, -9.7619083596721836, 4.0568374168342416, -0.043013540554541763, 13.473997480893807, `<arc curvature="-6.3846739791627374e-03"/>`},
			{33.714581818721527, 3.6581225294544950, 2.8994948890710077, -0.12904062166610863, 13.473997480893811, `<spiral curvStart="-6.3846739791627374e-03" curvEnd="0"/>`},
			{47.188579299615341, 16.963793395133585, 0.78339571210420766, -0.17205416222810044, 13.110166801430049, `<line/>`},
		}},
		{"narrow spiral", 1e-6, []record{
			{0.51868687057179841, 119.99999999998883, 136.48131312942820, -1.5707963268059659, 8.9414893617021267, `<spiral curvStart="0" curvEnd="-8.5106382978723402e-02"/>`},
			{9.4601762322739251, 118.87762726395758, 127.66840661121266, -1.9512852358133257, 9.5153674781379021, `<arc curvature="-8.5106382978723402e-02"/>`},
		}},
		{"junction of spirals, one of them an arc", 1e-6, []record{
			{0, 50, 0, 0, 10.471384127159908, `<spiral curvStart="1e-09" curvEnd="-0.06909484644623465"/>`},
			{10.471384127159908, 60.335173104070776, -1.2509524149051037, -0.3617593339371343, 12.262530456304393, `<spiral curvStart="-0.06909484644623465" curvEnd="-0.06909484644623465"/>`},
			{22.7339145834643, 68.7490475850949, -9.664826895929222, -1.209036992857762, 10.471384127159908, `<spiral curvStart="-0.06909484644623465" curvEnd="9.999999994736442e-10"/>`},
		}},
		{"esmini's fabriksgatan, road 0", 1e-5, []record{
			{0, 27.245446351316485, -10.188720701065932, -1.3588592348487367, 88.071724735679666, arcLength(-3.2543238367009553e-06, 4.1318473925356069e-09, 7.0148430603202215e-04, -7.9649207295225658e-06)},
			{88.071724735679666, 45.766973627847619, -96.267946418374777, -1.4205911198841079, 5.5891064900178407, arcLength(-5.6372958335447834e-04, 3.1801585363045161e-05, -2.2083331895134190e-02, 1.9767205747957413e-03)},
		}},
		{"esmini's fabriksgatan, road 2", 1e-5, []record{
			{50.759189538874864, -24.174289163551293, 253.69396848883480, -1.3658112918557990, 81.504707916198981, arcLength(-6.0972028030722779e-08, 7.8701916922356173e-11, 1.0008160562831812e-04, -1.2285507906784312e-06)},
			{132.26389745507385, -7.5842073532985523, 173.89592641126364, -1.3739807873047223, 100.86755551341727, arcLength(-3.2688351950601254e-07, -6.1826188069576508e-10, -1.3120555286963648e-04, 4.9823647816250076e-07)},
			{233.13145296849112, 11.331698045250960, 74.818523911759257, -1.3852424651423894, 71.062863584054099, arcLength(-1.1130563064500562e-07, 4.9048564562838788e-10, -8.7143753033982286e-05, 6.1314642720371393e-07)},
		}},
		{"normalized curve of a generated map", 2e-6, []record{
			{223.66822449, 10266.710029, 10055.466286, 2.91838953, 3.27430471, fmt.Sprintf(param, "normalized", 2.44776498, 2.24738881, -1.49964058, 0., -2.13313067, 1.46954514)},
			{226.9425292, 10263.740673, 10056.820752, 2.97658731, 1.31472225, `<line/>`},
		}},
	} {
		for i := 0; i+1 < len(tt.records); i++ {
			g, next := tt.records[i], tt.records[i+1]
			g.s = 0
			end := one(t, file(g.length, g.text(), "", twoLanes)).At(g.length, 0)
			nearVec(t, fmt.Sprintf("%s, record %d", tt.name, i), end.Pos, r3.Vec{X: next.x, Y: next.y}, tt.tolerance)
			near.Value(t, tt.name+": heading", math.Remainder(end.Heading-next.hdg, 2*math.Pi), 0, tt.tolerance)
		}
	}
}

// Points that esmini's own tests expect of its curve_r100.xodr (a quarter of a
// circle of 100 m between straights) and fabriksgatan.xodr.
func TestPointsOfEsminisTests(t *testing.T) {
	r100 := one(t, file(757.07963267948969,
		geometry(0, 0, 0, 0, 500, `<line/>`)+
			geometry(500, 499.99999999950342, 0, 0, 157.07963267948969, `<arc curvature="9.9999999999999985e-03"/>`)+
			geometry(657.07963267948969, 600, 100.00000000000003, 1.5707963267948966, 100.00000000000003, `<line/>`),
		"", twoLanes))
	// Seen from s = 5 on the right lane's middle, t = -1.535, heading along x.
	nearVec(t, "695 m ahead on the lane", r100.At(700, -1.535).Pos, r3.Vec{X: 5 + 596.53500, Y: -1.535 + 144.45537}, 2e-5)
	nearVec(t, "695 m ahead on the reference line", r100.At(700, 0).Pos, r3.Vec{X: 5 + 595, Y: -1.535 + 144.45537}, 2e-5)

	fabriksgatan := one(t, file(16.909178810488743,
		geometry(0, 33.139257795788829, -1.2502863131013289, 0.19297931061740717, 16.909178810488743,
			`<paramPoly3 pRange="arcLength" aU="0" bU="1" cU="0" dU="0" aV="0" bV="0" cV="1.6414502399378592e-17" dV="-9.7074509550970606e-19"/>`),
		"", twoLanes))
	nearVec(t, "road 1, lane -1, s = 16", fabriksgatan.At(16, -1.75).Pos, r3.Vec{X: 49.17789, Y: 0.100734}, 1e-4)
	nearVec(t, "road 1, lane -1, beyond its end", fabriksgatan.At(17, -1.75).Pos, r3.Vec{X: 50.0702, Y: 0.2751}, 1e-4)
}
