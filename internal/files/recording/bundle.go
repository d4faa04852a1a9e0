package recording

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"rig.example/rig/internal/kit/userfile"
)

// File is a file of a circuit: its text, or where it is if it is large.
type File struct {
	Name   string `json:"name"`           // path from the folder of the circuit's own file
	Text   []byte `json:"text"`           // contents, if they are small
	Path   string `json:"path,omitempty"` // where it is otherwise; ~ is the home folder
	SHA256 string `json:"sha256"`         // of the contents
}

// maxText is the size up to which a file is kept in the recording [bytes].
const maxText = 256 << 10

// Collect returns the files of a circuit whose own file is first. paths are those that it was built of, not all that its
// files name: a recording is passed on.
func Collect(paths []string) (all []File, err error) {
	for _, path := range paths {
		if slices.ContainsFunc(all, func(f File) bool { return f.Path == path }) {
			continue
		}
		f := File{Path: path}
		if f.Name, err = relative(filepath.Dir(paths[0]), path); err != nil {
			return nil, err
		}
		if f.SHA256, f.Text, err = contents(path); err != nil {
			return nil, err
		}
		all = append(all, f)
	}
	for i := range all {
		if all[i].Path = Anonymous(all[i].Path); all[i].Text != nil {
			all[i].Path = ""
		}
	}
	return all, nil
}

// relative returns the path of a file from a folder.
func relative(folder, path string) (string, error) {
	if filepath.IsAbs(folder) == filepath.IsAbs(path) {
		return filepath.Rel(folder, path)
	}
	return filepath.Abs(path)
}

// contents returns the hash of a file, and its contents if they are small.
func contents(path string) (sum string, text []byte, err error) {
	f, _, err := userfile.Open(path, userfile.MaxScan)
	if err != nil {
		return "", nil, err
	}
	defer f.Close()
	h := sha256.New()
	head, err := io.ReadAll(io.TeeReader(io.LimitReader(f, maxText+1), h))
	if err != nil {
		return "", nil, err
	}
	if len(head) <= maxText {
		return hex.EncodeToString(h.Sum(nil)), head, nil
	}
	_, err = io.Copy(h, f)
	return hex.EncodeToString(h.Sum(nil)), nil, err
}

// Anonymous returns a text in which the path of the home folder is ~, so that it does not name its user.
func Anonymous(text string) string {
	home, err := os.UserHomeDir()
	if err != nil || len(home) < 2 {
		return text
	}
	return strings.ReplaceAll(text, home+"/", "~/")
}

// Restore puts a circuit's files below a folder, large ones as links, and returns the path of the circuit's own file, and
// those of all: the only files that a circuit of a recording, whose author may be anybody, may read.
func Restore(files []File, folder string) (own string, all []string, err error) {
	deep := filepath.Join(folder, "1/2/3/4/5/6/7/8") // so that paths that go up stay below the folder
	for _, f := range files {
		path := f.Path
		if filepath.IsAbs(f.Name) {
			path = f.Name // the circuit's file names it so
		}
		if f.Text == nil || filepath.IsAbs(f.Name) {
			if home, err := os.UserHomeDir(); err == nil && strings.HasPrefix(path, "~/") {
				path = strings.Replace(path, "~", home, 1)
			}
			if err := f.check(path); err != nil {
				return "", nil, err
			}
		}
		if filepath.IsAbs(f.Name) {
			all = append(all, f.Name)
			continue
		}
		at := filepath.Join(deep, f.Name)
		if !strings.HasPrefix(at, folder+string(filepath.Separator)) {
			return "", nil, fmt.Errorf("the circuit's file %s lies too far up", f.Name)
		}
		if err := f.restore(path, at); err != nil {
			return "", nil, err
		}
		all = append(all, at)
	}
	return filepath.Join(deep, files[0].Name), all, nil
}

// check returns an error if the file at a path is not there or another one.
func (f *File) check(path string) error {
	sum, _, err := contents(path)
	if err != nil {
		return fmt.Errorf("it needs the circuit's file %s: %w; put it there", path, err)
	}
	if sum != f.SHA256 {
		return fmt.Errorf("%s is another file than the one that was driven on (SHA-256 %.12s…, not %.12s…); put that one there", path, sum, f.SHA256)
	}
	return nil
}

// restore writes the file, or a link to it at path.
func (f *File) restore(path, at string) error {
	if err := os.MkdirAll(filepath.Dir(at), 0o700); err != nil {
		return err
	}
	if f.Text != nil {
		out, err := os.OpenFile(at, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600) // follows no link that another file has made
		if err != nil {
			return err
		}
		_, err = out.Write(f.Text)
		return errors.Join(err, out.Close())
	}
	path, err := filepath.Abs(path)
	if err != nil {
		return err
	}
	return os.Symlink(path, at)
}
