// Package packets reads the packets that games send, and that package telemetry sends as games do: `rig follow` gets the
// motion of a game by it, and tests check with it what rig sends.
//
// Its inputs are the bytes of one packet of a known format. Its outputs are the fields of the packet in the format's
// own axes and units (ParseOutSim and its like), the same as a Motion with directions that every format shares, and
// that in words (Motion.Words). It is written from the public descriptions of the formats, which each type names, and
// never from the code of package telemetry, so that an error in one of them shows.
package packets

import (
	"encoding/binary"
	"fmt"
	"math"
	"reflect"

	"rig.example/rig/internal/kit/valid"
)

// packed is the alignment of formats whose fields follow each other without gaps.
const packed = 1

// decode fills the struct that v points to from b, little-endian. Fields lie where a C compiler puts them with
// #pragma pack(pack). It returns an error unless b has exactly the size of the struct, every float is a number and
// every bool is 0 or 1.
func decode(format string, b []byte, v any, pack int) error {
	target := reflect.ValueOf(v).Elem()
	if size := sizeOf(target.Type(), pack); len(b) != size {
		return fmt.Errorf("packets: %s: %d bytes, must be %d", format, len(b), size)
	}
	if err := fill(target, b, pack); err != nil {
		return fmt.Errorf("packets: %s: %w", format, err)
	}
	return nil
}

// fill sets v from the bytes at the beginning of b.
func fill(v reflect.Value, b []byte, pack int) error {
	switch v.Kind() {
	case reflect.Struct:
		return fillStruct(v, b, pack)
	case reflect.Array:
		return fillArray(v, b, pack)
	case reflect.Float32:
		return setFloat(v, float64(math.Float32frombits(binary.LittleEndian.Uint32(b))))
	case reflect.Float64:
		return setFloat(v, math.Float64frombits(binary.LittleEndian.Uint64(b)))
	case reflect.Bool:
		if b[0] > 1 {
			return fmt.Errorf("%d is no bool: must be 0 or 1", b[0])
		}
		v.SetBool(b[0] == 1)
	case reflect.Int8, reflect.Int32:
		v.SetInt(signed(b, v.Type().Size()))
	default:
		v.SetUint(unsigned(b, v.Type().Size()))
	}
	return nil
}

func fillStruct(v reflect.Value, b []byte, pack int) error {
	offsets, _ := layout(v.Type(), pack)
	for i, at := range offsets {
		if err := fill(v.Field(i), b[at:], pack); err != nil {
			return fmt.Errorf("%s: %w", v.Type().Field(i).Name, err)
		}
	}
	return nil
}

func fillArray(v reflect.Value, b []byte, pack int) error {
	size := sizeOf(v.Type().Elem(), pack)
	for i := range v.Len() {
		if err := fill(v.Index(i), b[i*size:], pack); err != nil {
			return fmt.Errorf("[%d]: %w", i, err)
		}
	}
	return nil
}

func setFloat(v reflect.Value, f float64) error {
	if !valid.Finite(f) {
		return fmt.Errorf("%g: must not be NaN or Inf", f)
	}
	v.SetFloat(f)
	return nil
}

func unsigned(b []byte, size uintptr) (n uint64) {
	for i := range size {
		n |= uint64(b[i]) << (8 * i)
	}
	return n
}

func signed(b []byte, size uintptr) int64 {
	unused := 64 - 8*int(size)
	return int64(unsigned(b, size)<<unused) >> unused
}
