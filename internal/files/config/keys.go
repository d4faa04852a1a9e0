package config

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"
	"unicode"

	"rig.example/rig/internal/kit/valid"
)

// keyType is the type of value that a key of a table takes.
type keyType struct {
	reflect.Type
	maxEntries int // largest number of entries if it is a list
}

// tableKeys returns the type of each TOML key of struct type t. The map is shared and must not be changed.
func tableKeys(t reflect.Type) map[string]keyType {
	if m, ok := tableKeysCache.Load(t); ok {
		return m.(map[string]keyType)
	}
	m := readTableKeys(t)
	tableKeysCache.Store(t, m)
	return m
}

// tableKeysCache maps a reflect.Type to its map of keys: it is needed once for each key of a document.
var tableKeysCache sync.Map

// readTableKeys is tableKeys without the cache.
func readTableKeys(t reflect.Type) map[string]keyType {
	m := map[string]keyType{}
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct {
		return m
	}
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Anonymous { // its keys belong to the same table
			maps.Copy(m, tableKeys(f.Type))
			continue
		}
		if key, _, _ := strings.Cut(f.Tag.Get("toml"), ","); key != "" && key != "-" {
			m[key] = keyType{f.Type, maxEntries(f)}
		}
	}
	return m
}

// lookUpKey returns the type of a key of a table, a struct or a map. Every key of a map is known.
func lookUpKey(t reflect.Type, key string) (keyType, bool) {
	if t.Kind() == reflect.Map {
		return keyType{Type: t.Elem()}, true
	}
	known := tableKeys(t)
	if f, ok := known[key]; ok {
		return f, true
	}
	for name, f := range known { // the decoder ignores case
		if strings.EqualFold(name, key) {
			return f, true
		}
	}
	return keyType{}, false
}

func sortedKeys(t reflect.Type) []string { return slices.Sorted(maps.Keys(tableKeys(t))) }

// nearestKey returns the key of t that key probably is a misspelling of, or "".
func nearestKey(key string, t reflect.Type) string {
	const longest = 64 // longer keys are not compared
	if len(key) > longest {
		return ""
	}
	best, bestDistance := "", len(key)/2+1
	for _, k := range sortedKeys(t) {
		d := valid.EditDistance(key, k)
		if strings.HasPrefix(k, key) || strings.HasPrefix(key, k) {
			d = 1 // the unit at the end is missing or superfluous
		}
		if d < bestDistance {
			best, bestDistance = k, d
		}
	}
	return best
}

// locate returns the errors of a Validate method as Problems, with the position of the key that each
// names. The packages know nothing about files: their messages start with the key, after its section.
func locate(name string, data []byte, err error) error {
	at := places(data)
	var all []error
	for i, e := range Faults(err) {
		p := &Problem{File: name, Text: e.Error()}
		if i >= maxExplained {
			all = append(all, p)
			continue
		}
		if pos, ok := findPosition(at, e.Error()); ok {
			p.Line, p.Column = pos.Line, pos.Column
		}
		all = append(all, p)
	}
	return errors.Join(all...)
}

// Faults splits joined errors: each is one line for the user. A prefix of all of them is repeated before
// each.
func Faults(err error) []error {
	if err == nil {
		return nil
	}
	if inner := errors.Unwrap(err); inner != nil {
		before, whole := strings.CutSuffix(err.Error(), inner.Error())
		if list := Faults(inner); whole && len(list) > 1 {
			for i, e := range list {
				list[i] = fmt.Errorf("%s%w", before, e)
			}
			return list
		}
	}
	if j, ok := err.(interface{ Unwrap() []error }); ok {
		var all []error
		for _, e := range j.Unwrap() {
			all = append(all, Faults(e)...)
		}
		return all
	}
	return []error{err}
}

// findPosition returns the position of the key that a message names, usually by its first word, such as
// pedals.adc[1].gain. If the document does not have the key, it returns the position of its table.
func findPosition(at map[string]place, text string) (place, bool) {
	words := strings.FieldsFunc(text, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("_-.[]", r)
	})
	for i, w := range words {
		w = strings.TrimRight(w, ".")
		for path := w; path != ""; path = parentPath(path) {
			if p, ok := at[path]; ok && (i == 0 || !p.isTable) {
				return p, true
			}
		}
		if p, ok := uniquePosition(at, w); ok {
			return p, true
		}
	}
	return place{}, false
}

// uniquePosition returns the position of a key that occurs in only one section, whichever that is.
func uniquePosition(at map[string]place, leaf string) (found place, ok bool) {
	for key, p := range at {
		if !p.isTable && strings.HasSuffix(key, "."+leaf) {
			if ok {
				return place{}, false
			}
			found, ok = p, true
		}
	}
	return found, ok
}
