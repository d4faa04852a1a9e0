package telemetry_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/internal/connect/packets"
	"rig.example/rig/internal/connect/telemetry"
	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/core/guard"
	"rig.example/rig/road"
	"rig.example/rig/sim"
	"rig.example/rig/sim/assist"
	"rig.example/rig/sim/chassis"
	"rig.example/rig/sim/trial"
)

// plane is level asphalt, turned so that it rises ahead and to the left by some angles [rad].
type plane struct {
	road.Flat
	normal r3.Vec
}

func newPlane(ahead, left float64) plane {
	return plane{road.Asphalt(), r3.Unit(r3.Vec{X: -math.Tan(ahead), Y: -math.Tan(left), Z: 1})}
}

// Touch returns the point of the plane nearest to p.
func (g plane) Touch(p r3.Vec) road.Contact {
	depth := -r3.Dot(p, g.normal)
	return road.Contact{Point: r3.Add(p, r3.Scale(depth, g.normal)), Normal: g.normal, Depth: depth, Surface: g.Surface}
}

// driven is a simulated car that a test drives.
type driven struct {
	*trial.Run
	lastRate r3.Vec
}

// newDriven returns a car on a plane that moves along the world's x axis at a speed [m/s] in a gear.
func newDriven(t *testing.T, g road.Ground, speed float64, gear int8) *driven {
	t.Helper()
	run, err := trial.New(sim.DefaultCar(), g, sim.Dt, 100, assist.Switches{AutoClutch: true})
	if err != nil {
		t.Fatal(err)
	}
	run.PlaceAtRest(0, 0, 0)
	if speed != 0 {
		run.State = run.Car.Underway(r3.Vec{}, 0, speed, gear)
	}
	run.StartRecording()
	run.Input.Gear = gear
	return &driven{Run: run}
}

// drive steps the car for some seconds. change sets the input of each tick and may be nil.
func (d *driven) drive(seconds float64, change func()) {
	for range int(math.Round(seconds / d.Dt)) {
		if change != nil {
			change()
		}
		d.lastRate = d.State.Rate
		d.Step()
	}
}

// sample returns what telemetry sends of the car now.
func (d *driven) sample() *telemetry.Sample {
	f := frameOf(&d.State, &d.Input)
	acc := r3.Scale(1/d.Dt, r3.Sub(d.State.Rate, d.lastRate))
	return &telemetry.Sample{Frame: f, Scene: sceneOf(d.Car), AngularAcceleration: vector(acc)}
}

func vector(v r3.Vec) [3]float64 { return [3]float64{v.X, v.Y, v.Z} }

// frameOf returns the frame of a car, as a drive fills it in.
func frameOf(s *sim.State, in *sim.Input) *frame.Frame {
	f := &frame.Frame{
		State: uint64(guard.Driving),
		Tick:  s.Tick, Pos: vector(s.Pos), Vel: vector(s.Vel), Rate: vector(s.Rate), Acc: vector(s.Acc),
		Att:   [4]float64{s.Att.Real, s.Att.Imag, s.Att.Jmag, s.Att.Kmag},
		Speed: s.Speed, Gear: int64(s.Driveline.Gear), RPM: s.RPM(), EngineTorque: s.Driveline.Engine.Torque,
		Steer: in.Steer, Throttle: in.Throttle, Brake: in.Brake, Clutch: in.Clutch, Handbrake: in.Handbrake,
		Fuel: s.Driveline.Fuel, Charge: 0.5,
	}
	f.Force.Column = s.ColumnTorque
	for i := range s.Wheels {
		w := &s.Wheels[i]
		f.Wheels[i] = frame.Wheel{
			Pos: vector(w.Hub), Steer: w.Steer, Rotation: w.Rotation, Load: w.Load, SlipRatio: w.Kappa, SlipAngle: w.Alpha, Travel: w.Travel,
			Spin: w.Roll.Spin, TravelSpeed: w.TravelSpeed, LongitudinalForce: w.Fx, LateralForce: w.Fy, NormalizedSlip: w.Roll.NormalizedSlip,
			TireTemperature: math.NaN(), TirePressure: math.NaN(), BrakeTemperature: s.Brakes.Wheels[i].Temperature,
		}
	}
	return f
}

// sceneOf returns the scene of a car on a circuit.
func sceneOf(c *sim.Car) *frame.Scene {
	return &frame.Scene{
		CarName: "coupe", TrackName: "club", LapLength: 1500,
		Car: frame.Car{
			SteerRatio: 14, SteerLock: c.Lock(), Radius: [2]float64{0.31, 0.33}, Travel: [2]float64{0.2, 0.25}, WheelRadius: 0.32,
			IdleRPM: 900, ShiftUpRPM: 6500, MaxRPM: 7000, ForwardGears: 6, FrontShare: 0.4, TankCapacity: 60,
		},
	}
}

// motionOf returns what a packet must say of a frame. Headings and positions are those of the world's axes.
func motionOf(f *frame.Frame) packets.Motion {
	att := quaternion(f.Att)
	b := chassis.AxesOf(att)
	v := b.ToBody(r3.Vec{X: f.Vel[0], Y: f.Vel[1], Z: f.Vel[2]})
	m := packets.Motion{
		Gear: frame.GearName(f.Gear), Speed: r3.Norm(v), Pos: f.Pos, Vel: f.Vel, Forward: v.X, Left: v.Y,
		AccForward: f.Acc[0], AccLeft: f.Acc[1], AccUp: f.Acc[2],
		Heading: math.Atan2(b.X.Y, b.X.X), NoseUp: math.Asin(b.X.Z), RightDown: math.Atan2(b.Y.Z, b.Z.Z),
		RightDownRate: f.Rate[0], NoseUpRate: -f.Rate[1], LeftRate: f.Rate[2], SteerLeft: f.Steer,
	}
	for i := range m.Wheels {
		w := &f.Wheels[i]
		m.Wheels[i] = packets.Wheel{Slip: w.NormalizedSlip, Load: w.Load, Compression: w.Travel, Spin: w.Spin}
	}
	return m
}
