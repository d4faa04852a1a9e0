package dash

import (
	"bytes"
	"time"

	"rig.example/rig/internal/core/frame"
)

// Scripts returns what a server answers to scripts: what stays, then for a frame at a time the state with a sample, and the
// metrics. It is for tests that need a whole drive, which imports this package.
func Scripts(actuators frame.Names) (scene []byte, at func(number uint64, f *frame.Frame) (state, metrics []byte)) {
	s := newTestServer(nil)
	s.options.Scene.Names = actuators
	s.hub = newHub(s.source, s.options.Scene)
	return s.hub.scene, func(number uint64, f *frame.Frame) (state, metrics []byte) {
		s.source.change(func(to *fakeSource) { to.seq, to.frame = number+1, *f })
		now := time.Duration(number) * time.Millisecond
		s.hub.sample(now)
		var text bytes.Buffer
		s.writeMetrics(&text)
		return encodeFrame(s.hub.encodeState(), []sample{sampleOf(f, now)}), text.Bytes()
	}
}
