package tire

import "math"

// stance is how a wheel stands during a tick, and what its tire can do there. The
// models fill it in where it lies: the processor waits long for a copy of values
// that were stored just before.
type stance struct {
	on  Contact // with slips only where a model of another package is asked
	can Capacity
	mf  *slipping // of a Magic, which has more to say of how it stands
}

// capacity fills in what the tire can do. The models of this package are called
// by name: what an interface is handed by a pointer would have to be allocated.
func (w *Wheel) capacity(at *stance) {
	switch m := w.model.(type) {
	case *Brush:
		m.capacity(&at.can, &at.on)
	case *Dugoff:
		m.capacity(&at.can, &at.on)
	case *Curve:
		m.capacity(&at.can, &at.on)
	case *Magic:
		at.mf.stand(m, &at.on)
		m.capacity(&at.can, at.mf)
	default:
		at.can = m.Capacity(at.on)
	}
}

// forces fills in f at slips over the rolled way, driving and to the left positive.
func (w *Wheel) forces(f *Forces, at *stance, sx, sy float64) {
	if w.image {
		sy = -sy
	}
	perTravel := 1 / (1 - sx) // from slip over the rolled way to slip over the travelled way
	switch m := w.model.(type) {
	case *Brush:
		m.forces(f, &at.can, sx, sy)
	case *Dugoff:
		m.forces(f, &at.can, sx*perTravel, sy*perTravel)
	case *Curve:
		m.forces(f, &at.on, sx*perTravel, sy*perTravel)
	case *Magic:
		m.forces(f, at.mf, sx*perTravel, sy*perTravel)
	default:
		at.on.Kappa, at.on.TanAlpha = sx*perTravel, sy*perTravel
		*f = m.Forces(at.on)
	}
	if w.image {
		f.Fy, f.Mx, f.Mz = -f.Fy, -f.Mx, -f.Mz
	}
}

// steady fills in the model's forces at the slips of t. Models know wheels that
// roll forward, so one that goes backward is mirrored: its x axis is turned round.
// At standstill, where a wheel has no way to go, it is half of each.
func (w *Wheel) steady(f *Forces, s *Rolling, d *Drive, at *stance, t *stretched) {
	const sure = 0.1 // [m/s]
	way := (s.Spin*d.Radius + d.Vx) * (1 / (2 * sure))
	if way >= 1 {
		w.rolling(f, s, d, at, -t.sx, t.sy, 1)
		return
	}
	w.rolling(f, s, d, at, t.sx, t.sy, -1)
	if way > -1 {
		var ahead Forces
		w.rolling(&ahead, s, d, at, -t.sx, t.sy, 1)
		f.mix(&ahead, (1+way)/2)
	}
}

// mix puts a share of a in place of the same share of f.
func (f *Forces) mix(a *Forces, share float64) {
	rest := 1 - share
	f.Fx = share*a.Fx + rest*f.Fx
	f.Fy = share*a.Fy + rest*f.Fy
	f.Mx = share*a.Mx + rest*f.Mx
	f.My = share*a.My + rest*f.My
	f.Mz = share*a.Mz + rest*f.Mz
}

// rolling fills in the model's forces on a wheel that rolls forward (way 1) or
// backward (-1), at slips over the rolled way; driving is positive in sx.
func (w *Wheel) rolling(f *Forces, s *Rolling, d *Drive, at *stance, sx, sy, way float64) {
	sx, sy = bounded(sx), bounded(sy)
	if sx > mostHeldSlip {
		sx, sy = mostHeldSlip, sy*mostHeldSlip/sx
	}
	w.forces(f, at, sx, sy)
	f.Fx *= way
	f.My *= way
	// A contact that does not roll is bent evenly along its length: no trail.
	const fullRoll = 1 // [m/s]
	f.Mz *= way * atMost(math.Abs(s.Spin)*d.Radius*(1.0/fullRoll), 1)
}
