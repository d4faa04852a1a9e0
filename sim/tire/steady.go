package tire

import "math"

// contactState is the contact of a wheel during a tick, with its stiffnesses and limits. The models set
// it through a pointer, because copying values that were stored just before stalls the processor.
type contactState struct {
	contact  Contact    // its slips are set only for models of other packages
	capacity Capacity   // stiffnesses and limits
	mf       *mfContact // state of a MagicFormula; nil for other models
}

// capacity sets at.capacity. The models of this package are called by their types, because a pointer that
// is passed through an interface would be allocated.
func (w *Wheel) capacity(at *contactState) {
	switch m := w.model.(type) {
	case *Brush:
		m.capacity(&at.capacity, &at.contact)
	case *Dugoff:
		m.capacity(&at.capacity, &at.contact)
	case *Curve:
		m.capacity(&at.capacity, &at.contact)
	case *MagicFormula:
		at.mf.setState(m, &at.contact)
		m.capacity(&at.capacity, at.mf)
	default:
		at.capacity = m.Capacity(at.contact)
	}
}

// forces sets f to the forces at theoretical slips, which are over the rolling speed; driving and left are
// positive.
func (w *Wheel) forces(f *Forces, at *contactState, sx, sy float64) {
	if w.mirrored {
		sy = -sy
	}
	perTravel := 1 / (1 - sx) // converts slip over the rolling speed to slip over the hub speed
	switch m := w.model.(type) {
	case *Brush:
		m.forces(f, &at.capacity, sx, sy)
	case *Dugoff:
		m.forces(f, &at.capacity, sx*perTravel, sy*perTravel)
	case *Curve:
		m.forces(f, &at.contact, sx*perTravel, sy*perTravel)
	case *MagicFormula:
		m.forces(f, at.mf, sx*perTravel, sy*perTravel)
	default:
		at.contact.Kappa, at.contact.TanAlpha = sx*perTravel, sy*perTravel
		*f = m.Forces(at.contact)
	}
	if w.mirrored {
		f.Fy, f.Mx, f.Mz = -f.Fy, -f.Mx, -f.Mz
	}
}

// steadyForces sets f to the model's forces at the slips of t. Models handle wheels that roll forward, so
// for one that rolls backward the x axis is reversed. Near standstill, where the direction is undefined,
// the forces of both directions are blended.
func (w *Wheel) steadyForces(f *Forces, s *WheelState, d *WheelInput, at *contactState, t *carcass) {
	const fullSpeed = 0.1 // [m/s]
	direction := (s.Spin*d.Radius + d.Vx) * (1 / (2 * fullSpeed))
	if direction >= 1 {
		w.rollingForces(f, s, d, at, -t.sx, t.sy, 1)
		return
	}
	w.rollingForces(f, s, d, at, t.sx, t.sy, -1)
	if direction > -1 {
		var ahead Forces
		w.rollingForces(&ahead, s, d, at, -t.sx, t.sy, 1)
		f.blend(&ahead, (1+direction)/2)
	}
}

// blend sets f to share·other + (1-share)·f.
func (f *Forces) blend(other *Forces, share float64) {
	remaining := 1 - share
	f.Fx = share*other.Fx + remaining*f.Fx
	f.Fy = share*other.Fy + remaining*f.Fy
	f.Mx = share*other.Mx + remaining*f.Mx
	f.My = share*other.My + remaining*f.My
	f.Mz = share*other.Mz + remaining*f.Mz
}

// rollingForces sets f to the model's forces on a wheel that rolls forward (direction 1) or backward
// (-1), at theoretical slips sx and sy; driving is positive in sx.
func (w *Wheel) rollingForces(f *Forces, s *WheelState, d *WheelInput, at *contactState, sx, sy, direction float64) {
	sx, sy = boundedOrZero(sx), boundedOrZero(sy)
	if sx > largestSlipLimit {
		sx, sy = largestSlipLimit, sy*largestSlipLimit/sx
	}
	w.forces(f, at, sx, sy)
	f.Fx *= direction
	f.My *= direction
	// A contact that does not roll is deflected evenly along its length and has no trail.
	const fullRoll = 1 // [m/s]
	f.Mz *= direction * atMost(math.Abs(s.Spin)*d.Radius*(1.0/fullRoll), 1)
}
