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

// Hub receives what games tell, and keeps the newest of the game that it follows: the one that is configured, or else the
// first that is heard.
type Hub struct {
	cfg      Config
	log      *slog.Logger
	conns    []*net.UDPConn
	memories []*memory
	since    time.Time // when arrivals count from
	cell     latest.Cell[arrival]

	lock    sync.Mutex
	number  uint64    // of the newest packet
	source  uint8     // that is followed; 0 for none yet
	version string    // of the game that is followed, or ""
	at      time.Time // of its newest packet
	last    string    // what came last that could not be used
	refused uint64
	told    map[string]bool // what was logged
	against map[uint8]int   // packets of a source that contradicted themselves
}

// arrival is a packet and when it arrived.
type arrival struct {
	sample follow.Sample
	nanos  int64 // since Hub.since
}

// sharedMemory is where games and bridges have it.
const sharedMemory = "/dev/shm"

// New listens at the port of the configured game and reads its shared memory, or those of all games. A port that another program
// has is an error if it is that of the configured game.
func New(cfg Config, log *slog.Logger) (*Hub, error) {
	h := NewOffline(cfg, log, sharedMemory)
	return h, h.listen()
}

// NewOffline returns a hub that listens at no port and has shared memory in a folder. Without Run it hears what Take and Poll hand
// it: so a game is played in virtual time.
func NewOffline(cfg Config, log *slog.Logger, folder string) *Hub {
	h := &Hub{cfg: cfg, log: log, since: time.Now(), told: map[string]bool{}, against: map[uint8]int{}}
	for _, s := range Sources {
		if s.Port == 0 && (cfg.Source == "" || s.Name == cfg.Source) {
			h.memories = append(h.memories, newMemory(s, folder))
		}
	}
	return h
}

// listen opens the ports.
func (h *Hub) listen() error {
	isOpen := map[int]bool{}
	for _, s := range Sources {
		if h.cfg.Port != 0 {
			s.Port = h.cfg.Port
		}
		if h.cfg.Source != "" && s.Name != h.cfg.Source || s.Port == 0 || isOpen[s.Port] {
			continue
		}
		conn, err := net.ListenUDP("udp", &net.UDPAddr{IP: h.address(), Port: s.Port})
		if err != nil {
			err = fmt.Errorf("%s: UDP port %d: %w; end the other program that reads the game, or set follow.port", s.Name, s.Port, err)
			if h.cfg.Source != "" {
				return err
			}
			h.log.Warn("follow: a game is not heard", "error", err)
			continue
		}
		isOpen[s.Port] = true
		h.conns = append(h.conns, conn)
	}
	return nil
}

// Addresses returns where the hub listens for packets.
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
	for _, m := range h.memories {
		receiving.Go(func() { h.watch(ctx, m) })
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
			h.Take(b[:n], from.Addr().Unmap(), time.Now())
		}
	}
}

// Take takes a packet that came at now.
func (h *Hub) Take(b []byte, from netip.Addr, now time.Time) {
	h.lock.Lock()
	defer h.lock.Unlock()
	if !h.isAllowed(from) {
		h.refuse("packets from " + from.String() + ", which follow.allow does not name")
		return
	}
	s, err := parse(b)
	if errors.Is(err, errOtherSigns) {
		h.contradicted(&s)
		return
	}
	if err != nil {
		h.refuse("packets: " + err.Error())
		return
	}
	h.offer(&s, layout(b), from.String(), now)
}

// mostAgainst is how many packets of a source may contradict themselves, before no more of them are taken: at small angles
// those of other signs cannot be told from good ones.
const mostAgainst = 5

// contradicted refuses a packet that contradicts itself.
func (h *Hub) contradicted(s *follow.Sample) {
	h.against[s.Source]++
	h.refuse("packets of " + Name(uint64(s.Source)) + ": " + errOtherSigns.Error())
}

// offer takes a sample, of which version tells the game's version and where tells where it came from. The caller holds the lock.
func (h *Hub) offer(s *follow.Sample, version, where string, now time.Time) {
	name := Name(uint64(s.Source))
	if h.against[s.Source] > mostAgainst {
		h.contradicted(s)
		return
	}
	if h.cfg.Source != "" && name != h.cfg.Source {
		h.refuse("packets of " + name + ", and follow.source is " + h.cfg.Source)
		return
	}
	const takeOver = 2 * time.Second // after which another game may take over
	if s.Source != h.source && h.source != 0 && now.Sub(h.at) < takeOver {
		h.refuse("packets of " + name + " besides those of " + Name(uint64(h.source)) + ", which is followed: end one of the games, or set follow.source")
		return
	}
	if s.Source != h.source || version != h.version {
		h.log.Info("following "+printable.Line(strings.TrimSpace(name+" "+version)), "path", where)
	}
	h.number++
	h.source, h.version, h.at = s.Source, version, now
	s.Number, s.Version = h.number, Hash(version)
	h.cell.Put(&arrival{*s, now.Sub(h.since).Nanoseconds()})
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
func (h *Hub) Latest(s *follow.Sample) { h.LatestAt(s, time.Now()) }

// LatestAt is Latest at a time that need not be the present.
func (h *Hub) LatestAt(s *follow.Sample, now time.Time) {
	var a arrival
	if h.cell.Get(&a) == 0 {
		return
	}
	*s = a.sample
	s.Age = (now.Sub(h.since) - time.Duration(a.nanos)).Seconds()
}

// Version returns the version of the game that is followed, as far as it tells it.
func (h *Hub) Version() string {
	h.lock.Lock()
	defer h.lock.Unlock()
	return printable.Line(h.version)
}

// places are where the hub listens, for people.
func (h *Hub) places() string {
	list := h.Addresses()
	for _, m := range h.memories {
		list = append(list, m.pages[0].path)
	}
	return strings.Join(list, ", ")
}

// Status says what is heard, and what to do if it is nothing.
func (h *Hub) Status() string {
	h.lock.Lock()
	defer h.lock.Unlock()
	const lately = time.Second
	if h.source != 0 && time.Since(h.at) < lately {
		return "following " + Name(uint64(h.source))
	}
	text := "no game is heard at " + h.places()
	switch {
	case h.last != "":
		return text + "; what came was unusable: " + h.last
	case h.source != 0:
		return Name(uint64(h.source)) + " is silent: paused, in a menu, or ended"
	}
	return text + ": switch on what it sends, see docs/games.md"
}
