package scan

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

// gltfReader is a glTF file while it is being read.
type gltfReader struct {
	builder
	doc     gltf.Document
	binary  []byte // buffer of a .glb file
	open    Open
	visited []bool            // whether each node has been read
	loaded  []bool            // whether each buffer has been loaded
	files   map[string][]byte // content of buffer files, by URI
}

// ParseGLTF reads a mesh in glTF 2.0 format, as text (.gltf) or binary (.glb). name is the name of the file in
// errors. A position x, y, z of the file becomes x, -z, y. All triangles of the scene are read and transformed
// by their nodes. The name of a triangle is that of its material, else of its mesh, else of its node. Lines,
// points, skins, morph targets, animations and textures are ignored, and of the files that it names only buffers are
// opened, if triangles need them. If a part whose name is in optional cannot be read,
// it is left out with a warning; other parts that cannot be read are an error.
func ParseGLTF(data []byte, name string, open Open, optional ...string) (*Scene, error) {
	return parseGLTF(data, name, open, defaultBounds(), optional...)
}

// parseGLTF is ParseGLTF with other bounds.
func parseGLTF(data []byte, name string, open Open, limit bounds, optional ...string) (*Scene, error) {
	r := &gltfReader{builder: newBuilder(name, len(data), limit), open: open, files: map[string][]byte{}}
	r.optional = optional
	for _, step := range [...]func() error{
		func() error { return r.decode(data) },
		r.checkExtensions,
		r.walk,
	} {
		if err := step(); err != nil {
			return nil, fmt.Errorf("scan: %s: %w", name, err)
		}
	}
	return r.finish()
}

// decode reads the container and its JSON. It does not use the decoder of the glTF package, which allocates as
// much memory as a file claims to need.
func (r *gltfReader) decode(data []byte) error {
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
	r.visited = make([]bool, len(r.doc.Nodes))
	r.loaded = make([]bool, len(r.doc.Buffers))
	return nil
}

// Sizes and types of the parts of a binary file.
const (
	glbHeaderSize      = 12         // magic number, version and length [bytes]
	glbChunkHeaderSize = 8          // length and type of a chunk [bytes]
	glbJSON            = 0x4e4f534a // type of a chunk with JSON
	glbBIN             = 0x004e4942 // type of a chunk with binary data
)

// chunks returns the JSON of a binary file, and stores its binary data in r.binary.
func (r *gltfReader) chunks(data []byte) (text []byte, err error) {
	if len(data) < glbHeaderSize {
		return nil, fmt.Errorf("%d bytes: the file is cut off; copy it again", len(data))
	}
	if v := binary.LittleEndian.Uint32(data[4:]); v != 2 {
		return nil, fmt.Errorf("binary glTF of version %d: must be 2; export as glTF 2.0", v)
	}
	if n := binary.LittleEndian.Uint32(data[8:]); int64(n) > int64(len(data)) {
		return nil, fmt.Errorf("%d bytes of %d: the file is cut off; copy it again", len(data), n)
	}
	rest := data[glbHeaderSize:]
	for number := 0; len(rest) >= glbChunkHeaderSize; number++ {
		n, kind := binary.LittleEndian.Uint32(rest), binary.LittleEndian.Uint32(rest[4:])
		rest = rest[glbChunkHeaderSize:]
		if int64(n) > int64(len(rest)) {
			return nil, fmt.Errorf("chunk %d claims %d bytes of the %d that are left; copy the file again", number, n, len(rest))
		}
		switch {
		case kind == glbJSON && number == 0:
			text = rest[:n]
		case kind == glbBIN && r.binary == nil:
			r.binary = rest[:n:n]
		}
		rest = rest[n:]
	}
	if text == nil {
		return nil, fmt.Errorf("the first chunk is not JSON; export the file again")
	}
	return text, nil
}

// isCompressed reports whether an extension encodes triangles in a form that is not supported.
func isCompressed(name string) bool {
	return slices.Contains([]string{
		"KHR_draco_mesh_compression", "EXT_meshopt_compression", "KHR_meshopt_compression", "EXT_mesh_gpu_instancing",
	}, name)
}

// checkExtensions returns an error or adds a warning for required extensions that are not supported.
func (r *gltfReader) checkExtensions() error {
	for _, name := range r.doc.ExtensionsRequired {
		if isCompressed(name) {
			return fmt.Errorf("extension %s is required but not supported; export without compression and instancing", name)
		}
		for _, harmless := range [...]string{
			"KHR_mesh_quantization", "KHR_texture_", "KHR_materials_", "KHR_lights_", "EXT_texture_", "MSFT_texture_",
		} {
			if strings.HasPrefix(name, harmless) {
				name = ""
			}
		}
		if name != "" {
			r.warn("extension %q is required but not supported; ignored", printable.Excerpt(name))
		}
	}
	return nil
}

// buffer loads buffer i, unless it is loaded already.
func (r *gltfReader) buffer(i int) error {
	if i < 0 || i >= len(r.doc.Buffers) || r.doc.Buffers[i] == nil {
		return fmt.Errorf("buffer %d is not there: the file has %d; export it again", i, len(r.doc.Buffers))
	}
	if r.loaded[i] {
		return nil
	}
	b := r.doc.Buffers[i]
	data, err := r.bytes(i, b.URI)
	if err != nil {
		return err
	}
	if b.ByteLength < 0 || len(data) < b.ByteLength {
		return fmt.Errorf("buffer %d has %d bytes of the %d it claims; is its file cut off?", i, len(data), b.ByteLength)
	}
	b.Data = data[:b.ByteLength:b.ByteLength]
	r.loaded[i] = true
	return nil
}

// bytes returns the content of buffer i, whose URI is uri.
func (r *gltfReader) bytes(i int, uri string) ([]byte, error) {
	switch {
	case uri == "" && i == 0 && r.binary != nil:
		return r.binary, nil
	case uri == "":
		return nil, fmt.Errorf("buffer %d has neither a file nor a place in this one; export it again", i)
	case strings.HasPrefix(uri, "data:"):
		_, text, found := strings.Cut(uri, ";base64,")
		data, err := base64.StdEncoding.DecodeString(text)
		if err != nil || !found {
			return nil, fmt.Errorf("buffer %d: its data URI is not base64; export it again", i)
		}
		return data, nil
	}
	if data, read := r.files[uri]; read {
		return data, nil
	}
	if r.open == nil {
		return nil, fmt.Errorf("buffer %d: %q cannot be read: the file was given alone; export with buffers inside", i, printable.Excerpt(uri))
	}
	data, err := r.open(uri)
	if err != nil {
		return nil, fmt.Errorf("buffer %d: %q cannot be read: %w", i, printable.Excerpt(uri), err)
	}
	r.files[uri] = data
	r.builder.bytes += len(data)
	return data, nil
}
