package circuit

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"rig.example/rig/internal/circuit/circuittest"
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
	const missing = 1 // texture: told in both cases
	look(false, missing)
	look(true, missing)
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
		look(false, missing+1)
		look(true, missing)
	}
	if err := os.WriteFile(filepath.Join(dir, "a.gltf"), []byte(circuittest.GLTF(t, circuittest.Plate()[:3])), 0o644); err != nil {
		t.Fatal(err)
	}
	look(false, missing)
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
