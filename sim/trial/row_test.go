package trial

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/road"
	"rig.example/rig/sim"
	"rig.example/rig/sim/chassis"
	"rig.example/rig/test/near"
)

func TestColumnsAndValuesAreInTheFilesOrder(t *testing.T) {
	want := []string{
		"t_s", "x_m", "y_m", "z_m", "vx_mps", "vy_mps", "yaw_rate_radps", "roll_rad", "pitch_rad", "ax_mps2", "ay_mps2",
		"steer_rad", "beta_rad", "fz_fl_n", "fz_fr_n", "fz_rl_n", "fz_rr_n", "rack_force_n", "column_torque_nm",
		"engine_rpm", "gear", "throttle", "brake", "clutch",
	}
	if got := Columns(); !slices.Equal(got, want) {
		t.Errorf("columns %v", got)
	}
	row := Row{
		T: 1, X: 2, Y: 3, Z: 4, Vx: 5, Vy: 6, YawRate: 7, Roll: 8, Pitch: 9, Ax: 10, Ay: 11,
		Steer: 12, Beta: 13, Fz: [4]float64{14, 15, 16, 17}, RackForce: 18, ColumnTorque: 19,
		Engine: 20, Gear: 21, Throttle: 22, Brake: 23, Clutch: 24,
	}
	for i, v := range row.Values() {
		if v != float64(i+1) {
			t.Errorf("value %d is %g", i, v)
		}
	}
}

func TestARowIsAlongTheLevelAxesOfTheHeading(t *testing.T) {
	half := math.Sqrt2 / 2
	roll := math.Pi / 6 / 2
	car, err := sim.New(sim.DefaultCar(), road.Asphalt(), sim.Dt)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name string
		s    sim.State
		want Row
	}{
		{
			"heading along the world's y",
			sim.State{
				State: chassis.State{Att: quat.Number{Real: half, Kmag: half}, Vel: r3.Vec{X: -1, Y: 10},
					Acc: r3.Vec{X: 2, Y: 3}, Rate: r3.Vec{Z: 0.4}},
			},
			Row{Vx: 10, Vy: 1, Ax: 2, Ay: 3, YawRate: 0.4, Beta: 0.0996687},
		},
		{
			"leaning 30° to the right",
			sim.State{
				State: chassis.State{Att: quat.Number{Real: math.Cos(roll), Imag: math.Sin(roll)}, Vel: r3.Vec{X: 20},
					Acc: r3.Vec{Y: 4 * math.Sqrt(3) / 2, Z: -2}, Rate: r3.Vec{Y: 0.05, Z: 0.05 * math.Sqrt(3)}},
			},
			Row{Vx: 20, Ay: 4, YawRate: 0.1, Roll: math.Pi / 6},
		},
		{"standing", sim.State{State: chassis.State{Att: quat.Number{Real: 1}, Vel: r3.Vec{Y: 0.05}}}, Row{Vy: 0.05}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := RowOf(car, &tt.s, 0)
			want := tt.want.Values()
			for i, v := range got.Values() {
				near.Value(t, Columns()[i], v, want[i], 1e-6)
			}
		})
	}
}

func TestARecordingKeepsWhatIsObserved(t *testing.T) {
	tr := started(t, 100, 1e-3)
	calls := 0
	tr.Out.Observe = func(c *sim.Car, s *sim.State, in *sim.Input) []float64 {
		calls++
		return []float64{s.Pos.X, in.Throttle, c.Lock()}
	}
	tr.PlaceRolling(20, 3)
	calls = 0
	tr.Input.Throttle = 0.5
	tr.RunUntil(0.5, func(float64) {})
	for i, row := range tr.Out.Rows {
		if len(row.Extra) != 3 || row.Extra[0] != row.X || row.Extra[1] != row.Throttle || row.Extra[2] != tr.Lock {
			t.Fatalf("row %d at x = %g: %v", i, row.X, row.Extra)
		}
	}
	if n := len(tr.Out.Rows); n != 51 || calls != n-1 || tr.Fine.Rows[0].Extra != nil {
		t.Errorf("%d rows, %d calls", n, calls)
	}
}

func TestTheRecorderKeepsItsRate(t *testing.T) {
	for _, tt := range []struct {
		name     string
		rate, dt float64
		rows     int
		second   float64
	}{
		{"100 rows a second", 100, 1e-3, 101, 0.01},
		{"every tick", 1000, 1e-3, 1001, 0.001},
		{"3 rows a second, at the nearest tick", 3, 1e-3, 4, 0.333},
		{"a coarse step", 100, 4e-3, 101, 0.008},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tr := started(t, tt.rate, tt.dt)
			tr.PlaceAtRest(0, 0, 0)
			tr.RunUntil(1, func(float64) {})
			if n := len(tr.Out.Rows); n != tt.rows {
				t.Fatalf("%d rows, want %d", n, tt.rows)
			}
			near.Value(t, "time of the second row", tr.Out.Rows[1].T, tt.second, 1e-9)
		})
	}
}
