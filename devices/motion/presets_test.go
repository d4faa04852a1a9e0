package motion

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/pelletier/go-toml/v2"
)

// presetConfig returns a configuration that has nothing but a preset's keys.
func presetConfig(t testing.TB, name string) Config {
	t.Helper()
	text, err := Preset(name)
	if err != nil {
		t.Fatal(err)
	}
	cfg := DefaultConfig()
	dec := toml.NewDecoder(bytes.NewReader(text)).DisallowUnknownFields()
	if err := dec.Decode(&cfg); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return cfg
}

// templatePresets lists the presets that are templates.
func templatePresets(t testing.TB) []string {
	return slices.DeleteFunc(Presets(), func(name string) bool { return presetConfig(t, name).Protocol != ProtocolTemplate })
}

func TestPresetsFitTheirLine(t *testing.T) {
	for _, name := range Presets() {
		cfg := presetConfig(t, name)
		code, err := newCodec(cfg)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if cfg.Port != "" || cfg.Protocol == "" {
			t.Errorf("%s: port %q, protocol %q", name, cfg.Port, cfg.Protocol)
		}
		if busy := cfg.Rate * float64(bitsPerByte*code.TargetBytes()) / float64(cfg.Baud); busy > maxLineShare && cfg.Rate != DefaultConfig().Rate {
			t.Errorf("%s: the line is %.0f %% busy", name, 100*busy)
		}
	}
}

func TestUnknownPresetNamesTheOthers(t *testing.T) {
	_, err := Preset("sfx")
	if err == nil || !strings.Contains(err.Error(), `motion: preset: "sfx" not found; choose eh-msc, kangaroo, knaufinator,`) {
		t.Error(err)
	}
}
