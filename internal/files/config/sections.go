package config

import (
	"fmt"
	"maps"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
)

// Section is a part of rig.toml that belongs to one feature. Who reads a configuration says which sections it has: this
// package knows none of them.
type Section struct {
	Tables     Tables   // with their defaults; nothing changes them
	Driver     []string // keys and tables that a driver's profile may set
	Protecting []string // keys and tables that limit what can reach the driver
	Private    bool     // recordings have the defaults
}

// Tables is a pointer to a struct that has a field for each table of a section. Its methods have pointer receivers.
type Tables interface {
	// Validate reports every key that is out of range, each behind the name of its table, and tables that do not fit
	// together.
	Validate() error
}

// withPaths are tables that name files.
type withPaths interface {
	// ResolvePaths makes relative paths start at the folder of the file instead.
	ResolvePaths(folder string)
}

// section is a section of a configuration. What now points to never changes, so that a copied Config is one of its own.
type section struct {
	Section
	now Tables
}

// Get returns the tables of type T of a configuration, or empty ones if it has no such section.
func Get[T any](c *Config) (tables T) {
	for _, s := range c.sections {
		if found, ok := any(s.now).(*T); ok {
			return *found
		}
	}
	return tables
}

// Put replaces the tables of the section that has their type; without such a section it adds one.
func (c *Config) Put(tables Tables) {
	i := slices.IndexFunc(c.sections, func(s section) bool { return reflect.TypeOf(s.now) == reflect.TypeOf(tables) })
	if i < 0 {
		c.sections = append(slices.Clip(c.sections), section{Section{Tables: tables}, tables})
		return
	}
	c.sections = slices.Clone(c.sections)
	c.sections[i].now = tables
}

// DropPrivate puts the defaults in place of what a recording must not have.
func (c *Config) DropPrivate() {
	for _, s := range c.sections {
		if s.Private {
			c.Put(s.Tables)
		}
	}
}

// wholeType returns the type of a struct that embeds Config and the tables of each section, so that all keys of the file
// are those of one type.
func (c *Config) wholeType() reflect.Type {
	fields := []reflect.StructField{{Name: "Config", Type: reflect.TypeFor[Config](), Anonymous: true}}
	for i, s := range c.sections {
		fields = append(fields, reflect.StructField{Name: fmt.Sprint("Section", i), Type: reflect.TypeOf(s.now).Elem(), Anonymous: true})
	}
	for i, key := range c.foreignKeys() {
		fields = append(fields, reflect.StructField{Name: fmt.Sprint("Foreign", i), Type: reflect.TypeFor[any](), Tag: reflect.StructTag("toml:" + strconv.Quote(key))})
	}
	return reflect.StructOf(fields)
}

// foreignKeys returns the keys of the tables that no section has, in their order in wholeType.
func (c *Config) foreignKeys() []string { return slices.Sorted(maps.Keys(c.foreign)) }

// whole returns a pointer to a struct of wholeType with the values of c, but without foreign ones.
func (c *Config) whole() reflect.Value {
	w := reflect.New(c.wholeType())
	w.Elem().Field(0).Set(reflect.ValueOf(*c))
	for i, s := range c.sections {
		w.Elem().Field(i + 1).Set(reflect.ValueOf(s.now).Elem())
	}
	return w
}

// setWhole sets c to the values that whole has returned and a decoder has changed.
func (c *Config) setWhole(w reflect.Value) {
	*c = w.Elem().Field(0).Interface().(Config)
	c.sections = slices.Clone(c.sections)
	for i := range c.sections {
		c.sections[i].now = w.Elem().Field(i + 1).Addr().Interface().(Tables)
	}
}

// decode decodes the text of a file with the keys of c, as Decode does.
func (c *Config) decode(name string, data []byte) error {
	w := c.whole()
	return decodeInto(name, data, w.Interface(), func() error {
		c.setWhole(w)
		return c.Validate()
	})
}

// resolvePaths makes relative paths of sections start at the folder of the file at path.
func (c *Config) resolvePaths(path string) {
	for _, s := range c.sections {
		if named, ok := s.now.(withPaths); ok {
			named.ResolvePaths(filepath.Dir(path))
		}
	}
}

// ParseRecorded returns the configuration of a recording, over the defaults. It keeps tables that it does not know: those of
// features that this program does not have.
func ParseRecorded(name, text string, sections ...Section) (Config, error) {
	c, known := Default(sections...), map[string]any{}
	if err := decodeLenient([]byte(text), &known); err == nil { // else decode says what is wrong
		c.foreign = known
		whole := Default(sections...)
		maps.DeleteFunc(c.foreign, func(key string, value any) bool {
			_, ok := lookUpKey(whole.wholeType(), key)
			return ok || !isTable(value)
		})
	}
	return c, c.decode(name, []byte(text))
}

// isTable reports whether a decoded value is a table or a list of tables.
func isTable(value any) bool {
	list, ok := value.([]any)
	if !ok {
		_, ok = value.(map[string]any)
	}
	return ok && !slices.ContainsFunc(list, func(entry any) bool { return !isTable(entry) })
}
