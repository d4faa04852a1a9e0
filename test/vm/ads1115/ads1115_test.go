package ads1115

import (
	"encoding/binary"
	"testing"
	"time"
)

// clock is a clock that the test sets.
type clock struct{ now time.Duration }

func (c *clock) read() time.Duration { return c.now }

func read(c *Chip, register byte) uint16 {
	c.Write([]byte{register})
	var b [2]byte
	c.Read(b[:])
	return binary.BigEndian.Uint16(b[:])
}

func TestRegistersAfterPowerOn(t *testing.T) {
	c := newChip((&clock{}).read)
	for register, want := range []uint16{0, 0x8583, 0x8000, 0x7fff} {
		if got := read(c, byte(register)); got != want {
			t.Errorf("register %d is %#04x, want %#04x", register, got, want)
		}
	}
}

func TestCounts(t *testing.T) {
	tests := []struct {
		name   string
		config uint16
		volts  [Inputs]float64
		want   int16
	}{
		{"input 0, half of 4.096 V", 0xc383, [4]float64{2.048}, 16384},
		{"input 3, full scale and more", 0xf383, [4]float64{0, 0, 0, 5}, 32767},
		{"below ground is cut", 0xc583, [4]float64{-9}, -32768},
		{"0 against 1, 0.256 V", 0x8b83, [4]float64{1.1, 1.164}, -8192},
		{"2 against 3, 6.144 V", 0xb183, [4]float64{0, 0, 3.072}, 16384},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			at := &clock{now: 1}
			c := newChip(at.read)
			for i, v := range test.volts {
				c.SetVolts(i, v)
			}
			c.Write([]byte{1, byte(test.config >> 8), byte(test.config)})
			at.now += 8_000_000
			if got := int16(read(c, 0)); got != test.want {
				t.Errorf("count %d, want %d", got, test.want)
			}
		})
	}
}

func TestConversionTakesItsTime(t *testing.T) {
	at := &clock{now: time.Second}
	c := newChip(at.read)
	c.SetVolts(0, 1.024)
	c.Write([]byte{1, 0xc5, 0xe3}) // once, input 0, 2.048 V, 860 per second
	at.now += 1100 * time.Microsecond
	if got := read(c, 1); got != 0x45e3 {
		t.Errorf("config %#04x after 1.1 ms, want 0x45e3: busy", got)
	}
	if got := read(c, 0); got != 0 {
		t.Errorf("count %d before the conversion ends, want the old one, 0", got)
	}
	at.now += 100 * time.Microsecond // 1.163 ms are over
	if got := read(c, 1); got != 0xc5e3 {
		t.Errorf("config %#04x after 1.2 ms, want 0xc5e3: ready", got)
	}
	c.SetVolts(0, 0)
	if got := read(c, 0); got != 16384 {
		t.Errorf("count %d, want 16384, of the time of the conversion", got)
	}
	if c.Conversions() != 1 {
		t.Errorf("%d conversions, want 1", c.Conversions())
	}
}

func TestContinuousConversionFollowsTheInput(t *testing.T) {
	at := &clock{now: time.Second}
	c := newChip(at.read)
	c.Write([]byte{1, 0xc4, 0xe3})
	for i, want := range []int16{0, 8192, 16384} {
		c.SetVolts(0, float64(i)*0.512)
		at.now += 2 * time.Millisecond
		if got := int16(read(c, 0)); got != want {
			t.Errorf("count %d, want %d", got, want)
		}
	}
}

func FuzzTransfers(f *testing.F) {
	f.Add([]byte{1, 0xc5, 0xe3})
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, in []byte) {
		at := &clock{now: time.Second}
		c := newChip(at.read)
		c.Write(in)
		at.now += time.Second
		c.Read(make([]byte, 5))
	})
}
