package ffb

import "rig.example/rig/sim"

// Effects lets tests outside the package, which may load circuits, step the effects alone: it
// has their state.
type Effects struct {
	effects
	effectsState
}

func NewEffects(cfg EffectsConfig, dt float64) *Effects {
	return &Effects{effects: newEffects(cfg, dt)}
}

func (e *Effects) Step(car *sim.State, out *[EffectCount]float64) float64 {
	return e.effects.step(&e.effectsState, car, 1, out)
}

func (e *Effects) Understeer(car *sim.State, torque float64) float64 {
	return e.effects.understeer(&e.effectsState, car, torque)
}
