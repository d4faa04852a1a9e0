package hud

import (
	"math"
	"testing"

	"rig.example/rig/display/displaytest"
	"rig.example/rig/internal/core/frame"
)

// Each degree of freedom says its direction in words; what goes to the left has its bars on the left.
func TestDirectionsOfThePose(t *testing.T) {
	for _, tt := range []struct {
		freedom            int
		value              float64
		positive, negative string
		leftward           bool
	}{
		{frame.Surge, 0.03, "30 mm forward", "30 mm back", false}, {frame.Sway, 0.03, "30 mm left", "30 mm right", true},
		{frame.Heave, 0.03, "30 mm up", "30 mm down", false}, {frame.Roll, 0.05, "2.9° right", "2.9° left", false},
		{frame.Pitch, 0.05, "2.9° nose down", "2.9° nose up", false}, {frame.Yaw, 0.05, "2.9° left", "2.9° right", true},
		{frame.Slide, 0.05, "50 mm left", "50 mm right", true}, {frame.Belt, 0.5, "50 % tight", "50 % slack", false},
	} {
		for _, sign := range []float64{1, -1} {
			c, f := testCanvas(t), &frame.Frame{}
			f.Pose[tt.freedom], f.Motion.Measured[tt.freedom], f.Motion.Tilt[tt.freedom] = sign*tt.value, sign*tt.value, sign*tt.value
			drawFreedom(c, 0, tt.freedom, degreesOfFreedom[tt.freedom], f)
			want := tt.positive
			if sign < 0 {
				want = tt.negative
			}
			const middle = freedomBarX + freedomBarWidth/2
			for name, color := range map[string]rgba{"measured": accentColor, "part": okColor} {
				left, right := c.filled(color)
				if toLeft := left < middle-1; toLeft != (tt.leftward == (sign > 0)) || right-left < 20 || !c.says(want) {
					t.Errorf("%s: %s bar from %g to %g about %d; it says %q", want, name, left, right, middle, c.audit.words)
				}
			}
			if left, right := c.filled(textColor); math.Abs(float64((left+right)/2)-float64(middle)) < 20 {
				t.Errorf("%s: the mark of the target is from %g to %g", want, left, right)
			}
		}
	}
}

// Parts of the same side lie one after the other, and end at their sum.
func TestPartsAddUp(t *testing.T) {
	c, f := testCanvas(t), &frame.Frame{}
	f.Motion.Translation[frame.Heave], f.Motion.Tilt[frame.Heave], f.Motion.Extra[frame.Heave] = 0.01, 0.02, -0.01
	drawFreedom(c, 0, frame.Heave, degreesOfFreedom[frame.Heave], f)
	_, first := c.filled(clutchColor)
	begin, end := c.filled(okColor)
	const middle, half = freedomBarX + freedomBarWidth/2, freedomBarWidth / 2
	if first != begin || math.Abs(float64(end-middle-half*0.6)) > 0.01 {
		t.Errorf("the first part ends at %g, the second is from %g to %g", first, begin, end)
	}
	if left, right := c.filled(dimColor); right != middle || math.Abs(float64(middle-half*0.2-left)) > 0.01 {
		t.Errorf("the negative part is from %g to %g", left, right)
	}
}

func TestLegsOfTheMotionPage(t *testing.T) {
	for _, tt := range []struct {
		name  string
		is    float64
		right float32 // end of the bar in a field from 128 to 208
		says  string
	}{
		{"in the middle", 0.5, 168, "50 %"}, {"out", 1, 208, "100 %"}, {"in", 0, 128, "0 %"}, {"too far", 9, 208, "100 %"}, {"not measured", math.NaN(), 128, "75 %"},
	} {
		c := testCanvas(t)
		drawLeg(c, 0, 0, []byte("left"), 0, &frame.Frame{Legs: [8]float64{0.75}, LegsFeedback: [8]float64{tt.is}})
		if left, _, right, _, _ := c.extent(accentColor); left != 128 || right != tt.right || !c.says(tt.says) {
			t.Errorf("%s: bar from %g to %g; it says %q", tt.name, left, right, c.audit.words)
		}
	}
}

// The selected gain is marked, and the keys that change it and that of all motion are named.
func TestGainsAndTheirKeys(t *testing.T) {
	for _, selected := range []uint64{0, 4} {
		c, m := testCanvas(t), &frame.Motion{TuningIndex: selected, Tuning: [frame.MaxTunings]float64{1.1, 1, 1, 1, 0.8}}
		drawTunings(c, 0, m, longNames().Tunings)
		for _, word := range []string{"[", "]", "K", "all motion", "110 %", "surge", "belt"} {
			if !c.says(word) {
				t.Errorf("%q is missing in %q", word, c.audit.words)
			}
		}
		marked, _, _, _, n := c.extent(accentColor)
		if chosen := selected > 0; c.says(",") != chosen || c.says(".") != chosen || c.says("selected: roll") != chosen || (n > 0) != chosen {
			t.Errorf("selected %d: %q, %d corners of the mark at %g", selected, c.audit.words, n, marked)
		}
	}
}

func TestMotionPageTellsWhatIsWrong(t *testing.T) {
	for _, tt := range []struct {
		name  string
		edit  func(f *frame.Frame)
		color rgba
	}{
		{"faults", func(f *frame.Frame) { f.Motion.Faults = 6 }, alarmColor},
		{"belt", func(f *frame.Frame) { f.Flags |= frame.ConfirmInterlock }, warnColor},
		{"switched off", func(f *frame.Frame) { f.Flags |= frame.MotionOff }, warnColor},
		{"out of reach", func(f *frame.Frame) { f.Motion.Scale = 0.6 }, warnColor},
	} {
		count := func(f *frame.Frame) int {
			c := testCanvas(t)
			drawMotionHead(c, f, &displaytest.Names)
			_, _, _, _, n := c.extent(tt.color)
			return n
		}
		f := displaytest.PlatformFrame()
		without := count(f)
		tt.edit(f)
		if with := count(f); without != 0 || with == 0 {
			t.Errorf("%s: %d corners of its colour, %d without", tt.name, with, without)
		}
	}
}
