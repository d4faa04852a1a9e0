package main

import (
	"net/netip"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"rsc.io/qr"
)

func TestAddressesOfTheWebPage(t *testing.T) {
	own := []netip.Addr{netip.MustParseAddr("127.0.0.1"), netip.MustParseAddr("192.168.1.5"), netip.MustParseAddr("::1"), netip.MustParseAddr("fe80::1"), netip.MustParseAddr("2001:db8::5")}
	for listen, want := range map[string]dashAddresses{
		"127.0.0.1:8888":   {Own: "http://localhost:8888/", Other: []string{}},
		"localhost:8888":   {Own: "http://localhost:8888/", Other: []string{}},
		"[::1]:8888":       {Own: "http://localhost:8888/", Other: []string{}},
		"192.168.1.5:80":   {Other: []string{"http://192.168.1.5:80/#token=abc"}},
		"rig.example:8888": {Other: []string{"http://rig.example:8888/#token=abc"}},
		"0.0.0.0:8888":     {Own: "http://localhost:8888/", Other: []string{"http://192.168.1.5:8888/#token=abc", "http://[2001:db8::5]:8888/#token=abc"}},
		":8888":            {Own: "http://localhost:8888/", Other: []string{"http://192.168.1.5:8888/#token=abc", "http://[2001:db8::5]:8888/#token=abc"}},
	} {
		want.Token = "abc"
		if got, err := addressesOf(listen, "abc", own); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, %v; want %+v", listen, got, err, want)
		}
	}
}

func TestACodeAsText(t *testing.T) {
	code, err := qr.Encode("http://192.168.1.5:8888/#token=abcdefghijklmnopqrstuvwxyz", qr.M)
	if err != nil {
		t.Fatal(err)
	}
	text := qrText(code)
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	if len(lines) != (code.Size+5)/2 {
		t.Errorf("%d lines for a code of %d rows", len(lines), code.Size)
	}
	for i, line := range lines {
		cells := strings.TrimSuffix(strings.TrimPrefix(line, "\x1b[30;47m"), "\x1b[0m")
		if n := len([]rune(cells)); n != code.Size+4 {
			t.Errorf("line %d has %d cells, want %d", i, n, code.Size+4)
		}
	}
}

func TestDashNeedsAnAddress(t *testing.T) {
	if status, _, errs := rigCommand(t, "dash", "--config", emptyConfig(t)); status != exitUsage || !strings.Contains(errs, "web.listen: is not set") {
		t.Errorf("status %d, %q", status, errs)
	}
}

// emptyConfig returns the path of a configuration without keys.
func emptyConfig(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "rig.toml")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
