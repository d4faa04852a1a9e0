package bus

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"rig.example/rig/internal/connect/session"
	"rig.example/rig/internal/kit/printable"
)

// lease is how long a claim lasts without being renewed.
const lease = 15 * time.Second

// claimKey is the key of a session's claim, in the session's own bucket.
const claimKey = "host"

// claim is that of one host. Its value names the host and has a random part, so that no other's is the same.
type claim struct {
	bucket   jetstream.KeyValue
	value    string
	revision uint64
	lease    time.Duration
	lost     chan struct{}
}

// heldError is that another has the claim.
type heldError struct {
	holder   string
	revision uint64 // changes with each renewal
}

func (e *heldError) Error() string {
	return fmt.Sprintf("it is hosted already, by %s; end it first or choose another name", printable.Name(e.holder))
}

// Claim makes this program the only host of a session on these servers, until release is called. holder names it for
// others, such as "machine, process 123". While another has a claim and renews it, this fails; a claim that is not renewed, because
// its host was killed, is waited for. lost is closed when the claim could not be renewed in time: the program must
// then stop hosting, because another may have begun.
func (b *Bus) Claim(ctx context.Context, s session.ID, holder string) (release func(), lost <-chan struct{}, err error) {
	return b.claim(ctx, s, holder, lease)
}

func (b *Bus) claim(ctx context.Context, s session.ID, holder string, lease time.Duration) (release func(), lost <-chan struct{}, err error) {
	c := &claim{value: rand.Text() + " " + holder, lease: lease, lost: make(chan struct{})}
	var began time.Time
	take := func(ctx context.Context) (err error) {
		began = time.Now()
		if c.bucket, err = b.bucket(ctx, s, lease); err == nil {
			err = c.create(ctx)
		}
		return err
	}
	var held *heldError
	seen, renewals := uint64(0), -1
	for err = repeat(ctx, take); errors.As(err, &held); err = repeat(ctx, take) {
		if held.revision > seen {
			if seen == 0 {
				b.log.Warn(fmt.Sprintf("session %s is claimed by %s; if that was killed, its claim ends within %v", s, printable.Name(held.holder), lease))
			}
			seen, renewals = held.revision, renewals+1
		}
		// One renewal may have been under way when the other was killed.
		if renewals == 2 || !Pause(ctx, lease/15) {
			break
		}
	}
	if err != nil {
		return nil, nil, fmt.Errorf("session %s cannot be hosted here: %w", s, err)
	}
	renewing, end := context.WithCancel(context.Background())
	var done sync.WaitGroup
	done.Go(func() { c.renew(renewing, began) })
	return sync.OnceFunc(func() { end(); done.Wait(); c.release() }), c.lost, nil
}

// bucket returns the bucket of a session's claim, and makes it if it is not there yet.
func (b *Bus) bucket(ctx context.Context, s session.ID, lease time.Duration) (kv jetstream.KeyValue, err error) {
	kv, err = b.stream.KeyValue(ctx, session.ClaimBucket(s))
	if !errors.Is(err, jetstream.ErrBucketNotFound) {
		return kv, err
	}
	err = onReplicas(func(n int) (err error) {
		kv, err = b.stream.CreateKeyValue(ctx, jetstream.KeyValueConfig{Bucket: session.ClaimBucket(s), TTL: lease, Replicas: n})
		return err
	})
	return kv, err
}

// create makes the claim, which may have been made by an attempt before whose answer was lost.
func (c *claim) create(ctx context.Context) (err error) {
	c.revision, err = c.bucket.Create(ctx, claimKey, []byte(c.value))
	if !errors.Is(err, jetstream.ErrKeyExists) {
		return err
	}
	entry, err := c.bucket.Get(ctx, claimKey)
	switch {
	case errors.Is(err, jetstream.ErrKeyNotFound):
		return c.create(ctx) // it has ended meanwhile
	case err != nil:
		return err
	case string(entry.Value()) == c.value:
		c.revision = entry.Revision()
		return nil
	}
	_, holder, _ := strings.Cut(string(entry.Value()), " ")
	return &heldError{holder, entry.Revision()}
}

// renew renews the claim, which was made or renewed at a time, until ctx ends or the claim is lost.
func (c *claim) renew(ctx context.Context, renewed time.Time) {
	tick := time.NewTicker(c.lease / 5)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		began := time.Now()
		switch ours, err := c.again(ctx); {
		case ctx.Err() != nil:
			return
		case err == nil && ours:
			renewed = began
		case err == nil || time.Since(renewed) > c.lease*2/3:
			close(c.lost)
			return
		}
	}
}

// again renews the claim once. It reports whether the claim is still this program's; an error means that this is
// unknown.
func (c *claim) again(ctx context.Context) (ours bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, c.lease/5)
	defer cancel()
	revision, err := c.bucket.Update(ctx, claimKey, []byte(c.value), c.revision)
	if err == nil {
		c.revision = revision
		return true, nil
	}
	// The claim has ended, or is another's, or it was renewed before and the answer was lost.
	entry, missing := c.bucket.Get(ctx, claimKey)
	switch {
	case errors.Is(missing, jetstream.ErrKeyNotFound):
		return false, nil
	case missing != nil:
		return false, err
	case string(entry.Value()) != c.value:
		return false, nil
	}
	c.revision = entry.Revision()
	return false, err
}

// release ends the claim, so that another can be made at once. Without a connection it ends with its lease.
func (c *claim) release() {
	ctx, cancel := context.WithTimeout(context.Background(), c.lease/5)
	defer cancel()
	_ = c.bucket.Delete(ctx, claimKey, jetstream.LastRevision(c.revision))
}
