package config

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rig.example/rig/road/layout"
)

func TestBuiltInCircuitsAreValid(t *testing.T) {
	for _, name := range Circuits() {
		c, err := LoadCircuit(name)
		if err != nil || c.Title == "" || len(c.Warnings) > 0 {
			t.Errorf("%s: %q, %v, %q", name, c.Title, err, c.Warnings)
		}
	}
}

func TestGroundsNeedNoFileOfTheirOwn(t *testing.T) {
	c, err := LoadCircuit("some/where/road.GLB")
	if err != nil || c.Ground.File != "road.GLB" || c.ResolvePath("x.bin") != "some/where/x.bin" || c.Title != "road" {
		t.Errorf("%+v, %v", c.Ground, err)
	}
}

func TestTracksLieBesideTheConfiguration(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"rig.toml": "track = \"sub/c.toml\"\n",
		"bad.toml": "car = \"coupe\"\ntrack = \"sub/no.toml\"\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "sub"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "sub", "c.toml"), []byte("[[layout.piece]]\nturn_deg = 360\nradius_m = 50\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	c, err := Load(filepath.Join(dir, "rig.toml"))
	if err != nil || c.Track != filepath.Join(dir, "sub", "c.toml") {
		t.Errorf("%q, %v", c.Track, err)
	}
	_, err = Load(filepath.Join(dir, "bad.toml"))
	if err == nil || !strings.Contains(err.Error(), "bad.toml:2:1: track: ") {
		t.Error(err)
	}
}

// Whatever a circuit's file says, it is read or refused, and every fault has its file.
func FuzzCircuit(f *testing.F) {
	for _, name := range Circuits() {
		data, err := circuitFiles.ReadFile("circuits/" + name + ".toml")
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Add([]byte("[ground]\nfile = \"x.obj\"\nup = \"z\"\n[materials]\na = \"ice\"\n[surface.x]\ngrip = nan\n[[wall]]\nfrom = [1, 2]\nto = []\n"))
	f.Add([]byte("[[cone]]\nlanes = \"iso-3888-2\"\n[[change]]\nat_s = -1\n[start]\non = \"x\"\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		c := Circuit{Layout: layout.Default(), Ground: DefaultGround(), File: "fuzz.toml", text: data}
		err := Decode(c.File, data, &c)
		for _, e := range Faults(err) {
			var p *Problem
			if !errors.As(e, &p) || p.File != "fuzz.toml" {
				t.Fatalf("%T: %v", e, e)
			}
		}
		if err == nil {
			c.unusedSurfaceWarnings()
			c.usedSurfaces()
		}
	})
}

func TestEndlessFilesAreRefused(t *testing.T) {
	_, err := LoadCircuit("/dev/zero")
	if err == nil || err.Error() != "/dev/zero: cannot be read: it is a device, not a regular file; name a file, or copy the contents into one" {
		t.Errorf("error %v", err)
	}
}
