package config

import (
	"reflect"
	"strconv"
)

// mostOf is how many entries a list may have: what its field says, as most:"32", or the room
// that there is. Lists of lists have as many in each.
func mostOf(f reflect.StructField) int {
	most := 1000 // more than people write by hand
	if n, err := strconv.Atoi(f.Tag.Get("most")); err == nil {
		most = n
	}
	for t := f.Type; ; t = t.Elem() {
		switch t.Kind() {
		case reflect.Array:
			return t.Len()
		case reflect.Slice, reflect.Pointer:
			if t.Kind() == reflect.Slice {
				return most
			}
		default:
			return most
		}
	}
}

// sampleOf shows how the entries of a list are written.
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
