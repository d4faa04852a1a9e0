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

	"rig.example/rig/internal/core/follow"
	"rig.example/rig/internal/kit/latest"
	"rig.example/rig/internal/kit/printable"
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

	lock     sync.Mutex
	number   uint64    // of the newest packet
	followed stream    // its source is 0 before the first packet
	version  string    // of the game that is followed, or ""
	at       time.Time // of its newest packet
	last     string    // what came last that could not be used
	refused  uint64
	told     map[string]bool // what was logged
	against  map[uint8]int   // packets of a source that contradicted themselves

	changes              uint64 // of the stream that is followed
	changed, besides     string // the last change, and the stream that was dropped last, for Notice
	changedAt, besidesAt time.Time
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
			h.Take(b[:n], netip.AddrPortFrom(from.Addr().Unmap(), from.Port()), time.Now())
		}
	}
}

// Take takes a packet that came from a sender at now.
func (h *Hub) Take(b []byte, from netip.AddrPort, now time.Time) {
	h.lock.Lock()
	defer h.lock.Unlock()
	if !h.isAllowed(from.Addr()) {
		h.refuse("packets from " + from.Addr().String() + ", which follow.allow does not name")
		return
	}
	s, err := parse(b)
	if err != nil && !errors.Is(err, errOtherSigns) {
		h.refuse("packets: " + err.Error())
		return
	}
	h.offer(&s, err, layout(b), stream{source: s.Source, address: from}, now)
}

// mostAgainst is how many packets of a source may contradict themselves, before no more of them are taken: at small angles
// those of other signs cannot be told from good ones.
const mostAgainst = 5

// contradicted refuses a packet that contradicts itself.
func (h *Hub) contradicted(s *follow.Sample) {
	h.against[s.Source]++
	h.refuse("packets of " + Name(uint64(s.Source)) + ": " + errOtherSigns.Error())
}

// offer takes a sample of a stream, of which version tells the game's version. err is errOtherSigns if it contradicts itself. The
// caller holds the lock.
func (h *Hub) offer(sample *follow.Sample, err error, version string, s stream, now time.Time) {
	name := Name(uint64(s.source))
	switch {
	case h.cfg.Source != "" && name != h.cfg.Source:
		h.refuse("packets of " + name + ", and follow.source is " + h.cfg.Source)
		return
	case !h.admit(s, now):
		return
	case err != nil || h.against[s.source] > mostAgainst:
		h.contradicted(sample)
		return
	}
	h.change(s, version, now)
	h.number++
	h.at = now
	sample.Number, sample.Version = h.number, Hash(version)
	sample.Car += h.changes * anotherCar
	h.cell.Put(&arrival{*sample, now.Sub(h.since).Nanoseconds()})
}

// anotherCar is added to Sample.Car with each change of the stream, so that it is followed as another car whatever its number:
// where rig itself was held up, no silence need have been between the two.
const anotherCar = 0x9E3779B97F4A7C15

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
func (h *Hub) refuse(what string) { h.refuseOnce(what, what) }

// refuseOnce is refuse for what is the same kind as long as key is the same.
func (h *Hub) refuseOnce(key, what string) {
	const kinds = 50 // that are remembered
	h.refused++
	h.last = printable.Line(what)
	if !h.told[key] && len(h.told) < kinds {
		h.told[key] = true
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
	if h.followed.source != 0 && time.Since(h.at) < lately {
		return "following " + Name(uint64(h.followed.source))
	}
	text := "no game is heard at " + h.places()
	switch {
	case h.last != "":
		return text + "; what came was unusable: " + h.last
	case h.followed.source != 0:
		return Name(uint64(h.followed.source)) + " is silent: paused, in a menu, or ended"
	}
	return text + ": switch on what it sends, see docs/games.md"
}
