package drive

import (
	"io"
	"math"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/core/guard"
	"rig.example/rig/test/level"
	"rig.example/rig/test/vm/g29"
	"rig.example/rig/test/vm/mono"
)

// bends is a small circuit on which a driver has to steer. It is even and has no kerb, as plane.
const bends = `
[surface.even]
base = "tarmac"
roughness = "even"
[layout]
road = "even"
verge = "even"
kerb_height_mm = 0
width_m = 10
[[layout.piece]]
length_m = 40
kerb = "none"
[[layout.piece]]
turn_deg = 180
radius_m = 30
kerb = "none"
[[layout.piece]]
length_m = 40
kerb = "none"
[[layout.piece]]
turn_deg = 180
radius_m = 30
kerb = "none"
`

// turnedLevels returns the highest force level that the rim got since it was let go, and the angles that it reached.
func turnedLevels(d *driver) (level, left, right float64) {
	for _, s := range d.record() {
		level, left, right = max(level, math.Abs(s.Level)), max(left, s.Angle), min(right, s.Angle)
	}
	return level, left, right
}

// The driver model drives on the real rig with nobody on it: the platform moves, the rim turns by itself with at most
// 2 N·m, a line in the terminal stops both, and a rim that somebody holds is a fault.
func TestADriverModelDrivesTheRealRig(t *testing.T) {
	inGuest(t)
	r := g29.DefaultRim()
	d := &driver{rim: &r}
	r.OnStep = d.watch
	b := cockpit(t, &r)
	b.file("plane.toml", bends)
	b.startAt(30) // the bend is what matters
	b.startPlatform()
	b.touched()
	refused := exec.Command(program, "run", "--demo", "--real=wheel", "--headless", "--config", b.conf)
	refused.Stdin = strings.NewReader("yes\n")
	if out, err := refused.CombinedOutput(); err == nil || !strings.Contains(string(out), "was never measured; run `rig calibrate wheel`") || strings.Contains(string(out), "may it move now?") {
		t.Errorf("a wheel that was not calibrated: %v, %s", err, out)
	}
	b.asCalibrated(0, 65535, 32768, 900)
	in, keyboard, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	defer keyboard.Close()
	b.typed = in
	keyboard.WriteString("yes\n")
	d.letGo()
	b.start("run", "--demo", "--real=all", "--headless", "--json", "--config", b.conf)
	b.waitState(guard.Driving, soon(20*time.Second))
	b.until("10 m/s", soon(20*time.Second), func(f frame.Frame) bool { return f.Speed > 10 })
	b.turnsByItself(d)
	b.stoppedByALine(keyboard)
	b.confirm()
	d.hold(2.5)
	b.waitState(guard.Fault, 10*time.Second)
	d.letGo()
	b.cmd.Process.Signal(syscall.SIGUSR1)
	b.waitState(guard.Driving, 20*time.Second)
	var sum struct {
		Real  string
		Exit  string  `json:"exit_state"`
		Total float64 `json:"max_total_torque_nm"`
	}
	decode(t, b.finish(), &sum)
	if sum.Real != "all" || sum.Exit != "parked" || sum.Total > 2 || sum.Total < 1.5 {
		t.Errorf("%+v", sum)
	}
	for _, want := range []string{"the rim does not follow the driver model", "rated_nm=2\n"} {
		if !strings.Contains(b.log.String(), want) {
			t.Errorf("the log lacks %q", want)
		}
	}
}

// stoppedByALine types a line in rig's terminal, which stops wheel and platform until it is confirmed.
func (b *bench) stoppedByALine(keyboard io.Writer) {
	b.t.Helper()
	b.wheel.Reports()
	at := mono.Now()
	io.WriteString(keyboard, "\n")
	limp := b.stopAfter(at, time.Second)
	b.waitState(guard.Stopped, time.Second)
	time.Sleep(1500 * time.Millisecond) // the platform brakes
	held := b.told.held(at) - at
	b.t.Logf("figure: a line in the terminal: torque 0 after %v, platform at rest after %v", limp, held)
	if limp > 100*time.Millisecond || held <= 0 || held > time.Second {
		b.t.Errorf("torque 0 after %v, platform at rest after %v", limp, held)
	}
	time.Sleep(300 * time.Millisecond)
	if f := b.now(); f.State != uint64(guard.Stopped) || b.told.moving() {
		b.t.Errorf("%v, platform moves %v without a confirmation", guard.State(f.State), b.told.moving())
	}
}

// turnsByItself watches through the first second of a bend, or for 8 s in test-all, how the rim follows the driver model, with at most 2 N·m, and that the platform moves.
func (b *bench) turnsByItself(d *driver) {
	b.t.Helper()
	torque, worst, moved, start := 0.0, 0.0, false, b.platform.Targets()
	for inBend, n := 0, 0; n < 400 && (inBend < 50 || level.All()); n++ {
		f := b.now()
		d.mu.Lock()
		rim := d.trace[len(d.trace)-1].Angle
		d.mu.Unlock()
		torque, worst, moved = max(torque, math.Abs(f.RimTorque)), max(worst, math.Abs(rim-f.Steer)), moved || b.platform.Targets()[0] > start[0]+5 || b.platform.Targets()[1] > start[1]+5
		if rim > 0.3 {
			inBend++
		}
		time.Sleep(20 * time.Millisecond)
	}
	top, left, right := turnedLevels(d)
	b.t.Logf("figure: driven by the model the rim turned from %.0f° to %.0f°, up to %.1f° from where the model steered, with up to %.2f N·m and %.2f of full force",
		right*degrees, left*degrees, worst*degrees, torque, top)
	const full = 2.2 // that rig takes a G29 to have [N·m]
	if torque > 2 || top > 2/full+1.0/64 || worst > 0.35 || left < 0.2 || !moved {
		b.t.Errorf("rim up to %.2f rad to the left, %.2f from the model, %.2f N·m, level %.3f; platform moved %v", left, worst, torque, top, moved)
	}
}
