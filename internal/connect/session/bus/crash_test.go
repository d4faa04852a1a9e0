package bus

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/url"
	"os"
	"os/exec"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"rig.example/rig/internal/connect/session"
	"rig.example/rig/internal/connect/session/keys"
	"rig.example/rig/internal/connect/session/server"
	"rig.example/rig/test/level"
)

const asServer = "RIG_TEST_AS_SERVER" // folder and address of a server that the test binary then is

// The test binary is a session's server when it is told so, to be killed.
func TestMain(m *testing.M) {
	if root := os.Getenv(asServer); root != "" {
		f, err := keys.OpenFolder(root, "monza")
		if err == nil {
			var s *server.Server
			if s, err = server.Start(server.Options{Listen: os.Args[1], Folder: f, Log: quiet}); err == nil {
				fmt.Println(s.URL())
				_, _ = io.Copy(io.Discard, os.Stdin) // it ends with the test at the latest
				s.Close()
			}
		}
		fmt.Println(err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// killable is a server in a process of its own.
type killable struct {
	t      *testing.T
	root   string
	listen string
	cmd    *exec.Cmd
}

func (k *killable) start() {
	k.t.Helper()
	k.cmd = exec.Command(os.Args[0], k.listen)
	k.cmd.Env = append(os.Environ(), asServer+"="+k.root)
	in, err := k.cmd.StdinPipe()
	if err != nil {
		k.t.Fatal(err)
	}
	out, err := k.cmd.StdoutPipe()
	if err != nil {
		k.t.Fatal(err)
	}
	if err := k.cmd.Start(); err != nil {
		k.t.Fatal(err)
	}
	line := bufio.NewScanner(out)
	line.Scan()
	u, err := url.Parse(line.Text())
	if err != nil || u.Scheme != "tls" {
		k.t.Fatalf("the server said %q", line.Text())
	}
	k.listen = u.Host
	k.t.Cleanup(func() { in.Close() })
}

func (k *killable) kill() {
	_ = k.cmd.Process.Kill()
	_ = k.cmd.Wait() // its error is the signal
}

// storing stores numbered events of a member until end is closed: each until it is acknowledged.
type storing struct {
	member session.ID
	bus    *Bus
	stored atomic.Int64 // acknowledged
}

func (s *storing) run(ctx context.Context, end <-chan struct{}) error {
	for n := 0; ; n++ {
		if _, err := s.bus.Store(ctx, session.MemberEventSubject("monza", s.member), fmt.Sprint(n), n); err != nil {
			return fmt.Errorf("%s: event %d: %w", s.member, n, err)
		}
		s.stored.Add(1)
		select {
		case <-end:
			return nil
		default:
		}
	}
}

// storeWhile lets three members store events until work has ended, and returns how many each has stored. work gets a
// function that waits for a number of further events.
func storeWhile(t *testing.T, members []*storing, work func(wait func(events int64))) {
	ctx, end := until(t), make(chan struct{})
	var all sync.WaitGroup
	for _, m := range members {
		all.Go(func() {
			if err := m.run(ctx, end); err != nil {
				t.Error(err)
			}
		})
	}
	work(func(events int64) {
		for target := members[0].stored.Load() + events; members[0].stored.Load() < target && ctx.Err() == nil; {
			time.Sleep(time.Millisecond)
		}
	})
	close(end)
	all.Wait()
}

// everyEventOnce checks that each member's events are all there, in order, once.
func everyEventOnce(t *testing.T, control *Bus, members []*storing) {
	t.Helper()
	got := map[string][]string{}
	for _, event := range stored(t, control) {
		var subject, number string
		fmt.Sscan(event, &subject, &number)
		got[subject] = append(got[subject], number)
	}
	for _, m := range members {
		var want []string
		for n := range m.stored.Load() {
			want = append(want, fmt.Sprint(n))
		}
		if list := got["event.rig."+string(m.member)]; !slices.Equal(list, want) || len(want) == 0 {
			t.Errorf("%s: %d events were acknowledged, %d are there: %.300q", m.member, len(want), len(list), list)
		}
	}
}

func TestNoAcknowledgedEventIsLostWhenTheServerIsKilled(t *testing.T) {
	level.SkipIfQuick(t)
	k := &killable{t: t, root: t.TempDir(), listen: "127.0.0.1:0"}
	f, err := keys.OpenFolder(k.root, "monza")
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
	k.start()
	defer k.kill()
	var members []*storing
	for _, i := range invitations {
		i.URLs = []string{"tls://" + k.listen}
		members = append(members, &storing{member: i.Member, bus: connected(t, i)})
	}
	i, err := f.Host()
	if err != nil {
		t.Fatal(err)
	}
	control := connected(t, i)
	if err := control.CreateStream(until(t), "monza"); err != nil {
		t.Fatal(err)
	}
	seen := followed(t, control)
	storeWhile(t, members, func(wait func(int64)) {
		for range level.Pick(3, 20, 60) {
			wait(1 + rand.Int64N(30))
			k.kill()
			k.start()
		}
		wait(1)
	})
	everyEventOnce(t, control, members)
	seen(members)
}

// followed subscribes to the events. The function that it returns checks that all were seen once and in order, although
// the server was killed meanwhile.
func followed(t *testing.T, control *Bus) (check func([]*storing)) {
	t.Helper()
	var all sync.Mutex
	last, changed := uint64(0), make(chan struct{}, 1)
	_, stop, err := control.Events(t.Context(), "monza", 1, func(n uint64, _ string, _ []byte) {
		all.Lock()
		defer all.Unlock()
		if n != last+1 {
			t.Errorf("event %d was seen after event %d", n, last)
		}
		last = n
		select {
		case changed <- struct{}{}:
		default:
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(stop)
	return func(members []*storing) {
		t.Helper()
		want := int64(0)
		for _, m := range members {
			want += m.stored.Load()
		}
		for {
			all.Lock()
			got := int64(last)
			all.Unlock()
			if got >= want {
				return
			}
			receive(t, changed, fmt.Sprintf("of %d events, those after %d", want, got))
		}
	}
}
