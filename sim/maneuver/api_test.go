package maneuver

import (
	"math"
	"slices"
	"strings"
	"testing"

	"rig.example/rig/sim"
	"rig.example/rig/test/level"
)

func TestNamesAreSortedAndExplained(t *testing.T) {
	want := []string{
		"accelerate", "brake", "brake-in-turn", "bump", "coastdown", "drop", "frequency-sweep",
		"fuel", "lap", "launch", "moose", "ramp-park", "sine-dwell", "stall-start", "steady-circle",
		"steer-torque", "step-steer", "throttle-lift", "top-speed", "weave",
	}
	if got := Names(); !slices.Equal(got, want) {
		t.Errorf("names %v", got)
	}
	for _, name := range append(Names(), "open-loop") {
		if About(name) == "" {
			t.Errorf("nothing about %s", name)
		}
	}
	if About("waltz") != "" {
		t.Error("a waltz is no manoeuvre")
	}
}

func TestBadOptionsGiveOneLineErrors(t *testing.T) {
	car := sim.DefaultCar()
	light := car
	light.Mass = -1
	for _, tt := range []struct {
		name, maneuver string
		p              sim.Params
		o              Options
		want           string
	}{
		{"unknown", "waltz", car, Options{}, `"waltz" not found; choose accelerate, brake`},
		{"too fast", "step-steer", car, Options{Speed: 200}, "step-steer: speed [m/s] = 200: must be"},
		{"backwards", "coastdown", car, Options{Speed: -1}, "coastdown: speed [m/s] = -1"},
		{"NaN", "moose", car, Options{Speed: math.NaN()}, "moose: speed [m/s] = NaN"},
		{"dropped at a speed", "drop", car, Options{Speed: 10}, "drop: speed [m/s] = 10: it has no speed"},
		{"a lap at a speed", "lap", car, Options{Speed: 10}, "lap: speed [m/s] = 10: it has no speed"},
		{"too many rows", "drop", car, Options{Rate: 1e4}, "rate [1/s] = 10000: must be 0.1 to 1000"},
		{"coarse step", "drop", car, Options{Dt: 0.1}, "dt [s] = 0.1"},
		{"impossible car", "bump", light, Options{}, "bump: sim: car: mass_kg = -1"},
		{"too slow for 0.3 g", "sine-dwell", car, Options{Speed: 1}, "does not reach 0.3 g"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r, err := Do(tt.maneuver, tt.p, tt.o)
			if err == nil || !strings.Contains(err.Error(), tt.want) || !strings.HasPrefix(err.Error(), "maneuver: ") {
				t.Fatalf("result %v, error %v", r != nil, err)
			}
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("more than a line: %v", err)
			}
		})
	}
}

// promised are the keys that others read.
func promised() map[string][]string {
	return map[string][]string{
		"accelerate":    {"t_0_100_s", "t_0_200_s", "t_60_100_s", "t_80_120_s", "quarter_mile_s", "shifts", "max_ax_mps2"},
		"brake":         {"brake_100_0_m", "brake_100_0_no_abs_m", "brake_100_0_threshold_m", "ideal_m", "abs_over_ideal", "split_mu_m", "brake_10th_m"},
		"fuel":          {"fuel_l_per_100km", "fuel_120_l_per_100km", "idle_l_per_h", "range_km"},
		"launch":        {"t_0_100_s", "t_0_100_off_s", "max_slip", "clutch_heat_kj"},
		"stall-start":   {"stalls", "restart_s", "idle_rpm", "settles", "rollback_mm"},
		"throttle-lift": {"yaw_ratio_1s", "max_sideslip_deg", "aside_1s_m"},
		"top-speed":     {"top_speed_kph", "gear", "rpm", "t_to_99pct_s"},
		"brake-in-turn": {"decel_mps2", "yaw_ratio_1s", "aside_1s_m", "full_stopping_distance_m"},
		"bump":          {"both_rise_m", "one_roll_deg"},
		"coastdown":     {"time_s", "distance_m"},
		"drop":          {"min_clearance_m", "energy_gain_j"},
		"frequency-sweep": {
			"yaw_gain_low_1ps", "yaw_phase_1hz_deg", "ay_phase_1hz_deg",
		},
		"lap":           {"lap_s", "sector_1_s", "sector_3_s", "top_speed_kph", "off_track_s", "max_offset_m"},
		"moose":         {"clean", "max_roll_deg", "wheel_lift_m", "rolled_over", "highest_clean_kph"},
		"sine-dwell":    {"yaw_ratio_1_0s", "yaw_ratio_1_75s", "lateral_1_07s_m"},
		"steady-circle": {"understeer_gradient_deg_per_g", "roll_gradient_deg_per_g", "max_ay_g"},
		"steer-torque":  {"parking_torque_nm", "peak_torque_nm", "wheel_angle_ratio", "slip_angle_ratio", "torque_left_pct"},
		"step-steer":    {"yaw_gain_1ps", "yaw_t90_s", "ay_t90_s", "yaw_overshoot_pct"},
		"weave": {
			"sensitivity_g_per_100deg", "angle_deadband_deg", "yaw_gain_wheel_1ps", "torque_0g_nm", "torque_gradient_0g_nm_per_g",
			"torque_0_1g_nm", "ay_0nm_g", "stiffness_nm_per_deg", "friction_torque_nm", "steering_work_j",
		},
	}
}

func TestEveryManeuverHasItsMetrics(t *testing.T) {
	for name, keys := range promised() {
		t.Run(name, func(t *testing.T) {
			switch name {
			case "accelerate", "brake", "coastdown", "fuel", "lap", "launch", "moose", "sine-dwell", "top-speed": // have tests of their own
				level.SkipIfQuick(t)
			}
			t.Parallel()
			run := usualRuns[name]()
			if run.err != nil {
				t.Fatal(run.err)
			}
			r, done := run.result, run.done
			if r.Maneuver != name || len(r.Rows) < 10 || done != 1 {
				t.Errorf("%q, %d rows, %g done", r.Maneuver, len(r.Rows), done)
			}
			for _, key := range keys {
				if !slices.ContainsFunc(r.Metrics, func(m Metric) bool { return m.Name == key }) {
					t.Errorf("no %s; notes %v", key, r.Notes)
				}
			}
			sound(t, r)
		})
	}
}

// sound reports what no result may hold.
func sound(t *testing.T, r *Result) {
	t.Helper()
	bad := func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) }
	for i := range r.Rows {
		if slices.ContainsFunc(r.Rows[i].Values(), bad) {
			t.Fatalf("row %d: %v", i, r.Rows[i])
		}
		if i > 0 && r.Rows[i].T <= r.Rows[i-1].T {
			t.Fatalf("row %d: time does not rise", i)
		}
	}
	seen := map[string]bool{}
	for _, m := range r.Metrics {
		v, number := m.Value.(float64)
		if _, verdict := m.Value.(bool); !number && !verdict || bad(v) || m.Text == "" || seen[m.Name] {
			t.Errorf("metric %+v", m)
		}
		seen[m.Name] = true
	}
	for _, tr := range r.Traces {
		for _, s := range tr.Series {
			if len(s.X) != len(s.Y) || slices.ContainsFunc(s.X, bad) || slices.ContainsFunc(s.Y, bad) {
				t.Errorf("%s: %s: %v over %v", tr.Title, s.Name, s.Y, s.X)
			}
		}
	}
}

func TestExtremeSpeedsAreHandled(t *testing.T) {
	level.SkipIfQuick(t)
	dt := milliseconds(5, 2)
	for _, m := range list() {
		if m.noSpeed {
			continue
		}
		t.Run(m.name, func(t *testing.T) {
			t.Parallel()
			for _, speed := range []float64{0.1 * kph, 400 * kph} {
				if m.name == "brake" && speed > 100 && !level.All() {
					continue // its stops from there take as long as all the others together, and differ from usual ones in their length
				}
				r, err := Do(m.name, sim.DefaultCar(), Options{Speed: speed, Rate: 10, Dt: dt})
				if err != nil {
					t.Logf("at %.1f km/h: %v", speed/kph, err)
					continue
				}
				sound(t, r)
			}
		})
	}
}
