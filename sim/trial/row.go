package trial

import (
	"math"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/sim"
	"rig.example/rig/sim/tire"
)

// Row is one line of a recording. Velocities and accelerations are the centre of
// mass', along the level axes of the heading: x ahead and y to the left, both
// horizontal.
type Row struct {
	T            float64    // [s]
	X, Y, Z      float64    // centre of mass [m, world]
	Vx, Vy       float64    // [m/s]
	YawRate      float64    // about the vertical [rad/s], positive left
	Roll         float64    // [rad], positive when the right side is down
	Pitch        float64    // [rad], positive when the nose is down
	Ax, Ay       float64    // [m/s²]
	Steer        float64    // mean of the front road wheels as they are steered, toe and roll steer left out [rad], positive left
	Beta         float64    // sideslip angle of the centre of mass [rad], positive when it moves to the left
	Fz           [4]float64 // wheel loads [N]
	RackForce    float64    // of the front tires on the rack [N]
	ColumnTorque float64    // of the same on the steering column [N·m], positive left
	Engine       float64    // speed of engine or motor [1/min]
	Gear         float64    // engaged; -1 is reverse, 0 none
	Throttle     float64    // as the driver asks for it, 0..1; so are the other pedals
	Brake        float64
	Clutch       float64 // 1 is open
}

// Columns names the columns of a recording in their order, with their units.
func Columns() []string {
	return []string{
		"t_s", "x_m", "y_m", "z_m", "vx_mps", "vy_mps", "yaw_rate_radps", "roll_rad", "pitch_rad",
		"ax_mps2", "ay_mps2", "steer_rad", "beta_rad", "fz_fl_n", "fz_fr_n", "fz_rl_n", "fz_rr_n",
		"rack_force_n", "column_torque_nm", "engine_rpm", "gear", "throttle", "brake", "clutch",
	}
}

// Values returns the row in the order of Columns.
func (r *Row) Values() []float64 {
	return []float64{
		r.T, r.X, r.Y, r.Z, r.Vx, r.Vy, r.YawRate, r.Roll, r.Pitch,
		r.Ax, r.Ay, r.Steer, r.Beta, r.Fz[tire.FL], r.Fz[tire.FR], r.Fz[tire.RL], r.Fz[tire.RR],
		r.RackForce, r.ColumnTorque, r.Engine, r.Gear, r.Throttle, r.Brake, r.Clutch,
	}
}

// RowOf records a state at a time [s].
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
		RackForce: s.Steering.Force, ColumnTorque: s.ColumnTorque,
		Engine: s.RPM(), Gear: float64(s.Driveline.Gear),
	}
	const still = 0.1 // [m/s]
	if math.Hypot(r.Vx, r.Vy) > still {
		r.Beta = math.Atan2(r.Vy, r.Vx)
	}
	for i := range r.Fz {
		r.Fz[i] = s.Wheels[i].Load
	}
	return r
}

// toWorld turns a body vector into the world.
func toWorld(q quat.Number, v r3.Vec) r3.Vec {
	w, x, y, z := q.Real, q.Imag, q.Jmag, q.Kmag
	return r3.Vec{
		X: (1-2*(y*y+z*z))*v.X + 2*(x*y-w*z)*v.Y + 2*(x*z+w*y)*v.Z,
		Y: 2*(x*y+w*z)*v.X + (1-2*(x*x+z*z))*v.Y + 2*(y*z-w*x)*v.Z,
		Z: 2*(x*z-w*y)*v.X + 2*(y*z+w*x)*v.Y + (1-2*(x*x+y*y))*v.Z,
	}
}
