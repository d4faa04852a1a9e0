package follow

import "math"

// Axes are the axes of motion whose signs an operator confirms, and their indices.
const (
	Surge = iota
	Sway
	Heave
	Roll
	Pitch
	Yaw
	Axes
)

// AxisNames are the names of the axes.
var AxisNames = [Axes]string{"surge", "sway", "heave", "roll", "pitch", "yaw"}

// Gravity is the standard acceleration of gravity [m/s²].
const Gravity = gravity

// words are what a motion along or about an axis is called: a positive one, and a negative one.
var words = [Axes][2]string{
	Surge: {"accelerating", "braking"},
	Sway:  {"left turn", "right turn"},
	Heave: {"pushed up", "dropping"},
	Roll:  {"right side down", "left side down"},
	Pitch: {"nose down", "nose up"},
	Yaw:   {"turning left", "turning right"},
}

// limits are how much of it a word needs: accelerations [m/s²], angles [rad], and a rate [rad/s].
var limits = [Axes]float64{1, 1, 2, 0.035, 0.035, 0.1}

// Word returns what the motion of an axis is called, or "" if it is small.
func (m *Motion) Word(axis int) string {
	switch v := m.along(axis); {
	case v > limits[axis]:
		return words[axis][0]
	case v < -limits[axis]:
		return words[axis][1]
	}
	return ""
}

// along returns the motion of an axis, in the unit of limits.
func (m *Motion) along(axis int) float64 {
	switch axis {
	case Roll:
		return m.Roll
	case Pitch:
		return m.Pitch
	case Yaw:
		return m.Rate[2]
	}
	return m.Acc[axis]
}

// Words returns what the car does, in words: those of all axes that move.
func (m *Motion) Words() (all []string) {
	if math.Abs(m.Vel[0]) < 0.5 && m.Status == Ready {
		all = append(all, "standing")
	} else if m.Vel[0] < 0 && m.Status == Ready {
		all = append(all, "reversing")
	}
	for axis := range Axes {
		if word := m.Word(axis); word != "" {
			all = append(all, word)
		}
	}
	return all
}
