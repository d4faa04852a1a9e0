package bus

import (
	"testing"
	"time"

	"rig.example/rig/internal/connect/session/keys"
	"rig.example/rig/test/level"
)

// A host that is killed does not release its claim: another waits for the end of the lease.
func TestAClaimEndsWithItsLease(t *testing.T) {
	level.SkipIfQuick(t)
	h := host(t, "monza")
	dead, next := h.own(keys.HostFile), h.own(keys.HostFile)
	ctx := until(t)
	_, lost, err := dead.claim(ctx, "monza", "machine a", time.Second)
	if err != nil {
		t.Fatal(err)
	}
	dead.Close()
	release, _, err := next.claim(ctx, "monza", "machine b", time.Second)
	if err != nil {
		t.Fatal(err)
	}
	release()
	receive(t, lost, "the loss of the claim, which nobody renews")
}

// A host learns that another has taken its claim, as it can when its machine was suspended.
func TestAClaimOfAnotherIsLost(t *testing.T) {
	h := host(t, "monza")
	first, second := h.own(keys.HostFile), h.own(keys.HostFile)
	ctx := until(t)
	_, lost, err := first.claim(ctx, "monza", "machine a", time.Second)
	if err != nil {
		t.Fatal(err)
	}
	bucket, err := second.bucket(ctx, "monza", time.Second)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := bucket.Put(ctx, claimKey, []byte("other machine b")); err != nil {
		t.Fatal(err)
	}
	receive(t, lost, "the loss of the claim")
}

// A claim that is renewed outlives its lease, also when an answer of the server was lost.
func TestAClaimIsRenewed(t *testing.T) {
	h := host(t, "monza")
	first := h.own(keys.HostFile)
	ctx := until(t)
	bucket, err := first.bucket(ctx, "monza", lease)
	if err != nil {
		t.Fatal(err)
	}
	revision, err := bucket.Create(ctx, claimKey, []byte("random machine a"))
	if err != nil {
		t.Fatal(err)
	}
	c := &claim{bucket: bucket, value: "random machine a", revision: revision, lease: lease}
	for range 3 {
		if ours, err := c.again(ctx); !ours || err != nil {
			t.Fatalf("renewed: %t, %v", ours, err)
		}
	}
	if entry, err := bucket.Get(ctx, claimKey); err != nil || entry.Revision() != revision+3 || c.revision != revision+3 {
		t.Errorf("revision %d after three times, %v", c.revision, err)
	}
	c.revision -= 2
	if ours, err := c.again(ctx); ours || err == nil {
		t.Errorf("with an old number: %t, %v; want not known", ours, err)
	}
	if ours, err := c.again(ctx); !ours || err != nil {
		t.Errorf("after it: %t, %v", ours, err)
	}
}
