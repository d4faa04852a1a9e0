package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"

	"rig.example/rig/internal/core/drive"
	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/core/framepage"
	"rig.example/rig/internal/live/operator"
)

type motionTuneCmd struct {
	orderFlags
	Factor string   `arg:"" optional:"" help:"Gain, filter or limit. Without it: list all of them."`
	Share  *float64 `arg:"" optional:"" help:"Share of its configured value, 0 to 1."`
}

// Help explains the factors.
func (c *motionTuneCmd) Help() string {
	return "The share 1 is the configured value; nothing can be raised above it. motion_filter below 1 smooths and delays the motion. " +
		"limit_travel, limit_speed and limit_accel lower the limits of [cueing], to a fifth at most. All changes are gradual, and last until the end of the drive."
}

func (c *motionTuneCmd) Run(s *streams) error {
	if c.Factor == "" {
		return c.list(s)
	}
	f, ok := drive.FactorNamed(c.Factor)
	if !ok {
		return wrongUsage(fmt.Errorf("factor %q: not found; choose %s", c.Factor, strings.Join(drive.FactorNames(), ", ")))
	}
	if c.Share == nil || !(*c.Share >= 0 && *c.Share <= 1) {
		return wrongUsage(fmt.Errorf("%s: give a share of its configured value, 0 to 1", c.Factor))
	}
	shares, err := c.shares()
	if err != nil {
		return err
	}
	if math.IsNaN(shares[f-1]) {
		return fmt.Errorf("%s: has no effect in this drive", c.Factor)
	}
	share := max(*c.Share, f.Lowest())
	return c.give(s, operator.Message{Factor: c.Factor, Share: share}, fmt.Sprintf("%s %.4g", c.Factor, share), func(now *frame.Frame) bool {
		return math.Abs(now.Tuned[f-1]-share) < 1e-5
	})
}

var errNoFrame = errors.New("the rig has published no state yet; try again")

// shares returns the share of its configured value that each factor has in the running rig, by drive.Factor less one.
func (c *motionTuneCmd) shares() (shares [frame.MaxTuned]float64, err error) {
	p, err := framepage.Open(c.PageSocket)
	if err != nil {
		return shares, err
	}
	defer p.Close()
	var f frame.Frame
	if !p.Read(&f) {
		return shares, errNoFrame
	}
	return f.Tuned, nil
}

// list prints the factors that have an effect.
func (c *motionTuneCmd) list(s *streams) error {
	shares, err := c.shares()
	if err != nil {
		return err
	}
	known, text := map[string]float64{}, ""
	for i, name := range drive.FactorNames() {
		if !math.IsNaN(shares[i]) {
			known[name] = shares[i]
			text += fmt.Sprintf("%-14s %.4g\n", name, shares[i])
		}
	}
	if c.JSON {
		return json.NewEncoder(s.out).Encode(known)
	}
	_, err = s.out.Write([]byte(text))
	return err
}
