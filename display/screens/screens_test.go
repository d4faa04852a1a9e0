package screens

import (
	"math"
	"strings"
	"testing"

	"rig.example/rig/internal/kit/valid"
)

const degrees = 180 / math.Pi

// The fields of view of flat screens are those of the closed form 2·atan(w/2d); a triple's angle is that of its full width.
func TestFieldsOfView(t *testing.T) {
	c := DefaultConfig()
	c.Preset = Single
	across, upright := c.Screens()[0].FOV()
	if want := 2 * math.Atan(c.Width/2/c.Distance); math.Abs(across-want) > 1e-12 {
		t.Errorf("across %g°, want %g°", across*degrees, want*degrees)
	}
	if want := 2 * math.Atan(c.Height/2/c.Distance); math.Abs(upright-want) > 1e-12 {
		t.Errorf("upright %g°, want %g°", upright*degrees, want*degrees)
	}
	c.Preset = Triple
	list := c.Screens()
	if want := 2 * math.Atan((c.Width/2+c.Bezel)/c.Distance); math.Abs(list[0].Angle/degrees-want) > 1e-12 || math.Abs(list[0].Distance-c.Distance) > 1e-12 || math.Abs(list[0].Left) > 1e-12 {
		t.Errorf("the left of a triple: %+v; want %g° at the same distance, straight before the eye", list[0], want*degrees)
	}
}

// Frames of neighbors meet at the hinge, whatever the angle.
func TestTheScreensOfATripleMeet(t *testing.T) {
	for _, angle := range []float64{0, 20, 45, 60, 90} {
		c := DefaultConfig()
		c.Preset, c.Angle = Triple, angle
		f := Facets(c.Screens())
		left, middle := f[0], f[1]
		out := unit(middle.across())
		hinge := sub(middle.LowLeft, scale(c.Bezel, out))
		if gap := sub(add(left.LowRight, scale(c.Bezel, unit(left.across()))), hinge); math.Sqrt(dot(gap, gap)) > 1e-12 {
			t.Errorf("%g°: a gap of %v", angle, gap)
		}
		if got := angleBetween(left.across(), middle.across()) * degrees; math.Abs(got-c.TripleAngle()*degrees) > 1e-6 {
			t.Errorf("%g°: the screens meet at %g°", angle, got)
		}
	}
}

// meets returns where the ray from the eye to a point crosses a facet's plane, as shares of the facet: by solving for it, not
// by a projection.
func meets(f *Facet, eye, point vector) (x, y float64) {
	// eye + s (point - eye) = LowLeft + x across + y upright
	d, a, u, r := sub(point, eye), f.across(), f.upright(), sub(f.LowLeft, eye)
	det := func(a, b, c vector) float64 { return dot(a, cross(b, c)) }
	whole := det(d, scale(-1, a), scale(-1, u))
	return det(d, r, scale(-1, u)) / whole, det(d, scale(-1, a), r) / whole
}

// A point of the world lands where the straight line from the eye to it crosses the screen, to a thousandth of a pixel of 1920,
// also for an eye that has moved and turned.
func TestAPointLandsWhereTheLineOfSightCrossesTheScreen(t *testing.T) {
	triple, curved := DefaultConfig(), DefaultConfig()
	triple.Preset, triple.Angle, triple.Up = Triple, 50, -0.05
	curved.Preset, curved.Width = Ultrawide, 1.2
	sin, cos := math.Sincos(0.1)
	heads := []Head{AtRest(), {Place: vector{0.05, -0.1, 0.04}, Turn: [3]vector{{cos, sin, 0}, {-sin, cos, 0}, {0, 0, 1}}}}
	for _, c := range []Config{triple, curved} {
		for _, f := range Facets(c.Screens()) {
			for _, h := range heads {
				l, ok := f.Through(&h)
				if !ok {
					t.Fatalf("no lens for %+v", f)
				}
				for _, point := range []vector{{20, 7, 1}, {5, -3, -1}, {100, 30, -2}, {3, 9, 0.5}} {
					wantX, wantY := meets(&f, h.Place, point)
					x, y, ok := l.Place(h.own(point))
					if !ok {
						continue // behind this screen
					}
					if math.Abs(x-wantX)*1920 > 1e-3 || math.Abs(y-wantY)*1080 > 1e-3 {
						t.Errorf("%+v: %g, %g; want %g, %g", point, x, y, wantX, wantY)
					}
				}
			}
		}
	}
}

// A bend is followed to a millimeter, and its facets touch.
func TestABendIsFollowed(t *testing.T) {
	c := DefaultConfig()
	c.Preset, c.Width, c.Radius = Ultrawide, 1.2, 1.0
	f := Facets(c.Screens())
	center := vector{c.Distance - c.Radius, 0, 0}
	length := 0.0
	for i := range f {
		middle := sub(f[i].At(0.5, 0.5), center)
		if off := c.Radius - math.Hypot(middle[0], middle[1]); off < 0 || off > 1.3e-3 {
			t.Errorf("facet %d is %g m off the bend", i, off)
		}
		if i > 0 && f[i].LowLeft != f[i-1].LowRight {
			t.Errorf("facets %d and %d do not touch", i-1, i)
		}
		length += math.Sqrt(dot(f[i].across(), f[i].across()))
	}
	if math.Abs(length-c.Width) > 1e-3 {
		t.Errorf("%g m long, want %g", length, c.Width)
	}
	if across, _ := c.Screens()[0].FOV(); across < 2*math.Atan(c.Width/2/c.Distance) {
		t.Errorf("a bent screen fills %g°, less than a flat one", across*degrees)
	}
}

func TestAnEyeBehindAScreenSeesNothing(t *testing.T) {
	c := DefaultConfig()
	c.Preset = Single
	h := AtRest()
	h.Place[0] = 0.75
	if _, ok := Facets(c.Screens())[0].Through(&h); ok {
		t.Error("an eye behind the screen has a lens")
	}
}

func TestValidate(t *testing.T) {
	bad := DefaultConfig()
	bad.Preset, bad.Width, bad.Radius = Ultrawide, 3, 0.5
	for _, tt := range []struct {
		err  error
		want string
	}{
		{DefaultConfig().Validate(), ""}, {bad.Validate(), "reach around the driver"},
		{Config{Preset: "quad", Width: 1, Height: 1, Distance: 1, Radius: 1}.Validate(), "preset"},
		{valid.Struct(Screen{Width: 1, Height: 0.5, Distance: 1}), ""}, {valid.Struct(Screen{Width: 1, Height: 0.5}), "distance_m"},
		{valid.Struct(Screen{Width: 1, Height: 0.5, Distance: 1, Pixels: [2]int{50, 0}}), "resolution_px"},
	} {
		if (tt.err == nil) != (tt.want == "") || tt.err != nil && !strings.Contains(tt.err.Error(), tt.want) {
			t.Errorf("%v, want %q", tt.err, tt.want)
		}
	}
}

func TestScreensLieBesideEachOther(t *testing.T) {
	c := DefaultConfig()
	c.Preset = Triple
	list := c.Screens()
	right := 0
	for i, p := range Beside(list) {
		x, y, w, h := p.Pixels(5760, 1080)
		if x != right || y != 0 || w != 1920 || h != 1080 {
			t.Errorf("screen %d: %d %d %d %d", i, x, y, w, h)
		}
		right = x + w
	}
	if Middle(list) != 1 {
		t.Errorf("the instruments are on screen %d", Middle(list))
	}
	list[0].Pixels, list[1].Pixels, list[2].Pixels = [2]int{1280, 720}, [2]int{2560, 1440}, [2]int{1280, 720}
	if x, y, w, h := Beside(list)[0].Pixels(5120, 1440); x != 0 || y != 360 || w != 1280 || h != 720 {
		t.Errorf("a smaller screen: %d %d %d %d", x, y, w, h)
	}
	if x, _, w, _ := Whole.Between(0.25, 0.5).Pixels(1001, 100); x != 250 || x+w != 501 {
		t.Errorf("a quarter: from %d, %d wide", x, w)
	}
}

// On screens on the floor, what stands still in the room stays where it is while the platform moves: the picture of a direction of
// the room moves by nothing but the eye's own way.
func TestScreensOnTheFloorStayTrue(t *testing.T) {
	c := DefaultConfig()
	c.Preset = Triple
	eye := vector{0.1, 0, 0.9}
	for _, f := range Facets(c.Screens()) {
		rest, moved := AtRest(), OnPlatform(Pose{0.02, -0.03, 0.05, 0.1, -0.08, 0.05}, eye)
		before, _ := f.Through(&rest)
		after, ok := f.Through(&moved)
		if !ok {
			t.Fatal("no lens")
		}
		far := vector{1e6 * math.Cos(f.angle()), 1e6 * math.Sin(f.angle()), 2e4} // far away, its direction does not change with the eye
		x0, y0, _ := before.Place(rest.own(far))
		x1, y1, _ := after.Place(moved.own(far))
		wantX, wantY := meets(&f, moved.Place, far)
		if math.Abs(x1-wantX) > 1e-9 || math.Abs(y1-wantY) > 1e-9 {
			t.Errorf("%g, %g; the line of sight crosses the screen at %g, %g", x1, y1, wantX, wantY)
		}
		if x0 == x1 && y0 == y1 {
			t.Error("the eye has moved and the picture has not")
		}
	}
	// A platform that only turns about the eye leaves the place of everything on the screens as it is.
	turned := OnPlatform(Pose{0, 0, 0, 0.1, 0.2, -0.1}, vector{})
	for _, f := range Facets(c.Screens()) {
		l, _ := f.Through(&turned)
		x, y, _ := l.Place(turned.own(f.At(0.3, 0.8)))
		if math.Abs(x-0.3) > 1e-12 || math.Abs(y-0.8) > 1e-12 {
			t.Errorf("%g, %g", x, y)
		}
	}
	// Signs: with the nose down by 0.1 rad the head's own ahead points below the horizon; the right side down tilts left up.
	if h := OnPlatform(Pose{0, 0, 0, 0, 0.1, 0}, vector{0, 0, 1}); h.Turn[0][2] > -0.09 || h.Place[0] < 0.09 {
		t.Errorf("nose down: %+v", h)
	}
	if h := OnPlatform(Pose{0, 0, 0, 0.1, 0, 0}, vector{0, 0, 1}); h.Turn[1][2] < 0.09 || h.Place[1] > -0.09 {
		t.Errorf("right side down: %+v", h)
	}
}

// angle returns the direction in which a facet's middle stands.
func (f *Facet) angle() float64 {
	m := f.At(0.5, 0.5)
	return math.Atan2(m[1], m[0])
}

func TestEachScreenHasItsWindow(t *testing.T) {
	c := DefaultConfig()
	c.Preset = Triple
	h := AtRest()
	one, each := NewSetup(c.Screens(), false), NewSetup(c.Screens(), true)
	if n := len(one.Views(nil, 0, &h)); n != 3 {
		t.Errorf("one window with %d views", n)
	}
	for window, angle := range []float64{0, 1, -1} {
		views := each.Views(nil, window, &h)
		if len(views) != 1 || views[0].Part != Whole || views[0].Lens.Back[1]*angle > 0 {
			t.Errorf("window %d: %+v", window, views)
		}
	}
	if p := one.Instruments(); math.Abs(p.Left-1.0/3) > 1e-9 || math.Abs(p.Right-2.0/3) > 1e-9 {
		t.Errorf("instruments at %+v", p)
	}
	if n := testing.AllocsPerRun(100, func() { views := [8]View{}; one.Views(views[:0], 0, &h) }); n > 0 {
		t.Errorf("%g allocations", n)
	}
}

// The head is where the platform is measured to be; where it is not measured, where the platform was sent a while ago.
func TestTheHeadFollowsThePlatform(t *testing.T) {
	nan := math.NaN()
	unmeasured := Pose{nan, nan, nan, nan, nan, nan}
	const delay, slope = 0.05, 0.2 // [s], [rad/s]
	var p Platform
	for i := range 400 {
		now := float64(i) / 144
		pose := p.Now(Pose{3: slope * now}, unmeasured, now, delay)
		if want := slope * (now - delay); i > 20 && math.Abs(pose[3]-want) > 1e-6 {
			t.Fatalf("at %.3f s it rolls by %g, want %g", now, pose[3], want)
		}
	}
	measured := unmeasured
	measured[3] = 0.1
	if pose := p.Now(Pose{3: 9, 4: 0.02}, measured, 3, 0); pose[3] != 0.1 || pose[4] != 0.02 {
		t.Errorf("measured: %v", pose)
	}
	if pose := new(Platform).Now(Pose{3: 0.3}, unmeasured, 3, delay); pose[3] != 0.3 {
		t.Errorf("the first picture: %v", pose)
	}
}
