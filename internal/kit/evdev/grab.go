package evdev

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// ErrGrabbed is returned when another program has grabbed a device (EVIOCGRAB): its events reach no
// other program, so that its axes and buttons seem to stand still.
var ErrGrabbed = errors.New("another program has grabbed it")

// pollInterval is the time between two queries of the axes of a shared node, which detect a grab.
const pollInterval = 50 * time.Millisecond

// checkNotGrabbed returns ErrGrabbed if another program has grabbed the node. It tries to grab the node
// itself, with the descriptor that reads the events, so that no events are lost meanwhile.
func (n *Node) checkNotGrabbed() error {
	if err := n.grab(); err != nil {
		if errors.Is(err, ErrGrabbed) {
			return err
		}
		return nil // the node does not support grabs, or its reads will fail too
	}
	return n.ioctlValue(evIOCGrab, 0)
}

// grab keeps the device's events from all other programs until the node is closed. Forces are not
// affected.
func (n *Node) grab() error {
	err := n.ioctlValue(evIOCGrab, 1)
	if errors.Is(err, unix.EBUSY) {
		return grabbedError(n.path)
	}
	if err != nil {
		return fmt.Errorf("evdev: %s: grab: %w", n.path, err)
	}
	return nil
}

// grabbedError returns ErrGrabbed with the names of the programs that may have grabbed the node at
// path.
func grabbedError(path string) error {
	var names []string
	for _, p := range ProgramsUsing("", path) {
		names = append(names, p.String())
	}
	programs := strings.Join(names, ", ")
	if programs == "" {
		return fmt.Errorf("evdev: %s: %w; find it with `sudo fuser -v %s` and close it", path, ErrGrabbed, path)
	}
	return fmt.Errorf("evdev: %s: %w; close %s, which has it open", path, ErrGrabbed, programs)
}

// grabDetector detects that the axes of a device move although no event arrives. It is pure: all it knows
// are its arguments.
type grabDetector struct {
	hasState     bool            // lastAbs and lastEvents are valid
	lastAbs      [absCodes]int32 // at the last observation
	lastEvents   uint64          // events read before the last observation
	suspected    bool            // an axis moved between two observations
	eventsBefore uint64          // events read before the first of these two
	updatesAfter uint64          // updates done by the second
}

// maxUpdatesPerTick is the number of updates after which at least one whole tick has certainly passed, however
// many users a node has.
const maxUpdatesPerTick = 16

// observe takes the queried axes, the number of events that were read before the query, and the number
// of updates done since. It reports whether the device is grabbed: an axis moved between two
// observations, the loop has read on since, and not one event arrived.
func (q *grabDetector) observe(abs *[absCodes]int32, eventsRead, updates uint64) bool {
	if q.suspected && updates >= q.updatesAfter+maxUpdatesPerTick {
		q.suspected = false
		if eventsRead == q.eventsBefore {
			return true
		}
	}
	if q.hasState && !q.suspected && q.lastAbs != *abs {
		q.suspected, q.eventsBefore, q.updatesAfter = true, q.lastEvents, updates
	}
	q.hasState, q.lastAbs, q.lastEvents = true, *abs, eventsRead
	return false
}

// detectGrab compares the queried axes with the events that arrive. It may wait for the upload of a
// force, so the loop never calls it.
func (in *Input) detectGrab(q *grabDetector) {
	var abs [absCodes]int32
	eventsRead := in.eventsRead.Load()
	for code := range uint16(absCodes) {
		if in.axes>>code&1 == 0 {
			continue
		}
		var a AbsInfo
		if in.node.Abs(code, &a) != nil {
			return
		}
		abs[code] = a.Value
	}
	if q.observe(&abs, eventsRead, in.updates.Load()) {
		in.grabbedElsewhere.Store(true)
	}
}
