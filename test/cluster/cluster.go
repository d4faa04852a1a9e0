// Package cluster runs three servers of NATS for tests, as docs/sessions.md tells users to configure them.
package cluster

import (
	"bytes"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"rig.example/rig/internal/connect/session/keys"
)

// Cluster is three servers of a user.
type Cluster struct {
	t       *testing.T
	folder  string
	program string
	options Options
	servers [3]*exec.Cmd
}

// Options say where the servers run.
type Options struct {
	Addresses [6]string               // HOST:PORT: three for members, and three that the servers have among themselves; empty: any of this machine
	Start     func(c *exec.Cmd) error // starts a server. nil: as any program
}

// loopback returns free addresses of this machine.
func loopback(t *testing.T) (free [6]string) {
	t.Helper()
	for i := range free {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		free[i] = l.Addr().String()
	}
	return free
}

// New starts the servers, with the members of a session, until the test ends.
func New(t *testing.T, f *keys.Folder, o Options) *Cluster {
	t.Helper()
	c := &Cluster{t: t, folder: t.TempDir(), options: o}
	c.program = filepath.Join(c.folder, "nats-server")
	if out, err := exec.Command("go", "build", "-o", c.program, "github.com/nats-io/nats-server/v2").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if c.options.Addresses == [6]string{} {
		c.options.Addresses = loopback(t)
	}
	if c.options.Start == nil {
		c.options.Start = (*exec.Cmd).Start
	}
	c.makeCertificates()
	a, text := c.options.Addresses, Configurations(t)[0]
	for n := range c.servers {
		own := strings.NewReplacer("server_name: n1", "server_name: "+c.name(n),
			"0.0.0.0:4222", a[n], "0.0.0.0:6222", a[3+n], "n1:6222", a[3], "n2:6222", a[4], "n3:6222", a[5],
			"rig-monza", account(f), "/etc/nats/", c.folder+"/", "/var/lib/nats", c.path(c.name(n))).Replace(text)
		c.write(c.name(n)+".conf", []byte(own))
	}
	c.writeAccount(f)
	t.Cleanup(c.end)
	for n := range c.servers {
		c.Start(n)
	}
	return c
}

// Configurations returns those of the page: a server, its leaf nodes, and a leaf node.
func Configurations(t *testing.T) (list []string) {
	t.Helper()
	const page = "docs/sessions.md"
	path := page
	for range 4 { // folders from the project's to that of a test
		if _, err := os.Stat(path); err == nil {
			break
		}
		path = filepath.Join("..", path)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile("(?s)```hocon\n(.*?)```").FindAllStringSubmatch(string(text), -1) {
		list = append(list, m[1])
	}
	if len(list) != 3 {
		t.Fatalf("%s has %d configurations, want a server, its leaf nodes and a leaf node", page, len(list))
	}
	return list
}

// URLs returns where members reach the servers.
func (c *Cluster) URLs() (list []string) {
	for _, a := range c.options.Addresses[:3] {
		list = append(list, "tls://"+a)
	}
	return list
}

// CA returns the path of the certificate of their authority.
func (c *Cluster) CA() string { return c.path("ca.pem") }

// SetMembers lets the servers know the members of a session, soon after it returns.
func (c *Cluster) SetMembers(f *keys.Folder) {
	c.t.Helper()
	c.writeAccount(f)
	for _, s := range c.servers {
		if err := s.Process.Signal(syscall.SIGHUP); err != nil {
			c.t.Fatal(err)
		}
	}
}

// Kill kills a server as a failing machine would.
func (c *Cluster) Kill(n int) {
	_ = c.servers[n].Process.Kill() // it may have ended
	_ = c.servers[n].Wait()
}

// Start starts a server that does not run.
func (c *Cluster) Start(n int) {
	c.t.Helper()
	s := exec.Command(c.program, "-c", c.path(c.name(n)+".conf"), "-l", c.log(n))
	if err := c.options.Start(s); err != nil {
		c.t.Fatal(err)
	}
	c.servers[n] = s
}

func (c *Cluster) end() {
	for n, s := range c.servers {
		if s != nil {
			c.Kill(n)
		}
	}
	if c.t.Failed() {
		for n := range c.servers {
			text, _ := os.ReadFile(c.log(n)) // it may not have begun
			c.t.Logf("%s: %s", c.name(n), text[max(0, len(text)-3000):])
		}
	}
}

func (c *Cluster) name(n int) string { return fmt.Sprintf("n%d", n+1) }

func (c *Cluster) log(n int) string { return c.path(c.name(n) + ".log") }

func (c *Cluster) path(name string) string { return filepath.Join(c.folder, name) }

func (c *Cluster) write(name string, text []byte) {
	c.t.Helper()
	if err := os.WriteFile(c.path(name), text, 0o600); err != nil {
		c.t.Fatal(err)
	}
}

// writeAccount writes the members of a session as the servers read them, in the file that the page includes.
func (c *Cluster) writeAccount(f *keys.Folder) {
	c.t.Helper()
	members, err := f.Members()
	if err != nil {
		c.t.Fatal(err)
	}
	var text bytes.Buffer
	if err := keys.WriteServerConfig(&text, f.Session(), members); err != nil {
		c.t.Fatal(err)
	}
	c.write(account(f)+".conf", text.Bytes())
}

// account returns the name of a session's account, and of its file.
func account(f *keys.Folder) string { return "rig-" + string(f.Session()) }
