package sweep

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rig.example/rig/test/level"
)

// parabola returns results of a made-up manoeuvre: the square of the first axis, which fails at the last point.
func parabola(p *Plan) (list []Result) {
	for i := range p.Len() {
		x := (&Metric{Value: p.Values(i)[0]}).number()
		r := Result{Index: i, Metrics: []Metric{{"constant", "m", "2"}, {"square", "N", valueText(x * x)}, {"odd", "", valueText(int(x)%2 != 0)}}}
		if i == p.Len()-1 {
			r = Result{Index: i, Error: "it rolled, over"}
		}
		if x == 0 {
			r.Metrics, r.Notes = append(r.Metrics, Metric{"never", "s", "NaN"}), []string{"stood"}
		}
		list = append([]Result{r}, list...)
	}
	return list
}

func TestReportOfASweep(t *testing.T) {
	p := &Plan{Maneuver: "drop", Axes: axes(t, false, "x=-2..3:6")}
	p.Car.Name = "coupe"
	r := NewReport(p, parabola(p)[1:], "")
	if r.Metric != "square" || r.Failed() != 0 {
		t.Fatalf("%+v", r)
	}
	if r = NewReport(p, parabola(p), ""); r.Failed() != 1 {
		t.Fatalf("%+v", r)
	}
	var out bytes.Buffer
	if err := r.Print(&out); err != nil {
		t.Fatal(err)
	}
	const want = `drop, coupe: 6 points of x -2 to 3 (6)

metric    least  median  greatest  unit  least at     greatest at
constant  2.000                    m     at 5 points  
square    0      1.000   4.000     N     x=0          x=2
odd       no     no      yes             x=-2         x=1
never     none                     s                  

points by square
0      x=0
1.000  x=-1
1.000  x=1
4.000  x=-2
4.000  x=2

note: stood (1 points, first x=0)
failed: it rolled, over (1 points, first x=3)
`
	if out.String() != want {
		t.Errorf("%s, want %s", out.String(), want)
	}
	out.Reset()
	if err := r.WriteCSV("-", &out); err != nil {
		t.Fatal(err)
	}
	const csv = "x,constant,square,odd,never,error\n-2,2,4,false,,\n-1,2,1,true,,\n0,2,0,false,NaN,\n1,2,1,true,,\n2,2,4,false,,\n3,,,,,\"it rolled, over\"\n"
	if out.String() != csv {
		t.Errorf("%s, want %s", out.String(), csv)
	}
}

func TestReportAsJSON(t *testing.T) {
	p := &Plan{Maneuver: "drop", Axes: axes(t, false, "x=-2..3:6")}
	r := NewReport(p, parabola(p), "odd")
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Points, Done, Failed int
		Metrics              []struct {
			Name           string
			Median         *float64
			Greatest_at    *string
			Least, Nothing any
			Count          int
		}
		Results []struct {
			Values  map[string]string
			Metrics map[string]any
			Error   string
		}
	}
	if err := json.Unmarshal(text, &got); err != nil || got.Points != 6 || got.Done != 6 || got.Failed != 1 || len(got.Metrics) != 4 {
		t.Fatalf("%v, %s", err, text)
	}
	if m := got.Metrics[1]; m.Name != "square" || *m.Median != 1 || *m.Greatest_at != "x=2" || m.Count != 5 {
		t.Errorf("%+v", m)
	}
	if m := got.Metrics[3]; m.Name != "never" || m.Median != nil || m.Count != 0 {
		t.Errorf("%+v", m)
	}
	if at := got.Results[2]; at.Values["x"] != "0" || at.Metrics["square"] != 0.0 || at.Metrics["odd"] != false || at.Metrics["never"] != nil {
		t.Errorf("%+v", at)
	}
	if err := parabola(p)[1].CheckMetric("cube"); err == nil || err.Error() != `--metric: "cube" not found; choose constant, square, odd` {
		t.Errorf("%v", err)
	}
}

// Every kind of sweep has a picture with its axes.
func TestPicturesOfSweeps(t *testing.T) {
	level.SkipIfQuick(t)
	for name, tt := range map[string]struct {
		plan Plan
		want []string
	}{
		"curve":   {Plan{Axes: axes(t, false, "x=1..4:4")}, []string{">x<", ">square [N]<"}},
		"map":     {Plan{Axes: axes(t, false, "x=1..4:4", "speed=50,60,70")}, []string{">speed [km/h]<", ">x<", ">none<", ">70<", ">16<"}},
		"large":   {Plan{Axes: axes(t, false, "x=1..90:90", "y=1..80:80")}, []string{">8100 N<"}},
		"scatter": {Plan{Axes: axes(t, false, "x=1..4:4", "y=1,2", "z=a,b")}, []string{">z: 1 a, 2 b<", ">points<"}},
		"random":  {Plan{Axes: axes(t, true, "x=1..4"), Random: 30}, []string{">x<", ">points<"}},
	} {
		p := tt.plan
		p.Maneuver = "drop"
		r := NewReport(&p, parabola(&p), "square")
		path := filepath.Join(t.TempDir(), "a.svg")
		if err := r.WritePlot(path); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range tt.want {
			if !strings.Contains(string(text), want) {
				t.Errorf("%s lacks %q", name, want)
			}
		}
	}
	p := &Plan{Axes: axes(t, false, "x=1,2")}
	r := NewReport(p, []Result{{Index: 0, Error: "no"}}, "square")
	if err := r.WritePlot("a.svg"); err == nil || !strings.Contains(err.Error(), "no point has a metric") {
		t.Errorf("%v", err)
	}
	if err := r.Print(&bytes.Buffer{}); err != nil {
		t.Error(err)
	}
}

// The cells of a map are where their values are.
func TestCellsOfAMap(t *testing.T) {
	p := &Plan{Axes: axes(t, false, "x=1..3:3", "y=5,6")}
	r := NewReport(p, parabola(p), "square")
	if got := fmt.Sprint(r.heatMap(r.stat("square")).Values); got != "[[1 1] [4 4] [9 NaN]]" {
		t.Error(got)
	}
}
