package analog

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"periph.io/x/conn/v3/analog"

	"rig.example/rig/calib"
	"rig.example/rig/devices/axis"
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
	pot := ADC{Axis: "throttle"}.withDefaults() // 3.3 V at 4.096 V: 26400 counts, rails at 264 and 26136
	free := pot
	free.IgnoreRails = true
	bridge := ADC{Axis: "brake", Channel: "0-1", Gain: 16}.withDefaults()
	cell := ADC{Axis: "brake", Chip: chipHX711}.withDefaults()
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
			h := newSignalCheck(c.adc)
			for i, raw := range c.in {
				if got := h.check(raw); got != c.want[i] {
					t.Errorf("sample %d, %d: %v, want %v", i, raw, got, c.want[i])
				}
			}
		})
	}
}

func TestStuckIsOnlyAWarning(t *testing.T) {
	h := newSignalCheck(ADC{Chip: chipHX711, Rate: 10}.withDefaults()) // 2 s are 20 samples
	for i := range 21 {
		if got := h.check(1234); got != good {
			t.Fatalf("sample %d: %v", i, got)
		}
		if got, want := h.isStuck(), i >= 20; got != want {
			t.Errorf("sample %d: stuck %v, want %v", i, got, want)
		}
	}
	if h.check(1235); h.isStuck() {
		t.Error("stuck after a change")
	}
	pot := newSignalCheck(ADC{}.withDefaults())
	for range 10000 {
		pot.check(5)
	}
	if pot.isStuck() {
		t.Error("a potentiometer at rest is stuck")
	}
}

var twoPots = ADCs{
	{Axis: "throttle", Channel: "0", Rest: 1000, Press: 21000},
	{Axis: "brake", Channel: "1", Rest: 20000, Press: 4000},
}

func quiet() *slog.Logger { return slog.New(slog.NewTextHandler(io.Discard, nil)) }

// newSampler returns a sampler on dials instead of chips, and how often a chip was opened.
func newSampler(t *testing.T, list ADCs) (a *Sampler, dials []*dial, opened *[]time.Time) {
	t.Helper()
	a, err := New(list, axis.Shapes{}, calib.Store{}, quiet())
	if err != nil {
		t.Fatal(err)
	}
	var pins []analog.PinADC
	for _, adc := range list {
		d := &dial{raw: adc.Rest}
		dials, pins = append(dials, d), append(pins, d)
	}
	opened = new([]time.Time)
	a.open = func([]ADC) (chip, error) {
		*opened = append(*opened, time.Now())
		return chip{pins, func() error { return nil }}, nil
	}
	return a, dials, opened
}

// sampled runs a sampler of two potentiometers in a bubble of its own time.
func sampled(t *testing.T, test func(t *testing.T, a *Sampler, dials []*dial)) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		a, dials, _ := newSampler(t, twoPots)
		done := make(chan error, 1)
		go func() { done <- a.Run(ctx) }()
		time.Sleep(350 * time.Millisecond) // at rest
		test(t, a, dials)
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}

const (
	throttle = 1 << axis.Throttle
	brake    = 1 << axis.Brake
)

// expect compares what the loop gets now of two potentiometers.
func expect(t *testing.T, when string, a *Sampler, fresh uint32, throttleAt, brakeAt float64) {
	t.Helper()
	var c axis.Readings
	a.Read(&c, a.Now())
	if math.Abs(c.Position[axis.Throttle]-throttleAt) > 1e-5 || math.Abs(c.Position[axis.Brake]-brakeAt) > 1e-5 || c.Assigned != throttle|brake || c.Valid != fresh {
		t.Errorf("%s: %+v, want throttle %g, brake %g, fresh %02b", when, c, throttleAt, brakeAt, fresh)
	}
}

func TestAnalogPedalsAreRead(t *testing.T) {
	sampled(t, func(t *testing.T, a *Sampler, dials []*dial) {
		expect(t, "at rest", a, throttle|brake, 0, 0)
		dials[0].turn(11000, nil)
		dials[1].turn(8000, nil)
		time.Sleep(20 * time.Millisecond)
		expect(t, "pressed", a, throttle|brake, 0.5, 0.75)
		for _, s := range a.Status() {
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
		fresh    uint32 // and where they are
		gas, brk float64
		says     string
	}{
		{"the throttle's wire breaks", func(d *dial) { d.turn(0, nil) }, func(d *dial) { d.turn(20000, nil) }, brake, 0, 0, "broken wire"},
		{"it breaks while braking", func(d *dial) { d.turn(0, nil) }, func(d *dial) { d.turn(12000, nil) }, brake, 0, 0.5, "broken wire"},
		{"the brake's wire breaks", func(d *dial) { d.turn(21000, nil) }, func(d *dial) { d.turn(26399, nil) }, throttle, 1, 0, "broken wire"},
		{"the bus does not answer", func(d *dial) { d.turn(21000, silent) }, func(d *dial) { d.turn(20000, silent) }, 0, 0, 0, "remote I/O error"},
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			sampled(t, func(t *testing.T, a *Sampler, dials []*dial) {
				dials[0].turn(21000, nil)
				time.Sleep(100 * time.Millisecond)
				expect(t, "before", a, throttle|brake, 1, 0)
				c.throttle(dials[0])
				c.brake(dials[1])
				time.Sleep(35 * time.Millisecond) // three samples, and less than what makes a value stale
				expect(t, "after", a, c.fresh, c.gas, c.brk)
				said := false
				for _, s := range a.Status() {
					said = said || strings.Contains(s.Problem, c.says)
				}
				if !said {
					t.Errorf("status %+v, want it to say %q", a.Status(), c.says)
				}
				dials[0].turn(1000, nil)
				dials[1].turn(20000, nil)
				time.Sleep(time.Second)
				dials[0].turn(21000, nil)
				time.Sleep(100 * time.Millisecond)
				expect(t, "afterwards", a, throttle|brake, 1, 0)
			})
		})
	}
}

// A pedal on a converter counts once it was at rest for 0.3 s; one that starts at its pressed end looks as one whose ends are
// exchanged.
func TestAnAnalogPedalCountsOnceItWasAtRest(t *testing.T) {
	for _, c := range []struct {
		start int32
		fresh uint32 // after it was let go
		says  string // before
	}{
		{1000, throttle | brake, ""}, {9000, throttle | brake, "throttle: it counts once no pedal of its device is pressed"}, {21000, brake, "its ends are exchanged"},
	} {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			a, dials, _ := newSampler(t, twoPots)
			dials[0].turn(c.start, nil)
			done := make(chan error, 1)
			go func() { done <- a.Run(ctx) }()
			time.Sleep(200 * time.Millisecond)
			expect(t, "too early", a, 0, 0, 0)
			if says := a.Status()[0].Problem; c.says != "" && !strings.Contains(says, c.says) {
				t.Errorf("at %d: %q", c.start, says)
			}
			dials[0].turn(1000, nil)
			time.Sleep(400 * time.Millisecond)
			expect(t, "let go", a, c.fresh, 0, 0)
			dials[0].turn(11000, nil)
			time.Sleep(400 * time.Millisecond)
			expect(t, "pressed", a, c.fresh, 0.5*float64(c.fresh&throttle), 0)
			cancel()
			if err := <-done; err != nil {
				t.Error(err)
			}
		})
	}
}

// A chip that stays away is asked ever more rarely.
func TestAnalogReopensWithBackoff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		a, _, opened := newSampler(t, twoPots)
		a.open = func([]ADC) (chip, error) {
			*opened = append(*opened, time.Now())
			return chip{}, errors.New("no such bus")
		}
		done := make(chan error, 1)
		go func() { done <- a.Run(ctx) }()
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
func TestAnOldValueIsReleased(t *testing.T) {
	const now = time.Second
	a, _, _ := newSampler(t, append(ADCs{{Axis: "clutch", Channel: "2", Press: 10}}, twoPots...))
	a.channels[axis.Throttle].newest.put(0.5, now-49*time.Millisecond) // the limit is 50 ms
	a.channels[axis.Brake].newest.put(0.5, now-51*time.Millisecond)    // and the clutch was never sampled
	var c axis.Readings
	a.Read(&c, now)
	if math.Abs(c.Position[axis.Throttle]-0.5) > 1e-5 || c.Position[axis.Brake] != 0 || c.Position[axis.Clutch] != 0 || c.Assigned != 1<<axis.Clutch|throttle|brake || c.Valid != throttle {
		t.Errorf("%+v, want the throttle at 0.5 alone", c)
	}
}

// A bus whose number passes to another adapter, when that of the pedals is unplugged, is not sampled.
func TestAnotherAdapterUnderTheBussNumberIsNotSampled(t *testing.T) {
	a, _, opened := newSampler(t, twoPots)
	a.root = t.TempDir()
	class := filepath.Join(a.root, "sys/class/i2c-dev/i2c-1")
	plug := func(usbPort string) {
		device := filepath.Join(a.root, "sys/devices/usb1", usbPort)
		_ = os.Remove(filepath.Join(class, "device"))
		if err := errors.Join(os.MkdirAll(device, 0o700), os.WriteFile(filepath.Join(device, "idVendor"), []byte("10c4\n"), 0o600),
			os.MkdirAll(class, 0o700), os.Symlink(device, filepath.Join(class, "device"))); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for i, tt := range []struct {
		usbPort string
		opens   int
	}{{"1-1", 1}, {"1-2", 1}, {"1-1", 2}} {
		plug(tt.usbPort)
		_, err := a.sampleChip(ctx, a.chips[0])
		if len(*opened) != tt.opens || (i == 1) != (err != nil && strings.Contains(err.Error(), "is another device now (at USB port 1-2)")) {
			t.Errorf("at %s: opened %d times, %v", tt.usbPort, len(*opened), err)
		}
	}
}
