package dash

import (
	"fmt"
	"io"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"rig.example/rig/internal/core/frame"
)

// scrape returns the samples of the metrics, and an error for everything that the text format does not allow.
func scrape(text string) (map[string]float64, error) {
	sampleLine := regexp.MustCompile(`^([a-z_:][a-z0-9_:]*)(\{([a-z_][a-z0-9_]*)="((?:[^"\\\n]|\\[\\"n])*)"\})? (\S+)$`)
	found, kinds := map[string]float64{}, map[string]string{}
	current, helped := "", ""
	for line := range strings.Lines(text) {
		line, ok := strings.CutSuffix(line, "\n")
		if !ok {
			return nil, fmt.Errorf("%q does not end", line)
		}
		words := strings.SplitN(line, " ", 4)
		switch {
		case strings.HasPrefix(line, "# HELP ") && len(words) == 4 && kinds[words[2]] == "":
			helped = words[2]
		case strings.HasPrefix(line, "# TYPE ") && len(words) == 4 && helped == words[2] && (words[3] == "gauge" || words[3] == "counter"):
			current, kinds[words[2]] = words[2], words[3]
			if strings.HasSuffix(current, "_total") != (words[3] == "counter") {
				return nil, fmt.Errorf("%s is a %s", current, words[3])
			}
		default:
			m := sampleLine.FindStringSubmatch(line)
			if m == nil || m[1] != current {
				return nil, fmt.Errorf("unexpected: %q", line)
			}
			v, err := strconv.ParseFloat(m[5], 64)
			if _, twice := found[m[1]+m[2]]; twice || err != nil || math.IsNaN(v) {
				return nil, fmt.Errorf("%q: twice %t, %v", line, twice, err)
			}
			found[m[1]+m[2]] = v
		}
	}
	return found, nil
}

func TestMetrics(t *testing.T) {
	s := newTestServer(func(o *Options) {
		o.Scene.Names.Actuators[3] = "rear \"right\"\\\n"
		o.Metrics = func(w io.Writer) {
			io.WriteString(w, "# HELP rig_other_total Of others.\n# TYPE rig_other_total counter\nrig_other_total 7\n")
		}
	})
	s.source.change(func(f *fakeSource) {
		f.frame.Motion.Faults, f.frame.Wheels[2].TireTemperature = 6, math.NaN()
		f.frame.Motion.Temperature[1] = 41.5
	})
	s.publishOne(1)
	s.source.change(func(f *fakeSource) {
		f.seq++
		f.frame = drivenFrame(61)
		f.frame.Motion.Faults, f.frame.Wheels[2].TireTemperature, f.frame.Motion.Temperature[1] = 6, math.NaN(), 41.5
	})
	s.hub.sample(50e6)
	s.ask(request{method: "GET", path: "/nothing", host: "localhost:8888", peer: "127.0.0.1"})
	s.order("/tune", bodyTune)
	got, err := scrape(s.ask(request{method: "GET", path: "/metrics", host: "localhost:8888", peer: "127.0.0.1"}).Body.String())
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]float64{
		"rig_ended": 0, "rig_frames_total": 3, "rig_frame_age_seconds": 0, "rig_loop_missed_total": 3, "rig_loop_lateness_max_seconds": 84e-6,
		`rig_safety_state{state="driving"}`: 1, `rig_safety_state{state="fault"}`: 0, `rig_flag{flag="wheel"}`: 1, `rig_flag{flag="demo"}`: 0,
		`rig_platform_state{state="active"}`: 1, `rig_platform_fault{fault="too hot"}`: 1, `rig_platform_fault{fault="drive fault"}`: 0,
		"rig_platform_targets_per_second": 500, `rig_platform_temperature_celsius{actuator="front right"}`: 41.5, "rig_force_limit_newton_meters": 8,
		"rig_recorder_on": 1, "rig_recorder_bytes_total": 81.3e6, "rig_laps_total": 2, "rig_lap_best_seconds": 82.901,
		`rig_tire_pressure_pascals{wheel="rear_left"}`: 2.1e5, "rig_web_streams": 0, `rig_web_requests_refused_total{status="404"}`: 1,
		`rig_web_orders_total{order="tune"}`: 1, `rig_web_orders_total{order="stop"}`: 0, "rig_other_total": 7,
	} {
		if v, ok := got[name]; !ok || v != want {
			t.Errorf("%s is %g (%t), want %g", name, v, ok, want)
		}
	}
	for _, absent := range []string{`rig_tire_temperature_celsius{wheel="rear_left"}`, `rig_platform_temperature_celsius{actuator="front left"}`} {
		if v, ok := got[absent]; ok {
			t.Errorf("%s is %g, though it is not known", absent, v)
		}
	}
	if _, ok := got[`rig_platform_target_ratio{actuator="rear \"right\"\\\n"}`]; !ok {
		t.Errorf("names are not escaped: %q", slices.Sorted(maps.Keys(got)))
	}
}

// Frames of a rig that has gone wrong, and none at all, give correct text too.
func TestMetricsOfOddFrames(t *testing.T) {
	s := newTestServer(nil)
	s.source.change(func(f *fakeSource) {
		f.seq++
		f.frame = frame.Frame{State: 99, Flags: ^uint64(0), Speed: math.Inf(1), RimTorque: math.NaN(), Motion: frame.Motion{State: 1 << 40, LegCount: 1 << 40, Faults: ^uint64(0)}}
	})
	s.hub.sample(1)
	empty := newTestServer(nil)
	empty.hub = newHub(&fakeSource{}, testScene())
	for _, s := range []*testServer{s, empty} {
		for _, path := range []string{"/metrics", "/state", "/events"} {
			got := s.ask(request{method: "GET", path: path, host: "localhost:8888", peer: "127.0.0.1"})
			if got.Code != 200 {
				t.Errorf("%s: %d", path, got.Code)
			}
			if _, err := scrape(got.Body.String()); path == "/metrics" && err != nil {
				t.Error(err)
			}
		}
	}
}
