package main

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"rig.example/rig/sim/maneuver"
	"rig.example/rig/sim/trial"
	"rig.example/rig/test/level"
)

func TestManeuversAreListed(t *testing.T) {
	status, out, errs := rigCommand(t, "maneuver")
	if status != exitDone || errs != "" || strings.Count(out, "\n") != len(maneuver.Names())+1 {
		t.Errorf("status %d, %q, %s", status, out, errs)
	}
	for _, name := range append(maneuver.Names(), "open-loop") {
		if !strings.Contains(out, name+" ") {
			t.Errorf("%q lacks %s", out, name)
		}
	}
	_, out, _ = rigCommand(t, "maneuver", "--json")
	var got []map[string]string
	if err := json.Unmarshal([]byte(out), &got); err != nil || len(got) != len(maneuver.Names())+1 || got[0]["about"] == "" {
		t.Errorf("%v in %s", err, out)
	}
}

// The names are a contract.
func TestManeuversGiveTheirFigures(t *testing.T) {
	tests := map[string][]string{
		"step-steer": {"yaw_gain_1ps", "yaw_t90_s", "ay_t90_s", "yaw_overshoot_pct"},
		"drop":       {"min_clearance_m", "energy_gain_j"},
	}
	if level.All() { // else sim/maneuver has their names
		tests["coastdown"] = []string{"time_s", "distance_m"}
		tests["steady-circle"] = []string{"understeer_gradient_deg_per_g", "roll_gradient_deg_per_g", "max_ay_g"}
		tests["sine-dwell"] = []string{"yaw_ratio_1_0s", "yaw_ratio_1_75s", "lateral_1_07s_m"}
	}
	for name, keys := range tests {
		t.Run(name, func(t *testing.T) {
			status, out, errs := rigCommand(t, "maneuver", name, "--json", "--set", "mass_kg=1400")
			var got map[string]any
			if err := json.Unmarshal([]byte(out), &got); err != nil || status != exitDone || errs != "" {
				t.Fatalf("status %d, %v, %s", status, err, errs)
			}
			if got["maneuver"] != name || got["car"] != "coupe" {
				t.Errorf("%v with %v", got["maneuver"], got["car"])
			}
			for _, key := range append(keys, "speed_kph") {
				if v, ok := got[key].(float64); !ok || math.IsNaN(v) {
					t.Errorf("%s is %v", key, got[key])
				}
			}
		})
	}
}

func TestMooseAtASpeed(t *testing.T) {
	level.SkipIfQuick(t)
	status, out, errs := rigCommand(t, "maneuver", "moose", "--speed", "50", "--json")
	var got struct {
		Clean  *bool    `json:"clean"`
		Rolled *bool    `json:"rolled_over"`
		Roll   *float64 `json:"max_roll_deg"`
		Lift   *float64 `json:"wheel_lift_m"`
	}
	if err := json.Unmarshal([]byte(out), &got); err != nil || status != exitDone {
		t.Fatalf("status %d, %v, %s", status, err, errs)
	}
	if got.Clean == nil || got.Rolled == nil || got.Roll == nil || got.Lift == nil || *got.Rolled {
		t.Errorf("%s", out)
	}
}

func TestAssistsHelpAManeuver(t *testing.T) {
	level.SkipIfQuick(t)
	status, out, errs := rigCommand(t, "maneuver", "brake-in-turn", "--assists", "stability=5,abs=5", "--json")
	var got struct {
		Assists string
		Slip    float64 `json:"full_max_sideslip_deg"`
	}
	if err := json.Unmarshal([]byte(out), &got); err != nil || status != exitDone {
		t.Fatalf("status %d, %v, %s", status, err, errs)
	}
	if got.Assists != "abs=5,stability=5" || got.Slip > 8 {
		t.Errorf("%q, %g° with the full pedal", got.Assists, got.Slip)
	}
	status, _, errs = rigCommand(t, "maneuver", "drop", "--assists", "abs")
	if want := "rig: --assists: abs needs a level from 0 (off) to 10 (early); write abs=5; see `rig help`\n"; status != exitUsage || errs != want {
		t.Errorf("status %d, %s", status, errs)
	}
}

func TestASettingChangesTheCar(t *testing.T) {
	gradient := func(args ...string) (v float64) {
		_, out, errs := rigCommand(t, append([]string{"maneuver", "step-steer", "--json"}, args...)...)
		var got struct {
			Gain float64 `json:"yaw_gain_1ps"`
		}
		if err := json.Unmarshal([]byte(out), &got); err != nil {
			t.Fatalf("%v, %s", err, errs)
		}
		return got.Gain
	}
	// A tire of half the stiffness in front turns the car less.
	brush := "front.tire.model=brush"
	if soft, stiff := gradient("--set", brush, "--set", "front.tire.brush.slip_stiffness_n=26500"), gradient("--set", brush); !(soft < 0.9*stiff) {
		t.Errorf("yaw gain %g with soft front tires, %g with stiff ones", soft, stiff)
	}
}

// slalom is a table of inputs: 2 s at 20 m/s, the steering wheel moving.
func slalom(t *testing.T) string {
	t.Helper()
	var text strings.Builder
	text.WriteString("t_s,steer_road_rad,speed_mps\n")
	for i := range 21 {
		at := float64(i) / 10
		fmt.Fprintf(&text, "%g,%g,20\n", at, 0.02*math.Sin(math.Pi*at))
	}
	path := filepath.Join(t.TempDir(), "in.csv")
	if err := os.WriteFile(path, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestARunIsItsOwnReference(t *testing.T) {
	in, dir := slalom(t), t.TempDir()
	csv, plot := filepath.Join(dir, "run.csv"), filepath.Join(dir, "run.svg")
	if status, _, errs := rigCommand(t, "maneuver", "open-loop", "--input", in, "--csv", csv); status != exitDone {
		t.Fatalf("status %d, %s", status, errs)
	}
	status, out, errs := rigCommand(t, "maneuver", "open-loop", "--input", in, "--compare", csv, "--plot", plot, "--json")
	var got struct {
		Speed     float64 `json:"speed_kph"`
		Deviation map[string]map[string]float64
	}
	if err := json.Unmarshal([]byte(out), &got); err != nil || status != exitDone || errs != "" {
		t.Fatalf("status %d, %v, %s", status, err, errs)
	}
	if got.Speed != 72 || len(got.Deviation) != 23 {
		t.Errorf("%g km/h, %d columns", got.Speed, len(got.Deviation))
	}
	for column, d := range got.Deviation {
		if d["largest_pct"] > 1e-4 && d["largest"] > 1e-6 {
			t.Errorf("%s: %v", column, d)
		}
	}
	if svg, err := os.ReadFile(plot); err != nil || !strings.Contains(string(svg), ">reference<") {
		t.Errorf("%v, plot of %d bytes", err, len(svg))
	}
}

func TestComparisonsAreReadByPeople(t *testing.T) {
	ref := filepath.Join(t.TempDir(), "ref.csv")
	if err := os.WriteFile(ref, []byte("t_s,yaw_rate_radps,rpm\n0,0,900\n1,0.1,950\n2,0,1000\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	status, out, errs := rigCommand(t, "maneuver", "open-loop", "--input", slalom(t), "--compare", ref)
	for _, want := range []string{"open-loop, coupe, 72 km/h", "error against " + ref, "yaw_rate_radps", "largest %", "no such column: rpm"} {
		if status != exitDone || !strings.Contains(out, want) {
			t.Errorf("status %d, %s: %q is not in\n%s", status, errs, want, out)
		}
	}
	status, _, errs = rigCommand(t, "maneuver", "open-loop", "--input", slalom(t), "--compare", earlier(t))
	if status != exitUsage || !strings.Contains(errs, "no value is within the time of the run") {
		t.Errorf("status %d, %s", status, errs)
	}
}

// earlier is a reference that ends before any run begins.
func earlier(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "earlier.csv")
	if err := os.WriteFile(path, []byte("t_s,x_m\n-9,0\n-8,1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestTheRecordingGoesToStdout(t *testing.T) {
	status, out, errs := rigCommand(t, "maneuver", "drop", "--csv", "-")
	header := strings.Join(trial.Columns(), ",") + "\n"
	if status != exitDone || !strings.HasPrefix(out, header) || strings.Count(out, "\n") < 100 || strings.Contains(out, "clearance") {
		t.Errorf("status %d, %.300s, %s", status, out, errs)
	}
}

func TestChosenChannelsAreWritten(t *testing.T) {
	status, out, errs := rigCommand(t, "maneuver", "drop", "--csv", "-", "--channels", "speed, wheel_*_load")
	lines := strings.Split(out, "\n")
	if status != exitDone || lines[0] != "t_s,speed [m/s],wheel_fl_load [N],wheel_fr_load [N],wheel_rl_load [N],wheel_rr_load [N]" {
		t.Fatalf("status %d, %s, %s", status, lines[0], errs)
	}
	last := strings.Split(lines[len(lines)-2], ",") // the car stands
	weight := 0.0
	for _, cell := range last[2:] {
		load, err := strconv.ParseFloat(cell, 64)
		if err != nil {
			t.Fatal(err)
		}
		weight += load
	}
	if len(last) != 6 || weight < 9000 || weight > 13000 {
		t.Errorf("a weight of %g N in %v", weight, last)
	}
}

func TestManeuverWrongUsage(t *testing.T) {
	in := slalom(t)
	bad := filepath.Join(t.TempDir(), "bad.csv")
	if err := os.WriteFile(bad, []byte("t_s,steer_road_rad\n0,x\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name string
		args []string
		want []string
	}{
		{"unknown name", []string{"slide"}, []string{`"slide" not found`, "moose", "open-loop"}},
		{"nothing to drive", []string{"--speed", "80"}, []string{"nothing to drive", "step-steer"}},
		{"unknown car", []string{"drop", "--car", "spaceship"}, []string{"spaceship: not found", "coupe"}},
		{"missing car", []string{"drop", "--car", "none.toml"}, []string{"none.toml: cannot be read"}},
		{"unknown key", []string{"drop", "--set", "mass=3"}, []string{`--set "mass=3": unknown key`, "mass_kg"}},
		{"standing still", []string{"step-steer", "--speed", "0"}, []string{"--speed: 0 km/h: must be 0.1 to 500"}},
		{"backwards", []string{"step-steer", "--speed", "-80"}, []string{"--speed: -80 km/h"}},
		{"NaN", []string{"step-steer", "--speed", "NaN"}, []string{"--speed: NaN km/h"}},
		{"inputs of its own", []string{"moose", "--input", in}, []string{"rig maneuver moose", "open-loop"}},
		{"no inputs", []string{"open-loop"}, []string{"--input: ", "F.csv"}},
		{"a speed for open-loop", []string{"open-loop", "--input", in, "--speed", "80"}, []string{"--speed: ", "--start-speed"}},
		{"bad cell", []string{"open-loop", "--input", bad}, []string{bad + ":2:3: steer_road_rad", `"x"`}},
		{"missing inputs", []string{"open-loop", "--input", "none.csv"}, []string{"none.csv: cannot be read"}},
		{"missing reference", []string{"open-loop", "--input", in, "--compare", "none.csv"}, []string{"none.csv: cannot be read"}},
		{"stdin twice", []string{"open-loop", "--input", "-", "--compare", "-"}, []string{"--compare: "}},
		{"half a gear", []string{"open-loop", "--input", in, "--gear", "1.5"}, []string{"--gear: 1.5 is not a gear"}},
		{"a gear too many", []string{"open-loop", "--input", in, "--gear", "9"}, []string{"--gear: 9: the car has 5 gears"}},
		{"unknown channel", []string{"drop", "--csv", "-", "--channels", "sped"}, []string{`--channels: channel "sped" not found`, "speed"}},
		{"a channel of drives", []string{"drop", "--csv", "-", "--channels", "speed,rim_torque"}, []string{"--channels: rim_torque needs a whole drive"}},
		{"channels without a table", []string{"drop", "--channels", "speed"}, []string{"--channels: ", "--csv"}},
		{"unknown ending", []string{"drop", "--plot", "a.pdf"}, []string{"--plot: ", ".svg or .png"}},
		{"two tables", []string{"drop", "--csv", "-", "--json"}, []string{"--csv: ", "--json"}},
		{"table and plot in one", []string{"drop", "--csv", "a.svg", "--plot", "./a.svg"}, []string{"--plot: ", "another name"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			status, out, errs := rigCommand(t, append([]string{"maneuver"}, tt.args...)...)
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
}

func TestManeuverThatCannotWriteFails(t *testing.T) {
	status, out, errs := rigCommand(t, "maneuver", "drop", "--csv", "none/a.csv")
	if status != exitFailed || out != "" || errs != "rig: maneuver: none/a.csv cannot be written: no such file or directory\n" {
		t.Errorf("status %d, %q", status, errs)
	}
	for _, args := range [][]string{{"maneuver"}, {"maneuver", "--json"}, {"maneuver", "drop"}, {"maneuver", "drop", "--json"}, {"maneuver", "drop", "--csv", "-"}} {
		var said strings.Builder
		status := realMain(args, strings.NewReader(""), full{}, &said)
		if status != exitFailed || said.String() != "rig: stdout cannot be written: no space left on device\n" {
			t.Errorf("%q: status %d, %q", args, status, said.String())
		}
	}
}
