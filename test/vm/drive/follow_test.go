package drive

import (
	"math"
	"net"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"rig.example/rig/internal/connect/games/gamestest"
	"rig.example/rig/internal/core/follow"
	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/core/guard"
	"rig.example/rig/test/vm/g29"
)

// game drives, and sends BeamNG's motion packets over a network that loses, doubles and delays some.
type game struct {
	silent atomic.Bool
	end    chan struct{}
	ended  chan struct{}
}

func startGame(t *testing.T) *game {
	t.Helper()
	g := &game{end: make(chan struct{}), ended: make(chan struct{})}
	conn, err := net.Dial("udp", "127.0.0.1:4444")
	if err != nil {
		t.Fatal(err)
	}
	layout, _ := gamestest.Of("beamng")
	go func() {
		defer close(g.ended)
		defer conn.Close()
		const interval = 10 * time.Millisecond
		network := gamestest.Network{Jitter: 0.002, Loss: 0.02, Double: 0.02}
		var drive gamestest.Drive
		tick := time.NewTicker(interval)
		defer tick.Stop()
		for {
			select {
			case <-g.end:
				return
			case <-tick.C:
			}
			if drive.Advance(interval.Seconds()); g.silent.Load() {
				continue
			}
			for _, delay := range network.Delays(interval.Seconds()) {
				time.Sleep(time.Duration(delay * float64(time.Second)))
				_, _ = conn.Write(layout.Packet(&drive.Car)) // nobody may listen yet
			}
		}
	}()
	t.Cleanup(func() { close(g.end); <-g.ended })
	return g
}

// A rig that follows a game moves the platform by the game's packets alone. The wheel's button stops it; the wheel itself gets
// nothing.
func TestThePlatformFollowsAGame(t *testing.T) {
	b := cockpit(t, nil)
	loopback(t)
	b.startPlatform()
	b.add("[buttons]\nstop = \"BTN_TRIGGER\"\n")
	g := startGame(t)
	b.start("follow", "beamng", "--json", "--config", b.conf)
	b.waitState(guard.Driving, soon(20*time.Second))
	f := b.until("whole motion", soon(10*time.Second), func(f frame.Frame) bool { return f.Follow.Share == 1 && math.Abs(f.Pose[frame.Roll]) > 1e-4 })
	t.Logf("figure: %.0f packets a second, delay %.1f ms", f.Follow.PacketRate, 1000*f.Follow.Delay)
	if f.Follow.Delay > 0.04 || f.RimTorque != 0 || f.Speed < 10 {
		t.Errorf("delay %g s, torque %g, speed %g", f.Follow.Delay, f.RimTorque, f.Speed)
	}
	g.silent.Store(true)
	f = b.until("silence", soon(3*time.Second), func(f frame.Frame) bool { return f.Follow.Status == uint64(follow.Silent) && f.Follow.Share == 0 })
	if guard.State(f.State) != guard.Driving {
		t.Errorf("silence: state %v", guard.State(f.State))
	}
	g.silent.Store(false)
	b.until("the game again", soon(5*time.Second), func(f frame.Frame) bool { return f.Follow.Share == 1 })
	in := g29.AtRest()
	in.Buttons = 1
	b.wheel.SetInput(in)
	b.waitState(guard.Stopped, soon(2*time.Second))
	for _, r := range b.wheel.Reports() {
		if r.Kind == g29.ConstantForce {
			t.Errorf("the wheel got a force: %+v", r)
		}
	}
	b.cmd.Process.Signal(syscall.SIGINT)
	if err := b.cmd.Wait(); err == nil || !strings.Contains(b.log.String(), "following beamng") {
		t.Errorf("ended stopped with %v\n%s", err, b.log.String())
	}
}
