package sim

import (
	"rig.example/rig/road"
	"rig.example/rig/sim/suspension"
	"rig.example/rig/sim/tire"
)

// materialGrip is the factor of the ground's materials on the grip of a car's tires.
type materialGrip struct {
	// one list for the front and one for the rear tires, indexed by material; nil if all factors are 1
	factors [2][]float64
}

// newMaterialGrip looks up the front and rear tires in the grip tables of the ground's surfaces: by the name
// of the tire model in the car's file or, if the table lacks that name, by the tire's kind. All tires that are
// read from files have the same kind, so that one entry serves every tire file.
func newMaterialGrip(p Params, tires [2]*tire.Tire, g road.Ground) (k materialGrip) {
	for axle, model := range [2]string{p.Front.Tire.Model, p.Rear.Tire.Model} {
		list := road.SurfacesOf(g)
		factors, differs := make([]float64, len(list)), false
		for i := range list {
			factor, ok := list[i].ModelGrip[model]
			if !ok {
				factor, ok = list[i].ModelGrip[tires[axle].Kind]
			}
			if !ok {
				factor = 1
			}
			factors[i] = factor
			differs = differs || factor != 1
		}
		if differs {
			k.factors[axle] = factors
		}
	}
	return k
}

// factor returns the grip factor of a material for the tires of an axle (0 front, 1 rear).
func (k *materialGrip) factor(axle int, material uint8) float64 {
	if list := k.factors[axle]; int(material) < len(list) {
		return list[material]
	}
	return 1
}

// applyMaterials stores the material under each wheel, and multiplies the ground's grip by the material's
// factor and by the share of grip that is left on that area of the ground.
func (c *Car) applyMaterials(s *State, in *Input, ts *[4]suspension.Contact) {
	for i := range ts {
		ground := &ts[i].Ground
		s.Wheels[i].Material = ground.Material
		ground.Surface.Grip *= c.materialGrip.factor(i/2, ground.Material) * in.Slick.Remaining(ground.Area)
	}
}
