package bench

import (
	"cmp"
	"math"
	"strings"

	"rig.example/rig/cueing"
	"rig.example/rig/devices/motion"
	"rig.example/rig/devices/motion/wire"
	"rig.example/rig/internal/assembly"
	"rig.example/rig/internal/config"
	"rig.example/rig/internal/lab/omct"
	"rig.example/rig/internal/watch"
)

// OMCT measures what the platform gives of the car's motion: cueing, tuning, geometry and
// the limits of [motion], as they are in a drive.
func OMCT(cfg config.Config, o omct.Options) (*omct.Result, error) {
	every := demandEvery(cfg.Motion, o.Dt)
	r, err := omct.Run(omct.Platform{
		Cueing: cfg.Cueing, Tuning: cueing.Tuning(cfg.Tuning), Geometry: assembly.Geometry(cfg), Span: assembly.Span(cfg), Every: every,
		Path: func() func(cueing.Legs) cueing.Legs {
			p := motion.NewPath(cfg.Motion, float64(every)*o.Dt)
			return func(l cueing.Legs) cueing.Legs { return cueing.Legs(p.Next(wire.Legs(l))) }
		},
	}, o)
	if err != nil {
		return nil, err
	}
	if lines := watch.TunedLines(cueing.Tuning(cfg.Tuning), cueing.PlainTuning()); lines != nil {
		r.Tuned = strings.ReplaceAll(strings.Join(lines[1:], ", "), " = ", " ")
	}
	return r, nil
}

// demandEvery is how many ticks go by from one demand to the next.
func demandEvery(cfg motion.Config, dt float64) int {
	const usual = 250 // of a line that has room [Hz]
	rate := cmp.Or(cfg.Rate, usual)
	if plan, err := cfg.Plan(); err == nil {
		rate = plan.Rate
	}
	return max(1, int(math.Round(1/(rate*dt))))
}
