package main

import (
	"encoding/json"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"rig.example/rig/sim/tire"
)

const tireHeader = "kappa,alpha_rad,gamma_rad,fz_n,fx_n,fy_n,mx_nm,my_nm,mz_nm\n"

func TestTireListsWhatIsBuiltIn(t *testing.T) {
	status, out, errs := rigCommand(t, "tire")
	if status != exitDone || strings.Count(out, "\n") != len(tire.Names()) {
		t.Errorf("status %d, %q, %s", status, out, errs)
	}
	for _, name := range tire.Names() {
		if !strings.Contains(out, name) {
			t.Errorf("%q lacks %s", out, name)
		}
	}
	_, out, _ = rigCommand(t, "tire", "--json")
	var got []map[string]any
	if err := json.Unmarshal([]byte(out), &got); err != nil || len(got) != len(tire.Names()) {
		t.Errorf("%v in %s", err, out)
	}
}

func TestTireSummary(t *testing.T) {
	status, out, errs := rigCommand(t, "tire", "brush")
	if status != exitDone || errs != "" {
		t.Fatalf("status %d, %s", status, errs)
	}
	for _, want := range []string{"205/60 R15", "nominal load           4000 N", "53.0 kN/rad", "28.3 mm"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q lacks %q", out, want)
		}
	}
	_, out, _ = rigCommand(t, "tire", "brush", "--surface", "ice", "--json")
	var got struct {
		Surface string
		Driving struct{ Mu float64 } `json:"peak_driving"`
	}
	if err := json.Unmarshal([]byte(out), &got); err != nil || got.Surface != "ice" || !(got.Driving.Mu > 0 && got.Driving.Mu < 0.4) {
		t.Errorf("%v in %s", err, out)
	}
}

func TestTireSweepPrintsItsTable(t *testing.T) {
	for _, args := range [][]string{{}, {"--csv", "-"}, {"--csv=-"}} {
		status, out, errs := rigCommand(t, append([]string{"tire", "brush", "--sweep", "slip-angle", "--fz", "2000,4000,6000", "--gamma", "-1.5"}, args...)...)
		if status != exitDone || errs != "" || !strings.HasPrefix(out, tireHeader) || strings.Count(out, "\n") != 1+3*161 {
			t.Errorf("%q: status %d, %s, %.200s", args, status, errs, out)
		}
		if !strings.Contains(out, ",-0.026179938779914945,2000,") {
			t.Errorf("%q: no camber of -1.5° in %.200s", args, out)
		}
	}
}

func TestTireSweepWritesFiles(t *testing.T) {
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	status, out, errs := rigCommand(t, "tire", "road", "--sweep", "combined", "--fz", "4000", "--csv", in("a.csv"), "--plot", in("a.svg"), "--json",
		"--alpha", "-4,0,4", "--from", "-0.1", "--to", "0.1", "--step", "0.05", "--pressure", "230", "--speed", "20")
	if status != exitDone || errs != "" {
		t.Fatalf("status %d, %s", status, errs)
	}
	var got struct {
		Tire, Sweep string
		Pressure    float64 `json:"pressure_kpa"`
		Rows        []map[string]float64
	}
	if err := json.Unmarshal([]byte(out), &got); err != nil || got.Tire != "road" || got.Sweep != "combined" || got.Pressure != 230 || len(got.Rows) != 15 {
		t.Errorf("%v in %s", err, out)
	}
	if text, err := os.ReadFile(in("a.csv")); err != nil || !strings.HasPrefix(string(text), tireHeader) {
		t.Errorf("%v, %.100s", err, text)
	}
	if text, err := os.ReadFile(in("a.svg")); err != nil || !strings.Contains(string(text), "</svg>") {
		t.Errorf("%v, %.100s", err, text)
	}
	if list, _ := os.ReadDir(dir); len(list) != 2 {
		t.Errorf("files %v", list)
	}
}

func TestTirePointsFromStdinAndFile(t *testing.T) {
	const in, want = "kappa,alpha_rad,gamma_rad,fz_n\n-1,0,0,4000\n", tireHeader + "-1,0,0,4000,-4000,0,0,-14.88,0\n"
	var out, errs strings.Builder
	if status := realMain([]string{"tire", "brush", "--points", "-"}, strings.NewReader(in), &out, &errs); status != exitDone || out.String() != want {
		t.Errorf("status %d, %q, %s", status, out.String(), errs.String())
	}
	dir := t.TempDir()
	from, to := filepath.Join(dir, "p.csv"), filepath.Join(dir, "q.csv")
	if err := os.WriteFile(from, []byte(in), 0o600); err != nil {
		t.Fatal(err)
	}
	status, printed, said := rigCommand(t, "tire", "brush", "--points", from, "--csv", to)
	if text, err := os.ReadFile(to); status != exitDone || printed+said != "" || err != nil || string(text) != want {
		t.Errorf("status %d, %q %q, %v, %q", status, printed, said, err, text)
	}
}

func TestTireWrongUsage(t *testing.T) {
	dir := t.TempDir()
	bad := filepath.Join(dir, "bad.csv")
	if err := os.WriteFile(bad, []byte("kappa,alpha_rad,gamma_rad,fz_n\n0,0,x,1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	broken := filepath.Join(dir, "broken.tir")
	if err := os.WriteFile(broken, []byte("[MODEL\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name string
		args []string
		want []string
	}{
		{"unknown tire", []string{"spaceship"}, []string{`"spaceship"`, "brush"}},
		{"missing file", []string{"none.tir"}, []string{"none.tir: cannot be read: no such file"}},
		{"broken file", []string{broken}, []string{broken + ":1:"}},
		{"unknown sweep", []string{"brush", "--sweep", "wobble"}, []string{"--sweep: ", "slip-angle"}},
		{"load of nothing", []string{"brush", "--sweep", "camber", "--fz", "0"}, []string{"--fz: 0 N"}},
		{"negative load", []string{"brush", "--sweep", "camber", "--fz", "-5"}, []string{"--fz: -5 N"}},
		{"load in words", []string{"brush", "--sweep", "camber", "--fz", "4000,much"}, []string{"--fz: ", `"much"`}},
		{"no load given", []string{"brush", "--sweep", "camber", "--fz"}, []string{"--fz: "}},
		{"camber in words", []string{"brush", "--sweep", "load", "--gamma", "--json"}, []string{"--gamma: give a number"}},
		{"unknown ending", []string{"brush", "--sweep", "load", "--plot", "a.pdf"}, []string{"--plot: ", "a.pdf", ".svg or .png"}},
		{"no file given", []string{"brush", "--sweep", "load", "--csv", "--json"}, []string{"--csv: give the name of a file"}},
		{"no kind given", []string{"brush", "--sweep", ""}, []string{"--sweep: give one of slip-angle, slip-ratio, camber, load, combined"}},
		{"no points given", []string{"brush", "--points", ""}, []string{"--points: give the name of a file"}},
		{"begins beyond the end", []string{"brush", "--sweep", "slip-angle", "--from", "30"}, []string{"--from: 30", "20 unless --to"}},
		{"table and plot in one", []string{"brush", "--sweep", "load", "--csv", "a.svg", "--plot", "./a.svg"}, []string{"--plot: ", "--csv", "another name"}},
		{"unknown surface", []string{"brush", "--surface", "moon"}, []string{"--surface: ", "moon", "wet"}},
		{"pressure in bar", []string{"brush", "--pressure", "2.2"}, []string{"--pressure: 2.2 kPa"}},
		{"backward", []string{"brush", "--speed", "-3"}, []string{"--speed: -3 m/s", "must be above 0"}},
		{"two tests", []string{"brush", "--sweep", "load", "--points", bad}, []string{"--points: ", "--sweep or --points"}},
		{"no tire", []string{"--sweep", "load"}, []string{"no tire", "brush"}},
		{"no test", []string{"brush", "--fz", "4000"}, []string{"nothing to run", "--sweep"}},
		{"points with loads", []string{"brush", "--points", bad, "--fz", "4000"}, []string{"--points: ", "--fz"}},
		{"two tables", []string{"brush", "--sweep", "load", "--csv", "-", "--json"}, []string{"--csv: ", "--json"}},
		{"bad cell", []string{"brush", "--points", bad, "--csv", filepath.Join(dir, "q.csv")}, []string{bad + ":2:5: ", "gamma_rad", `"x"`}},
		{"missing points", []string{"brush", "--points", "none.csv"}, []string{"none.csv: cannot be read"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			status, out, errs := rigCommand(t, append([]string{"tire"}, tt.args...)...)
			if status != exitUsage || strings.Count(errs, "\n") != 1 || out != "" {
				t.Errorf("status %d, %q, %q", status, out, errs)
			}
			for _, part := range tt.want {
				if !strings.Contains(errs, part) {
					t.Errorf("%q lacks %q", errs, part)
				}
			}
		})
	}
	if list, _ := os.ReadDir(dir); len(list) != 2 {
		t.Errorf("left behind: %v", list)
	}
}

func TestTireThatCannotWriteFails(t *testing.T) {
	status, _, errs := rigCommand(t, "tire", "brush", "--sweep", "load", "--csv", "none/a.csv")
	if status != exitFailed || errs != "rig: tire: none/a.csv cannot be written: no such file or directory\n" {
		t.Errorf("status %d, %q", status, errs)
	}
}

// full is a stream that takes nothing.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, syscall.ENOSPC }

func TestTireThatCannotPrintFails(t *testing.T) {
	tests := []struct {
		name string
		args []string
	}{
		{"list", nil},
		{"list as JSON", []string{"--json"}},
		{"summary", []string{"brush"}},
		{"summary as JSON", []string{"brush", "--json"}},
		{"table", []string{"brush", "--sweep", "load"}},
		{"sweep as JSON", []string{"brush", "--sweep", "load", "--json"}},
		{"batch", []string{"brush", "--points", "-"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var errs strings.Builder
			in := strings.NewReader("kappa,alpha_rad,gamma_rad,fz_n\n")
			status := realMain(append([]string{"tire"}, tt.args...), in, full{}, &errs)
			if status != exitFailed || errs.String() != "rig: stdout cannot be written: no space left on device\n" {
				t.Errorf("status %d, %q", status, errs.String())
			}
		})
	}
}

func TestTireNoticesGoToStderr(t *testing.T) {
	const table = "kappa,alpha_rad,gamma_rad,fz_n\n0,0,0.3,4000\n0,0,0,4000\n"
	var out, errs strings.Builder
	if status := realMain([]string{"tire", "road", "--points", "-"}, strings.NewReader(table), &out, &errs); status != exitDone {
		t.Fatalf("status %d, %s", status, errs.String())
	}
	if said := errs.String(); !strings.Contains(said, "camber up to 17.1887° (1 of 2 rows): above 10.0268° answered as at 10.0268°") || strings.Count(said, "\n") != 1 {
		t.Errorf("%q", said)
	}
	_, _, said := rigCommand(t, "tire", "brush", "--sweep", "load", "--speed", "20")
	if !strings.Contains(said, "--speed has no effect: the model brush does not depend on it") {
		t.Errorf("%q", said)
	}
}

// interrupting is a table that never ends and sends the signal of Ctrl-C.
type interrupting struct{ silent *io.PipeReader }

func (i interrupting) Read(p []byte) (int, error) {
	syscall.Kill(os.Getpid(), syscall.SIGINT)
	return i.silent.Read(p)
}

func TestTireEndsAtTheFirstSignal(t *testing.T) {
	defer signal.Reset(endSignals...) // which the command leaves to the end of the process
	silent, _ := io.Pipe()
	dir := t.TempDir()
	var out, errs strings.Builder
	status := realMain([]string{"tire", "brush", "--points", "-", "--csv", filepath.Join(dir, "q.csv")}, interrupting{silent}, &out, &errs)
	if status != exitFailed || errs.String() != "rig: tire: interrupted before the end of the table; run it again\n" {
		t.Errorf("status %d, %q", status, errs.String())
	}
	if list, _ := os.ReadDir(dir); len(list) > 0 {
		t.Errorf("left behind: %v", list)
	}
}
