//go:build amd64 && !amd64.v3

package rig

import (
	"math"
	"reflect"
)

// digest is a hash of words, made as FNV-1a makes one of bytes, and with the high bits brought down,
// or signs that change twice would not show. NaN is NaN, whatever its bits: they follow the order of
// instructions, and nothing depends on them.
type digest struct{ sum uint64 }

func newDigest() digest { return digest{14695981039346656037} }

func (d *digest) word(w uint64) {
	d.sum = (d.sum ^ w) * 1099511628211
	d.sum ^= d.sum >> 32
}

func (d *digest) floats(list ...float64) {
	for _, f := range list {
		if math.IsNaN(f) {
			f = math.NaN()
		}
		d.word(math.Float64bits(f))
	}
}

func (d *digest) ints(list ...int) {
	for _, i := range list {
		d.word(uint64(i))
	}
}

func (d *digest) flag(on bool) {
	if d.ints(0); on {
		d.ints(1)
	}
}

func (d *digest) text(list ...string) {
	for _, s := range list {
		d.ints(len(s))
		for _, b := range []byte(s) {
			d.word(uint64(b))
		}
	}
}

func (d *digest) bytes(list []byte) {
	for _, b := range list {
		d.word(uint64(b))
	}
	if len(list) > 0 {
		d.word(uint64(len(list)))
	}
}

// value folds all fields of a plain value.
func (d *digest) value(v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			d.value(v.Field(i))
		}
	case reflect.Array:
		for i := range v.Len() {
			d.value(v.Index(i))
		}
	case reflect.Float64:
		d.floats(v.Float())
	case reflect.Bool:
		d.flag(v.Bool())
	case reflect.Uint64:
		d.word(v.Uint())
	default:
		d.ints(int(v.Int()))
	}
}
