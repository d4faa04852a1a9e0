//go:build !noserver

package server

import (
	"io"
	"log/slog"
	"net"
	"strings"
	"testing"
	"time"

	"rig.example/rig/internal/connect/session/keys"
)

var quiet = slog.New(slog.NewTextHandler(io.Discard, nil))

func newFolder(t *testing.T) *keys.Folder {
	t.Helper()
	f, err := keys.OpenFolder(t.TempDir(), "monza")
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// What no other test can see: events are on the disk before they are acknowledged, there is no port but one, and no
// limit is missing.
func TestOptionsOfTheServer(t *testing.T) {
	f := newFolder(t)
	s, err := Start(Options{Listen: "127.0.0.1:0", Folder: f, Log: quiet})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if c := s.nats.JetStreamConfig(); c == nil || !c.SyncAlways {
		t.Errorf("JetStream: %+v", c)
	}
	if s.nats.MonitorAddr() != nil || s.nats.ClusterAddr() != nil || s.nats.ProfilerAddr() != nil {
		t.Error("the server has other ports")
	}
	certificate, err := f.Certificate()
	if err != nil {
		t.Fatal(err)
	}
	o := serverOptions(f, "127.0.0.1", 0, certificate)
	if !o.NoSigs || o.MaxPayload != 65536 || o.MaxSubs == 0 || o.MaxConn == 0 || o.MaxPending == 0 || o.TLSConfig == nil || o.NoAuthUser != "" {
		t.Errorf("options: %+v", o)
	}
	// What a member that hangs has not taken stays in this program's memory until the connection is closed.
	if o.MaxPending > 4<<20 || !brief(o.WriteDeadline) || !brief(o.PingInterval*time.Duration(o.MaxPingsOut+1)) {
		t.Errorf("a member that hangs: %d bytes, %s, %d pings each %s", o.MaxPending, o.WriteDeadline, o.MaxPingsOut, o.PingInterval)
	}
}

// brief reports whether a limit is set, and short enough for a member that hangs.
func brief(d time.Duration) bool { return d > 0 && d <= 20*time.Second }

func TestAddressesOfTheServer(t *testing.T) {
	for listen, want := range map[string]string{
		"127.0.0.1:0": "tls://127.0.0.1:", "[::1]:0": "tls://[::1]:", ":0": "tls://127.0.0.1:", "0.0.0.0:0": "tls://127.0.0.1:",
	} {
		f := newFolder(t)
		s, err := Start(Options{Listen: listen, Folder: f, Log: quiet})
		if err != nil {
			if strings.HasPrefix(listen, "[") {
				continue // no IPv6 here
			}
			t.Fatal(err)
		}
		if !strings.HasPrefix(s.URL(), want) {
			t.Errorf("%s: %s, want %s", listen, s.URL(), want)
		}
		servers, err := f.Servers()
		if err != nil || servers.URLs[0] != s.URL() {
			t.Errorf("%s: invitations name %v, %v", listen, servers.URLs, err)
		}
		s.Close()
	}
	for _, bad := range []string{"", "127.0.0.1", "127.0.0.1:x", "127.0.0.1:70000"} {
		if _, err := Start(Options{Listen: bad, Folder: newFolder(t), Log: quiet}); err == nil || !strings.Contains(err.Error(), "must be HOST:PORT") {
			t.Errorf("--listen %q: %v", bad, err)
		}
	}
}

func TestAServerOnAPortThatIsTaken(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if _, err := Start(Options{Listen: l.Addr().String(), Folder: newFolder(t), Log: quiet}); err == nil || !strings.Contains(err.Error(), "address already in use") {
		t.Error(err)
	}
}
