package config

import (
	"errors"
	"fmt"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"rig.example/rig/sim"
)

// override changes parameters of a car by arguments like
// front.spring_rate_n_per_m=34000: keys and values of a car's file, whose texts
// need no quotes. A tire's file is looked for where the program was started.
func override(p *sim.Params, arguments []string) error {
	if len(arguments) == 0 {
		return nil
	}
	data, err := document(arguments, "car's file and its value, as front.spring_rate_n_per_m=34000")
	if err != nil {
		return err
	}
	before := *p
	if err := Decode("--set", data, p); err != nil {
		return inArguments(err, arguments)
	}
	changedTires(&before, p)
	if err := loadTires("--set", data, p, beside); err != nil {
		return inArguments(err, arguments)
	}
	if p.Hull.Mesh == before.Hull.Mesh {
		return nil
	}
	p.Hull.Points = nil // of the mesh before
	return inArguments(loadMesh("--set", data, p, beside), arguments)
}

// document writes a TOML file that has each argument on a line of its own; of says what
// file's keys they are.
func document(arguments []string, of string) ([]byte, error) {
	var doc strings.Builder
	for _, a := range arguments {
		key, value, ok := strings.Cut(a, "=")
		key, value = strings.TrimSpace(key), strings.TrimSpace(value)
		if !ok || key == "" || strings.ContainsAny(a, "\n\r") || strings.HasPrefix(key, "[") {
			return nil, argumentProblem(a, "give a key of the "+of)
		}
		if i := strings.IndexByte(key, '['); i >= 0 {
			return nil, argumentProblem(a, fmt.Sprintf("one entry of a list cannot be set; give the whole list as %s=[...], or change it in the file", key[:i]))
		}
		fmt.Fprintf(&doc, "%s = %s\n", key, literal(value))
	}
	return []byte(doc.String()), nil
}

// literal returns a value as it stands in TOML: what is none yet becomes a text.
func literal(value string) string {
	var v struct{ V any }
	if toml.Unmarshal([]byte("V = "+value+"\n"), &v) == nil {
		return value
	}
	quoted, err := toml.Marshal(map[string]string{"V": value})
	if err != nil {
		return value // the decoder will say what is wrong
	}
	return strings.TrimSpace(strings.TrimPrefix(string(quoted), "V = "))
}

func argumentProblem(argument, text string) error {
	return &Problem{File: fmt.Sprintf("--set %q", argument), Text: text}
}

// inArguments names in each fault the argument instead of its line.
func inArguments(err error, arguments []string) error {
	var all []error
	for _, e := range leaves(err) {
		var p *Problem
		if errors.As(e, &p) && p.File == "--set" {
			line := p.Line
			if len(arguments) == 1 {
				line = 1 // also what shows only elsewhere, as the inertia of another mass
			}
			if p.Line, p.Column = 0, 0; line > 0 && line <= len(arguments) {
				p.File = fmt.Sprintf("--set %q", arguments[line-1])
			}
		}
		all = append(all, e)
	}
	return errors.Join(all...)
}
