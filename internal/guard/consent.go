package guard

// SafeTorque is what a rim may give without anybody's word [N·m]: more can hurt a wrist.
const SafeTorque = 8

// consent is the operator's word that the rim may give more than SafeTorque. It lasts
// until it is taken back, or something goes wrong.
type consent struct {
	given bool
	key   edge
	share float64 // of the torque above SafeTorque that passes, 0..1
}

const consentFade = 1 // [s]

// step obeys the key. Trouble ends the consent, and one in trouble is none.
func (c *consent) step(key, trouble bool, dt float64) {
	c.key.step(key)
	if trouble {
		c.given, c.share = false, 0
		return
	}
	c.given = c.given != c.key.now
	c.share = step(c.share, c.given, dt/consentFade, dt/consentFade)
}

// Allow gives the consent to more than SafeTorque beforehand.
func (g *Guard) Allow() { g.consent.given = true }

// Allowed tells whether the operator consents to more than SafeTorque.
func (g *Guard) Allowed() bool { return g.consent.given }

// Most is the most torque that may pass now [N·m].
func (g *Guard) Most() float64 {
	beyond := max(g.cfg.MaxTorque-SafeTorque, 0)
	return min(g.cfg.MaxTorque, SafeTorque) + beyond*smooth(g.consent.share)
}

// hands takes the torque off a rim that nobody holds while the car moves.
type hands struct {
	alone float64 // for so long nobody holds it [s]
	off   bool
	share float64 // of the torque that passes, 0..1
}

const (
	handsFade = 1   // [s]
	handsOn   = 0.2 // estimate that counts as a hand
	handsRoll = 1   // [m/s]; slower than that a rim may be let go
)

// step takes the estimate of hands on the rim, 0..1, and the car's speed [m/s]. What is
// not a number is no hand, and no standstill. Outside a drive it starts anew.
func (h *hands) step(cfg Config, drives bool, on, speed, dt float64) {
	switch {
	case cfg.HandsOff == 0 || !drives:
		*h = hands{share: 1}
		return
	case on >= handsOn:
		h.alone, h.off = 0, false
	case speed >= -handsRoll && speed <= handsRoll:
		h.alone = 0
	default:
		h.alone += dt
		h.off = h.off || h.alone >= cfg.HandsOff
	}
	h.share = step(h.share, !h.off, dt/handsFade, dt/handsFade)
}

// Alone tells whether the torque is taken off because nobody holds the rim.
func (g *Guard) Alone() bool { return g.hands.off }

// deadManFade is how fast torque and motion go when the dead man's switch is let go [s].
const deadManFade = 0.1

// hold lets torque and motion pass only while the dead man's switch is held, if there
// is to be one.
func (g *Guard) hold(held bool) {
	if !g.cfg.DeadMan {
		g.held = 1
		return
	}
	g.held = step(g.held, held, g.dt/g.cfg.Engage, g.dt/deadManFade)
	if g.state == Fault || g.state == Stopped {
		g.held = 0
	}
}

// Held is the share of torque and motion that the dead man's switch lets pass, 0..1.
func (g *Guard) Held() float64 { return g.held }
