// Package floats finds every float64 of a value, for tests that plant NaN in each place where it could hide.
package floats

import (
	"fmt"
	"reflect"
	"unsafe"
)

// Field is a float64 in a struct or array, however deep it lies and exported or not.
type Field struct {
	Path string // such as "Driveline.Gearbox.Speed" or "Wheels[2].Load"; an embedded struct adds nothing
	At   *float64
}

// In returns the floats of *v in the order of their declaration, and the paths of what In does not look into:
// pointers, slices, maps, interfaces and functions.
func In[T any](v *T) (fields []Field, unseen []string) {
	s := search{}
	s.visit("", reflect.ValueOf(v).Elem())
	return s.fields, s.unseen
}

type search struct {
	fields []Field
	unseen []string
}

func (s *search) visit(path string, v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			s.visit(fieldPath(path, v.Type().Field(i)), v.Field(i))
		}
	case reflect.Array:
		for i := range v.Len() {
			s.visit(fmt.Sprintf("%s[%d]", path, i), v.Index(i))
		}
	case reflect.Float64:
		s.fields = append(s.fields, Field{path, (*float64)(unsafe.Pointer(v.UnsafeAddr()))})
	case reflect.Pointer, reflect.Slice, reflect.Map, reflect.Interface, reflect.Func, reflect.Chan, reflect.UnsafePointer:
		s.unseen = append(s.unseen, path)
	}
}

func fieldPath(parent string, f reflect.StructField) string {
	switch {
	case f.Anonymous:
		return parent
	case parent == "":
		return f.Name
	}
	return parent + "." + f.Name
}
