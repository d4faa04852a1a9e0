package config

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// document is a TOML text and the places of its keys, for changes that leave all the rest as it is.
type document struct {
	text   []byte
	eol    string         // end of a line, as the text has it
	values map[string]any // what it decodes to
	items  []item         // keys and tables, in order; none within lists of tables
}

// item is a key with its value, or the header of a table. Offsets are in bytes.
type item struct {
	isHeader   bool
	path       []string // whole
	tableDepth int      // number of parts of path that the key's table has
	start, end int      // of key and value, or of the parts of the header's key
	value      int      // where the value begins
	partEnds   []int    // end of each part of the key
	entries    []item   // of an inline table
}

// parseDocument returns the places of all keys of a valid text.
func parseDocument(text []byte) (*document, error) {
	d := &document{text: text, eol: "\n", values: map[string]any{}}
	if i := bytes.IndexByte(text, '\n'); i > 0 && text[i-1] == '\r' {
		d.eol = "\r\n"
	}
	if err := toml.Unmarshal(text, &d.values); err != nil {
		return nil, err
	}
	var p unstable.Parser
	p.Reset(text)
	var table []string
	lists, inList := map[string]bool{}, false
	for p.NextExpression() {
		n := p.Expression()
		switch n.Kind {
		case unstable.ArrayTable:
			lists[pathName(d.newItem(n, nil).path)], inList = true, true
		case unstable.Table:
			header := d.newItem(n, nil)
			header.isHeader = true
			table, inList = header.path, isInList(lists, header.path)
			if !inList {
				d.items = append(d.items, header)
			}
		case unstable.KeyValue:
			if !inList {
				d.items = append(d.items, d.newItem(n, table))
			}
		}
	}
	return d, p.Error()
}

// isInList reports whether a path leads through a list of tables.
func isInList(lists map[string]bool, path []string) bool {
	for i := range path {
		if lists[pathName(path[:i+1])] {
			return true
		}
	}
	return false
}

// newItem returns the item of a key or a header in a table.
func (d *document) newItem(n *unstable.Node, table []string) item {
	it := item{path: slices.Clone(table), tableDepth: len(table)}
	for k := n.Key(); k.Next(); {
		raw := k.Node().Raw
		if len(it.partEnds) == 0 {
			it.start = int(raw.Offset)
		}
		it.end = int(raw.Offset + raw.Length)
		it.partEnds = append(it.partEnds, it.end)
		it.path = append(it.path, string(k.Node().Data))
	}
	if n.Kind != unstable.KeyValue {
		return it
	}
	it.value = it.end + bytes.IndexByte(d.text[it.end:], '=') + 1
	it.value += len(d.text[it.value:]) - len(bytes.TrimLeft(d.text[it.value:], " \t"))
	it.end = int(n.Raw.Offset + n.Raw.Length)
	if n.Value().Kind == unstable.InlineTable {
		for c := n.Value().Children(); c.Next(); {
			if c.Node().Kind == unstable.KeyValue {
				it.entries = append(it.entries, d.newItem(c.Node(), it.path))
			}
		}
	}
	return it
}

// lineStart returns the offset of the start of the line that has an offset.
func (d *document) lineStart(offset int) int { return bytes.LastIndexByte(d.text[:offset], '\n') + 1 }

// lineEnd returns the offset behind the end of the line that has an offset.
func (d *document) lineEnd(offset int) int {
	if i := bytes.IndexByte(d.text[offset:], '\n'); i >= 0 {
		return offset + i + 1
	}
	return len(d.text)
}

// edit replaces a part of a text.
type edit struct {
	start, end int
	text       string
}

// edited returns the text after edits that do not overlap.
func (d *document) edited(edits []edit) []byte {
	edits = slices.Clone(edits)
	slices.SortStableFunc(edits, func(a, b edit) int { return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(a.end, b.end)) })
	var out []byte
	at := 0
	for _, e := range edits {
		if e.start < at { // it lies within another
			continue
		}
		out = append(append(out, d.text[at:e.start]...), e.text...)
		at = e.end
	}
	return append(out, d.text[at:]...)
}

// insertions returns the edits, from the best on, that put a line with a key below a path into the text.
func (d *document) insertions(path []string, line string) (all [][]edit) {
	table := path[:len(path)-1]
	for i, it := range d.items {
		if it.isHeader && samePath(it.path, table) {
			last := it
			for _, next := range d.items[i+1:] {
				if next.isHeader {
					break
				}
				last = next
			}
			all = append(all, []edit{d.insertion(d.lineEnd(last.end), line)})
		}
	}
	if len(table) == 0 {
		return append(all, []edit{{0, 0, line + d.eol}})
	}
	header := "[" + keyText(table) + "]" + d.eol + line
	if len(bytes.TrimSpace(d.text)) > 0 {
		header = d.eol + header
	}
	return append(all, []edit{d.insertion(len(d.text), header)})
}

// insertion returns an edit that inserts lines at the start of a line or the end of the text.
func (d *document) insertion(at int, lines string) edit {
	if at > 0 && d.text[at-1] != '\n' {
		lines = d.eol + lines
	}
	return edit{at, at, lines + d.eol}
}

// SetKeys returns a TOML text in which the keys, such as ffb.gain, have these values. All else stays as it is, comments
// included.
func SetKeys(text []byte, values map[string]any) ([]byte, error) {
	for _, key := range slices.Sorted(maps.Keys(values)) {
		d, err := parseDocument(text)
		if err != nil {
			return nil, err
		}
		if text, err = d.set(strings.Split(key, "."), values[key]); err != nil {
			return nil, fmt.Errorf("%s: %w", key, err)
		}
	}
	return text, nil
}

// set returns the text in which a key has a value.
func (d *document) set(path []string, value any) ([]byte, error) {
	raw, err := valueText(value)
	if err != nil {
		return nil, err
	}
	candidates := d.insertions(path, keyText(path[len(path)-1:])+" = "+raw)
	if it := findItem(d.items, path); it != nil {
		candidates = [][]edit{{{it.value, it.end, raw}}}
	}
	want := withValue(d.values, path, value)
	for _, edits := range candidates {
		text := d.edited(edits)
		if got, err := parseDocument(text); err == nil && sameValues(got.values, want) {
			return text, nil
		}
	}
	return nil, fmt.Errorf("it has no place in the file; write it by hand")
}

// findItem returns the key with this path, also that of an inline table, or nil.
func findItem(items []item, path []string) *item {
	for i := range items {
		if it := &items[i]; !it.isHeader && samePath(it.path, path) {
			return it
		} else if found := findItem(it.entries, path); found != nil {
			return found
		}
	}
	return nil
}

// samePath reports whether two paths name the same key; the case does not matter.
func samePath(a, b []string) bool { return slices.EqualFunc(a, b, strings.EqualFold) }

// pathName returns a path as a key of a map.
func pathName(path []string) string { return strings.Join(path, "\x00") }

// keyText returns a path as it is written in a file.
func keyText(path []string) string {
	var parts []string
	for _, part := range path {
		if part == "" || strings.ContainsFunc(part, func(r rune) bool {
			return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '_' && r != '-'
		}) {
			part, _ = valueText(part) // a text can always be written
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, ".")
}

// valueText returns a value as it is written in a file.
func valueText(value any) (string, error) {
	text, err := toml.Marshal(map[string]any{"v": value})
	return strings.TrimSpace(strings.TrimPrefix(string(text), "v = ")), err
}

// comments returns all comments of a text, with their #.
func comments(text []byte) (all [][]byte) {
	p := unstable.Parser{KeepComments: true}
	p.Reset(text)
	for p.NextExpression() {
		all = appendComments(all, p.Expression())
	}
	return all
}

// appendComments appends the comments of a node, of those below it and of those that follow it.
func appendComments(all [][]byte, n *unstable.Node) [][]byte {
	for ; n.Valid(); n = n.Next() {
		if n.Kind == unstable.Comment {
			all = append(all, n.Data)
		}
		all = appendComments(all, n.Child())
	}
	return all
}
