package recording

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// DefaultFolder returns where a user's recordings are kept. Root's are those of the service.
func DefaultFolder(getenv func(string) string, uid int) (string, error) {
	if data := getenv("XDG_DATA_HOME"); filepath.IsAbs(data) {
		return filepath.Join(data, "rig", "recordings"), nil
	}
	if uid == 0 {
		return "/var/lib/rig/recordings", nil
	}
	if home := getenv("HOME"); filepath.IsAbs(home) {
		return filepath.Join(home, ".local/share/rig/recordings"), nil
	}
	return "", fmt.Errorf("record: no folder for recordings: HOME is not set; set record.folder")
}

const extension = ".mcap"

// FileName returns the name of a recording that begins at a time.
func FileName(began time.Time, car, track string) string {
	return fmt.Sprintf("%s-%s-%s%s", began.Format(nameTime), word(car), word(track), extension)
}

// Item is a recording in a folder.
type Item struct {
	Path     string
	Size     int64 // [bytes]
	BlackBox bool  // written by the black box
	Header   Header
	Summary  Summary
	Whole    bool
	Problem  string // why it cannot be read, or what is damaged; "" for nothing
}

// List returns the recordings in a folder, the oldest first.
func List(folder string) (all []Item, err error) {
	paths, err := filepath.Glob(filepath.Join(folder, "*"+extension))
	if err != nil {
		return nil, err
	}
	for _, path := range paths {
		all = append(all, itemOf(path))
	}
	slices.SortStableFunc(all, func(a, b Item) int { return a.Header.Began.Compare(b.Header.Began) })
	return all, nil
}

func itemOf(path string) Item {
	item := Item{Path: path, BlackBox: strings.HasPrefix(filepath.Base(path), boxPrefix)}
	if info, err := os.Stat(path); err == nil {
		item.Size = info.Size()
	}
	r, err := Open(path)
	if err != nil {
		item.Problem = err.Error()
		return item
	}
	defer r.Close()
	item.Header, item.Whole, item.Problem = r.Header, r.Whole, r.Damage
	item.Summary, _ = r.Summary()
	return item
}

// Prune deletes the oldest recordings of a folder that exceed a size [bytes] together, but none with a mark and none of
// the black box. Exported channels, which no rig can drive, are none. It returns the paths of those it deleted.
func Prune(folder string, most int64) (deleted []string, err error) {
	all, err := List(folder)
	if err != nil {
		return nil, err
	}
	total := int64(0)
	for i := range all {
		if !all[i].BlackBox {
			total += all[i].Size
		}
	}
	for i := range all {
		if total <= most {
			break
		}
		if item := &all[i]; !item.BlackBox && item.Summary.Marks == 0 && item.Header.Config != "" {
			if err := os.Remove(item.Path); err != nil {
				return deleted, err
			}
			deleted, total = append(deleted, item.Path), total-item.Size
		}
	}
	return deleted, nil
}
