package omct

import (
	"fmt"
	"strings"
)

// Felt is how much of one motion of the vehicle arrives at the driver's head.
type Felt struct {
	Axis   string  `json:"axis"`
	Share  float64 `json:"share"`   // mean gain of the frequencies at which something is felt; 0 for none
	FromHz float64 `json:"from_hz"` // lowest frequency at which something is felt; 0 for none
	ToHz   float64 `json:"to_hz"`   // highest such frequency; 0 for none
}

// minFeltGain is the gain below which nothing is felt.
const minFeltGain = 0.02

// motions are the axes of the direct tests, in the order of the summary, with their names for users.
var motions = [...]struct {
	axis int
	name string
}{
	{roll, "roll"}, {pitch, "pitch"}, {surge, "braking (surge)"}, {sway, "cornering (sway)"}, {heave, "heave"}, {yaw, "yaw"},
}

// summarize sets r.Felt and r.Summary from the direct tests, whose input and output are the same axis.
func (r *Result) summarize() {
	var shares, parts, none []string
	for _, m := range motions {
		t := r.direct(m.axis)
		f := t.feltShare()
		r.Felt = append(r.Felt, f)
		if f.Share == 0 {
			none = append(none, m.name)
			continue
		}
		shares = append(shares, fmt.Sprintf("%.0f %% of %s", 100*f.Share, m.name))
		if f.FromHz > t.Points[0].Hz {
			parts = append(parts, fmt.Sprintf("nothing below %.2g Hz in %s", f.FromHz, axisNames[m.axis]))
		}
		if f.ToHz < t.Points[len(t.Points)-1].Hz {
			parts = append(parts, fmt.Sprintf("nothing above %.2g Hz in %s", f.ToHz, axisNames[m.axis]))
		}
	}
	if shares == nil {
		r.Summary = "You feel nothing of the car's motion."
		return
	}
	if none != nil {
		parts = append(parts, "nothing of "+strings.Join(none, ", "))
	}
	r.Summary = "You feel " + strings.Join(append(shares, parts...), ", ") + "."
}

// direct returns the test whose input and output are this axis.
func (r *Result) direct(axis int) *Test {
	for i, c := range channels {
		if c == (channel{axis, axis}) {
			return &r.Tests[i]
		}
	}
	panic("omct: an axis without a direct test")
}

// feltShare returns the mean gain of a test, and the frequencies at which something is felt.
func (t *Test) feltShare() Felt {
	f := Felt{Axis: t.PlatformAxis}
	n := 0
	for _, p := range t.Points {
		if p.Gain < minFeltGain {
			continue
		}
		if n == 0 {
			f.FromHz = p.Hz
		}
		f.ToHz = p.Hz
		f.Share += p.Gain
		n++
	}
	f.Share /= float64(max(n, 1))
	return f
}
