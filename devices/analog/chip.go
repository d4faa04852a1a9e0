package analog

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"periph.io/x/conn/v3/analog"
	"periph.io/x/conn/v3/driver/driverreg"
	"periph.io/x/conn/v3/i2c"
	"periph.io/x/conn/v3/physic"
	"periph.io/x/devices/v3/ads1x15"
	"periph.io/x/host/v3/gpioioctl"
	"periph.io/x/host/v3/sysfs"
)

// chip is an open converter: one pin for each of its axes.
type chip struct {
	pins  []analog.PinADC
	close func() error
}

// openChip opens the converter that axes share. They are settled and valid.
func openChip(axes []ADC) (chip, error) {
	if axes[0].Chip == chip711 {
		return openHX711(axes[0])
	}
	number, err := findBus(os.DirFS("/sys/class/i2c-dev"), axes[0].Bus)
	if err != nil {
		return chip{}, err
	}
	// Not through periph's registry: it lists buses once, and USB adapters come and go.
	bus, err := sysfs.NewI2C(number)
	if err != nil {
		return chip{}, fmt.Errorf("I2C bus %d: %w; load the module i2c-dev and join the group that owns /dev/i2c-%d", number, err, number)
	}
	pins, err := adsPins(bus, axes)
	if err != nil {
		return chip{}, errors.Join(err, bus.Close())
	}
	return chip{pins, bus.Close}, nil
}

// findBus returns the number of the bus that selector means: a number, a
// device's path, or part of the name of one adapter listed in class.
func findBus(class fs.FS, selector string) (int, error) {
	if n, ok := busNumber(selector); ok {
		return n, nil
	}
	files, err := fs.Glob(class, "i2c-*/name")
	if err != nil {
		return 0, err
	}
	var found, all []string
	for _, f := range files {
		name, err := fs.ReadFile(class, f)
		if err != nil {
			continue // it was unplugged in between
		}
		all = append(all, strings.TrimSpace(string(name)))
		if strings.Contains(strings.ToLower(string(name)), strings.ToLower(selector)) {
			found = append(found, strings.TrimPrefix(filepath.Dir(f), "i2c-"))
		}
	}
	switch {
	case len(all) == 0:
		return 0, fmt.Errorf("there is no I2C bus, and bus = %q was asked for; plug the adapter in, or load the module i2c-dev", selector)
	case len(found) == 0:
		return 0, fmt.Errorf("no I2C adapter matches bus = %q; there are %q: name one, or give its number", selector, all)
	case len(found) > 1:
		return 0, fmt.Errorf("%d I2C adapters match bus = %q; there are %q: name one, or give its number", len(found), selector, all)
	}
	return strconv.Atoi(found[0])
}

// busNumber reads 1, i2c-1 and /dev/i2c-1.
func busNumber(selector string) (int, bool) {
	n, err := strconv.ParseUint(strings.TrimPrefix(strings.TrimPrefix(selector, "/dev/"), "i2c-"), 10, 16)
	return int(n), err == nil
}

// adsPins returns a pin for each axis of an ADS1x15 on bus.
func adsPins(bus i2c.Bus, axes []ADC) ([]analog.PinADC, error) {
	first := axes[0]
	rate := min(first.Rate*float64(len(axes)+1), adsFastest[first.Chip]) // time is left for the bus
	open := ads1x15.NewADS1115
	if first.Chip == chip1015 {
		open = ads1x15.NewADS1015
	}
	dev, err := open(&finished{Bus: bus}, &ads1x15.Opts{I2cAddress: uint16(first.Address)})
	if err != nil {
		return nil, err
	}
	var pins []analog.PinADC
	for _, a := range axes {
		full := physic.ElectricPotential(adsRanges[a.Gain]) * physic.MilliVolt
		pin, err := dev.PinForChannel(adsChannels[a.Channel], full, physic.Frequency(rate*float64(physic.Hertz)), ads1x15.BestQuality)
		if err != nil {
			return nil, err
		}
		pins = append(pins, pin)
	}
	return pins, nil
}

// finished is a bus that lets a conversion be read only once it has ended.
//
// periph waits for the nominal time of a conversion. The chip's clock may be
// 10 % slow, and what is read too early is the result before: that of another
// pedal.
//
// Nothing keeps another program off the bus, or this one from naming a bus in
// two ways: a chip that is set to other inputs than it was told is not believed.
type finished struct {
	i2c.Bus
	asked  byte // the first byte of the configuration as it was written
	config [2]byte
}

const (
	adsConversion = 0x00 // register
	adsConfig     = 0x01 // register
	adsIdle       = 0x80 // in the first byte of the configuration: no conversion is running
	adsLooks      = 20   // as many waits of a tenth of the slowest conversion used
	adsWait       = time.Millisecond / 2
)

var errShared = errors.New("it measures what it was not told to; does another program, or an entry with another name of the bus, use the chip?")

var errBusy = errors.New("the conversion does not end; is it an ADS1x15, and its supply steady?")

// Tx is one transfer on the bus.
func (f *finished) Tx(address uint16, w, r []byte) error {
	if len(w) > 1 && w[0] == adsConfig {
		f.asked = w[1]
	}
	if len(w) != 1 || w[0] != adsConversion {
		return f.Bus.Tx(address, w, r)
	}
	for range adsLooks {
		if err := f.Bus.Tx(address, configPointer, f.config[:]); err != nil {
			return err
		}
		switch {
		case (f.config[0]^f.asked)&^adsIdle != 0:
			return errShared
		case f.config[0]&adsIdle != 0:
			return f.Bus.Tx(address, w, r)
		}
		time.Sleep(adsWait)
	}
	return errBusy
}

var configPointer = []byte{adsConfig}

// parseLine splits gpiochip0:5; any other text is a line's name, and its number -1.
func parseLine(s string) (name string, number int, err error) {
	name, digits, numbered := strings.Cut(s, ":")
	if name == "" || strings.ContainsAny(s, " \t\n") {
		return "", 0, fmt.Errorf("%q names no line; write such as gpiochip0:5, or a name that gpioinfo shows", s)
	}
	if !numbered {
		return name, -1, nil
	}
	n, err := strconv.ParseUint(digits, 10, 10)
	if err != nil || !strings.HasPrefix(name, "gpiochip") {
		return "", 0, fmt.Errorf("%q names no line; write such as gpiochip0:5", s)
	}
	return name, int(n), nil
}

// findLine returns the line that s means. Chips that were plugged in after the
// first call are not known.
func findLine(s string) (*gpioioctl.GPIOLine, error) {
	if _, err := driverreg.Init(); err != nil {
		return nil, err
	}
	name, number, err := parseLine(s)
	if err != nil {
		return nil, err
	}
	for _, c := range gpioioctl.Chips {
		for _, line := range c.Lines() {
			if number < 0 && line.Name() == name || filepath.Base(c.Path()) == name && line.Number() == number {
				return line, held(s, line.Consumer(), fmt.Sprintf("%s@%d", filepath.Base(os.Args[0]), os.Getpid()))
			}
		}
	}
	return nil, fmt.Errorf("no GPIO line %s; gpioinfo shows what there is, and the group of /dev/gpiochip* may open it", s)
}

// held refuses a line that this program uses already, such as the stop switch's:
// the library hands the same line to whoever asks, and the last one's settings
// count. self is what the library calls this program, consumer whom it says the
// line belongs to, both cut to the kernel's 31 letters.
func held(line, consumer, self string) error {
	if consumer == "" || !strings.HasPrefix(self, consumer) {
		return nil // the kernel refuses lines of other programs
	}
	return fmt.Errorf("line %s is used already, by a stop switch, a relay or another amplifier; give each a line of its own", line)
}
