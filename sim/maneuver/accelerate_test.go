package maneuver

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/road"
	"rig.example/rig/sim"
	"rig.example/rig/sim/driveline"
	"rig.example/rig/test/level"
	"rig.example/rig/test/near"
)

// constantForce is a car of a single gear whose engine gives one torque at any speed, in
// which nothing is lost.
func constantForce(torque float64) sim.Params {
	p := frictionless()
	d := &p.Driveline
	d.TorqueCurve = []driveline.TorquePoint{{RPM: 500, Torque: torque}, {RPM: 12000, Torque: torque}}
	d.Gears, d.FinalDrive = []float64{1.5}, 3.5
	d.ShiftUpRPM, d.ShiftDownRPM = 9000, 2000
	d.Efficiency, d.SpinLoss = 1, 0
	return p
}

// revsOf returns how far the engine turns for each metre in first gear [rad/m].
func revsOf(t *testing.T, p sim.Params) float64 {
	t.Helper()
	c, err := sim.New(p, road.Asphalt(), sim.Dt)
	if err != nil {
		t.Fatal(err)
	}
	return c.Underway(r3.Vec{}, 0, 1, 1).Driveline.EngineSpeed
}

func TestAConstantForceAcceleratesByNewton(t *testing.T) {
	level.SkipIfQuick(t)
	t.Parallel()
	p := constantForce(250)
	r := do(t, "accelerate", p, Options{Dt: 2e-3})
	d, revs := &p.Driveline, revsOf(t, p)
	ratio := d.Gears[0] * d.FinalDrive
	turns := revs / ratio // of a wheel for each metre
	mass := p.Mass + turns*turns*(4*p.Front.Wheel.Inertia+2*d.Shafts.InnerInertia+d.Shafts.CarrierInertia) +
		revs*revs*(d.EngineInertia+d.Shafts.InputInertia)
	a := 250 * revs / mass
	near.Value(t, "60 to 100 km/h", figure(t, r, "t_60_100_s"), 40/3.6/a+0.05, 0.04) // half of the pedal's 0.1 s
	near.Value(t, "80 to 120 km/h", figure(t, r, "t_80_120_s"), 40/3.6/a+0.05, 0.04)
	near.Value(t, "0 to 200 less 0 to 100 km/h", figure(t, r, "t_0_200_s")-figure(t, r, "t_0_100_s"), 100/3.6/a, 0.03*100/3.6/a)
	near.Value(t, "shifts", figure(t, r, "shifts"), 0, 0)
	v := figure(t, r, "quarter_mile_kph") / 3.6
	near.Value(t, "v²/2s over the quarter mile", v*v/(2*402.336)/a, 1, 0.03)
}

func TestAccelerationIsPlausible(t *testing.T) {
	level.SkipIfQuick(t)
	t.Parallel()
	r := do(t, "accelerate", sim.DefaultCar(), Options{Dt: 2e-3})
	t100, t200 := figure(t, r, "t_0_100_s"), figure(t, r, "t_0_200_s")
	if t100 < 5 || t100 > 7.5 || t200 < 2.5*t100 || t200 > 5*t100 {
		t.Errorf("0 to 100 km/h in %.2f s, to 200 in %.2f s", t100, t200)
	}
	if best, single := figure(t, r, "t_60_100_s"), figure(t, r, "t_60_100_gear_4_s"); best > single {
		t.Errorf("60 to 100 km/h in %.2f s by the best gears, in %.2f s by the fourth", best, single)
	}
	if rows := r.Rows; math.Abs(rows[len(rows)-1].Y) > 0.01 {
		t.Error("not straight")
	}
}

func TestSlowCarHasNotesForUnreachedMetrics(t *testing.T) {
	level.SkipIfQuick(t)
	t.Parallel()
	p := sim.DefaultCar()
	p.DragArea = 6
	r := do(t, "accelerate", p, Options{Dt: milliseconds(4, 2)})
	for _, m := range r.Metrics {
		if m.Name == "t_0_200_s" {
			t.Error("200 km/h against a barn door")
		}
	}
	sound(t, r)
}

func TestTopSpeedIsWhereDragEqualsDrive(t *testing.T) {
	level.SkipIfQuick(t)
	t.Parallel()
	p := constantForce(150)
	p.DragArea = 1.2
	r := do(t, "top-speed", p, Options{Dt: milliseconds(4, 2)})
	want := math.Sqrt(150 * revsOf(t, p) / (0.5 * 1.225 * p.DragArea))
	near.Value(t, "top speed over √(F/k)", figure(t, r, "top_speed_kph")/3.6/want, 1, 0.01)
	near.Value(t, "gear", figure(t, r, "gear"), 1, 0)
	// From rest by m·dv/dt = F - k·v²: atanh(0.99)·m·v/F, with what turns.
	if at := figure(t, r, "t_to_99pct_s"); at < 60 || at > 160 {
		t.Errorf("99 %% after %.0f s", at)
	}
}

func TestTheFastestGearNeedNotBeTheLast(t *testing.T) {
	level.SkipIfQuick(t)
	t.Parallel()
	p := sim.DefaultCar()
	p.Driveline.Gears = []float64{3.6, 2.2, 1.55, 1.2, 1.0, 0.45}
	r := do(t, "top-speed", p, Options{Dt: milliseconds(4, 2)})
	near.Value(t, "gear", figure(t, r, "gear"), 5, 0)
}

// A box that chooses its gears starts against the brake, not rolling.
func TestAnAutomaticStartsFromRest(t *testing.T) {
	level.SkipIfQuick(t)
	t.Parallel()
	p := sim.DefaultCar()
	p.Driveline.Gearbox.Kind = "automatic"
	r := do(t, "accelerate", p, Options{Dt: 2e-3})
	near.Value(t, "speed at first", r.Rows[0].Vx, 0, 0.05) // the body rocks on the brake
	if foot1 := figure(t, r, "rollout_1ft_s"); foot1 < 0.2 {
		t.Errorf("the first foot in %.3f s", foot1)
	}
	if shifts := figure(t, r, "shifts"); shifts < 2 {
		t.Errorf("%g shifts", shifts)
	}
}
