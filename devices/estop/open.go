package estop

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"periph.io/x/conn/v3/driver/driverreg"
	"periph.io/x/conn/v3/gpio"
	"periph.io/x/host/v3/gpioioctl"
)

// Open watches the configured switch and holds the configured relay, on lines
// of GPIO character devices: of all interfaces, the only one whose lines the
// kernel takes back from a program that dies.
func Open(cfg Config, clock func() time.Duration) (*Switch, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	lines, err := find(cfg.Pin, cfg.SecondPin, cfg.Relay)
	if err != nil {
		return nil, err
	}
	var output gpio.PinOut
	if cfg.Relay != "" {
		last := len(lines) - 1
		output, lines = lines[last], lines[:last]
	}
	var inputs []gpio.PinIn
	for _, l := range lines {
		inputs = append(inputs, l)
	}
	return New(cfg, inputs, output, clock)
}

// find returns the lines of those names that are not empty. The library looks for
// chips once in the life of a program, so an adapter plugged in later is not found.
func find(names ...string) (lines []*gpioioctl.GPIOLine, err error) {
	names = slices.DeleteFunc(names, func(n string) bool { return n == "" })
	if len(names) == 0 {
		return nil, nil
	}
	if _, err := driverreg.Init(); err != nil {
		return nil, fmt.Errorf("estop: %w", err)
	}
	if len(gpioioctl.Chips) == 0 {
		return nil, noChips("/dev")
	}
	places, err := resolve(names, inventoried())
	for _, p := range places {
		lines = append(lines, gpioioctl.Chips[p.chip].Lines()[p.line])
	}
	return lines, err
}

// place is a line by the numbers of its chip and its own.
type place struct{ chip, line int }

// resolve returns where the lines of those names are. Two names of one line are
// refused: the relay would drive what the switch is read from, and a contact
// that is compared with itself always agrees.
func resolve(names []string, chips []chip) ([]place, error) {
	var list []place
	for _, name := range names {
		c, l, err := locate(name, chips)
		if err != nil {
			return nil, err
		}
		p := place{c, l}
		if first := slices.Index(list, p); first >= 0 {
			return nil, fmt.Errorf("estop: %q and %q are one line; each contact and the relay need a line of their own", names[first], name)
		}
		list = append(list, p)
	}
	return list, nil
}

// noChips says why there is no GPIO chip to be used, by what is in folder dev.
func noChips(dev string) error {
	nodes, err := filepath.Glob(filepath.Join(dev, "gpiochip*"))
	if err != nil || len(nodes) == 0 {
		return errors.New("estop: no GPIO chip here; plug the adapter in and start again, or set the keys of [estop] that name lines to \"\"")
	}
	f, err := os.Open(nodes[0])
	if err == nil {
		err = errors.New("it is no GPIO chip")
		f.Close()
	}
	return fmt.Errorf("estop: %w; install the udev rule 70-rig.rules, which opens adapters on USB to the group input", err)
}

// chip is what is known of a GPIO chip.
type chip struct {
	name, label string
	lines       []string // names, most often empty
}

// locate finds the only line of that name, as numbers of chip and line.
func locate(name string, chips []chip) (c, l int, err error) {
	found := 0
	for i := range chips {
		for j := range chips[i].lines {
			if chips[i].has(j, name) {
				c, l = i, j
				found++
			}
		}
	}
	switch found {
	case 0:
		return 0, 0, fmt.Errorf("estop: there is no line %q; there are %s", name, inventory(chips))
	case 1:
		return c, l, nil
	}
	return 0, 0, fmt.Errorf("estop: there are %d lines %q; name one by its chip, as in %s:0", found, name, chips[c].name)
}

// has tells whether name means line j.
func (c chip) has(j int, name string) bool {
	if name == c.lines[j] {
		return name != ""
	}
	of, number, ok := cutLast(name)
	return ok && of != "" && (of == c.name || of == c.label) && number == strconv.Itoa(j)
}

func cutLast(s string) (before, after string, found bool) {
	i := strings.LastIndexByte(s, ':')
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+1:], true
}

func inventory(chips []chip) string {
	var list []string
	for _, c := range chips {
		list = append(list, fmt.Sprintf("%s:0..%d (%s)", c.label, len(c.lines)-1, c.name))
	}
	return strings.Join(list, ", ")
}
