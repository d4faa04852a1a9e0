package userfile

import (
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Beside reads the files that a data file names, such as the buffers of a glTF file. Anybody may have written the data
// file, and who uses it may pass on what was read with it. So nothing outside of the data file's folder is read: no path
// with "..", no absolute one, and no link that leaves the folder.
type Beside struct {
	path    string // of the data file
	endings []string
	files   int   // that may still be read
	left    int64 // bytes that may still be read
}

// GLTFBuffers are the endings of the buffers that a glTF file names.
var GLTFBuffers = []string{".bin", ".glbin", ".glbuf"}

// NextTo returns a Beside for the data file at path. What it names must end with one of endings, which are in lower case
// and begin with a dot, and all of it together may have limit bytes.
func NextTo(path string, limit int64, endings ...string) *Beside {
	const maxFiles = 1000
	return &Beside{path: path, endings: endings, files: maxFiles, left: limit}
}

// Path returns where the file lies that a URI or a relative path in the data file means. It looks only at the name.
// Like that of Read, its error has the cause and the remedy but not the name, which the caller adds.
func (b *Beside) Path(uri string) (string, error) {
	name, err := b.name(uri)
	return filepath.Join(filepath.Dir(b.path), name), err
}

// Read returns the contents of the file that a URI or a relative path in the data file means.
func (b *Beside) Read(uri string) ([]byte, error) {
	name, err := b.name(uri)
	if err != nil {
		return nil, err
	}
	if b.files--; b.files < 0 {
		return nil, errors.New("it is one of more than 1000 files; export with fewer")
	}
	folder, err := os.OpenRoot(filepath.Dir(b.path))
	if err != nil {
		return nil, withoutPath(err)
	}
	defer folder.Close()
	f, err := folder.OpenFile(name, openFlags, 0)
	data, err := readAll(f, err, b.left)
	b.left -= int64(len(data))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%w; put it beside the file that names it", err)
	case err != nil && strings.HasSuffix(err.Error(), "path escapes from parent"): // package os has no other name for it
		return nil, fmt.Errorf("a link leads %w", errOutside)
	}
	return data, err
}

var errOutside = errors.New("out of the folder of the file that names it; put a copy into that folder and export again")

// name returns the relative path that a URI means, if it may be read.
func (b *Beside) name(uri string) (string, error) {
	if u, err := url.Parse(uri); err == nil && len(u.Scheme) > 1 {
		return "", errors.New("it is not a file; fetch it and export with it beside the file")
	}
	name, err := url.PathUnescape(strings.ReplaceAll(uri, `\`, "/"))
	if err != nil {
		return "", fmt.Errorf("%w; export again", err)
	}
	if !filepath.IsLocal(name) {
		return "", fmt.Errorf("it leads %w", errOutside)
	}
	if !slices.Contains(b.endings, strings.ToLower(filepath.Ext(name))) {
		return "", fmt.Errorf("it must end with %s; rename it and export again", strings.Join(b.endings, " or "))
	}
	return name, nil
}
