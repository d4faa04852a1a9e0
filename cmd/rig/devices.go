package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"strings"

	"rig.example/rig/internal/check"
	"rig.example/rig/internal/config"
	"rig.example/rig/internal/printable"
	"rig.example/rig/internal/watch"
)

type devicesCmd struct {
	Config string `type:"path" placeholder:"F" help:"Configuration file."`
	Watch  bool   `short:"w" help:"Show every button, hat and axis that moves, until Ctrl-C."`
	JSON   bool   `name:"json" help:"Print a JSON array; with --watch an object a line, for every event."`
}

func (c *devicesCmd) Run(s *streams) error {
	cfg, _, err := s.configuration(c.Config)
	if err != nil {
		return err
	}
	if c.Watch {
		return c.watch(cfg, s)
	}
	list, err := check.Devices(cfg)
	if err != nil {
		return err
	}
	if c.JSON {
		return json.NewEncoder(s.out).Encode(list)
	}
	if len(list) == 0 {
		fmt.Fprintln(s.out, "no input devices, serial lines, GPIO chips or I2C buses; plug in a wheel, or try `rig run --demo`")
	}
	for _, d := range list {
		fmt.Fprint(s.out, printable.Sprintf("%-22s %s:%s  %-9s %s\n", d.Path, d.Vendor, d.Product, d.Kind, d.Name))
		if len(d.Axes)+len(d.Buttons) > 0 {
			fmt.Fprintf(s.out, "%22s axes %s; %d buttons; force feedback %s\n", "", join(d.AxisNames()), len(d.Buttons), join(d.FFEffects))
		}
		if d.Known != "" {
			fmt.Fprintf(s.out, "%22s known as %s: %s\n", "", d.Known, strings.Join(append(d.Quirks, "see docs/wheels.md"), "; "))
		}
		if len(d.Offers) > 0 {
			fmt.Fprintf(s.out, "%22s effects of its own, by keys of [wheel]: %s\n", "", strings.Join(d.Offers, ", "))
		}
		fmt.Fprint(s.out, printable.Sprintf("%22s → %s\n", "", d.Use))
	}
	return nil
}

// watch shows events until it is interrupted.
func (c *devicesCmd) watch(cfg config.Config, s *streams) error {
	ctx, done := untilInterrupted()
	defer done()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	endless := func(_ int, err error) { // of what has no end of its own
		if err != nil {
			cancel()
		}
	}
	if c.JSON {
		out := json.NewEncoder(s.out)
		return watch.Events(ctx, cfg, func(h watch.Event) { endless(0, out.Encode(h)) })
	}
	endless(fmt.Fprintln(s.out, "press, turn and pull; axes are shown as they move; Ctrl-C ends"))
	shown := map[string]int32{}
	return watch.Events(ctx, cfg, func(h watch.Event) {
		if h.Kind != "axis" || moved(shown, h) {
			endless(fmt.Fprintln(s.out, h))
		}
	})
}

// moved tells whether an axis has moved by a fiftieth of its way since it was shown: one
// that trembles must not hide the buttons.
func moved(shown map[string]int32, h watch.Event) bool {
	axis := h.Path + h.Name
	was, known := shown[axis]
	if known && 50*math.Abs(float64(h.Value)-float64(was)) < float64(h.Range) {
		return false
	}
	shown[axis] = h.Value
	return true
}

func join(list []string) string {
	if len(list) == 0 {
		return "none"
	}
	return strings.Join(list, " ")
}
