package main

import (
	"fmt"
	"io"
	"path"
	"strings"
)

// File types in the mode word of an archive entry (stat.h's S_IFDIR, S_IFREG).
const (
	typeDir  = 0o040000
	typeFile = 0o100000
)

// archive writes an initramfs in the "newc" format of cpio, which the kernel documents in
// Documentation/driver-api/early-userspace/buffer-format.rst. After an error all methods do nothing, and close
// returns the error.
type archive struct {
	w     io.Writer
	size  int64
	inode int
	dirs  map[string]bool
	err   error
}

func newArchive(w io.Writer) *archive { return &archive{w: w, dirs: map[string]bool{}} }

// file adds one file and the folders above it. name may begin with a slash.
func (a *archive) file(name string, mode uint32, data []byte) {
	name = strings.TrimPrefix(path.Clean(name), "/")
	a.dir(path.Dir(name))
	a.entry(name, typeFile|mode, data)
}

// dir adds a folder and those above it, unless they exist already.
func (a *archive) dir(name string) {
	name = strings.Trim(path.Clean(name), "/")
	if name == "" || name == "." || a.dirs[name] {
		return
	}
	a.dir(path.Dir(name))
	a.dirs[name] = true
	a.entry(name, typeDir|0o755, nil)
}

// close writes the end of the archive and returns the first error of all methods.
func (a *archive) close() error {
	a.entry("TRAILER!!!", 0, nil)
	return a.err
}

// entry writes a header of thirteen hexadecimal numbers, the name and the data, both padded to four bytes. The
// owner is root, and the time is 0 (1970).
func (a *archive) entry(name string, mode uint32, data []byte) {
	a.inode++
	a.write(fmt.Appendf(nil, "070701%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X",
		a.inode, mode, 0, 0, 1, 0, len(data), 0, 0, 0, 0, len(name)+1, 0))
	a.write(append([]byte(name), 0))
	a.pad()
	a.write(data)
	a.pad()
}

func (a *archive) pad() { a.write(make([]byte, -a.size&3)) }

func (a *archive) write(b []byte) {
	if a.err != nil {
		return
	}
	n, err := a.w.Write(b)
	a.size += int64(n)
	a.err = err
}
