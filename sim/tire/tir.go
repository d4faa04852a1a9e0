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
	Name string
	Keys []Key
}

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
// The rows of a table, as below [SHAPE], are passed over: no model here has a
// use for them.
func ParseFile(name string, data []byte) (*File, error) {
	f := &File{Name: name}
	section, table, line := "", false, 0
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	for raw := range bytes.Lines(data) {
		line++
		text := strings.TrimSpace(uncomment(string(raw)))
		switch {
		case text == "":
		case text[0] == '[':
			end := strings.IndexByte(text, ']')
			if end < 0 {
				return nil, f.fault(line, 1, "the section %s has no closing bracket", text)
			}
			section, table = strings.ToUpper(strings.TrimSpace(text[1:end])), false
		case text[0] == '{':
			table = true
		default:
			key, value, found := strings.Cut(text, "=")
			if !found && table {
				continue
			}
			k, err := f.key(line, section, key, value, found)
			if err != nil {
				return nil, err
			}
			k.Column = column(string(raw))
			f.Keys = append(f.Keys, k)
		}
	}
	return f, nil
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
	case name == "" || strings.ContainsAny(name, " \t"):
		return Key{}, f.fault(line, 1, "%.40q is no name of a key; give KEY = value", name)
	case section == "":
		return Key{}, f.fault(line, 1, "%.40s stands before the first section; begin with [MDI_HEADER] or another", name)
	case value == "":
		return Key{}, f.fault(line, 1, "%.40s has no value; give one or begin the line with $", name)
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
