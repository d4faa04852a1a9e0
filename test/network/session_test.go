package network

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"rig.example/rig/internal/connect/session"
	"rig.example/rig/internal/connect/session/keys"
	"rig.example/rig/internal/connect/session/race"
	"rig.example/rig/test/cluster"
)

// hang ends a test that waits for what does not come.
const hang = 10 * time.Minute

// name is that of the tests' sessions.
const name session.ID = "test"

var programFolder string // is removed at the end of all tests

func TestMain(m *testing.M) {
	if invitation := os.Getenv(lapTimer); invitation != "" {
		fmt.Fprintln(os.Stderr, sendLaps(invitation))
		os.Exit(1)
	}
	code := Main(m)
	os.RemoveAll(programFolder)
	os.Exit(code)
}

// program returns the path of rig, which it builds at the first call.
var program = sync.OnceValues(func() (path string, err error) {
	if programFolder, err = os.MkdirTemp("", "rig-test-network-"); err != nil {
		return "", err
	}
	path = filepath.Join(programFolder, "rig")
	build := exec.Command("go", "build", "-buildvcs=false", "-o", path, "rig.example/rig/cmd/rig")
	build.Env = append(os.Environ(), "CGO_ENABLED=0", "GOAMD64=v1")
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build: %w: %s", err, out)
	}
	return path, nil
})

// hosted is a session that a host at node 0 of a network holds.
type hosted struct {
	t       *testing.T
	net     *Network
	folder  string // of sessions
	track   string
	host    *process
	servers *cluster.Cluster // nil: the host's own server
}

// process is a program that runs in a node.
type process struct {
	*exec.Cmd
	name     string
	out, err output
	ended    chan struct{}
	failure  error // is set when ended is closed
}

// output keeps what a program writes.
type output struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (o *output) Write(b []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.Write(b)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

// newSession makes the folder of a session, and starts its host.
func newSession(t *testing.T, n *Network, track string) *hosted {
	t.Helper()
	h := &hosted{t: t, net: n, folder: t.TempDir(), track: track}
	h.start()
	return h
}

// newSessionOnCluster is newSession with three servers beside the host, which are the user's own.
func newSessionOnCluster(t *testing.T, n *Network, track string) *hosted {
	t.Helper()
	h := &hosted{t: t, net: n, folder: t.TempDir(), track: track}
	o := cluster.Options{Start: n.Host().Start}
	for i := range o.Addresses {
		o.Addresses[i] = n.Host().Address(uint16(4222 + i))
	}
	h.servers = cluster.New(t, h.keys(), o)
	h.start()
	return h
}

// start starts the host, and waits until it answers.
func (h *hosted) start() {
	h.t.Helper()
	at := h.net.Host().Address(keys.DefaultPort)
	args := []string{"session", "host", string(name), "--track", h.track, "--listen", at, "--folder", h.folder}
	if h.servers != nil {
		args = append(args, "--packets", at, "--ca", h.servers.CA())
		for _, url := range h.servers.URLs() {
			args = append(args, "--url", url)
		}
	}
	h.host = h.run(h.net.Host(), "host", args...)
	h.wait("the host answers", func() bool {
		select {
		case <-h.host.ended:
			h.t.Fatalf("the host has ended: %v: %s", h.host.failure, tail(h.host.err.String()))
		default:
		}
		_, err := h.ask("watch", "--once", "--json")
		return err == nil
	})
}

// run starts rig in a node.
func (h *hosted) run(n *Node, name string, args ...string) *process {
	h.t.Helper()
	path, err := program()
	if err != nil {
		h.t.Fatal(err)
	}
	c := exec.Command(path, args...)
	c.Env = append(os.Environ(), "XDG_DATA_HOME="+h.t.TempDir(), "DISPLAY=", "WAYLAND_DISPLAY=")
	return h.startIn(n, name, c)
}

// startIn starts a program in a node. It is killed when the test ends.
func (h *hosted) startIn(n *Node, name string, c *exec.Cmd) *process {
	h.t.Helper()
	p := &process{Cmd: c, name: name, ended: make(chan struct{})}
	p.Stdout, p.Stderr = &p.out, &p.err
	if err := n.Start(p.Cmd); err != nil {
		h.t.Fatalf("%s: %v", name, err)
	}
	go func() {
		p.failure = p.Wait()
		close(p.ended)
	}()
	h.t.Cleanup(func() {
		_ = p.Process.Kill() // it may have ended
		<-p.ended
		if h.t.Failed() {
			h.t.Logf("%s (%v) wrote: %s", p.name, p.failure, tail(p.err.String()))
		}
	})
	return p
}

// tail returns the last lines of a text.
func tail(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return strings.Join(lines[max(0, len(lines)-12):], "\n")
}

// ask runs a command of race control at the host's machine, and returns what it wrote.
func (h *hosted) ask(args ...string) (string, error) {
	path, err := program()
	if err != nil {
		return "", err
	}
	c := exec.Command(path, append(append([]string{"session"}, args...), "--session", string(name), "--folder", h.folder)...)
	var out, errs bytes.Buffer
	c.Stdout, c.Stderr = &out, &errs
	err = errors.Join(h.net.Host().Start(c))
	if err == nil {
		err = c.Wait()
	}
	if err != nil {
		err = fmt.Errorf("rig session %s: %w: %s", strings.Join(args, " "), err, errs.String())
	}
	return out.String(), err
}

// wait waits until something is so.
func (h *hosted) wait(what string, is func() bool) {
	h.t.Helper()
	wait(h.t, what, is)
}

func wait(t *testing.T, what string, is func() bool) {
	t.Helper()
	const look = 20 * time.Millisecond
	for end := time.Now().Add(hang); !is(); time.Sleep(look) {
		if time.Now().After(end) {
			t.Fatalf("waiting has no end: %s", what)
		}
	}
}

// invite makes a member, and returns the path of its invitation.
func (h *hosted) invite(member session.ID, role session.Role) string {
	h.t.Helper()
	f := h.keys()
	i, err := f.Invite(member, role, nil)
	path := filepath.Join(h.folder, string(member)+".rig")
	if err = errors.Join(err, keys.Write(path, i)); err != nil {
		h.t.Fatal(err)
	}
	if h.servers != nil {
		h.servers.SetMembers(f)
	}
	return path
}

// keys returns the folder with the session's keys.
func (h *hosted) keys() *keys.Folder {
	h.t.Helper()
	f, err := keys.OpenFolder(h.folder, name)
	if err != nil {
		h.t.Fatal(err)
	}
	return f
}

// kill kills the host as a failing machine would.
func (h *hosted) kill() {
	if err := h.host.Process.Signal(syscall.SIGKILL); err != nil {
		h.t.Fatal(err)
	}
	<-h.host.ended
}

// results returns the outcome so far, as race control gets it.
func (h *hosted) results() (r race.Results) {
	h.t.Helper()
	text, err := h.ask("results", "--json")
	if err == nil {
		err = json.Unmarshal([]byte(text), &r)
	}
	if err != nil {
		h.t.Fatal(err)
	}
	return r
}

// board returns what the host announces now.
func (h *hosted) board() session.Board {
	h.t.Helper()
	text, err := h.ask("watch", "--once", "--json")
	var w struct{ Board session.Board }
	if err == nil {
		err = json.Unmarshal([]byte(text), &w)
	}
	if err != nil {
		h.t.Fatal(err)
	}
	return w.Board
}

// laps returns what each rig has driven, as the results have it.
func (h *hosted) laps() map[session.ID]race.Rig {
	h.t.Helper()
	rigs := map[session.ID]race.Rig{}
	for _, rig := range h.results().Rigs {
		rigs[rig.Member] = rig
	}
	return rigs
}

// ctx ends with the test, or when it hangs.
func ctx(t *testing.T) context.Context {
	c, cancel := context.WithTimeout(t.Context(), hang)
	t.Cleanup(cancel)
	return c
}
