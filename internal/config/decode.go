package config

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"rig/internal/source"
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

func readAll(path string) ([]byte, error) {
	data, err := source.Read(path, source.Text)
	if err != nil {
		return nil, &Problem{File: path, Text: fmt.Sprintf("cannot be read: %v", err)}
	}
	return data, nil
}

// Decode decodes TOML into v, a pointer to a struct that holds the defaults, and
// validates it; every fault comes back as a *Problem. name stands for the file.
func Decode(name string, data []byte, v validator) error {
	dec := toml.NewDecoder(bytes.NewReader(data)).DisallowUnknownFields()
	if err := dec.Decode(v); err != nil {
		return syntax(name, err, reflect.TypeOf(v).Elem())
	}
	if err := errors.Join(tooLong(data, reflect.TypeOf(v)), v.Validate()); err != nil {
		return locate(name, data, err)
	}
	return nil
}

// syntax turns the decoder's errors into problems.
func syntax(name string, err error, known reflect.Type) error {
	var strict *toml.StrictMissingError
	if errors.As(err, &strict) {
		var all []error
		for i := range strict.Errors {
			e := &strict.Errors[i]
			row, col := e.Position()
			all = append(all, &Problem{name, row, col, unknown(e.Key(), known)})
		}
		return errors.Join(all...)
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
			table = f
		}
	}
	text := fmt.Sprintf("unknown key %q", strings.Join(key, "."))
	if near := nearest(leaf, table); near != "" {
		return text + fmt.Sprintf("; did you mean %q?", near)
	}
	return text + "; known here: " + strings.Join(sortedKeys(table), ", ")
}

// expected tells what kind of value a key takes.
func expected(key toml.Key, known reflect.Type) string {
	t := known
	for _, k := range key {
		f, ok := field(t, k)
		if !ok {
			return ""
		}
		t = f
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
