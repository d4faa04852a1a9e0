package network

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"math"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"rig.example/rig/internal/connect/session"
	"rig.example/rig/internal/connect/session/bus"
	"rig.example/rig/internal/connect/session/clock"
	"rig.example/rig/internal/connect/session/keys"
	"rig.example/rig/internal/connect/session/packets"
	"rig.example/rig/internal/kit/rt"
)

// car is a member that sends the states of a car on the skid pad and counts what it gets. It shows nothing, so that
// sixty of them fit on a small machine.
type car struct {
	member session.ID
	bus    *bus.Bus
	conn   net.Conn
	joined session.Joined
	sealer *packets.Sealer
	opener *packets.Opener
	now    func() int64 // CLOCK_MONOTONIC [ns]

	mu    sync.Mutex
	clock clock.Clock
	cars  [session.MaxMembers]uint64 // states of others that arrived, by slot
	sent  atomic.Uint64              // states
}

const dialTime = 5 * time.Second

var quiet = slog.New(slog.NewTextHandler(io.Discard, nil))

// join lets a car join the session from a rig's node.
func (h *hosted) join(rig int, member session.ID, circuit session.Circuit) *car {
	h.t.Helper()
	i, err := keys.Read(h.invite(member, session.Rig))
	if err != nil {
		h.t.Fatal(err)
	}
	k := rt.NewClock(0)
	c := &car{member: member, now: func() int64 { return int64(k.Now()) }}
	node := h.net.Rig(rig)
	dial := func(network, address string) (conn net.Conn, err error) {
		err = node.Do(func() error { conn, err = net.DialTimeout(network, address, dialTime); return err })
		return conn, err
	}
	const attempts = 20 // of some seconds each; on a bad network and a busy machine one may not do
	for n := 1; ; n++ {
		if c.bus, err = bus.Connect(ctx(h.t), i, bus.Options{Name: string(member), Log: quiet, Dial: dial}); err == nil {
			break
		}
		if n == attempts {
			h.t.Fatalf("%s: %v", member, err)
		}
	}
	h.t.Cleanup(c.bus.Close)
	err = c.bus.Request(ctx(h.t), session.JoinSubject(name, member), session.Join{
		Protocol: session.Protocol, Build: "test", Driver: string(member), Car: "test", Circuit: circuit,
	}, &c.joined)
	if err == nil && c.joined.Refused != "" {
		err = errors.New(c.joined.Refused)
	}
	if err == nil {
		c.sealer, err = packets.NewSealer(c.joined.Key, c.joined.Epoch, c.joined.Slot, false)
	}
	if err == nil {
		c.opener, err = packets.NewOpener(c.joined.Key, c.joined.Epoch, c.joined.Slot, true)
	}
	if err == nil {
		err = node.Do(func() (err error) { c.conn, err = net.Dial("udp4", c.joined.UDP); return err })
	}
	if err != nil {
		h.t.Fatalf("%s: %v", member, err)
	}
	h.t.Cleanup(func() { c.conn.Close() })
	go c.receive()
	for _, subject := range []string{session.BoardSubject(name), session.HostEventSubject(name)} {
		if _, err := c.bus.Subscribe(subject, func(string, []byte) {}); err != nil {
			h.t.Fatal(err)
		}
	}
	return c
}

// receive takes packets of the host until the connection is closed.
func (c *car) receive() {
	buf, plain := make([]byte, mtu), []byte(nil)
	for {
		size, err := c.conn.Read(buf)
		at := c.now()
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if plain, err = c.opener.Open(plain[:0], buf[:max(size, 0)]); err != nil {
			continue
		}
		m, err := packets.Parse(plain)
		c.mu.Lock()
		switch {
		case err != nil:
		case m.Kind == packets.Pong:
			c.clock.Sample(m.Sent, m.Received, m.Answered, at)
		case m.Kind == packets.Cars:
			for _, s := range m.Cars {
				c.cars[s.Slot]++
			}
		}
		c.mu.Unlock()
	}
}

// drive goes round until a number of states were sent or ctx ends.
func (c *car) drive(ctx context.Context, states uint64) {
	tick := time.NewTicker(time.Second / session.StatesPerSecond)
	defer tick.Stop()
	for n := 0; c.sent.Load() < states; n++ {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		now := c.now()
		if n%8 == 0 {
			c.send(packets.AppendPing(nil, now))
		}
		if n%session.StatesPerSecond == 0 {
			_ = c.bus.Publish(session.HealthSubject(name, c.member), session.Health{Member: c.member, State: "driving"}) // fails while the line is cut
		}
		c.mu.Lock()
		c.clock.Advance(now)
		at, synced := c.clock.At(now), c.clock.Synced()
		c.mu.Unlock()
		if synced {
			s := onCircle(c.joined.Slot, at)
			c.send(packets.AppendState(nil, &s))
			c.sent.Add(1)
		}
	}
}

// send sends a payload. What the network refuses is lost.
func (c *car) send(payload []byte) { _, _ = c.conn.Write(c.sealer.Seal(nil, payload)) }

// onCircle returns the state at a session time [ns] of a car that goes round the skid pad at 72 km/h.
func onCircle(slot int, at int64) session.State {
	const radius, speed = 100, 20 // [m], [m/s]
	angle := math.Mod(float64(at)*1e-9*speed/radius+float64(slot), 2*math.Pi)
	sin, cos := math.Sincos(angle)
	return session.State{
		Slot: slot, At: at, Pos: [3]float64{radius * cos, radius * sin, 0.5}, Att: [4]float64{math.Cos(angle/2 + math.Pi/4), 0, 0, math.Sin(angle/2 + math.Pi/4)},
		Vel: [3]float64{-speed * sin, speed * cos, 0}, Rate: [3]float64{0, 0, speed / radius}, Acc: [3]float64{-speed * speed / radius * cos, -speed * speed / radius * sin, 0},
		RPM: 3000, Gear: 3, Distance: radius * angle,
	}
}
