package survey

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rig.example/rig/internal/files/circuit"
	"rig.example/rig/internal/files/circuit/circuittest"
	"rig.example/rig/test/near"
)

// probed answers a table on a circuit.
func probed(t *testing.T, file, table string, asJSON bool) (string, ProbeCounts, error) {
	t.Helper()
	p, _, err := NewProber(file, circuit.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	done, err := p.ProbeTable(TableOptions{From: "-", In: strings.NewReader(table), Out: &out, JSON: asJSON})
	return out.String(), done, err
}

// A road at height 0 rises by 1 in 10 to the north; a bridge lies above it at 5 m.
const bridge = `v 0 0 0
v 100 0 0
v 100 100 10
v 0 100 10
v 40 0 25
v 60 0 25
v 60 100 25
v 40 100 25
usemtl road
f 1 2 3 4
usemtl deck
f 5 6 7 8
`

func bridgeFile(t *testing.T) string {
	t.Helper()
	return filepath.Join(circuittest.Folder(t, map[string]string{"a.obj": bridge, "c.toml": "[ground]\nfile = \"a.obj\"\nup = \"z\"\n"}), "c.toml")
}

func TestProbeReturnsTheGround(t *testing.T) {
	dir := circuittest.Folder(t, map[string]string{"a.obj": bridge, "line.csv": "x,y\n0,50\n50,50\n100,50\n", "c.toml": "[ground]\nfile = \"a.obj\"\nup = \"z\"\n[materials]\nroad = \"cobbles\"\ndeck = \"my, deck\"\n[areas]\ndeck = \"bridge\"\n[surface.\"my, deck\"]\nroughness = \"even\"\n[line]\nfile = \"line.csv\"\n"})
	const table = "id,y_m,x_m,z_m\n" +
		"plain,50,20,\n" + // from above
		"\"on, it\",60,50,\n" +
		"under it,60,50,8\n" +
		"just in the road,60,50,5.7\n" +
		"below all,60,50,5\n" +
		"above all,60,50,1e6\n" +
		"\n" +
		"beside,500,50,\n"
	out, done, err := probed(t, filepath.Join(dir, "c.toml"), table, false)
	if err != nil || done != (ProbeCounts{7, 2}) {
		t.Fatalf("%+v, %v", done, err)
	}
	lines := strings.Split(strings.TrimSpace(out), "\n")
	const tilt = "-0.099504,0.995037"
	for i, want := range []string{
		"id,y_m,x_m,z_m,height_m,normal_x,normal_y,normal_z,rough_m,surface,area,station_m,lateral_m,note",
		"plain,50,20,,5.000000,0.000000," + tilt + ",ROUGH,cobbles,,20.000000,0.000000,",
		"\"on, it\",60,50,,25.000000,0.000000,0.000000,1.000000,0.000000,\"my, deck\",bridge,50.000000,10.000000,",
		"under it,60,50,8,6.000000,0.000000," + tilt + ",ROUGH,cobbles,,50.000000,10.000000,",
		"just in the road,60,50,5.7,6.000000,0.000000," + tilt + ",ROUGH,cobbles,,50.000000,10.000000,",
		"below all,60,50,5,,,,,,,,,,no ground",
		"above all,60,50,1e6,25.000000,0.000000,0.000000,1.000000,0.000000,\"my, deck\",bridge,50.000000,10.000000,",
		"beside,500,50,,,,,,,,,,,no ground",
	} {
		before, after, rough := strings.Cut(want, "ROUGH")
		if !rough && lines[i] != want || rough && (!strings.HasPrefix(lines[i], before) || !strings.HasSuffix(lines[i], after) || strings.Contains(lines[i], before+"0.000000,")) {
			t.Errorf("%s, want\n%s", lines[i], want)
		}
	}
	out, _, err = probed(t, filepath.Join(dir, "c.toml"), "x_m,y_m,z_m\n50,60,8\n50,500,\n", true)
	if err != nil {
		t.Fatal(err)
	}
	var on, off struct {
		Ground  bool
		Height  *float64    `json:"height_m"`
		Normal  *[3]float64 `json:"normal"`
		Surface string
		Station *float64 `json:"station_m"`
	}
	first, second, _ := strings.Cut(out, "\n")
	if err := errors.Join(json.Unmarshal([]byte(first), &on), json.Unmarshal([]byte(second), &off)); err != nil {
		t.Fatal(err)
	}
	if !on.Ground || math.Abs(*on.Height-6) > 1e-6 || on.Surface != "cobbles" || math.Abs(*on.Station-50) > 1e-6 || off.Ground || off.Height != nil || off.Normal != nil {
		t.Errorf("%s", out)
	}
}

// Without roughness and patterns the heights are those that wheels meet.
func TestProbeAgreesWithTheGround(t *testing.T) {
	for _, name := range []string{"club", "skidpad", "proving-ground"} {
		p, _, err := NewProber(name, circuit.Options{})
		if err != nil {
			t.Fatal(err)
		}
		c := p.site.Circuit
		for at := 0.0; at < c.Length(); at += 97 {
			q := c.At(at)
			spot, ok := p.At(q.Pos.X, q.Pos.Y, q.Pos.Z+1)
			z, there := circuit.HeightBelow(c.Ground, q.Pos.X, q.Pos.Y, q.Pos.Z+1)
			if !ok || !there {
				t.Fatalf("%s: no ground at %v", name, q.Pos)
			}
			near.Value(t, fmt.Sprintf("%s: height at %.0f m", name, at), spot.Height+spot.RoughnessHeight, z, 1e-4)
			near.Value(t, fmt.Sprintf("%s: station at %.0f m", name, at), math.Remainder(spot.Station-at, c.Length()), 0, 0.01)
		}
	}
}

func TestProbeRefusesTables(t *testing.T) {
	p, _, err := NewProber(bridgeFile(t), circuit.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ name, table, want string }{
		{"empty", "", "stdin:1:1: the table is empty; begin with a header: give x_m and y_m"},
		{"no column", "x_m,y\n1,2\n", "stdin:1:1: column y_m not found; give"},
		{"semicolons", "x_m;y_m\n1;2\n", "stdin:1:1: column x_m not found: the names are separated by semicolons"},
		{"twice", "x_m,y_m,x_m\n1,2,3\n", "stdin:1:9: column x_m appears twice"},
		{"text", "x_m,y_m\n1,2\n3, four\n", "stdin:3:3: y_m: \"four\" must be a finite number; give one such as 12.5"},
		{"NaN", "x_m,y_m\nNaN,2\n", "stdin:2:1: x_m: \"NaN\" must be a finite number"},
		{"infinite height", "x_m,y_m,z_m\n1,2,inf\n", "stdin:2:5: z_m: \"inf\" must be a finite number"},
		{"far", "x_m,y_m\n1,2e9\n", "stdin:2:3: y_m = 2e+09: must be -1e+08 to 1e+08"},
		{"empty cell", "x_m,y_m\n1,\n", "stdin:2:3: y_m is empty; give a number"},
		{"short", "x_m,y_m\n1\n", "stdin:2:1: the line has 1 cells, but the header has 2"},
		{"long line", "x_m,y_m\n" + strings.Repeat("1", 70_000), "stdin:2:1: the line is longer than 65536 bytes"},
		{"escape", "x_m,y_m,note\n1,2,\x1b[2J\n", "stdin:2:5: the line has a control character or is not UTF-8; remove it"},
		{"8-bit escape", "x_m,y_m,note\n1,2,\x9b2J\n", "stdin:2:1: the line has a control character"},
		{"escape in the header", "x_m,y_m,\x1b\n1,2,\n", "stdin:1:9: the line has a control character"},
	} {
		_, err := p.ProbeTable(TableOptions{From: "-", In: strings.NewReader(tt.table), Out: io.Discard})
		if err == nil || !strings.HasPrefix(err.Error(), tt.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want\n%s", tt.name, err, tt.want)
		}
	}
	for path, want := range map[string]string{"/dev/zero": "it is a device", "none.csv": "no such file"} {
		if _, err := p.ProbeTable(TableOptions{From: path, Out: io.Discard}); err == nil || !strings.HasPrefix(err.Error(), path+": cannot be read: ") || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// A shell's <(command) is a pipe that is already open.
func TestProbeReadsAPipeOfTheShell(t *testing.T) {
	p, _, err := NewProber(bridgeFile(t), circuit.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	fmt.Fprint(w, "x_m,y_m\n20,50\n50,500\n")
	w.Close()
	if done, err := p.ProbeTable(TableOptions{From: fmt.Sprintf("/dev/fd/%d", r.Fd()), Out: io.Discard}); err != nil || done != (ProbeCounts{2, 1}) {
		t.Errorf("%+v, %v", done, err)
	}
}

// endless gives the same line for ever, and counts what was read of it.
type endless struct{ left int }

func (e *endless) Read(p []byte) (int, error) {
	if e.left--; e.left < 0 {
		return 0, io.EOF
	}
	return copy(p, strings.Repeat("10,20\n", len(p)/6)), nil
}

func TestProbeStreamsAndStops(t *testing.T) {
	file := bridgeFile(t)
	p, _, err := NewProber(file, circuit.Options{})
	if err != nil {
		t.Fatal(err)
	}
	in := io.MultiReader(strings.NewReader("x_m,y_m\n"), &endless{left: 3})
	if done, err := p.ProbeTable(TableOptions{From: "-", In: in, Out: io.Discard}); err != nil || done.Points < 10_000 {
		t.Errorf("%+v, %v", done, err)
	}
	// Who writes waits for the answer, and then writes no more: the work ends when it is told to.
	quiet, w := io.Pipe()
	defer w.Close()
	answered, out := io.Pipe()
	told, ended := make(chan struct{}), make(chan error)
	go func() {
		_, err := p.ProbeTable(TableOptions{From: "-", In: quiet, Out: out, Interrupt: told})
		ended <- err
	}()
	go io.WriteString(w, "x_m,y_m\n10,20\n")
	lines := bufio.NewScanner(answered)
	for _, want := range []string{"x_m,y_m,height_m,", "10,20,2.000000,"} {
		if !lines.Scan() || !strings.HasPrefix(lines.Text(), want) {
			t.Errorf("%q, want %s", lines.Text(), want)
		}
	}
	close(told)
	if err := <-ended; err != ErrProbeInterrupted {
		t.Errorf("told to end: %v", err)
	}
}

func FuzzProbe(f *testing.F) {
	p, _, err := NewProber("skidpad", circuit.Options{})
	if err != nil {
		f.Fatal(err)
	}
	f.Add("x_m,y_m,z_m\n1,2,3\n")
	f.Add("y_m,x_m\n1e7,-1e7\n0,0\n")
	f.Fuzz(func(t *testing.T, table string) {
		var out bytes.Buffer
		_, err := p.ProbeTable(TableOptions{From: "-", In: strings.NewReader(table), Out: &out, JSON: len(table)%2 == 0})
		if err != nil && strings.ContainsAny(err.Error(), "\n\x1b") {
			t.Errorf("%q", err)
		}
		if strings.ContainsAny(out.String(), "\x1b\x00") {
			t.Errorf("%q", out.String())
		}
	})
}

// Places and heights are in the coordinates of the ground's file, wherever those begin.
func TestProbeAnswersInTheCoordinatesOfTheFile(t *testing.T) {
	const utm = `v 691000 5400000 500
v 691100 5400000 500
v 691100 5400100 510
v 691000 5400100 510
f 1 2 3 4
`
	dir := circuittest.Folder(t, map[string]string{"a.obj": utm, "c.toml": "[ground]\nfile = \"a.obj\"\nup = \"z\"\n"})
	out, done, err := probed(t, filepath.Join(dir, "c.toml"), "x_m,y_m,z_m\n691020,5400050,\n691020,5400050,507\n691020,5400050,400\n20,50,\n", false)
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if err != nil || done != (ProbeCounts{4, 2}) || len(lines) != 5 {
		t.Fatalf("%+v, %v:\n%s", done, err, out)
	}
	for i, want := range []string{"691020,5400050,,505.000000,", "691020,5400050,507,505.000000,", "691020,5400050,400,,", "20,50,,,"} {
		if !strings.HasPrefix(lines[i+1], want) {
			t.Errorf("line %d: %s, want %s…", i+2, lines[i+1], want)
		}
	}
}
