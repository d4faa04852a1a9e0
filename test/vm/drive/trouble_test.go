package drive

import (
	"bufio"
	"fmt"
	"math"
	"os"
	"os/exec"
	"slices"
	"syscall"
	"testing"
	"time"

	"rig.example/rig/devices/motion"
	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/core/guard"
	"rig.example/rig/internal/kit/rt"
	"rig.example/rig/test/level"
	"rig.example/rig/test/vm/g29"
	"rig.example/rig/test/vm/mono"
)

// pushing returns a bench whose wheel has a high torque.
func pushing(t *testing.T) *bench {
	t.Helper()
	b := plain.running(t)
	b.push(0)
	return b
}

// push steers to the left at standstill, or in the first moment of a drive, where the tires
// push hard to the right.
func (b *bench) push(throttle float64) {
	b.t.Helper()
	b.drive(120, throttle, 0)
	b.until("a torque to the right", 3*time.Second, func(f frame.Frame) bool { return f.RimTorque < -0.8 })
	time.Sleep(50 * time.Millisecond)
	b.wheel.Reports()
}

// stopAfter waits for the report that ends the force, and returns the time from since until it was received.
func (b *bench) stopAfter(since, limit time.Duration) time.Duration {
	b.t.Helper()
	for mono.Now() < since+limit {
		for _, r := range b.wheel.Reports() {
			if r.At > since && (r.Kind == g29.Stop || r.Kind == g29.ConstantForce && r.Force == g29.NoForce) {
				return r.At - since
			}
		}
		time.Sleep(time.Millisecond)
	}
	b.t.Fatalf("no stop within %v", limit)
	return 0
}

func TestWatchShowsTheRunningRig(t *testing.T) {
	b := plain.running(t)
	b.drive(20, 1, 0)
	cmd := exec.Command(program, "watch", "--json", "--page", b.pagePath)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Process.Kill()
	lines := bufio.NewScanner(out)
	var before, got struct {
		Tick     uint64
		State    string
		Throttle float64
		Steer    float64 `json:"steer_deg"`
		Wheel    bool    `json:"wheel_present"`
		Platform bool    `json:"platform_present"`
	}
	for range 5 {
		before = got
		if !lines.Scan() {
			t.Fatal("it fell silent", lines.Err())
		}
		decode(t, lines.Bytes(), &got)
	}
	if got.State != "driving" || got.Tick <= before.Tick || !got.Wheel || !got.Platform {
		t.Errorf("%+v after %+v, want it driving on with wheel and platform", got, before)
	}
	if got.Throttle < 0.99 || math.Abs(got.Steer-20) > 0.1 {
		t.Errorf("throttle %.2f, steering %.2f°: want 1 and 20°", got.Throttle, got.Steer)
	}
	cmd.Process.Signal(syscall.SIGINT)
	if err := cmd.Wait(); err != nil {
		t.Errorf("watch ended with %v", err)
	}
}

func TestButtonsOfTheWheel(t *testing.T) {
	b := plain.running(t)
	gain := b.now().Gain
	b.button(gainButton)
	b.until("more force", time.Second, func(f frame.Frame) bool {
		return math.Abs(f.Gain-gain-0.05) < 1e-9 && f.Flags&frame.GainChanged != 0
	})
	b.button(pauseButton)
	b.until("paused", 3*time.Second, func(f frame.Frame) bool {
		return f.State == uint64(guard.Ready) && f.Flags&frame.Paused != 0 && f.RimTorque == 0
	})
	b.button(pauseButton)
	b.waitState(guard.Driving, 5*time.Second)
	b.button(stopButton)
	b.waitState(guard.Stopped, time.Second)
	time.Sleep(200 * time.Millisecond)
	if b.now().State != uint64(guard.Stopped) {
		t.Error("the stop ended with the button")
	}
	b.cmd.Process.Signal(syscall.SIGUSR1)
	b.waitState(guard.Driving, 20*time.Second)
}

// The wheel is unplugged and plugged in again while the car drives: twice, so that it also happens to a wheel that has been
// away before, and many times in test-all, for the worst of the times.
func TestReplugManyTimes(t *testing.T) {
	rounds := level.Pick(2, 2, 50)
	b := plain.running(t)
	b.drive(0, 0.3, 0)
	var gone, back []time.Duration
	var memory, descriptors []int
	for range rounds {
		at := mono.Now()
		b.wheel.Unplug()
		b.until("the wheel is disconnected", time.Second, func(f frame.Frame) bool { return f.Flags&frame.WheelPresent == 0 && f.RimTorque == 0 })
		gone = append(gone, mono.Now()-at)
		b.plug(nil)
		at = mono.Now()
		b.until("the wheel is back", 5*time.Second, func(f frame.Frame) bool { return f.Flags&frame.WheelPresent != 0 && f.RatedTorque > 0 })
		back = append(back, mono.Now()-at)
		resident, open := b.usage()
		memory, descriptors = append(memory, resident), append(descriptors, open)
	}
	last := rounds - 1
	t.Logf("figure: memory %d kB after the first replug, %d kB after %d; %d descriptors", memory[0], memory[last], rounds, descriptors[last])
	if level.All() && memory[last] > memory[0]+6000 || descriptors[last] > descriptors[0]+2 { // 4 MB of garbage and a search for devices may be under way
		t.Errorf("memory %d kB, descriptors %d", memory, descriptors)
	}
	slices.Sort(gone)
	slices.Sort(back)
	t.Logf("figure: %d replugs: torque 0 %v after the unplug at worst, ready for torque %v after the new node at worst, %v in the middle",
		rounds, gone[rounds-1], back[rounds-1], back[rounds/2])
	if gone[rounds-1] > 20*time.Millisecond || back[rounds-1] > time.Second {
		t.Errorf("torque 0 after %v, back after %v; want 20 ms and 1 s at most", gone[rounds-1], back[rounds-1])
	}
	if f := b.now(); f.State != uint64(guard.Driving) && f.State != uint64(guard.Engaging) {
		t.Errorf("%v after all that", guard.State(f.State))
	}
}

// usage returns the resident memory [kB] and the open descriptors of rig.
func (b *bench) usage() (resident, descriptors int) {
	b.t.Helper()
	folder := fmt.Sprintf("/proc/%d/", b.cmd.Process.Pid)
	text, err := os.ReadFile(folder + "statm")
	if err != nil {
		b.t.Fatal(err)
	}
	fmt.Sscan(string(text), new(int), &resident)
	open, err := os.ReadDir(folder + "fd")
	if err != nil {
		b.t.Fatal(err)
	}
	return resident * os.Getpagesize() / 1000, len(open)
}

func TestUnpluggedWheelAndReplug(t *testing.T) {
	b := plain.running(t)
	b.drive(0, 1, 0)
	b.until("6 m/s", 15*time.Second, func(f frame.Frame) bool { return f.Speed > 6 })
	b.drive(120, 0.4, 0)
	b.until("a torque to the right", 3*time.Second, func(f frame.Frame) bool { return f.RimTorque < -0.8 })
	at := mono.Now()
	b.wheel.Unplug()
	gone := b.until("torque 0", time.Second, func(f frame.Frame) bool {
		return f.Flags&frame.WheelPresent == 0 && f.RimTorque == 0
	})
	t.Logf("figure: torque 0 at most %v after the unplug", mono.Now()-at)
	if gone.State != uint64(guard.Driving) {
		t.Errorf("state %v, want driving: the car coasts", guard.State(gone.State))
	}
	later := b.until("coasting", 5*time.Second, func(f frame.Frame) bool { return f.Tick > gone.Tick+1000 })
	if later.Throttle != 0 || later.Speed >= gone.Speed {
		t.Errorf("throttle %.2f, speed %.1f after %.1f m/s: want the car to coast", later.Throttle, later.Speed, gone.Speed)
	}
	at = mono.Now()
	b.plug(nil)
	node := mono.Now() - at
	b.until("wheel back", 3*time.Second, func(f frame.Frame) bool { return f.Flags&frame.WheelPresent != 0 })
	back := mono.Now() - at
	b.drive(120, 0, 0) // not before: the kernel drops what comes in the first 50 ms of a device's use
	b.until("a torque of the coasting car", 5*time.Second, func(f frame.Frame) bool { return f.RimTorque < -0.05 })
	first := mono.Now() - at
	b.until("more torque", 5*time.Second, func(f frame.Frame) bool { return f.RimTorque < -0.3 })
	t.Logf("figure: replug: node after %v, wheel back after %v, torque fades in again: 0.05 N·m after %v, 0.3 N·m after %v", node, back, first, mono.Now()-at)
	if first-node > time.Second {
		t.Errorf("torque back %v after the node, want 1 s at most", first-node)
	}
	b.moveFoot()
	b.drive(120, 0.5, 0)
	b.until("torque back", 5*time.Second, func(f frame.Frame) bool { return f.RimTorque < -0.3 })
}

func TestAStalledPlatformDoesNotDelayTheLoop(t *testing.T) {
	b := plain.running(t)
	b.push(0)
	before := b.now()
	b.platform.SetStalled(true)
	b.until("the platform is given up", 5*time.Second, func(f frame.Frame) bool { return f.Flags&frame.PlatformPresent == 0 })
	after := b.until("two seconds more", 5*time.Second, func(f frame.Frame) bool { return f.Tick > before.Tick+2000 })
	if after.State != uint64(guard.Driving) || after.Missed != before.Missed || after.Dropped != before.Dropped {
		t.Errorf("state %v, %d periods missed and %d dropped meanwhile", guard.State(after.State), after.Missed-before.Missed, after.Dropped-before.Dropped)
	}
	b.platform.SetStalled(false)
	b.until("the platform is back, and waits", 20*time.Second, func(f frame.Frame) bool { return f.Flags&frame.ConfirmPlatform != 0 })
	b.cmd.Process.Signal(syscall.SIGUSR1)
	b.until("the platform follows", 20*time.Second, func(f frame.Frame) bool { return motion.State(f.Motion.State).Follows() })
	if f := b.now(); f.Dropped != before.Dropped {
		t.Errorf("dropped %d", f.Dropped-before.Dropped)
	}
}

func TestFrozenRigLeavesALimpWheel(t *testing.T) {
	b := pushing(t)
	at := mono.Now()
	b.cmd.Process.Signal(syscall.SIGSTOP)
	d := b.stopAfter(at, time.Second)
	t.Logf("figure: stop %v after SIGSTOP", d)
	if d > 100*time.Millisecond {
		t.Errorf("stop %v after SIGSTOP, want 100 ms", d)
	}
	b.drive(-120, 0, 0) // what pushed back before would push further out now
	mono.SleepUntil(at + 400*time.Millisecond)
	b.fadesIn(mono.Now())
	b.until("a push again", 5*time.Second, func(f frame.Frame) bool { return f.RimTorque > 0.15 }) // the car stands, and assists
	b.cmd.Process.Signal(syscall.SIGSTOP)
	time.Sleep(1200 * time.Millisecond)
	b.cmd.Process.Signal(syscall.SIGCONT)
	left := b.until("the drive ended", time.Second, func(f frame.Frame) bool { return f.State == uint64(guard.Ready) })
	if left.RimTorque != 0 || left.Flags&frame.ConfirmAfterGap == 0 {
		t.Errorf("%g N·m, flags %b after 1.2 s", left.RimTorque, left.Flags)
	}
	b.wheel.Reports()
	time.Sleep(600 * time.Millisecond) // sooner a confirmation is not believed
	for _, r := range b.wheel.Reports() {
		if r.Kind == g29.ConstantForce && r.Force != g29.NoForce {
			t.Errorf("a force of %d before the operator's confirmation", r.Force)
		}
	}
	b.cmd.Process.Signal(syscall.SIGUSR1)
	b.waitState(guard.Driving, 8*time.Second)
}

// fadesIn continues a frozen rig and checks each force during the fade-in: none may exceed the guard's fade, which
// starts now.
func (b *bench) fadesIn(from time.Duration) {
	b.t.Helper()
	b.wheel.Reports()
	b.cmd.Process.Signal(syscall.SIGCONT)
	const fade = 200 * time.Millisecond // guard.engage_s of the bench
	seen := 0
	for mono.Now() < from+fade {
		time.Sleep(time.Millisecond)
		for _, r := range b.wheel.Reports() {
			if r.Kind != g29.ConstantForce {
				continue
			}
			seen++
			x := (r.At - from).Seconds() / fade.Seconds()
			level := math.Abs(float64(r.Force)-g29.NoForce) / g29.NoForce
			x = min(x, 1)
			if most := x*x*(3-2*x) + 2.0/g29.NoForce; level > most {
				b.t.Errorf("%.3f of the full force %v after it went on, want %.3f at most", level, r.At-from, most)
			}
		}
	}
	if seen == 0 {
		b.t.Error("no force at all while it fades in")
	}
}

// It takes two milliseconds, but where the wheel's thread is the last of the program to
// end, and frees its memory first, some twenty. Effects end by themselves after 60. One kill on each of the two
// kernels shows what ends the force; more of them, which of these times is usual. A panic of any goroutine ends the program as SIGABRT
// does: it stops all threads and then takes so long to free its memory, at their priority, that the end of the effect comes first.
func TestKilledRigLeavesALimpWheel(t *testing.T) {
	needsGuest(t)
	for range level.Pick(1, 1, 3) {
		for _, end := range []struct {
			name   string
			signal syscall.Signal
			most   time.Duration
		}{
			{"kill -9", syscall.SIGKILL, 40 * time.Millisecond},
			{"a panic", syscall.SIGABRT, 100 * time.Millisecond},
		} {
			t.Run(end.name, func(t *testing.T) {
				if end.signal == syscall.SIGABRT {
					raiseTimers(t)
				}
				took := killed(t, end.signal)
				t.Logf("figure: stop %v after %s", took, end.name)
				if took > end.most {
					t.Errorf("stop %v after %s, want %v at most", took, end.name, end.most)
				}
			})
		}
	}
}

// killed ends a rig that applies torque by a signal, and returns the time until the wheel received the command to stop.
func killed(t *testing.T, signal syscall.Signal) time.Duration {
	b := pushing(t)
	b.take()
	// the emulated wheel must not wait for the processor until the dead program
	// is cleared away: a real one has its own
	restore, err := rt.Raise(rt.BackgroundPriority + 1)
	defer restore()
	if err != nil {
		t.Fatal(err)
	}
	at := mono.Now()
	b.cmd.Process.Signal(signal)
	return b.stopAfter(at, time.Second)
}
