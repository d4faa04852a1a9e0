package member

import (
	"encoding/json"
	"io"
	"log/slog"
	"math"
	"net"
	"testing"

	"rig.example/rig/internal/connect/session"
	"rig.example/rig/internal/connect/session/keys"
	"rig.example/rig/internal/connect/session/packets"
	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/live/operator"
)

// lone returns a member in slot 1 with a link, to which nothing is connected.
func lone(t testing.TB) (*member, *packets.Sealer) {
	m := newMember(Options{Invitation: keys.Invitation{Session: "test", Member: "ada"}, Join: session.Join{Circuit: session.Circuit{Length: 1000}}},
		nil, nil, slog.New(slog.NewTextHandler(io.Discard, nil)))
	now := int64(second)
	m.now = func() int64 { now += int64(second) / stepsPerSecond; return now }
	near, far := net.Pipe()
	far.Close()
	j := session.Joined{Key: make([]byte, 32), Slot: 1, Epoch: 1}
	l, err := newLink(near, &j, now)
	if err != nil {
		t.Fatal(err)
	}
	m.link, m.joined = l, j
	sealer, err := packets.NewSealer(j.Key, 1, 1, true)
	if err != nil {
		t.Fatal(err)
	}
	return m, sealer
}

// check fails if an order was given that is none of a session, or if what is shown is not fit for a window.
func (m *member) check(t *testing.T, mayOrder bool) {
	t.Helper()
	for len(m.orders.stops)+len(m.orders.pauses) > 0 {
		if o, _ := m.orders.next(t.Context()); !mayOrder || o != operator.EmergencyStop && o != operator.Pause {
			t.Fatalf("order %v", o)
		}
	}
	shown := *m.step()
	before := shown.Count
	if shown.Clean(); shown.Count != before {
		t.Fatalf("%d of %d cars are fit to be shown", shown.Count, before)
	}
	for i := range shown.Count {
		if s := &shown.Cars[i]; s.Slot == 1 || !(math.Abs(s.Pos[0]) <= 1e6) {
			t.Fatalf("%+v", s)
		}
	}
}

// Whatever comes by UDP, even with the right key, orders nothing.
func FuzzPackets(f *testing.F) {
	s := session.State{Slot: 2, At: second, Att: [4]float64{1}, Vel: [3]float64{30}}
	cars, _ := packets.AppendCars(nil, []session.State{s, s})
	f.Add(cars, true)
	f.Add(packets.AppendPong(nil, second, 5*second, 5*second), true)
	f.Add(packets.AppendState(nil, &s), true)
	f.Add([]byte{1, 2, 3}, false)
	f.Fuzz(func(t *testing.T, payload []byte, sealed bool) {
		m, sealer := lone(t)
		m.take(m.link, sealer.Seal(nil, packets.AppendPong(nil, second, 5*second, 5*second)))
		m.frame = frame.Frame{Att: [4]float64{1}, Due: second}
		m.check(t, false)
		if sealed {
			payload = sealer.Seal(nil, payload)
		}
		for range 3 {
			m.take(m.link, payload)
			m.check(t, false)
		}
	})
}

// Whatever comes over the bus, nothing but a stop or a pause is ordered.
func FuzzMessages(f *testing.F) {
	add := func(v any) {
		data, _ := json.Marshal(v)
		f.Add(data)
	}
	add(session.Event{ID: "1", Kind: session.Stopped})
	add(session.Event{ID: "1", Kind: session.ResumedAt})
	add(session.Board{Stop: "1", Now: math.MinInt64})
	add(session.Board{Phase: session.Racing, Entries: []session.Member{{ID: "bob", Slot: 2, Driver: "\x1b[2J"}},
		Standings: []session.Standing{{Member: "ada", Place: -5, Gap: 1e300}, {Member: "bob", Place: 1 << 40}}, LapsLeft: -1, Start: math.MinInt64})
	f.Add([]byte(`{"kind":"stop\nconfirm"}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		m, sealer := lone(t)
		m.take(m.link, sealer.Seal(nil, packets.AppendPong(nil, second, 5*second, 5*second)))
		m.takeBoard(data)
		m.takeEvent(data)
		m.frame = frame.Frame{Att: [4]float64{1}, Due: second}
		m.check(t, true)
	})
}

// A rig that tells less or more than a car can have sends nothing.
func TestAStateWithNaNIsNotSent(t *testing.T) {
	m, sealer := lone(t)
	m.take(m.link, sealer.Seal(nil, packets.AppendPong(nil, second, 5*second, 5*second)))
	m.frame = frame.Frame{Att: [4]float64{1}, Pos: [3]float64{math.NaN()}, Due: second}
	for range 4 {
		if m.step(); m.sent != 0 {
			t.Fatal("sent")
		}
	}
	m.frame.Pos = [3]float64{}
	m.step()
	if m.step(); m.sent != second {
		t.Error("not sent")
	}
}

func TestDistanceFromTheStartLine(t *testing.T) {
	m, _ := lone(t)
	m.o.Start = 150
	for _, c := range []struct {
		station    float64
		lap, count uint64
		want       float64
	}{{126, 0, 0, -24}, {150, 1, 0, 0}, {126, 1, 0, 976}, {126, 0, 3, 976}, {990, 0, 0, -160}, {500, 0, 0, 350}} {
		m.frame = frame.Frame{Station: c.station, Lap: frame.Lap{Number: c.lap, Count: c.count}}
		if got := m.distance(); got != c.want {
			t.Errorf("station %g in lap %d: %g m, want %g", c.station, c.lap, got, c.want)
		}
	}
}

func TestAccelerationInTheWorldsAxes(t *testing.T) {
	half := math.Sqrt(0.5)
	if got := toWorld([4]float64{half, 0, 0, half}, [3]float64{1, 0, 2}); math.Abs(got[0]) > 1e-12 || math.Abs(got[1]-1) > 1e-12 || got[2] != 2 {
		t.Errorf("a car that heads along y accelerates by %v", got)
	}
}
