package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"rig.example/rig/internal/files/recording"
	"rig.example/rig/test/level"
)

// recordingConfig returns the path of a configuration that keeps recordings and black boxes in a folder of the test.
func recordingConfig(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	path := filepath.Join(folder, "rig.toml")
	text := fmt.Sprintf("track = \"skidpad\"\n[record]\nfolder = %q\n", filepath.Join(folder, "kept"))
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// recordedDrive returns the path of a recorded drive of 3 s.
func recordedDrive(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "drive.mcap")
	status, _, errs := rigCommand(t, "run", "--demo", "--headless", "--duration", "3s", "--record="+path, "--config", recordingConfig(t), "--page", socketPath(t))
	if status != exitDone || !strings.Contains(errs, "msg=recording ") || !strings.Contains(errs, path) {
		t.Fatalf("status %d\n%s", status, errs)
	}
	return path
}

// The commands that use recordings share one drive. None of them changes it.
func TestARecordedDrive(t *testing.T) {
	level.SkipIfQuick(t)
	path := recordedDrive(t)
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name string
		test func(t *testing.T, path string)
	}{
		{"is listed", checkList},
		{"repeats", checkReplay},
		{"repeats as far as it goes", checkCutFile},
		{"in a changed rig", checkChangedRig},
		{"is exported", checkExports},
		{"has a report", checkReports},
		{"has a sound", checkSound},
		{"is refused", checkRefusals},
		{"grows as rig check assumes", checkGrowth},
	} {
		t.Run(tt.name, func(t *testing.T) { tt.test(t, path) })
	}
	if after, err := os.ReadFile(path); err != nil || !bytes.Equal(before, after) {
		t.Errorf("the recording was changed (%v)", err)
	}
}

// done runs a command that must end without an error.
func done(t *testing.T, args ...string) (out, errs string) {
	t.Helper()
	status, out, errs := rigCommand(t, args...)
	if status != exitDone {
		t.Fatalf("%q: status %d, %s", args, status, errs)
	}
	return out, errs
}

func checkList(t *testing.T, path string) {
	folder := filepath.Dir(path)
	out, errs := done(t, "ls", folder)
	lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
	if errs != "" || len(lines) != 3 || lines[0] != folder || !strings.HasPrefix(lines[1], "file ") {
		t.Fatalf("%q, %q", out, errs)
	}
	if row := strings.Fields(lines[2]); len(row) < 10 || row[0] != "drive.mcap" || row[3] != "-" || row[4] != "coupe" || row[5] != "skidpad" || row[7] != "0" {
		t.Errorf("%q", lines[2])
	}
	out, _ = done(t, "ls", folder, "--json")
	var list []map[string]any
	if err := json.Unmarshal([]byte(out), &list); err != nil || len(list) != 1 {
		t.Fatalf("%v in %s", err, out)
	}
	got := list[0]
	for key, want := range map[string]any{
		"file": path, "car": "coupe", "track": "skidpad", "laps": 0.0, "best_lap_s": nil, "faults": 0.0, "marks": 0.0, "missing_ticks": 0.0, "black_box": false,
	} {
		if v, ok := got[key]; !ok || v != want {
			t.Errorf("%s is %v, want %v", key, v, want)
		}
	}
	if began, err := time.Parse(time.RFC3339, fmt.Sprint(got["began"])); err != nil || began.After(time.Now()) {
		t.Errorf("began %v (%v)", got["began"], err)
	}
	if s, _ := got["seconds"].(float64); s < 3 {
		t.Errorf("%v s long; it drove for 3 s", got["seconds"])
	}
	if n, _ := got["bytes"].(float64); n < 10_000 {
		t.Errorf("%v bytes", got["bytes"])
	}
	if _, has := got["problem"]; has {
		t.Errorf("problem %v", got["problem"])
	}
	empty := t.TempDir()
	if out, _ := done(t, "ls", empty); out != "no recordings in "+empty+"; `rig run --record` makes one\n" {
		t.Errorf("an empty folder: %q", out)
	}
}

// ticksOf returns how many ticks a recording has.
func ticksOf(t *testing.T, path string) uint64 {
	t.Helper()
	r, err := recording.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	return r.Length()
}

func checkReplay(t *testing.T, path string) {
	ticks := ticksOf(t, path)
	for _, args := range [][]string{{"replay", path}, {"replay", path, "--verify"}} {
		if out, errs := done(t, args...); !strings.HasPrefix(out, fmt.Sprintf("all %d ticks equal (", ticks)) || strings.Count(out, "\n") != 1 || errs != "" {
			t.Errorf("%q: %q, %q; want %d ticks", args, out, errs, ticks)
		}
	}
	out, _ := done(t, "replay", path, "--json")
	var got map[string]any
	if err := json.Unmarshal([]byte(out), &got); err != nil {
		t.Fatalf("%v in %s", err, out)
	}
	if got["ticks"] != float64(ticks) || got["equal"] != true || got["missing"] != 0.0 || got["hashes"].(float64) < 3 {
		t.Errorf("%v, want %d ticks", got, ticks)
	}
}

// A file that was cut off repeats up to the cut, and a warning says so.
func checkCutFile(t *testing.T, path string) {
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	cut, repaired := filepath.Join(folder, "cut.mcap"), filepath.Join(folder, "repaired.mcap")
	if err := os.WriteFile(cut, whole[:len(whole)/2], 0o600); err != nil {
		t.Fatal(err)
	}
	ticks := ticksOf(t, cut)
	if ticks < 500 || ticks >= ticksOf(t, path) {
		t.Fatalf("%d ticks in half of the file", ticks)
	}
	out, errs := done(t, "replay", cut)
	if !strings.HasPrefix(out, fmt.Sprintf("all %d ticks equal (", ticks)) {
		t.Errorf("%q, want %d ticks", out, ticks)
	}
	for _, want := range []string{"level=WARN", "cut.mcap: ends within a record at byte ", "`rig replay --repair`"} {
		if !strings.Contains(errs, want) || strings.Count(errs, "\n") != 1 {
			t.Errorf("%q lacks %q, or is not one line", errs, want)
		}
	}
	if out, errs := done(t, "replay", cut, "--repair", repaired); !strings.HasPrefix(out, repaired+": ") || strings.Count(out, "\n") != 1 || errs != "" {
		t.Errorf("%q, %q", out, errs)
	}
	if out, errs := done(t, "replay", repaired); !strings.HasPrefix(out, fmt.Sprintf("all %d ticks equal (", ticks)) || errs != "" {
		t.Errorf("repaired: %q, %q", out, errs)
	}
	if out, _ := done(t, "ls", folder); !strings.Contains(out, "ends within a record") || strings.Count(out, "\n") != 4 {
		t.Errorf("%q", out)
	}
}

// The car does not feel the force's gain: the recorded hands turned the rim. It does feel its own mass.
func checkChangedRig(t *testing.T, path string) {
	out, errs := done(t, "replay", path, "--set", "ffb.gain=0.5")
	lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
	if lines[len(lines)-1] != "The car drove exactly as before." || errs != "" {
		t.Errorf("%q, %q", lines[len(lines)-1], errs)
	}
	out, _ = done(t, "replay", path, "--set", "ffb.gain=0.5", "--json")
	var got struct {
		Set          []string
		Hypothetical *float64 `json:"hypothetical_from_s"`
		Channels     []change
	}
	if err := json.Unmarshal([]byte(out), &got); err != nil || len(got.Set) != 1 || got.Hypothetical != nil || len(got.Channels) < 5 || len(lines) != len(got.Channels)+2 {
		t.Fatalf("%v, %+v, and %d lines as text", err, got, len(lines))
	}
	gained := false
	for _, c := range got.Channels {
		if !strings.HasPrefix(c.Channel, "rim_") && !strings.HasPrefix(c.Channel, "force_") && c.Channel != "hands_on" {
			t.Errorf("%s differs", c.Channel)
		}
		if c.Channel == "rim_torque_gained" {
			gained = true
			if ratio := c.RMSNow / c.RMSWas; ratio < 0.499 || ratio > 0.501 {
				t.Errorf("half of the gain leaves %g of the torque", ratio)
			}
		}
	}
	if !gained {
		t.Error("the torque behind the gain does not differ")
	}
	page := filepath.Join(t.TempDir(), "mass.html")
	out, errs = done(t, "replay", path, "--set", "car.mass_kg=1500", "--report", page)
	if !strings.Contains(out, " s on the car drove in another way; the driver model reacted to it.\n") || errs != page+"\n" {
		t.Errorf("%q, %q", out, errs)
	}
	if b, err := os.ReadFile(page); err != nil || !bytes.Contains(b, []byte("car.mass_kg=1500")) || !bytes.Contains(b, []byte("as recorded")) {
		t.Errorf("%v: %d bytes of report", err, len(b))
	}
}

func checkExports(t *testing.T, path string) {
	folder := t.TempDir()
	for _, tt := range []struct{ format, ending, begins string }{
		{"csv", ".csv", "t_s,speed [m/s],"},
		{"motec", ".ld", "\x40\x00\x00\x00"},
		{"mdf4", ".mf4", "MDF     4."},
		{"mcap", ".mcap", "\x89MCAP0\r\n"},
	} {
		out := filepath.Join(folder, tt.format+tt.ending)
		if _, errs := done(t, "export", path, "--to", tt.format, "-o", out); !strings.HasPrefix(errs, out+": ") || !strings.HasSuffix(errs, " samples of 100 Hz\n") {
			t.Errorf("%s: %q", tt.format, errs)
		}
		if b, err := os.ReadFile(out); err != nil || len(b) < 100_000 || !bytes.HasPrefix(b, []byte(tt.begins)) {
			t.Errorf("%s: %v, %d bytes that begin %q", tt.format, err, len(b), b[:min(20, len(b))])
		}
	}
	if b, err := os.ReadFile(filepath.Join(folder, "motec.ldx")); err != nil || !bytes.HasPrefix(b, []byte("<?xml")) {
		t.Errorf("laps for MoTeC: %v, %q", err, b)
	}
	out, _ := done(t, "export", path, "--to", "csv", "-o", "-", "--channels", "speed,rim_torque", "--start", "1", "--end", "2", "--rate", "10")
	lines := strings.Split(strings.TrimSuffix(out, "\r\n"), "\r\n")
	if len(lines) != 12 || lines[0] != "t_s,speed [m/s],rim_torque [N·m]" || !strings.HasPrefix(lines[1], "1,") || !strings.HasPrefix(lines[11], "2,") {
		t.Errorf("a part: %q", lines)
	}
	out, _ = done(t, "export", path, "--to", "csv", "-o", "-", "--channels", "speed", "--end", "0.1", "--rate", "1000")
	if n := strings.Count(out, "\n"); n != 102 {
		t.Errorf("driven again, 0.1 s of 1000 Hz: %d lines", n)
	}
	out, _ = done(t, "export", path, "--to", "csv", "-o", "-", "--channels", "speed", "--rate", "1000")
	if n := strings.Count(out, "\n"); n != int(ticksOf(t, path))+1 || strings.Contains(out, ",\r\n") {
		t.Errorf("driven again: %d lines of %d ticks, or one without a speed", n, ticksOf(t, path))
	}
}

func checkReports(t *testing.T, path string) {
	folder := t.TempDir()
	for name, args := range map[string][]string{"one": {path}, "two": {path, path}} {
		out := filepath.Join(folder, name+".html")
		if _, errs := done(t, append([]string{"report", "-o", out}, args...)...); errs != out+"\n" {
			t.Errorf("%q: %q", args, errs)
		}
		b, err := os.ReadFile(out)
		if err != nil || !bytes.Contains(b, []byte("coupe")) || !bytes.Contains(b, []byte("drive.mcap")) || !bytes.Contains(b, []byte("<canvas")) {
			t.Errorf("%q: %v, %d bytes", args, err, len(b))
		}
		if out, errs := done(t, append([]string{"report", "-o", "-"}, args...)...); out != string(b) || errs != "" {
			t.Errorf("%q on stdout: %d bytes, %d as a file; %q", args, len(out), len(b), errs)
		}
	}
}

// checkSound writes the drive as sound: 48 samples of two channels for each tick, none of which is silence throughout.
func checkSound(t *testing.T, path string) {
	out := filepath.Join(t.TempDir(), "drive.wav")
	said, _ := done(t, "replay", path, "--wav", out)
	if !strings.Contains(said, "s of sound") {
		t.Errorf("said %q", said)
	}
	data, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	const header, sample = 44, 2
	if frames := (len(data) - header) / sample / 2; frames != 48*int(ticksOf(t, path)) {
		t.Errorf("%d samples for %d ticks", frames, ticksOf(t, path))
	}
	loudest := 0
	for i := header; i+1 < len(data); i += sample {
		v := int(int16(uint16(data[i]) | uint16(data[i+1])<<8))
		loudest = max(loudest, v, -v)
	}
	if loudest < 500 {
		t.Errorf("the loudest sample is %d of 32767", loudest)
	}
}

// Refusals are one line that names what is refused, and the remedy.
func checkRefusals(t *testing.T, path string) {
	folder := t.TempDir()
	text, empty, none := filepath.Join(folder, "notes.txt"), filepath.Join(folder, "empty.mcap"), filepath.Join(folder, "none.mcap")
	for name, content := range map[string]string{text: "no recording at all\n", empty: ""} {
		if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	drive := []string{"run", "--demo", "--headless", "--duration", "1s", "--config", recordingConfig(t), "--page", socketPath(t)}
	for _, tt := range []struct {
		name   string
		args   []string
		status int
		want   []string
	}{
		{"a file that is there", append(drive, "--record="+path), exitFailed, []string{path, "is there already", "name a new file"}},
		{"record no name", append(drive, "--record="), exitUsage, []string{"--record", "give the name of a new file"}},
		{"a folder that cannot be made", append(drive, "--record="+filepath.Join(text, "a.mcap")), exitFailed, []string{text, "not a directory"}},
		{"a text file", []string{"replay", text}, exitFailed, []string{text, "no recording of rig", "`rig ls`"}},
		{"an empty file", []string{"replay", empty}, exitFailed, []string{empty, "no recording of rig", "`rig ls`"}},
		{"a folder", []string{"replay", folder}, exitFailed, []string{folder, "not a regular file", "name a recording"}},
		{"no file", []string{"replay", none}, exitFailed, []string{none, "no such file"}},
		{"report of a text file", []string{"report", path, text}, exitFailed, []string{text, "no recording of rig"}},
		{"export of a text file", []string{"export", text, "--to", "csv"}, exitFailed, []string{text, "no recording of rig"}},
		{"unknown key", []string{"replay", path, "--set", "nonsense=1"}, exitUsage, []string{path, `"nonsense"`, "known here: "}},
		{"unknown key of the car", []string{"replay", path, "--set", "car.nonsense=1"}, exitUsage, []string{path, `"nonsense`, "known here: "}},
		{"out of range", []string{"replay", path, "--set", "ffb.gain=-1"}, exitUsage, []string{path, "ffb.gain", "must be"}},
		{"set and verify", []string{"replay", path, "--set", "ffb.gain=1", "--verify"}, exitUsage, []string{"--set", "leave --verify and --drift out"}},
		{"report without set", []string{"replay", path, "--report", filepath.Join(folder, "a.html")}, exitUsage, []string{"--report", "rig report"}},
		{"repair over itself", []string{"replay", path, "--repair", path}, exitUsage, []string{"--repair", "give another name"}},
		{"repair over another", []string{"replay", path, "--repair", text}, exitUsage, []string{"--repair", text, "give another name"}},
		{"unknown channel", []string{"export", path, "--to", "csv", "--channels", "nosuch"}, exitUsage, []string{"--channels", `"nosuch" not found`, "`rig channels`"}},
		{"unknown format", []string{"export", path, "--to", "xls"}, exitUsage, []string{"--to", "csv", "xls"}},
		{"export over itself", []string{"export", path, "--to", "mcap", "-o", path}, exitUsage, []string{"--out", "give another name"}},
		{"behind the end", []string{"export", path, "--to", "csv", "--start", "1000"}, exitFailed, []string{path, "no drive between 1000 s", "it lasts "}},
		{"a rate that does not divide", []string{"export", path, "--to", "csv", "--rate", "30"}, exitFailed, []string{path, "30 samples per second", "must divide"}},
		{"sound and more", []string{"replay", path, "--wav", filepath.Join(folder, "a.wav"), "--drift"}, exitUsage, []string{"--wav", "leave the other flags out"}},
		{"sound that is none", []string{"replay", path, "--wav", filepath.Join(folder, "a.mp3")}, exitUsage, []string{"--wav", "ends in .wav"}},
		{"report that is no page", []string{"report", path, "-o", filepath.Join(folder, "a.pdf")}, exitUsage, []string{"a.pdf", "end its name with .html"}},
	} {
		status, out, errs := rigCommand(t, tt.args...)
		var lines []string
		for l := range strings.Lines(said(errs)) {
			if !strings.Contains(l, " level=INFO ") {
				lines = append(lines, l)
			}
		}
		if status != tt.status || out != "" || len(lines) != 1 {
			t.Errorf("%s: status %d, want %d; stdout %q, stderr %q", tt.name, status, tt.status, out, lines)
			continue
		}
		for _, want := range tt.want {
			if !strings.Contains(lines[0], want) {
				t.Errorf("%s: %q lacks %q", tt.name, lines[0], want)
			}
		}
	}
	if left, err := filepath.Glob(filepath.Join(folder, "*")); err != nil || len(left) != 2 {
		t.Errorf("the refused commands left %q (%v)", left, err)
	}
}
