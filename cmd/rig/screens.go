package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"time"

	"rig.example/rig/display"
	"rig.example/rig/display/screens"
	"rig.example/rig/internal/files/config"
	"rig.example/rig/internal/live/rig"
)

type screensCmd struct {
	Config     string        `type:"path" placeholder:"F" help:"Read this configuration file."`
	List       bool          `help:"List the monitors that are connected and the screens that are configured. Open no window."`
	Fullscreen bool          `help:"Fill the monitors."`
	Screenshot string        `type:"path" placeholder:"F" help:"Write a PNG picture of the pattern and exit."`
	After      time.Duration `hidden:"" default:"500ms" help:"Wait this long before the screenshot."`
	JSON       bool          `name:"json" help:"With --list: print one JSON object."`
}

// screenFigures are what a screen shows from the driver's eye.
type screenFigures struct {
	Name     string  `json:"name"`
	Monitor  string  `json:"monitor,omitempty"`
	Across   float64 `json:"hfov_deg"`
	Upright  float64 `json:"vfov_deg"`
	Angle    float64 `json:"angle_deg"`
	Distance float64 `json:"distance_m"`
}

func (c *screensCmd) Run(s *streams) error {
	cfg, _, err := s.configuration(c.Config)
	if err != nil {
		return err
	}
	list := cfg.Display.AllScreens()
	if c.List {
		return c.list(s, list)
	}
	if len(list) == 0 {
		return &config.Problem{File: "display.screens", Text: "are not described, so there is no true size to check; set preset to single, triple or ultrawide-curved with width_m, height_m and distance_m (rig screens --list says what the monitors tell)"}
	}
	if err := writeFigures(s.out, figuresOf(list)); err != nil {
		return err
	}
	if _, err := fmt.Fprintln(s.out, "From your place: the horizon at the height of your eyes and unbroken from screen to screen, the card as large as a real one. Escape ends it."); err != nil {
		return err
	}
	setup := rig.DisplaySetup(&cfg.Display)
	setup.Fullscreen = setup.Fullscreen || c.Fullscreen
	ctx, done := s.untilInterrupted()
	defer done()
	return display.ShowPattern(ctx, display.Options{
		Setup: setup, Width: cfg.Display.Width, Height: cfg.Display.Height, Screenshot: c.Screenshot, After: c.After,
	})
}

func figuresOf(list []screens.Screen) []screenFigures {
	figures := []screenFigures{}
	for i := range list {
		s := &list[i]
		across, upright := s.FOV()
		figures = append(figures, screenFigures{s.Name, s.Monitor, across * 180 / math.Pi, upright * 180 / math.Pi, s.Angle, s.Distance})
	}
	return figures
}

func writeFigures(w io.Writer, figures []screenFigures) error {
	for _, f := range figures {
		if _, err := fmt.Fprintf(w, "%-8s %.1f° across, %.1f° upright, turned by %.1f°, %.3f m away %s\n", f.Name, f.Across, f.Upright, f.Angle, f.Distance, f.Monitor); err != nil {
			return err
		}
	}
	return nil
}

// list prints monitors and screens.
func (c *screensCmd) list(s *streams, list []screens.Screen) error {
	monitors, err := display.Monitors()
	if err != nil {
		return err
	}
	figures := figuresOf(list)
	if c.JSON {
		return json.NewEncoder(s.out).Encode(struct {
			Monitors []display.Monitor `json:"monitors"`
			Screens  []screenFigures   `json:"screens"`
		}{monitors, figures})
	}
	for i, m := range monitors {
		size := "its size is unknown: measure it"
		if m.Millimeters[0] > 0 {
			size = fmt.Sprintf("width_m = %.3f, height_m = %.3f by what it says: measure it", float64(m.Millimeters[0])/1000, float64(m.Millimeters[1])/1000)
		}
		if _, err := fmt.Fprintf(s.out, "monitor %d: %s, %d by %d pixels at %d, %d, %d Hz; %s\n", i+1, m.Name, m.Size[0], m.Size[1], m.Place[0], m.Place[1], m.Refresh, size); err != nil {
			return err
		}
	}
	if len(figures) == 0 {
		_, err := fmt.Fprintln(s.out, "no screens are configured: see display.screens in docs/display.md")
		return err
	}
	return writeFigures(s.out, figures)
}
