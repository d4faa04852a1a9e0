package hud

import (
	"math"
	"slices"
	"testing"

	"rig.example/rig/display/displaytest"
	"rig.example/rig/internal/frame"
)

func testCanvas(t *testing.T) *Canvas {
	t.Helper()
	a, err := newAtlas(1)
	if err != nil {
		t.Fatal(err)
	}
	return &Canvas{atlas: a, width: 1280}
}

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

func TestPositiveTorqueDrawsToTheLeft(t *testing.T) {
	tests := []struct {
		name        string
		torque      float64
		left, right float32 // of the bar; its field reaches from 0 to 226
	}{
		{"half to the left", 4, 56.5, 113},
		{"half to the right", -4, 113, 169.5},
		{"rated", 8, 0, 113},
		{"beyond rated", 20, 0, 113},
		{"none", 0, 113, 113},
		{"NaN", math.NaN(), 113, 113},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := testCanvas(t)
			drawTorque(c, 0, 0, &frame.Frame{RimTorque: tt.torque, RatedTorque: 8})
			left, _, right, _, _ := c.extent(accentColor)
			if left != tt.left || right != tt.right {
				t.Errorf("bar from %g to %g, want %g to %g", left, right, tt.left, tt.right)
			}
		})
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
		if (red > 0) != clipping || (blue > 0) == clipping {
			t.Errorf("clipping %v: %d red and %d blue corners", clipping, red, blue)
		}
	}
}

func TestSteeringMarkMovesToTheLeft(t *testing.T) {
	for _, tt := range []struct {
		name   string
		steer  float64
		dx, dy float32 // of the mark from the wheel's middle
	}{
		{"straight", 0, 0, -17}, {"quarter left", math.Pi / 2, -17, 0}, {"quarter right", -math.Pi / 2, 17, 0}, {"half", math.Pi, 0, 17},
	} {
		c := testCanvas(t)
		drawSteer(c, 0, 0, tt.steer)
		left, top, right, bottom, _ := c.extent(warnColor)
		dx, dy := (left+right)/2-torqueBarWidth/2, (top+bottom)/2-28
		if math.Abs(float64(dx-tt.dx)) > 0.01 || math.Abs(float64(dy-tt.dy)) > 0.01 {
			t.Errorf("%s: mark at %.2f, %.2f, want %g, %g", tt.name, dx, dy, tt.dx, tt.dy)
		}
	}
}

// Positive roll lifts the left side; positive pitch lowers the nose, which is
// drawn on the left.
func TestPlatformTiltsAsItsPose(t *testing.T) {
	for _, tt := range []struct {
		name     string
		side     float64
		angle    float64
		leftRise bool
	}{
		{"roll to the right", -1, 0.1, true}, {"roll to the left", -1, -0.1, false},
		{"nose down", 1, 0.1, false}, {"nose up", 1, -0.1, true},
	} {
		c := testCanvas(t)
		drawTilt(c, 100, "", tt.angle, tt.side)
		var left, right float32 = math.MaxFloat32, math.MaxFloat32 // highest places
		for _, v := range c.vertices {
			if v.rgba == accentColor && v.x < 100 {
				left = min(left, v.y)
			} else if v.rgba == accentColor {
				right = min(right, v.y)
			}
		}
		if (left < right) != tt.leftRise {
			t.Errorf("%s: left end at %.1f, right end at %.1f", tt.name, left, right)
		}
	}
}

func TestLegsThatMeasureNothingHaveNoBar(t *testing.T) {
	f := &frame.Frame{Legs: [8]float64{1, 0.5, 0.5, 0.5, 0.5, 0.5}, LegsFeedback: [8]float64{1, math.NaN(), math.NaN(), math.NaN(), math.NaN(), math.NaN(), math.NaN(), math.NaN()}}
	c := testCanvas(t)
	drawLegs(c, 0, f)
	left, top, right, bottom, _ := c.extent(accentColor)
	if left != 0 || right != 11 || top != panelTop+34 || bottom != panelTop+92 {
		t.Errorf("bars from %g, %g to %g, %g, want the first leg's full field alone", left, top, right, bottom)
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

func TestInstrumentsStayInThePicture(t *testing.T) {
	wild := displaytest.OvalFrame(0)
	wild.RPM, wild.Throttle, wild.Brake, wild.RimTorque, wild.Steer = 1e9, 9, -9, 1e9, 40
	wild.Pose = frame.Pose{9, 9, 9, 9, -9, 9, -9, 9}
	wild.Fuel, wild.Charge, wild.ABS, wild.Traction, wild.Stability = math.Inf(1), math.NaN(), 10, 10, 10
	wild.Flags = math.MaxUint64 &^ frame.EngineRunning
	wild.Legs = [8]float64{-9, 9, math.Inf(1), math.NaN(), 0, 1}
	for name, f := range map[string]*frame.Frame{"usual": displaytest.OvalFrame(0), "zero": {}, "wild": wild} {
		c := testCanvas(t)
		drawInstruments(c, f, Status{Names: displaytest.Names, Notice: "the platform homes", MaxRPM: 8000, Force: name == "wild", Timing: true,
			Display: frame.Display{P50: f.RPM, P99: math.Inf(1), Dropped: math.MaxUint64}, Extrapolated: math.NaN()})
		for _, v := range c.vertices {
			if !(v.x >= 0 && v.x <= 1280 && v.y >= 0 && v.y <= Height) {
				t.Fatalf("%s: a corner at %g, %g", name, v.x, v.y)
			}
		}
	}
}

func TestEveryLetterHasItsOwnPlace(t *testing.T) {
	for _, scale := range []float64{0.5, 1, 3} {
		a, err := newAtlas(scale)
		if err != nil {
			t.Fatal(err)
		}
		type box struct{ x0, y0, x1, y1 float32 }
		var taken []box
		for face := range typefaceCount {
			for _, r := range charactersOf(face) {
				g, ok := a.faces[face][r]
				b := box{g.texture[0], g.texture[1], g.texture[2], g.texture[3]}
				if !ok || b.y1 > 1 || b.x1 > 1 {
					t.Fatalf("scale %g: no place for %q", scale, r)
				}
				for _, o := range taken {
					if b.x0 < o.x1 && o.x0 < b.x1 && b.y0 < o.y1 && o.y0 < b.y1 {
						t.Fatalf("scale %g: %q lies on another letter", scale, r)
					}
				}
				if r != ' ' {
					taken = append(taken, b)
				}
			}
		}
	}
}

func TestTextStandsWhereItIsPut(t *testing.T) {
	c := testCanvas(t)
	w := c.atlas.textWidth(mediumType, "12.5 N·m")
	if w < 60 || w > 100 {
		t.Errorf("8 letters of 19 units are %g wide", w)
	}
	for _, tt := range []struct {
		name string
		a    align
		end  float32
	}{{"left", alignLeft, 300 + w}, {"center", alignCenter, 300 + w/2}, {"right", alignRight, 300}} {
		if end := c.text(mediumType, 300, 100, tt.a, "12.5 N·m", textColor); math.Abs(float64(end-tt.end)) > 0.01 {
			t.Errorf("%s: the pen stops at %g, want %g", tt.name, end, tt.end)
		}
	}
	if c.atlas.textWidth(smallType, "\u4e16") != c.atlas.textWidth(smallType, "?") {
		t.Error("an unknown letter is not a question mark")
	}
}

// Characters that are drawn anew for a larger picture have more texels, and stand where they stood.
func TestCharactersAreDrawnForTheHeightOfThePicture(t *testing.T) {
	c, err := New(1)
	if err != nil {
		t.Fatal(err)
	}
	texels := func() float32 {
		g := c.atlas.glyph(mediumType, 'W')
		return (g.texture[2] - g.texture[0]) * atlasSize
	}
	before, width := texels(), c.atlas.textWidth(mediumType, "km/h")
	if err := c.Rescale(2); err != nil {
		t.Fatal(err)
	}
	if after := texels(); after < 1.8*before || after > 2.2*before {
		t.Errorf("a W has %g texels across, then %g at twice the height", before, after)
	}
	if after := c.atlas.textWidth(mediumType, "km/h"); math.Abs(float64(after-width)) > 1.5 {
		t.Errorf("a text is %g layout units wide, then %g", width, after)
	}
}
