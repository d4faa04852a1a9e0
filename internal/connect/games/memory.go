package games

import (
	"context"
	"errors"
	"path/filepath"
	"time"

	"rig.example/rig/internal/core/follow"
)

// memory is the shared memory of a game.
type memory struct {
	source Source
	pages  []*page // in the order of Source.Files
	reader reader
	polls  uint64
	seen   bool // a state of it is known, so that another one is news
}

// reader reads the pages of one layout.
type reader interface {
	// poll reads the pages into s. isNew reports whether they have changed since the last call.
	poll(pages []*page, s *follow.Sample) (isNew bool, err error)
	// version returns what the pages tell of the game's version, or "".
	version() string
}

func newMemory(source Source, folder string) *memory {
	m := &memory{source: source, reader: source.reader()}
	for _, name := range source.Files {
		m.pages = append(m.pages, &page{path: filepath.Join(folder, name)})
	}
	return m
}

const (
	pollPeriod   = time.Millisecond
	absentPeriod = 500 * time.Millisecond
	refreshEvery = 1000 // polls, after which the paths are looked at again
)

// watch polls the memory until ctx ends.
func (h *Hub) watch(ctx context.Context, m *memory) {
	defer func() {
		for _, p := range m.pages {
			p.close()
		}
	}()
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-timer.C:
		}
		h.poll(m, time.Now())
		if m.pages[0].file == nil {
			timer.Reset(absentPeriod)
		} else {
			timer.Reset(pollPeriod)
		}
	}
}

// Poll reads all shared memory once, at now.
func (h *Hub) Poll(now time.Time) {
	for _, m := range h.memories {
		h.poll(m, now)
	}
}

// poll reads the memory once. The first state is only what later ones are compared with: the memory of a game that has ended
// keeps its last one.
func (h *Hub) poll(m *memory, now time.Time) {
	if m.polls++; m.polls%refreshEvery == 0 {
		for _, p := range m.pages {
			p.refresh()
		}
	}
	var s follow.Sample
	isNew, err := m.reader.poll(m.pages, &s)
	h.lock.Lock()
	defer h.lock.Unlock()
	switch {
	case errors.Is(err, errTorn):
	case errors.Is(err, errAbsent):
		m.seen = false
	case err != nil && !errors.Is(err, errOtherSigns):
		m.seen = false
		h.refuse("shared memory: " + err.Error())
	case isNew && !m.seen:
		m.seen = true
	case isNew:
		h.offer(&s, err, m.reader.version(), stream{source: s.Source, path: m.pages[0].path}, now)
	}
}
