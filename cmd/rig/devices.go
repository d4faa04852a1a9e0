package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"strings"

	"rig.example/rig/internal/files/config"
	"rig.example/rig/internal/kit/printable"
	"rig.example/rig/internal/tools/check"
	"rig.example/rig/internal/tools/watch"
)

type devicesCmd struct {
	Config string `type:"path" placeholder:"F" help:"Read this configuration file."`
	Watch  bool   `short:"w" help:"Show each button, hat and axis as you move it. Ctrl-C ends."`
	JSON   bool   `name:"json" help:"Print a JSON array. With --watch print one JSON object per event."`
}

func (c *devicesCmd) Run(s *streams) error {
	cfg, _, err := s.configuration(c.Config)
	if err != nil {
		return err
	}
	if c.Watch {
		return c.watch(cfg, s)
	}
	list, err := check.Devices(cfg, features())
	if err != nil {
		return err
	}
	if c.JSON {
		return json.NewEncoder(s.out).Encode(list)
	}
	if len(list) == 0 {
		fmt.Fprintln(s.out, "no input devices, serial ports, GPIO chips or I2C buses found; plug in a wheel, or try `rig run --demo`")
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

// watch shows input events until it is interrupted or the output cannot be written.
func (c *devicesCmd) watch(cfg config.Config, s *streams) error {
	ctx, done := s.untilInterrupted()
	defer done()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	stopOnError := func(_ int, err error) { // ends the watch when the output cannot be written
		if err != nil {
			cancel()
		}
	}
	if c.JSON {
		out := json.NewEncoder(s.out)
		return watch.Events(ctx, cfg, func(event watch.Event) { stopOnError(0, out.Encode(event)) })
	}
	stopOnError(fmt.Fprintln(s.out, "move any control to see its name; Ctrl-C ends"))
	shown := map[string]int32{}
	return watch.Events(ctx, cfg, func(event watch.Event) {
		if event.Kind != "axis" || axisMoved(shown, event) {
			stopOnError(fmt.Fprintln(s.out, event))
		}
	})
}

// axisMoved reports whether an axis has moved by at least 2 % of its range since it was last shown.
// Smaller movements are not shown, so that the noise of an axis does not scroll the buttons away.
func axisMoved(shown map[string]int32, event watch.Event) bool {
	axis := event.Path + event.Name
	shownValue, known := shown[axis]
	if known && 50*math.Abs(float64(event.Value)-float64(shownValue)) < float64(event.Range) {
		return false
	}
	shown[axis] = event.Value
	return true
}

// join returns the words of a list separated by spaces, or "none" if it is empty.
func join(list []string) string {
	if len(list) == 0 {
		return "none"
	}
	return strings.Join(list, " ")
}
