package config

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// KeyChange is a key of a file with its new value, or one more table of a list.
type KeyChange struct {
	Key   string // with its tables, such as "motion.port", or "pedals.extra[0].code" in the first of a list
	value any    // []KeyChange: the keys of one more table of the list
}

// Set returns the change that gives a key a value.
func Set(key string, value any) KeyChange { return KeyChange{key, value} }

// Append returns the change that appends a table to a list.
func Append(list string, keys ...KeyChange) KeyChange { return KeyChange{list, keys} }

// String returns the change as a line of a file, for one more table without line ends.
func (c KeyChange) String() string { return strings.Join(c.lines(), " ") }

// lines returns the change as lines of a file.
func (c KeyChange) lines() []string {
	keys, isTable := c.value.([]KeyChange)
	if !isTable {
		return []string{c.Key + " = " + literal(c.value)}
	}
	list := []string{"[[" + c.Key + "]]"}
	for _, k := range keys {
		list = append(list, k.String())
	}
	return list
}

// literal returns a value as it is written in a file.
func literal(value any) string {
	switch v := value.(type) {
	case string:
		return quoted(v)
	case []string:
		var list []string
		for _, s := range v {
			list = append(list, quoted(s))
		}
		return "[" + strings.Join(list, ", ") + "]"
	}
	text, _ := toml.Marshal(map[string]any{"v": value}) // Edit refuses what cannot be written
	return strings.TrimSpace(strings.TrimPrefix(string(text), "v = "))
}

// quoted returns a text in quotes, with the escapes that TOML and JSON share.
func quoted(s string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(s) // cannot fail for a text
	return strings.TrimSpace(strings.ReplaceAll(b.String(), "\x7f", `\u007f`))
}

// SetKeys returns a TOML text in which the keys, such as ffb.gain, have these values, as Edit does.
func SetKeys(text []byte, values map[string]any) ([]byte, error) {
	var changes []KeyChange
	for _, key := range slices.Sorted(maps.Keys(values)) {
		changes = append(changes, Set(key, values[key]))
	}
	return Edit(text, changes)
}

// Edit returns a TOML text with the changes, and everything else as it was: other keys, comments, order. It refuses a
// text in which it cannot do that.
func Edit(text []byte, changes []KeyChange) ([]byte, error) {
	want := map[string]any{}
	if err := toml.Unmarshal(text, &want); err != nil {
		return nil, err
	}
	out := slices.Clone(text)
	var lines []string
	for _, c := range changes {
		lines = append(lines, c.String())
		d, err := readDocument(out)
		if err != nil || !setIn(want, strings.Split(c.Key, "."), c.value) {
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

// byHand returns the error for a text that must be changed by hand.
func byHand(lines []string) error {
	return errors.New("cannot be changed without disturbing what it says; set there yourself: " + strings.Join(lines, "; "))
}

// HasKey reports whether a TOML text has a key or a table.
func HasKey(text []byte, key string) bool {
	var values map[string]any
	if toml.Unmarshal(text, &values) != nil {
		return false
	}
	_, found := lookUp(values, strings.Split(key, "."))
	return found
}

// lookUp returns the value at a path of decoded values; the case does not matter.
func lookUp(values map[string]any, path []string) (any, bool) {
	v, found := values[sameName(values, path[0])]
	if !found || len(path) == 1 {
		return v, found
	}
	table, _ := v.(map[string]any)
	return lookUp(table, path[1:])
}

// sameName returns the key of decoded values that differs from name in its case alone, or name if there is none.
func sameName(values map[string]any, name string) string {
	if _, found := values[name]; found {
		return name
	}
	for key := range values {
		if strings.EqualFold(key, name) {
			return key
		}
	}
	return name
}

// setIn sets a key in decoded values, and reports whether it could.
func setIn(values map[string]any, path []string, value any) bool {
	for _, name := range path[:len(path)-1] {
		if values = innerTable(values, name); values == nil {
			return false
		}
	}
	last := sameName(values, path[len(path)-1])
	keys, isTable := value.([]KeyChange)
	if !isTable {
		values[last] = value
		return true
	}
	more := map[string]any{}
	for _, k := range keys {
		more[k.Key] = k.value
	}
	list, isList := values[last].([]any)
	values[last] = append(slices.Clone(list), more)
	return isList || len(list) == 0
}

// innerTable returns the table name of decoded values, which it adds if there is none, or one of a list, such as
// "extra[0]". It returns nil if name is something else.
func innerTable(values map[string]any, name string) map[string]any {
	if list, at, found := strings.Cut(strings.TrimSuffix(name, "]"), "["); found {
		tables, _ := values[sameName(values, list)].([]any)
		n, err := strconv.Atoi(at)
		if err != nil || n < 0 || n >= len(tables) {
			return nil
		}
		inner, _ := tables[n].(map[string]any)
		return inner
	}
	name = sameName(values, name)
	if values[name] == nil {
		values[name] = map[string]any{}
	}
	inner, _ := values[name].(map[string]any)
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

// set returns the text with a change: it replaces the value, or else adds the key where its table is, or else adds the
// table at the end. The case of names does not matter.
func (d *document) set(c KeyChange) []byte {
	if _, isTable := c.value.([]KeyChange); isTable {
		return d.addLine(len(d.text), d.gap()+strings.Join(c.lines(), d.newline()))
	}
	for _, e := range d.entries {
		if strings.EqualFold(e.name, c.Key) {
			return slices.Concat(d.text[:e.value], []byte(literal(c.value)), d.text[e.end:])
		}
	}
	parent := parentPath(c.Key)
	if parent == "" {
		return d.addLine(d.firstLine(), c.String())
	}
	line := Set(c.Key[len(parent)+1:], c.value).String()
	for _, t := range d.tables[1:] {
		if strings.EqualFold(t.name, parent) {
			return d.addLine(t.end, line)
		}
	}
	for _, e := range slices.Backward(d.entries) { // the table may consist of dotted keys in another one
		if t := d.tables[e.table]; isIn(e.name, parent) && !isIn(t.name, parent) {
			key := e.name[:len(parent)] + c.Key[len(parent):]
			return d.addLine(t.end, Set(strings.TrimPrefix(key[len(t.name):], "."), c.value).String())
		}
	}
	return d.addLine(len(d.text), d.gap()+"["+parent+"]"+d.newline()+line)
}

// isIn reports whether name is that of a key or table in a table.
func isIn(name, table string) bool {
	return len(name) > len(table) && name[len(table)] == '.' && strings.EqualFold(name[:len(table)], table)
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
