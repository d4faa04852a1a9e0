package pedals

import (
	"strings"
	"testing"
	"time"

	"rig.example/rig/calib"
	"rig.example/rig/devices/axis"
	"rig.example/rig/internal/kit/evdev"
)

// fakeEvents is a node of axes that tells of each change.
type fakeEvents struct {
	abs  map[uint16]int32
	list []evdev.Event
}

func (f *fakeEvents) EventEnd() uint64         { return uint64(len(f.list)) }
func (f *fakeEvents) Abs(code uint16) int32    { return f.abs[code] }
func (f *fakeEvents) AxisReported(uint16) bool { return true }

func (f *fakeEvents) NextEvent(at *uint64) (*evdev.Event, bool) {
	if *at == f.EventEnd() {
		return nil, false
	}
	*at++
	return &f.list[*at-1], false
}

// judged is a judge of pedals of 0..1000 counts on ABS_X and its followers, with a second
// sensor of the throttle on ABS_RX.
type judged struct {
	sensorCheck
	pedals [axis.Count]pedal
	in     fakeEvents
	at     time.Duration
	v      [axis.Count]float64
}

func newJudged(t *testing.T, checked string) *judged {
	t.Helper()
	d := &judged{in: fakeEvents{abs: map[uint16]int32{}}}
	for i := range d.pedals {
		d.pedals[i] = pedal{used: true, seen: true, code: uint16(i), axis: axis.MeasuredAxis{Ends: calib.Axis{Rest: 0, Press: 1000}}}
	}
	info := evdev.Info{Name: "pedals", Axes: []evdev.Axis{{Name: "ABS_RY", Code: evdev.AbsRY, Max: 1000}}}
	if err := d.configure(Checks{{Axis: checked, Code: "ABS_RY", Rest: 1000, Press: 100}}, info); err != nil {
		t.Fatal(err)
	}
	d.in.abs[evdev.AbsRY] = 1000
	d.step(1)
	return d
}

func (d *judged) report(code uint16, counts int32) {
	d.in.abs[code] = counts
	d.in.list = append(d.in.list, evdev.Event{Type: evdev.EvAbs, Code: code, Value: counts})
}

// step steps a number of milliseconds, and reports whether there was a fault.
func (d *judged) step(n int) (fault bool) {
	for range n {
		d.at += time.Millisecond
		for i := range d.pedals {
			d.v[i] = d.pedals[i].value(d.in.Abs(d.pedals[i].code), true)
		}
		fault = d.sensorCheck.step(&d.pedals, &d.v, &d.in, d.at) || fault
	}
	return fault
}

// A pedal that jumps from one end to the other takes 10 ms for that.
func TestAPedalThatJumpsIsBounded(t *testing.T) {
	d := newJudged(t, "clutch")
	d.step(100)
	d.report(axis.Brake, 1000)
	for ms, want := range []float64{0.1, 0.2, 0.3} {
		if fault := d.step(1); fault || d.v[axis.Brake] < want-1e-9 || d.v[axis.Brake] > want+1e-9 {
			t.Errorf("at %g after %d ms, fault %v, want %g", d.v[axis.Brake], ms+1, fault, want)
		}
	}
	if d.step(20); d.v[axis.Brake] != 1 || d.v[axis.Throttle] != 0 {
		t.Errorf("at %v", d.v)
	}
	if n := d.notes(); len(n) != 1 || !strings.HasPrefix(n[0], "brake: it jumped") {
		t.Errorf("%q", n)
	}
}

func TestAContactThatFailsIsAFault(t *testing.T) {
	d := newJudged(t, "clutch")
	fault := false
	for i := range int32(100) {
		d.report(axis.Throttle, i%2*900)
		fault = d.step(5) || fault
	}
	if n := d.notes(); !fault || len(n) != 1 || !strings.HasPrefix(n[0], "throttle: it jumps repeatedly") {
		t.Errorf("fault %v, %q", fault, n)
	}
	if d.step(5001); d.step(1) {
		t.Error("still a fault after 5 s of rest")
	}
}

// Where two sensors disagree the safer one counts at once, and after 0.1 s it is a fault.
func TestTwoSensorsOfAPedal(t *testing.T) {
	for _, c := range []struct {
		axis          string
		first, second int32 // counts
		want          float64
		fault         bool
	}{
		{"throttle", 500, 550, 0.5, false}, // 0.50 and 0.50
		{"throttle", 500, 480, 0.5, false}, // 0.50 and 0.58
		{"throttle", 800, 820, 0.2, true},
		{"throttle", 0, 100, 0, true},
		{"brake", 0, 100, 1, true},
		{"brake", 800, 820, 0.8, true},
		{"clutch", 200, 550, 0.5, true},
		{"handbrake", 1000, 1000, 0, true},
	} {
		d := newJudged(t, c.axis)
		p := axis.Index(c.axis)
		for part := range int32(50) { // as a foot moves, in 50 ms
			d.report(uint16(p), c.first*(part+1)/50)
			d.report(evdev.AbsRY, 1000+(c.second-1000)*(part+1)/50)
			d.step(1)
		}
		if fault := d.step(40); fault || d.v[p] < c.want-1e-3 || d.v[p] > c.want+1e-3 {
			t.Errorf("%s at %d and %d: %g, fault %v at once; want %g", c.axis, c.first, c.second, d.v[p], fault, c.want)
		}
		if fault := d.step(100); fault != c.fault || c.fault != (len(d.notes()) == 1) {
			t.Errorf("%s at %d and %d: fault %v, %q after 0.1 s", c.axis, c.first, c.second, fault, d.notes())
		}
	}
}

func TestChecksThatCannotBe(t *testing.T) {
	for _, c := range []struct {
		list Checks
		says string
	}{
		{Checks{{Axis: "gas", Code: "ABS_X"}}, `axis = "gas"`},
		{Checks{{Axis: "brake", Code: "ABS_X"}, {Axis: "brake", Code: "ABS_Y"}}, "second sensor already"},
		{Checks{{Axis: "brake", Code: "BTN_X"}}, "code"},
		{Checks{{Axis: "brake", Code: "ABS_X", Rest: 5, Press: 5}}, "press_counts"},
		{Checks{{Axis: "brake", Code: "ABS_X", Tolerance: 0.6}}, "tolerance"},
	} {
		if err := c.list.Validate(); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%+v: %v, want it to say %q", c.list, err, c.says)
		}
	}
	var j sensorCheck
	if err := j.configure(Checks{{Axis: "brake", Code: "ABS_RZ"}}, evdev.Info{Name: "pedals"}); err == nil {
		t.Error("an axis that the device does not have")
	}
}
