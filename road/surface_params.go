package road

import (
	"errors"
	"fmt"
	"maps"
	"strconv"
	"strings"

	"rig.example/rig/internal/kit/valid"
)

// SurfaceParams describe a surface by its differences from a built-in one. Values that are
// nil or empty are those of the built-in surface.
type SurfaceParams struct {
	// name of the built-in surface that this one is based on; empty means `tarmac`
	Base string `toml:"base"`
	// peak friction relative to dry asphalt, not to the base
	Grip *float64 `toml:"grip" range:"0.01..3"`
	// slip stiffness relative to asphalt
	Stiffness *float64 `toml:"stiffness" range:"0.05..3"`
	// rolling resistance relative to asphalt
	Rolling *float64 `toml:"rolling" range:"0..50"`
	// additional factor on grip for single tire models: by the `model` with which a car selects its tire, or
	// by the format of a tire file (`"MF 5.2"`, `"MF 6.1"`, `"MF 6.2"`). Models that are not listed have the
	// factor 1
	ModelGrip map[string]float64 `toml:"model_grip" range:"0.05..5"`

	// roughness class of ISO 8608, A to E, or `even` for a smooth surface
	Roughness string `toml:"roughness" oneof:",A,B,C,D,E,even" valid:"-"`
	// factor on the heights of the roughness; 0.71 to 1.41 stays within the class
	RoughnessFactor *float64 `toml:"roughness_share" range:"0..4"`

	// pattern of heights that repeats along the road, see [patterns](../grounds.md#patterns)
	Profile string `toml:"profile" oneof:",none,kerb,rumble,milled,blocks,bumps" valid:"-"`
	// height of the profile; no flank may be steeper than 45°
	Height *float64 `toml:"height_mm" range:"0..300" valid:"-"`
	// distance after which the profile repeats, along the road
	Pitch *float64 `toml:"pitch_m" range:"0.02..1000" valid:"-"`
	// length of the rise of a kerb's tooth, of a milled cut or of a bump, or of the rounded edge of a block
	Length *float64 `toml:"length_m" range:"0.002..1000" valid:"-"`
	// width of a block across the road
	Width *float64 `toml:"block_width_m" range:"0.02..10" valid:"-"`
	// colour as `"#rrggbb"`: two hexadecimal digits each for red, green and blue
	Colour string `toml:"colour"`
	// rolling sound, a hint for sound programs: `"asphalt"`, `"concrete"`, `"kerb"`, `"cobbles"`, `"gravel"`,
	// `"sand"`, `"earth"`, `"grass"`, `"snow"` or `"ice"`
	Sound string `toml:"sound"`
	// strength of a profile's vibration in the rim, for `wheel.vibration`; without a profile only a hint
	TextureAmplitude *float64 `toml:"texture" range:"0..1"`
	// waves of this vibration per metre
	TexturePitch *float64 `toml:"texture_per_m" range:"0..1000"`
}

// Sounds lists the rolling sounds of surfaces.
func Sounds() []string {
	return []string{"asphalt", "concrete", "kerb", "cobbles", "gravel", "sand", "earth", "grass", "snow", "ice"}
}

// Surface returns the surface that p describes, with a name, or an error with every value that is out of
// range.
func (p SurfaceParams) Surface(name string) (Surface, error) {
	base := p.Base
	if base == "" {
		base = "tarmac"
	}
	s, err := SurfaceNamed(base)
	if err != nil {
		return s, valid.WithPrefix("road: surface."+name, valid.OneOf("base", p.Base, SurfaceNames()...))
	}
	s.Name = name
	if err := errors.Join(p.apply(&s), s.Validate()); err != nil {
		return Surface{}, valid.WithPrefix("road: surface."+name, err)
	}
	return s, nil
}

// apply replaces values of s by those given in p.
func (p SurfaceParams) apply(s *Surface) error {
	setScaled(&s.Tire.Grip, p.Grip, 1)
	setScaled(&s.Tire.Stiffness, p.Stiffness, 1)
	setScaled(&s.Tire.Rolling, p.Rolling, 1)
	setScaled(&s.Texture.Amplitude, p.TextureAmplitude, 1)
	setScaled(&s.Texture.Pitch, p.TexturePitch, 1)
	if p.ModelGrip != nil {
		s.ModelGrip = maps.Clone(p.ModelGrip)
	}
	if p.Sound != "" {
		s.Sound = p.Sound
	}
	p.applyProfile(&s.Profile)
	return errors.Join(p.applyRoughness(&s.Roughness), p.applyColour(s))
}

// setScaled sets *to to *from times unit. It does nothing if from is nil.
func setScaled(to, from *float64, unit float64) {
	if from != nil {
		*to = *from * unit
	}
}

// applyProfile applies the values of a profile. A new kind of pattern starts with its default dimensions.
func (p SurfaceParams) applyProfile(to *Profile) {
	if p.Profile != "" && p.Profile != to.kind() {
		*to = defaultProfile(p.Profile)
	}
	setScaled(&to.Height, p.Height, 1e-3)
	setScaled(&to.Pitch, p.Pitch, 1)
	setScaled(&to.Length, p.Length, 1)
	setScaled(&to.Width, p.Width, 1)
}

// applyRoughness applies the class and the factor of the roughness.
func (p SurfaceParams) applyRoughness(to *Roughness) error {
	if err := valid.Fields(p, "roughness"); err != nil {
		return err
	}
	switch p.Roughness {
	case "":
	case "even":
		*to = Roughness{}
	default:
		*to = Roughness{Class: p.Roughness[0], HeightFactor: 1}
	}
	if p.RoughnessFactor != nil {
		to.HeightFactor = *p.RoughnessFactor
	}
	return nil
}

// applyColour sets the colour of s if p has one.
func (p SurfaceParams) applyColour(s *Surface) error {
	if p.Colour == "" {
		return nil
	}
	hex, ok := strings.CutPrefix(p.Colour, "#")
	rgb, err := strconv.ParseUint(hex, 16, 32)
	if !ok || err != nil || len(hex) != 6 {
		return fmt.Errorf("colour = %q: must be \"#rrggbb\", two hexadecimal digits each for red, green and blue",
			p.Colour)
	}
	s.Colour = linearRGB(uint32(rgb))
	return nil
}

// Validate reports every value that is out of range.
func (s Surface) Validate() error {
	errs := []error{
		valid.Struct(SurfaceParams{
			Grip: &s.Tire.Grip, Stiffness: &s.Tire.Stiffness, Rolling: &s.Tire.Rolling, ModelGrip: s.ModelGrip,
			RoughnessFactor:  &s.Roughness.HeightFactor,
			TextureAmplitude: &s.Texture.Amplitude, TexturePitch: &s.Texture.Pitch,
		}),
		s.Roughness.Validate(),
		s.Profile.Validate(),
	}
	for i, name := range [3]string{"red", "green", "blue"} {
		errs = append(errs, valid.InRange("colour's "+name, s.Colour[i], 0, 1))
	}
	if s.Sound != "" {
		errs = append(errs, valid.OneOf("sound", s.Sound, Sounds()...))
	}
	return errors.Join(errs...)
}
