package hud

import (
	"math"
	"strings"
	"testing"

	"rig.example/rig/display/displaytest"
	"rig.example/rig/internal/frame"
)

// Roll to the right lifts the left end seen from behind; a nose that goes down goes down on
// the left seen from the left; a platform that turns left turns so seen from above.
func TestViewsTurnAsThePose(t *testing.T) {
	for _, tt := range []struct {
		name     string
		freedom  int
		middle   float32
		leftRise bool
	}{
		{"roll from behind", frame.Roll, 150, true}, {"pitch from the side", frame.Pitch, 50, false}, {"yaw from above", frame.Yaw, 250, false},
	} {
		c, f := testCanvas(t), &frame.Frame{}
		f.Pose[tt.freedom] = 0.1
		f.Motion.Measured = f.Pose
		drawViews(c, 0, 300, 0, f)
		left, right := float32(math.MaxFloat32), float32(math.MaxFloat32)
		for _, v := range c.vertices {
			switch {
			case v.rgba != accentColor || math.Abs(float64(v.x-tt.middle)) > 40:
			case v.x < tt.middle:
				left = min(left, v.y)
			default:
				right = min(right, v.y)
			}
		}
		if (left < right) != tt.leftRise {
			t.Errorf("%s: left end at %g, right end at %g", tt.name, left, right)
		}
	}
}

func TestViewsMoveAsThePose(t *testing.T) {
	for _, tt := range []struct {
		name    string
		pose    frame.Pose
		view    float32 // middle of the view that shows it
		dx, dy  float32
		nothing bool
	}{
		{"ahead is on the left of the side", frame.Pose{frame.Surge: 0.1}, 50, -15, 0, false},
		{"up", frame.Pose{frame.Heave: 0.1}, 50, 0, -15, false},
		{"left is on the left from behind", frame.Pose{frame.Sway: 0.1}, 150, -15, 0, false},
		{"ahead is up from above", frame.Pose{frame.Surge: 0.1}, 250, 0, -15, false},
		{"too far", frame.Pose{frame.Heave: 9}, 50, 0, -16, false},
		{"not known", frame.Pose{frame.Heave: math.NaN()}, 50, 0, 0, true},
	} {
		c := testCanvas(t)
		drawViews(c, 0, 300, 0, &frame.Frame{Motion: frame.Motion{Measured: tt.pose}})
		low, high := [2]float32{math.MaxFloat32, math.MaxFloat32}, [2]float32{-math.MaxFloat32, -math.MaxFloat32}
		for _, v := range c.vertices {
			if v.rgba == accentColor && v.x > tt.view-50 && v.x < tt.view+50 {
				low[0], low[1] = min(low[0], v.x), min(low[1], v.y)
				high[0], high[1] = max(high[0], v.x), max(high[1], v.y)
			}
		}
		dx, dy := (low[0]+high[0])/2-tt.view, (low[1]+high[1])/2-30
		if none := low[0] > high[0]; none != tt.nothing || !none && (math.Abs(float64(dx-tt.dx)) > 0.01 || math.Abs(float64(dy-tt.dy)) > 0.01) {
			t.Errorf("%s: plate at %.1f, %.1f, none %v; want %g, %g", tt.name, dx, dy, none, tt.dx, tt.dy)
		}
	}
}

func TestLegsOfTheMotionPage(t *testing.T) {
	for _, tt := range []struct {
		name        string
		is          float64
		left, right float32 // of the bar in a field from 112 to 312
	}{
		{"in the middle", 0.5, 212, 212}, {"out", 1, 212, 312}, {"in", 0, 112, 212}, {"half out", 0.75, 212, 262}, {"too far", 9, 212, 312},
	} {
		c := testCanvas(t)
		f := &frame.Frame{LegsFeedback: [8]float64{tt.is}}
		drawLeg(c, 0, 388, 0, []byte("left"), 0, f)
		if left, _, right, _, _ := c.extent(accentColor); left != tt.left || right != tt.right {
			t.Errorf("%s: bar from %g to %g, want %g to %g", tt.name, left, right, tt.left, tt.right)
		}
	}
	c := testCanvas(t)
	drawLeg(c, 0, 388, 0, []byte("left"), 0, &frame.Frame{LegsFeedback: [8]float64{math.NaN()}})
	if _, _, _, _, n := c.extent(accentColor); n != 0 {
		t.Error("a bar for an actuator that nothing measures")
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
			drawMotionHead(c, 0, 340, 20, f, &displaytest.Names)
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

// Whatever the figures are, the page stays above the panels below and beneath the laps.
func TestMotionPageStaysInItsPlace(t *testing.T) {
	wild := displaytest.PlatformFrame()
	for i := range wild.Motion.Translation {
		wild.Motion.Translation[i], wild.Motion.Tilt[i], wild.Pose[i], wild.Motion.Measured[i] = math.Inf(1-2*(i%2)), math.NaN(), 1e9, -1e9
		wild.LegsFeedback[i], wild.Legs[i], wild.Motion.FollowError[i], wild.Motion.Temperature[i] = -1e9, 1e9, 1e9, -1e9
	}
	m := &wild.Motion
	m.LegCount, m.State, m.Faults, m.Limits, m.TuningIndex, wild.Flags = 1e9, math.MaxUint64, math.MaxUint64, math.MaxUint64, math.MaxUint64, math.MaxUint64
	m.Rate, m.LineShare, m.Latency, m.Scale, m.GuardShare = 1e9, 1e9, 1e9, -1e9, 1e9
	names := displaytest.Names
	names.Actuators = []string{strings.Repeat("m", 8), "traction loss"}
	for name, f := range map[string]*frame.Frame{"usual": displaytest.PlatformFrame(), "zero": {}, "wild": wild} {
		c := testCanvas(t)
		drawMotion(c, f, &names)
		for _, v := range c.vertices {
			if !(v.x >= c.width-margin-motionWidth && v.x <= c.width-margin && v.y >= motionTop && v.y < panelTop) {
				t.Fatalf("%s: a corner at %g, %g", name, v.x, v.y)
			}
		}
	}
}
