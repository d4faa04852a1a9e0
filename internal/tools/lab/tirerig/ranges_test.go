package tirerig

import (
	"slices"
	"strings"
	"testing"

	"rig.example/rig/sim/tire"
)

// limited is a tire that keeps to ranges and asks for pressure and speed.
func limited() *Bench {
	b := echoing()
	b.Tire.Pressure, b.Tire.MeasuredSpeed = 220e3, 16
	b.Tire.LoadMin, b.Tire.LoadMax = 500, 8000
	b.Tire.Limits = tire.Limits{
		LoadMax: 8000, KappaMin: -0.5, KappaMax: 0.5, AlphaMin: -10 * perDegree, AlphaMax: 12 * perDegree,
		GammaMin: -6 * perDegree, GammaMax: 6 * perDegree, PressureMin: 150e3, PressureMax: 350e3,
	}
	return b
}

func TestSweepSaysWhichRangesItLeaves(t *testing.T) {
	four := []float64{4000}
	tests := []struct {
		name string
		s    Sweep
		kPa  float64
		want []string
	}{
		{"none", Sweep{Kind: "slip-angle", Loads: []float64{500, 8000}, From: at(-10), To: at(12), Gamma: 6, Kappa: -0.5}, 350, nil},
		{"camber both ways", Sweep{Kind: "camber", Loads: four, Step: at(1)}, 0,
			[]string{"camber from −10° to 10° (8 of 21 rows): below −6° answered as at −6°, above 6° answered as at 6°"}},
		{"camber that is held", Sweep{Kind: "slip-ratio", Loads: four, Gamma: -7, From: at(0), To: at(0.1)}, 0,
			[]string{"camber down to −7° (11 of 11 rows): below −6° answered as at −6°"}},
		{"slip angle", Sweep{Kind: "slip-angle", Loads: four, From: at(0), To: at(14), Step: at(1)}, 0,
			[]string{"slip angle up to 14° (2 of 15 rows): above 12° answered as at 12°"}},
		{"slip ratio", Sweep{Kind: "slip-ratio", Loads: four, To: at(0.5), Step: at(0.25)}, 0,
			[]string{"slip ratio down to −1 (2 of 7 rows): below −0.5 answered as at −0.5"}},
		{"load", Sweep{Kind: "camber", Loads: []float64{9000}, From: at(0), To: at(1), Step: at(1)}, 0,
			[]string{"load up to 9000 N (2 of 2 rows): above 8000 N answered as at 8000 N"}},
		{"load below what was measured", Sweep{Kind: "load", Loads: []float64{6000}, Alphas: []float64{2}}, 0,
			[]string{"load down to 100 N (4 of 61 rows): below 500 N the tire was not measured"}},
		{"pressure", Sweep{Kind: "camber", Loads: four, From: at(1), To: at(1)}, 100,
			[]string{"pressure down to 100 kPa: below 150 kPa answered as at 150 kPa"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := limited()
			b.Pressure = tt.kPa * perKPa
			if got := run(t, b, tt.s).Notices; !slices.Equal(got, tt.want) {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}

// A brush knows no limits of its own, but perhaps what was measured.
func TestSweepSaysThatItLeavesTheMeasuredLoads(t *testing.T) {
	b := brush(t)
	b.Tire.LoadMin, b.Tire.LoadMax = 1000, 5000
	tests := []struct {
		name  string
		loads []float64
		want  string
	}{
		{"within", []float64{1000, 5000}, ""},
		{"below", []float64{500}, "load down to 500 N (81 of 81 rows): below 1000 N the tire was not measured"},
		{"above", []float64{4000, 6000}, "load up to 6000 N (81 of 162 rows): above 5000 N the tire was not measured"},
	}
	for _, tt := range tests {
		if got := strings.Join(run(t, b, Sweep{Kind: "camber", Loads: tt.loads, Step: at(0.25)}).Notices, "; "); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestBatchSaysWhichRangesItLeaves(t *testing.T) {
	const table = "kappa,alpha_rad,gamma_rad,fz_n,vx_mps,pressure_kpa\n" +
		"0,0,0,4000,,\n" +
		"0.7,0,0,9000,,\n" + // kappa, load
		"0.9,0.5,0,4000,,400\n" + // kappa, alpha, pressure
		"5,1,1,0,,900\n" // no load, no answer
	b := limited()
	b.Tire.Notices = []string{"PCX1 is missing"}
	report, err := b.EvaluateTable("p.csv", strings.NewReader(table), new(strings.Builder))
	want := []string{
		"PCX1 is missing",
		"load up to 9000 N (1 of 4 rows): above 8000 N answered as at 8000 N",
		"slip ratio up to 0.9 (2 of 4 rows): above 0.5 answered as at 0.5",
		"slip angle up to 28.6479° (1 of 4 rows): above 12° answered as at 12°",
		"pressure up to 400 kPa (1 of 4 rows): above 350 kPa answered as at 350 kPa",
	}
	if err != nil || report.Rows != 4 || !slices.Equal(report.Notices, want) {
		t.Errorf("%d rows, %v, %q, want %q", report.Rows, err, report.Notices, want)
	}
}

func TestSummarySaysThatThePressureIsOutOfRange(t *testing.T) {
	b := limited()
	b.Pressure = 500e3
	want := []string{"pressure up to 500 kPa: above 350 kPa answered as at 350 kPa"}
	if got := b.Summary().Notices; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestUnusedConditionsAreNotReported(t *testing.T) {
	b := brush(t)
	b.Pressure, b.Speed = 240e3, 30
	want := []string{
		"--pressure has no effect: the model brush does not depend on it",
		"--speed has no effect: the model brush does not depend on it",
	}
	s := b.Summary()
	if s.PressureKPa != 0 || s.Speed != 0 || !slices.Equal(s.Notices, want) {
		t.Errorf("summary: %g kPa, %g m/s, %q", s.PressureKPa, s.Speed, s.Notices)
	}
	r := run(t, b, Sweep{Kind: "camber"})
	if r.PressureKPa != 0 || r.Speed != 0 || !slices.Equal(r.Notices, want) || strings.Contains(r.conditionsLine(), "kPa") || strings.Contains(r.conditionsLine(), "m/s") {
		t.Errorf("sweep: %g kPa, %g m/s, %q, %q", r.PressureKPa, r.Speed, r.Notices, r.conditionsLine())
	}
	report, err := b.EvaluateTable("p.csv", strings.NewReader("kappa,alpha_rad,gamma_rad,fz_n,vx_mps,pressure_kpa\n"), new(strings.Builder))
	want = append(want, "the column pressure_kpa has no effect: the model brush does not depend on it",
		"the column vx_mps has no effect: the model brush does not depend on it")
	if err != nil || !slices.Equal(report.Notices, want) {
		t.Errorf("batch: %v, %q", err, report.Notices)
	}
}

func TestUsedConditionsAreReported(t *testing.T) {
	b := limited()
	if r := run(t, b, Sweep{Kind: "camber", From: at(0), To: at(0)}); r.PressureKPa != 220 || r.Speed != 16 || len(r.Notices) > 0 {
		t.Errorf("the tire's own: %g kPa, %g m/s, %q", r.PressureKPa, r.Speed, r.Notices)
	}
	b.Pressure, b.Speed = 240e3, 30
	if r := run(t, b, Sweep{Kind: "camber", From: at(0), To: at(0)}); r.PressureKPa != 240 || r.Speed != 30 || len(r.Notices) > 0 {
		t.Errorf("the bench's: %g kPa, %g m/s, %q", r.PressureKPa, r.Speed, r.Notices)
	}
}
