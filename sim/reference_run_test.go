package sim

import (
	"math"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/sim/chassis"
	"rig.example/rig/sim/driveline"
	"rig.example/rig/sim/tire"
)

// refRun is what one of the reference's trajectories was driven with.
type refRun struct {
	name   string
	speed  float64                         // at the start [m/s]
	rate   func(at float64) float64        // of the road wheels' angle [rad/s]
	demand func(at, speed float64) float64 // acceleration that drive and brakes are set for [m/s²]
}

const kph80, kph100 = 80 / 3.6, 100 / 3.6

func refRuns() []refRun {
	coast := func(_, _ float64) float64 { return 0 }
	turn := func(until float64) func(at float64) float64 {
		return func(at float64) float64 { return within01(at >= 0.5 && at < until) * 0.4 }
	}
	brake := func(share float64) func(at, speed float64) float64 {
		return func(at, _ float64) float64 { return -within01(at >= 0.5) * share * 9.81 }
	}
	sine := func(at float64) float64 {
		return within01(at >= 0.5 && at < 2.5) * 0.03 * math.Pi * math.Cos(math.Pi*(at-0.5))
	}
	hold := func(_, speed float64) float64 { return 5 * (kph80 - speed) }
	straight := func(float64) float64 { return 0 }
	return []refRun{
		{"step10", kph80, turn(0.525), coast},
		{"step20", kph80, turn(0.55), coast},
		{"sine", kph80, sine, coast},
		{"ramp", kph80, func(float64) float64 { return 0.005 }, hold},
		{"brake3", kph100, straight, brake(0.3)},
		{"brake6", kph100, straight, brake(0.6)},
	}
}

func within01(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}

// The reference starts with its suspension this much too long, in front and behind [m].
const refHighF, refHighR = 0.0184850346338233, 0.015392485027973512

// refStart returns the car as the reference starts.
func refStart(c *Car, speed float64) State {
	s := c.Rest(r3.Vec{}, 0)
	rise := (refHighF - refHighR) / c.p.Wheelbase
	s.Pos.Z += refHighF - rise*c.p.CGToFront
	s.Att = chassis.Unit(quat.Number{Real: 1, Jmag: -rise / 2})
	s.Vel.X = speed
	for i := range s.Wheels {
		high := refHighF
		if i >= tire.RL {
			high = refHighR
		}
		s.Wheels[i].Travel -= high
		s.Wheels[i].Roll.Spin = speed / refRadius
	}
	return s
}

// refRow is what one row of a trajectory holds, by the column's name.
type refRow map[string]float64

// drive drives the run for a time [s] and returns its rows, one a tick.
func (r *refRun) drive(c *Car, until float64) []refRow {
	s, angle := refStart(c, r.speed), 0.0
	var rows []refRow
	for float64(s.Tick)*c.dt < until+c.dt/2 {
		at := (float64(s.Tick) + 0.5) * c.dt
		b := chassis.AxesOf(s.Att)
		level := r3.Unit(r3.Vec{X: b.X.X, Y: b.X.Y})
		row := refRow{
			"t_s": float64(s.Tick) * c.dt, "yaw_rate_radps": b.ToWorld(s.Rate).Z,
			"roll_rad": s.Roll(), "pitch_rad": s.Pitch() + (refHighF-refHighR)/c.p.Wheelbase,
		}
		row["ax_mps2"] = r3.Dot(b.ToWorld(s.Acc), level) // of the tick before, as the brakes' torque jumps at a row
		c.refStep(&s, angle, r.demand(at, r3.Dot(s.Vel, level)))
		row["ay_mps2"] = r3.Dot(b.ToWorld(s.Acc), r3.Vec{X: -level.Y, Y: level.X})
		for i, name := range []string{"fz_fl_n", "fz_fr_n", "fz_rl_n", "fz_rr_n"} {
			row[name] = s.Wheels[i].Load
		}
		rows = append(rows, row)
		angle += r.rate(at) * c.dt
	}
	return rows
}

// refStep is Step with an angle of the road wheels [rad] and the reference's
// torques, for an acceleration [m/s²], in place of engine and brakes.
func (c *Car) refStep(s *State, angle, demand float64) {
	front := refBraking
	if demand > 0 {
		front = 0 // rear drive
	}
	in := Input{Steer: angle}
	b := chassis.AxesOf(s.Att)
	steer := c.steer(s, in)
	var f stood
	var gs [4]tireForces
	c.findContacts(s, &b, &steer, &f.poses, &f.contacts)
	ws := s.suspensionWheels(&f.poses, &f.contacts, &f.slides)
	c.stepSuspension(s, &b, &ws, &f.bars)
	half := refMass * refRadius * demand / 2
	ahead, behind := driveline.Shaft{Torque: half * front}, driveline.Shaft{Torque: half * (1 - front)}
	var sum chassis.Wrench
	c.stepTires(s, &b, &ws, &[4]driveline.Shaft{ahead, ahead, behind, behind}, &gs, &sum)
	c.integrate(s, &b, &sum, &ws, &gs, &f.slides, c.driveline.Momentum(&s.Driveline), false)
	s.Tick++
}
