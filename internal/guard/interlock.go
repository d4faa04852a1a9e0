package guard

// fasten keeps in mind that a belt or a door was open until the operator confirms, at rest,
// that it is closed, and tells of that.
func (g *Guard) fasten(in Inputs) (confirmed bool) {
	rests := g.state == Ready || g.state == Fault || g.state == Stopped
	confirmed = g.belt && !in.Unbelted && g.clear.now && rests
	g.belt = (g.belt || in.Unbelted) && !confirmed
	return confirmed
}

// belted ends a drive while a belt or a door is open, and begins anew, with the platform's
// way to its centre, once that is closed and the operator has confirmed it.
func (g *Guard) belted(confirmed bool) (State, Cause) {
	switch {
	case g.belt && g.state.Moves():
		return Releasing, Unbelted
	case g.belt && g.state == Homing:
		return Ready, Unbelted
	case confirmed && g.state == Ready:
		return Homing, Cleared
	}
	return g.state, None
}

// Unbelted tells whether a belt or a door is open, or was and nobody has confirmed since
// that it is closed.
func (g *Guard) Unbelted() bool { return g.belt }

// Motion is the share of the platform's motion that passes, 0..1.
func (g *Guard) Motion() float64 { return smooth(g.motion) * smooth(g.held) }
