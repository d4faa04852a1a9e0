package recording

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"rig.example/rig/internal/core/channels"
	"rig.example/rig/internal/kit/sink"
)

// boxTicks is how much of a drive the black box keeps: 120 s, and up to 10 s more, because it begins with a snapshot.
const boxTicks = 120_000

// blackBox keeps the last blocks of a drive in memory.
type blackBox struct {
	folder string
	header *Header
	list   []channels.Channel
	keep   int
	memory int // at most [bytes]
	blocks []*Block
	size   int
}

// add adds a block, and forgets those that are no longer needed. The first that is left begins with a snapshot.
func (x *blackBox) add(b *Block) {
	if x.folder == "" {
		return
	}
	b.boxed = true
	x.blocks = append(x.blocks, b)
	x.size += b.Size()
	for {
		next := slices.IndexFunc(x.blocks[min(1, len(x.blocks)):], func(b *Block) bool { return b.Snapshot }) + 1
		if next == 0 || x.blocks[next].First+boxTicks > b.Next && x.size <= x.memory {
			return
		}
		for _, old := range x.blocks[:next] {
			x.size -= old.Size()
			old.boxed = false
		}
		x.blocks = slices.Delete(x.blocks, 0, next)
	}
}

// boxPrefix begins the names of the black box's files.
const boxPrefix = "blackbox-"

// write writes what is kept into a file whose name has a reason, deletes the oldest of its files, and returns the path.
func (x *blackBox) write(reason string) (path string, err error) {
	if x.folder == "" || len(x.blocks) == 0 {
		return "", nil
	}
	if err := os.MkdirAll(x.folder, 0o700); err != nil {
		return "", err
	}
	last := x.blocks[len(x.blocks)-1]
	path = filepath.Join(x.folder, fmt.Sprintf("%s%s-%06d-%s.mcap", boxPrefix, x.header.Began.UTC().Format(nameTime), last.Next/1000, word(reason)))
	err = sink.Replace(path, 0o600, func(out *os.File) error {
		w, err := NewWriter(out, x.header, x.list)
		if err != nil {
			return err
		}
		for _, b := range x.blocks {
			if err := w.Write(b); err != nil {
				return err
			}
		}
		return w.Close()
	})
	if err != nil {
		return "", err
	}
	return path, x.prune()
}

// nameTime is the form of times in names of files; they sort by age.
const nameTime = "20060102-150405"

// prune deletes all but the newest files of the black box.
func (x *blackBox) prune() error {
	all, err := filepath.Glob(filepath.Join(x.folder, boxPrefix+"*.mcap"))
	if err != nil || len(all) <= x.keep {
		return err
	}
	slices.Sort(all)
	for _, old := range all[:len(all)-x.keep] {
		if err := os.Remove(old); err != nil {
			return err
		}
	}
	return nil
}

// word returns a text as part of a file's name.
func word(text string) string {
	return strings.Trim(strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return '-'
	}, strings.ToLower(text[:min(len(text), 24)])), "-")
}
