package config

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/pelletier/go-toml/v2/unstable"
)

// member is what a key of a table takes.
type member struct {
	reflect.Type
	most int // entries, if it is a list
}

// fields maps the TOML keys of a struct to the types behind them. What it returns is shared
// and must not be changed.
func fields(t reflect.Type) map[string]member {
	if m, ok := fieldsOf.Load(t); ok {
		return m.(map[string]member)
	}
	m := readFields(t)
	fieldsOf.Store(t, m)
	return m
}

// fieldsOf keeps the fields of the types that were asked for: documents ask once a key.
var fieldsOf sync.Map

func readFields(t reflect.Type) map[string]member {
	m := map[string]member{}
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct {
		return m
	}
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Anonymous { // its keys stand among those around it
			maps.Copy(m, fields(f.Type))
			continue
		}
		if key, _, _ := strings.Cut(f.Tag.Get("toml"), ","); key != "" && key != "-" {
			m[key] = member{f.Type, mostOf(f)}
		}
	}
	return m
}

// field returns what a key of a table takes, whose keys may be the user's own.
func field(t reflect.Type, key string) (member, bool) {
	if t.Kind() == reflect.Map {
		return member{Type: t.Elem()}, true
	}
	known := fields(t)
	if f, ok := known[key]; ok {
		return f, true
	}
	for name, f := range known { // the decoder does not mind capitals
		if strings.EqualFold(name, key) {
			return f, true
		}
	}
	return member{}, false
}

func sortedKeys(t reflect.Type) []string { return slices.Sorted(maps.Keys(fields(t))) }

// nearest finds the known key that key is likely a slip of, or none.
func nearest(key string, t reflect.Type) string {
	const longest = 64 // of a slip of the hand
	if len(key) > longest {
		return ""
	}
	best, at := "", len(key)/2+1
	for _, k := range sortedKeys(t) {
		d := distance(key, k)
		if strings.HasPrefix(k, key) || strings.HasPrefix(key, k) {
			d = 1 // a unit forgotten or added
		}
		if d < at {
			best, at = k, d
		}
	}
	return best
}

// distance is Levenshtein's: the edits that turn a into b.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

// locate gives each fault that a Validate found the place of its key.
//
// A fault names its key in its text, after its section as prefix: that is how
// the packages report, so that they need not know about files.
func locate(name string, data []byte, err error) error {
	at := positions(data)
	var all []error
	for i, e := range leaves(err) {
		p := &Problem{File: name, Text: e.Error()}
		if i >= shown {
			all = append(all, p)
			continue
		}
		if pos, ok := find(at, e.Error()); ok {
			p.Line, p.Column = pos.Line, pos.Column
		}
		all = append(all, p)
	}
	return errors.Join(all...)
}

// Faults takes joined errors apart: one is one line for the user.
func Faults(err error) []error { return leaves(err) }

// leaves takes joined errors apart; what was put before all of them stays before each.
func leaves(err error) []error {
	if err == nil {
		return nil
	}
	if inner := errors.Unwrap(err); inner != nil {
		before, whole := strings.CutSuffix(err.Error(), inner.Error())
		if list := leaves(inner); whole && len(list) > 1 {
			for i, e := range list {
				list[i] = fmt.Errorf("%s%w", before, e)
			}
			return list
		}
	}
	if j, ok := err.(interface{ Unwrap() []error }); ok {
		var all []error
		for _, e := range j.Unwrap() {
			all = append(all, leaves(e)...)
		}
		return all
	}
	return []error{err}
}

// find looks for the key that a fault's text names; where several sections
// have it, the section that the text starts with decides.
func find(at map[string]unstable.Position, text string) (unstable.Position, bool) {
	if table, rest, ok := tableOf(at, text); ok {
		if pos, ok := find(inside(at, table), rest); ok {
			return pos, true
		}
		return header(at, table) // of what is not written there, such as a default
	}
	section, _, _ := strings.Cut(text, ":")
	words := strings.FieldsFunc(text, func(r rune) bool {
		return r != '_' && r != '.' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
	})
	for _, w := range words {
		w = strings.Trim(w, ".")
		if pos, ok := at[section+"."+w]; ok {
			return pos, true
		}
		if pos, ok := at[w]; ok {
			return pos, true
		}
		if pos, ok := only(at, w); ok {
			return pos, true
		}
		if table := strings.LastIndexByte(w, '.'); table > 0 { // written as one value, as pit.from
			if pos, ok := at[w[:table]]; ok {
				return pos, true
			}
		}
	}
	return unstable.Position{}, false
}

// only finds the one place where a key stands, whatever its section.
func only(at map[string]unstable.Position, leaf string) (pos unstable.Position, ok bool) {
	for key, p := range at {
		if strings.HasSuffix(key, "."+leaf) {
			if ok {
				return unstable.Position{}, false
			}
			pos, ok = p, true
		}
	}
	return pos, ok
}
