package pedals

import (
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"rig.example/rig/calib"
	"rig.example/rig/internal/axis"
	"rig.example/rig/internal/evdev"
	"rig.example/rig/internal/plausible"
)

const (
	// Two sensors of one pedal: a tenth of the travel for 0.1 s, as the rules of Formula SAE
	// have it for the sensors of an accelerator pedal.
	checkTolerance = 0.1
	checkTime      = 0.1 // [s]
)

// Check is a second sensor of a pedal, on the pedals' own node.
type Check struct {
	Axis      string  `toml:"axis"`         // throttle, brake, clutch or handbrake
	Code      string  `toml:"code"`         // evdev name such as ABS_RX
	Rest      int32   `toml:"rest_counts"`  // released; with press_counts 0 too: the device's range
	Press     int32   `toml:"press_counts"` // fully pressed
	Tolerance float64 `toml:"tolerance"`    // how far both may be apart, 0.01..0.5 of the travel; 0 is 0.1
}

// Checks are all second sensors.
type Checks []Check

// Validate reports every second sensor that cannot be used.
func (list Checks) Validate() error {
	var err error
	used := map[string]bool{}
	for i, c := range list {
		var e error
		if c.pedal() < 0 {
			e = fmt.Errorf("axis = %q is not throttle, brake, clutch or handbrake", c.Axis)
		} else if used[c.Axis] {
			e = fmt.Errorf("axis: %s has a second sensor already; keep one", c.Axis)
		}
		used[c.Axis] = true
		if _, bad := evdev.AbsCode(c.Code); bad != nil {
			e = errors.Join(e, fmt.Errorf("code: %w", bad))
		}
		if c.Rest == c.Press && c.Rest != 0 {
			e = errors.Join(e, fmt.Errorf("press_counts = %d is rest_counts too; press the pedal fully and look again, or set both to 0", c.Press))
		}
		if c.Tolerance != 0 {
			e = errors.Join(e, axis.InRange("tolerance", c.Tolerance, 0.01, 0.5))
		}
		if e != nil {
			err = errors.Join(err, fmt.Errorf("pedals: check %d: %w", i+1, e))
		}
	}
	return err
}

// pedal returns the place of c's axis in all arrays; -1 if there is none.
func (c Check) pedal() int { return axis.Index(c.Axis) }

// second is a second sensor of a pedal.
type second struct {
	pedal pedal
	pair  plausible.Pair
}

// judge finds what no foot can have done. All but odd belongs to the loop.
type judge struct {
	axes    [axis.Count]plausible.Axis
	seconds [axis.Count]second
	next    uint64        // event to be read
	polled  time.Duration // time of the last step
	begun   bool
	odd     atomic.Uint32 // see oddTexts, one bit for each text of each pedal
}

// What is odd about a pedal, one bit each of four.
const (
	footJumped uint32 = 1 << iota
	footFault
	footApart
	oddBits = iota
)

var oddTexts = [oddBits]string{
	"it jumped by more than half of its travel between two reports; its speed is limited",
	"it jumps again and again, as no foot can; look at its sensor and its plug",
	"its two sensors disagree; look at both, or measure their counts again for pedals.check",
}

// begin sets the judge up for the pedals of info.
func (j *judge) begin(cfg Checks, info evdev.Info) error {
	for i := range j.axes {
		j.axes[i].Limits = axis.Limits
	}
	for _, c := range cfg {
		code, err := evdev.AbsCode(c.Code)
		a, ok := info.Axis(code)
		if err != nil || !ok || a.Max <= a.Min {
			return fmt.Errorf("pedals: check of the %s: %s has no axis %s; choose one that `rig devices` shows", c.Axis, info.Name, c.Code)
		}
		ends := axis.Uncalibrated(a.Min, a.Max)
		if c.Rest != c.Press {
			ends = calib.Axis{Rest: c.Rest, Press: c.Press}
		}
		tolerance := checkTolerance
		if c.Tolerance > 0 {
			tolerance = c.Tolerance
		}
		j.seconds[c.pedal()] = second{pedal{used: true, known: true, code: code, axis: axis.Measured{Ends: ends}}, plausible.Pair{Tolerance: tolerance, Time: checkTime}}
	}
	return nil
}

// events are what a judge reads of a node.
type events interface {
	Seen() uint64
	Next(at *uint64) (ev *evdev.Event, lost bool)
	Abs(code uint16) int32
	Moved(code uint16) bool
}

// step bounds the pedals' positions, and returns whether one of them is at fault. now only
// grows. Of two sensors that disagree counts the one that is safer.
func (j *judge) step(ps *[axis.Count]pedal, v *[axis.Count]float64, in events, now time.Duration) (fault bool) {
	if !j.begun {
		j.begun, j.polled, j.next = true, now, in.Seen()
		j.resync(ps, v, in)
	}
	dt, gap := plausible.Since(j.polled, now)
	j.polled = now
	if gap {
		j.next = in.Seen() // what came meanwhile is in the positions
		j.resync(ps, v, in)
	}
	j.hear(ps, v, in)
	var odd uint32
	for i := range v {
		v[i] = j.axes[i].Step(v[i], dt)
		apart := j.compare(i, &ps[i], &v[i], in, dt)
		fault = fault || apart || j.axes[i].Fault()
		odd |= (plausible.Bit(j.axes[i].Jumped(), footJumped) | plausible.Bit(j.axes[i].Fault(), footFault) | plausible.Bit(apart, footApart)) << (oddBits * i)
	}
	j.odd.Store(odd)
	return fault
}

// resync takes the positions as they are, wherever the pedals were before. Of a pedal that
// never reported nobody knows where it is.
func (j *judge) resync(ps *[axis.Count]pedal, v *[axis.Count]float64, in events) {
	for i := range v {
		j.axes[i].Resync()
		if in.Moved(ps[i].code) {
			j.axes[i].Report(v[i])
		}
	}
}

// hear takes in the reports since the last step.
func (j *judge) hear(ps *[axis.Count]pedal, v *[axis.Count]float64, in events) {
	for {
		ev, lost := in.Next(&j.next)
		if lost {
			j.resync(ps, v, in)
			continue
		}
		if ev == nil {
			return
		}
		for i := range ps {
			if p := &ps[i]; ev.Type == evdev.EvAbs && p.used && p.known && p.axis.Seen && ev.Code == p.code {
				j.axes[i].Report(p.axis.Ends.Value(ev.Value))
			}
		}
	}
}

// compare looks at the second sensor of pedal i, if it has one, and takes the safer of both.
// It reports whether they have disagreed for too long.
func (j *judge) compare(i int, p *pedal, v *float64, in events, dt float64) bool {
	s := &j.seconds[i]
	other := s.pedal.value(in.Abs(s.pedal.code), in.Moved(s.pedal.code))
	if !s.pedal.axis.Seen || !p.axis.Seen {
		return false
	}
	apart := s.pair.Step(*v, other, dt)
	if d := *v - other; d > s.pair.Tolerance || -d > s.pair.Tolerance {
		if i == axis.Brake || i == axis.Clutch {
			*v = max(*v, other)
		} else {
			*v = min(*v, other)
		}
	}
	return apart
}

// notes tells what is odd now.
func (j *judge) notes() (list []string) {
	odd := j.odd.Load()
	for i, name := range axis.Names {
		bits := odd >> (oddBits * i)
		for b, text := range oddTexts {
			if bits>>b&1 == 1 && !(uint32(1)<<b == footJumped && bits&footFault != 0) {
				list = append(list, name+": "+text)
			}
		}
	}
	return list
}
