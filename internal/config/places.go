package config

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"
)

// places finds where the keys of a document stand, and the tables of its lists.
type places struct {
	p      unstable.Parser
	at     map[string]unstable.Position
	tables map[string]int // how many of a list were seen
}

// positions finds where each dotted key of a document stands. Tables of lists are
// counted from 0, as part[1], and have a place themselves.
func positions(data []byte) map[string]unstable.Position {
	s := places{at: map[string]unstable.Position{}, tables: map[string]int{}}
	s.p.Reset(data)
	table := ""
	for s.p.NextExpression() {
		n := s.p.Expression()
		switch n.Kind {
		case unstable.Table:
			parts, _ := s.key(n)
			table = s.resolve(parts) + "."
		case unstable.ArrayTable:
			parts, pos := s.key(n)
			last := len(parts) - 1
			list := parts[last]
			if last > 0 {
				list = s.resolve(parts[:last]) + "." + list
			}
			name := fmt.Sprintf("%s[%d]", list, s.tables[list])
			s.tables[list]++
			s.at[name] = pos
			table = name + "."
		case unstable.KeyValue:
			s.value(n, table)
		}
	}
	return s.at
}

// value notes where a key stands, and what is written inside of its value.
func (s *places) value(n *unstable.Node, table string) {
	parts, pos := s.key(n)
	name := table + strings.Join(parts, ".")
	s.at[name] = pos
	if v := n.Value(); v.Kind == unstable.Array {
		i := 0
		for it := v.Children(); it.Next(); i++ {
			s.inline(it.Node(), fmt.Sprintf("%s[%d]", name, i))
		}
	}
}

// inline notes where a table of a list stands that is written in braces.
func (s *places) inline(n *unstable.Node, name string) {
	if n.Kind != unstable.InlineTable {
		return
	}
	for it := n.Children(); it.Next(); {
		if _, pos := s.key(it.Node()); s.at[name] == (unstable.Position{}) {
			s.at[name] = pos
		}
		s.value(it.Node(), name+".")
	}
}

// resolve joins the parts of a table's name; one that is a list means its newest table.
func (s *places) resolve(parts []string) string {
	name := ""
	for i, part := range parts {
		if i > 0 {
			name += "."
		}
		name += part
		if n := s.tables[name]; n > 0 {
			name += fmt.Sprintf("[%d]", n-1)
		}
	}
	return name
}

func (s *places) key(n *unstable.Node) (parts []string, pos unstable.Position) {
	for it := n.Key(); it.Next(); {
		k := it.Node()
		if len(parts) == 0 {
			pos = s.p.Shape(k.Raw).Start
		}
		parts = append(parts, string(k.Data))
	}
	return parts, pos
}

// tableOf finds the table of a list that a fault's text names: as part[1].mass_kg,
// counted from 0, or as "pedals: adc 2: ", counted from 1. rest is what follows.
func tableOf(at map[string]unstable.Position, text string) (table, rest string, ok bool) {
	section, _, _ := strings.Cut(text, ":")
	for w := range strings.FieldsSeq(text) {
		end := strings.LastIndex(w, "].") + 1
		if end == 0 {
			continue
		}
		for _, name := range []string{w[:end], section + "." + w[:end]} {
			if _, ok := at[name]; ok {
				return name, strings.TrimRight(w[end+1:], ":,"), true
			}
		}
	}
	return numbered(at, text)
}

// numbered is tableOf for lists that are counted for people.
func numbered(at map[string]unstable.Position, text string) (table, rest string, ok bool) {
	path, rest := "", text
	for {
		part, after, more := strings.Cut(rest, ": ")
		if !more {
			return "", "", false
		}
		rest = after
		if name, number, two := strings.Cut(part, " "); two {
			n, err := strconv.Atoi(number)
			table = fmt.Sprintf("%s%s[%d]", path, name, n-1)
			_, ok = at[table]
			return table, rest, ok && err == nil
		}
		path += part + "."
	}
}

// inside returns the places inside of a table, by their names there.
func inside(at map[string]unstable.Position, table string) map[string]unstable.Position {
	found := map[string]unstable.Position{}
	for key, pos := range at {
		if name, ok := strings.CutPrefix(key, table+"."); ok {
			found[name] = pos
		}
	}
	return found
}
