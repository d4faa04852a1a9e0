package network

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

const port = 4777

// sockets returns a socket of the host and one of rig 1 that is connected to it.
func sockets(t *testing.T, n *Network) (at net.PacketConn, from net.Conn) {
	t.Helper()
	err := errors.Join(n.Host().Do(func() (err error) {
		at, err = net.ListenPacket("udp4", n.Host().Address(port))
		return err
	}), n.Rig(1).Do(func() (err error) {
		from, err = net.Dial("udp4", n.Host().Address(port))
		return err
	}))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { at.Close(); from.Close() })
	return at, from
}

// Each packet arrives as often as its number on the line says, whatever the pace of the machine.
func TestPacketsCrossAsTheirNumbersSay(t *testing.T) {
	const count = 300
	up := Path{Delay: 5 * ms, Jitter: 4 * ms, Loss: 0.1, Double: 0.1, Seed: 5}
	n := For(t, Options{Rigs: 2, Up: up})
	at, from := sockets(t, n)
	want, arriving := [count]int{}, 0
	for i := range want {
		want[i] = len(up.of(2).Copies(uint64(i)))
		arriving += want[i]
		if _, err := from.Write(binary.BigEndian.AppendUint64(nil, uint64(i))); err != nil {
			t.Fatal(err)
		}
	}
	got, buf := [count]int{}, make([]byte, mtu)
	for range arriving {
		size, _, err := at.ReadFrom(buf)
		if err != nil || size != 8 {
			t.Fatalf("%d bytes, %v", size, err)
		}
		got[binary.BigEndian.Uint64(buf)]++
	}
	if got != want {
		t.Errorf("packets arrive %v times, want %v", got, want)
	}
	traffic, _ := n.Traffic(1)
	if traffic.Packets != count || traffic.UDP != count*(20+8+8) || int(traffic.Lost) != count-arriving+int(traffic.Doubled) || traffic.Doubled == 0 {
		t.Errorf("counted %+v, want %d packets of 36 bytes, of which %d arrive", traffic, count, arriving)
	}
	if other, _ := n.Traffic(2); other.UDP != 0 {
		t.Errorf("rig 2 counts %+v, but sends nothing", other)
	}
}

// TCP carries everything over a line that loses packets and is cut for a while.
func TestAStreamSurvivesACut(t *testing.T) {
	bad := Path{Delay: 3 * ms, Jitter: ms, Loss: 0.02, Seed: 3}
	n := For(t, Options{Rigs: 1, Up: bad, Down: bad})
	var l net.Listener
	if err := n.Host().Do(func() (err error) {
		l, err = net.Listen("tcp4", n.Host().Address(port))
		return err
	}); err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	sent := make([]byte, 300_000)
	for i := range sent {
		sent[i] = byte(i * i >> 8)
	}
	failed := make(chan error, 1)
	go func() {
		failed <- func() error {
			c, err := l.Accept()
			if err != nil {
				return err
			}
			defer c.Close()
			_, err = c.Write(sent)
			return err
		}()
	}()
	var c net.Conn
	if err := n.Rig(1).Do(func() (err error) {
		c, err = net.Dial("tcp4", n.Host().Address(port))
		return err
	}); err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	half := make([]byte, len(sent)/2)
	if _, err := io.ReadFull(c, half); err != nil {
		t.Fatal(err)
	}
	n.Cut(1, true)
	for { // until the host has sent something in vain
		if _, down := n.Traffic(1); down.Cut > 0 {
			break
		}
		time.Sleep(ms)
	}
	n.Cut(1, false)
	rest, err := io.ReadAll(c)
	if err := errors.Join(err, <-failed); err != nil || !bytes.Equal(append(half, rest...), sent) {
		t.Errorf("%d of %d bytes arrive, or others: %v", len(half)+len(rest), len(sent), err)
	}
}

// namespace returns the network namespace that a thread or process is in.
func namespace(t *testing.T, of string) string {
	t.Helper()
	name, err := os.Readlink("/proc/" + of + "/ns/net")
	if err != nil {
		t.Fatal(err)
	}
	return name
}

// A program in a node sees the node's device and address and no other, and nothing is left of node and
// program after Close.
func TestNothingIsLeftOfANetwork(t *testing.T) {
	n, err := New(Options{Rigs: 2})
	if err != nil {
		For(t, Options{}) // says why not
		t.Fatal(err)
	}
	own := namespace(t, "thread-self")
	var inside string
	if err := n.Rig(2).Do(func() error { inside = namespace(t, "thread-self"); return nil }); err != nil || inside == own {
		t.Fatalf("rig 2 is in %s as the test, %v", inside, err)
	}
	routes, program := exec.Command("cat", "/proc/self/net/fib_trie"), exec.Command("sleep", "1000")
	var out bytes.Buffer
	routes.Stdout = &out
	if err := errors.Join(n.Rig(2).Start(routes), n.Rig(2).Start(program), routes.Wait()); err != nil {
		t.Fatal(err)
	}
	if text := out.String(); !strings.Contains(text, "10.77.0.3\n") || strings.Contains(text, "10.77.0.2\n") {
		t.Errorf("rig 2 has these addresses, want 10.77.0.3 only:\n%s", text)
	}
	if got := namespace(t, fmt.Sprint(program.Process.Pid)); got != inside {
		t.Errorf("the program is in %s, want %s", got, inside)
	}
	n.Close()
	if err := program.Wait(); err == nil || !strings.Contains(err.Error(), "killed") {
		t.Errorf("the program ended with %v, want killed", err)
	}
	threads, _ := filepath.Glob("/proc/self/task/*/ns/net")
	for _, thread := range threads {
		if name, _ := os.Readlink(thread); name == inside {
			t.Errorf("%s is still in the namespace of rig 2", thread)
		}
	}
}

// A killed test leaves no programs, and with the last process its namespaces end too.
func TestAKilledTestLeavesNoPrograms(t *testing.T) {
	const role = "RIG_TEST_NETWORK_TO_KILL"
	if os.Getenv(role) != "" {
		n := For(t, Options{Rigs: 1})
		program := exec.Command("sleep", "1000")
		program.Stdout = os.Stdout
		if err := n.Rig(1).Start(program); err != nil {
			t.Fatal(err)
		}
		fmt.Println("started")
		_ = program.Wait()
		return
	}
	For(t, Options{}) // or the test is skipped
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command("/proc/self/exe", "-test.run=^TestAKilledTestLeavesNoPrograms$")
	c.Env = append(os.Environ(), role+"=1")
	c.Stdout = w
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	w.Close()
	if _, err := io.ReadFull(r, make([]byte, len("started\n"))); err != nil {
		t.Fatal(err)
	}
	if err := c.Process.Signal(unix.SIGKILL); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadAll(r); err != nil { // ends when test and program, which hold the pipe, have ended
		t.Error(err)
	}
	_ = c.Wait()
}
