package main

import (
	"hash/crc32"
	"path"
	"strings"

	"rig.example/rig/test/mutants/schema"
)

// mutant is one small fault to plant, and the tests that must detect it.
type mutant struct {
	name     string // says what is wrong in the faulty program
	file     string // path relative to the module's root
	function string // such as "newAxis" or "(*pacer).settle"; "" means the constants and variables of the file
	old, new string // new replaces old, which must occur exactly once in the function
	tests    string // regexp of test names, and after a / of their parts, for go test -run
	pkg      string // folder of these tests; "" if they are in the folder of the file
}

// dir returns the folder of the tests that must detect m.
func (m mutant) dir() string {
	if m.pkg != "" {
		return m.pkg
	}
	return path.Dir(m.file)
}

// isIn reports whether the file of m or its tests are in one of the paths, which are files or folders in the module's
// root. A file of tests stands for its folder. Without paths it is true.
func (m mutant) isIn(paths []string) bool {
	for _, p := range paths {
		p = path.Clean(p)
		if strings.HasSuffix(p, "_test.go") {
			p = path.Dir(p)
		}
		for _, place := range []string{m.file, m.dir()} {
			if place == p || p == "." || strings.HasPrefix(place, p+"/") {
				return true
			}
		}
	}
	return len(paths) == 0
}

// fault returns what the compiler needs to know of m. Its number depends on the name alone, so that what was compiled
// stays valid if the list changes elsewhere.
func (m mutant) fault() schema.Fault {
	return schema.Fault{Number: int(crc32.ChecksumIEEE([]byte(m.name))), File: m.file, Function: m.function, Old: m.old, New: m.new}
}
