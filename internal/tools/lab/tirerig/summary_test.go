package tirerig

import (
	"encoding/json"
	"io"
	"math"
	"strings"
	"testing"

	"rig.example/rig/internal/kit/sink"
	"rig.example/rig/sim/tire"
	"rig.example/rig/test/near"
)

func TestSummaryFollowsTheBrush(t *testing.T) {
	s := brush(t).Summary()
	const sliding = 3 * 4000 / 53e3 // theoretical slip: 3 mu Fz/C
	near.Value(t, "cornering stiffness", s.CorneringStiffness, 53e3, 1e-6)
	near.Value(t, "slip stiffness", s.SlipStiffness, 53e3, 1e-6)
	near.Value(t, "trail", s.Trail, 0.085/3, 1e-4*0.085/3)
	near.Value(t, "rolling resistance", s.RollingResistance, 0.012, 1e-12)
	for _, p := range []struct {
		name     string
		got      Peak
		slip     float64
		sideways bool
	}{
		{"driving", s.Driving, sliding / (1 - sliding), false},
		{"braking", s.Braking, -sliding / (1 + sliding), false},
		{"left", s.Left, -math.Atan(sliding), true},
		{"right", s.Right, math.Atan(sliding), true},
	} {
		near.Value(t, "mu "+p.name, p.got.Mu, 1, 1e-9)
		near.Value(t, "slip "+p.name, p.got.Slip, p.slip, 2e-3*math.Abs(p.slip))
	}
}

// hill has its peaks where they are written: a parabola on each side.
type hill struct{}

func (hill) Forces(c tire.Contact) tire.Forces {
	top := func(slip, at float64) float64 { return 1 - (slip/at-1)*(slip/at-1) }
	alpha := math.Atan(c.TanAlpha)
	f := tire.Forces{Fx: c.Load * 1.2 * top(c.Kappa, 0.1234), Fy: c.Load * 0.9 * top(alpha, -0.1)}
	if c.Kappa < 0 {
		f.Fx = -c.Load * 1.1 * top(c.Kappa, -0.0567)
	}
	if alpha > 0 {
		f.Fy = -c.Load * 0.8 * top(alpha, 0.2)
	}
	return f
}

func (hill) Capacity(tire.Contact) tire.Capacity { return tire.Capacity{StiffnessX: 1, StiffnessY: 1} }

func TestPeaksAreFound(t *testing.T) {
	b := &Bench{Tire: &tire.Tire{Model: hill{}, NominalLoad: 5000}, Surface: tire.Dry()}
	s := b.Summary()
	for _, p := range []struct {
		name     string
		got      Peak
		mu, slip float64
	}{
		{"driving", s.Driving, 1.2, 0.1234}, {"braking", s.Braking, 1.1, -0.0567},
		{"left", s.Left, 0.9, -0.1}, {"right", s.Right, 0.8, 0.2},
	} {
		near.Value(t, "mu "+p.name, p.got.Mu, p.mu, 1e-9)
		near.Value(t, "slip "+p.name, p.got.Slip, p.slip, 1e-4*math.Abs(p.slip))
	}
	near.Value(t, "trail of a tire without moment", s.Trail, 0, 0)
}

func TestSummaryOfTheStandingTire(t *testing.T) {
	b := brush(t)
	b.Tire.Vertical = tire.VerticalParams{Radius: 0.31, Stiffness: 200e3, NominalLoad: 4000, MeasuredSpeed: 16, NominalPressure: 220e3, BReff: 8.4, DReff: 0.27, FReff: 0.07}
	s := b.Summary()
	near.Value(t, "vertical stiffness", s.VerticalStiffness, 200e3, 1e-6)
	near.Value(t, "effective radius", s.EffectiveRadius, 0.31-0.02*(0.27*math.Atan(8.4)+0.07), 1e-9)
	b.Tire.Vertical = tire.VerticalParams{}
	if s := b.Summary(); s.VerticalStiffness != 0 || s.EffectiveRadius != 0 {
		t.Errorf("a tire without a spring has %g N/m and rolls on %g m", s.VerticalStiffness, s.EffectiveRadius)
	}
}

func TestSummaryAsText(t *testing.T) {
	b := brush(t)
	b.Tire.Notices = []string{"PCX1 is missing; 1.6 is assumed"}
	b.Tire.LoadMin, b.Tire.LoadMax, b.Tire.Pressure, b.Tire.MeasuredSpeed = 1000, 8000, 220e3, 16.7
	var out strings.Builder
	if err := b.Summary().Print(&out); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"brush, 205/60 R15", "load range             1000 to 8000 N", "nominal load           4000 N", "220 kPa", "16.7 m/s", "0.3100 m",
		"53.0 kN/rad = 925 N/deg, 13.2 per rad over load", "1.000 at a slip ratio of −0.184", "at a slip angle of −12.7°", "28.3 mm", "1.20 % of the load",
		"note: PCX1 is missing; 1.6 is assumed\n",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q lacks %q", out.String(), want)
		}
	}
	if line := b.Summary().Line(); strings.Contains(line, "\n") || !strings.Contains(line, "4000 N") {
		t.Errorf("%q", line)
	}
}

func TestSummaryThatCannotBePrintedFails(t *testing.T) {
	r, w := io.Pipe()
	r.Close()
	err := brush(t).Summary().Print(sink.Stdout(programName, w))
	if err == nil || err.Error() != "tire: stdout cannot be written: io: read/write on closed pipe" {
		t.Errorf("error %v", err)
	}
}

func TestSummaryAsJSON(t *testing.T) {
	text, err := json.Marshal(brush(t).Summary())
	if err != nil {
		t.Fatal(err)
	}
	var got map[string]any
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"nominal_load_n", "unloaded_radius_m", "cornering_stiffness_n_per_rad", "slip_stiffness_n", "pneumatic_trail_m", "rolling_resistance"} {
		if v, ok := got[key].(float64); !ok || v <= 0 {
			t.Errorf("%s is %v", key, got[key])
		}
	}
	if _, ok := got["notices"].([]any); !ok || got["name"] != "brush" || got["peak_driving"].(map[string]any)["mu"] == nil {
		t.Errorf("%s", text)
	}
}
