package template

import (
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"rig.example/rig/devices/motion/wire"
)

// presetPair returns a preset's codec and the controller that it speaks to, with
// all said that has to be said first.
func presetPair(t testing.TB, name string) (*Codec, *Simulator) {
	t.Helper()
	p := presetsOf(t)[name]
	code := p.codec(t)
	sim, err := NewSimulator(p.Template)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range code.Start() {
		sim.Handle(p.Bytes)
		sim.Advance(p.Wait)
	}
	return code, sim
}

// sendFor sends the same target for a time, every 4 ms.
func sendFor(code *Codec, sim *Simulator, l wire.Legs, d time.Duration) {
	for range d / (4 * time.Millisecond) {
		sim.Handle(code.AppendTarget(nil, &l))
		sim.Advance(4 * time.Millisecond)
	}
}

func farthestOff(sim *Simulator, l wire.Legs) float64 {
	most := 0.0
	for i, at := range sim.Positions() {
		most = max(most, math.Abs(at-l[i]))
	}
	return most
}

func TestEveryPresetDrivesItsController(t *testing.T) {
	for name := range presetsOf(t) {
		t.Run(name, func(t *testing.T) {
			code, sim := presetPair(t, name)
			for _, l := range []wire.Legs{{0.2, 0.8, 0.4, 0.6, 0.3, 0.7, 0.9, 0.1}, wire.AllAt(0.5), {0.9, 0.1, 0.7, 0.2, 0.5, 0.6, 0.3, 0.8}} {
				sendFor(code, sim, l, 2*time.Second)
				if d := farthestOff(sim, l); d > 0.01 {
					t.Errorf("at %.3f, sent to %.3f", sim.Positions(), l[:code.Axes()])
				}
			}
			if sim.Noise() != 0 || sim.Frames() != 1500 {
				t.Errorf("%d targets, want 1500, %d bytes of noise", sim.Frames(), sim.Noise())
			}
		})
	}
}

// Foreign bytes between targets and targets that lost their last byte do not keep a
// controller from the ones that come whole.
func TestEveryControllerFindsTargetsAmongNoise(t *testing.T) {
	for name := range presetsOf(t) {
		t.Run(name, func(t *testing.T) {
			code, sim := presetPair(t, name)
			l := wire.Legs{0.3, 0.7, 0.4, 0.6, 0.45, 0.55, 0.5, 0.5}
			random := rand.New(rand.NewPCG(1, 2))
			for range 300 {
				frame := code.AppendTarget(nil, &l)
				switch random.IntN(3) {
				case 0:
					frame = frame[:len(frame)-1]
				case 1:
					frame = append([]byte{0x00, byte(128 + random.IntN(128)), '~'}, frame...)
				}
				sim.Handle(frame)
				sim.Advance(4 * time.Millisecond)
			}
			if sim.Frames() < 150 || sim.Noise() < 300 {
				t.Errorf("of 300 targets, 200 of them whole, %d were understood, with %d bytes of noise", sim.Frames(), sim.Noise())
			}
			sendFor(code, sim, l, 2*time.Second)
			if d := farthestOff(sim, l); d > 0.01 {
				t.Errorf("at %.3f, sent to %.3f", sim.Positions(), l[:code.Axes()])
			}
		})
	}
}

func TestTemplateSimWantsItsStartupAndShutdown(t *testing.T) {
	p := presetsOf(t)["lebois"]
	code := p.codec(t)
	sim, err := NewSimulator(p.Template)
	if err != nil {
		t.Fatal(err)
	}
	sendFor(code, sim, wire.AllAt(0.8), time.Second)
	if d := farthestOff(sim, wire.AllAt(0.5)); d > 1e-9 {
		t.Errorf("moved to %.3f before it was started", sim.Positions())
	}
	sim.Handle(code.Start()[0].Bytes)
	sendFor(code, sim, wire.AllAt(0.8), 2*time.Second)
	if d := farthestOff(sim, wire.AllAt(0.8)); d > 0.01 {
		t.Errorf("at %.3f once it was started, sent to 0.8", sim.Positions())
	}
	sim.Handle(code.Stop()[0].Bytes)
	sendFor(code, sim, wire.AllAt(0.2), time.Second)
	if d := farthestOff(sim, wire.AllAt(0.8)); d > 0.02 {
		t.Errorf("moved to %.3f after it was shut down", sim.Positions())
	}
}

func TestTemplateSimRestarts(t *testing.T) {
	code, sim := presetPair(t, "eh-msc")
	sendFor(code, sim, wire.AllAt(0.7), 2*time.Second)
	sim.Reset()
	frames := sim.Frames()
	sendFor(code, sim, wire.AllAt(0.2), 96*time.Millisecond)
	if sim.Frames() != frames || farthestOff(sim, wire.AllAt(0.7)) > 0.02 {
		t.Errorf("follows while it starts: %.3f", sim.Positions())
	}
	var heard []wire.Answer
	for range 10 {
		for _, b := range sim.Advance(4 * time.Millisecond) {
			if a, ok := code.Feed(b); ok {
				heard = append(heard, a)
			}
		}
	}
	if len(heard) != 1 || heard[0].Kind != wire.AnswerRestarted {
		t.Errorf("heard %+v, want that it started", heard)
	}
	sendFor(code, sim, wire.AllAt(0.2), 2*time.Second)
	if d := farthestOff(sim, wire.AllAt(0.2)); d > 0.01 {
		t.Errorf("at %.3f, sent to 0.2", sim.Positions())
	}
}

func TestTemplateSimIsNoisyWhenTold(t *testing.T) {
	code, sim := presetPair(t, "eh-msc")
	if out := sim.Advance(time.Second); len(out) != 0 {
		t.Errorf("says %q unasked", out)
	}
	sim.SetNoise(true)
	for _, b := range sim.Advance(time.Second) {
		code.Feed(b)
	}
	if n := code.Noise(); n != 150 { // three of four bytes are no text, every 20 ms
		t.Errorf("noise of %d bytes, want 150", n)
	}
}

func TestTemplateSimIsDeterministic(t *testing.T) {
	run := func(chunk int) []float64 {
		code, sim := presetPair(t, "knaufinator")
		frame := []byte(strings.Repeat(string(code.AppendTarget(nil, &wire.Legs{0.1, 0.9, 0.3, 0.4, 0.2, 0.6})), 20))
		for at := 0; at < len(frame); at += chunk {
			sim.Handle(frame[at:min(at+chunk, len(frame))])
		}
		for range 800 / chunk {
			sim.Advance(time.Duration(chunk) * time.Millisecond)
		}
		return sim.Positions()
	}
	if a, b := run(1), run(8); !slices.Equal(a, b) {
		t.Errorf("%v and %v", a, b)
	}
}

// Whatever came before, whole targets are understood again and followed.
func FuzzTemplateReader(f *testing.F) {
	f.Add([]byte("P4"), uint8(0))
	f.Add([]byte("2047,20"), uint8(1))
	f.Add([]byte("\xff\xff\xff"), uint8(7))
	all := presetsOf(f)
	names := slices.Sorted(maps.Keys(all))
	f.Fuzz(func(t *testing.T, before []byte, which uint8) {
		c, err := compile(all[names[int(which)%len(names)]].Template)
		if err != nil {
			t.Fatal(err)
		}
		r, sent, taken := reader{template: c}, len(before), 0
		var last wire.Legs
		take := func(kind stringKind, which int, l *wire.Legs) {
			switch kind {
			case targetString:
				taken += len(c.append(nil, c.output, l))
				last = *l
			case startupString:
				taken += len(c.append(nil, c.startup[which], l))
			case shutdownString:
				taken += len(c.append(nil, c.shutdown[which], l))
			}
		}
		for _, b := range before {
			r.feed(b, take)
		}
		want := wire.Legs{0.3, 0.7, 0.4, 0.6, 0.2, 0.8, 0.35, 0.65}
		for range 4 {
			frame := c.append(nil, c.output, &want)
			sent += len(frame)
			for _, b := range frame {
				r.feed(b, take)
			}
		}
		if n := taken + int(r.noise) + len(r.buf); n != sent {
			t.Fatalf("of %d bytes %d are accounted for", sent, n)
		}
		for leg := range c.axisCount {
			if c.counts(leg, last[leg]) != c.counts(leg, want[leg]) {
				t.Fatalf("after %q actuator %d goes to %g, want %g", before, leg, last[leg], want[leg])
			}
		}
	})
}
