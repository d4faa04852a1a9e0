package testrun

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"rig.example/rig/internal/files/config"
	"rig.example/rig/internal/kit/valid"
	"rig.example/rig/sim/maneuver"
	"rig.example/rig/sim/trial"
)

func file(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "in.csv")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// refused checks that an error is one line, a problem, and ends as it should.
func refused(t *testing.T, err error, want string) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
		t.Errorf("got  %v\nwant %s", err, want)
	}
	if p := (*config.Problem)(nil); !errors.As(err, &p) {
		t.Errorf("%v is no *Problem", err)
	}
}

func TestInputsAreRead(t *testing.T) {
	nan := math.NaN()
	tests := []struct {
		name, text string
		want       []maneuver.Input
	}{
		{"steer alone", "t_s,steer_road_rad\n0,0\n0.5,2e-2\n", []maneuver.Input{
			{T: 0, SteerWheel: nan, SteerRoad: 0, Throttle: nan, Brake: nan, Gear: nan, Clutch: nan, Handbrake: nan, Speed: nan, Ax: nan},
			{T: 0.5, SteerWheel: nan, SteerRoad: 0.02, Throttle: nan, Brake: nan, Gear: nan, Clutch: nan, Handbrake: nan, Speed: nan, Ax: nan},
		}},
		{"pedals, in any order, with blanks, quotes and a mark", "\xef\xbb\xbf\"gear\", brake ,t_s,throttle,clutch,handbrake,steer_wheel_rad\r\n2,0.5,-1,1,0,1,-3\r\n2,0.5,1,1,0,1,-3\r\n", []maneuver.Input{
			{T: -1, SteerWheel: -3, SteerRoad: nan, Throttle: 1, Brake: 0.5, Gear: 2, Clutch: 0, Handbrake: 1, Speed: nan, Ax: nan},
			{T: 1, SteerWheel: -3, SteerRoad: nan, Throttle: 1, Brake: 0.5, Gear: 2, Clutch: 0, Handbrake: 1, Speed: nan, Ax: nan},
		}},
		{"held speed", "t_s,steer_wheel_rad,speed_mps\n0,0,22.2\n1,0,22.3", []maneuver.Input{
			{T: 0, SteerWheel: 0, SteerRoad: nan, Throttle: nan, Brake: nan, Gear: nan, Clutch: nan, Handbrake: nan, Speed: 22.2, Ax: nan},
			{T: 1, SteerWheel: 0, SteerRoad: nan, Throttle: nan, Brake: nan, Gear: nan, Clutch: nan, Handbrake: nan, Speed: 22.3, Ax: nan},
		}},
		{"held acceleration", "t_s,steer_wheel_rad,ax_mps2\n\n0,0,-3\n\n1,0,-4\n", []maneuver.Input{
			{T: 0, SteerWheel: 0, SteerRoad: nan, Throttle: nan, Brake: nan, Gear: nan, Clutch: nan, Handbrake: nan, Speed: nan, Ax: -3},
			{T: 1, SteerWheel: 0, SteerRoad: nan, Throttle: nan, Brake: nan, Gear: nan, Clutch: nan, Handbrake: nan, Speed: nan, Ax: -4},
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := ReadInputs(file(t, tt.text), nil, 6)
			if err != nil || !slices.EqualFunc(got, tt.want, sameInput) {
				t.Errorf("%v\ngot  %+v\nwant %+v", err, got, tt.want)
			}
			piped, err := ReadInputs("-", strings.NewReader(tt.text), 6)
			if err != nil || !slices.EqualFunc(piped, got, sameInput) {
				t.Errorf("from stdin: %v, %+v", err, piped)
			}
		})
	}
}

// sameInput takes NaN as equal to NaN.
func sameInput(a, b maneuver.Input) bool {
	list := func(i maneuver.Input) []float64 {
		return []float64{i.T, i.SteerWheel, i.SteerRoad, i.Throttle, i.Brake, i.Gear, i.Clutch, i.Handbrake, i.Speed, i.Ax}
	}
	return slices.EqualFunc(list(a), list(b), same)
}

func same(a, b float64) bool { return a == b || a != a && b != b }

func TestFaultsOfInputsHaveTheirPlace(t *testing.T) {
	const head = "t_s,steer_road_rad,brake\n"
	tests := []struct{ name, text, want string }{
		{"empty", "", "in.csv: is empty; begin with a header line, with columns of t_s, "},
		{"a header alone", head, "in.csv: no row below the header"},
		{"unknown column", "t_s,steer_road_rad,brakes\n0,0,0\n", `in.csv:1:20: unknown column "brakes"; known are t_s, steer_wheel_rad, `},
		{"no header", "0,0,0\n1,0,0\n", `in.csv:1:1: unknown column "0"`},
		{"no time", "steer_road_rad\n0\n", "in.csv:1:1: the column t_s is missing"},
		{"semicolons", "t_s;steer_road_rad\n0;0\n", `in.csv:1:1: unknown column "t_s;steer_road_rad"`},
		{"a column twice", "t_s,brake,steer_road_rad,brake\n0,0,0,0\n", `in.csv:1:26: the column "brake" occurs twice`},
		{"two steers", "t_s,steer_road_rad,steer_wheel_rad\n0,0,0\n", "in.csv:1:1: steer_wheel_rad and steer_road_rad exclude each other"},
		{"no steer", "t_s,brake\n0,0\n", "in.csv:1:1: no steering column; add steer_wheel_rad or steer_road_rad"},
		{"two to hold", "t_s,steer_road_rad,speed_mps,ax_mps2\n0,0,0,0\n", "in.csv:1:1: speed_mps and ax_mps2 exclude each other"},
		{"pedals and a speed", "t_s,steer_road_rad,brake,speed_mps\n0,0,0,0\n", "in.csv:1:1: speed_mps and ax_mps2 are held without pedals and gears; remove the column brake"},
		{"a gear too many", "t_s,steer_road_rad,gear\n0,0,7\n", "in.csv:2:5: gear: 7: must be -1 to 6"},
		{"a single line", head + "0,0,0\n", "in.csv:2:1: only one row"},
		{"milliseconds", head + "0,0,0\n5000,0,0\n", "in.csv:3:1: the inputs take 5000 s: must be at most 3600 s"},
		{"a word", head + "0,0,0\n1,x,0\n", `in.csv:3:3: steer_road_rad: "x": must be a number`},
		{"an empty cell", head + "0,,0\n", `in.csv:2:3: steer_road_rad: "": must be a number`},
		{"NaN", head + "0,0,NaN\n", `in.csv:2:5: brake: "NaN": must be a number`},
		{"infinite", head + "0,0,Inf\n", `in.csv:2:5: brake: "Inf": must be a number`},
		{"too much", head + "0,0,1.5\n", "in.csv:2:5: brake: 1.5: must be 0 to 1"},
		{"percent", head + "0,0,50\n", "in.csv:2:5: brake: 50: must be 0 to 1"},
		{"half a gear", "t_s,steer_road_rad,gear\n0,0,1.5\n", "in.csv:2:5: gear: 1.5: gears must be"},
		{"time stands", head + "0,0,0\n0,0,0\n", "in.csv:3:1: t_s = 0: times must rise from line to line; the one before is 0"},
		{"a short line", head + "0,0,0\n1,0\n", "in.csv:3:3: the line has 2 cells, but the header 3"},
		{"a long line", head + "0,0,0,7\n", "in.csv:2:5: the line has 4 cells, but the header 3"},
		{"a quote left open", head + "0,0,\"1\n", "in.csv:2:"},
		{"a quote inside", head + "0,0,1\"2\n", "in.csv:2:6: "},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := ReadInputs(file(t, tt.text), nil, 6)
			refused(t, err, tt.want)
		})
	}
	_, err := ReadInputs("none.csv", nil, 6)
	refused(t, err, "none.csv: cannot be read: no such file or directory")
}

func TestReferencesMayLackColumnsAndValues(t *testing.T) {
	r, err := ReadReference(file(t, "oil_c,ay_mps2,t_s,yaw_rate_radps\n3000,,0,0.1\nhot,2.5,0.01,NaN\n"), nil)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(r.Columns, []string{"yaw_rate_radps", "ay_mps2"}) || !slices.Equal(r.Ignored, []string{"oil_c"}) {
		t.Errorf("columns %q, ignored %q", r.Columns, r.Ignored)
	}
	first, second := r.Rows[0], r.Rows[1]
	if first.T != 0 || second.T != 0.01 || first.YawRate != 0.1 || second.Ay != 2.5 {
		t.Errorf("%+v, %+v", first, second)
	}
	for _, v := range []float64{first.Ay, second.YawRate, first.X, second.Fz[3], first.ColumnTorque} {
		if !math.IsNaN(v) {
			t.Errorf("%g where nothing was given: %+v, %+v", v, first, second)
		}
	}
}

func TestEveryColumnOfAReferenceHasItsPlace(t *testing.T) {
	header := strings.Join(trial.Columns(), ",")
	r, err := ReadReference(file(t, header+"\n1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24\n"), nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range r.Rows[0].Values() {
		if v != float64(i+1) {
			t.Errorf("%s = %g, want %d", trial.Columns()[i], v, i+1)
		}
	}
}

func TestFaultsOfReferences(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"no time", "x_m\n1\n", "in.csv:1:1: the column t_s is missing"},
		{"no known column", "t_s,r\n0,1\n", "in.csv:1:1: nothing to compare; besides t_s, add at least one of x_m, y_m"},
		{"a word", "t_s,x_m\n0,far\n", `in.csv:2:3: x_m: "far": must be a number`},
		{"no time in a line", "t_s,x_m\n,1\n", `in.csv:2:1: t_s: "": must be a number`},
		{"time goes back", "t_s,x_m\n1,1\n0,1\n", "in.csv:3:1: t_s = 0: times must rise"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := ReadReference(file(t, tt.text), nil)
			refused(t, err, tt.want)
		})
	}
}

func FuzzReadTables(f *testing.F) {
	f.Add("t_s,steer_road_rad\n0,0\n0.5,2e-2\n")
	f.Add("t_s,x_m,engine\n0,,3\n1,2,\"hot\"\n")
	f.Add("t_s,steer_road_rad\n0,\"\n")
	f.Add("\xef\xbb\xbft_s\n")
	f.Add(",\n,,")
	f.Fuzz(func(t *testing.T, text string) {
		in, err := ReadInputs("-", strings.NewReader(text), 6)
		if p := (*config.Problem)(nil); err != nil && !errors.As(err, &p) {
			t.Fatalf("inputs: %v is no *Problem", err)
		}
		for i, line := range in {
			if !valid.Finite(line.T) || i > 0 && line.T <= in[i-1].T || math.IsNaN(line.SteerWheel) == math.IsNaN(line.SteerRoad) {
				t.Fatalf("line %d: %+v", i, line)
			}
		}
		ref, err := ReadReference("-", strings.NewReader(text))
		if p := (*config.Problem)(nil); err != nil && !errors.As(err, &p) {
			t.Fatalf("reference: %v is no *Problem", err)
		}
		if err == nil && (len(ref.Rows) == 0 || len(ref.Columns) == 0) {
			t.Fatalf("empty: %+v", ref)
		}
	})
}
