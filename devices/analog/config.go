package analog

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"periph.io/x/devices/v3/ads1x15"
	"periph.io/x/devices/v3/hx711"

	"rig.example/rig/internal/axis"
)

// ADC is one pedal on an analogue converter. Every key that is left out, or 0,
// takes its default.
type ADC struct {
	Axis string `toml:"axis"` // throttle, brake, clutch or handbrake
	Chip string `toml:"chip"` // ads1115 (default), ads1015 or hx711

	Bus     string `toml:"bus"`     // I2C: a number, /dev/i2c-1, or part of the adapter's name; default 1
	Address int    `toml:"address"` // I2C: 0x48 (default) to 0x4b
	Channel string `toml:"channel"` // ADS: 0 (default) to 3, or 0-1, 0-3, 1-3, 2-3; HX711: a (default) or b

	Clock string `toml:"clock_line"` // HX711: PD_SCK, such as gpiochip0:5, or a line's name
	Data  string `toml:"data_line"`  // HX711: DOUT, likewise

	Gain float64 `toml:"gain"`    // ADS: 0.667, 1 (default), 2, 4, 8, 16; HX711: 128 (default), 64, on channel b 32
	Rate float64 `toml:"rate_hz"` // samples of this axis; default 100, HX711 10 (80 with its RATE pin high)

	Rest  int32 `toml:"rest_counts"`  // released; a calibration profile goes before it
	Press int32 `toml:"press_counts"` // fully pressed; may be below rest_counts

	Supply      float64 `toml:"supply_v"`     // of a potentiometer [V]; default 3.3, 1..5.5
	IgnoreRails bool    `toml:"ignore_rails"` // a potentiometer that does reach its supply and ground
	Stale       float64 `toml:"stale_s"`      // age from which a value is not used; default four samples, 0.05 at least
	Stuck       float64 `toml:"stuck_s"`      // time without any change that is worth a warning; HX711 2, ADS never
}

const (
	chip1115 = "ads1115"
	chip1015 = "ads1015"
	chip711  = "hx711"
)

// adsChannels are the inputs of the ADS1x15 by their names on the board.
var adsChannels = map[string]ads1x15.Channel{
	"0": ads1x15.Channel0, "1": ads1x15.Channel1, "2": ads1x15.Channel2, "3": ads1x15.Channel3,
	"0-1": ads1x15.Channel0Minus1, "0-3": ads1x15.Channel0Minus3, "1-3": ads1x15.Channel1Minus3, "2-3": ads1x15.Channel2Minus3,
}

// adsRanges is the full scale by gain [mV] (ADS1115 data sheet SBAS444, table 8-3).
var adsRanges = map[float64]int64{0.667: 6144, 1: 4096, 2: 2048, 4: 1024, 8: 512, 16: 256}

// adsFastest is the chips' highest data rate [Hz].
var adsFastest = map[string]float64{chip1115: 860, chip1015: 3300}

// hxModes are the HX711's inputs by channel and gain.
var hxModes = map[string]hx711.InputMode{"a128": hx711.CHANNEL_A_GAIN_128, "a64": hx711.CHANNEL_A_GAIN_64, "b32": hx711.CHANNEL_B_GAIN_32}

// or returns v, or what stands for a value that was left out.
func or[T comparable](v, instead T) T {
	var zero T
	if v == zero {
		return instead
	}
	return v
}

// settled returns a with its defaults filled in.
func (a ADC) settled() ADC {
	a.Chip = or(strings.ToLower(a.Chip), chip1115)
	if a.Chip == chip711 {
		a.Channel, a.Gain, a.Rate = or(strings.ToLower(a.Channel), "a"), or(a.Gain, 128), or(a.Rate, 10)
		a.Stuck = or(a.Stuck, 2)
	} else {
		a.Channel, a.Gain, a.Rate = or(a.Channel, "0"), or(a.Gain, 1), or(a.Rate, 100)
		a.Bus, a.Address = or(a.Bus, "1"), or(a.Address, int(ads1x15.I2CAddr))
		if n, ok := busNumber(a.Bus); ok { // one name for one bus: its chips are sampled in turn
			a.Bus = strconv.Itoa(n)
		}
	}
	a.Supply = or(a.Supply, 3.3)
	a.Stale = or(a.Stale, max(0.05, 4/a.Rate))
	return a
}

// mode is the HX711's input.
func (a ADC) mode() (hx711.InputMode, bool) {
	m, ok := hxModes[fmt.Sprintf("%s%g", a.Channel, a.Gain)]
	return m, ok
}

// chipKey is the same for all axes of one chip.
func (a ADC) chipKey() string {
	if a.Chip == chip711 {
		return fmt.Sprintf("%s at %s and %s", a.Chip, a.Clock, a.Data)
	}
	return fmt.Sprintf("%s at 0x%02x on I2C bus %s", a.Chip, a.Address, a.Bus)
}

// pedal returns the place of a's axis in all arrays, -1 if it has none.
func (a ADC) pedal() int { return axis.Index(a.Axis) }

// problems reports every value that cannot be used, without a prefix. a is settled.
func (a ADC) problems() error {
	err := errors.Join(
		axis.InRange("supply_v", a.Supply, 1, 5.5), a.staleProblem(), axis.InRange("stuck_s", a.Stuck, 0, 3600),
	)
	if a.pedal() < 0 {
		err = errors.Join(err, fmt.Errorf("axis = %q is not throttle, brake, clutch or handbrake", a.Axis))
	}
	switch a.Chip {
	case chip1115, chip1015:
		return errors.Join(err, a.adsProblems())
	case chip711:
		return errors.Join(err, a.hxProblems())
	}
	return errors.Join(err, fmt.Errorf("chip = %q is not ads1115, ads1015 or hx711", a.Chip))
}

// staleProblem is none where the rate, which it depends on, is the problem.
func (a ADC) staleProblem() error {
	if !(a.Rate >= 1 && a.Rate <= 1e6) {
		return nil
	}
	return axis.InRange("stale_s", a.Stale, 2/a.Rate, 2)
}

func (a ADC) adsProblems() error {
	var err error
	if _, ok := adsChannels[a.Channel]; !ok {
		err = fmt.Errorf("channel = %q is not 0 to 3, 0-1, 0-3, 1-3 or 2-3", a.Channel)
	}
	if _, ok := adsRanges[a.Gain]; !ok {
		err = errors.Join(err, fmt.Errorf("gain = %g is not 0.667, 1, 2, 4, 8 or 16", a.Gain))
	}
	if a.Address < 0x48 || a.Address > 0x4b {
		err = errors.Join(err, fmt.Errorf("address = 0x%02x is not 0x48 to 0x4b", a.Address))
	}
	return errors.Join(err, axis.InRange("rate_hz", a.Rate, 10, adsFastest[a.Chip]))
}

func (a ADC) hxProblems() error {
	var err error
	if _, ok := a.mode(); !ok {
		err = fmt.Errorf("channel %q has no gain %g; choose a with 128 or 64, or b with 32", a.Channel, a.Gain)
	}
	for _, line := range []struct{ key, value string }{{"clock_line", a.Clock}, {"data_line", a.Data}} {
		if _, _, e := parseLine(line.value); e != nil {
			err = errors.Join(err, fmt.Errorf("%s: %w", line.key, e))
		}
	}
	return errors.Join(err, axis.InRange("rate_hz", a.Rate, 5, 144)) // 144 Hz needs the fastest crystal the chip takes
}

// ADCs are all pedals on converters.
type ADCs []ADC

// Validate reports every axis that cannot be used.
func (list ADCs) Validate() error {
	var err error
	for i, raw := range list {
		a := raw.settled()
		e := errors.Join(a.problems(), raw.idle(a.Chip), list.among(i))
		if e != nil {
			err = errors.Join(err, fmt.Errorf("pedals: adc %d: %w", i+1, e))
		}
	}
	return err
}

// idle reports keys of the other kind of chip, and ends that are one.
func (a ADC) idle(chip string) error {
	var err error
	switch {
	case chip == chip711 && (a.Bus != "" || a.Address != 0):
		err = errors.New("bus and address are I2C's, and an hx711 has clock_line and data_line; take them out")
	case chip != chip711 && (a.Clock != "" || a.Data != ""):
		err = fmt.Errorf("clock_line and data_line are the hx711's; take them out, or set chip, which is %s", chip)
	case a.Clock != "" && a.Clock == a.Data:
		err = fmt.Errorf("data_line is clock_line too, %q; give each its own", a.Data)
	}
	if a.Rest == a.Press && a.Rest != 0 {
		err = errors.Join(err, fmt.Errorf("press_counts = %d is rest_counts too; press the pedal fully and look again", a.Press))
	}
	return err
}

// among reports what place i of the list contradicts in those before it.
func (list ADCs) among(i int) error {
	a, shared := list[i].settled(), 1
	for j, b := range list[:i] {
		b = b.settled()
		switch {
		case a.Axis == b.Axis:
			return fmt.Errorf("axis: %s is on adc %d already; keep one", a.Axis, j+1)
		case a.Chip == chip711 && a.chipKey() == b.chipKey():
			return fmt.Errorf("clock_line and data_line are those of adc %d, and an HX711 reads one axis; use one per load cell", j+1)
		case a.Chip == chip711 && b.Chip == chip711 && a.sharesLine(b): // the clock of one would be bits of the other
			return fmt.Errorf("clock_line or data_line is one of adc %d's; give each amplifier two lines of its own", j+1)
		case a.chipKey() != b.chipKey():
			continue
		case a.Channel == b.Channel:
			return fmt.Errorf("channel %s of the %s is %s already; give each pedal its own", a.Channel, a.chipKey(), b.Axis)
		case a.Rate != b.Rate:
			return fmt.Errorf("rate_hz is %g, and %g for %s on the same chip; its axes are read in turn, give them the same", a.Rate, b.Rate, b.Axis)
		}
		shared++
	}
	if fastest, isADS := adsFastest[a.Chip]; isADS && shared > 1 && a.Rate*float64(shared) > fastest {
		return fmt.Errorf("rate_hz = %g is too much for %d axes: the %s converts %g a second; lower rate_hz of all", a.Rate, shared, a.chipKey(), fastest)
	}
	return nil
}

// sharesLine tells whether two amplifiers have a line in common.
func (a ADC) sharesLine(b ADC) bool {
	return a.Clock == b.Clock || a.Clock == b.Data || a.Data == b.Clock || a.Data == b.Data
}
