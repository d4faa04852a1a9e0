package bus

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"rig.example/rig/internal/session"
	"rig.example/rig/internal/session/keys"
	"rig.example/rig/test/level"
)

// configurations returns the servers' configurations of the page about security, in their order.
func configurations(t *testing.T) []string {
	t.Helper()
	page, err := os.ReadFile("../../../docs/session-security.md")
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, m := range regexp.MustCompile("(?s)```hocon\n(.*?)```").FindAllStringSubmatch(string(page), -1) {
		list = append(list, m[1])
	}
	if len(list) != 3 {
		t.Fatalf("the page has %d configurations, want a server, its leaf nodes and a leaf node", len(list))
	}
	return list
}

// cluster is three servers of a user, with the configuration of the page.
type cluster struct {
	t       *testing.T
	folder  string
	program string
	ports   []int // of clients, then of routes
	servers []*exec.Cmd
}

func newCluster(t *testing.T, account []byte) *cluster {
	c := &cluster{t: t, folder: t.TempDir()}
	c.program = filepath.Join(c.folder, "nats-server")
	if out, err := exec.Command("go", "build", "-o", c.program, "github.com/nats-io/nats-server/v2").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for range 6 {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		c.ports = append(c.ports, l.Addr().(*net.TCPAddr).Port)
	}
	authority(t, c.folder)
	text := configurations(t)[0]
	for n := range 3 {
		own := strings.NewReplacer("server_name: n1", fmt.Sprintf("server_name: n%d", n+1),
			"0.0.0.0:4222", c.address(n), "0.0.0.0:6222", c.address(n+3), "n1:6222", c.address(3), "n2:6222", c.address(4), "n3:6222", c.address(5),
			"/etc/nats/", c.folder+"/", "/var/lib/nats", filepath.Join(c.folder, fmt.Sprint("store", n))).Replace(text)
		c.write(fmt.Sprintf("n%d.conf", n), []byte(own))
	}
	c.write("rig-monza.conf", account)
	return c
}

func (c *cluster) address(port int) string { return fmt.Sprintf("127.0.0.1:%d", c.ports[port]) }

func (c *cluster) write(name string, text []byte) {
	c.t.Helper()
	if err := os.WriteFile(filepath.Join(c.folder, name), text, 0o600); err != nil {
		c.t.Fatal(err)
	}
}

func (c *cluster) start() {
	c.servers = make([]*exec.Cmd, 3)
	for n := range c.servers {
		c.startServer(n)
	}
	c.t.Cleanup(func() {
		for _, s := range c.servers {
			_ = s.Process.Kill()
			_ = s.Wait()
		}
		if c.t.Failed() {
			for n := range c.servers {
				text, _ := os.ReadFile(filepath.Join(c.folder, fmt.Sprintf("n%d.log", n)))
				c.t.Logf("server %d: %s", n, text[max(0, len(text)-3000):])
			}
		}
	})
}

func (c *cluster) startServer(n int) {
	c.t.Helper()
	c.servers[n] = exec.Command(c.program, "-c", filepath.Join(c.folder, fmt.Sprintf("n%d.conf", n)), "-l", filepath.Join(c.folder, fmt.Sprintf("n%d.log", n)))
	if err := c.servers[n].Start(); err != nil {
		c.t.Fatal(err)
	}
}

// authority makes an authority, and a certificate by it for the servers on this machine.
func authority(t *testing.T, folder string) {
	t.Helper()
	ca := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "test"}, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().AddDate(1, 0, 0),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}
	leaf := &x509.Certificate{
		SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: "server"}, NotBefore: ca.NotBefore, NotAfter: ca.NotAfter,
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
	}
	var pairs []*ecdsa.PrivateKey
	for range 2 {
		key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
		if err != nil {
			t.Fatal(err)
		}
		pairs = append(pairs, key)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(pairs[1])
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{"server.key": pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret})}
	for name, c := range map[string]struct {
		template *x509.Certificate
		key      *ecdsa.PrivateKey
	}{"ca.pem": {ca, pairs[0]}, "server.pem": {leaf, pairs[1]}} {
		der, err := x509.CreateCertificate(rand.Reader, c.template, ca, &c.key.PublicKey, pairs[0])
		if err != nil {
			t.Fatal(err)
		}
		files[name] = pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(folder, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// onCluster returns a session with three rigs on a cluster, and its folder and servers.
func onCluster(t *testing.T) (*keys.Folder, *cluster, []*storing) {
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
	members, err := f.Members()
	if err != nil {
		t.Fatal(err)
	}
	var account bytes.Buffer
	if err := keys.WriteServerConfig(&account, "monza", members); err != nil {
		t.Fatal(err)
	}
	c := newCluster(t, account.Bytes())
	ca, err := os.ReadFile(filepath.Join(c.folder, "ca.pem"))
	if err != nil {
		t.Fatal(err)
	}
	urls := []string{"tls://" + c.address(0), "tls://" + c.address(1), "tls://" + c.address(2)}
	if err := f.UseServers(keys.Servers{URLs: urls, CA: string(ca)}, false); err != nil {
		t.Fatal(err)
	}
	c.start()
	var rigs []*storing
	for _, i := range invitations {
		i.URLs, i.CA, i.ServerName = urls, string(ca), ""
		rigs = append(rigs, &storing{member: i.Member, bus: soon(t, i)})
	}
	return f, c, rigs
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
	f, c, rigs := onCluster(t)
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
			n := c.leader(control)
			_ = c.servers[n].Process.Kill()
			_ = c.servers[n].Wait()
			wait(50) // the other two go on
			c.startServer(n)
			c.whole(control)
		}
		wait(1)
	})
	everyEventOnce(t, control, rigs)
	seen(rigs)
}

// info returns what the cluster says of the stream of events.
func (c *cluster) info(b *Bus) (*jetstream.StreamInfo, error) {
	ctx := until(c.t)
	stream, err := b.stream.Stream(ctx, session.StreamName("monza"))
	if err != nil {
		return nil, err
	}
	return stream.Info(ctx)
}

// leader returns the number of the server that leads the stream of events.
func (c *cluster) leader(b *Bus) int {
	c.t.Helper()
	info, err := c.info(b)
	if err != nil || info.Cluster == nil || info.Config.Replicas != 3 || !info.Config.DenyDelete {
		c.t.Fatalf("stream %+v, %v; want three replicas", info, err)
	}
	var n int
	if _, err := fmt.Sscanf(info.Cluster.Leader, "n%d", &n); err != nil {
		c.t.Fatalf("leader %q", info.Cluster.Leader)
	}
	return n - 1
}

// whole waits until all three servers have all events.
func (c *cluster) whole(b *Bus) {
	c.t.Helper()
	for ctx := until(c.t); ctx.Err() == nil; time.Sleep(50 * time.Millisecond) {
		info, err := c.info(b)
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
	c.t.Fatal("the server that was started again does not follow the others")
}
