// Package ads1115 emulates the Texas Instruments ADS1115, an analogue-to-digital
// converter of 16 bits and four inputs, at its I²C bus.
package ads1115

import (
	"encoding/binary"
	"math"
	"sync"
	"time"

	"rig.example/rig/test/vm/mono"
)

// Inputs is how many inputs the chip has.
const Inputs = 4

// Registers, as the data sheet SBAS444 numbers them.
const (
	conversion = iota
	config
	lowThreshold
	highThreshold
	registers
)

// Fields of the config register.
const (
	ready       = 1 << 15 // read: no conversion under way; written: begin one
	muxShift    = 12
	rangeShift  = 9
	single      = 1 << 8 // convert once; else all the time
	rateShift   = 5
	field       = 7      // each of mux, range and rate has three bits
	powerOn     = 0x8583 // config after power on: single, 2.048 V, 128 per second
	lowAtStart  = 0x8000 // thresholds of the comparator
	highAtStart = 0x7fff
	fullScale   = 1<<15 - 1 // largest count
	resolution  = 1 << 15   // counts of the range's voltage
	ground      = Inputs    // as an input of the multiplexer
)

// Chip is one converter. It is an io.ReadWriter: Write and Read are the
// transfers that a bus addresses to it.
type Chip struct {
	mu          sync.Mutex
	now         func() time.Duration
	volts       [Inputs + 1]float64 // the last is ground
	pointer     byte
	register    [registers]uint16
	done        time.Duration // when the conversion under way ends
	conversions int
}

// New returns a chip as after power on, with 0 V at all inputs.
func New() *Chip { return newChip(mono.Now) }

func newChip(now func() time.Duration) *Chip {
	return &Chip{now: now, register: [registers]uint16{config: powerOn, lowThreshold: lowAtStart, highThreshold: highAtStart}}
}

// SetVolts puts a voltage against ground on an input, 0 to 3.
func (c *Chip) SetVolts(input int, volts float64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.volts[input] = volts
}

// Conversions is how many the host has started one by one.
func (c *Chip) Conversions() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.conversions
}

// Write takes the number of a register and, if more bytes follow, its value.
func (c *Chip) Write(b []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(b) > 0 {
		c.pointer = b[0] % registers
	}
	if len(b) >= 3 && c.pointer != conversion {
		c.set(binary.BigEndian.Uint16(b[1:]))
	}
	return len(b), nil
}

// set writes the register the pointer is at.
func (c *Chip) set(value uint16) {
	if c.pointer != config {
		c.register[c.pointer] = value
		return
	}
	c.finish() // by the old settings
	c.register[config] = value &^ ready
	if value&single == 0 || value&ready != 0 && c.done == 0 {
		c.done = c.now() + period(value)
	}
	if value&single != 0 && value&ready != 0 {
		c.conversions++
	}
}

// Read gives the register the pointer is at, again and again.
func (c *Chip) Read(b []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.finish()
	value := c.register[c.pointer]
	if c.pointer == config && c.done == 0 {
		value |= ready
	}
	for i := range b {
		b[i] = byte(value >> (8 * (1 - i%2)))
	}
	return len(b), nil
}

// finish takes the result of a conversion that has ended.
func (c *Chip) finish() {
	now := c.now()
	if c.done == 0 || now < c.done {
		return
	}
	settings := c.register[config]
	c.register[conversion] = uint16(c.count(settings))
	if settings&single != 0 {
		c.done = 0
		return
	}
	for step := period(settings); c.done <= now; { // the next of many is under way
		c.done += step
	}
}

// count is what the chosen inputs come to now.
func (c *Chip) count(settings uint16) int16 {
	plus, minus := inputs(settings)
	part := (c.volts[plus] - c.volts[minus]) / span(settings)
	return int16(math.Round(math.Max(-resolution, math.Min(fullScale, part*resolution))))
}

// inputs are the two whose difference is measured.
func inputs(settings uint16) (plus, minus int) {
	pairs := [8][2]int{{0, 1}, {0, 3}, {1, 3}, {2, 3}, {0, ground}, {1, ground}, {2, ground}, {3, ground}}
	p := pairs[settings>>muxShift&field]
	return p[0], p[1]
}

// span is the voltage of full scale [V].
func span(settings uint16) float64 {
	return [8]float64{6.144, 4.096, 2.048, 1.024, 0.512, 0.256, 0.256, 0.256}[settings>>rangeShift&field]
}

// period is how long a conversion takes.
func period(settings uint16) time.Duration {
	rate := [8]time.Duration{8, 16, 32, 64, 128, 250, 475, 860}[settings>>rateShift&field]
	return time.Second / rate
}
