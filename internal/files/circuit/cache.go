package circuit

import (
	"bufio"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/internal/kit/sink"
	"rig.example/rig/internal/kit/userfile"
	"rig.example/rig/road"
	"rig.example/rig/road/mesh"
)

// cacheFormat identifies the format of cached meshes. It is part of a file's key, so that another format is
// another file.
const cacheFormat = "rig mesh 3"

const (
	maxCacheBytes  = 4 << 30 // all files in the cache [bytes]
	maxHeaderBytes = 8 << 20 // header of a file: all but the triangles [bytes]
	cacheSuffix    = ".mesh"
)

// cacheEntry is the header of a cached mesh: everything that the cache stores except the triangles.
type cacheEntry struct {
	Origin     r3.Vec            `json:"origin"`
	Materials  []Material        `json:"materials"`
	Dropped    int               `json:"dropped"`
	Warnings   []string          `json:"warnings"`
	Companions map[string]string `json:"companions"` // contentHash of the files that the ground's file names and its triangles need, by URI
}

// cachePath returns the path of the cache file for key.
func (s *Site) cachePath(key [sha256.Size]byte) string {
	return filepath.Join(s.o.Cache, hex.EncodeToString(key[:16])+cacheSuffix)
}

// loadCached loads the ground from the cache and reports whether this was possible. A damaged file gives a
// warning. A file whose companion files have changed is ignored.
func (s *Site) loadCached(key [sha256.Size]byte) bool {
	if s.o.Cache == "" {
		return false
	}
	data, err := userfile.Read(s.cachePath(key), maxCacheBytes)
	if errors.Is(err, fs.ErrNotExist) {
		return false
	}
	var m *mesh.Mesh
	var k cacheEntry
	if err == nil {
		m, k, err = decode(data)
	}
	if err != nil {
		s.Warnings = append(s.Warnings,
			fmt.Sprintf("%s: cannot be read, so the mesh is built again: %v", s.cachePath(key), err))
		return false
	}
	if !s.companionsUnchanged(k.Companions) {
		return false
	}
	now := time.Now()
	_ = os.Chtimes(s.cachePath(key), now, now) // prune removes the least recently used files first
	s.Origin, s.Bare, s.Materials, s.DroppedTriangles, s.FromCache = k.Origin, m, k.Materials, k.Dropped, true
	s.Warnings = append(s.Warnings, k.Warnings...)
	return true
}

// companionsUnchanged reports whether all companion files still have these hashes. It adds those that can be read to Sources.
func (s *Site) companionsUnchanged(companions map[string]string) bool {
	before, read := s.Sources, s.companionReader()
	for _, uri := range sortedKeys(companions) {
		if _, _ = read(uri); s.companions[uri] != companions[uri] {
			s.Sources = before
			return false
		}
	}
	return true
}

// missing stands in a cacheEntry for the hash of a companion that cannot be read.
const missing = "missing"

// contentHash returns the hash of a companion.
func contentHash(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// decode decodes a cache file: length and checksum of the header, the header, and the mesh, which has a
// checksum of its own.
func decode(data []byte) (*mesh.Mesh, cacheEntry, error) {
	var k cacheEntry
	if len(data) < 8 {
		return nil, k, errors.New("it is cut off")
	}
	size, sum := binary.LittleEndian.Uint32(data), binary.LittleEndian.Uint32(data[4:])
	data = data[8:]
	if size > maxHeaderBytes {
		return nil, k, fmt.Errorf("its header has %d bytes: must have at most %d", size, maxHeaderBytes)
	}
	if uint64(size) > uint64(len(data)) {
		return nil, k, errors.New("it is cut off")
	}
	head := data[:size]
	if crc32.ChecksumIEEE(head) != sum {
		return nil, k, errors.New("its checksum is wrong")
	}
	if err := json.Unmarshal(head, &k); err != nil {
		return nil, k, err
	}
	m, err := mesh.Load(data[size:], Parallel)
	if err == nil {
		err = k.checkHeader(m)
	}
	return m, k, err
}

// checkHeader returns an error if the header does not match the mesh m, or its origin is out of range.
func (k *cacheEntry) checkHeader(m *mesh.Mesh) error {
	if n := len(k.Materials); n == 0 || n > math.MaxUint8 || m.MaterialCount() > n {
		return fmt.Errorf("it names %d materials of a mesh with %d", n, m.MaterialCount())
	}
	for _, v := range [...]float64{k.Origin.X, k.Origin.Y, k.Origin.Z} {
		if !(math.Abs(v) <= road.MaxCoordinate) { // also true for NaN
			return fmt.Errorf("its origin is at %g m: out of range", v)
		}
	}
	return nil
}

// saveToCache writes the ground to the cache. If it cannot, it adds a warning.
func (s *Site) saveToCache(key [sha256.Size]byte, m *mesh.Mesh, warnings []string) {
	if s.o.Cache == "" {
		return
	}
	k := cacheEntry{
		Origin: s.Origin, Materials: s.Materials, Dropped: s.DroppedTriangles, Warnings: warnings,
		Companions: s.companions,
	}
	if err := writeEntry(s.cachePath(key), k, m); err != nil {
		s.Warnings = append(s.Warnings, fmt.Sprintf("%s: the mesh cannot be cached, so it is built at each start: %v; "+
			"make the folder writable, or use --no-cache", s.o.Cache, err))
		return
	}
	prune(s.o.Cache, s.cachePath(key), maxCacheBytes)
}

// writeEntry writes a cache file atomically.
func writeEntry(path string, k cacheEntry, m *mesh.Mesh) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	head, err := json.Marshal(k)
	if err == nil && len(head) > maxHeaderBytes {
		err = fmt.Errorf("its materials, warnings and files take %d bytes: the cache stores at most %d", len(head), maxHeaderBytes)
	}
	if err != nil {
		return err
	}
	start := binary.LittleEndian.AppendUint32(nil, uint32(len(head)))
	start = binary.LittleEndian.AppendUint32(start, crc32.ChecksumIEEE(head))
	return sink.Replace(path, 0o600, func(f *os.File) error {
		out := bufio.NewWriterSize(f, 1<<20)
		_, _ = out.Write(append(start, head...)) // Flush returns the error
		return errors.Join(m.Save(out), out.Flush())
	})
}

// prune removes the least recently used cache files of folder until all files together have at most
// maxBytes. It never removes newest.
func prune(folder, newest string, maxBytes int64) {
	list, err := os.ReadDir(folder)
	if err != nil {
		return
	}
	type cached struct {
		path string
		size int64
		used time.Time
	}
	var entries []cached
	for _, e := range list {
		info, err := e.Info()
		path := filepath.Join(folder, e.Name())
		if err != nil || !strings.HasSuffix(path, cacheSuffix) || path == newest {
			continue
		}
		entries = append(entries, cached{path, info.Size(), info.ModTime()})
	}
	slices.SortFunc(entries, func(a, b cached) int { return b.used.Compare(a.used) })
	if info, err := os.Stat(newest); err == nil {
		maxBytes -= info.Size()
	}
	for _, e := range entries {
		if maxBytes -= e.size; maxBytes < 0 {
			_ = os.Remove(e.path)
		}
	}
}
