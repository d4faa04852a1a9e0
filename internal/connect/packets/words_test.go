package packets

import (
	"math"
	"testing"
)

// Packets that the games sent, rounded, say what the cars did. The sources of BeamNG and OutSim name them.
func TestPacketsOfTheGamesSayWhatTheirCarsDid(t *testing.T) {
	outsim := OutSim{
		AngVel: [3]float32{-0.012, -0.068, -0.387}, Heading: 2.712, Pitch: 0.003, Roll: -0.003, Accel: [3]float32{-9.02, 8.5, -0.33}, Vel: [3]float32{-10.27, -26.84, 0.04},
		Gear: 4, InputSteer: -0.061, Wheels: [4]OutSimWheel{{VerticalLoad: 3099}, {VerticalLoad: -147}, {VerticalLoad: 6125}, {VerticalLoad: 811}},
	}
	m := outsim.Motion()
	says(t, "OutSim in a right turn", &m, Words{Travel: "forward", Thrust: "braking", Turn: "right turn", Spin: "spinning right", Steer: "steered right", Slope: "at one height"})
	if m.Gear != "3" || m.Loaded() != "front left" {
		t.Errorf("gear %s, the wheel %s is loaded", m.Gear, m.Loaded())
	}
	for _, tt := range []struct {
		name string
		p    BeamNG
		want Words
	}{
		{"right turn", BeamNG{Vel: [3]float32{-5.99, -11.77, 0}, Acc: [3]float32{7.41, -0.12, -0.27}, Up: [3]float32{0.0345, -0.0224, 0.9992}, Roll: -0.0409, Pitch: -0.0049, Yaw: -2.6906, YawRate: 0.598},
			Words{Travel: "forward", Turn: "right turn", Spin: "spinning right", Lean: "left side down"}},
		{"braking", BeamNG{Vel: [3]float32{-43.5, 1.27, 0}, Acc: [3]float32{-0.3, -10.9, -0.48}, Up: [3]float32{-0.031, 0, 0.9995}, Roll: -0.0011, Pitch: -0.0307, Yaw: -1.5454},
			Words{Travel: "forward", Thrust: "braking", Turn: "straight", Nose: "nose down"}},
		{"parked with the nose up", BeamNG{Up: [3]float32{0, 0.789, 0.614}, Roll: 0.0041, Pitch: 0.9093, Yaw: -3.137}, Words{Travel: "still", Nose: "nose up"}},
		{"parked with the left side down", BeamNG{Up: [3]float32{-0.4676, -0.0146, 0.8838}, Roll: -0.4845, Pitch: -0.0495, Yaw: -0.1247}, Words{Lean: "left side down", Nose: "nose down"}},
	} {
		m := tt.p.Motion()
		says(t, "BeamNG "+tt.name, &m, tt.want)
		up, sent := m.axes().Up, tt.p.UpWorld()
		if math.Abs(dot(up, sent)-1) > 1e-3 {
			t.Errorf("%s: up is %.3f by the angles, %.3f by the vector", tt.name, up, sent)
		}
	}
}

// says checks the words that want has.
func says(t *testing.T, name string, m *Motion, want Words) {
	t.Helper()
	got := m.Words()
	for _, pair := range [][2]string{
		{got.Travel, want.Travel}, {got.Thrust, want.Thrust}, {got.Turn, want.Turn}, {got.Spin, want.Spin},
		{got.Steer, want.Steer}, {got.Nose, want.Nose}, {got.Lean, want.Lean}, {got.Slope, want.Slope},
	} {
		if pair[1] != "" && pair[0] != pair[1] {
			t.Errorf("%s: %q, want %q", name, pair[0], pair[1])
		}
	}
}

// The axes of a car are those of its angles, whatever they are.
func TestAttitudeFromVectorsIsThatOfTheAngles(t *testing.T) {
	for _, want := range []Motion{
		{}, {Heading: 2}, {NoseUp: 0.3}, {RightDown: 0.4}, {Heading: -2, NoseUp: -0.5, RightDown: 1}, {Heading: 1, NoseUp: 1.2, RightDown: -2},
	} {
		a := want.axes()
		var got Motion
		got.setAttitude(a.Ahead, [3]float64{-a.Left[0], -a.Left[1], -a.Left[2]})
		if math.Abs(got.Heading-want.Heading)+math.Abs(got.NoseUp-want.NoseUp)+math.Abs(got.RightDown-want.RightDown) > 1e-9 {
			t.Errorf("heading %g, nose up %g, right side down %g; want %g, %g, %g", got.Heading, got.NoseUp, got.RightDown, want.Heading, want.NoseUp, want.RightDown)
		}
	}
}

func TestTurned(t *testing.T) {
	for _, tt := range []struct {
		before, after float64
		want          string
	}{{3, -3, "left turn"}, {-3, 3, "right turn"}, {1, 1.5, "left turn"}, {1, 1, "straight"}, {math.NaN(), 1, ""}} {
		if got := Turned(&Motion{Heading: tt.before}, &Motion{Heading: tt.after}); got != tt.want {
			t.Errorf("from %g to %g: %q, want %q", tt.before, tt.after, got, tt.want)
		}
	}
}
