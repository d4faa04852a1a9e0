package calib

import (
	"fmt"
	"math"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"rig.example/rig/calib/dialog"
	"rig.example/rig/internal/kit/evdev"
	"rig.example/rig/test/level"
	"rig.example/rig/test/vm/g29"
	"rig.example/rig/test/vm/pidwheel"
	"rig.example/rig/test/vm/rim"
)

// scaleReader answers the questions of Force by what a rim's motor gives.
type scaleReader struct {
	mu   sync.Mutex
	text strings.Builder
	last rim.State
}

func (r *scaleReader) watch(s rim.State) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if s.Level != 0 {
		r.last = s
	}
}

func (r *scaleReader) Write(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.text.Write(p)
}

func (r *scaleReader) Read(p []byte) (int, error) {
	r.mu.Lock()
	lines := strings.Split(strings.TrimSpace(r.text.String()), "\n")
	r.mu.Unlock()
	prompt, answer := lines[len(lines)-1], ""
	switch {
	case strings.Contains(prompt, "any key"):
		time.Sleep(150 * time.Millisecond) // he reads
	case strings.Contains(prompt, "yes or no"):
		answer = "yes"
	case strings.HasSuffix(prompt, "(kg, N) [kg]"):
		answer = "N"
	case strings.Contains(prompt, "did the scale show"):
		r.mu.Lock()
		answer = fmt.Sprintf("%.2f", math.Abs(r.last.Torque)/0.2) // 20 cm from the center
		r.mu.Unlock()
	}
	return copy(p, answer+"\n"), nil
}

// The motors of emulated wheels, on the kernel's drivers, with a scale's spring on the rim.
func TestVMMeasureTheMotor(t *testing.T) {
	if os.Getenv("RIG_VM") == "" {
		t.Skip("needs the virtual machine: see test/vm/README.md")
	}
	geared := rim.Motor{Peak: 2.1, DeadBand: 0.03, Saturation: 0.8}
	t.Run("G29", func(t *testing.T) {
		measureMotor(t, geared, 128, func(r *rim.Rim) (node, error) {
			dev, err := g29.New(g29.Options{Rim: r})
			return node{dev.Node, dev.Unplug, func() { dev.SetInput(g29.AtRest()) }}, err
		})
	})
	strong := rim.Motor{Peak: 5, DeadBand: 0.01, Saturation: 0.3}
	t.Run("direct drive", func(t *testing.T) {
		measureMotor(t, strong, 10_000, func(r *rim.Rim) (node, error) {
			dev, err := pidwheel.New(pidwheel.Options{Rim: r})
			return node{dev.Node, dev.Unplug, func() { dev.SetInput(pidwheel.Input{Steer: 0x8000}) }}, err
		})
	})
}

// node is a plugged-in wheel.
type node struct {
	path   func() (string, error)
	unplug func()
	touch  func() // it reports where it is
}

// measureMotor measures a motor of a wheel that has a given number of force levels.
func measureMotor(t *testing.T, motor rim.Motor, steps float64, plug func(*rim.Rim) (node, error)) {
	scale := &scaleReader{}
	dev, err := plug(&rim.Rim{Inertia: 0.02, Friction: 0.03, Motor: motor, Hands: rim.Hands{Stiffness: 12 * motor.Peak / 2, Damping: 1}, OnStep: scale.watch})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(dev.unplug)
	path, err := dev.path()
	if err != nil {
		t.Fatal(err)
	}
	time.Sleep(300 * time.Millisecond) // the driver adds force after the node
	src, err := Open(evdev.Describe(path))
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	dev.touch() // what is reported while nobody listens is lost
	opt := DefaultForceOptions()
	opt.FullNm, opt.MaxNm = motor.Peak, 6
	if !level.All() {
		opt.Levels = []float64{0.2, 0.4, 0.6, 0.8, 1}
	}
	p, err := Force(t.Context(), src, dialog.New(scale, scale, false), goodWheel(), opt)
	if err != nil {
		t.Fatalf("%v\n%s", err, scale.text.String())
	}
	t.Logf("figure: least level %.3f, dead zone %.3f, %v", p.MinLevel, motor.DeadBand, p.Motor)
	if p.MinLevel < motor.DeadBand || p.MinLevel > motor.DeadBand+0.045 {
		t.Errorf("least level %g, want the dead zone's %g, friction and a little of the spring", p.MinLevel, motor.DeadBand)
	}
	for _, at := range p.Motor {
		played := math.Floor(at.Level*steps) / steps
		if want := motor.Torque(played); math.Abs(at.Torque-want) > 0.02*motor.Peak {
			t.Errorf("%.3f N·m at %g, want %.3f", at.Torque, at.Level, want)
		}
	}
}
