package ffb

import "math"

// hands tells whether somebody holds the rim, by the torque that rim and motor do not
// account for: that of the driver is inertia·acceleration − torque given + friction.
type hands struct {
	own, drag float64
	dt        float64
}

type handsState struct {
	given  [64]float64 // of the last ticks [N·m]
	at     int
	torque float64 // of the driver, through a low-pass [N·m]
	most   float64 // of the torque given, of late [N·m]
	on     float64
}

func newHands(cfg RimConfig, dt float64) hands {
	return hands{own: cfg.Own, drag: cfg.OwnDrag, dt: dt}
}

// step returns the estimate, 0 nobody to 1 surely somebody. It comes within a tenth of
// a second and goes within half of one, for a driver may hold the rim without turning it.
func (h *hands) step(s *handsState, m moved, given, late, rated float64) float64 {
	const lag, hold, slow = 0.05, 0.5, 0.5 // [s]
	s.given[s.at] = given
	back := min(int(late/h.dt), len(s.given)-1)
	then := s.given[(s.at-back+len(s.given))%len(s.given)]
	s.at = (s.at + 1) % len(s.given)
	driver := h.own*m.accel - then + h.drag*m.speed/(math.Abs(m.speed)+0.2)
	s.torque += h.dt / (lag + h.dt) * (driver - s.torque)
	s.most = max(math.Abs(given), s.most-s.most*h.dt/slow)
	s.on = max(h.sure(s, rated), s.on-h.dt/hold)
	return s.on
}

// sure returns how sure the present torque is of a driver: what the wheel's unknown
// inertia, friction and delay may explain is none.
func (h *hands) sure(s *handsState, rated float64) float64 {
	const share, part, times = 0.04, 0.25, 2 // of the rating, of the torque given
	least := max(h.drag+share*rated+part*s.most, 1e-6)
	return min(max(math.Abs(s.torque)/least-1, 0)/(times-1), 1)
}
