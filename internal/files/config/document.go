package config

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"
)

// document is a TOML text with the places of its keys and tables. Offsets are in bytes.
type document struct {
	text    []byte
	entries []entry
	tables  []table        // the first is that of the beginning, which has no name
	lists   map[string]int // number of tables so far of each list, [[name]]
}

// entry is a key with its value.
type entry struct {
	name              string // with its tables, such as "pedals.extra[0].code"
	table             int    // in document.tables
	start, value, end int    // of the key, of its value, and where the value ends
}

// table is a table with a heading.
type table struct {
	name  string // with its place if it is one of a list, such as "pedals.extra[0]"
	start int    // of the name in the heading
	end   int    // of the last line that belongs to it
}

// readDocument finds the keys and tables of a text, up to the first error of syntax.
func readDocument(text []byte) (*document, error) {
	d := &document{text: text, tables: []table{{}}, lists: map[string]int{}}
	var p unstable.Parser
	p.Reset(text)
	for p.NextExpression() {
		switch n := p.Expression(); n.Kind {
		case unstable.Table, unstable.ArrayTable:
			d.addTable(n)
		case unstable.KeyValue:
			d.addEntry(n, d.tables[len(d.tables)-1].name)
		}
	}
	return d, p.Error()
}

// addTable adds the table of a heading.
func (d *document) addTable(n *unstable.Node) {
	parts, start, end := keyOf(n)
	if last := len(parts) - 1; n.Kind == unstable.ArrayTable {
		d.lists[within(d.resolve(parts[:last]), parts[last])]++
	}
	d.tables = append(d.tables, table{d.resolve(parts), start, lineEnd(d.text, end)})
}

// maxName is the length from which a name is no key's, nor a table's: what it holds is left out, or each of its keys
// would keep a name as long.
const maxName = 1 << 10

// addEntry adds a key of a table.
func (d *document) addEntry(n *unstable.Node, in string) {
	parts, start, value := keyOf(n)
	value += bytes.IndexByte(d.text[value:], '=') + 1
	value += len(d.text[value:]) - len(bytes.TrimLeft(d.text[value:], " \t"))
	end := int(n.Raw.Offset + n.Raw.Length)
	last := len(d.tables) - 1
	d.tables[last].end = max(d.tables[last].end, lineEnd(d.text, end))
	if len(in) > maxName {
		return
	}
	name := within(in, parts...)
	if len(name) > maxName {
		return
	}
	d.entries = append(d.entries, entry{name, last, start, value, end})
	switch v := n.Value(); v.Kind {
	case unstable.InlineTable:
		d.addInline(v, name)
	case unstable.Array:
		it := v.Children()
		for i := 0; it.Next(); i++ {
			if it.Node().Kind == unstable.InlineTable {
				d.addInline(it.Node(), fmt.Sprintf("%s[%d]", name, i))
			}
		}
	}
}

// addInline adds the keys of an inline table { … }.
func (d *document) addInline(n *unstable.Node, name string) {
	for it := n.Children(); it.Next(); {
		d.addEntry(it.Node(), name)
	}
}

// keyOf returns the parts of a dotted key, the offset of the first one and that of the end of the last one.
func keyOf(n *unstable.Node) (parts []string, start, end int) {
	for it := n.Key(); it.Next(); {
		k := it.Node()
		if len(parts) == 0 {
			start = int(k.Raw.Offset)
		}
		parts = append(parts, string(k.Data))
		end = int(k.Raw.Offset + k.Raw.Length)
	}
	return parts, start, end
}

// resolve joins the parts of a table's path with dots; the name of a list stands for its last table so far.
func (d *document) resolve(parts []string) (name string) {
	for _, part := range parts {
		name = within(name, part)
		if n := d.lists[name]; n > 0 {
			name += fmt.Sprintf("[%d]", n-1)
		}
	}
	return name
}

// within returns the name of a dotted key in a table.
func within(table string, key ...string) string {
	for _, part := range key {
		if part == "" {
			part = `""`
		}
		if table != "" {
			part = table + "." + part
		}
		table = part
	}
	return table
}

// lineEnd returns the offset of the line after the one that contains at.
func lineEnd(text []byte, at int) int {
	if n := bytes.IndexByte(text[at:], '\n'); n >= 0 {
		return at + n + 1
	}
	return len(text)
}

// place is where a key or a table is in its file.
type place struct {
	unstable.Position
	isTable bool // a table that is no entry of a list
}

// places returns the place of each key and table of a text by its name. A table without a heading begins with its first
// key.
func places(text []byte) map[string]place {
	d, _ := readDocument(text) // what comes before an error of syntax
	lineEnds := []int{}
	for i, c := range text {
		if c == '\n' {
			lineEnds = append(lineEnds, i)
		}
	}
	at := map[string]place{}
	for _, t := range d.tables[1:] {
		at[t.name] = place{position(lineEnds, t.start), !strings.HasSuffix(t.name, "]")}
	}
	for _, e := range d.entries {
		at[e.name] = place{position(lineEnds, e.start), false}
	}
	named := func(name string, start int) {
		for name = parentPath(name); name != ""; name = parentPath(name) {
			if _, known := at[name]; !known {
				at[name] = place{position(lineEnds, start), true}
			}
		}
	}
	for _, e := range d.entries {
		named(e.name, e.start)
	}
	for _, t := range d.tables[1:] {
		named(t.name, t.start)
	}
	return at
}

// position returns the line and column of an offset, by binary search: the parser's own method counts all lines before
// it on every call. lineEnds are the offsets of the line feeds.
func position(lineEnds []int, offset int) unstable.Position {
	line, _ := slices.BinarySearch(lineEnds, offset)
	column := offset + 1
	if line > 0 {
		column = offset - lineEnds[line-1]
	}
	return unstable.Position{Offset: offset, Line: line + 1, Column: column}
}

// parentPath returns the path of the list or table that contains path, or "".
func parentPath(path string) string {
	return path[:max(strings.LastIndexAny(path, ".["), 0)]
}
