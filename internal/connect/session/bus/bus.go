// Package bus carries the messages of a session: some that may be lost, requests with answers, and events, which
// NATS JetStream keeps on disks. The input is a member's invitation; the connection is always by TLS to servers that
// the invitation knows, and with the member's key.
//
// A member can have a server send its answers, and messages that it keeps, to any subject. Such a message is dropped:
// an answer has no header of members, and a kept message still has the subject under which it was kept.
package bus

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"rig.example/rig/internal/connect/session"
	"rig.example/rig/internal/connect/session/keys"
	"rig.example/rig/internal/kit/printable"
)

// Options say how to connect.
type Options struct {
	Name    string               // of this program, for the servers' lists of connections
	Log     *slog.Logger         // must not be nil
	Changed func(connected bool) // is called when the connection is lost or there again; nil for nobody
	Dial    dialer               // opens a connection, from another network for instance; nil opens it from here
}

// dialer opens a connection as net.Dial does.
type dialer func(network, address string) (net.Conn, error)

func (d dialer) Dial(network, address string) (net.Conn, error) { return d(network, address) }

// Bus is a member's connection to the bus of a session.
type Bus struct {
	nats    *nats.Conn
	stream  jetstream.JetStream
	member  keys.Invitation
	log     *slog.Logger
	refused chan struct{}
}

// ErrRefused is the cause of an error of Connect when the servers do not know the key.
var ErrRefused = errors.New("its servers refuse this key, because it was revoked or replaced: ask for a new invitation")

const (
	connectTimeout = 5 * time.Second // of one server
	longestWait    = 2 * time.Second // between attempts to connect again
	pingInterval   = 5 * time.Second // a silent server is given up after two of them
	headerKey      = "Rig-Protocol"

	refusals     = 10 // that count: a host looks some times a second which keys there are
	refusalPause = 100 * time.Millisecond
)

// Connect connects a member, or returns at once when ctx ends. A key that was just made may be refused for a moment, so it
// tries again for about a second. Once connected, the bus connects again for ever when the connection is lost, unless the
// servers refuse the key.
func Connect(ctx context.Context, i keys.Invitation, o Options) (*Bus, error) {
	pair, err := i.Key()
	if err != nil {
		return nil, err
	}
	public, err := pair.PublicKey()
	if err != nil {
		return nil, err
	}
	b := &Bus{member: i, log: o.Log, refused: make(chan struct{})}
	options := append(b.handlers(o.Changed),
		nats.Name(o.Name),
		nats.Nkey(public, pair.Sign),
		nats.Secure(tlsConfig(&i)),
		nats.CustomInboxPrefix(keys.InboxPrefix(i.Session, i.Member)),
		nats.Timeout(timeout(ctx)),
		nats.MaxReconnects(-1),
		nats.CustomReconnectDelay(func(attempts int) time.Duration {
			return min(longestWait, time.Duration(attempts)*longestWait/20)
		}),
		nats.ReconnectBufSize(-1), // an old message is worth nothing when the connection is there again
		nats.PingInterval(pingInterval),
		nats.MaxPingsOutstanding(2),
		nats.NoCallbacksAfterClientClose(), // what Close ends was not lost
	)
	if o.Dial != nil {
		options = append(options, nats.SetCustomDialer(o.Dial))
	}
	err = untilKnown(ctx, func() (err error) {
		b.nats, err = dial(ctx, strings.Join(i.URLs, ","), options)
		return err
	})
	if err == nil {
		b.stream, err = jetstream.New(b.nats)
	}
	if err != nil {
		return nil, b.connectError(err)
	}
	return b, nil
}

// untilKnown calls connect until the key is known, as often as refusals says. The end of a connection that began counts as
// a refusal, whose words it may overtake; the error is a refusal if there was one.
func untilKnown(ctx context.Context, connect func() error) (err error) {
	var refusal error
	for n := 1; ; n++ {
		if err = connect(); isRefusal(err) {
			refusal = err
		}
		if !isRefusal(err) && !isReset(err) {
			return err
		}
		if n == refusals || !Pause(ctx, refusalPause) {
			return cmp.Or(refusal, err)
		}
	}
}

// isReset reports whether the other side has ended a connection that had begun.
func isReset(err error) bool {
	return errors.Is(err, io.EOF) || errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE)
}

// Pause waits, and reports whether ctx goes on.
func Pause(ctx context.Context, d time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(d):
		return true
	}
}

// dial connects, or returns the error of ctx as soon as it ends; a connection that is there later is closed.
func dial(ctx context.Context, urls string, options []nats.Option) (*nats.Conn, error) {
	type result struct {
		conn *nats.Conn
		err  error
	}
	connected := make(chan result, 1)
	go func() {
		c, err := nats.Connect(urls, options...)
		connected <- result{c, err}
	}()
	select {
	case r := <-connected:
		return r.conn, r.err
	case <-ctx.Done():
		go func() {
			if r := <-connected; r.err == nil {
				r.conn.Close()
			}
		}()
		return nil, ctx.Err()
	}
}

// tlsConfig returns how the member knows the servers.
func tlsConfig(i *keys.Invitation) *tls.Config {
	c := &tls.Config{ServerName: i.ServerName, MinVersion: tls.VersionTLS12}
	if i.CA != "" {
		c.RootCAs = x509.NewCertPool()
		c.RootCAs.AppendCertsFromPEM([]byte(i.CA)) // Read has checked it
	}
	return c
}

func timeout(ctx context.Context) time.Duration {
	if end, ok := ctx.Deadline(); ok {
		return max(time.Millisecond, min(connectTimeout, time.Until(end)))
	}
	return connectTimeout
}

// handlers returns what happens when the connection changes.
func (b *Bus) handlers(changed func(bool)) []nats.Option {
	if changed == nil {
		changed = func(bool) {}
	}
	var once sync.Once
	return []nats.Option{
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) { changed(false) }),
		nats.ReconnectHandler(func(*nats.Conn) { changed(true) }),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { b.log.Debug("bus", "error", err) }),
		nats.ClosedHandler(func(c *nats.Conn) {
			if isRefusal(c.LastError()) {
				once.Do(func() { close(b.refused) })
			}
		}),
	}
}

func isRefusal(err error) bool {
	return errors.Is(err, nats.ErrAuthorization) || errors.Is(err, nats.ErrAuthExpired) || errors.Is(err, nats.ErrAuthRevoked)
}

// connectError returns why there is no connection, and what to do.
func (b *Bus) connectError(err error) error {
	where := fmt.Sprintf("session %s at %s", b.member.Session, printable.Name(strings.Join(b.member.URLs, ", ")))
	var unknown x509.UnknownAuthorityError
	var name x509.HostnameError
	switch {
	case errors.Is(err, context.Canceled):
		return fmt.Errorf("%s: %w", where, err)
	case isRefusal(err):
		return fmt.Errorf("%s: %w", where, ErrRefused)
	case errors.As(err, &unknown), errors.As(err, &name):
		return fmt.Errorf("%s: the server there is not that of the session (%w): ask the host for a new invitation", where, err)
	}
	return fmt.Errorf("%s: no connection (%w): is its host running, and does its --listen reach this machine?", where, err)
}

// Refused returns a channel that is closed when the servers refuse the member's key, for instance because it was
// revoked. The bus then does not connect again.
func (b *Bus) Refused() <-chan struct{} { return b.refused }

// IsRefused reports whether the servers have refused the member's key. A call that fails for this may return before the
// channel of Refused is closed.
func (b *Bus) IsRefused() bool { return b.nats.IsClosed() && isRefusal(b.nats.LastError()) }

// Connected reports whether there is a connection at the moment.
func (b *Bus) Connected() bool { return b.nats.IsConnected() }

// Close ends the connection.
func (b *Bus) Close() { b.nats.Close() }

// message returns v as a message with the header of members.
func message(subject string, v any) (*nats.Msg, error) {
	data, err := json.Marshal(v)
	if err != nil {
		return nil, fmt.Errorf("bus: %w", err)
	}
	m := nats.NewMsg(subject)
	m.Header.Set(headerKey, strconv.Itoa(session.Protocol))
	m.Data = data
	return m, nil
}

// fromMember reports whether a message comes from a member, not from a server.
func fromMember(h nats.Header) bool { return h.Get(headerKey) != "" }

// matches reports whether a subscription to pattern is one to subject.
func matches(pattern, subject string) bool {
	want, got := strings.Split(pattern, "."), strings.Split(subject, ".")
	for i, token := range want {
		switch {
		case i >= len(got):
			return false
		case token == ">":
			return true
		case token != "*" && token != got[i]:
			return false
		}
	}
	return len(want) == len(got)
}

// Publish sends v as JSON. It may be lost, and is lost without a connection.
func (b *Bus) Publish(subject string, v any) error {
	m, err := message(subject, v)
	if err == nil {
		err = b.nats.PublishMsg(m)
	}
	return b.wrap(err)
}

// Subscribe calls f for each message of a subject, one after the other, until stop is called.
func (b *Bus) Subscribe(subject string, f func(subject string, data []byte)) (stop func(), err error) {
	s, err := b.nats.Subscribe(subject, func(m *nats.Msg) {
		if fromMember(m.Header) && matches(subject, m.Subject) {
			f(m.Subject, m.Data)
		}
	})
	return stopOf(s), b.wrap(err)
}

// Serve answers each request of a subject with what answer returns, as JSON, until stop is called. Of several
// programs that serve a subject one gets each request. Nobody but the members of the session gets an answer.
func (b *Bus) Serve(subject string, answer func(subject string, data []byte) any) (stop func(), err error) {
	inboxes := keys.InboxPrefix(b.member.Session, "")
	s, err := b.nats.QueueSubscribe(subject, "rig", func(m *nats.Msg) {
		if !fromMember(m.Header) || !matches(subject, m.Subject) || !strings.HasPrefix(m.Reply, inboxes) {
			return
		}
		if err := b.Publish(m.Reply, answer(m.Subject, m.Data)); err != nil {
			b.log.Debug("bus", "error", err)
		}
	})
	return stopOf(s), b.wrap(err)
}

// stopOf returns a function that ends a subscription, which may be called more than once.
func stopOf(s *nats.Subscription) func() {
	return func() { _ = s.Unsubscribe() } // fails only if it has ended already
}

// Request sends v as JSON and decodes the answer into answer.
func (b *Bus) Request(ctx context.Context, subject string, v, answer any) error {
	m, err := message(subject, v)
	if err != nil {
		return err
	}
	reply, err := b.nats.RequestMsgWithContext(ctx, m)
	switch {
	case errors.Is(err, nats.ErrNoResponders):
		return fmt.Errorf("session %s: its host does not answer: is it running?", b.member.Session)
	case err != nil:
		return b.wrap(err)
	case !fromMember(reply.Header):
		return fmt.Errorf("session %s: the answer is not from a member", b.member.Session)
	}
	if err := json.Unmarshal(reply.Data, answer); err != nil {
		return fmt.Errorf("session %s: unreadable answer: %w; do all have the same build of rig?", b.member.Session, err)
	}
	return nil
}

// wrap returns err with the session's name.
func (b *Bus) wrap(err error) error {
	if err == nil {
		return nil
	}
	if errors.Is(err, nats.ErrReconnectBufExceeded) {
		err = errors.New("no connection at the moment")
	}
	return fmt.Errorf("session %s: %w", b.member.Session, err)
}
