// Package member is the process of a rig that takes part in a session: it tells the host what the rig does and shows the
// rig's driver what the others do. Part is what the rig itself has of it.
//
// It is a child of the rig, of ordinary priority and with memory of its own, so that nothing that another machine does
// reaches the loop. Its inputs are the rig's page, mapped read-only, and its options as JSON. It writes the other cars
// into a memory that only the window reads. Its only way back to the rig is a connection over which it may order
// a stop and a pause; internal/live/operator decides what it may order.
package member

import (
	"context"
	"log/slog"
	"net"
	"sync"
	"time"

	"rig.example/rig/internal/connect/session"
	"rig.example/rig/internal/connect/session/bus"
	"rig.example/rig/internal/connect/session/clock"
	"rig.example/rig/internal/connect/session/keys"
	"rig.example/rig/internal/connect/session/playout"
	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/core/framepage"
	"rig.example/rig/internal/kit/rt"
)

// Options say which session the rig takes part in, and as what.
type Options struct {
	Invitation keys.Invitation
	Join       session.Join
	Start      float64 // station of the start line [m]
}

// stepsPerSecond is how often the other cars are moved; every other step sends the own state.
const stepsPerSecond = 2 * session.StatesPerSecond

// statePage is the rig's page, or that of a test.
type statePage interface {
	Read(*frame.Frame) bool
	Ended() (failure string, ended bool)
	WriterAlive() bool
	Notice() string
}

// member is a rig's part in a session.
type member struct {
	o       Options
	page    statePage
	log     *slog.Logger
	now     func() int64                                    // CLOCK_MONOTONIC [ns]
	connect func(ctx context.Context) (transport, error)    // to the bus
	dial    func(address string) (net.Conn, error)          // to the host, for packets
	pause   func(ctx context.Context, d time.Duration) bool // waits for d and reports whether ctx has not ended

	orders *orders
	outbox *outbox

	lock    sync.Mutex // of all below
	clock   clock.Clock
	players playout.Player
	link    *link // to the host; nil before the first Join
	joined  session.Joined
	board   session.Board
	watch   observer
	steps   uint64
	sent    int64 // Due of the frame whose state was sent last
	frame   frame.Frame
	shown   frame.Others
	handled [64]string // IDs of the latest events of the host
	events  int        // that the host has sent
	settled bool       // a board has come since the first Join
}

// Run takes part in the session until ctx ends or the rig has ended. conn is for the orders.
func Run(ctx context.Context, p *framepage.Page, others *framepage.Others, conn net.Conn, o Options, log *slog.Logger) error {
	c := rt.NewClock(0)
	m := newMember(o, p, conn, log)
	m.now = func() int64 { return int64(c.Now()) }
	every := time.NewTicker(time.Second / stepsPerSecond)
	defer every.Stop()
	m.run(ctx, every.C, others.Put)
	return nil
}

func newMember(o Options, p statePage, conn net.Conn, log *slog.Logger) *member {
	m := &member{o: o, page: p, log: log, pause: bus.Pause, orders: newOrders(conn, log), outbox: newOutbox()}
	m.connect = func(ctx context.Context) (transport, error) { return connect(ctx, o.Invitation, log) }
	m.dial = func(address string) (net.Conn, error) { return net.Dial("udp", address) }
	return m
}

// run takes part until ctx ends or the rig has ended. At each tick of every it gives put what to show.
func (m *member) run(ctx context.Context, every <-chan time.Time, put func(*frame.Others)) {
	ctx, end := context.WithCancel(ctx)
	var all sync.WaitGroup
	all.Go(func() { m.orders.run(ctx, m.pause) })
	all.Go(func() { m.takePart(ctx) })
	defer all.Wait()
	defer end()
	for n := 0; ; n++ {
		select {
		case <-ctx.Done():
			return
		case <-every:
		}
		if _, ended := m.page.Ended(); ended || n%stepsPerSecond == 0 && !m.page.WriterAlive() {
			return
		}
		if m.readFrame() {
			put(m.step())
		}
	}
}

// readFrame reads the rig's newest frame. It reports false if there is none yet.
func (m *member) readFrame() bool {
	m.lock.Lock()
	defer m.lock.Unlock()
	return m.page.Read(&m.frame)
}

// step sends what is due of the newest frame, and returns what to show now.
func (m *member) step() *frame.Others {
	m.lock.Lock()
	defer m.lock.Unlock()
	now := m.now()
	m.clock.Advance(now)
	if m.steps++; m.link != nil {
		m.send(now)
	}
	m.observe()
	m.show(now)
	return &m.shown
}

// send sends the state of the rig's car, and a ping when it is time for one.
func (m *member) send(now int64) {
	m.link.ping(now)
	f := &m.frame
	if m.steps%(stepsPerSecond/session.StatesPerSecond) != 0 || !m.clock.Synced() || f.Due == 0 || f.Due == m.sent {
		return
	}
	s := stateOf(f)
	s.Slot, s.At, s.Distance = m.joined.Slot, m.clock.At(f.Due), m.distance()
	if s.Check() == nil {
		m.sent = f.Due
		m.link.state(&s)
	}
}

// observe makes events of what has happened in the rig since the last frame. What happens before the first contact with
// the host is no part of the session, but for the effect of a stop, which race control waits for. A lap has ended when
// the present one began, however late this process sees it.
func (m *member) observe() {
	at := m.clock.At(m.frame.Due)
	for _, e := range m.watch.see(&m.frame) {
		e.At, e.Member = at, m.o.Invitation.Member
		switch e.Kind {
		case session.LapDone:
			if e.At -= int64(m.frame.Lap.Time * second); e.Text != "" {
				m.log.Warn("session: " + e.Text)
			}
		case session.HasStopped:
			if at <= 0 { // no ping has been answered; the host knows by the stop's ID what this is about
				e.At = m.board.Now
			}
		}
		if at > 0 && e.At > 0 || e.Kind == session.HasStopped {
			m.outbox.add(e)
		}
	}
}
