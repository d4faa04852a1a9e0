package config

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"

	"github.com/pelletier/go-toml/v2"
)

// tooLong reports lists with more entries than there is room for: the decoder drops them
// without a word.
func tooLong(data []byte, known reflect.Type) error {
	var written map[string]any
	if toml.Unmarshal(data, &written) != nil {
		return nil // whoever decodes the file tells what is wrong with it
	}
	return tooLongIn("", written, known.Elem())
}

// tooLongIn looks at a value under its name, and at what is in it.
func tooLongIn(name string, value any, known reflect.Type) error {
	for known.Kind() == reflect.Pointer {
		known = known.Elem()
	}
	var errs []error
	switch v := value.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			if f, ok := field(known, key); ok {
				errs = append(errs, tooLongIn(joined(name, key), v[key], f))
			}
		}
	case []any:
		if known.Kind() != reflect.Array && known.Kind() != reflect.Slice {
			return nil
		}
		if known.Kind() == reflect.Array && len(v) > known.Len() {
			errs = append(errs, fmt.Errorf("%s: has %d entries; give up to %d", name, len(v), known.Len()))
		}
		for i, entry := range v {
			errs = append(errs, tooLongIn(fmt.Sprintf("%s[%d]", name, i), entry, known.Elem()))
		}
	}
	return errors.Join(errs...)
}

func joined(table, key string) string {
	if table == "" {
		return key
	}
	return table + "." + key
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
