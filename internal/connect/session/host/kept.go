package host

import (
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"rig.example/rig/internal/connect/session"
)

// kept hands events to their reader, which may be slow or stuck: the host does not wait for it.
type kept struct {
	read   func(from session.ID, e *session.Event)
	log    *slog.Logger
	events chan keptEvent
	ending chan struct{} // no more events come
	ended  chan struct{} // all were handed over
	end    sync.Once
	missed atomic.Int64 // events for which there was no room
}

type keptEvent struct {
	from  session.ID
	event session.Event
}

// newKept returns one that calls read for each event, or nil, which takes events for nobody.
func newKept(read func(from session.ID, e *session.Event), log *slog.Logger) *kept {
	const waiting = 4096 // events
	if read == nil {
		return nil
	}
	k := &kept{read: read, log: log, events: make(chan keptEvent, waiting), ending: make(chan struct{}), ended: make(chan struct{})}
	go k.run()
	return k
}

// run hands over events until the end, and then those that wait still.
func (k *kept) run() {
	defer close(k.ended)
	for {
		select {
		case e := <-k.events:
			k.read(e.from, &e.event)
			continue
		case <-k.ending:
		}
		for {
			select {
			case e := <-k.events:
				k.read(e.from, &e.event)
			default:
				return
			}
		}
	}
}

// put hands over an event. If too many wait already it drops it, or with wait set, waits for room until the end.
func (k *kept) put(from session.ID, e *session.Event, wait bool) {
	if k == nil {
		return
	}
	if wait {
		select {
		case k.events <- keptEvent{from, *e}:
		case <-k.ending:
		}
		return
	}
	select {
	case k.events <- keptEvent{from, *e}:
	default:
		if k.missed.Add(1) == 1 {
			k.log.Warn("events are dropped, for nobody reads them")
		}
	}
}

// close ends the handing over, and waits a moment for what was put before.
func (k *kept) close() {
	const patience = time.Second
	if k == nil {
		return
	}
	k.end.Do(func() { close(k.ending) })
	select {
	case <-k.ended:
	case <-time.After(patience):
	}
	if n := k.missed.Load(); n > 0 {
		k.log.Warn(fmt.Sprintf("%d events were dropped, for nobody read them", n))
	}
}
