package maneuver

import (
	"fmt"
	"math"
	"testing"

	"rig.example/rig/road"
	"rig.example/rig/sim"
	"rig.example/rig/sim/suspension"
	"rig.example/rig/test/level"
	"rig.example/rig/test/near"
)

func TestCoastdownFollowsTheClosedForm(t *testing.T) {
	level.SkipIfQuick(t)
	p := sim.DefaultCar()
	p.Driveline.SpinLoss, p.Driveline.Efficiency = 0, 1
	r := do(t, "coastdown", p, Options{})
	radius, shafts := p.Front.Wheel.Radius, p.Driveline.Shafts
	turning := 4*p.Front.Wheel.Inertia + 2*shafts.InnerInertia + shafts.CarrierInertia // wheels, and what a neutral gear leaves with them
	mass := p.Mass + turning/(radius*radius)
	a := 0.012 * p.Mass * p.Gravity // rolling resistance [N]
	k := 0.5 * 1.225 * p.DragArea   // drag [N/(m/s)²]
	fast, slow := 120/3.6, 5/3.6
	root := math.Sqrt(k / a)
	want := mass / math.Sqrt(a*k) * (math.Atan(fast*root) - math.Atan(slow*root))
	distance := mass / (2 * k) * math.Log((a+k*fast*fast)/(a+k*slow*slow))
	near.Value(t, "time over the closed form", figure(t, r, "time_s")/want, 1, 0.02)
	near.Value(t, "distance over the closed form", figure(t, r, "distance_m")/distance, 1, 0.02)
	near.Value(t, "f0 with the wheels' inertia", figure(t, r, "road_load_f0_n")*mass/p.Mass/a, 1, 0.03)
	near.Value(t, "f2 with the wheels' inertia", figure(t, r, "road_load_f2_n_per_mps2")*mass/p.Mass/k, 1, 0.02)
}

func TestADroppedCarFallsAndComesToRest(t *testing.T) {
	p := sim.DefaultCar()
	r := do(t, "drop", p, Options{})
	lands := math.NaN()
	for _, q := range r.Rows {
		if q.Fz[0] > 0 {
			lands = q.T
			break
		}
	}
	// A little more than 2 m: a tire is round again as soon as it hangs free.
	near.Value(t, "time of the fall", lands, math.Sqrt(2*2/p.Gravity), 0.02)
	near.Value(t, "energy gained", figure(t, r, "energy_gain_j"), 0, 1e-3)
	near.Value(t, "speed at the end", figure(t, r, "rest_speed_mps"), 0, 0.05)
	if start := figure(t, r, "start_energy_j"); start < p.Mass*p.Gravity*2 || start > p.Mass*p.Gravity*2.2 {
		t.Errorf("energy %.0f J at the start", start)
	}
	for _, q := range r.Rows {
		if q.Roll != 0 || q.Y != 0 {
			t.Fatalf("falls askew: %+v", q)
		}
	}
}

func TestBumpLeavesSymmetricCarsStraight(t *testing.T) {
	r := do(t, "bump", sim.DefaultCar(), Options{})
	near.Value(t, "roll over both sides", figure(t, r, "both_roll_deg"), 0, 0)
	near.Value(t, "displacement over both sides", figure(t, r, "both_aside_m"), 0, 0)
	if figure(t, r, "one_roll_deg") < 0.05 || figure(t, r, "both_rise_m") <= 0 {
		t.Errorf("nothing was felt: %v", r.Metrics)
	}
	before, after := r.Rows[0], r.Rows[len(r.Rows)-1]
	near.Value(t, "height when all is over", after.Z, before.Z, 0.002)
}

func TestAParkedCarStays(t *testing.T) {
	level.SkipIfQuick(t)
	t.Parallel()
	o, err := Options{Dt: milliseconds(2, 1)}.withDefaults()
	if err != nil {
		t.Fatal(err)
	}
	r, err := parkFor(sim.DefaultCar(), o, 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"creep_brake_mm", "creep_handbrake_mm", "creep_mm"} {
		near.Value(t, name, figure(t, r, name), 0, 0.05)
	}
	loose := sim.DefaultCar()
	loose.Brakes.Torque, loose.Brakes.HandbrakeTorque = 100, 0
	if r, err = parkFor(loose, o, 1); err != nil {
		t.Fatal(err)
	}
	if figure(t, r, "creep_mm") < 100 {
		t.Error("a car with hardly any brakes stays")
	}
}

// What is asked of wheels with a tire of a file goes by the file's radius, not by radius_m.
func TestRadiusComesFromTheTireFile(t *testing.T) {
	figures := func(radius float64) []float64 {
		p := sim.DefaultCar()
		for _, a := range []*suspension.Params{&p.Front, &p.Rear} {
			a.Tire.Model, a.Tire.File, a.Wheel.Radius = "road", nil, radius
		}
		r := do(t, "drop", p, Options{})
		tr, err := newRun(p, road.Asphalt(), Options{Rate: 1, Dt: sim.Dt})
		if err != nil {
			t.Fatal(err)
		}
		return []float64{figure(t, r, "min_clearance_m"), float64(tr.Params.GearFor(20)), newHillDriver(tr).releaseTorque}
	}
	usual, other := figures(0.31), figures(0.45)
	for i := range usual {
		near.Value(t, fmt.Sprint("figure ", i), other[i], usual[i], 0)
	}
	if hub := usual[0] + rimRatio*0.316; hub < 0.1 || hub > 0.316 {
		t.Errorf("a clearance of %g m is that of a wheel's center at %g m", usual[0], hub)
	}
}
