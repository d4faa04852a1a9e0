package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strconv"
	"sync"

	"rig.example/rig/devices/motion/settings"
	"rig.example/rig/internal/assembly"
	"rig.example/rig/internal/config"
	"rig.example/rig/internal/loopback"
)

// Parameters are what a motion controller keeps for itself.
type Parameters []Parameter

// Parameter is one setting that a controller keeps.
type Parameter struct {
	Name  string  `json:"name"`
	Axis  int     `json:"axis"` // from 1; 0 for all
	Value float64 `json:"value"`
	Unit  string  `json:"unit"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
	Help  string  `json:"help"`
}

// ConfigureMotion gives the controller that cfg describes the parameters in set, has it
// keep them if save says so, and returns all that it has then. Nothing moves by it.
func ConfigureMotion(ctx context.Context, cfg config.Config, set map[string]float64, save, demo bool, log *slog.Logger) (Parameters, error) {
	if demo {
		form, err := assembly.Platform(cfg)
		if err != nil {
			return nil, err
		}
		serve, err := loopback.OnPty(&cfg.Motion, form.Axes())
		if err != nil {
			return nil, err
		}
		alive, end := context.WithCancel(context.WithoutCancel(ctx))
		var wg sync.WaitGroup
		wg.Go(func() { _ = serve(alive) }) // the line was made for it: an error is its end
		defer wg.Wait()
		defer end()
	}
	if cfg.Motion.Protocol == "" {
		return nil, errNoPlatform
	}
	if save && len(set) == 0 {
		return nil, errors.New("motion: --save keeps what is set; give --set NAME=VALUE with it")
	}
	if err := cfg.Motion.Validate(); err != nil {
		return nil, err
	}
	at := settings.Controller{Protocol: cfg.Motion.Protocol, Port: cfg.Motion.Port, Baud: cfg.Motion.Baud, BootWait: cfg.Motion.BootWait}
	last := &lastWarning{to: log}
	if len(set) > 0 {
		if err := settings.Write(ctx, at, set, save, slog.New(last)); err != nil {
			return nil, last.explain(err)
		}
	}
	list, err := settings.Read(ctx, at, slog.New(last))
	if err != nil {
		return nil, last.explain(err)
	}
	var p Parameters
	for _, v := range list {
		p = append(p, Parameter{v.Name, v.Axis + 1, v.Value, v.Unit, v.Low, v.High, v.Help})
	}
	return p, nil
}

// Print shows people a table.
func (p Parameters) Print(w io.Writer) {
	wide := len("parameter")
	for _, v := range p {
		wide = max(wide, len(v.Name))
	}
	fmt.Fprintf(w, "%-*s %10s %-7s %-16s %s\n", wide, "parameter", "value", "unit", "range", "")
	for _, v := range p {
		fmt.Fprintf(w, "%-*s %10s %-7s %-16s %s\n", wide, v.Name, short(v.Value), v.Unit, v.span(), v.Help)
	}
}

// span is what a parameter may be.
func (v Parameter) span() string {
	if v.Low == v.High {
		return "read only"
	}
	return short(v.Low) + " .. " + short(v.High)
}

// short is a number without needless digits.
func short(v float64) string { return strconv.FormatFloat(v, 'g', 6, 64) }
