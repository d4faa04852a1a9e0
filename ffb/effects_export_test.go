package ffb

import "rig/sim"

// Effects lets tests outside the package, which may load circuits, step the effects alone.
type Effects struct{ effects }

func NewEffects(cfg EffectsConfig, dt float64) *Effects { return &Effects{newEffects(cfg, dt)} }

func (e *Effects) Step(s *sim.State, out *[EffectCount]float64) float64 { return e.step(s, out) }
