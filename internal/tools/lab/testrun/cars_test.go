package testrun_test

import (
	"math"
	"sync"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/internal/files/config"
	"rig.example/rig/road"
	"rig.example/rig/sim"
	"rig.example/rig/sim/driver"
	"rig.example/rig/sim/maneuver"
	"rig.example/rig/sim/tire"
	"rig.example/rig/test/club"
	"rig.example/rig/test/level"
	"rig.example/rig/test/testground"
)

const degree = math.Pi / 180

// loaded returns the parameters of a built-in car, changed by settings as --set takes them.
func loaded(t testing.TB, name string, set ...string) sim.Params {
	t.Helper()
	p, err := config.LoadCar(name, set...)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// built returns a built-in car on a ground.
func built(t testing.TB, g road.Ground, name string, set ...string) *sim.Car {
	t.Helper()
	c, err := sim.New(loaded(t, name, set...), g, sim.Dt)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// rolled returns a car that has rolled straight ahead for a second from a speed [m/s].
func rolled(c *sim.Car, speed float64) sim.State {
	s := c.Rest(r3.Vec{}, 0)
	s.Vel.X = speed
	for i := range s.Wheels {
		s.Wheels[i].Roll.Spin = speed / s.Wheels[i].Hub.Z
	}
	steps(c, &s, 1000, func(*sim.State) sim.Input { return sim.Input{} })
	return s
}

// steps drives a car for a number of milliseconds.
func steps(c *sim.Car, s *sim.State, ms int, drive func(*sim.State) sim.Input) {
	for range ms {
		c.Step(s, drive(s))
	}
}

// kept returns the push that holds a speed along the car [m/s].
func kept(c *sim.Car, s *sim.State, speed float64) float64 {
	return 2 * c.Params().Mass * (speed - s.Speed)
}

// coarse is the time step of what takes long [s]: twice the rig's, unless all tests run.
func coarse() float64 {
	if level.All() {
		return sim.Dt
	}
	return 2 * sim.Dt
}

// figures drives a standard manoeuvre and returns what it is judged by, true as 1.
func figures(t testing.TB, name string, p sim.Params, o maneuver.Options) map[string]float64 {
	t.Helper()
	r, err := maneuver.Do(name, p, o)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]float64{}
	for _, m := range r.Metrics {
		switch v := m.Value.(type) {
		case float64:
			all[m.Name] = v
		case bool:
			all[m.Name] = map[bool]float64{true: 1}[v]
		}
	}
	return all
}

// shipped are the figures of built-in cars as they are, so that tests share a drive.
var shipped sync.Map // of func() map[string]float64, by manoeuvre and car

// figuresOf drives a standard manoeuvre with a built-in car, with a time step of coarse, or takes its figures from
// an earlier test.
func figuresOf(t testing.TB, name, car string) map[string]float64 {
	t.Helper()
	drive, _ := shipped.LoadOrStore(name+" "+car, sync.OnceValue(func() map[string]float64 {
		return figures(t, name, loaded(t, car), maneuver.Options{Dt: coarse()})
	}))
	return drive.(func() map[string]float64)()
}

// sum returns the load of all wheels [N].
func sum(s *sim.State) float64 {
	return (s.Wheels[tire.FL].Load + s.Wheels[tire.FR].Load) + (s.Wheels[tire.RL].Load + s.Wheels[tire.RR].Load)
}

// inTurn returns a car after eight seconds of a bend to the left, at a speed [m/s] and the
// steering angle that a neutral car needs there for a lateral acceleration [m/s²].
func inTurn(c *sim.Car, speed, ay float64) sim.State {
	p := c.Params()
	angle := p.Steering.Ratio * p.Wheelbase * ay / (speed * speed)
	s := rolled(c, speed)
	steps(c, &s, 8000, func(s *sim.State) sim.Input {
		return sim.Input{Steer: angle, PushForce: kept(c, s, speed)}
	})
	return s
}

// flatAt returns the ground at a height [m] below a point.
func flatAt(p r3.Vec, height, grip float64) road.Contact {
	s := tire.Dry()
	s.Grip = grip
	return road.Contact{Point: r3.Vec{X: p.X, Y: p.Y, Z: height}, Normal: r3.Vec{Z: 1}, Depth: height - p.Z, Surface: s}
}

// class is what the figures of a kind of car lie between, at 80 km/h on a dry road.
type class struct {
	car        string
	understeer [2]float64 // at the road wheels [°/g]
	roll       [2]float64 // [°/g]
	grip       [2]float64 // largest lateral acceleration [g]
	yaw        [2]float64 // until the yaw rate is at 90 % of a step steer's [s]
	slip       float64    // at which its tires brake best
	stop       [2]float64 // way from 100 km/h to a standstill then [m]
	turnIn     float64    // most of the yaw rate's ratio, 1 s after braking at 4 m/s² in a bend
}

// classes are after Gillespie (Fundamentals of Vehicle Dynamics, ch. 6: 1 to 4 °/g and 2 to
// 8 °/g in passenger cars, ch. 3: 0.95 g on dry roads, less with truck tires) and Milliken
// (Race Car Vehicle Dynamics, ch. 7 and 16: racing cars are nearly neutral and hardly roll).
// The cars of games have what their friction curves and their lowered masses make of them.
func classes() []class {
	return []class{
		{"coupe", [2]float64{0.5, 2}, [2]float64{8, 10}, [2]float64{0.75, 1.1}, [2]float64{0.15, 0.32}, 0.11, [2]float64{35, 40}, 2.5},
		{"formula", [2]float64{0, 0.5}, [2]float64{0.1, 0.6}, [2]float64{1.6, 2.2}, [2]float64{0.05, 0.15}, 0.1, [2]float64{18, 24}, 1.2},
		{"gt", [2]float64{0.05, 1}, [2]float64{0.5, 1.5}, [2]float64{1.4, 1.8}, [2]float64{0.1, 0.2}, 0.1, [2]float64{21, 26}, 1.3},
		{"hatch", [2]float64{1.5, 3}, [2]float64{4, 6}, [2]float64{0.8, 1}, [2]float64{0.15, 0.30}, 0.11, [2]float64{35, 40}, 2},
		{"pickup", [2]float64{1, 4}, [2]float64{4, 6}, [2]float64{0.6, 0.8}, [2]float64{0.2, 0.40}, 0.12, [2]float64{42, 48}, 1.4},
		{"raycast", [2]float64{-0.3, 0.3}, [2]float64{0.2, 1.5}, [2]float64{1, 1.2}, [2]float64{0.02, 0.15}, 0.1, [2]float64{34, 38}, 1.2},
		{"wheelcollider", [2]float64{0, 1}, [2]float64{4, 8}, [2]float64{0.8, 1.1}, [2]float64{0.2, 0.5}, 0.38, [2]float64{38, 44}, 3.2},
	}
}

func TestEveryCarBehavesAsItsClassDoes(t *testing.T) {
	o := maneuver.Options{Speed: 80 / 3.6, Dt: coarse()}
	for _, k := range classes() {
		t.Run(k.car, func(t *testing.T) {
			if k.car != "hatch" {
				level.SkipIfQuick(t)
			}
			t.Parallel()
			p := loaded(t, k.car)
			circle, step := figures(t, "steady-circle", p, o), figures(t, "step-steer", p, o)
			inside(t, "understeer [°/g]", circle["understeer_gradient_deg_per_g"], k.understeer)
			inside(t, "roll [°/g]", circle["roll_gradient_deg_per_g"], k.roll)
			inside(t, "lateral acceleration [g]", circle["max_ay_g"], k.grip)
			inside(t, "yaw rate at 90 % [s]", step["yaw_t90_s"], k.yaw)
			inside(t, "stop from 100 km/h [m]", stop(t, k.car, k.slip), k.stop)
			turn := figuresOf(t, "brake-in-turn", k.car)
			inside(t, "yaw rate after braking", turn["yaw_ratio_1s"], [2]float64{0.7, k.turnIn})
			inside(t, "sideslip while braking [°]", turn["max_sideslip_deg"], [2]float64{0, 9})
			coast := figures(t, "coastdown", p, maneuver.Options{Dt: 2e-3})
			inside(t, "coasting from 120 km/h [s]", coast["time_s"], [2]float64{90, 220})
		})
	}
}

func inside(t testing.TB, name string, v float64, limits [2]float64) {
	t.Helper()
	t.Logf("%s: %.3f of %g to %g", name, v, limits[0], limits[1])
	if !(v >= limits[0] && v <= limits[1]) { // also if it is NaN
		t.Errorf("%s: %.3f, want %g to %g", name, v, limits[0], limits[1])
	}
}

// stop returns the way from 100 km/h to a standstill [m] with a brake for each axle that
// is governed to a slip, as an anti-lock system would: what the tires are good for.
func stop(t testing.TB, name string, slip float64) float64 {
	t.Helper()
	const full, quick, down, up, slow = 100 / 3.6, 100.0, 20.0, 5.0, 3.0 // [m/s], [1/s], [1/s], [1/s], [m/s]
	c := built(t, road.Asphalt(), name, "brakes.front_share=1", "brakes.handbrake_torque_nm=6000", "brakes.lag_s=0")
	s := rolled(c, full)
	from, speed, pedal := s.Pos.X, s.Speed, [2]float64{0.2, 0.05}
	for s.Speed > 0.1 && s.Tick < 20_000 {
		for axle := range pedal {
			missing := slip
			if s.Speed > slow {
				missing += s.Wheels[2*axle].Kappa
			}
			rate := min(max(quick*missing, -down), up)
			pedal[axle] = min(max(pedal[axle]+sim.Dt*rate, 0.02), 1)
		}
		c.Step(&s, sim.Input{Brake: pedal[0], Handbrake: pedal[1]})
	}
	return (s.Pos.X - from) * (full / speed) * (full / speed)
}

func TestNoCarLocksItsRearWheelsFirst(t *testing.T) {
	level.SkipIfQuick(t)
	t.Parallel()
	for _, name := range []string{"coupe", "formula", "gt", "hatch", "pickup", "raycast", "wheelcollider"} {
		c := built(t, road.Asphalt(), name)
		for pedal := 0.3; pedal < 1.01; pedal += float64(level.Pick(2, 2, 1)) * 0.05 {
			s := rolled(c, 100/3.6)
			for s.Speed > 3 && s.Tick < 20_000 {
				c.Step(&s, sim.Input{Brake: pedal})
				front, rear := s.Wheels[tire.FL].Roll.Spin, s.Wheels[tire.RL].Roll.Spin
				if rear < 1 && front > 5 {
					t.Errorf("%s: with %.0f %% of the pedal the rear wheels lock first", name, 100*pedal)
				}
				if min(front, rear) < 1 {
					break
				}
			}
		}
	}
}

// Unless all tests run, the coupe and the pickup drive a lap here, and two cars in TestEveryCarLapsAtItsLimit.
func TestEveryCarDrivesALap(t *testing.T) {
	level.SkipIfQuick(t)
	for i, name := range config.Cars() {
		if i%4 != 0 && !level.All() {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			circuit, dt := club.Circuit(t), coarse()
			c, err := sim.New(loaded(t, name), circuit, dt)
			if err != nil {
				t.Fatal(err)
			}
			d, err := driver.New(driver.DefaultConfig(), c, circuit, dt)
			if err != nil {
				t.Fatal(err)
			}
			s := c.Rest(r3.Vec{X: 10}, 0)
			m := d.Start(&s)
			offset, slip := math.Inf(-1), 0.0
			for far := 0.0; far < circuit.Length()+100; far += dt * s.Speed {
				c.Step(&s, d.Drive(&m, &s))
				now := float64(s.Tick) * dt
				offset = max(offset, outermost(circuit, &s, m.Station))
				if s.Speed > 5 {
					slip = max(slip, math.Abs(sideslip(&s)))
				}
				if offset > 0 || slip > 15*degree || now > 210 {
					t.Fatalf("after %.3f s at %.0f m: a wheel %.1f m beyond the road, %.1f° of sideslip, %.1f m/s",
						now, m.Station, offset, slip/degree, s.Speed)
				}
			}
			t.Logf("%.1f s, %.2f m left to the road's edge, %.1f° of sideslip", float64(s.Tick)*dt, -offset, slip/degree)
		})
	}
}

// outermost returns how far the outermost wheel is beyond the road's edge [m], negative on it.
func outermost(c *road.Circuit, s *sim.State, station float64) float64 {
	largest := math.Inf(-1)
	for i := range s.Wheels {
		at, lateral := c.Nearest(s.Wheels[i].Hub, station)
		p := c.At(at)
		largest = max(largest, lateral-p.Left, -p.Right-lateral)
	}
	return largest
}

// sideslip returns the angle of travel to the left of the heading [rad].
func sideslip(s *sim.State) float64 {
	return math.Remainder(math.Atan2(s.Vel.Y, s.Vel.X)-s.Yaw(), 2*math.Pi)
}

func TestEveryCarStandsOnASlopeWithItsBrake(t *testing.T) {
	level.SkipIfQuick(t)
	t.Parallel()
	tests := []struct {
		name           string
		slope, heading float64 // [rad], from straight up
	}{
		{"8°, up", 8 * degree, 0},
		{"8°, across", 8 * degree, math.Pi / 2},
		{"20 %, askew", math.Atan(0.2), 2.5},
	}
	for i, name := range config.Cars() {
		for k, tt := range tests {
			if k != i%len(tests) && !level.All() {
				continue
			}
			c := built(t, testground.NewPlane(tt.slope, 0, tire.Dry()), name)
			if crept := creep(c, tt.heading); !(crept < 0.01e-3) { // also if it is NaN
				t.Errorf("%s, %s: creeps %.4f mm in 5 s", name, tt.name, 1e3*crept)
			}
		}
	}
}

// creep returns how far a braked car moves in 5 s once its springs are at rest, which takes
// a pickup that leans 12 s [m].
func creep(c *sim.Car, heading float64) float64 {
	s := c.Rest(r3.Vec{}, heading)
	brake := func(*sim.State) sim.Input { return sim.Input{Brake: 1} }
	steps(c, &s, 15_000, brake)
	from := s.Pos
	steps(c, &s, 5000, brake)
	return r3.Norm(r3.Sub(s.Pos, from))
}
