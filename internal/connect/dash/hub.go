package dash

import (
	"context"
	"sync"
	"time"

	"rig.example/rig/internal/core/frame"
)

const (
	samplePeriod      = 10 * time.Millisecond // between two samples of the charts
	samplesPerMessage = 4                     // so that there are 25 messages a second
	historyLength     = 500                   // samples, one for each message: 20 s
	maxStreams        = 128
	noNumber          = ^uint64(0) // of a sample or a message that does not exist
)

// hub samples the source, keeps the history of the charts and makes the messages of all streams.
//
// A message is encoded once for all clients. The hub never waits for a client: it only says that there is a newer
// message, and a client that comes too late finds the newest one.
type hub struct {
	source Source
	scene  []byte // the message with names and limits
	names  frame.Names

	mu      sync.Mutex
	frame   frame.Frame // newest frame
	hasRead bool        // frame is one of the source's
	seq     uint64      // of the source at the newest sample
	now     time.Duration
	changed time.Duration // when seq last changed
	samples uint64        // number of samples so far
	pending []sample      // since the newest message
	history []sample      // a ring
	oldest  int           // index in history, once it is full

	clients map[*client]struct{}
	number  uint64   // of messages so far
	newest  *message // nil while there are no clients
	closed  bool

	encodedState   []byte // of sample stateAt
	stateAt        uint64
	encodedHistory []byte // of message historyAt
	historyAt      uint64
}

// message is what all clients get.
type message struct {
	number uint64
	data   []byte // an event of the stream, complete
}

// client is a stream.
type client struct {
	wake chan struct{} // has an element if there is a message that the client has not been told of
}

func newHub(source Source, scene *frame.Scene) *hub {
	return &hub{
		source: source, scene: event("scene", encodeScene(scene)), names: scene.Names,
		pending: make([]sample, 0, 2*samplesPerMessage), clients: map[*client]struct{}{},
		stateAt: noNumber, historyAt: noNumber,
	}
}

// run samples and publishes until ctx ends.
func (h *hub) run(ctx context.Context) {
	start, tick := time.Now(), time.NewTicker(samplePeriod)
	defer tick.Stop()
	for n := 1; ; n++ {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		h.sample(time.Since(start))
		if n%samplesPerMessage == 0 {
			h.publish()
		}
	}
}

// sample reads the newest frame. now is the time since an arbitrary start.
func (h *hub) sample(now time.Duration) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.now = now
	h.samples++
	seq := h.source.Seq()
	if seq == h.seq && h.hasRead || !h.source.Read(&h.frame) {
		return // nothing new: the charts show a gap
	}
	h.seq, h.changed, h.hasRead = seq, now, true
	if len(h.pending) == cap(h.pending) {
		h.pending = append(h.pending[:0], h.pending[1:]...)
	}
	h.pending = append(h.pending, sampleOf(&h.frame, now))
}

// publish makes a message of what was sampled since the last one, and tells all clients. It waits for none of them.
func (h *hub) publish() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.publishLocked()
}

// publishLocked is publish for a caller that holds the lock.
func (h *hub) publishLocked() {
	h.number++
	if n := len(h.pending); n > 0 {
		h.remember(h.pending[n-1])
	}
	if len(h.clients) > 0 {
		h.newest = &message{h.number, event("frame", encodeFrame(h.stateLocked(), h.pending))}
	}
	h.pending = h.pending[:0]
	for c := range h.clients {
		c.notify()
	}
}

// notify tells the client that there is something new, unless it was told already.
func (c *client) notify() {
	select {
	case c.wake <- struct{}{}:
	default:
	}
}

// remember adds a sample to the history, in place of the oldest one if it is full.
func (h *hub) remember(s sample) {
	if len(h.history) < historyLength {
		h.history = append(h.history, s)
		return
	}
	h.history[h.oldest] = s
	h.oldest = (h.oldest + 1) % historyLength
}

// join adds a client, and returns the events with which its stream begins. It returns nil if there are too many
// clients, or the hub is closed.
func (h *hub) join() (c *client, first []byte) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.clients) >= maxStreams || h.closed {
		return nil, nil
	}
	if h.historyAt != h.number {
		samples := append(h.history[h.oldest:len(h.history):len(h.history)], h.history[:h.oldest]...)
		h.encodedHistory, h.historyAt = event("history", encodeFrame(nil, samples)), h.number
	}
	c = &client{wake: make(chan struct{}, 1)}
	h.clients[c] = struct{}{}
	return c, append(h.scene[:len(h.scene):len(h.scene)], h.encodedHistory...)
}

func (h *hub) leave(c *client) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.clients, c)
	if len(h.clients) == 0 {
		h.newest = nil
	}
}

// latest returns the newest message, or nil if there is none, and whether the hub is closed, so that no other will
// come.
func (h *hub) latest() (m *message, closed bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.newest, h.closed
}

// close publishes a last message, which tells how the rig has ended, and ends all streams.
func (h *hub) close() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.closed = true
	h.stateAt = noNumber
	h.publishLocked()
}

// streams returns the number of clients.
func (h *hub) streams() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.clients)
}

// state returns the encoded state of the newest sample.
func (h *hub) state() []byte {
	h.mu.Lock()
	defer h.mu.Unlock()
	b := h.stateLocked()
	return b[:len(b):len(b)]
}

// stateLocked is state for a caller that holds the lock.
func (h *hub) stateLocked() []byte {
	if h.stateAt != h.samples {
		h.encodedState, h.stateAt = h.encodeState(), h.samples
	}
	return h.encodedState
}

// current copies the newest frame to f and returns what is known beside it. isKnown is false if there is no frame yet.
func (h *hub) current(f *frame.Frame) (seq uint64, age time.Duration, isKnown bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	*f = h.frame
	return h.seq, h.now - h.changed, h.hasRead
}
