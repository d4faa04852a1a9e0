package main

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"rig.example/rig/display/model/modeltest"
	"rig.example/rig/internal/files/circuit"
	"rig.example/rig/internal/files/config"
	"rig.example/rig/internal/files/drivesetup"
	"rig.example/rig/internal/files/replay"
	"rig.example/rig/test/level"
)

// reference is a place in a data file that can name another file.
type reference struct {
	what    string
	refused bool                                // a name that must not be read is an error; otherwise nothing is read, and the rest of the file works
	content []byte                              // that would do
	files   func(name string) map[string]string // with a reference to name
	file    string                              // of them, that rig.toml names
}

// references are all places in data files at which a name means another file.
func references() []reference {
	uri := base64Buffer(gltfRoad("a"))
	buffer, _ := base64.StdEncoding.DecodeString(uri)
	gltf := func(name string) string {
		return strings.Replace(gltfRoad("a"), "data:application/octet-stream;base64,"+uri, name, 1)
	}
	image := func(name string) string {
		return strings.Replace(gltfRoad("a"), `"materials":[{`, `"textures":[{"source":0}],"images":[{"uri":"`+name+`"}],"materials":[{"pbrMetallicRoughness":{"baseColorTexture":{"index":0}},`, 1)
	}
	one := func(file string, text func(name string) string) func(string) map[string]string {
		return func(name string) map[string]string { return map[string]string{file: text(name)} }
	}
	return []reference{
		{"buffer of a .gltf", true, buffer, one("a.gltf", gltf), "a.gltf"},
		{"buffer of a .glb", true, buffer, one("a.glb", func(name string) string { return glb(gltf(name)) }), "a.glb"},
		{"image of a .gltf", false, []byte("x"), one("a.gltf", image), "a.gltf"},
		{"library of an .obj", false, []byte("newmtl a\n"), one("a.obj", func(name string) string { return "mtllib " + name + "\n" + objRoad("a") }), "a.obj"},
		{"texture of an .mtl", false, []byte("x"), func(name string) map[string]string {
			return map[string]string{"a.obj": "mtllib a.mtl\n" + objRoad("a"), "a.mtl": "newmtl a\nmap_Kd " + name + "\n"}
		}, "a.obj"},
		{"file of a .crg", true, []byte(crgRoad("a")), one("a.crg", func(name string) string { return "$ROAD_CRG_FILE\n" + name + "\n$\n" + crgRoad("a") }), "a.crg"},
		{"include of an .xodr", false, []byte("<road/>"), one("a.xodr", func(name string) string {
			return strings.Replace(xodrRoad("a"), "<road ", `<include file="`+name+`"/><road `, 1)
		}), "a.xodr"},
		{"buffer of a car's model", true, modeltest.Buffer(), func(name string) map[string]string {
			return map[string]string{
				"car.toml": "base = \"coupe\"\n[model]\nbody = \"a.gltf\"\n",
				"a.gltf":   strings.Replace(modeltest.Document, `{"byteLength":132}`, `{"byteLength":132,"uri":"`+name+`"}`, 1),
			}
		}, "car.toml"},
	}
}

// bufferedRoad returns a road whose buffer is a file of its own.
func bufferedRoad() map[string]string {
	uri := base64Buffer(gltfRoad("a"))
	buffer, _ := base64.StdEncoding.DecodeString(uri)
	return map[string]string{"a.bin": string(buffer), "a.gltf": strings.Replace(gltfRoad("a"), "data:application/octet-stream;base64,"+uri, "a.bin", 1)}
}

// base64Buffer returns the buffer of a document in base64.
func base64Buffer(document string) string {
	_, text, _ := strings.Cut(document, ";base64,")
	text, _, _ = strings.Cut(text, `"`)
	return text
}

const ownersKey = "-----BEGIN OPENSSH PRIVATE KEY-----"

// outside are names that must not be read though each leads to what the reference needs. They lie in the folder road of dir,
// beside which private is.
func outside(t *testing.T, dir string, content []byte) (names []string) {
	t.Helper()
	secret := append(bytes.Clone(content), ownersKey...)
	road, private := filepath.Join(dir, "road"), filepath.Join(dir, "private")
	in := func(name string) string { return filepath.Join(road, name) }
	if err := errors.Join(os.MkdirAll(road, 0o700), os.Mkdir(private, 0o700)); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(
		os.WriteFile(filepath.Join(private, "key.bin"), secret, 0o600), os.WriteFile(filepath.Join(private, "id_key"), secret, 0o600),
		os.WriteFile(in("id_key"), secret, 0o600), os.Mkdir(in("folder.bin"), 0o700), syscall.Mkfifo(in("pipe.bin"), 0o600),
		os.Symlink("../private/key.bin", in("link.bin")), os.Symlink(filepath.Join(private, "key.bin"), in("far.bin")), os.Symlink("../private", in("in")),
		os.Symlink("/dev/zero", in("device.bin")), os.WriteFile(in("large.bin"), secret, 0o600), os.Truncate(in("large.bin"), 5<<30),
	); err != nil {
		t.Fatal(err)
	}
	return []string{
		"../private/key.bin", "../private/id_key", `..\\private\\key.bin`, "%2e%2e/private/key.bin", "..%2Fprivate%2Fkey.bin", "./../private/key.bin", "in/key.bin",
		filepath.Join(private, "key.bin"), "file://" + filepath.Join(private, "key.bin"), "FILE:" + filepath.Join(private, "key.bin"),
		"http://127.0.0.1:9/key.bin", "//127.0.0.1/key.bin", "link.bin", "far.bin", "folder.bin", "pipe.bin", "device.bin", "/dev/zero", "/proc/self/environ",
		"large.bin", "id_key", "none.bin", ".", "..",
	}
}

// A user who drives a stranger's road or car and shares the recording shares nothing else of this machine. In `make test`
// each reader meets a quarter of the names, and its neighbors the others: one owner opens them all.
func TestNoDataFileReadsOutsideItsFolder(t *testing.T) {
	level.SkipIfQuick(t)
	for k, r := range references() {
		t.Run(r.what, func(t *testing.T) {
			dir := t.TempDir()
			for i, name := range outside(t, dir, r.content) {
				if (i+k)%level.Pick(4, 4, 1) == 0 {
					r.try(t, filepath.Join(dir, "road"), name)
				}
			}
		})
	}
}

// try checks a file that names another one, and looks for that one's content in all that rig says of it and would record.
func (r reference) try(t *testing.T, dir, name string) {
	t.Helper()
	put(t, dir, r.files(name))
	key := "track"
	if r.file == "car.toml" {
		key = "car"
	}
	path := filepath.Join(put(t, dir, map[string]string{"rig.toml": fmt.Sprintf("%s = %q\n", key, r.file)}), "rig.toml")
	_, out, errs := rigCommand(t, "check", "--config", path)
	said := out + errs
	if refused := strings.Contains(said, "cannot be read") || strings.Contains(said, "is not supported"); refused != r.refused {
		t.Errorf("%q: refused is %v\n%.500s", name, refused, said)
	}
	if strings.Contains(said, ownersKey) {
		t.Errorf("%q: its content is shown", name)
	}
	cfg, err := config.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	parts, err := drivesetup.New(cfg, circuit.Options{})
	if err != nil {
		return // nobody drives with it
	}
	h, err := replay.Header(cfg, parts.Drive, parts.TrackFiles, nil, true, time.Now())
	if err != nil {
		t.Fatalf("%q: %v", name, err)
	}
	for _, f := range h.Circuit {
		if f.Name != r.file || bytes.Contains(f.Text, []byte(ownersKey)) {
			t.Errorf("%q: %s is recorded: %q", name, f.Name, f.Text)
		}
	}
}
