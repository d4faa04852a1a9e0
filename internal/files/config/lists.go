package config

import (
	"reflect"

	"rig.example/rig/internal/kit/valid"
)

// maxEntries returns the largest number of entries of a list: the length of an array, the upper bound of the
// field's tag count:"0..32", or else 1000. The same limit holds for each list in a list of lists.
func maxEntries(f reflect.StructField) int {
	limit := 1000 // more than people write by hand
	if count, err := valid.ParseRange(f.Tag.Get("count")); err == nil {
		limit = int(count[len(count)-1].High)
	}
	for t := f.Type; ; t = t.Elem() {
		switch t.Kind() {
		case reflect.Array:
			return t.Len()
		case reflect.Slice, reflect.Pointer:
			if t.Kind() == reflect.Slice {
				return limit
			}
		default:
			return limit
		}
	}
}

// sampleOf returns an example of how the entries of a list are written.
func sampleOf(entry reflect.Type) string {
	switch entry.Kind() {
	case reflect.String:
		return `"a", "b"`
	case reflect.Bool:
		return "true, false"
	case reflect.Array, reflect.Slice:
		return "[0, 0], [1, 1]"
	}
	return "0.5, 0.5"
}
