//go:build !noserver

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"math"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"rig.example/rig/internal/connect/session"
	"rig.example/rig/internal/connect/session/bus"
	"rig.example/rig/internal/connect/session/keys"
	"rig.example/rig/internal/connect/session/packets"
	"rig.example/rig/internal/connect/session/server"
	"rig.example/rig/internal/core/framepage"
	"rig.example/rig/internal/tools/watch"
	"rig.example/rig/test/level"
)

// testHost is a server of the bus and the least that a rig needs of a host: it lets ada in at the third place of the grid,
// answers pings, and sends for each state one of another car.
type testHost struct {
	folder *keys.Folder
	server *server.Server
	bus    *bus.Bus
	conn   *net.UDPConn
	file   string // ada's invitation

	lock   sync.Mutex
	refuse string
	joins  []session.Join
	opener *packets.Opener
	sealer *packets.Sealer
	states []session.State
	events []session.Event
}

func startTestHost(t *testing.T) *testHost {
	t.Helper()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	h, log := &testHost{file: filepath.Join(t.TempDir(), "ada.rig")}, slog.New(slog.NewTextHandler(io.Discard, nil))
	var err error
	h.folder, err = keys.OpenFolder(t.TempDir(), "monza")
	must(err)
	h.server, err = server.Start(server.Options{Listen: "127.0.0.1:0", Folder: h.folder, Log: log})
	must(err)
	t.Cleanup(h.server.Close)
	i, err := h.folder.Invite("ada", session.Rig, nil)
	must(err)
	must(keys.Write(h.file, i))
	members, err := h.folder.Members()
	must(err)
	must(h.server.Reload(members))
	own, err := h.folder.Host()
	must(err)
	h.bus, err = bus.Connect(t.Context(), own, bus.Options{Name: "host", Log: log})
	must(err)
	t.Cleanup(h.bus.Close)
	must(h.bus.CreateStream(t.Context(), "monza"))
	h.conn, err = net.ListenUDP("udp", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	must(err)
	t.Cleanup(func() { h.conn.Close() })
	go h.relay()
	_, err = h.bus.Serve(session.JoinSubject("monza", "ada"), h.join)
	must(err)
	_, err = h.bus.Subscribe(session.MemberEventSubject("monza", "ada"), func(_ string, data []byte) {
		var e session.Event
		if json.Unmarshal(data, &e) == nil {
			h.lock.Lock()
			h.events = append(h.events, e)
			h.lock.Unlock()
		}
	})
	must(err)
	return h
}

func (h *testHost) join(_ string, data []byte) any {
	h.lock.Lock()
	defer h.lock.Unlock()
	if h.refuse != "" {
		return session.Joined{Refused: h.refuse}
	}
	var j session.Join
	_ = json.Unmarshal(data, &j)
	h.joins = append(h.joins, j)
	n := len(h.joins)
	key := bytes.Repeat([]byte{byte(n)}, 32)
	h.opener, _ = packets.NewOpener(key, uint32(n), 4, false)
	h.sealer, _ = packets.NewSealer(key, uint32(n), 4, true)
	return session.Joined{Session: "monza", Slot: 4, Grid: 3, Key: key, Epoch: uint32(n), UDP: h.conn.LocalAddr().String()}
}

// relay answers packets until the connection is closed.
func (h *testHost) relay() {
	buffer := make([]byte, 2000)
	for clock := int64(0); ; {
		n, from, err := h.conn.ReadFromUDP(buffer)
		if err != nil {
			return
		}
		h.lock.Lock()
		if payload, err := h.opener.Open(nil, buffer[:n]); err == nil {
			switch m, _ := packets.Parse(payload); m.Kind {
			case packets.Ping:
				clock = m.Sent + 5e9
				_, _ = h.conn.WriteToUDP(h.sealer.Seal(nil, packets.AppendPong(nil, m.Sent, clock, clock)), from)
			case packets.State:
				other := m.Cars[0]
				h.states = append(h.states, other)
				other.Slot = 9
				cars, _ := packets.AppendCars(nil, []session.State{other})
				_, _ = h.conn.WriteToUDP(h.sealer.Seal(nil, cars), from)
			}
		}
		h.lock.Unlock()
	}
}

// has reports whether a condition of what the host has seen is met.
func (h *testHost) has(condition func() bool) func() bool {
	return func() bool {
		h.lock.Lock()
		defer h.lock.Unlock()
		return condition()
	}
}

// joined is what `rig session join --json` prints of the session.
type joined struct {
	ExitState string  `json:"exit_state"`
	Distance  float64 `json:"distance_m"`
	Session   *struct {
		Name      string `json:"name"`
		Connected bool   `json:"connected"`
		Others    int    `json:"others"`
	} `json:"session"`
}

// A demo joins from the grid, is shown another car, and its part is one process beside the drive.
func TestADemoJoinsASession(t *testing.T) {
	level.SkipIfQuick(t)
	h := startTestHost(t)
	cmd := rigProcess("session", "join", h.file, "--demo", "--headless", "--duration", "4s", "--json", "--page", socketPath(t))
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v: %s", err, errs.String())
	}
	var sum joined
	if err := json.Unmarshal(out.Bytes(), &sum); err != nil || sum.ExitState != "parked" || sum.Session == nil || !sum.Session.Connected || sum.Session.Others != 1 || sum.Session.Name != "monza" {
		t.Fatalf("%v in %s; %s", err, out.String(), errs.String())
	}
	h.lock.Lock()
	defer h.lock.Unlock()
	if len(h.joins) != 2 || h.joins[0].Driver != "ada" || h.joins[0].Circuit.Name != "club" || h.joins[0].Circuit.Digest == "" {
		t.Errorf("joined %d times: %+v", len(h.joins), h.joins)
	}
	if first := h.states[0]; math.Abs(math.Remainder(first.Distance, h.joins[0].Circuit.Length)+24) > 1 || first.Slot != 4 {
		t.Errorf("%d states, the first %+v", len(h.states), first)
	}
}

// A session's process that dies is started again and joins again, and the drive goes on meanwhile. A script that watches
// has the other car.
func TestASessionsProcessIsStartedAgain(t *testing.T) {
	level.SkipIfQuick(t)
	h := startTestHost(t)
	path := socketPath(t)
	cmd := rigProcess("session", "join", h.file, "--demo", "--headless", "--page", path)
	var errs steps
	cmd.Stdout, cmd.Stderr = io.Discard, &errs
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	driving := func() bool { return len(h.states) > 0 && h.states[len(h.states)-1].Flags&session.NotDriving == 0 }
	await(t, "a car that drives", h.has(driving))
	child := childOf(cmd.Process.Pid, "session-member")
	if child == 0 {
		t.Fatal("the rig has no such process")
	}
	if err := syscall.Kill(child, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	await(t, "another process that joins", h.has(func() bool { return len(h.joins) == 3 }))
	h.lock.Lock()
	h.states = nil
	h.lock.Unlock()
	await(t, "the car, which still drives", h.has(driving))
	objects, done := &watching{args: []string{"watch", "--json"}}, make(chan bool)
	go func() { objects.run(t, path); close(done) }()
	await(t, "a script that watches to see the other car", func() bool {
		return strings.Contains(objects.out.String(), `"session":{"connected":true,`) && strings.Contains(objects.out.String(), `"cars":[{"slot":9,`)
	})
	defer func() { <-done }()
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil || !strings.Contains(errs.String(), "session ended; started again in 1s") {
		t.Errorf("%v: %s", err, errs.String())
	}
}

func TestHintsInASession(t *testing.T) {
	for _, c := range [][3]string{{"", "", ""}, {"", "b", "b"}, {"a", "", "a"}, {"a", "b", "a. b"}} {
		if got := hint(c[0], c[1]); got != c[2] {
			t.Errorf("%q and %q: %q", c[0], c[1], got)
		}
	}
}

// Race control's stop reaches the rig, which says that it has stopped; a revoked rig drives on alone, and can be stopped no more.
func TestRaceControlStopsARig(t *testing.T) {
	level.SkipIfQuick(t)
	for _, revoked := range []bool{false, true} {
		t.Run(fmt.Sprint(revoked), func(t *testing.T) {
			h := startTestHost(t)
			cmd := rigProcess("session", "join", h.file, "--demo", "--headless", "--page", socketPath(t))
			log := &steps{}
			cmd.Stdout, cmd.Stderr = io.Discard, log
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
			await(t, "a car that drives", h.has(func() bool {
				return len(h.states) > 0 && h.states[len(h.states)-1].Flags&session.NotDriving == 0
			}))
			if revoked {
				if err := h.folder.Revoke("ada"); err != nil {
					t.Fatal(err)
				}
				members, err := h.folder.Members()
				if err != nil || h.server.Reload(members) != nil {
					t.Fatal(err)
				}
				await(t, "the word of it", func() bool { return strings.Contains(log.String(), "the drive goes on alone") })
			}
			if _, err := h.bus.Store(t.Context(), session.HostEventSubject("monza"), "1", session.Event{ID: "1", Kind: session.Stopped}); err != nil {
				t.Fatal(err)
			}
			if !revoked {
				await(t, "the rig's word", h.has(func() bool {
					return len(h.events) == 1 && h.events[0].Kind == session.HasStopped && h.events[0].Text == "stopped" && h.events[0].Member == "ada"
				}))
			}
			if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
				t.Fatal(err)
			}
			if err := cmd.Wait(); (err == nil) != revoked {
				t.Errorf("ended with %v: %s", err, log.String())
			}
		})
	}
}

// Without its host a rig that asks for a place does not drive, and says what to do; a configured one drives alone.
func TestARigWithoutItsHost(t *testing.T) {
	level.SkipIfQuick(t)
	h := startTestHost(t)
	h.refuse = "it has another circuit\x1b[2J"
	status, _, errs := rigCommand(t, "session", "join", h.file, "--demo", "--headless", "--page", socketPath(t))
	if last := strings.TrimSpace(errs[strings.LastIndex(strings.TrimSpace(errs), "\n")+1:]); status != exitFailed || !strings.Contains(last, "refuses this rig: it has another circuit") || strings.ContainsRune(last, 0x1b) {
		t.Errorf("refused: status %d, %s", status, errs)
	}
	h.bus.Close()
	h.server.Close()
	status, _, errs = rigCommand(t, "session", "join", h.file, "--demo", "--headless", "--page", socketPath(t))
	if status != exitFailed || !strings.Contains(errs, "no connection") || !strings.Contains(errs, "session.invitation in rig.toml") {
		t.Errorf("no host: status %d, %s", status, errs)
	}
	conf := filepath.Join(filepath.Dir(h.file), "rig.toml")
	if err := os.WriteFile(conf, []byte("[session]\ninvitation = 'ada.rig'\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := rigProcess("run", "--config", conf, "--demo", "--headless", "--duration", "2s", "--json", "--page", socketPath(t))
	out, err := cmd.Output()
	var sum joined
	if err != nil || json.Unmarshal(out, &sum) != nil || sum.Session == nil || sum.Session.Connected || sum.ExitState != "parked" || sum.Distance < 1 {
		t.Errorf("alone: %v, %s", err, out)
	}
}

func TestAnInvitationForSomebodyElse(t *testing.T) {
	h := startTestHost(t)
	i, err := h.folder.Invite("carl", session.Watcher, nil)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "carl.rig")
	if err := keys.Write(path, i); err != nil {
		t.Fatal(err)
	}
	if status, _, errs := rigCommand(t, "session", "join", path, "--demo", "--headless"); status != exitUsage || !strings.Contains(errs, "it is for a watcher, which does not drive") {
		t.Errorf("status %d, %s", status, errs)
	}
}

// Before a session is joined, what it says of times is not known.
func TestAScriptBeforeASessionIsJoined(t *testing.T) {
	p, err := framepage.New()
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	if othersOf(p) != nil {
		t.Error("a session where there is none")
	}
	o, err := framepage.NewOthers()
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	p.ShareOthers(o)
	var s struct {
		Connected     bool
		ToStart       *float64 `json:"to_start_s"`
		TimeLeft      *float64 `json:"time_left_s"`
		Ahead, Behind struct {
			Gap *float64 `json:"gap_s"`
		}
	}
	s.Connected = true
	err = json.Unmarshal(watch.Session(othersOf(p)), &s)
	if err != nil || s.Connected || s.ToStart != nil || s.TimeLeft != nil || s.Ahead.Gap != nil || s.Behind.Gap != nil {
		t.Errorf("%+v, %v", s, err)
	}
}
