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
	"rig.example/rig/internal/connect/session"
)

// Limits of a session's events. A hostile rig can fill only its own subject.
const (
	maxEvent          = 16 << 10 // [bytes]
	maxEventsOfMember = 50_000
	// An event that is sent again within this time is kept once.
	duplicateWindow = 7 * 24 * time.Hour
	replicas        = 3           // on clusters
	attemptTimeout  = time.Second // of a request; a server that is killed does not answer
	attemptPause    = 100 * time.Millisecond
	heartbeat       = 2 * time.Second // of a server that has no events; without two of them another one is asked
)

// Codes of errors of JetStream.
const (
	noCluster jetstream.ErrorCode = 10074 // replicas are asked for on a single server
	noPeers   jetstream.ErrorCode = 10005 // fewer servers of the cluster are there than replicas
	noLeader  jetstream.ErrorCode = 10008 // the cluster has no leader at the moment
	underway  jetstream.ErrorCode = 10158 // an event that was sent before, with the same id, is not kept yet
)

// isCode reports whether err is an error of JetStream with a code.
func isCode(err error, code jetstream.ErrorCode) bool {
	var fault jetstream.JetStreamError
	return errors.As(err, &fault) && fault.APIError() != nil && fault.APIError().ErrorCode == code
}

// CreateStream makes the stream of a session's events, if it is not there yet: with three replicas on a cluster, and
// one on a single server.
func (b *Bus) CreateStream(ctx context.Context, s session.ID) error {
	err := repeat(ctx, func(ctx context.Context) error {
		_, err := b.stream.Stream(ctx, session.StreamName(s))
		if !errors.Is(err, jetstream.ErrStreamNotFound) {
			return err
		}
		return onReplicas(func(n int) error {
			_, err := b.stream.CreateStream(ctx, streamOfEvents(s, n))
			return err
		})
	})
	if err != nil {
		return fmt.Errorf("session %s: its events cannot be kept: %w", s, err)
	}
	return nil
}

// streamOfEvents returns the stream of a session's events.
func streamOfEvents(s session.ID, replicas int) jetstream.StreamConfig {
	return jetstream.StreamConfig{
		Name:                 session.StreamName(s),
		Subjects:             []string{session.EventsSubject(s)},
		Storage:              jetstream.FileStorage,
		Replicas:             replicas,
		Discard:              jetstream.DiscardNew,
		MaxMsgSize:           maxEvent,
		MaxMsgsPerSubject:    maxEventsOfMember,
		DiscardNewPerSubject: true,
		Duplicates:           duplicateWindow,
		DenyDelete:           true,
		DenyPurge:            true,
	}
}

// onReplicas calls create for a cluster's number of replicas, or for one on a server that has no cluster.
func onReplicas(create func(n int) error) error {
	err := create(replicas)
	switch {
	case isCode(err, noCluster):
		return create(1)
	case isCode(err, noPeers):
		return fmt.Errorf("%w: %d servers of the cluster must run", err, replicas)
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
	err = repeat(ctx, func(ctx context.Context) error {
		ack, err := b.stream.PublishMsg(ctx, m)
		if err == nil {
			sequence = ack.Sequence
		}
		return err
	})
	return sequence, b.wrap(err)
}

// repeat calls request, each time for a limited time, until it succeeds, fails for good, or ctx ends.
func repeat(ctx context.Context, request func(context.Context) error) error {
	for {
		attempt, cancel := context.WithTimeout(ctx, attemptTimeout)
		err := request(attempt)
		cancel()
		if err == nil || !isPassing(err) || !Pause(ctx, attemptPause) {
			return err
		}
	}
}

// isPassing reports whether an error of a request to the servers may pass by itself: there is no connection, a cluster
// chooses a new leader, or is slow to keep an event.
func isPassing(err error) bool {
	return isCode(err, noLeader) || isCode(err, underway) || slices.ContainsFunc([]error{
		context.DeadlineExceeded, nats.ErrTimeout, nats.ErrNoResponders, jetstream.ErrNoStreamResponse, nats.ErrReconnectBufExceeded, nats.ErrDisconnected,
	}, func(passing error) bool { return errors.Is(err, passing) })
}

// Events calls f for all events that are kept, in their order and beginning with number from, and then for each new
// one, until stop is called or ctx ends. caughtUp is closed when those are through that were there at the call.
func (b *Bus) Events(ctx context.Context, s session.ID, from uint64, f func(sequence uint64, subject string, data []byte)) (caughtUp <-chan struct{}, stop func(), err error) {
	from = max(1, from)
	consumer, newest, err := b.consumer(ctx, s, from)
	if err != nil {
		return nil, nil, b.wrap(err)
	}
	done := make(chan struct{})
	var once sync.Once
	caught := func() { once.Do(func() { close(done) }) }
	if from > newest {
		caught()
	}
	next := from
	consuming, err := consumer.Consume(func(m jetstream.Msg) {
		meta, err := m.Metadata()
		if err != nil || meta.Sequence.Stream < next {
			return
		}
		next = meta.Sequence.Stream + 1
		if fromMember(m.Headers()) && matches(session.EventsSubject(s), m.Subject()) {
			f(meta.Sequence.Stream, m.Subject(), m.Data())
		}
		if meta.Sequence.Stream >= newest {
			caught()
		}
	}, jetstream.PullHeartbeat(heartbeat), jetstream.ConsumeErrHandler(func(_ jetstream.ConsumeContext, err error) { b.log.Debug("events", "error", err) }))
	if err != nil {
		return nil, nil, b.wrap(err)
	}
	detach := context.AfterFunc(ctx, consuming.Stop)
	return done, func() { detach(); consuming.Stop() }, nil
}

// consumer returns a reader of the events from a number on, and the number of the newest event.
func (b *Bus) consumer(ctx context.Context, s session.ID, from uint64) (c jetstream.Consumer, newest uint64, err error) {
	err = repeat(ctx, func(ctx context.Context) error {
		stream, err := b.stream.Stream(ctx, session.StreamName(s))
		if err != nil {
			return err
		}
		newest = stream.CachedInfo().State.LastSeq
		c, err = stream.OrderedConsumer(ctx, jetstream.OrderedConsumerConfig{
			DeliverPolicy: jetstream.DeliverByStartSequencePolicy, OptStartSeq: from,
		})
		return err
	})
	return c, newest, err
}
