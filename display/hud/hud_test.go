package hud

import (
	"math"
	"slices"
	"sync"
	"testing"

	"rig.example/rig/internal/core/frame"
)

var atlasOnce = sync.OnceValues(func() (*atlas, error) { return newAtlas(1) })

// sharedAtlas returns an atlas for one pixel a layout unit.
func sharedAtlas(t *testing.T) *atlas {
	t.Helper()
	a, err := atlasOnce()
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// testCanvas returns a canvas that notes what is written.
func testCanvas(t *testing.T) *Canvas {
	t.Helper()
	return &Canvas{atlas: sharedAtlas(t), width: 1280, view: view{scale: 1}, audit: &audit{}}
}

// says reports whether exactly this text was written.
func (c *Canvas) says(text string) bool { return slices.Contains(c.audit.words, text) }

// extent returns how far what is drawn in color reaches, and how many corners it has.
func (c *Canvas) extent(color rgba) (left, top, right, bottom float32, corners int) {
	left, top = math.MaxFloat32, math.MaxFloat32
	for _, v := range c.vertices {
		if v.rgba == color {
			left, right = min(left, v.x), max(right, v.x)
			top, bottom = min(top, v.y), max(bottom, v.y)
			corners++
		}
	}
	return
}

// filled returns how far bars are filled in a color, which have no rounded corners and no letters.
func (c *Canvas) filled(color rgba) (left, right float32) {
	left = math.MaxFloat32
	for _, v := range c.vertices {
		if v.rgba == color && v.u == c.atlas.white[0] && v.v == c.atlas.white[1] {
			left, right = min(left, v.x), max(right, v.x)
		}
	}
	return left, right
}

// The direction of a torque is that of its bar and a word, never a sign.
func TestPositiveTorqueDrawsToTheLeft(t *testing.T) {
	tests := []struct {
		name        string
		torque      float64
		left, right float32 // of the bar; its field reaches from 0 to 204
		says        string
	}{
		{"half to the left", 4, 51, 102, "4.0 N·m left"},
		{"half to the right", -4, 102, 153, "4.0 N·m right"},
		{"rated", 8, 0, 102, "8.0 N·m left"},
		{"beyond rated", 20, 0, 102, "20.0 N·m left"},
		{"next to none", -0.01, 102, 102.1275, "0.0 N·m"},
		{"NaN", math.NaN(), 102, 102, "unknown"},
	}
	for _, tt := range tests {
		c := testCanvas(t)
		drawTorque(c, 0, 0, &frame.Frame{RimTorque: tt.torque, RatedTorque: 8})
		left, _, right, _, _ := c.extent(accentColor)
		if left != tt.left || right != tt.right || !c.says(tt.says) {
			t.Errorf("%s: bar from %g to %g, want %g to %g; it says %q", tt.name, left, right, tt.left, tt.right, c.audit.words)
		}
	}
}

func TestBarWithoutALimitIsEmpty(t *testing.T) {
	for _, limit := range []float64{0, -1, math.NaN()} {
		if from, to := centeredBar(10, 100, 5, limit); from != 60 || to != 60 {
			t.Errorf("limit %g: bar from %g to %g, want none at 60", limit, from, to)
		}
	}
}

func TestClippingTurnsTheBarRed(t *testing.T) {
	for _, clipping := range []bool{false, true} {
		c, f := testCanvas(t), &frame.Frame{RimTorque: 3, RatedTorque: 8}
		if clipping {
			f.Flags = frame.Clipping
		}
		drawTorque(c, 0, 0, f)
		_, _, _, _, red := c.extent(alarmColor)
		_, _, _, _, blue := c.extent(accentColor)
		if (red > 0) != clipping || (blue > 0) == clipping || c.says("CLIP") != clipping {
			t.Errorf("clipping %v: %d red and %d blue corners", clipping, red, blue)
		}
	}
}

func TestSteeringMarkMovesToTheLeft(t *testing.T) {
	for _, tt := range []struct {
		name   string
		steer  float64
		dx, dy float32 // of the mark from the wheel's middle
		says   string
	}{
		{"straight", 0, 0, -22, "0°"}, {"quarter left", math.Pi / 2, -22, 0, "90° left"}, {"quarter right", -math.Pi / 2, 22, 0, "90° right"}, {"half", math.Pi, 0, 22, "180° left"},
	} {
		c := testCanvas(t)
		drawSteer(c, 0, 0, tt.steer)
		left, top, right, bottom, _ := c.extent(warnColor)
		dx, dy := (left+right)/2-26, (top+bottom)/2-32
		if math.Abs(float64(dx-tt.dx)) > 0.01 || math.Abs(float64(dy-tt.dy)) > 0.01 || !c.says(tt.says) {
			t.Errorf("%s: mark at %.2f, %.2f, want %g, %g; it says %q", tt.name, dx, dy, tt.dx, tt.dy, c.audit.words)
		}
	}
}

// Positive roll lifts the left side; positive pitch lowers the nose, which is
// drawn on the left.
func TestPlatformTiltsAsItsPose(t *testing.T) {
	for _, tt := range []struct {
		freedom  int
		angle    float64
		leftRise bool
		says     string
	}{
		{frame.Roll, 0.1, true, "5.7° right"}, {frame.Roll, -0.1, false, "5.7° left"},
		{frame.Pitch, 0.1, false, "5.7° nose down"}, {frame.Pitch, -0.1, true, "5.7° nose up"},
	} {
		c, f := testCanvas(t), &frame.Frame{}
		f.Pose[tt.freedom] = tt.angle
		drawPlatform(c, place{0, 0, sideWidth, panelHeight}, f)
		var left, right float32 = math.MaxFloat32, math.MaxFloat32 // highest places
		row := float32(52)
		if tt.freedom == frame.Pitch {
			row = 90
		}
		for _, v := range c.vertices {
			switch {
			case v.rgba != accentColor || v.y < row-19 || v.y > row+19 || v.x > 80:
			case v.x < inset+32:
				left = min(left, v.y)
			default:
				right = min(right, v.y)
			}
		}
		if (left < right) != tt.leftRise || !c.says(tt.says) {
			t.Errorf("%s: left end at %.1f, right end at %.1f, it says %q", tt.says, left, right, c.audit.words)
		}
	}
}

func TestLegsThatMeasureNothingHaveNoBar(t *testing.T) {
	nan := math.NaN()
	f := &frame.Frame{Legs: [8]float64{1, 0.5, 0.5}, LegsFeedback: [8]float64{1, nan, nan, nan, nan, nan, nan, nan}, Motion: frame.Motion{LegCount: 3}}
	c := testCanvas(t)
	drawLegs(c, f)
	const first = sideWidth - inset - 3*18
	left, top, right, bottom, _ := c.extent(accentColor)
	if left != first || bottom != 106 || top != 14 || right != first+3*18-3 {
		t.Errorf("bars from %g, %g to %g, %g", left, top, right, bottom)
	}
	c.vertices = c.vertices[:0]
	f.LegsFeedback[0] = nan
	drawLegs(c, f)
	if _, top, _, _, _ := c.extent(accentColor); top != 106 {
		t.Errorf("nothing is measured, and a bar reaches up to %g", top)
	}
}

// The pedals stand side by side: clutch, brake, throttle, each filled from below.
func TestPedalsAreFilledAsTheyArePressed(t *testing.T) {
	c := testCanvas(t)
	drawRim(c, place{0, 0, sideWidth, panelHeight}, &frame.Frame{Clutch: 1, Brake: 0.5, Throttle: 0.25})
	_, cTop, cRight, _, _ := c.extent(clutchColor)
	bLeft, bTop, bRight, _, _ := c.extent(alarmColor)
	tLeft, tTop, _, _, _ := c.extent(okColor)
	if cTop != 12 || bTop != 50 || tTop != 69 || cRight >= bLeft || bRight >= tLeft {
		t.Errorf("tops at %g, %g, %g; the clutch ends at %g, the brake is from %g to %g, the throttle begins at %g", cTop, bTop, tTop, cRight, bLeft, bRight, tLeft)
	}
}

// In the cockpit the middle of the lower edge is free, and speed and gear are in the upper row.
func TestTheCockpitHasItsDashboardFree(t *testing.T) {
	for _, size := range sizes {
		f, s := drivenFrame(), Status{Names: longNames(), MaxRPM: 8000, Cockpit: true, Rate: 60}
		c := testCanvas(t)
		aspect := float64(size[0]) / float64(size[1])
		c.Draw(f, s, aspect)
		for _, v := range c.vertices {
			if l := &c.shown; math.Abs(float64(v.x-c.width/2)) < float64(l.speed.w*l.view.scale/2) && v.y > Height/2 {
				t.Fatalf("%v: a corner at %g, %g", size, v.x, v.y)
			}
		}
		if !c.says("108 km/h") || !c.says("gear 4") {
			t.Errorf("%v: %q", size, c.audit.words)
		}
	}
}

// The figures that one reads while driving are at least 20 of 720 units high, also in a small picture.
func TestDrivingIsReadAtArmsLength(t *testing.T) {
	for _, size := range sizes {
		if size[0]*3 == size[1]*4 {
			continue // 4:3 is too narrow for it
		}
		var o Options
		if l := o.arrange(float64(size[0])/float64(size[1]), true, true); float64(l.view.scale)*typeSizes[smallType] < 20 {
			t.Errorf("%v: letters of %g units", size, float64(l.view.scale)*typeSizes[smallType])
		}
	}
}

// A larger scale makes all larger, as far as it fits; the instruments of a very wide picture are about its middle.
func TestScaleAndPlaceOfTheInstruments(t *testing.T) {
	for _, tt := range []struct {
		scale, aspect float64
		want          float32 // scale
		left          float32 // of the instruments [layout units]
	}{{0, 16.0 / 9, 1, 0}, {0.7, 16.0 / 9, 0.7, 0}, {9, 16.0 / 9, 720.0 / leastHeight, 0}, {1, 5760.0 / 1080, 1, 1280}, {1, 2560.0 / 1080, 1, 0}, {1, 4.0 / 3, 960.0 / leastWidth, 0}} {
		o := Options{Scale: tt.scale}
		if l := o.arrange(tt.aspect, false, false); math.Abs(float64(l.view.scale-tt.want)) > 1e-6 || math.Abs(float64(l.view.x-tt.left)) > 0.01 {
			t.Errorf("%+v: scale %g, from %g", tt, l.view.scale, l.view.x)
		}
	}
	right, left := (&Options{}).arrange(16.0/9, false, false), (&Options{PagesLeft: true}).arrange(16.0/9, false, false)
	if right.page.x <= right.column.x || left.page.x >= left.column.x {
		t.Errorf("pages at %g and %g beside columns at %g and %g", right.page.x, left.page.x, right.column.x, left.column.x)
	}
}

// One key shows the pages one after the other, and each has a name.
func TestPagesFollowEachOther(t *testing.T) {
	seen, p := map[string]bool{}, DrivePage
	for range pageCount {
		seen[p.String()] = true
		if PageNamed(p.String()) != p {
			t.Errorf("%s is not found by its name", p)
		}
		p = p.Next()
	}
	if p != DrivePage || len(seen) != int(pageCount) || PageNamed("none") != DrivePage {
		t.Errorf("after %d pages comes %s", len(seen), p)
	}
	if p = DrivePage.Toggled(ForcePage); p != ForcePage || p.Toggled(ForcePage) != DrivePage || p.Toggled(MotionPage) != MotionPage {
		t.Error("a page is not shown and hidden by its key")
	}
}

func TestWhatIsMissingIsSaid(t *testing.T) {
	all := frame.WheelPresent | frame.PedalsPresent | frame.PlatformPresent
	for _, tt := range []struct {
		name  string
		flags uint64
		want  []string
	}{
		{"nothing missing", all, nil},
		{"wheel", all &^ frame.WheelPresent, []string{"NO WHEEL"}},
		{"all", frame.Demo, []string{"NO WHEEL", "NO PEDALS", "NO PLATFORM"}},
	} {
		if got := appendMissing(nil, &frame.Frame{Flags: tt.flags}); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
	if got := appendMissing(nil, &frame.Frame{Follow: frame.Follow{On: 1}}); !slices.Equal(got, []string{"NO PLATFORM"}) {
		t.Errorf("another simulator is followed: %q", got)
	}
}
