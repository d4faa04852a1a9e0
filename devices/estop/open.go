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

// Open watches the configured switch and drives the configured relay, on lines of GPIO character devices.
// That is the only GPIO interface whose lines the kernel releases when a program dies.
func Open(cfg Config, clock func() time.Duration) (*Switch, error) {
	if err := cfg.Validate(); err != nil {
		return nil, fmt.Errorf("estop: %w", err)
	}
	lines, err := findLines(cfg.Pin, cfg.SecondPin, cfg.Relay)
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

// findLines returns the lines with the given names, without the empty ones. The library searches for chips
// only once in the life of a program, so an adapter that is plugged in later is not found.
func findLines(names ...string) (lines []*gpioioctl.GPIOLine, err error) {
	names = slices.DeleteFunc(names, func(n string) bool { return n == "" })
	if len(names) == 0 {
		return nil, nil
	}
	if _, err := driverreg.Init(); err != nil {
		return nil, fmt.Errorf("estop: %w", err)
	}
	if len(gpioioctl.Chips) == 0 {
		return nil, noChipError("/dev")
	}
	places, err := findLineIDs(names, knownChips())
	for _, p := range places {
		lines = append(lines, gpioioctl.Chips[p.chip].Lines()[p.line])
	}
	return lines, err
}

// lineID identifies a line by the index of its chip, as in knownChips, and its number on that chip.
type lineID struct{ chip, line int }

// findLineIDs returns the lines with the given names. Two names of one line are an error: the relay would
// drive the line from which the switch is read, or a contact would be compared with itself.
func findLineIDs(names []string, chips []chipInfo) ([]lineID, error) {
	var list []lineID
	for _, name := range names {
		c, l, err := locateLine(name, chips)
		if err != nil {
			return nil, err
		}
		p := lineID{c, l}
		if first := slices.Index(list, p); first >= 0 {
			return nil, fmt.Errorf("estop: %q and %q are one line; each contact and the relay need a line of their own", names[first], name)
		}
		list = append(list, p)
	}
	return list, nil
}

// noChipError returns why no GPIO chip can be used. dev is /dev; tests use another folder.
func noChipError(dev string) error {
	nodes, err := filepath.Glob(filepath.Join(dev, "gpiochip*"))
	if err != nil || len(nodes) == 0 {
		return errors.New("estop: no GPIO chip here; plug the adapter in and start again, or set the keys of [estop] that name lines to \"\"")
	}
	f, err := os.Open(nodes[0])
	if err == nil {
		err = errors.New("it is not a GPIO chip")
		f.Close()
	}
	return fmt.Errorf("estop: %w; install the udev rule 70-rig.rules, which opens adapters on USB to the group input", err)
}

// chipInfo describes a GPIO chip.
type chipInfo struct {
	name, label string
	lines       []string // names of its lines, most often empty
}

// locateLine returns the index of the chip, and the number on it, of the only line with the given name.
func locateLine(name string, chips []chipInfo) (c, l int, err error) {
	found := 0
	for i := range chips {
		for j := range chips[i].lines {
			if chips[i].isLine(j, name) {
				c, l = i, j
				found++
			}
		}
	}
	switch found {
	case 0:
		return 0, 0, fmt.Errorf("estop: line %q not found; there are %s", name, describeChips(chips))
	case 1:
		return c, l, nil
	}
	return 0, 0, fmt.Errorf("estop: there are %d lines %q; name one by its chip, as in %s:0", found, name, chips[c].name)
}

// isLine reports whether name means line j of the chip.
func (c chipInfo) isLine(j int, name string) bool {
	if name == c.lines[j] {
		return name != ""
	}
	of, number, ok := cutLastColon(name)
	return ok && of != "" && (of == c.name || of == c.label) && number == strconv.Itoa(j)
}

// cutLastColon cuts s at its last colon.
func cutLastColon(s string) (before, after string, found bool) {
	i := strings.LastIndexByte(s, ':')
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+1:], true
}

// describeChips returns a list of all lines for messages, such as "cp2112_gpio:0..7 (gpiochip0)".
func describeChips(chips []chipInfo) string {
	var list []string
	for _, c := range chips {
		list = append(list, fmt.Sprintf("%s:0..%d (%s)", c.label, len(c.lines)-1, c.name))
	}
	return strings.Join(list, ", ")
}
