package analog

import (
	"cmp"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"periph.io/x/devices/v3/ads1x15"
	"periph.io/x/devices/v3/hx711"

	"rig.example/rig/devices/axis"
	"rig.example/rig/internal/kit/valid"
)

// ADC is one pedal on an analog converter. Every key that is left out, or 0,
// takes its default.
type ADC struct {
	Axis string `toml:"axis" oneof:"throttle,brake,clutch,handbrake"` // pedal on this input
	Chip string `toml:"chip"`                                         // `ads1115`, `ads1015` or `hx711`; empty is `ads1115`

	// I²C bus: a number, `/dev/i2c-1`, or part of the adapter's name, such as `CP2112`. Use the name for a USB
	// adapter, because its number changes
	Bus     string `toml:"bus"`
	Address int    `toml:"address"` // I²C address, 0x48 to 0x4b; 0 is 0x48
	// ADS: `0` to `3`, or the difference `0-1`, `0-3`, `1-3`, `2-3`; empty is `0`. HX711: `a` or `b`; empty is
	// `a`
	Channel string `toml:"channel"`

	Clock string `toml:"clock_line"` // HX711: GPIO line at PD_SCK, as `gpiochip0:5` or a line's name
	Data  string `toml:"data_line"`  // HX711: GPIO line at DOUT, as `gpiochip0:6` or a line's name

	// ADS: 0.667, 1, 2, 4, 8, 16 for a full scale of ±6.144, 4.096, 2.048, 1.024, 0.512, 0.256 V. HX711: 128 or
	// 64 on `a`, 32 on `b`. 0 means 1 for an ADS and 128 for an HX711
	Gain float64 `toml:"gain" range:"0 (by the chip) or 0.667 or 1 or 2 or 4 or 8 or 16 or 32 or 64 or 128" valid:"-"`
	// samples per second of this axis, the same for all axes of one chip. HX711: 10, or 80 if its RATE pin is
	// high. 0 means 100 for an ADS and 10 for an HX711
	Rate float64 `toml:"rate_hz" range:"0 (by the chip) or 5..3300" valid:"-"`

	Rest  int32 `toml:"rest_counts"`  // value when released; a calibration profile overrides it
	Press int32 `toml:"press_counts"` // value when fully pressed, which may be below `rest_counts`

	Supply      float64 `toml:"supply_v" range:"0 (3.3 V) or 1..5.5"` // supply voltage of a potentiometer [V]; 0 is 3.3
	IgnoreRails bool    `toml:"ignore_rails"`                         // set it for a potentiometer that reaches its supply or ground
	// age from which a value is not used any more; 0 is the time of four samples, but at least 0.05
	StaleAfter float64 `toml:"stale_s" range:"0 (by the rate) or 0.0006..2" valid:"-"`
	// time without any change, not even noise, after which rig warns; 0 is 2 for an HX711, and never for an ADS
	StuckAfter float64 `toml:"stuck_s" range:"0..3600"`
}

const (
	chipADS1115 = "ads1115"
	chipADS1015 = "ads1015"
	chipHX711   = "hx711"
)

// adsChannels are the inputs of the ADS1x15 by their names on the board.
var adsChannels = map[string]ads1x15.Channel{
	"0": ads1x15.Channel0, "1": ads1x15.Channel1, "2": ads1x15.Channel2, "3": ads1x15.Channel3,
	"0-1": ads1x15.Channel0Minus1, "0-3": ads1x15.Channel0Minus3, "1-3": ads1x15.Channel1Minus3, "2-3": ads1x15.Channel2Minus3,
}

// adsRanges is the full scale by gain [mV] (ADS1115 data sheet SBAS444, table 8-3).
var adsRanges = map[float64]int64{0.667: 6144, 1: 4096, 2: 2048, 4: 1024, 8: 512, 16: 256}

// adsMaxRate is the chips' highest data rate [Hz].
var adsMaxRate = map[string]float64{chipADS1115: 860, chipADS1015: 3300}

// hxModes are the HX711's inputs by channel and gain.
var hxModes = map[string]hx711.InputMode{"a128": hx711.CHANNEL_A_GAIN_128, "a64": hx711.CHANNEL_A_GAIN_64, "b32": hx711.CHANNEL_B_GAIN_32}

// withDefaults returns a with its defaults filled in.
func (a ADC) withDefaults() ADC {
	a.Chip = cmp.Or(strings.ToLower(a.Chip), chipADS1115)
	if a.Chip == chipHX711 {
		a.Channel, a.Gain, a.Rate = cmp.Or(strings.ToLower(a.Channel), "a"), cmp.Or(a.Gain, 128), cmp.Or(a.Rate, 10)
		a.StuckAfter = cmp.Or(a.StuckAfter, 2)
	} else {
		a.Channel, a.Gain, a.Rate = cmp.Or(a.Channel, "0"), cmp.Or(a.Gain, 1), cmp.Or(a.Rate, 100)
		a.Bus, a.Address = cmp.Or(a.Bus, "1"), cmp.Or(a.Address, int(ads1x15.I2CAddr))
		if n, ok := busNumber(a.Bus); ok { // so that chipKey is equal for all axes of a chip
			a.Bus = strconv.Itoa(n)
		}
	}
	a.Supply = cmp.Or(a.Supply, 3.3)
	a.StaleAfter = cmp.Or(a.StaleAfter, max(0.05, 4/a.Rate))
	return a
}

// inputMode returns the HX711's input mode for the channel and gain; ok is false if there is none.
func (a ADC) inputMode() (hx711.InputMode, bool) {
	m, ok := hxModes[fmt.Sprintf("%s%g", a.Channel, a.Gain)]
	return m, ok
}

// chipKey returns the name of the chip and its connection, which is the same for all axes of one chip.
func (a ADC) chipKey() string {
	if a.Chip == chipHX711 {
		return fmt.Sprintf("%s at %s and %s", a.Chip, a.Clock, a.Data)
	}
	return fmt.Sprintf("%s at 0x%02x on I2C bus %s", a.Chip, a.Address, a.Bus)
}

// axisIndex returns the index of a's axis in all arrays, or -1 if there is none.
func (a ADC) axisIndex() int { return axis.Index(a.Axis) }

// problems reports every value that cannot be used, without a prefix. a is settled.
func (a ADC) problems() error {
	err := errors.Join(valid.Struct(a), a.staleProblem())
	switch a.Chip {
	case chipADS1115, chipADS1015:
		return errors.Join(err, a.adsProblems())
	case chipHX711:
		return errors.Join(err, a.hxProblems())
	}
	return errors.Join(err, valid.OneOf("chip", a.Chip, chipADS1115, chipADS1015, chipHX711))
}

// staleProblem is none where the rate, which it depends on, is the problem.
func (a ADC) staleProblem() error {
	if !(a.Rate >= 1 && a.Rate <= 1e6) {
		return nil
	}
	return valid.InRange("stale_s", a.StaleAfter, 2/a.Rate, 2)
}

func (a ADC) adsProblems() error {
	var err error
	if _, ok := adsChannels[a.Channel]; !ok {
		err = fmt.Errorf("channel = %q: must be 0 to 3, 0-1, 0-3, 1-3 or 2-3", a.Channel)
	}
	if _, ok := adsRanges[a.Gain]; !ok {
		err = errors.Join(err, fmt.Errorf("gain = %g: must be 0.667, 1, 2, 4, 8 or 16", a.Gain))
	}
	if a.Address < 0x48 || a.Address > 0x4b {
		err = errors.Join(err, fmt.Errorf("address = 0x%02x: must be 0x48 to 0x4b", a.Address))
	}
	return errors.Join(err, valid.InRange("rate_hz", a.Rate, 10, adsMaxRate[a.Chip]))
}

func (a ADC) hxProblems() error {
	var err error
	if _, ok := a.inputMode(); !ok {
		err = fmt.Errorf("channel %q has no gain %g; choose a with 128 or 64, or b with 32", a.Channel, a.Gain)
	}
	for _, line := range []struct{ key, value string }{{"clock_line", a.Clock}, {"data_line", a.Data}} {
		if _, _, e := parseLine(line.value); e != nil {
			err = errors.Join(err, fmt.Errorf("%s: %w", line.key, e))
		}
	}
	return errors.Join(err, valid.InRange("rate_hz", a.Rate, 5, 144)) // 144 Hz needs the fastest crystal the chip takes
}

// ADCs are all pedals on converters.
type ADCs []ADC

// Validate reports every axis that cannot be used.
func (list ADCs) Validate() error {
	var err error
	for i, raw := range list {
		a := raw.withDefaults()
		e := errors.Join(a.problems(), raw.checkUnusedKeys(a.Chip), list.checkConflicts(i))
		if e != nil {
			err = errors.Join(err, valid.WithPrefix(fmt.Sprintf("[%d]", i), e))
		}
	}
	return err
}

// checkUnusedKeys reports keys that the chip does not use, and equal values that must differ.
func (a ADC) checkUnusedKeys(chip string) error {
	var err error
	switch {
	case chip == chipHX711 && (a.Bus != "" || a.Address != 0):
		err = errors.New("bus and address are I2C's, and an hx711 has clock_line and data_line; take them out")
	case chip != chipHX711 && (a.Clock != "" || a.Data != ""):
		err = fmt.Errorf("clock_line and data_line are the hx711's; take them out, or set chip, which is %s", chip)
	case a.Clock != "" && a.Clock == a.Data:
		err = fmt.Errorf("data_line is clock_line too, %q; give each its own", a.Data)
	}
	if a.Rest == a.Press && a.Rest != 0 {
		err = errors.Join(err, fmt.Errorf("press_counts = %d is rest_counts too; press the pedal fully and look again", a.Press))
	}
	return err
}

// checkConflicts reports conflicts of entry i with the entries before it.
func (list ADCs) checkConflicts(i int) error {
	a, axesOnChip := list[i].withDefaults(), 1
	for j, b := range list[:i] {
		b = b.withDefaults()
		switch {
		case a.Axis == b.Axis:
			return fmt.Errorf("axis: %s is on adc %d already; keep one", a.Axis, j+1)
		case a.Chip == chipHX711 && a.chipKey() == b.chipKey():
			return fmt.Errorf("clock_line and data_line are those of adc %d, and an HX711 reads one axis; use one per load cell", j+1)
		case a.Chip == chipHX711 && b.Chip == chipHX711 && a.sharesLine(b): // the clock of one would be read as data of the other
			return fmt.Errorf("clock_line or data_line is one of adc %d's; give each amplifier two lines of its own", j+1)
		case a.chipKey() != b.chipKey():
			continue
		case a.Channel == b.Channel:
			return fmt.Errorf("channel %s of the %s is %s already; give each pedal its own", a.Channel, a.chipKey(), b.Axis)
		case a.Rate != b.Rate:
			return fmt.Errorf("rate_hz is %g, and %g for %s on the same chip; its axes are read in turn, give them the same", a.Rate, b.Rate, b.Axis)
		}
		axesOnChip++
	}
	if fastest, isADS := adsMaxRate[a.Chip]; isADS && axesOnChip > 1 && a.Rate*float64(axesOnChip) > fastest {
		return fmt.Errorf("rate_hz = %g is too much for %d axes: the %s converts %g a second; lower rate_hz of all", a.Rate, axesOnChip, a.chipKey(), fastest)
	}
	return nil
}

// sharesLine reports whether two amplifiers have a line in common.
func (a ADC) sharesLine(b ADC) bool {
	return a.Clock == b.Clock || a.Clock == b.Data || a.Data == b.Clock || a.Data == b.Data
}
