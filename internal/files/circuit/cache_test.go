package circuit

import (
	"encoding/base64"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"rig.example/rig/internal/files/circuit/circuittest"
	"rig.example/rig/test/level"
)

func TestCacheIsUsedPrunedAndRepaired(t *testing.T) {
	level.SkipIfQuick(t)
	t.Parallel()
	dir := circuittest.Folder(t, map[string]string{"c.toml": "[ground]\nfile = \"a.gltf\"\n[materials]\nAsphalt = \"tarmac\"\nShade = \"wet\"\n", "a.gltf": circuittest.GLTF(t, circuittest.Plate())})
	cache := filepath.Join(t.TempDir(), "new", "rig")
	name := filepath.Join(dir, "c.toml")
	look := func(cached bool, warnings int) *Site {
		t.Helper()
		s, err := Open(name, Options{Cache: cache})
		if err != nil {
			t.Fatal(err)
		}
		if s.FromCache != cached || len(s.Warnings) != warnings {
			t.Errorf("from the cache %v, want %v; warnings %q, want %d", s.FromCache, cached, s.Warnings, warnings)
		}
		if got := surfaceAt(s.Circuit, 150, 0); got != "wet" {
			t.Errorf("the shade is %s", got)
		}
		return s
	}
	look(false, 0)
	look(true, 0)
	files, _ := filepath.Glob(cache + "/*")
	if len(files) != 1 {
		t.Fatalf("the cache holds %q", files)
	}
	data, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	for _, broken := range [][]byte{data[:len(data)/2], data[:3], append(slices.Clone(data[:len(data)-9]), "123456789"...), {}} {
		if err := os.WriteFile(files[0], broken, 0o644); err != nil {
			t.Fatal(err)
		}
		look(false, 1)
		look(true, 0)
	}
	if err := os.WriteFile(filepath.Join(dir, "a.gltf"), []byte(circuittest.GLTF(t, circuittest.Plate()[:3])), 0o644); err != nil {
		t.Fatal(err)
	}
	look(false, 0)
	if files, _ = filepath.Glob(cache + "/*"); len(files) != 2 {
		t.Errorf("the cache holds %q", files)
	}
	prune(cache, files[0], int64(len(data)))
	if files, _ = filepath.Glob(cache + "/*"); len(files) != 1 {
		t.Errorf("after pruning the cache holds %q", files)
	}
}

func TestAFolderThatCannotBeWrittenIsAWarning(t *testing.T) {
	dir := circuittest.Folder(t, map[string]string{"a.obj": circuittest.OBJ(circuittest.Plate()), "file": ""})
	_, warnings := load(t, filepath.Join(dir, "a.obj"), Options{Cache: filepath.Join(dir, "file", "cache")})
	if !slices.ContainsFunc(warnings, func(w string) bool { return strings.Contains(w, "--no-cache") }) {
		t.Errorf("warnings %q", warnings)
	}
}

// A cached mesh reads the files that its own names by the same rules as one that is built: a link that has taken the place
// of a buffer since then is not followed out of the folder.
func TestCompanionsOfACachedMesh(t *testing.T) {
	text := circuittest.GLTF(t, circuittest.Plate())
	_, data, _ := strings.Cut(text, "data:application/octet-stream;base64,")
	data, _, _ = strings.Cut(data, `"`)
	buffer, err := base64.StdEncoding.DecodeString(data)
	if err != nil {
		t.Fatal(err)
	}
	dir := circuittest.Folder(t, map[string]string{"a.gltf": strings.Replace(text, "data:application/octet-stream;base64,"+data, "a%20b.bin", 1), "a b.bin": string(buffer)})
	ground, bin := filepath.Join(dir, "a.gltf"), filepath.Join(dir, "a b.bin")
	o := Options{Cache: t.TempDir()}
	for _, cached := range []bool{false, true} {
		s, err := Open(ground, o)
		if err != nil || s.FromCache != cached || !slices.Equal(s.Sources, []string{ground, bin}) {
			t.Fatalf("cached %v: read from %q, %v", cached, s.Sources, err)
		}
	}
	outside := filepath.Join(t.TempDir(), "a.bin")
	if err := errors.Join(os.Rename(bin, outside), os.Symlink(outside, bin)); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(ground, o); err == nil || !strings.Contains(err.Error(), `"a%20b.bin" cannot be read: a link leads out of the folder`) {
		t.Errorf("a link: %v", err)
	}
}
