// Package packets has the layouts of packets that games send, and that package telemetry sends as games do.
//
// Each format is a struct of fields in the format's own axes and units. ParseOutSim and its like fill it from the bytes of
// one packet, for `rig follow`, and Append is the inverse, for telemetry. Motion says the same with directions that every
// format shares, and Motion.Words says that in words. The structs are written from the public descriptions of the formats,
// which each type names; tests have the places of fields from there, byte by byte.
package packets

import (
	"encoding/binary"
	"fmt"
	"math"
	"reflect"

	"rig.example/rig/internal/kit/valid"
)

// decode fills the struct that v points to from b, little-endian: its fields follow each other without gaps. It returns an
// error unless b has exactly the size of the struct, every float is a number and every bool is 0 or 1.
func decode(format string, b []byte, v any) error {
	if size := binary.Size(v); len(b) != size {
		return fmt.Errorf("packets: %s: %d bytes, must be %d", format, len(b), size)
	}
	if _, err := fill(reflect.ValueOf(v).Elem(), b); err != nil {
		return fmt.Errorf("packets: %s: %w", format, err)
	}
	return nil
}

// fill sets v from the bytes at the beginning of b, and returns those behind them.
func fill(v reflect.Value, b []byte) (rest []byte, err error) {
	size := int(v.Type().Size())
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if b, err = fill(v.Field(i), b); err != nil {
				return b, fmt.Errorf("%s: %w", v.Type().Field(i).Name, err)
			}
		}
		return b, nil
	case reflect.Array:
		return fillArray(v, b)
	case reflect.Float32, reflect.Float64:
		f := math.Float64frombits(unsigned(b, size))
		if size == 4 {
			f = float64(math.Float32frombits(uint32(unsigned(b, size))))
		}
		if !valid.Finite(f) {
			return b, fmt.Errorf("%g: must not be NaN or Inf", f)
		}
		v.SetFloat(f)
	case reflect.Bool:
		if b[0] > 1 {
			return b, fmt.Errorf("%d is no bool: must be 0 or 1", b[0])
		}
		v.SetBool(b[0] == 1)
	case reflect.Int8, reflect.Int32:
		unused := 64 - 8*size
		v.SetInt(int64(unsigned(b, size)<<unused) >> unused)
	default:
		v.SetUint(unsigned(b, size))
	}
	return b[size:], nil
}

func fillArray(v reflect.Value, b []byte) (rest []byte, err error) {
	if v.Type().Elem().Kind() == reflect.Uint8 {
		if v.CanSet() { // not padding
			copy(v.Bytes(), b)
		}
		return b[v.Len():], nil
	}
	for i := range v.Len() {
		if b, err = fill(v.Index(i), b); err != nil {
			return b, fmt.Errorf("[%d]: %w", i, err)
		}
	}
	return b, nil
}

func unsigned(b []byte, size int) (n uint64) {
	for i := range size {
		n |= uint64(b[i]) << (8 * i)
	}
	return n
}

// Append appends the bytes of a packet: p points to one of the structs of the formats. It allocates nothing but the bytes.
func Append[P any](b []byte, p *P) []byte { return appendValue(b, reflect.ValueOf(p).Elem()) }

func appendValue(b []byte, v reflect.Value) []byte {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			b = appendValue(b, v.Field(i))
		}
		return b
	case reflect.Array:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			return append(b, v.Bytes()...)
		}
		for i := range v.Len() {
			b = appendValue(b, v.Index(i))
		}
		return b
	case reflect.Float32:
		return binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(v.Float())))
	case reflect.Float64:
		return binary.LittleEndian.AppendUint64(b, math.Float64bits(v.Float()))
	case reflect.Int32:
		return binary.LittleEndian.AppendUint32(b, uint32(v.Int()))
	case reflect.Uint32:
		return binary.LittleEndian.AppendUint32(b, uint32(v.Uint()))
	case reflect.Uint64:
		return binary.LittleEndian.AppendUint64(b, v.Uint())
	case reflect.Uint16:
		return binary.LittleEndian.AppendUint16(b, uint16(v.Uint()))
	case reflect.Int8:
		return append(b, byte(v.Int()))
	case reflect.Bool:
		if v.Bool() {
			return append(b, 1)
		}
		return append(b, 0)
	}
	return append(b, byte(v.Uint()))
}
