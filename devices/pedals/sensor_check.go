package pedals

import (
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"rig.example/rig/calib"
	"rig.example/rig/devices/axis"
	"rig.example/rig/internal/kit/evdev"
	"rig.example/rig/internal/kit/humanmotion"
	"rig.example/rig/internal/kit/valid"
)

const (
	// Two sensors of one pedal may differ by a tenth of the travel for 0.1 s, as the rules of Formula SAE
	// allow for an accelerator pedal.
	defaultTolerance = 0.1 // share of the travel
	maxDisagreeTime  = 0.1 // [s]
)

// Check is a second sensor of a pedal, on the pedals' own node.
type Check struct {
	// pedal of the second sensor
	Axis string `toml:"axis" oneof:"throttle,brake,clutch,handbrake"`
	Code string `toml:"code"` // evdev name of the second sensor's axis, such as `ABS_RX`
	// value when released, as `rig devices --watch` shows it; if both counts are 0, the range that the device
	// declares is used
	Rest  int32 `toml:"rest_counts"`
	Press int32 `toml:"press_counts"` // value when fully pressed
	// largest difference between the two sensors, as a share of the travel; 0 is 0.1
	Tolerance float64 `toml:"tolerance" range:"0 (automatic) or 0.01..0.5"`
}

// Checks are all second sensors.
type Checks []Check

// Validate reports every second sensor that cannot be used.
func (list Checks) Validate() error {
	var err error
	used := map[string]bool{}
	for i, c := range list {
		e := valid.Struct(c)
		if c.pedal() >= 0 && used[c.Axis] {
			e = errors.Join(e, fmt.Errorf("axis: %s has a second sensor already; keep one", c.Axis))
		}
		used[c.Axis] = true
		if _, bad := evdev.AbsCode(c.Code); bad != nil {
			e = errors.Join(e, fmt.Errorf("code: %w", bad))
		}
		if c.Rest == c.Press && c.Rest != 0 {
			e = errors.Join(e, fmt.Errorf("press_counts = %d is rest_counts too; press the pedal fully and look again, or set both to 0", c.Press))
		}
		if e != nil {
			err = errors.Join(err, valid.WithPrefix(fmt.Sprintf("[%d]", i), e))
		}
	}
	return err
}

// pedal returns the index of c's axis in all arrays, or -1 if there is none.
func (c Check) pedal() int { return axis.Index(c.Axis) }

// secondSensor is a second sensor of a pedal.
type secondSensor struct {
	pedal pedal
	pair  humanmotion.Pair
}

// sensorCheck detects movements that no foot can make. All but flags belongs to the loop.
type sensorCheck struct {
	limiters      [axis.Count]humanmotion.Axis
	secondSensors [axis.Count]secondSensor
	nextEvent     uint64        // position of the next event to read
	polledAt      time.Duration // time of the last step
	started       bool
	flags         atomic.Uint32 // present faults: flagBits bits for each pedal, see flagTexts
}

// Faults of a pedal's sensors, one bit each.
const (
	flagJumped uint32 = 1 << iota
	flagFault
	flagDisagree
	flagBits = iota
)

var flagTexts = [flagBits]string{
	"it jumped by more than half of its travel between two reports; its speed is limited",
	"it jumps repeatedly, faster than a foot can; check its sensor and its plug",
	"its two sensors disagree; check both, or measure their counts again for pedals.check",
}

// configure prepares the check for the pedals of info.
func (j *sensorCheck) configure(cfg Checks, info evdev.Info) error {
	for i := range j.limiters {
		j.limiters[i].Limits = axis.Limits
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
		tolerance := defaultTolerance
		if c.Tolerance > 0 {
			tolerance = c.Tolerance
		}
		j.secondSensors[c.pedal()] = secondSensor{
			pedal{used: true, seen: true, code: code, axis: axis.MeasuredAxis{Ends: ends}},
			humanmotion.Pair{Tolerance: tolerance, MaxTime: maxDisagreeTime},
		}
	}
	return nil
}

// eventReader reads the events and the state of a node. It is an *evdev.Input, or a fake in tests.
type eventReader interface {
	axisReader
	EventEnd() uint64
	NextEvent(at *uint64) (ev *evdev.Event, lost bool)
}

// step limits the speed of the positions v, and reports whether a sensor is faulty. If the two sensors of
// a pedal disagree, it uses the safer value. now must never decrease.
func (j *sensorCheck) step(ps *[axis.Count]pedal, v *[axis.Count]float64, in eventReader, now time.Duration) (fault bool) {
	if !j.started {
		j.started, j.polledAt, j.nextEvent = true, now, in.EventEnd()
		j.resync(ps, v, in)
	}
	dt, gap := humanmotion.TimeStep(j.polledAt, now)
	j.polledAt = now
	if gap {
		j.nextEvent = in.EventEnd() // the positions include all events so far
		j.resync(ps, v, in)
	}
	j.readEvents(ps, v, in)
	var flags uint32
	for i := range v {
		v[i] = j.limiters[i].Step(v[i], dt)
		disagree := j.checkSecondSensor(i, &ps[i], &v[i], in, dt)
		fault = fault || disagree || j.limiters[i].Fault()
		flags |= (humanmotion.FlagIf(j.limiters[i].Jumped(), flagJumped) | humanmotion.FlagIf(j.limiters[i].Fault(), flagFault) | humanmotion.FlagIf(disagree, flagDisagree)) << (flagBits * i)
	}
	j.flags.Store(flags)
	return fault
}

// resync accepts the present positions without a check against earlier reports. Pedals that have never
// reported, or do not count yet, are left out, because their positions are not known.
func (j *sensorCheck) resync(ps *[axis.Count]pedal, v *[axis.Count]float64, in eventReader) {
	for i := range v {
		j.limiters[i].Resync()
		if ps[i].seen && in.AxisReported(ps[i].code) {
			j.limiters[i].AddReport(v[i])
		}
	}
}

// readEvents checks the reports since the last step.
func (j *sensorCheck) readEvents(ps *[axis.Count]pedal, v *[axis.Count]float64, in eventReader) {
	for {
		ev, lost := in.NextEvent(&j.nextEvent)
		if lost {
			j.resync(ps, v, in)
			continue
		}
		if ev == nil {
			return
		}
		for i := range ps {
			if p := &ps[i]; ev.Type == evdev.EvAbs && p.used && p.axis.PositionKnown && ev.Code == p.code {
				j.limiters[i].AddReport(p.axis.Ends.Value(ev.Value))
			}
		}
	}
}

// checkSecondSensor compares the position *v with the second sensor of pedal i, if it has one. If the two differ by
// more than the tolerance, it sets *v to the safer one. faulty reports whether they have disagreed for too
// long.
func (j *sensorCheck) checkSecondSensor(i int, p *pedal, v *float64, in eventReader, dt float64) (faulty bool) {
	s := &j.secondSensors[i]
	other := s.pedal.value(in.Abs(s.pedal.code), in.AxisReported(s.pedal.code))
	if !s.pedal.axis.PositionKnown || !p.seen {
		return false
	}
	disagree := s.pair.Step(*v, other, dt)
	if d := *v - other; d > s.pair.Tolerance || -d > s.pair.Tolerance {
		if i == axis.Brake || i == axis.Clutch {
			*v = max(*v, other)
		} else {
			*v = min(*v, other)
		}
	}
	return disagree
}

// notes returns the faults of the sensors now.
func (j *sensorCheck) notes() (list []string) {
	flags := j.flags.Load()
	for i, name := range axis.Names {
		bits := flags >> (flagBits * i)
		for b, text := range flagTexts {
			if bits>>b&1 == 1 && !(uint32(1)<<b == flagJumped && bits&flagFault != 0) {
				list = append(list, name+": "+text)
			}
		}
	}
	return list
}
