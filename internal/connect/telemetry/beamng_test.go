package telemetry_test

import (
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/internal/connect/packets"
	"rig.example/rig/road"
	"rig.example/rig/sim/chassis"
)

// The vector that points up from the car is the car's, in the world axes of the velocity.
func TestUpOfBeamNG(t *testing.T) {
	s := newDriven(t, road.Asphalt(), 0, 0).sample()
	q := attitudeOf(0, 20*degree, 30*degree) // heading of the world's x axis
	s.Frame.Att = [4]float64{q.Real, q.Imag, q.Jmag, q.Kmag}
	up := chassis.AxesOf(q).Z
	s.Frame.Vel = vector(r3.Scale(10, up))
	p := packet(t, packets.ParseBeamNG, "beamng", s)
	m := p.Motion()
	for i, v := range p.UpWorld() {
		within(t, "up", v, m.Vel[i]/10, 1e-5)
	}
	within(t, "up", p.UpWorld()[2], up.Z, 1e-5)
}

// Angular accelerations have the signs of the angular velocities.
func TestAngularAccelerationOfBeamNG(t *testing.T) {
	s := newDriven(t, road.Asphalt(), 0, 0).sample()
	s.Frame.Rate, s.AngularAcceleration = [3]float64{0.1, 0.2, 0.3}, [3]float64{10, 20, 30}
	p := packet(t, packets.ParseBeamNG, "beamng", s)
	for _, pair := range [][2]float32{{p.RollAcc, p.RollRate}, {p.PitchAcc, p.PitchRate}, {p.YawAcc, p.YawRate}} {
		within(t, "angular acceleration", float64(pair[0]), 100*float64(pair[1]), 1e-4)
	}
}
