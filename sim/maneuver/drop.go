package maneuver

import (
	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/sim/tire"
	"rig.example/rig/sim/trial"
)

const (
	dropHeight = 2.0  // height of the wheels above the ground [m]
	dropTime   = 5.0  // duration [s]
	rimRatio   = 0.64 // radius of a rim over that of its tire: 203 mm over 316 mm, as for a 205/55 R16 tire
)

// drop lets the car fall from 2 m above the ground, level, with fully extended springs, which hold no
// energy at the start. It measures the sum of potential and kinetic energy. That sum must never exceed
// its initial value, because the energy of the springs cannot be negative.
func drop(t *run, r *Result, o Options) error {
	t.raise()
	startEnergy := t.energy()
	minHubHeight, minRimHeight, energyGain, maxLoad := dropHeight, dropHeight, 0.0, 0.0
	var travel [4]float64
	front, rear := t.Params.Front.Radius(), t.Params.Rear.Radius()
	radius := [4]float64{front, front, rear, rear}
	t.RunUntil(dropTime, func(now float64) {
		o.Progress(now / dropTime)
		energyGain = max(energyGain, t.energy()-startEnergy)
		for i := range t.State.Wheels {
			w := &t.State.Wheels[i]
			hub := t.Height(w.Hub)
			minHubHeight, minRimHeight = min(minHubHeight, hub), min(minRimHeight, hub-rimRatio*radius[i])
			travel[i] = max(travel[i], w.Travel)
			maxLoad = max(maxLoad, w.Load)
		}
	})
	r.add("min_clearance_m", minRimHeight, "m", "lowest height of any rim above the ground, a rim's radius being 0.64 of its tire's; negative: the tire was squeezed flat")
	r.add("min_hub_height_m", minHubHeight, "m", "lowest height of any wheel's center above the ground")
	r.add("energy_gain_j", energyGain, "J", "largest energy of height and motion above that at the start; 0 is correct")
	r.add("start_energy_j", startEnergy, "J", "energy at the start, above the rest position")
	r.add("max_wheel_load_n", maxLoad, "N", "largest load of a wheel")
	r.add("max_travel_front_m", max(travel[tire.FL], travel[tire.FR]), "m", "largest compression of a front suspension")
	r.add("max_travel_rear_m", max(travel[tire.RL], travel[tire.RR]), "m", "largest compression of a rear suspension")
	r.add("bounce_m", t.bounce(), "m", "how far the center of mass rises after the first impact, above its rest position")
	r.add("rest_speed_mps", r3.Norm(t.State.Vel), "m/s", "speed at the end; 0 is correct")
	return nil
}

// raise lifts the car by 2 m from its rest position and extends the suspension fully.
func (t *run) raise() {
	t.PlaceAtRest(0, 0, 0)
	t.State.Pos.Z += dropHeight
	for i := range t.State.Wheels {
		w := &t.State.Wheels[i]
		t.State.Pos.Z += w.Travel / 4
		w.Hub.Z += dropHeight
		w.Travel, w.Load = 0, 0
	}
	t.StartRecording()
}

// energy returns the kinetic energy plus the potential energy of the height above the rest position [J].
func (t *run) energy() float64 {
	return t.Car.Energy(&t.State) - t.Params.Mass*t.Params.Gravity*t.Params.CGHeight
}

// bounce returns how far the center of mass rises after its first lowest position, above its rest height
// [m].
func (t *run) bounce() float64 {
	rows := t.Fine.Rows
	i := 1
	for i < len(rows) && rows[i].Z <= rows[i-1].Z {
		i++
	}
	top, _ := peak(rows[i:], func(q *trial.Row) float64 { return q.Z })
	return top - t.Params.CGHeight
}
