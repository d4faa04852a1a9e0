package rig

import (
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
	f.Flags = r.flags() | helping(&r.state) | r.laps.flags() | r.handy.flags(r) | r.consents() | r.tuner.flags() | r.waitFlags()
	f.State = uint64(r.guard.State())
	describeCar(f, &r.state)
	describeInput(f, &r.in)
	r.tank.show(f, &r.state)
	f.Damp, f.Gain = r.rain.damp(), r.force.Gain()
	r.showForce(f)
	r.showMotion(f)
	f.Station = r.station
	r.laps.show(f)
	f.Missed, f.Dropped = r.stats.Missed, r.stats.Dropped
	f.LateMax = r.stats.Lateness.Max().Seconds()
	f.TickCost = r.stats.Cost.Last().Seconds()
	f.Pictures = r.sight.beat
	r.page.Publish(f)
}

func describeCar(f *frame.Frame, s *sim.State) {
	f.Tick = s.Tick
	f.Pos, f.Vel, f.Rate, f.Acc = array(s.Pos), array(s.Vel), array(s.Rate), array(s.Acc)
	f.Att = [4]float64{s.Att.Real, s.Att.Imag, s.Att.Jmag, s.Att.Kmag}
	f.Pulse = s.Pulse
	f.Speed, f.Gear, f.RPM = s.Speed, int64(s.Gear), s.RPM()
	if s.Gear == 0 {
		f.Gear = int64(s.Box.Next)
	}
	for i := range s.Wheels {
		w := &s.Wheels[i]
		f.Wheels[i] = frame.Wheel{Pos: array(w.Hub), Steer: w.Steer, Rotation: w.Rotation, Load: w.Load,
			SlipRatio: w.Kappa, SlipAngle: w.Alpha, Travel: w.Travel}
	}
}

func describeInput(f *frame.Frame, in *sim.Input) {
	f.Steer, f.Throttle, f.Brake, f.Clutch, f.Hand = in.Steer, in.Throttle, in.Brake, in.Clutch, in.Handbrake
	f.ABS, f.Traction, f.Stability = uint64(in.Assists.ABS), uint64(in.Assists.Traction), uint64(in.Assists.Stability)
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
	set(connected(&r.status), frame.PlatformPresent)
	set(r.force.Clipping(), frame.Clipping)
	set(r.demo, frame.Demo)
	set(r.demo && r.keys.active(), frame.KeysDrive)
	set(r.state.Power.Running, frame.EngineRuns)
	set(r.in.Assists.Shifting, frame.AutoGears)
	set(r.state.Box.Grind > 0, frame.Grinds)
	set(r.in.Assists.Clutch, frame.AutoClutch)
	set(r.in.Assists.Pit, frame.PitOn)
	set(r.in.Assists.Launch, frame.LaunchOn)
	return flags
}

// helping returns the flags of the assists that work in this moment.
func helping(s *sim.State) (flags uint64) {
	h := &s.Help
	for i := range s.Brakes {
		if s.Brakes[i].ABS.Works() {
			flags |= frame.ABSWorks
		}
	}
	for _, part := range [...]struct {
		works bool
		bit   uint64
	}{
		{h.Traction.Works(), frame.TractionWorks},
		{h.Stability.Works(), frame.StabilityWorks},
		{h.Launch.Phase != sim.LaunchReady, frame.LaunchWorks},
		{h.Pit.Works != 0, frame.PitWorks},
	} {
		if part.works {
			flags |= part.bit
		}
	}
	return flags
}

// StateName names a frame's safety state.
func StateName(code uint64) string { return guard.State(code).String() }
