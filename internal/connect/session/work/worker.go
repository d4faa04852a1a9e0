package work

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"rig.example/rig/internal/connect/session"
	"rig.example/rig/internal/connect/session/bus"
	"rig.example/rig/internal/kit/printable"
)

// maxParallel is the highest number of units that a worker drives at a time.
const maxParallel = 1024

// worker takes units and drives them.
type worker struct {
	*Node
	parallel int
	instance string
	parse    Parser

	mutex    sync.Mutex
	known    map[string]bool // digests of sweeps that were logged
	offered  chan struct{}   // has a token after an offer of the worker's build
	finished int             // units
}

// Serve drives the units that parse understands, a number of them at a time, until ctx ends or the servers refuse the member's key. It returns how
// many it has driven. Those that it drives at the end go to other workers at once.
func (n *Node) Serve(ctx context.Context, parallel int, parse Parser) (finished int, err error) {
	w := &worker{Node: n, parallel: parallel, parse: parse}
	return w.serve(ctx)
}

func (w *worker) serve(ctx context.Context) (finished int, err error) {
	w.instance, w.known, w.offered = newToken(), map[string]bool{}, make(chan struct{}, w.parallel)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	stop, err := w.Bus.Subscribe(session.OfferSubject(w.Session), w.hear)
	if err != nil {
		return 0, err
	}
	defer stop()
	var all sync.WaitGroup
	for range w.parallel {
		all.Go(func() {
			for ctx.Err() == nil {
				w.takeUnits(ctx)
			}
		})
	}
	all.Go(func() { w.announce(ctx) })
	select {
	case <-ctx.Done():
	case <-w.Bus.Refused():
		err = w.refusal()
		cancel()
	}
	all.Wait()
	return w.finished, err
}

// announce sends signs of life until ctx ends.
func (w *worker) announce(ctx context.Context) {
	s := sign{Protocol: session.Protocol, Build: w.Build, Member: w.Member, Instance: w.instance, Parallel: w.parallel}
	for ctx.Err() == nil {
		_ = w.Bus.Publish(session.WorkerSubject(w.Session, w.Member), s) // comes again
		bus.Pause(ctx, period)
	}
	s.Left = true
	_ = w.Bus.Publish(session.WorkerSubject(w.Session, w.Member), s) // else it is silent
}

// isNew reports whether a sweep was not heard of before.
func (w *worker) isNew(digest string) bool {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if w.known[digest] || len(w.known) == maxCrew {
		return false
	}
	w.known[digest] = true
	return true
}

// hear takes an offer. The worker then looks for units, or logs that they are not for its build.
func (w *worker) hear(_ string, data []byte) {
	var o offer
	if json.Unmarshal(data, &o) != nil || !tokens.MatchString(o.Digest) {
		return
	}
	same := w.isSame(o.Protocol, o.Build)
	if !same && w.isNew(o.Digest) {
		w.Log.Warn(printable.Line(fmt.Sprintf("worker: a sweep of another build is left to others: it is of %s, this is %s; install the same one", o.Build, w.Build)))
	}
	for range w.parallel {
		if !same {
			return
		}
		select {
		case w.offered <- struct{}{}:
		default: // as many as can wait are called already
		}
	}
}

// takeUnits drives units as long as there are any. Without a queue of this build it waits for an offer.
func (w *worker) takeUnits(ctx context.Context) {
	q, err := w.Bus.OpenQueue(ctx, w.Session, w.queue())
	if errors.Is(err, bus.ErrNoQueue) {
		select {
		case <-ctx.Done():
		case <-w.offered:
		}
		return
	}
	for err == nil && ctx.Err() == nil {
		var t *bus.Task
		if t, err = q.Take(ctx); t != nil {
			err = w.do(ctx, q, t)
		}
	}
	if err != nil && ctx.Err() == nil {
		w.Log.Debug("worker: no unit", "error", err)
		bus.Pause(ctx, retry)
	}
}

// do drives the unit of a task and keeps its result.
func (w *worker) do(ctx context.Context, q *bus.Queue, t *bus.Task) error {
	m, err := parseUnit(t.Data)
	if err != nil {
		w.Log.Warn("worker: the queue has what is not a unit; it is dropped", "error", printable.Line(err.Error()))
		return t.Done()
	}
	if w.isNew(m.Digest) {
		w.Log.Info("worker: sweep: " + printable.Line(m.Sweep))
	}
	release := hold(t, q.Lease())
	defer release()
	var f failed
	_ = json.Unmarshal(m.Unit, &f) // parse says what is wrong
	f.Error = fmt.Sprintf("each of %d workers ended while it drove this point", t.Attempts-1)
	var r any = &f
	switch drive, err := w.parse(m.Unit); {
	case err != nil:
		w.Log.Warn("worker: a point cannot be driven here", "error", printable.Line(err.Error()))
		f.Error = err.Error()
	case t.Attempts <= maxAttempts:
		if r, err = drive(ctx); err != nil {
			return t.Return()
		}
	}
	for ctx.Err() == nil {
		_, err := w.Bus.Store(ctx, session.ResultSubject(w.Session, m.Digest), fmt.Sprint("result ", m.Run, f.Index), r)
		if err == nil {
			w.mutex.Lock()
			w.finished++
			w.mutex.Unlock()
			return t.Done()
		}
		w.Log.Debug("worker: a result is sent again", "error", err)
		bus.Pause(ctx, retry)
	}
	return t.Return()
}

// hold keeps others from getting a task until release is called.
func hold(t *bus.Task, lease time.Duration) (release func()) {
	ctx, cancel := context.WithCancel(context.Background())
	var holding sync.WaitGroup
	holding.Go(func() {
		for bus.Pause(ctx, lease/3) {
			_ = t.Hold() // comes again before the lease ends
		}
	})
	return func() { cancel(); holding.Wait() }
}
