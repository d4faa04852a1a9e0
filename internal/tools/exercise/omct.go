package exercise

import (
	"cmp"
	"math"
	"strings"

	"rig.example/rig/cueing"
	"rig.example/rig/devices/motion"
	"rig.example/rig/devices/motion/wire"
	"rig.example/rig/internal/files/config"
	"rig.example/rig/internal/files/drivesetup"
	"rig.example/rig/internal/files/tunings"
	"rig.example/rig/internal/tools/lab/omct"
)

// OMCT measures how much of the car's motion the platform reproduces, with the cueing, tuning,
// geometry and limits of [motion] of a drive.
func OMCT(cfg config.Config, o omct.Options) (*omct.Result, error) {
	ticks := ticksPerTarget(cfg.Motion, o.Dt)
	r, err := omct.Run(omct.Platform{
		Cueing: cfg.Cueing, Tuning: cueing.Tuning(cfg.Tuning), Geometry: drivesetup.Geometry(cfg), Span: drivesetup.Span(cfg), TargetPeriod: ticks,
		NewInterpolator: func() func(cueing.Legs) cueing.Legs {
			p := motion.NewPath(cfg.Motion, float64(ticks)*o.Dt)
			return func(l cueing.Legs) cueing.Legs { return cueing.Legs(p.Next(wire.Legs(l))) }
		},
	}, o)
	if err != nil {
		return nil, err
	}
	if lines := tunings.Lines(cueing.Tuning(cfg.Tuning), cueing.UnitTuning()); lines != nil {
		r.Tuned = strings.ReplaceAll(strings.Join(lines[1:], ", "), " = ", " ")
	}
	return r, nil
}

// ticksPerTarget returns the number of ticks from one target to the next.
func ticksPerTarget(cfg motion.Config, dt float64) int {
	const defaultRate = 250 // rate of targets of a platform whose line is not configured [Hz]
	rate := cmp.Or(cfg.Rate, defaultRate)
	if plan, err := cfg.Plan(); err == nil {
		rate = plan.Rate
	}
	return max(1, int(math.Round(1/(rate*dt))))
}
