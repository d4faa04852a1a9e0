package drive

import (
	"bytes"
	"fmt"
	"os"
	"sync"
	"syscall"
	"testing"
	"time"

	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/core/guard"
	"rig.example/rig/test/vm/g29"
)

// A start of rig costs as much as some seconds of driving. So tests of what happens to a running rig share one: kind is
// a cockpit in which rig drives on from test to test. The next test that wants another cockpit ends it, and it must end
// parked. Tests may run in any order; in that of the files each kind starts once.
type kind struct {
	plug  func(*bench) // plugs devices in and completes the configuration
	start func(*bench) // starts rig and waits until it drives
	rest  func(*bench) // hands and feet off
}

// shared is the bench whose rig drives on after the test; nil for none.
var shared *bench

// plain is a wheel and a platform.
var plain = &kind{
	plug:  func(b *bench) { b.plug(nil); b.config(); b.realTires(); b.startPlatform(); b.add(buttonTable) },
	start: func(b *bench) { b.run(); b.moveFoot() },
	rest:  (*bench).standStill,
}

// Buttons of the wheel in a shared cockpit.
const (
	pauseButton = iota
	gainButton
	stopButton
	resetButton

	buttonTable = "\n[buttons]\npause = \"BTN_TRIGGER\"\nffb_gain_up = \"BTN_THUMB\"\nstop = \"BTN_THUMB2\"\nreset = \"BTN_TOP\"\nlook_left = \"hat0-left\"\n"
)

// running returns a cockpit of this kind, in which rig drives and nobody touches anything. At the end of the test it must
// be driving again with all its devices, unless the test has taken the cockpit.
func (k *kind) running(t *testing.T) *bench {
	t.Helper()
	needsGuest(t)
	if shared == nil || shared.kind != k {
		b := k.plugged(t)
		k.start(b)
		b.devices = b.now().Flags & allDevices
		if b.wheel != nil && !autocenterEnded(b.wheel.Reports()) {
			t.Error("the wheel centers by itself")
		}
	} else {
		shared.t = t
		shared.log.Reset()
		shared.guarded()
	}
	k.rest(shared)
	return shared
}

// plugged returns a new cockpit of this kind, which rig has not been started in.
func (k *kind) plugged(t *testing.T) *bench {
	t.Helper()
	inGuest(t)
	shared = &bench{t: t, kind: k}
	shared.guarded()
	k.plug(shared)
	return shared
}

const allDevices = frame.WheelPresent | frame.PedalsPresent | frame.PlatformPresent

// guarded has the end of the test check the cockpit, and take it down if the test failed.
func (b *bench) guarded() {
	b.t.Cleanup(func() {
		if b.t.Failed() {
			b.dismantle()
		}
	})
	b.t.Cleanup(func() {
		if shared != b || b.t.Failed() {
			return
		}
		b.kind.rest(b)
		b.until("driving again with all devices", soon(10*time.Second), func(f frame.Frame) bool {
			return f.State == uint64(guard.Driving) && f.Flags&b.devices == b.devices
		})
	})
}

// take keeps other tests from using the cockpit after this one.
func (b *bench) take() {
	shared = nil
	b.t.Cleanup(b.dismantle)
}

// dismantle takes a shared cockpit down, however it is.
func (b *bench) dismantle() {
	if shared == b {
		shared = nil
	}
	for n := len(b.ends); n > 0; n = len(b.ends) {
		end := b.ends[n-1]
		b.ends = b.ends[:n-1]
		end()
	}
}

// atEnd calls f when the bench is taken down: with its test, or after the last test that shares it.
func (b *bench) atEnd(f func()) {
	if b.kind != nil {
		b.ends = append(b.ends, f)
		return
	}
	b.t.Cleanup(f)
}

// leave ends the shared rig, if one drives, like Ctrl-C. It must park.
func leave() error {
	if shared == nil {
		return nil
	}
	b := shared
	defer b.dismantle()
	if err := b.interrupt(); err != nil {
		return err
	}
	if f := b.now(); f.State != uint64(guard.Parked) {
		return fmt.Errorf("the rig that tests shared ended %v", guard.State(f.State))
	}
	return nil
}

// interrupt ends rig like Ctrl-C.
func (b *bench) interrupt() error {
	b.cmd.Process.Signal(syscall.SIGINT)
	done := make(chan error, 1)
	go func() { done <- b.cmd.Wait() }()
	select {
	case err := <-done:
		if err != nil {
			return fmt.Errorf("rig ended with %w\n%s", err, b.log.String())
		}
		return nil
	case <-time.After(soon(20 * time.Second)):
		return fmt.Errorf("rig did not end:\n%s", b.log.String())
	}
}

func TestMain(m *testing.M) {
	status := m.Run()
	if err := leave(); err != nil {
		fmt.Println(err)
		status = 1
	}
	os.Exit(status)
}

// standStill puts the car at rest, with the rim in the middle and the pedals released.
func (b *bench) standStill() {
	b.t.Helper()
	b.drive(0, 0, 0)
	b.button(resetButton)
	b.until("a car at rest", soon(5*time.Second), func(f frame.Frame) bool { return f.Speed < 0.5 })
	b.wheel.Reports()
}

func autocenterEnded(reports []g29.Report) bool {
	for _, r := range reports {
		if r.Kind == g29.AutocenterOff {
			return true
		}
	}
	return false
}

// said is what a program has printed so far.
type said struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (s *said) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(b)
}

func (s *said) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}

func (s *said) Reset() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.text.Reset()
}
