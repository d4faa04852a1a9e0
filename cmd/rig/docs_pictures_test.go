package main

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"rig.example/rig/test/level"
)

const docFolder = "../../docs"

// docPictures are the pictures of the pages, with the command that makes each; nil for those that another test makes.
// `go test ./cmd/rig -run PicturesAreMade -write` makes them anew.
var docPictures = map[string]struct {
	args []string
	slow bool   // made only with -write, or if every test runs in full
	by   string // the test that makes it with -write
}{
	"club.png":          {args: []string{"road", "club", "--picture"}},
	"ffb-stability.png": {args: []string{"ffb", "map", "--picture"}, slow: true},
	"motion-chain.svg":  {by: "go test ./internal/files/config -run MotionChain -write"},
	"sweep.svg":         {args: []string{"maneuver", "step-steer", "--sweep", "mass_kg=1200..1600:5", "--sweep", "speed=60..120:4", "--plot"}},
	"tire.svg":          {args: []string{"tire", "road", "--sweep", "slip-angle", "--fz", "2000,4000,6000", "--plot"}},
	"view.png":          {by: "go test ./cmd/rig -run TheViewShows -write"},
}

func TestPicturesAreMadeByTheProgram(t *testing.T) {
	level.SkipIfQuick(t)
	for _, kind := range []string{"*.png", "*.svg", "*.jpg", "*.gif"} {
		found, err := filepath.Glob(filepath.Join(docFolder, kind))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range found {
			if _, ok := docPictures[filepath.Base(path)]; !ok {
				t.Errorf("%s: no command makes it; add that to docPictures", path)
			}
		}
	}
	for name, p := range docPictures {
		if p.by != "" || p.slow && !*write && !level.All() {
			continue
		}
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(docFolder, name)
			if *write {
				done(t, append(p.args, path)...)
			}
			fresh := filepath.Join(t.TempDir(), name)
			done(t, append(p.args, fresh)...)
			if !samePicture(t, path, fresh) {
				t.Errorf("rig %v draws another picture now; if it is right: go test ./cmd/rig -run PicturesAreMade -write", p.args)
			}
		})
	}
}

// samePicture reports whether two files hold the same picture: the same text, or the same pixels.
func samePicture(t *testing.T, a, b string) bool {
	t.Helper()
	var files [2][]byte
	for i, path := range []string{a, b} {
		var err error
		if files[i], err = os.ReadFile(path); err != nil {
			t.Fatal(err)
		}
	}
	if filepath.Ext(a) != ".png" {
		return bytes.Equal(files[0], files[1])
	}
	var pictures [2]image.Image
	for i, data := range files {
		var err error
		if pictures[i], err = png.Decode(bytes.NewReader(data)); err != nil {
			t.Fatal(err)
		}
	}
	area := pictures[0].Bounds()
	if area != pictures[1].Bounds() {
		return false
	}
	for y := area.Min.Y; y < area.Max.Y; y++ {
		for x := area.Min.X; x < area.Max.X; x++ {
			if color.RGBAModel.Convert(pictures[0].At(x, y)) != color.RGBAModel.Convert(pictures[1].At(x, y)) {
				return false
			}
		}
	}
	return true
}
