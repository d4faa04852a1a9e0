package member

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"math/rand/v2"
	"net"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"rig.example/rig/internal/connect/session"
	"rig.example/rig/internal/connect/session/bus"
	"rig.example/rig/internal/connect/session/keys"
	"rig.example/rig/internal/connect/session/packets"
	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/core/guard"
	"rig.example/rig/internal/live/operator"
)

// host is a host in memory, and the network to it, in virtual time.
type host struct {
	began  time.Time
	delay  time.Duration
	spread time.Duration // of the delay, to both sides
	loss   float64       // share of packets
	drift  float64       // of the member's clock
	random *rand.Rand

	lock    sync.Mutex
	dead    bool   // neither bus nor packets
	cut     bool   // nothing of the member passes
	noUDP   bool   // packets do not pass
	asked   string // ID of the stop on the board
	busy    int    // orders that the rig refuses
	revoked bool
	refuse  string
	joins   int
	buses   int // connections
	grid    int
	opener  *packets.Opener
	sealer  *packets.Sealer
	wire    *wire
	take    map[string]func(string, []byte) // by subject
	kept    []session.Event
	tries   int // to keep an event
	states  []session.State
	healths []session.Health
	refused chan struct{}
}

func newHost() *host {
	return &host{random: rand.New(rand.NewPCG(1, 2)), began: time.Now(), delay: 10 * time.Millisecond, take: map[string]func(string, []byte){}, refused: make(chan struct{})}
}

// now returns the session time.
func (h *host) now() int64 { return int64(time.Since(h.began)) + 3*second }

var errDead = errors.New("no connection")

func (h *host) connect(context.Context) (transport, error) {
	h.lock.Lock()
	defer h.lock.Unlock()
	switch {
	case h.revoked:
		return nil, bus.ErrRefused
	case h.dead:
		return nil, errDead
	}
	h.buses++
	return h, nil
}

func (h *host) Publish(subject string, v any) error {
	h.lock.Lock()
	defer h.lock.Unlock()
	if health, ok := v.(session.Health); ok && !h.dead {
		h.healths = append(h.healths, health)
	}
	return nil
}

func (h *host) Subscribe(subject string, f func(string, []byte)) (func(), error) {
	h.lock.Lock()
	defer h.lock.Unlock()
	h.take[subject] = f
	return func() {
		h.lock.Lock()
		defer h.lock.Unlock()
		delete(h.take, subject)
	}, nil
}

func (h *host) Request(_ context.Context, subject string, v, answer any) error {
	h.lock.Lock()
	defer h.lock.Unlock()
	if h.dead || h.cut {
		return errDead
	}
	if h.refuse != "" {
		*answer.(*session.Joined) = session.Joined{Refused: h.refuse}
		return nil
	}
	h.joins++
	j := session.Joined{Session: "test", Slot: 1, Grid: h.grid, Key: bytes.Repeat([]byte{byte(h.joins)}, 32), Epoch: uint32(h.joins), UDP: ":4777"}
	h.opener, _ = packets.NewOpener(j.Key, j.Epoch, j.Slot, false)
	h.sealer, _ = packets.NewSealer(j.Key, j.Epoch, j.Slot, true)
	*answer.(*session.Joined) = j
	return nil
}

func (h *host) Store(_ context.Context, subject, id string, v any) (uint64, error) {
	h.lock.Lock()
	defer h.lock.Unlock()
	h.tries++
	if h.dead || h.cut {
		return 0, errDead
	}
	e := *v.(*session.Event)
	if !slices.ContainsFunc(h.kept, func(k session.Event) bool { return k.ID == id }) {
		h.kept = append(h.kept, e)
	}
	if h.tries%3 == 0 {
		return 0, errors.New("the acknowledgement is lost")
	}
	return uint64(len(h.kept)), nil
}

func (h *host) Refused() <-chan struct{} { return h.refused }
func (h *host) Close()                   {}

// announce sends a message on a subject of the host.
func (h *host) announce(subject string, v any) {
	data, _ := json.Marshal(v)
	h.lock.Lock()
	f := h.take[subject]
	h.lock.Unlock()
	if f != nil {
		f(subject, data)
	}
}

// wire is a member's end of its connection for packets.
type wire struct {
	net.Conn
	host   *host
	in     chan []byte
	closed chan struct{}
	once   sync.Once
}

func (h *host) dial(string) (net.Conn, error) {
	h.lock.Lock()
	defer h.lock.Unlock()
	h.wire = &wire{host: h, in: make(chan []byte, 1000), closed: make(chan struct{})}
	return h.wire, nil
}

func (w *wire) Close() error { w.once.Do(func() { close(w.closed) }); return nil }

func (w *wire) Read(b []byte) (int, error) {
	select {
	case p := <-w.in:
		return copy(b, p), nil
	case <-w.closed:
		return 0, net.ErrClosed
	}
}

func (w *wire) Write(p []byte) (int, error) {
	p = bytes.Clone(p)
	w.host.lock.Lock()
	defer w.host.lock.Unlock()
	w.host.pass(func() { w.host.receive(p) })
	return len(p), nil
}

// pass calls arrive when a packet arrives, unless it is lost. The lock must be held.
func (h *host) pass(arrive func()) {
	if h.random.Float64() >= h.loss {
		time.AfterFunc(h.delay+time.Duration((2*h.random.Float64()-1)*float64(h.spread)), arrive)
	}
}

// receive takes a packet of the member.
func (h *host) receive(p []byte) {
	h.lock.Lock()
	defer h.lock.Unlock()
	if h.dead || h.cut || h.noUDP || h.opener == nil {
		return
	}
	payload, err := h.opener.Open(nil, p)
	if err != nil {
		return // of an old key
	}
	switch m, _ := packets.Parse(payload); m.Kind {
	case packets.Ping:
		h.send(packets.AppendPong(nil, m.Sent, h.now(), h.now()))
	case packets.State:
		h.states = append(h.states, m.Cars[0])
	}
}

// send sends a payload to the member. The lock must be held.
func (h *host) send(payload []byte) {
	if h.sealer == nil || h.dead || h.cut || h.noUDP {
		return
	}
	p, w := h.sealer.Seal(nil, payload), h.wire
	h.pass(func() {
		select {
		case w.in <- p:
		default: // nobody reads any more
		}
	})
}

// other returns the state of another car, which drives straight at 30 m/s.
func (h *host) other(slot int) session.State {
	at := h.now()
	return session.State{Slot: slot, At: at, Pos: [3]float64{30 * float64(at) / second}, Vel: [3]float64{30}, Att: [4]float64{1}, Distance: 100, Laps: 1}
}

// run sends the other car's state 60 times a second, and the board 4 times.
func (h *host) run(ctx context.Context) {
	every := time.NewTicker(time.Second / 60)
	defer every.Stop()
	for n := 0; ; n++ {
		select {
		case <-ctx.Done():
			return
		case <-every.C:
		}
		h.lock.Lock()
		payload, _ := packets.AppendCars(nil, []session.State{h.other(2), h.other(1)}) // the member's own is left out
		h.send(payload)
		dead, asked := h.dead, h.asked
		h.lock.Unlock()
		if n%15 == 0 && !dead {
			h.announce(session.BoardSubject("test"), session.Board{
				Phase: session.Racing, Flag: session.Yellow, Now: h.now(), Notice: "take care", LapsLeft: 3, Stop: asked,
				Entries:   []session.Member{{ID: "ada", Slot: 1, Driver: "Ada"}, {ID: "bob", Slot: 2, Driver: "Bob", Size: session.CarSize{Length: 4.1}}},
				Standings: []session.Standing{{Place: 1, Member: "bob", Driver: "Bob"}, {Place: 2, Member: "ada", Driver: "Ada", Gap: 2.5}},
			})
		}
	}
}

// rigPage is the page of a rig whose frames a test makes.
type rigPage struct {
	lock  sync.Mutex
	frame frame.Frame
	ended bool
	clock func() int64
}

func (p *rigPage) Read(f *frame.Frame) bool {
	p.lock.Lock()
	defer p.lock.Unlock()
	*f = p.frame
	f.Due = p.clock()
	return true
}

func (p *rigPage) Ended() (string, bool) { p.lock.Lock(); defer p.lock.Unlock(); return "", p.ended }
func (p *rigPage) WriterAlive() bool     { return true }
func (p *rigPage) Notice() string        { return "somebody stopped it" }

func (p *rigPage) set(change func(*frame.Frame)) {
	p.lock.Lock()
	defer p.lock.Unlock()
	change(&p.frame)
}

// world is a member that runs, and all around it.
type world struct {
	*host
	page   *rigPage
	member *member
	log    bytes.Buffer
	others frame.Others // newest
	puts   int
	orders []operator.Message
	cancel context.CancelFunc
	done   chan struct{}
}

// start runs a member. It must be called in a bubble of synctest; the test ends with stop.
func start(t *testing.T, h *host) *world {
	w := &world{host: h, page: &rigPage{}, done: make(chan struct{})}
	own := time.Now()
	clock := func() int64 { return int64(float64(time.Since(own))*(1+h.drift)) + 77*second }
	w.page.clock = clock
	w.page.frame = frame.Frame{Att: [4]float64{1}, State: uint64(guard.Driving), Flags: frame.WheelPresent, Station: 240, Lap: frame.Lap{Number: 1}}
	near, far := net.Pipe()
	go operator.Serve(far, 0, func(m operator.Message) error {
		h.lock.Lock()
		w.orders = append(w.orders, m)
		h.busy--
		busy := h.busy >= 0
		h.lock.Unlock()
		if busy {
			return errors.New("too many orders wait")
		}
		if m.Order == operator.EmergencyStop {
			w.page.set(func(f *frame.Frame) { f.State = uint64(guard.Stopped) })
		}
		return nil
	})
	o := Options{Invitation: keys.Invitation{Session: "test", Member: "ada", URLs: []string{"tls://192.0.2.1:4777"}},
		Start: 200, Join: session.Join{Driver: "Ada", Circuit: session.Circuit{Length: 1000}, Size: session.CarSize{Length: 4.4}}}
	w.member = newMember(o, w.page, near, slog.New(slog.NewTextHandler(&w.log, nil)))
	w.member.now, w.member.connect, w.member.dial = clock, h.connect, h.dial
	ctx, cancel := context.WithCancel(t.Context())
	w.cancel = cancel
	go h.run(ctx)
	go func() {
		defer close(w.done)
		defer far.Close()
		every := time.NewTicker(time.Second / stepsPerSecond)
		defer every.Stop()
		w.member.run(ctx, every.C, func(o *frame.Others) {
			h.lock.Lock()
			defer h.lock.Unlock()
			w.others = *o
			w.puts++
		})
	}()
	return w
}

// shown returns what is shown now.
func (w *world) shown() frame.Others {
	w.lock.Lock()
	defer w.lock.Unlock()
	return w.others
}

// given returns the orders that the rig has got.
func (w *world) given() []operator.Message {
	w.lock.Lock()
	defer w.lock.Unlock()
	return slices.Clone(w.orders)
}

// change changes what the host and the network do.
func (w *world) change(f func(*host)) {
	w.lock.Lock()
	defer w.lock.Unlock()
	f(w.host)
}

// joinCount returns how often the rig has joined.
func (w *world) joinCount() int {
	w.lock.Lock()
	defer w.lock.Unlock()
	return w.joins
}

// stop ends the member as the end of its process does.
func (w *world) stop() { w.cancel(); <-w.done }

// rest lets all go on for a while, until everybody waits for the next.
func rest(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}
