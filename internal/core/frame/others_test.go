package frame

import (
	"math"
	"strings"
	"testing"
	"unicode/utf8"
)

// cleanCar returns a car that Clean leaves as it is.
func cleanCar() OtherCar {
	return OtherCar{Slot: 3, Name: TextOf("Ada"), Place: 2, Att: [4]float64{1}, Vel: [3]float64{30}, Late: 0.1, Steer: 0.1, Opacity: 1, Gap: 12, LapsAhead: -1,
		Length: 4.4, Width: 1.8, Height: 1.3, CGHeight: 0.5, CGToFront: 1.2, Wheelbase: 2.6, WheelRadius: 0.32}
}

func TestTextsHoldWholeCharacters(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"", ""}, {"Ada", "Ada"}, {strings.Repeat("x", 24), strings.Repeat("x", 24)}, {strings.Repeat("x", 30), strings.Repeat("x", 24)},
		{strings.Repeat("x", 23) + "é", strings.Repeat("x", 23)}, {"a\x1b[2J\nb\x00c", "a?[2J?b?c"}, {"\xff\u202e", "??"},
	} {
		if text := TextOf(tt.in); text.String() != tt.want {
			t.Errorf("%q became %q, want %q", tt.in, text.String(), tt.want)
		}
	}
	var s Session
	for _, n := range []int{0, 5, 24, 25, noticeBytes, noticeBytes + 9} {
		s.SetNotice(strings.Repeat("n", n))
		if got := string(s.AppendNotice(nil)); got != strings.Repeat("n", min(n, noticeBytes)) {
			t.Errorf("a notice of %d bytes has %d", n, len(got))
		}
	}
}

// What is right stays, what cannot be drawn is left out, and all else comes within its range.
func TestOthersAreCleaned(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for name, spoil := range map[string]func(*OtherCar){
		"position":  func(c *OtherCar) { c.Pos[1] = nan },
		"far away":  func(c *OtherCar) { c.Pos[0] = -1e9 },
		"attitude":  func(c *OtherCar) { c.Att = [4]float64{} },
		"turned":    func(c *OtherCar) { c.Att[2] = nan },
		"velocity":  func(c *OtherCar) { c.Vel[0] = inf },
		"rate":      func(c *OtherCar) { c.Rate[2] = 1e3 },
		"invisible": func(c *OtherCar) { c.Opacity = 0 },
		"slot":      func(c *OtherCar) { c.Slot = 64 },
		"same slot": func(c *OtherCar) { c.Slot = 3 },
		"opacity":   func(c *OtherCar) { c.Opacity = nan },
	} {
		o := Others{Count: 3, Cars: [MaxOthers]OtherCar{cleanCar(), cleanCar(), cleanCar()}}
		o.Cars[1].Slot, o.Cars[2].Slot = 5, 9
		spoil(&o.Cars[1])
		if o.Clean(); o.Count != 2 || o.Cars[0] != cleanCar() || o.Cars[1].Slot != 9 || o.Cars[2] != (OtherCar{}) {
			t.Errorf("%s: %d cars, %+v", name, o.Count, o.Cars[:3])
		}
	}
	o := Others{Count: 1}
	c := &o.Cars[0]
	*c = OtherCar{Att: [4]float64{1}, Opacity: 7, Brake: nan, Late: nan, Steer: inf, Gap: nan, Place: 1 << 60, LapsAhead: math.MinInt64, InPit: 8,
		Length: 1e9, Width: -1, Height: nan, CGHeight: inf, CGToFront: -9, Wheelbase: 1e9, WheelRadius: 99}
	c.Name = Text{0x1b1b1b1b1b1b1b1b, 0xffffffffffffffff, 0x4141414141414141}
	o.Session = Session{Phase: 99, Flag: 99, Connected: 9, Clock: nan, ToStart: inf, TimeLeft: nan, GapAhead: -inf, Place: 1 << 63, Lost: -1}
	o.Clean()
	if c.Opacity != 1 || c.Brake != 0 || c.Late != 0 || c.Steer != 1.2 || c.Gap == c.Gap || c.Place != 9999 || c.LapsAhead != -9999 || c.InPit != 1 ||
		c.Length != 12 || c.Width != 0.8 || c.Height != 1.3 || c.CGHeight != 1.3 || c.CGToFront != 0 || math.Abs(c.Wheelbase-9.6) > 1e-9 || math.Abs(c.WheelRadius-0.52) > 1e-9 {
		t.Errorf("car %+v", c)
	}
	if name := c.Name.String(); name != "????????????????AAAAAAAA" {
		t.Errorf("name %q", name)
	}
	s := &o.Session
	if s.Phase != NoSession || s.Flag != FlagNone || s.Connected != 1 || s.Clock != 0 || s.ToStart != 1e6 || s.TimeLeft == s.TimeLeft || s.GapAhead != -1e6 ||
		s.Place != 9999 || s.Lost != 0 {
		t.Errorf("session %+v", s)
	}
}

func TestCleaningAllocatesNothing(t *testing.T) {
	o := Others{Count: MaxOthers}
	for i := range o.Cars {
		o.Cars[i] = cleanCar()
	}
	o.Session.SetNotice(strings.Repeat("é", 200))
	if n := testing.AllocsPerRun(100, o.Clean); n != 0 {
		t.Errorf("%g allocations", n)
	}
}

// Whatever bytes a text has, it comes out printable.
func FuzzTexts(f *testing.F) {
	f.Add("Ada")
	f.Add("\x00\xff\x1b\u2028")
	f.Fuzz(func(t *testing.T, in string) {
		var text Text
		text.set([]byte(in))
		text.clean()
		if out := text.String(); !utf8.ValidString(out) || strings.ContainsFunc(out, func(r rune) bool { return r < ' ' || r == 0x7f }) || len(out) > textBytes {
			t.Errorf("%q came out as %q", in, out)
		}
	})
}

func TestSessionText(t *testing.T) {
	for want, o := range map[string]Others{
		"session: not connected":                                          {Session: Session{Phase: PhaseRacing, Place: 2, Of: 3}},
		"session: connected, 0 other cars":                                {Session: Session{Connected: 1, Late: 0.1}},
		"session: connected, race, place 2 of 3, 2 other cars 33 ms late": {Session: Session{Connected: 1, Phase: PhaseRacing, Place: 2, Of: 3, Late: 0.0333}, Count: 2},
	} {
		if got := o.Summary(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
