package sim

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/sim/assist"
	"rig.example/rig/sim/brakes"
	"rig.example/rig/sim/driveline"
	"rig.example/rig/sim/suspension"
)

// Hash condenses every bit of the state; equal runs give equal hashes.
func (s *State) Hash() uint64 {
	h := fnv(fnvStart)
	h.word(s.Tick)
	h.vec(s.Pos)
	h.floats(s.Att.Real, s.Att.Imag, s.Att.Jmag, s.Att.Kmag)
	h.vec(s.Vel)
	h.vec(s.Rate)
	for i := range s.Wheels {
		h.wheel(&s.Wheels[i])
	}
	h.floats(s.Driveline.Engine)
	h.word(uint64(s.Driveline.Gear))
	h.engine(&s.Driveline.Power)
	h.gearbox(&s.Driveline.Box)
	for i := range s.Driveline.Shafts {
		h.shaft(&s.Driveline.Shafts[i])
		h.brake(&s.Brakes.Wheels[i])
	}
	h.floats(s.Brakes.ABS.Reference, s.Brakes.ABS.Guessed, s.Brakes.ABS.Slope)
	h.assists(&s.Help)
	h.floats(s.Driveline.Fuel, s.Driveline.Battery)
	h.vec(s.LastRate)
	if s.Joints != ([2]suspension.JointState{}) { // a car without joints hashes as if there were none
		j := &s.Joints
		h.floats(j[0].Shift, j[0].Speed, j[1].Shift, j[1].Speed)
	}
	h.vec(s.Acc)
	h.vec(s.SpecificForce)
	h.floats(s.Speed, s.Steer, s.Brakes.Pulse, s.Steering.Force, s.ColumnTorque)
	h.floats(s.Steering.Position, s.Steering.Speed, s.Steering.Accel, s.Steering.Bristle, s.Steering.Force, s.Steering.Assist)
	return uint64(h)
}

func (h *fnv) wheel(w *Wheel) {
	r := &w.Roll
	h.floats(r.Spin, r.DeflX, r.DeflY, r.Elastic, r.Slip, r.Twist, r.Skid)
	h.floats(w.Heat.Surface, w.Heat.Bulk, w.Heat.Gas, w.Heat.Worn, w.Travel, w.Bump, w.Links, w.Rotation)
	h.vec(w.Hub)
	h.floats(w.SlowX, w.SlowY, w.Steer, w.Load, w.Kappa, w.Alpha, w.Fx, w.Fy, w.Mz)
	if w.Material != 0 { // ground that is all one hashes as if it did not tell
		h.word(uint64(w.Material))
	}
}

func (h *fnv) absWheel(w *brakes.ABSWheel) {
	h.word(uint64(w.Phase))
	h.floats(w.Speed, w.Gain, w.Lock, w.Time, w.Most, w.Step)
}

func (h *fnv) assists(a *assist.State) {
	if *a == (assist.State{}) { // a car without help hashes as if there were none
		return
	}
	h.floats(a.Reference)
	h.traction(&a.Traction)
	h.stability(&a.Stability)
	h.launch(&a.Launch)
	h.pit(&a.Pit)
}

func (h *fnv) brake(b *brakes.WheelState) {
	h.floats(b.Pressure, b.Temperature, b.Torque, b.Power)
	h.absWheel(&b.ABS)
}

func (h *fnv) engine(e *driveline.EngineState) {
	for _, set := range [...]bool{e.Running, e.Cut, e.Overrun} {
		word := uint64(0)
		if set {
			word = 1
		}
		h.word(word)
	}
	h.floats(e.Torque, e.Idle, e.Wait, e.Boost, e.Fed, e.Due)
}

func (h *fnv) gearbox(g *driveline.GearboxState) {
	h.floats(g.Shaft, g.Sync, g.Grind, g.Time, g.Open, g.Lock, g.Dwell, g.Load)
	h.word(uint64(uint8(g.Next)) | uint64(uint8(g.From))<<8 | uint64(uint8(g.Wanted))<<16)
}

func (h *fnv) launch(l *assist.LaunchState) {
	h.word(uint64(l.Phase))
	h.floats(l.Clutch, l.Need)
}

func (h *fnv) pit(p *assist.PitState) {
	h.floats(p.Need)
	h.word(uint64(p.Works))
}

func (h *fnv) shaft(s *driveline.ShaftState) { h.floats(s.Speed, s.Twist, s.Torque) }

func (h *fnv) stability(t *assist.StabilityState) {
	h.floats(t.Yaw, t.Grip, t.Turn, t.Cut)
	h.floats(t.Brake[:]...)
}

func (h *fnv) traction(t *assist.TractionState) {
	h.floats(t.Need, t.Throttle, t.Cut, t.Grip, t.Slip)
	h.floats(t.Hold[:]...)
	h.floats(t.Brake[:]...)
}

// fnv is the 64-bit FNV-1a hash, over the bytes of each word from the lowest.
type fnv uint64

const (
	fnvStart = 14695981039346656037
	fnvPrime = 1099511628211
)

func (h *fnv) word(w uint64) {
	for range 8 {
		*h = (*h ^ fnv(w&0xff)) * fnvPrime
		w >>= 8
	}
}

func (h *fnv) floats(vs ...float64) {
	for _, v := range vs {
		h.word(math.Float64bits(v))
	}
}

func (h *fnv) vec(v r3.Vec) { h.floats(v.X, v.Y, v.Z) }
