package scene

import (
	"math"
	"testing"
	"time"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"rig.example/rig/display/displaytest"
	"rig.example/rig/display/screens"
	"rig.example/rig/internal/core/frame"
)

// ownAt is the pose of the own car at the origin, ahead along x.
var ownAt = Pose{mgl64.Vec3{0, 0, 0.46}, mgl64.QuatIdent()}

// otherAt returns a car that stands at a place, ahead along x.
func otherAt(slot uint64, x, y float64) frame.OtherCar {
	return frame.OtherCar{Slot: slot, Pos: [3]float64{x, y, 0.46}, Att: [4]float64{1}, Opacity: 1,
		Length: 4.4, Width: 1.8, Height: 1.3, CGHeight: 0.46, CGToFront: 1.25, Wheelbase: 2.6, WheelRadius: 0.32}
}

// A car is where it will be when its picture is seen, at most 50 ms ahead of what was written. Once nothing is written any more it fades, and the
// session is lost.
func TestOtherCarsAreWhereTheyAreSeen(t *testing.T) {
	for _, tt := range []struct {
		age        time.Duration
		x, opacity float64
		lost       bool
	}{
		{-time.Second, 20, 1, false}, {0, 20, 1, false}, {20 * time.Millisecond, 20.8, 1, false}, {50 * time.Millisecond, 22, 1, false},
		{200 * time.Millisecond, 22, 1, false}, {500 * time.Millisecond, 22, 0.5, true}, {time.Minute, 0, 0, true},
	} {
		o := &frame.Others{Due: int64(time.Hour), Count: 1}
		o.Cars[0] = otherAt(3, 20, 0)
		o.Cars[0].Vel = [3]float64{40, 0, 0}
		var c OtherCars
		if lost := c.Update(o, time.Hour+tt.age, ownAt); lost != tt.lost {
			t.Errorf("%v: lost %t", tt.age, lost)
		}
		if c.Count == 0 && tt.opacity == 0 {
			continue
		}
		if got := c.Cars[0]; c.Count != 1 || math.Abs(got.pos[0]-tt.x) > 1e-9 || math.Abs(got.opacity-tt.opacity) > 1e-9 {
			t.Errorf("%v: %d cars, x %g, opacity %g, want %g and %g", tt.age, c.Count, got.pos[0], got.opacity, tt.x, tt.opacity)
		}
	}
}

// The nearest comes first, wheels roll as fast as the car moves, and nothing is allocated.
func TestOtherCarsInAPicture(t *testing.T) {
	o := &frame.Others{Count: 4, Due: int64(time.Second + 100*time.Millisecond)}
	for i, x := range []float64{30, -5, 90, 12} {
		o.Cars[i] = otherAt(uint64(i), x, 0)
	}
	o.Cars[3].Vel = [3]float64{3.2, 0, 0}
	var c OtherCars
	c.Update(o, time.Second, ownAt)
	before := c.Cars[1].spin
	c.Update(o, time.Second+100*time.Millisecond, ownAt)
	for i, slot := range []uint64{1, 3, 0, 2} {
		if c.Cars[i].Slot != slot {
			t.Errorf("car %d has slot %d, want %d", i, c.Cars[i].Slot, slot)
		}
	}
	if turned := c.Cars[1].spin - before; math.Abs(turned-1) > 1e-9 {
		t.Errorf("wheels of 0.32 m turned by %g rad in 0.32 m", turned)
	}
	if hub := c.Cars[1].Wheel(3).Mul4x1(mgl64.Vec4{0, 0, 0, 1}); math.Abs(hub[0]-(c.Cars[1].pos[0]+1.25-2.6)) > 1e-9 || !(hub[1] < 0) || math.Abs(hub[2]-0.32) > 1e-9 {
		t.Errorf("the right rear wheel is at %v", hub)
	}
	if n := testing.AllocsPerRun(10, func() { c.Update(o, 2*time.Second, ownAt) }); n != 0 {
		t.Errorf("%g allocations", n)
	}
}

// A ghost never fills the view: it fades as it comes near to the eye, and in the place of the own car.
func TestOtherCarsFadeNearTheEye(t *testing.T) {
	eye := Eye{Pos: mgl64.Vec3{0, 0.35, 1.1}}
	for _, tt := range []struct {
		name      string
		x, y      float64
		low, high float64
	}{
		{"far ahead", 20, 0, 1, 1}, {"close behind", -5, 0, 1, 1}, {"a lane beside", 0, 3.5, 1, 1}, {"close beside", 0, 2.3, 0.3, 0.8},
		{"ahead, half in the own car", 2.6, 0, 0, 0.5}, {"in the same place", 0, 0, 0, 0}, {"around the eye", 1, 0.2, 0, 0},
	} {
		o := &frame.Others{Count: 1}
		o.Cars[0] = otherAt(0, tt.x, tt.y)
		var c OtherCars
		c.Update(o, 0, ownAt)
		if got := c.Cars[0].Opacity(eye); got < tt.low || got > tt.high {
			t.Errorf("%s: %g, want %g to %g", tt.name, got, tt.low, tt.high)
		}
	}
}

// A label is above its car in that part of the window in which the car is seen, and nowhere if it is not seen.
func TestWhereALabelIs(t *testing.T) {
	straight := screens.Straight(0.9, 16.0/9)
	eye := Eye{Pos: mgl64.Vec3{0, 0, 1.1}, Target: mgl64.Vec3{10, 0, 1.1}, Up: mgl64.Vec3{0, 0, 1}, FOV: 0.9, Near: 0.1}
	whole := []screens.View{{Part: screens.Whole, Lens: straight}}
	right := screens.Part{Left: 0.5, Bottom: 0, Right: 1, Top: 1}
	for _, tt := range []struct {
		name   string
		x, y   float64
		views  []screens.View
		part   screens.Part
		ok     bool
		wx, wy [2]float64 // range
	}{
		{"ahead", 20, 0, whole, screens.Whole, true, [2]float64{0.499, 0.501}, [2]float64{0.45, 0.5}},
		{"to the left", 20, 3, whole, screens.Whole, true, [2]float64{0.3, 0.49}, [2]float64{0.45, 0.5}},
		{"behind", -20, 0, whole, screens.Whole, false, [2]float64{}, [2]float64{}},
		{"out of sight", 5, 20, whole, screens.Whole, false, [2]float64{}, [2]float64{}},
		{"on the right screen", 20, 0, []screens.View{{Part: right, Lens: straight}}, right, true, [2]float64{0.499, 0.501}, [2]float64{0.45, 0.5}},
		{"beside the instruments", 20, 0, []screens.View{{Part: right, Lens: straight}}, screens.Part{Left: 0, Bottom: 0, Right: 0.5, Top: 1}, true, [2]float64{1.49, 1.51}, [2]float64{0.45, 0.5}},
	} {
		o := &frame.Others{Count: 1}
		o.Cars[0] = otherAt(0, tt.x, tt.y)
		var c OtherCars
		c.Update(o, 0, ownAt)
		x, y, wide, ok := c.Cars[0].Above(eye, tt.views, tt.part)
		if want := 1.8 / 20 / (straight.East - straight.West); ok && math.Abs(wide-want) > 1e-9 {
			t.Errorf("%s: the car has %.4f of the width, want %.4f", tt.name, wide, want)
		}
		if ok != tt.ok || ok && (x < tt.wx[0] || x > tt.wx[1] || y < tt.wy[0] || y > tt.wy[1]) {
			t.Errorf("%s: %g, %g, %t", tt.name, x, y, ok)
		}
	}
}

// The mesh of a car has its size, the color of its slot and none of the red of the own car; from far it has few triangles.
func TestMeshOfAnotherCar(t *testing.T) {
	for slot, length := range map[uint64]float64{0: 4.4, 1: 3.2, 9: 5.5} {
		car := otherAt(slot, 0, 0)
		car.Length, car.Wheelbase, car.CGToFront = length, 0.6*length, 0.28*length
		m := BuildOther((&OtherCar{OtherCar: &car}).Look())
		extent := func(s Span) (low, high mgl32.Vec3) {
			low, high = mgl32.Vec3{99, 99, 99}, mgl32.Vec3{-99, -99, -99}
			for _, i := range m.Indices[s.First : s.First+s.Count] {
				for k, v := range m.Vertices[i].pos {
					low[k], high[k] = min(low[k], v), max(high[k], v)
				}
			}
			return low, high
		}
		for name, part := range map[string]Span{"near": m.Body, "far": m.Far} {
			low, high := extent(part)
			if long := float64(high[0] - low[0]); math.Abs(long-length) > 0.12 {
				t.Errorf("slot %d, %s: %.2f m long, want %.2f", slot, name, long, length)
			}
			if top := float64(high[2]) + car.CGHeight; math.Abs(top-car.Height) > 0.1 {
				t.Errorf("slot %d, %s: %.2f m high, want %.2f", slot, name, top, car.Height)
			}
		}
		if low, _ := extent(m.Far); math.Abs(float64(low[2])+car.CGHeight) > 1e-3 {
			t.Errorf("slot %d: the far car's wheels end %.3f m above the ground", slot, float64(low[2])+car.CGHeight)
		}
		color, colored := frame.OtherColor(slot), 0
		for _, v := range m.Vertices {
			if v.paint == bodyPaint {
				t.Fatalf("slot %d: a part has the color of the own car", slot)
			}
			if v.color == (mgl32.Vec3{float32(color[0]), float32(color[1]), float32(color[2])}) {
				colored++
			}
		}
		if colored < 500 || 3*m.Far.Count > 2*(m.Body.Count+2*m.LeftWheel.Count+2*m.RightWheel.Count) {
			t.Errorf("slot %d: %d corners in its color; %d indices near, %d far", slot, colored, m.Body.Count, m.Far.Count)
		}
	}
}

// Cars of sixteen slots differ from each other and from the own car.
func TestColorsOfCarsDiffer(t *testing.T) {
	colors := [][3]float64{{float64(bodyPaint.color[0]), float64(bodyPaint.color[1]), float64(bodyPaint.color[2])}}
	for slot := range uint64(16) {
		colors = append(colors, frame.OtherColor(slot))
	}
	for i, a := range colors {
		for k, b := range colors[:i] {
			if d := mgl64.Vec3(a).Sub(mgl64.Vec3(b)).Len(); d < 0.17 {
				t.Errorf("colors %d and %d are %.2f apart", k, i, d)
			}
		}
	}
}

// Color-blind people tell the cars of the first eight slots apart, and from the own car: by the matrices of Machado, Oliveira and Fernandes
// (2009) for protanopia and deuteranopia, on linear light.
func TestColorBlindPeopleTellCarsApart(t *testing.T) {
	for name, sees := range map[string]mgl64.Mat3{
		"protanopia":   mgl64.Mat3FromRows(mgl64.Vec3{0.152286, 1.052583, -0.204868}, mgl64.Vec3{0.114503, 0.786281, 0.099216}, mgl64.Vec3{-0.003882, -0.048116, 1.051998}),
		"deuteranopia": mgl64.Mat3FromRows(mgl64.Vec3{0.367322, 0.860646, -0.227968}, mgl64.Vec3{0.280085, 0.672501, 0.047413}, mgl64.Vec3{-0.011820, 0.042940, 0.968881}),
	} {
		var seen []mgl64.Vec3
		for slot := range uint64(9) {
			c := mgl64.Vec3(frame.OtherColor(slot))
			if slot == 8 {
				c = mgl64.Vec3{float64(bodyPaint.color[0]), float64(bodyPaint.color[1]), float64(bodyPaint.color[2])}
			}
			for i := range c {
				c[i] = math.Pow(c[i], 2.2)
			}
			c = sees.Mul3x1(c)
			for i := range c {
				c[i] = math.Pow(min(max(c[i], 0), 1), 1/2.2)
			}
			for k, other := range seen {
				if d := c.Sub(other).Len(); d < 0.15 {
					t.Errorf("%s: slots %d and %d are %.2f apart", name, k, slot, d)
				}
			}
			seen = append(seen, c)
		}
	}
}

// A session of the test helper keeps to the road.
func TestSessionsOfTheTestsKeepToTheRoad(t *testing.T) {
	o := displaytest.Session(displaytest.Oval(), 0, 10, 55, 20)
	clean := *o
	if clean.Clean(); clean.Count != 20 {
		t.Errorf("%d of 20 cars can be drawn", clean.Count)
	}
	for i := range o.Count {
		x, y := math.Abs(o.Cars[i].Pos[0]), math.Abs(o.Cars[i].Pos[1])
		off := math.Abs(y - displaytest.OvalRadius)
		if x > displaytest.OvalStraight/2 {
			off = math.Abs(math.Hypot(x-displaytest.OvalStraight/2, y) - displaytest.OvalRadius)
		}
		if off > 3 {
			t.Errorf("car %d is %.1f m off the middle of the road", i, off)
		}
	}
}
