package tirerig

import (
	"bytes"
	"encoding/json"
	"math"
	"strings"
	"testing"
)

func run(t testing.TB, b *Bench, s Sweep) *Result {
	t.Helper()
	r, err := b.Run(s)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func at(v float64) *float64 { return &v }

func TestSweepRanges(t *testing.T) {
	deg := func(v float64) float64 { return v * (math.Pi / 180) }
	tests := []struct {
		name                string
		s                   Sweep
		rows                int
		first, second, last Row // what is asked
	}{
		{"slip angle", Sweep{Kind: "slip-angle"}, 3 * 161,
			Row{Alpha: deg(-20), Fz: 2000}, Row{Alpha: deg(-19.75), Fz: 2000}, Row{Alpha: deg(20), Fz: 6000}},
		{"slip angle with camber", Sweep{Kind: "slip-angle", Loads: []float64{3000}, Gamma: -2, Kappa: 0.1, From: at(0), To: at(1), Step: at(0.25)}, 5,
			Row{Kappa: 0.1, Gamma: deg(-2), Fz: 3000}, Row{Kappa: 0.1, Alpha: deg(0.25), Gamma: deg(-2), Fz: 3000}, Row{Kappa: 0.1, Alpha: deg(1), Gamma: deg(-2), Fz: 3000}},
		{"slip ratio", Sweep{Kind: "slip-ratio"}, 3 * 201,
			Row{Kappa: -1, Fz: 2000}, Row{Kappa: -0.99, Fz: 2000}, Row{Kappa: 1, Fz: 6000}},
		{"slip ratio at two angles", Sweep{Kind: "slip-ratio", Loads: []float64{5000}, Alphas: []float64{-4, 4}, From: at(-0.1), To: at(0.1), Step: at(0.1)}, 6,
			Row{Kappa: -0.1, Alpha: deg(-4), Fz: 5000}, Row{Alpha: deg(-4), Fz: 5000}, Row{Kappa: 0.1, Alpha: deg(4), Fz: 5000}},
		{"camber", Sweep{Kind: "camber", Alphas: []float64{3}}, 3 * 41,
			Row{Alpha: deg(3), Gamma: deg(-10), Fz: 2000}, Row{Alpha: deg(3), Gamma: deg(-9.5), Fz: 2000}, Row{Alpha: deg(3), Gamma: deg(10), Fz: 6000}},
		{"load", Sweep{Kind: "load", Loads: []float64{6000, 3000}}, 4 * 61,
			Row{Alpha: deg(1)}, Row{Alpha: deg(1), Fz: 100}, Row{Alpha: deg(8), Fz: 6000}},
		{"combined", Sweep{Kind: "combined"}, 3 * 13 * 61,
			Row{Kappa: -0.3, Alpha: deg(-12), Fz: 2000}, Row{Kappa: -0.29, Alpha: deg(-12), Fz: 2000}, Row{Kappa: 0.3, Alpha: deg(12), Fz: 6000}},
		{"a step that does not fit", Sweep{Kind: "camber", Loads: []float64{1}, From: at(0), To: at(1), Step: at(0.4)}, 3,
			Row{Fz: 1}, Row{Gamma: deg(0.4), Fz: 1}, Row{Gamma: deg(0.8), Fz: 1}},
		{"one point", Sweep{Kind: "slip-ratio", Loads: []float64{1, 2}, From: at(0.07), To: at(0.07)}, 2,
			Row{Kappa: 0.07, Fz: 1}, Row{Kappa: 0.07, Fz: 2}, Row{Kappa: 0.07, Fz: 2}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			rows := run(t, brush(t), tt.s).Rows
			if len(rows) != tt.rows {
				t.Fatalf("%d rows, want %d", len(rows), tt.rows)
			}
			for _, c := range []struct {
				name      string
				got, want Row
			}{{"first", rows[0], tt.first}, {"second", rows[1], tt.second}, {"last", rows[len(rows)-1], tt.last}} {
				if got := (Row{Kappa: c.got.Kappa, Alpha: c.got.Alpha, Gamma: c.got.Gamma, Fz: c.got.Fz}); got != c.want {
					t.Errorf("%s %+v, want %+v", c.name, got, c.want)
				}
			}
		})
	}
}

func TestSweptValuesAreRounded(t *testing.T) {
	for _, tt := range []struct {
		kind, want string
		column     int
	}{
		{"slip-ratio", "-0.3 -0.29 -0.28 -0.27 -0.26", 0},
		{"combined", "-0.3 -0.29 -0.28 -0.27 -0.26", 0},
		{"load", "0 100 200 300 400", 3},
	} {
		var from *float64
		if tt.kind == "slip-ratio" {
			from = at(-0.3)
		}
		var got []string
		for _, line := range table(t, run(t, brush(t), Sweep{Kind: tt.kind, From: from}))[1:6] {
			got = append(got, strings.Split(line, ",")[tt.column])
		}
		if s := strings.Join(got, " "); s != tt.want {
			t.Errorf("%s: %s, want %s", tt.kind, s, tt.want)
		}
	}
	for _, kind := range []string{"slip-angle", "slip-ratio", "camber", "combined"} {
		r := run(t, brush(t), Sweep{Kind: kind, Loads: []float64{4000}, Alphas: nil})
		mid := r.Rows[len(r.Rows)/2]
		if mid.Kappa != 0 || mid.Alpha != 0 || mid.Gamma != 0 || math.Signbit(mid.Kappa+mid.Alpha+mid.Gamma) {
			t.Errorf("%s: the middle is %+v", kind, mid)
		}
	}
}

// table returns the lines of the sweep's CSV.
func table(t testing.TB, r *Result) []string {
	t.Helper()
	var out bytes.Buffer
	if err := r.WriteCSV("-", &out); err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
}

func TestTableFormat(t *testing.T) {
	got := table(t, run(t, brush(t), Sweep{Kind: "slip-ratio", Loads: []float64{4000}, From: at(-1), To: at(0), Step: at(1)}))
	want := []string{
		"kappa,alpha_rad,gamma_rad,fz_n,fx_n,fy_n,mx_nm,my_nm,mz_nm",
		"-1,0,0,4000,-4000,0,0,-14.88,0", // locked: -mu·Fz; rolling resistance 0.012·0.31·4000
		"0,0,0,4000,0,0,0,-14.88,0",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestSignsAreThoseOfISO(t *testing.T) {
	for _, r := range run(t, brush(t), Sweep{Kind: "slip-angle"}).Rows {
		if r.Alpha > 0 && !(r.Fy < 0 && r.Mz >= 0) || r.Alpha < 0 && !(r.Fy > 0 && r.Mz <= 0) {
			t.Errorf("slip angle: %+v", r)
		}
	}
	for _, r := range run(t, brush(t), Sweep{Kind: "slip-ratio"}).Rows {
		if r.Kappa > 0 && !(r.Fx > 0) || r.Kappa < 0 && !(r.Fx < 0) || !(r.My < 0) {
			t.Errorf("slip ratio: %+v", r)
		}
	}
}

func TestBadSweepsAreRejected(t *testing.T) {
	nan := math.NaN()
	tests := []struct {
		name string
		s    Sweep
		want []string
	}{
		{"unknown", Sweep{Kind: "wobble"}, []string{"--sweep: ", `"wobble"`, "slip-angle, slip-ratio, camber, load, combined"}},
		{"no load", Sweep{Kind: "camber", Loads: []float64{4000, 0}}, []string{"--fz: 0 N", "2000,4000,6000"}},
		{"load is NaN", Sweep{Kind: "camber", Loads: []float64{nan}}, []string{"--fz: NaN"}},
		{"beside the road", Sweep{Kind: "camber", Alphas: []float64{90}}, []string{"--alpha: 90°"}},
		{"lying wheel", Sweep{Kind: "load", Gamma: -90}, []string{"--gamma: -90°"}},
		{"turns backward", Sweep{Kind: "load", Kappa: -1.1}, []string{"--kappa: -1.1", "locked"}},
		{"angle held and swept", Sweep{Kind: "slip-angle", Alphas: []float64{1}}, []string{"--alpha: ", "--from"}},
		{"slip held and swept", Sweep{Kind: "combined", Kappa: 0.1}, []string{"--kappa: ", "--from"}},
		{"camber held and swept", Sweep{Kind: "camber", Gamma: 0.1}, []string{"--gamma: ", "--from"}},
		{"begins too low", Sweep{Kind: "slip-ratio", From: at(-1.5)}, []string{"--from: -1.5", "-1 to 10", "slip ratio"}},
		{"ends before it begins", Sweep{Kind: "slip-angle", From: at(5), To: at(4)}, []string{"--to: 4", "5, where the sweep begins"}},
		{"begins after the end that was not given", Sweep{Kind: "slip-angle", From: at(30)}, []string{"--from: 30", "ends at 20 unless --to"}},
		{"ends before the beginning that was not given", Sweep{Kind: "slip-angle", To: at(-30)}, []string{"--to: -30", "begins at -20 unless --from"}},
		{"end out of range", Sweep{Kind: "slip-angle", To: at(95)}, []string{"--to: 95", "to 89"}},
		{"no step", Sweep{Kind: "slip-angle", Step: at(0)}, []string{"--step: 0", "above 0"}},
		{"endless step", Sweep{Kind: "slip-angle", Step: at(math.Inf(1))}, []string{"--step: +Inf"}},
		{"step is NaN", Sweep{Kind: "slip-angle", Step: at(nan)}, []string{"--step: NaN"}},
		{"too fine", Sweep{Kind: "slip-angle", Step: at(1e-9)}, []string{"--step: 1e-09", "wider steps"}},
		{"too fine together", Sweep{Kind: "combined", Step: at(1e-5)}, []string{"--step: ", "2340039 rows", "--points"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := brush(t).Run(tt.s)
			refused(t, err, tt.want...)
		})
	}
}

func TestSweepAsJSON(t *testing.T) {
	b := brush(t)
	b.Tire.Notices, b.Tire.Pressure = []string{"guessed"}, 220e3
	if err := b.SetPressure(240); err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(run(t, b, Sweep{Kind: "slip-ratio", Loads: []float64{4000}, From: at(-1), To: at(-1)}))
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"tire":"brush","model":"brush","sweep":"slip-ratio","surface":"dry","pressure_kpa":240,"notices":["guessed"],` +
		`"rows":[{"kappa":-1,"alpha_rad":0,"gamma_rad":0,"fz_n":4000,"fx_n":-4000,"fy_n":0,"mx_nm":0,"my_nm":-14.88,"mz_nm":0}]}`
	if string(text) != want {
		t.Errorf("%s\nwant %s", text, want)
	}
}
