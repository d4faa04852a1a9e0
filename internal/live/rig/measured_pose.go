package rig

import (
	"context"
	"math"
	"time"

	"rig.example/rig/cueing"
	"rig.example/rig/devices/motion"
	"rig.example/rig/devices/motion/wire"
	"rig.example/rig/internal/core/drive"
	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/files/config"
	"rig.example/rig/internal/files/drivesetup"
	"rig.example/rig/internal/kit/latest"
)

// poseSolver calculates the platform's pose from the actuators' feedback (forward kinematics). It runs in
// its own goroutine, because that takes longer than the rest of the motion.
type poseSolver struct {
	platform *cueing.Platform        // its geometry
	lastPose cueing.Pose             // latest solution, and start of the next iteration
	pose     latest.Cell[frame.Pose] // latest solution, for the loop
}

const solvePeriod = 20 * time.Millisecond

func newPoseSolver(cfg config.Config) (*poseSolver, error) {
	form, err := drivesetup.Platform(cfg)
	if err != nil {
		return nil, err
	}
	return &poseSolver{platform: form}, nil
}

// run updates the pose every solvePeriod until ctx ends.
func (g *poseSolver) run(ctx context.Context, status func() motion.Status) {
	tick := time.NewTicker(solvePeriod)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			pose := g.measure(status().Feedback)
			g.pose.Put(&pose)
		}
	}
}

// measure returns the pose for measured actuator positions, or unknownPose if one in use is NaN.
func (g *poseSolver) measure(legs wire.Legs) frame.Pose {
	for i := range legs {
		if i >= g.platform.Axes() {
			legs[i] = 0.5
		} else if math.IsNaN(legs[i]) {
			return unknownPose
		}
	}
	var ok bool
	if g.lastPose, ok = g.platform.Pose(cueing.Legs(legs), g.lastPose); !ok {
		return unknownPose
	}
	return drive.FramePose(&g.lastPose)
}

// latest returns the newest pose, or unknownPose before anything was measured. g may be nil.
func (g *poseSolver) latest() frame.Pose {
	p := unknownPose
	if g != nil {
		g.pose.Get(&p)
	}
	return p
}

var unknownPose = frame.Pose(unknownLegs)

var unknownLegs = [frame.MaxLegs]float64{math.NaN(), math.NaN(), math.NaN(), math.NaN(), math.NaN(), math.NaN(), math.NaN(), math.NaN()}

// This does not compile unless a frame has room for all actuators.
var _ [frame.MaxLegs - wire.Axes]struct{}
