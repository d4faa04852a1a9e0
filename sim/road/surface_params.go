package road

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"rig.example/rig/internal/valid"
)

// SurfaceParams describe a surface by what it changes of a built-in one. What is
// nil or empty is as it is there.
type SurfaceParams struct {
	Base      string             `toml:"base"`       // a built-in surface; tarmac where it is empty
	Grip      *float64           `toml:"grip"`       // friction over that of dry asphalt
	Stiffness *float64           `toml:"stiffness"`  // slip stiffness over that of asphalt
	Rolling   *float64           `toml:"rolling"`    // rolling resistance over that of asphalt
	ModelGrip map[string]float64 `toml:"model_grip"` // factor on grip for tire models, by name

	Roughness string   `toml:"roughness"`       // class of ISO 8608, A to E, or even
	Share     *float64 `toml:"roughness_share"` // factor on heights; 0.71 to 1.41 stays in the class

	Profile string   `toml:"profile"`       // none, kerb, rumble, milled, blocks or bumps
	Height  *float64 `toml:"height_mm"`     // of the profile
	Pitch   *float64 `toml:"pitch_m"`       // of the profile, along the road
	Length  *float64 `toml:"length_m"`      // of one tooth's rise, cut or bump, or of a block's rounded edge
	Width   *float64 `toml:"block_width_m"` // of blocks, across the road
	Colour  string   `toml:"colour"`        // "#rrggbb"
	Sound   string   `toml:"sound"`         // a hint
	Feel    *float64 `toml:"texture"`       // amplitude of the texture in the rim, 0..1
	Waves   *float64 `toml:"texture_per_m"` // waves of it for each metre
}

// Sounds lists the sounds that surfaces make.
func Sounds() []string {
	return []string{"asphalt", "concrete", "kerb", "cobbles", "gravel", "sand", "earth", "grass", "snow", "ice"}
}

// Surface returns the surface of that name that p describes, or every value that
// is out of range.
func (p SurfaceParams) Surface(name string) (Surface, error) {
	base := p.Base
	if base == "" {
		base = "tarmac"
	}
	s, err := SurfaceNamed(base)
	if err != nil {
		return s, fmt.Errorf("road: surface.%s: base %q is not known; choose %s", name, p.Base, strings.Join(SurfaceNames(), ", "))
	}
	s.Name = name
	if err := errors.Join(p.over(&s), s.Validate()); err != nil {
		return Surface{}, valid.Within("road: surface."+name, err)
	}
	return s, nil
}

// over puts what p gives in the place of what s has.
func (p SurfaceParams) over(s *Surface) error {
	give(&s.Tire.Grip, p.Grip, 1)
	give(&s.Tire.Stiffness, p.Stiffness, 1)
	give(&s.Tire.Rolling, p.Rolling, 1)
	give(&s.Texture.Amplitude, p.Feel, 1)
	give(&s.Texture.Pitch, p.Waves, 1)
	if p.ModelGrip != nil {
		s.Models = maps.Clone(p.ModelGrip)
	}
	if p.Sound != "" {
		s.Sound = p.Sound
	}
	p.shape(&s.Profile)
	return errors.Join(p.roughen(&s.Rough), p.tint(s))
}

// give sets to from a value in another unit, if there is one.
func give(to, from *float64, unit float64) {
	if from != nil {
		*to = *from * unit
	}
}

// shape begins with a usual pattern of the kind where that is a new one.
func (p SurfaceParams) shape(to *Profile) {
	if p.Profile != "" && p.Profile != to.kind() {
		*to = usualProfile(p.Profile)
	}
	give(&to.Height, p.Height, 1e-3)
	give(&to.Pitch, p.Pitch, 1)
	give(&to.Length, p.Length, 1)
	give(&to.Width, p.Width, 1)
}

func (p SurfaceParams) roughen(to *Roughness) error {
	switch {
	case p.Roughness == "even":
		*to = Roughness{}
	case len(p.Roughness) == 1 && p.Roughness >= "A" && p.Roughness <= "E":
		*to = Roughness{Class: p.Roughness[0], Share: 1}
	case p.Roughness != "":
		return fmt.Errorf("roughness = %q: choose A, B, C, D, E or even", p.Roughness)
	}
	if p.Share != nil {
		to.Share = *p.Share
	}
	return nil
}

func (p SurfaceParams) tint(s *Surface) error {
	if p.Colour == "" {
		return nil
	}
	hex, ok := strings.CutPrefix(p.Colour, "#")
	rgb, err := strconv.ParseUint(hex, 16, 32)
	if !ok || err != nil || len(hex) != 6 {
		return fmt.Errorf("colour = %q: give \"#rrggbb\", two hexadecimal digits each of red, green and blue", p.Colour)
	}
	s.Colour = linear(uint32(rgb))
	return nil
}

// Validate reports every value that is out of range.
func (s Surface) Validate() error {
	errs := []error{
		valid.InRange("grip", s.Tire.Grip, 0.01, 3),
		valid.InRange("stiffness", s.Tire.Stiffness, 0.05, 3),
		valid.InRange("rolling", s.Tire.Rolling, 0, 50),
		valid.InRange("texture", s.Texture.Amplitude, 0, 1),
		valid.InRange("texture_per_m", s.Texture.Pitch, 0, 1000),
		s.Rough.Validate(),
		s.Profile.Validate(),
	}
	for _, model := range slices.Sorted(maps.Keys(s.Models)) {
		errs = append(errs, valid.InRange("model_grip."+model, s.Models[model], 0.05, 5))
	}
	for i, name := range [3]string{"red", "green", "blue"} {
		errs = append(errs, valid.InRange("colour's "+name, s.Colour[i], 0, 1))
	}
	if s.Sound != "" && !slices.Contains(Sounds(), s.Sound) {
		errs = append(errs, fmt.Errorf("sound = %q: choose %s", s.Sound, strings.Join(Sounds(), ", ")))
	}
	return errors.Join(errs...)
}
