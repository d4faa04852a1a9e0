//go:build amd64 && !amd64.v3

package watch

import (
	"crypto/sha256"
	"fmt"
	"hash"
	"io"
	"strings"
	"testing"

	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/files/replay/replaytest"
)

// What scripts and terminals get of a drive, byte by byte.
func TestGoldenViews(t *testing.T) {
	force, motion, board := Force{}, Motion{Names: []string{"front left", "front right", ""}}, Board{Trends: true}
	objects, texts := sha256.New(), sha256.New()
	show := func(f *frame.Frame) {
		force.Add(f)
		status := strings.Replace(string(Status(f, nil)), `,"session":null`, "", 1)
		for _, v := range []string{status, string(force.Describe(f)), string(motion.Describe(f))} {
			io.WriteString(objects, v)
		}
		lines := append(append(force.Lines(f, 100), motion.Lines(f)...), StatusLine(f), force.Line(f), motion.Line(f), (&Laps{Limit: 2, Length: 371}).Line(f))
		for _, l := range board.Lines(f, Words{}, 120, 60) {
			lines = append(lines, l.Text)
		}
		io.WriteString(texts, strings.Join(lines, "\n"))
	}
	show(&frame.Frame{})
	for _, f := range replaytest.Frames(t) {
		show(f)
	}
	for _, got := range []struct {
		what string
		hash hash.Hash
		want string
	}{
		{"objects", objects, "03c1c48392744aee78b48f64ada92117c7750b66e5ca1b7908b2ee91830d0727"},
		{"texts", texts, "275225ee27ec7aa4ff815fa4160a41b6a651228b01e7c38b28b8c8b1ba36731d"},
	} {
		if sum := fmt.Sprintf("%x", got.hash.Sum(nil)); sum != got.want {
			t.Errorf("%s: hash %s, want %s", got.what, sum, got.want)
		}
	}
}
