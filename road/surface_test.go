package road

import (
	"math"
	"slices"
	"strings"
	"testing"

	"rig.example/rig/sim/tire"
	"rig.example/rig/test/near"
)

func TestBuiltInSurfaces(t *testing.T) {
	names := SurfaceNames()
	if !slices.IsSorted(names) {
		t.Errorf("%q are not in order", names)
	}
	for _, name := range []string{"tarmac", "concrete", "damp", "wet", "paint", "wet-paint", "kerb", "rumble", "cobbles",
		"gravel", "sand", "earth", "grass", "wet-grass", "snow", "ice"} {
		if !slices.Contains(names, name) {
			t.Errorf("no %s", name)
		}
	}
	for _, name := range names {
		s := named(t, name)
		if err := s.Validate(); err != nil || s.Name != name {
			t.Errorf("%s is called %s: %v", name, s.Name, err)
		}
		if want := slices.Contains([]string{"wet", "wet-paint", "wet-cobbles", "wet-grass"}, name); s.Wet != want {
			t.Errorf("water stands on %s: %v", name, s.Wet)
		}
	}
	if s := named(t, "tarmac"); s.Tire != tire.Dry() || s.Roughness != (Roughness{'A', 1}) || s.Profile != (Profile{}) || s.ModelGrip != nil {
		t.Errorf("tarmac is %+v", s)
	}
	near.Value(t, "wet paint: 0.7 of wet asphalt, three quarters of it", named(t, "wet-paint").Tire.Grip, 0.525, 1e-12)
}

// IEC 61966-2-1: 0.5 on screens is 0.21404 of the light.
func TestColoursAreLight(t *testing.T) {
	c := linearRGB(0x008000 | 0xff0000 | 0x05)
	near.Value(t, "red", c[0], 1, 1e-12)
	near.Value(t, "green, 128/255", c[1], 0.215860500113899, 1e-9)
	near.Value(t, "blue, 5/255", c[2], 5/255.0/12.92, 1e-12)
}

func given(v float64) *float64 { return &v }

func TestSurfaceParams(t *testing.T) {
	got, err := SurfaceParams{
		Base: "wet", Grip: given(0.6), ModelGrip: map[string]float64{"brush": 0.9}, Roughness: "B", RoughnessFactor: given(1.2),
		Profile: "rumble", Height: given(8), Pitch: given(0.25), Colour: "#ff0000", Sound: "gravel",
	}.Surface("puddle")
	if err != nil {
		t.Fatal(err)
	}
	wet := named(t, "wet")
	if got.Name != "puddle" || got.Tire != (tire.Surface{Grip: 0.6, Stiffness: wet.Tire.Stiffness, Rolling: wet.Tire.Rolling}) {
		t.Errorf("%+v", got)
	}
	if got.ModelGrip["brush"] != 0.9 || got.Roughness != (Roughness{'B', 1.2}) || got.Profile != (Profile{Kind: "rumble", Height: 0.008, Pitch: 0.25}) {
		t.Errorf("%+v", got)
	}
	if got.Colour != [3]float64{1, 0, 0} || got.Sound != "gravel" || got.Texture != wet.Texture || !got.Wet {
		t.Errorf("%+v", got)
	}
}

func TestNothingGivenIsTarmac(t *testing.T) {
	got, err := SurfaceParams{}.Surface("road")
	want := named(t, "tarmac")
	if err != nil || got.Tire != want.Tire || got.Roughness != want.Roughness || got.Colour != want.Colour || got.Sound != want.Sound {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestAPatternIsTakenFromTheBaseAndTakenAway(t *testing.T) {
	higher, err := SurfaceParams{Base: "kerb", Height: given(30)}.Surface("high")
	if err != nil || higher.Profile != (Profile{"kerb", 0.03, 0.5, 0.4, 0}) {
		t.Errorf("%+v, %v", higher.Profile, err)
	}
	level, err := SurfaceParams{Base: "kerb", Profile: "none", Roughness: "even"}.Surface("level")
	if err != nil || level.Profile != (Profile{}) || level.Roughness != (Roughness{}) {
		t.Errorf("%+v, %v", level, err)
	}
}

func TestBadSurfacesSayWhy(t *testing.T) {
	for _, tt := range []struct {
		name string
		p    SurfaceParams
		want string
	}{
		{"unknown base", SurfaceParams{Base: "mud"}, `road: surface.x.base = "mud": must be cobbles, `},
		{"grip", SurfaceParams{Grip: given(-1)}, "road: surface.x.grip = -1: must be 0.01 to 3"},
		{"stiffness", SurfaceParams{Stiffness: given(9)}, "stiffness = 9"},
		{"rolling", SurfaceParams{Rolling: given(math.NaN())}, "rolling = NaN"},
		{"a model's grip", SurfaceParams{ModelGrip: map[string]float64{"brush": 0}}, "road: surface.x.model_grip.brush = 0"},
		{"class", SurfaceParams{Roughness: "F"}, `roughness = "F": must be A, B`},
		{"share", SurfaceParams{RoughnessFactor: given(5)}, "roughness_share = 5"},
		{"profile", SurfaceParams{Profile: "holes"}, `profile = "holes"`},
		{"colour", SurfaceParams{Colour: "red"}, `colour = "red"`},
		{"long colour", SurfaceParams{Colour: "#1122334"}, "#rrggbb"},
		{"sound", SurfaceParams{Sound: "music"}, `sound = "music": must be asphalt, `},
		{"texture", SurfaceParams{TextureAmplitude: given(2)}, "texture = 2"},
		{"waves", SurfaceParams{TexturePitch: given(-1)}, "texture_per_m = -1"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := tt.p.Surface("x")
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want %q", err, tt.want)
			}
		})
	}
	_, err := SurfaceParams{Grip: given(-1), Sound: "music"}.Surface("x")
	if err == nil || strings.Count(err.Error(), "surface.x.") != 2 {
		t.Errorf("not every fault is told: %v", err)
	}
}

func FuzzSurfaceParams(f *testing.F) {
	f.Add("tarmac", "#556677", "B", "kerb", 20.0, 0.5)
	f.Add("", "#", "AA", "none", math.NaN(), -1.0)
	f.Fuzz(func(t *testing.T, base, colour, class, profile string, height, pitch float64) {
		s, err := SurfaceParams{Base: base, Colour: colour, Roughness: class, Profile: profile, Height: &height, Pitch: &pitch}.Surface("f")
		if err == nil && s.Validate() != nil {
			t.Fatalf("%+v", s)
		}
	})
}
