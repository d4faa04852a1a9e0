package dash

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"rig.example/rig/test/level"
)

// patient are limits of time that no test reaches.
func patient() timing {
	return timing{header: time.Minute, read: time.Minute, write: time.Minute, idle: time.Minute, end: time.Second}
}

// narrow is a listener whose connections buffer little, so that a reader that does not read shows soon.
type narrow struct{ net.Listener }

func (n narrow) Accept() (net.Conn, error) {
	c, err := n.Listener.Accept()
	if err == nil {
		c.(*net.TCPConn).SetWriteBuffer(4096)
	}
	return c, err
}

// openStream opens /events over a connection of its own.
func openStream(t *testing.T, address string) net.Conn {
	t.Helper()
	c, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	c.(*net.TCPConn).SetReadBuffer(4096)
	fmt.Fprintf(c, "GET /events HTTP/1.1\r\nHost: %s\r\n\r\n", address)
	return c
}

// readStream calls each with the events of a stream until it ends.
func readStream(c net.Conn, each func(name, data string)) error {
	answer, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		return err
	}
	if answer.StatusCode != 200 {
		return fmt.Errorf("status %d", answer.StatusCode)
	}
	lines := bufio.NewScanner(answer.Body)
	lines.Buffer(nil, 1<<20)
	name := ""
	for lines.Scan() {
		if text, ok := strings.CutPrefix(lines.Text(), "event: "); ok {
			name = text
		} else if text, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
			each(name, text)
		}
	}
	return lines.Err()
}

// until waits for a condition that must come true, however slow the machine is.
func until(t *testing.T, what string, isTrue func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !isTrue(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("after a minute still not: %s", what)
		}
	}
}

// publishOne lets the rig drive on and publishes a message of it.
func (s *testServer) publishOne(i int) {
	s.source.driveTo(60 + 0.04*float64(i))
	s.hub.sample(time.Duration(i) * 40 * time.Millisecond)
	s.hub.publish()
}

// unsampled serves s without the goroutine that samples: the test publishes.
func unsampled(t *testing.T, s *testServer, limits timing) (address string) {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s.writeTimeout = limits.write
	s.listener = newListener(narrow{ln})
	h := &http.Server{Handler: s, ReadHeaderTimeout: limits.header, ReadTimeout: limits.read, WriteTimeout: limits.write, MaxHeaderBytes: maxHeader}
	go h.Serve(s.listener)
	t.Cleanup(func() { h.Close() })
	return ln.Addr().String()
}

// Of 50 clients 10 never read. The 40 others get every message, and publishing waits for nobody.
func TestStalledClientsSlowNobody(t *testing.T) {
	level.SkipIfQuick(t)
	const readers, stalled, messages = 40, 10, 300
	s := newTestServer(nil)
	address := unsampled(t, s, patient())
	var got [readers]atomic.Int64
	var all sync.WaitGroup
	for i := range readers {
		c := openStream(t, address)
		all.Go(func() {
			readStream(c, func(name, _ string) {
				if name == "frame" {
					got[i].Add(1)
				}
			})
		})
	}
	for range stalled {
		openStream(t, address)
	}
	until(t, "all clients have joined", func() bool { return s.hub.streams() == readers+stalled })
	for m := range int64(messages) {
		s.publishOne(int(m))
		until(t, fmt.Sprintf("all readers have message %d", m), func() bool {
			for i := range got {
				if got[i].Load() <= m {
					return false
				}
			}
			return true
		})
	}
	if n := s.hub.streams(); n != readers+stalled {
		t.Errorf("%d clients are left", n)
	}
	s.hub.close()
	all.Wait()
	for i := range got {
		if n := got[i].Load(); n != messages+1 {
			t.Errorf("reader %d got %d messages, want %d", i, n, messages+1)
		}
	}
}

// A client that does not read is disconnected, and counted.
func TestStalledClientsAreDisconnected(t *testing.T) {
	s := newTestServer(nil)
	limits := patient()
	limits.write = 50 * time.Millisecond
	address := unsampled(t, s, limits)
	openStream(t, address)
	until(t, "the client has joined", func() bool { return s.hub.streams() == 1 })
	i := 0
	until(t, "the client was disconnected", func() bool {
		s.publishOne(i)
		i++
		return s.hub.streams() == 0
	})
	if s.counters.dropped != 1 {
		t.Errorf("%d streams counted as dropped", s.counters.dropped)
	}
}

// A stream lives longer than a request may take.
func TestStreamsOutliveTheTimeOfARequest(t *testing.T) {
	s := newTestServer(nil)
	limits := patient()
	limits.read = 50 * time.Millisecond
	address := unsampled(t, s, limits)
	until(t, "a stream that was asked for in time goes on", func() bool {
		var events atomic.Int64
		c := openStream(t, address)
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			readStream(c, func(string, string) { events.Add(1) })
		}()
		select {
		case <-ended: // the request itself took too long
			return false
		case <-time.After(4 * limits.read):
		}
		s.publishOne(1)
		until(t, "a message came, or the stream has ended", func() bool {
			select {
			case <-ended:
				return true
			default:
				return events.Load() == 3
			}
		})
		return events.Load() == 3
	})
}

// A client that falls behind gets the newest message next.
func TestTheNewestMessageWins(t *testing.T) {
	s := newTestServer(nil)
	c, _ := s.hub.join()
	for i := range 5 {
		s.publishOne(i)
	}
	<-c.wake
	m, closed := s.hub.latest()
	if m == nil || m.number != 5 || closed || len(c.wake) != 0 {
		t.Errorf("message %+v, closed %t, told %d times more", m, closed, len(c.wake))
	}
}

// A stream begins with the scene and the last 20 s, and tells at the end how the rig has ended.
func TestAStreamFromBeginToEnd(t *testing.T) {
	s := newTestServer(nil)
	for i := range 700 {
		s.publishOne(i)
	}
	address := unsampled(t, s, patient())
	type event struct{ name, data string }
	events := make(chan event, 10)
	c := openStream(t, address)
	go func() {
		defer close(events)
		if err := readStream(c, func(name, data string) { events <- event{name, data} }); err != nil {
			t.Error(err)
		}
	}()
	next := func(name string, into any) {
		t.Helper()
		e := <-events
		if e.name != name {
			t.Fatalf("event %q, want %q", e.name, name)
		}
		if err := json.Unmarshal([]byte(e.data), into); err != nil {
			t.Fatal(err)
		}
	}
	var scene struct {
		Car            string
		Columns, Tuned []string
		ShiftUpRPM     float64 `json:"shift_up_rpm"`
	}
	next("scene", &scene)
	if scene.Car != "gt" || len(scene.Columns) != 13 || len(scene.Tuned) != 19 || scene.ShiftUpRPM != 7000 {
		t.Errorf("scene %+v", scene)
	}
	var m struct {
		State   struct{ Ended bool }
		Samples [][]*float64
	}
	next("history", &m)
	if len(m.Samples) != historyLength || len(m.Samples[0]) != len(sampleColumns) || *m.Samples[0][0] != 200*40 || *m.Samples[historyLength-1][0] != 699*40 {
		t.Errorf("%d samples of history", len(m.Samples))
	}
	for i := range 4 {
		s.source.driveTo(float64(100 + i))
		s.hub.sample(time.Duration(30000+10*i) * time.Millisecond)
	}
	s.hub.publish()
	next("frame", &m)
	if len(m.Samples) != 4 || *m.Samples[3][0] != 30030 || m.State.Ended {
		t.Errorf("frame %+v", m)
	}
	s.source.change(func(f *fakeSource) { f.ended = true })
	s.hub.close()
	next("frame", &m)
	if !m.State.Ended || len(m.Samples) != 0 {
		t.Errorf("last frame %+v", m)
	}
	if e, more := <-events; more {
		t.Errorf("an event %q after the end", e.name)
	}
	if c, _ := s.hub.join(); c != nil {
		t.Error("joined after the end")
	}
}

// A rig that stands still leaves a gap in the charts, and its age grows.
func TestAStalledRigShows(t *testing.T) {
	s := newTestServer(nil)
	s.publishOne(1)
	for i := range 200 {
		s.hub.sample(time.Duration(1000+10*i) * time.Millisecond)
	}
	var got struct {
		Age float64 `json:"age_s"`
	}
	if err := json.Unmarshal(s.hub.state(), &got); err != nil || got.Age != 2.95 || len(s.hub.pending) != 0 {
		t.Errorf("age %g s, %d samples, %v", got.Age, len(s.hub.pending), err)
	}
}

func TestStreamsAreLimited(t *testing.T) {
	s := newTestServer(nil)
	for range maxStreams {
		if c, _ := s.hub.join(); c == nil {
			t.Fatal("refused too early")
		}
	}
	q := request{method: "GET", path: "/events", host: "localhost:8888", peer: "127.0.0.1"}
	if got := s.ask(q); got.Code != http.StatusServiceUnavailable || !strings.Contains(got.Body.String(), "close one") {
		t.Errorf("%d %s", got.Code, got.Body)
	}
}

// Run samples, publishes and ends by itself.
func TestServing(t *testing.T) {
	s := newTestServer(nil)
	address := start(t, s.server, patient())
	var frames atomic.Int64
	go readStream(openStream(t, address), func(name, _ string) {
		if name == "frame" {
			frames.Add(1)
		}
	})
	until(t, "frames came", func() bool { return frames.Load() > 3 })
}

// Encoding a message happens once for all clients.
func BenchmarkPublish(b *testing.B) {
	for _, clients := range []int{1, 100} {
		b.Run(fmt.Sprint(clients, " clients"), func(b *testing.B) {
			s := newTestServer(nil)
			for range clients {
				s.hub.join()
			}
			for i := 0; b.Loop(); i++ {
				for k := range samplesPerMessage {
					s.source.driveTo(float64(i))
					s.hub.sample(time.Duration(40*i+10*k) * time.Millisecond)
				}
				s.hub.publish()
			}
			b.ReportMetric(float64(len(s.hub.newest.data)), "B/message")
		})
	}
}
