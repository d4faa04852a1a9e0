package main

import (
	"os"
	"time"

	"rig.example/rig/display"
	"rig.example/rig/internal/page"
	"rig.example/rig/internal/watch"
)

type displayCmd struct {
	Page       string        `help:"Socket of the rig to show; without one the user's own rig, or the service."`
	Inherited  bool          `hidden:"" help:"The page is inherited from the rig that starts this: descriptors 3 and 4."`
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
	p, err := c.open()
	if err != nil {
		return err
	}
	defer p.Close()
	ctx, done := untilInterrupted()
	defer done()
	return display.Run(ctx, p, display.Options{
		Width: c.Width, Height: c.Height, Camera: c.Camera, Force: c.Force, Motion: c.Motion, Screenshot: c.Screenshot, After: c.After, StateName: watch.StateName,
		EffectName: watch.EffectName, MotionState: watch.MotionState, FaultNames: watch.FaultNames, TuningName: watch.TuningName, MaxRPM: c.MaxRPM,
	})
}

// open returns the page to show. Only the rig's own display has keys.
func (c *displayCmd) open() (*page.Page, error) {
	if !c.Inherited {
		return page.Open(c.Page)
	}
	const first = 3 // of the files that a process inherits
	return page.Inherit(os.NewFile(first, "3"), os.NewFile(first+1, "4"))
}
