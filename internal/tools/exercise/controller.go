package exercise

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"strconv"

	"rig.example/rig/devices/motion/settings"
	"rig.example/rig/internal/files/config"
	"rig.example/rig/internal/files/drivesetup"
	"rig.example/rig/internal/live/loopback"
)

// Parameters are the settings that a motion controller stores itself.
type Parameters []Parameter

// Parameter is one setting of a motion controller.
type Parameter struct {
	Name  string  `json:"name"`
	Axis  int     `json:"axis"` // number of its actuator, counted from 1; 0 for all
	Value float64 `json:"value"`
	Unit  string  `json:"unit"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
	Help  string  `json:"help"`
}

// ConfigureMotion writes the parameters in set to the controller that cfg describes, makes it store
// them permanently if save is true, and returns all its parameters. It moves nothing.
func ConfigureMotion(ctx context.Context, cfg config.Config, set map[string]float64, save, demo bool, log *slog.Logger) (Parameters, error) {
	var dial func() (io.ReadWriteCloser, error)
	if demo {
		platform, err := drivesetup.Platform(cfg)
		if err != nil {
			return nil, err
		}
		if dial, err = loopback.AtOnce(&cfg.Motion, platform.Axes()); err != nil {
			return nil, err
		}
	}
	if cfg.Motion.Protocol == "" {
		return nil, errNoPlatform
	}
	if err := cfg.Motion.Validate(); err != nil {
		return nil, err
	}
	controller := settings.Controller{Protocol: cfg.Motion.Protocol, Port: cfg.Motion.Port, Baud: cfg.Motion.Baud, BootWait: cfg.Motion.BootWait, Dial: dial}
	warning := &lastWarning{log: log}
	if len(set) > 0 {
		if err := settings.Write(ctx, controller, set, save, slog.New(warning)); err != nil {
			return nil, warning.explain(err)
		}
	}
	list, err := settings.Read(ctx, controller, slog.New(warning))
	if err != nil {
		return nil, warning.explain(err)
	}
	var p Parameters
	for _, v := range list {
		p = append(p, Parameter{v.Name, v.Axis + 1, v.Value, v.Unit, v.Low, v.High, v.Help})
	}
	return p, nil
}

// Print writes the parameters as a table of text.
func (p Parameters) Print(w io.Writer) {
	nameWidth := len("parameter")
	for _, v := range p {
		nameWidth = max(nameWidth, len(v.Name))
	}
	fmt.Fprintf(w, "%-*s %10s %-7s %-16s %s\n", nameWidth, "parameter", "value", "unit", "range", "")
	for _, v := range p {
		fmt.Fprintf(w, "%-*s %10s %-7s %-16s %s\n", nameWidth, v.Name, formatNumber(v.Value), v.Unit, v.rangeText(), v.Help)
	}
}

// rangeText returns the range of a parameter as text.
func (v Parameter) rangeText() string {
	if v.Low == v.High {
		return "read only"
	}
	return formatNumber(v.Low) + " .. " + formatNumber(v.High)
}

// formatNumber formats a number with up to six significant digits.
func formatNumber(v float64) string { return strconv.FormatFloat(v, 'g', 6, 64) }
