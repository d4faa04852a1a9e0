package analog

import (
	"encoding/binary"
	"errors"
	"strings"
	"testing"
	"testing/fstest"
	"testing/synctest"
	"time"

	"periph.io/x/conn/v3/gpio"
	"periph.io/x/conn/v3/i2c/i2ctest"
	"periph.io/x/conn/v3/physic"
)

// What goes over the wire for channel 1 at gain 2 and 860 Hz, from the register
// tables of SBAS444: single shot, input 101, range 010, rate 111, no comparator.
func TestADSOnTheWire(t *testing.T) {
	bus := &i2ctest.Playback{Ops: []i2ctest.IO{
		{Addr: 0x49, W: []byte{0x01, 0xd5, 0xe3}},
		{Addr: 0x49, W: []byte{0x01}, R: []byte{0x55, 0xe3}}, // still converting
		{Addr: 0x49, W: []byte{0x01}, R: []byte{0xd5, 0xe3}},
		{Addr: 0x49, W: []byte{0x00}, R: []byte{0x12, 0x34}},
	}}
	pins, err := adsPins(bus, []ADC{ADC{Axis: "brake", Address: 0x49, Channel: "1", Gain: 2, Rate: 400}.withDefaults()})
	if err != nil {
		t.Fatal(err)
	}
	s, err := pins[0].Read()
	if err != nil || s.Raw != 0x1234 {
		t.Errorf("got %#x, %v; want 0x1234", s.Raw, err)
	}
	if err := bus.Close(); err != nil {
		t.Error(err)
	}
}

// slowADS is an ADS1115 whose clock is slow. Each channel reads 1000 times its number.
type slowADS struct {
	takes     time.Duration
	config    uint16
	began     time.Time
	published uint16 // conversion register
}

func (a *slowADS) String() string                  { return "slow" }
func (a *slowADS) SetSpeed(physic.Frequency) error { return nil }

func (a *slowADS) Tx(_ uint16, w, r []byte) error {
	if len(w) == 3 {
		a.config, a.began = binary.BigEndian.Uint16(w[1:]), time.Now()
		return nil
	}
	done := time.Since(a.began) >= a.takes
	if done {
		a.published = (a.config >> 12 & 3) * 1000
	}
	switch {
	case w[0] == adsConversion:
		binary.BigEndian.PutUint16(r, a.published)
	case done:
		binary.BigEndian.PutUint16(r, a.config|0x8000)
	default:
		binary.BigEndian.PutUint16(r, a.config&^0x8000)
	}
	return nil
}

// A chip that is slower than its name promises never gives one pedal's counts to another.
func TestSlowConversionIsWaitedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		axes := []ADC{
			ADC{Axis: "throttle", Channel: "1", Rate: 250}.withDefaults(),
			ADC{Axis: "brake", Channel: "2", Rate: 250}.withDefaults(),
		}
		pins, err := adsPins(&slowADS{takes: 4 * time.Millisecond}, axes)
		if err != nil {
			t.Fatal(err)
		}
		for range 3 {
			for i, want := range []int32{1000, 2000} {
				if s, err := pins[i].Read(); err != nil || s.Raw != want {
					t.Errorf("%s: %d, %v; want %d", axes[i].Axis, s.Raw, err, want)
				}
			}
		}
		pins, err = adsPins(&slowADS{takes: time.Hour}, axes)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := pins[0].Read(); !errors.Is(err, errBusy) {
			t.Errorf("a conversion without end gives %v", err)
		}
	})
}

// meddled is a chip that another program sets to input 3 whenever a conversion begins.
type meddled struct{ *slowADS }

func (m meddled) Tx(address uint16, w, r []byte) error {
	err := m.slowADS.Tx(address, w, r)
	if len(w) == 3 {
		m.config |= 0x3000
	}
	return err
}

func TestAnotherProgramsConversionIsNotBelieved(t *testing.T) {
	pins, err := adsPins(meddled{&slowADS{}}, []ADC{ADC{Axis: "throttle", Channel: "1"}.withDefaults()})
	if err != nil {
		t.Fatal(err)
	}
	if s, err := pins[0].Read(); !errors.Is(err, errReconfigured) {
		t.Errorf("got %d, %v; want %v", s.Raw, err, errReconfigured)
	}
}

func TestALineIsHeldOnce(t *testing.T) {
	const self = "a-program-with-a-long-name-indeed@1234567"
	for _, c := range []struct {
		name, consumer string
		free           bool
	}{
		{"nobody's", "", true},
		{"another program's", "gpiomon", true},
		{"ours", self, false},
		{"ours, as the kernel cuts it", self[:31], false},
	} {
		if err := refuseUsedLine("GPIO17", c.consumer, self); (err == nil) != c.free {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func FuzzFindBus(f *testing.F) {
	for _, s := range []string{"1", "/dev/i2c-1", "i2c-99999999999", "CP2112", "", "i2c-i2c-1", "-1"} {
		f.Add(s, "CP2112 SMBus Bridge on hidraw0")
	}
	f.Fuzz(func(t *testing.T, selector, name string) {
		class := fstest.MapFS{"i2c-7/name": {Data: []byte(name)}}
		n, err := findBus(class, selector)
		if named, ok := busNumber(selector); err == nil && n != 7 && !(ok && n == named) || n < 0 || n > 1<<16 {
			t.Fatalf("%q is bus %d, %v", selector, n, err)
		}
	})
}

func TestFindBus(t *testing.T) {
	class := fstest.MapFS{
		"i2c-1/name": {Data: []byte("bcm2835 (i2c@7e804000)\n")},
		"i2c-7/name": {Data: []byte("CP2112 SMBus Bridge on hidraw0\n")},
		"i2c-8/name": {Data: []byte("CP2112 SMBus Bridge on hidraw1\n")},
	}
	tests := []struct {
		selector string
		want     int
		says     string
	}{
		{"3", 3, ""}, {"i2c-4", 4, ""}, {"/dev/i2c-5", 5, ""},
		{"bcm2835", 1, ""}, {"cp2112 smbus bridge on hidraw1", 8, ""},
		{"CP2112", 0, "2 I2C adapters match"},
		{"absent", 0, "no I2C adapter matches"},
	}
	for _, c := range tests {
		got, err := findBus(class, c.selector)
		if got != c.want || (err == nil) != (c.says == "") || err != nil && !strings.Contains(err.Error(), c.says) {
			t.Errorf("%q: %d, %v; want %d, %q", c.selector, got, err, c.want, c.says)
		}
	}
}

func FuzzParseLine(f *testing.F) {
	for _, s := range []string{"gpiochip0:5", "GPIO17", "gpiochip0:", ":", "gpiochip0:-1", "a:1", ""} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		name, number, err := parseLine(s)
		if err == nil && (name == "" || number < -1 || number > 1023 || number >= 0 && !strings.HasPrefix(name, "gpiochip")) {
			t.Fatalf("%q is %q, %d", s, name, number)
		}
	})
}

// amplifier is an HX711 on two pins: it shifts value out at the clock's rising edges.
type amplifier struct {
	value   int32
	pulses  int
	absent  bool // the data line is pulled up, and nobody pulls it down
	shorted bool // the data line is at ground
	ready   time.Time
	pulled  gpio.Pull
}

type clockPin struct {
	gpio.PinIO
	a *amplifier
}

func (c clockPin) Out(l gpio.Level) error {
	if l {
		c.a.pulses++
	} else if c.a.pulses >= 25 && c.a.value != 0 {
		c.a.ready = time.Now().Add(3 * time.Millisecond)
	}
	return nil
}

type dataPin struct {
	gpio.PinIO
	a *amplifier
}

func (d dataPin) In(p gpio.Pull, e gpio.Edge) error {
	if e != gpio.NoEdge {
		return errors.New("no edges here")
	}
	d.a.pulled = p
	return nil
}

func (d dataPin) Read() gpio.Level {
	a := d.a
	switch {
	case a.absent:
		return gpio.High
	case a.shorted:
		return gpio.Low
	case a.pulses >= 25 && time.Now().After(a.ready):
		a.pulses = 0
	case a.pulses >= 25:
		return gpio.High
	}
	if a.pulses == 0 {
		return gpio.Low
	}
	return a.value>>(24-a.pulses)&1 == 1
}

func TestHX711(t *testing.T) {
	tests := []struct {
		name string
		a    amplifier
		want int32
		err  error
	}{
		{"positive", amplifier{value: 0x123456}, 0x123456, nil},
		{"negative", amplifier{value: -5}, -5, nil},
		{"saturated", amplifier{value: -1 << 23}, -1 << 23, nil},
		{"no chip, line high", amplifier{absent: true}, 0, errStaysHigh},
		{"no chip, line low", amplifier{shorted: true}, 0, errStaysLow},
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				a := c.a
				cell, err := newLoadCell(clockPin{gpio.INVALID, &a}, dataPin{gpio.INVALID, &a}, ADC{Chip: chipHX711, Rate: 80}.withDefaults())
				if err == nil {
					for range 3 {
						s, e := cell.Read()
						if e == nil && s.Raw != c.want {
							t.Errorf("got %d, want %d", s.Raw, c.want)
						}
						err = e
					}
				}
				if !errors.Is(err, c.err) {
					t.Errorf("got %v, want %v", err, c.err)
				}
				if a.pulled != gpio.PullUp {
					t.Errorf("pulled %v, want up", a.pulled)
				}
			})
		})
	}
}
