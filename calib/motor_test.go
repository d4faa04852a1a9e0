package calib

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

// weak is a motor with a dead zone of 12 % that is tired at its end.
func weak() WheelProfile {
	p := goodWheel()
	p.MinLevel = 0.12
	p.Motor = []MotorPoint{{0.2, 0.25}, {0.4, 0.85}, {0.6, 1.4}, {0.8, 1.8}, {0.9, 1.9}}
	return p
}

func ExampleMotor_Level() {
	p := weak()
	m := NewMotor(&p, 0)
	for _, torque := range []float64{0, 0.25, -1.4, 1.9, 100} { // [N·m]
		fmt.Printf("%.2f ", m.Level(torque))
	}
	// Output: 0.00 0.20 -0.60 0.90 0.90
}

func TestMotorProfileValidate(t *testing.T) {
	tests := []struct {
		name  string
		spoil func(*WheelProfile)
		says  string // empty: it is good
	}{
		{"good", func(p *WheelProfile) {}, ""},
		{"only the least level", func(p *WheelProfile) { p.Motor = nil }, ""},
		{"one point", func(p *WheelProfile) { p.Motor = p.Motor[:1] }, "motor has 1 points"},
		{"65 points", func(p *WheelProfile) { p.Motor = make([]MotorPoint, 65) }, "motor has 65 points"},
		{"level falls", func(p *WheelProfile) { p.Motor[2].Level = 0.3 }, "motor 3: level = 0.3 is not above 0.4"},
		{"torque stays", func(p *WheelProfile) { p.Motor[4].Torque = 1.8 }, "motor 5: torque_nm = 1.8 is not above 1.8"},
		{"begins below the least level", func(p *WheelProfile) { p.MinLevel = 0.2 }, "motor 1: level = 0.2"},
		{"more than full force", func(p *WheelProfile) { p.Motor[4].Level = 1.1 }, "or above 1;"},
		{"no rim is so strong", func(p *WheelProfile) { p.Motor[4].Torque = 51 }, "or above 50;"},
		{"NaN", func(p *WheelProfile) { p.Motor[1].Torque = math.NaN() }, "motor 2: torque_nm = NaN"},
		{"no least level", func(p *WheelProfile) { p.MinLevel = math.NaN() }, "min_level = NaN"},
		{"a gain above all", func(p *WheelProfile) { p.Gain = 1.5 }, "driver_gain = 1.5"},
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			p := weak()
			c.spoil(&p)
			err := p.Validate()
			if (err == nil) != (c.says == "") || err != nil && !strings.Contains(err.Error(), c.says) {
				t.Errorf("got %v, want %q", err, c.says)
			}
		})
	}
}

func TestMotorOfNoCurve(t *testing.T) {
	p := goodWheel()
	if m := NewMotor(&p, 2); m != nil {
		t.Errorf("%+v, want none: torque is proportional to the level", m)
	}
	p.MinLevel = 0.1
	m := NewMotor(&p, 2)
	if got := m.Level(1); math.Abs(got-0.55) > 1e-12 {
		t.Errorf("level %g for half the torque, want 0.55: half of the way from 0.1 to 1", got)
	}
}

// From nothing to everything the level rises without a jump and mirrors.
func TestMotorLevelRisesWithoutAJump(t *testing.T) {
	p := weak()
	m := NewMotor(&p, 0)
	const step = 1e-5 // [N·m]
	steepest := 2*p.MinLevel/m.FadeBand() + 1/1.0
	before := 0.0
	for torque := 0.0; torque < 2.2; torque += step {
		level := m.Level(torque)
		if level < before || level > before+steepest*step+1e-12 {
			t.Fatalf("level goes from %g to %g at %g N·m, want a rise of at most %g", before, level, torque, steepest*step)
		}
		if back := m.Level(-torque); back != -level {
			t.Fatalf("level %g for %g N·m and %g for %g N·m, want them mirrored", level, torque, back, -torque)
		}
		before = level
	}
	if before != 0.9 {
		t.Errorf("level %g at the end, want that of the last point", before)
	}
}

// given is what a motor of that profile gives at a level, straight between its points.
func given(p *WheelProfile, level float64) float64 {
	from := MotorPoint{Level: p.MinLevel}
	for _, to := range p.Motor {
		if math.Abs(level) <= to.Level {
			return math.Copysign(max(0, from.Torque+(math.Abs(level)-from.Level)/(to.Level-from.Level)*(to.Torque-from.Torque)), level)
		}
		from = to
	}
	return math.Copysign(from.Torque, level)
}

func TestMotorGivesWhatIsAsked(t *testing.T) {
	p := weak()
	m := NewMotor(&p, 0)
	for asked := -1.9; asked <= 1.9; asked += 0.001 {
		if got := given(&p, m.Level(asked)); math.Abs(got-asked) > 0.02*1.9+1e-9 {
			t.Fatalf("%.3f N·m asked, %.3f given: the error is more than the band", asked, got)
		}
	}
}

func TestMotorDoesNotChatterOnNoise(t *testing.T) {
	for _, least := range []float64{0.05, 0.12, 0.19} {
		p := weak()
		p.MinLevel = least
		m := NewMotor(&p, 0)
		noise := m.FadeBand() / 3
		if level := m.Level(noise); level >= least {
			t.Errorf("noise of a third of the band makes level %g, and the rim feels %g", level, least)
		}
	}
}

func TestMotorLevelOfNonsense(t *testing.T) {
	p := weak()
	m := NewMotor(&p, 0)
	for in, want := range map[float64]float64{math.Inf(1): 0.9, math.Inf(-1): -0.9, math.NaN(): 0, 5e-324: 0, 1e308: 0.9} {
		if got := m.Level(in); math.Abs(got-want) > 1e-9 {
			t.Errorf("level %g for %g N·m, want %g", got, in, want)
		}
	}
	if n := testing.AllocsPerRun(100, func() { m.Level(1.3) }); n != 0 {
		t.Errorf("%g allocations, want none", n)
	}
}

func FuzzMotorLevel(f *testing.F) {
	f.Add(0.12, 0.2, 0.25, 0.9, 1.9, 1.0)
	f.Add(0.0, 0.5, 1.0, 1.0, 2.0, -0.01)
	f.Fuzz(func(t *testing.T, least, level, torque, lastLevel, lastTorque, asked float64) {
		p := goodWheel()
		p.MinLevel, p.Motor = least, []MotorPoint{{level, torque}, {lastLevel, lastTorque}}
		if p.Validate() != nil {
			return
		}
		m := NewMotor(&p, 0)
		got := m.Level(asked)
		if !(math.Abs(got) <= lastLevel) || got*asked < 0 {
			t.Errorf("level %g for %g N·m of %+v", got, asked, p)
		}
	})
}
