package rig

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"rig/internal/frame"
	"rig/internal/guard"
	"rig/sim"
)

// publish shows this tick to whoever looks.
func (r *Rig) publish() {
	if r.page == nil {
		return
	}
	f := &r.frame
	f.Flags = r.flags()
	f.State = uint64(r.guard.State())
	describeCar(f, &r.state)
	f.Steer, f.Throttle, f.Brake = r.in.Steer, r.in.Throttle, r.in.Brake
	f.RimTorque, f.AskedTorque, f.RatedTorque = r.torque, r.feel.Asked(), r.wheel.Rated()
	f.Pose[3], f.Pose[4] = r.seat.Tilt(r.legs)
	f.Legs = r.legs
	f.LegsFeedback = unmeasured
	if r.platform != nil {
		f.LegsFeedback = r.status.Feedback
	}
	r.station, _ = r.circuit.Nearest(r.state.Pos, r.station)
	f.Station = r.station
	f.Missed, f.Dropped = r.stats.Missed, r.stats.Dropped
	f.LateMax = r.stats.Lateness.Max().Seconds()
	f.TickCost = r.stats.Cost.Last().Seconds()
	r.page.Publish(f)
}

func describeCar(f *frame.Frame, s *sim.State) {
	f.Tick = s.Tick
	f.Pos, f.Vel, f.Rate, f.Acc = array(s.Pos), array(s.Vel), array(s.Rate), array(s.Acc)
	f.Att = [4]float64{s.Att.Real, s.Att.Imag, s.Att.Jmag, s.Att.Kmag}
	f.Speed, f.Gear, f.RPM = s.Speed, int64(s.Gear), s.RPM()
	for i := range s.Wheels {
		w := &s.Wheels[i]
		f.Wheels[i] = frame.Wheel{Pos: array(w.Hub), Steer: w.Steer, Rotation: w.Rotation, Load: w.Load,
			SlipRatio: w.Kappa, SlipAngle: w.Alpha, Travel: w.Travel}
	}
}

func array(v r3.Vec) [3]float64 { return [3]float64{v.X, v.Y, v.Z} }

func (r *Rig) flags() uint64 {
	var flags uint64
	set := func(on bool, bit uint64) {
		if on {
			flags |= bit
		}
	}
	wheelThere, pedalsThere := r.driver.present()
	set(wheelThere, frame.WheelPresent)
	set(pedalsThere, frame.PedalsPresent)
	set(follows(r.status.State), frame.PlatformPresent)
	set(r.feel.Clipping(), frame.Clipping)
	set(r.demo, frame.Demo)
	set(r.demo && r.keys.active(), frame.KeysDrive)
	return flags
}

var unmeasured = [6]float64{math.NaN(), math.NaN(), math.NaN(), math.NaN(), math.NaN(), math.NaN()}

// scene is what stands still: the circuit and the size of the car.
func (r *Rig) scene() *frame.Scene {
	p := r.car.Params()
	s := &frame.Scene{
		Length: p.Length, Width: p.Width, Height: p.Height, CGHeight: p.CGHeight, CGToFront: p.CGToFront,
		Wheelbase: p.Wheelbase, WheelRadius: p.Front.Radius(), SteerRatio: p.Steering.Ratio,
	}
	const spacing = 2.0 // [m]
	n := min(int(r.circuit.Length()/spacing), frame.MaxPoints)
	for i := range n {
		at := float64(i) / float64(n) * r.circuit.Length()
		c := r.circuit.At(at)
		half := r.circuit.Width() / 2
		point := frame.Point{X: c.Pos.X, Y: c.Pos.Y, Z: c.Pos.Z, Left: half, Right: half}
		left, right := r.circuit.Kerbs(at)
		if left {
			point.Kerb |= frame.KerbLeft
		}
		if right {
			point.Kerb |= frame.KerbRight
		}
		s.Points = append(s.Points, point)
	}
	return s
}

// finite tells whether the car is still made of numbers.
func finite(s *sim.State) bool {
	sum := s.Pos.X + s.Pos.Y + s.Pos.Z + s.Vel.X + s.Vel.Y + s.Vel.Z + s.Rate.X + s.Rate.Y + s.Rate.Z +
		s.Att.Real + s.Att.Imag + s.Att.Jmag + s.Att.Kmag + s.ColumnTorque
	return !math.IsNaN(sum) && !math.IsInf(sum, 0)
}

// StateName names a frame's safety state.
func StateName(code uint64) string { return guard.State(code).String() }
