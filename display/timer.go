//go:build cgo

package display

import (
	"time"

	"github.com/go-gl/gl/v3.3-core/gl"
)

// drawTimer measures how long pictures take to draw on a graphics card: the time of the processor to describe a picture, and
// that of the card to draw it. Waiting for the screen does not count. The time of a picture is known only when the card has
// finished it, one or two pictures later. It tells too little if a program draws in place of a card.
type drawTimer struct {
	queries     [4]uint32
	described   [4]time.Duration // by the processor, for each query
	started     time.Time
	begun, read int // number of pictures that were begun, and of those whose time was read
	running     bool
	available   uint32 // result of OpenGL, here because the pointer would move a local variable to the heap
	drawn       uint64 // likewise [ns]
}

// begin starts to measure a picture. It is not measured if too many pictures are unfinished.
func (t *drawTimer) begin() {
	if t.queries[0] == 0 {
		gl.GenQueries(int32(len(t.queries)), &t.queries[0])
	}
	if t.running = t.begun-t.read < len(t.queries); t.running {
		t.started = time.Now()
		gl.BeginQuery(gl.TIME_ELAPSED, t.queries[t.begun%len(t.queries)])
	}
}

// end ends what begin started.
func (t *drawTimer) end() {
	if !t.running {
		return
	}
	gl.EndQuery(gl.TIME_ELAPSED)
	t.described[t.begun%len(t.queries)] = time.Since(t.started)
	t.begun++
}

// next returns how long the oldest picture took whose time was not read yet, and false if there is none that is finished.
func (t *drawTimer) next() (time.Duration, bool) {
	if t.read == t.begun {
		return 0, false
	}
	at := t.read % len(t.queries)
	gl.GetQueryObjectuiv(t.queries[at], gl.QUERY_RESULT_AVAILABLE, &t.available)
	if t.available == gl.FALSE {
		return 0, false
	}
	gl.GetQueryObjectui64v(t.queries[at], gl.QUERY_RESULT, &t.drawn)
	t.read++
	return t.described[at] + time.Duration(t.drawn), true
}
