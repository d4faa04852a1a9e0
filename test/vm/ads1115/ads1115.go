// Package ads1115 emulates the I²C interface of the Texas Instruments ADS1115, an analog-to-digital
// converter with 16 bits and four inputs.
package ads1115

import (
	"encoding/binary"
	"math"
	"sync"
	"time"

	"rig.example/rig/test/vm/mono"
)

// Inputs is the number of analog inputs of the chip.
const Inputs = 4

// Registers, numbered as in the data sheet SBAS444.
const (
	conversion = iota
	config
	lowThreshold
	highThreshold
	registerCount
)

// Fields of the config register.
const (
	statusBit              = 1 << 15 // OS: when read, 1 if no conversion is running; writing 1 starts one
	muxShift               = 12
	rangeShift             = 9
	singleShot             = 1 << 8 // MODE: one conversion per start; 0: continuous conversion
	rateShift              = 5
	fieldMask              = 7      // MUX, PGA (range) and DR (rate) have three bits each
	configAtPowerOn        = 0x8583 // config register after power-on: single-shot, 2.048 V, 128 conversions per second
	lowThresholdAtPowerOn  = 0x8000 // thresholds of the comparator after power-on
	highThresholdAtPowerOn = 0x7fff
	maxCount               = 1<<15 - 1 // largest result of a conversion
	countsPerRange         = 1 << 15   // counts that correspond to the full-scale voltage
	ground                 = Inputs    // index of ground as an input of the multiplexer
)

// Chip is one converter. It is an io.ReadWriter: Write and Read are the I²C transfers to its address.
type Chip struct {
	mu            sync.Mutex
	now           func() time.Duration
	volts         [Inputs + 1]float64 // voltage of each input against ground; the last is ground itself [V]
	pointer       byte
	register      [registerCount]uint16
	conversionEnd time.Duration // time at which the running conversion ends, 0: none is running
	conversions   int
}

// New returns a chip in its state after power-on, with 0 V at all inputs.
func New() *Chip { return newChip(mono.Now) }

func newChip(now func() time.Duration) *Chip {
	return &Chip{now: now, register: [registerCount]uint16{config: configAtPowerOn, lowThreshold: lowThresholdAtPowerOn, highThreshold: highThresholdAtPowerOn}}
}

// SetVolts sets the voltage of an input, 0 to 3, against ground.
func (c *Chip) SetVolts(input int, volts float64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.volts[input] = volts
}

// Conversions returns how often the host has commanded the start of a single-shot conversion.
func (c *Chip) Conversions() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.conversions
}

// Write selects the register with the number b[0] and, if more bytes follow, writes them to it.
func (c *Chip) Write(b []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(b) > 0 {
		c.pointer = b[0] % registerCount
	}
	if len(b) >= 3 && c.pointer != conversion {
		c.writeRegister(binary.BigEndian.Uint16(b[1:]))
	}
	return len(b), nil
}

// writeRegister writes the selected register. Writing the config register can start a conversion.
func (c *Chip) writeRegister(value uint16) {
	if c.pointer != config {
		c.register[c.pointer] = value
		return
	}
	c.finishConversion() // a conversion that has ended still gets the result with the old settings
	c.register[config] = value &^ statusBit
	if value&singleShot == 0 || value&statusBit != 0 && c.conversionEnd == 0 {
		c.conversionEnd = c.now() + conversionTime(value)
	}
	if value&singleShot != 0 && value&statusBit != 0 {
		c.conversions++
	}
}

// Read fills b with the two bytes of the selected register, repeated.
func (c *Chip) Read(b []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.finishConversion()
	value := c.register[c.pointer]
	if c.pointer == config && c.conversionEnd == 0 {
		value |= statusBit
	}
	for i := range b {
		b[i] = byte(value >> (8 * (1 - i%2)))
	}
	return len(b), nil
}

// finishConversion stores the result of a conversion that has ended.
func (c *Chip) finishConversion() {
	now := c.now()
	if c.conversionEnd == 0 || now < c.conversionEnd {
		return
	}
	settings := c.register[config]
	c.register[conversion] = uint16(c.measure(settings))
	if settings&singleShot != 0 {
		c.conversionEnd = 0
		return
	}
	for step := conversionTime(settings); c.conversionEnd <= now; { // continuous mode: the end of the conversion that is running now
		c.conversionEnd += step
	}
}

// measure returns the result of a conversion with the present voltages.
func (c *Chip) measure(settings uint16) int16 {
	positive, negative := selectedInputs(settings)
	fraction := (c.volts[positive] - c.volts[negative]) / fullScaleVolts(settings)
	return int16(math.Round(math.Max(-countsPerRange, math.Min(maxCount, fraction*countsPerRange))))
}

// selectedInputs returns the two inputs whose difference the settings select.
func selectedInputs(settings uint16) (positive, negative int) {
	pairs := [8][2]int{{0, 1}, {0, 3}, {1, 3}, {2, 3}, {0, ground}, {1, ground}, {2, ground}, {3, ground}}
	p := pairs[settings>>muxShift&fieldMask]
	return p[0], p[1]
}

// fullScaleVolts returns the voltage range that the settings select [V].
func fullScaleVolts(settings uint16) float64 {
	return [8]float64{6.144, 4.096, 2.048, 1.024, 0.512, 0.256, 0.256, 0.256}[settings>>rangeShift&fieldMask]
}

// conversionTime returns the duration of a conversion at the data rate that the settings select.
func conversionTime(settings uint16) time.Duration {
	rate := [8]time.Duration{8, 16, 32, 64, 128, 250, 475, 860}[settings>>rateShift&fieldMask]
	return time.Second / rate
}
