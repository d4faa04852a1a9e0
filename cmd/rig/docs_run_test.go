package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"rig.example/rig/test/level"
)

var docBlocks = regexp.MustCompile("(?m)^```[a-z]*\n((?s).*?)^```$|((?:^    .*\n|^\n)+)")

// docBlock returns the block of code of a page that begins with a line.
func docBlock(t *testing.T, page, first string) string {
	t.Helper()
	for _, m := range docBlocks.FindAllStringSubmatch(ofRepository(t, page), -1) {
		code := strings.TrimSpace(m[1] + strings.ReplaceAll(m[2], "\n    ", "\n"))
		if code == first || strings.HasPrefix(code, first+"\n") {
			return code + "\n"
		}
	}
	t.Fatalf("%s has no block that begins with %q", page, first)
	return ""
}

const docPoints = "kappa,alpha_rad,gamma_rad,fz_n\n0,0.02,0,4000\n0.03,0,0,3000\n"

// docFiles returns a folder with the files that the pages' commands read: those that the pages show, and others of
// the same kind.
func docFiles(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	drive, err := os.ReadFile(recordedDrive(t))
	if err != nil {
		t.Fatal(err)
	}
	inputs := docBlock(t, "docs/validation.md", "t_s,steer_road_rad,speed_mps")
	for name, text := range map[string]string{
		"my.toml":    docBlock(t, "docs/cars.md", `base = "hatch"`),
		"run.csv":    inputs,
		"run7.csv":   inputs,
		"points.csv": docPoints,
		"rig.toml":   "car = \"coupe\"\n",
		"FILE.tir":   ofRepository(t, "sim/tire/testdata/mf61.tir"),
		"town.xodr":  xodrRoad("town"),
		"ring.glb":   glbRoad("asphalt"),
		"track.glb":  glbRoad("asphalt"),
		"drive.mcap": string(drive),
		"first.mcap": string(drive),
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	gpsTrack(t, folder, true)
	for _, name := range []string{"run7-measured.csv", "reference-run.csv"} {
		done(t, "maneuver", "open-loop", "--input", filepath.Join(folder, "run.csv"), "--csv", filepath.Join(folder, name))
	}
	return folder
}

// gpsTrack writes into a folder what docs/tracks.md makes of a GPS log: gps.toml and the files that it names. The log
// is one lap to the left round a ring of 200 m radius in the middle of Europe, with noise: GPX, or a table.
func gpsTrack(t *testing.T, folder string, isGPX bool) {
	t.Helper()
	noise := rand.New(rand.NewPCG(1, 2))
	name, log, format := "lap.csv", "latitude,longitude\n", "%.7f,%.7f\n"
	if isGPX {
		name, log, format = "lap.gpx", "<gpx><trk><trkseg>", "<trkpt lat=\"%.7f\" lon='%.7f'><ele>520</ele></trkpt>"
	}
	for i := range 600 {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / 600)
		east, north := 200*cos+noise.NormFloat64()/4, 200*sin+noise.NormFloat64()/4
		log += fmt.Sprintf(format, 48+north/111200, 11+east/74630)
	}
	put(t, folder, map[string]string{
		name:       log,
		"gps.awk":  ofRepository(t, "docs/gps.awk"),
		"gps.toml": docBlock(t, "docs/tracks.md", `title = "My lap"`),
	})
	cmd := exec.CommandContext(t.Context(), "awk", "-v", "width=9", "-f", "gps.awk", name)
	cmd.Dir = folder
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("awk: %v\n%s", err, out)
	}
}

func TestAGPSLogBecomesATrack(t *testing.T) {
	for _, isGPX := range []bool{false, true} {
		folder := t.TempDir()
		gpsTrack(t, folder, isGPX)
		var got struct {
			Line struct {
				Length float64    `json:"length_m"`
				Closed bool       `json:"closed"`
				Width  [2]float64 `json:"width_m"`
				Radius float64    `json:"tightest_radius_m"`
			} `json:"line"`
			Materials []struct{ Surface string } `json:"materials"`
			Checks    []struct{ Kind string }    `json:"checks"`
			Warnings  []string                   `json:"warnings"`
		}
		out, _ := done(t, "road", filepath.Join(folder, "gps.toml"), "--json")
		if err := json.Unmarshal([]byte(out), &got); err != nil {
			t.Fatal(err)
		}
		if math.Abs(got.Line.Length-2*math.Pi*200) > 5 || math.Abs(got.Line.Width[0]-9) > 0.01 || !got.Line.Closed || got.Line.Radius < 50 ||
			len(got.Materials) != 3 || len(got.Checks) > 0 || len(got.Warnings) > 0 {
			t.Errorf("GPX %v: %+v", isGPX, got)
		}
	}
}

// TestCommandsOfThePagesWork runs each command of the pages that needs no hardware and ends soon by itself, in a
// folder with the files that the pages name. Of commands that differ only in the values of their flags one runs; in
// `make test` also of manoeuvres with the same flags, because sim/maneuver drives them all.
func TestCommandsOfThePagesWork(t *testing.T) {
	level.SkipIfQuick(t)
	files := docFiles(t)
	ran := map[string]bool{}
	for _, c := range allDocCommands(t) {
		if !c.runsHere() || ran[c.shape()] {
			continue
		}
		ran[c.shape()] = true
		t.Run(strings.Join(c.args, " "), func(t *testing.T) {
			t.Parallel()
			c.run(t, files)
		})
	}
}

// shape returns a command without the values of its flags, and without the files that it writes.
func (c docCommand) shape() string {
	var words []string
	value := false
	for _, a := range c.args {
		name, _, joined := strings.Cut(a, "=")
		flag := strings.HasPrefix(a, "-") && a != "-"
		if flag && name != "--plot" && name != "--csv" && name != "--json" || !flag && !value {
			words = append(words, name)
		}
		value = flag && !joined
	}
	if words[0] == "maneuver" && len(words) > 1 && !level.All() {
		words = slices.Delete(words, 1, 2)
	}
	return strings.Join(words, " ")
}

// run runs a command in a copy of a folder. Only `rig check` may end with status 1, because it says what is wrong
// with the machine.
func (c docCommand) run(t *testing.T, files string) {
	folder := t.TempDir()
	if err := os.CopyFS(folder, os.DirFS(files)); err != nil {
		t.Fatal(err)
	}
	if c.page == "docs/tracks.md" {
		circuit := filepath.Join(folder, "my.toml")
		if err := os.WriteFile(circuit, []byte(docBlock(t, "docs/tracks.md", `title = "Triangle"`)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	args := c.args
	switch {
	case slices.Contains(args, "jog"):
		args = append(args, "--yes", "--page", socketPath(t))
	case args[0] == "run":
		args = append(args, "--page", socketPath(t))
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	cmd := exec.CommandContext(ctx, os.Args[0], args...)
	cmd.Env, cmd.Dir = rigProcess().Env, folder
	cmd.Stdin = strings.NewReader(docPoints)
	if slices.Contains(args, "--probe") {
		cmd.Stdin = strings.NewReader("x_m,y_m,z_m\n10,1,\n12,1,4.5\n")
	}
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	if status := cmd.ProcessState.ExitCode(); status != exitDone && (status != exitFailed || args[0] != "check") {
		t.Errorf("%s: rig %s: %v\n%s", c.page, c.text, err, out.String())
	}
}
