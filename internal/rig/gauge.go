package rig

import (
	"context"
	"math"
	"sync/atomic"
	"time"

	"rig.example/rig/cueing"
	"rig.example/rig/devices/motion"
	"rig.example/rig/devices/motion/wire"
	"rig.example/rig/internal/assembly"
	"rig.example/rig/internal/config"
	"rig.example/rig/internal/drive"
	"rig.example/rig/internal/frame"
)

// gauge finds the pose that a platform has from its actuators' feedback. It runs beside the
// loop: to solve for a pose takes longer than the rest of the motion.
type gauge struct {
	form *cueing.Platform
	near cueing.Pose // what solving found last, and begins at
	pose [frame.Freedoms]atomic.Uint64
}

const gaugePeriod = 20 * time.Millisecond

func newGauge(cfg config.Config) (*gauge, error) {
	form, err := assembly.Platform(cfg)
	if err != nil {
		return nil, err
	}
	m := &gauge{form: form}
	m.put(unknownPose)
	return m, nil
}

// run measures until ctx ends.
func (g *gauge) run(ctx context.Context, status func() motion.Status) {
	tick := time.NewTicker(gaugePeriod)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			g.put(g.measure(status().Feedback))
		}
	}
}

// measure solves for the pose of legs, of which those that are used must be numbers.
func (g *gauge) measure(legs wire.Legs) frame.Pose {
	for i := range legs {
		if i >= g.form.Axes() {
			legs[i] = 0.5
		} else if math.IsNaN(legs[i]) {
			return unknownPose
		}
	}
	var ok bool
	if g.near, ok = g.form.Pose(cueing.Legs(legs), g.near); !ok {
		return unknownPose
	}
	return drive.Framed(&g.near)
}

// put leaves a pose for the loop. One that is read meanwhile may be half an older one, which
// a screen does not show.
func (g *gauge) put(p frame.Pose) {
	for i, v := range p {
		g.pose[i].Store(math.Float64bits(v))
	}
}

// last returns the newest pose; nobody measures a rig without a gauge.
func (g *gauge) last() (p frame.Pose) {
	if g == nil {
		return unknownPose
	}
	for i := range p {
		p[i] = math.Float64frombits(g.pose[i].Load())
	}
	return p
}

var unknownPose = frame.Pose(unknownLegs)

var unknownLegs = [frame.MaxLegs]float64{math.NaN(), math.NaN(), math.NaN(), math.NaN(), math.NaN(), math.NaN(), math.NaN(), math.NaN()}

// A frame has room for all actuators.
var _ [frame.MaxLegs - wire.Axes]struct{}
