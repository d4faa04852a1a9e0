package main

import (
	"encoding/json"
	"fmt"
	"os"
	"time"

	"rig.example/rig/display"
	"rig.example/rig/internal/core/framepage"
)

type displayCmd struct {
	PageSocket      string        `name:"page" help:"Show the rig at this socket. Default: your own rig, or the service."`
	Inherited       bool          `hidden:"" help:"Use the page inherited as descriptors 3 and 4 from the rig that started this program."`
	Others          bool          `hidden:"" help:"Show the other cars of a session too, from inherited descriptor 5."`
	Width           int           `default:"1280" help:"Width of the window [pixels]."`
	Height          int           `default:"720" help:"Height of the window [pixels]."`
	Camera          string        `default:"chase" enum:"chase,cockpit,bonnet" help:"Camera: chase, cockpit or bonnet."`
	VSync           string        `name:"vsync" default:"on" enum:"on,off,adaptive" help:"Wait for the screen's refresh: on, off or adaptive."`
	Quality         string        `default:"auto" enum:"auto,low,medium,high" help:"How fine the pictures are: auto, low, medium or high."`
	Force           bool          `help:"Start with the force page open."`
	Motion          bool          `help:"Start with the motion page open."`
	Setup           string        `hidden:"" help:"Screens before the driver, as JSON."`
	Remember        string        `hidden:"" type:"path" help:"Keep what the driver chooses in the window in this file."`
	MaxRPM          float64       `default:"8000" help:"Highest engine speed on the scale [1/min]."`
	Screenshot      string        `type:"path" placeholder:"F" help:"Write a PNG picture and exit."`
	ScreenshotDelay time.Duration `name:"after" default:"2s" help:"Wait this long before the screenshot."`
}

func (c *displayCmd) Run(s *streams) error {
	p, err := c.open()
	if err != nil {
		return err
	}
	defer p.Close()
	var setup display.Setup
	if c.Setup != "" {
		if err := json.Unmarshal([]byte(c.Setup), &setup); err != nil {
			return fmt.Errorf("--setup: %w", err)
		}
	}
	ctx, done := s.untilInterrupted()
	defer done()
	return display.Run(ctx, p, display.Options{
		Setup: setup, Remember: c.Remember, Width: c.Width, Height: c.Height, Camera: c.Camera, VSync: c.VSync, Quality: c.Quality, Force: c.Force, Motion: c.Motion, Screenshot: c.Screenshot, After: c.ScreenshotDelay, MaxRPM: c.MaxRPM,
	})
}

// open opens the page whose state is shown. Only the window that a rig started itself can send it keys.
func (c *displayCmd) open() (*framepage.Page, error) {
	if !c.Inherited {
		return framepage.Open(c.PageSocket)
	}
	const first = 3 // the first inherited descriptor
	state, keys := os.NewFile(first, "3"), os.NewFile(first+1, "4")
	if c.Others {
		return framepage.InheritSession(state, keys, os.NewFile(first+2, "5"))
	}
	return framepage.Inherit(state, keys)
}
