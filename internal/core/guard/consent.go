package guard

import "fmt"

// SafeTorque is the torque at the rim that needs no consent [N·m]. More can hurt a wrist.
const SafeTorque = 8

// TorqueLimitText says why the torque is limited and how the operator consents to more.
var TorqueLimitText = fmt.Sprintf("limited to %d N·m: more can hurt a wrist; press U in the window or the button for high_torque, or start with --high-torque", SafeTorque)

// consent is the operator's consent to more than SafeTorque. It lasts until the operator revokes it, or
// until a fault, a stop or a gap ends it.
type consent struct {
	allowed   bool
	toggleKey edge    // the key that gives or revokes the consent
	share     float64 // fraction of the torque above SafeTorque that passes, 0..1
}

// consentFade is how long the torque above SafeTorque takes to fade in or out [s].
const consentFade = 1

// step toggles the consent when the key goes down. While revoked is true there is no consent and the key
// has no effect.
func (c *consent) step(key, revoked bool, dt float64) {
	c.toggleKey.step(key)
	if revoked {
		c.allowed, c.share = false, 0
		return
	}
	c.allowed = c.allowed != c.toggleKey.rising
	c.share = ramp(c.share, c.allowed, dt/consentFade, dt/consentFade)
}

// AllowHighTorque gives the consent to more than SafeTorque before the drive begins.
func (g *Guard) AllowHighTorque() { g.consent.allowed = true }

// HighTorqueAllowed reports whether the operator has consented to more than SafeTorque.
func (g *Guard) HighTorqueAllowed() bool { return g.consent.allowed }

// MaxTorque returns the highest torque that may pass now [N·m].
func (g *Guard) MaxTorque() float64 {
	aboveSafe := max(g.cfg.MaxTorque-SafeTorque, 0)
	return min(g.cfg.MaxTorque, SafeTorque) + aboveSafe*smooth(g.consent.share)
}

// hands fades the torque out while the car moves and nobody holds the rim.
type hands struct {
	handsOffTime float64 // how long the rim has been released [s]
	torqueOff    bool    // the torque is faded out, or fades out
	share        float64 // fraction of the torque that passes, 0..1
}

const (
	handsFade       = 1   // fade of the torque [s]
	handsOnMin      = 0.2 // estimates of at least this count as a hand on the rim
	standstillSpeed = 1   // [m/s]; below it the driver may let go of the rim
)

// step takes the estimate of hands on the rim (on, 0..1) and the car's speed [m/s]. NaN counts as no
// hand, and as a moving car. Outside of a drive it resets the state.
func (h *hands) step(cfg Config, drives bool, on, speed, dt float64) {
	switch {
	case cfg.HandsOff == 0 || !drives:
		*h = hands{share: 1}
		return
	case on >= handsOnMin:
		h.handsOffTime, h.torqueOff = 0, false
	case speed >= -standstillSpeed && speed <= standstillSpeed:
		h.handsOffTime = 0
	default:
		h.handsOffTime += dt
		h.torqueOff = h.torqueOff || h.handsOffTime >= cfg.HandsOff
	}
	h.share = ramp(h.share, !h.torqueOff, dt/handsFade, dt/handsFade)
}

// HandsOff reports whether the torque is faded out because nobody holds the rim.
func (g *Guard) HandsOff() bool { return g.hands.torqueOff }

// deadManFade is how long torque and motion take to fade out when the dead man's switch is released [s].
const deadManFade = 0.1

// stepDeadMan fades torque and motion in while the dead man's switch is held, and out when it is
// released. Without a configured switch everything passes.
func (g *Guard) stepDeadMan(held bool) {
	if !g.cfg.DeadMan {
		g.deadManShare = 1
		return
	}
	g.deadManShare = ramp(g.deadManShare, held, g.dt/g.cfg.Engage, g.dt/deadManFade)
	if g.state == Fault || g.state == Stopped {
		g.deadManShare = 0
	}
}
