package telemetry_test

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"testing"

	"gonum.org/v1/gonum/num/quat"

	"rig.example/rig/internal/connect/packets"
	"rig.example/rig/road"
	"rig.example/rig/sim"
)

const degree = math.Pi / 180

// situations are cars that are driven, and in words what they do at the end.
var situations = []struct {
	name  string
	drive func(t *testing.T) *driven
	want  packets.Words // "" where it does not matter
	gear  string
}{
	{"full throttle", func(t *testing.T) *driven {
		d := newDriven(t, road.Asphalt(), 10, 2)
		d.Input.Throttle = 1
		d.drive(1, nil)
		return d
	}, packets.Words{Travel: "forward", Thrust: "accelerating", Turn: "straight", Spin: "not spinning", Steer: "steered straight", Nose: "nose up", Lean: "upright", Slope: "at one height"}, "2"},
	{"hard braking", func(t *testing.T) *driven {
		d := newDriven(t, road.Asphalt(), 30, 3)
		d.Input.Brake, d.Input.Clutch = 0.5, 1
		d.drive(0.8, nil)
		return d
	}, packets.Words{Travel: "forward", Thrust: "braking", Turn: "straight", Spin: "not spinning", Nose: "nose down", Lean: "upright"}, "3"},
	{"steady left turn", func(t *testing.T) *driven { return cornering(t, 1) },
		packets.Words{Travel: "forward", Turn: "left turn", Spin: "spinning left", Steer: "steered left", Lean: "right side down"}, "3"},
	{"steady right turn", func(t *testing.T) *driven { return cornering(t, -1) },
		packets.Words{Travel: "forward", Turn: "right turn", Spin: "spinning right", Steer: "steered right", Lean: "left side down"}, "3"},
	{"uphill", func(t *testing.T) *driven { return onSlope(t, 0.15, 0) },
		packets.Words{Travel: "forward", Thrust: "steady", Turn: "straight", Nose: "nose up", Lean: "upright", Slope: "climbing"}, "2"},
	{"downhill", func(t *testing.T) *driven { return onSlope(t, -0.15, 0) },
		packets.Words{Travel: "forward", Thrust: "steady", Turn: "straight", Nose: "nose down", Lean: "upright", Slope: "descending"}, "2"},
	{"parked across a slope that rises to the left", func(t *testing.T) *driven {
		d := newDriven(t, newPlane(0, 0.2), 0, 0)
		d.Input.Handbrake, d.Input.Brake = 1, 1
		d.drive(0.5, nil)
		return d
	}, packets.Words{Travel: "still", Thrust: "steady", Turn: "straight", Spin: "not spinning", Lean: "right side down", Slope: "at one height"}, "N"},
	{"handbrake turn to the left", func(t *testing.T) *driven { return handbrakeTurn(t, 1) },
		packets.Words{Travel: "forward", Spin: "spinning left", Steer: "steered left"}, "3"},
	{"handbrake turn to the right", func(t *testing.T) *driven { return handbrakeTurn(t, -1) },
		packets.Words{Travel: "forward", Spin: "spinning right", Steer: "steered right"}, "3"},
	{"reversing to the left", func(t *testing.T) *driven {
		d := newDriven(t, road.Asphalt(), -3, -1)
		d.Input.Steer = 2
		d.drive(1, func() { d.HoldSpeed(-3, 0) })
		return d
	}, packets.Words{Travel: "backward", Turn: "left turn", Spin: "spinning right", Steer: "steered left"}, "R"},
}

// cornering returns a car in a steady turn, to the left for side 1 and to the right for -1.
func cornering(t *testing.T, side float64) *driven {
	d := newDriven(t, road.Asphalt(), 18, 3)
	d.drive(3, func() {
		d.HoldSpeed(18, 0)
		d.Input.Steer = side * min(1, d.Now())
	})
	return d
}

// onSlope returns a car that drives at constant speed on ground that rises ahead and to the left [rad].
func onSlope(t *testing.T, ahead, left float64) *driven {
	d := newDriven(t, newPlane(ahead, left), 8, 2)
	d.drive(2, func() { d.HoldSpeed(8, 0) })
	return d
}

// handbrakeTurn returns a car whose rear slides out, to the left for side 1 and to the right for -1.
func handbrakeTurn(t *testing.T, side float64) *driven {
	d := newDriven(t, road.Asphalt(), 16, 3)
	d.Input.Clutch = 1
	d.drive(1.1, func() {
		d.Input.Steer = side * 4 * min(1, 4*d.Now())
		d.Input.Handbrake = min(1, max(0, 4*(d.Now()-0.3)))
	})
	return d
}

func TestEachFormatSaysInWordsWhatTheCarDoes(t *testing.T) {
	for _, tt := range situations {
		t.Run(tt.name, func(t *testing.T) {
			d := tt.drive(t)
			s := d.sample()
			car := motionOf(s.Frame)
			if compareWords(t, "the car", car.Words(), tt.want); car.Gear != tt.gear {
				t.Errorf("the car is in gear %s, want %s", car.Gear, tt.gear)
			}
			for _, f := range formats {
				got := f.sent(t, s)
				compareWords(t, f.name, got.Words(), tt.want)
				compareMotion(t, &f, &got, &car)
			}
		})
	}
}

// compareWords compares what got and want both have.
func compareWords(t *testing.T, name string, got, want packets.Words) {
	t.Helper()
	g, w := reflect.ValueOf(got), reflect.ValueOf(want)
	for i := range g.NumField() {
		if said, should := g.Field(i).String(), w.Field(i).String(); said != "" && should != "" && said != should {
			t.Errorf("%s says %q, want %q", name, said, should)
		}
	}
}

// compareMotion compares what a packet of a format says with the car's motion, but for the direction of the world's
// axes, which each format chooses.
func compareMotion(t *testing.T, f *format, got, car *packets.Motion) {
	t.Helper()
	compare := func(what string, group string, got, want, within float64) {
		t.Helper()
		if slices.Contains(f.has, group) != !math.IsNaN(got) {
			t.Errorf("%s: %s is %g; it has %v", f.name, what, got, f.has)
		} else if math.Abs(got-want) > within {
			t.Errorf("%s: %s is %.6g, want %.6g", f.name, what, got, want)
		}
	}
	if slices.Contains(f.has, gear) && got.Gear != car.Gear {
		t.Errorf("%s: gear %q, want %q", f.name, got.Gear, car.Gear)
	}
	if slices.Contains(f.has, speed) && !(got.Speed > math.Abs(car.Forward)-0.2 && got.Speed < car.Speed+0.2) { // simapi rounds to 1 km/h
		t.Errorf("%s: speed %g m/s, want %g along the car or %g of the car", f.name, got.Speed, math.Abs(car.Forward), car.Speed)
	}
	compare("velocity forward", velocity, got.Forward, car.Forward, 1e-3)
	compare("velocity to the left", velocity, got.Left, car.Left, 1e-3)
	compare("acceleration forward", acceleration, got.AccForward, car.AccForward, 0.02) // g may be 9.8 or 9.80665
	compare("acceleration to the left", acceleration, got.AccLeft, car.AccLeft, 0.02)
	compare("acceleration up", lift, got.AccUp, car.AccUp, 1e-3)
	compare("nose up", attitude, got.NoseUp, car.NoseUp, 1e-4)
	compare("right side down", attitude, got.RightDown, car.RightDown, 1e-4)
	compare("rate of right side down", rates, got.RightDownRate, car.RightDownRate, 1e-4)
	compare("rate of nose up", rates, got.NoseUpRate, car.NoseUpRate, 1e-4)
	compare("rate to the left", rates, got.LeftRate, car.LeftRate, 1e-4)
	compareWorld(t, f, got, car)
}

// compareWorld compares headings, positions and velocities in the world, of which all must be turned by the same
// number of quarter turns.
func compareWorld(t *testing.T, f *format, got, car *packets.Motion) {
	t.Helper()
	if !slices.Contains(f.has, attitude) {
		return
	}
	turn := got.Heading - car.Heading
	if math.Abs(math.Remainder(turn, math.Pi/2)) > 1e-4 {
		t.Errorf("%s: heading %.4f rad where the car has %.4f: must be as many quarter turns away in every packet", f.name, got.Heading, car.Heading)
	}
	for _, v := range []struct {
		what      string
		got, want [3]float64
	}{{"position", got.Pos, car.Pos}, {"velocity", got.Vel, car.Vel}} {
		sin, cos := math.Sincos(turn)
		want := [3]float64{cos*v.want[0] - sin*v.want[1], sin*v.want[0] + cos*v.want[1], v.want[2]}
		for i := range 3 {
			if !(math.Abs(v.got[i]-want[i]) < 2e-3+1e-5*math.Abs(want[i])) {
				t.Errorf("%s: %s %.4g in the world, want %.4g for its heading", f.name, v.what, v.got, want)
				break
			}
		}
	}
}

// A turn to the left changes the heading to the left, and the way that the positions show is the one that the
// velocities show.
func TestHeadingsAndPositionsTurnAsTheCarDoes(t *testing.T) {
	for side, want := range map[float64]string{1: "left turn", -1: "right turn"} {
		d := cornering(t, side)
		before := d.sample()
		const seconds = 0.5
		d.drive(seconds, func() { d.HoldSpeed(18, 0) })
		after := d.sample()
		for _, f := range formats {
			if !slices.Contains(f.has, attitude) {
				continue
			}
			a, b := f.sent(t, before), f.sent(t, after)
			if said := packets.Turned(&a, &b); said != want {
				t.Errorf("%s: the heading says %q from %.3f to %.3f rad, want %q", f.name, said, a.Heading, b.Heading, want)
			}
			for i := range 3 {
				moved, mean := (b.Pos[i]-a.Pos[i])/seconds, (a.Vel[i]+b.Vel[i])/2
				if math.Abs(moved-mean) > 0.2 {
					t.Errorf("%s: in %q axis %d of the position changes by %.2f m/s, the velocity is %.2f m/s", f.name, want, i, moved, mean)
				}
			}
		}
	}
}

// Attitudes of several angles at once are those of the car in every format.
func TestCombinedAttitudes(t *testing.T) {
	car, err := sim.New(sim.DefaultCar(), road.Asphalt(), sim.Dt)
	if err != nil {
		t.Fatal(err)
	}
	var noTurn map[string]float64
	for _, tt := range []struct{ left, noseUp, rightDown float64 }{
		{0, 0, 0}, {120, 10, 0}, {120, 10, 25}, {-150, -20, -30}, {90, 60, 5}, {-90, 0, 170}, {179, 2, 1}, {-30, -70, 100},
	} {
		t.Run(fmt.Sprintf("%g left, %g nose up, %g right side down", tt.left, tt.noseUp, tt.rightDown), func(t *testing.T) {
			d := newDriven(t, road.Asphalt(), 0, 0)
			s := d.sample()
			s.Scene = sceneOf(car)
			q := attitudeOf(tt.left*degree, tt.noseUp*degree, tt.rightDown*degree)
			f := s.Frame
			f.Att = [4]float64{q.Real, q.Imag, q.Jmag, q.Kmag}
			f.Pos, f.Vel = [3]float64{100, -200, 30}, [3]float64{20, 5, -3}
			f.Acc, f.Rate = [3]float64{1, 2, -3}, [3]float64{0.4, -0.5, 0.6}
			f.Speed = motionOf(f).Forward
			want := motionOf(f)
			turn := map[string]float64{}
			for _, g := range formats {
				got := g.sent(t, s)
				compareMotion(t, &g, &got, &want)
				turn[g.name] = math.Remainder(got.Heading-want.Heading, 2*math.Pi)
				if noTurn != nil && math.Abs(math.Remainder(turn[g.name]-noTurn[g.name], 2*math.Pi)) > 1e-3 {
					t.Errorf("%s: the world is turned by %.3f rad, in the first packet by %.3f", g.name, turn[g.name], noTurn[g.name])
				}
			}
			if noTurn == nil {
				noTurn = turn
			}
		})
	}
}

// attitudeOf returns the attitude of a car that is turned to the left, then its nose up, then its right side down [rad].
func attitudeOf(left, noseUp, rightDown float64) quat.Number {
	about := func(angle float64, axis quat.Number) quat.Number {
		sin, cos := math.Sincos(angle / 2)
		return quat.Add(quat.Number{Real: cos}, quat.Scale(sin, axis))
	}
	yaw, pitch, roll := about(left, quat.Number{Kmag: 1}), about(-noseUp, quat.Number{Jmag: 1}), about(rightDown, quat.Number{Imag: 1})
	return quat.Mul(yaw, quat.Mul(pitch, roll))
}

func quaternion(a [4]float64) quat.Number {
	return quat.Number{Real: a[0], Imag: a[1], Jmag: a[2], Kmag: a[3]}
}
