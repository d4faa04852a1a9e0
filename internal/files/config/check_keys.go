package config

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// checkDocument reports the keys and tables of a document that its type does not have (the first few with
// the key that was probably meant), lists with too many entries, and numbers that are NaN, Inf or larger
// than maxNumber. The decoder would scan the whole document again for each unknown key, and would drop
// surplus entries silently. What is not TOML is left to the decoder.
func checkDocument(name string, data []byte, known reflect.Type) findings {
	var values map[string]any
	if toml.Unmarshal(data, &values) != nil {
		return findings{}
	}
	c := documentCheck{known: known}
	c.checkTable(values, keyPath{}, known)
	if len(c.unknownKeys)+len(c.badNumbers)+len(c.longLists) == 0 {
		return findings{}
	}
	at := places(data)
	if len(c.longLists) > 0 { // their contents do not matter then
		return findings{keyErrors: c.problems(name, c.placedLists(at), at)}
	}
	return findings{c.problems(name, c.unknownKeys, at), c.problems(name, c.badNumbers, at)}
}

// findings holds the errors of a document that its type reveals: unknown keys or too long lists, and numbers
// out of all bounds.
type findings struct{ keyErrors, numberErrors error }

// documentCheck compares the keys of a document with a type.
type documentCheck struct {
	known       reflect.Type
	unknownKeys []fault // keys and tables
	badNumbers  []fault
	longLists   []fault
}

// fault is what is wrong with a key.
type fault struct {
	key   []string
	place string // name of what has the place of the fault
	text  string // "" for an unknown key, whose text takes time
}

// problems returns the errors of faults, in the order of their places. Only the first few unknown keys get a proposal.
func (c *documentCheck) problems(file string, faults []fault, at map[string]place) error {
	slices.SortStableFunc(faults, func(a, b fault) int { return cmp.Compare(at[a.place].Offset, at[b.place].Offset) })
	var errs []error
	for i, f := range faults {
		switch {
		case f.text == "" && i < maxExplained:
			f.text = unknownKeyText(f.key, c.known)
		case f.text == "":
			f.text = fmt.Sprintf("unknown key %q", strings.Join(f.key, "."))
		}
		errs = append(errs, &Problem{file, at[f.place].Line, at[f.place].Column, f.text})
	}
	return errors.Join(errs...)
}

// placedLists returns the lists that are too long, each with the place of its first table too many, or else of its key.
func (c *documentCheck) placedLists(at map[string]place) (lists []fault) {
	for _, l := range c.longLists {
		if p, found := at[l.place]; !found || p.isTable {
			l.place = parentPath(l.place)
		}
		lists = append(lists, l)
	}
	return lists
}

// keyPath is a key with its tables.
type keyPath struct {
	parts []string
	name  string // with the places of tables in lists, such as "pedals.extra[0].code"
}

// in returns the path of a key in the table k.
func (k keyPath) in(key string) keyPath {
	return keyPath{append(slices.Clip(k.parts), key), within(k.name, key)}
}

// entry returns the path of an entry of the list k.
func (k keyPath) entry(n int) keyPath { return keyPath{k.parts, fmt.Sprintf("%s[%d]", k.name, n)} }

// checkTable checks the keys of a table of type t.
func (c *documentCheck) checkTable(values map[string]any, at keyPath, t reflect.Type) {
	for _, name := range slices.Sorted(maps.Keys(values)) {
		key := at.in(name)
		if f, ok := lookUpKey(t, name); ok {
			c.checkValue(values[name], key, f)
		} else {
			c.unknownKeys = append(c.unknownKeys, fault{key.parts, key.name, ""})
		}
	}
}

// checkValue checks the keys, list lengths and numbers of a value of type t.
func (c *documentCheck) checkValue(value any, at keyPath, t keyType) {
	switch v := value.(type) {
	case int64:
		if !integer(t.Type) { // else it cannot be NaN or Inf; the ranges of the keys check the rest
			c.checkNumber(float64(v), at)
		}
	case float64:
		c.checkNumber(v, at)
	case map[string]any:
		if table := tableType(t.Type); table != nil {
			c.checkTable(v, at, table)
		}
	case []any:
		if t.Kind() == reflect.Array || t.Kind() == reflect.Slice {
			c.checkList(v, at, t)
		}
	}
}

// checkList checks the entries of a list of type t, unless there are too many.
func (c *documentCheck) checkList(list []any, at keyPath, t keyType) {
	if len(list) > t.maxEntries {
		text := fmt.Sprintf("%s: has %d entries; give up to %d", at.name, len(list), t.maxEntries)
		c.longLists = append(c.longLists, fault{at.parts, at.entry(t.maxEntries).name, text})
		return
	}
	entry := keyType{t.Elem(), t.maxEntries}
	if entry.Kind() == reflect.Array {
		entry.maxEntries = entry.Len()
	}
	for i, v := range list {
		where := at
		if _, isTable := v.(map[string]any); isTable {
			where = at.entry(i)
		}
		c.checkValue(v, where, entry)
	}
}

// tableType returns t if it is a table, the element type if it is a list of tables, or nil.
func tableType(t reflect.Type) reflect.Type {
	for t != nil {
		switch t.Kind() {
		case reflect.Pointer, reflect.Slice, reflect.Array:
			t = t.Elem()
		case reflect.Struct, reflect.Map:
			return t
		default:
			return nil
		}
	}
	return nil
}

// integer reports whether a type is that of an integer.
func integer(t reflect.Type) bool { return t.Kind() >= reflect.Int && t.Kind() <= reflect.Uint64 }

// maxNumber is larger than any value that a file can sensibly give, and small enough that its products do not
// overflow.
const maxNumber = 1e15

// checkNumber records a number that is NaN, Inf or larger than maxNumber.
func (c *documentCheck) checkNumber(v float64, at keyPath) {
	if !(math.Abs(v) <= maxNumber) {
		key := strings.Join(at.parts, ".")
		c.badNumbers = append(c.badNumbers, fault{at.parts, at.name, fmt.Sprintf("%s = %g: must be %g to %g", key, v, -maxNumber, maxNumber)})
	}
}

// unknownKeyText returns the message for an unknown key, with the key that was probably meant.
func unknownKeyText(key toml.Key, known reflect.Type) string {
	if r := renameOf(renamesIn(known), key); r != nil {
		return r.message()
	}
	table, leaf := known, key[len(key)-1]
	for _, k := range key[:len(key)-1] {
		if f, ok := lookUpKey(table, k); ok {
			table = f.Type
		}
	}
	text := fmt.Sprintf("unknown key %q", strings.Join(key, "."))
	if near := nearestKey(leaf, table); near != "" {
		return text + fmt.Sprintf("; did you mean %q?", near)
	}
	return text + "; known here: " + strings.Join(sortedKeys(table), ", ")
}
