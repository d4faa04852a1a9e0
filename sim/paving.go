package sim

import (
	"rig.example/rig/sim/road"
	"rig.example/rig/sim/suspension"
	"rig.example/rig/sim/tire"
)

// paving is what the ground's materials make of the grip of a car's own tires.
type paving struct {
	grip [2][]float64 // in front and behind, factors by material; nil where all are 1
}

// newPaving looks for the tires in front and behind in the tables of the ground's
// surfaces: by the name that the car chooses them by, or else by their kind, which
// is what tires from files have in common.
func newPaving(p Params, tires [2]*tire.Tire, g road.Ground) (k paving) {
	for axle, model := range [2]string{p.Front.Tire.Model, p.Rear.Tire.Model} {
		list := road.SurfacesOf(g)
		factors, differs := make([]float64, len(list)), false
		for i := range list {
			factor, ok := list[i].Models[model]
			if !ok {
				factor, ok = list[i].Models[tires[axle].Kind]
			}
			if !ok {
				factor = 1
			}
			factors[i] = factor
			differs = differs || factor != 1
		}
		if differs {
			k.grip[axle] = factors
		}
	}
	return k
}

// factor returns what a material makes of the grip of an axle's tires.
func (k *paving) factor(axle int, material uint8) float64 {
	if list := k.grip[axle]; int(material) < len(list) {
		return list[material]
	}
	return 1
}

// grip notes what the wheels stand on, and what that and the areas' slickness leave
// of its grip.
func (c *Car) grip(s *State, in *Input, ts *[4]suspension.Contact) {
	for i := range ts {
		on := &ts[i].Ground
		s.Wheels[i].Material = on.Material
		on.Surface.Grip *= c.paving.factor(i/2, on.Material) * in.Slick.Left(on.Area)
	}
}
