package config

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"
)

// keyPositions records the position of each key of a document, and counts the tables of its lists.
type keyPositions struct {
	p        unstable.Parser
	lineEnds []int                        // offsets of the line feeds
	at       map[string]unstable.Position // position of each key and table, by its path
	tables   map[string]int               // number of tables so far for each list, [[name]]
}

func newKeyPositions(data []byte) keyPositions {
	s := keyPositions{at: map[string]unstable.Position{}, tables: map[string]int{}}
	s.p.Reset(data)
	for i, c := range data {
		if c == '\n' {
			s.lineEnds = append(s.lineEnds, i)
		}
	}
	return s
}

// position returns the line and column of an offset, by binary search: the parser's own method counts all
// lines before it on every call.
func (s *keyPositions) position(offset int) unstable.Position {
	line, _ := slices.BinarySearch(s.lineEnds, offset)
	column := offset + 1
	if line > 0 {
		column = offset - s.lineEnds[line-1]
	}
	return unstable.Position{Offset: offset, Line: line + 1, Column: column}
}

// positions returns the position of each key of a document, by its dotted path, and of each table: a plain
// table as "[name]", a table of a list as "name[1]", counted from 0.
func positions(data []byte) map[string]unstable.Position {
	s := newKeyPositions(data)
	prefix := ""
	for s.p.NextExpression() {
		n := s.p.Expression()
		switch n.Kind {
		case unstable.Table:
			parts, pos := s.keyParts(n)
			name := s.resolve(parts)
			s.at["["+name+"]"] = pos
			prefix = name + "."
		case unstable.ArrayTable:
			parts, pos := s.keyParts(n)
			last := len(parts) - 1
			list := parts[last]
			if last > 0 {
				list = s.resolve(parts[:last]) + "." + list
			}
			name := fmt.Sprintf("%s[%d]", list, s.tables[list])
			s.tables[list]++
			s.at[name] = pos
			prefix = name + "."
		case unstable.KeyValue:
			s.recordKeyValue(n, prefix)
		}
	}
	return s.at
}

// recordKeyValue records the position of a key, and of the keys of inline tables in its list.
func (s *keyPositions) recordKeyValue(n *unstable.Node, prefix string) {
	parts, pos := s.keyParts(n)
	name := prefix + strings.Join(parts, ".")
	s.at[name] = pos
	if v := n.Value(); v.Kind == unstable.Array {
		i := 0
		for it := v.Children(); it.Next(); i++ {
			s.recordInlineTable(it.Node(), fmt.Sprintf("%s[%d]", name, i))
		}
	}
}

// recordInlineTable records the positions of the keys of an entry { … } of a list.
func (s *keyPositions) recordInlineTable(n *unstable.Node, name string) {
	if n.Kind != unstable.InlineTable {
		return
	}
	for it := n.Children(); it.Next(); {
		if _, pos := s.keyParts(it.Node()); s.at[name] == (unstable.Position{}) {
			s.at[name] = pos
		}
		s.recordKeyValue(it.Node(), name+".")
	}
}

// resolve joins the parts of a table's path with dots; the name of a list stands for its last table so far.
func (s *keyPositions) resolve(parts []string) string {
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

// keyParts returns the parts of a dotted key, and the position of the first one.
func (s *keyPositions) keyParts(n *unstable.Node) (parts []string, pos unstable.Position) {
	for it := n.Key(); it.Next(); {
		k := it.Node()
		if len(parts) == 0 {
			pos = s.position(int(k.Raw.Offset))
		}
		parts = append(parts, string(k.Data))
	}
	return parts, pos
}
