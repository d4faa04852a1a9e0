package config

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/pelletier/go-toml/v2"

	"rig.example/rig/sim"
)

// applyArguments changes parameters of a car by arguments such as front.spring_rate_n_per_m=34000: keys and
// values of a car's file; text needs no quotes. read reads the tire and mesh files that they name.
func applyArguments(p *sim.Params, arguments []string, read fileReader) error {
	if len(arguments) == 0 {
		return nil
	}
	data, err := argumentsToTOML(arguments, "car's file and its value, as front.spring_rate_n_per_m=34000")
	if err != nil {
		return err
	}
	before := *p
	if err := Decode(argumentsName, data, p); err != nil {
		return locateInArguments(err, arguments)
	}
	dropChangedTires(&before, p)
	if err := loadTires(argumentsName, data, p, read); err != nil {
		return locateInArguments(err, arguments)
	}
	if p.Hull.Mesh == before.Hull.Mesh {
		return nil
	}
	p.Hull.Points = nil // they belong to the previous mesh
	return locateInArguments(loadMesh(argumentsName, data, p, read), arguments)
}

// argumentsName is the name of a document of arguments. Paths in it are relative to the working folder.
const argumentsName = "--set"

// Set changes c by arguments such as ffb.gain=0.8: keys and values of the configuration; text needs no quotes.
func (c *Config) Set(arguments ...string) error {
	if len(arguments) == 0 {
		return nil
	}
	data, err := argumentsToTOML(arguments, "configuration and its value, as ffb.gain=0.8")
	if err != nil {
		return err
	}
	return locateInArguments(Decode(argumentsName, data, c), arguments)
}

// argumentsToTOML returns a TOML document with one argument on each line; file describes the file whose keys
// they are, and gives an example, for messages.
func argumentsToTOML(arguments []string, file string) ([]byte, error) {
	var doc strings.Builder
	for _, a := range arguments {
		key, value, ok := strings.Cut(a, "=")
		key, value = strings.TrimSpace(key), strings.TrimSpace(value)
		if !ok || key == "" || strings.ContainsAny(a, "\n\r") || strings.HasPrefix(key, "[") {
			return nil, argumentProblem(a, "give a key of the "+file)
		}
		if i := strings.IndexByte(key, '['); i >= 0 {
			return nil, argumentProblem(a, fmt.Sprintf("one entry of a list cannot be set; "+
				"give the whole list as %s=[...], or change it in the file", key[:i]))
		}
		fmt.Fprintf(&doc, "%s = %s\n", key, tomlValue(value))
	}
	return []byte(doc.String()), nil
}

// tomlValue returns value as TOML: unchanged if it is valid, otherwise as a quoted string.
func tomlValue(value string) string {
	var v struct{ V any }
	if toml.Unmarshal([]byte("V = "+value+"\n"), &v) == nil || !utf8.ValidString(value) { // the decoder reports what is wrong
		return value
	}
	return quoted(value)
}

// argumentProblem returns an error about one argument of --set.
func argumentProblem(argument, text string) error {
	return &Problem{File: fmt.Sprintf("--set %q", argument), Text: text}
}

// locateInArguments replaces the line number in each error by the argument that is on this line.
func locateInArguments(err error, arguments []string) error {
	var all []error
	for _, e := range Faults(err) {
		var p *Problem
		if errors.As(e, &p) && p.File == argumentsName {
			line := p.Line
			if len(arguments) == 1 {
				line = 1 // also for an error at another key, such as an inertia that does not fit the new mass
			}
			if p.Line, p.Column = 0, 0; line > 0 && line <= len(arguments) {
				p.File = fmt.Sprintf("--set %q", arguments[line-1])
			}
		}
		all = append(all, e)
	}
	return errors.Join(all...)
}
