package games

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"strings"
	"sync"
	"time"

	"rig.example/rig/internal/follow"
	"rig.example/rig/internal/latest"
	"rig.example/rig/internal/printable"
)

// Hub receives packets of games, and keeps the newest one of the game that it follows: the one that is configured, or else
// the first that is heard.
type Hub struct {
	cfg   Config
	log   *slog.Logger
	conns []*net.UDPConn
	since time.Time // when arrivals count from
	cell  latest.Cell[arrival]

	lock    sync.Mutex
	number  uint64    // of the newest packet
	source  uint8     // that is followed; 0 for none yet
	at      time.Time // of its newest packet
	heard   map[string]uint64
	last    string // what came last that could not be used
	refused uint64
	told    map[string]bool // what was logged
}

// arrival is a packet and when it arrived.
type arrival struct {
	sample follow.Sample
	nanos  int64 // since Hub.since
}

// New listens at the port of the configured game, or at those of all games. A port that another program has is an error if it is
// that of the configured game, or if there is no other.
func New(cfg Config, log *slog.Logger) (*Hub, error) {
	h := &Hub{cfg: cfg, log: log, since: time.Now(), heard: map[string]uint64{}, told: map[string]bool{}}
	var failed error
	for _, s := range Sources {
		if cfg.Source != "" && s.Name != cfg.Source {
			continue
		}
		port := s.Port
		if cfg.Port != 0 {
			port = cfg.Port
		}
		conn, err := net.ListenUDP("udp", &net.UDPAddr{IP: h.address(), Port: port})
		if err != nil {
			failed = fmt.Errorf("%s: UDP port %d: %w; end the other program that reads the game, or set follow.port", s.Name, port, err)
			log.Warn("follow: a game is not heard", "error", failed)
			continue
		}
		h.conns = append(h.conns, conn)
	}
	if len(h.conns) == 0 {
		return nil, failed
	}
	return h, nil
}

// Addresses returns where the hub listens.
func (h *Hub) Addresses() (list []string) {
	for _, c := range h.conns {
		list = append(list, c.LocalAddr().String())
	}
	return list
}

// address returns where the hub listens: this machine alone, unless peers are allowed.
func (h *Hub) address() net.IP {
	if len(h.cfg.Allow) == 0 {
		return net.IPv4(127, 0, 0, 1)
	}
	return net.IPv4zero
}

func (h *Hub) close() error {
	var all error
	for _, c := range h.conns {
		all = errors.Join(all, c.Close())
	}
	return all
}

// Run receives until ctx ends, and closes the ports.
func (h *Hub) Run(ctx context.Context) error {
	var receiving sync.WaitGroup
	for _, c := range h.conns {
		receiving.Go(func() { h.receive(c) })
	}
	<-ctx.Done()
	err := h.close()
	receiving.Wait()
	return err
}

// receive reads one port until it is closed.
func (h *Hub) receive(c *net.UDPConn) {
	b := make([]byte, 2048) // longer packets are cut, and then have no known length
	for {
		n, from, err := c.ReadFromUDPAddrPort(b)
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err == nil {
			h.take(b[:n], from.Addr().Unmap(), time.Now())
		}
	}
}

// take takes a packet.
func (h *Hub) take(b []byte, from netip.Addr, now time.Time) {
	h.lock.Lock()
	defer h.lock.Unlock()
	if !h.isAllowed(from) {
		h.refuse("packets from " + from.String() + ", which follow.allow does not name")
		return
	}
	s, err := parse(b)
	if err != nil {
		h.refuse("packets: " + err.Error())
		return
	}
	name := Name(uint64(s.Source))
	h.heard[name]++
	if h.cfg.Source != "" && name != h.cfg.Source {
		h.refuse("packets of " + name + ", and follow.source is " + h.cfg.Source)
		return
	}
	const takeOver = 2 * time.Second // after which another game may take over
	if s.Source != h.source && h.source != 0 && now.Sub(h.at) < takeOver {
		h.refuse("packets of " + name + " besides those of " + Name(uint64(h.source)) + ", which is followed: end one of the games, or set follow.source")
		return
	}
	if s.Source != h.source {
		h.log.Info("following "+name, "address", from.String())
	}
	h.number++
	h.source, h.at = s.Source, now
	s.Number = h.number
	h.cell.Put(&arrival{s, now.Sub(h.since).Nanoseconds()})
}

func (h *Hub) isAllowed(from netip.Addr) bool {
	if from.IsLoopback() {
		return true
	}
	for _, text := range h.cfg.Allow {
		if a, err := netip.ParseAddr(text); err == nil && a.Unmap() == from {
			return true
		}
	}
	return false
}

// refuse counts what cannot be used, and logs each kind once.
func (h *Hub) refuse(what string) {
	const kinds = 50 // that are remembered
	h.refused++
	h.last = printable.Line(what)
	if !h.told[what] && len(h.told) < kinds {
		h.told[what] = true
		h.log.Warn("follow: unusable " + h.last)
	}
}

// Latest copies the newest packet with its age. The loop may call it. s stays as it is before the first packet.
func (h *Hub) Latest(s *follow.Sample) {
	var a arrival
	if h.cell.Get(&a) == 0 {
		return
	}
	*s = a.sample
	s.Age = (time.Since(h.since) - time.Duration(a.nanos)).Seconds()
}

// Status says what is heard, and what to do if it is nothing.
func (h *Hub) Status() string {
	h.lock.Lock()
	defer h.lock.Unlock()
	const lately = time.Second
	if h.source != 0 && time.Since(h.at) < lately {
		return "following " + Name(uint64(h.source))
	}
	text := "no game is heard at " + strings.Join(h.Addresses(), ", ")
	switch {
	case h.last != "":
		return text + "; what came was unusable: " + h.last
	case h.source != 0:
		return Name(uint64(h.source)) + " is silent: paused, in a menu, or ended"
	}
	return text + ": switch its UDP output on, see docs/games.md"
}
