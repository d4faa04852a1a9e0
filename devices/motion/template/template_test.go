package template

import (
	"bytes"
	"encoding/hex"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"rig.example/rig/devices/motion/wire"
)

// templateOf returns the codec of a template that must be right.
func templateOf(t testing.TB, c Config) *Codec {
	t.Helper()
	code, err := New(c, wire.AllAt(0.5), wire.AllAt(0.5))
	if err != nil {
		t.Fatal(err)
	}
	return code
}

func TestTemplateTarget(t *testing.T) {
	tests := []struct {
		name string
		cfg  Config
		legs wire.Legs
		want string // hex for binary, else the text itself
	}{
		{"8 bits", Config{Bits: 8, Output: []string{"<Axis1a><Axis2a><Axis3a>"}}, wire.Legs{0, 0.5, 1}, "0080ff"},
		{"10 bits in two bytes", Config{Bits: 10, Output: []string{"<Axis1a><Axis2a><Axis3a>"}}, wire.Legs{0, 0.5, 1}, "0000020003ff"},
		{"16 bits", Config{Bits: 16, Output: []string{"<Axis1a><Axis2a>"}}, wire.Legs{0.25, 1}, "4000ffff"},
		{"24 bits", Config{Bits: 24, Output: []string{"<Axis1a><Axis2a>"}}, wire.Legs{0.5, 1}, "800000ffffff"},
		{"32 bits", Config{Bits: 32, Output: []string{"<Axis1a><Axis2a>"}}, wire.Legs{0.5, 1}, "80000000ffffffff"},
		{"low byte first", Config{Bits: 16, ByteOrder: "little", Output: []string{"<Axis1a><Axis2a>"}}, wire.Legs{0.25, 1}, "0040ffff"},
		{"low byte of three first", Config{Bits: 24, ByteOrder: "little", Low: []int{0x010203}, Output: []string{"<Axis1a>"}}, wire.Legs{}, "030201"},
		{"bytes by number", Config{Bits: 8, Output: []string{"<255><0>A<10><Axis1a><013><60><62>"}}, wire.Legs{}, "ff00410a000d3c3e"},
		{"control characters as they are", Config{Bits: 8, Output: []string{"<Axis1a>\r\n"}}, wire.Legs{}, "000d0a"},
		{"SimHub's names", Config{Bits: 8, Output: []string{"<Axis1><axis2><AXIS3A>"}}, wire.Legs{0, 1, 0.5}, "00ff80"},
		{"an axis twice", Config{Bits: 8, Output: []string{"<Axis1a><Axis1a>"}}, wire.Legs{1}, "ffff"},
		{"in an order of its own", Config{Bits: 8, Output: []string{"<Axis1a><Axis2a>"}, Axes: []string{"2a", "1a"}}, wire.Legs{0, 1}, "ff00"},
		{"second set", Config{Bits: 8, Output: []string{"<Axis1a><Axis1b>"}, Axes: []string{"1a", "1b"}}, wire.Legs{0, 1}, "00ff"},
		{"strings joined", Config{Bits: 8, Output: []string{"[A<Axis1a>]", "[B<Axis2a>]"}}, wire.Legs{0, 1}, "5b41005d5b42ff5d"},
		{"within counts", Config{Bits: 16, Low: []int{100}, High: []int{65400}, Output: []string{"<Axis1a><Axis2a><Axis3a>"}}, wire.Legs{0, 0.5, 1}, "00647feeff78"},
		{"turned round", Config{Bits: 8, Low: []int{0, 255}, High: []int{255, 0}, Output: []string{"<Axis1a><Axis2a><Axis3a>"}}, wire.Legs{0.2, 0.2, 0.2}, "33cccc"},
		{"out of the stroke", Config{Bits: 8, Output: []string{"<Axis1a><Axis2a><Axis3a>"}}, wire.Legs{-3, 1.01, math.Inf(-1)}, "00ff00"},
		{"NaN goes to the center", Config{Bits: 8, Output: []string{"<Axis1a>"}}, wire.Legs{math.NaN()}, "80"},
		{"decimal", Config{Format: "decimal", Bits: 12, Output: []string{"<Axis1a>,<Axis2a>;"}}, wire.Legs{0, 1}, "0,4095;"},
		{"decimal of 32 bits", Config{Format: "decimal", Bits: 32, Output: []string{"<Axis1a>;"}}, wire.Legs{1}, "4294967295;"},
		{"decimal filled up", Config{Format: "decimal", Bits: 10, Digits: 4, Output: []string{"<Axis1a><Axis2a>"}}, wire.Legs{0, 1}, "00001023"},
		{"digits fewer than it has", Config{Format: "decimal", Bits: 10, Digits: 3, Output: []string{"<Axis1a>,<Axis2a>,"}}, wire.Legs{0, 1}, "000,1023,"},
		{"hex", Config{Format: "hex", Bits: 16, Output: []string{"<Axis1a>,<Axis2a>;"}}, wire.Legs{0.25, 0.7}, "4000,B333;"},
		{"bits in bytes, the highest first", Config{Bits: 16, Output: []string{"<Axis1a:14-15><axis1A:7-13+128><Axis1:0-6>"}}, wire.Legs{0.7}, "02e633"}, // 45875, 1011 0011 0011 0011
		{"bits beside text", Config{Format: "decimal", Bits: 14, Output: []string{"<Axis1a>,<Axis2a:7-13><Axis2a:0-6>"}}, wire.Legs{1, 1}, "16383,\x7f\x7f"},
		{"checksums of each string", Config{Bits: 8, Output: []string{"A<Axis1a><Sum8>", "B<Axis2a><Xor8>"}}, wire.Legs{1, 1}, "41ff40" + "42ffbd"},
		{"a checksum over part of a string", Config{Bits: 8, Output: []string{"<255><255><Begin><Axis1a><Axis2a><Sum8>"}}, wire.Legs{0.5, 1}, "ffff80ff7f"},
		{"a checksum over a checksum", Config{Bits: 8, Output: []string{"<Axis1a>A<Sum8><Xor8>"}}, wire.Legs{0}, "00414100"},
		{"hex filled up", Config{Format: "hex", Bits: 16, Digits: 4, Output: []string{"X<Axis1a><Axis2a>"}}, wire.Legs{0.0002, 1}, "X000DFFFF"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := tt.cfg
			c.Takes = TakesLegs
			if c.Format == "" {
				c.Format = formatBinary
			}
			if c.ByteOrder == "" {
				c.ByteOrder = orderBig
			}
			code := templateOf(t, c)
			out := code.AppendTarget([]byte{}, &tt.legs)
			got := string(out)
			if c.Format == formatBinary {
				got = hex.EncodeToString(out)
			}
			if got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
			if len(out) > code.TargetBytes() {
				t.Errorf("%d bytes, though %d are the most", len(out), code.TargetBytes())
			}
		})
	}
}

func TestTemplateSaysHelloAndGoodbye(t *testing.T) {
	cfg := templateWith("<Axis1a>")
	cfg.Bits = 8
	cfg.Startup, cfg.StartupWait = []string{"ON<13>", "G", "T<Axis1a>"}, []float64{500, 1500}
	cfg.Shutdown = []string{"P<Axis1a>"}
	code, err := New(cfg, wire.AllAt(0.25), wire.AllAt(1))
	if err != nil {
		t.Fatal(err)
	}
	want := []wire.Command{
		{Bytes: []byte("ON\r"), Wait: 500 * time.Millisecond},
		{Bytes: []byte("G"), Wait: 1500 * time.Millisecond},
		{Bytes: []byte("T\x40"), Wait: 1500 * time.Millisecond}, // where it is taken to stand
	}
	got := code.Start()
	if len(got) != len(want) {
		t.Fatalf("%d phrases, want %d", len(got), len(want))
	}
	for i := range want {
		if string(got[i].Bytes) != string(want[i].Bytes) || got[i].Wait != want[i].Wait {
			t.Errorf("%q and %v, want %q and %v", got[i].Bytes, got[i].Wait, want[i].Bytes, want[i].Wait)
		}
	}
	if bye := code.Stop(); len(bye) != 1 || string(bye[0].Bytes) != "P\xff" || bye[0].Wait != 0 {
		t.Errorf("%+v at the end, want P and FF", bye)
	}
}

func TestTemplateKnowsNothingOfPositions(t *testing.T) {
	code := templateOf(t, templateWith("<Axis1a><Axis2a>"))
	if code.Axes() != 2 || code.ReportsPosition() || code.QueryBytes() != 0 || len(code.AppendQuery(nil)) != 0 {
		t.Errorf("%d axes, locates %t, asks %d bytes", code.Axes(), code.ReportsPosition(), code.QueryBytes())
	}
}

func TestTemplateHearsText(t *testing.T) {
	cfg := templateWith("<Axis1a>")
	cfg.BootText, cfg.FaultText, cfg.StopText = "ready", "#sON#", "Estop:1"
	tests := []struct {
		name, in string
		want     []wire.Answer
		noise    uint64
	}{
		{"a line", "hello\r\n", []wire.Answer{{Kind: wire.AnswerText, Text: "hello"}}, 0},
		{"two lines", "a\nb\n", []wire.Answer{{Kind: wire.AnswerText, Text: "a"}, {Kind: wire.AnswerText, Text: "b"}}, 0},
		{"not yet whole", "hel", nil, 0},
		{"empty lines", "\r\n\n\n", nil, 0},
		{"foreign bytes", "\x00he\xffllo\n\x80", []wire.Answer{{Kind: wire.AnswerText, Text: "hello"}}, 3},
		{"it has started", ">>4ACT ready\n", []wire.Answer{{Kind: wire.AnswerRestarted, Text: ">>4ACT ready"}}, 0},
		{"a drive is broken", "#sON#\r\n", []wire.Answer{{Kind: wire.AnswerFault, Fault: wire.FaultDrive, Text: "#sON#"}}, 0},
		{"its stop is pressed", "Estop:1\n", []wire.Answer{{Kind: wire.AnswerFault, Fault: wire.FaultStop, Text: "Estop:1"}}, 0},
		{"its stop is released", "Estop:0\n", []wire.Answer{{Kind: wire.AnswerText, Text: "Estop:0"}}, 0},
		{"a line without end", strings.Repeat("x", 250), []wire.Answer{
			{Kind: wire.AnswerText, Text: strings.Repeat("x", 120)}, {Kind: wire.AnswerText, Text: strings.Repeat("x", 120)}}, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			code := templateOf(t, cfg)
			var got []wire.Answer
			for _, b := range []byte(tt.in) {
				if a, ok := code.Feed(b); ok {
					got = append(got, a)
				}
			}
			if len(got) != len(tt.want) || code.Noise() != tt.noise {
				t.Fatalf("%+v and noise of %d, want %+v and %d", got, code.Noise(), tt.want, tt.noise)
			}
			for i, want := range tt.want {
				g := got[i]
				if g.Kind != want.Kind || g.Text != want.Text || g.Fault != want.Fault || g.Axis != -1 || !math.IsNaN(g.Temperature) {
					t.Errorf("%+v, want %+v", g, want)
				}
			}
		})
	}
}

func TestChatterIsNotListenedToForEver(t *testing.T) {
	cfg := templateWith("<Axis1a>")
	cfg.FaultText = "broken"
	code := templateOf(t, cfg)
	heard := 0
	hear := func(line string) {
		for _, b := range []byte(line) {
			if _, ok := code.Feed(b); ok {
				heard++
			}
		}
	}
	for range 1000 {
		hear("A0D8000F2\n")
	}
	if heard != 32 {
		t.Errorf("%d lines passed on, want 32", heard)
	}
	if hear("broken\n"); heard != 33 {
		t.Error("a fault after much chatter was not heard")
	}
}

func TestTemplateTargetAllocatesNothing(t *testing.T) {
	for _, format := range []string{formatBinary, formatDecimal, formatHex} {
		cfg := templateWith("<255><Axis1a>,<Axis2a>,<Axis3a>,<Axis4a>,<Axis5a>,<Axis6a>,<Axis7a>,<Axis8a>;<Sum8><Begin><13><Crc8><Crc16>",
			"<Axis1a:0-7><Axis1a:8-15><Axis1a:16-23><Axis1a:24-31><Sum7><Xor8>!")
		cfg.Format, cfg.Bits = format, 32
		code := templateOf(t, cfg)
		dst, l := make([]byte, 0, code.TargetBytes()), wire.AllAt(0.3)
		if n := testing.AllocsPerRun(100, func() { dst = code.AppendTarget(dst[:0], &l) }); n != 0 {
			t.Errorf("%s: %g allocations", format, n)
		}
	}
}

// BenchmarkTemplateTarget encodes a target with each preset.
func BenchmarkTemplateTarget(b *testing.B) {
	for name, p := range presetsOf(b) {
		b.Run(name, func(b *testing.B) {
			code := templateOf(b, p.Template)
			dst, l := make([]byte, 0, code.TargetBytes()), wire.AllAt(0.3)
			b.ReportAllocs()
			for b.Loop() {
				l[0] = 0.8 - l[0]
				dst = code.AppendTarget(dst[:0], &l)
			}
		})
	}
}

// A template is refused, or what it sends can be read back, to a count.
func FuzzTemplate(f *testing.F) {
	f.Add("P4<Axis1a><Axis2a>!!", "<255>S", 16, uint8(0), 0, 0, 65535, 0.25, 0.75)
	f.Add("<Axis1>,<Axis2>X", "", 12, uint8(1), 0, 4094, 0, 0.0, 1.0)
	f.Add("<Axis1a><axis2A>;", "<", 32, uint8(2), 8, 1, 4294967295, math.NaN(), math.Inf(1))
	f.Add("<170><Begin><Axis1a:0-6><Axis1a:7-13+128><Axis2a><Crc16>", "<128><7><Axis1a><Sum7>", 14, uint8(0), 0, 4000, 8000, 0.5, 0.1)
	f.Add("<Axis1a>,<Axis2a>;<Xor8><Crc8>", "<Any>", 12, uint8(1), 0, 0, 4095, 0.5, 0.1)
	f.Add("[A<Axis1a>][B<Axis1a>]<60>", "<Axis1a>", 10, uint8(4), 3, 100, 923, -1.0, 0.5)
	f.Fuzz(func(t *testing.T, output, startup string, bits int, format uint8, digits, low, high int, a, b float64) {
		c := Config{
			Takes: TakesLegs, Bits: bits, Format: []string{formatBinary, formatDecimal, formatHex}[format%3],
			ByteOrder: []string{orderBig, orderLittle}[format/3%2], Digits: digits,
			Low: []int{low}, High: []int{high}, Output: []string{output},
		}
		if startup != "" {
			c.Startup = []string{startup}
		}
		code, err := New(c, wire.AllAt(0.5), wire.AllAt(0.5))
		if err != nil {
			return // refused, and did not panic
		}
		l := wire.Legs{a, b, b, a, a, b, b, a}
		out := code.AppendTarget(nil, &l)
		if len(out) == 0 || len(out) > code.TargetBytes() {
			t.Fatalf("%d bytes, at most %d were promised", len(out), code.TargetBytes())
		}
		var got wire.Legs
		// What follows ends a number that fills its place only when it is large.
		first := slices.IndexFunc(code.output, func(p piece) bool { return p.kind != beginPiece })
		used, fit := code.scan(append(out[:len(out):len(out)], code.output[first].literal...), code.output, &got)
		if fit == partialMatch && code.output[first].kind == numberPiece {
			return
		}
		if fit != fullMatch || used != len(out) {
			t.Fatalf("%q is read as %v, %d bytes", out, fit, used)
		}
		for leg := range code.axisCount {
			if want := code.counts(leg, l[leg]); code.counts(leg, got[leg]) != want {
				t.Fatalf("%q: actuator %d is read as %g, was %g", out, leg, got[leg], l[leg])
			}
		}
	})
}

// Whatever a controller says, what is passed on are its characters in order, in
// lines that are not too long, and what is no text is counted.
func FuzzEar(f *testing.F) {
	f.Add([]byte("boot\r\nx\x00\xffy\n"))
	f.Add([]byte(strings.Repeat("~", 300)))
	f.Fuzz(func(t *testing.T, in []byte) {
		e := newTextReader(Config{})
		var said, told []byte
		foreign := uint64(0)
		for _, b := range in {
			switch {
			case b == '\t' || b >= ' ' && b <= '~':
				said = append(said, b)
			case b != '\n' && b != '\r':
				foreign++
			}
			if a, ok := e.Feed(b); ok {
				if a.Text == "" || len(a.Text) > 120 {
					t.Fatalf("a line of %d", len(a.Text))
				}
				told = append(told, a.Text...)
			}
		}
		if !bytes.HasPrefix(said, told) || e.Noise() != foreign {
			t.Fatalf("told %q of %q, noise of %d of %d", told, said, e.Noise(), foreign)
		}
	})
}
