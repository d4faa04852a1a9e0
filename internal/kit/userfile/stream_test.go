package userfile

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestStreamTakesDescriptorsButNoNamedPipes(t *testing.T) {
	dir := t.TempDir()
	file, fifo := filepath.Join(dir, "file"), filepath.Join(dir, "fifo")
	if err := os.WriteFile(file, []byte("1234"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	fmt.Fprint(w, "1234")
	w.Close()
	zero, err := os.Open("/dev/zero")
	if err != nil {
		t.Fatal(err)
	}
	defer zero.Close()
	of := func(f *os.File) string { return fmt.Sprintf("/dev/fd/%d", f.Fd()) }
	for _, tt := range []struct {
		path, fault string
		size        int64
	}{
		{file, "", 4},
		{of(r), "", -1},
		{fifo, "it is a pipe", 0},
		{"/dev/zero", "it is a device", 0},
		{of(zero), "it is a device", 0},
		{"/dev/fd/12345", "bad file descriptor", 0},
		{"/dev/fd/-1", "no such file", 0},
	} {
		in, size, err := Stream(tt.path, 4)
		if err != nil || tt.fault != "" {
			if err == nil || tt.fault == "" || !strings.HasPrefix(err.Error(), tt.fault) {
				t.Errorf("%s: %v, want %q", tt.path, err, tt.fault)
			}
			continue
		}
		text, err := io.ReadAll(in)
		if err != nil || string(text) != "1234" || size != tt.size {
			t.Errorf("%s: %q of %d, %v", tt.path, text, size, err)
		}
		in.Close()
	}
}
