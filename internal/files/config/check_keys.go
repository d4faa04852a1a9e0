package config

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// checkDocument reports the keys and tables of a document that its type does not have (the first few with
// the key that was probably meant), lists with too many entries, and numbers that are NaN, Inf or larger
// than maxNumber. The decoder would scan the whole document again for each unknown key, and would drop
// surplus entries silently. Syntax errors are left to the decoder.
func checkDocument(name string, data []byte, known reflect.Type) (f findings) {
	s := documentCheck{keyPositions: newKeyPositions(data), name: name, known: known}
	table, at := keyType{Type: known}, []string(nil)
	for s.p.NextExpression() {
		switch n := s.p.Expression(); n.Kind {
		case unstable.KeyValue:
			s.checkKeyValue(n, at, table)
		case unstable.Table:
			at, table = s.resolveKey(n, nil, keyType{Type: known})
		case unstable.ArrayTable:
			at, table = s.resolveKey(n, nil, keyType{Type: known})
			s.countTable(n, at, table)
		}
	}
	if s.p.Error() != nil {
		return findings{}
	}
	if len(s.longLists) > 0 { // their contents do not matter then
		return findings{keyErrors: errors.Join(s.tooLong()...)}
	}
	return findings{errors.Join(s.unknownKeys...), errors.Join(s.badNumbers...)}
}

// findings holds the errors of a document that its type reveals: unknown keys or too long lists, and numbers
// out of all bounds.
type findings struct{ keyErrors, numberErrors error }

// documentCheck compares the keys of a document with a type.
type documentCheck struct {
	keyPositions
	name        string
	known       reflect.Type
	unknownKeys []error // keys and tables
	badNumbers  []error // numbers
	longLists   []longList
}

// longList is a list with too many entries.
type longList struct {
	name   string
	pos    unstable.Position
	n, max int // n is 0 if it is a list of tables, which are still being counted
}

// tooLong returns an error for each list with too many entries.
func (s *documentCheck) tooLong() (errs []error) {
	for _, l := range s.longLists {
		n := cmp.Or(l.n, s.tables[l.name])
		errs = append(errs, &Problem{s.name, l.pos.Line, l.pos.Column, fmt.Sprintf("%s: has %d entries; give up to %d", l.name, n, l.max)})
	}
	return errs
}

// countTable counts a table of a list, [[name]], and records the list once it is too long.
func (s *documentCheck) countTable(n *unstable.Node, fullKey []string, t keyType) {
	list := s.resolve(fullKey[:len(fullKey)-1])
	if list != "" {
		list += "."
	}
	list += fullKey[len(fullKey)-1]
	if s.tables[list]++; t.Type != nil && s.tables[list] == t.maxEntries+1 {
		_, pos := s.keyPositions.keyParts(n)
		s.longLists = append(s.longLists, longList{list, pos, 0, t.maxEntries})
	}
}

// resolveKey returns the full key of node n in a table of type t, and the type of its value. The type is nil
// if the key is unknown (it is then recorded) or the table takes any key.
func (s *documentCheck) resolveKey(n *unstable.Node, table []string, t keyType) ([]string, keyType) {
	parts, pos := s.keyPositions.keyParts(n)
	fullKey := append(table[:len(table):len(table)], parts...)
	for _, part := range parts {
		within := tableType(t.Type)
		if within == nil {
			return fullKey, keyType{}
		}
		f, ok := lookUpKey(within, part)
		if !ok {
			s.addUnknownKey(fullKey, pos)
			return fullKey, keyType{}
		}
		t = f
	}
	return fullKey, t
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

// checkKeyValue checks a key in a table of type t, and its value.
func (s *documentCheck) checkKeyValue(n *unstable.Node, table []string, t keyType) {
	fullKey, t := s.resolveKey(n, table, t)
	_, pos := s.keyPositions.keyParts(n)
	s.checkValue(n.Value(), fullKey, t, pos)
}

// checkValue checks the keys, list lengths and numbers inside a value of type t.
func (s *documentCheck) checkValue(v *unstable.Node, fullKey []string, t keyType, pos unstable.Position) {
	switch {
	case t.Type == nil:
	case v.Kind == unstable.Integer && integer(t.Type): // cannot be NaN or Inf; the ranges of the keys check the rest
	case v.Kind == unstable.Float || v.Kind == unstable.Integer:
		s.checkNumber(string(v.Data), fullKey, pos)
	case v.Kind == unstable.InlineTable:
		for it := v.Children(); it.Next(); {
			s.checkKeyValue(it.Node(), fullKey, t)
		}
	case v.Kind == unstable.Array && (t.Kind() == reflect.Array || t.Kind() == reflect.Slice):
		entry, n := keyType{t.Elem(), t.maxEntries}, 0
		if entry.Kind() == reflect.Array {
			entry.maxEntries = entry.Len()
		}
		for it := v.Children(); it.Next(); n++ {
			if n < t.maxEntries {
				s.checkValue(it.Node(), fullKey, entry, pos)
			}
		}
		if n > t.maxEntries {
			s.longLists = append(s.longLists, longList{strings.Join(fullKey, "."), pos, n, t.maxEntries})
		}
	}
}

// integer reports whether a type is that of an integer.
func integer(t reflect.Type) bool { return t.Kind() >= reflect.Int && t.Kind() <= reflect.Uint64 }

// maxNumber is larger than any value that a file can sensibly give, and small enough that its products do not
// overflow.
const maxNumber = 1e15

// checkNumber records a literal that is NaN, Inf or larger than maxNumber.
func (s *documentCheck) checkNumber(literal string, fullKey []string, pos unstable.Position) {
	v, err := strconv.ParseFloat(strings.ReplaceAll(literal, "_", ""), 64)
	if errors.Is(err, strconv.ErrSyntax) || math.Abs(v) <= maxNumber { // a syntax error is another notation, such as 0xff
		return
	}
	s.badNumbers = append(s.badNumbers, &Problem{s.name, pos.Line, pos.Column,
		fmt.Sprintf("%s = %g: must be %g to %g", strings.Join(fullKey, "."), v, -maxNumber, maxNumber)})
}

// addUnknownKey records an unknown key; only the first few get a proposal, which takes time.
func (s *documentCheck) addUnknownKey(key []string, pos unstable.Position) {
	text := fmt.Sprintf("unknown key %q", strings.Join(key, "."))
	if len(s.unknownKeys) < maxExplained {
		text = unknownKeyText(key, s.known)
	}
	s.unknownKeys = append(s.unknownKeys, &Problem{s.name, pos.Line, pos.Column, text})
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
