package scan

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/qmuntal/gltf"
)

// gltfReader is a glTF file on its way to a scene.
type gltfReader struct {
	builder
	doc     gltf.Document
	binary  []byte // of a .glb
	open    Open
	seen    []bool            // nodes
	loaded  []bool            // buffers
	checked []bool            // materials
	files   map[string][]byte // that buffers are in, by their names
}

// ParseGLTF reads a mesh in the form glTF 2.0, as text (.gltf) or binary (.glb);
// name stands for it in errors. A place x, y, z of the file is x, -z, y of ours.
// All triangles of the scene count, each where its node is; a triangle is called
// by its material, else by its mesh, else by its node. Lines and points, skins,
// targets of morphs and animations do not count. Parts of the names in spare are left
// out with a warning if they are broken.
func ParseGLTF(data []byte, name string, open Open, spare ...string) (*Scene, error) {
	return parseGLTF(data, name, open, sane(), spare...)
}

func parseGLTF(data []byte, name string, open Open, most bounds, spare ...string) (*Scene, error) {
	r := &gltfReader{builder: newBuilder(name, len(data), most), open: open, files: map[string][]byte{}}
	r.spare = spare
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

// decode reads the container and its JSON. The library's own decoder would
// reserve what a file claims.
func (r *gltfReader) decode(data []byte) error {
	text := bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	if bytes.HasPrefix(data, []byte("glTF")) {
		var err error
		if text, err = r.chunks(data); err != nil {
			return err
		}
	}
	if err := json.Unmarshal(text, &r.doc); err != nil {
		return fmt.Errorf("%s; is it a whole glTF 2.0 file?", clip(err.Error()))
	}
	if v := r.doc.Asset.Version; !strings.HasPrefix(v, "2.") {
		return fmt.Errorf("asset.version %q: must be 2.0; export as glTF 2.0", clip(v))
	}
	r.seen = make([]bool, len(r.doc.Nodes))
	r.loaded = make([]bool, len(r.doc.Buffers))
	r.checked = make([]bool, len(r.doc.Materials))
	return nil
}

// The parts of a binary file.
const (
	glbHead  = 12 // magic, version, length [bytes]
	glbChunk = 8  // length, kind
	glbJSON  = 0x4e4f534a
	glbBIN   = 0x004e4942
)

// chunks returns the JSON of a binary file and keeps its buffer.
func (r *gltfReader) chunks(data []byte) (text []byte, err error) {
	if len(data) < glbHead {
		return nil, fmt.Errorf("%d bytes: the file is cut off; copy it again", len(data))
	}
	if v := binary.LittleEndian.Uint32(data[4:]); v != 2 {
		return nil, fmt.Errorf("binary glTF of version %d: must be 2; export as glTF 2.0", v)
	}
	if n := binary.LittleEndian.Uint32(data[8:]); int64(n) > int64(len(data)) {
		return nil, fmt.Errorf("%d bytes of %d: the file is cut off; copy it again", len(data), n)
	}
	rest := data[glbHead:]
	for number := 0; len(rest) >= glbChunk; number++ {
		n, kind := binary.LittleEndian.Uint32(rest), binary.LittleEndian.Uint32(rest[4:])
		rest = rest[glbChunk:]
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

// packed are extensions without which the triangles cannot be read.
func packed(name string) bool {
	return slices.Contains([]string{"KHR_draco_mesh_compression", "EXT_meshopt_compression", "KHR_meshopt_compression", "EXT_mesh_gpu_instancing"}, name)
}

func (r *gltfReader) checkExtensions() error {
	for _, name := range r.doc.ExtensionsRequired {
		if packed(name) {
			return fmt.Errorf("extension %s is required and is not read; export without compression and instancing", name)
		}
		for _, idle := range [...]string{"KHR_mesh_quantization", "KHR_texture_", "KHR_materials_", "KHR_lights_", "EXT_texture_", "MSFT_texture_"} {
			if strings.HasPrefix(name, idle) {
				name = ""
			}
		}
		if name != "" {
			r.warn("extension %q is required and not known; it is passed over", clip(name))
		}
	}
	return nil
}

// external reads a file that the document refers to by a URI.
func (r *gltfReader) external(uri string) ([]byte, error) {
	if u, err := url.Parse(uri); err == nil && len(u.Scheme) > 1 {
		return nil, fmt.Errorf("it is not a file; fetch it and export with it beside the file")
	}
	name, err := url.PathUnescape(strings.ReplaceAll(uri, `\`, "/"))
	if err != nil {
		return nil, err
	}
	return openWith(r.open, name)
}

// buffer loads a buffer's bytes when they are first needed.
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

// bytes returns what a buffer's URI stands for.
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
	data, err := r.external(uri)
	if err != nil {
		return nil, fmt.Errorf("buffer %d: %q cannot be read: %w; put it beside the file", i, clip(uri), err)
	}
	r.files[uri] = data
	r.builder.bytes += len(data)
	return data, nil
}
