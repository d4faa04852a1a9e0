package maneuver

import (
	"math"
	"strings"
	"testing"

	"rig.example/rig/sim"
	"rig.example/rig/test/near"
)

// only returns an input line with nothing given.
func only(t float64) Input {
	n := math.NaN()
	return Input{t, n, n, n, n, n, n, n, n, n}
}

func TestRoadWheelAnglesAreReproduced(t *testing.T) {
	var in []Input
	for i := range 401 {
		line := only(10 + float64(i)*0.01)
		line.SteerRoad = 0.03 * math.Sin(2*math.Pi*0.5*float64(i)*0.01)
		line.Speed = 20 + 0.5*float64(i)*0.01
		in = append(in, line)
	}
	r, err := OpenLoop(sim.DefaultCar(), in, Start{X: 100, Y: 50, Heading: 1}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if r.Maneuver != "open-loop" || r.Speed != 20 || len(r.Rows) != 401 {
		t.Fatalf("%s at %g m/s, %d rows", r.Maneuver, r.Speed, len(r.Rows))
	}
	for i, q := range r.Rows[1:] {
		want := in[i+1]
		near.Value(t, "time", q.T, want.T, 1e-9)
		near.Value(t, "road wheel angle", q.Steer, want.SteerRoad, 2e-4) // a tick late
		near.Value(t, "speed", q.Vx, want.Speed, 0.02)
	}
	near.Value(t, "start x", r.Rows[0].X, 100, 1e-9)
	near.Value(t, "start y", r.Rows[0].Y, 50, 1e-9)
	sound(t, r)
}

func TestPedalsAndGearsReachTheCar(t *testing.T) {
	line := func(when, throttle, brake, gear float64) Input {
		in := only(when)
		in.Throttle, in.Brake, in.Gear = throttle, brake, gear
		return in
	}
	in := []Input{line(0, 1, 0, 1), line(2, 1, 0, 1), line(2.1, 0, 1, 0), line(6, 0, 1, 0)}
	r, err := OpenLoop(sim.DefaultCar(), in, Start{}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if top := r.Rows[200].Vx; top < 4 || top > 20 {
		t.Errorf("%.1f m/s after 2 s of full throttle", top)
	}
	near.Value(t, "speed after the brakes", r.Rows[600].Vx, 0, 0.01)
}

func TestAThrottleWithoutGearsIsShifted(t *testing.T) {
	a, b := only(0), only(5)
	a.Throttle, b.Throttle = 1, 1
	r, err := OpenLoop(sim.DefaultCar(), []Input{a, b}, Start{Speed: 20}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if v := r.Rows[len(r.Rows)-1].Vx; v < 28 {
		t.Errorf("%.1f m/s after 5 s of full throttle from 20 m/s", v)
	}
}

func TestAnAccelerationIsHeld(t *testing.T) {
	a, b := only(0), only(2)
	a.Ax, b.Ax = -4, -4
	r, err := OpenLoop(sim.DefaultCar(), []Input{a, b}, Start{Speed: 25}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	near.Value(t, "speed after 2 s", r.Rows[200].Vx, 17, 0.06)
}

func TestBadInputsGiveOneLineErrors(t *testing.T) {
	with := func(when float64, set func(*Input)) Input {
		in := only(when)
		set(&in)
		return in
	}
	steer := func(in *Input) { in.SteerWheel = 1 }
	for _, tt := range []struct {
		name string
		in   []Input
		st   Start
		want string
	}{
		{"nothing", nil, Start{}, "0 rows of input: give two or more"},
		{"one line", []Input{only(0)}, Start{}, "1 rows of input"},
		{"time stands", []Input{only(1), only(1)}, Start{}, "input row 2: t_s = 1 after 1: time must rise"},
		{"time is NaN", []Input{only(math.NaN()), only(1)}, Start{}, "input row 1: t_s = NaN"},
		{"too long", []Input{only(0), only(4000)}, Start{}, "duration of the inputs [s] = 4000"},
		{"a hole", []Input{with(0, steer), only(1)}, Start{}, "input row 2: steer_wheel_rad: give it in every row or in none"},
		{"too much", []Input{with(0, func(in *Input) { in.Brake = 1.5 }), only(1)}, Start{}, "input row 1: brake = 1.5: must be 0 to 1"},
		{"infinite", []Input{with(0, func(in *Input) { in.Ax = math.Inf(1) }), only(1)}, Start{}, "input row 1: ax_mps2 = +Inf"},
		{"steered twice", []Input{
			with(0, func(in *Input) { in.SteerWheel, in.SteerRoad = 1, 0.1 }),
			with(1, func(in *Input) { in.SteerWheel, in.SteerRoad = 1, 0.1 }),
		}, Start{}, "steer_wheel_rad and steer_road_rad are both given"},
		{"held twice", []Input{
			with(0, func(in *Input) { in.Speed, in.Ax = 1, 0 }), with(1, func(in *Input) { in.Speed, in.Ax = 1, 0 }),
		}, Start{}, "speed_mps and ax_mps2 are both given"},
		{"held and driven", []Input{
			with(0, func(in *Input) { in.Speed, in.Throttle = 1, 0 }), with(1, func(in *Input) { in.Speed, in.Throttle = 1, 0 }),
		}, Start{}, "hold the speed without pedals and gears"},
		{"a start too fast", []Input{only(0), only(1)}, Start{Speed: 1e3}, "start speed [m/s] = 1000"},
		{"a start in seventh", []Input{only(0), only(1)}, Start{Gear: 7}, "start gear = 7: must be -1 to 6"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := OpenLoop(sim.DefaultCar(), tt.in, tt.st, Options{})
			if err == nil || !strings.HasPrefix(err.Error(), "maneuver: open-loop: ") || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v", err)
			}
		})
	}
}
