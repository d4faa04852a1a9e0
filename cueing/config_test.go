package cueing

import (
	"fmt"
	"math"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

func TestDefaultsAndSetsAreValid(t *testing.T) {
	for _, set := range Presets() {
		cfg := DefaultConfig()
		var err error
		if cfg.Washout, err = Preset(set); err != nil {
			t.Fatal(err)
		}
		if err := cfg.Validate(); err != nil || cfg.Washout.ParameterSet != set {
			t.Errorf("%s: %v", set, err)
		}
	}
	if got := DefaultConfig().Washout.ParameterSet; got != "rig" {
		t.Errorf("the default's set is %q", got)
	}
}

func TestUnknownSetIsNamed(t *testing.T) {
	const want = `cueing: washout.set = "utias": must be open6dofsim, rig or shoarai`
	if _, err := Preset("utias"); err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}

// The digits are those of the programs that publish them.
func TestSetsHoldThePublishedDigits(t *testing.T) {
	o, s := open6dofWashout(), shoaraiWashout()
	tests := []struct {
		name      string
		got, want float64
	}{
		{"open6dofsim: scale of forces", o.ForceGain[1], 0.8},
		{"open6dofsim: limit of 5 m/s², behind the scale", o.MaxForce[0], 4},
		{"open6dofsim: high-pass", o.HighPass[2], 1.25},
		{"open6dofsim: its damping", o.HighDamping, 0.707},
		{"open6dofsim: its first-order part", o.ReturnRate[0], 0.125},
		{"open6dofsim: limit of 10 m/s², behind the scale", o.MaxTiltForce, 8},
		{"open6dofsim: low-pass", o.TiltLowPass, 1.25},
		{"open6dofsim: rotation", o.RotationHighPass[1], 5},
		{"open6dofsim: final low-pass", o.FinalLowPass, 4},
		{"shoarai: high-pass", s.HighPass[0], 2.5},
		{"shoarai: low-pass", s.TiltLowPass, 5},
		{"shoarai: its damping", s.TiltDamping, 1},
		{"shoarai: rotation, first order", s.RotationHighPass[2], 2.5},
		{"shoarai: scale", s.RateGain[0], 1},
		{"tilt that is not felt", o.MaxTiltRate, 3},
		{"tilt that is not felt", s.MaxTiltRate, 3},
	}
	for _, tt := range tests {
		if tt.got != tt.want {
			t.Errorf("%s is %g, want %g", tt.name, tt.got, tt.want)
		}
	}
}

var faulty = regexp.MustCompile(`^([][a-z0-9_.]+) = `)

// NaN and Inf are refused in every number of the configuration, by its own key.
func TestValidateNamesEveryKey(t *testing.T) {
	var look func(v reflect.Value, table string, cfg *Config)
	check := func(v reflect.Value, key string, cfg *Config) {
		was := v.Float()
		v.SetFloat(math.NaN())
		defer v.SetFloat(was)
		if err := cfg.Validate(); err == nil {
			t.Errorf("%s may be NaN", key)
		} else if m := faulty.FindStringSubmatch(err.Error()); m == nil || m[1] != key || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", key, err)
		}
	}
	look = func(v reflect.Value, table string, cfg *Config) {
		for i := range v.NumField() {
			f, key := v.Field(i), table+v.Type().Field(i).Tag.Get("toml")
			switch f.Kind() {
			case reflect.Struct:
				look(f, key+".", cfg)
			case reflect.Array:
				for k := range f.Len() {
					check(f.Index(k), fmt.Sprintf("%s[%d]", key, k), cfg)
				}
			case reflect.Float64:
				check(f, key, cfg)
			}
		}
	}
	cfg := DefaultConfig()
	look(reflect.ValueOf(&cfg).Elem(), "", &cfg)
}

func TestValidateNamesChoices(t *testing.T) {
	tests := []struct {
		name   string
		change func(*Config)
		want   string
	}{
		{"mode", func(c *Config) { c.Mode = "mpc" }, `mode = "mpc": must be direct, washout or adaptive`},
		{"set", func(c *Config) { c.Washout.ParameterSet = "" }, `washout.set = "": must be open6dofsim, rig or shoarai`},
		{"order", func(c *Config) { c.Washout.RotationOrder = 3 }, "washout.rotation_order = 3: must be 1 or 2"},
		{"off or a range", func(c *Config) { c.Washout.FinalLowPass = 0.5 }, "washout.final_pass_rad_per_s = 0.5: must be 0 (off) or 1 to 100"},
		{"one of a list", func(c *Config) { c.Washout.ForceGain[1] = -1 }, "washout.force_gain[1] = -1: must be 0 to 5"},
	}
	for _, tt := range tests {
		cfg := DefaultConfig()
		tt.change(&cfg)
		if err := cfg.Validate(); err == nil || err.Error() != tt.want {
			t.Errorf("%s: %v, want %s", tt.name, err, tt.want)
		}
	}
}

// What may be configured may be built and driven.
func TestEveryCornerOfTheRangesCanBeDriven(t *testing.T) {
	for _, mode := range []string{Direct, Washout, Adaptive} {
		for _, end := range []int{0, 1} {
			cfg := DefaultConfig()
			cfg.Mode = mode
			extreme(reflect.ValueOf(&cfg).Elem(), &cfg, end)
			if err := cfg.Validate(); err != nil {
				t.Fatal(err)
			}
			c, w := made(t, cfg), watch{cfg: cfg}
			for i := range 3000 {
				in := bend(i)
				w.check(t, c.Next(&in), c.Trace())
			}
		}
	}
}

var ranges = regexp.MustCompile(`must be (?:0 \(off\) or )?(\S+) to ([^\s,]+)`)

// extreme moves every number of a configuration to an end of its range, as Validate tells it.
func extreme(v reflect.Value, cfg *Config, end int) {
	for i := range v.NumField() {
		f := v.Field(i)
		switch f.Kind() {
		case reflect.Struct:
			extreme(f, cfg, end)
		case reflect.Array:
			for k := range f.Len() {
				f.Index(k).SetFloat(endOf(f.Index(k), cfg, end))
			}
		case reflect.Float64:
			f.SetFloat(endOf(f, cfg, end))
		}
	}
}

func endOf(v reflect.Value, cfg *Config, end int) float64 {
	v.SetFloat(math.NaN())
	m := ranges.FindStringSubmatch(cfg.Validate().Error())
	x, err := strconv.ParseFloat(m[1+end], 64)
	if err != nil {
		panic(err)
	}
	return x
}
