package drive

import (
	"bufio"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/core/guard"
	"rig.example/rig/test/vm/cp2112"
	"rig.example/rig/test/vm/g29"
	"rig.example/rig/test/vm/mono"
)

// Lines of the bridge.
const (
	contactA = iota
	contactB
	relay
)

const stopTable = `
[estop]
pin = "cp2112_gpio:0"
second_pin = "cp2112_gpio:1"
relay_pin = "cp2112_gpio:2"
required = true
`

// add appends tables to rig's configuration.
func (b *bench) add(tables string) {
	b.t.Helper()
	f, err := os.OpenFile(b.conf, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		b.t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString(tables); err != nil {
		b.t.Fatal(err)
	}
}

// stopSwitch plugs in a bridge with a stop switch that is released.
func (b *bench) stopSwitch() {
	b.t.Helper()
	bridge, err := cp2112.New("")
	if err != nil {
		b.t.Fatal(err)
	}
	b.atEnd(bridge.Unplug)
	if _, err := bridge.GPIO(); err != nil {
		b.t.Fatal(err)
	}
	press(bridge, false)
	b.bridge = bridge
}

// press opens both contacts, or closes them.
func press(bridge *cp2112.Bridge, pressed bool) {
	bridge.SetInput(contactA, !pressed)
	bridge.SetInput(contactB, !pressed)
}

// powered reports whether the relay is on.
func powered(bridge *cp2112.Bridge) bool {
	high, driven := bridge.Output(relay)
	return high && driven
}

// abrupt lets the platform stop within a few commands, so that what stops it can be seen
// in what it is told.
const abrupt = "max_speed_strokes_per_s = [0.3, 0.3, 0.3]\nmax_accel_strokes_per_s2 = [100, 100, 100]\nmax_jerk_strokes_per_s3 = [10000, 10000, 10000]\n"

// leaning has the platform show much of what the car does.
const leaning = "[cueing.direct]\nroll_gain = 2\npitch_gain = 2\n"

// lean turns from side to side until the platform is told to move while the rim is pushed.
func (b *bench) lean() {
	b.t.Helper()
	for range 20 {
		b.drive(-100, 0.3, 0)
		time.Sleep(200 * time.Millisecond)
		b.drive(100, 0.3, 0)
		for range 150 {
			if b.now().RimTorque < -0.5 && b.told.moving() {
				return
			}
			time.Sleep(2 * time.Millisecond)
		}
	}
	b.t.Fatalf("the platform does not move while the rim is pushed: %.2f N·m at %.1f m/s, moving %v", b.now().RimTorque, b.now().Speed, b.told.moving())
}

// confirm sends confirmations until rig accepts one, and waits until it drives. A confirmation while the switch was
// not sampled for a moment has no effect.
func (b *bench) confirm() {
	b.t.Helper()
	for range 10 {
		b.cmd.Process.Signal(syscall.SIGUSR1)
		time.Sleep(500 * time.Millisecond)
		if guard.State(b.now().State).Moves() {
			break
		}
	}
	b.waitState(guard.Driving, 20*time.Second)
}

// button presses one of the wheel's buttons for a moment.
func (b *bench) button(n int) {
	in := g29.AtRest()
	in.Buttons = 1 << n
	b.wheel.SetInput(in)
	time.Sleep(30 * time.Millisecond)
	b.wheel.SetInput(g29.AtRest())
	time.Sleep(30 * time.Millisecond)
}

// stoppable is a wheel, a platform and a stop switch with a relay.
var stoppable = &kind{
	plug: func(b *bench) {
		b.plug(nil)
		b.config()
		b.startPlatform()
		b.add(abrupt + stopTable + leaning + buttonTable)
	},
	start: func(b *bench) { b.stopSwitch(); b.run(); b.moveFoot() },
	rest:  (*bench).standStill,
}

// No drive starts while the stop switch is missing or pressed. Once it is released, a confirmation starts one.
func TestNoDriveWithoutTheSwitch(t *testing.T) {
	b := stoppable.plugged(t)
	out, err := exec.Command(program, "run", "--headless", "--config", b.conf).CombinedOutput()
	if err == nil || !strings.Contains(string(out), "estop:") {
		t.Errorf("without the adapter: %v, %s", err, out)
	}
	b.stopSwitch()
	press(b.bridge, true)
	b.start("run", "--headless", "--json", "--config", b.conf)
	b.waitState(guard.Stopped, 10*time.Second)
	time.Sleep(200 * time.Millisecond)
	if b.now().State != uint64(guard.Stopped) || powered(b.bridge) {
		t.Error("a drive began, or the relay is on, with the switch pressed")
	}
	press(b.bridge, false)
	b.confirm()
	b.moveFoot()
	b.devices = allDevices
}

func TestStopSwitch(t *testing.T) {
	b := stoppable.running(t)
	if !powered(b.bridge) {
		t.Fatal("the relay is off while the rig drives")
	}
	b.drive(0, 1, 0)
	b.until("6 m/s", 15*time.Second, func(f frame.Frame) bool { return f.Speed > 6 })
	b.lean()
	b.wheel.Reports()
	b.bridge.Changes()
	at := mono.Now()
	press(b.bridge, true)
	limp := b.stopAfter(at, time.Second)
	b.waitState(guard.Stopped, time.Second)
	for range 100 {
		if !powered(b.bridge) {
			break
		}
		time.Sleep(time.Millisecond)
	}
	off := time.Duration(0)
	for _, c := range b.bridge.Changes() {
		if c.Line == relay && !c.High && off == 0 {
			off = c.At - at
		}
	}
	time.Sleep(100 * time.Millisecond)
	held := b.told.held(at) - at
	t.Logf("figure: stop switch: torque 0 after %v, relay off after %v, platform told to hold its position after %v", limp, off, held)
	if limp > 25*time.Millisecond || off == 0 || off > 25*time.Millisecond || held <= 0 || held > 25*time.Millisecond {
		t.Errorf("torque 0 after %v, relay off after %v, platform stands after %v; want 25 ms at most", limp, off, held)
	}
	press(b.bridge, false)
	time.Sleep(300 * time.Millisecond)
	if f := b.now(); f.State != uint64(guard.Stopped) || powered(b.bridge) {
		t.Errorf("%v, relay %v: a released switch must not start anything", guard.State(f.State), powered(b.bridge))
	}
	b.drive(0, 0, 0)
	b.confirm()
	if !powered(b.bridge) {
		t.Error("the relay stays off after the confirmation")
	}
	if !strings.Contains(b.log.String(), "emergency stop: emergency stop pressed or its cable open") {
		t.Error("the log does not tell of the pressed switch")
	}
}

// All devices are unplugged at the same time, as by a suspend. Without its adapter the stop switch counts as pressed.
func TestAllDevicesVanish(t *testing.T) {
	b := stoppable.running(t)
	b.take() // rig opens the adapter once
	b.push(0.3)
	at := mono.Now()
	var pulled sync.WaitGroup
	pulled.Go(func() { // the bridge last: it is always being read, and its driver may hold the virtual bus up
		b.wheel.Unplug()
		b.bridge.Unplug()
	})
	b.until("no torque", time.Second, func(f frame.Frame) bool { return f.RimTorque == 0 })
	limp := mono.Now() - at
	b.until("no wheel or pedals", time.Second, func(f frame.Frame) bool {
		return f.Flags&(frame.WheelPresent|frame.PedalsPresent) == 0
	})
	gone := mono.Now() - at
	b.waitState(guard.Stopped, time.Second)
	t.Logf("figure: all devices unplugged at once: torque 0 after %v, wheel and pedals absent after %v, stopped after %v", limp, gone, mono.Now()-at)
	pulled.Wait()
	if f := b.now(); f.Throttle != 0 {
		t.Errorf("throttle %.2f without pedals", f.Throttle)
	}
}

func TestDevicesWatch(t *testing.T) {
	b := cockpit(t, nil)
	cmd := exec.Command(program, "devices", "--watch", "--json", "--config", b.conf)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill() })
	lines := make(chan map[string]any, 1000)
	go func() {
		defer close(lines)
		for s := bufio.NewScanner(out); s.Scan(); {
			var m map[string]any
			if json.Unmarshal(s.Bytes(), &m) == nil {
				lines <- m
			}
		}
	}()
	wait := func(kind, name string, value float64) map[string]any {
		t.Helper()
		for end := time.After(5 * time.Second); ; {
			select {
			case m := <-lines:
				if m["kind"] == kind && m["value"] == value && (name == "" || m["name"] == name) {
					return m
				}
			case <-end:
				t.Fatalf("%s %s %g was not reported", kind, name, value)
			}
		}
	}
	wait("plugged", "", 0)
	time.Sleep(200 * time.Millisecond)
	b.button(4)
	if m := wait("button", "BTN_TOP2", 1); m["does"] != "shift_up" || m["time_s"] == 0.0 {
		t.Errorf("the paddle is reported as %v", m)
	}
	wait("button", "BTN_TOP2", 0)
	b.drive(0, 1, 0)
	wait("axis", "ABS_Z", 0)
	b.wheel.Unplug()
	wait("unplugged", "", 0)
	cmd.Process.Signal(syscall.SIGINT)
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
}

// A user without permission to read the devices sees what to install and which group to join.
func TestDevicesWithoutPermission(t *testing.T) {
	b := cockpit(t, nil)
	for path, mode := range map[string]os.FileMode{"": 0o755, "rig.toml": 0o644, "plane.toml": 0o644, "car.toml": 0o644} {
		if err := os.Chmod(filepath.Join(filepath.Dir(b.conf), path), mode); err != nil {
			t.Fatal(err)
		}
	}
	for _, command := range []string{"devices", "check"} {
		cmd := exec.Command(program, command, "--config", b.conf)
		cmd.Env = []string{"HOME=/tmp"}
		cmd.Dir = "/"
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
		out, err := cmd.CombinedOutput()
		if err != nil || !strings.Contains(string(out), "install the udev rule 70-rig.rules, or add yourself to the group input") {
			t.Errorf("rig %s: %v: %s", command, err, out)
		}
	}
}
