package main

import (
	"encoding/binary"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// bootImage returns an image with one setup sector and the payload packed.
func bootImage(packed []byte, size uint32) []byte {
	const setup, offset = 1, 0x10
	b := make([]byte, (setup+1)*512+offset)
	b[0x1f1] = setup
	copy(b[0x202:], "HdrS")
	binary.LittleEndian.PutUint32(b[0x248:], offset)
	binary.LittleEndian.PutUint32(b[0x24c:], uint32(len(packed)+4))
	b = append(b, packed...)
	b = binary.LittleEndian.AppendUint32(b, size)
	return append(b, "rest of the image"...)
}

func TestUnpackWritesTheKernel(t *testing.T) {
	kernel := "\x7fELF" + strings.Repeat("kernel", 1000)
	for _, tool := range []string{"xz", "zstd"} {
		t.Run(tool, func(t *testing.T) {
			if _, err := exec.LookPath(tool); err != nil {
				t.Skip(err)
			}
			cmd := exec.Command(tool, "-c")
			cmd.Stdin = strings.NewReader(kernel)
			packed, err := cmd.Output()
			if err != nil {
				t.Fatal(err)
			}
			in, out := filepath.Join(t.TempDir(), "vmlinuz"), filepath.Join(t.TempDir(), "vmlinux")
			if err := os.WriteFile(in, bootImage(packed, uint32(len(kernel))), 0o644); err != nil {
				t.Fatal(err)
			}
			if err := unpack(in, out); err != nil {
				t.Fatal(err)
			}
			if got, err := os.ReadFile(out); err != nil || string(got) != kernel {
				t.Errorf("got %d bytes, %v; want the kernel's %d", len(got), err, len(kernel))
			}
		})
	}
}

func TestPayloadRefusesOtherFiles(t *testing.T) {
	short := bootImage([]byte("packed"), 6)
	tests := []struct {
		name  string
		image []byte
		want  string
	}{
		{"empty", nil, "not a Linux boot image"},
		{"something else", make([]byte, 4096), "not a Linux boot image"},
		{"truncated", short[:len(short)-len("rest of the image")-1], "truncated"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if _, _, err := payload(test.image); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %q", err, test.want)
			}
		})
	}
}

func FuzzPayload(f *testing.F) {
	f.Add(bootImage([]byte("packed"), 6))
	f.Add([]byte("HdrS"))
	f.Fuzz(func(t *testing.T, image []byte) {
		packed, _, err := payload(image)
		if err == nil && len(packed) > len(image) {
			t.Fatalf("payload of %d bytes in an image of %d", len(packed), len(image))
		}
	})
}
