package bus

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"rig.example/rig/internal/connect/session"
	"rig.example/rig/internal/connect/session/keys"
)

// Limits of the stream of work.
const (
	maxWorkAge    = 7 * 24 * time.Hour
	maxWorkBytes  = 1 << 30
	workDuplicate = time.Hour       // a message that is stored again within this time is kept once
	takeWait      = 5 * time.Second // of Take for a message
)

// Queue is a queue of the stream of work. Each of its messages goes to one of those who take from it, at any time, and
// is removed when that one is done with it. If it dies, another one gets the message.
type Queue struct {
	bus      *Bus
	consumer jetstream.Consumer
	lease    time.Duration
}

// Task is a message of a queue that was taken.
type Task struct {
	Data     []byte
	Attempts int // how often the message was given to somebody, from 1
	message  jetstream.Msg
}

// ErrNoQueue is the error of OpenQueue for a queue that is not there.
var ErrNoQueue = errors.New("the session has no such queue of work")

// CreateWork makes the stream of work of a session, if it is not there yet. It keeps messages until they are done with.
func (b *Bus) CreateWork(ctx context.Context, s session.ID) error {
	_, err := b.stream.Stream(ctx, session.WorkStreamName(s))
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		err = onReplicas(func(n int) error {
			_, err := b.stream.CreateStream(ctx, jetstream.StreamConfig{
				Name:       session.WorkStreamName(s),
				Subjects:   []string{session.UnitSubject(s, "*"), session.ResultSubject(s, "*")},
				Retention:  jetstream.WorkQueuePolicy,
				Storage:    jetstream.FileStorage,
				Replicas:   n,
				Discard:    jetstream.DiscardNew,
				MaxMsgSize: keys.MaxPayload,
				MaxBytes:   maxWorkBytes,
				MaxAge:     maxWorkAge,
				Duplicates: workDuplicate,
			})
			return err
		})
	}
	if err != nil {
		return fmt.Errorf("session %s: its work cannot be kept: %w", s, err)
	}
	return nil
}

// CreateQueue makes a queue of the messages of a subject of the stream of work, if it is not there yet. A message that was
// taken and not held goes to somebody else after the lease.
func (b *Bus) CreateQueue(ctx context.Context, s session.ID, name, subject string, lease time.Duration) (*Queue, error) {
	const unlimited = 10_000 // tasks that are taken at a time
	c, err := b.stream.CreateOrUpdateConsumer(ctx, session.WorkStreamName(s), jetstream.ConsumerConfig{
		Durable:           name,
		FilterSubject:     subject,
		AckPolicy:         jetstream.AckExplicitPolicy,
		AckWait:           lease,
		MaxAckPending:     unlimited,
		InactiveThreshold: maxWorkAge,
	})
	if err != nil {
		return nil, b.wrap(err)
	}
	return &Queue{b, c, lease}, nil
}

// OpenQueue opens a queue that another member has made.
func (b *Bus) OpenQueue(ctx context.Context, s session.ID, name string) (*Queue, error) {
	c, err := b.stream.Consumer(ctx, session.WorkStreamName(s), name)
	switch {
	case errors.Is(err, jetstream.ErrConsumerNotFound), errors.Is(err, jetstream.ErrStreamNotFound):
		return nil, ErrNoQueue
	case err != nil:
		return nil, b.wrap(err)
	}
	return &Queue{b, c, c.CachedInfo().Config.AckWait}, nil
}

// DeleteQueue removes a queue, but not its messages.
func (b *Bus) DeleteQueue(ctx context.Context, s session.ID, name string) error {
	return b.wrap(b.stream.DeleteConsumer(ctx, session.WorkStreamName(s), name))
}

// Lease returns how long a task may go without being held.
func (q *Queue) Lease() time.Duration { return q.lease }

// Take returns the next task. It returns nil if none came within some seconds, or ctx has ended.
func (q *Queue) Take(ctx context.Context) (*Task, error) {
	batch, err := q.consumer.Fetch(1, jetstream.FetchMaxWait(takeWait))
	if err != nil {
		return nil, q.bus.wrap(err)
	}
	select {
	case <-ctx.Done():
		return nil, nil // what comes now is given to somebody else after the lease
	case m, ok := <-batch.Messages():
		if !ok {
			return nil, q.bus.wrap(batch.Error())
		}
		meta, err := m.Metadata()
		if err != nil || m.Headers().Get(headerKey) == "" { // not of a member
			return nil, q.bus.wrap(errors.Join(err, m.Term()))
		}
		return &Task{m.Data(), int(meta.NumDelivered), m}, nil
	}
}

// Hold begins the lease of the task anew.
func (t *Task) Hold() error { return t.message.InProgress() }

// Done removes the task. If the connection is lost at this moment it comes again.
func (t *Task) Done() error { return t.message.Ack() }

// Return gives the task to somebody else at once.
func (t *Task) Return() error { return t.message.Nak() }
