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

// retired tells where the meaning of keys went that rig knew once.
var retired = map[string]string{
	"wheel.shift_up_button":   `"buttons.shift_up" now; move its value there`,
	"wheel.shift_down_button": `"buttons.shift_down" now; move its value there`,
	"ffb.damping_nms_per_rad": `"ffb.rim.damping" now, a share of the wheel's torque; divide its value by that torque in N·m`,
	"seat":                    `the table [geometry] now; rename it, its keys stay`,
	"cueing.roll_gain":        `"cueing.direct.roll_gain" now; move its value there`,
	"cueing.pitch_gain":       `"cueing.direct.pitch_gain" now; move its value there`,
	"cueing.smoothing_s":      `"cueing.direct.smoothing_s" now; move its value there`,
}

// surveyed reports the keys and tables of a document that nothing in a type takes, the first
// few with what was likely meant, lists with more entries than there is room for, and numbers
// that are NaN, Inf or beyond all that can be meant. The decoder looks at the whole document
// again for each such key, and drops such entries without a word. A document with a fault in its
// form is left to it.
func surveyed(name string, data []byte, known reflect.Type) (f findings) {
	s := survey{places: newPlaces(data), name: name, known: known}
	table, at := member{Type: known}, []string(nil)
	for s.p.NextExpression() {
		switch n := s.p.Expression(); n.Kind {
		case unstable.KeyValue:
			s.value(n, at, table)
		case unstable.Table:
			at, table = s.key(n, nil, member{Type: known})
		case unstable.ArrayTable:
			at, table = s.key(n, nil, member{Type: known})
			s.table(n, at, table)
		}
	}
	if s.p.Error() != nil {
		return findings{}
	}
	if len(s.long) > 0 { // then nobody asks what is in them
		return findings{keys: errors.Join(s.tooLong()...)}
	}
	return findings{errors.Join(s.found...), errors.Join(s.wild...)}
}

// findings are the faults of a document, as far as its type tells.
type findings struct{ keys, numbers error }

// survey compares the keys of a document with a type.
type survey struct {
	places
	name  string
	known reflect.Type
	found []error // keys and tables
	wild  []error // numbers
	long  []longList
}

// longList has more entries than there is room for.
type longList struct {
	name    string
	pos     unstable.Position
	n, most int // n is 0 if it is a list of tables, which are still being counted
}

func (s *survey) tooLong() (errs []error) {
	for _, l := range s.long {
		n := cmp.Or(l.n, s.tables[l.name])
		errs = append(errs, &Problem{s.name, l.pos.Line, l.pos.Column, fmt.Sprintf("%s: has %d entries; give up to %d", l.name, n, l.most)})
	}
	return errs
}

// table counts the tables of a list.
func (s *survey) table(n *unstable.Node, whole []string, t member) {
	list := s.resolve(whole[:len(whole)-1])
	if list != "" {
		list += "."
	}
	list += whole[len(whole)-1]
	if s.tables[list]++; t.Type != nil && s.tables[list] == t.most+1 {
		_, pos := s.places.key(n)
		s.long = append(s.long, longList{list, pos, 0, t.most})
	}
}

// key returns the whole name of what stands at a node within a table and what it takes: no
// type is anything, as it was reported or takes all.
func (s *survey) key(n *unstable.Node, table []string, t member) ([]string, member) {
	parts, pos := s.places.key(n)
	whole := append(table[:len(table):len(table)], parts...)
	for _, part := range parts {
		within := tableType(t.Type)
		if within == nil {
			return whole, member{}
		}
		f, ok := field(within, part)
		if !ok {
			s.unknown(whole, pos)
			return whole, member{}
		}
		t = f
	}
	return whole, t
}

// tableType returns the table that a type is or is a list of, or nil.
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

func (s *survey) value(n *unstable.Node, table []string, t member) {
	whole, t := s.key(n, table, t)
	_, pos := s.places.key(n)
	s.inside(n.Value(), whole, t, pos)
}

// inside looks at the keys and lists of a value.
func (s *survey) inside(v *unstable.Node, whole []string, t member, pos unstable.Position) {
	switch {
	case t.Type == nil:
	case v.Kind == unstable.Integer && integer(t.Type): // of 64 bits; their own ranges say the rest
	case v.Kind == unstable.Float || v.Kind == unstable.Integer:
		s.number(string(v.Data), whole, pos)
	case v.Kind == unstable.InlineTable:
		for it := v.Children(); it.Next(); {
			s.value(it.Node(), whole, t)
		}
	case v.Kind == unstable.Array && (t.Kind() == reflect.Array || t.Kind() == reflect.Slice):
		entry, n := member{t.Elem(), t.most}, 0
		if entry.Kind() == reflect.Array {
			entry.most = entry.Len()
		}
		for it := v.Children(); it.Next(); n++ {
			if n < t.most {
				s.inside(it.Node(), whole, entry, pos)
			}
		}
		if n > t.most {
			s.long = append(s.long, longList{strings.Join(whole, "."), pos, n, t.most})
		}
	}
}

// integer reports whether a type is that of an integer.
func integer(t reflect.Type) bool { return t.Kind() >= reflect.Int && t.Kind() <= reflect.Uint64 }

// mostNumber is more than anything that a file describes, and far from where physics leaves
// the numbers.
const mostNumber = 1e15

// number reports a literal that is NaN, Inf or of no use.
func (s *survey) number(literal string, whole []string, pos unstable.Position) {
	v, err := strconv.ParseFloat(strings.ReplaceAll(literal, "_", ""), 64)
	if errors.Is(err, strconv.ErrSyntax) || math.Abs(v) <= mostNumber { // as 0xff
		return
	}
	s.wild = append(s.wild, &Problem{s.name, pos.Line, pos.Column,
		fmt.Sprintf("%s = %g: allowed is %g to %g", strings.Join(whole, "."), v, -mostNumber, mostNumber)})
}

func (s *survey) unknown(key []string, pos unstable.Position) {
	text := fmt.Sprintf("unknown key %q", strings.Join(key, "."))
	if len(s.found) < shown {
		text = unknown(key, s.known)
	}
	s.found = append(s.found, &Problem{s.name, pos.Line, pos.Column, text})
}

// unknown names the key that is not known and the one that was likely meant.
func unknown(key toml.Key, known reflect.Type) string {
	for _, name := range []string{strings.Join(key, "."), key[0]} { // or all of its table
		if now, was := retired[name]; was {
			return fmt.Sprintf("key %q is %s", name, now)
		}
	}
	table, leaf := known, key[len(key)-1]
	for _, k := range key[:len(key)-1] {
		if f, ok := field(table, k); ok {
			table = f.Type
		}
	}
	text := fmt.Sprintf("unknown key %q", strings.Join(key, "."))
	if near := nearest(leaf, table); near != "" {
		return text + fmt.Sprintf("; did you mean %q?", near)
	}
	return text + "; known here: " + strings.Join(sortedKeys(table), ", ")
}
