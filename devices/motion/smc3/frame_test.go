package smc3

import (
	"bytes"
	"encoding/hex"
	"math"
	"testing"

	"rig.example/rig/devices/motion/wire"
)

func TestAppendTarget(t *testing.T) {
	tests := []struct {
		name string
		legs wire.Legs
		want string
	}{
		{"center", wire.Legs{0.5, 0.5, 0.5}, "5b4102005d" + "5b4202005d" + "5b4302005d"},
		{"bottom", wire.Legs{}, "5b4100005d" + "5b4200005d" + "5b4300005d"},
		{"top", wire.Legs{1, 1, 1}, "5b4103ff5d" + "5b4203ff5d" + "5b4303ff5d"},
		{"rolled", wire.Legs{0.6, 0.4, 0.5}, "5b4102665d" + "5b4201995d" + "5b4302005d"},
		{"other legs have no motor", wire.Legs{0.5, 0.5, 0.5, 1, 1, 1}, "5b4102005d" + "5b4202005d" + "5b4302005d"},
		{"out of the stroke", wire.Legs{-3, 1.01, math.Inf(1)}, "5b4100005d" + "5b4203ff5d" + "5b4303ff5d"},
		{"NaN goes to the center", wire.Legs{math.NaN(), 0, 0}, "5b4102005d" + "5b4200005d" + "5b4300005d"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := hex.EncodeToString(appendTarget(nil, &tt.legs)); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

func TestAppendQuestion(t *testing.T) {
	if got := string(appendQuery(nil, 2)); got != "[rdC]" {
		t.Errorf("got %q, want [rdC]", got)
	}
}

func TestFeedback(t *testing.T) {
	tests := []struct {
		name  string
		in    frame
		motor int
		share float64
		ok    bool
	}{
		{"motor A at the bottom", frame{'A', 0, 128}, 0, 0, true},
		{"motor B at the center", frame{'B', 128, 0}, 1, 512.0 / 1023, true},
		{"motor C at the top", frame{'C', 255, 0}, 2, 1020.0 / 1023, true},
		{"a status is none", frame{'a', 64, 0}, 0, 0, false},
		{"a parameter is none", frame{'D', 1, 164}, 0, 0, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			motor, share, ok := tt.in.feedback()
			if motor != tt.motor || share != tt.share || ok != tt.ok {
				t.Errorf("got %d %g %v, want %d %g %v", motor, share, ok, tt.motor, tt.share, tt.ok)
			}
		})
	}
}

func TestParserFindsFrames(t *testing.T) {
	tests := []struct {
		name  string
		in    string
		want  []frame
		noise uint64
	}{
		{"one", "[A\x80\x80]", []frame{{'A', 0x80, 0x80}}, 0},
		{"two", "[A\x01\x02][b\x03\x04]", []frame{{'A', 1, 2}, {'b', 3, 4}}, 0},
		{"brackets as data", "[A[]][B][]", []frame{{'A', '[', ']'}, {'B', ']', '['}}, 0},
		{"after noise", "\x00\xffxyz[A\x01\x02]", []frame{{'A', 1, 2}}, 5},
		{"after a frame cut short", "[A\x01[B\x01\x02]", []frame{{'B', 1, 2}}, 3},
		{"after a byte too many", "[A\x01\x02\x03][B\x01\x02]", []frame{{'B', 1, 2}}, 6},
		{"not yet whole", "[A\x01\x02", nil, 0},
		{"only heads", "[[[[[[[[", nil, 4},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var p parser
			var got []frame
			for _, b := range []byte(tt.in) {
				if f, ok := p.feed(b); ok {
					got = append(got, f)
				}
			}
			if len(got) != len(tt.want) {
				t.Fatalf("got %v, want %v", got, tt.want)
			}
			for i := range got {
				if got[i] != tt.want[i] {
					t.Errorf("frame %d is %v, want %v", i, got[i], tt.want[i])
				}
			}
			if p.noise != tt.noise {
				t.Errorf("noise of %d bytes, want %d", p.noise, tt.noise)
			}
		})
	}
}

// Whatever came before, four bytes of peace and a second frame are enough to
// be understood again, and no byte is lost without being counted.
func FuzzParser(f *testing.F) {
	f.Add([]byte("[A\x01\x02]"))
	f.Add([]byte("[[[["))
	f.Add([]byte("][A\x01"))
	f.Fuzz(func(t *testing.T, in []byte) {
		var p parser
		var frames []byte
		for _, b := range in {
			if got, ok := p.feed(b); ok {
				frames = appendFrame(frames, got)
			}
		}
		if n := uint64(len(frames)+p.bufLen) + p.noise; n != uint64(len(in)) {
			t.Fatalf("of %d bytes %d are accounted for", len(in), n)
		}
		if !bytes.Contains(in, frames[:min(len(frames), frameLen)]) {
			t.Fatalf("% x was never sent", frames[:frameLen])
		}
		for range frameLen {
			p.feed(0)
		}
		var last frame
		for _, b := range []byte("[A\x01\x02]") {
			if got, ok := p.feed(b); ok {
				last = got
			}
		}
		if last != (frame{'A', 1, 2}) {
			t.Fatalf("after % x a frame was not found", in)
		}
	})
}
