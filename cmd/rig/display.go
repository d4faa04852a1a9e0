package main

import (
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
	Force      bool          `help:"Show the page of the force from the beginning."`
	Motion     bool          `help:"Show the page of the motion from the beginning."`
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
	ctx, done := untilInterrupted()
	defer done()
	return display.Run(ctx, page, display.Options{
		Width: c.Width, Height: c.Height, Camera: c.Camera, Force: c.Force, Motion: c.Motion, Screenshot: c.Screenshot, After: c.After, StateName: rig.StateName,
		EffectName: rig.EffectName, MotionState: rig.MotionState, FaultNames: rig.FaultNames, TuningName: rig.TuningName, MaxRPM: c.MaxRPM,
	})
}
