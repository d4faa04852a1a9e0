package template

import (
	"encoding/hex"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pelletier/go-toml/v2"

	"rig.example/rig/devices/motion/wire"
)

// preset is what a file of presets says that a template needs.
type preset struct {
	Protocol string    `toml:"protocol"`
	Start    wire.Legs `toml:"start_share"`
	Park     wire.Legs `toml:"park_share"`
	Template Config    `toml:"template"`
}

// codec returns the preset's codec.
func (p preset) codec(t testing.TB) *Codec {
	t.Helper()
	code, err := New(p.Template, p.Start, p.Park)
	if err != nil {
		t.Fatal(err)
	}
	return code
}

// presetsOf returns the presets that are templates, by name.
func presetsOf(t testing.TB) map[string]preset {
	t.Helper()
	files, err := filepath.Glob("../presets/*.toml")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d presets, %v", len(files), err)
	}
	found := map[string]preset{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		p := preset{Start: wire.AllAt(0.5), Park: wire.AllAt(0.5), Template: DefaultConfig()}
		if err := toml.Unmarshal(text, &p); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		if p.Protocol == "template" {
			found[strings.TrimSuffix(filepath.Base(file), ".toml")] = p
		}
	}
	return found
}

// What each preset sends, written out from what its controller's sources say.
func TestPresetsSendWhatTheirControllersRead(t *testing.T) {
	ramp := wire.Legs{0, 0.25, 0.5, 1, 0.5, 0.5, 0, 1}
	tests := []struct {
		preset string
		legs   wire.Legs
		want   string // hex for binary, else the text itself
	}{
		{"eh-msc", wire.AllAt(0.5), "5034" + "8000800080008000" + "2121"},
		{"eh-msc", ramp, "5034" + "000040008000ffff" + "2121"},
		{"knaufinator", wire.AllAt(0.5), "2047,2047,2047,2047,2047,2047X"},
		{"knaufinator", wire.Legs{0.25, 0.5, 0.75, 0, 1, 0.5}, "2047,1024,3071,4094,0,2047X"}, // surge, sway, heave, roll, pitch, yaw
		{"open6dofsim", wire.AllAt(0.5), "PA0D32768A1D32768A2D32768A3D32768A4D32768A5D32768A"},
		{"open6dofsim", wire.Legs{0, 1}, "PA0D8000A1D57536A2D8000A3D8000A4D8000A5D8000A"},
		{"thanos-template", wire.AllAt(0.5), "ffff" + strings.Repeat("7fff", 8) + "0a0d"},
		{"thanos-template", wire.Legs{0, 1}, "ffff" + "00fffeff" + strings.Repeat("00ff", 6) + "0a0d"},
		{"smc3-strings", wire.Legs{0.5, 0, 1}, "5b4102005d" + "5b4200005d" + "5b4303ff5d"},
		{"simtools-8bit", wire.Legs{0.5, 1}, "4180" + "42ff"},
		{"servos", wire.Legs{0, 0.5, 1, 0.5, 0.5, 0.5}, "A0B746C1491D746E746F746X"},
		{"lebois", wire.Legs{0, 0.5, 1, 0.25}, "50" + "00005fb4bf682fda"},
		{"pololu-maestro", wire.AllAt(0.5), "8400702e" + "8401702e" + "8402702e" + "8403702e" + "8404702e" + "8405702e"},
		{"pololu-maestro", wire.Legs{0, 1, 0.25, 0.5, 0.5, 0.5}, "8400201f" + "8401403e" + "84020827" + "8403702e" + "8404702e" + "8405702e"},
		{"pololu-jrk", wire.Legs{3229.0 / 4095, 1}, "aa0b5d64" + "aa0c5f7f"},
		{"kangaroo", wire.Legs{0, 0.75}, "1,p500\r\n2,p3500\r\n"},
		{"pyfly", wire.AllAt(0.5), "ffff46" + "318000" + "328000" + "338000" + "348000" + "358000" + "368000" + "21"},
	}
	all := presetsOf(t)
	var seen []string
	for _, tt := range tests {
		p := all[tt.preset]
		out := p.codec(t).AppendTarget(nil, &tt.legs)
		got := string(out)
		if p.Template.Format == formatBinary {
			got = hex.EncodeToString(out)
		}
		if got != tt.want {
			t.Errorf("%s: %s, want %s", tt.preset, got, tt.want)
		}
		seen = append(seen, tt.preset)
	}
	for name := range all {
		if !slices.Contains(seen, name) {
			t.Errorf("nothing is written out for %s", name)
		}
	}
}

func TestPresetsSayHelloAndGoodbye(t *testing.T) {
	tests := []struct {
		preset   string
		starts   string // joined by |
		ends     string
		waitSecs float64 // in all, at the start
	}{
		{"eh-msc", "", "", 0},
		{"open6dofsim", "I|PK3D300A\n|PK0D51A\n|PK2D0A\n|PK1D25A\n|H", "", 25},
		{"lebois", "AC", "E00000", 1},
		{"kangaroo", "1,start\r\n|2,start\r\n", "", 1},
		{"pyfly", "\xff\xffS", "\xff\xffE", 1},
	}
	for _, tt := range tests {
		code := presetsOf(t)[tt.preset].codec(t)
		said := func(list []wire.Command) (text string, secs float64) {
			var all []string
			for _, p := range list {
				all = append(all, string(p.Bytes))
				secs += p.Wait.Seconds()
			}
			return strings.Join(all, "|"), secs
		}
		starts, secs := said(code.Start())
		ends, _ := said(code.Stop())
		if starts != tt.starts || ends != tt.ends || secs != tt.waitSecs {
			t.Errorf("%s: %q in %g s and %q, want %q in %g s and %q", tt.preset, starts, secs, ends, tt.starts, tt.waitSecs, tt.ends)
		}
	}
}
