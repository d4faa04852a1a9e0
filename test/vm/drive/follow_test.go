package drive

import (
	"encoding/binary"
	"math"
	"net"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"rig.example/rig/internal/follow"
	"rig.example/rig/internal/frame"
	"rig.example/rig/internal/guard"
	"rig.example/rig/test/vm/g29"
)

// game sends BeamNG's motion packets, 100 a second: a car at 20 m/s that turns left and right.
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
	go func() {
		defer close(g.ended)
		defer conn.Close()
		tick := time.NewTicker(10 * time.Millisecond)
		defer tick.Stop()
		for n := 0; ; n++ {
			select {
			case <-g.end:
				return
			case <-tick.C:
			}
			if !g.silent.Load() {
				_, _ = conn.Write(motionPacket(float64(n) / 100)) // nobody may listen yet
			}
		}
	}()
	t.Cleanup(func() { close(g.end); <-g.ended })
	return g
}

// motionPacket makes BNG1: position 4, velocity 16, acceleration 28 (right, ahead, down), up 40, angles 52.
func motionPacket(t float64) []byte {
	b := make([]byte, 88)
	copy(b, "BNG1")
	put := func(at int, v float64) { binary.LittleEndian.PutUint32(b[at:], math.Float32bits(float32(v))) }
	put(8, 20*t)
	put(20, 20)
	put(28, 5*math.Sin(t))
	put(48, 1)
	return b
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
	if f.Follow.Delay > 0.04 || f.RimTorque != 0 || f.Speed < 19 {
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
