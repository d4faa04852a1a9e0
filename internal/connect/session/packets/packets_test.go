package packets

import (
	"bytes"
	"math"
	"slices"
	"testing"

	"rig.example/rig/internal/connect/session"
)

func example(slot int) session.State {
	return session.State{
		Slot: slot, At: 3_723_123_456_789, Pos: [3]float64{1234.5678, -987.6543, 12.3456}, Att: [4]float64{0.5, -0.1, 0.7, math.Sqrt(1 - 0.75)},
		Vel: [3]float64{61.2, -33.1, 0.5}, Rate: [3]float64{0.1, -0.2, 1.3}, Acc: [3]float64{-12.3, 9.8, 0.4},
		Steer: -0.31, RPM: 7250, Gear: 5, Brake: 0.75, Laps: 12, Distance: 4321.987, Flags: session.InPit | session.CarPaused,
	}
}

// sameState reports whether b is a as a packet can hold it.
func sameState(a, b session.State) bool {
	near := func(step float64, x, y []float64) bool {
		return !slices.ContainsFunc([]int{0, 1, 2}, func(i int) bool { return math.Abs(x[i]-y[i]) > step })
	}
	dot := 0.0
	for i := range a.Att {
		dot += a.Att[i] * b.Att[i]
	}
	return a.Slot == b.Slot && a.Gear == b.Gear && a.Laps == b.Laps && a.Flags == b.Flags && a.At-b.At < 1000 && a.At >= b.At &&
		near(0.000501, a.Pos[:], b.Pos[:]) && near(0.0031, a.Vel[:], b.Vel[:]) && near(0.0016, a.Rate[:], b.Rate[:]) && near(0.016, a.Acc[:], b.Acc[:]) &&
		math.Abs(dot) > 1-1e-8 && near(0.0051, []float64{a.Steer * 50, a.RPM / 200, a.Brake}, []float64{b.Steer * 50, b.RPM / 200, b.Brake}) &&
		math.Abs(a.Distance-b.Distance) < 0.0101
}

func TestAStateKeepsItsPrecision(t *testing.T) {
	for _, s := range []session.State{
		example(3), {Att: [4]float64{1}}, {Slot: 63, Att: [4]float64{0, 0, 0, -1}, Pos: [3]float64{-1e6, 1e6, 1e6}, Vel: [3]float64{-200, 200, 200}, Gear: -1},
		{Att: [4]float64{0.5, -0.5, 0.5, -0.5}, Gear: 14, Laps: 65535, Brake: 1, At: 1 << 57},
	} {
		m, err := Parse(AppendState(nil, &s))
		if err != nil || m.Kind != State || len(m.Cars) != 1 || !sameState(s, m.Cars[0]) {
			t.Errorf("%+v\nis read as %+v, %v", s, m, err)
		}
	}
}

func TestAStateThatNoCarHasIsRefused(t *testing.T) {
	s := example(1)
	good := AppendState(nil, &s)
	for name, spoil := range map[string]func([]byte){
		"slot 64": func(b []byte) { b[1] = 64 }, "2000 km away": func(b []byte) { b[11] = 0x7f },
		"no attitude": func(b []byte) { copy(b[20:], []byte{0xff, 0xff, 0xff, 0xff, 0xff, 0x1f}) },
	} {
		b := bytes.Clone(good)
		if spoil(b); bytes.Equal(b, good) {
			t.Fatalf("%s: not spoilt", name)
		}
		if m, err := Parse(b); err == nil {
			t.Errorf("%s: %+v", name, m)
		}
	}
}

func TestCarsAreSplit(t *testing.T) {
	var all, got []session.State
	for slot := range 63 {
		all = append(all, example(slot))
	}
	sealer, _ := NewSealer(make([]byte, 32), 1, 0, true)
	for left := all; len(left) > 0; {
		var payload []byte
		payload, left = AppendCars(nil, left)
		if n := len(sealer.Seal(nil, payload)); n > MaxSize {
			t.Errorf("datagram of %d bytes", n)
		}
		m, err := Parse(payload)
		if err != nil || m.Kind != Cars {
			t.Fatal(m.Kind, err)
		}
		got = append(got, m.Cars...)
	}
	if len(got) != len(all) || !slices.EqualFunc(all, got, sameState) {
		t.Errorf("got %d cars", len(got))
	}
}

// What docs/sessions.md says of the traffic of a rig among 16, with the headers of UDP and IP [Mbit/s].
func TestTraffic(t *testing.T) {
	const header, perSecond, pings = 28, 60 * 8 / 1e6, 8 * 8 / 1e6
	sealer, _ := NewSealer(make([]byte, 32), 1, 0, true)
	s, cars := example(1), make([]session.State, 15)
	bundle, _ := AppendCars(nil, cars)
	up := float64(header+len(sealer.Seal(nil, AppendState(nil, &s))))*perSecond + float64(header+len(sealer.Seal(nil, AppendPing(nil, 1))))*pings
	down := float64(header+len(sealer.Seal(nil, bundle)))*perSecond + float64(header+len(sealer.Seal(nil, AppendPong(nil, 1, 2, 3))))*pings
	if math.Abs(up-0.06) > 0.005 || math.Abs(down-0.435) > 0.005 {
		t.Errorf("%.3f Mbit/s up, %.3f down", up, down)
	}
}

func TestPingAndPong(t *testing.T) {
	if m, err := Parse(AppendPing(nil, -5)); err != nil || m.Kind != Ping || m.Sent != -5 {
		t.Error(m, err)
	}
	if m, err := Parse(AppendPong(nil, 1, 2, 3)); err != nil || m.Kind != Pong || m.Sent != 1 || m.Received != 2 || m.Answered != 3 {
		t.Error(m, err)
	}
}

func FuzzParse(f *testing.F) {
	s := example(7)
	f.Add(AppendState(nil, &s))
	far := s
	far.Distance = -1e9
	f.Add(AppendState(nil, &far))
	f.Add(AppendPing(nil, 1))
	f.Add(AppendPong(nil, 1, 2, 3))
	cars, _ := AppendCars(nil, []session.State{s, s})
	f.Add(cars)
	f.Fuzz(func(t *testing.T, b []byte) {
		m, err := Parse(b)
		if err != nil {
			return
		}
		for i := range m.Cars {
			if err := m.Cars[i].Check(); err != nil {
				t.Fatal(err)
			}
			if again, err := Parse(AppendState(nil, &m.Cars[i])); err != nil || !sameState(m.Cars[i], again.Cars[0]) {
				t.Fatalf("%+v\nagain %+v, %v", m.Cars[i], again, err)
			}
		}
	})
}
