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

	"rig.example/rig/internal/kit/evdev"
)

// chip is an open converter, with one pin for each of its axes.
type chip struct {
	pins  []analog.PinADC
	close func() error
}

// openChip opens the converter that axes share. The axes must be valid and have their defaults filled in.
func openChip(axes []ADC) (chip, error) {
	if axes[0].Chip == chipHX711 {
		return openHX711(axes[0])
	}
	number, err := findBus(os.DirFS("/sys/class/i2c-dev"), axes[0].Bus)
	if err != nil {
		return chip{}, err
	}
	// The registry of periph is not used, because it lists the buses only once, and USB adapters come and go.
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

// adapterOf returns the folder in sysfs of the USB adapter on whose bus a converter is, "" if it is on none.
func (a *Sampler) adapterOf(adc ADC) string {
	class := filepath.Join(a.root, "/sys/class/i2c-dev")
	number, err := findBus(os.DirFS(class), adc.Bus)
	if adc.Chip == chipHX711 || err != nil {
		return ""
	}
	folder, _ := evdev.USBFolder(filepath.Join(class, fmt.Sprintf("i2c-%d", number), "device"))
	return folder
}

// findBus returns the number of the bus that selector means: a number, the path of a device, or part of
// the name of an adapter. class is the folder i2c-dev in sysfs.
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
		return 0, fmt.Errorf("no I2C bus found for bus = %q; plug the adapter in, or load the module i2c-dev", selector)
	case len(found) == 0:
		return 0, fmt.Errorf("no I2C adapter matches bus = %q; there are %q: name one, or give its number", selector, all)
	case len(found) > 1:
		return 0, fmt.Errorf("%d I2C adapters match bus = %q; there are %q: name one, or give its number", len(found), selector, all)
	}
	return strconv.Atoi(found[0])
}

// busNumber returns the number in a selector such as 1, i2c-1 or /dev/i2c-1.
func busNumber(selector string) (int, bool) {
	n, err := strconv.ParseUint(strings.TrimPrefix(strings.TrimPrefix(selector, "/dev/"), "i2c-"), 10, 16)
	return int(n), err == nil
}

// adsPins returns a pin for each axis of an ADS1x15 on bus.
func adsPins(bus i2c.Bus, axes []ADC) ([]analog.PinADC, error) {
	first := axes[0]
	rate := min(first.Rate*float64(len(axes)+1), adsMaxRate[first.Chip]) // as if for one axis more, which leaves time for the bus
	open := ads1x15.NewADS1115
	if first.Chip == chipADS1015 {
		open = ads1x15.NewADS1015
	}
	dev, err := open(&conversionBus{Bus: bus}, &ads1x15.Opts{I2cAddress: uint16(first.Address)})
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

// conversionBus is a bus on which a conversion is read only after it has ended.
//
// periph waits only for the nominal time of a conversion. The chip's clock may be 10 % slower, and a
// result that is read too early is the former one, that of another pedal.
//
// Another program may use the chip too, or this one, if the configuration names one bus in two ways. So a
// result is refused if the chip's inputs are not those that were set here.
type conversionBus struct {
	i2c.Bus
	writtenConfig byte    // first byte of the configuration register, as written here
	config        [2]byte // configuration register, as read
}

const (
	adsConversion   = 0x00                 // conversion register
	adsConfig       = 0x01                 // configuration register
	adsIdle         = 0x80                 // bit in the first byte of the configuration: no conversion is running
	adsMaxPolls     = 20                   // together twice the time of the slowest conversion that is used
	adsPollInterval = time.Millisecond / 2 // a tenth of that time
)

var errReconfigured = errors.New("its inputs were changed; does another program, or an entry with another name of the bus, use the chip?")

var errBusy = errors.New("the conversion does not end; is it an ADS1x15, and its supply steady?")

// Tx makes one transfer on the bus: it writes w and reads r.
func (f *conversionBus) Tx(address uint16, w, r []byte) error {
	if len(w) > 1 && w[0] == adsConfig {
		f.writtenConfig = w[1]
	}
	if len(w) != 1 || w[0] != adsConversion {
		return f.Bus.Tx(address, w, r)
	}
	for range adsMaxPolls {
		if err := f.Bus.Tx(address, configPointer, f.config[:]); err != nil {
			return err
		}
		switch {
		case (f.config[0]^f.writtenConfig)&^adsIdle != 0:
			return errReconfigured
		case f.config[0]&adsIdle != 0:
			return f.Bus.Tx(address, w, r)
		}
		time.Sleep(adsPollInterval)
	}
	return errBusy
}

var configPointer = []byte{adsConfig}

// parseLine parses a GPIO line: either a chip and a number, such as gpiochip0:5, or the name of a line, for
// which number is -1.
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

// findLine returns the GPIO line that s names. Chips that were plugged in after the first call are not
// found.
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
				return line, refuseUsedLine(s, line.Consumer(), fmt.Sprintf("%s@%d", filepath.Base(os.Args[0]), os.Getpid()))
			}
		}
	}
	return nil, fmt.Errorf("no GPIO line %s; gpioinfo shows what there is, and the group of /dev/gpiochip* may open it", s)
}

// refuseUsedLine returns an error for a line that this program uses already, such as that of the stop
// switch: the library returns the same line to every caller, and the last caller's settings would replace
// the others. consumer is the kernel's name for the user of the line, cut to 31 letters; self is the name
// under which the library requests lines for this program.
func refuseUsedLine(line, consumer, self string) error {
	if consumer == "" || !strings.HasPrefix(self, consumer) {
		return nil // the kernel refuses lines of other programs
	}
	return fmt.Errorf("line %s is used already, by a stop switch, a relay or another amplifier; give each a line of its own", line)
}
