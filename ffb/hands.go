package ffb

import "math"

// hands tells whether somebody holds the rim, by the torque that rim and motor do not
// account for: that of the driver is inertia·acceleration − torque given + friction.
type hands struct {
	own, drag float64
	dt        float64
	given     [64]float64 // of the last ticks [N·m]
	at        int
	torque    float64 // of the driver, through a low-pass [N·m]
	most      float64 // of the torque given, of late [N·m]
	on        float64
}

func newHands(cfg RimConfig, dt float64) hands {
	return hands{own: cfg.Own, drag: cfg.OwnDrag, dt: dt}
}

func (h *hands) reset() { *h = hands{own: h.own, drag: h.drag, dt: h.dt} }

// step returns the estimate, 0 nobody to 1 surely somebody. It comes within a tenth of
// a second and goes within half of one, for a driver may hold the rim without turning it.
func (h *hands) step(m moved, given, late, rated float64) float64 {
	const lag, hold, slow = 0.05, 0.5, 0.5 // [s]
	h.given[h.at] = given
	back := min(int(late/h.dt), len(h.given)-1)
	then := h.given[(h.at-back+len(h.given))%len(h.given)]
	h.at = (h.at + 1) % len(h.given)
	driver := h.own*m.accel - then + h.drag*m.speed/(math.Abs(m.speed)+0.2)
	h.torque += h.dt / (lag + h.dt) * (driver - h.torque)
	h.most = max(math.Abs(given), h.most-h.most*h.dt/slow)
	h.on = max(h.sure(rated), h.on-h.dt/hold)
	return h.on
}

// sure returns how sure the present torque is of a driver: what the wheel's unknown
// inertia, friction and delay may explain is none.
func (h *hands) sure(rated float64) float64 {
	const share, part, times = 0.04, 0.25, 2 // of the rating, of the torque given
	least := max(h.drag+share*rated+part*h.most, 1e-6)
	return min(max(math.Abs(h.torque)/least-1, 0)/(times-1), 1)
}
