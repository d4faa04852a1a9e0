package calib

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"sync"
	"testing"
	"time"

	"rig.example/rig/calib/dialog"
)

// standIn is a rim with a motor, and who reads its scale: it answers as it is asked.
type standIn struct {
	peak  float64 // [N·m]
	slips int     // so often the scale comes off
	late  bool    // no key is pressed until the force is off
	other func(prompt string) (answer string, ok bool)

	pressed chan struct{}

	mu      sync.Mutex
	text    strings.Builder
	fixed   bool    // the rim, by the scale
	level   float64 // of the force now
	age     int     // samples since the last push
	held    float64 // level that was held last
	told    bool    // a key was pressed for it
	most    float64 // level that was ever pushed
	angle   float64 // [counts]
	samples int
}

func newStandIn() *standIn { return &standIn{peak: 2, pressed: make(chan struct{}, 1)} }

func (s *standIn) Device() Identity  { return someWheel }
func (s *standIn) Axes() []AxisRange { return steering }

// torque is what the motor gives [N·m]: nothing below 8 %, and no more above 80 %.
func (s *standIn) torque(level float64) float64 {
	return s.peak * min(max(0, math.Abs(level)-0.08), 0.72) / 0.72
}

func (s *standIn) press() {
	select {
	case s.pressed <- struct{}{}:
	default:
	}
}

func (s *standIn) Next(raw []int32) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.samples++; s.samples > 200_000 {
		return errors.New("measures for ever")
	}
	if s.age++; s.age > 10 {
		s.level = 0 // the dead-man
	}
	switch {
	case s.torque(s.level) == 0:
	case !s.fixed || s.slips > 0:
		s.angle -= math.Copysign(20, s.level)
	case s.age == 3 && !s.late && !s.told:
		s.told = true
		s.press()
	}
	raw[0] = 32768 + int32(s.angle)
	return nil
}

func (s *standIn) Pulse(share float64, d time.Duration) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.level, s.age = share, 0
	s.most = max(s.most, math.Abs(share))
	if share != 0 {
		s.held = share
		return nil
	}
	s.told = false
	if s.fixed && (s.slips > 0 || s.late) {
		s.slips--
		s.press()
	}
	return nil
}

func (s *standIn) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(p)
}

// Read answers the last question.
func (s *standIn) Read(p []byte) (int, error) {
	s.mu.Lock()
	text := strings.TrimSpace(s.text.String())
	prompt := text[strings.LastIndexByte(text, '\n')+1:]
	s.fixed = strings.Contains(text, "Fix the rim")
	kg := s.torque(s.held) / 0.2 / 9.80665
	s.mu.Unlock()
	if s.other != nil {
		if answer, ok := s.other(prompt); ok {
			return copy(p, answer+"\n"), nil
		}
	}
	switch {
	case strings.Contains(prompt, "any key"):
		<-s.pressed
	case strings.Contains(prompt, "yes or no"):
		return copy(p, "yes\n"), nil
	case strings.Contains(prompt, "did the scale show"):
		return copy(p, fmt.Sprintf("%.4f\n", kg)), nil
	}
	return copy(p, "\n"), nil
}

// run measures with the stand-in, up to 50 N·m unless told otherwise.
func (s *standIn) run(t *testing.T, change func(*ForceOptions)) (WheelProfile, error) {
	t.Helper()
	opt := DefaultForceOptions()
	opt.FullNm, opt.MaxNm = 2.2, 50
	if change != nil {
		change(&opt)
	}
	p, err := Force(t.Context(), s, dialog.New(s, s, false), goodWheel(), opt)
	t.Logf("%s\n%v", s.text.String(), err)
	if s.level != 0 {
		t.Errorf("level %g is left on", s.level)
	}
	return p, err
}

func TestForceMeasuresTheMotor(t *testing.T) {
	s := newStandIn()
	p, err := s.run(t, nil)
	if err != nil {
		t.Fatal(err)
	}
	if p.MinLevel < 0.08 || p.MinLevel > 0.09 {
		t.Errorf("least level %g, want 0.08 and the little that it takes to see the rim move", p.MinLevel)
	}
	if n := len(p.Motor); n != 8 || p.Motor[7].Level != 0.8 {
		t.Fatalf("%d points %v, want 10 to 80 %%: the rest is saturated", n, p.Motor)
	}
	for i, at := range p.Motor {
		if want := 2 * (at.Level - 0.08) / 0.72; math.Abs(at.Torque-want) > 2e-4 {
			t.Errorf("point %d: %.4f N·m at %g, want %.4f", i, at.Torque, at.Level, want)
		}
	}
	if !strings.Contains(s.text.String(), "Above 80 % it is saturated") {
		t.Error("nobody was told what is saturated")
	}
}

func TestForceStaysBelowTheLimit(t *testing.T) {
	for _, limit := range []float64{0.5, 1, 1.5} {
		s := newStandIn()
		p, err := s.run(t, func(o *ForceOptions) { o.MaxNm = limit })
		if err != nil {
			t.Fatal(err)
		}
		if got := s.torque(s.most); got > limit {
			t.Errorf("%.3f N·m were given with a limit of %g", got, limit)
		}
		if end := p.Motor[len(p.Motor)-1].Torque; end < limit-0.35 {
			t.Errorf("the curve ends at %g N·m with a limit of %g", end, limit)
		}
	}
}

func TestForceAsksOnceMoreAboveEightNm(t *testing.T) {
	s := newStandIn()
	s.peak = 12
	s.other = func(prompt string) (string, bool) { return "no", strings.Contains(prompt, "break a thumb") }
	if _, err := s.run(t, func(o *ForceOptions) { o.FullNm = 12 }); err != nil {
		t.Fatal(err)
	}
	if got := s.torque(s.most); got > 8 || got < 6 {
		t.Errorf("%.3f N·m were given, want the last level below 8", got)
	}
}

func TestForceOfARimThatSlips(t *testing.T) {
	s := newStandIn()
	s.slips = 2
	p, err := s.run(t, nil)
	if err != nil || len(p.Motor) != 8 {
		t.Errorf("%v, %v; want the 8 points of a rim that stays", p.Motor, err)
	}
	if n := strings.Count(s.text.String(), "fix it again"); n != 2 {
		t.Errorf("slipped %d times, want 2", n)
	}
}

func TestForceIsOffWhenTheTimeIsUp(t *testing.T) {
	s := newStandIn()
	s.late = true
	p, err := s.run(t, func(o *ForceOptions) { o.Hold = 2 * time.Second })
	if err != nil || len(p.Motor) != 8 {
		t.Errorf("%v, %v; want 8 points", p.Motor, err)
	}
	if !strings.Contains(s.text.String(), "the force is off after 2s") {
		t.Error("nobody was told")
	}
}

func TestForceWithoutAScale(t *testing.T) {
	s := newStandIn()
	p, err := s.run(t, func(o *ForceOptions) { o.Scale = false })
	if err != nil || p.Motor != nil || p.MinLevel < 0.08 || p.MinLevel > 0.09 {
		t.Errorf("%+v, %v; want a least level of 0.08 and no curve", p, err)
	}
}

func TestForceRefusals(t *testing.T) {
	answer := func(to, what string) func(string) (string, bool) {
		return func(prompt string) (string, bool) { return what, strings.Contains(prompt, to) }
	}
	for _, c := range []struct {
		name  string
		other func(string) (string, bool)
		says  string
	}{
		{"no consent", answer("clear of the rim", "no"), "may not push"},
		{"an empty line is no consent", answer("clear of the rim", ""), "may not push"},
		{"nothing measured", answer("Enter pushes", "end"), "0 levels gave rising torque"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newStandIn()
			s.other = c.other
			if _, err := s.run(t, nil); err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("got %v, want %q", err, c.says)
			}
		})
	}
	unsigned := goodWheel()
	unsigned.Force = 0
	if _, err := Force(t.Context(), newStandIn(), dialog.New(strings.NewReader(""), io.Discard, false), unsigned, DefaultForceOptions()); err == nil {
		t.Error("a motor of no known direction was pushed")
	}
	s := newStandIn()
	if _, err := Force(t.Context(), s, dialog.New(s, s, true), goodWheel(), DefaultForceOptions()); err == nil || s.most != 0 {
		t.Errorf("agreeing to every question pushed with %g: %v", s.most, err)
	}
}

func TestCtrlCTakesTheForceOff(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	s := newStandIn()
	s.other = func(prompt string) (string, bool) {
		if strings.Contains(prompt, "any key") {
			cancel()
			select {} // nobody presses one
		}
		return "", false
	}
	opt := DefaultForceOptions()
	opt.FullNm, opt.MaxNm = 2.2, 50
	_, err := Force(ctx, s, dialog.New(s, s, false), goodWheel(), opt)
	if !errors.Is(err, context.Canceled) || s.level != 0 {
		t.Errorf("%v, level %g is left; want it cancelled and off", err, s.level)
	}
}

func TestRisingPart(t *testing.T) {
	got := risingPart([]MotorPoint{{0.1, 0}, {0.2, 0.5}, {0.3, 0.49}, {0.4, 1}, {0.5, 1.98}, {0.6, 2}, {0.7, 1.9}})
	want := []MotorPoint{{0.2, 0.5}, {0.4, 1}, {0.5, 1.98}}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
