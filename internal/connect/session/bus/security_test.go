package bus

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nkeys"

	"rig.example/rig/internal/connect/session"
	"rig.example/rig/internal/connect/session/keys"
	"rig.example/rig/test/level"
)

// subjects are all kinds of subjects that a session knows or an attacker would try, for the member alice.
var subjects = []string{
	"board", "order", "host", "event.host", "event.rig.alice", "event.rig.bob", "event.rig.alice.x", "join.alice", "join.bob",
	"health.alice", "health.bob", "work.unit.x", "work.result.x", "work.offer", "work.worker.alice", "work.worker.bob", "_INBOX.monza.alice.x", "_INBOX.monza.bob.x", "_INBOX.x", "rig.session.spa.event.host",
	"rig.session.spa.event.rig.alice", "$KV.rig-claim-monza.host", "$KV.rig-claim-spa.host", "$JS.API.INFO",
	"$JS.API.STREAM.CREATE.x", "$JS.API.STREAM.CREATE.rig-events-monza", "$JS.API.STREAM.DELETE.rig-events-monza",
	"$JS.API.STREAM.PURGE.rig-events-monza", "$JS.API.STREAM.MSG.DELETE.rig-events-monza", "$JS.API.STREAM.MSG.GET.rig-events-monza",
	"$JS.API.STREAM.INFO.rig-events-spa", "$JS.API.STREAM.NAMES", "$JS.API.CONSUMER.CREATE.rig-events-monza.x",
	"$JS.API.CONSUMER.CREATE.rig-work-monza.x", "$JS.API.CONSUMER.MSG.NEXT.rig-work-monza.x", "$JS.ACK.rig-work-monza.x.1.1.1.1.1",
	"$JS.API.STREAM.CREATE.rig-work-monza", "$SYS.REQ.SERVER.PING", "anything",
}

// patterns are subscriptions, likewise.
var patterns = []string{
	">", "rig.>", "rig.session.monza.>", "rig.session.*.board", "board", "order", "event.>", "event.host", "event.rig.bob", "health.*", "health.bob",
	"join.*", "join.alice", "host", "work.>", "work.unit.*", "work.offer", "_INBOX.>", "_INBOX.monza.>", "_INBOX.monza.*.>", "_INBOX.monza.bob.>", "_INBOX.monza.alice.>",
	"rig.session.spa.board", "$KV.rig-claim-monza.>", "$JS.>", "$SYS.>",
}

// allowed lists all of subjects and patterns that a role may use. All others are refused.
var allowed = map[session.Role]struct{ publish, subscribe string }{
	session.Rig:     {"host event.rig.alice join.alice health.alice", "board event.host _INBOX.monza.alice.>"},
	session.Watcher: {"host", "board event.> event.host event.rig.bob health.* health.bob _INBOX.monza.alice.>"},
	session.Official: {"host order work.unit.x work.result.x work.offer work.worker.alice work.worker.bob $JS.API.INFO $JS.API.CONSUMER.CREATE.rig-work-monza.x $JS.API.CONSUMER.MSG.NEXT.rig-work-monza.x" +
		" $JS.ACK.rig-work-monza.x.1.1.1.1.1 $JS.API.STREAM.CREATE.rig-work-monza",
		"board event.> event.host event.rig.bob health.* health.bob work.> work.unit.* work.offer _INBOX.monza.alice.>"},
	session.Worker: {"work.result.x work.worker.alice $JS.API.CONSUMER.MSG.NEXT.rig-work-monza.x $JS.ACK.rig-work-monza.x.1.1.1.1.1", "work.offer _INBOX.monza.alice.>"},
}

// full returns a subject of subjects or patterns with what they leave out.
func full(subject string) string {
	if strings.ContainsAny(subject[:1], "_$>") || strings.HasPrefix(subject, "rig.") || subject == "anything" {
		return subject
	}
	return session.Subject("monza", subject)
}

// refuses reports whether the server refused what try does on a connection.
func refuses(t *testing.T, c *nats.Conn, try func() error) bool {
	t.Helper()
	before := c.LastError()
	if err := errors.Join(try(), c.FlushTimeout(hang)); err != nil {
		t.Fatal(err)
	}
	after := c.LastError()
	return after != before && errors.Is(after, nats.ErrPermissionViolation)
}

func TestEachRoleHasItsOwnSubjectsAlone(t *testing.T) {
	for role, may := range allowed {
		h := host(t, "monza")
		c := connected(t, h.invite("alice", role)).nats
		for _, s := range subjects {
			want := slices.Contains(strings.Fields(may.publish), s)
			if got := !refuses(t, c, func() error { return c.Publish(full(s), nil) }); got != want {
				t.Errorf("%s may publish on %s: %t, want %t", role, s, got, want)
			}
		}
		for _, s := range patterns {
			want := slices.Contains(strings.Fields(may.subscribe), s)
			got := !refuses(t, c, func() error {
				_, err := c.Subscribe(full(s), func(*nats.Msg) {})
				return err
			})
			if got != want {
				t.Errorf("%s may subscribe to %s: %t, want %t", role, s, got, want)
			}
		}
	}
}

// all counts what the host of a session receives from members.
func all(t *testing.T, control *Bus) chan string {
	t.Helper()
	seen := make(chan string, 100)
	if _, err := control.nats.Subscribe(session.Subject("monza", ">"), func(m *nats.Msg) { seen <- m.Subject + " " + string(m.Data) }); err != nil {
		t.Fatal(err)
	}
	flush(t, control)
	return seen
}

// only checks that the host has seen nothing before a message of its own.
func only(t *testing.T, control *Bus, seen chan string) {
	t.Helper()
	if err := control.Publish(session.BoardSubject("monza"), "end"); err != nil {
		t.Fatal(err)
	}
	if got := receive(t, seen, "the host's own message"); got != `rig.session.monza.board "end"` {
		t.Errorf("the host has seen %q", got)
	}
}

func TestNothingWithoutTheKey(t *testing.T) {
	level.SkipIfQuick(t)
	h, other := host(t, "monza"), host(t, "spa")
	control := h.own(keys.HostFile)
	seen := all(t, control)
	good := h.invite("alice", session.Rig)
	strange, spa := good, other.invite("alice", session.Rig)
	pair, err := nkeys.CreateUser()
	if err != nil {
		t.Fatal(err)
	}
	seed, _ := pair.Seed()
	strange.Seed = string(seed)
	spa.URLs, spa.CA, spa.ServerName = good.URLs, good.CA, good.ServerName
	for name, i := range map[string]keys.Invitation{"a key that nobody made": strange, "a key of another session": spa} {
		_, err := Connect(until(t), i, Options{Log: quiet})
		if !errors.Is(err, ErrRefused) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", name, err)
		}
	}
	options := []nats.Option{nats.Secure(tlsConfig(&good))}
	alice, err := nkeys.FromSeed([]byte(good.Seed))
	if err != nil {
		t.Fatal(err)
	}
	name, _ := alice.PublicKey()
	for name, more := range map[string]nats.Option{
		"no key": nats.Name("x"), "a password": nats.UserInfo("host", "host"), "a token": nats.Token("x"),
		"a name alone":                  nats.Nkey(name, func([]byte) ([]byte, error) { return nil, nil }),
		"a name, signed by another":     nats.Nkey(name, pair.Sign),
		"a name, another nonce signed":  nats.Nkey(name, func(nonce []byte) ([]byte, error) { return alice.Sign(append(nonce, 0)) }),
		"a name, but not that of a key": nats.Nkey("alice", alice.Sign),
	} {
		if c, err := nats.Connect(good.URLs[0], append(options, more)...); !errors.Is(err, nats.ErrAuthorization) {
			t.Errorf("%s: %v, %v", name, c, err)
		}
	}
	wrong := good
	wrong.CA = other.invite("bob", session.Rig).CA
	if _, err := Connect(until(t), wrong, Options{Log: quiet}); err == nil || !strings.Contains(err.Error(), "the server there is not that of the session") {
		t.Errorf("a server with another certificate: %v", err)
	}
	plain(t, good.URLs[0])
	only(t, control, seen)
}

// The host learns of a new key a moment after it was made. A refusal until then is none, and its words may be lost on the way.
func TestTheFirstRefusalsOfAKeyAreRepeated(t *testing.T) {
	reset := &net.OpError{Op: "read", Err: syscall.ECONNRESET}
	none := fmt.Errorf("%w by itself", nats.ErrNoServers)
	for name, tt := range map[string]struct {
		answers []error // the last one again and again
		want    error
		calls   int
	}{
		"known at once":        {[]error{nil}, nil, 1},
		"known after a moment": {[]error{nats.ErrAuthorization, reset, io.EOF, nil}, nil, 4},
		"never known":          {[]error{nats.ErrAuthorization}, nats.ErrAuthorization, refusals},
		"without the words":    {[]error{reset, nats.ErrAuthorization, reset}, nats.ErrAuthorization, refusals},
		"only ends":            {[]error{reset}, reset, refusals},
		"nobody there":         {[]error{none}, none, 1},
	} {
		synctest.Test(t, func(t *testing.T) {
			calls := 0
			err := untilKnown(t.Context(), func() error {
				calls++
				return tt.answers[min(calls, len(tt.answers))-1]
			})
			if !errors.Is(err, tt.want) || calls != tt.calls {
				t.Errorf("%s: %v after %d calls; want %v after %d", name, err, calls, tt.want, tt.calls)
			}
		})
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	calls := 0
	if err := untilKnown(ctx, func() error { calls++; return nats.ErrAuthorization }); !isRefusal(err) || calls != 1 {
		t.Errorf("without time: %v after %d calls", err, calls)
	}
}

// plain sends a message to a server without TLS, and checks that the server closes the connection.
func plain(t *testing.T, at string) {
	t.Helper()
	u, err := url.Parse(at)
	if err != nil {
		t.Fatal(err)
	}
	c, err := net.Dial("tcp", u.Host)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	lines := bufio.NewScanner(c)
	if !lines.Scan() || !strings.HasPrefix(lines.Text(), "INFO ") || !strings.Contains(lines.Text(), `"tls_required":true`) {
		t.Errorf("the server begins with %q", lines.Text())
	}
	fmt.Fprintf(c, "CONNECT {\"verbose\":false}\r\nPUB rig.session.monza.board 1\r\nx\r\nSUB > 1\r\nPING\r\n")
	for lines.Scan() {
		if text := lines.Text(); strings.HasPrefix(text, "PONG") || strings.HasPrefix(text, "MSG") || strings.HasPrefix(text, "+OK") {
			t.Errorf("the server answered without TLS: %q", text)
		}
	}
}

func TestARevokedMemberIsDisconnectedAndTheOthersAreNot(t *testing.T) {
	level.SkipIfQuick(t)
	h := host(t, "monza")
	control := h.own(keys.HostFile)
	i := h.invite("alice", session.Rig)
	changes := make(chan bool, 10)
	alice, err := Connect(until(t), i, Options{Log: quiet, Changed: func(connected bool) { changes <- connected }})
	if err != nil {
		t.Fatal(err)
	}
	defer alice.Close()
	bobs := make(chan bool, 10)
	bob, err := Connect(until(t), h.invite("bob", session.Rig), Options{Log: quiet, Changed: func(connected bool) { bobs <- connected }})
	if err != nil {
		t.Fatal(err)
	}
	defer bob.Close()
	if err := h.folder.Revoke("alice"); err != nil {
		t.Fatal(err)
	}
	h.reload()
	if receive(t, changes, "the end of alice's connection") {
		t.Error("alice is connected")
	}
	receive(t, alice.Refused(), "the refusal of alice's key")
	seen := all(t, control)
	if err := alice.Publish(session.HealthSubject("monza", "alice"), 1); err == nil {
		t.Error("alice could publish")
	}
	if _, err := Connect(until(t), i, Options{Log: quiet}); !errors.Is(err, ErrRefused) {
		t.Errorf("alice connected again: %v", err)
	}
	only(t, control, seen)
	if err := bob.Publish(session.HealthSubject("monza", "bob"), 1); err != nil {
		t.Fatal(err)
	}
	if got := receive(t, seen, "bob's message"); got != "rig.session.monza.health.bob 1" {
		t.Error(got)
	}
	if len(bobs) != 0 {
		t.Error("bob was disconnected")
	}
}

// Who gets another role under the same key has its rights at once, and no other.
func TestAMemberWithAnotherRoleConnectsAgain(t *testing.T) {
	h := host(t, "monza")
	changes := make(chan bool, 10)
	alice, err := Connect(until(t), h.invite("alice", session.Rig), Options{Log: quiet, Changed: func(connected bool) { changes <- connected }})
	if err != nil {
		t.Fatal(err)
	}
	defer alice.Close()
	members, err := h.folder.Members()
	if err != nil {
		t.Fatal(err)
	}
	members[slices.IndexFunc(members, func(m keys.Member) bool { return m.ID == "alice" })].Role = session.Watcher
	if err := h.server.Reload(members); err != nil {
		t.Fatal(err)
	}
	if receive(t, changes, "the end of alice's connection") || !receive(t, changes, "alice's next connection") {
		t.Error("alice has the same connection")
	}
	if !refuses(t, alice.nats, func() error { return alice.Publish(session.HealthSubject("monza", "alice"), 1) }) {
		t.Error("alice may still send as a rig")
	}
}

// A member can name any subject for the server's and the host's answers. Nobody takes them for a message there.
func TestAnswersCannotBeDirectedToOthers(t *testing.T) {
	h := host(t, "monza")
	alice, control := connected(t, h.invite("alice", session.Rig)), h.own(keys.HostFile)
	ctx := until(t)
	if err := control.CreateStream(ctx, "monza"); err != nil {
		t.Fatal(err)
	}
	boards, raw := make(chan string, 10), make(chan *nats.Msg, 10)
	stop, err := alice.Subscribe(session.BoardSubject("monza"), func(_ string, data []byte) { boards <- string(data) })
	if err != nil {
		t.Fatal(err)
	}
	defer stop()
	if _, err := alice.nats.ChanSubscribe(session.BoardSubject("monza"), raw); err != nil {
		t.Fatal(err)
	}
	if _, err := control.Serve(session.JoinSubject("monza", "*"), func(string, []byte) any { return "joined" }); err != nil {
		t.Fatal(err)
	}
	flush(t, alice, control)
	send := func(subject, reply string) {
		m, err := message(subject, 1)
		if err != nil {
			t.Fatal(err)
		}
		m.Reply = reply
		if err := alice.nats.PublishMsg(m); err != nil {
			t.Fatal(err)
		}
	}
	send(session.MemberEventSubject("monza", "alice"), session.BoardSubject("monza"))
	if m := receive(t, raw, "the server's acknowledgement"); !strings.Contains(string(m.Data), "rig-events-monza") {
		t.Errorf("%s", m.Data) // without it this test proves nothing
	}
	send(session.MemberEventSubject("monza", "alice"), session.MemberEventSubject("monza", "bob"))
	send(session.JoinSubject("monza", "alice"), session.HostEventSubject("monza"))
	var answer string
	if err := alice.Request(ctx, session.JoinSubject("monza", "alice"), 1, &answer); err != nil || answer != "joined" {
		t.Errorf("alice's own request: %q, %v", answer, err)
	}
	if err := control.Publish(session.BoardSubject("monza"), "true"); err != nil {
		t.Fatal(err)
	}
	if got := receive(t, boards, "a board"); got != `"true"` {
		t.Errorf("alice's board was taken for one of the host: %s", got)
	}
	if _, err := control.Store(ctx, session.HostEventSubject("monza"), "end", "end"); err != nil {
		t.Fatal(err)
	}
	if got := stored(t, control); !slices.Equal(got, []string{"event.rig.alice 1", "event.rig.alice 1", `event.host "end"`}) {
		t.Errorf("events %q", got)
	}
}

// stored returns all events of the session monza, as subject and data.
func stored(t *testing.T, b *Bus) (list []string) {
	t.Helper()
	caughtUp, stop, err := b.Events(context.Background(), "monza", 1, func(_ uint64, subject string, data []byte) {
		list = append(list, strings.TrimPrefix(subject, "rig.session.monza.")+" "+string(data))
	})
	if err != nil {
		t.Fatal(err)
	}
	defer stop()
	receive(t, caughtUp, "the end of the events")
	return list
}

// Another member cannot use up the id of an event that is to come.
func TestIDsOfEventsAreAMembersOwn(t *testing.T) {
	h := host(t, "monza")
	alice, bob, control := connected(t, h.invite("alice", session.Rig)), connected(t, h.invite("bob", session.Rig)), h.own(keys.HostFile)
	ctx := until(t)
	if err := control.CreateStream(ctx, "monza"); err != nil {
		t.Fatal(err)
	}
	for b, member := range map[*Bus]session.ID{alice: "alice", bob: "bob"} {
		if _, err := b.Store(ctx, session.MemberEventSubject("monza", member), "lap-1", 1); err != nil {
			t.Fatal(err)
		}
	}
	if got := stored(t, control); len(got) != 2 {
		t.Errorf("events %q, want one of each", got)
	}
}

// A worker can have the server send a result, whose text and headers are the worker's own, to any subject. Nobody takes
// it for a message there.
func TestWorkCannotBeDirectedToOthers(t *testing.T) {
	h := host(t, "monza")
	worker, alice, control := connected(t, h.invite("box", session.Worker)), connected(t, h.invite("alice", session.Rig)), h.own(keys.HostFile)
	ctx := until(t)
	if err := control.CreateStream(ctx, "monza"); err != nil {
		t.Fatal(err)
	}
	if _, err := control.stream.CreateStream(ctx, jetstream.StreamConfig{Name: session.WorkStreamName("monza"), Subjects: []string{session.ResultSubject("monza", "*")}}); err != nil {
		t.Fatal(err)
	}
	if _, err := control.stream.CreateConsumer(ctx, session.WorkStreamName("monza"), jetstream.ConsumerConfig{Durable: "results"}); err != nil {
		t.Fatal(err)
	}
	targets := []string{session.BoardSubject("monza"), session.HostEventSubject("monza"), session.MemberEventSubject("monza", "alice")}
	seen, raw := make(chan string, 10), make(chan *nats.Msg, 10)
	for _, subject := range targets[:2] {
		if _, err := alice.Subscribe(subject, func(subject string, data []byte) { seen <- subject + " " + string(data) }); err != nil {
			t.Fatal(err)
		}
		if _, err := alice.nats.ChanSubscribe(subject, raw); err != nil {
			t.Fatal(err)
		}
	}
	flush(t, alice)
	for _, target := range targets {
		if _, err := worker.Store(ctx, session.ResultSubject("monza", "x"), target, "forged"); err != nil {
			t.Fatal(err)
		}
		if err := worker.nats.PublishRequest("$JS.API.CONSUMER.MSG.NEXT.rig-work-monza.results", target, []byte(`{"batch":1}`)); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 {
		if m := receive(t, raw, "the result"); string(m.Data) != `"forged"` || !fromMember(m.Header) {
			t.Errorf("%s %s", m.Subject, m.Data) // without it this test proves nothing
		}
	}
	if err := control.Publish(session.BoardSubject("monza"), "end"); err != nil {
		t.Fatal(err)
	}
	if got := receive(t, seen, "a board"); got != `rig.session.monza.board "end"` {
		t.Errorf("alice has seen %s", got)
	}
	if got := stored(t, control); len(got) != 0 {
		t.Errorf("events %q", got)
	}
}
