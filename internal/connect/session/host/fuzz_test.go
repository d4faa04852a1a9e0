package host

import (
	"context"
	"testing"

	"rig.example/rig/internal/connect/session"
)

// noBus keeps what is stored nowhere.
type noBus struct{ stored int }

func (*noBus) Publish(string, any) error                                       { return nil }
func (*noBus) Serve(string, func(string, []byte) any) (stop func(), err error) { return func() {}, nil }
func (*noBus) CreateStream(context.Context, session.ID) error                  { return nil }
func (b *noBus) Store(context.Context, string, string, any) (uint64, error) {
	b.stored++
	return 1, nil
}
func (*noBus) Claim(context.Context, session.ID, string) (func(), <-chan struct{}, error) {
	return nil, nil, nil
}
func (*noBus) Events(context.Context, session.ID, uint64, func(uint64, string, []byte)) (<-chan struct{}, func(), error) {
	read := make(chan struct{})
	close(read)
	return read, func() {}, nil
}

// memoryHost returns a host of a session with two rigs on the grid, in memory.
func memoryHost(t testing.TB) *Host {
	now := int64(100 * second)
	h, err := New(t.Context(), &noBus{}, Options{
		Session: "test", Circuit: ring, Rules: threeLaps, Log: quiet, Unix: func() int64 { return now }, Clock: func() int64 { now += second; return now },
		Revoke: func(session.ID) error { return nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range []session.ID{"a", "b"} {
		if j := h.join(id, encode(joinOf(id))); j.Refused != "" {
			t.Fatal(j.Refused)
		}
	}
	return h
}

// Whatever arrives, the host answers, announces, and its board can be sent.
func FuzzMessages(f *testing.F) {
	f.Add(0, encode(joinOf("c")))
	f.Add(1, encode(session.Order{Do: "grid", Order: []session.ID{"b"}}))
	f.Add(1, encode(session.Order{Do: "penalty", Member: "a", Second: 5}))
	f.Add(1, encode(session.Order{Do: "start", In: 3}))
	f.Add(2, encode(session.Query{Results: true, Member: "a", From: -1}))
	f.Add(3, encode(session.Event{ID: "x", Kind: session.LapDone, At: 50 * second, Lap: &session.Lap{Number: 1, Time: 30, Sectors: []float64{1}}}))
	f.Add(3, encode(session.Event{ID: "x", Kind: session.HasStopped, At: -1}))
	f.Add(4, encode(session.Event{ID: "x", Kind: session.Entered, Member: "z", Slot: 64, Entry: &session.Join{}}))
	f.Fuzz(func(t *testing.T, kind int, data []byte) {
		h := memoryHost(t)
		switch kind {
		case 0:
			encode(h.join("c", data))
		case 1:
			encode(h.order([]byte(`{"do":"grid"}`)))
			encode(h.order(data))
		case 2:
			encode(h.query(data))
		case 3:
			h.event(9, session.MemberEventSubject("test", "a"), data)
		default:
			h.event(9, session.HostEventSubject("test"), data)
		}
		h.Announce()
		encode(h.query([]byte("{}")))
		encode(h.query([]byte(`{"results":true,"member":"a"}`)))
		if len(h.race.Entries()) > 3 && kind < 4 {
			t.Error("more rigs than have joined")
		}
	})
}
