package rig

import (
	"context"
	"log/slog"
	"math"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"rig.example/rig/devices/motion"
	"rig.example/rig/devices/motion/simulated"
	"rig.example/rig/internal/connect/games"
	"rig.example/rig/internal/connect/games/gamestest"
	"rig.example/rig/internal/core/follow"
	"rig.example/rig/internal/core/guard"
	"rig.example/rig/internal/files/config"
	"rig.example/rig/internal/live/loopback"
	"rig.example/rig/sim"
	"rig.example/rig/test/level"
)

// gamePlay is a rig that follows a game over a network with troubles, on a virtual platform. Time passes in tick alone.
type gamePlay struct {
	t        *testing.T
	rig      *Rig
	platform *motion.Virtual
	hub      *games.Hub
	began    time.Time
	folder   string // of shared memory
	ticks    int    // since it began [ms]

	layout  gamestest.Layout
	network gamestest.Network
	game    gamestest.Drive
	next    float64 // when the game sends its next packet [s]
	gone    bool    // the game has ended
	packet  func(*gamestest.Car) []byte
	another *gamestest.Drive // sends packets too, from a sender of its own, if it is not nil
	coming  []arrival
	tilts   []float64  // of the game's car [rad], each millisecond
	targets [2]history // of the two actuators
}

// arrival is what arrives at a time.
type arrival struct {
	at     float64 // [s]
	packet []byte
	files  map[string][]byte
}

// history are the positions that were sent to an actuator, by the millisecond.
type history struct {
	ticks []int
	share []float64 // of the stroke
}

// heard decodes what the platform's controller is sent.
type heard struct {
	simulated.Controller
	p *gamePlay
}

func (h heard) Handle(in []byte) []byte {
	for line := range strings.Lines(string(in)) {
		for leg, text := range strings.Split(strings.TrimSuffix(strings.TrimPrefix(line, "L"), "\n"), ",") {
			n, err := strconv.Atoi(text)
			if err != nil || leg >= len(h.p.targets) {
				h.p.t.Fatalf("sent %q", in)
			}
			t := &h.p.targets[leg]
			t.ticks, t.share = append(t.ticks, h.p.ticks), append(t.share, float64(n)/65535)
		}
	}
	return h.Controller.Handle(in)
}

func newGamePlay(t *testing.T, layout gamestest.Layout, network gamestest.Network) *gamePlay {
	t.Helper()
	cfg := config.Default()
	cfg.Motion.Protocol, cfg.Motion.BootWait, cfg.Motion.Rate = "template", 0.2, 200
	cfg.Motion.Template.Format, cfg.Motion.Template.Bits = "decimal", 16
	cfg.Motion.Template.Output = []string{"L<Axis1a>,<Axis2a><10>"}
	r := withPage(t, undriven(t, cfg))
	p := &gamePlay{t: t, rig: r, layout: layout, network: network, packet: layout.Packet, folder: t.TempDir()}
	far, err := loopback.Controller(&cfg.Motion, r.drive.Setup.Platform.Axes())
	if err != nil {
		t.Fatal(err)
	}
	if p.platform, err = motion.NewVirtual(cfg.Motion, heard{far, p}, nil); err != nil {
		t.Fatal(err)
	}
	p.hub, p.began = games.NewOffline(games.Config{Source: layout.Source}, slog.New(slog.DiscardHandler), p.folder), time.Now()
	r.wheel, r.pedals, r.source, r.platform, r.controls = noWheel{}, noPedals{}, p, p.platform, &fingers{}
	r.drive.Setup.Follower = follow.New(follow.Config{}, sim.Dt)
	whole := [follow.Axes]float64{1, 1, 1, 1, 1, 1}
	for _, version := range []string{"", "OutSim", "OutSim2", "232 bytes", "311 bytes", "324 bytes", "331 bytes", "1.16 1.7", "1200", "ETS2 1.50, plugin 12"} {
		r.drive.Setup.FollowTrust = append(r.drive.Setup.FollowTrust, follow.Trust{Source: games.Code(layout.Source), Version: games.Hash(version), Axes: whole})
	}
	r.orders.Start()
	return p
}

func (p *gamePlay) Run(context.Context) error { return nil }
func (p *gamePlay) Status() string            { return p.hub.Status() }
func (p *gamePlay) Notice() string            { return p.hub.Notice() }
func (p *gamePlay) Latest(s *follow.Sample)   { p.hub.LatestAt(s, p.now()) }

func (p *gamePlay) seconds() float64 { return float64(p.ticks) / 1000 }

func (p *gamePlay) now() time.Time { return p.began.Add(time.Duration(p.ticks) * time.Millisecond) }

// play lets some seconds pass.
func (p *gamePlay) play(seconds float64) {
	p.t.Helper()
	for range int(math.Round(1000 * seconds)) {
		p.ticks++
		p.send()
		p.deliver()
		run(p.t, p.rig, 1)
		if err := p.platform.Step(time.Millisecond); err != nil {
			p.t.Fatal(err)
		}
	}
}

// send lets the game drive for a millisecond and send what is due.
func (p *gamePlay) send() {
	p.game.Advance(1e-3)
	p.tilts = append(p.tilts, p.game.RightDown)
	now := p.seconds()
	if p.another != nil {
		p.another.Advance(1e-3)
		if p.another.N++; p.another.N%7 == 0 {
			p.hub.Take(p.packet(&p.another.Car), netip.MustParseAddrPort("127.0.0.1:60001"), p.now())
		}
	}
	if p.gone || now < p.next {
		return
	}
	interval := 1 / p.layout.Rate
	p.next = max(p.next, now-interval) + interval
	told := p.game.Phase == gamestest.Live || slices.Contains(p.layout.Tells, p.game.Phase)
	switch {
	case told:
		p.game.N++
	case p.game.Phase == gamestest.Menu:
		return // games that tell no phase send nothing there, and the same again in a pause
	}
	var sent arrival
	if p.packet != nil {
		sent.packet = p.packet(&p.game.Car)
	} else {
		sent.files = p.layout.Files(&p.game.Car)
	}
	for _, delay := range p.network.Delays(interval) {
		if p.packet == nil { // memory is written in order
			delay = min(delay, 0.9*interval)
		}
		sent.at = now + delay
		p.coming = append(p.coming, sent)
	}
}

// deliver hands the hub what has arrived.
func (p *gamePlay) deliver() {
	slices.SortStableFunc(p.coming, func(a, b arrival) int { return int(math.Copysign(1, a.at-b.at)) })
	for len(p.coming) > 0 && p.coming[0].at <= p.seconds() {
		a := p.coming[0]
		p.coming = p.coming[1:]
		if a.packet != nil {
			p.hub.Take(a.packet, netip.MustParseAddrPort("127.0.0.1:50001"), p.now())
			continue
		}
		if err := gamestest.Write(p.folder, a.files); err != nil {
			p.t.Fatal(err)
		}
		p.hub.Poll(p.now())
	}
}

// within fails unless all that was sent keeps the platform's limits.
func (p *gamePlay) within() {
	p.t.Helper()
	c := motion.DefaultConfig()
	for leg, h := range p.targets {
		speed := 0.0
		for i := 1; i < len(h.share); i++ {
			dt := float64(h.ticks[i]-h.ticks[i-1]) / 1000
			v := (h.share[i] - h.share[i-1]) / dt
			a := (v - speed) / dt
			const rounding = 1.0 / 65535 // of a target [strokes]
			if h.share[i] < c.MinPosition[leg]-rounding || h.share[i] > c.MaxPosition[leg]+rounding || math.Abs(v) > c.MaxSpeed[leg]+2*rounding/dt ||
				i > 1 && math.Abs(a) > c.MaxAccel[leg]+4*rounding/dt/dt {
				p.t.Fatalf("%s: actuator %d at %d ms: %g strokes, %g strokes/s, %g strokes/s²", p.layout.Name, leg, h.ticks[i], h.share[i], v, a)
			}
			speed = v
		}
	}
}

// moves reports whether the actuators move, over the last second.
func (p *gamePlay) moves() bool {
	least, most := 1.0, 0.0
	h := &p.targets[0]
	for i := len(h.share) - 1; i >= 0 && h.ticks[i] > p.ticks-1000; i-- {
		least, most = min(least, h.share[i]), max(most, h.share[i])
	}
	return most-least > 5e-3
}

// follows fails unless the platform follows the game whole.
func (p *gamePlay) follows(after string) {
	p.t.Helper()
	if f := &p.rig.drive.State; f.Guard.State() != guard.Driving || p.rig.out.Frame.Follow.Share != 1 || !p.moves() {
		p.t.Fatalf("%s: after %s at %.1f s: state %v, %+v; %s", p.layout.Name, after, p.seconds(), f.Guard.State(), p.rig.out.Frame.Follow, p.hub.Status())
	}
}

// rests fails unless the platform rests.
func (p *gamePlay) rests(in string) {
	p.t.Helper()
	if f := &p.rig.out.Frame; f.Follow.Share != 0 || p.moves() {
		p.t.Fatalf("%s: in %s at %.1f s: %+v", p.layout.Name, in, p.seconds(), f.Follow)
	}
}

// lag returns how much later than the game's car the actuators roll, over the last seconds [s].
func (p *gamePlay) lag(seconds float64) float64 {
	best, at := math.Inf(1), 0.0
	h := &p.targets
	for lag := range 150 {
		var xx, xy, yy float64
		for i := range h[0].share {
			if tick := h[0].ticks[i]; tick > p.ticks-int(1000*seconds) {
				x, y := p.tilts[tick-lag-1], h[0].share[i]-h[1].share[i]
				xx, xy, yy = xx+x*x, xy+x*y, yy+y*y
			}
		}
		if rest := yy - xy*xy/xx; rest < best {
			best, at = rest, float64(lag)/1000
		}
	}
	return at
}

// Each game is played over a network that delays, loses, doubles and overtakes its packets, through pauses, menus, a
// teleport, a restart and what it cannot mean. What is sent to the platform keeps its limits all the time.
func TestEachGameIsPlayed(t *testing.T) {
	level.SkipIfQuick(t)
	for _, layout := range gamestest.Layouts() {
		t.Run(layout.Name, func(t *testing.T) {
			t.Parallel()
			interval := 1 / layout.Rate
			p := newGamePlay(t, layout, gamestest.Network{Jitter: 0.3 * interval, Loss: 0.02, Double: 0.02, Reorder: 0.02})
			p.play(12)
			p.follows("the start")
			for _, phase := range []gamestest.Phase{gamestest.Paused, gamestest.Menu, gamestest.Replay} {
				if phase == gamestest.Replay && !slices.Contains(layout.Tells, phase) {
					continue
				}
				p.game.Phase = phase
				p.play(3)
				p.rests("a pause, a menu or a replay")
				p.game.Phase = gamestest.Live
				p.play(5)
				p.follows("it")
			}
			if p.game.Teleport(); layout.HasPlace {
				p.play(0.48)
				if share := p.rig.out.Frame.Follow.Share; share != 0 {
					t.Fatalf("the car was put elsewhere: share %g", share)
				}
			}
			p.play(5)
			p.follows("a teleport")
			p.gone = true
			p.play(3)
			p.rests("silence")
			p.gone, p.game = false, gamestest.Drive{}
			p.play(6)
			p.follows("a restart")
			p.within()
		})
	}
}

// What a game tells of its tires and of the surfaces below them reaches the frame.
func TestTheTiresOfAGameReachTheFrame(t *testing.T) {
	level.SkipIfQuick(t)
	for source, tells := range map[string]struct{ slip, rumble bool }{"forza": {true, true}, "ac": {true, false}, "rf2": {false, true}, "outsim": {}} {
		layout, _ := gamestest.Of(source)
		p := newGamePlay(t, layout, gamestest.Network{})
		p.play(8)
		slides, shakes := 0.0, 0.0
		for range 100 { // of the drive, which turns left and right
			p.play(0.05)
			p.follows("the start")
			w := p.rig.out.Frame.Wheels
			slides, shakes = max(slides, w[0].NormalizedSlip), max(shakes, w[3].Rumble)
			if w[2].Rumble != 0 {
				t.Fatalf("%s: the rear left wheel rumbles beside the strip", layout.Name)
			}
		}
		if (slides > 0.4 && slides < 0.6) != tells.slip || (slides == 0) == tells.slip || (shakes == 0.8) != tells.rumble || (shakes == 0) == tells.rumble {
			t.Errorf("%s: slip of %g, rumble of %g", layout.Name, slides, shakes)
		}
	}
}

// Packets of a version with other signs move nothing.
func TestAnotherVersionsSignsAreNotPlayed(t *testing.T) {
	layout, _ := gamestest.Of("beamng")
	p := newGamePlay(t, layout, gamestest.Network{})
	p.play(10)
	p.follows("the start")
	p.packet = gamestest.OtherBeamNG
	p.play(3)
	p.rests("another version")
	p.within()
}

// The platform rolls later than the car by what rig says, and by what cueing and platform take for any source.
func TestTheDelayIsAsStated(t *testing.T) {
	level.SkipIfQuick(t)
	own := func(layout gamestest.Layout, jitter float64) (rest float64) {
		p := newGamePlay(t, layout, gamestest.Network{Jitter: jitter})
		p.play(22)
		p.follows("the start")
		return p.lag(10) - p.rig.out.Frame.Follow.Delay
	}
	fast, _ := gamestest.Of("rbr")
	fast.Rate = 1000
	want := own(fast, 0)
	for _, layout := range gamestest.Layouts() {
		rest := own(layout, 0.1/layout.Rate)
		t.Logf("%s: %.1f ms besides the stated delay, %.1f ms without a network", layout.Name, 1000*rest, 1000*want)
		if math.Abs(rest-want) > 4e-3 {
			t.Errorf("%s: %.1f ms besides the stated delay; %.1f ms at 1000 packets a second", layout.Name, 1000*rest, 1000*want)
		}
	}
}

// A second sender of the same game, whose clock is 0.2 s ahead and whose car is elsewhere, changes nothing of what is sent to the
// platform. Once the first one was silent for long enough the second one is followed, from rest.
func TestASecondSenderMovesNothing(t *testing.T) {
	for _, layout := range gamestest.Layouts() {
		if layout.Packet == nil {
			continue // another program that writes a game's memory cannot be told from the game
		}
		t.Run(layout.Name, func(t *testing.T) {
			t.Parallel()
			alone, p := newGamePlay(t, layout, gamestest.Network{}), newGamePlay(t, layout, gamestest.Network{})
			alone.play(16)
			p.play(8)
			p.another = &gamestest.Drive{}
			*p.another = p.game
			p.another.Advance(0.2)
			p.another.Ahead, p.another.Heading = p.another.Ahead+50, p.another.Heading+1
			p.play(8)
			p.follows("a second sender")
			for leg := range p.targets {
				if !slices.Equal(p.targets[leg].share, alone.targets[leg].share) {
					t.Fatalf("actuator %d is moved by the second sender", leg)
				}
			}
			p.gone = true
			p.play(2)
			p.rests("silence of the first sender")
			p.play(5)
			p.follows("the change")
			p.within()
		})
	}
}
