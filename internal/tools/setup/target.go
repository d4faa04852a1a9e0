package setup

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"golang.org/x/sys/unix"

	"rig.example/rig/internal/files/config"
	"rig.example/rig/internal/kit/sink"
	"rig.example/rig/internal/kit/userfile"
)

// target is the configuration file that the setup writes.
type target struct {
	path   string // absolute
	text   []byte // of the present file
	exists bool
	note   string // which other file matters, for the operator; "" if none
	run    string // command that drives with this file

	ofService bool // the service reads this file
}

// findTarget returns the file that the setup writes: path, or if that is empty the one where this user's
// configuration belongs.
func findTarget(path string, getenv func(string) string, uid int) (t target, err error) {
	named := path != ""
	if !named {
		if path, err = config.OwnFile(getenv, uid); err != nil {
			return t, err
		}
	}
	if t.path, err = filepath.Abs(path); err != nil {
		return t, err
	}
	if service, err := config.OwnFile(getenv, 0); err == nil {
		t.ofService = t.path == service
	}
	t.text, err = userfile.Read(t.path, userfile.MaxText)
	switch {
	case err == nil:
		t.exists = true
	case !errors.Is(err, fs.ErrNotExist):
		return t, fmt.Errorf("%s: %w", t.path, err)
	}
	t.note, t.run = otherFile(t, config.Places(getenv, uid), named)
	return t, writable(filepath.Dir(t.path))
}

// otherFile returns a note about a file that `rig run` takes instead of t or took so far, and the command that
// drives with t.
func otherFile(t target, places []string, named bool) (note, run string) {
	run = "rig run"
	own := slices.IndexFunc(places, func(p string) bool { return p == t.path || sink.SameFile(p, t.path) })
	if own < 0 {
		return "", "rig run --config " + t.path
	}
	for i, p := range places {
		st, err := os.Stat(p)
		switch {
		case i == own || err != nil || !st.Mode().IsRegular():
		case i < own:
			return fmt.Sprintf("`rig run` takes %s instead of it, in this folder or for this user: give it --config, or move that file away", absolute(p)), "rig run --config " + t.path
		case !t.exists && !named:
			return fmt.Sprintf("so far `rig run` took %s; it takes the new file from now on, and nothing of that one", p), run
		}
	}
	return "", run
}

func absolute(path string) string {
	if a, err := filepath.Abs(path); err == nil {
		return a
	}
	return path
}

// writable returns an error if a folder cannot be written, or cannot be created.
func writable(folder string) error {
	for dir := folder; ; dir = filepath.Dir(dir) {
		err := unix.Access(dir, unix.W_OK|unix.X_OK)
		switch {
		case err == nil:
			return nil
		case errors.Is(err, unix.ENOENT) && dir != "/":
			continue
		}
		return fmt.Errorf("%s cannot be written: %w; make it writable, or give another file by --config", dir, err)
	}
}

// write replaces the file, whose mode and owner stay, keeps the previous one beside it with .bak, and returns the path
// of that, "" if there was none. A link is followed.
func (t target) write(text []byte) (previous string, err error) {
	path := t.path
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return "", err
	}
	mode := fs.FileMode(0o644)
	fill := func(f *os.File) error {
		_, err := f.Write(text)
		return errors.Join(err, f.Chmod(mode))
	}
	if st, err := os.Stat(path); err == nil {
		mode, previous = st.Mode().Perm(), path+".bak"
		fill = func(f *os.File) error { return sink.FillLike(f, text, st) }
	}
	err = sink.Replace(path, mode, func(f *os.File) error { return errors.Join(fill(f), sink.KeepBackup(path)) })
	return previous, err
}
