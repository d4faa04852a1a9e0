package bus

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"rig.example/rig/internal/connect/session"
	"rig.example/rig/internal/connect/session/keys"
	"rig.example/rig/test/cluster"
	"rig.example/rig/test/level"
)

// onCluster returns three servers of a user, and a session with three rigs on them.
func onCluster(t *testing.T) (*cluster.Cluster, *keys.Folder, []*storing) {
	t.Helper()
	f, err := keys.OpenFolder(t.TempDir(), "monza")
	if err != nil {
		t.Fatal(err)
	}
	var invitations []keys.Invitation
	for _, name := range []session.ID{"alice", "bob", "carl"} {
		i, err := f.Invite(name, session.Rig, nil)
		if err != nil {
			t.Fatal(err)
		}
		invitations = append(invitations, i)
	}
	c := cluster.New(t, f, cluster.Options{})
	ca, err := os.ReadFile(c.CA())
	if err != nil {
		t.Fatal(err)
	}
	if err := f.UseServers(keys.Servers{URLs: c.URLs(), CA: string(ca)}, false); err != nil {
		t.Fatal(err)
	}
	var rigs []*storing
	for _, i := range invitations {
		i.URLs, i.CA, i.ServerName = c.URLs(), string(ca), ""
		rigs = append(rigs, &storing{member: i.Member, bus: soon(t, i)})
	}
	return c, f, rigs
}

// soon connects as soon as the servers answer.
func soon(t *testing.T, i keys.Invitation) *Bus {
	t.Helper()
	ctx := until(t)
	for {
		b, err := Connect(ctx, i, Options{Log: quiet})
		if err == nil {
			t.Cleanup(b.Close)
			return b
		}
		if ctx.Err() != nil {
			t.Fatal(err)
		}
		time.Sleep(50 * time.Millisecond)
	}
}

func TestAClusterLosesNothingWithItsLeader(t *testing.T) {
	level.SkipIfQuick(t)
	c, f, rigs := onCluster(t)
	i, err := f.Host()
	if err != nil {
		t.Fatal(err)
	}
	control, second := soon(t, i), soon(t, i)
	ctx := until(t)
	for err = control.CreateStream(ctx, "monza"); err != nil; err = control.CreateStream(ctx, "monza") {
		if ctx.Err() != nil {
			t.Fatal(err)
		}
		time.Sleep(50 * time.Millisecond) // the servers have not found each other yet
	}
	release, _, err := control.Claim(ctx, "monza", "machine a")
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	if _, _, err := second.Claim(ctx, "monza", "machine b"); err == nil || !strings.Contains(err.Error(), "is hosted already, by machine a;") {
		t.Errorf("a second host: %v", err)
	}
	seen := followed(t, control)
	storeWhile(t, rigs, func(wait func(int64)) {
		for range level.Pick(1, 2, 6) {
			wait(50)
			n := leader(t, control)
			c.Kill(n)
			wait(50) // the other two go on
			c.Start(n)
			whole(t, control)
		}
		wait(1)
	})
	everyEventOnce(t, control, rigs)
	seen(rigs)
}

// info returns what the cluster says of the stream of events.
func info(t *testing.T, b *Bus) (*jetstream.StreamInfo, error) {
	ctx := until(t)
	stream, err := b.stream.Stream(ctx, session.StreamName("monza"))
	if err != nil {
		return nil, err
	}
	return stream.Info(ctx)
}

// leader returns the number of the server that leads the stream of events.
func leader(t *testing.T, b *Bus) int {
	t.Helper()
	info, err := info(t, b)
	if err != nil || info.Cluster == nil || info.Config.Replicas != 3 || !info.Config.DenyDelete {
		t.Fatalf("stream %+v, %v; want three replicas", info, err)
	}
	var n int
	if _, err := fmt.Sscanf(info.Cluster.Leader, "n%d", &n); err != nil {
		t.Fatalf("leader %q", info.Cluster.Leader)
	}
	return n - 1
}

// whole waits until all three servers have all events.
func whole(t *testing.T, b *Bus) {
	t.Helper()
	for ctx := until(t); ctx.Err() == nil; time.Sleep(50 * time.Millisecond) {
		info, err := info(t, b)
		if err != nil || info.Cluster == nil || info.Cluster.Leader == "" {
			continue
		}
		current := 0
		for _, r := range info.Cluster.Replicas {
			if r.Current && !r.Offline {
				current++
			}
		}
		if current == 2 {
			return
		}
	}
	t.Fatal("the server that was started again does not follow the others")
}
