package display

import "testing"

// Trackside cameras are for replays only.
func TestTheCameraKeyGoesThroughAllCameras(t *testing.T) {
	for isReplay, want := range map[bool][]string{false: {Bonnet, Chase, Cockpit}, true: {Bonnet, Chase, Trackside, Cockpit}} {
		camera := Cockpit
		for _, next := range want {
			if camera = nextCamera(camera, isReplay); camera != next {
				t.Errorf("replay %t: %s, want %s", isReplay, camera, next)
			}
		}
	}
}
