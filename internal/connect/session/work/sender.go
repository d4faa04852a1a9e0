package work

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"rig.example/rig/internal/connect/session"
	"rig.example/rig/internal/connect/session/bus"
	"rig.example/rig/internal/connect/session/keys"
	"rig.example/rig/internal/kit/printable"
)

// sender hands out the units of one sweep.
type sender struct {
	*Node
	sweep   Sweep
	run     string
	crew    crew
	results string       // name of the queue of results
	missing map[int]bool // units without a result
	offered map[int]bool // those of them that this sender has put into the queue
	refused map[int]int  // how often a worker sent what is not a result of the unit
}

// Drive lets workers drive units of a sweep and calls done with each result as JSON, once for each unit. It returns the first
// error of done, bus.ErrRefused if the servers refuse the member's key, or the error of ctx. What was handed out then, workers still drive; the next Drive of the same sweep gets
// the results.
func (n *Node) Drive(ctx context.Context, sweep Sweep, units []int, done func(result []byte) error) error {
	if len(units) == 0 {
		return nil
	}
	ctx, stop := n.whileAdmitted(ctx)
	defer stop()
	s := &sender{Node: n, sweep: sweep, run: newToken(), results: "results-" + sweep.Digest, missing: map[int]bool{}, offered: map[int]bool{}, refused: map[int]int{}}
	s.crew.node = n
	var fault error // of done
	err := s.drive(ctx, units, func(result []byte) error { fault = done(result); return fault })
	switch {
	case err == nil || fault != nil:
		return err
	case n.Bus.IsRefused():
		return n.refusal()
	}
	return cmp.Or(context.Cause(ctx), err)
}

// refusal returns the error of a node whose key the servers refuse.
func (n *Node) refusal() error { return fmt.Errorf("session %s: %w", n.Session, bus.ErrRefused) }

// whileAdmitted returns a context that ends with bus.ErrRefused when the servers refuse the member's key. stop must be
// called.
func (n *Node) whileAdmitted(ctx context.Context) (_ context.Context, stop func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	go func() {
		select {
		case <-ctx.Done():
		case <-n.Bus.Refused():
			cancel(n.refusal())
		}
	}()
	return ctx, func() { cancel(nil) }
}

// drive hands units out until each has a result.
func (s *sender) drive(ctx context.Context, units []int, done func(result []byte) error) error {
	stop, err := s.begin(ctx)
	if err != nil {
		return err
	}
	defer stop()
	results, err := s.createQueues(ctx)
	if err != nil {
		return err
	}
	for _, i := range units {
		s.missing[i] = true
	}
	for len(s.missing) > 0 && ctx.Err() == nil {
		if units, err = s.offerSome(ctx, units); err != nil {
			return err
		}
		t, i, result := s.take(ctx, results)
		if t == nil {
			continue
		}
		if s.missing[i] {
			if err := done(result); err != nil {
				return err
			}
			delete(s.missing, i)
			delete(s.offered, i)
		}
		_ = t.Done() // else it comes again, and is not missing
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return s.Bus.DeleteQueue(ctx, s.Session, s.results)
}

// offerSome puts units into the queue: more than the workers drive at a time, so that none waits, and no more, so that
// little is left after Ctrl-C. It leaves out those whose result has come from an earlier run, and returns the rest.
func (s *sender) offerSome(ctx context.Context, units []int) (rest []int, err error) {
	for window := s.crew.parallel()*2 + 2; len(units) > 0 && len(s.offered) < window; units = units[1:] {
		i := units[0]
		if !s.missing[i] {
			continue
		}
		if err := s.offer(ctx, i); err != nil {
			return units, err
		}
		s.offered[i] = true
	}
	return units, nil
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
	return s.Bus.CreateQueue(ctx, s.Session, s.results, session.ResultSubject(s.Session, s.sweep.Digest), time.Minute)
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
		for ctx.Err() == nil {
			_ = s.Bus.Publish(session.OfferSubject(s.Session), offer{session.Protocol, s.Build, s.sweep.Digest}) // comes again
			s.crew.reportIf(s.Bus.Connected())
			bus.Pause(ctx, period)
		}
	})
	return func() { cancel(); announcing.Wait(); end() }, nil
}

// offer puts a unit into the queue. It tries until it is kept there, or ctx ends.
func (s *sender) offer(ctx context.Context, i int) error {
	text, err := json.Marshal(s.sweep.Unit(i))
	if err != nil {
		return err
	}
	const envelope = 1 << 10 // bytes of a message beside the unit
	if len(text) > keys.MaxPayload-envelope {
		return fmt.Errorf("work: the files of the car have %d kB, and a message at most %d: drive this sweep without --on", len(text)>>10, (keys.MaxPayload-envelope)>>10)
	}
	message := unit{s.sweep.Digest, printable.Line(s.sweep.Name), s.run, text}
	for ctx.Err() == nil {
		_, err = s.Bus.Store(ctx, session.UnitSubject(s.Session, s.queue()), fmt.Sprint("unit ", s.run, i), message)
		if err == nil {
			return nil
		}
		s.Log.Debug("work: a unit is sent again", "error", err)
		bus.Pause(ctx, retry)
	}
	return ctx.Err()
}

// take returns a result that came and the index of its unit, or a nil task if none did. A unit of which no result can be read is offered again, and after
// some attempts has an error as its result.
func (s *sender) take(ctx context.Context, results *bus.Queue) (t *bus.Task, index int, result []byte) {
	t, err := results.Take(ctx)
	if err != nil {
		s.Log.Debug("work: results cannot be read", "error", err)
		bus.Pause(ctx, retry)
	}
	if t == nil {
		return nil, 0, nil
	}
	var of struct {
		Index *int `json:"index"`
	}
	unreadable := json.Unmarshal(t.Data, &of)
	if of.Index != nil {
		index = *of.Index
	}
	if err = s.sweep.Check(t.Data); err == nil {
		return t, index, t.Data
	}
	s.Log.Warn("work: a worker sent what is not a result; it is ignored", "error", printable.Line(err.Error()))
	if unreadable == nil && of.Index != nil && s.offered[index] {
		if s.refused[index]++; s.refused[index] == maxAttempts {
			result, _ = json.Marshal(failed{index, fmt.Sprintf("workers sent %d times what is not a result", maxAttempts)}) // can always be done
			return t, index, result
		}
		s.run = newToken() // else the unit and its next result are taken for doubles
		if s.offer(ctx, index) != nil {
			return nil, 0, nil // ctx has ended
		}
	}
	_ = t.Done() // else it comes again
	return nil, 0, nil
}
