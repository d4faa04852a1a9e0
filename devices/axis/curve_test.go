package axis

import (
	"math"
	"strings"
	"testing"

	"rig.example/rig/calib"
)

func TestCurveValue(t *testing.T) {
	line := CurveConfig{}
	dead := CurveConfig{Shape: "linear", DeadLow: 0.1, DeadHigh: 0.3}
	square := CurveConfig{Shape: "gamma", Gamma: 2}
	root := CurveConfig{Shape: "gamma", Gamma: 0.5}
	two := CurveConfig{Shape: "points", PointsIn: []float64{0, 1}, PointsOut: []float64{0, 0.8}}
	bent := CurveConfig{Shape: "points", PointsIn: []float64{0, 0.25, 0.5, 1}, PointsOut: []float64{0, 0.1, 0.4, 1}}
	level := CurveConfig{Shape: "points", PointsIn: []float64{0, 0.25, 0.75, 1}, PointsOut: []float64{0, 0.5, 0.5, 1}}
	tests := []struct {
		name     string
		cfg      CurveConfig
		in, want float64
	}{
		{"line, below", line, -1, 0},
		{"line, middle", line, 0.3, 0.3},
		{"line, above", line, 2, 1},
		{"NaN", line, math.NaN(), 0},
		{"minus infinity", square, math.Inf(-1), 0},
		{"infinity", square, math.Inf(1), 1},
		{"in the low dead zone", dead, 0.09, 0},
		{"between the dead zones", dead, 0.4, 0.5},
		{"in the high dead zone", dead, 0.71, 1},
		{"square", square, 0.5, 0.25},
		{"square, off the grid", square, 0.3, 0.09},
		{"root", root, 0.25, 0.5},
		{"two points", two, 0.5, 0.4},
		{"two points, end", two, 1, 0.8},
		{"through a point", bent, 0.25, 0.1},
		{"through the next", bent, 0.5, 0.4},
		{"to the end", bent, 1, 1},
		{"level stays level", level, 0.5, 0.5},
		{"level to its end", level, 0.75, 0.5},
	}
	for _, c := range tests {
		curve := NewCurve(c.cfg)
		if got := curve.Value(c.in); !(math.Abs(got-c.want) < 1e-6) {
			t.Errorf("%s: %.7f, want %.7f", c.name, got, c.want)
		}
	}
}

func TestCurveConfigNamesWhatIsWrong(t *testing.T) {
	points := func(in, out []float64) CurveConfig { return CurveConfig{Shape: "points", PointsIn: in, PointsOut: out} }
	tests := []struct {
		name string
		cfg  CurveConfig
		says string
	}{
		{"unknown", CurveConfig{Shape: "spline"}, "spline"},
		{"gamma left out", CurveConfig{Shape: "gamma"}, "gamma"},
		{"gamma is NaN", CurveConfig{Shape: "gamma", Gamma: math.NaN()}, "gamma"},
		{"dead zones", CurveConfig{DeadLow: 0.5, DeadHigh: -1}, "dead_high"},
		{"no points", points(nil, nil), "points_in"},
		{"uneven", points([]float64{0, 1}, []float64{0}), "the same"},
		{"pressed at rest", points([]float64{0, 1}, []float64{0.2, 1}), "(0, 0)"},
		{"falls", points([]float64{0, 0.5, 1}, []float64{0, 0.5, 0.4}), "never fall"},
		{"above 1", points([]float64{0, 1}, []float64{0, 1.1}), "exceed"},
		{"backwards", points([]float64{0, 0.5, 0.5, 1}, []float64{0, 0.5, 0.6, 1}), "0.001"},
		{"NaN", points([]float64{0, math.NaN(), 1}, []float64{0, 0.5, 1}), "0.001"},
	}
	for _, c := range tests {
		if err := c.cfg.Validate(); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want it to say %q", c.name, err, c.says)
		}
	}
}

// A curve never falls, and never leaves 0..1.
func FuzzCurve(f *testing.F) {
	f.Add(0.1, 0.2, 2.0, 0.3, 0.4, 0.6, 0.5)
	f.Add(0.0, 0.0, 0.2, 0.001, 1.0, 0.999, 1.0)
	f.Add(0.4, 0.4, 5.0, 0.5, 0.0, 0.501, 1.0)
	f.Fuzz(func(t *testing.T, low, high, gamma, x1, y1, x2, y2 float64) {
		configs := []CurveConfig{
			{DeadLow: low, DeadHigh: high},
			{Shape: "gamma", Gamma: gamma, DeadLow: low, DeadHigh: high},
			{Shape: "points", PointsIn: []float64{0, x1, x2, 1}, PointsOut: []float64{0, y1, y2, 1}, DeadLow: low, DeadHigh: high},
		}
		for _, cfg := range configs {
			if cfg.Validate() != nil {
				continue
			}
			c := NewCurve(cfg)
			before := 0.0
			for i := -10; i <= 3010; i++ {
				v := c.Value(float64(i) / 3000)
				if !(v >= before && v <= 1) {
					t.Fatalf("%+v at %g: %g after %g", cfg, float64(i)/3000, v, before)
				}
				before = v
			}
			for _, x := range []float64{x1, x2, y1, gamma} {
				if a, b := c.Value(x), c.Value(math.Nextafter(x, math.Inf(1))); !(a >= 0 && a <= b && b <= 1) && x == x {
					t.Fatalf("%+v at %g: %g, then %g", cfg, x, a, b)
				}
			}
		}
	})
}

func TestOrient(t *testing.T) {
	up := calib.Axis{Code: "ABS_Z", Rest: 100, Press: 900, DeadLow: 0.1, DeadHigh: 0.2}
	down := calib.Axis{Code: "ABS_Z", Rest: 900, Press: 100, DeadHigh: 0.2}
	tests := []struct {
		name        string
		cfg         Config
		axis        calib.Axis
		rest, press int32
		low, high   float64
	}{
		{"as measured", Config{}, up, 100, 900, 0.1, 0.2},
		{"inverted", Config{Invert: true}, up, 900, 100, 0.2, 0.1},
		{"500 N at 0.02 N a count", Config{FullPressForce: 500, NewtonPerCount: 0.02}, up, 100, 25100, 0.1, 0},
		{"a cell that counts down", Config{FullPressForce: 500, NewtonPerCount: 0.02}, down, 900, -24100, 0, 0},
		{"a force out of all range", Config{FullPressForce: 3000, NewtonPerCount: 1e-7}, up, 100, 2147483647, 0.1, 0},
	}
	for _, c := range tests {
		got := c.cfg.Orient(c.axis)
		if got.Rest != c.rest || got.Press != c.press || got.DeadLow != c.low || got.DeadHigh != c.high {
			t.Errorf("%s: %+v", c.name, got)
		}
	}
}

// Half of the full force is half of the brake.
func TestBrakeByForce(t *testing.T) {
	cfg := Config{FullPressForce: 800, NewtonPerCount: 0.01}
	axis := cfg.Orient(calib.Axis{Rest: -2000, Press: 5000})
	shape := NewShape(cfg, ms)
	for _, c := range []struct{ force, want float64 }{{0, 0}, {200, 0.25}, {400, 0.5}, {800, 1}, {1200, 1}} {
		if got := shape.Step(axis.Value(-2000 + int32(c.force/0.01))); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%g N: %g, want %g", c.force, got, c.want)
		}
	}
}

func TestShapesNameWhatIsWrong(t *testing.T) {
	for _, c := range []struct {
		name string
		cfg  Shapes
		says string
	}{
		{"newtons without a scale", Shapes{Brake: Config{FullPressForce: 500}}, "brake.newton_per_count"},
		{"a gamma without its curve", Shapes{Brake: Config{CurveConfig: CurveConfig{Gamma: 2}}}, "curve = \"gamma\""},
		{"points without their curve", Shapes{Brake: Config{CurveConfig: CurveConfig{PointsIn: []float64{0, 1}}}}, "curve = \"points\""},
		{"a slope without its filter", Shapes{Brake: Config{FilterConfig: FilterConfig{OneEuroSlope: 1}}}, "one_euro_hz"},
		{"newtons without full braking", Shapes{Brake: Config{NewtonPerCount: 0.1}}, "full_braking_n"},
	} {
		if err := c.cfg.Validate(); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want it to say %q", c.name, err, c.says)
		}
	}
}
