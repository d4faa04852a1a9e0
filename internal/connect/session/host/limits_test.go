package host

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"rig.example/rig/internal/connect/session"
	"rig.example/rig/internal/connect/session/race"
	"rig.example/rig/test/level"
)

// memory is a bus that keeps events in memory, unless it is broken, and gives them to the next host.
type memory struct {
	noBus
	broken, mute bool // nothing is kept; everything is, and nothing is acknowledged
	mu           sync.Mutex
	sent         []any
	events       []struct {
		subject string
		data    []byte
	}
	tried int // to keep one
}

var errBroken = errors.New("the stream is full")

func (b *memory) Publish(subject string, v any) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.sent = append(b.sent, v)
	return nil
}

func (b *memory) Store(_ context.Context, subject, _ string, v any) (uint64, error) {
	if b.tried++; b.broken {
		return 0, errBroken
	}
	b.add(subject, v)
	if b.mute {
		return 0, context.DeadlineExceeded
	}
	return 1, nil
}

func (b *memory) add(subject string, v any) {
	b.events = append(b.events, struct {
		subject string
		data    []byte
	}{subject, encode(v)})
}

func (b *memory) Events(_ context.Context, _ session.ID, _ uint64, f func(uint64, string, []byte)) (<-chan struct{}, func(), error) {
	for _, e := range b.events {
		f(1, e.subject, e.data)
	}
	read := make(chan struct{})
	close(read)
	return read, func() {}, nil
}

// of returns how many events of a kind are kept.
func (b *memory) of(kind session.Kind) (n int) {
	for _, e := range b.events {
		var kept session.Event
		if json.Unmarshal(e.data, &kept) == nil && kept.Kind == kind {
			n++
		}
	}
	return n
}

// small is a host in memory, and its clock [ns].
type small struct {
	*Host
	t     *testing.T
	bus   *memory
	clock *atomic.Int64
}

func newSmall(t *testing.T, b *memory, change func(*Options)) *small {
	t.Helper()
	clock := &atomic.Int64{}
	clock.Store(100 * second)
	o := Options{
		Session: "test", Circuit: ring, Rules: threeLaps, Log: quiet, Unix: clock.Load, Clock: clock.Load, Revoke: func(session.ID) error { return nil },
	}
	if change != nil {
		change(&o)
	}
	h, err := New(t.Context(), b, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(h.Close)
	return &small{h, t, b, clock}
}

// in lets rigs join.
func (s *small) in(ids ...session.ID) {
	s.t.Helper()
	for _, id := range ids {
		if j := s.join(id, encode(joinOf(id))); j.Refused != "" {
			s.t.Fatal(j.Refused)
		}
	}
}

// take gives the host an event of a rig, which the bus has kept.
func (s *small) take(from session.ID, e session.Event) {
	subject := session.MemberEventSubject("test", from)
	s.bus.add(subject, e)
	s.event(1, subject, encode(e))
}

func lapEvent(id string, at int64) session.Event {
	return session.Event{ID: id, Kind: session.LapDone, At: at, Lap: &session.Lap{Number: 1, Time: 30}}
}

func (s *small) state() session.Board { return s.query([]byte("{}")).(session.Board) }

func (s *small) do(o session.Order) session.Answer { return s.order(encode(o)) }

// A stop goes out before anything is waited for, also if it cannot be kept, and the board repeats it for half a minute.
func TestAStopIsSentAtOnceAndAlsoIfItCannotBeKept(t *testing.T) {
	s := newSmall(t, &memory{}, nil)
	s.in("a", "b")
	s.bus.broken = true
	s.mu.Lock()
	answer := make(chan session.Answer, 1)
	go func() { answer <- s.do(session.Order{Do: "stop"}) }()
	var stop session.Event
	for end := time.Now().Add(hang); stop.ID == ""; time.Sleep(time.Millisecond) {
		s.bus.mu.Lock()
		if len(s.bus.sent) > 0 {
			stop = s.bus.sent[0].(session.Event)
		}
		s.bus.mu.Unlock()
		if time.Now().After(end) {
			t.Fatal("the stop is not sent while the host is busy")
		}
	}
	s.mu.Unlock()
	if a := <-answer; a.Error != "" || a.Text != "every rig is asked for its software stop, but the event is not kept: the stream is full" {
		t.Errorf("%+v", a)
	}
	s.take("b", session.Event{ID: "1", Kind: session.HasStopped, At: s.now() + second, Answers: "another"})
	if b := s.state(); stop.Kind != session.Stopped || b.Stop != stop.ID || b.Entries[1].Stopped {
		t.Errorf("sent %+v; board %+v", stop, b)
	}
	s.take("a", session.Event{ID: "1", Kind: session.HasStopped, At: s.now() - 9*second, Answers: stop.ID}) // its clock is wrong
	s.clock.Add(31 * second)
	if b := s.state(); b.Stop != "" || !b.Entries[0].Stopped {
		t.Errorf("later: %+v", b)
	}
}

func TestAPenaltyIsGivenOnceIfItWasUnknownWhetherItIsKept(t *testing.T) {
	s := newSmall(t, &memory{}, nil)
	s.in("a")
	penalty := session.Order{Do: "penalty", Member: "a", Second: 5}
	s.bus.mute = true
	if a := s.do(penalty); a.Error == "" {
		t.Fatalf("%+v", a)
	}
	s.bus.mute = false
	s.clock.Add(second)
	for range 2 { // the second one is another
		if a := s.do(penalty); a.Error != "" {
			t.Fatalf("%+v", a)
		}
	}
	for name, host := range map[string]*small{"this": s, "the next": newSmall(t, s.bus, nil)} {
		if p := host.race.Results("test", s.now()).Rigs[0].Penalties; len(p) != 2 {
			t.Errorf("%s host has %d penalties", name, len(p))
		}
	}
}

// A rig that joins again and again as another driver does not fill what the host keeps.
func TestJoinsOfARigAreLimited(t *testing.T) {
	s := newSmall(t, &memory{}, nil)
	s.in("b")
	refused := func(driver string) string {
		j := joinOf("a")
		j.Driver = driver
		return s.join("a", encode(j)).Refused
	}
	for i := range 20 {
		if r := refused(fmt.Sprint(i)); r != "" {
			t.Fatal(r)
		}
	}
	if r := refused("x"); !strings.Contains(r, "too often: 20 times a minute") {
		t.Error(r)
	}
	if r := refused("19"); r != "" {
		t.Error("with the same data:", r)
	}
	for i := range 3000 {
		s.clock.Add(4 * second)
		refused(fmt.Sprint("again ", i))
	}
	if n := s.bus.of(session.Entered); n != 1+1024 {
		t.Errorf("%d joins are kept", n)
	}
	s.relay.drop(1)
	s.clock.Add(1000 * second)
	s.Announce() // it has left, and is heard again: nothing is kept of that
	s.relay.cars[1].heard = s.now()
	before := s.bus.tried
	for range 5 {
		s.Announce()
	}
	if s.bus.tried != before {
		t.Errorf("%d attempts to keep that it is there again", s.bus.tried-before)
	}
}

// Thousands of laps with an impossible time cost few events, and none of them counts, also for the next host.
func TestManyImpossibleLapsCostFewEvents(t *testing.T) {
	s := newSmall(t, &memory{}, nil)
	s.in("a")
	s.take("a", lapEvent("good", s.now()))
	for i := range 1000 {
		s.take("a", lapEvent(fmt.Sprint("bad", i), s.now()+int64(i+1)*30*second))
	}
	s.bus.broken = true
	s.Announce()
	s.bus.broken = false
	s.clock.Add(dismissedWait)
	for range 100 {
		s.Announce()
	}
	if n := s.bus.of(session.Dismissed); n != 20+31 {
		t.Errorf("%d events", n)
	}
	for name, host := range map[string]*small{"this": s, "the next": newSmall(t, s.bus, nil)} {
		if r := host.race.Results("test", 1e6*second); len(r.Rigs[0].Laps) != 1 || host.race.Dismissals("a") != 1000 {
			t.Errorf("%s host counts %d laps", name, len(r.Rigs[0].Laps))
		}
	}
}

// What is due and cannot be kept is tried again after a pause, and does not hold up the host with each board.
func TestAnEventThatIsNotKeptIsTriedAgainAfterAPause(t *testing.T) {
	s := newSmall(t, &memory{}, nil)
	s.in("a")
	s.clock.Add(200 * second)
	s.bus.broken = true
	before := s.bus.tried
	for range 5 {
		s.Announce()
	}
	if n := s.bus.tried - before; n != 1 {
		t.Errorf("tried %d times", n)
	}
	s.bus.broken = false
	s.clock.Add(failurePause)
	s.Announce()
	if !s.state().Entries[0].Left {
		t.Error("not tried again")
	}
}

func TestAReaderOfEventsThatIsStuckDoesNotStopTheHost(t *testing.T) {
	stuck := make(chan struct{})
	defer close(stuck)
	s := newSmall(t, &memory{}, func(o *Options) { o.Kept = func(session.ID, *session.Event) { <-stuck } })
	for range 5000 {
		if a := s.do(session.Order{Do: "flag", Flag: session.Green}); a.Error != "" {
			t.Fatal(a.Error)
		}
	}
	if s.kept.missed.Load() == 0 {
		t.Error("no event was dropped")
	}
}

// A host that is started again with a wall clock that is behind goes on where two rigs were. One alone cannot put it forward.
func TestSessionTimeGoesOnWhereTheRigsWere(t *testing.T) {
	b := &memory{}
	s := newSmall(t, b, nil)
	s.in("a", "b", "c")
	s.clock.Add(500 * second)
	s.take("a", lapEvent("1", 490*second))
	s.take("b", lapEvent("1", 480*second))
	b.add(session.MemberEventSubject("test", "c"), lapEvent("1", 1e7*second)) // while there is no host
	next := newSmall(t, b, nil)                                               // at 100 s
	if now := next.now(); now != 490*second {
		t.Errorf("it goes on at %d s", now/second)
	}
}

func TestARigThatDoesNotComeBackToTheNextHostRetires(t *testing.T) {
	b := &memory{}
	newSmall(t, b, nil).in("a")
	next := newSmall(t, b, nil)
	next.Announce()
	if next.state().Entries[0].Left {
		t.Error("at once")
	}
	next.clock.Add(goneAfter + second)
	next.Announce()
	if !next.state().Entries[0].Left {
		t.Error("never")
	}
}

func TestResultsThatWereNotKeptAreTriedAgain(t *testing.T) {
	full, tried := true, 0
	s := newSmall(t, &memory{}, func(o *Options) {
		o.Results = func(race.Results) error {
			if tried++; full {
				return errors.New("no space left on device")
			}
			return nil
		}
	})
	s.do(session.Order{Do: "end"})
	for range 3 {
		s.Announce()
	}
	if tried != 1 {
		t.Errorf("tried %d times without a pause", tried)
	}
	full = false
	for range 3 {
		s.clock.Add(failurePause)
		s.Announce()
	}
	if tried != 2 {
		t.Errorf("tried %d times", tried)
	}
}

// One rig's answers fit into messages whatever it has sent.
func TestAnswersFitIntoMessages(t *testing.T) {
	s := newSmall(t, &memory{}, nil)
	s.in("a")
	s.clock.Add(90_000 * second)
	for i := range 4000 {
		e := session.Event{ID: fmt.Sprint(i), Kind: session.LapDone, At: int64(200+i*21) * second, Lap: &session.Lap{Number: i + 1, Time: 20.123456789012345}}
		for range 8 {
			e.Lap.Sectors = append(e.Lap.Sectors, 1.2345678901234567)
		}
		_ = s.race.Apply("a", &e)
		e.ID, e.Lap = e.ID+"x", &session.Lap{Number: 1, Time: 30, Sectors: make([]float64, 9)}
		_ = s.race.Apply("a", &e)
	}
	for range 100 {
		s.do(session.Order{Do: "penalty", Member: "a", Second: 1, Text: strings.Repeat("<", maxNotice)})
	}
	laps := 0
	for {
		r := s.query(encode(session.Query{Results: true, Member: "a", From: laps})).(race.Results)
		if n := len(encode(r)); n > 60<<10 {
			t.Fatalf("an answer of %d bytes", n)
		}
		if len(r.Rigs[0].Laps) == 0 {
			break
		}
		laps += len(r.Rigs[0].Laps)
	}
	if laps != 4000 {
		t.Errorf("%d laps", laps)
	}
}

// Many questions at once cost one computation, and an event is seen at once.
func TestAnswersAreKeptForAMoment(t *testing.T) {
	s := newSmall(t, &memory{}, nil)
	s.in("a")
	s.state()
	board := s.fresh.board
	if s.state(); s.fresh.board != board {
		t.Error("computed again")
	}
	s.do(session.Order{Do: "flag", Flag: session.Red})
	if s.state().Flag != session.Red {
		t.Error("an event is not seen")
	}
	s.state()
	board = s.fresh.board
	s.clock.Add(int64(boardPeriod))
	if s.state(); s.fresh.board == board {
		t.Error("an old answer")
	}
}

// Rigs that are known may join a session that has ended: they may have late laps, and must hear a stop.
func TestWhoIsKnownMayJoinASessionThatHasEnded(t *testing.T) {
	s := newSmall(t, &memory{}, nil)
	s.in("a")
	s.do(session.Order{Do: "end"})
	other := joinOf("a")
	other.Driver = "other"
	if j := s.join("a", encode(other)); j.Refused != "" || j.Phase != session.Ended || s.state().Entries[0].Driver != "driver a" {
		t.Errorf("%+v", j)
	}
	if j := s.join("b", encode(joinOf("b"))); !strings.Contains(j.Refused, "has ended") {
		t.Errorf("%+v", j)
	}
}

// The slot of a rig that has left without a lap is free if it is needed.
func TestASlotThatIsNotUsedIsFree(t *testing.T) {
	s := newSmall(t, &memory{}, nil)
	for i := range session.MaxMembers {
		s.in(session.ID(fmt.Sprint("r", i)))
	}
	s.take("r3", lapEvent("1", s.now()))
	for _, id := range []session.ID{"r3", "r5"} {
		s.do(session.Order{Do: "revoke", Member: id})
	}
	if j := s.join("new", encode(joinOf("new"))); j.Refused != "" || j.Slot != 5 {
		t.Errorf("%+v", j)
	}
	if j := s.join("r5", encode(joinOf("r5"))); !strings.Contains(j.Refused, "is full") {
		t.Errorf("%+v", j)
	}
	if e := s.state().Entries; len(e) != session.MaxMembers || e[5].ID != "new" {
		t.Errorf("%d entries", len(e))
	}
}

func TestASocketThatGivesNothingButErrorsEndsTheHost(t *testing.T) {
	level.SkipIfQuick(t)
	conn, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		t.Fatal(err)
	}
	s := newSmall(t, &memory{}, func(o *Options) { o.Conn = conn })
	if err := conn.SetReadDeadline(time.Unix(1, 0)); err != nil {
		t.Fatal(err)
	}
	if err := s.Run(t.Context()); err == nil || !strings.Contains(err.Error(), "packets cannot be read") {
		t.Error(err)
	}
}
