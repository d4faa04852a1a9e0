package gltfmesh

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/qmuntal/gltf"
)

// number is the type of a component.
type number struct {
	width   int     // [bytes]
	largest float64 // stands for 1 if the accessor is normalized
	read    func(b []byte) float64
}

var numbers = map[gltf.ComponentType]*number{
	gltf.ComponentByte:   {1, math.MaxInt8, func(b []byte) float64 { return float64(int8(b[0])) }},
	gltf.ComponentUbyte:  {1, math.MaxUint8, func(b []byte) float64 { return float64(b[0]) }},
	gltf.ComponentShort:  {2, math.MaxInt16, func(b []byte) float64 { return float64(int16(binary.LittleEndian.Uint16(b))) }},
	gltf.ComponentUshort: {2, math.MaxUint16, func(b []byte) float64 { return float64(binary.LittleEndian.Uint16(b)) }},
	gltf.ComponentUint:   {4, math.MaxUint32, func(b []byte) float64 { return float64(binary.LittleEndian.Uint32(b)) }},
	gltf.ComponentFloat:  {4, 1, func(b []byte) float64 { return float64(math.Float32frombits(binary.LittleEndian.Uint32(b))) }},
}

// Values are the elements of an accessor, which are within their buffer.
type Values struct {
	Count      int    // of elements
	Components int    // of an element
	data       []byte // from the first element on
	stride     int    // from element to element [bytes]
	kind       gltf.ComponentType
	number     *number
	scale      float64 // from a component to its value
}

// accessor returns the values of accessor i.
func (f *File) accessor(i int) (Values, error) {
	a, err := item(f.doc.Accessors, i, "accessor")
	if err != nil {
		return Values{}, err
	}
	v, err := f.valuesOf(a)
	if err != nil {
		return Values{}, fmt.Errorf("accessor %d: %w", i, err)
	}
	return v, nil
}

// valuesOf returns the values of an accessor: those of its buffer view, or zeros, of which a sparse one replaces some.
func (f *File) valuesOf(a *gltf.Accessor) (v Values, err error) {
	const zeros = 1 << 20 // maximum count of an accessor without data
	switch {
	case a.Count < 1:
		return v, fmt.Errorf("count of %d: must be 1 or more; export it again", a.Count)
	case a.BufferView != nil:
		v, err = f.view(*a.BufferView, a.ByteOffset, a.Count, a.ComponentType, a.Type)
	case a.Count > zeros:
		return v, fmt.Errorf("count of %d without a buffer view: must be at most %d; export it again", a.Count, zeros)
	default:
		v = valuesLike(a.Count, a.ComponentType, a.Type)
		v.data, v.stride = make([]byte, v.size()), 0
	}
	if err == nil && a.Sparse != nil {
		if v, err = f.replaced(v, a); err != nil {
			err = fmt.Errorf("sparse: %w", err)
		}
	}
	if a.Normalized && err == nil {
		v.scale = 1 / v.number.largest
	}
	return v, err
}

// valuesLike returns elements without data.
func valuesLike(count int, c gltf.ComponentType, t gltf.AccessorType) Values {
	v := Values{Count: count, Components: t.Components(), kind: c, number: numbers[c], scale: 1}
	v.stride = v.size()
	return v
}

// view returns count elements at an offset in buffer view i.
func (f *File) view(i, offset, count int, c gltf.ComponentType, t gltf.AccessorType) (Values, error) {
	v, err := item(f.doc.BufferViews, i, "buffer view")
	if err != nil {
		return Values{}, err
	}
	data, err := f.buffer(v.Buffer)
	if err != nil {
		return Values{}, err
	}
	e := valuesLike(count, c, t)
	if v.ByteStride != 0 {
		e.stride = v.ByteStride
	}
	from, length, size := v.ByteOffset, v.ByteLength, e.size()
	switch {
	case from < 0 || length < 0 || from > len(data) || length > len(data)-from:
		return e, fmt.Errorf("buffer view %d is beyond the %d bytes of buffer %d; is the file cut off?", i, len(data), v.Buffer)
	case size < 1 || e.stride < size || e.stride > 1<<12 || e.Components == 1 && e.stride != size:
		return e, fmt.Errorf("buffer view %d has a stride of %d for elements of %d bytes; export it again", i, e.stride, size)
	case offset < 0 || offset > length || length-offset < size || count-1 > (length-offset-size)/e.stride:
		return e, fmt.Errorf("%d elements do not fit into the %d bytes of buffer view %d; is the file cut off?", count, length, i)
	}
	e.data = data[from+offset : from+length]
	return e, nil
}

// replaced returns a copy of v in which the elements that a sparse accessor names are replaced.
func (f *File) replaced(v Values, a *gltf.Accessor) (Values, error) {
	s, size := a.Sparse, v.size()
	if s.Count < 1 || s.Count > a.Count {
		return v, fmt.Errorf("count of %d: must be from 1 to %d", s.Count, a.Count)
	}
	at, err := f.view(s.Indices.BufferView, s.Indices.ByteOffset, s.Count, s.Indices.ComponentType, gltf.AccessorScalar)
	if err == nil && !at.areIndices() {
		err = errNoIndices
	}
	if err != nil {
		return v, err
	}
	with, err := f.view(s.Values.BufferView, s.Values.ByteOffset, s.Count, a.ComponentType, a.Type)
	if err != nil {
		return v, err
	}
	all := make([]byte, size*a.Count)
	for i := range a.Count {
		copy(all[i*size:(i+1)*size], v.data[i*v.stride:])
	}
	for k := range s.Count {
		i := at.component(k, 0)
		if i >= float64(a.Count) {
			return v, fmt.Errorf("index %d of %.0f is beyond the count of %d; export it again", k, i, a.Count)
		}
		copy(all[int(i)*size:(int(i)+1)*size], with.data[k*with.stride:])
	}
	v.data, v.stride = all, size
	return v, nil
}

// errNoIndices reports values that cannot be indices.
var errNoIndices = fmt.Errorf("no indices: must be whole numbers without a sign; export it again")

// areIndices reports whether the values can be indices.
func (v *Values) areIndices() bool {
	return v.Components == 1 && (v.kind == gltf.ComponentUbyte || v.kind == gltf.ComponentUshort || v.kind == gltf.ComponentUint)
}

// AreFloats reports whether the values are floats of 32 bits.
func (v *Values) AreFloats() bool { return v.kind == gltf.ComponentFloat }

// size returns the length of an element [bytes].
func (v *Values) size() int { return v.number.width * v.Components }

// component returns component k of element i as the file has it.
func (v *Values) component(i, k int) float64 {
	return v.number.read(v.data[i*v.stride+k*v.number.width:])
}

// At returns component k of element i.
func (v *Values) At(i, k int) float64 { return v.component(i, k) * v.scale }

// Vector returns the first three components of element i.
func (v *Values) Vector(i int) [3]float64 { return [3]float64{v.At(i, 0), v.At(i, 1), v.At(i, 2)} }
