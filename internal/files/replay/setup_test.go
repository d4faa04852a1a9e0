package replay

import (
	"encoding/base64"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"rig.example/rig/internal/files/circuit"
	"rig.example/rig/internal/files/circuit/circuittest"
	"rig.example/rig/internal/files/config"
	"rig.example/rig/internal/files/drivesetup"
	"rig.example/rig/internal/files/recording"
)

const ofGround = "[ground]\nfile = \"a.gltf\"\n[line]\nfile = \"line.csv\"\n"

// meshHeader returns the header of a drive on a mesh with a buffer too large for the recording, and the folder of its files.
func meshHeader(t *testing.T) (h *recording.Header, folder string) {
	t.Helper()
	text := circuittest.GLTF(t, circuittest.Plate())
	_, data, _ := strings.Cut(text, "data:application/octet-stream;base64,")
	data, _, _ = strings.Cut(data, `"`)
	buffer, err := base64.StdEncoding.DecodeString(data)
	if err != nil {
		t.Fatal(err)
	}
	folder = circuittest.Folder(t, map[string]string{
		"c.toml": ofGround, "a.gltf": strings.Replace(text, "data:application/octet-stream;base64,"+data, "b/big.bin", 1),
		"line.csv": "x,y\n0,0\n50,0\n100,0\n150,0\n",
	})
	if err := errors.Join(os.Mkdir(filepath.Join(folder, "b"), 0o700), os.WriteFile(filepath.Join(folder, "b/big.bin"), append(buffer, make([]byte, 300<<10)...), 0o600)); err != nil {
		t.Fatal(err)
	}
	cfg := config.Default()
	cfg.Track = filepath.Join(folder, "c.toml")
	parts, err := drivesetup.New(cfg, circuit.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if h, err = Header(cfg, parts.Drive, parts.TrackFiles, nil, false, time.Time{}); err != nil {
		t.Fatal(err)
	}
	return h, folder
}

// A recording names all that it was driven on, and a replay reads nothing else: anybody may have made it.
func TestAReplayReadsOnlyFilesOfTheRecording(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	h, folder := meshHeader(t)
	var names []string
	for _, f := range h.Circuit {
		names = append(names, f.Name)
	}
	if got := strings.Join(names, " "); got != "c.toml a.gltf b/big.bin line.csv" || h.Circuit[2].Text != nil {
		t.Fatalf("%s are recorded", got)
	}
	for range 2 { // the second one from the cache
		if _, err := build(h, nil); err != nil {
			t.Fatal(err)
		}
	}
	const refused = "it is none of the circuit's recorded files; name a recording that was not changed"
	far := filepath.Join(folder, "a.gltf")
	for name, change := range map[string]func(h *recording.Header) string{
		"absolute": func(h *recording.Header) string {
			h.Circuit[0].Text = []byte(strings.Replace(ofGround, "a.gltf", far, 1))
			return refused
		},
		"above": func(h *recording.Header) string {
			h.Circuit[0].Text = []byte(strings.Replace(ofGround, "a.gltf", strings.Repeat("../", 20)+far, 1))
			return refused
		},
		"a table": func(h *recording.Header) string {
			h.Circuit[0].Text = []byte(strings.Replace(ofGround, "line.csv", filepath.Join(folder, "line.csv"), 1))
			return refused
		},
		"a buffer":        func(h *recording.Header) string { h.Circuit = append(h.Circuit[:2:2], h.Circuit[3]); return refused },
		"another content": func(h *recording.Header) string { h.Circuit[2].SHA256 = "00"; return "is another file" },
		"no files of the circuit": func(h *recording.Header) string {
			h.Circuit, h.Config = nil, strings.Replace(h.Config, "'c.toml'", "'"+filepath.Join(folder, "c.toml")+"'", 1)
			return "the recording has no files of its circuit"
		},
		"no files of the car": func(h *recording.Header) string {
			h.Car, h.CarName = nil, filepath.Join(folder, "c.toml")
			return "the recording has no files of its car"
		},
	} {
		bad := *h
		bad.Circuit = append([]recording.File(nil), h.Circuit...)
		want := change(&bad)
		if _, err := build(&bad, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", name, err, want)
		}
	}
}
