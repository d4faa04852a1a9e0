//go:build amd64 && !amd64.v3

package telemetry_test

import (
	"crypto/sha256"
	"fmt"
	"testing"

	"rig.example/rig/internal/connect/telemetry"
	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/files/replay/replaytest"
)

// What every format says of a drive, byte by byte.
func TestGoldenPackets(t *testing.T) {
	scene := instruments(t).Scene
	hash := sha256.New()
	for number, f := range replaytest.Frames(t) {
		s := &telemetry.Sample{Frame: f, Scene: scene, AngularAcceleration: [3]float64{0.1 * float64(number%7), -0.25, 1e-7}}
		for _, format := range everyFormat {
			hash.Write(telemetry.Append(nil, format.name, s))
		}
	}
	hash.Write(telemetry.Append(nil, "json", &telemetry.Sample{Frame: &frame.Frame{}, Scene: &frame.Scene{}}))
	if got, want := fmt.Sprintf("%x", hash.Sum(nil)), "761598cffb8dbf66daa9a85e3222417b9609467aab0c14a4be26ae583ecb244f"; got != want {
		t.Errorf("hash %s, want %s", got, want)
	}
}
