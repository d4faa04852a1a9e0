package drive

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"rig.example/rig/test/level"
	"rig.example/rig/test/vm/g29"
	"rig.example/rig/test/vm/rim"
)

// scale simulates a luggage scale that holds the rim 20 cm from its center. Until it is tied to the rim, the rim is
// free.
type scale struct {
	mu    sync.Mutex
	rim   *g29.Rim
	tie   bool        // the operator ties the rim to it
	now   rim.State   // newest
	trace []rim.State // since record
}

const (
	scaleArm   = 0.2 // [m]
	scaleStiff = 60  // stiffness of the scale at the rim [N·m/rad]
)

// watch is called after each step of the rim.
func (s *scale) watch(now rim.State) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.tie && s.rim.Hands.Stiffness == 0 {
		s.rim.Hands = rim.Hands{Stiffness: scaleStiff, Damping: 1, Target: now.Angle}
	}
	s.now = now
	s.trace = append(s.trace, now)
}

// reading returns the force that the scale shows [N].
func (s *scale) reading() float64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return math.Abs(s.now.Angle-s.rim.Hands.Target) * scaleStiff / scaleArm
}

func (s *scale) fix() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tie = true
}

// record returns the rim's states since the last call.
func (s *scale) record() []rim.State {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := s.trace
	s.trace = nil
	return list
}

// answers returns what a person at the scale types after the program has printed said since the last answer, and
// false if the program has not asked yet.
func (s *scale) answers() func(said string) (string, bool) {
	shown := 0.0
	return func(said string) (string, bool) {
		switch {
		case strings.HasSuffix(said, "(yes or no) [no] "):
			return "yes", true
		case strings.HasSuffix(said, "(kg, N) [kg] "):
			return "N", true
		case strings.HasSuffix(said, "pull [cm]? [20] "):
			s.fix()
			return "", true
		case strings.HasSuffix(said, "ends this side: [push] "):
			return "", true
		case strings.HasSuffix(said, "press any key (or Enter).\n"):
			time.Sleep(300 * time.Millisecond) // time to read the scale
			shown = s.reading()
			return "", true
		case strings.HasSuffix(said, "(or Enter) to go on.\n"):
			return "", true
		case strings.HasSuffix(said, "scale show [N]? [again] "):
			return strconv.FormatFloat(shown, 'f', 1, 64), true
		}
		return "", false
	}
}

// talk runs one of rig's commands with the bench's configuration, types the answers to its questions, and returns
// what it printed.
func (b *bench) talk(answer func(said string) (string, bool), args ...string) []byte {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.t.Context(), 3*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, append(args, "--config", b.conf)...)
	var out, log bytes.Buffer
	cmd.Stdout = &out
	messages, err := cmd.StderrPipe()
	if err != nil {
		b.t.Fatal(err)
	}
	keyboard, err := cmd.StdinPipe()
	if err != nil {
		b.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		b.t.Fatal(err)
	}
	said, piece := "", make([]byte, 4096)
	for n := 0; err == nil; n, err = messages.Read(piece) {
		log.Write(piece[:n])
		said += string(piece[:n])
		if text, asked := answer(said); asked {
			said = ""
			fmt.Fprintln(keyboard, text)
		}
	}
	if err := cmd.Wait(); err != nil {
		b.t.Fatalf("rig %s: %v\n%s%s", strings.Join(args, " "), err, &log, &out)
	}
	return out.Bytes()
}

// measured holds the part of the output of `rig calibrate ffb --json` that the test uses.
type measured struct {
	Profile struct {
		MinLevel float64
		Motor    []struct{ Level, Torque float64 }
	}
}

// A motor with a dead band and saturation is measured by `rig calibrate ffb` with a scale and a keyboard. Afterwards
// each requested torque is the real torque.
func TestMeasuredMotorDeliversTheRequestedTorque(t *testing.T) {
	inGuest(t)
	motor := rim.Motor{Peak: 2.1, DeadBand: 0.05, Saturation: 0.8, Lag: 4 * time.Millisecond}
	r := &g29.Rim{Inertia: 0.02, Friction: 0.03, Viscous: 0.02, Motor: motor}
	s := &scale{rim: r}
	r.OnStep = s.watch
	b := cockpit(t, r)
	b.touched()
	b.asCalibrated(0, 65535, 32768, 900)
	var got measured
	decode(t, b.talk(s.answers(), "calibrate", "ffb", "--json", "--page", t.TempDir()+"/page"), &got)
	if p := got.Profile; p.MinLevel < motor.DeadBand || p.MinLevel > motor.DeadBand+0.03 || len(p.Motor) < 8 {
		t.Errorf("least level %.3f, want the dead zone's %g and friction; %d points of the motor", p.MinLevel, motor.DeadBand, len(p.Motor))
	}
	worst, straight := 0.0, 0.0
	const full = 2.1 // [N·m]
	torques := []float64{0.8, -1.8}
	if level.All() {
		torques = []float64{0.3, 0.8, -0.8, 1.3, 1.8, -1.8}
	}
	for _, nm := range torques {
		given := b.constant(s, nm)
		worst = max(worst, math.Abs(given-nm)/full)
		straight = max(straight, math.Abs(motor.Torque(nm/2.2)-nm)/full)
		t.Logf("asked for %.2f N·m, given %.3f", nm, given)
	}
	t.Logf("figure: after `rig calibrate ffb` torques are wrong by up to %.1f %% of the range, %.1f %% were the motor taken to be straight; least level %.3f",
		100*worst, 100*straight, got.Profile.MinLevel)
	if worst > 0.03 {
		t.Errorf("wrong by %.1f %% of the range, want 3 %%", 100*worst)
	}
}

// constant plays a torque at the tied rim and returns the torque of the motor.
func (b *bench) constant(s *scale, nm float64) float64 {
	b.t.Helper()
	s.record()
	b.rig(nil, "ffb", "test", "constant", fmt.Sprintf("--torque-nm=%g", nm), "--duration", "3s", "--yes", "--json", "--page", b.t.TempDir()+"/page")
	list := s.record()
	first := 0
	for first < len(list) && list[first].Level == 0 {
		first++
	}
	if first == len(list) {
		b.t.Fatalf("no force for %g N·m", nm)
	}
	from, to := list[first].At+2300*time.Millisecond, list[first].At+2900*time.Millisecond // after the fade-in and before the fade-out
	sum, n := 0.0, 0
	for _, at := range list {
		if at.At > from && at.At < to {
			sum, n = sum+at.Torque, n+1
		}
	}
	return sum / float64(n)
}
