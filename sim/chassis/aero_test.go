package chassis

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/road"
	"rig.example/rig/test/near"
)

// winged is the coupe with surfaces and no other drag.
func winged(t testing.TB, air Air, surfaces ...AeroSurface) *Body {
	t.Helper()
	k := coupe()
	k.Air, k.Aero = air, surfaces
	return built(t, k, road.Asphalt())
}

// blowing is air that moves at a speed [m/s] from somewhere [deg].
func blowing(speed, from float64) Air {
	a := DefaultAir()
	a.WindSpeed, a.WindFrom = speed, from
	return a
}

func nearVec(t *testing.T, what string, got, want r3.Vec, tolerance float64) {
	t.Helper()
	if !(r3.Norm(r3.Sub(got, want)) <= tolerance) {
		t.Errorf("%s = %v, want %v within %.2g", what, got, want, tolerance)
	}
}

// The coupe's center of mass is 1.30 m behind the front axle and 0.52 m up, so
// that a place at (-2.8, 0, 1.02) is 1.5 m behind it and 0.5 m above it.
// blown returns what the air does to a car.
func blown(c *Body, s *State, shelter float64) (sum Wrench) {
	axes := AxesOf(s.Att)
	c.AddAir(&sum, s, &axes, 0, shelter)
	return sum
}

func TestASurfacePushesAtItsPlace(t *testing.T) {
	wing := AeroSurface{X: -2.8, Z: 1.02}
	with := func(change func(*AeroSurface)) AeroSurface { a := wing; change(&a); return a }
	drag := with(func(a *AeroSurface) { a.Drag = 0.5 })
	lift := with(func(a *AeroSurface) { a.Lift = 1 })
	tests := []struct {
		name          string
		surface       AeroSurface
		air           Air
		vel, rate     r3.Vec
		att           quat.Number
		shelter       float64
		force, moment r3.Vec
	}{
		{name: "drag", surface: drag, vel: r3.Vec{X: 40}, force: r3.Vec{X: -800}, moment: r3.Vec{Y: -400}},
		{name: "drag of a car that reverses", surface: drag, vel: r3.Vec{X: -40}, force: r3.Vec{X: 800}, moment: r3.Vec{Y: 400}},
		{name: "downforce at the rear lifts the nose", surface: with(func(a *AeroSurface) { a.Lift = -1.2 }),
			vel: r3.Vec{X: 40}, force: r3.Vec{Z: -1920}, moment: r3.Vec{Y: -2880}},
		{name: "drag on the left turns to the left", surface: with(func(a *AeroSurface) { a.Drag, a.Y = 0.5, 0.4 }),
			vel: r3.Vec{X: 40}, force: r3.Vec{X: -800}, moment: r3.Vec{Y: -400, Z: 320}},
		{name: "areas", surface: with(func(a *AeroSurface) { a.DragArea, a.LiftArea = 1, -2 }),
			vel: r3.Vec{X: 40}, force: r3.Vec{X: -980, Z: -1960}, moment: r3.Vec{Y: -490 - 2940}},
		{name: "areas in thin air", surface: with(func(a *AeroSurface) { a.DragArea = 1 }), air: Air{Density: 0.9, GustPeriod: 10},
			vel: r3.Vec{X: 40}, force: r3.Vec{X: -720}, moment: r3.Vec{Y: -360}},
		{name: "a turning body", surface: drag, rate: r3.Vec{Z: 2}, force: r3.Vec{Y: 4.5}, moment: r3.Vec{X: -2.25, Z: -6.75}},
		{name: "head wind", surface: drag, air: blowing(10, 0), vel: r3.Vec{X: 30}, force: r3.Vec{X: -800}, moment: r3.Vec{Y: -400}},
		{name: "tail wind as fast as the car", surface: drag, air: blowing(30, 180), vel: r3.Vec{X: 30}},
		{name: "wind from the left", surface: drag, air: blowing(10, 90), force: r3.Vec{Y: -50}, moment: r3.Vec{X: 25, Z: 75}},
		{name: "wind from the right", surface: drag, air: blowing(10, -90), force: r3.Vec{Y: 50}, moment: r3.Vec{X: -25, Z: -75}},
		{name: "lift of a car on its left side", surface: lift, vel: r3.Vec{X: 40}, att: quat.Number{Real: math.Sqrt2 / 2, Imag: -math.Sqrt2 / 2},
			force: r3.Vec{Y: 1600}, moment: r3.Vec{Z: -2400}},
		{name: "a quarter sheltered", surface: drag, vel: r3.Vec{X: 40}, shelter: 0.25, force: r3.Vec{X: -600}, moment: r3.Vec{Y: -300}},
		{name: "all sheltered", surface: lift, vel: r3.Vec{X: 40}, shelter: 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if tt.air == (Air{}) {
				tt.air = DefaultAir()
			}
			c := winged(t, tt.air, tt.surface)
			s := State{Pos: r3.Vec{Z: 0.52}, Att: rolled(0), Vel: tt.vel, Rate: tt.rate}
			if tt.att != (quat.Number{}) {
				s.Att = tt.att
			}
			got := blown(c, &s, tt.shelter)
			nearVec(t, "force", got.Force, tt.force, 1e-9)
			nearVec(t, "moment", got.Moment, tt.moment, 1e-9)
		})
	}
}

func TestTheWholeCarsDragMeetsTheSameAir(t *testing.T) {
	k := coupe()
	k.DragArea, k.Air = 0.65, blowing(10, 0)
	c := built(t, k, road.Asphalt())
	s := State{Att: rolled(0), Vel: r3.Vec{X: 30}}
	for _, tt := range []struct{ shelter, want float64 }{{0, -637}, {0.5, -318.5}, {1, 0}} { // 1.225/2·0.65·40²
		got := blown(c, &s, tt.shelter)
		nearVec(t, "force", got.Force, r3.Vec{X: tt.want}, 1e-9)
		nearVec(t, "moment", got.Moment, r3.Vec{}, 0)
	}
}

func TestRideHeightScalesBothForces(t *testing.T) {
	c := winged(t, DefaultAir(), AeroSurface{X: -1.3, Z: 0.15, Drag: 0.1, Lift: -1,
		RideHeight: []HeightPoint{{0.05, 2}, {0.15, 1}, {0.25, 0.8}}})
	for _, tt := range []struct{ height, factor float64 }{
		{-1, 2}, {0.02, 2}, {0.05, 2}, {0.10, 1.5}, {0.15, 1}, {0.20, 0.9}, {0.25, 0.8}, {3, 0.8},
	} {
		s := State{Pos: r3.Vec{Z: 0.52 + tt.height - 0.15}, Att: rolled(0), Vel: r3.Vec{X: 10}}
		got := blown(c, &s, 0)
		nearVec(t, "force", got.Force, r3.Vec{X: -10 * tt.factor, Z: -100 * tt.factor}, 1e-9)
	}
}

func TestSurfacesKeepTheirPlaceOnTheBody(t *testing.T) {
	k := coupe()
	k.CGLeft = 0.1
	k.Aero = []AeroSurface{{X: -2.8, Y: 0.4, Z: 1.02, Drag: 0.5, RideHeight: []HeightPoint{{0.1, 2}}}}
	c := built(t, k, road.Asphalt())
	k.Aero[0].RideHeight[0].Factor = 9
	nearVec(t, "from a center of mass on the left", c.surfaces[0].at, r3.Vec{X: -1.5, Y: 0.3, Z: 0.5}, 1e-12)
	near.Value(t, "a factor changed from outside", c.surfaces[0].heights.Y[0], 2, 0)
}
