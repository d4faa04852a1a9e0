package scan

import (
	"fmt"
)

// Limits are the thresholds of Check. Lengths must be greater than 0; start from DefaultLimits.
type Limits struct {
	Weld     float64 // vertices within this distance are merged [mm]
	Crack    float64 // maximum distance from a vertex to another face's edge that is reported as a crack [mm]
	Hole     float64 // maximum perimeter of a hole; a longer loop is a border of the mesh [m]
	Sliver   float64 // minimum height of a triangle; a lower one is reported as a sliver [mm]
	Thin     float64 // minimum thickness of a part; a thinner one is reported [mm]
	Bump     float64 // minimum distance of a bump's or a dent's vertex from the mean plane of its neighbours [mm]
	BumpSize float64 // maximum length of a bump; a longer rise is a crest or a kerb [m]
	Step     float64 // minimum height of a step [mm]
	StepTop  float64 // maximum height of a step; a higher one is a wall [mm]
	Overlap  float64 // maximum distance of two ground faces, one above the other, that is reported as overlap [mm]
	Places   int     // maximum number of places listed for each kind of fault
}

// DefaultLimits returns the limits for a mesh that a car drives on at speed.
func DefaultLimits() Limits {
	return Limits{
		Weld: 0.1, Crack: 1, Hole: 50, Sliver: 1, Thin: 100, Bump: 20, BumpSize: 2,
		Step: 20, StepTop: 300, Overlap: 20, Places: 5,
	}
}

// mm converts millimetres to metres.
func mm(v float64) float64 { return v / 1000 }

// inScan puts the package's name before an error.
func inScan(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("scan: %w", err)
}
