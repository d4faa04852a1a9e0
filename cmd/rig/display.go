package main

import (
	"context"
	"time"

	"rig/display"
	"rig/internal/frame"
	"rig/internal/rig"
)

type displayCmd struct {
	Page       string        `required:"" help:"Page to show."`
	Width      int           `default:"1280" help:"Pixels."`
	Height     int           `default:"720" help:"Pixels."`
	Camera     string        `default:"chase" enum:"chase,cockpit" help:"chase or cockpit."`
	MaxRPM     float64       `default:"8000" help:"End of the engine's scale."`
	Screenshot string        `type:"path" placeholder:"F" help:"Write a PNG and exit."`
	After      time.Duration `default:"2s" help:"Show for so long before the screenshot."`
}

func (c *displayCmd) Run(s *streams) error {
	page, err := frame.Open(c.Page)
	if err != nil {
		return err
	}
	defer page.Close()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	interrupt, stop := interrupted()
	defer stop()
	go func() { <-interrupt; cancel() }()
	return display.Run(ctx, page, display.Options{
		Width: c.Width, Height: c.Height, Camera: c.Camera, Screenshot: c.Screenshot, After: c.After, StateName: rig.StateName,
		MaxRPM: c.MaxRPM,
	})
}
