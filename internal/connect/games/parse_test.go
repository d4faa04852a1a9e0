package games

import (
	"math"
	"slices"
	"testing"

	"rig.example/rig/internal/connect/games/gamestest"
	"rig.example/rig/internal/core/follow"
	"rig.example/rig/test/level"
)

// at is the n-th packet of a car that goes straight on, 100 packets a second.
func at(c gamestest.Car, n int) *gamestest.Car {
	c.N, c.Time = n, 100+float64(n)/100
	s, k := math.Sincos(c.Heading)
	e, u := math.Sincos(c.NoseUp)
	way := c.Speed * float64(n) / 100
	c.Right, c.Ahead, c.Above = -way*u*s, way*u*k, way*e
	return &c
}

// player returns what turns packets of a layout into samples.
func player(t *testing.T, l *gamestest.Layout) func(c *gamestest.Car) follow.Sample {
	if l.Files != nil {
		return playMemory(t, l)
	}
	return func(c *gamestest.Car) follow.Sample {
		s, err := parse(l.Packet(c))
		if err != nil {
			t.Fatalf("%s: %v", l.Name, err)
		}
		return s
	}
}

// packet returns the n-th packet of a source.
func packet(source string, c gamestest.Car, n int) []byte {
	l, _ := gamestest.Of(source)
	return l.Packet(at(c, n))
}

// What a car does in a game is said in the same words when its packets are followed.
func TestEachGameSaysInWordsWhatItsCarDoes(t *testing.T) {
	level.SkipIfQuick(t)
	for _, tt := range []struct {
		word string
		car  gamestest.Car
	}{
		{"accelerating", gamestest.Car{AccForward: 3, Speed: 20}},
		{"braking", gamestest.Car{AccForward: -6, Speed: 20}},
		{"left turn", gamestest.Car{AccLeft: 5, Speed: 20}},
		{"right turn", gamestest.Car{AccLeft: -5, Speed: 20}},
		{"nose up", gamestest.Car{NoseUp: 0.1, Speed: 20}},
		{"nose down", gamestest.Car{NoseUp: -0.1, Speed: 20}},
		{"right side down", gamestest.Car{RightDown: 0.1, Speed: 20, Heading: 2}},
		{"left side down", gamestest.Car{RightDown: -0.1, Speed: 20, Heading: -2}},
		{"reversing", gamestest.Car{Speed: -5}},
		{"standing", gamestest.Car{}},
	} {
		for _, l := range gamestest.Layouts() {
			wordsOf(t, &l, tt.car, tt.word)
		}
	}
}

// wordsOf follows packets of a car for 4 s, and checks the words.
func wordsOf(t *testing.T, l *gamestest.Layout, c gamestest.Car, word string) {
	t.Helper()
	follower := follow.New(follow.Config{}, 1e-3)
	var state follow.State
	var s follow.Sample
	var m follow.Motion
	play := player(t, l)
	for tick := range 4000 {
		if tick%10 == 0 {
			n := tick/10 + 1
			next := play(at(c, n))
			if Name(uint64(next.Source)) != l.Source {
				t.Fatalf("%s: source %d", l.Name, next.Source)
			}
			next.Number = uint64(n)
			next.RPM = float64(n) // a car that stands still sends the same again and again
			s = next
		}
		m = follower.Step(&state, &s)
	}
	if words := m.Words(); !slices.Contains(words, word) || len(words) > 2 || m.Share != 1 {
		t.Errorf("%s: %q, want %q; %+v", l.Name, words, word, m)
	}
}

// A drive through bends, over hills, on the gas and on the brake is no jump, and is shown as it is driven.
func TestADriveIsShownAsItIsDriven(t *testing.T) {
	level.SkipIfQuick(t)
	for _, l := range gamestest.Layouts() {
		follower := follow.New(follow.Config{}, 1e-3)
		var state follow.State
		var s follow.Sample
		var m follow.Motion
		var d gamestest.Drive
		var before []gamestest.Car // each millisecond
		play := player(t, &l)
		interval := int(math.Round(1000 / l.Rate))
		for tick := range 12000 {
			d.Advance(1e-3)
			before = append(before, d.Car)
			if tick%interval == 0 {
				d.N++
				s = play(&d.Car)
				s.Number = uint64(d.N)
			}
			if m = follower.Step(&state, &s); tick < 4000 {
				continue
			}
			was := &before[tick-int(math.Round(1000*m.Delay))]
			up := 9.80665 * math.Cos(was.NoseUp) * math.Cos(was.RightDown)
			want := [3]float64{was.AccForward + 9.80665*math.Sin(was.NoseUp), was.AccLeft + up*math.Tan(was.RightDown), was.AccUp + up}
			for i, v := range want {
				if d := math.Abs(m.SpecificForce[i] - v); m.Status != follow.Ready || d > 0.5 && !(i == 2 && l.Source == "dirt") || d > 1 {
					t.Fatalf("%s, %d ms: %v, force %v, want %v", l.Name, tick, m.Status, m.SpecificForce, want)
				}
			}
			if math.Abs(m.Rate[2]-was.LeftRate) > 0.05 || math.Abs(m.Pitch+was.NoseUp) > 0.01 || math.Abs(m.Roll-was.RightDown) > 0.01 {
				t.Fatalf("%s, %d ms: rate %g, pitch %g, roll %g; want %+v", l.Name, tick, m.Rate[2], m.Pitch, m.Roll, was)
			}
		}
	}
}

// What a game tells of its tires and of the surface below them is the same in all sources that tell it. The others say nothing.
func TestWhatGamesTellOfTiresAndSurfaces(t *testing.T) {
	c := gamestest.Car{Speed: 20, Slip: [4]float64{0.25, 0.5, 1, 2}, OnStrip: [4]bool{false, true, false, true}, Shaking: [4]float64{0.125, 0.125, 0, 1}}
	nan := math.NaN()
	untold := [4]float64{nan, nan, nan, nan}
	strip := [4]float64{0, 0.8, 0, 0.8}
	for _, l := range gamestest.Layouts() {
		slip, rumble := untold, untold
		switch l.Source {
		case "forza":
			slip, rumble = c.Slip, [4]float64{0.125, 0.8, 0, 1}
		case "ac", "acevo":
			slip = c.Slip
		case "rf2", "lmu":
			rumble = strip
		}
		s := player(t, &l)(at(c, 1))
		for i := range slip {
			if !same(s.Slip[i], slip[i]) || !same(s.Rumble[i], rumble[i]) {
				t.Errorf("%s: wheel %d slips by %g, want %g; its surface %g, want %g", l.Name, i, s.Slip[i], slip[i], s.Rumble[i], rumble[i])
			}
		}
	}
}

// same is == with NaN equal to itself.
func same(a, b float64) bool { return a == b || a != a && b != b }

// A version of BeamNG with other signs, packets of dashes and garbage are refused with the reason.
func TestRefusedPackets(t *testing.T) {
	turned := gamestest.OtherBeamNG(&gamestest.Car{NoseUp: 0.1, Speed: 20})
	for name, b := range map[string][]byte{"other signs": turned, "OutGauge": make([]byte, 92), "OutGauge with an ID": make([]byte, 96), "nothing": nil, "garbage": []byte("hello"), "BeamNG without its magic": make([]byte, 88)} {
		if s, err := parse(b); err == nil {
			t.Errorf("%s: %+v", name, s)
		}
	}
	if s, err := parse(packet("forza", gamestest.Car{Speed: 20, Phase: gamestest.Menu}, 1)); err != nil || s.Phase != follow.Menu {
		t.Errorf("a menu of Forza: phase %v, %v", s.Phase, err)
	}
}

func FuzzParse(f *testing.F) {
	for _, l := range gamestest.Layouts() {
		if l.Packet != nil {
			f.Add(l.Packet(&gamestest.Car{AccForward: 1, Speed: 20}))
		}
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		s, err := parse(b)
		if err == nil && (s.Source == 0 || int(s.Source) > len(Sources)) {
			t.Errorf("source %d", s.Source)
		}
		var state follow.State
		s.Number = 1
		follow.New(follow.Config{}, 1e-3).Step(&state, &s)
	})
}
