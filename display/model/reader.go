package model

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"strings"

	"github.com/qmuntal/gltf"

	"rig.example/rig/internal/kit/printable"
)

// reader is a file while it is being read.
type reader struct {
	doc       gltf.Document
	binary    []byte // buffer of a .glb file
	open      Open
	bothSides bool
	buffers   [][]byte // that have been loaded
	visited   []bool   // whether each node has been read
	corners   int      // vertices looked at so far
	triangles int
	model     Model
}

// decode reads the container and its JSON. It does not use the decoder of the glTF package, which allocates as
// much memory as a file claims to need.
func (r *reader) decode(data []byte) error {
	text := bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	if bytes.HasPrefix(data, []byte("glTF")) {
		var err error
		if text, err = r.chunks(data); err != nil {
			return err
		}
	}
	if err := json.Unmarshal(text, &r.doc); err != nil {
		return fmt.Errorf("%s; is it a whole glTF 2.0 file?", printable.Excerpt(err.Error()))
	}
	if v := r.doc.Asset.Version; !strings.HasPrefix(v, "2.") {
		return fmt.Errorf("asset.version %q: must be 2.0; export as glTF 2.0", printable.Excerpt(v))
	}
	for _, name := range r.doc.ExtensionsRequired {
		if strings.Contains(name, "compression") || strings.Contains(name, "instancing") {
			return fmt.Errorf("extension %s is required but not supported; export without compression and instancing", printable.Excerpt(name))
		}
	}
	r.visited = make([]bool, len(r.doc.Nodes))
	r.buffers = make([][]byte, len(r.doc.Buffers))
	return nil
}

// chunks returns the JSON of a binary file, and keeps its binary data.
func (r *reader) chunks(data []byte) (text []byte, err error) {
	const header, chunkHeader, typeJSON, typeBIN = 12, 8, 0x4e4f534a, 0x004e4942
	if len(data) < header {
		return nil, fmt.Errorf("%d bytes: the file is cut off; copy it again", len(data))
	}
	if v := binary.LittleEndian.Uint32(data[4:]); v != 2 {
		return nil, fmt.Errorf("binary glTF of version %d: must be 2; export as glTF 2.0", v)
	}
	rest := data[header:]
	for number := 0; len(rest) >= chunkHeader; number++ {
		n, kind := binary.LittleEndian.Uint32(rest), binary.LittleEndian.Uint32(rest[4:])
		rest = rest[chunkHeader:]
		if int64(n) > int64(len(rest)) {
			return nil, fmt.Errorf("chunk %d has %d bytes of the %d it claims: the file is cut off; copy it again", number, len(rest), n)
		}
		switch {
		case kind == typeJSON && number == 0:
			text = rest[:n]
		case kind == typeBIN && r.binary == nil:
			r.binary = rest[:n:n]
		}
		rest = rest[n:]
	}
	if text == nil {
		return nil, fmt.Errorf("the first chunk is not JSON; export it again")
	}
	return text, nil
}

// item returns entry i of a list of the document. kind is its name in errors.
func item[T any](list []*T, i int, kind string) (*T, error) {
	if i < 0 || i >= len(list) || list[i] == nil {
		return nil, fmt.Errorf("%s %d not found: the file has %d; export it again", kind, i, len(list))
	}
	return list[i], nil
}

// buffer returns the content of buffer i.
func (r *reader) buffer(i int) ([]byte, error) {
	b, err := item(r.doc.Buffers, i, "buffer")
	if err != nil {
		return nil, err
	}
	if r.buffers[i] != nil {
		return r.buffers[i], nil
	}
	data, err := r.content(i, b.URI)
	if err != nil {
		return nil, fmt.Errorf("buffer %d: %w", i, err)
	}
	if b.ByteLength < 1 || len(data) < b.ByteLength {
		return nil, fmt.Errorf("buffer %d has %d bytes of the %d it claims; is its file cut off?", i, len(data), b.ByteLength)
	}
	r.buffers[i] = data[:b.ByteLength]
	return r.buffers[i], nil
}

// content returns what the URI of buffer i names: data in the file itself, or a file that open finds.
func (r *reader) content(i int, uri string) ([]byte, error) {
	if uri == "" {
		if i == 0 && r.binary != nil {
			return r.binary, nil
		}
		return nil, fmt.Errorf("neither a file nor data; export it again")
	}
	if strings.HasPrefix(uri, "data:") {
		_, text, found := strings.Cut(uri, ";base64,")
		data, err := base64.StdEncoding.DecodeString(text)
		if err != nil || !found {
			return nil, fmt.Errorf("its data URI is not base64; export it again")
		}
		return data, nil
	}
	if r.open == nil {
		return nil, fmt.Errorf("%q: the model was given without it; export with buffers inside", printable.Excerpt(uri))
	}
	data, err := r.open(uri)
	if err != nil {
		return nil, fmt.Errorf("%q cannot be read: %s", printable.Excerpt(uri), printable.Excerpt(err.Error()))
	}
	return data, nil
}

// elements are the values of an accessor.
type elements struct {
	data       []byte // from the first element on
	stride     int    // from element to element [bytes]
	count      int
	components int
	width      int // of a component [bytes]
	kind       gltf.ComponentType
	normalized bool
}

// accessor returns the values of accessor i, which are within their buffer.
func (r *reader) accessor(i int) (elements, error) {
	a, err := item(r.doc.Accessors, i, "accessor")
	if err != nil {
		return elements{}, err
	}
	fault := func(format string, args ...any) (elements, error) {
		return elements{}, fmt.Errorf("accessor %d: "+format, append([]any{i}, args...)...)
	}
	if a.Sparse != nil || a.BufferView == nil {
		return fault("sparse or without data, which is not supported; export it without")
	}
	v, err := item(r.doc.BufferViews, *a.BufferView, "buffer view")
	if err != nil {
		return fault("%w", err)
	}
	data, err := r.buffer(v.Buffer)
	if err != nil {
		return fault("%w", err)
	}
	e := elements{count: a.Count, components: a.Type.Components(), width: a.ComponentType.ByteSize(), kind: a.ComponentType, normalized: a.Normalized}
	size := e.width * e.components
	if e.stride = size; v.ByteStride != 0 {
		e.stride = v.ByteStride
	}
	from, length := v.ByteOffset, v.ByteLength
	switch {
	case from < 0 || length < 0 || from > len(data) || length > len(data)-from:
		return fault("buffer view %d is beyond the %d bytes of buffer %d; is the file cut off?", *a.BufferView, len(data), v.Buffer)
	case size < 1 || e.stride < size || e.stride > 1<<12:
		return fault("buffer view %d has a stride of %d for elements of %d bytes; export it again", *a.BufferView, e.stride, size)
	case a.Count < 1 || a.ByteOffset < 0 || a.ByteOffset > length || length-a.ByteOffset < size || a.Count-1 > (length-a.ByteOffset-size)/e.stride:
		return fault("%d elements do not fit into the %d bytes of buffer view %d; is the file cut off?", a.Count, length, *a.BufferView)
	}
	e.data = data[from+a.ByteOffset : from+length]
	return e, nil
}

// at returns component k of element i.
func (e *elements) at(i, k int) float64 {
	b, full := e.data[i*e.stride+k*e.width:], 1.0
	var value float64
	switch e.kind {
	case gltf.ComponentFloat:
		return float64(math.Float32frombits(binary.LittleEndian.Uint32(b)))
	case gltf.ComponentByte:
		value, full = float64(int8(b[0])), math.MaxInt8
	case gltf.ComponentUbyte:
		value, full = float64(b[0]), math.MaxUint8
	case gltf.ComponentShort:
		value, full = float64(int16(binary.LittleEndian.Uint16(b))), math.MaxInt16
	case gltf.ComponentUshort:
		value, full = float64(binary.LittleEndian.Uint16(b)), math.MaxUint16
	case gltf.ComponentUint:
		value, full = float64(binary.LittleEndian.Uint32(b)), math.MaxUint32
	}
	if e.normalized {
		return value / full
	}
	return value
}

// vector returns the first three components of element i.
func (e *elements) vector(i int) [3]float64 { return [3]float64{e.at(i, 0), e.at(i, 1), e.at(i, 2)} }
