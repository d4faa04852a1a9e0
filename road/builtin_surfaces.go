package road

import "rig.example/rig/sim/tire"

// builtinSurface is one entry of the table of built-in surfaces.
type builtinSurface struct {
	name             string
	tireSurface      string  // name in sim/tire
	grip             float64 // factor on the grip of that tire surface
	roughnessClass   byte    // of ISO 8608
	colour           uint32  // sRGB, 0xRRGGBB
	sound            string
	textureAmplitude float64 // 0..1
	texturePitch     float64 // [1/m]
	profile          Profile
}

// builtinSurfaces is the table of built-in surfaces. Grip, stiffness and rolling resistance are
// those of the tire's surfaces, which name their sources.
//
// Road markings have less grip than the road: EN 1436 requires a skid resistance (SRT) of 45 or more
// under water in class S1, and we assume 60 for asphalt in use, so wet paint has three quarters of the
// grip of wet asphalt. Nine tenths for dry paint is our estimate. The stones of kerbs and rumble strips
// are concrete.
//
// ISO 8608 assigns roughness classes to measured roads, not to materials. The classes here are our
// choice: A to C for paved or rolled surfaces, D for others. The cuts of a rumble strip are 13 mm deep
// and 180 mm long, as NCHRP Report 500, volume 6, gives for milled ones, and 300 mm apart. Kerbs and
// blocks are estimates of common ones. Colours, sounds and textures are hints for display and sound.
var builtinSurfaces = [...]builtinSurface{
	{"tarmac", "dry", 1, 'A', 0x3c3d40, "asphalt", 0.05, 60, Profile{}},
	{"concrete", "concrete", 1, 'B', 0x9a9a92, "concrete", 0.08, 40, Profile{}},
	{"damp", "damp", 1, 'A', 0x323338, "asphalt", 0.05, 60, Profile{}},
	{"wet", "wet", 1, 'A', 0x26282e, "asphalt", 0.04, 60, Profile{}},
	{"paint", "dry", 0.9, 'A', 0xe6e6e0, "asphalt", 0.02, 60, Profile{}},
	{"wet-paint", "wet", 0.75, 'A', 0xc8c8c8, "asphalt", 0.02, 60, Profile{}},
	{"kerb", "concrete", 1, 'A', 0xb8322a, "kerb", 0.5, 2, Profile{Kind: "kerb", Height: 0.02, Pitch: 0.5, Length: 0.4}},
	{"rumble", "concrete", 1, 'A', 0x8c8c84, "kerb", 0.8, 1 / 0.3, Profile{Kind: "milled", Height: 0.013, Pitch: 0.3, Length: 0.18}},
	{"cobbles", "cobbles", 1, 'B', 0x6a6460, "cobbles", 0.6, 7, Profile{Kind: "blocks", Height: 0.02, Pitch: 0.2, Length: 0.03, Width: 0.14}},
	{"wet-cobbles", "wet-cobbles", 1, 'B', 0x46423f, "cobbles", 0.6, 7, Profile{Kind: "blocks", Height: 0.02, Pitch: 0.2, Length: 0.03, Width: 0.14}},
	{"gravel", "gravel", 1, 'D', 0x9c8f78, "gravel", 0.4, 25, Profile{}},
	{"sand", "sand", 1, 'C', 0xc8b48a, "sand", 0.15, 15, Profile{}},
	{"earth", "earth", 1, 'D', 0x6b5138, "earth", 0.3, 10, Profile{}},
	{"grass", "grass", 1, 'D', 0x4c7a34, "grass", 0.3, 8, Profile{}},
	{"wet-grass", "wet-grass", 1, 'D', 0x3b642c, "grass", 0.25, 8, Profile{}},
	{"snow", "snow", 1, 'C', 0xf0f4f8, "snow", 0.15, 12, Profile{}},
	{"ice", "ice", 1, 'A', 0xc4dce8, "ice", 0.02, 30, Profile{}},
}

// surface returns the Surface that the table entry describes.
func (p *builtinSurface) surface() Surface {
	tireSurface, err := tire.SurfaceNamed(p.tireSurface)
	if err != nil {
		panic(err) // the table above is wrong
	}
	tireSurface.Grip *= p.grip
	return Surface{
		Name: p.name, Tire: tireSurface, Roughness: Roughness{Class: p.roughnessClass, HeightFactor: 1}, Profile: p.profile,
		Colour: linearRGB(p.colour), Sound: p.sound, Texture: Texture{p.textureAmplitude, p.texturePitch},
		Wet: tire.IsWet(p.tireSurface),
	}
}

// linearRGB returns an sRGB colour (IEC 61966-2-1) as linear red, green and blue, 0..1.
func linearRGB(rgb uint32) (c [3]float64) {
	for i := range c {
		v := float64(rgb>>(16-8*i)&0xff) / 255
		if v <= 0.04045 {
			c[i] = v / 12.92
			continue
		}
		v = (v + 0.055) / 1.055
		root5 := fifthRoot(v)
		c[i] = v * v * root5 * root5 // to the power of 2.4
	}
	return c
}

// fifthRoot returns the fifth root of v in 0.05..1 by Newton's method. It does not use math.Pow, whose result
// depends on the processor.
func fifthRoot(v float64) float64 {
	r := 1.0
	for range 12 {
		r += (v/(r*r*r*r) - r) / 5
	}
	return r
}
