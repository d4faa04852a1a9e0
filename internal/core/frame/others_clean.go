package frame

import (
	"math"

	"rig.example/rig/internal/kit/valid"
)

// Clean makes others fit to be shown, whatever another process wrote: cars that cannot be drawn and second cars of a slot are left out, all
// other values come within their range, and texts can be printed. It allocates nothing.
func (o *Others) Clean() {
	o.Session.clean()
	n, seen := 0, uint64(0)
	for i := range min(o.Count, MaxOthers) {
		c := &o.Cars[i]
		if c.clean() && seen>>c.Slot&1 == 0 {
			seen |= 1 << c.Slot
			o.Cars[n] = *c
			n++
		}
	}
	o.Count = uint64(n)
	for i := n; i < MaxOthers; i++ {
		o.Cars[i] = OtherCar{}
	}
}

func (s *Session) clean() {
	const long, many = 1e6, 9999 // [s], and the highest count
	if s.Phase > PhaseEnded {
		s.Phase = NoSession
	}
	if s.Flag > FlagCheckered {
		s.Flag = FlagNone
	}
	s.Connected, s.Paused = min(s.Connected, 1), min(s.Paused, 1)
	for _, v := range [...]*float64{&s.Clock, &s.Uncertainty, &s.Late, &s.Penalty, &s.Lost} {
		*v = within(*v, 0, long, 0)
	}
	for _, v := range [...]*float64{&s.ToStart, &s.TimeLeft, &s.GapAhead, &s.GapBehind} {
		*v = within(*v, -long, long, math.NaN())
	}
	for _, v := range [...]*uint64{&s.Place, &s.Of, &s.GridPlace, &s.Laps, &s.LapsLeft} {
		*v = min(*v, many)
	}
	s.Ahead.clean()
	s.Behind.clean()
	var raw, room [noticeBytes]byte
	s.setNotice(appendPrintable(room[:0], s.AppendNotice(raw[:0])))
}

// clean reports whether the car can be drawn.
func (c *OtherCar) clean() bool {
	const far, fast, quick = 1e6, 200, 100 // [m], [m/s], [rad/s]
	norm := 0.0
	for _, v := range c.Att {
		norm += v * v
	}
	if !inBox(&c.Pos, far) || !inBox(&c.Vel, fast) || !inBox(&c.Rate, quick) || !(math.Abs(norm-1) < 0.1) || !(c.Opacity > 0) || c.Slot > MaxOthers {
		return false
	}
	const long, many, steepest = 1e6, 9999, 1.2 // [m], laps, [rad]
	c.Opacity, c.Brake, c.Late = min(c.Opacity, 1), within(c.Brake, 0, 1, 0), within(c.Late, 0, long, 0)
	c.Steer, c.Gap = within(c.Steer, -steepest, steepest, 0), within(c.Gap, -long, long, math.NaN())
	c.Place, c.LapsAhead = min(c.Place, many), min(max(c.LapsAhead, -many), many)
	c.InPit, c.Flash = min(c.InPit, 1), min(c.Flash, 1)
	c.Length, c.Width, c.Height = within(c.Length, 2, 12, 4.4), within(c.Width, 0.8, 3, 1.8), within(c.Height, 0.7, 4, 1.3)
	c.Wheelbase = within(c.Wheelbase, 0.4*c.Length, 0.8*c.Length, 0.6*c.Length)
	c.WheelRadius = within(c.WheelRadius, 0.15, min(0.6, 0.4*c.Height), 0.25*c.Height)
	c.CGHeight = within(c.CGHeight, 0.1, c.Height, 0.4*c.Height)
	c.CGToFront = within(c.CGToFront, 0, c.Wheelbase, c.Wheelbase/2)
	c.Name.clean()
	return true
}

func inBox(v *[3]float64, limit float64) bool {
	for _, x := range v {
		if !(math.Abs(x) <= limit) { // also true for NaN
			return false
		}
	}
	return true
}

// within returns v within a range, or unknown for NaN.
func within(v, low, high, unknown float64) float64 {
	if math.IsNaN(v) {
		return unknown
	}
	return valid.Clamp(v, low, high)
}
