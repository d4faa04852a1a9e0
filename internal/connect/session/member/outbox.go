package member

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"sync"
	"time"

	"rig.example/rig/internal/connect/session"
)

const (
	maxUnsent  = 1000            // events; the oldest are dropped then
	storeTime  = 5 * time.Second // for the host to keep an event, until it is sent again
	storePause = time.Second     // after one that was not kept
	flushTime  = time.Second     // in which the last events are sent when the rig has ended
)

// outbox holds the events that the host has not acknowledged yet. They are sent again, with the same IDs, until they are.
type outbox struct {
	first string // of all IDs, different in each process
	wake  chan struct{}

	lock   sync.Mutex
	events []session.Event
	number uint64 // of the last event
}

func newOutbox() *outbox {
	var b [6]byte
	_, _ = rand.Read(b[:]) // never fails
	return &outbox{first: hex.EncodeToString(b[:]), wake: make(chan struct{}, 1)}
}

// add adds an event, and gives it its ID.
func (o *outbox) add(e session.Event) {
	o.lock.Lock()
	defer o.lock.Unlock()
	o.number++
	e.ID = fmt.Sprintf("%s-%d", o.first, o.number)
	o.events = append(o.events[max(0, len(o.events)+1-maxUnsent):], e)
	select {
	case o.wake <- struct{}{}:
	default: // it will look for this one too
	}
}

// unsent returns how many events are not acknowledged, and the oldest of them.
func (o *outbox) unsent() (n int, oldest session.Event) {
	o.lock.Lock()
	defer o.lock.Unlock()
	if len(o.events) > 0 {
		oldest = o.events[0]
	}
	return len(o.events), oldest
}

// kept removes an event that is kept now.
func (o *outbox) kept(id string) {
	o.lock.Lock()
	defer o.lock.Unlock()
	if len(o.events) > 0 && o.events[0].ID == id {
		o.events = o.events[1:]
	}
}

// run sends the events until ctx ends, and then for flushTime those that are left.
func (o *outbox) run(ctx context.Context, b transport, subject string, pause func(context.Context, time.Duration) bool) {
	for ctx.Err() == nil {
		switch n, e := o.unsent(); {
		case n == 0:
			select {
			case <-o.wake:
			case <-ctx.Done():
			}
		case o.store(ctx, b, subject, &e, storeTime) != nil:
			pause(ctx, storePause)
		}
	}
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), flushTime)
	defer cancel()
	for n, e := o.unsent(); n > 0 && o.store(last, b, subject, &e, flushTime) == nil; n, e = o.unsent() {
	}
}

// store sends one event, and removes it once the host's servers have kept it.
func (o *outbox) store(ctx context.Context, b transport, subject string, e *session.Event, limit time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	_, err := b.Store(ctx, subject, e.ID, e)
	if err == nil {
		o.kept(e.ID)
	}
	return err
}
