package maneuver

import (
	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/sim"
	"rig.example/rig/sim/road"
	"rig.example/rig/sim/tire"
	"rig.example/rig/sim/trial"
)

const (
	dropHeight = 2.0  // of the wheels [m]
	dropEnds   = 5.0  // [s]
	rimShare   = 0.64 // radius of a rim's seat over the tire's: 203 mm in 316 mm, a 205/55 R16
)

// drop lets the car fall with its wheels 2 m above the ground, level, its springs
// fully extended and so without energy. Energy is that of height and motion: what
// springs hold is never less than nothing, so that it may not exceed the start's.
func drop(p sim.Params, o Options) (*Result, error) {
	t, err := newRun(p, road.Asphalt(), o)
	if err != nil {
		return nil, err
	}
	t.hang()
	start := t.energy()
	low, rim, gain, force := dropHeight, dropHeight, 0.0, 0.0
	var travel [4]float64
	front, rear := t.Params.Front.Radius(), t.Params.Rear.Radius()
	radius := [4]float64{front, front, rear, rear}
	t.Until(dropEnds, func(now float64) {
		o.Progress(now / dropEnds)
		gain = max(gain, t.energy()-start)
		for i := range t.State.Wheels {
			w := &t.State.Wheels[i]
			hub := t.Height(w.Hub)
			low, rim = min(low, hub), min(rim, hub-rimShare*radius[i])
			travel[i] = max(travel[i], w.Travel)
			force = max(force, w.Load)
		}
	})
	r := &Result{Rows: t.Out.Rows}
	r.add("min_clearance_m", rim, "m", "lowest height of any rim above the ground, a rim's radius being 0.64 of its tire's; negative: the tire was squeezed flat")
	r.add("min_hub_height_m", low, "m", "lowest height of any wheel's centre above the ground")
	r.add("energy_gain_j", gain, "J", "largest energy of height and motion above the start's; 0 is right")
	r.add("start_energy_j", start, "J", "energy of height before, above the place of rest")
	r.add("max_wheel_load_n", force, "N", "largest load of a wheel")
	r.add("max_travel_front_m", max(travel[tire.FL], travel[tire.FR]), "m", "largest compression of a front suspension")
	r.add("max_travel_rear_m", max(travel[tire.RL], travel[tire.RR]), "m", "largest compression of a rear suspension")
	r.add("bounce_m", t.bounce(), "m", "how far the centre of mass rises after the first impact, above its place of rest")
	r.add("rest_speed_mps", r3.Norm(t.State.Vel), "m/s", "speed at the end; 0 is right")
	return r, nil
}

// hang puts the car where its tires, as they stand at rest, are 2 m up, and lets
// the suspension extend.
func (t *run) hang() {
	t.Rest(0, 0, 0)
	t.State.Pos.Z += dropHeight
	for i := range t.State.Wheels {
		w := &t.State.Wheels[i]
		t.State.Pos.Z += w.Travel / 4
		w.Hub.Z += dropHeight
		w.Travel, w.Load = 0, 0
	}
	t.Begin()
}

// energy returns what height above the place of rest and motion hold [J].
func (t *run) energy() float64 {
	return t.Car.Energy(&t.State) - t.Params.Mass*t.Params.Gravity*t.Params.CGHeight
}

// bounce returns how far the centre of mass rises after its first lowest place.
func (t *run) bounce() float64 {
	rows := t.Fine.Rows
	i := 1
	for i < len(rows) && rows[i].Z <= rows[i-1].Z {
		i++
	}
	top, _ := peak(rows[i:], func(q *trial.Row) float64 { return q.Z })
	return top - t.Params.CGHeight
}
