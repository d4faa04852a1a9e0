package hud

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"rig.example/rig/display/displaytest"
	"rig.example/rig/internal/core/frame"
	"rig.example/rig/test/level"
)

// extremeFrame returns a frame with all that may be shown at once, in its longest texts.
func extremeFrame() *frame.Frame {
	f := drivenFrame()
	f.Flags = math.MaxUint64 &^ (frame.WheelPresent | frame.PedalsPresent | frame.PlatformPresent | frame.EngineRunning)
	f.State, f.Speed, f.Gear, f.RPM, f.RimTorque, f.Steer = 2, -1e9, -1, 1e9, math.Inf(-1), -700
	f.Clutch, f.Brake, f.Throttle, f.Handbrake, f.Gain, f.Fuel = 9, 9, math.Inf(1), 1, 1e9, 1e9
	f.ABS, f.Traction, f.Stability, f.GripLoss = 10, 10, 10, 1
	f.Missed, f.Dropped, f.Station = math.MaxUint64, math.MaxUint64, 1e9
	f.Acc = [3]float64{-1e9, 1e9, math.NaN()}
	for i := range f.Pose {
		f.Pose[i], f.Motion.Measured[i], f.Motion.Translation[i], f.Motion.Tilt[i], f.Motion.Extra[i] = -1e9, 1e9, math.Inf(1-2*(i%2)), math.NaN(), -1
		f.Legs[i], f.LegsFeedback[i], f.Motion.FollowError[i], f.Motion.Temperature[i] = 1e9, 1e9, 1e9, -1e9
	}
	for i := range f.Force.Effects {
		f.Force.Effects[i] = math.Inf(1 - 2*(i%2))
	}
	v := &f.Force
	v.Column, v.Lead, v.Damping, v.Friction, v.Inertia, v.Lock, v.OwnEffects, v.Total = -1e9, -1e9, -1e9, -1e9, -1e9, -1e9, 1e9, 1e9
	v.Clipped, v.Rate, v.Delay, v.Peak, v.Scale, v.HandsOn, f.AskedTorque = 1e9, 1e9, 1e9, -1e9, -1e9, 1e9, math.NaN()
	m := &f.Motion
	m.LegCount, m.State, m.Limits, m.TuningIndex = 1e9, math.MaxUint64, math.MaxUint64, 11
	m.Rate, m.LineShare, m.Latency, m.Scale, m.GuardShare = 1e9, 1e9, 1e9, -1e9, 1e9
	for i := range m.Tuning {
		m.Tuning[i] = -1e9
	}
	f.Lap = frame.Lap{Number: 1 << 60, Time: 1e12, Last: 1e12, Best: 1e12, Delta: 1e9, Sectors: 8, Sector: 7, PitTime: 1e9, Splits: [8]float64{1, 1}}
	for i := range f.Wheels {
		w := &f.Wheels[i]
		w.Load, w.NormalizedSlip, w.TireTemperature = -1e9, 1e9, -1e9
	}
	return f
}

// extremeStatus returns a status with names as long as they are published.
func extremeStatus(names bool) Status {
	s := Status{Names: longNames(), Rate: 1e9, MaxRPM: 8000, Ghost: true, Gap: -1e9, GhostAt: [2]float64{1e12, math.NaN()},
		Display: frame.Display{Refresh: 1e9, P50: 9e9, P99: math.Inf(1), RunP50: 9, RunP99: 1e9, Dropped: math.MaxUint64, Age: math.NaN()}, Extrapolated: math.NaN()}
	if names {
		long := func(n int) (list []string) {
			for i := range n {
				list = append(list, fmt.Sprintf("Mmmmm Wwwww Mmmmm Wwww %d", i))
			}
			return list
		}
		s.Names = frame.Names{States: []string{"", "", "engaging"}, Effects: long(frame.MaxEffects), PlatformStates: long(8), Faults: long(32), Tunings: long(frame.MaxTunings), Actuators: long(8)}
	}
	return s
}

// longNotice is as long as the longest message that a rig gives.
var longNotice = "PLATFORM: following error; " + strings.Repeat("look for what blocks it, ", 9) + "then confirm: Enter in the window, or rig confirm"

func (p place) String() string { return fmt.Sprintf("%.0f,%.0f %.0fx%.0f", p.x, p.y, p.w, p.h) }

// overlap reports whether two rectangles have more than an edge in common.
func overlap(a, b place) bool {
	const edge = 0.01
	return a.x+a.w > b.x+edge && b.x+b.w > a.x+edge && a.y+a.h > b.y+edge && b.y+b.h > a.y+edge
}

func inside(inner, outer place) bool {
	const edge = 0.01
	return inner.x >= outer.x-edge && inner.y >= outer.y-edge && inner.x+inner.w <= outer.x+outer.w+edge && inner.y+inner.h <= outer.y+outer.h+edge
}

// check tells what of an audit lies where it must not, in a picture of this width [layout units].
func (a *audit) check(t *testing.T, name string, width float32) {
	t.Helper()
	for i, card := range a.cards {
		if !inside(card, place{0, 0, width, Height}) {
			t.Errorf("%s: panel %v leaves the picture", name, card)
		}
		for _, other := range a.cards[:i] {
			if overlap(card, other) {
				t.Errorf("%s: panels %v and %v overlap", name, card, other)
			}
		}
	}
	a.inCards(t, name)
	for i, text := range a.texts {
		for k, other := range a.texts[:i] {
			if overlap(text, other) {
				t.Errorf("%s: texts %q and %q overlap", name, a.words[i], a.words[k])
			}
		}
		for _, bar := range a.bars {
			if overlap(text, bar) {
				t.Errorf("%s: text %q %v is over bar %v", name, a.words[i], text, bar)
			}
		}
	}
}

// inCards tells which texts and bars are not wholly within a panel.
func (a *audit) inCards(t *testing.T, name string) {
	t.Helper()
	in := func(p place) bool {
		for _, card := range a.cards {
			if inside(p, card) {
				return true
			}
		}
		return false
	}
	for i, text := range a.texts {
		if !in(text) {
			t.Errorf("%s: text %q %v leaves its panel", name, a.words[i], text)
		}
	}
	for _, bar := range a.bars {
		if !in(bar) {
			t.Errorf("%s: bar %v leaves its panel", name, bar)
		}
	}
}

// sizes are the sizes of pictures that are laid out.
var sizes = [][2]int{{800, 480}, {1024, 768}, {1280, 720}, {1920, 1080}, {2560, 1080}, {5760, 1080}}

// Nothing overlaps anything else and nothing leaves the picture, whatever is shown, on each page and in each size.
func TestNothingOverlaps(t *testing.T) {
	level.SkipIfQuick(t)
	frames := map[string]*frame.Frame{"usual": drivenFrame(), "zero": {}, "extreme": extremeFrame()}
	frames["fault"] = extremeFrame()
	frames["fault"].Motion.Faults, frames["fault"].Speed, frames["fault"].Flags = math.MaxUint64, 1e9, frame.InPit|frame.EngineRunning
	for _, size := range sizes {
		for page := range pageCount {
			for name, f := range frames {
				for variant := range 6 {
					s := extremeStatus(variant == 1)
					s.Page, s.Cockpit = page, variant == 2
					s.Notice = []string{"", longNotice, "wheel unplugged", strings.Repeat("x", 700), "", longNotice}[variant]
					switch variant {
					case 4:
						s.Others, s.Labels = raced(func(s *frame.Session) { s.Flag = frame.FlagYellow; s.SetNotice("Oil") }), nil
					case 5:
						s.Others, s.Labels = extremeOthers()
					}
					if variant == 2 || variant == 3 {
						s.Replay = &frame.Replay{Active: 1, Paused: 1, Speed: 0.5, Length: 1e5, Position: 1e5, Count: 1}
					}
					o := Options{Scale: []float64{1, 1.5, 0.7, 1, 1, 1.5}[variant], PagesLeft: variant == 3 || variant == 5}
					t.Run(fmt.Sprintf("%dx%d %s %s %d", size[0], size[1], page, name, variant), func(t *testing.T) {
						auditDraw(t, f, s, o, size)
					})
				}
			}
		}
	}
}

// auditDraw draws one picture and checks it.
func auditDraw(t *testing.T, f *frame.Frame, s Status, o Options, size [2]int) {
	t.Helper()
	c := &Canvas{atlas: sharedAtlas(t), options: o, audit: &audit{}}
	c.SetScene(displaytest.Oval())
	aspect := float64(size[0]) / float64(size[1])
	for range 3 {
		*c.audit = audit{}
		f.Tick += 5000
		c.Draw(f, s, aspect)
	}
	c.audit.check(t, "", c.width)
	for _, v := range c.vertices {
		if !(v.x >= 0 && v.x <= c.width && v.y >= 0 && v.y <= Height) {
			t.Fatalf("a corner at %g, %g", v.x, v.y)
		}
	}
}
