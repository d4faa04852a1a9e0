package assist

import (
	"math"
	"testing"

	"rig.example/rig/sim/driveline"
	"rig.example/rig/sim/steering"
	"rig.example/rig/sim/tire"
	"rig.example/rig/test/near"
)

const tick = 1e-3 // [s]

// coupes is what the electronics know of the built-in coupe.
func coupes(t testing.TB) *Vehicle {
	t.Helper()
	wheel := driveline.Wheel{Inertia: 1.1, Radius: 0.304}
	line, err := driveline.New(driveline.Default(), driveline.DefaultFuel(), wheel, wheel, tick)
	if err != nil {
		t.Fatal(err)
	}
	g, err := steering.New(steering.Default(), steering.Geometry{Wheelbase: 2.66, Track: 1.52, HubHeight: [2]float64{0.3, 0.3}}, tick)
	if err != nil {
		t.Fatal(err)
	}
	front := Axle{Track: 1.52, Inertia: 1.1, BrakeTorque: 2072, PeakSlip: 0.1}
	rear := front
	rear.BrakeTorque = 728
	return &Vehicle{
		Driveline: &line, Steering: &g, Mass: 1500, InertiaZZ: 2400, Wheelbase: 2.66,
		Axles: [2]Axle{front, rear}, Radius: [4]float64{0.304, 0.304, 0.304, 0.304},
		Understeer: (4000.0/53e3 - 4000.0/62e3) / 9.80665, MaxLateral: 9.8,
	}
}

// built returns the coupe's electronics, edited.
func built(t testing.TB, edit func(*Params)) *Electronics {
	t.Helper()
	p, d := Default(), driveline.Default()
	edit(&p)
	e := New(p, &d, coupes(t), tick)
	return &e
}

// inFirst is a driveline in first gear whose clutch holds, at a speed of the wheels [rad/s].
func inFirst(e *Electronics, spin float64) *driveline.State {
	turns := spin * e.driveline.Ratio(1)
	return &driveline.State{Gear: 1, EngineSpeed: turns, Gearbox: driveline.GearboxState{InputSpeed: turns}}
}

func TestNothingSwitchedOnLeavesThePedalsAlone(t *testing.T) {
	e := built(t, func(*Params) {})
	s := State{Reference: 3, Traction: TractionState{CutIntegral: 1}, Stability: StabilityState{TargetYawRate: 1}, Launch: LaunchState{Phase: LaunchStarting}, Pit: PitState{ThrottleIntegral: 1}}
	want := Orders{Throttle: 0.3, Clutch: 0.2, Gear: 2, Starter: true, IgnitionOff: true}
	o := want
	if e.Step(&s, inFirst(e, 30), &Sensors{Steer: 1, Speed: 30}, &o); o != want || s != (State{}) {
		t.Errorf("orders %+v, want %+v; remembers %+v", o, want, s)
	}
}

func TestClutchAndShiftingAreTheCars(t *testing.T) {
	e := built(t, func(*Params) {})
	for _, on := range []Switches{{AutoClutch: true}, {AutoShift: true}} {
		var s State
		var o Orders
		e.Step(&s, inFirst(e, 30), &Sensors{Switches: on}, &o)
		if want := (Orders{AutoClutch: on.AutoClutch, AutoShift: on.AutoShift}); o != want {
			t.Errorf("%+v: orders %+v", on, o)
		}
	}
}

// In a steady bend every wheel says the same of the car's speed, as each goes about the same
// point; an accelerometer that errs by 0.4 m/s² leads it astray by a twentieth of that.
func TestTheReferenceSpeedIsThatOfTheRollingWheels(t *testing.T) {
	e := built(t, func(*Params) {})
	const v, yaw, wheel, radius = 12.0, 0.4, 3.0, 0.304
	sin, cos := math.Sincos(wheel / 14.5)
	in := Sensors{Switches: Switches{Stability: neutralLevel}, Steer: wheel, YawRate: yaw, AccelY: v * yaw, Accel: 0.4, Speed: v}
	for i, side := range []float64{1, -1, 1, -1} {
		in.Spin[i] = (v - side*yaw*1.52/2) / radius
		if i < tire.RL {
			in.Spin[i] = ((v-side*yaw*1.52/2)*cos + yaw*2.66*sin) / radius
		}
	}
	s := State{Reference: 10}
	for range 1000 {
		var o Orders
		e.Step(&s, inFirst(e, v/radius), &in, &o)
	}
	near.Value(t, "reference speed", s.Reference, v+0.4/20, 1e-3)
}

// A mass that the throttle accelerates by up to 4 m/s², against a drag of its own, settles at
// the limit, and never passes it by 1 km/h.
func TestThePitLimiterHoldsAMass(t *testing.T) {
	e := built(t, func(p *Params) { p.PitLimit = 80 })
	var s State
	in := Sensors{Switches: Switches{PitLimiter: true}}
	for range 30_000 {
		o := Orders{Throttle: 1}
		e.Step(&s, inFirst(e, in.Speed/0.304), &in, &o)
		in.Accel = 4*o.Throttle - 0.02*in.Speed
		in.Speed += in.Accel * tick
		if in.Speed > 81/3.6 {
			t.Fatalf("%.2f km/h", in.Speed*3.6)
		}
	}
	near.Value(t, "speed [km/h]", in.Speed*3.6, 80, 0.01)
	near.Value(t, "throttle that holds it", s.Pit.ThrottleIntegral, 0.02*80/3.6/4, 1e-3)
}

// Rear wheels whose tires hold 0.3 of their load in any slip, driven in first gear by all of the
// engine's torque with a clutch that holds: the control keeps what they may be faster than the
// front wheels, which show the car's speed.
func TestTractionControlHoldsItsSlip(t *testing.T) {
	e := built(t, func(p *Params) { p.Traction.AllowedSlip = 0.12 })
	ratio, d := e.driveline.Ratio(1), driveline.Default()
	inertia := 2*1.1 + ratio*ratio*d.EngineInertia
	const radius, load = 0.304, 1500 * 9.80665 / 2
	var s State
	in := Sensors{Switches: Switches{Traction: neutralLevel}}
	v, spin := 5.0, 5.0/radius
	for range 8000 {
		o := Orders{Throttle: 1}
		in.Spin = [4]float64{v / radius, v / radius, spin, spin}
		e.Step(&s, inFirst(e, spin), &in, &o)
		force := 0.3 * load * min(max((spin*radius-v)/0.1, -1), 1)
		spin += tick / inertia * (ratio*0.9*d.PeakTorque()*o.Throttle*(1-o.TorqueCut) - force*radius)
		in.Accel = force / 1500
		in.AccelX = in.Accel
		v += in.Accel * tick
		in.Speed = v
	}
	allowed := (0.12*v + 0.8*max(1-v/10, 0)) * (0.5 + 0.5*in.Accel/5) // less where the road gives less
	near.Value(t, "slip [m/s]", spin*radius-v, allowed, 0.02*allowed)
	near.Value(t, "slip that it shows", s.Traction.RelativeSlip, 1, 0.02)
	near.Value(t, "reference speed", s.Reference, v, 0.01)
	near.Value(t, "share of the torque", 1-s.Traction.Cut, 0.3*load*radius*(1+inertia/(1500*radius*radius))/(ratio*0.9*d.PeakTorque()), 0.02)
}

// An open differential spins the rear wheel that stands on ice: its brake makes up for it, and
// the other wheel's has nothing to do.
func TestTractionControlBrakesTheWheelThatSpinsAlone(t *testing.T) {
	e := built(t, func(*Params) {})
	var s State
	var o Orders
	in := Sensors{Switches: Switches{Traction: neutralLevel}, Speed: 3, Spin: [4]float64{10, 10, 40, 10}}
	for range 200 {
		o = Orders{Throttle: 0.3}
		e.Step(&s, inFirst(e, 25), &in, &o)
	}
	near.Value(t, "on ice", o.BrakeRequest[tire.RL], 0.4, 1e-12)
	near.Value(t, "beside it", o.BrakeRequest[tire.RR]+o.BrakeRequest[tire.FL]+o.BrakeRequest[tire.FR], 0, 0)
	in.Switches.Traction = 0
	if e.Step(&s, inFirst(e, 25), &in, &o); s != (State{}) {
		t.Errorf("off, and remembers %+v", s)
	}
}

// The arcade aids: at 20 m/s, steered to the left and not turning, the whole yaw moment; at
// 1 m/s the whole drag, at 3 m/s none.
func TestArcadeAids(t *testing.T) {
	e := built(t, func(*Params) {})
	in := Sensors{Switches: Switches{YawAid: 0.5, LowSpeedAid: 0.25}, Steer: 2}
	for _, tt := range []struct{ speed, yaw, drag float64 }{{20, 0.5 * 2 * 2400, 0}, {2, 0.5 * 2 * 2400 * 0.4 * math.Tan(2/14.5) * 2 / 2.66 / 0.3, 0.25 * 4 * 1500 / 2}, {1, -1, 0.25 * 4 * 1500}} {
		in.Speed, in.Vel.X = tt.speed, tt.speed
		var s State
		var o Orders
		e.Step(&s, inFirst(e, 30), &in, &o)
		if tt.yaw >= 0 {
			near.Value(t, "yaw moment", o.YawMoment, tt.yaw, 1e-9)
		}
		near.Value(t, "drag", o.SideDrag, tt.drag, 1e-9)
	}
	in.YawRate, in.Switches.LowSpeedAid = in.Speed*math.Tan(2/14.5)/2.66, 0
	var s State
	o := Orders{SideDrag: 7}
	e.Step(&s, inFirst(e, 30), &in, &o)
	near.Value(t, "yaw moment of a car that turns as its wheels point", o.YawMoment, 0, 1e-9)
	near.Value(t, "drag that is off", o.SideDrag, 7, 0)
}
