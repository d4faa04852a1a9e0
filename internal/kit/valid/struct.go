package valid

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
)

// Struct checks the fields of a struct, or of the struct that v points to, against their tags. It
// returns every fault as one error of a joined list, in the order of the fields.
//
// Only fields with a toml key count; those of an embedded struct count as fields of the struct
// around it. The tags are
//
//	range:"0..25"           for a number, or each number of a list or map; see ParseRange
//	range:"0 (off) or 20..500"
//	oneof:"peak,auto"       for a word; an empty entry allows the empty word
//	count:"1..64"           for the number of entries of a list
//	valid:"-"               Struct skips the field, because its check depends on other fields: the
//	                        struct's Validate method calls Fields, Between, AtLeast or AtMost
//
// A nested value is checked by its own Validate method if it has one, and like v otherwise. Struct
// never calls the Validate method of v itself, so that this method can call Struct. A malformed tag
// panics.
func Struct(v any) error {
	return errors.Join(fieldFaults(structOf(v), func(_ string, f reflect.StructField) bool { return f.Tag.Get("valid") != "-" })...)
}

// Fields checks only the fields with the given keys, even those with the tag valid:"-". It panics if the
// struct has no such key.
func Fields(v any, keys ...string) error {
	found := 0
	errs := fieldFaults(structOf(v), func(key string, _ reflect.StructField) bool {
		named := slices.Contains(keys, key)
		if named {
			found++
		}
		return named
	})
	if found != len(keys) {
		panic(fmt.Sprintf("valid: %T has not all of the keys %q", v, keys))
	}
	return errors.Join(errs...)
}

// Between checks the field with the given key against its tags, even if it has the tag valid:"-", and in addition
// that its numbers are low to high, which depend on other values. An error names the range that remains. It
// panics if the struct has no such key.
func Between(v any, key string, low, high float64) error {
	field, value, ok := fieldOf(structOf(v), key)
	if !ok {
		panic(fmt.Sprintf("valid: %T has no key %q", v, key))
	}
	l := limitsOf(field)
	l.numbers = l.numbers.narrowed(low, high)
	return errors.Join(valueFaults(key, value, l)...)
}

// AtLeast is Between without an upper limit other than that of the tag.
func AtLeast(v any, key string, low float64) error { return Between(v, key, low, math.Inf(1)) }

// AtMost is Between without a lower limit other than that of the tag.
func AtMost(v any, key string, high float64) error { return Between(v, key, math.Inf(-1), high) }

// fieldOf returns the field of the struct s, or of one that it embeds, with the given key.
func fieldOf(s reflect.Value, key string) (field reflect.StructField, value reflect.Value, ok bool) {
	for i := range s.NumField() {
		f := s.Type().Field(i)
		if k := Key(f); k == key {
			return f, s.Field(i), true
		} else if f.Anonymous && k == "" {
			if field, value, ok = fieldOf(s.Field(i), key); ok {
				return field, value, true
			}
		}
	}
	return field, value, false
}

// structOf returns the struct that v is or points to, addressable so that methods of its pointer
// can be called.
func structOf(v any) reflect.Value {
	s := reflect.ValueOf(v)
	if s.Kind() == reflect.Pointer {
		return s.Elem()
	}
	p := reflect.New(s.Type()).Elem()
	p.Set(s)
	return p
}

// Key returns the name in a field's toml tag, or "" if it has none.
func Key(f reflect.StructField) string {
	key, _, _ := strings.Cut(f.Tag.Get("toml"), ",")
	if key == "-" {
		return ""
	}
	return key
}

// fieldFaults checks those fields of the struct s for which wanted returns true.
func fieldFaults(s reflect.Value, wanted func(key string, f reflect.StructField) bool) (errs []error) {
	for i := range s.NumField() {
		f, key := s.Type().Field(i), Key(s.Type().Field(i))
		switch {
		case f.Anonymous && key == "":
			if err, ok := ownFaults(s.Field(i)); ok && wanted("", f) {
				errs = append(errs, err)
			} else if !ok {
				errs = append(errs, fieldFaults(s.Field(i), wanted)...)
			}
		case key != "" && wanted(key, f):
			errs = append(errs, valueFaults(key, s.Field(i), limitsOf(f))...)
		}
	}
	return errs
}

// ownFaults returns what v's own Validate reports; ok is false if v has no such method.
func ownFaults(v reflect.Value) (err error, ok bool) {
	if !v.CanAddr() || !v.Addr().CanInterface() {
		return nil, false
	}
	if own, ok := v.Addr().Interface().(interface{ Validate() error }); ok {
		return own.Validate(), true
	}
	return nil, false
}

// limits are the parsed tags of a field. A nil limit allows everything.
type limits struct {
	numbers Range    // tag range
	count   Range    // tag count
	words   []string // tag oneof
}

// limitsOf parses the tags of a field.
func limitsOf(f reflect.StructField) (l limits) {
	if tag, ok := f.Tag.Lookup("range"); ok {
		l.numbers = mustParse(f, tag)
	}
	if tag, ok := f.Tag.Lookup("count"); ok {
		l.count = mustParse(f, tag)
	}
	if tag, ok := f.Tag.Lookup("oneof"); ok {
		l.words = strings.Split(tag, ",")
	}
	return l
}

// mustParse parses a range or count tag of the field f, and panics if it is malformed.
func mustParse(f reflect.StructField, tag string) Range {
	r, err := ParseRange(tag)
	if err != nil {
		panic(fmt.Sprintf("valid: field %s: %v", f.Name, err))
	}
	return r
}

// valueFaults checks the value of a key against l, or by its own Validate method if it has one.
func valueFaults(key string, v reflect.Value, l limits) (errs []error) {
	if n := l.count; n != nil && n.check(key, float64(v.Len())) != nil {
		return []error{fmt.Errorf("%s has %s: must be %s", key, countText(v.Len()), n)}
	}
	if err, ok := ownFaults(v); ok {
		return append(errs, WithPrefix(key, err))
	}
	switch v.Kind() {
	case reflect.Struct:
		return append(errs, WithPrefix(key, errors.Join(fieldFaults(v, func(_ string, f reflect.StructField) bool { return f.Tag.Get("valid") != "-" })...)))
	case reflect.Pointer:
		if !v.IsNil() {
			return valueFaults(key, v.Elem(), limits{l.numbers, nil, l.words})
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			errs = append(errs, valueFaults(fmt.Sprintf("%s[%d]", key, i), v.Index(i), limits{l.numbers, nil, l.words})...)
		}
	case reflect.Map:
		errs = append(errs, entryFaults(key, v, l)...)
	case reflect.String:
		if l.words != nil {
			return append(errs, OneOf(key, v.String(), l.words...))
		}
	default:
		if l.numbers != nil {
			return append(errs, l.numbers.check(key, number(v)))
		}
	}
	return errs
}

// countText returns a number of list entries in words.
func countText(n int) string {
	if n == 1 {
		return "1 entry"
	}
	return fmt.Sprintf("%d entries", n)
}

// entryFaults checks the values of a map, sorted by its keys, which must be strings.
func entryFaults(key string, v reflect.Value, l limits) (errs []error) {
	names := v.MapKeys()
	slices.SortFunc(names, func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) })
	for _, name := range names {
		entry := reflect.New(v.Type().Elem()).Elem()
		entry.Set(v.MapIndex(name))
		errs = append(errs, valueFaults(key+"."+name.String(), entry, limits{l.numbers, nil, l.words})...)
	}
	return errs
}

// number returns the value of an integer or a float as a float64.
func number(v reflect.Value) float64 {
	switch {
	case v.CanFloat():
		return v.Float()
	case v.CanInt():
		return float64(v.Int())
	case v.CanUint():
		return float64(v.Uint())
	}
	panic(fmt.Sprintf("valid: a %s has no range", v.Type()))
}
