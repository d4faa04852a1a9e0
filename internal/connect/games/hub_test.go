package games

import (
	"context"
	"log/slog"
	"net"
	"net/netip"
	"strings"
	"testing"
	"time"

	"rig.example/rig/internal/connect/games/gamestest"
	"rig.example/rig/internal/core/follow"
)

// hubFor returns a hub without ports.
func hubFor(cfg Config) *Hub { return NewOffline(cfg, slog.New(slog.DiscardHandler), "") }

var (
	own     = netip.MustParseAddrPort("127.0.0.1:50001")
	another = netip.MustParseAddrPort("192.168.1.20:50001")
)

func TestTheFirstGameIsFollowed(t *testing.T) {
	h, now := hubFor(Config{}), time.Now()
	h.Take(packet("dirt", gamestest.Car{Speed: 20}, 1), own, now)
	h.Take(packet("beamng", gamestest.Car{Speed: 30}, 1), own, now.Add(time.Second))
	var s follow.Sample
	if h.Latest(&s); Name(uint64(s.Source)) != "dirt" || s.Number != 1 {
		t.Errorf("%+v", s)
	}
	if !strings.Contains(h.last, "because dirt from 127.0.0.1:50001 is followed") {
		t.Errorf("told %q", h.last)
	}
	h.Take(packet("beamng", gamestest.Car{Speed: 30}, 2), own, now.Add(4*time.Second)) // dirt was silent for long enough
	if h.Latest(&s); Name(uint64(s.Source)) != "beamng" || s.Number != 2 || s.Vel[0] != 30 {
		t.Errorf("%+v", s)
	}
}

func TestWhatIsNotTakenIsTold(t *testing.T) {
	for _, tt := range []struct {
		name   string
		cfg    Config
		packet []byte
		from   netip.AddrPort
		want   string
	}{
		{"a stranger", Config{}, packet("dirt", gamestest.Car{}, 1), another, "packets from 192.168.1.20, which follow.allow does not name"},
		{"another game", Config{Source: "forza"}, packet("dirt", gamestest.Car{}, 1), own, "packets of dirt, and follow.source is forza"},
		{"a dash", Config{}, make([]byte, 92), own, "OutGauge, which has no motion"},
		{"garbage", Config{}, []byte("x\x1b[2J"), own, "5 bytes, which no known game sends"},
	} {
		h := hubFor(tt.cfg)
		h.Take(tt.packet, tt.from, time.Now())
		var s follow.Sample
		if h.Latest(&s); s.Number != 0 || !strings.Contains(h.last, tt.want) || !strings.Contains(h.Status(), tt.want) {
			t.Errorf("%s: %+v, told %q, status %q", tt.name, s, h.last, h.Status())
		}
	}
	h := hubFor(Config{Allow: []string{"192.168.1.20"}})
	h.Take(packet("dirt", gamestest.Car{}, 1), another, time.Now())
	var s follow.Sample
	if h.Latest(&s); s.Number != 1 {
		t.Error("an allowed peer is refused")
	}
}

// Packets over UDP reach the loop, which allocates nothing for them; silence and a port in use are told.
func TestPacketsOverUDP(t *testing.T) {
	h, err := New(Config{Source: "outsim", Port: 48211}, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Skip(err)
	}
	if _, err := New(Config{Source: "outsim", Port: 48211}, slog.New(slog.DiscardHandler)); err == nil || !strings.Contains(err.Error(), "outsim: UDP port 48211") {
		t.Errorf("a port in use: %v", err)
	}
	if text := h.Status(); !strings.Contains(text, "no game is heard at 127.0.0.1:48211") {
		t.Errorf("silence: %q", text)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- h.Run(ctx) }()
	conn, err := net.Dial("udp", "127.0.0.1:48211")
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	var s follow.Sample
	for n := 1; s.Number < 5; n++ {
		if n > 5000 {
			t.Fatal("no packets")
		}
		if _, err := conn.Write(packet("outsim", gamestest.Car{Speed: 25}, n)); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Millisecond)
		h.Latest(&s)
	}
	if n := testing.AllocsPerRun(100, func() { h.Latest(&s) }); n != 0 {
		t.Errorf("%g allocations", n)
	}
	if h.Status() != "following outsim" || s.Vel[0] < 24.9 || s.Age < 0 {
		t.Errorf("%q, %+v", h.Status(), s)
	}
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

func TestConfig(t *testing.T) {
	for _, tt := range []struct {
		cfg  Config
		want string
	}{
		{Config{}, ""}, {Config{Source: "forza", Port: 8000, Allow: []string{"::1", "10.0.0.1"}}, ""},
		{Config{Source: "simapi"}, "source"}, {Config{Port: 8000}, "needs a source"}, {Config{Source: "ac", Port: 8000}, "needs a source"}, {Config{Source: "dirt", Port: 70000}, "port"},
		{Config{Allow: []string{"simhub"}}, "allow[0]"},
	} {
		if err := tt.cfg.Validate(); (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%+v: %v", tt.cfg, err)
		}
	}
	for name, want := range map[string]string{"simapi": "no acceleration", "outgauge": "no motion", "forza": "", "acc": "say ac", "ets2": "say scs", "gtr2": "not found; choose beamng"} {
		if _, err := Find(name); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Without a configured game, one port that another program has does not keep the others from being heard.
func TestAPortInUseLeavesTheOthers(t *testing.T) {
	taken, err := net.ListenUDP("udp", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 20777})
	if err != nil {
		t.Skip(err)
	}
	defer taken.Close()
	h, err := New(Config{}, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Skip(err)
	}
	defer h.close()
	if list := strings.Join(h.Addresses(), " "); strings.Contains(list, ":20777") || list == "" {
		t.Errorf("listens at %q", list)
	}
}

// Once packets have contradicted themselves, those at small angles are not believed either.
func TestOtherSignsAreRefusedForGood(t *testing.T) {
	h, now := hubFor(Config{}), time.Now()
	for n := range 2 * mostAgainst {
		h.Take(gamestest.OtherBeamNG(&gamestest.Car{NoseUp: 0.02, Speed: 20}), own, now.Add(time.Duration(n)*10*time.Millisecond))
	}
	h.Take(packet("beamng", gamestest.Car{Speed: 20}, 1), own, now.Add(time.Second))
	var s follow.Sample
	if h.Latest(&s); s.Number != 0 || !strings.Contains(h.Status(), "packets of beamng: angles that contradict") {
		t.Errorf("%d packets, %q", s.Number, h.Status())
	}
}
