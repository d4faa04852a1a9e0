package drive

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"rig.example/rig/test/level"
)

// loopback switches the guest's loopback interface on.
func loopback(t *testing.T) {
	t.Helper()
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(fd)
	request, err := unix.NewIfreq("lo")
	if err != nil {
		t.Fatal(err)
	}
	request.SetUint16(unix.IFF_UP | unix.IFF_RUNNING)
	if err := unix.IoctlIfreq(fd, unix.SIOCSIFFLAGS, request); err != nil {
		t.Fatal(err)
	}
}

const everyOutput = `
[web]
listen = "127.0.0.1:8888"

[[telemetry.out]]
format = "simapi"

[[telemetry.out]] # nobody listens
format = "outgauge"
to = "127.0.0.1:4444"
rate_hz = 200

[[telemetry.out]] # somebody listens and never reads
format = "outsim"
to = "127.0.0.1:30000"
rate_hz = 500

[[telemetry.out]]
format = "json"
to = "127.0.0.1:30001"
rate_hz = 100
`

// udp listens at a port of the loopback interface.
func udp(t *testing.T, port int) *net.UDPConn {
	t.Helper()
	conn, err := net.ListenUDP("udp", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1), Port: port})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return conn
}

// openPage connects to the web page's stream as soon as there is one.
func openPage(t *testing.T) net.Conn {
	t.Helper()
	for range 500 {
		if conn, err := net.Dial("tcp", "127.0.0.1:8888"); err == nil {
			if _, err := io.WriteString(conn, "GET /events HTTP/1.1\r\nHost: 127.0.0.1:8888\r\n\r\n"); err != nil {
				t.Error(err)
			}
			return conn
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Fatal("no web page")
	return nil
}

// Fifty pages, ten of which never read, and readers of telemetry that are absent, slow or listen cost the loop no tick, and each other no message.
func TestReadersCostTheLoopNothing(t *testing.T) {
	inGuest(t)
	loopback(t)
	if err := os.MkdirAll("/dev/shm", 0o1777); err != nil {
		t.Fatal(err)
	}
	b := &bench{t: t}
	b.config()
	b.asShipped()
	b.add(everyOutput)
	raiseTimers(t)
	udp(t, 30000)
	listener := udp(t, 30001)
	seconds := level.Pick(2, 2, 20) // each of 2000 ticks is counted, as in TestADriveMissesNoTick
	cmd := exec.Command(program, "run", "--demo", "--headless", "--duration", fmt.Sprint(seconds, "s"), "--json", "--config", b.conf)
	var out, errs strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	const pages, stalled = 50, 10
	var reading sync.WaitGroup
	var counts [pages - stalled]atomic.Uint64
	for i := range pages {
		conn := openPage(t)
		defer conn.Close()
		if i < stalled {
			continue
		}
		reading.Go(func() {
			lines := bufio.NewReaderSize(conn, 1<<16)
			for {
				line, err := lines.ReadSlice('\n')
				if err != nil && !errors.Is(err, bufio.ErrBufferFull) {
					return
				}
				if strings.HasPrefix(string(line), "event: frame") {
					counts[i-stalled].Add(1)
				}
			}
		})
	}
	var packets atomic.Uint64
	reading.Go(func() {
		packet := make([]byte, 1<<16)
		for {
			if _, err := listener.Read(packet); err != nil {
				return
			}
			packets.Add(1)
		}
	})
	err := cmd.Wait()
	listener.Close()
	reading.Wait()
	if err != nil {
		t.Fatalf("%v\n%s", err, errs.String())
	}
	checkReaders(t, out.String(), seconds, packets.Load(), counts[:])
	if st, err := os.Stat("/dev/shm/SIMAPI.DAT"); err != nil || st.Size() < 1000 {
		t.Errorf("shared memory: %v, %v", st, err)
	}
}

// checkReaders checks the summary of a drive, and what its readers got.
func checkReaders(t *testing.T, summary string, seconds int, packets uint64, counts []atomic.Uint64) {
	t.Helper()
	var sum struct {
		Ticks, Missed, Dropped uint64
		Lateness               map[string]float64 `json:"lateness_us"`
	}
	if err := json.Unmarshal([]byte(summary), &sum); err != nil {
		t.Fatal(err)
	}
	fewest := counts[0].Load()
	for i := range counts {
		fewest = min(fewest, counts[i].Load())
	}
	t.Logf("figure: lateness %v µs, %d packets, fewest messages of a page %d in %d s", sum.Lateness, packets, fewest, seconds)
	mayMiss := uint64(0)
	if os.Getenv("RIG_VM_KERNEL") != "rt" {
		mayMiss = 4
	}
	if sum.Ticks != uint64(1000*seconds) || sum.Missed > mayMiss || sum.Dropped != 0 {
		t.Errorf("ticks %d, missed %d, dropped %d", sum.Ticks, sum.Missed, sum.Dropped)
	}
	const perSecond, rate = 25, 100
	if fewest < uint64(perSecond*seconds*8/10) || packets < uint64(rate*seconds*8/10) {
		t.Errorf("a page got %d messages, the listener %d packets, in %d s and more", fewest, packets, seconds)
	}
}
