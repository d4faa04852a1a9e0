//go:build amd64 && !amd64.v3

package dash_test

import (
	"crypto/sha256"
	"fmt"
	"testing"

	"rig.example/rig/internal/connect/dash"
	"rig.example/rig/internal/files/replay/replaytest"
	"rig.example/rig/internal/tools/watch"
)

// What the page and scripts get of a drive, byte by byte.
func TestGoldenStates(t *testing.T) {
	states, metrics := sha256.New(), sha256.New()
	scene, at := dash.Scripts(watch.Names([]string{"front left", "front right", "rear left", "rear right", "heave", "slide"}))
	states.Write(scene)
	for number, f := range replaytest.Frames(t) {
		state, text := at(number, f)
		states.Write(state)
		metrics.Write(text)
	}
	for _, got := range []struct{ what, hash, want string }{
		{"states", fmt.Sprintf("%x", states.Sum(nil)), "1a162884dbee3deb01c50291ccd1e0e89a606bb643d068edb406615f392a373e"},
		{"metrics", fmt.Sprintf("%x", metrics.Sum(nil)), "e4ad513bdfd9252b7db600c7aa248e67ebb51290bec290b0300917aaf1aa52d1"},
	} {
		if got.hash != got.want {
			t.Errorf("%s: hash %s, want %s", got.what, got.hash, got.want)
		}
	}
}
