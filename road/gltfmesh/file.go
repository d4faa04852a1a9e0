// Package gltfmesh reads the triangles of glTF 2.0 files, as text (.gltf) or binary (.glb): of a ground or of a car.
// In: the bytes of a file, and a function that reads the buffers that it names.
// Out: the nodes of its scene, with their triangles, the values of the vertices, and materials. Lines, points, skins, morph
// targets, animations and textures are not read.
// It never opens a file, reserves no memory that a file only claims to need, and no file makes it panic.
package gltfmesh

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/qmuntal/gltf"

	"rig.example/rig/internal/kit/printable"
)

// Open returns the content of a buffer, by its URI in the file. What may be read is for Open to decide.
type Open = func(uri string) ([]byte, error)

// File is a glTF file whose nodes can be read.
type File struct {
	doc     gltf.Document
	binary  []byte // buffer of a .glb file
	open    Open
	warn    func(format string, args ...any)
	buffers [][]byte          // that have been loaded
	opened  map[string][]byte // content of buffer files, by URI
}

// Parse reads the container and its JSON. open may be nil: then the file has no others. What the reader leaves out is told
// by warn, also later. Parse does not use the decoder of the glTF package, which allocates as much memory as a file claims
// to need.
func Parse(data []byte, open Open, warn func(format string, args ...any)) (*File, error) {
	f := &File{open: open, warn: warn, opened: map[string][]byte{}}
	text := bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	if bytes.HasPrefix(data, []byte("glTF")) {
		var err error
		if text, err = f.chunks(data); err != nil {
			return nil, err
		}
	}
	if err := json.Unmarshal(text, &f.doc); err != nil {
		return nil, fmt.Errorf("%s; is it a whole glTF 2.0 file?", printable.Excerpt(err.Error()))
	}
	if v := f.doc.Asset.Version; !strings.HasPrefix(v, "2.") {
		return nil, fmt.Errorf("asset.version %q: must be 2.0; export as glTF 2.0", printable.Excerpt(v))
	}
	f.buffers = make([][]byte, len(f.doc.Buffers))
	return f, f.checkExtensions()
}

// chunks returns the JSON of a binary file, and keeps its binary data.
func (f *File) chunks(data []byte) (text []byte, err error) {
	const header, chunkHeader, typeJSON, typeBIN = 12, 8, 0x4e4f534a, 0x004e4942
	if len(data) < header {
		return nil, fmt.Errorf("%d bytes: the file is cut off; copy it again", len(data))
	}
	if v := binary.LittleEndian.Uint32(data[4:]); v != 2 {
		return nil, fmt.Errorf("binary glTF of version %d: must be 2; export as glTF 2.0", v)
	}
	if n := binary.LittleEndian.Uint32(data[8:]); int64(n) > int64(len(data)) {
		return nil, fmt.Errorf("%d bytes of %d: the file is cut off; copy it again", len(data), n)
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
		case kind == typeBIN && f.binary == nil:
			f.binary = rest[:n:n]
		}
		rest = rest[n:]
	}
	if text == nil {
		return nil, fmt.Errorf("the first chunk is not JSON; export it again")
	}
	return text, nil
}

// checkExtensions returns an error for required extensions that encode triangles in another form, and warns of others that
// are not supported.
func (f *File) checkExtensions() error {
	for _, name := range f.doc.ExtensionsRequired {
		if strings.Contains(name, "compression") || strings.Contains(name, "instancing") {
			return fmt.Errorf("extension %s is required but not supported; export without compression and instancing", printable.Excerpt(name))
		}
		harmless := []string{"KHR_mesh_quantization", "KHR_texture_", "KHR_materials_", "KHR_lights_", "EXT_texture_", "MSFT_texture_"}
		if !slices.ContainsFunc(harmless, func(prefix string) bool { return strings.HasPrefix(name, prefix) }) {
			f.warn("extension %q is required but not supported; ignored", printable.Excerpt(name))
		}
	}
	return nil
}

// item returns entry i of a list of the document. kind is its name in errors.
func item[T any](list []*T, i int, kind string) (*T, error) {
	if i < 0 || i >= len(list) || list[i] == nil {
		return nil, fmt.Errorf("%s %d not found: the file has %d; export it again", kind, i, len(list))
	}
	return list[i], nil
}

// buffer returns the content of buffer i.
func (f *File) buffer(i int) ([]byte, error) {
	b, err := item(f.doc.Buffers, i, "buffer")
	if err != nil {
		return nil, err
	}
	if f.buffers[i] != nil {
		return f.buffers[i], nil
	}
	data, err := f.content(i, b.URI)
	if err != nil {
		return nil, fmt.Errorf("buffer %d: %w", i, err)
	}
	if b.ByteLength < 1 || len(data) < b.ByteLength {
		return nil, fmt.Errorf("buffer %d has %d bytes of the %d it claims; is its file cut off?", i, len(data), b.ByteLength)
	}
	f.buffers[i] = data[:b.ByteLength]
	return f.buffers[i], nil
}

// content returns what the URI of buffer i names: data in the file itself, or a file that open finds.
func (f *File) content(i int, uri string) ([]byte, error) {
	switch {
	case uri == "" && i == 0 && f.binary != nil:
		return f.binary, nil
	case uri == "":
		return nil, fmt.Errorf("neither a file nor data; export it again")
	case strings.HasPrefix(uri, "data:"):
		_, text, found := strings.Cut(uri, ";base64,")
		data, err := base64.StdEncoding.DecodeString(text)
		if err != nil || !found {
			return nil, fmt.Errorf("its data URI is not base64; export it again")
		}
		return data, nil
	}
	if data, read := f.opened[uri]; read {
		return data, nil
	}
	if f.open == nil {
		return nil, fmt.Errorf("%q cannot be read: the file was given alone; export with buffers inside", printable.Excerpt(uri))
	}
	data, err := f.open(uri)
	if err != nil {
		return nil, fmt.Errorf("%q cannot be read: %w", printable.Excerpt(uri), err)
	}
	f.opened[uri] = data
	return data, nil
}
