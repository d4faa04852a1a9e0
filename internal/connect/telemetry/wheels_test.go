package telemetry_test

import (
	"math"
	"slices"
	"testing"

	"rig.example/rig/internal/connect/packets"
	"rig.example/rig/road"
)

// One wheel slips, another is loaded, a third is compressed and the fourth turns fastest: each format says so of the
// right ones, wherever its packets have them.
func TestWheelsKeepTheirPlaces(t *testing.T) {
	names := []string{"front left", "front right", "rear left", "rear right"}
	for shift := range 4 {
		s := newDriven(t, road.Asphalt(), 20, 3).sample()
		slipping, loaded, compressed, fastest := shift, (shift+1)%4, (shift+2)%4, (shift+3)%4
		for i := range s.Frame.Wheels {
			w := &s.Frame.Wheels[i]
			w.SlipRatio, w.SlipAngle, w.NormalizedSlip, w.Load, w.Travel, w.Spin = 0.01, 0.01, 0.1, 3000, 0.05, 60
		}
		w := &s.Frame.Wheels
		w[slipping].SlipRatio, w[slipping].SlipAngle, w[slipping].NormalizedSlip = 0.3, 0.2, 2
		w[loaded].Load, w[compressed].Travel, w[fastest].Spin = 6000, 0.1, 80
		for _, f := range formats {
			m := f.sent(t, s)
			for _, q := range []struct {
				group, what, got, want string
			}{
				{slip, "slips most", m.Slipping(), names[slipping]}, {load, "bears most", m.Loaded(), names[loaded]},
				{wheels, "is most compressed", m.Compressed(), names[compressed]}, {wheels, "turns fastest", m.Fastest(), names[fastest]},
			} {
				if slices.Contains(f.has, q.group) && q.got != q.want {
					t.Errorf("%s: the wheel %s %s, want %s", f.name, q.got, q.what, q.want)
				}
			}
		}
	}
}

// Forces and angles of the wheels in OutSim are those of the car, in OutSim's order and signs.
func TestWheelsOfOutSim(t *testing.T) {
	for _, side := range []float64{1, -1} {
		s := cornering(t, side).sample()
		p := packet(t, packets.ParseOutSim, "outsim", s)
		for i, k := range []int{2, 3, 0, 1} {
			got, w := &p.Wheels[i], &s.Frame.Wheels[k]
			within(t, "force to the right", float64(got.XForce), -w.LateralForce, 0.5)
			within(t, "force forward", float64(got.YForce), w.LongitudinalForce, 0.5)
			within(t, "load", float64(got.VerticalLoad), w.Load, 0.5)
			within(t, "steering angle to the left", float64(got.Steer), w.Steer, 1e-5)
			within(t, "angular velocity", float64(got.AngVel), w.Spin, 1e-4)
			within(t, "slip ratio", float64(got.SlipRatio), w.SlipRatio, 1e-5)
			within(t, "tangent of the slip angle", float64(got.TanSlipAngle), math.Tan(w.SlipAngle), 1e-5)
			within(t, "compression", float64(got.SuspDeflect), w.Travel, 1e-5)
			if (got.Touching == 1) != (w.Load > 0) {
				t.Errorf("wheel %d touches the ground: %d, with a load of %g N", i, got.Touching, w.Load)
			}
		}
		if torque := float64(p.SteerTorque); torque*side >= 0 {
			t.Errorf("the front wheels turn back with %g N·m to the left in a turn to side %g", torque, side)
		}
	}
}

// Suspension and wheels of DiRT are in mm, mm/s and m/s.
func TestWheelsOfDirt(t *testing.T) {
	s := cornering(t, 1).sample()
	p := packet(t, packets.ParseDirt, "dirt", s)
	for i, k := range []int{2, 3, 0, 1} {
		w, radius := &s.Frame.Wheels[k], s.Scene.Radius[k/2]
		within(t, "suspension", float64(p.Suspension[i]), 1000*w.Travel, 1e-3)
		within(t, "speed of the suspension", float64(p.SuspensionSpeed[i]), 1000*w.TravelSpeed, 1e-2)
		within(t, "speed of the wheel", float64(p.WheelSpeed[i]), w.Spin*radius, 1e-3)
		within(t, "temperature of the brake", float64(p.BrakeTemp[i]), w.BrakeTemperature, 1e-2)
	}
}

// Suspension and wheels of Forza are in meters and rad/s, and as a share of the travel.
func TestWheelsOfForza(t *testing.T) {
	s := cornering(t, 1).sample()
	p := packet(t, packets.ParseForza, "forza", s)
	for i := range s.Frame.Wheels {
		w := &s.Frame.Wheels[i]
		within(t, "suspension", float64(p.SuspensionTravelMeters[i]), w.Travel, 1e-5)
		within(t, "angular velocity", float64(p.WheelRotationSpeed[i]), w.Spin, 1e-4)
		within(t, "combined slip", math.Abs(float64(p.TireCombinedSlip[i])), w.NormalizedSlip, 1e-4)
		if n := p.NormalizedSuspension[i]; n < 0 || n > 1 {
			t.Errorf("suspension %d at %g of its travel: must be 0 to 1", i, n)
		}
	}
}

// Wheels of simapi are in rad/s and meters.
func TestWheelsOfSimAPI(t *testing.T) {
	s := cornering(t, 1).sample()
	p := packet(t, packets.ParseSimAPI, "simapi", s)
	for i := range s.Frame.Wheels {
		w := &s.Frame.Wheels[i]
		within(t, "suspension", p.Suspension[i], w.Travel, 1e-9)
		within(t, "angular velocity", p.TyreRPS[i], w.Spin, 1e-9)
		within(t, "diameter", p.TyreDiameter[i], 2*s.Scene.Radius[i/2], 1e-9)
		within(t, "slip ratio", p.TyreSlipRatio[i], -w.SlipRatio, 1e-9)
		within(t, "slip angle", math.Abs(p.TyreSlipAngle[i]), math.Abs(w.SlipAngle), 1e-9)
		within(t, "temperature of the brake", p.BrakeTemp[i], w.BrakeTemperature, 1e-9)
	}
}

func within(t *testing.T, what string, got, want, by float64) {
	t.Helper()
	if !(math.Abs(got-want) <= by) {
		t.Errorf("%s: %.6g, want %.6g", what, got, want)
	}
}

// monocoque shakes for a locked wheel when its slip is positive and for a spinning one when it is negative. It takes the
// slip that is sent, or computes it from speed, diameter and spin (slipeffect in src/monocoque/devices/hapticeffect.c):
// both must say the same.
func TestSlipRatioOfSimAPIHasMonocoquesSign(t *testing.T) {
	s := newDriven(t, road.Asphalt(), 20, 3).sample()
	for i, kappa := range []float64{-1, -0.5, 0.5, 1} {
		w := &s.Frame.Wheels[i]
		w.SlipRatio, w.Spin = kappa, (1+kappa)*s.Frame.Speed/s.Scene.Radius[i/2]
	}
	p := packet(t, packets.ParseSimAPI, "simapi", s)
	for i, sent := range p.TyreSlipRatio {
		within(t, "slip", sent, 1-p.TyreDiameter[i]*p.TyreRPS[i]/2/s.Frame.Speed, 1e-9)
	}
}
