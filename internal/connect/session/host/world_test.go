package host

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"math"
	"net/netip"
	"sync/atomic"
	"testing"
	"time"

	"rig.example/rig/internal/connect/session"
	"rig.example/rig/internal/connect/session/bus"
	"rig.example/rig/internal/connect/session/keys"
	"rig.example/rig/internal/connect/session/packets"
	"rig.example/rig/internal/connect/session/race"
	"rig.example/rig/internal/connect/session/server"
)

// hang ends a test that waits for what does not come.
const hang = 3 * time.Minute

// ring is a circuit on which no lap takes less than 20 s.
var ring = session.Circuit{Name: "ring", Digest: "d", Length: 2600}

var quiet = slog.New(slog.NewTextHandler(io.Discard, nil))

// world is a session with a server of its own, in virtual time.
type world struct {
	t       *testing.T
	folder  *keys.Folder
	rules   session.Rules
	shared  bool
	server  *server.Server
	clock   atomic.Int64 // of the host [ns]
	host    *Host
	control *bus.Bus // an official's
	kept    race.Results
}

func newWorld(t *testing.T, rules session.Rules) *world {
	folder, err := keys.OpenFolder(t.TempDir(), "test")
	if err != nil {
		t.Fatal(err)
	}
	w := &world{t: t, folder: folder, rules: rules}
	w.clock.Store(1000 * second)
	w.begin()
	return w
}

// begin starts server and host.
func (w *world) begin() {
	w.t.Helper()
	var err error
	if w.server, err = server.Start(server.Options{Listen: "127.0.0.1:0", Folder: w.folder, Log: quiet}); err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(w.server.Close)
	if w.host, err = w.newHost(); err != nil {
		w.t.Fatal(err)
	}
	w.control = w.connect(w.invitation(keys.OfficialFile))
}

func (w *world) newHost() (*Host, error) {
	ctx, cancel := context.WithTimeout(w.t.Context(), hang)
	defer cancel()
	return New(ctx, w.connect(w.invitation(keys.HostFile)), Options{
		Session: "test", Circuit: ring, Rules: w.rules, Packets: ":4777", Log: quiet, Shared: w.shared,
		Unix: func() int64 { return w.clock.Load() }, Clock: func() int64 { return w.clock.Load() },
		Revoke: w.revoke, Results: func(r race.Results) error { w.kept = r; return nil },
	})
}

func (w *world) revoke(id session.ID) error {
	if err := w.folder.Revoke(id); err != nil {
		return err
	}
	return w.reload()
}

func (w *world) reload() error {
	members, err := w.folder.Members()
	if err != nil {
		return err
	}
	return w.server.Reload(members)
}

func (w *world) invitation(file string) keys.Invitation {
	w.t.Helper()
	i, err := keys.Read(w.folder.Path(file))
	if err != nil {
		w.t.Fatal(err)
	}
	return i
}

func (w *world) connect(i keys.Invitation) *bus.Bus {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.t.Context(), hang)
	defer cancel()
	b, err := bus.Connect(ctx, i, bus.Options{Name: "test", Log: quiet})
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(b.Close)
	return b
}

// kill ends server and host without a word to them.
func (w *world) kill() {
	w.host.bus.(*bus.Bus).Close()
	w.server.Close()
}

// at lets the session time be that many seconds.
func (w *world) at(seconds float64) {
	w.clock.Store(int64(seconds*second) - w.host.base)
}

// until waits until the host, which gets events from the bus, has what is wanted.
func (w *world) until(what string, ok func() bool) {
	w.t.Helper()
	for end := time.Now().Add(hang); !ok(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			w.t.Fatalf("%s: does not come", what)
		}
	}
}

// order gives an order of race control.
func (w *world) order(o session.Order) session.Answer {
	w.t.Helper()
	return ask[session.Answer](w.t, w.control, session.OrderSubject("test"), o)
}

func (w *world) must(o session.Order) {
	w.t.Helper()
	if a := w.order(o); a.Error != "" {
		w.t.Fatalf("%s: %s", o.Do, a.Error)
	}
}

// board asks the host for its board, as a watcher does.
func (w *world) board() session.Board {
	w.t.Helper()
	return ask[session.Board](w.t, w.control, session.PresenceSubject("test"), session.Query{})
}

func ask[T any](t *testing.T, b *bus.Bus, subject string, v any) (answer T) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), hang)
	defer cancel()
	if err := b.Request(ctx, subject, v, &answer); err != nil {
		t.Fatal(err)
	}
	return answer
}

// rig is a rig of a test.
type rig struct {
	w      *world
	id     session.ID
	bus    *bus.Bus
	joined session.Joined
	sealer *packets.Sealer
	opener *packets.Opener
	events int
}

// join invites a rig and lets it join.
func (w *world) join(id session.ID) *rig {
	w.t.Helper()
	i, err := w.folder.Invite(id, session.Rig, nil)
	if err == nil {
		err = w.reload()
	}
	if err != nil {
		w.t.Fatal(err)
	}
	r := &rig{w: w, id: id, bus: w.connect(i)}
	r.again()
	return r
}

func joinOf(id session.ID) session.Join {
	return session.Join{Protocol: session.Protocol, Driver: "driver " + string(id), Car: "club", Circuit: ring, Size: session.CarSize{Length: 4, Width: 2}}
}

// again joins, once more if it was in already.
func (r *rig) again() {
	r.w.t.Helper()
	r.w.clock.Add(second)
	r.joined = ask[session.Joined](r.w.t, r.bus, session.JoinSubject("test", r.id), joinOf(r.id))
	if r.joined.Refused != "" {
		r.w.t.Fatalf("%s: %s", r.id, r.joined.Refused)
	}
	r.sealer, _ = packets.NewSealer(r.joined.Key, r.joined.Epoch, r.joined.Slot, false)
	r.opener, _ = packets.NewOpener(r.joined.Key, r.joined.Epoch, r.joined.Slot, true)
}

// address returns the rig's address, which differs by slot.
func (r *rig) address() netip.AddrPort {
	return netip.MustParseAddrPort(fmt.Sprintf("10.0.0.%d:5000", r.joined.Slot+1))
}

// stateOf returns a car's state at a session time and a distance from the start line, on a round circuit.
func stateOf(slot int, at int64, distance float64) session.State {
	radius := ring.Length / (2 * math.Pi)
	sin, cos := math.Sincos(distance / radius)
	return session.State{Slot: slot, At: at, Att: [4]float64{1}, Pos: [3]float64{radius * cos, radius * sin, 0}, Distance: math.Mod(distance, ring.Length)}
}

// send sends a state at the present session time.
func (r *rig) send(distance float64, flags session.StateFlags) {
	s := stateOf(r.joined.Slot, r.w.host.now(), distance)
	s.Flags = flags
	r.packet(r.sealer.Seal(nil, packets.AppendState(nil, &s)))
}

// packet lets a packet arrive at the host.
func (r *rig) packet(p []byte) []byte { return r.w.host.relay.receive(p, r.address(), r.w.host.now()) }

// keep stores an event, and waits until the host has it.
func (r *rig) keep(e session.Event) {
	r.w.t.Helper()
	r.store(&e)
	r.w.until("an event of "+string(r.id), func() bool {
		r.w.host.mu.Lock()
		defer r.w.host.mu.Unlock()
		return r.w.host.race.Has(r.id, e.ID)
	})
}

func (r *rig) store(e *session.Event) {
	r.w.t.Helper()
	if r.events++; e.ID == "" {
		e.ID = fmt.Sprintf("%s-%d", r.id, r.events)
	}
	ctx, cancel := context.WithTimeout(r.w.t.Context(), hang)
	defer cancel()
	if _, err := r.bus.Store(ctx, session.MemberEventSubject("test", r.id), e.ID, e); err != nil {
		r.w.t.Fatal(err)
	}
}

// lap ends a lap at a session time [s], which took a time [s].
func (r *rig) lap(at, time float64) {
	r.w.t.Helper()
	r.keep(session.Event{Kind: session.LapDone, Member: r.id, At: int64(at * second), Lap: &session.Lap{Number: 1, Time: time, Valid: true}})
}

func encode(v any) []byte {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return data
}
