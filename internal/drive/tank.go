package drive

import (
	"math"

	"rig.example/rig/internal/frame"
	"rig.example/rig/sim"
)

// tank is what the car drives on, fuel or a battery's charge.
type tank struct {
	electric bool
	full     float64 // [L], or [J] of a battery
}

const joulesPerKWh = 3.6e6

// newTank returns that of a car.
func newTank(p sim.Params) tank {
	if m := p.Driveline.Motor; m.Enabled {
		return tank{electric: true, full: m.Capacity * joulesPerKWh}
	}
	return tank{full: p.TankCapacity()}
}

// left returns what is in it, in its own unit.
func (t *tank) left(s *sim.State) float64 {
	if t.electric {
		return s.Driveline.Battery
	}
	return s.Driveline.Fuel
}

// show tells how much is left.
func (t *tank) show(f *frame.Frame, s *sim.State) {
	f.Fuel, f.Charge = t.left(s), 0
	if t.full > 0 {
		f.Charge = f.Fuel / t.full
	}
	if t.electric {
		f.Fuel = math.NaN()
	}
}

// Spent returns what was used since the start, as fuel [L] or energy [kWh].
func (d *Drive) Spent() (fuel, energy float64) {
	if d.tank.electric {
		return 0, d.State.Used / joulesPerKWh
	}
	return d.State.Used, 0
}
