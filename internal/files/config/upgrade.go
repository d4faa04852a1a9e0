package config

import (
	"bytes"
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"rig.example/rig/internal/kit/userfile"
	"rig.example/rig/road/layout"
)

// FileKind is what a file describes.
type FileKind string

// The kinds of files.
const (
	RigFile      FileKind = "rig"
	CarFile      FileKind = "car"
	CircuitFile  FileKind = "circuit"
	PlatformFile FileKind = "platform"
)

// fileTypes are what the kinds of files are decoded into.
var fileTypes = map[FileKind]reflect.Type{
	RigFile: reflect.TypeFor[Config](), CarFile: reflect.TypeFor[carFile](), CircuitFile: reflect.TypeFor[Circuit](),
	PlatformFile: reflect.TypeFor[platformFile](),
}

// Upgraded is a file in which the keys of earlier versions are replaced.
type Upgraded struct {
	Text    []byte
	Changes []string // one line for each key: what became of it
}

// maxChanges is the largest number of keys that are replaced in a file.
const maxChanges = 1000

// Upgrade replaces the keys of earlier versions in the text of a file. All other keys keep their values, and comments,
// order and format stay. A key whose value cannot be taken over becomes a comment that says why.
func Upgrade(kind FileKind, name string, text []byte) (Upgraded, error) {
	plain, line, err := userfile.TOML(text, userfile.MaxKeys)
	if err != nil {
		return Upgraded{}, &Problem{name, line, 1, err.Error()}
	}
	u := upgrade{renames: renamesIn(fileTypes[kind])}
	if u.doc, err = parseDocument(plain); err != nil {
		return Upgraded{}, decodeProblem(name, err, fileTypes[kind])
	}
	if u.findOld() != nil && plain[len(plain)-1] != '\n' { // so that whole lines can be moved
		if u.doc, err = parseDocument(append(slices.Clip(plain), u.doc.eol...)); err != nil {
			return Upgraded{}, decodeProblem(name, err, fileTypes[kind])
		}
	}
	for o := u.findOld(); o != nil; o = u.findOld() {
		places := newKeyPositions(u.doc.text)
		at := places.position(o.item.start)
		if err := u.replace(o); err != nil || len(u.changes) > maxChanges {
			return Upgraded{}, &Problem{name, at.Line, at.Column, fmt.Sprintf("%s, which cannot be done here; do it by hand", o.rename.message())}
		}
	}
	mark := text[:len(text)-len(plain)] // a byte order mark
	return Upgraded{slices.Concat(mark, u.doc.text), u.changes}, nil
}

// upgrade is a text whose old keys are being replaced.
type upgrade struct {
	renames []rename
	doc     *document
	changes []string
}

// oldKey is a key of an earlier version, or the header of a table of one.
type oldKey struct {
	*rename
	item     *item
	line     *item  // what has the line: the item, or the key whose inline tables it is in
	siblings []item // with which it is in an inline table
	index    int    // its place there
	to       []string
}

// findOld returns the first old key, or nil.
func (u *upgrade) findOld() *oldKey {
	for i := range u.doc.items {
		it := &u.doc.items[i]
		if found := u.findIn(it, oldKey{item: it, line: it}); found != nil {
			return found
		}
	}
	return nil
}

// findIn returns o if its item is an old key, or else the first old key in its inline tables.
func (u *upgrade) findIn(it *item, o oldKey) *oldKey {
	if r := renameOf(u.renames, it.path); r != nil && !(it.isHeader && !r.isTable) {
		o.rename, o.to = r, append(strings.Split(r.to, "."), it.path[strings.Count(r.from, ".")+1:]...)
		return &o
	}
	for i := range it.entries {
		entry := &it.entries[i]
		if found := u.findIn(entry, oldKey{item: entry, line: o.line, siblings: it.entries, index: i}); found != nil {
			return found
		}
	}
	return nil
}

// replace replaces an old key by the new one, or by a comment.
func (u *upgrade) replace(o *oldKey) error {
	from, to := strings.Join(o.item.path, "."), strings.Join(o.to, ".")
	if o.item.isHeader {
		return u.replaceHeader(o, from, to)
	}
	value, _ := lookUp(u.doc.values, o.item.path)
	raw := string(u.doc.text[o.item.value:o.item.end])
	old, isNumber := number(value)
	var err error
	switch _, taken := lookUp(u.doc.values, o.to); {
	case taken:
		err = fmt.Errorf("%s is set too", to)
	case o.convert != nil && !isNumber:
		err = fmt.Errorf("it must be a number")
	case o.convert != nil:
		var share float64
		if share, err = o.convert(old, u.doc.values); err == nil {
			value = share
			raw, err = valueText(share)
		}
	}
	if err == nil {
		rest := withoutValue(u.doc.values, o.item.path)
		if u.try(u.moves(o, raw), withValue(rest, o.to, value), from+" is "+to+" now") {
			return nil
		}
		err = fmt.Errorf("it has no place in this file")
	}
	return u.comment(o, fmt.Sprintf("%s is %s now: %s", from, to, OneLine(err)))
}

// replaceHeader renames a table, with all its keys if no other has the new name, or makes an empty one a comment.
func (u *upgrade) replaceHeader(o *oldKey, from, to string) error {
	table, _ := lookUp(u.doc.values, o.item.path)
	keys, _ := table.(map[string]any)
	if len(withoutEmpty(keys)) == 0 {
		return u.comment(o, from+" is "+to+" now, and is empty here")
	}
	if u.renameTable(o.rename) {
		return nil
	}
	for i := range u.doc.items { // key by key
		if it := &u.doc.items[i]; !it.isHeader && renameOf([]rename{*o.rename}, it.path) != nil {
			return u.replace(u.findIn(it, oldKey{item: it, line: it}))
		}
	}
	return fmt.Errorf("%s has keys that cannot be found", from)
}

// renameTable renames a table wherever it is written, and reports whether that can be done.
func (u *upgrade) renameTable(r *rename) bool {
	from, to := strings.Split(r.from, "."), strings.Split(r.to, ".")
	table, found := lookUp(u.doc.values, from)
	if _, taken := lookUp(u.doc.values, to); !found || taken {
		return false
	}
	var edits []edit
	for i := range u.doc.items {
		if it := &u.doc.items[i]; (it.isHeader || it.tableDepth == 0) && renameOf([]rename{*r}, it.path) != nil {
			edits = append(edits, edit{it.start, it.partEnds[len(from)-1], r.to})
		}
	}
	want := withValue(withoutValue(u.doc.values, from), to, table)
	return u.try([][]edit{edits}, want, r.from+" is "+r.to+" now")
}

// moves returns the edits, from the best on, that put the value of an old key at its new place.
func (u *upgrade) moves(o *oldKey, raw string) (all [][]edit) {
	it := o.item
	if depth := it.tableDepth; len(o.to) > depth && samePath(o.to[:depth], it.path[:depth]) {
		all = append(all, []edit{{it.start, it.partEnds[len(it.partEnds)-1], keyText(o.to[depth:])}, {it.value, it.end, raw}})
	}
	line := keyText(o.to[len(o.to)-1:]) + " = " + raw
	if o.siblings == nil { // with what stands behind it
		line += strings.TrimRight(string(u.doc.text[it.end:u.doc.lineEnd(it.end)]), "\r\n")
	}
	for _, edits := range u.doc.insertions(o.to, line) {
		all = append(all, append(edits, u.removal(o)))
	}
	return all
}

// removal returns the edit that removes an old key.
func (u *upgrade) removal(o *oldKey) edit {
	it, d := o.item, u.doc
	switch {
	case o.siblings == nil:
		return edit{d.lineStart(it.start), d.lineEnd(it.end), ""}
	case o.index+1 < len(o.siblings):
		return edit{it.start, o.siblings[o.index+1].start, ""}
	case o.index > 0:
		return edit{o.siblings[o.index-1].end, it.end, ""}
	}
	return edit{it.start, it.end, ""}
}

// comment makes an old key a comment that says why.
func (u *upgrade) comment(o *oldKey, why string) error {
	d, it := u.doc, o.item
	start, end := d.lineStart(o.line.start), d.lineEnd(o.line.end)
	lines := "# " + strings.ReplaceAll(why, "\n", " ") + d.eol
	var edits []edit
	if o.siblings == nil {
		edits = []edit{{start, end, lines + commented(string(d.text[start:end]))}}
	} else {
		edits = []edit{{start, start, lines + commented(string(d.text[it.start:it.end])+d.eol)}, u.removal(o)}
	}
	if !u.try([][]edit{edits}, withoutValue(d.values, it.path), why) {
		return fmt.Errorf("%s cannot be made a comment", strings.Join(it.path, "."))
	}
	return nil
}

// commented returns lines as comments.
func commented(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		b.WriteString("# " + line)
	}
	return b.String()
}

// try applies the first edits after which the text has the wanted values and all its comments. It reports whether
// there are such edits.
func (u *upgrade) try(candidates [][]edit, want map[string]any, change string) bool {
	for _, edits := range candidates {
		text := u.doc.edited(edits)
		got, err := parseDocument(text)
		if err == nil && sameValues(got.values, want) && keepsComments(u.doc.text, text) {
			u.doc, u.changes = got, append(u.changes, change)
			return true
		}
	}
	return false
}

// CheckText returns an error unless a file with this text can be loaded. It does not load car and circuit of a rig's file. The path
// of a preset in a platform's file starts at its folder.
func CheckText(kind FileKind, path string, text []byte, sections ...Section) error {
	text = userfile.WithoutBOM(text)
	switch kind {
	case CarFile:
		_, err := decodeCar(path, text, readBeside)
		return err
	case CircuitFile:
		return Decode(path, text, &Circuit{Layout: layout.Default(), Ground: DefaultGround(), File: path})
	case PlatformFile:
		c := Default()
		if err := c.applyPresets(bases{}, readBases(text), path); err != nil {
			return locateAtKey(path, text, "motion.preset", err)
		}
		return c.decodePlatform(path, text)
	}
	_, err := decodeRig(path, text, "", sections)
	return err
}

// NamedFile is a file that a rig's file names.
type NamedFile struct {
	Path string
	Kind FileKind
}

// NamedFiles returns the files of car, circuit and platform that the text of a rig's file names, in this order. Files that
// are not TOML, and built-in ones, are not among them.
func NamedFiles(path string, text []byte) (files []NamedFile) {
	var named struct{ Car, Track, Platform any }
	if decodeLenient(text, &named) != nil {
		return nil
	}
	for _, f := range []struct {
		name any
		kind FileKind
	}{{named.Car, CarFile}, {named.Track, CircuitFile}, {named.Platform, PlatformFile}} {
		name, _ := f.name.(string)
		if !isPath(name) || !strings.EqualFold(filepath.Ext(name), ".toml") {
			continue
		}
		if !filepath.IsAbs(name) {
			name = filepath.Join(filepath.Dir(path), name)
		}
		files = append(files, NamedFile{name, f.kind})
	}
	return files
}

// keepsComments reports whether each comment of a text is in another one, too.
func keepsComments(before, after []byte) bool {
	for _, c := range comments(before) {
		if bytes.Count(after, c) < bytes.Count(before, c) {
			return false
		}
	}
	return true
}
