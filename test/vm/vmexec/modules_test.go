package main

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// object returns an ELF file whose only section with contents is .modinfo, which holds info.
func object(info string) []byte {
	const header, entry = 64, 64
	names := "\x00.modinfo\x00.shstrtab\x00"
	le := binary.LittleEndian
	b := append([]byte("\x7fELF\x02\x01\x01"), make([]byte, 9)...)
	b = le.AppendUint16(b, 1)  // relocatable
	b = le.AppendUint16(b, 62) // x86-64
	b = le.AppendUint32(b, 1)
	b = append(b, make([]byte, 16)...) // entry point, program headers
	b = le.AppendUint64(b, uint64(header+len(info)+len(names)))
	b = append(b, make([]byte, 4)...)
	for _, v := range []uint16{header, 0, 0, entry, 3, 2} {
		b = le.AppendUint16(b, v)
	}
	b = append(b, info...)
	b = append(b, names...)
	b = append(b, make([]byte, entry)...) // section 0
	b = appendSection(b, 1, 1, header, len(info))
	return appendSection(b, 10, 3, header+len(info), len(names))
}

func appendSection(b []byte, name, kind uint32, offset, size int) []byte {
	le := binary.LittleEndian
	b = le.AppendUint32(b, name)
	b = le.AppendUint32(b, kind)
	for _, v := range []int{0, 0, offset, size, 0, 1, 0} {
		b = le.AppendUint64(b, uint64(v))
	}
	return b
}

func TestModulesComeAfterTheirDependencies(t *testing.T) {
	dir := t.TempDir()
	write := func(name string, data []byte) {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("modules.builtin", []byte("kernel/drivers/leds/led-class.ko\n"))
	write("hid-logitech.ko", object("license=GPL\x00depends=hid,ff-memless,led-class\x00"))
	write("ff-memless.ko", object("depends=hid\x00"))
	write("hid.ko", object("depends=\x00"))
	tree, err := readModuleTree(dir)
	if err != nil {
		t.Fatal(err)
	}
	list, err := tree.inLoadOrder([]string{"hid-logitech", "hid"})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, m := range list {
		got = append(got, m.name)
	}
	if want := []string{"hid", "ff_memless", "hid_logitech"}; !slices.Equal(got, want) {
		t.Errorf("order %q, want %q", got, want)
	}
	if _, err := tree.inLoadOrder([]string{"evdev"}); err == nil || !strings.Contains(err.Error(), "module evdev") {
		t.Errorf("a module that is absent gives %v", err)
	}
}

func TestModuleName(t *testing.T) {
	for file, want := range map[string]string{
		"kernel/drivers/hid/hid-logitech.ko": "hid_logitech",
		"a/b/evdev.ko.xz":                    "evdev",
		"ff-memless.ko.zst":                  "ff_memless",
		"vhci-hcd":                           "vhci_hcd",
	} {
		if got := moduleName(file); got != want {
			t.Errorf("%s: got %s, want %s", file, got, want)
		}
	}
}

func TestModulesLoseTheirSignature(t *testing.T) {
	signed := "\x7fELF" + "signature" + "\x00\x00\x02\x00\x00\x00\x00\x00\x00\x00\x00\x09" + "~Module signature appended~\n"
	for _, ko := range []string{signed, "\x7fELF"} {
		if got := string(withoutSignature([]byte(ko))); got != "\x7fELF" {
			t.Errorf("%q: got %q", ko, got)
		}
	}
}

func TestDecompressReturnsUncompressedDataUnchanged(t *testing.T) {
	got, err := decompress([]byte("\x7fELF"))
	if err != nil || !bytes.Equal(got, []byte("\x7fELF")) {
		t.Errorf("got %q, %v", got, err)
	}
}

func FuzzDependencies(f *testing.F) {
	f.Add(object("depends=a,b\x00"))
	f.Add([]byte("\x7fELF"))
	f.Fuzz(func(t *testing.T, ko []byte) {
		names, err := dependencies(ko)
		if err != nil && names != nil {
			t.Fatalf("both %q and %v", names, err)
		}
	})
}
