//go:build amd64 && !amd64.v3

package rig

import (
	"flag"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/core/framepage"
	"rig.example/rig/internal/core/guard"
	"rig.example/rig/internal/files/config"
	"rig.example/rig/internal/kit/valid"
	"rig.example/rig/internal/live/operator"
	"rig.example/rig/test/level"
)

var (
	soakTime = flag.Duration("soak", 0, "virtual time that TestSoak drives; 0 for the usual")
	hostTime = flag.Duration("host", 0, "time for which TestSoakOfTheProgram watches bin/rig; 0 for none")
)

// soak is a damaged rig in which one fault follows the other, with a person who drives on.
type soak struct {
	*damaged
	rng     *rand.Rand
	watch   supervisor
	fault   *plantedFault // that lasts, or nil
	change  int           // tick in which it ends, or else the next begins
	confirm int           // tick in which the person confirms
	press   int           // tick in which the person presses or lets go
	keys    uint64        // pressed
	stuck   int           // ticks for which the car has stood in a drive
	state   guard.State
	soakCounts
}

// soakCounts is what has happened in a soak.
type soakCounts struct{ faults, replugs, stops, driving int }

func newSoak(t *testing.T, blackBoxes int) *soak {
	t.Helper()
	s := &soak{damaged: newDamaged(t), rng: rand.New(rand.NewPCG(20, 26)), change: 1000}
	s.ticks = 0
	s.watch = supervisor{rig: s.Rig, devices: s.devices, log: slog.New(slog.DiscardHandler)}
	cfg := config.Default()
	cfg.Record.Folder, cfg.Record.BlackBoxes, cfg.Profiles = t.TempDir(), blackBoxes, t.TempDir()
	if err := s.newRecorder(Options{Config: cfg, Log: s.watch.log}, false); err != nil {
		t.Fatal(err)
	}
	return s
}

// between returns a random number of ticks.
func (s *soak) between(least, most int) int { return least + s.rng.IntN(most-least+1) }

// step drives for a tick.
func (s *soak) step() {
	s.breakAndHeal()
	s.confirmWaiting()
	s.typeKeys()
	s.run(1)
	s.look()
	if s.ticks%50 == 0 {
		s.recorder.Pack()
		s.recorder.Wait()
		s.watch.check(s.t.Context())
	}
}

// look counts, and checks what the tick sent.
func (s *soak) look() {
	if s.drives() {
		s.driving++
	}
	if now := s.out.State; now != s.state && (now == guard.Fault || now == guard.Stopped) {
		s.stops++
	}
	s.state = s.out.State
	if target := s.platform.Status().Target[0]; !valid.Finite(s.torque) || s.drives() && !valid.Finite(target) {
		s.t.Errorf("tick %d: torque %g, target %g", s.ticks, s.torque, target)
	}
}

// breakAndHeal lets faults begin and end.
func (s *soak) breakAndHeal() {
	switch {
	case s.ticks < s.change:
	case s.fault != nil:
		s.fault.end(s.damaged)
		s.fault, s.change = nil, s.ticks+s.between(1, 20_000)
	default:
		s.faults++
		for s.fault == nil || s.faults%3 == 0 && !s.fault.isReplug() {
			s.fault = &plantedFaults[s.rng.IntN(len(plantedFaults))]
		}
		if s.fault.isReplug() {
			s.replugs++
		}
		s.fault.begin(s.damaged)
		s.change = s.ticks + s.between(1, 2*s.fault.lasts)
	}
}

// isReplug reports whether the fault takes a device away for a while.
func (p *plantedFault) isReplug() bool {
	return strings.Contains(p.name, "unplugged") || strings.Contains(p.name, "restarts")
}

// confirmWaiting confirms after some seconds whatever keeps the rig from driving.
func (s *soak) confirmWaiting() {
	switch {
	case s.drives():
		s.confirm = s.ticks + s.between(500, 5000)
	case s.ticks >= s.confirm:
		order := operator.ClearFault
		if s.out.Frame.Flags&frame.Paused != 0 {
			order = operator.Resume
		}
		s.orders.Give(order, guard.ByCommand)
		s.confirm = s.ticks + 5000
	}
}

// typeKeys presses a key in the window for a while, which may drive the car, and puts a car back that is stuck.
func (s *soak) typeKeys() {
	if s.stuck++; s.drive.State.Car.Speed > 1 || !s.out.State.Moves() {
		s.stuck = 0
	}
	switch {
	case s.stuck == 8000:
		s.stuck, s.keys, s.press = 0, frame.KeyReset, s.ticks+100
	case s.ticks < s.press:
	case s.keys != 0:
		s.keys, s.press = 0, s.ticks+s.between(100, 20_000)
	default:
		s.keys, s.press = windowKeys[s.rng.IntN(len(windowKeys))], s.ticks+s.between(20, 2000)
	}
	if s.ticks%16 == 0 {
		s.page.SetKeys(s.keys)
	}
}

// usage is what a program takes at a moment.
type usage struct {
	memory      uint64 // [bytes]
	threads     int    // or goroutines
	descriptors int
	lost        uint64 // ticks so far
}

// flat fails the test if the last third of all takes more than the first: memory may be the given number of bytes more.
func flat(t *testing.T, all []usage, memory uint64) {
	t.Helper()
	most := func(part []usage) (m usage) {
		for _, u := range part {
			m = usage{max(m.memory, u.memory), max(m.threads, u.threads), max(m.descriptors, u.descriptors), 0}
		}
		return m
	}
	n := len(all) / 3
	first, last := most(all[:n]), most(all[len(all)-n:])
	if last.memory > first.memory+memory || last.threads > first.threads || last.descriptors > first.descriptors {
		t.Errorf("at most %+v in the first third, %+v in the last", first, last)
	}
}

// measure collects garbage and measures what the process takes. before is what had happened at the last time, ticks ago.
func (s *soak) measure(before soakCounts, ticks int) usage {
	s.t.Helper()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	u := usage{m.HeapAlloc, runtime.NumGoroutine(), usageOf(s.t, os.Getpid()).descriptors, s.recorder.Missing()}
	allocs := testing.AllocsPerRun(100, func() { _ = s.Tick() })
	s.torque, s.paths = s.out.Torque, s.paths[:0] // after ticks that run did not measure
	if allocs != 0 || u.lost != 0 {
		s.t.Errorf("a tick allocates %g times, %d ticks are lost", allocs, u.lost)
	}
	s.t.Logf("%v: heap %.3f MB, %g allocations by a tick, %d goroutines, %d descriptors, %d ticks lost, %d faults, %d replugs, %d stops, driving for %.0f %%",
		time.Duration(s.ticks)*period, float64(u.memory)/1e6, allocs, u.threads, u.descriptors, u.lost,
		s.faults-before.faults, s.replugs-before.replugs, s.stops-before.stops, 100*float64(s.driving-before.driving)/float64(ticks))
	return u
}

// checkBounds checks torque and actuators since the last call.
func (s *soak) checkBounds(c *campaign) {
	s.t.Helper()
	c.bounded(s.damaged, fmt.Sprintf("until tick %d, platform %v, fault %+v", s.ticks, s.platform.Status().State, s.fault))
	s.rise, s.paths = 0, append(s.paths[:0], s.paths[max(0, len(s.paths)-2*differenceOver):]...)
}

// Hours of faults, replugs, confirmations and keys leave memory, goroutines and descriptors as they were, and no tick
// allocates or is lost. make soak drives for eight hours.
func TestSoak(t *testing.T) {
	level.SkipIfQuick(t)
	length, blackBoxes, grows := 90*time.Second, 0, uint64(100_000)
	if *soakTime > 0 {
		length = *soakTime
	}
	if length >= time.Hour { // the black box fills for minutes, and its 262 blocks and buffers grow to the longest that they ever had
		blackBoxes, grows = 3, 1_000_000
	}
	s, bounds := newSoak(t, blackBoxes), newCampaign(t)
	var all []usage
	before, ticks := s.soakCounts, int(length/period)
	for every := min(600_000, ticks/12); s.ticks < ticks; {
		if s.step(); s.released {
			t.Fatalf("the drive ended in tick %d", s.ticks)
		}
		if s.ticks%1000 == 0 {
			s.checkBounds(bounds)
		}
		if s.ticks%every == 0 {
			all, before = append(all, s.measure(before, every)), s.soakCounts
		}
	}
	flat(t, all, grows)
	if share := float64(s.driving) / float64(ticks); share < 0.5 {
		t.Errorf("drives for %.0f %% of the time", 100*share)
	}
}

// By the host's clock, the program that users install drives as it did in its first minutes. Garbage is not collected while it
// drives: what it leaves is allowed for. make soak watches it for an hour.
func TestSoakOfTheProgram(t *testing.T) {
	if *hostTime == 0 {
		t.Skip("make soak runs it")
	}
	const settles = 150 * time.Second // so long the black box fills
	path := filepath.Join(t.TempDir(), "page")
	cmd := exec.Command("../../../bin/rig", "run", "--demo", "--headless", "--page", path, "--duration", (*hostTime + settles + time.Minute).String())
	cmd.Env = append(os.Environ(), "HOME="+t.TempDir())
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { cmd.Process.Signal(os.Interrupt); cmd.Wait() }()
	time.Sleep(settles)
	p, err := framepage.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	var all []usage
	for range 12 {
		time.Sleep(*hostTime / 12)
		var f frame.Frame
		p.Read(&f)
		u := usageOf(t, cmd.Process.Pid)
		u.lost, all = f.Dropped, append(all, u)
		t.Logf("tick %d: %.1f MB, %d threads, %d descriptors, %d ticks lost, %d late, by %.1f ms at most", f.Tick, float64(u.memory)/1e6, u.threads, u.descriptors, u.lost, f.Missed, 1e3*f.LateMax)
	}
	const garbage = 10_000 // bytes per second
	flat(t, all, uint64(garbage*hostTime.Seconds()))
}

// usageOf measures a process.
func usageOf(t *testing.T, pid int) (u usage) {
	t.Helper()
	count := func(name string) int {
		list, err := os.ReadDir(fmt.Sprintf("/proc/%d/%s", pid, name))
		if err != nil {
			t.Fatal(err)
		}
		return len(list)
	}
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	fmt.Sscan(string(text), new(int), &u.memory)
	u.memory *= uint64(os.Getpagesize())
	u.threads, u.descriptors = count("task"), count("fd")
	return u
}

// Each replug leaves garbage, which nobody collects while the car drives. Of a hundred, the later ones take no more memory.
func TestReplugsDoNotGrowTheHeap(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // as in a drive
	_, _, s, _ := seatedDemo(t)
	heap := func() int64 {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	collections := func() uint32 {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.NumGC
	}
	garbage, before := []byte(nil), int64(0)
	for n := range 100 {
		garbage = make([]byte, 265_000)
		for _, flags := range []uint64{0, frame.WheelPresent} {
			s.rig.page.Publish(&frame.Frame{Tick: uint64(n), State: uint64(guard.Driving), Flags: flags})
			count := collections()
			if s.check(t.Context()); flags != 0 && collections() != count {
				t.Fatal("garbage is collected when the wheel is back")
			}
		}
		if n == 25 {
			before = heap()
		}
	}
	runtime.KeepAlive(garbage)
	if grown := heap() - before; grown > 4_500_000 {
		t.Errorf("the heap grew by %d kB from the 25th replug to the 100th", grown/1000)
	}
}
