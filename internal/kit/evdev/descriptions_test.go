package evdev

import (
	"errors"
	"fmt"
	"runtime"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// machine simulates input nodes and counts how often they are queried.
type machine struct {
	clock  time.Time
	stamps map[string]fileStamp
	asked  map[string]int
	failed map[string]bool
	d      *descriptionCache
}

func newMachine(nodes int) (m *machine, paths []string) {
	m = &machine{stamps: map[string]fileStamp{}, asked: map[string]int{}, failed: map[string]bool{}, clock: time.Unix(1000, 0)}
	for i := range nodes {
		paths = append(paths, fmt.Sprintf("/dev/input/event%d", i))
		m.stamps[paths[i]] = fileStamp{uint64(i), unix.Timespec{Sec: 900}}
	}
	m.d = newDescriptionCache(func(path string) Info {
		m.asked[path]++
		info := Info{Path: path, Axes: make([]Axis, 10_000/40)} // what asking leaves
		if m.failed[path] {
			info.Err = errors.New("no")
		}
		return info
	})
	m.d.now = func() time.Time { return m.clock }
	m.d.stampOf = func(path string) (fileStamp, error) {
		s, ok := m.stamps[path]
		if !ok {
			return s, unix.ENOENT
		}
		return s, nil
	}
	return m, paths
}

func (m *machine) wait(d time.Duration) { m.clock = m.clock.Add(d) }

// Each replug of a wheel allocates little memory: old nodes are not queried again, and a new one is queried once for
// all callers.
func TestAReplugAllocatesLittle(t *testing.T) {
	const replugs, lookers, rounds, most = 150, 4, 4, 80 << 10 // the last in bytes for each replug; 3.2 MB were all asked
	m, paths := newMachine(20)
	m.d.describe(paths)
	m.wait(time.Minute)
	m.d.describe(paths) // the first plug asks all once more
	clear(m.asked)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for i := range replugs {
		m.wait(3 * time.Second)
		m.stamps[paths[7]] = fileStamp{uint64(1000 + i), unix.Timespec{Sec: int64(1000 + i)}}
		for range rounds {
			m.wait(100 * time.Millisecond)
			for range lookers {
				if list := m.d.describe(paths); len(list) != len(paths) || list[7].Path != paths[7] {
					t.Fatalf("%d nodes, %s at 7", len(list), list[7].Path)
				}
			}
		}
	}
	runtime.ReadMemStats(&after)
	if each := (after.TotalAlloc - before.TotalAlloc) / replugs; each > most {
		t.Errorf("each replug leaves %d bytes", each)
	}
	for path, n := range m.asked {
		if want := map[bool]int{path == paths[7]: replugs * rounds}[true]; n > want {
			t.Errorf("%s was asked %d times, want %d at most", path, n, want)
		}
	}
}

func TestANodeIsQueriedAgainWhenItMayHaveChanged(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(m *machine, path string)
		asked  int
	}{
		{"another looks at once", func(m *machine, _ string) { m.wait(cacheTime / 2) }, 0},
		{"a moment later, when its driver may have added force", func(m *machine, _ string) { m.wait(250 * time.Millisecond) }, 1},
		{"when it is old, for the first time", func(m *machine, _ string) { m.wait(time.Hour) }, 1},
		{"another device under its name", func(m *machine, path string) { m.stamps[path] = fileStamp{99, unix.Timespec{Sec: 900}} }, 1},
		{"other rights", func(m *machine, path string) { m.stamps[path] = fileStamp{0, unix.Timespec{Sec: 901}} }, 1},
		{"it cannot be looked at", func(m *machine, path string) { delete(m.stamps, path) }, 1},
	} {
		m, paths := newMachine(1)
		m.d.describe(paths)
		clear(m.asked)
		c.change(m, paths[0])
		if m.d.describe(paths); m.asked[paths[0]] != c.asked {
			t.Errorf("%s: asked %d times, want %d", c.name, m.asked[paths[0]], c.asked)
		}
	}
	m, paths := newMachine(1)
	m.failed[paths[0]] = true
	for range 3 {
		m.d.describe(paths)
	}
	if m.asked[paths[0]] != 3 {
		t.Errorf("one that could not be asked was asked %d times in 3 looks", m.asked[paths[0]])
	}
	m, paths = newMachine(1)
	for range 3 {
		m.d.describe(paths)
		m.wait(time.Hour)
	}
	if m.asked[paths[0]] != 2 {
		t.Errorf("an old one was asked %d times, want twice", m.asked[paths[0]])
	}
	m.d.describe(nil)
	if len(m.d.nodes) != 0 {
		t.Error("a node that went is kept")
	}
}
