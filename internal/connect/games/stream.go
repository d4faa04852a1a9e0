package games

import (
	"fmt"
	"maps"
	"net/netip"
	"strings"
	"time"

	"rig.example/rig/internal/kit/printable"
)

// stream is what one sender tells of one game. Streams are never mixed: each has a clock and a car of its own.
type stream struct {
	source  uint8          // 0 for none
	address netip.AddrPort // of the sender of packets; the zero value for shared memory
	path    string         // of the shared memory, or ""
}

// where is the sender's address, or the path.
func (s stream) where() string {
	if s.address.IsValid() {
		return s.address.String()
	}
	return s.path
}

// String names the game and the sender.
func (s stream) String() string { return Name(uint64(s.source)) + " from " + s.where() }

// takeOver is how long the stream that is followed must have been silent before another one may be followed.
const takeOver = 2 * time.Second

// besides begins the keys in Hub.told of other streams.
const besides = "besides "

// admit reports whether s is the stream that is followed, or may be from now on. It refuses any other one, and logs that once
// for each machine. The caller holds the lock.
func (h *Hub) admit(s stream, now time.Time) bool {
	if s == h.followed || h.followed.source == 0 || now.Sub(h.at) >= takeOver {
		return true
	}
	h.besides, h.besidesAt = fmt.Sprintf("packets of %s are dropped, because %s is followed: end one of the two, or set follow.source", s, h.followed), now
	h.refuseOnce(besides+s.address.Addr().String()+s.path, h.besides)
	return false
}

// change begins to follow s, of which version tells the game's version. The caller holds the lock.
func (h *Hub) change(s stream, version string, now time.Time) {
	if s != h.followed {
		if h.followed.source != 0 {
			h.changes++
			h.changed, h.changedAt = fmt.Sprintf("now following %s, because %s was silent", s, h.followed), now
		}
		h.besidesAt = time.Time{}
		maps.DeleteFunc(h.told, func(key string, _ bool) bool { return strings.HasPrefix(key, besides) }) // they are news again
	}
	if s != h.followed || version != h.version {
		h.log.Info("following "+printable.Line(strings.TrimSpace(Name(uint64(s.source))+" "+version)), "path", s.where())
	}
	h.followed, h.version = s, version
}

// Notice returns what the operator must know of the senders while one is followed: that another one is dropped, or that
// the one that is followed is another than before; or "".
func (h *Hub) Notice() string {
	h.lock.Lock()
	defer h.lock.Unlock()
	const dropped, changed = time.Second, 10 * time.Second // for which it is shown
	switch {
	case time.Since(h.besidesAt) < dropped:
		return h.besides
	case time.Since(h.changedAt) < changed:
		return h.changed
	}
	return ""
}
