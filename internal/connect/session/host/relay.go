package host

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"net/netip"
	"slices"
	"strings"
	"sync"

	"rig.example/rig/internal/connect/session"
	"rig.example/rig/internal/connect/session/packets"
	"rig.example/rig/road"
)

const second = 1_000_000_000 // [ns]

// Times of the relay [ns].
const (
	presentFor = 3 * second // a rig is present so long after its last packet
	sendFor    = 5 * second // it gets bundles so long
	newestFor  = 1 * second // a state is sent to others so long
	oldest     = 2 * second // a state that is older is refused
	ahead      = second / 2 // so is one that is as far in the future
)

// relay passes on the states of cars: each rig sends its own, and gets those of all others in one bundle. What a rig sends
// costs the others nothing. It has a lock of its own, so that nothing that the race does holds up the packets.
type relay struct {
	now    func() int64 // session time [ns]
	length float64      // of the circuit [m]

	mu      sync.Mutex
	cars    [session.MaxMembers]car
	refused map[string]uint64 // packets by cause
	start   startLine
	plain   []byte
	states  []session.State
	out     []datagram
}

// datagram is a packet on its way out. Its memory is used again.
type datagram struct {
	to     netip.AddrPort
	packet []byte
}

// car is what the relay knows of one rig. opener is nil if the rig has no key.
type car struct {
	opener    *packets.Opener
	sealer    *packets.Sealer
	epoch     uint32
	address   netip.AddrPort // from which the last authentic packet came
	heard     int64          // session time of that
	allowance float64        // how many more packets are taken now
	state     session.State  // newest
	known     bool           // there is a state
	leapt     session.State  // newest state that is too far from state
	streak    int            // how many states follow from each other, up to leapt
	track     tracker
	jumped    bool // it has moved before the start
}

// startLine is a start as the relay must know it to find cars that move too early.
type startLine struct {
	scheduled, at int64 // session times [ns]; at is 0 if there is none
	place         [session.MaxMembers]int
}

func newRelay(length float64, now func() int64) *relay {
	return &relay{now: now, length: length, refused: map[string]uint64{}}
}

// setKey gives a rig a new key, with which it begins anew.
func (r *relay) setKey(slot int, key []byte, epoch uint32) error {
	opener, err := packets.NewOpener(key, epoch, slot, false)
	if err != nil {
		return err
	}
	sealer, err := packets.NewSealer(key, epoch, slot, true)
	if err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	c := &r.cars[slot]
	*c = car{opener: opener, sealer: sealer, epoch: epoch, heard: r.now(), allowance: burst, track: c.track, jumped: c.jumped}
	return nil
}

// drop takes a rig's key away: nothing of it is taken any longer, and nothing is sent to it.
func (r *relay) drop(slot int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.cars[slot] = car{}
}

// receive takes a packet that came from an address at a session time, and returns the answer to send back, or nil.
func (r *relay) receive(packet []byte, from netip.AddrPort, at int64) []byte {
	r.mu.Lock()
	defer r.mu.Unlock()
	answer, err := r.take(packet, from, at)
	if err != nil {
		r.refused[err.Error()]++
	}
	return answer
}

// refusal is a cause for which a packet is not taken. There are few, so they can be counted each.
type refusal string

func (r refusal) Error() string { return string(r) }

const (
	noKey       refusal = "no rig has this key"
	tooMany     refusal = "too many packets"
	notReadable refusal = "content not readable"
	othersSlot  refusal = "state of another's car"
	wrongTime   refusal = "state of an impossible time, or out of order"
	leap        refusal = "car has leapt"
)

// Each rig may send this many packets per second, and as many at once as burst.
const packetsPerSecond, burst = 4 * session.StatesPerSecond, 2 * session.StatesPerSecond

func (r *relay) take(packet []byte, from netip.AddrPort, at int64) (answer []byte, err error) {
	slot, epoch, err := packets.Peek(packet)
	if err != nil {
		return nil, err
	}
	c := &r.cars[slot]
	if c.opener == nil || c.epoch != epoch {
		return nil, noKey
	}
	if r.plain, err = c.opener.Open(r.plain[:0], packet); err != nil {
		return nil, err
	}
	c.allowance = min(burst, c.allowance+float64(max(0, at-c.heard))/second*packetsPerSecond)
	c.address, c.heard = from, max(c.heard, at)
	if c.allowance--; c.allowance < 0 {
		c.allowance = 0
		return nil, tooMany
	}
	m, err := packets.Parse(r.plain)
	switch {
	case err != nil:
		return nil, notReadable
	case m.Kind == packets.Ping:
		return c.sealer.Seal(nil, packets.AppendPong(nil, m.Sent, at, r.now())), nil
	case m.Kind != packets.State:
		return nil, notReadable
	case m.Cars[0].Slot != slot:
		return nil, othersSlot
	}
	return nil, r.takeState(slot, &m.Cars[0], at)
}

// takeState takes a car's state if it can follow from the one before. One that cannot is refused, until the states that
// follow from it have come for half a second: then the car was put elsewhere.
func (r *relay) takeState(slot int, s *session.State, now int64) error {
	const settled = session.StatesPerSecond / 2
	c := &r.cars[slot]
	if s.At > now+ahead || s.At < now-oldest || c.known && s.At <= c.state.At {
		return wrongTime
	}
	if c.known && !follows(&c.state, s) {
		if c.streak == 0 || !follows(&c.leapt, s) {
			c.streak = 0
		}
		c.leapt = *s
		if c.streak++; c.streak < settled {
			return leap
		}
	}
	r.watchStart(slot, c, s)
	c.track.see(s.Distance, s.At, r.length, r.start.at)
	c.state, c.known, c.streak = *s, true, 0
	return nil
}

// follows reports whether a car can come from a to b.
func follows(a, b *session.State) bool {
	const fastest, slack = 200, 5 // [m/s], [m]
	d := 0.0
	for i := range a.Pos {
		d = math.Hypot(d, b.Pos[i]-a.Pos[i])
	}
	return b.At > a.At && d <= float64(b.At-a.At)/second*fastest+slack
}

// watchStart notes whether a car has moved past its place before the start. One in the pit lane may start from there.
func (r *relay) watchStart(slot int, c *car, s *session.State) {
	const slack = 0.5 // [m]
	place := r.start.place[slot]
	if place == 0 || s.At < r.start.scheduled || s.At >= r.start.at || s.Flags&(session.InPit|session.NotDriving) != 0 {
		return
	}
	behind, _ := road.GridDistance(place)
	c.jumped = c.jumped || math.Remainder(s.Distance, r.length) > slack-behind
}

// setStart tells the relay of a start, or with the zero value that there is none.
func (r *relay) setStart(s startLine) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.start = s
	for i := range r.cars {
		r.cars[i].jumped = false
	}
}

// bundles sends to each rig the newest states of all other cars, in as few datagrams as they fit into.
func (r *relay) bundles(send func(to netip.AddrPort, packet []byte)) {
	for _, d := range r.seal() {
		send(d.to, d.packet)
	}
}

// seal returns the datagrams that are due. They are valid until the next call.
func (r *relay) seal() []datagram {
	r.mu.Lock()
	defer r.mu.Unlock()
	now, n := r.now(), 0
	for slot := range r.cars {
		c := &r.cars[slot]
		if c.opener == nil || !c.address.IsValid() || c.heard < now-sendFor {
			continue
		}
		r.states = r.states[:0]
		for other := range r.cars {
			if o := &r.cars[other]; other != slot && o.known && o.state.At >= now-newestFor {
				r.states = append(r.states, o.state)
			}
		}
		for left, first := r.states, true; first || len(left) > 0; first = false {
			r.plain, left = packets.AppendCars(r.plain[:0], left)
			if n == len(r.out) {
				r.out = append(r.out, datagram{})
			}
			r.out[n] = datagram{c.address, c.sealer.Seal(r.out[n].packet[:0], r.plain)}
			n++
		}
	}
	return r.out[:n]
}

// live is what the race must know of a car.
type live struct {
	heard  int64 // session time of its last packet [ns]; 0 if it has no key
	jumped bool
	known  bool    // of driven
	driven float64 // since the start line at the start of the race [m]
	at     int64   // session time of that [ns]
}

// lives returns what is known of all cars, by slot.
func (r *relay) lives() (list [session.MaxMembers]live) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for i := range r.cars {
		c := &r.cars[i]
		list[i] = live{c.heard, c.jumped, c.track.known, c.track.driven, c.track.at}
	}
	return list
}

// when returns the session time at which a car had driven that far since the start of the race [ns].
func (r *relay) when(slot int, driven float64) (at int64, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.cars[slot].track.when(driven)
}

// setLaps tells how many laps of the race a car has ended, and whether the last one was ended just now.
func (r *relay) setLaps(slot, laps int, now bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.cars[slot].track.setLaps(laps, now, r.length)
}

// refusals returns how many packets were refused, by cause, the most frequent first, in words.
func (r *relay) refusals() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	causes := slices.SortedFunc(maps.Keys(r.refused), func(a, b string) int {
		return cmp.Or(cmp.Compare(r.refused[b], r.refused[a]), cmp.Compare(a, b))
	})
	for i, cause := range causes {
		causes[i] = fmt.Sprintf("%d: %s", r.refused[cause], cause)
	}
	return strings.Join(causes, "; ")
}
