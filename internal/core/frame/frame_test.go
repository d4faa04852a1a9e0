package frame

import (
	"reflect"
	"testing"
)

func TestFrameIsMadeOfWords(t *testing.T) {
	var walk func(ty reflect.Type)
	walk = func(ty reflect.Type) {
		switch ty.Kind() {
		case reflect.Struct:
			for i := range ty.NumField() {
				walk(ty.Field(i).Type)
			}
		case reflect.Array:
			walk(ty.Elem())
		case reflect.Float64, reflect.Uint64, reflect.Int64:
		default:
			t.Errorf("%v is not one 8-byte word", ty)
		}
	}
	walk(reflect.TypeFor[Frame]())
	walk(reflect.TypeFor[Replay]())
}

func TestGearNames(t *testing.T) {
	for gear, want := range map[int64]string{-1: "R", 0: "N", 1: "1", 6: "6"} {
		if got := GearName(gear); got != want {
			t.Errorf("gear %d: %q, want %q", gear, got, want)
		}
	}
}
