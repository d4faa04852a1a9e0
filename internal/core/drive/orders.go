package drive

import (
	"rig.example/rig/internal/core/guard"
)

// orders are what is left of the operator's orders of earlier ticks.
type orders struct {
	known     uint64       // emergency stops by software that a tick has seen
	lifted    uint64       // those of them that a confirmation has lifted: all later ones are in effect
	orderedBy guard.Origin // whose order led to the stop or the pause that is in effect
	confirmed bool         // somebody confirmed in this tick, by whatever way
}

// step takes the orders of a tick. A confirmation lifts the stops that were given before it: an order names
// them; a key or a button means those of the ticks before. None lifts a stop that no tick has seen.
func (o *orders) step(in *Operator, keyPressed bool) {
	o.confirmed = keyPressed || in.ConfirmBy != guard.Nobody
	if keyPressed {
		o.lifted = o.known
	}
	if in.ConfirmBy != guard.Nobody {
		o.lifted = max(o.lifted, min(in.Confirmed, o.known))
	}
	o.known = max(o.known, in.Stops)
}

// stops reports whether an emergency stop by software is in effect.
func (o *orders) stops() bool { return o.known > o.lifted }

// noteOrigin keeps whose order has changed the state to a stop or a pause.
func (o *orders) noteOrigin(in *Operator, cause guard.Cause) {
	switch {
	case cause == guard.EmergencyStop && o.stops():
		o.orderedBy = in.StopBy
	case cause == guard.EmergencyStop:
		o.orderedBy = guard.ByDriver
	}
}

// homesPlatform reports whether the operator orders the platform to its center in this tick: with the start, with a
// confirmation that ends what kept the rig from moving, and with one for a platform that waits for it or has a fault.
func (s *State) homesPlatform(in *Inputs, changed bool) bool {
	g := &s.Guard
	if s.Watch.releaseOrdered || g.LatchedCause() != guard.None || g.State() == guard.Fault || g.State() == guard.Stopped {
		return false
	}
	started := changed && g.LastTransition().Cause == guard.StartRequested
	return started || g.Cleared() || s.orders.confirmed && in.Platform.AwaitsHome
}
