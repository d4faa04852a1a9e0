package display

import "time"

// When autoQuality changes the quality. The next higher quality takes at most 1.5 times as long to draw, so that a picture
// with much room is not late after a step up.
const (
	muchRoom   = 0.55             // share of the refresh interval below which drawing leaves much room
	lateFor    = time.Second      // pictures are late for this long, less the time for which they are not, before a step down
	roomFor    = 10 * time.Second // there is much room for this long without interruption before a step up
	roomAtMost = 10 * time.Minute // roomFor is doubled up to here while steps up turn out to be wrong
	settling   = time.Second / 4  // pictures after a step are not judged, because they build what is new
)

// autoQuality chooses the quality by how long pictures take to draw. It has no clock: a picture lasts for its drawing
// time, or for the refresh interval if that is longer.
type autoQuality struct {
	level int // index in details

	late   time.Duration // for how long pictures were late, less the time for which they were not
	room   time.Duration // for how long there has been much room
	wait   time.Duration // room that a step up needs
	since  time.Duration // time since the last step
	raised bool          // the last step was up
}

// newAutoQuality returns a controller that starts at a quality.
func newAutoQuality(level int) *autoQuality { return &autoQuality{level: level, wait: roomFor} }

// next takes how long the newest picture took to draw, and the interval in which pictures are due. It returns the quality
// for the next picture, an index in details.
func (a *autoQuality) next(drawing, interval time.Duration) int {
	lasted := max(drawing, interval)
	a.since += lasted
	if a.since < settling {
		return a.level
	}
	if a.raised && a.since > 3*a.wait { // the last step up was right
		a.raised, a.wait = false, roomFor
	}
	if drawing > interval {
		a.late += lasted
	} else {
		a.late = max(a.late-lasted, 0)
	}
	if a.room += lasted; float64(drawing) > muchRoom*float64(interval) {
		a.room = 0
	}
	switch {
	case a.late >= lateFor && a.level > 0:
		if a.raised {
			a.wait = min(2*a.wait, roomAtMost)
		}
		a.step(-1)
	case a.room >= a.wait && a.level < len(details)-1:
		a.step(1)
	}
	return a.level
}

// step changes the quality by one level.
func (a *autoQuality) step(by int) {
	a.level += by
	a.late, a.room, a.since, a.raised = 0, 0, 0, by > 0
}
