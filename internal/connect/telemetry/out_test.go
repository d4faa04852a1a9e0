package telemetry

import (
	"context"
	"fmt"
	"log/slog"
	"math"
	"net"
	"net/netip"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"rig.example/rig/internal/core/frame"
)

// ticking is a source that has a new frame at each look.
type ticking struct {
	seq  atomic.Uint64
	edit func(f *frame.Frame)
}

func (s *ticking) Seq() uint64 { return s.seq.Add(1) }

func (s *ticking) Read(f *frame.Frame) bool {
	*f = frame.Frame{Tick: 10 * s.seq.Load(), Att: [4]float64{1, 0, 0, 0}}
	if s.edit != nil {
		s.edit(f)
	}
	return true
}

// notes is a log that a test reads.
type notes struct {
	lock sync.Mutex
	text strings.Builder
}

func (n *notes) Write(b []byte) (int, error) {
	n.lock.Lock()
	defer n.lock.Unlock()
	return n.text.Write(b)
}

func (n *notes) String() string {
	n.lock.Lock()
	defer n.lock.Unlock()
	return n.text.String()
}

// sending runs outputs until the test ends.
func sending(t *testing.T, cfg Config) (*Stats, *notes) {
	t.Helper()
	if err := cfg.Validate(); err != nil {
		t.Fatal(err)
	}
	stats, log := NewStats(cfg), &notes{}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		Run(ctx, &ticking{}, &frame.Scene{}, cfg, slog.New(slog.NewTextHandler(log, nil)), stats)
		close(ended)
	}()
	t.Cleanup(func() { cancel(); <-ended })
	return stats, log
}

// until waits for something that must happen.
func until(t *testing.T, what string, done func() bool) {
	t.Helper()
	for range 5000 {
		if done() {
			return
		}
		time.Sleep(2 * time.Millisecond)
	}
	t.Fatal("never: " + what)
}

func listen(t *testing.T) (*net.UDPConn, string) {
	t.Helper()
	conn, err := net.ListenUDP("udp", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return conn, conn.LocalAddr().String()
}

// A reader that never reads, one that is absent and a name that does not exist hold up none of the others.
func TestAReaderThatTakesNothingHoldsUpNobody(t *testing.T) {
	_, deaf := listen(t)
	reader, address := listen(t)
	absent, gone := listen(t)
	absent.Close()
	stats, log := sending(t, Config{Outs: []Out{
		{Format: "outsim", To: deaf, RateHz: 1000}, {Format: "outgauge", To: gone, RateHz: 1000},
		{Format: "beamng", To: "nobody.invalid:4444"}, {Format: "json", To: address, RateHz: 1000},
	}})
	packet := make([]byte, 1<<16)
	for range 200 {
		if n, err := reader.Read(packet); err != nil || n == 0 || packet[n-1] != '\n' {
			t.Fatalf("%d bytes, %v", n, err)
		}
	}
	until(t, "the absent reader is counted", func() bool { return stats.outs[1].failed.Load() > 10 })
	until(t, "the name is told", func() bool { return strings.Contains(log.String(), "nobody.invalid") })
	if n := strings.Count(log.String(), "nobody listens"); n != 1 {
		t.Errorf("the absent reader is told %d times:\n%s", n, log)
	}
	again, err := net.ListenUDP("udp", absent.LocalAddr().(*net.UDPAddr))
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	if n, err := again.Read(packet); err != nil || n != 92 {
		t.Errorf("the reader that came: %d bytes, %v", n, err)
	}
	until(t, "its return is told", func() bool { return strings.Contains(log.String(), "telemetry is received") })
	var metrics strings.Builder
	stats.WriteMetrics(&metrics)
	if want := fmt.Sprintf(`rig_telemetry_packets_total{out="3",format="json",to="%s"} `, address); !strings.Contains(metrics.String(), want) {
		t.Errorf("metrics lack %q:\n%s", want, metrics.String())
	}
}

// Only a new frame is sent, and its angular acceleration is the change of the rate since the last packet.
func TestTheAngularAccelerationIsTheChangeOfTheRate(t *testing.T) {
	src := &ticking{edit: func(f *frame.Frame) { f.Rate = [3]float64{0, 0, 0.001 * float64(f.Tick)} }} // 1 rad/s²
	s := &sender{source: src, sample: Sample{Frame: &frame.Frame{}}}
	for i := range 5 {
		if !s.next() {
			t.Fatal("no frame")
		}
		want := 1.0
		if i == 0 {
			want = 0
		}
		if got := s.sample.AngularAcceleration; math.Abs(got[2]-want) > 1e-9 || got[0] != 0 {
			t.Errorf("packet %d: %v, want %g about z", i, got, want)
		}
	}
	src.seq.Add(1000) // a gap of 10 s
	if s.next(); s.sample.AngularAcceleration != ([3]float64{}) {
		t.Errorf("after a gap: %v", s.sample.AngularAcceleration)
	}
	s.source = still{src}
	if s.next(); s.next() {
		t.Error("a frame was sent twice")
	}
}

// still has no new frame.
type still struct{ *ticking }

func (s still) Seq() uint64 { return s.seq.Load() }

func TestPacketsAllocateNothing(t *testing.T) {
	s := &Sample{Frame: &frame.Frame{}, Scene: &frame.Scene{CarName: "coupe", TrackName: "club"}}
	b := make([]byte, 0, 1<<16)
	for _, format := range []string{"outsim", "forza", "beamng", "dirt", "simapi"} {
		if n := testing.AllocsPerRun(100, func() { Append(b, format, s) }); n != 0 {
			t.Errorf("%s: %g allocations", format, n)
		}
	}
}

func TestConfig(t *testing.T) {
	for _, tt := range []struct {
		out  Out
		want string
	}{
		{Out{Format: "outgauge", To: "127.0.0.1:4444"}, ""},
		{Out{Format: "outsim", To: "[::1]:4444", RateHz: 100}, ""},
		{Out{Format: "forza", To: "simhub.local:8000"}, ""},
		{Out{Format: "simapi"}, ""},
		{Out{Format: "simapi", To: "127.0.0.1:1"}, "out[0].to = \"127.0.0.1:1\": must be empty"},
		{Out{Format: "outgauge"}, "must be an address or a name and a port"},
		{Out{Format: "outgauge", To: ":4444"}, "must be an address or a name and a port"},
		{Out{Format: "outgauge", To: "127.0.0.1:0"}, "from 1 to 65535"},
		{Out{Format: "outgauge", To: "127.0.0.1:65536"}, "from 1 to 65535"},
		{Out{Format: "other", To: "127.0.0.1:1"}, "out[0].format"},
		{Out{Format: "json", To: "127.0.0.1:1", RateHz: 0.5}, "out[0].rate_hz"},
		{Out{Format: "json", To: "127.0.0.1:1", RateHz: math.NaN()}, "out[0].rate_hz"},
	} {
		err := Config{Outs: []Out{tt.out}}.Validate()
		if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%+v: %v, want %q", tt.out, err, tt.want)
		}
	}
	if err := (Config{Outs: []Out{{Format: "simapi"}, {Format: "simapi"}}}).Validate(); err == nil || !strings.Contains(err.Error(), "remove one") {
		t.Errorf("two shared memories: %v", err)
	}
}

// An output that is aimed at a port of the rig itself is refused.
func TestAnOutputAtTheRigItselfIsRefused(t *testing.T) {
	own := []netip.Addr{netip.MustParseAddr("192.168.1.5")}
	for to, refused := range map[string]bool{
		"127.0.0.1:8888": true, "localhost:8888": true, "0.0.0.0:8888": true, "[::1]:8888": true, "192.168.1.5:8888": true,
		"192.168.1.6:8888": false, "127.0.0.1:8887": false, "simhub.local:8888": false,
	} {
		cfg := Config{Outs: []Out{{Format: "json", To: to}}}
		if err := cfg.CheckLoops("0.0.0.0:8888", own); (err != nil) != refused {
			t.Errorf("%s: %v, want refused %v", to, err, refused)
		}
		if err := cfg.CheckLoops("", own); err != nil {
			t.Errorf("%s without a page: %v", to, err)
		}
	}
}
