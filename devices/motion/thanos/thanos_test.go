package thanos

import (
	"bytes"
	"encoding/hex"
	"math"
	"strings"
	"testing"

	"rig.example/rig/devices/motion/motiontest"
	"rig.example/rig/devices/motion/wire"
)

// newCodec returns a codec that is configured by default, after adjust.
func newCodec(t testing.TB, adjust func(*Config)) *Codec {
	t.Helper()
	cfg := DefaultConfig()
	if adjust != nil {
		adjust(&cfg)
	}
	c, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestThanosTarget(t *testing.T) {
	manual := 32527.0 / 65534 // 7F 0F, which the manual calls the middle
	tests := []struct {
		name string
		legs wire.Legs
		want string
	}{
		{"the manual's neutral frame", wire.AllAt(manual), "ffff" + "7f0f7f0f7f0f7f0f" + "0000000000000000" + "0a0d"},
		{"middle", wire.AllAt(0.5), "ffff" + "7fff7fff7fff7fff" + "0000000000000000" + "0a0d"},
		{"bottom", wire.AllAt(0), "ffff" + "0064006400640064" + "0000000000000000" + "0a0d"},
		{"top", wire.AllAt(1), "ffff" + "fefffefffefffeff" + "0000000000000000" + "0a0d"},
		{"each its own", wire.Legs{0.25, 0.75, 0.1, 0.9, 1}, "ffff" + "4000bfff1999e665" + "0000000000000000" + "0a0d"},
		{"out of the stroke", wire.Legs{-3, 1.01, math.Inf(1), math.Inf(-1)}, "ffff" + "0064fefffeff0064" + "0000000000000000" + "0a0d"},
		{"NaN goes to the middle", wire.Legs{math.NaN(), 0.5, 0.5, 0.5}, "ffff" + "7fff7fff7fff7fff" + "0000000000000000" + "0a0d"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := newCodec(t, nil)
			if got := hex.EncodeToString(c.AppendTarget(nil, &tt.legs)); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

func TestThanosDrivesEight(t *testing.T) {
	c := newCodec(t, func(cfg *Config) { cfg.Actuators = 8 })
	l := wire.AllAt(0.5)
	if got, want := hex.EncodeToString(c.AppendTarget(nil, &l)), "ffff"+strings.Repeat("7fff", 8)+"0a0d"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// Whatever the target, the head of a frame is nowhere else in it.
func FuzzThanosTarget(f *testing.F) {
	f.Add(0.99999, 0.998, 0.0038, 1.0)
	f.Add(math.NaN(), math.Inf(1), -1.0, 65280.0/65534)
	f.Fuzz(func(t *testing.T, a, b, c, d float64) {
		l := wire.Legs{a, b, c, d, a, b, c, d}
		frame := appendFrame(nil, &l, wire.Axes)
		if len(frame) != 20 || bytes.LastIndex(frame, []byte{0xff, 0xff}) != 0 {
			t.Fatalf("% x", frame)
		}
	})
}

func TestThanosHears(t *testing.T) {
	const off = "data:v1.01:T4UM:4:1:2:5:127:5:5:1:0:1:127:127:2:1:2:24:11:127:2:0:2:2:0:10:10:10:10:2:2:2:2:1:"
	on := strings.Replace(off, "127:127:2:", "127:127:1:", 1)
	tests := []struct {
		name, in string
		kind     wire.AnswerKind
		text     string // a part of it
		answers  int
	}{
		{"restart", "Boot OK", wire.AnswerRestarted, "", 1},
		{"restart after noise", "\x00\xffxyBoot OK\r\n", wire.AnswerRestarted, "", 1},
		{"which it is", "Thanos4U(M) v1.01 fix0\r\n", wire.AnswerText, `"Thanos4U(M) v1.01 fix0"`, 1},
		{"spike filter off, without an end of the line", off, wire.AnswerText, "spike filter is off", 1},
		{"spike filter off, with one", off + "\r\n", wire.AnswerText, "spike filter is off", 1},
		{"spike filter on", on + "\r\n", 0, "", 0},
		{"settings cut short", off[:40], 0, "", 0},
		{"settings of the belt and seat", "dataSRS:v1.01:fix0:T4UM:4:0:127:127:2:10:127:2:1:1:\r\n", 0, "", 0},
		{"something else", "hello\r\n", 0, "", 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := motiontest.Decode(newCodec(t, nil), []byte(tt.in))
			if len(got) != tt.answers {
				t.Fatalf("got %+v, want %d answers", got, tt.answers)
			}
			if len(got) == 1 && (got[0].Kind != tt.kind || !strings.Contains(got[0].Text, tt.text)) {
				t.Errorf("got %+v", got[0])
			}
		})
	}
}

func TestThanosSays(t *testing.T) {
	c := newCodec(t, nil)
	if got := motiontest.JoinCommands(c.Start()); got != "RQM CMD55" {
		t.Errorf("starts with %q", got)
	}
	if got := motiontest.JoinCommands(c.Stop()); got != "Park" {
		t.Errorf("stops with %q", got)
	}
	c = newCodec(t, func(cfg *Config) { cfg.AskSettings, cfg.ParkAtEnd = false, false })
	if c.Start() != nil || c.Stop() != nil {
		t.Errorf("sends %q and %q where it must be silent", motiontest.JoinCommands(c.Start()), motiontest.JoinCommands(c.Stop()))
	}
}

func FuzzThanosFeed(f *testing.F) {
	f.Add([]byte("Boot OK\r\nThanos4U(M) v1.01 fix0\r\n"))
	f.Add([]byte(factoryReport))
	f.Add([]byte("data:data:v:m:1:2"))
	f.Fuzz(func(t *testing.T, in []byte) { motiontest.CheckAnswers(t, newCodec(t, nil), in) })
}

// The manual's example; the numbers are those of its list of parameters.
func TestParseThanosSettings(t *testing.T) {
	r, err := parseReport("data:v1.01:T4UM:4:1:2:5:127:5:5:1:0:1:127:127:2:1:2:24:11:127:2:0:2:2:0:10:10:10:10:2:2:2:2:1:")
	if err != nil || r.version != "v1.01" || r.model != "T4UM" {
		t.Fatalf("got %+v, %v", r, err)
	}
	want := map[int]int{
		1: 4, 4: 1, 5: 2, 6: 5, 7: 127, 8: 5, 9: 5, 15: 127, 16: 127, 17: 2, 18: 127, 19: 2, 20: 0, 21: 2,
		22: 24, 23: 11, 24: 10, 27: 10, 28: 2, 31: 2, 32: 1,
	}
	for number, v := range want {
		if got, ok := r.value(number); !ok || got != v {
			t.Errorf("parameter %d is %d (%v), want %d", number, got, ok, v)
		}
	}
	for _, number := range []int{0, 2, 13, 33, 39, 40, 99} {
		if got, ok := r.value(number); ok {
			t.Errorf("parameter %d is %d, though it was not told", number, got)
		}
	}
}

func TestParseThanosSettingsRefuses(t *testing.T) {
	for _, text := range []string{"", "data:", "data:v1.01:", "dataSRS:v1:m:1:", "data:v1:m:x:", "data:v1:m:-1:", "data:v1:m:65536:"} {
		if r, err := parseReport(text); err == nil {
			t.Errorf("%q gives %+v", text, r)
		}
	}
}

func FuzzParseThanosSettings(f *testing.F) {
	f.Add(factoryReport)
	f.Add("data:::")
	f.Fuzz(func(t *testing.T, text string) {
		r, err := parseReport(text)
		if err != nil {
			return
		}
		for number := range 120 {
			if v, ok := r.value(number); ok && (v < 0 || v > 65535) {
				t.Fatalf("parameter %d of %q is %d", number, text, v)
			}
		}
	})
}

func TestThanosConfigIsChecked(t *testing.T) {
	for _, n := range []int{0, 9} {
		c := DefaultConfig()
		c.Actuators = n
		if err := c.Validate(); err == nil || !strings.Contains(err.Error(), "thanos.actuators") {
			t.Errorf("%d actuators: %v", n, err)
		}
	}
}
