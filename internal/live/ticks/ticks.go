// Package ticks runs what gives devices their targets, a drive or one device alone, in the same way: on a thread of its own
// at real-time priority, once the switches are certain, and with a measure of the times without a step. In go a tick, the
// switches and the configuration; out come what the kernel refused, and how the ticks ended. It moves nothing itself.
package ticks

import (
	"log/slog"
	"time"

	"rig.example/rig/internal/core/loop"
	"rig.example/rig/internal/files/config"
	"rig.example/rig/internal/kit/rt"
	"rig.example/rig/internal/live/switches"
	"rig.example/rig/sim"
)

// Period is the time between two ticks: the car's step in real time.
const Period = time.Duration(sim.Dt * float64(time.Second))

// Loop is what runs in ticks.
type Loop struct {
	Tick     func() error // ends the ticks by an error
	Panicked func()       // is deferred: it recovers a panic of a tick, takes the force off and panics again
	Switches switches.Set
	Stats    *loop.Stats
	Gap      *Gap
}

// Start runs the ticks until one returns an error, which ended gets. It logs and returns the real-time settings that the
// kernel refused, including problems from before; the ticks run without them.
func (l Loop) Start(cfg *config.Config, problems []rt.Problem, log *slog.Logger) (notes []string, ended <-chan error) {
	refused := make(chan []rt.Problem, 1)
	done := make(chan error, 1)
	go func() { // ends with its thread, whose priority nothing else must inherit
		defer l.Panicked()
		refused <- cfg.Realtime.Thread()
		l.Switches.WaitSettled(cfg.Estop) // or the first tick would be a stop: just before it, for a start keeps a machine busy
		l.Gap.Now, l.Gap.Suspended = cfg.Realtime.Clock().Now, rt.Suspended
		done <- loop.Run(cfg.Realtime.Clock(), Period, cfg.Loop, l.Stats, l.Tick)
	}()
	for _, p := range append(problems, <-refused...) {
		log.Warn(p.What, "remedy", p.Remedy)
		notes = append(notes, p.String())
	}
	return notes, done
}
