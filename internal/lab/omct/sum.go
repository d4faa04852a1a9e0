package omct

import (
	"fmt"
	"strings"
)

// Felt is how much of one motion of the vehicle arrives at the driver's head.
type Felt struct {
	Axis   string  `json:"axis"`
	Share  float64 `json:"share"`   // mean gain of the frequencies at which something is felt; 0 for none
	FromHz float64 `json:"from_hz"` // the lowest and the highest of them; 0 for none
	ToHz   float64 `json:"to_hz"`
}

// leastFelt is the gain below which nothing is felt.
const leastFelt = 0.02

// motions are the direct tests in the order in which people ask for them, and their names.
var motions = [...]struct {
	axis int
	name string
}{
	{roll, "roll"}, {pitch, "pitch"}, {surge, "braking (surge)"}, {sway, "cornering (sway)"}, {heave, "heave"}, {yaw, "yaw"},
}

// sum says in a sentence what the direct tests came to.
func (r *Result) sum() {
	var shares, parts, none []string
	for _, m := range motions {
		t := r.direct(m.axis)
		f := t.felt()
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

// direct returns the test from one axis to the same.
func (r *Result) direct(axis int) *Test {
	for i, c := range channels {
		if c == (channel{axis, axis}) {
			return &r.Tests[i]
		}
	}
	panic("omct: an axis without a direct test")
}

// felt sums a test up.
func (t *Test) felt() Felt {
	f := Felt{Axis: t.To}
	n := 0
	for _, p := range t.Points {
		if p.Gain < leastFelt {
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
