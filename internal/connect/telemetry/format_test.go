package telemetry_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"slices"
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

// jsonLine is a line of the format json: all numbers and texts that the object holds, in any order, whatever their keys are.
type jsonLine struct {
	numbers []float64
	texts   []string // without keys
}

// parseJSON reads a line of text that holds one JSON object (RFC 8259) and ends with a line feed.
func parseJSON(b []byte) (p jsonLine, err error) {
	line, ok := bytes.CutSuffix(b, []byte("\n"))
	if !ok || bytes.ContainsRune(line, '\n') {
		return p, errors.New("json: must be one line that ends with a line feed")
	}
	var object map[string]any
	err = json.Unmarshal(line, &object)
	p.collect(object)
	return p, err
}

// collect adds the numbers and texts in v.
func (p *jsonLine) collect(v any) {
	switch v := v.(type) {
	case float64:
		p.numbers = append(p.numbers, v)
	case string:
		p.texts = append(p.texts, v)
	case []any:
		for _, e := range v {
			p.collect(e)
		}
	case map[string]any:
		for _, e := range v {
			p.collect(e)
		}
	}
}

// has reports whether one of the numbers is v, but for the last of 5 digits.
func (p *jsonLine) has(v float64) bool {
	return slices.ContainsFunc(p.numbers, func(n float64) bool { return math.Abs(n-v) <= 1e-5*math.Max(1, math.Abs(v)) })
}
