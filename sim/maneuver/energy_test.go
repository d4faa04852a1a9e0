package maneuver

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/sim"
	"rig.example/rig/sim/driver"
	"rig.example/rig/test/club"
	"rig.example/rig/test/level"
	"rig.example/rig/test/near"
)

// allDriven is a car with a converter, a turbo and differentials that slip.
func allDriven() sim.Params {
	p := sim.DefaultCar()
	d := &p.Driveline
	d.Gearbox.Kind, d.FrontShare, d.Turbo.BoostShare = "automatic", 0.4, 0.4
	d.FrontDifferential.Kind, d.RearDifferential.Kind, d.CenterDifferential.Kind = "torque_sensing", "limited_slip", "viscous"
	return p
}

// Over a lap what the crank gives is at the wheels, lost in a part or stored, and the tank
// pays for it by the formula of fuel: no part of the work is missing or there twice.
func TestALapAccountsForItsEnergy(t *testing.T) {
	level.SkipIfQuick(t)
	t.Parallel()
	seconds := float64(level.Pick(0, 20, 80))
	for name, p := range map[string]sim.Params{"default": sim.DefaultCar(), "all driven": allDriven()} {
		circuit := club.Circuit(t)
		car, err := sim.New(p, circuit, sim.Dt)
		if err != nil {
			t.Fatal(err)
		}
		d, err := driver.New(driver.LapConfig(), car, circuit, sim.Dt)
		if err != nil {
			t.Fatal(err)
		}
		s := car.Rest(r3.Vec{}, 0)
		m := d.Start(&s)
		start := s
		var crank, pulled, wheels, rotated float64
		var lost [4]float64 // clutch, gearbox, differentials, shafts
		for range int(seconds / sim.Dt) {
			previous := s
			car.Step(&s, d.Drive(&m, &s))
			work := s.Driveline.Engine.Torque * (previous.Driveline.EngineSpeed + s.Driveline.EngineSpeed) / 2 * sim.Dt
			crank, rotated, pulled = crank+work, rotated+math.Abs(work), pulled+max(work, 0)
			for i := range s.Wheels {
				wheels += s.Driveline.Shafts[i].Torque * (previous.Wheels[i].Roll.Spin + s.Wheels[i].Roll.Spin) / 2 * sim.Dt
			}
			for i, power := range [4]float64{s.Driveline.Flow.Clutch, s.Driveline.Flow.Gearbox, s.Driveline.Flow.Differentials, s.Driveline.Flow.Shafts} {
				lost[i] += power * sim.Dt
			}
		}
		stored := car.DrivelineEnergy(&s) - car.DrivelineEnergy(&start)
		all := wheels + lost[0] + lost[1] + lost[2] + lost[3] + stored
		near.Value(t, name+": out, lost and stored, over what the engine turned", (all-crank)/rotated, 0, 1e-6)
		if s.Speed < 5 || min(lost[0], lost[1], lost[2], lost[3]) < 0 {
			t.Errorf("%s: %.1f m/s, lost %.0f J", name, s.Speed, lost)
		}
		const perJoule = 0.29 / (3.6e6 * 0.7489) // [L], kg/kWh over kg/L
		const idle = 0.9 / 3600                  // [L/s], the least while it is fed
		smallest := pulled * perJoule
		if burned := start.Driveline.Fuel - s.Driveline.Fuel; burned < smallest || burned > smallest+3*idle*seconds {
			t.Errorf("%s: burned %.4f L for %.4f L of work", name, burned, smallest)
		}
	}
}
