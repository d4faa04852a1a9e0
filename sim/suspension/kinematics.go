package suspension

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/interp"
	"gonum.org/v1/gonum/spatial/r3"
	"rig.example/rig/internal/kit/valid"
	"rig.example/rig/sim/curve"
)

// Kinematics describes the position and orientation of a wheel in the body over its travel. Gains are changes
// for each metre of bump from the travel at rest. A table replaces them.
type Kinematics struct {
	Camber float64 `toml:"camber_deg" range:"-10..10"` // camber at rest, positive with the top outward
	// toe of each wheel at rest, positive with the front inward
	Toe float64 `toml:"toe_deg" range:"-5..5"`
	// change of the camber for each metre of bump, the travel from rest into the body; -25 leans the top
	// inward by 2.5° in 100 mm
	CamberGain float64 `toml:"camber_gain_deg_per_m" range:"-200..200"`
	// further change of the camber with the square of the bump
	CamberCurvature float64 `toml:"camber_curve_deg_per_m2" range:"-1000..1000"`
	// change of the toe for each metre of bump (bump steer)
	ToeGain float64 `toml:"toe_gain_deg_per_m" range:"-50..50"`
	// height of the roll center above the ground at rest
	RollCenter float64 `toml:"roll_center_m" range:"-0.5..1"`
	// share of the load transfer in braking that the links carry instead of the springs; on the rear axle this
	// is anti-lift. It holds for the car's `[brakes] front_share`
	AntiDive float64 `toml:"anti_dive" range:"-1..1.5"`
	// share of the load transfer in driving that the links carry, for the axle's share of the torque; on the
	// front axle this is anti-lift. Without effect on an axle with less than a tenth of the torque
	AntiSquat float64 `toml:"anti_squat" range:"-1..1.5"`
	// travel of spring and damper over that of the wheel; with a ratio r, forces at the wheel are r times
	// those of the spring, rates and slopes r² times
	MotionRatio float64 `toml:"motion_ratio" range:"0.2..2"`
	// rows `[bump m, camber deg, toe deg, track m, wheelbase m, caster deg, motion ratio]`, rising, bump from
	// the travel at rest. They replace all keys above; smooth between the rows, constant beyond them
	Table [][]float64 `toml:"table" count:"0 or 3..64"`

	// the tires' forces in the road plane act on the body directly, at the height force_app_point_m, and not
	// by the links. The tires slip by the speed of that point
	ApplyForceDirectly bool `toml:"force_app"`
	// with force_app: height above the ground at which the forces act
	ForceHeight float64 `toml:"force_app_point_m" range:"-0.5..1.5"`
	// raises the point at which the side forces act, and by whose speed the tires slip: 0 leaves it, 1 raises
	// it to the height of the center of mass
	RollReduction float64 `toml:"roll_reduction" range:"0..1.5"`
}

// DefaultKinematics returns wheels that stay upright, and a roll center on the ground.
func DefaultKinematics() Kinematics { return Kinematics{MotionRatio: 1} }

// Limits of a motion ratio.
const minMotionRatio, maxMotionRatio = 0.2, 2

// Columns of Kinematics.Table.
const (
	kinTravel = iota
	kinCamber
	kinToe
	kinTrack
	kinWheelbase
	kinCaster
	kinRatio
	kinColumns
)

// Validate reports every parameter that is out of range.
func (k Kinematics) Validate() error {
	errs := []error{valid.Struct(k)}
	for i, row := range k.Table {
		if len(row) != kinColumns {
			errs = append(errs, fmt.Errorf("table[%d] has %d values: give seven, [travel m, camber deg, toe deg, track m, wheelbase m, caster deg, motion ratio]", i, len(row)))
			continue
		}
		minTravel := -1.0
		if i > 0 && len(k.Table[i-1]) == kinColumns {
			minTravel = k.Table[i-1][kinTravel] + 1e-4
		}
		errs = append(errs, k.validateRow(i, row, minTravel))
	}
	return errors.Join(errs...)
}

// validateRow returns an error that names every value out of range in row i of the table. Its travel must not
// be below minTravel [m].
func (k Kinematics) validateRow(i int, row []float64, minTravel float64) error {
	name := func(s string) string { return fmt.Sprintf("table[%d] %s", i, s) }
	return errors.Join(
		valid.InRange(name("travel"), row[kinTravel], minTravel, 1),
		valid.InRange(name("camber"), row[kinCamber], -20, 20),
		valid.InRange(name("toe"), row[kinToe], -10, 10),
		valid.InRange(name("track"), row[kinTrack], -0.2, 0.2),
		valid.InRange(name("wheelbase"), row[kinWheelbase], -0.2, 0.2),
		valid.InRange(name("caster"), row[kinCaster], -30, 30),
		valid.InRange(name("motion ratio"), row[kinRatio], minMotionRatio, maxMotionRatio),
	)
}

// linkMotion is the position of a wheel relative to the body at a travel. The fields with d are derivatives
// with respect to the travel.
type linkMotion struct {
	camber, toe      float64 // [rad]
	outward, forward float64 // displacement of the hub from its position at rest [m]
	dContactOut      float64 // outward motion of the contact for each metre of travel
	dHubForward      float64 // forward motion of the hub for each metre of travel
	dHubOut          float64 // outward motion of the hub for each metre of travel
	dCamber          float64 // change of camber for each metre of travel [rad/m]
	dToe             float64 // change of toe for each metre of travel [rad/m]
	// rotation of the hub carrier for each metre of travel, positive top backward [rad/m]
	dSpin float64
	ratio float64 // motion ratio
}

// links holds the kinematics of an axle as curves over the travel.
type links struct {
	vertical   bool // the wheel moves straight up and stays upright
	grid       curve.TravelGrid
	camber     []curve.Quadratic // [rad]
	toe        []curve.Quadratic // [rad]
	contactOut []curve.Quadratic // outward displacement of the contact from rest [m]
	hubOut     []curve.Quadratic // outward displacement of the hub from rest [m]
	hubForward []curve.Quadratic // forward displacement of the hub from rest [m]
	ratio      []curve.Quadratic // motion ratio
	caster     []curve.Quadratic // rotation of the hub carrier from rest, positive top backward [rad]
}

// linkDims holds the dimensions of a car on which its links depend.
type linkDims struct {
	rest   float64 // travel at rest [m]
	radius float64 // height of the hub at rest [m]
	track  float64 // track of the axle [m]
	dive   float64 // forward motion of the contact for each metre of travel that gives 100 % anti-dive
	squat  float64 // forward motion of the hub for each metre of travel that gives 100 % anti-squat
}

// newLinks returns the curves of the kinematics of an axle.
func newLinks(a *Params, d linkDims) links {
	const rad = math.Pi / 180
	k := &a.Kinematics
	l := links{grid: curve.NewTravelGrid(a.Travel)}
	l.vertical = k.isUpright() && k.RollCenter == 0 && k.AntiDive == 0 && k.AntiSquat == 0 && len(k.Table) == 0
	if l.vertical {
		return l
	}
	col := k.columns(d)
	camber := func(z float64) float64 { return rad * col[kinCamber].slope(z-d.rest) }
	track := func(z float64) float64 { return col[kinTrack].slope(z - d.rest) }
	l.camber = l.grid.Integrate(camber, d.rest, rad*col[kinCamber].value(0))
	l.toe = l.grid.Integrate(func(z float64) float64 { return rad * col[kinToe].slope(z-d.rest) }, d.rest,
		rad*col[kinToe].value(0))
	l.contactOut = l.grid.Integrate(track, d.rest, 0)
	l.hubOut = l.grid.Integrate(func(z float64) float64 { return track(z) + d.radius*camber(z) }, d.rest, 0)
	l.hubForward = l.grid.Integrate(func(z float64) float64 { return col[kinWheelbase].slope(z - d.rest) },
		d.rest, 0)
	l.ratio = l.grid.Integrate(func(z float64) float64 { return col[kinRatio].slope(z - d.rest) }, d.rest,
		col[kinRatio].value(0))
	l.caster = l.grid.Integrate(func(z float64) float64 { return rad * col[kinCaster].slope(z-d.rest) },
		d.rest, 0)
	return l
}

// isUpright reports whether camber and toe are 0 at every travel. It ignores the table.
func (k *Kinematics) isUpright() bool {
	return k.Camber == 0 && k.Toe == 0 && k.CamberGain == 0 && k.CamberCurvature == 0 && k.ToeGain == 0
}

// tableColumn is one column of the table as functions of the bump from the travel at rest [m]: its value and its
// slope.
type tableColumn struct{ value, slope func(bump float64) float64 }

// columns returns the functions of all columns, from the table or from the gains.
func (k *Kinematics) columns(d linkDims) [kinColumns]tableColumn {
	if len(k.Table) > 0 {
		return k.tableColumns()
	}
	line := func(value, slope, curvature float64) tableColumn {
		return tableColumn{
			func(z float64) float64 { return value + z*(slope+z*curvature) },
			func(z float64) float64 { return slope + 2*z*curvature },
		}
	}
	dForward := k.AntiSquat * d.squat                    // forward motion of the hub for each metre of bump
	dCaster := (k.AntiDive*d.dive - dForward) / d.radius // rotation of the hub carrier, positive top backward, which moves the contact forward [rad/m]
	return [kinColumns]tableColumn{
		kinCamber:    line(k.Camber, k.CamberGain, k.CamberCurvature),
		kinToe:       line(k.Toe, k.ToeGain, 0),
		kinTrack:     line(0, 2*k.RollCenter/d.track, 0),
		kinWheelbase: line(0, dForward, 0),
		kinCaster:    line(0, dCaster*180/math.Pi, 0),
		kinRatio:     line(k.MotionRatio, 0, 0),
	}
}

// motionRatios returns the motion ratio over the bump from the travel at rest [m].
func (k *Kinematics) motionRatios() func(bump float64) float64 {
	if len(k.Table) > 0 {
		return k.tableColumns()[kinRatio].value
	}
	return func(float64) float64 { return k.MotionRatio }
}

// lowestMotionRatio returns the lowest motion ratio of the table, or the constant one.
func (k *Kinematics) lowestMotionRatio() float64 {
	if len(k.Table) == 0 {
		return k.MotionRatio
	}
	low := float64(maxMotionRatio)
	for _, row := range k.Table {
		if len(row) == kinColumns {
			low = min(low, row[kinRatio])
		}
	}
	return low
}

// tableColumns returns smooth curves through the points of the table, without overshoot (Fritsch-Butland).
func (k *Kinematics) tableColumns() (out [kinColumns]tableColumn) {
	x := make([]float64, len(k.Table))
	for i, row := range k.Table {
		x[i] = row[kinTravel]
	}
	for c := kinCamber; c < kinColumns; c++ {
		y := make([]float64, len(x))
		for i, row := range k.Table {
			y[i] = row[c]
		}
		var f interp.FritschButland
		if err := f.Fit(x, y); err != nil {
			panic(err) // Validate has checked rows and order
		}
		low, high := x[0], x[len(x)-1]
		clamp := func(z float64) float64 { return min(max(z, low), high) }
		out[c] = tableColumn{
			func(z float64) float64 { return f.Predict(clamp(z)) },
			func(z float64) float64 {
				if z < low || z > high {
					return 0
				}
				return f.PredictDerivative(z)
			},
		}
	}
	return out
}

// at sets st to the stance at a travel [m].
func (l *links) at(motion *linkMotion, travel float64) {
	i, d := l.grid.Find(travel)
	motion.camber, motion.dCamber = l.camber[i].At(d)
	motion.toe, motion.dToe = l.toe[i].At(d)
	_, motion.dContactOut = l.contactOut[i].At(d)
	motion.outward, motion.dHubOut = l.hubOut[i].At(d)
	motion.forward, motion.dHubForward = l.hubForward[i].At(d)
	_, motion.dSpin = l.caster[i].At(d)
	motion.ratio, _ = l.ratio[i].At(d)
	motion.ratio = min(max(motion.ratio, minMotionRatio), maxMotionRatio) // the grid may overshoot a steep table
}

// dAxle returns the change of the wheel axis for each metre of travel, without steering [1/m, body]. side is
// 1 on the left and -1 on the right. The other arguments are the sines and cosines of toe and camber on that
// side.
func (motion *linkMotion) dAxle(side, sinToe, cosToe, sinCamber, cosCamber float64) r3.Vec {
	dYaw, dRoll := side*motion.dToe, -side*motion.dCamber
	return r3.Vec{
		X: dYaw*cosCamber*cosToe - dRoll*sinCamber*sinToe,
		Y: -dYaw*cosCamber*sinToe - dRoll*sinCamber*cosToe,
		Z: dRoll * cosCamber,
	}
}
