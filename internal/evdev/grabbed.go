package evdev

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// ErrGrabbed tells that another program keeps a device's events for itself (EVIOCGRAB): its
// axes and buttons stand still for everybody else.
var ErrGrabbed = errors.New("another program has grabbed it")

// lookEvery is how often a shared node's axes are asked for, beside its events.
const lookEvery = 50 * time.Millisecond

// refuseGrabbed returns ErrGrabbed if another program has grabbed the node. It tries a grab on
// the descriptor that reads, so that none of its own events are lost.
func (n *Node) refuseGrabbed() error {
	if err := n.grab(); err != nil {
		if errors.Is(err, ErrGrabbed) {
			return err
		}
		return nil // it cannot be grabbed at all, or reads tell what is wrong
	}
	return n.ioctlValue(evIOCGrab, 0)
}

// grab keeps the device's events from all other programs until the node is
// closed. Forces are not affected.
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

// grabbedError names the programs that may have grabbed the node at path.
func grabbedError(path string) error {
	who := strings.Join(holders("/proc", path), ", ")
	if who == "" {
		return fmt.Errorf("evdev: %s: %w; find it with `sudo fuser -v %s` and close it", path, ErrGrabbed, path)
	}
	return fmt.Errorf("evdev: %s: %w; close %s, which has it open", path, ErrGrabbed, who)
}

// holders lists the other programs that have the file at path open, as far as this user may
// see. proc is /proc.
func holders(proc, path string) (list []string) {
	tables, _ := filepath.Glob(filepath.Join(proc, "[0-9]*", "fd"))
	for _, table := range tables {
		pid := filepath.Base(filepath.Dir(table))
		if pid == strconv.Itoa(os.Getpid()) || !opens(table, path) {
			continue
		}
		name, _ := os.ReadFile(filepath.Join(proc, pid, "comm"))
		list = append(list, fmt.Sprintf("%s (pid %s)", strings.TrimSpace(string(name)), pid))
	}
	return list
}

// opens reports whether one of a program's descriptors is the file at path.
func opens(table, path string) bool {
	files, _ := os.ReadDir(table)
	for _, f := range files {
		if target, err := os.Readlink(filepath.Join(table, f.Name())); err == nil && target == path {
			return true
		}
	}
	return false
}

// silence finds that axes move of which no event comes. It is pure: what was asked and
// counted comes in.
type silence struct {
	known   bool
	abs     [absCodes]int32 // at the last look
	seen    uint64          // events read before the last look
	suspect bool            // an axis moved between two looks
	base    uint64          // events read before the first of them
	after   uint64          // updates done after the second
}

// fullRounds is after how many updates each user of a node has surely had one whole tick.
const fullRounds = 16

// look takes the axes as the kernel has them, how many events were read before it was asked,
// and how many updates were done after that. It reports whether the node is silent: an axis
// moved between two looks, and though the loop has read on since, not one event came.
func (q *silence) look(abs *[absCodes]int32, seen, updates uint64) bool {
	if q.suspect && updates >= q.after+fullRounds {
		q.suspect = false
		if seen == q.base {
			return true
		}
	}
	if q.known && !q.suspect && q.abs != *abs {
		q.suspect, q.base, q.after = true, q.seen, updates
	}
	q.known, q.abs, q.seen = true, *abs, seen
	return false
}

// listen compares what the kernel tells of the axes with the events that come. It may wait
// for an upload, so the loop never calls it.
func (in *Input) listen(q *silence) {
	var abs [absCodes]int32
	seen := in.taken.Load()
	for code := range uint16(absCodes) {
		if in.has>>code&1 == 0 {
			continue
		}
		var a AbsInfo
		if in.node.Abs(code, &a) != nil {
			return
		}
		abs[code] = a.Value
	}
	if q.look(&abs, seen, in.updates.Load()) {
		in.silenced.Store(true)
	}
}
