package valid

import (
	"errors"
	"math"
	"reflect"
	"testing"
)

type base struct {
	Gain float64 `toml:"gain" range:"0..1"`
}

type motor struct {
	Rate float64 `toml:"rate_hz" range:"0 (off) or 20..500"`
}

type part struct {
	Mass float64 `toml:"mass_kg" range:"0.1.."`
}

func (p *part) Validate() error { return errors.Join(Struct(p), InRange("mass_kg", p.Mass, 0, 9)) }

type car struct {
	base
	Kind   string             `toml:"kind" oneof:",road,race"`
	Gears  []float64          `toml:"gears" range:"0.2..20" count:"1..3"`
	Head   [2]int             `toml:"head" range:"-5..5"`
	Grip   map[string]float64 `toml:"grip" range:"0..1"`
	Height *float64           `toml:"height_m" range:"..4"`
	Motor  motor              `toml:"motor"`
	Parts  []part             `toml:"part"`
	Spare  float64            `toml:"spare" range:"1..2" valid:"-"`
	Rays   int                `toml:"rays" range:"3 or 5 or 7"`
	secret float64
}

// Validate must not be called by Struct for the value itself.
func (c car) Validate() error { panic("called") }

func TestStruct(t *testing.T) {
	high := 5.0
	good := car{Kind: "road", Gears: []float64{3}, Rays: 5, Parts: []part{{1}}, Motor: motor{50}}
	bad := car{
		base: base{math.NaN()}, Kind: "raod", Gears: []float64{3, 0}, Head: [2]int{0, -9}, Grip: map[string]float64{"b": 2, "a": math.Inf(1)},
		Height: &high, Motor: motor{3}, Parts: []part{{1}, {0.01}, {math.Inf(1)}}, Rays: 4, secret: 1,
	}
	for _, tt := range []struct {
		name string
		err  error
		want string
	}{
		{"good", Struct(good), ""},
		{"by pointer", Struct(&good), ""},
		{"off", Struct(motor{}), ""},
		{"every fault in order", Struct(bad), `gain = NaN: must be 0 to 1
kind = "raod": must be road or race
gears[1] = 0: must be 0.2 to 20
head[1] = -9: must be -5 to 5
grip.a = +Inf: must be 0 to 1
grip.b = 2: must be 0 to 1
height_m = 5: must be at most 4
motor.rate_hz = 3: must be 0 (off) or 20 to 500
part[1].mass_kg = 0.01: must be at least 0.1
part[2].mass_kg = +Inf: must be at least 0.1
part[2].mass_kg = +Inf: must be 0 to 9
rays = 4: must be 3, 5 or 7`},
		{"too few", Struct(car{Rays: 3}), "gears has 0 entries: must be 1 to 3"},
		{"one of the skipped", Fields(good, "spare"), "spare = 0: must be 1 to 2"},
		{"narrower by another value", AtLeast(car{Spare: 1.2}, "spare", 1.5), "spare = 1.2: must be 1.5 to 2"},
		{"the tag's own limit", AtMost(car{Spare: 3}, "spare", 9), "spare = 3: must be 1 to 2"},
		{"only some alternatives", Between(&bad, "rays", 4, 6), "rays = 4: must be 5"},
		{"no alternative", AtLeast(bad, "rays", 8), "rays = 4: must be 8 to 7"},
		{"the other value is NaN", AtLeast(car{Spare: 1.2}, "spare", math.NaN()), "spare = 1.2: must be NaN to 2"},
		{"each of a list", AtMost(car{Gears: []float64{3, 5}}, "gears", 4), "gears[1] = 5: must be 0.2 to 4"},
		{"in an embedded struct", AtMost(car{base: base{0.7}}, "gain", 0.5), "gain = 0.7: must be 0 to 0.5"},
		{"a table", Fields(bad, "motor", "rays"), "motor.rate_hz = 3: must be 0 (off) or 20 to 500\nrays = 4: must be 3, 5 or 7"},
	} {
		got := ""
		if tt.err != nil {
			got = tt.err.Error()
		}
		if got != tt.want {
			t.Errorf("%s: got\n%s\nwant\n%s", tt.name, got, tt.want)
		}
	}
}

func TestRangeTags(t *testing.T) {
	for tag, want := range map[string]Range{
		"0..25":              {{Low: 0, High: 25}},
		"0 (off) or 0.1..5":  {{Low: 0, High: 0, Meaning: "off"}, {Low: 0.1, High: 5}},
		"-1e9..":             {{Low: -1e9, High: math.Inf(1)}},
		"0 (the tire's own)": {{Meaning: "the tire's own"}},
		"":                   nil, "a..b": nil, "5..1": nil, "..": nil, "1 or": nil, "NaN..1": nil,
	} {
		if got, err := ParseRange(tag); !reflect.DeepEqual(got, want) || (err == nil) != (want != nil) {
			t.Errorf("%q: %v, %v, want %v", tag, got, err, want)
		}
	}
}

func TestMistakesOfAProgrammerPanic(t *testing.T) {
	for name, call := range map[string]func(){
		"a malformed range": func() {
			Struct(struct {
				A float64 `toml:"a" range:"x"`
			}{})
		},
		"a range of a text": func() {
			Struct(struct {
				A bool `toml:"a" range:"0..1"`
			}{})
		},
		"a key that is not there":   func() { Fields(motor{}, "rate") },
		"a key that is not limited": func() { AtLeast(motor{}, "rate", 1) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			call()
		}()
	}
}
