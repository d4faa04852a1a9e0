package tire

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"rig.example/rig/internal/kit/valid"
)

// File is a parsed tire property file (.tir) in the format of TNO and MDI: sections
// in brackets, lines of KEY = value, comments after $ or !. It has every key, also
// those that no model of this package uses.
type File struct {
	Name      string
	Keys      []Key
	Lines     int
	Truncated bool // whether the file ends with a value that is not followed by a line end
}

// maxKeys is how many keys a file may have. Tires have some 300.
const maxKeys = 10_000

// Key is one line KEY = value of a tire property file.
type Key struct {
	Section string // name of the section, in capitals, without brackets
	Name    string // name of the key, in capitals
	Text    string // the value, without quotes
	Number  float64
	Numeric bool // whether the value is a number
	Line    int  // counted from 1
	Column  int  // column of the value, in bytes from 1
}

// Fault is an error in a tire property file, with its place.
type Fault struct {
	File         string
	Line, Column int // counted from 1
	Text         string
}

// Error returns the text after the place of the fault: file:line:column.
func (e *Fault) Error() string { return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, e.Text) }

// ParseFile parses the file format without interpreting any key. name is the file's name in errors, each
// of which is a *Fault.
//
// Lines without a key are skipped: rows of numbers, as below [SHAPE], tables below a header in braces,
// and blocks of comments, which begin with (COMMENTS) and end with the next block.
func ParseFile(name string, data []byte) (*File, error) {
	f := &File{Name: name}
	p := blockState{}
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	for raw := range bytes.Lines(data) {
		f.Lines++
		text := strings.TrimSpace(stripComment(string(raw)))
		if isHeader, err := f.openBlock(text, &p); isHeader || err != nil {
			if err != nil {
				return nil, err
			}
			continue
		}
		key, value, found := strings.Cut(text, "=")
		if text == "" || p.comments || !found && (p.table || isNumberRow(text)) {
			continue
		}
		k, err := f.parseKey(f.Lines, p.section, key, value, found)
		switch {
		case err != nil && raw[len(raw)-1] != '\n':
			return nil, f.fault(f.Lines, 1, "the file ends within this line, with %.40q; get the whole file", text)
		case err != nil:
			return nil, err
		}
		k.Column = valueColumn(string(raw))
		if f.Keys = append(f.Keys, k); len(f.Keys) > maxKeys {
			return nil, f.fault(k.Line, 1, "more than %d keys; a tire has some 300: name another file", maxKeys)
		}
		f.Truncated = strings.HasSuffix(string(raw), text)
	}
	f.Truncated = f.Truncated && f.Keys[len(f.Keys)-1].Line == f.Lines
	return f, nil
}

// blockState is the section and the kind of block in which a line stands.
type blockState struct {
	section         string
	table, comments bool
}

// openBlock reports whether a line is the header of a section in brackets, of a block in parentheses or
// of a table in braces, and updates p if so.
func (f *File) openBlock(text string, p *blockState) (isHeader bool, err error) {
	if text == "" {
		return false, nil
	}
	switch text[0] {
	case '[':
		end := strings.IndexByte(text, ']')
		if end < 0 {
			return true, f.fault(f.Lines, 1, "the section %.40q has no closing bracket; if the file was cut off, get the whole one", text)
		}
		*p = blockState{section: strings.ToUpper(strings.TrimSpace(text[1:end]))}
	case '(':
		p.table, p.comments = true, strings.EqualFold(text, "(COMMENTS)")
	case '{':
		p.table = true
	default:
		return false, nil
	}
	return true, nil
}

// isNumberRow reports whether a line consists of numbers.
func isNumberRow(text string) bool {
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == ' ' || r == '\t' || r == ',' }) {
		if _, ok := parseNumber(word); !ok {
			return false
		}
	}
	return true
}

// valueColumn returns the column at which the value of a line begins, in bytes from 1.
func valueColumn(line string) int {
	after := strings.IndexByte(line, '=') + 1
	rest := line[after:]
	return after + len(rest) - len(strings.TrimLeft(rest, " \t")) + 1
}

// stripComment returns a line without its comment. A quoted value may contain $ and !.
func stripComment(line string) string {
	quoted := false
	for i := range len(line) {
		switch line[i] {
		case '\'':
			quoted = !quoted
		case '$', '!':
			if !quoted {
				return line[:i]
			}
		}
	}
	return line
}

// parseKey returns the key of a line that was cut at "=". found is false for a line without one.
func (f *File) parseKey(line int, section, name, value string, found bool) (Key, error) {
	name, value = strings.ToUpper(strings.TrimSpace(name)), strings.TrimSpace(value)
	switch {
	case !found:
		return Key{}, f.fault(line, 1, "%.40q is not KEY = value; begin a comment with $", name)
	case name == "" || strings.ContainsFunc(name, func(r rune) bool { return r <= ' ' || r > '~' }):
		return Key{}, f.fault(line, 1, "%.40q is not a valid key; write KEY = value", name)
	case section == "":
		return Key{}, f.fault(line, 1, "%.40q is before the first section; begin with [MDI_HEADER] or another", name)
	case value == "":
		return Key{}, f.fault(line, 1, "%.40q has no value; give one or begin the line with $", name)
	}
	k := Key{Section: section, Name: name, Text: strings.Trim(value, `'"`), Line: line}
	k.Number, k.Numeric = parseNumber(k.Text)
	return k, nil
}

// parseNumber parses a number as Go, C and Fortran write it. It reports false for NaN and Inf.
func parseNumber(text string) (float64, bool) {
	v, err := strconv.ParseFloat(strings.Map(func(r rune) rune {
		if r == 'd' || r == 'D' {
			return 'e'
		}
		return r
	}, text), 64)
	return v, err == nil && valid.Finite(v)
}

// fault returns a *Fault at a place of the file.
func (f *File) fault(line, column int, format string, args ...any) error {
	return &Fault{f.Name, line, column, fmt.Sprintf(format, args...)}
}

// firstKey returns the key of the first name that the file has. The names are without underscores. If the
// file has none of them, firstKey returns an empty Key at line 1, column 1, for an error message.
func (f *File) firstKey(names ...string) Key {
	for _, name := range names {
		for _, k := range f.Keys {
			if plainName(k.Name) == name {
				return k
			}
		}
	}
	return Key{Line: 1, Column: 1}
}

// find returns the last key with a name, which is the one that counts, or nil. It ignores underscores
// and [UNITS].
func (f *File) find(name string) *Key {
	for i := len(f.Keys) - 1; i >= 0; i-- {
		if k := &f.Keys[i]; k.Section != "UNITS" && plainName(k.Name) == plainName(name) {
			return k
		}
	}
	return nil
}
