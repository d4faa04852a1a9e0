package evdev

import (
	"slices"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// descriptionCache caches the descriptions of input nodes. Wheel, pedals, levers and buttons each list all
// nodes whenever any device is plugged in or unplugged. A query allocates about 10 kB per node, and the
// garbage collector does not run while the car drives.
type descriptionCache struct {
	query   func(path string) Info
	stampOf func(path string) (fileStamp, error)
	now     func() time.Time

	mu    sync.Mutex
	nodes map[string]*description
	order []*description // descriptions of the list that was returned last
	list  []Info         // that list, which is returned again while order stays the same
}

// fileStamp identifies a version of a node's file: it changes when another device gets the path, or when the
// rights of the file change.
type fileStamp struct {
	inode   uint64
	changed unix.Timespec
}

// description is a cached Info.
type description struct {
	fileStamp
	firstSeen time.Time // when the node was queried first
	queriedAt time.Time // when the node was queried last
	info      Info
}

const (
	stableAfter = 10 * time.Second      // age from which a node does not change; younger ones may still get force feedback
	cacheTime   = 50 * time.Millisecond // a query is not repeated within this time
)

func newDescriptionCache(query func(string) Info) *descriptionCache {
	return &descriptionCache{query: query, stampOf: fileStampOf, now: time.Now, nodes: map[string]*description{}}
}

// nodeCache caches the descriptions of the nodes of this machine.
var nodeCache = newDescriptionCache(Describe)

// fileStampOf returns the stamp of the file at path.
func fileStampOf(path string) (fileStamp, error) {
	var st unix.Stat_t
	err := unix.Stat(path, &st)
	return fileStamp{st.Ino, st.Ctim}, err
}

// describe returns the descriptions of the nodes at paths, in that order, and forgets all other nodes.
func (d *descriptionCache) describe(paths []string) []Info {
	d.mu.Lock()
	defer d.mu.Unlock()
	order := make([]*description, 0, len(paths))
	for _, path := range paths {
		order = append(order, d.describeNode(path))
	}
	if slices.Equal(order, d.order) && len(order) > 0 {
		return d.list
	}
	d.order, d.list = order, make([]Info, len(order))
	clear(d.nodes)
	for i, k := range order {
		d.list[i] = k.info
		if k.info.Err == nil { // the cause of an error can end without any change of the node
			d.nodes[paths[i]] = k
		}
	}
	return d.list
}

// describeNode returns the cached description of a node, or queries the node if the cache has none
// that is still valid. It releases the lock during the query, because a driver may block it.
func (d *descriptionCache) describeNode(path string) *description {
	s, err := d.stampOf(path)
	now, cached := d.now(), d.nodes[path]
	same := err == nil && cached != nil && cached.fileStamp == s
	if same && (cached.queriedAt.Sub(cached.firstSeen) >= stableAfter || now.Sub(cached.queriedAt) < cacheTime) {
		return cached
	}
	d.mu.Unlock()
	info := d.query(path)
	d.mu.Lock()
	k := &description{fileStamp: s, firstSeen: now, queriedAt: now, info: info}
	if same {
		k.firstSeen = cached.firstSeen
	}
	return k
}
