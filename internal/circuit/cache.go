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

	"rig.example/rig/internal/sink"
	"rig.example/rig/internal/source"
	"rig.example/rig/sim/road"
	"rig.example/rig/sim/road/mesh"
)

// cacheForm is the form of what the cache keeps; another one is another file.
const cacheForm = "rig mesh 2"

const (
	cacheMost = 4 << 30 // bytes of all files that are kept
	headMost  = 8 << 20 // bytes of what is known of a mesh beside its triangles
	cacheEnd  = ".mesh"
)

// kept is what the cache knows of a mesh beside its triangles.
type kept struct {
	Origin     r3.Vec            `json:"origin"`
	Materials  []Material        `json:"materials"`
	Dropped    int               `json:"dropped"`
	Warnings   []string          `json:"warnings"`
	Companions map[string]string `json:"companions"` // files that the first one names: the hashes of what they held
}

// entry is the file of a key.
func (s *Site) entry(key [sha256.Size]byte) string {
	return filepath.Join(s.o.Cache, hex.EncodeToString(key[:16])+cacheEnd)
}

// fetch takes the ground from the cache, if it is there as it was written.
func (s *Site) fetch(key [sha256.Size]byte) bool {
	if s.o.Cache == "" {
		return false
	}
	data, err := source.Read(s.entry(key), cacheMost)
	if errors.Is(err, fs.ErrNotExist) {
		return false
	}
	var m *mesh.Mesh
	var k kept
	if err == nil {
		m, k, err = decode(data)
	}
	if err != nil {
		s.Warnings = append(s.Warnings, fmt.Sprintf("%s: cannot be used, so the mesh is built again: %v", s.entry(key), err))
		return false
	}
	if !s.same(k.Companions) {
		return false
	}
	now := time.Now()
	_ = os.Chtimes(s.entry(key), now, now) // the latest used is kept longest
	s.Origin, s.Bare, s.Materials, s.Dropped, s.Cached = k.Origin, m, k.Materials, k.Dropped, true
	s.Warnings = append(s.Warnings, k.Warnings...)
	return true
}

// same tells whether the files that belong to a mesh still hold what they did.
func (s *Site) same(companions map[string]string) bool {
	for name, sum := range companions {
		path := s.file.Beside(name)
		if contentOf(path) != sum {
			return false
		}
		s.Sources = append(s.Sources, path)
	}
	return true
}

// contentOf is a file's hash; there is one for a file that is missing, too, and one for all
// pictures, which nothing is made of.
func contentOf(path string) string {
	if picture(path) && there(path) == nil {
		return "picture"
	}
	data, err := source.Read(path, source.Scan)
	if err != nil {
		return "missing"
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// decode reads an entry: the length and the checksum of what is known, that itself, and
// the mesh, which has a checksum of its own.
func decode(data []byte) (*mesh.Mesh, kept, error) {
	var k kept
	if len(data) < 8 {
		return nil, k, errors.New("it is cut off")
	}
	size, sum := binary.LittleEndian.Uint32(data), binary.LittleEndian.Uint32(data[4:])
	data = data[8:]
	if size > headMost {
		return nil, k, fmt.Errorf("its head is %d bytes long: at most %d are", size, headMost)
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
		err = k.fits(m)
	}
	return m, k, err
}

// fits checks that what is known is about the mesh: a name for each material.
func (k *kept) fits(m *mesh.Mesh) error {
	if n := len(k.Materials); n == 0 || n > math.MaxUint8 || m.Materials() > n {
		return fmt.Errorf("it names %d materials of a mesh with %d", n, m.Materials())
	}
	for _, v := range [...]float64{k.Origin.X, k.Origin.Y, k.Origin.Z} {
		if !(math.Abs(v) <= road.MostFar) { // also true for NaN
			return fmt.Errorf("an origin at %g m", v)
		}
	}
	return nil
}

// keep writes a ground into the cache. That it cannot is no more than a warning.
func (s *Site) keep(key [sha256.Size]byte, m *mesh.Mesh, warnings []string) {
	if s.o.Cache == "" {
		return
	}
	k := kept{Origin: s.Origin, Materials: s.Materials, Dropped: s.Dropped, Warnings: warnings, Companions: map[string]string{}}
	for _, path := range s.Sources {
		name := path
		if rel, err := filepath.Rel(filepath.Dir(s.file.File), path); err == nil && !filepath.IsAbs(s.file.Ground.File) {
			name = rel
		}
		if path != s.file.Beside(s.file.Ground.File) {
			k.Companions[name] = contentOf(path)
		}
	}
	if err := write(s.entry(key), k, m); err != nil {
		s.Warnings = append(s.Warnings, fmt.Sprintf("%s: the mesh cannot be kept, and is built anew each time: %v; make the folder writable, or use --no-cache", s.o.Cache, err))
		return
	}
	prune(s.o.Cache, s.entry(key), cacheMost)
}

// write puts an entry there as a whole or not at all.
func write(path string, k kept, m *mesh.Mesh) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	head, err := json.Marshal(k)
	if err == nil && len(head) > headMost {
		err = fmt.Errorf("its materials, warnings and files take %d bytes, at most %d are kept", len(head), headMost)
	}
	if err != nil {
		return err
	}
	start := binary.LittleEndian.AppendUint32(nil, uint32(len(head)))
	start = binary.LittleEndian.AppendUint32(start, crc32.ChecksumIEEE(head))
	return sink.Replace(path, 0o600, func(f *os.File) error {
		out := bufio.NewWriterSize(f, 1<<20)
		_, _ = out.Write(append(start, head...)) // Flush tells
		return errors.Join(m.Save(out), out.Flush())
	})
}

// prune removes the entries that were not used for longest until the rest take no more
// than so many bytes.
func prune(folder, spare string, most int64) {
	list, err := os.ReadDir(folder)
	if err != nil {
		return
	}
	type old struct {
		path string
		size int64
		used time.Time
	}
	var entries []old
	for _, e := range list {
		info, err := e.Info()
		path := filepath.Join(folder, e.Name())
		if err != nil || !strings.HasSuffix(path, cacheEnd) || path == spare {
			continue
		}
		entries = append(entries, old{path, info.Size(), info.ModTime()})
	}
	slices.SortFunc(entries, func(a, b old) int { return b.used.Compare(a.used) })
	if info, err := os.Stat(spare); err == nil {
		most -= info.Size()
	}
	for _, e := range entries {
		if most -= e.size; most < 0 {
			_ = os.Remove(e.path)
		}
	}
}
