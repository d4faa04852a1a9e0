package work

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"rig.example/rig/internal/lab/sweep"
	"rig.example/rig/internal/printable"
	"rig.example/rig/internal/session"
	"rig.example/rig/internal/session/bus"
	"rig.example/rig/internal/session/keys"
)

// sender hands out the units of one sweep.
type sender struct {
	*Node
	plan    *sweep.Plan
	run     string
	crew    crew
	results string // name of the queue of results
}

// Drive lets workers drive units of a sweep and calls done with each result, once for each unit. It returns the first
// error of done, or that of ctx. What was handed out then, workers still drive; the next Drive of the same sweep gets
// the results.
func (n *Node) Drive(ctx context.Context, p *sweep.Plan, units []int, done func(sweep.Result) error) error {
	if len(units) == 0 {
		return nil
	}
	s := &sender{Node: n, plan: p, run: newToken(), results: "results-" + p.Digest()}
	s.crew.node = n
	stop, err := s.begin(ctx)
	if err != nil {
		return err
	}
	defer stop()
	results, err := s.createQueues(ctx)
	if err != nil {
		return err
	}
	missing := map[int]bool{}
	for _, i := range units {
		missing[i] = true
	}
	for out := 0; len(missing) > 0 && ctx.Err() == nil; {
		// More than the workers drive at a time, so that none waits, and no more, so that little is left after Ctrl-C.
		for window := s.crew.parallel()*2 + 2; len(units) > 0 && out < window; out++ {
			if err := s.offer(ctx, units[0]); err != nil {
				return err
			}
			units = units[1:]
		}
		t, r := s.take(ctx, results)
		if t == nil {
			continue
		}
		if missing[r.Index] {
			if err := done(r); err != nil {
				return err
			}
			delete(missing, r.Index)
			out--
		}
		_ = t.Done() // else it comes again, and is not missing
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return n.Bus.DeleteQueue(ctx, n.Session, s.results)
}

// newToken returns a random token.
func newToken() string {
	var random [8]byte
	rand.Read(random[:]) // never fails
	return hex.EncodeToString(random[:])
}

// createQueues makes the queues of units and of results.
func (s *sender) createQueues(ctx context.Context) (results *bus.Queue, err error) {
	if err := s.Bus.CreateWork(ctx, s.Session); err != nil {
		return nil, err
	}
	if _, err := s.Bus.CreateQueue(ctx, s.Session, s.queue(), session.UnitSubject(s.Session, s.queue()), s.lease()); err != nil {
		return nil, err
	}
	return s.Bus.CreateQueue(ctx, s.Session, s.results, session.ResultSubject(s.Session, s.plan.Digest()), time.Minute)
}

// begin announces the sweep and listens for workers until stop is called.
func (s *sender) begin(ctx context.Context) (stop func(), err error) {
	end, err := s.Bus.Subscribe(session.WorkerSubject(s.Session, "*"), s.crew.hear)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	var announcing sync.WaitGroup
	announcing.Go(func() {
		for wait(ctx, 0); ctx.Err() == nil; wait(ctx, period) {
			_ = s.Bus.Publish(session.OfferSubject(s.Session), offer{session.Protocol, s.Build, s.plan.Digest()}) // comes again
			s.crew.report()
		}
	})
	return func() { cancel(); announcing.Wait(); end() }, nil
}

// offer puts a unit into the queue. It tries until it is kept there, or ctx ends.
func (s *sender) offer(ctx context.Context, i int) error {
	text, err := json.Marshal(s.plan.Unit(i))
	if err != nil {
		return err
	}
	const envelope = 1 << 10 // bytes of a message beside the unit
	if len(text) > keys.MaxPayload-envelope {
		return fmt.Errorf("work: the files of the car have %d kB, and a message at most %d: drive this sweep without --on", len(text)>>10, (keys.MaxPayload-envelope)>>10)
	}
	message := unit{s.plan.Digest(), printable.Line(s.plan.String()), s.run, text}
	for ctx.Err() == nil {
		_, err = s.Bus.Store(ctx, session.UnitSubject(s.Session, s.queue()), fmt.Sprint("unit ", s.run, i), message)
		if err == nil {
			return nil
		}
		s.Log.Debug("work: a unit is sent again", "error", err)
		wait(ctx, retry)
	}
	return ctx.Err()
}

// take returns a result that came, or nil if none did.
func (s *sender) take(ctx context.Context, results *bus.Queue) (*bus.Task, sweep.Result) {
	t, err := results.Take(ctx)
	if err != nil {
		s.Log.Debug("work: results cannot be read", "error", err)
		wait(ctx, retry)
	}
	if t == nil {
		return nil, sweep.Result{}
	}
	r, err := s.plan.ParseResult(t.Data)
	if err != nil {
		s.Log.Warn("work: a worker sent what is not a result; it is ignored", "error", printable.Line(err.Error()))
		_ = t.Done() // else it comes again
		return nil, sweep.Result{}
	}
	return t, r
}

// wait returns after d, or when ctx ends.
func wait(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}
