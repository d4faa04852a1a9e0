package bus

import (
	"context"
	"io"
	"log/slog"
	"path/filepath"
	"testing"
	"time"

	"rig.example/rig/internal/connect/session"
	"rig.example/rig/internal/connect/session/keys"
	"rig.example/rig/internal/connect/session/server"
	"rig.example/rig/test/level"
)

// hang ends a test that waits for what does not come.
const hang = 5 * time.Minute

var quiet = slog.New(slog.NewTextHandler(io.Discard, nil))

// hosted is a session with a server of its own.
type hosted struct {
	t      *testing.T
	folder *keys.Folder
	server *server.Server
}

// host starts a server for a session.
func host(t *testing.T, s session.ID) *hosted {
	t.Helper()
	f, err := keys.OpenFolder(t.TempDir(), s)
	if err != nil {
		t.Fatal(err)
	}
	h := &hosted{t: t, folder: f}
	h.start("127.0.0.1:0")
	return h
}

func (h *hosted) start(listen string) {
	h.t.Helper()
	var err error
	if h.server, err = server.Start(server.Options{Listen: listen, Folder: h.folder, Log: quiet}); err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(h.server.Close)
}

// invite makes a member and lets it in.
func (h *hosted) invite(member session.ID, role session.Role) keys.Invitation {
	h.t.Helper()
	i, err := h.folder.Invite(member, role, nil)
	if err != nil {
		h.t.Fatal(err)
	}
	h.reload()
	return i
}

func (h *hosted) reload() {
	h.t.Helper()
	members, err := h.folder.Members()
	if err == nil {
		err = h.server.Reload(members)
	}
	if err != nil {
		h.t.Fatal(err)
	}
}

// own returns the connection of host or race control, by the name of its file.
func (h *hosted) own(file string) *Bus {
	h.t.Helper()
	i, err := keys.Read(filepath.Join(h.folder.Path(file)))
	if err != nil {
		h.t.Fatal(err)
	}
	return connected(h.t, i)
}

func connected(t *testing.T, i keys.Invitation) *Bus {
	t.Helper()
	b, err := Connect(until(t), i, Options{Name: t.Name(), Log: quiet})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	return b
}

func until(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), hang)
	t.Cleanup(cancel)
	return ctx
}

func receive[T any](t *testing.T, c <-chan T, what string) (v T) {
	t.Helper()
	select {
	case v = <-c:
	case <-time.After(hang):
		t.Fatalf("%s: nothing came", what)
	}
	return v
}

func TestMessagesRequestsAndEvents(t *testing.T) {
	h := host(t, "monza")
	alice, control := connected(t, h.invite("alice", session.Rig)), h.own(keys.HostFile)
	ctx := until(t)
	if err := control.CreateStream(ctx, "monza"); err != nil {
		t.Fatal(err)
	}
	if err := control.CreateStream(ctx, "monza"); err != nil {
		t.Fatal("a stream that is there already:", err)
	}

	boards := make(chan string, 1)
	if _, err := alice.Subscribe(session.BoardSubject("monza"), func(_ string, data []byte) { boards <- string(data) }); err != nil {
		t.Fatal(err)
	}
	if _, err := control.Serve(session.JoinSubject("monza", "*"), func(subject string, _ []byte) any {
		return session.Joined{Session: "monza", Slot: len(subject)}
	}); err != nil {
		t.Fatal(err)
	}
	flush(t, alice, control)
	if err := control.Publish(session.BoardSubject("monza"), 7); err != nil {
		t.Fatal(err)
	}
	if got := receive(t, boards, "a board"); got != "7" {
		t.Errorf("a board of %s", got)
	}
	var joined session.Joined
	if err := alice.Request(ctx, session.JoinSubject("monza", "alice"), session.Join{}, &joined); err != nil || joined.Session != "monza" || joined.Slot != len("rig.session.monza.join.alice") {
		t.Errorf("joined as %+v, %v", joined, err)
	}

	for n, id := range []string{"a", "b", "b", "c"} {
		sequence, err := alice.Store(ctx, session.MemberEventSubject("monza", "alice"), id, id)
		if want := []uint64{1, 2, 2, 3}[n]; err != nil || sequence != want {
			t.Errorf("event %s was kept as number %d, %v; want %d", id, sequence, err, want)
		}
	}
	got := make(chan string, 10)
	caughtUp, stop, err := control.Events(ctx, "monza", 2, func(n uint64, _ string, data []byte) { got <- string(data) })
	if err != nil {
		t.Fatal(err)
	}
	defer stop()
	receive(t, caughtUp, "the end of the kept events")
	if _, err := control.Store(ctx, session.HostEventSubject("monza"), "a", "host's a"); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"b"`, `"c"`, `"host's a"`} {
		if event := receive(t, got, "an event"); event != want {
			t.Errorf("event %s, want %s", event, want)
		}
	}
}

// flush waits until the server has all subscriptions of some connections.
func flush(t *testing.T, all ...*Bus) {
	t.Helper()
	for _, b := range all {
		if err := b.nats.FlushTimeout(hang); err != nil {
			t.Fatal(err)
		}
	}
}

func TestOneHostOfASession(t *testing.T) {
	level.SkipIfQuick(t)
	h := host(t, "monza")
	first, second := h.own(keys.HostFile), h.own(keys.HostFile)
	ctx := until(t)
	release, lost, err := first.Claim(ctx, "monza", "machine a")
	if err != nil {
		t.Fatal(err)
	}
	const want = "session monza cannot be hosted here: it is hosted already, by machine a; end it first or choose another name"
	if _, _, err := second.Claim(ctx, "monza", "machine b"); err == nil || err.Error() != want {
		t.Errorf("a second host: %v; want %s", err, want)
	}
	release()
	release, _, err = second.Claim(ctx, "monza", "machine b")
	if err != nil {
		t.Fatal("after the first has released it:", err)
	}
	release()
	select {
	case <-lost:
		t.Error("a claim that was released is said to be lost")
	default:
	}
}

func TestSubjectsOfASubscription(t *testing.T) {
	for _, c := range []struct {
		pattern, subject string
		want             bool
	}{
		{"a.b", "a.b", true}, {"a.b", "a.c", false}, {"a.b", "a", false}, {"a.b", "a.b.c", false}, {"a.*", "a.b", true}, {"a.*", "a.b.c", false},
		{"a.*.c", "a.b.c", true}, {"a.*.c", "a.b.d", false}, {"a.>", "a.b.c", true}, {"a.>", "a", false}, {"a.>", "b.c", false},
	} {
		if got := matches(c.pattern, c.subject); got != c.want {
			t.Errorf("%s, %s: %t", c.pattern, c.subject, got)
		}
	}
}
