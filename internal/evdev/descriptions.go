package evdev

import (
	"slices"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// descriptions keeps what nodes said of themselves. Wheel, pedals, levers and buttons each
// look at all nodes after each plug and unplug, also of other devices: asking costs some 10 kB
// of garbage for each node, which is not collected while the car drives.
type descriptions struct {
	ask   func(path string) Info
	stamp func(path string) (stamp, error)
	now   func() time.Time

	mu    sync.Mutex
	nodes map[string]*description
	order []*description // of the newest list …
	list  []Info         // … which is given again while it stays the same
}

// stamp is what a node's file changes when the device is another one, or its rights are.
type stamp struct {
	inode   uint64
	changed unix.Timespec
}

// description is what a node said.
type description struct {
	stamp
	seen time.Time // for the first time
	at   time.Time // when it was asked
	info Info
}

const (
	grownUp = 10 * time.Second      // after it a node does not change: drivers add force a moment after the node
	atOnce  = 50 * time.Millisecond // who looks within that of another asks the same question
)

func newDescriptions(ask func(string) Info) *descriptions {
	return &descriptions{ask: ask, stamp: stampOf, now: time.Now, nodes: map[string]*description{}}
}

// known are those of this machine's nodes.
var known = newDescriptions(Describe)

// stampOf returns the stamp of the file at path.
func stampOf(path string) (stamp, error) {
	var st unix.Stat_t
	err := unix.Stat(path, &st)
	return stamp{st.Ino, st.Ctim}, err
}

// of returns what the nodes at paths say, and forgets all others.
func (d *descriptions) of(paths []string) []Info {
	d.mu.Lock()
	defer d.mu.Unlock()
	order := make([]*description, 0, len(paths))
	for _, path := range paths {
		order = append(order, d.look(path))
	}
	if slices.Equal(order, d.order) && len(order) > 0 {
		return d.list
	}
	d.order, d.list = order, make([]Info, len(order))
	clear(d.nodes)
	for i, k := range order {
		d.list[i] = k.info
		if k.info.Err == nil { // the cause of an error can go without a trace at the node
			d.nodes[paths[i]] = k
		}
	}
	return d.list
}

// look asks a node unless that is known already. It lets go of the lock to ask: a driver may
// hold up who does.
func (d *descriptions) look(path string) *description {
	s, err := d.stamp(path)
	now, was := d.now(), d.nodes[path]
	same := err == nil && was != nil && was.stamp == s
	if same && (was.at.Sub(was.seen) >= grownUp || now.Sub(was.at) < atOnce) {
		return was
	}
	d.mu.Unlock()
	info := d.ask(path)
	d.mu.Lock()
	k := &description{stamp: s, seen: now, at: now, info: info}
	if same {
		k.seen = was.seen
	}
	return k
}
