package config

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"rig.example/rig/internal/source"
)

// Problem is one fault of a file. Line and Column are 0 where the fault has no
// place, as when the file is missing.
type Problem struct {
	File         string
	Line, Column int
	Text         string // what is wrong and what to do
}

func (p *Problem) Error() string {
	if p.Line == 0 {
		return p.File + ": " + p.Text
	}
	return fmt.Sprintf("%s:%d:%d: %s", p.File, p.Line, p.Column, p.Text)
}

// validator is a section that can tell which of its fields are out of range.
type validator interface{ Validate() error }

// readAll returns what a file holds, without a byte order mark.
func readAll(path string) ([]byte, error) {
	data, err := source.Read(path, source.Text)
	if err != nil {
		return nil, &Problem{File: path, Text: fmt.Sprintf("cannot be read: %v", err)}
	}
	return source.WithoutMark(data), nil
}

// peek decodes what v asks for leniently: whoever decodes the whole document says what is wrong
// with it.
func peek(data []byte, v any) error {
	data, _, err := source.TOML(data, source.Keys)
	if err != nil {
		return err
	}
	return toml.Unmarshal(data, v)
}

// shown is how many faults of a document are looked into, as nobody reads more; the others are
// counted.
const shown = 10

// Decode decodes TOML into v, a pointer to a struct that holds the defaults, and
// validates it; every fault comes back as a *Problem. name stands for the file. Documents
// above the limits of source.TOML are refused.
func Decode(name string, data []byte, v validator) error {
	data, line, err := source.TOML(data, source.Keys)
	if err != nil {
		return &Problem{name, line, 1, err.Error()}
	}
	found := surveyed(name, data, reflect.TypeOf(v).Elem())
	if found.keys != nil {
		return found.keys
	}
	dec := toml.NewDecoder(bytes.NewReader(data)).DisallowUnknownFields()
	if err := dec.Decode(v); err != nil {
		return syntax(name, err, reflect.TypeOf(v).Elem())
	}
	if err := v.Validate(); err != nil {
		return locate(name, data, err)
	}
	return found.numbers // that no range holds
}

// syntax turns the decoder's errors into problems.
func syntax(name string, err error, known reflect.Type) error {
	var strict *toml.StrictMissingError
	if errors.As(err, &strict) { // surveyed finds them all before
		row, col := strict.Errors[0].Position()
		return &Problem{name, row, col, unknown(strict.Errors[0].Key(), known)}
	}
	var de *toml.DecodeError
	if errors.As(err, &de) {
		row, col := de.Position()
		text := strings.TrimPrefix(de.Error(), "toml: ")
		if key := de.Key(); len(key) > 0 {
			text = strings.Join(key, ".") + ": " + goTypes.ReplaceAllString(text, "takes no $1") + expected(key, known)
		}
		return &Problem{name, row, col, text}
	}
	return &Problem{File: name, Text: err.Error()}
}

// goTypes is what the decoder says of a value of the wrong type, with names that
// only this program's source has.
var goTypes = regexp.MustCompile(`cannot decode TOML (.+?) into .*`)

// expected tells what kind of value a key takes.
func expected(key toml.Key, known reflect.Type) string {
	t := known
	for _, k := range key {
		f, ok := field(t, k)
		if !ok {
			return ""
		}
		t = f.Type
	}
	switch t.Kind() {
	case reflect.Struct:
		return "; write it as a table, [" + strings.Join(key, ".") + "]"
	case reflect.Array:
		return fmt.Sprintf("; write a list of up to %d, such as [%s]", t.Len(), sampleOf(t.Elem()))
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Struct {
			return "; write it as a table, [[" + strings.Join(key, ".") + "]]"
		}
		if t.Elem().Kind() == reflect.String {
			return `; give a list of texts, such as ["a", "b"]`
		}
		return "; give a list of numbers, such as [0, 1]"
	}
	return kindOf(t)
}

// kindOf tells what a single value has to be.
func kindOf(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Float64:
		return "; give a number, in the unit that the key ends with"
	case reflect.Int, reflect.Int8, reflect.Int32, reflect.Uint, reflect.Uint64:
		return "; give a whole number"
	case reflect.Bool:
		return "; give true or false"
	case reflect.String:
		return `; give a text in "quotes"`
	}
	return ""
}
