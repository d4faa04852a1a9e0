package host

import (
	"context"
	"fmt"
	"net"

	"reflect"
	"strings"
	"testing"
	"time"

	"rig.example/rig/internal/connect/session"
	"rig.example/rig/internal/connect/session/keys"
	"rig.example/rig/internal/connect/session/packets"
	"rig.example/rig/internal/connect/session/race"
	"rig.example/rig/test/level"
)

var threeLaps = session.Rules{Laps: 3, JumpPenalty: 5, FinishTimeout: 60}

// A race with a host that is killed in the middle: it goes on with the same race, and no lap is lost.
func TestAKilledHostGoesOnWithTheRace(t *testing.T) {
	w := newWorld(t, threeLaps)
	a, b := w.join("a"), w.join("b")
	w.at(60)
	a.lap(50, 40)
	b.lap(55, 39)
	if got := w.board(); got.Phase != session.Practice || got.Standings[0].Member != "b" || got.Standings[0].Best != 39 {
		t.Fatalf("practice: %+v", got)
	}
	w.must(session.Order{Do: "grid"})
	w.must(session.Order{Do: "start", In: 10})
	if got := w.board(); got.Phase != session.Countdown || got.Start != 70*second || got.Standings[0].Member != "b" || got.Standings[0].Grid != 1 {
		t.Fatalf("countdown: %+v", got)
	}
	w.at(120)
	a.lap(111, 40)
	b.lap(112, 41)
	before := w.host.race.Results("test", 120*second)

	w.kill()
	w.clock.Add(30 * second) // the session's time goes on
	w.begin()
	if now := w.host.now(); now < 150*second || now > 151*second {
		t.Errorf("session time %d s after 30 s", now/second)
	}
	if after := w.host.race.Results("test", 120*second); !reflect.DeepEqual(before, after) {
		t.Errorf("before\n%+v\nafter\n%+v", before, after)
	}
	a.bus, b.bus = w.connect(w.reinvite("a")), w.connect(w.reinvite("b"))
	a.again()
	b.again()
	if a.joined.Slot != 0 || b.joined.Slot != 1 || b.joined.Grid != 1 || a.joined.Phase != session.Racing {
		t.Errorf("joined again as %+v, %+v", a.joined, b.joined)
	}
	w.at(200)
	a.lap(145, 34)
	a.lap(180, 35)
	b.lap(146, 34)
	b.lap(179.5, 33.5)
	w.host.Announce()
	got := w.board()
	if s := got.Standings; got.Phase != session.Ended || s[0].Member != "b" || s[0].Time != 109.5 || s[0].Status != "finished" || s[1].Member != "a" || s[1].Time != 110 || s[1].Gap != 0.5 {
		t.Errorf("%+v", got)
	}
	w.host.Announce()
	if len(w.kept.Standings) != 2 || w.kept.Standings[0].Member != "b" || len(w.kept.Rigs[0].Laps) != 3 {
		t.Errorf("kept %+v", w.kept)
	}
	if a := w.order(session.Order{Do: "start"}); a.Error != "session test has ended" {
		t.Errorf("%+v", a)
	}
}

// reinvite returns a new invitation for a member, because a test has closed its connection.
func (w *world) reinvite(id session.ID) (i keys.Invitation) {
	w.t.Helper()
	err := w.folder.Revoke(id)
	if err == nil {
		i, err = w.folder.Invite(id, session.Rig, nil)
	}
	if err == nil {
		err = w.reload()
	}
	if err != nil {
		w.t.Fatal(err)
	}
	return i
}

func TestOneHostOfASessionOnServersOfOthers(t *testing.T) {
	level.SkipIfQuick(t)
	w := newWorld(t, threeLaps)
	w.shared = true
	first, err := w.newHost()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.newHost(); err == nil || !strings.Contains(err.Error(), "hosted already") {
		t.Errorf("a second host: %v", err)
	}
	first.Close()
	third, err := w.newHost()
	if err != nil {
		t.Fatal("after the first has ended:", err)
	}
	third.Close()
}

func TestAnotherCircuitIsRefusedWhenASessionGoesOn(t *testing.T) {
	w := newWorld(t, threeLaps)
	for _, circuit := range []session.Circuit{{Name: "other", Digest: "d", Length: 2600}, {Name: "ring", Digest: "e", Length: 2600}, {Name: "short", Length: 99}} {
		o := w.host.Options
		o.Circuit = circuit
		if _, err := New(t.Context(), w.host.bus, o); err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("%+v: %v", circuit, err)
		}
	}
}

func TestWhoMayNotJoinIsTold(t *testing.T) {
	w := newWorld(t, threeLaps)
	for _, tt := range []struct {
		name   string
		change func(j *session.Join)
		want   string
	}{
		{"protocol", func(j *session.Join) { j.Protocol = 9 }, "this rig speaks protocol 9, the host 1"},
		{"circuit", func(j *session.Join) { j.Circuit.Name = "other" }, "start it with --track ring"},
		{"digest", func(j *session.Join) { j.Circuit.Digest = "x" }, "circuit ring is another one here"},
		{"no driver", func(j *session.Join) { j.Driver = "" }, "driver: must be"},
		{"long driver", func(j *session.Join) { j.Driver = strings.Repeat("x", 25) }, "driver: must be"},
		{"escape", func(j *session.Join) { j.Driver = "a\x1b[2J" }, "driver: must be"},
		{"car", func(j *session.Join) { j.Car = "a\nb" }, "car or build"},
		{"size", func(j *session.Join) { j.Size.Width = 1e9 }, "the car's size"},
	} {
		j := joinOf("a")
		tt.change(&j)
		w.clock.Add(second)
		if got := w.host.join("a", encode(j)); !strings.Contains(got.Refused, tt.want) || got.Key != nil {
			t.Errorf("%s: %+v", tt.name, got)
		}
	}
	if got := w.host.join("a", []byte("{")); !strings.Contains(got.Refused, "cannot be read") {
		t.Errorf("%+v", got)
	}
	if got := w.host.join("a", encode(joinOf("a"))); got.Refused != "" {
		t.Errorf("after refusals: %+v", got)
	}
}

func TestASessionHas64Rigs(t *testing.T) {
	w := newWorld(t, threeLaps)
	for i := range session.MaxMembers {
		id := session.ID(fmt.Sprint("r", i))
		if got := w.host.join(id, encode(joinOf(id))); got.Refused != "" || got.Slot != i || len(got.Key) != 32 {
			t.Fatalf("rig %d: %+v", i, got)
		}
	}
	if got := w.host.join("r64", encode(joinOf("r64"))); got.Refused != "session test is full: it has 64 rigs" {
		t.Errorf("%+v", got)
	}
	w.clock.Add(second)
	if got := w.host.join("r7", encode(joinOf("r7"))); got.Refused != "" || got.Slot != 7 {
		t.Errorf("once more: %+v", got)
	}
	w.must(session.Order{Do: "grid", Order: []session.ID{"r63"}})
	if b := w.board(); len(b.Standings) != 64 || b.Standings[0].Member != "r63" || len(encode(b)) > 60<<10 {
		t.Errorf("a board of %d rigs in %d bytes", len(b.Standings), len(encode(b)))
	}
}

func TestARevokedRigIsOutAtOnce(t *testing.T) {
	w := newWorld(t, threeLaps)
	a, b := w.join("a"), w.join("b")
	a.send(10, 0)
	b.send(20, 0)
	if n := len(w.host.relay.seal()); n != 2 {
		t.Fatalf("%d bundles for 2 rigs", n)
	}
	w.must(session.Order{Do: "revoke", Member: "a"})
	a.send(11, 0)
	if out := w.host.relay.seal(); len(out) != 1 || out[0].to != b.address() || w.host.relay.refused[string(noKey)] != 1 {
		t.Errorf("%d bundles; refused %v", len(out), w.host.relay.refused)
	}
	w.until("the end of its connection", func() bool {
		select {
		case <-a.bus.Refused():
			return true
		default:
			return false
		}
	})
	if got := w.board(); !got.Entries[0].Left || got.Entries[0].Present {
		t.Errorf("%+v", got.Entries)
	}
	members, _ := w.folder.Members()
	w.host.SetMembers(members[:0]) // as after a change of the folder
	if n := len(w.host.relay.seal()); n != 0 {
		t.Errorf("%d bundles for nobody", n)
	}
}

// A rig that has joined again has a new key, and its old one opens nothing.
func TestASecondJoinReplacesTheFirst(t *testing.T) {
	w := newWorld(t, threeLaps)
	a := w.join("a")
	old := *a
	a.again()
	if reflect.DeepEqual(old.joined.Key, a.joined.Key) || old.joined.Epoch == a.joined.Epoch || old.joined.Slot != a.joined.Slot {
		t.Errorf("%+v then %+v", old.joined, a.joined)
	}
	old.send(10, 0)
	if w.host.relay.cars[0].known || w.host.relay.refused[string(noKey)] != 1 {
		t.Errorf("refused %v", w.host.relay.refused)
	}
}

func TestOrdersThatCannotBeAreRefused(t *testing.T) {
	w := newWorld(t, threeLaps)
	order := func(do string, change func(o *session.Order)) session.Order {
		o := session.Order{Do: do}
		if change != nil {
			change(&o)
		}
		return o
	}
	for _, tt := range []struct {
		o    session.Order
		want string
	}{
		{order("grid", nil), "no rig has joined"},
		{order("start", nil), "fix the grid first"},
		{order("abort", nil), "no start is counted down"},
		{order("resume", nil), "not paused"},
		{order("dance", nil), "unknown order"},
		{order("flag", func(o *session.Order) { o.Flag = "pink" }), "must be none, green"},
		{order("notice", nil), "must be 1 to 200 bytes"},
		{order("notice", func(o *session.Order) { o.Text, o.Member = "x", "nobody" }), "nobody is no rig"},
		{order("penalty", func(o *session.Order) { o.Second, o.Member = 5, "nobody" }), "nobody is no rig"},
		{order("revoke", func(o *session.Order) { o.Member = "nobody" }), "no member is named nobody"},
	} {
		if a := w.order(tt.o); !strings.Contains(a.Error, tt.want) || a.Text != "" {
			t.Errorf("%s: %+v, want %q", tt.o.Do, a, tt.want)
		}
	}
	w.join("a")
	w.must(session.Order{Do: "grid"})
	for _, tt := range []struct {
		o    session.Order
		want string
	}{
		{order("grid", func(o *session.Order) { o.Order = []session.ID{"a", "a"} }), "a is named twice"},
		{order("grid", func(o *session.Order) { o.Order = []session.ID{"x"} }), "x is no rig of this session: there are a"},
		{order("start", func(o *session.Order) { o.In = 1 }), "must be 3 to 600 s"},
		{order("penalty", func(o *session.Order) { o.Member = "a" }), "0 s: must be up to 3600 s"},
	} {
		if a := w.order(tt.o); !strings.Contains(a.Error, tt.want) {
			t.Errorf("%s: %+v, want %q", tt.o.Do, a, tt.want)
		}
	}
	w.must(session.Order{Do: "pause"})
	if a := w.order(session.Order{Do: "start"}); !strings.Contains(a.Error, "paused") {
		t.Errorf("%+v", a)
	}
	w.must(session.Order{Do: "resume"})
	w.must(session.Order{Do: "start"})
	if a := w.order(session.Order{Do: "grid"}); !strings.Contains(a.Error, "phase countdown") {
		t.Errorf("%+v", a)
	}
	if a := w.order(session.Order{Do: "pause"}); !strings.Contains(a.Error, "rig session abort") {
		t.Errorf("%+v", a)
	}
	w.must(session.Order{Do: "abort"})
}

func TestAStopIsReportedByEachRig(t *testing.T) {
	w := newWorld(t, threeLaps)
	a := w.join("a")
	w.join("b")
	w.must(session.Order{Do: "stop"})
	a.keep(session.Event{Kind: session.HasStopped, At: w.host.now(), Text: "stopped"})
	if e := w.board().Entries; !e[0].Stopped || e[1].Stopped {
		t.Errorf("%+v", e)
	}
	w.clock.Add(5 * second)
	w.must(session.Order{Do: "stop"})
	if e := w.board().Entries; e[0].Stopped {
		t.Error("an earlier report counts for a new stop")
	}
}

func TestACarThatMovesBeforeTheStartGetsAPenaltyOnce(t *testing.T) {
	w := newWorld(t, threeLaps)
	a, b, c, d := w.join("a"), w.join("b"), w.join("c"), w.join("d")
	w.at(60)
	w.must(session.Order{Do: "grid", Order: []session.ID{"a", "b", "c", "d"}})
	w.must(session.Order{Do: "start", In: 10})
	for i := range 20 {
		w.at(60 + float64(i)*0.55) // until 70.45 s
		jump, slow := 0.0, 0.0
		if i >= 10 {
			jump, slow = 0.6, 0.4
		}
		a.send(ring.Length-8+slow, 0) // it rolls, but not enough
		b.send(ring.Length-16+jump, 0)
		c.send(100, session.InPit)
		d.send(ring.Length-32+max(0, float64(i-18)), 0) // it goes after the start
		w.host.Announce()
	}
	got := w.board()
	for _, s := range got.Standings {
		if want := map[session.ID]float64{"b": 5}[s.Member]; s.Penalty != want {
			t.Errorf("%s: penalty %g s, want %g s", s.Member, s.Penalty, want)
		}
	}
	if got.Notice != "driver b: jump start, +5 s" {
		t.Errorf("notice %q", got.Notice)
	}
}

// Places and gaps follow the cars between the lines.
func TestLiveGaps(t *testing.T) {
	w := newWorld(t, threeLaps)
	a, b := w.join("a"), w.join("b")
	w.at(60)
	w.must(session.Order{Do: "grid", Order: []session.ID{"a", "b"}})
	w.must(session.Order{Do: "start", In: 10})
	drive := func(from, to, fast, slow float64) { // at 50 m/s, b from its place with a lead or a loss
		for at := from; at < to; at += 0.1 {
			w.at(at)
			a.send(ring.Length-8+fast*max(0, at-70), 0)
			b.send(ring.Length-16+slow*max(0, at-70), 0)
		}
	}
	drive(69, 90, 50, 40)
	got := w.board()
	if s := got.Standings; s[0].Member != "a" || s[1].Member != "b" || s[1].Place != 2 || s[1].Gap < 4 || s[1].Gap > 4.4 || s[1].LapsDown != 0 || s[0].Gap != 0 {
		t.Errorf("%+v", s)
	}
	drive(90, 130, 50, 61) // b, put there by hand, is ahead at 130 s: 3644 m against 2992 m
	w.at(131)
	a.send(ring.Length-8+50*61, 0)
	for range session.StatesPerSecond {
		w.clock.Add(second / 60)
		b.send(ring.Length-16+61*61, 0)
	}
	if s := w.board().Standings; s[0].Member != "b" || s[1].Gap < 10 || s[1].Gap > 14 {
		t.Errorf("%+v", s)
	}
}

func TestASilentRigIsAbsentThenRetiredThenBack(t *testing.T) {
	w := newWorld(t, threeLaps)
	a := w.join("a")
	status := func() string { return w.board().Standings[0].Status }
	a.send(10, 0)
	if s := status(); s != "driving" {
		t.Error(s)
	}
	w.clock.Add(30 * second)
	w.host.Announce()
	if s := status(); s != "absent" {
		t.Errorf("after 30 s: %s", s)
	}
	w.clock.Add(100 * second)
	w.host.Announce()
	if s := status(); s != "retired" {
		t.Errorf("after 130 s: %s", s)
	}
	a.send(20, 0)
	w.host.Announce()
	if s := status(); s != "driving" {
		t.Errorf("heard again: %s", s)
	}
}

func TestLapsOfAnImpossibleTimeAreDismissed(t *testing.T) {
	w := newWorld(t, threeLaps)
	a := w.join("a")
	w.at(60)
	w.must(session.Order{Do: "grid"})
	w.must(session.Order{Do: "start", In: 10})
	w.at(120)
	a.lap(300, 30)
	w.until("the notice", func() bool { return strings.Contains(w.board().Notice, "does not count: its time is +180 s from now") })
	a.lap(110, 39)
	w.at(400)
	if s := w.board().Standings[0]; s.Laps != 1 || s.Time != 40 {
		t.Errorf("%+v", s)
	}
	w.at(5000)
	a.lap(450, 30)
	if s := w.board().Standings[0]; s.Laps != 1 {
		t.Errorf("a lap of more than an hour ago: %+v", s)
	}
	a.lap(4990, 30)
	if s := w.board().Standings[0]; s.Laps != 2 {
		t.Errorf("the next one: %+v", s)
	}
	a.keep(session.Event{ID: "fast", Kind: session.LapDone, At: 4999 * second, Lap: &session.Lap{Number: 3, Time: 5}})
	w.until("the notice", func() bool { return strings.Contains(w.board().Notice, "the circuit takes 20.0 s") })
}

// Results are asked for in parts that fit into messages.
func TestResultsInParts(t *testing.T) {
	w := newWorld(t, session.Rules{})
	a := w.join("a")
	w.at(30_000)
	for i := range 450 {
		_ = w.host.race.Apply("a", &session.Event{ID: fmt.Sprint("l", i), Kind: session.LapDone, At: int64(100+30*i) * second, Lap: &session.Lap{Number: i + 1, Time: 29.5, Sectors: []float64{10.123456, 10, 9.4}}})
	}
	laps := 0
	for from := 0; ; from = laps {
		got := ask[race.Results](t, w.control, session.PresenceSubject("test"), session.Query{Results: true, Member: a.id, From: from})
		if len(got.Rigs) != 1 || len(got.Rigs[0].Laps) == 0 {
			break
		}
		if got.Rigs[0].Laps[0].Lap != from+1 || len(encode(got)) > 60<<10 {
			t.Errorf("from %d: %+v in %d bytes", from, got.Rigs[0].Laps[0], len(encode(got)))
		}
		laps += len(got.Rigs[0].Laps)
	}
	if laps != 450 {
		t.Errorf("%d laps", laps)
	}
	if got := ask[race.Results](t, w.control, session.PresenceSubject("test"), session.Query{Results: true}); len(got.Standings) != 1 || got.Rigs != nil {
		t.Errorf("%+v", got)
	}
}

// With sockets: a ping is answered, a state goes to the other rig, and Run ends with its context.
func TestPacketsGoOverSockets(t *testing.T) {
	w := newWorld(t, threeLaps)
	a, b := w.join("a"), w.join("b")
	conn, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		t.Fatal(err)
	}
	w.host.Conn = conn
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- w.host.Run(ctx) }()
	to := conn.LocalAddr().(*net.UDPAddr)
	cars := make(chan packets.Message, 100)
	for _, r := range []*rig{a, b} {
		c, err := net.DialUDP("udp4", nil, to)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		go func() {
			buffer := make([]byte, 2048)
			for {
				n, err := c.Read(buffer)
				if err != nil {
					return
				}
				if plain, err := r.opener.Open(nil, buffer[:n]); err == nil {
					if m, err := packets.Parse(plain); err == nil && (m.Kind == packets.Pong || len(m.Cars) == 1) {
						select {
						case cars <- m:
						default:
						}
					}
				}
			}
		}()
		s := stateOf(r.joined.Slot, w.host.now(), float64(100+r.joined.Slot))
		_, _ = c.Write(r.sealer.Seal(nil, packets.AppendState(nil, &s)))
		_, _ = c.Write(r.sealer.Seal(nil, packets.AppendPing(nil, 77)))
	}
	seen := map[string]bool{}
	for len(seen) < 3 {
		select {
		case m := <-cars:
			if m.Kind == packets.Pong {
				seen[fmt.Sprint("pong of ", m.Sent == 77 && m.Received == w.host.now() && m.Answered == m.Received)] = true
			} else {
				seen[fmt.Sprint("car ", m.Cars[0].Slot)] = true
			}
		case <-time.After(hang):
			t.Fatalf("only %v", seen)
		}
	}
	if !seen["pong of true"] || !seen["car 0"] || !seen["car 1"] {
		t.Error(seen)
	}
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
