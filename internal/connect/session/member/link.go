package member

import (
	"errors"
	"net"
	"os"
	"sync"
	"time"

	"rig.example/rig/internal/connect/session"
	"rig.example/rig/internal/connect/session/clock"
	"rig.example/rig/internal/connect/session/packets"
)

// link exchanges packets with the host, with the key of one Join.
type link struct {
	conn     net.Conn
	sealer   *packets.Sealer
	opener   *packets.Opener
	plain    []byte
	sealed   []byte
	nextPing int64 // [ns]
	heard    int64 // time of the last authentic packet, or of the start [ns]
	loss     lossMeter
	reading  sync.WaitGroup
}

func newLink(conn net.Conn, j *session.Joined, now int64) (*link, error) {
	sealer, err := packets.NewSealer(j.Key, j.Epoch, j.Slot, false)
	if err != nil {
		return nil, err
	}
	opener, err := packets.NewOpener(j.Key, j.Epoch, j.Slot, true)
	return &link{conn: conn, sealer: sealer, opener: opener, heard: now}, err
}

// ping sends a ping if it is time for one.
func (l *link) ping(now int64) {
	if now >= l.nextPing {
		l.nextPing = now + clock.PingInterval
		l.plain = packets.AppendPing(l.plain[:0], now)
		l.write()
	}
}

// state sends a state.
func (l *link) state(s *session.State) {
	l.plain = packets.AppendState(l.plain[:0], s)
	l.write()
}

// write sends what is in plain. A packet that cannot be sent is lost, as others are on their way.
func (l *link) write() {
	l.sealed = l.sealer.Seal(l.sealed[:0], l.plain)
	_, _ = l.conn.Write(l.sealed)
}

// read hands each packet to take until the connection is closed.
func (l *link) read(take func(packet []byte)) {
	const pause = 20 * time.Millisecond // after an error, such as that nobody listens there
	buffer := make([]byte, packets.MaxSize+1)
	for {
		n, err := l.conn.Read(buffer)
		switch {
		case errors.Is(err, net.ErrClosed), errors.Is(err, os.ErrDeadlineExceeded):
			return
		case err != nil:
			time.Sleep(pause)
		default:
			take(buffer[:n])
		}
	}
}

// close ends the link, and waits until nothing is read any more.
func (l *link) close() {
	l.conn.Close()
	l.reading.Wait()
}

// lossMeter measures the share of packets that do not arrive, over at least a second each.
type lossMeter struct {
	opened, sent uint64
	since        int64
	share        float64
}

// see takes the counts of an opener at a time [ns].
func (m *lossMeter) see(opened, sent uint64, now int64) {
	if m.since == 0 {
		*m = lossMeter{opened: opened, sent: sent, since: now}
	}
	if now-m.since < int64(time.Second) {
		return
	}
	arrived, all := opened-m.opened, sent-m.sent
	share := 1.0 // nothing at all
	if all > 0 {
		share = max(0, 1-float64(arrived)/float64(all))
	}
	*m = lossMeter{opened: opened, sent: sent, since: now, share: share}
}

// take uses a packet that has arrived over l.
func (m *member) take(l *link, packet []byte) {
	m.lock.Lock()
	defer m.lock.Unlock()
	if l != m.link {
		return
	}
	payload, err := l.opener.Open(nil, packet)
	if err != nil {
		return
	}
	message, err := packets.Parse(payload)
	if err != nil {
		return
	}
	now := m.now()
	l.heard = now
	switch message.Kind {
	case packets.Pong:
		m.clock.Sample(message.Sent, message.Received, message.Answered, now)
	case packets.Cars:
		if !m.clock.Synced() {
			return
		}
		at := m.clock.At(now)
		for i := range message.Cars {
			if s := &message.Cars[i]; s.Slot != m.joined.Slot {
				m.players.Put(s, at)
			}
		}
	}
}
