package packets

import "math"

// Words says in words what a car does. "" stands for what a format does not have.
type Words struct {
	Travel string // "forward", "backward" or "still"
	Thrust string // "accelerating", "braking" or "steady": acceleration along the car
	Turn   string // "left turn", "right turn" or "straight": acceleration across the car
	Spin   string // "spinning left", "spinning right" or "not spinning": yaw rate
	Steer  string // "steered left", "steered right" or "steered straight"
	Nose   string // "nose up", "nose down" or "level"
	Lean   string // "right side down", "left side down" or "upright"
	Slope  string // "climbing", "descending" or "at one height": vertical speed
}

// Smallest amounts that are worth a word.
const (
	someSpeed        = 0.3                 // [m/s]
	someAcceleration = 0.5                 // [m/s²]
	someRate         = 0.03                // [rad/s]
	someAngle        = 0.4 * math.Pi / 180 // [rad]
	someSteering     = 1e-3                // in any unit
)

// Words says in words what the car does.
func (m *Motion) Words() Words {
	return Words{
		Travel: word(m.Forward, someSpeed, "forward", "backward", "still"),
		Thrust: word(m.AccForward, someAcceleration, "accelerating", "braking", "steady"),
		Turn:   word(m.AccLeft, someAcceleration, "left turn", "right turn", "straight"),
		Spin:   word(m.LeftRate, someRate, "spinning left", "spinning right", "not spinning"),
		Steer:  word(m.SteerLeft, someSteering, "steered left", "steered right", "steered straight"),
		Nose:   word(m.NoseUp, someAngle, "nose up", "nose down", "level"),
		Lean:   word(m.RightDown, someAngle, "right side down", "left side down", "upright"),
		Slope:  word(m.Vel[2], someSpeed, "climbing", "descending", "at one height"),
	}
}

// word returns one of three words: for a value above least, for one below -least, and for one between them.
func word(v, least float64, above, below, between string) string {
	switch {
	case math.IsNaN(v):
		return ""
	case v > least:
		return above
	case v < -least:
		return below
	}
	return between
}

// Turned says in words which way the heading has changed from one Motion to a later one, by less than half a turn.
func Turned(before, after *Motion) string {
	change := math.Remainder(after.Heading-before.Heading, 2*math.Pi)
	return word(change, someAngle, "left turn", "right turn", "straight")
}

// Slipping returns the name of the wheel that slips most, or "" if the format does not have slip.
func (m *Motion) Slipping() string { return m.most(func(w *Wheel) float64 { return w.Slip }) }

// Loaded returns the name of the wheel with the largest load, or "".
func (m *Motion) Loaded() string { return m.most(func(w *Wheel) float64 { return w.Load }) }

// Compressed returns the name of the wheel with the most compressed suspension, or "".
func (m *Motion) Compressed() string { return m.most(func(w *Wheel) float64 { return w.Compression }) }

// Fastest returns the name of the wheel that turns fastest, or "".
func (m *Motion) Fastest() string { return m.most(func(w *Wheel) float64 { return w.Spin }) }

func (m *Motion) most(of func(*Wheel) float64) (name string) {
	top := math.Inf(-1)
	for i := range m.Wheels {
		if v := of(&m.Wheels[i]); v > top {
			top, name = v, wheelNames[i]
		}
	}
	return name
}
