package hud

import (
	"math"
	"slices"
	"testing"

	"rig.example/rig/internal/frame"
)

func TestAssistsThatAreOnAreShown(t *testing.T) {
	for _, tt := range []struct {
		name string
		f    frame.Frame
		want []assist
	}{
		{"none", frame.Frame{}, nil},
		{"levels", frame.Frame{ABS: 5, Stability: 10}, []assist{{"ABS 5", false}, {"ESC 10", false}}},
		{"one works", frame.Frame{ABS: 5, Traction: 3, Flags: frame.TractionWorks}, []assist{{"ABS 5", false}, {"TC 3", true}}},
		{"switches", frame.Frame{Flags: frame.PitOn | frame.LaunchOn | frame.LaunchWorks}, []assist{{"LAUNCH", true}, {"PIT", false}}},
		{"buttons", frame.Frame{Gain: 0.85, Flags: frame.Flashes | frame.GainChanged}, []assist{{"FLASH", true}, {"FFB 85", true}}},
		{"the handbrake", frame.Frame{Hand: 1}, []assist{{"HAND", true}}},
		{"consents", frame.Frame{Flags: frame.HighTorque | frame.LetGo | frame.HandsOff}, []assist{{"STRONG", true}, {"LET GO", true}, {"NO HANDS", true}}},
		{"a break", frame.Frame{Gain: 1, Flags: frame.Paused}, []assist{{"PAUSE", true}}},
	} {
		if got := helpers(&tt.f); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

func TestAnAssistThatWorksLightsUp(t *testing.T) {
	for _, works := range []bool{false, true} {
		c, f := testCanvas(t), &frame.Frame{ABS: 5}
		if works {
			f.Flags = frame.ABSWorks
		}
		drawAssists(c, f)
		if _, _, _, _, lit := c.extent(caution); (lit > 0) != works {
			t.Errorf("works %v: %d corners lit", works, lit)
		}
	}
}

func TestTankIsAsFullAsItsBar(t *testing.T) {
	for _, tt := range []struct {
		name  string
		f     frame.Frame
		color rgba
		right float32 // end of the bar, which reaches from 52 to 152
	}{
		{"full", frame.Frame{Fuel: 60, Charge: 1}, accent, 152},
		{"half", frame.Frame{Fuel: 30, Charge: 0.5}, accent, 102},
		{"low", frame.Frame{Fuel: 3, Charge: 0.05}, caution, 57},
		{"battery", frame.Frame{Fuel: math.NaN(), Charge: 0.75}, accent, 127},
		{"none", frame.Frame{Fuel: math.NaN(), Charge: math.NaN()}, accent, 0},
		{"overfull", frame.Frame{Fuel: 90, Charge: 1.5}, accent, 152},
	} {
		c := testCanvas(t)
		drawTank(c, 0, 152, 20, &tt.f)
		right := float32(0)
		for _, v := range c.vertices {
			if v.rgba == tt.color && v.y >= 12 && v.y <= 17 && v.u == c.atlas.white[0] {
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
			f.Flags = frame.Grinds
		}
		drawGear(c, 0, 0, f)
		if _, _, _, _, red := c.extent(alarm); (red > 0) != grinds {
			t.Errorf("grinds %v: %d red corners", grinds, red)
		}
	}
}
