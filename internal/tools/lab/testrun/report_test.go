package testrun

import (
	"bytes"
	"encoding/json"
	"image"
	_ "image/png"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/internal/core/channels"
	"rig.example/rig/road"
	"rig.example/rig/sim"
	"rig.example/rig/sim/maneuver"
	"rig.example/rig/sim/trial"
	"rig.example/rig/test/plotfile"
)

// report is a made-up run: a bend of 1 rad/s for two seconds.
func report() *Report {
	r := &Report{Car: "coupe", Notes: []string{"the tires are warm"}, Result: &maneuver.Result{
		Maneuver: "moose", Speed: 80 / 3.6,
		Metrics: []maneuver.Metric{
			{Name: "clean", Value: true, Text: "no cone was touched"},
			{Name: "max_roll_deg", Value: 4.25678, Unit: "deg", Text: "largest roll angle"},
			{Name: "yaw_t90_s", Value: math.NaN(), Unit: "s", Text: "never reached"},
		},
		Traces: []maneuver.Trace{
			{Title: "path", XLabel: "x [m]", YLabel: "y [m]", Series: []maneuver.Series{
				{Name: "car", X: []float64{0, 30, 60}, Y: []float64{0, 2, 0}},
				{Name: "cones", X: []float64{0, 0, 12, 12}, Y: []float64{-1, 1, -1, 1}},
			}},
			{Title: "gain", XLabel: "frequency [Hz]", YLabel: "gain [1/s]", Series: []maneuver.Series{{X: []float64{0.2, 1, 4}, Y: []float64{6, 7, 2}}}},
		},
	}}
	for i := range 201 {
		at := float64(i) / 100
		r.Rows = append(r.Rows, trial.Row{
			T: at, X: at * 20, Vx: 20, YawRate: 1, Roll: 0.05 * at, Ay: 20 * at, Ax: math.Copysign(0, -1),
			Fz: [4]float64{3000, 4000 + 100*at, 3000, 4000},
		})
	}
	return r
}

func TestTablesHaveTenDigits(t *testing.T) {
	r := report()
	r.Rows = []trial.Row{{T: 1, X: math.Pi * 1e3, Y: math.Copysign(0, -1), Z: 1e-12, Fz: [4]float64{1, 2, 3, 4}}}
	var out bytes.Buffer
	if err := r.WriteCSV("-", &out); err != nil {
		t.Fatal(err)
	}
	const want = "t_s,x_m,y_m,z_m,vx_mps,vy_mps,yaw_rate_radps,roll_rad,pitch_rad,ax_mps2,ay_mps2,steer_rad,beta_rad," +
		"fz_fl_n,fz_fr_n,fz_rl_n,fz_rr_n,rack_force_n,column_torque_nm,engine_rpm,gear,throttle,brake,clutch\n" +
		"1,3141.592654,0,1e-12,0,0,0,0,0,0,0,0,0,1,2,3,4,0,0,0,0,0,0,0\n"
	if out.String() != want {
		t.Errorf("got  %s\nwant %s", out.String(), want)
	}
}

func TestTablesOfChannelsNameTheirUnits(t *testing.T) {
	list, err := channels.Named("yaw_rate,throttle,wheel_fl_tire_wear,wheel_fl_tire_gas_temperature")
	if err != nil {
		t.Fatal(err)
	}
	car, err := sim.New(sim.DefaultCar(), road.Asphalt(), sim.Dt)
	if err != nil {
		t.Fatal(err)
	}
	s := car.Rest(r3.Vec{}, 0)
	s.Rate.Z = math.Pi
	r := report()
	r.Channels = list
	r.Rows = []trial.Row{{T: 0.01, Extra: Observer(list)(car, &s, &sim.Input{Throttle: 0.5})}}
	var out bytes.Buffer
	if err := r.WriteCSV("-", &out); err != nil {
		t.Fatal(err)
	}
	const want = "t_s,yaw_rate [rad/s],throttle,wheel_fl_tire_wear,wheel_fl_tire_gas_temperature [°C]\n0.01,3.141592654,0.5,0,\n"
	if out.String() != want {
		t.Errorf("got  %s\nwant %s", out.String(), want)
	}
	if Observer(nil) != nil {
		t.Error("an observer without channels")
	}
}

func TestWrittenTableIsAReference(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.csv")
	r := report()
	if err := r.WriteCSV(path, nil); err != nil {
		t.Fatal(err)
	}
	ref, err := ReadReference(path, nil)
	if err != nil || len(ref.Rows) != 201 || len(ref.Columns) != 23 || ref.Rows[200].Roll != 0.1 {
		t.Errorf("%v, %+v", err, ref)
	}
}

func TestJSONIsFlat(t *testing.T) {
	r := report()
	r.Reference = &Reference{Name: "ref.csv", Columns: []string{"roll_rad"}}
	r.Deviations = []trial.Deviation{{Column: "roll_rad", Largest: 0.01, Mean: 0.002, LargestPct: math.NaN(), MeanPct: 2, At: 1.5}}
	got, err := json.Marshal(r)
	const want = `{"maneuver":"moose","car":"coupe","speed_kph":80,"clean":true,"max_roll_deg":4.25678,"yaw_t90_s":null,` +
		`"deviation":{"roll_rad":{"largest":0.01,"mean":0.002,"largest_pct":null,"mean_pct":2,"at_s":1.5}},"notes":["the tires are warm"]}`
	if err != nil || string(got) != want {
		t.Errorf("%v\ngot  %s\nwant %s", err, got, want)
	}
}

func TestMetricFormat(t *testing.T) {
	r := report()
	r.Reference = &Reference{Name: "ref.csv", Columns: []string{"roll_rad"}}
	r.Deviations = []trial.Deviation{{Column: "roll_rad", Largest: 0.0125, Mean: 0.002, Range: 0.1, LargestPct: 12.5, MeanPct: math.Inf(1), At: 1.5}}
	var out bytes.Buffer
	if err := r.Print(&out); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"moose, coupe, 80 km/h\n", "ISO 3888-2", "clean         yes        no cone was touched\n", "max_roll_deg  4.257 deg  largest roll angle\n",
		"yaw_t90_s     none ", "against ref.csv", "  roll_rad  0.01250  0.002000  0.1000      12.50       -  1.50\n", "note: the tires are warm\n"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is not in\n%s", want, out.String())
		}
	}
}

func TestNumberFormat(t *testing.T) {
	for _, tt := range []struct {
		v    float64
		want string
	}{
		{0, "0"}, {1, "1.000"}, {-12.3456, "-12.35"}, {123456, "123456"}, {0.00123456, "0.001235"}, {1e-6, "1e-06"}, {-1.4e-16, "0"}, {1.5e9, "1.5e+09"},
	} {
		if got := formatNumber(tt.v, 4); got != tt.want {
			t.Errorf("%g: %s, want %s", tt.v, got, tt.want)
		}
	}
}

// plotFile returns the bytes of the report's plot in a file of this name.
func plotFile(t *testing.T, r *Report, name string) []byte {
	t.Helper()
	return plotfile.WriteAndRead(t, name, r.WritePlot)
}

func TestPlotsSayWhatTheyShow(t *testing.T) {
	got := plotfile.Texts(t, plotFile(t, report(), "a.svg"))
	for _, want := range []string{"moose, coupe, 80 km/h", "path", "cones", "gain [1/s]", "acceleration [m/s²]", "ay, to the left", "load [kN]", "RR", "time [s]"} {
		if !strings.Contains(got, want+"\n") {
			t.Errorf("%q is not in the plot", want)
		}
	}
	for _, never := range []string{"yaw rate", "column torque", "rack force", "Path"} {
		if strings.Contains(got, never) {
			t.Errorf("%q is in the plot, where nothing happens", never)
		}
	}
}

func TestPlotsOfComparisonsShowBoth(t *testing.T) {
	r := report()
	r.Reference = &Reference{Name: "ref.csv", Rows: r.Rows[:100], Columns: []string{"roll_rad", "x_m", "fz_fr_n"}}
	got := plotfile.Texts(t, plotFile(t, r, "a.svg"))
	for want, n := range map[string]int{"reference": 3, "against ref.csv": 1, "x [m]": 1, "Wheel loads: FR": 1, "Attitude: roll, right side down": 1} {
		if strings.Count(got, want+"\n") != n {
			t.Errorf("%q is there %d times, want %d", want, strings.Count(got, want+"\n"), n)
		}
	}
}

func TestPicturesAreDecoded(t *testing.T) {
	if _, format, err := image.Decode(bytes.NewReader(plotFile(t, report(), "a.png"))); err != nil || format != "png" {
		t.Errorf("%s, %v", format, err)
	}
}

func TestPlotOfNothingIsStillAPlot(t *testing.T) {
	empty := &Report{Car: "coupe", Result: &maneuver.Result{Maneuver: "drop"}}
	plotFile(t, empty, "a.svg")
	empty.Rows = make([]trial.Row, 100)
	if got := plotfile.Texts(t, plotFile(t, empty, "a.svg")); !strings.Contains(got, "distance from the start [mm]") {
		t.Errorf("no creep in %s", got)
	}
	empty.Rows = []trial.Row{{X: math.NaN()}}
	empty.Traces = []maneuver.Trace{{Title: "none", XLabel: "frequency [Hz]", Series: []maneuver.Series{{Name: "a", X: []float64{math.NaN()}, Y: []float64{1}}}}}
	plotFile(t, empty, "a.svg")
}

func TestThinningKeepsPeaks(t *testing.T) {
	x, y := make([]float64, 50_000), make([]float64, 50_000)
	for i := range x {
		x[i] = float64(i)
	}
	y[12_345], y[40_000] = 7, -3
	tx, ty := thinOut(x, y)
	if len(tx) > 2001 || len(tx) != len(ty) || !slices.IsSorted(tx) || slices.Max(ty) != 7 || slices.Min(ty) != -3 || tx[len(tx)-1] != 49_999 {
		t.Errorf("%d points, from %g to %g, values %g to %g", len(tx), tx[0], tx[len(tx)-1], slices.Min(ty), slices.Max(ty))
	}
}

func TestProgressIsShownAndClearedAway(t *testing.T) {
	var screen bytes.Buffer
	show, done := Progress(&screen, "moose")
	for i := range 4 {
		show(float64(i) / 4)
		time.Sleep(110 * time.Millisecond)
	}
	done()
	if all := screen.String(); !strings.Contains(all, "moose") || !strings.Contains(all, "50%") || !strings.HasSuffix(all, "\r") {
		t.Errorf("%q", all)
	}
	if show, done := Progress(nil, "moose"); show != nil {
		t.Error("progress without a terminal")
	} else {
		done()
	}
}
