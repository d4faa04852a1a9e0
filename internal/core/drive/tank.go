package drive

import (
	"math"

	"rig.example/rig/internal/core/frame"
	"rig.example/rig/sim"
)

// tank is the car's energy storage: fuel tank or battery.
type tank struct {
	electric bool
	full     float64 // capacity [L], or [J] of a battery
}

const joulesPerKWh = 3.6e6

// newTank returns a car's tank.
func newTank(p sim.Params) tank {
	if m := p.Driveline.Motor; m.Enabled {
		return tank{electric: true, full: m.Capacity * joulesPerKWh}
	}
	return tank{full: p.TankCapacity()}
}

// remaining returns the fuel in the tank [L], or the energy in the battery [J].
func (t *tank) remaining(s *sim.State) float64 {
	if t.electric {
		return s.Driveline.Battery
	}
	return s.Driveline.Fuel
}

// show fills in how much is left.
func (t *tank) show(f *frame.Frame, s *sim.State) {
	f.Fuel, f.Charge = t.remaining(s), 0
	if t.full > 0 {
		f.Charge = f.Fuel / t.full
	}
	if t.electric {
		f.Fuel = math.NaN()
	}
}

// Spent returns the consumption since the start, as fuel [L] or energy [kWh].
func (d *Drive) Spent() (fuel, energy float64) {
	if d.tank.electric {
		return 0, d.State.Consumed / joulesPerKWh
	}
	return d.State.Consumed, 0
}
