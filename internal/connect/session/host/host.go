// Package host runs a session: it lets rigs join, relays the states of their cars, keeps the events, carries out the
// orders of race control, and announces the state of the race. Its inputs are messages of the bus and packets; nothing
// that one rig sends costs the others anything. What it announces follows from the events that the bus keeps, so that a
// host that was killed goes on with the same race when it is started again.
package host

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"time"

	"rig.example/rig/internal/connect/session"
	"rig.example/rig/internal/connect/session/keys"
	"rig.example/rig/internal/connect/session/race"
	"rig.example/rig/internal/kit/printable"
)

// Bus is what the host needs of the bus; *bus.Bus has it.
type Bus interface {
	Publish(subject string, v any) error
	Serve(subject string, answer func(subject string, data []byte) any) (stop func(), err error)
	CreateStream(ctx context.Context, s session.ID) error
	Store(ctx context.Context, subject, id string, v any) (sequence uint64, err error)
	Events(ctx context.Context, s session.ID, from uint64, f func(sequence uint64, subject string, data []byte)) (caughtUp <-chan struct{}, stop func(), err error)
	Claim(ctx context.Context, s session.ID, holder string) (release func(), lost <-chan struct{}, err error)
}

// Options say how a session is hosted.
type Options struct {
	Session session.ID
	Circuit session.Circuit // of a new session, and of one that goes on
	Rules   session.Rules   // of a new session
	Packets string          // host and port for packets, as rigs are told; without a host it is that of the bus
	Conn    *net.UDPConn    // for packets
	Unix    func() int64    // the wall clock [ns]; it is read once
	Clock   func() int64    // a clock that never goes back [ns]
	Log     *slog.Logger
	Shared  bool                                    // the servers are not this program's own, so that another may host the session there too
	Revoke  func(session.ID) error                  // takes away a member's key to the bus
	Kept    func(from session.ID, e *session.Event) // is called for each event, by one goroutine; it misses some if it is slow; nil for nobody
	Results func(race.Results) error                // keeps the results of a session that has ended, again when a late lap changes them
}

// Host is a hosted session.
type Host struct {
	Options
	bus     Bus
	base    int64 // session time at zero of Clock [ns]
	relay   *relay
	release []func() // ends what was begun, in reverse order
	lost    <-chan struct{}

	kept *kept // for Kept

	mu        sync.Mutex
	race      race.State
	caughtUp  bool  // kept events have been read
	begun     int64 // session time at which this host began
	epoch     uint32
	faults    map[session.ID]int        // events of a rig that were not counted
	joins     map[session.ID]*joins     // that changed the data of a rig, lately
	dismissed map[session.ID]*dismissed // laps, of which the event is not kept yet
	unclear   session.Event             // the last penalty if it is unknown whether it is kept
	notice    string
	noticeAt  int64
	decideAt  int64 // nothing is decided before this session time, for an event was not kept
	unsaved   bool  // the results have changed since they were kept
	saveAt    int64 // they are not kept before this session time
	changes   int   // of the race
	fresh     answers
}

// New takes over a session: it reads its events, and makes it if it has none. On servers of others it claims it first.
func New(ctx context.Context, bus Bus, o Options) (h *Host, err error) {
	const shortest = 100 // [m]
	if !(o.Circuit.Length >= shortest) {
		return nil, fmt.Errorf("session %s: circuit %s is %.0f m long: a race needs a closed circuit of at least %d m", o.Session, printable.Name(o.Circuit.Name), o.Circuit.Length, shortest)
	}
	h = &Host{
		Options: o, bus: bus, faults: map[session.ID]int{}, joins: map[session.ID]*joins{}, dismissed: map[session.ID]*dismissed{},
		epoch: uint32(o.Unix() / second), kept: newKept(o.Kept, o.Log),
	}
	h.release = append(h.release, h.kept.close)
	h.relay = newRelay(o.Circuit.Length, h.now)
	defer func() {
		if err != nil {
			h.Close()
		}
	}()
	if o.Shared {
		release, lost, err := bus.Claim(ctx, o.Session, holder())
		if err != nil {
			return h, err
		}
		h.release, h.lost = append(h.release, release), lost
	}
	if err := bus.CreateStream(ctx, o.Session); err != nil {
		return h, err
	}
	caughtUp, stop, err := bus.Events(context.WithoutCancel(ctx), o.Session, 1, h.event) // until Close
	if err != nil {
		return h, err
	}
	h.release = append(h.release, stop)
	select {
	case <-caughtUp:
	case <-ctx.Done():
		return h, fmt.Errorf("session %s: its events were not read: %w", o.Session, ctx.Err())
	}
	if err := h.begin(ctx); err != nil {
		return h, err
	}
	return h, h.serve()
}

// holder names this program for others.
func holder() string {
	name := "another machine"
	if addresses, err := net.InterfaceAddrs(); err == nil {
		for _, a := range addresses {
			if n, ok := a.(*net.IPNet); ok && n.IP.IsGlobalUnicast() {
				name = n.IP.String()
				break
			}
		}
	}
	return name
}

// begin makes a new session, or goes on with the one that the events tell of.
func (h *Host) begin(ctx context.Context) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.caughtUp = true
	unix := h.Unix()
	if !h.race.Created() {
		h.base = 1 - h.Clock()
		return h.store(ctx, session.Event{ID: "created", Kind: session.Created, Circuit: &h.Circuit, Rules: &h.Rules, Epoch: unix - h.now()})
	}
	h.base = max(unix-h.race.Epoch(), h.race.Last()) - h.Clock()
	h.begun = h.now()
	if kept := h.race.Circuit(); kept.Name != h.Circuit.Name || kept.Digest != h.Circuit.Digest {
		return fmt.Errorf("session %s exists with another circuit (%s): name that one, or choose another name", h.Session, printable.Name(kept.Name))
	}
	h.startLine()
	for _, e := range h.race.Entries() {
		laps, _ := h.race.LinesOf(e.ID, h.now())
		h.relay.setLaps(e.Slot, laps, false)
	}
	h.unsaved = true
	return nil
}

// serve answers what members ask.
func (h *Host) serve() error {
	for subject, answer := range map[string]func(string, []byte) any{
		session.JoinSubject(h.Session, "*"): func(subject string, data []byte) any { return h.join(lastToken(subject), data) },
		session.OrderSubject(h.Session):     func(_ string, data []byte) any { return h.order(data) },
		session.PresenceSubject(h.Session):  func(_ string, data []byte) any { return h.query(data) },
	} {
		stop, err := h.bus.Serve(subject, answer)
		if err != nil {
			return err
		}
		h.release = append(h.release, stop)
	}
	return nil
}

// lastToken returns what is behind the last point of a subject.
func lastToken(subject string) session.ID {
	return session.ID(subject[strings.LastIndexByte(subject, '.')+1:])
}

// Close ends the hosting. The session itself goes on when it is hosted again.
func (h *Host) Close() {
	for _, release := range slices.Backward(h.release) {
		release()
	}
	h.release = nil
}

// now returns the session time [ns].
func (h *Host) now() int64 { return h.base + h.Clock() }

// storeTimeout is how long the host waits for the disks.
const storeTimeout = 5 * time.Second

// store keeps an event of the host and applies it. h.mu must be held.
func (h *Host) store(ctx context.Context, e session.Event) error {
	if e.ID == "" {
		e.ID = rand.Text()
	}
	if e.At == 0 {
		e.At = h.now()
	}
	if err := h.keep(ctx, &e); err != nil {
		return err
	}
	return h.apply("", &e)
}

// keep lets the bus keep an event of the host.
func (h *Host) keep(ctx context.Context, e *session.Event) error {
	ctx, cancel := context.WithTimeout(ctx, storeTimeout)
	defer cancel()
	if _, err := h.bus.Store(ctx, session.HostEventSubject(h.Session), e.ID, e); err != nil {
		return fmt.Errorf("the event is not kept: %w", err)
	}
	return nil
}

// apply takes an event that is kept. It does so once, also if the event comes again from the bus.
func (h *Host) apply(from session.ID, e *session.Event) error {
	if h.race.Has(from, e.ID) {
		return nil
	}
	err := h.race.Apply(from, e)
	switch e.Kind {
	case session.Scheduled, session.Aborted, session.Gridded:
		h.startLine()
	case session.LapDone:
		h.counted(from)
	}
	h.unsaved = true
	h.changes++
	if err == nil {
		h.kept.put(from, e, !h.caughtUp) // nobody needs the host before
	}
	return err
}

// counted tells the relay how many laps a rig has ended.
func (h *Host) counted(from session.ID) {
	const recent = 3 * second
	if entry, _ := h.race.Entry(from); entry != nil {
		slot, _ := h.race.Slot(from)
		laps, last := h.race.LinesOf(from, h.now())
		h.relay.setLaps(slot, laps, h.caughtUp && last > h.now()-recent)
	}
}

// startLine tells the relay of the start, if there is one.
func (h *Host) startLine() {
	var s startLine
	s.at, s.scheduled = h.race.Start()
	for _, e := range h.race.Entries() {
		s.place[e.Slot] = h.race.GridPlace(e.ID)
	}
	h.relay.setStart(s)
}

const maxEvent = 16 << 10 // [bytes]

// event takes a kept event of the bus.
func (h *Host) event(_ uint64, subject string, data []byte) {
	var from session.ID
	if subject != session.HostEventSubject(h.Session) {
		from = lastToken(subject)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if err := h.take(from, data); err != nil && from != "" {
		h.fault(from, err)
	}
}

// take applies an event that a rig, or the host itself, has kept.
func (h *Host) take(from session.ID, data []byte) error {
	var e session.Event
	if len(data) > maxEvent || json.Unmarshal(data, &e) != nil {
		return fmt.Errorf("%s sends an event that cannot be read", from)
	}
	if h.race.Has(from, e.ID) {
		return nil
	}
	if err := h.apply(from, &e); err != nil || from == "" || !h.caughtUp {
		return err
	}
	return h.checkTime(from, &e)
}

// checkTime dismisses a lap whose time is impossible now. Laps may come late, from a rig that was cut off. Each of the first
// ones has an event of its own.
func (h *Host) checkTime(from session.ID, e *session.Event) error {
	const future, past = 2 * second, 3600 * second
	if now := h.now(); e.At <= now+future && e.At >= now-past || e.Kind != session.LapDone {
		return nil
	}
	err := fmt.Errorf("a lap of %s does not count: its time is %+.0f s from now", from, float64(e.At-h.now())/second)
	if h.race.Dismissals(from) < dismissedAlone && h.race.RoomForRigs() {
		unkept := h.store(context.Background(), session.Event{ID: "dismiss-" + rand.Text(), Kind: session.Dismissed, Member: from, Text: e.ID})
		if unkept == nil {
			return err
		}
		err = errors.Join(err, unkept)
	}
	h.dismissLater(from, e.ID)
	return err
}

// fault notes that a rig's event does not count. Race control is told of the first ones.
func (h *Host) fault(from session.ID, err error) {
	const told = 20
	if h.faults[from]++; h.faults[from] <= told && h.caughtUp {
		text := printable.Excerpt(err.Error())
		h.notice, h.noticeAt = text, h.now()
		h.Log.Warn("event not counted", "cause", text)
	}
}

// Run relays and announces until ctx ends, another program takes over the session, or the socket fails.
func (h *Host) Run(ctx context.Context) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var running sync.WaitGroup
	running.Go(func() {
		<-ctx.Done()
		h.Conn.Close()
	})
	running.Go(func() { cancel(h.readPackets()) })
	running.Go(func() {
		every(ctx, time.Second/session.StatesPerSecond, func() {
			h.relay.bundles(func(to netip.AddrPort, packet []byte) { _, _ = h.Conn.WriteToUDPAddrPort(packet, to) }) // a packet may be lost
		})
	})
	running.Go(func() { every(ctx, boardPeriod, h.Announce) })
	running.Go(func() {
		select {
		case <-ctx.Done():
		case <-h.lost:
			cancel(fmt.Errorf("session %s: another program may host it now, because the bus was not reached; start this one again", h.Session))
		}
	})
	running.Wait()
	if err := context.Cause(ctx); !errors.Is(err, context.Canceled) {
		return err
	}
	return nil
}

// every calls do once per period until ctx ends.
func every(ctx context.Context, period time.Duration, do func()) {
	tick := time.NewTicker(period)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			do()
		}
	}
}

// readPackets takes packets and answers them until the socket is closed, or gives nothing but errors.
func (h *Host) readPackets() error {
	const pause, most = 20 * time.Millisecond, 100
	buffer := make([]byte, 2048)
	for failed := 0; ; {
		n, from, err := h.Conn.ReadFromUDPAddrPort(buffer)
		if errors.Is(err, net.ErrClosed) {
			return context.Canceled
		}
		if err != nil { // such as ICMP's answer to a packet that was sent to a rig that has ended
			if failed++; failed == most {
				return fmt.Errorf("session %s: packets cannot be read: %w; start the host again", h.Session, err)
			}
			time.Sleep(pause)
			continue
		}
		failed = 0
		if answer := h.relay.receive(buffer[:n], from, h.now()); answer != nil {
			_, _ = h.Conn.WriteToUDPAddrPort(answer, from)
		}
	}
}

// SetMembers takes who may take part: a rig that is not among them is disconnected at once.
func (h *Host) SetMembers(members []keys.Member) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, e := range h.race.Entries() {
		if !slices.ContainsFunc(members, func(m keys.Member) bool { return m.ID == e.ID && m.Role == session.Rig }) {
			h.expel(e)
		}
	}
}

// expel disconnects a rig for good.
func (h *Host) expel(e session.Member) {
	h.relay.drop(e.Slot)
	if e.Left {
		return
	}
	if err := h.store(context.Background(), session.Event{Kind: session.Left, Member: e.ID}); err != nil {
		h.Log.Error("rig disconnected", "error", err)
	}
}
