package suspension

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/interp"
	"gonum.org/v1/gonum/spatial/r3"
	"rig.example/rig/internal/valid"
	"rig.example/rig/sim/curve"
)

// Kinematics tell how a wheel stands in the body along its travel. Gains hold
// for each metre of bump from the travel at rest; a table replaces them.
type Kinematics struct {
	Camber      float64     `toml:"camber_deg"`              // at rest, positive with the top outward
	Toe         float64     `toml:"toe_deg"`                 // at rest, of each wheel, positive with the front inward
	CamberGain  float64     `toml:"camber_gain_deg_per_m"`   //
	CamberCurve float64     `toml:"camber_curve_deg_per_m2"` // with the square of the travel
	ToeGain     float64     `toml:"toe_gain_deg_per_m"`      //
	RollCenter  float64     `toml:"roll_center_m"`           // height of the roll centre above the ground at rest
	AntiDive    float64     `toml:"anti_dive"`               // share of the load transfer in braking that the links carry; behind: anti-lift
	AntiSquat   float64     `toml:"anti_squat"`              // the same when driving
	MotionRatio float64     `toml:"motion_ratio"`            // travel of spring and damper over that of the wheel
	Table       [][]float64 `toml:"table" most:"64"`         // [travel m, camber deg, toe deg, track m, wheelbase m, caster deg, motion ratio], rising

	ForceApp      bool    `toml:"force_app"`         // put the tires' forces in the road plane on the body at a height, past the links
	ForceAppPoint float64 `toml:"force_app_point_m"` // that height above the ground
	RollReduction float64 `toml:"roll_reduction"`    // moves the side forces up: 0 leaves them, 1 at the centre of mass
}

// DefaultKinematics keep the wheels upright and the roll centre on the ground.
func DefaultKinematics() Kinematics { return Kinematics{MotionRatio: 1} }

// What a motion ratio may be.
const leastRatio, mostRatio = 0.2, 2

// Columns of the table of Kinematics.
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
	errs := []error{
		valid.InRange("camber_deg", k.Camber, -10, 10),
		valid.InRange("toe_deg", k.Toe, -5, 5),
		valid.InRange("camber_gain_deg_per_m", k.CamberGain, -200, 200),
		valid.InRange("camber_curve_deg_per_m2", k.CamberCurve, -1000, 1000),
		valid.InRange("toe_gain_deg_per_m", k.ToeGain, -50, 50),
		valid.InRange("roll_center_m", k.RollCenter, -0.5, 1),
		valid.InRange("anti_dive", k.AntiDive, -1, 1.5),
		valid.InRange("anti_squat", k.AntiSquat, -1, 1.5),
		valid.InRange("motion_ratio", k.MotionRatio, leastRatio, mostRatio),
		valid.InRange("force_app_point_m", k.ForceAppPoint, -0.5, 1.5),
		valid.InRange("roll_reduction", k.RollReduction, 0, 1.5),
	}
	if n := len(k.Table); n == 1 || n == 2 || n > 64 {
		errs = append(errs, fmt.Errorf("table has %d rows: give 3 to 64, or none", n))
	}
	for i, row := range k.Table {
		if len(row) != kinColumns {
			errs = append(errs, fmt.Errorf("table[%d] has %d values: give seven, [travel m, camber deg, toe deg, track m, wheelbase m, caster deg, motion ratio]", i, len(row)))
			continue
		}
		least := -1.0
		if i > 0 && len(k.Table[i-1]) == kinColumns {
			least = k.Table[i-1][kinTravel] + 1e-4
		}
		errs = append(errs, k.row(i, row, least))
	}
	return errors.Join(errs...)
}

// row reports what is out of range in a row of the table, whose travel must
// not be below least [m].
func (k Kinematics) row(i int, row []float64, least float64) error {
	name := func(s string) string { return fmt.Sprintf("table[%d] %s", i, s) }
	return errors.Join(
		valid.InRange(name("travel"), row[kinTravel], least, 1),
		valid.InRange(name("camber"), row[kinCamber], -20, 20),
		valid.InRange(name("toe"), row[kinToe], -10, 10),
		valid.InRange(name("track"), row[kinTrack], -0.2, 0.2),
		valid.InRange(name("wheelbase"), row[kinWheelbase], -0.2, 0.2),
		valid.InRange(name("caster"), row[kinCaster], -30, 30),
		valid.InRange(name("motion ratio"), row[kinRatio], leastRatio, mostRatio),
	)
}

// stance is how the links hold a wheel at a travel. Sideways is outward.
type stance struct {
	camber, toe float64 // [rad]
	out, ahead  float64 // of the hub from its place at rest [m]
	scrub       float64 // way of the contact outward for each metre of travel
	along       float64 // way of the hub ahead for the same
	outward     float64 // and outward
	leaning     float64 // growth of camber for the same [rad/m]
	turning     float64 // and of toe
	dSpin       float64 // turn of the hub carrier, top backward, for the same [rad/m]
	ratio       float64 // motion ratio
}

// links are the kinematics of an axle, as curves over the travel.
type links struct {
	still  bool // nothing but the travel moves, and the wheel stands upright
	grid   curve.Grid
	camber []curve.Quadratic
	toe    []curve.Quadratic
	track  []curve.Quadratic
	out    []curve.Quadratic
	ahead  []curve.Quadratic
	ratio  []curve.Quadratic
	caster []curve.Quadratic
}

// dims are what an axle's kinematics depend on besides their own parameters.
type dims struct {
	rest   float64 // travel at rest [m]
	radius float64 // height of the hub at rest [m]
	track  float64 // [m]
	dive   float64 // way ahead of the contact for each metre of travel that carries all of the load transfer in braking
	squat  float64 // the same of the hub, in driving
}

// newLinks returns the curves of an axle.
func newLinks(a *Params, d dims) links {
	const rad = math.Pi / 180
	k := &a.Kinematics
	l := links{grid: curve.NewGrid(a.Travel)}
	l.still = k.upright() && k.RollCenter == 0 && k.AntiDive == 0 && k.AntiSquat == 0 && len(k.Table) == 0
	if l.still {
		return l
	}
	col := k.columns(d)
	camber := func(z float64) float64 { return rad * col[kinCamber].slope(z-d.rest) }
	track := func(z float64) float64 { return col[kinTrack].slope(z - d.rest) }
	l.camber = l.grid.Integrate(camber, d.rest, rad*col[kinCamber].value(0))
	l.toe = l.grid.Integrate(func(z float64) float64 { return rad * col[kinToe].slope(z-d.rest) }, d.rest, rad*col[kinToe].value(0))
	l.track = l.grid.Integrate(track, d.rest, 0)
	l.out = l.grid.Integrate(func(z float64) float64 { return track(z) + d.radius*camber(z) }, d.rest, 0)
	l.ahead = l.grid.Integrate(func(z float64) float64 { return col[kinWheelbase].slope(z - d.rest) }, d.rest, 0)
	l.ratio = l.grid.Integrate(func(z float64) float64 { return col[kinRatio].slope(z - d.rest) }, d.rest, col[kinRatio].value(0))
	l.caster = l.grid.Integrate(func(z float64) float64 { return rad * col[kinCaster].slope(z-d.rest) }, d.rest, 0)
	return l
}

func (k *Kinematics) upright() bool {
	return k.Camber == 0 && k.Toe == 0 && k.CamberGain == 0 && k.CamberCurve == 0 && k.ToeGain == 0
}

// column is one of the kinematics' curves over the bump from the travel at rest.
type column struct{ value, slope func(bump float64) float64 }

// columns returns the curves in the order and the units of the table.
func (k *Kinematics) columns(d dims) [kinColumns]column {
	if len(k.Table) > 0 {
		return k.tabled()
	}
	line := func(value, slope, bend float64) column {
		return column{
			func(z float64) float64 { return value + z*(slope+z*bend) },
			func(z float64) float64 { return slope + 2*z*bend },
		}
	}
	ahead := k.AntiSquat * d.squat
	turn := (k.AntiDive*d.dive - ahead) / d.radius // top backward moves the contact ahead
	return [kinColumns]column{
		kinCamber:    line(k.Camber, k.CamberGain, k.CamberCurve),
		kinToe:       line(k.Toe, k.ToeGain, 0),
		kinTrack:     line(0, 2*k.RollCenter/d.track, 0),
		kinWheelbase: line(0, ahead, 0),
		kinCaster:    line(0, turn*180/math.Pi, 0),
		kinRatio:     line(k.MotionRatio, 0, 0),
	}
}

// ratios returns the motion ratio over the bump from the travel at rest [m].
func (k *Kinematics) ratios() func(bump float64) float64 {
	if len(k.Table) > 0 {
		return k.tabled()[kinRatio].value
	}
	return func(float64) float64 { return k.MotionRatio }
}

// lowest returns the lowest motion ratio that is given.
func (k *Kinematics) lowest() float64 {
	if len(k.Table) == 0 {
		return k.MotionRatio
	}
	low := float64(mostRatio)
	for _, row := range k.Table {
		if len(row) == kinColumns {
			low = min(low, row[kinRatio])
		}
	}
	return low
}

// tabled returns smooth curves through the table's points, without overshoot.
func (k *Kinematics) tabled() (out [kinColumns]column) {
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
			panic(err) // Validate has seen to rows and order
		}
		low, high := x[0], x[len(x)-1]
		hold := func(z float64) float64 { return min(max(z, low), high) }
		out[c] = column{
			func(z float64) float64 { return f.Predict(hold(z)) },
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

// at finds how the wheel stands at a travel [m].
func (l *links) at(st *stance, travel float64) {
	i, d := l.grid.Find(travel)
	st.camber, st.leaning = l.camber[i].At(d)
	st.toe, st.turning = l.toe[i].At(d)
	_, st.scrub = l.track[i].At(d)
	st.out, st.outward = l.out[i].At(d)
	st.ahead, st.along = l.ahead[i].At(d)
	_, st.dSpin = l.caster[i].At(d)
	st.ratio, _ = l.ratio[i].At(d)
	st.ratio = min(max(st.ratio, leastRatio), mostRatio) // whatever the grid makes of a steep table
}

// dAxle returns how the wheel's axis changes for each metre of travel, in the hub
// carrier [1/m]; toe and tilt are sines of its angles to the left and up on that
// side, across and upright their cosines.
func (st *stance) dAxle(side, toe, across, tilt, upright float64) r3.Vec {
	turns, leans := side*st.turning, -side*st.leaning
	return r3.Vec{
		X: turns*upright*across - leans*tilt*toe,
		Y: -turns*upright*toe - leans*tilt*across,
		Z: leans * upright,
	}
}
