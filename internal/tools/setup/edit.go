package setup

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// change is a key of the configuration with its new value.
type change struct {
	key   string // with its tables, such as "motion.port", or "pedals.extra[0].code" in the first of a list
	value any    // string, int, float64, []string, or []change: one more table of the list that key names
}

// String returns the change as a line of a TOML file, for one more table without line ends.
func (c change) String() string {
	if _, isTable := c.value.([]change); isTable {
		return strings.Join(c.lines(), " ")
	}
	return c.key + " = " + literal(c.value)
}

// lines returns one more table of a list as lines of a TOML file.
func (c change) lines() []string {
	list := []string{"[[" + c.key + "]]"}
	keys, _ := c.value.([]change)
	for _, k := range keys {
		list = append(list, k.String())
	}
	return list
}

// hasPrefix reports whether the key begins with prefix.
func (c change) hasPrefix(prefix string) bool { return strings.HasPrefix(c.key, prefix) }

// literal returns a value as TOML.
func literal(value any) string {
	switch v := value.(type) {
	case string:
		return quoted(v)
	case float64:
		text := strconv.FormatFloat(v, 'f', -1, 64)
		if !strings.Contains(text, ".") {
			text += ".0"
		}
		return text
	case []string:
		var list []string
		for _, s := range v {
			list = append(list, quoted(s))
		}
		return "[" + strings.Join(list, ", ") + "]"
	}
	return fmt.Sprint(value)
}

// quoted returns a text in quotes, with the escapes that TOML and JSON share.
func quoted(s string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(s) // cannot fail for a text
	return strings.TrimSpace(strings.ReplaceAll(b.String(), "\x7f", `\u007f`))
}

// edit returns a TOML document with the changes, and everything else as it was: other keys, comments, order. It
// refuses a document in which it cannot do that.
func edit(text []byte, changes []change) ([]byte, error) {
	var want map[string]any
	if err := toml.Unmarshal(text, &want); err != nil {
		return nil, err
	}
	if want == nil {
		want = map[string]any{}
	}
	out := slices.Clone(text)
	var lines []string
	for _, c := range changes {
		lines = append(lines, c.String())
		d, err := readDocument(out)
		if err != nil || !setIn(want, strings.Split(c.key, "."), c.value) {
			return nil, byHand(lines)
		}
		out = d.set(c)
	}
	var got map[string]any
	if err := toml.Unmarshal(out, &got); err != nil || !sameKeys(got, want) {
		return nil, byHand(lines)
	}
	return out, nil
}

// byHand returns the error for a document that must be changed by hand.
func byHand(lines []string) error {
	return errors.New("cannot be changed without disturbing what it says; set there yourself: " + strings.Join(lines, "; "))
}

// has reports whether a document has a key or a table.
func has(text []byte, key string) bool {
	var m map[string]any
	if toml.Unmarshal(text, &m) != nil {
		return false
	}
	path := strings.Split(key, ".")
	for _, name := range path[:len(path)-1] {
		m, _ = m[name].(map[string]any)
	}
	_, found := m[path[len(path)-1]]
	return found
}

// setIn sets a key in nested maps, and reports whether it could.
func setIn(m map[string]any, path []string, value any) bool {
	for _, name := range path[:len(path)-1] {
		if m = innerTable(m, name); m == nil {
			return false
		}
	}
	last := path[len(path)-1]
	keys, isTable := value.([]change)
	if !isTable {
		m[last] = value
		return true
	}
	more := map[string]any{}
	for _, k := range keys {
		more[k.key] = k.value
	}
	list, isList := m[last].([]any)
	m[last] = append(slices.Clone(list), more)
	return isList || len(list) == 0
}

// innerTable returns the table name of m, which it adds if there is none, or one of a list, such as "extra[0]". It
// returns nil if name is something else.
func innerTable(m map[string]any, name string) map[string]any {
	if list, at, found := strings.Cut(strings.TrimSuffix(name, "]"), "["); found {
		tables, _ := m[list].([]any)
		n, err := strconv.Atoi(at)
		if err != nil || n < 0 || n >= len(tables) {
			return nil
		}
		inner, _ := tables[n].(map[string]any)
		return inner
	}
	if m[name] == nil {
		m[name] = map[string]any{}
	}
	inner, _ := m[name].(map[string]any)
	return inner
}

// sameKeys reports whether two documents hold the same keys and values.
func sameKeys(a, b map[string]any) bool { return reflect.DeepEqual(normalized(a), normalized(b)) }

// normalized returns a document's value in the types that all documents have.
func normalized(v any) any {
	text, err := toml.Marshal(map[string]any{"v": v})
	if err != nil {
		return v
	}
	var m map[string]any
	_ = toml.Unmarshal(text, &m) // it was just made
	return m["v"]
}

// document is a TOML document with the places of its keys and tables.
type document struct {
	text    []byte
	entries []entry
	tables  []table
}

// entry is a key with its value. Offsets are in bytes.
type entry struct {
	path       string // with its tables
	table      int    // in document.tables
	value, end int    // where the value begins and ends
}

// table is the table of a document's beginning, which has no name, or one with a heading.
type table struct {
	name  string // with its place if it is one of a list, such as "pedals.extra[0]"
	begin int    // of the heading
	end   int    // of the last line that belongs to it
}

// readDocument finds the keys and tables of a document.
func readDocument(text []byte) (document, error) {
	d := document{text: text, tables: []table{{}}}
	lengths := map[string]int{} // of the lists of tables so far
	var p unstable.Parser
	p.Reset(text)
	for p.NextExpression() {
		n := p.Expression()
		switch n.Kind {
		case unstable.Table, unstable.ArrayTable:
			name, end := keyOf(n)
			if n.Kind == unstable.ArrayTable {
				lengths[name]++
				name = fmt.Sprintf("%s[%d]", name, lengths[name]-1)
			}
			d.tables = append(d.tables, table{name, lineBegin(text, end), lineEnd(text, end)})
		case unstable.KeyValue:
			d.addEntry(n, d.tables[len(d.tables)-1])
		}
	}
	return d, p.Error()
}

// addEntry adds a key, and those of an inline table.
func (d *document) addEntry(n *unstable.Node, in table) {
	name, keyEnd := keyOf(n)
	if in.name != "" {
		name = in.name + "." + name
	}
	end := int(n.Raw.Offset + n.Raw.Length)
	value := keyEnd + bytes.IndexByte(d.text[keyEnd:], '=') + 1
	for d.text[value] == ' ' || d.text[value] == '\t' {
		value++
	}
	last := len(d.tables) - 1
	d.tables[last].end = max(d.tables[last].end, lineEnd(d.text, end))
	d.entries = append(d.entries, entry{name, last, value, end})
	if v := n.Value(); v.Kind == unstable.InlineTable {
		for it := v.Children(); it.Next(); {
			if it.Node().Kind == unstable.KeyValue {
				d.addEntry(it.Node(), table{name: name})
			}
		}
	}
}

// keyOf returns the name of a key or table, and the offset of its end.
func keyOf(n *unstable.Node) (name string, end int) {
	var parts []string
	for it := n.Key(); it.Next(); {
		k := it.Node()
		parts = append(parts, string(k.Data))
		end = int(k.Raw.Offset + k.Raw.Length)
	}
	return strings.Join(parts, "."), end
}

// lineBegin returns the offset of the line that contains at, lineEnd that of the next line.
func lineBegin(text []byte, at int) int { return bytes.LastIndexByte(text[:at], '\n') + 1 }

func lineEnd(text []byte, at int) int {
	if n := bytes.IndexByte(text[at:], '\n'); n >= 0 {
		return at + n + 1
	}
	return len(text)
}

// set returns the document with a change: it replaces the value, or else adds the key where its table is, or else
// adds the table at the end.
func (d *document) set(c change) []byte {
	if _, isTable := c.value.([]change); isTable {
		return d.addLine(len(d.text), d.gap()+strings.Join(c.lines(), d.newline()))
	}
	for _, e := range d.entries {
		if e.path == c.key {
			return slices.Concat(d.text[:e.value], []byte(literal(c.value)), d.text[e.end:])
		}
	}
	dot := strings.LastIndexByte(c.key, '.')
	if dot < 0 {
		return d.addLine(d.firstLine(), c.String())
	}
	parent, last := c.key[:dot], c.key[dot+1:]
	for _, t := range d.tables[1:] {
		if t.name == parent {
			return d.addLine(t.end, change{last, c.value}.String())
		}
	}
	for _, e := range slices.Backward(d.entries) { // the table may consist of dotted keys in another one
		if t := d.tables[e.table]; strings.HasPrefix(e.path, parent+".") && !strings.HasPrefix(t.name, parent+".") {
			return d.addLine(t.end, change{strings.TrimPrefix(c.key, t.name+"."), c.value}.String())
		}
	}
	return d.addLine(len(d.text), d.gap()+"["+parent+"]"+d.newline()+change{last, c.value}.String())
}

// gap returns an empty line for what follows something in the document.
func (d *document) gap() string {
	if len(bytes.TrimSpace(d.text)) == 0 {
		return ""
	}
	return d.newline()
}

// firstLine returns where a key without a table is added: after the last one, or else after the comment with which
// the file begins.
func (d *document) firstLine() int {
	if d.tables[0].end > 0 {
		return d.tables[0].end
	}
	at := 0
	for at < len(d.text) && d.text[at] == '#' {
		at = lineEnd(d.text, at)
	}
	if at < len(d.text) && len(bytes.TrimSpace(d.text[at:lineEnd(d.text, at)])) > 0 {
		return 0 // the comment belongs to what follows it
	}
	return at
}

// addLine returns the document with a line inserted at an offset, which is the begin of a line or the end.
func (d *document) addLine(at int, line string) []byte {
	before := d.text[:at:at]
	if at > 0 && before[at-1] != '\n' {
		before = append(before, d.newline()...)
	}
	return slices.Concat(before, []byte(line+d.newline()), d.text[at:])
}

// newline returns the line end that the document uses.
func (d *document) newline() string {
	if bytes.Contains(d.text, []byte("\r\n")) {
		return "\r\n"
	}
	return "\n"
}
