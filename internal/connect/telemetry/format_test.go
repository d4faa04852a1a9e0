package telemetry_test

import (
	"testing"

	"rig.example/rig/internal/connect/packets"
	"rig.example/rig/internal/connect/telemetry"
)

// format is a format whose packets say how a car moves.
type format struct {
	name string
	read func(b []byte) (packets.Motion, error)
	has  []string // of quantities, what its packets have
}

// Quantities of a Motion, in groups.
const (
	gear         = "gear"
	speed        = "speed"
	position     = "position"
	velocity     = "velocity"
	acceleration = "acceleration" // along and across the car
	lift         = "acceleration up"
	attitude     = "attitude"
	rates        = "angular velocity"
	steering     = "steering"
	slip         = "slip"
	load         = "load"
	wheels       = "compression and speed of the wheels"
)

var formats = []format{
	{"outgauge", reading(packets.ParseOutGauge), []string{gear, speed}},
	{"outsim", reading(packets.ParseOutSim), []string{gear, position, velocity, acceleration, lift, attitude, rates, steering, slip, load, wheels}},
	{"forza", reading(packets.ParseForza), []string{gear, speed, position, velocity, acceleration, lift, attitude, rates, steering, slip, wheels}},
	{"beamng", reading(packets.ParseBeamNG), []string{position, velocity, acceleration, lift, attitude, rates}},
	{"dirt", reading(packets.ParseDirt), []string{gear, speed, position, velocity, acceleration, attitude, steering, wheels}},
	{"simapi", reading(packets.ParseSimAPI), []string{gear, speed, position, velocity, attitude, steering, slip, wheels}},
}

// reading returns a function that reads a packet with parse and converts it.
func reading[P any, M interface {
	*P
	Motion() packets.Motion
}](parse func([]byte) (P, error)) func([]byte) (packets.Motion, error) {
	return func(b []byte) (packets.Motion, error) {
		p, err := parse(b)
		return M(&p).Motion(), err
	}
}

// sent returns what the packet of a sample says.
func (f *format) sent(t testing.TB, s *telemetry.Sample) packets.Motion {
	t.Helper()
	m, err := f.read(telemetry.Append(nil, f.name, s))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// packet returns the packet of a sample as parse reads it.
func packet[P any](t testing.TB, parse func([]byte) (P, error), format string, s *telemetry.Sample) P {
	t.Helper()
	p, err := parse(telemetry.Append(nil, format, s))
	if err != nil {
		t.Fatal(err)
	}
	return p
}
