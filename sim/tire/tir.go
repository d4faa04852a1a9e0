package tire

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// File is a tire property file (.tir) of the TNO and MDI form as it stands:
// sections in brackets, lines of KEY = value, comments after $ or !. Every key
// is kept, also those that no model here knows.
type File struct {
	Name  string
	Keys  []Key
	Lines int
	Cut   bool // whether the file ends with a value and without the end of its line
}

// mostKeys is how many keys a file may have: tires have some 300.
const mostKeys = 10_000

// Key is one line of a tire property file.
type Key struct {
	Section string // in capitals, without brackets
	Name    string // in capitals
	Text    string // the value, without quotes
	Number  float64
	Numeric bool // whether the value is a number
	Line    int  // counted from 1
	Column  int  // of the value, in bytes from 1
}

// Fault is what is wrong in a tire property file, and where.
type Fault struct {
	File         string
	Line, Column int // counted from 1
	Text         string
}

func (e *Fault) Error() string { return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, e.Text) }

// ParseFile reads the form alone; name stands for the file in errors, each a
// *Fault.
//
// What is no key is passed over: rows of numbers, as below [SHAPE], tables below a header in
// braces, and blocks of comments, which begin with (COMMENTS) and end with the next block.
func ParseFile(name string, data []byte) (*File, error) {
	f := &File{Name: name}
	p := block{}
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	for raw := range bytes.Lines(data) {
		f.Lines++
		text := strings.TrimSpace(uncomment(string(raw)))
		if own, err := f.opens(text, &p); own || err != nil {
			if err != nil {
				return nil, err
			}
			continue
		}
		key, value, found := strings.Cut(text, "=")
		if text == "" || p.comments || !found && (p.table || row(text)) {
			continue
		}
		k, err := f.key(f.Lines, p.section, key, value, found)
		switch {
		case err != nil && raw[len(raw)-1] != '\n':
			return nil, f.fault(f.Lines, 1, "the file ends within this line, with %.40q; get the whole file", text)
		case err != nil:
			return nil, err
		}
		k.Column = column(string(raw))
		if f.Keys = append(f.Keys, k); len(f.Keys) > mostKeys {
			return nil, f.fault(k.Line, 1, "more than %d keys; a tire has some 300: name another file", mostKeys)
		}
		f.Cut = strings.HasSuffix(string(raw), text)
	}
	f.Cut = f.Cut && f.Keys[len(f.Keys)-1].Line == f.Lines
	return f, nil
}

// block is where a line of a file stands.
type block struct {
	section         string
	table, comments bool
}

// opens takes over a line that begins a section, a block in parentheses or a table.
func (f *File) opens(text string, p *block) (own bool, err error) {
	if text == "" {
		return false, nil
	}
	switch text[0] {
	case '[':
		end := strings.IndexByte(text, ']')
		if end < 0 {
			return true, f.fault(f.Lines, 1, "the section %.40q has no closing bracket; if the file was cut off, get the whole one", text)
		}
		*p = block{section: strings.ToUpper(strings.TrimSpace(text[1:end]))}
	case '(':
		p.table, p.comments = true, strings.EqualFold(text, "(COMMENTS)")
	case '{':
		p.table = true
	default:
		return false, nil
	}
	return true, nil
}

// row reports whether a line holds numbers alone.
func row(text string) bool {
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == ' ' || r == '\t' || r == ',' }) {
		if _, ok := number(word); !ok {
			return false
		}
	}
	return true
}

// column returns where the value of a line begins.
func column(line string) int {
	after := strings.IndexByte(line, '=') + 1
	rest := line[after:]
	return after + len(rest) - len(strings.TrimLeft(rest, " \t")) + 1
}

// uncomment cuts a line at its comment; a quoted value may hold the signs.
func uncomment(line string) string {
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

func (f *File) key(line int, section, name, value string, found bool) (Key, error) {
	name, value = strings.ToUpper(strings.TrimSpace(name)), strings.TrimSpace(value)
	switch {
	case !found:
		return Key{}, f.fault(line, 1, "%.40q is no KEY = value; begin a comment with $", name)
	case name == "" || strings.ContainsFunc(name, func(r rune) bool { return r <= ' ' || r > '~' }):
		return Key{}, f.fault(line, 1, "%.40q is no name of a key; give KEY = value", name)
	case section == "":
		return Key{}, f.fault(line, 1, "%.40q stands before the first section; begin with [MDI_HEADER] or another", name)
	case value == "":
		return Key{}, f.fault(line, 1, "%.40q has no value; give one or begin the line with $", name)
	}
	k := Key{Section: section, Name: name, Text: strings.Trim(value, `'"`), Line: line}
	k.Number, k.Numeric = number(k.Text)
	return k, nil
}

// number reads a number as Go, C and Fortran write it.
func number(text string) (float64, bool) {
	v, err := strconv.ParseFloat(strings.Map(func(r rune) rune {
		if r == 'd' || r == 'D' {
			return 'e'
		}
		return r
	}, text), 64)
	return v, err == nil && !math.IsNaN(v) && !math.IsInf(v, 0)
}

func (f *File) fault(line, column int, format string, args ...any) error {
	return &Fault{f.Name, line, column, fmt.Sprintf(format, args...)}
}

// place returns the first of some keys that the file has, under their plain names,
// or its first line.
func (f *File) place(names ...string) Key {
	for _, name := range names {
		for _, k := range f.Keys {
			if plain(k.Name) == name {
				return k
			}
		}
	}
	return Key{Line: 1, Column: 1}
}

// find returns the last key of a name, which is the one that counts, or nil;
// underscores do not matter.
func (f *File) find(name string) *Key {
	for i := len(f.Keys) - 1; i >= 0; i-- {
		if k := &f.Keys[i]; k.Section != "UNITS" && plain(k.Name) == plain(name) {
			return k
		}
	}
	return nil
}
