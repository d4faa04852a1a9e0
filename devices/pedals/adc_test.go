package pedals

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"math"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"periph.io/x/conn/v3/analog"

	"rig.example/rig/calib"
	"rig.example/rig/internal/axis"
)

// dial is a pin whose counts tests set. It implements analog.PinADC.
type dial struct {
	analog.PinADC
	mu  sync.Mutex
	raw int32
	err error
}

func (d *dial) Read() (analog.Sample, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return analog.Sample{Raw: d.raw}, d.err
}

func (d *dial) turn(raw int32, err error) {
	d.mu.Lock()
	d.raw, d.err = raw, err
	d.mu.Unlock()
}

func TestNewestKeepsValueAndTime(t *testing.T) {
	var n newest
	if _, _, ok := n.get(time.Second); ok {
		t.Error("there is a value before the first")
	}
	for _, v := range []float64{0, 0.25, 1} {
		n.put(v, 1500*time.Microsecond)
		got, age, ok := n.get(2 * time.Millisecond)
		if !ok || math.Abs(got-v) > 1e-6 || age != 500*time.Microsecond {
			t.Errorf("put %g: %g, %v old, %v", v, got, age, ok)
		}
	}
	n.put(0, 0)
	if _, _, ok := n.get(0); !ok {
		t.Error("a value at time 0 is none")
	}
	n.put(0.5, 200*24*time.Hour)
	if v, age, _ := n.get(200*24*time.Hour + time.Second); math.Abs(v-0.5) > 1e-6 || age != time.Second {
		t.Errorf("after 200 days: %g, %v old", v, age)
	}
	if _, age, _ := n.get(0); age != 0 {
		t.Errorf("sampled after the loop looked at its clock: %v old, want 0", age)
	}
	n.clear()
	if _, _, ok := n.get(time.Second); ok {
		t.Error("there is a value after clear")
	}
}

func TestHealth(t *testing.T) {
	pot := ADC{Axis: "throttle"}.settled() // 3.3 V at 4.096 V: 26400 counts, rails at 264 and 26136
	free := pot
	free.IgnoreRails = true
	bridge := ADC{Axis: "brake", Channel: "0-1", Gain: 16}.settled()
	cell := ADC{Axis: "brake", Chip: chip711}.settled()
	tests := []struct {
		name string
		adc  ADC
		in   []int32
		want []verdict
	}{
		{"in between", pot, []int32{265, 26135}, []verdict{good, good}},
		{"one spike to ground", pot, []int32{9000, 0, 9000}, []verdict{good, suspect, good}},
		{"a broken wire", pot, []int32{9000, 0, 3, 264, 0}, []verdict{good, suspect, suspect, broken, broken}},
		{"a short to the supply", pot, []int32{26400, 26400, 26400}, []verdict{suspect, suspect, broken}},
		{"a contact that comes back", pot, []int32{0, 0, 0, 9, 9000, 9000, 9000, 9000, 9000, 9000, 9000, 9000, 9000, 9000},
			[]verdict{suspect, suspect, broken, broken, broken, broken, broken, broken, broken, broken, broken, broken, broken, good}},
		{"a wiper that reaches ground", free, []int32{0, -3, 26400}, []verdict{good, good, good}},
		{"saturated all the same", free, []int32{32752, 32767, 32767}, []verdict{suspect, suspect, broken}},
		{"a bridge at 0", bridge, []int32{0, -5, 0}, []verdict{good, good, good}},
		{"a bridge cut", bridge, []int32{-32768, -32768, -32768}, []verdict{suspect, suspect, broken}},
		{"HX711 cut", cell, []int32{8388607, 8388607, 8388607}, []verdict{suspect, suspect, broken}},
		{"HX711 near the end", cell, []int32{8388606, -8388607}, []verdict{good, good}},
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			h := newHealth(c.adc)
			for i, raw := range c.in {
				if got := h.judge(raw); got != c.want[i] {
					t.Errorf("sample %d, %d: %v, want %v", i, raw, got, c.want[i])
				}
			}
		})
	}
}

func TestStuckIsOnlyAWarning(t *testing.T) {
	h := newHealth(ADC{Chip: chip711, Rate: 10}.settled()) // 2 s are 20 samples
	for i := range 21 {
		if got := h.judge(1234); got != good {
			t.Fatalf("sample %d: %v", i, got)
		}
		if got, want := h.stuck(), i >= 20; got != want {
			t.Errorf("sample %d: stuck %v, want %v", i, got, want)
		}
	}
	if h.judge(1235); h.stuck() {
		t.Error("stuck after a change")
	}
	pot := newHealth(ADC{}.settled())
	for range 10000 {
		pot.judge(5)
	}
	if pot.stuck() {
		t.Error("a potentiometer at rest is stuck")
	}
}

var twoPots = ADCs{
	{Axis: "throttle", Channel: "0", Rest: 1000, Press: 21000},
	{Axis: "brake", Channel: "1", Rest: 20000, Press: 4000},
}

func quiet() *slog.Logger { return slog.New(slog.NewTextHandler(io.Discard, nil)) }

// newOthers returns others on dials instead of chips, and how often a chip was opened.
func newOthers(t *testing.T, list ADCs, shapes axis.Shapes) (o *Others, dials []*dial, opened *[]time.Time) {
	t.Helper()
	o, err := NewOthers(OthersConfig{ADC: list, Shape: shapes, Shifter: DefaultShifter()}, calib.Store{}, tick, quiet())
	if err != nil {
		t.Fatal(err)
	}
	var pins []analog.PinADC
	for _, a := range list {
		d := &dial{raw: a.Rest}
		dials, pins = append(dials, d), append(pins, d)
	}
	opened = new([]time.Time)
	o.Analog.open = func([]ADC) (chip, error) {
		*opened = append(*opened, time.Now())
		return chip{pins, func() error { return nil }}, nil
	}
	return o, dials, opened
}

// sampled runs o in a bubble of its own time.
func sampled(t *testing.T, list ADCs, test func(t *testing.T, o *Others, dials []*dial, opened *[]time.Time)) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		o, dials, opened := newOthers(t, list, axis.Shapes{})
		done := make(chan error, 1)
		go func() { done <- o.Run(ctx) }()
		time.Sleep(50 * time.Millisecond)
		test(t, o, dials, opened)
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}

func near(a, b Sample) bool {
	return math.Abs(a.Throttle-b.Throttle) < 1e-5 && math.Abs(a.Brake-b.Brake) < 1e-5 &&
		math.Abs(a.Clutch-b.Clutch) < 1e-5 && math.Abs(a.Handbrake-b.Handbrake) < 1e-5 && a.Present == b.Present
}

// read returns what the loop gets where Pedals find from.
func read(o *Others, from Sample) Sample {
	var l LeverSample
	o.Overlay(&from, &l)
	return from
}

func TestAnalogPedalsAreRead(t *testing.T) {
	sampled(t, twoPots, func(t *testing.T, o *Others, dials []*dial, _ *[]time.Time) {
		if got := read(o, absent); !near(got, Sample{Present: true}) {
			t.Errorf("at rest %+v", got)
		}
		dials[0].turn(11000, nil)
		dials[1].turn(8000, nil)
		time.Sleep(20 * time.Millisecond)
		if got := read(o, absent); !near(got, Sample{Throttle: 0.5, Brake: 0.75, Present: true}) {
			t.Errorf("pressed %+v", got)
		}
		for _, s := range o.Analog.Status() {
			if !s.Present || s.Problem != "" || s.Age > 20*time.Millisecond {
				t.Errorf("%+v", s)
			}
		}
	})
}

func TestAnalogPedalsThatFail(t *testing.T) {
	silent := errors.New("remote I/O error")
	tests := []struct {
		name     string
		throttle func(*dial)
		brake    func(*dial)
		want     Sample
		says     string
	}{
		{"the throttle's wire breaks", func(d *dial) { d.turn(0, nil) }, func(d *dial) { d.turn(20000, nil) }, Sample{Brake: 0.2}, "broken wire"},
		{"it breaks while braking", func(d *dial) { d.turn(0, nil) }, func(d *dial) { d.turn(12000, nil) }, Sample{Brake: 0.5}, "broken wire"},
		{"the brake's wire breaks", func(d *dial) { d.turn(21000, nil) }, func(d *dial) { d.turn(26399, nil) }, Sample{Brake: 0.2}, "broken wire"},
		{"the bus does not answer", func(d *dial) { d.turn(21000, silent) }, func(d *dial) { d.turn(20000, silent) }, Sample{Brake: 0.2}, "remote I/O error"},
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			sampled(t, twoPots, func(t *testing.T, o *Others, dials []*dial, _ *[]time.Time) {
				dials[0].turn(21000, nil)
				time.Sleep(100 * time.Millisecond)
				if got := read(o, absent); !near(got, Sample{Throttle: 1, Present: true}) {
					t.Fatalf("before %+v", got)
				}
				c.throttle(dials[0])
				c.brake(dials[1])
				time.Sleep(35 * time.Millisecond) // three samples, and less than what makes a value stale
				if got := read(o, absent); !near(got, c.want) {
					t.Errorf("after %+v, want %+v", got, c.want)
				}
				said := false
				for _, s := range o.Analog.Status() {
					said = said || strings.Contains(s.Problem, c.says)
				}
				if !said {
					t.Errorf("status %+v, want it to say %q", o.Analog.Status(), c.says)
				}
				dials[0].turn(21000, nil)
				dials[1].turn(20000, nil)
				time.Sleep(time.Second)
				if got := read(o, absent); !near(got, Sample{Throttle: 1, Present: true}) {
					t.Errorf("afterwards %+v", got)
				}
			})
		})
	}
}

// A chip that stays away is asked ever more rarely.
func TestAnalogReopensWithBackoff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		o, _, opened := newOthers(t, twoPots, axis.Shapes{})
		o.Analog.open = func([]ADC) (chip, error) {
			*opened = append(*opened, time.Now())
			return chip{}, errors.New("no such bus")
		}
		done := make(chan error, 1)
		go func() { done <- o.Run(ctx) }()
		time.Sleep(20 * time.Second)
		cancel()
		<-done
		want := []time.Duration{0, 100, 300, 700, 1500, 3100, 6300, 11300, 16300} // [ms]
		for i, at := range *opened {
			if got := at.Sub((*opened)[0]) / time.Millisecond; i >= len(want) || got != want[i] {
				t.Errorf("attempt %d after %d ms, want %v", i, got, want)
			}
		}
		if len(*opened) != len(want) {
			t.Errorf("%d attempts, want %d", len(*opened), len(want))
		}
	})
}

// A value that is not renewed stops counting by itself, whatever the sampler does.
func TestOverlay(t *testing.T) {
	const now = time.Second
	fresh, old := now-10*time.Millisecond, now-51*time.Millisecond // the limit is 50 ms
	type at map[string]time.Duration
	found := Sample{Throttle: 0.7, Brake: 0.1, Clutch: 0.4, Handbrake: 0.3, Present: true}
	tests := []struct {
		name string
		at   at // sampled at 0.5 then
		base Sample
		want Sample
	}{
		{"throttle and brake", at{"throttle": fresh, "brake": fresh}, absent, Sample{Throttle: 0.5, Brake: 0.5, Present: true}},
		{"an old throttle", at{"throttle": old, "brake": fresh}, absent, Sample{Brake: 0.5}},
		{"an old brake", at{"throttle": fresh, "brake": old}, absent, Sample{Brake: 0.2}},
		{"never sampled", at{"throttle": 0, "brake": 0}, absent, Sample{Brake: 0.2}},
		{"a brake beside other pedals", at{"brake": fresh}, found, Sample{Throttle: 0.7, Brake: 0.5, Clutch: 0.4, Handbrake: 0.3, Present: true}},
		{"its old value", at{"brake": old}, found, Sample{Brake: 0.2, Clutch: 0.4, Handbrake: 0.3, Present: true}},
		{"the others are gone", at{"brake": fresh}, absent, Sample{Brake: 0.5}},
		{"a throttle whose brake is gone", at{"throttle": fresh}, absent, Sample{Brake: 0.2}},
		{"clutch and handbrake", at{"clutch": fresh, "handbrake": fresh}, found, Sample{Throttle: 0.7, Brake: 0.1, Clutch: 0.5, Handbrake: 0.5, Present: true}},
		{"both old", at{"clutch": old, "handbrake": old}, found, Sample{Throttle: 0.7, Brake: 0.1, Present: true}},
		{"nothing else", at{}, found, found},
		{"nothing at all", at{}, absent, absent},
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			var list ADCs
			for name := range c.at {
				list = append(list, ADC{Axis: name, Channel: "0", Rest: 0, Press: 10})
			}
			o, _, _ := newOthers(t, list, axis.Shapes{})
			for i, x := range o.Analog.axes {
				if x != nil && c.at[axis.Names[i]] != 0 {
					x.newest.put(0.5, c.at[axis.Names[i]])
				}
			}
			got, levers := c.base, LeverSample{}
			o.overlay(&got, &levers, now)
			if !near(got, c.want) || levers != (LeverSample{}) {
				t.Errorf("got %+v, want %+v; levers %+v", got, c.want, levers)
			}
		})
	}
}

func TestOverlayAllocatesNothing(t *testing.T) {
	o, _, _ := newOthers(t, twoPots, axis.Shapes{})
	var s Sample
	var l LeverSample
	if n := testing.AllocsPerRun(100, func() { o.Overlay(&s, &l) }); n != 0 {
		t.Errorf("%g allocations", n)
	}
}

func BenchmarkOverlay(b *testing.B) {
	o, err := NewOthers(OthersConfig{ADC: twoPots}, calib.Store{}, tick, quiet())
	if err != nil {
		b.Fatal(err)
	}
	var s Sample
	var l LeverSample
	for b.Loop() {
		o.Overlay(&s, &l)
	}
}
