package maneuver

import (
	"math"
	"reflect"
	"testing"

	"rig.example/rig/road"
	"rig.example/rig/sim"
	"rig.example/rig/sim/suspension"
	"rig.example/rig/sim/tire"
	"rig.example/rig/sim/trial"
	"rig.example/rig/test/level"
	"rig.example/rig/test/near"
)

// milliseconds returns the step of a drive in `make quick` and `make test`, and in `make test-all` [s].
func milliseconds(usual, all int) float64 { return float64(level.Pick(usual, usual, all)) * 1e-3 }

// figure returns a metric.
func figure(t *testing.T, r *Result, name string) float64 {
	t.Helper()
	for _, m := range r.Metrics {
		if m.Name == name {
			return m.Value.(float64)
		}
	}
	t.Fatalf("%s: no metric %s; notes %v", r.Maneuver, name, r.Notes)
	return 0
}

func do(t *testing.T, name string, p sim.Params, o Options) *Result {
	t.Helper()
	r, err := Do(name, p, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// frictionless is the coupe without what slows it down: drag unloads the front
// tires, and rolling resistance of the outer ones turns the car out of the bend.
func frictionless() sim.Params {
	p := sim.DefaultCar()
	p.DragArea = 0
	p.Front.Tire.Brush.RollingResistance, p.Rear.Tire.Brush.RollingResistance = 0, 0
	return p
}

// singleTrack is the linear single-track model of a car on brush tires: whose
// stiffness grows with the load, and whose forces act behind the axles by a third
// of the contact's half length.
func singleTrack(p sim.Params) (yawGain func(speed float64) float64) {
	axle := func(a suspension.Params, share float64) (stiffness, trail float64) {
		b := a.Tire.Brush
		load := p.Mass * p.Gravity * share / 2
		return 2 * b.Stiffness * load / b.NominalLoad, b.HalfLength * math.Sqrt(load/b.NominalLoad) / 3
	}
	cf, tf := axle(p.Front, 1-p.CGToFront/p.Wheelbase)
	cr, tr := axle(p.Rear, p.CGToFront/p.Wheelbase)
	a, b := p.CGToFront-tf, p.Wheelbase-p.CGToFront+tr
	// Steady state of the two equations of motion, solved for yaw rate over angle.
	return func(v float64) float64 {
		m := p.Mass
		// y: cf·(d - beta - l1·r/v) + cr·(-beta + l2·r/v) = m·v·r, about z: a·Fyf = b·Fyr.
		l1, l2 := p.CGToFront, p.Wheelbase-p.CGToFront
		front, rear := m*v*b/(a+b), m*v*a/(a+b) // axle forces for each rad/s
		return 1 / ((l1+l2)/v + front/cf - rear/cr)
	}
}

func TestSmallStepsFollowTheLinearSingleTrackModel(t *testing.T) {
	p := frictionless()
	want := singleTrack(p)
	for _, speed := range []float64{10, 22.222, 30} {
		tr, err := newRun(p, road.Asphalt(), Options{Rate: 100, Dt: sim.Dt})
		if err != nil {
			t.Fatal(err)
		}
		tr.stepTo(0.002, speed)
		r := &Result{}
		r.addStepMetrics(tr, 0.002)
		got := figure(t, r, "yaw_gain_1ps")
		near.Value(t, "yaw gain over the model's", got/want(speed), 1, 0.02)
		near.Value(t, "ay gain over the yaw gain's", figure(t, r, "ay_gain_mps2_per_rad")/(got*speed), 1, 0.005)
	}
}

func TestStepSteerReachesItsLateralAcceleration(t *testing.T) {
	r := do(t, "step-steer", sim.DefaultCar(), Options{})
	near.Value(t, "lateral acceleration", figure(t, r, "ay_steady_mps2"), 4, 0.2)
	near.Value(t, "speed", r.Speed*3.6, 80, 1e-9)
	yaw, ay := figure(t, r, "yaw_t90_s"), figure(t, r, "ay_t90_s")
	if !(yaw > 0.1 && yaw < 0.4 && ay > yaw && ay < 0.8) {
		t.Errorf("yaw rate at 90 %% after %.3f s, lateral acceleration after %.3f s", yaw, ay)
	}
	half := figure(t, r, "steer_deg") * degree / 2 / 0.4
	near.Value(t, "ISO time from half of the steering", yaw-figure(t, r, "yaw_t90_iso_s"), half, 1e-3)
}

func TestSteadyCircleFollowsTheSprings(t *testing.T) {
	p := sim.DefaultCar()
	r := do(t, "steady-circle", p, Options{})
	perAxle := func(a suspension.Params, track float64) float64 {
		spring := a.SpringRate + 2*a.BarRate
		return spring * a.TireRate / (spring + a.TireRate) * track * track / 2
	}
	stiff := perAxle(p.Front, p.TrackFront) + perAxle(p.Rear, p.TrackRear)
	weight := p.Mass * p.Gravity
	want := weight * p.CGHeight / (stiff - weight*p.CGHeight) / degree
	near.Value(t, "roll gradient over m·g·h/(stiffness - m·g·h)", figure(t, r, "roll_gradient_deg_per_g")/want, 1, 0.02)
	if g := figure(t, r, "max_ay_g"); g < 0.75 || g > 1.0 {
		t.Errorf("%.2f g on tires of friction 1", g)
	}
	if figure(t, r, "steering_torque_gradient_nm_per_g") >= 0 {
		t.Error("the tires do not turn the steering wheel back")
	}
}

func TestLoadTransferIsTheMomentOverTheTrack(t *testing.T) {
	p := sim.DefaultCar()
	tr := newTest(t, Options{})
	tr.stepTo(0.02, 22)
	last := tr.Fine.Rows[len(tr.Fine.Rows)-1]
	moment := (last.Fz[tire.FR]-last.Fz[tire.FL])*p.TrackFront/2 + (last.Fz[tire.RR]-last.Fz[tire.RL])*p.TrackRear/2
	want := p.Mass * p.CGHeight * (last.Ay + p.Gravity*last.Roll)
	near.Value(t, "moment of the wheel loads over m·h·(ay + g·roll)", moment/want, 1, 0.02)
	sum := last.Fz[0] + last.Fz[1] + last.Fz[2] + last.Fz[3]
	near.Value(t, "sum of the loads over the weight", sum/(p.Mass*p.Gravity), 1, 0.005)
}

func TestASlowSineHasTheSteadyGain(t *testing.T) {
	p := frictionless()
	r := do(t, "frequency-sweep", p, Options{})
	near.Value(t, "gain at 0.2 Hz over the single-track model's", figure(t, r, "yaw_gain_low_1ps")/singleTrack(p)(80*kph), 1, 0.03)
	if lag := figure(t, r, "yaw_phase_1hz_deg"); lag > -10 || lag < -80 {
		t.Errorf("phase at 1 Hz %.1f°", lag)
	}
	for _, trace := range r.Traces {
		if n := len(trace.Series[0].X); n != 15 {
			t.Errorf("%s: %d points", trace.Title, n)
		}
	}
}

func TestTransferFindsGainAndPhase(t *testing.T) {
	gain, phase := transfer([2]float64{2, 0}, [2]float64{0, -6}) // sine in, minus cosine out
	near.Value(t, "gain", gain, 3, 1e-12)
	near.Value(t, "phase", phase, -math.Pi/2, 1e-12)
	hs := []harmonic{{phase: -3}, {phase: 3.1}, {phase: 2}}
	unwrap(hs)
	near.Value(t, "unwrapped", hs[1].phase, 3.1-2*math.Pi, 1e-12)
	near.Value(t, "unwrapped again", hs[2].phase, 2-2*math.Pi, 1e-12)
	low := []harmonic{{freq: 1, gain: 2}, {freq: 2, gain: 1}}
	near.Value(t, "bandwidth", bandwidth(low, func(h harmonic) float64 { return h.gain }), 1+(2-math.Sqrt2), 1e-12)
}

func TestSineWithDwell(t *testing.T) {
	for _, tt := range []struct{ time, want float64 }{
		{-1, 0}, {0, 0}, {0.25 / 0.7, 1}, {0.5 / 0.7, 0}, {0.75 / 0.7, -1},
		{0.75/0.7 + 0.5, -1}, {0.875/0.7 + 0.5, -math.Sqrt2 / 2}, {1/0.7 + 0.5, 0}, {3, 0},
	} {
		near.Value(t, "steering", dwellSteer(tt.time), tt.want, 1e-9)
	}
	sizes := dwellAmplitudes(20*degree, 500*degree)
	if n := len(sizes); n != 25 { // 30, 40 … 260 and 270°
		t.Errorf("%d amplitudes", n)
	}
	near.Value(t, "first", sizes[0]/degree, 30, 1e-9)
	near.Value(t, "last", sizes[len(sizes)-1]/degree, 270, 1e-9)
	near.Value(t, "last of a slow steering", dwellAmplitudes(60*degree, 500*degree)[5]/degree, 240, 1e-9)
	big := dwellAmplitudes(60*degree, 500*degree)
	near.Value(t, "no more than 300°", big[len(big)-1]/degree, 300, 1e-9)
}

func TestSineDwellVerdicts(t *testing.T) {
	level.SkipIfQuick(t)
	r := do(t, "sine-dwell", sim.DefaultCar(), Options{Dt: milliseconds(2, 1)})
	if offset := figure(t, r, "lateral_1_07s_m"); offset < 2 || offset > 6 {
		t.Errorf("%.2f m aside", offset)
	}
	unit := figure(t, r, "steering_unit_deg")
	linear := 0.3 * 9.80665 / (22.222 * singleTrack(sim.DefaultCar())(22.222)) / degree * 14.5
	near.Value(t, "A over the linear model's, with a ramp's lag and softening tires", unit/linear, 1.2, 0.15)
}

func TestBrakingInATurnStartsOnTheCircle(t *testing.T) {
	tr := newTest(t, Options{})
	tr.settleInBend(brakeTurnSpeed, 100)
	m := trial.MotionOf(&tr.State)
	near.Value(t, "radius", m.Vx/m.YawRate, 100, 0.5)
	near.Value(t, "lateral acceleration", m.Ay, 5, 0.05)
	near.Value(t, "speed", m.Vx, brakeTurnSpeed, 0.02)
	r := do(t, "brake-in-turn", sim.DefaultCar(), Options{})
	near.Value(t, "deceleration of the usual run", figure(t, r, "decel_mps2"), 4, 1)
	// At most with all tires at their limit: v²/(2·mu·g).
	smallest := brakeTurnSpeed * brakeTurnSpeed / (2 * 1.03 * 9.80665)
	if distance := figure(t, r, "full_stopping_distance_m"); distance < smallest || distance > 1.6*smallest {
		t.Errorf("stops in %.1f m", distance)
	}
}

func TestMirroredDrivesAreMirrored(t *testing.T) {
	left, err := newRun(sim.DefaultCar(), road.Asphalt(), Options{Rate: 100, Dt: sim.Dt})
	if err != nil {
		t.Fatal(err)
	}
	right := *left
	drive := func(tr *run, side float64) {
		tr.PlaceRolling(25, 0)
		tr.RunUntil(3, func(now float64) {
			tr.Input.Steer = side * tr.SteeringWheelFor(0.06*math.Sin(4*now))
			tr.HoldSpeed(25, 0)
		})
	}
	drive(left, 1)
	drive(&right, -1)
	same(t, left.Out.Rows, right.Out.Rows)
}

// same reports a row that is not the other's mirror image, to the bit.
func same(t *testing.T, left, right []trial.Row) {
	t.Helper()
	if len(left) != len(right) {
		t.Fatalf("%d and %d rows", len(left), len(right))
	}
	for i, r := range right {
		r.Y, r.Vy, r.YawRate, r.Roll, r.Ay = -r.Y, -r.Vy, -r.YawRate, -r.Roll, -r.Ay
		r.Steer, r.Beta, r.RackForce, r.ColumnTorque = -r.Steer, -r.Beta, -r.RackForce, -r.ColumnTorque
		r.Fz = [4]float64{r.Fz[1], r.Fz[0], r.Fz[3], r.Fz[2]}
		if !reflect.DeepEqual(r, left[i]) {
			t.Fatalf("row %d: %+v is not the mirror of %+v", i, right[i], left[i])
		}
	}
}
