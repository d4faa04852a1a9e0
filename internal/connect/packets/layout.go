package packets

import "reflect"

// layout returns the offsets of the fields of a struct, and its size, as a C compiler lays them out with
// #pragma pack(pack): every field begins at a multiple of its alignment, and the size is one of the largest.
func layout(t reflect.Type, pack int) (offsets []int, size int) {
	for i := range t.NumField() {
		field := t.Field(i).Type
		size = roundUp(size, alignment(field, pack))
		offsets = append(offsets, size)
		size += sizeOf(field, pack)
	}
	return offsets, roundUp(size, alignment(t, pack))
}

func sizeOf(t reflect.Type, pack int) int {
	switch t.Kind() {
	case reflect.Struct:
		_, size := layout(t, pack)
		return size
	case reflect.Array:
		return t.Len() * sizeOf(t.Elem(), pack)
	}
	return int(t.Size())
}

// alignment returns the alignment of a type: its size or pack, whichever is less; that of its elements or of its most
// demanding field if it has any.
func alignment(t reflect.Type, pack int) int {
	switch t.Kind() {
	case reflect.Struct:
		most := 1
		for i := range t.NumField() {
			most = max(most, alignment(t.Field(i).Type, pack))
		}
		return most
	case reflect.Array:
		return alignment(t.Elem(), pack)
	}
	return min(int(t.Size()), pack)
}

func roundUp(n, to int) int { return (n + to - 1) / to * to }
