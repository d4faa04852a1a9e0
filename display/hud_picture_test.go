//go:build cgo

package display

import (
	"image"
	"testing"

	"github.com/go-gl/glfw/v3.3/glfw"

	"rig.example/rig/display/displaytest"
	"rig.example/rig/display/hud"
	"rig.example/rig/test/x11"
)

// The configured page is open at the start, on its side and in its size, and the map has the circuit of the scene.
func TestPictureOfThePageAtTheStart(t *testing.T) {
	x := x11.Start(t)
	page := testPage(t, displaytest.OvalFrame(30))
	img := shoot(t, x, "map", childJob{files: page.Files(), Setup: Setup{Page: "map"}})
	checkRegions(t, img, []region{
		{"lower straight", image.Rect(970, 288, 1060, 298), isLight, 0.3, 0.8},
		{"car on it, 30 m after the middle", image.Rect(1078, 282, 1110, 302), isRed, 0.1, 0.6},
		{"car nowhere else", image.Rect(960, 160, 1200, 180), isRed, 0, 0},
	})
	img = shoot(t, x, "map-left", childJob{files: page.Files(), Setup: Setup{Page: "map", PagesLeft: true, HUDScale: 0.8}})
	checkRegions(t, img, []region{
		{"laps on the right", image.Rect(1005, 94, 1260, 190), isWhite, 0.01, 0.3},
		{"car on the map on the left", image.Rect(140, 220, 200, 250), isRed, 0.03, 0.6},
	})
}

func isLight(r, g, b int) bool { return r > 120 && abs(r-g) < 30 && abs(g-b) < 30 }

// Tab goes from page to page; the keys of pages show and hide them.
func TestKeysOfThePages(t *testing.T) {
	v := &viewer{}
	for _, tt := range []struct {
		key  glfw.Key
		want hud.Page
	}{{glfw.KeyTab, hud.MapPage}, {glfw.KeyTab, hud.TiresPage}, {glfw.KeyM, hud.MotionPage}, {glfw.KeyM, hud.DrivePage}, {glfw.KeyN, hud.ForcePage},
		{glfw.KeyF3, hud.PicturesPage}, {glfw.KeyTab, hud.DrivePage}} {
		if v.onKey(nil, tt.key, 0, glfw.Press, 0); v.page != tt.want {
			t.Errorf("key %v: page %s, want %s", tt.key, v.page, tt.want)
		}
	}
	for page, o := range map[hud.Page]Options{hud.DrivePage: {}, hud.ForcePage: {Force: true}, hud.MotionPage: {Motion: true}, hud.TiresPage: {Setup: Setup{Page: "tires"}}} {
		if got := o.firstPage(); got != page {
			t.Errorf("%+v begins with %s, want %s", o, got, page)
		}
	}
}
