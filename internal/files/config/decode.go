package config

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"rig.example/rig/internal/kit/userfile"
)

// Problem is an error in a file. Line and Column count from 1; both are 0 if the error has no position,
// as when the file was not found.
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

// validator is a section of a document; Validate reports its fields that are out of range.
type validator interface{ Validate() error }

// readText returns the text of a file of limited size, without a byte order mark.
func readText(path string) ([]byte, error) {
	data, err := userfile.Read(path, userfile.MaxText)
	if err != nil {
		return nil, &Problem{File: path, Text: fmt.Sprintf("cannot be read: %v", err)}
	}
	return userfile.WithoutBOM(data), nil
}

// decodeLenient decodes the keys that v has and ignores all others. Decode reports what is wrong with the
// whole document.
func decodeLenient(data []byte, v any) error {
	data, _, err := userfile.TOML(data, userfile.MaxKeys)
	if err != nil {
		return err
	}
	return toml.Unmarshal(data, v)
}

// maxExplained is the number of errors of a document for which a position or a similar key is searched;
// the others are reported without.
const maxExplained = 10

// Decode decodes TOML into v, a pointer to a struct that holds the defaults, and validates it. It returns
// every error as a *Problem whose File is name. Documents above the limits of userfile.TOML are refused.
func Decode(name string, data []byte, v validator) error {
	if c, ok := v.(*Config); ok {
		return c.decode(name, data)
	}
	return decodeInto(name, data, v, v.Validate)
}

// decodeInto decodes TOML into v, a pointer to a struct, and calls validate.
func decodeInto(name string, data []byte, v any, validate func() error) error {
	data, line, err := userfile.TOML(data, userfile.MaxKeys)
	if err != nil {
		return &Problem{name, line, 1, err.Error()}
	}
	known := reflect.TypeOf(v).Elem()
	faults := checkDocument(name, data, known)
	if faults.keyErrors != nil {
		return faults.keyErrors
	}
	dec := toml.NewDecoder(bytes.NewReader(data)).DisallowUnknownFields()
	if err := dec.Decode(v); err != nil {
		return decodeProblem(name, err, known)
	}
	if err := validate(); err != nil {
		return locate(name, data, err)
	}
	return faults.numberErrors // keys without a range have no other check
}

// decodeProblem turns an error of the TOML decoder into a Problem; known is the type that was decoded.
func decodeProblem(name string, err error, known reflect.Type) error {
	var strict *toml.StrictMissingError
	if errors.As(err, &strict) { // not expected: checkDocument has found them all
		row, col := strict.Errors[0].Position()
		return &Problem{name, row, col, unknownKeyText(strict.Errors[0].Key(), known)}
	}
	var de *toml.DecodeError
	if errors.As(err, &de) {
		row, col := de.Position()
		text := strings.TrimPrefix(de.Error(), "toml: ")
		if key := de.Key(); len(key) > 0 {
			text = strings.Join(key, ".") + ": " + wrongTypeMessage.ReplaceAllString(text, "must not be a TOML $1") + expectedKind(key, known)
		}
		return &Problem{name, row, col, text}
	}
	return &Problem{File: name, Text: err.Error()}
}

// wrongTypeMessage matches the decoder's message about a value of the wrong type. It ends with the name of a Go
// type, which means nothing to a user.
var wrongTypeMessage = regexp.MustCompile(`cannot decode TOML (.+?) into .*`)

// expectedKind returns an instruction for the kind of value that key takes in a document of type known.
func expectedKind(key toml.Key, known reflect.Type) string {
	t := known
	for _, k := range key {
		f, ok := lookUpKey(t, k)
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
	return expectedScalar(t)
}

// expectedScalar returns an instruction for a key that takes a single value.
func expectedScalar(t reflect.Type) string {
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
