package scan

import "errors"

// Limits say what Check finds fault with.
type Limits struct {
	Weld     float64 // vertices so near to each other are one [mm]
	Crack    float64 // a vertex so near to an edge that is not its own leaves a crack [mm]
	Hole     float64 // a gap of a longer rim is the mesh's border, not a hole [m]
	Sliver   float64 // a triangle of less height is a sliver [mm]
	Thin     float64 // a part of less thickness is thin [mm]
	Bump     float64 // a vertex further from the mean of its neighbours is a bump or a dent [mm]
	BumpSize float64 // a longer rise is a crest or a kerb, not a bump [m]
	Step     float64 // a steep face of more height is a step [mm]
	StepTop  float64 // and of more height than this a wall [mm]
	Overlap  float64 // faces that look up so near above each other overlap [mm]
	Places   int     // that are named for each fault
}

// DefaultLimits are those for a mesh that a car drives on at speed.
func DefaultLimits() Limits {
	return Limits{
		Weld: 0.1, Crack: 1, Hole: 50, Sliver: 1, Thin: 100, Bump: 20, BumpSize: 2,
		Step: 20, StepTop: 300, Overlap: 20, Places: 5,
	}
}

// Validate reports every limit that is out of range.
func (l Limits) Validate() error {
	return errors.Join(
		inRange("weld_mm", l.Weld, 0.001, 10),
		inRange("crack_mm", l.Crack, 0.01, 100),
		inRange("hole_m", l.Hole, 0, 1e5),
		inRange("sliver_mm", l.Sliver, 0.01, 1000),
		inRange("thin_mm", l.Thin, 0.1, 10000),
		inRange("bump_mm", l.Bump, 0.1, 10000),
		inRange("bump_length_m", l.BumpSize, 0.01, 1000),
		inRange("step_mm", l.Step, 0.1, 10000),
		inRange("step_top_mm", l.StepTop, l.Step, 10000),
		inRange("overlap_mm", l.Overlap, 0.01, 1000),
		inRange("places", float64(l.Places), 0, 1000),
	)
}

// mm turns millimetres into metres.
func mm(v float64) float64 { return v / 1000 }
