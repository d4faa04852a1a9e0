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

// archive writes an initramfs: the "newc" form of cpio that
// Documentation/driver-api/early-userspace/buffer-format.rst of the kernel
// describes. The first error stays and is told by close.
type archive struct {
	w    io.Writer
	size int64
	node int
	dirs map[string]bool
	err  error
}

func newArchive(w io.Writer) *archive { return &archive{w: w, dirs: map[string]bool{}} }

// file adds one file and the folders above it. name may begin with a slash.
func (a *archive) file(name string, mode uint32, data []byte) {
	name = strings.TrimPrefix(path.Clean(name), "/")
	a.dir(path.Dir(name))
	a.entry(name, typeFile|mode, data)
}

// dir adds a folder, unless it is there, and those above it.
func (a *archive) dir(name string) {
	name = strings.Trim(path.Clean(name), "/")
	if name == "" || name == "." || a.dirs[name] {
		return
	}
	a.dir(path.Dir(name))
	a.dirs[name] = true
	a.entry(name, typeDir|0o755, nil)
}

// close ends the archive and returns the first error of all.
func (a *archive) close() error {
	a.entry("TRAILER!!!", 0, nil)
	return a.err
}

// entry writes a header of thirteen hexadecimal numbers, the name and the
// data, both padded to four bytes. Everything belongs to root and is of 1970.
func (a *archive) entry(name string, mode uint32, data []byte) {
	a.node++
	a.write(fmt.Appendf(nil, "070701%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X",
		a.node, mode, 0, 0, 1, 0, len(data), 0, 0, 0, 0, len(name)+1, 0))
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
