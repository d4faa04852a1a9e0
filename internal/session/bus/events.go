package bus

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"rig.example/rig/internal/session"
)

// Limits of a session's events. A hostile rig can fill only its own subject.
const (
	maxEvent          = 16 << 10 // [bytes]
	maxEventsOfMember = 50_000
	// An event that is sent again within this time is kept once.
	duplicateWindow = 7 * 24 * time.Hour
	replicas        = 3 // on clusters
	storeTimeout    = time.Second
	storePause      = 100 * time.Millisecond
)

// noCluster is the server's code for a request for replicas when it has no cluster.
const noCluster jetstream.ErrorCode = 10074

// CreateStream makes the stream of a session's events, if it is not there yet: with three replicas on a cluster, and
// one on a single server.
func (b *Bus) CreateStream(ctx context.Context, s session.ID) error {
	_, err := b.stream.Stream(ctx, session.StreamName(s))
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		err = onReplicas(func(n int) error {
			_, err := b.stream.CreateStream(ctx, jetstream.StreamConfig{
				Name:                 session.StreamName(s),
				Subjects:             []string{session.EventsSubject(s)},
				Storage:              jetstream.FileStorage,
				Replicas:             n,
				Discard:              jetstream.DiscardNew,
				MaxMsgSize:           maxEvent,
				MaxMsgsPerSubject:    maxEventsOfMember,
				DiscardNewPerSubject: true,
				Duplicates:           duplicateWindow,
				DenyDelete:           true,
				DenyPurge:            true,
			})
			return err
		})
	}
	if err != nil {
		return fmt.Errorf("session %s: its events cannot be kept: %w", s, err)
	}
	return nil
}

// onReplicas calls create for a cluster's number of replicas, or for one on a server that has no cluster.
func onReplicas(create func(n int) error) error {
	err := create(replicas)
	var fault jetstream.JetStreamError
	if errors.As(err, &fault) && fault.APIError() != nil && fault.APIError().ErrorCode == noCluster {
		return create(1)
	}
	return err
}

// Store keeps v, and returns its number in the stream when it is on the disk. Without an answer it sends v again until
// ctx ends. After an error v may be kept or not: store it again with the same id, and it is kept once. An id is a
// member's own: those of others do not count.
func (b *Bus) Store(ctx context.Context, subject, id string, v any) (sequence uint64, err error) {
	m, err := message(subject, v)
	if err != nil {
		return 0, err
	}
	secret := sha256.Sum256([]byte(b.member.Seed + "\n" + id)) // no other member can use it first
	m.Header.Set(nats.MsgIdHdr, hex.EncodeToString(secret[:16]))
	for {
		sequence, err = b.store(ctx, m)
		if err == nil || !isPassing(err) {
			return sequence, b.wrap(err)
		}
		select {
		case <-ctx.Done():
			return 0, b.wrap(err)
		case <-time.After(storePause):
		}
	}
}

// store sends a message to its stream once.
func (b *Bus) store(ctx context.Context, m *nats.Msg) (sequence uint64, err error) {
	ctx, cancel := context.WithTimeout(ctx, storeTimeout)
	defer cancel()
	ack, err := b.stream.PublishMsg(ctx, m)
	if err != nil {
		return 0, err
	}
	return ack.Sequence, nil
}

// isPassing reports whether an error of sending a message may pass by itself: there is no connection, or the servers
// choose a new leader for the stream.
func isPassing(err error) bool {
	return slices.ContainsFunc([]error{
		context.DeadlineExceeded, nats.ErrTimeout, nats.ErrNoResponders, jetstream.ErrNoStreamResponse, nats.ErrReconnectBufExceeded, nats.ErrDisconnected,
	}, func(passing error) bool { return errors.Is(err, passing) })
}

// Events calls f for all events that are kept, in their order and beginning with number from, and then for each new
// one, until stop is called or ctx ends. caughtUp is closed when those are through that were there at the call.
func (b *Bus) Events(ctx context.Context, s session.ID, from uint64, f func(sequence uint64, subject string, data []byte)) (caughtUp <-chan struct{}, stop func(), err error) {
	stream, err := b.stream.Stream(ctx, session.StreamName(s))
	if err != nil {
		return nil, nil, b.wrap(err)
	}
	done, newest := make(chan struct{}), stream.CachedInfo().State.LastSeq
	from = max(1, from)
	var once sync.Once
	caught := func() { once.Do(func() { close(done) }) }
	if from > newest {
		caught()
	}
	consumer, err := stream.OrderedConsumer(ctx, jetstream.OrderedConsumerConfig{
		DeliverPolicy: jetstream.DeliverByStartSequencePolicy, OptStartSeq: from,
	})
	if err != nil {
		return nil, nil, b.wrap(err)
	}
	next := from
	consuming, err := consumer.Consume(func(m jetstream.Msg) {
		meta, err := m.Metadata()
		if err != nil || meta.Sequence.Stream < next {
			return
		}
		next = meta.Sequence.Stream + 1
		if m.Headers().Get(headerKey) != "" {
			f(meta.Sequence.Stream, m.Subject(), m.Data())
		}
		if meta.Sequence.Stream >= newest {
			caught()
		}
	}, jetstream.ConsumeErrHandler(func(_ jetstream.ConsumeContext, err error) { b.log.Debug("events", "error", err) }))
	if err != nil {
		return nil, nil, b.wrap(err)
	}
	detach := context.AfterFunc(ctx, consuming.Stop)
	return done, func() { detach(); consuming.Stop() }, nil
}
