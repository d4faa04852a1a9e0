package member

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"net/url"
	"slices"
	"sync"
	"time"

	"rig.example/rig/internal/connect/session"
	"rig.example/rig/internal/connect/session/bus"
	"rig.example/rig/internal/connect/session/keys"
	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/core/guard"
	"rig.example/rig/internal/kit/printable"
)

// Times of joining.
const (
	askTime     = 5 * time.Second  // for the host to answer
	maxSilence  = 3 * time.Second  // of the host's packets, after which the rig joins again
	firstPause  = time.Second      // until the next attempt; doubled each time
	longPause   = 30 * time.Second // at most
	checkPeriod = time.Second      // between two looks at the link, and two Healths
)

// transport is the bus, or that of a test.
type transport interface {
	Publish(subject string, v any) error
	Subscribe(subject string, f func(subject string, data []byte)) (stop func(), err error)
	Request(ctx context.Context, subject string, v, answer any) error
	Store(ctx context.Context, subject, id string, v any) (sequence uint64, err error)
	Refused() <-chan struct{}
	Close()
}

func connect(ctx context.Context, i keys.Invitation, log *slog.Logger) (transport, error) {
	return bus.Connect(ctx, i, bus.Options{Name: "rig " + string(i.Member), Log: log})
}

// Ask asks the host of a session to let a rig in, once, and returns its answer. It returns an error that says what to do if
// there is no host, or if it refuses the rig.
func Ask(ctx context.Context, i keys.Invitation, j session.Join, log *slog.Logger) (session.Joined, error) {
	b, err := connect(ctx, i, log)
	if err != nil {
		return session.Joined{}, err
	}
	defer b.Close()
	return ask(ctx, b, i, &j)
}

// errHostRefuses is in the error of a rig that the host does not let in.
var errHostRefuses = errors.New("its host refuses this rig")

func ask(ctx context.Context, b transport, i keys.Invitation, j *session.Join) (answer session.Joined, err error) {
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	if err := b.Request(ctx, session.JoinSubject(i.Session, i.Member), j, &answer); err != nil {
		return answer, err
	}
	if answer.Refused != "" {
		return answer, fmt.Errorf("session %s: %w: %s", i.Session, errHostRefuses, printable.Excerpt(answer.Refused))
	}
	if len(answer.Key) != 32 || answer.Slot < 0 || answer.Slot >= session.MaxMembers || answer.Grid < 0 || answer.Grid > session.MaxMembers {
		return answer, fmt.Errorf("session %s: its host's answer makes no sense; do all have the same build of rig?", i.Session)
	}
	return answer, nil
}

// tries says how the attempts to take part go.
type tries struct {
	wait time.Duration // until the next
	said string        // why the last one failed
	in   bool          // the last one succeeded
}

// takePart keeps the rig in the session until ctx ends or the host's servers refuse its key.
func (m *member) takePart(ctx context.Context) {
	t := tries{wait: firstPause}
	for ctx.Err() == nil {
		if err := m.visit(ctx, &t); ctx.Err() == nil && errors.Is(err, bus.ErrRefused) {
			m.log.Warn("session: the drive goes on alone", "error", err)
			return
		}
	}
}

// failed says once why the rig is not in the session, and waits until it may try again. It returns err if that is for
// good, and nil if not.
func (m *member) failed(ctx context.Context, t *tries, err error) error {
	if ctx.Err() != nil || errors.Is(err, bus.ErrRefused) {
		return err
	}
	text := "session: not joined; the drive goes on alone, and the rig tries again"
	if t.in {
		*t, text = tries{wait: firstPause}, "session: its host is lost; the drive goes on alone, and the rig tries to join again"
	}
	if err.Error() != t.said {
		m.log.Warn(text, "error", err)
		t.said = err.Error()
	}
	wait := t.wait
	t.wait = min(2*wait, longPause)
	m.pause(ctx, wait)
	return nil
}

// visit connects, and stays until the connection is to be made anew. Meanwhile the rig's events are sent and orders of race
// control are heard, whether the host lets the rig in or not.
func (m *member) visit(ctx context.Context, t *tries) error {
	b, err := m.connect(ctx)
	if err != nil {
		return m.failed(ctx, t, err)
	}
	defer b.Close()
	i := &m.o.Invitation
	for subject, take := range map[string]func([]byte){session.BoardSubject(i.Session): m.takeBoard, session.HostEventSubject(i.Session): m.takeEvent} {
		stop, err := b.Subscribe(subject, func(_ string, data []byte) { take(data) })
		if err != nil {
			return m.failed(ctx, t, err)
		}
		defer stop()
	}
	sendCtx, end := context.WithCancel(ctx)
	var sending sync.WaitGroup
	sending.Go(func() { m.outbox.run(sendCtx, b, session.MemberEventSubject(i.Session, i.Member), m.pause) })
	defer sending.Wait()
	defer end()
	return m.attend(ctx, b, t)
}

// attend joins over b, and again when the host is lost or has refused the rig. It returns when b is of no use any more: the
// host does not answer, or its servers refuse the key.
func (m *member) attend(ctx context.Context, b transport, t *tries) error {
	defer m.unlink()
	for ctx.Err() == nil {
		err := m.join(ctx, b)
		if err == nil {
			t.in = true
			if err := m.stay(ctx, b); err != nil {
				return err
			}
			continue
		}
		m.unlink()
		if final := m.failed(ctx, t, err); final != nil || !errors.Is(err, errHostRefuses) {
			return final
		}
	}
	return ctx.Err()
}

// join asks the host to let the rig in, and starts to exchange packets with it.
func (m *member) join(ctx context.Context, b transport) error {
	j, err := ask(ctx, b, m.o.Invitation, &m.o.Join)
	if err != nil {
		return err
	}
	address, err := packetAddress(j.UDP, m.o.Invitation.URLs)
	if err != nil {
		return err
	}
	conn, err := m.dial(address)
	if err != nil {
		return fmt.Errorf("session %s: %w", j.Session, err)
	}
	l, err := newLink(conn, &j, m.now())
	if err != nil {
		return errors.Join(err, conn.Close())
	}
	m.unlink()
	m.lock.Lock()
	m.link, m.joined = l, j
	m.clock.Restart()
	m.lock.Unlock()
	l.reading.Go(func() { l.read(func(packet []byte) { m.take(l, packet) }) })
	m.log.Info(fmt.Sprintf("session %s: in, as %s", m.o.Invitation.Session, m.o.Invitation.Member), "address", address)
	return nil
}

// unlink ends the present link.
func (m *member) unlink() {
	m.lock.Lock()
	l := m.link
	m.link = nil
	m.lock.Unlock()
	if l != nil {
		l.close()
	}
}

// packetAddress returns where to send packets: the host's address, and if it names none or all of its own, that of its bus.
func packetAddress(udp string, urls []string) (string, error) {
	host, port, err := net.SplitHostPort(udp)
	if err != nil {
		return "", fmt.Errorf("session: the host's address for packets, %s, makes no sense", printable.Name(udp))
	}
	if a, err := netip.ParseAddr(host); host == "" || err == nil && a.IsUnspecified() {
		u, err := url.Parse(urls[0])
		if err != nil {
			return "", err
		}
		host = u.Hostname()
	}
	return net.JoinHostPort(host, port), nil
}

// stay tells the host once a second how the rig does. It returns nil once the host's packets have been missing for
// maxSilence, and an error if the rig must leave.
func (m *member) stay(ctx context.Context, b transport) error {
	for m.pause(ctx, checkPeriod) {
		select {
		case <-b.Refused():
			return bus.ErrRefused
		default:
		}
		h, silence := m.health()
		if silence > maxSilence {
			return nil
		}
		if err := b.Publish(session.HealthSubject(m.o.Invitation.Session, m.o.Invitation.Member), h); err != nil {
			m.log.Debug("session", "error", err)
		}
	}
	return ctx.Err()
}

// health returns how the rig does, and for how long the host has been silent.
func (m *member) health() (h session.Health, silence time.Duration) {
	m.lock.Lock()
	defer m.lock.Unlock()
	now, f := m.now(), &m.frame
	l, unsent := m.link, 0
	opened, sent := l.opener.Counts()
	l.loss.see(opened, sent, now)
	unsent, _ = m.outbox.unsent()
	h = session.Health{
		Member: m.o.Invitation.Member, At: m.clock.At(now), State: guard.State(f.State).String(), Build: m.o.Join.Build,
		RoundTrip: m.clock.RoundTrip(), Lost: l.loss.share, Late: m.shown.Session.Late, Missed: f.Missed, Unsent: unsent,
		Wheel: f.Flags&frame.WheelPresent != 0, Platform: f.Flags&frame.PlatformPresent != 0,
	}
	if s := guard.State(f.State); s == guard.Fault || s == guard.Stopped {
		h.Cause = m.page.Notice()
	}
	if h.Offset, _ = m.clock.Offset(); m.clock.Synced() {
		h.Uncertainty = m.clock.Uncertainty(now)
	}
	return h, time.Duration(now - l.heard)
}

// takeBoard takes what the host announces. A stop on it of which no event has come is done like the event, but for one that
// was given before the rig was in the session: that does not count for it.
func (m *member) takeBoard(data []byte) {
	var b session.Board
	if json.Unmarshal(data, &b) != nil || len(b.Entries) > session.MaxMembers || len(b.Standings) > session.MaxMembers {
		return
	}
	m.lock.Lock()
	defer m.lock.Unlock()
	m.board = b
	if b.Stop != "" && m.isNew(b.Stop) && m.settled {
		m.stop(b.Stop)
	}
	m.settled = m.settled || m.joined.Key != nil
}

// takeEvent does what race control asks every rig for: a stop or a pause, once for each event. Nothing else of an event
// reaches the rig.
func (m *member) takeEvent(data []byte) {
	var e session.Event
	if json.Unmarshal(data, &e) != nil || e.Kind != session.Stopped && e.Kind != session.PausedAt {
		return
	}
	m.lock.Lock()
	defer m.lock.Unlock()
	switch {
	case !m.isNew(e.ID):
	case e.Kind == session.Stopped:
		m.stop(e.ID)
	default:
		m.orders.pausing()
	}
}

// isNew reports whether an event of the host has not been handled yet, and remembers it. One without an ID is not new.
func (m *member) isNew(id string) bool {
	if id == "" || slices.Contains(m.handled[:], id) {
		return false
	}
	m.handled[m.events%len(m.handled)] = id
	m.events++
	return true
}

// stop orders the stop of race control that has an ID, and has its effect reported.
func (m *member) stop(id string) {
	m.watch.stopAsked = id
	m.orders.stop()
}
