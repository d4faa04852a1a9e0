package config

import (
	"fmt"
	"maps"
	"strings"
)

// lookUp returns the value at a path of decoded values; the case does not matter.
func lookUp(values map[string]any, path []string) (any, bool) {
	for key, v := range values {
		if !strings.EqualFold(key, path[0]) {
			continue
		}
		if len(path) == 1 {
			return v, true
		}
		if table, ok := v.(map[string]any); ok {
			if found, ok := lookUp(table, path[1:]); ok {
				return found, true
			}
		}
	}
	return nil, false
}

// withValue returns values of which the one at a path is another.
func withValue(values map[string]any, path []string, value any) map[string]any {
	key := path[0]
	for k := range values {
		if strings.EqualFold(k, key) {
			key = k
		}
	}
	out := maps.Clone(values)
	if out == nil {
		out = map[string]any{}
	}
	if len(path) == 1 {
		out[key] = value
		return out
	}
	table, _ := out[key].(map[string]any)
	out[key] = withValue(table, path[1:], value)
	return out
}

// withoutValue returns values without the one at a path, which is written as in the file.
func withoutValue(values map[string]any, path []string) map[string]any {
	out := maps.Clone(values)
	if len(path) == 1 {
		delete(out, path[0])
		return out
	}
	if table, ok := out[path[0]].(map[string]any); ok {
		out[path[0]] = withoutValue(table, path[1:])
	}
	return out
}

// sameValues reports whether two texts have the same values. Tables without keys do not count.
func sameValues(a, b map[string]any) bool {
	return fmt.Sprintf("%#v", withoutEmpty(a)) == fmt.Sprintf("%#v", withoutEmpty(b))
}

// withoutEmpty returns values without tables that have no keys.
func withoutEmpty(values map[string]any) map[string]any {
	out := map[string]any{}
	for key, v := range values {
		if table, ok := v.(map[string]any); ok {
			if table = withoutEmpty(table); len(table) > 0 {
				out[key] = table
			}
			continue
		}
		out[key] = v
	}
	return out
}
