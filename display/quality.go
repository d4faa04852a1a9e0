package display

import (
	"fmt"
	"slices"
	"strings"

	"rig.example/rig/display/scene"
)

// Qualities of Options.Quality.
const (
	Auto   = "auto"   // as high as the refresh rate allows
	Low    = "low"    // for weak machines
	Medium = "medium" // for programs that draw in place of a graphics card
	High   = "high"   // for a graphics card
)

// detail is what a quality means.
type detail struct {
	name       string
	samples    int          // samples for each pixel of the window, on a graphics card
	noise      int          // texture look-ups for each pixel of the ground: 0 none, 1 fine noise, 2 also broad noise
	pixelLight bool         // light and reflections are computed for each pixel, not for each vertex
	mirrorStep int          // pictures from one that has a new mirror to the next; 0: each has all, and finer
	sunShadow  bool         // the car casts a shadow in its shape
	streaks    int          // of heavy rain
	puffs      int          // of spray behind each wheel
	distances  scene.Detail // how far parts of the scene are drawn
}

// details holds all qualities, the lowest first.
var details = [...]detail{
	{Low, 0, 0, false, 2, false, 300, 6, scene.Detail{Road: 60, Trees: 250, Terrain: 15}},
	{Medium, 4, 1, false, 1, false, 900, 14, scene.Detail{Road: 100, Trees: 420, Terrain: 25}},
	{High, 4, 2, true, 0, true, 2000, 36, scene.FullDetail},
}

// shaderHeader returns the beginning of the scene's shaders: the version of their language, and what they depend on of the
// quality.
func (d *detail) shaderHeader() string {
	light := 0
	if d.pixelLight {
		light = 1
	}
	return fmt.Sprintf("#version 330 core\n#define NOISE %d\n#define PIXEL_LIGHT %d\n", d.noise, light)
}

// detailIndex returns the index in details of a quality; for Auto that of the quality to start with.
func detailIndex(quality string, software bool) int {
	if quality == Auto {
		quality = High
		if software {
			quality = Medium
		}
	}
	return slices.IndexFunc(details[:], func(d detail) bool { return d.name == quality })
}

// checkQuality returns an error unless name is Auto or in details.
func checkQuality(name string) error {
	if detailIndex(name, false) < 0 {
		return fmt.Errorf("quality %q: must be %q, %q, %q or %q", name, Auto, Low, Medium, High)
	}
	return nil
}

// IsSoftware reports whether the named OpenGL renderer draws on the processor, where antialiasing is
// too slow.
func IsSoftware(renderer string) bool {
	return strings.Contains(renderer, "llvmpipe") || strings.Contains(renderer, "softpipe")
}
