package userfile

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// besideRoad returns a folder with a road, its buffers and links, and a secret beside the folder.
func besideRoad(t *testing.T) (road string) {
	t.Helper()
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	if err := errors.Join(
		os.MkdirAll(in("road/sub"), 0o700), os.WriteFile(in("secret.bin"), []byte("secret"), 0o600), os.WriteFile(in("road/a b.BIN"), []byte("1234"), 0o600),
		os.WriteFile(in("road/sub/c.bin"), []byte("56"), 0o600), os.WriteFile(in("road/key"), []byte("secret"), 0o600),
		os.Symlink("sub/c.bin", in("road/inside.bin")), os.Symlink("../secret.bin", in("road/link.bin")), os.Symlink("sub", in("road/also")),
	); err != nil {
		t.Fatal(err)
	}
	return in("road/a.gltf")
}

func TestOnlyFilesBesideADataFileAreRead(t *testing.T) {
	road := besideRoad(t)
	for _, tt := range []struct{ uri, want, fault string }{
		{"a%20b.BIN", "1234", ""},
		{"./a b.BIN", "1234", ""},
		{`sub\c.bin`, "56", ""},
		{"sub/../a b.BIN", "1234", ""},
		{"inside.bin", "56", ""},
		{"also/c.bin", "56", ""},
		{"../secret.bin", "", "it leads out of the folder of the file that names it; put a copy into that folder and export again"},
		{"%2e%2e/secret.bin", "", "it leads out of the folder"},
		{"sub/../../secret.bin", "", "it leads out of the folder"},
		{"/etc/passwd", "", "it leads out of the folder"},
		{"", "", "it leads out of the folder"},
		{"link.bin", "", "a link leads out of the folder of the file that names it; put a copy into that folder and export again"},
		{"file:///a.bin", "", "it is not a file; fetch it and export with it beside the file"},
		{"http://127.0.0.1/a.bin", "", "it is not a file"},
		{"%zz.bin", "", `invalid URL escape "%zz"; export again`},
		{"key", "", "it must end with .bin or .glbin or .glbuf; rename it and export again"},
		{"none.bin", "", "no such file or directory; put it beside the file that names it"},
		{"a.bin\x00", "", "it must end with"},
	} {
		b := NextTo(road, 100, GLTFBuffers...)
		data, err := b.Read(tt.uri)
		if string(data) != tt.want || (err == nil) != (tt.fault == "") || err != nil && !strings.HasPrefix(err.Error(), tt.fault) {
			t.Errorf("%q: %q, %v; want %q, %q", tt.uri, data, err, tt.want, tt.fault)
		}
		if path, err := b.Path(tt.uri); err == nil && !strings.HasPrefix(path, filepath.Dir(road)+"/") {
			t.Errorf("%q lies at %s", tt.uri, path)
		}
	}
}

func TestFilesBesideADataFileShareTheirLimits(t *testing.T) {
	b := NextTo(besideRoad(t), 7, GLTFBuffers...)
	for i, want := range []bool{true, true, false} {
		if _, err := b.Read([]string{"a b.BIN", "sub/c.bin", "inside.bin"}[i]); (err == nil) != want || err != nil && !errors.Is(err, errTooLarge) {
			t.Errorf("file %d: %v", i, err)
		}
	}
	b = NextTo(besideRoad(t), 1<<20, GLTFBuffers...)
	for i := range 1001 {
		if _, err := b.Read("sub/c.bin"); (err == nil) != (i < 1000) {
			t.Fatalf("read %d: %v", i, err)
		}
	}
}
