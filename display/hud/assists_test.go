package hud

import (
	"math"
	"slices"
	"testing"

	"rig.example/rig/internal/core/frame"
)

func TestIndicatorsShowWhatIsOn(t *testing.T) {
	type label struct {
		text string
		lit  bool
	}
	for _, tt := range []struct {
		name string
		f    frame.Frame
		want []label
	}{
		{"none", frame.Frame{}, nil},
		{"levels", frame.Frame{ABS: 5, Stability: 10}, []label{{"ABS 5", false}, {"ESC 10", false}}},
		{"one works", frame.Frame{ABS: 5, Traction: 3, Flags: frame.TractionActive}, []label{{"ABS 5", false}, {"TC 3", true}}},
		{"switches", frame.Frame{Flags: frame.PitLimiterOn | frame.LaunchOn | frame.LaunchActive}, []label{{"LAUNCH", true}, {"PIT", false}}},
		{"buttons", frame.Frame{Gain: 0.85, Flags: frame.HeadlightFlash | frame.GainChanged}, []label{{"FLASH", true}, {"FORCE 85 %", true}}},
		{"the handbrake", frame.Frame{Handbrake: 1}, []label{{"HANDBRAKE", true}}},
		{"torque limits", frame.Frame{Flags: frame.HighTorque | frame.DeadManReleased | frame.HandsOff}, []label{{"HI TORQUE", true}, {"DEADMAN", true}, {"HANDS OFF", true}}},
		{"a pause", frame.Frame{Gain: 1, Flags: frame.Paused}, []label{{"PAUSED", true}}},
	} {
		var got []label
		for _, shown := range testCanvas(t).indicators(&tt.f) {
			got = append(got, label{string(shown.text), shown.lit})
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

func TestAnAssistIsLitWhileItIsActive(t *testing.T) {
	for _, works := range []bool{false, true} {
		c, f := testCanvas(t), &frame.Frame{ABS: 5}
		if works {
			f.Flags = frame.ABSActive
		}
		drawIndicators(c, place{0, 0, sideWidth, 200}, f)
		if _, _, _, _, lit := c.extent(warnColor); (lit > 0) != works {
			t.Errorf("works %v: %d corners lit", works, lit)
		}
	}
}

func TestTankBarShowsTheLevel(t *testing.T) {
	for _, tt := range []struct {
		name  string
		f     frame.Frame
		color rgba
		right float32 // end of the bar, which reaches from 84 to 184
	}{
		{"full", frame.Frame{Fuel: 60, Charge: 1}, accentColor, 184},
		{"half", frame.Frame{Fuel: 30, Charge: 0.5}, accentColor, 134},
		{"low", frame.Frame{Fuel: 3, Charge: 0.05}, warnColor, 89},
		{"battery", frame.Frame{Fuel: math.NaN(), Charge: 0.75}, accentColor, 159},
		{"none", frame.Frame{Fuel: math.NaN(), Charge: math.NaN()}, accentColor, 0},
		{"overfull", frame.Frame{Fuel: 90, Charge: 1.5}, accentColor, 184},
	} {
		c := testCanvas(t)
		drawTank(c, 0, 184, 20, &tt.f)
		right := float32(0)
		for _, v := range c.vertices {
			if v.rgba == tt.color && v.y >= 9 && v.y <= 17 && v.u == c.atlas.white[0] {
				right = max(right, v.x)
			}
		}
		if math.Abs(float64(right-tt.right)) > 0.01 {
			t.Errorf("%s: the bar ends at %g, want %g", tt.name, right, tt.right)
		}
	}
}

func TestAGearThatGrindsIsRed(t *testing.T) {
	for _, grinds := range []bool{false, true} {
		c, f := testCanvas(t), &frame.Frame{Gear: 2}
		if grinds {
			f.Flags = frame.GearsGrinding
		}
		drawGear(c, 0, 0, f)
		if _, _, _, _, red := c.extent(alarmColor); (red > 0) != grinds {
			t.Errorf("grinds %v: %d red corners", grinds, red)
		}
	}
}
