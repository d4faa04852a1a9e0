package sim

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/sim/assist"
	"rig.example/rig/sim/brakes"
	"rig.example/rig/sim/driveline"
	"rig.example/rig/sim/suspension"
)

// Hash returns a hash of every bit of the state; equal runs have equal hashes.
func (s *State) Hash() uint64 {
	h := fnv(fnvStart)
	h.addWord(s.Tick)
	h.addVec(s.Pos)
	h.addFloats(s.Att.Real, s.Att.Imag, s.Att.Jmag, s.Att.Kmag)
	h.addVec(s.Vel)
	h.addVec(s.Rate)
	for i := range s.Wheels {
		h.addWheel(&s.Wheels[i])
	}
	h.addFloats(s.Driveline.EngineSpeed)
	h.addWord(uint64(s.Driveline.Gear))
	h.addEngine(&s.Driveline.Engine)
	h.addGearbox(&s.Driveline.Gearbox)
	for i := range s.Driveline.Shafts {
		h.addShaft(&s.Driveline.Shafts[i])
		h.addBrake(&s.Brakes.Wheels[i])
	}
	h.addFloats(s.Brakes.ABS.Reference, s.Brakes.ABS.ReferenceAge, s.Brakes.ABS.SlopeAccel)
	h.addAssists(&s.Assist)
	h.addFloats(s.Driveline.Fuel, s.Driveline.Battery)
	h.addVec(s.LastRate)
	h.addVec(s.Cling.Shift)
	h.addVec(s.Cling.Turn)
	if s.Joints != ([2]suspension.JointState{}) { // joints were added later: without them the hash must stay the same
		j := &s.Joints
		h.addFloats(j[0].Shift, j[0].Speed, j[1].Shift, j[1].Speed)
	}
	h.addVec(s.Acc)
	h.addVec(s.SpecificForce)
	h.addFloats(s.Speed, s.Steer, s.Brakes.PedalPulse, s.Steering.TireForce, s.ColumnTorque)
	h.addFloats(s.Steering.Position, s.Steering.Speed, s.Steering.Accel, s.Steering.Bristle,
		s.Steering.TireForce, s.Steering.Assist)
	return uint64(h)
}

func (h *fnv) addWheel(w *WheelState) {
	r := &w.Roll
	h.addFloats(r.Spin, r.DeflX, r.DeflY, r.UndampedFx, r.SlipX, r.Twist, r.SlipEnergy)
	h.addFloats(w.Heat.Surface, w.Heat.Bulk, w.Heat.Gas, w.Heat.Wear, w.Travel, w.TravelSpeed, w.LinkForce,
		w.Rotation)
	h.addVec(w.Hub)
	h.addFloats(w.FilteredFx, w.FilteredFy, w.Steer, w.Load, w.Kappa, w.Alpha, w.Fx, w.Fy, w.Mz)
	if e := &w.Compliance; *e != (suspension.ComplianceState{}) { // rigid wheels must keep their hash
		h.addFloats(e.Toe, e.Camber, e.ToeRate, e.CamberRate)
	}
	if w.Material != 0 { // materials were added later: without them the hash must stay the same
		h.addWord(uint64(w.Material))
	}
}

func (h *fnv) addABSWheel(w *brakes.ABSWheel) {
	h.addWord(uint64(w.Phase))
	h.addFloats(w.Speed, w.Accel, w.LockPressure, w.PhaseTime, w.MaxPressure, w.PressureStep)
}

func (h *fnv) addAssists(a *assist.State) {
	if *a == (assist.State{}) { // electronics were added later: without them the hash must stay the same
		return
	}
	h.addFloats(a.Reference)
	h.addTraction(&a.Traction)
	h.addStability(&a.Stability)
	h.addLaunch(&a.Launch)
	h.addPit(&a.Pit)
}

func (h *fnv) addBrake(b *brakes.WheelState) {
	h.addFloats(b.Pressure, b.Temperature, b.Torque, b.Power)
	h.addABSWheel(&b.ABS)
}

func (h *fnv) addEngine(e *driveline.EngineState) {
	for _, set := range [...]bool{e.Running, e.LimiterCut, e.Overrun} {
		word := uint64(0)
		if set {
			word = 1
		}
		h.addWord(word)
	}
	h.addFloats(e.Torque, e.IdleIntegral, e.LimiterWait, e.Boost, e.FuelShare, e.LevelCarry)
}

func (h *fnv) addGearbox(g *driveline.GearboxState) {
	h.addFloats(g.InputSpeed, g.SyncTorque, g.Grind, g.ShiftTime, g.ClutchOpen, g.Lockup, g.Dwell,
		g.RecentThrottle)
	h.addWord(uint64(uint8(g.NextGear)) | uint64(uint8(g.FromGear))<<8 | uint64(uint8(g.WantedGear))<<16)
}

func (h *fnv) addLaunch(l *assist.LaunchState) {
	h.addWord(uint64(l.Phase))
	h.addFloats(l.Clutch, l.ThrottleIntegral)
}

func (h *fnv) addPit(p *assist.PitState) {
	h.addFloats(p.ThrottleIntegral)
	h.addWord(uint64(p.Active))
}

func (h *fnv) addShaft(s *driveline.ShaftState) { h.addFloats(s.Speed, s.Twist, s.Torque) }

func (h *fnv) addStability(t *assist.StabilityState) {
	h.addFloats(t.TargetYawRate, t.RecentLateral, t.YawAccel, t.Cut)
	h.addFloats(t.Brake[:]...)
}

func (h *fnv) addTraction(t *assist.TractionState) {
	h.addFloats(t.CutIntegral, t.ThrottleCut, t.Cut, t.RecentAccel, t.RelativeSlip)
	h.addFloats(t.BrakeIntegral[:]...)
	h.addFloats(t.Brake[:]...)
}

// fnv is a 64-bit FNV-1a hash. Words enter it byte by byte, the least significant byte first.
type fnv uint64

const (
	fnvStart = 14695981039346656037
	fnvPrime = 1099511628211
)

func (h *fnv) addWord(w uint64) {
	for range 8 {
		*h = (*h ^ fnv(w&0xff)) * fnvPrime
		w >>= 8
	}
}

func (h *fnv) addFloats(vs ...float64) {
	for _, v := range vs {
		h.addWord(math.Float64bits(v))
	}
}

func (h *fnv) addVec(v r3.Vec) { h.addFloats(v.X, v.Y, v.Z) }
