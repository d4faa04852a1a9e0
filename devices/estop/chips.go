package estop

import (
	"fmt"
	"strings"

	"periph.io/x/conn/v3/driver/driverreg"
	"periph.io/x/host/v3/gpioioctl"
)

// Chip describes a GPIO chip to people.
type Chip struct {
	Path, Label string
	Lines       int      // number of its lines
	Uses        []string // configured uses of its lines, such as "stop switch on line 0"
}

// Chips lists the GPIO chips that can be opened, with the lines that cfg uses.
func Chips(cfg Config) ([]Chip, error) {
	if _, err := driverreg.Init(); err != nil {
		return nil, fmt.Errorf("estop: %w", err)
	}
	known := knownChips()
	var list []Chip
	for i, c := range gpioioctl.Chips {
		list = append(list, Chip{Path: "/dev/" + strings.TrimPrefix(c.Name(), "/dev/"), Label: c.Label(), Lines: len(known[i].lines)})
	}
	for _, u := range []struct{ pin, what string }{
		{cfg.Pin, "stop switch"}, {cfg.SecondPin, "second contact of the stop switch"}, {cfg.Relay, "enable relay"},
		{cfg.Interlock, "belt or door switch"},
	} {
		if u.pin == "" {
			continue
		}
		if c, l, err := locateLine(u.pin, known); err == nil {
			list[c].Uses = append(list[c].Uses, fmt.Sprintf("%s on line %d", u.what, l))
		}
	}
	return list, nil
}

// knownChips returns the chips that the library found, in its order.
func knownChips() []chipInfo {
	var chips []chipInfo
	for _, c := range gpioioctl.Chips {
		known := chipInfo{name: c.Name(), label: c.Label()}
		for _, l := range c.Lines() {
			known.lines = append(known.lines, l.Name())
		}
		chips = append(chips, known)
	}
	return chips
}
