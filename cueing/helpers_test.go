package cueing

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/sim"
	"rig.example/rig/sim/chassis"
)

// session is a cue with its state.
type session struct {
	cue *Cue
	State
}

func newSession(t testing.TB, cfg Config) *session {
	t.Helper()
	c, err := New(cfg, dt)
	if err != nil {
		t.Fatal(err)
	}
	return &session{c, c.Start()}
}

func (s *session) Pose(car *sim.State) Pose    { return s.cue.Pose(&s.State, car) }
func (s *session) Sense(car *sim.State) Inputs { return s.cue.Sense(&s.State, car) }
func (s *session) Next(in *Inputs) Pose        { return s.cue.Next(&s.State, in) }
func (s *session) Reset()                      { s.cue.Reset(&s.State) }

// follower is a platform with the scale of the last legs and the last pose that was found.
type follower struct {
	*Platform
	scale float64
	near  Pose
}

func newFollower(t testing.TB, g Geometry, span Span) *follower {
	t.Helper()
	p, err := NewPlatform(g, span)
	if err != nil {
		t.Fatal(err)
	}
	return &follower{Platform: p, scale: 1}
}

func (f *follower) Legs(pose Pose) (legs Legs) {
	legs, f.scale = f.Platform.Legs(pose)
	return legs
}

func (f *follower) Scale() float64 { return f.scale }

func (f *follower) Pose(l Legs) (pose Pose, ok bool) {
	f.near, ok = f.Platform.Pose(l, f.near)
	return f.near, ok
}

// filtering is a filter with its state.
type filtering struct {
	filter
	filterState
}

func (f *filtering) next(in float64) float64 { return f.filter.next(&f.filterState, in) }

// limiting is a limiter with its state.
type limiting struct {
	limiter
	limiterState
}

func newLimiting(most, speed, accel, dt float64) *limiting {
	return &limiting{limiter: newLimiter(most, speed, accel, dt)}
}

func (l *limiting) next(target float64) float64 { return l.limiter.next(&l.limiterState, target) }

// carOf is a car that gives inputs at its center of mass.
func carOf(in *Inputs) sim.State {
	s := sim.State{State: chassis.State{SpecificForce: r3.Vec{X: in.Force[0], Y: in.Force[1], Z: in.Force[2]}, Rate: r3.Vec{X: in.Rate[0], Y: in.Rate[1], Z: in.Rate[2]}}}
	sr, cr := math.Sincos(in.Roll / 2)
	sp, cp := math.Sincos(in.Pitch / 2)
	s.Att = quat.Mul(quat.Number{Real: cp, Jmag: sp}, quat.Number{Real: cr, Imag: sr})
	s.Speed, s.Driveline.Gear = in.Speed, in.Gear
	for i := range s.Wheels {
		s.Wheels[i].Travel, s.Wheels[i].Alpha = in.Travel[i], in.RearSlip
	}
	return s
}
