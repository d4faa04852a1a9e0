package config

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"
)

// places finds where the keys of a document stand, and the tables of its lists.
type places struct {
	p      unstable.Parser
	breaks []int // offsets of the ends of lines
	at     map[string]unstable.Position
	tables map[string]int // how many of a list were seen
}

func newPlaces(data []byte) places {
	s := places{at: map[string]unstable.Position{}, tables: map[string]int{}}
	s.p.Reset(data)
	for i, c := range data {
		if c == '\n' {
			s.breaks = append(s.breaks, i)
		}
	}
	return s
}

// place returns the line and column of an offset. The parser would count the lines before
// for each.
func (s *places) place(offset int) unstable.Position {
	line, _ := slices.BinarySearch(s.breaks, offset)
	column := offset + 1
	if line > 0 {
		column = offset - s.breaks[line-1]
	}
	return unstable.Position{Offset: offset, Line: line + 1, Column: column}
}

// positions finds where each dotted key of a document stands, and each table: in
// brackets, but tables of lists as part[1], counted from 0.
func positions(data []byte) map[string]unstable.Position {
	s := newPlaces(data)
	table := ""
	for s.p.NextExpression() {
		n := s.p.Expression()
		switch n.Kind {
		case unstable.Table:
			parts, pos := s.key(n)
			name := s.resolve(parts)
			s.at["["+name+"]"] = pos
			table = name + "."
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
			pos = s.place(int(k.Raw.Offset))
		}
		parts = append(parts, string(k.Data))
	}
	return parts, pos
}

// tableOf finds the table that a fault's text names: as part[1].mass_kg, counted from 0,
// or as subtable does. rest is what follows.
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
	return subtable(at, text)
}

// subtable is tableOf for a text that begins with the parts of a table's name, such as
// "pedals: adc 2: ", counted from 1, or "pedals: shape.brake: ".
func subtable(at map[string]unstable.Position, text string) (table, rest string, ok bool) {
	path, rest := "", text
	for {
		part, after, more := strings.Cut(rest, ": ")
		name := indexed(part)
		if path != "" {
			name = path + "." + name
		}
		_, is := header(at, name)
		if is = is && (path != "" || name != part); !more || path != "" && !is {
			return path, rest, ok
		}
		path, rest, ok = name, after, is
	}
}

// indexed turns "adc 2" into adc[1]; other names stay.
func indexed(part string) string {
	name, number, two := strings.Cut(part, " ")
	n, err := strconv.Atoi(number)
	if !two || err != nil {
		return part
	}
	return fmt.Sprintf("%s[%d]", name, n-1)
}

// header is where a table begins.
func header(at map[string]unstable.Position, table string) (unstable.Position, bool) {
	if pos, ok := at["["+table+"]"]; ok {
		return pos, true
	}
	pos, ok := at[table]
	return pos, ok && strings.HasSuffix(table, "]")
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
