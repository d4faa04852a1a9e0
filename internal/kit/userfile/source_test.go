package userfile

import (
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestOnlyRegularFilesWithinTheirLimitAreRead(t *testing.T) {
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	sparse, err := os.Create(in("sparse"))
	if err != nil {
		t.Fatal(err)
	}
	socket, err := net.Listen("unix", in("socket"))
	if err != nil {
		t.Fatal(err)
	}
	defer socket.Close()
	if err := errors.Join(sparse.Truncate(1<<40), sparse.Close(), syscall.Mkfifo(in("fifo"), 0o600),
		os.WriteFile(in("file"), []byte("1234"), 0o600), os.Symlink("file", in("link")), os.Symlink("fifo", in("link to a pipe"))); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ name, want, fault string }{
		{"file", "1234", ""},
		{"link", "1234", ""},
		{"none", "", "no such file or directory"},
		{"", "", "is a directory"},
		{"fifo", "", "it is a pipe, not a regular file"},
		{"link to a pipe", "", "it is a pipe, not a regular file"},
		{"socket", "", "no such device or address"},
		{"/dev/zero", "", "it is a device, not a regular file"},
		{"sparse", "", "1099511627776 bytes or more, at most 0 MB are read"},
	} {
		path := in(tt.name)
		if filepath.IsAbs(tt.name) {
			path = tt.name
		}
		data, err := Read(path, 4)
		if string(data) != tt.want || tt.fault == "" != (err == nil) || err != nil && !strings.HasPrefix(strings.TrimPrefix(err.Error(), "it is too large: "), tt.fault) {
			t.Errorf("Read %s: %q, %v", tt.name, data, err)
		}
		r, size, err := Open(path, 4)
		if tt.fault == "" != (err == nil) {
			t.Errorf("Open %s: %v", tt.name, err)
		}
		if err != nil {
			continue
		}
		defer r.Close()
		if data, err := io.ReadAll(r); string(data) != tt.want || err != nil || size != int64(len(tt.want)) {
			t.Errorf("Open %s: %q of %d bytes, %v", tt.name, data, size, err)
		}
	}
}

// A file under /proc has no size beforehand.
func TestAFileWithoutASizeIsRead(t *testing.T) {
	want, err := os.ReadFile("/proc/self/limits")
	if err != nil {
		t.Skip(err)
	}
	if data, err := Read("/proc/self/limits", MaxText); string(data) != string(want) || err != nil {
		t.Errorf("%d bytes of %d, %v", len(data), len(want), err)
	}
	if _, err := Read("/proc/self/limits", 10); !errors.Is(err, errTooLarge) {
		t.Errorf("beyond its limit: %v", err)
	}
}

func TestAStreamEndsAtItsLimit(t *testing.T) {
	for _, tt := range []struct {
		most  int64
		want  string
		fault bool
	}{{4, "1234", false}, {5, "1234", false}, {3, "123", true}, {0, "", true}} {
		data, err := io.ReadAll(LimitReader(strings.NewReader("1234"), tt.most))
		if string(data) != tt.want || errors.Is(err, errTooLarge) != tt.fault {
			t.Errorf("at most %d: %q, %v", tt.most, data, err)
		}
	}
}

func TestAFileThatIsNearlyAllHolesIsNotRead(t *testing.T) {
	dir := t.TempDir()
	make := func(name string, data string, at, size int64) string {
		path := filepath.Join(dir, name)
		f, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		_, err = f.WriteAt([]byte(data), at)
		if err := errors.Join(err, f.Truncate(size), f.Close()); err != nil {
			t.Fatal(err)
		}
		return path
	}
	const size = 3 << 30
	for name, path := range map[string]string{
		"nothing written": make("a", "", 0, size), "a beginning": make("b", "begin", 0, size), "an end": make("c", "end", size-3, size),
	} {
		if _, err := Read(path, MaxScan); err == nil || !strings.Contains(err.Error(), "cp --sparse=never") {
			t.Errorf("%s: %v", name, err)
		}
		if _, _, err := Open(path, MaxScan); err == nil {
			t.Errorf("%s: it is opened", name)
		}
	}
	if _, err := Read(make("e", "flat", 0, 20<<20), MaxScan); err != nil {
		t.Errorf("a flat ground, copied without its zeros: %v", err)
	}
	if _, _, err := Open(make("d", strings.Repeat("x", 30<<20), 0, 300<<20), MaxScan); err != nil {
		t.Errorf("a tenth is written: %v", err)
	}
}
