package trial

import (
	"math"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/sim"
	"rig.example/rig/sim/tire"
)

// Row is one row of a recording. Velocities and accelerations are those of the center of mass, in the
// level axes of the heading: x forward and y to the left, both horizontal.
type Row struct {
	T            float64    // [s]
	X, Y, Z      float64    // center of mass [m, world]
	Vx, Vy       float64    // [m/s]
	YawRate      float64    // yaw rate about the vertical axis [rad/s], positive to the left
	Roll         float64    // [rad], positive when the right side is down
	Pitch        float64    // [rad], positive when the nose is down
	Ax, Ay       float64    // [m/s²]
	Steer        float64    // mean angle of the front road wheels from steering alone, without toe and roll steer [rad], positive to the left
	Beta         float64    // sideslip angle of the center of mass [rad], positive when it moves to the left
	Fz           [4]float64 // wheel loads [N]
	RackForce    float64    // force of the front tires on the rack [N]
	ColumnTorque float64    // torque of the front tires on the steering column [N·m], positive to the left
	Engine       float64    // speed of the engine or motor [1/min]
	Gear         float64    // engaged gear; -1 is reverse, 0 neutral
	Throttle     float64    // driver's input, 0 to 1
	Brake        float64    // driver's input, 0 to 1
	Clutch       float64    // driver's input, 0 to 1; 1 is open

	Extra []float64 // result of Recording.Observe; nil without it
}

// Columns returns the names of a recording's columns in order, with their units.
func Columns() []string {
	return []string{
		"t_s", "x_m", "y_m", "z_m", "vx_mps", "vy_mps", "yaw_rate_radps", "roll_rad", "pitch_rad",
		"ax_mps2", "ay_mps2", "steer_rad", "beta_rad", "fz_fl_n", "fz_fr_n", "fz_rl_n", "fz_rr_n",
		"rack_force_n", "column_torque_nm", "engine_rpm", "gear", "throttle", "brake", "clutch",
	}
}

// Values returns the values of the row in the order of Columns.
func (r *Row) Values() []float64 {
	return []float64{
		r.T, r.X, r.Y, r.Z, r.Vx, r.Vy, r.YawRate, r.Roll, r.Pitch,
		r.Ax, r.Ay, r.Steer, r.Beta, r.Fz[tire.FL], r.Fz[tire.FR], r.Fz[tire.RL], r.Fz[tire.RR],
		r.RackForce, r.ColumnTorque, r.Engine, r.Gear, r.Throttle, r.Brake, r.Clutch,
	}
}

// RowOf returns the row of a state at a time [s], without the pedals.
func RowOf(c *sim.Car, s *sim.State, t float64) Row {
	sin, cos := math.Sincos(s.Yaw())
	acc := toWorld(s.Att, s.Acc)
	r := Row{
		T: t, X: s.Pos.X, Y: s.Pos.Y, Z: s.Pos.Z,
		Vx: cos*s.Vel.X + sin*s.Vel.Y, Vy: cos*s.Vel.Y - sin*s.Vel.X,
		YawRate: toWorld(s.Att, s.Rate).Z,
		Roll:    s.Roll(), Pitch: s.Pitch(),
		Ax: cos*acc.X + sin*acc.Y, Ay: cos*acc.Y - sin*acc.X,
		Steer:     c.RoadSteer(s.Steer),
		RackForce: s.Steering.TireForce, ColumnTorque: s.ColumnTorque,
		Engine: s.RPM(), Gear: float64(s.Driveline.Gear),
	}
	const minSpeed = 0.1 // [m/s]
	if math.Hypot(r.Vx, r.Vy) > minSpeed {
		r.Beta = math.Atan2(r.Vy, r.Vx)
	}
	for i := range r.Fz {
		r.Fz[i] = s.Wheels[i].Load
	}
	return r
}

// toWorld rotates a vector from body axes to world axes.
func toWorld(q quat.Number, v r3.Vec) r3.Vec {
	w, x, y, z := q.Real, q.Imag, q.Jmag, q.Kmag
	return r3.Vec{
		X: (1-2*(y*y+z*z))*v.X + 2*(x*y-w*z)*v.Y + 2*(x*z+w*y)*v.Z,
		Y: 2*(x*y+w*z)*v.X + (1-2*(x*x+z*z))*v.Y + 2*(y*z-w*x)*v.Z,
		Z: 2*(x*z-w*y)*v.X + 2*(y*z+w*x)*v.Y + (1-2*(x*x+y*y))*v.Z,
	}
}
