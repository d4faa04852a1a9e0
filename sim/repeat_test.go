package sim

import (
	"math"
	"reflect"
	"strings"
	"sync"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/road"
	"rig.example/rig/sim/assist"
	"rig.example/rig/test/near"
)

// drive is a recorded drive: pull away, bends, hard braking with lock-up,
// standstill, reverse.
func drive(tick int) Input {
	in := handled(float64(tick) * Dt)
	in.Assists.AutoClutch = true
	return in
}

func handled(at float64) Input {
	switch {
	case at < 6:
		return Input{Throttle: 1, Gear: 1 + int8(at/2), Steer: 2 * math.Mod(at, 1), Assists: assist.Switches{AutoClutch: true}}
	case at < 9:
		return Input{Throttle: 0.3, Gear: 3, Steer: 1.5, Assists: assist.Switches{AutoClutch: true}}
	case at < 13:
		return Input{Brake: 1, Gear: 2, Steer: -0.4, Clutch: 1}
	}
	return Input{Throttle: 0.5, Gear: -1, Steer: -2, Assists: assist.Switches{AutoClutch: true}}
}

func recorded(c *Car) State {
	s := c.Rest(r3.Vec{X: 1, Y: 2}, 0.3)
	for tick := range 16_000 {
		c.Step(&s, drive(tick))
	}
	return s
}

func TestTwoRunsGiveTheSameBits(t *testing.T) {
	a, b := recorded(coupe(t)), recorded(coupe(t))
	if a.Hash() != b.Hash() || a != b {
		t.Errorf("hashes %016x and %016x", a.Hash(), b.Hash())
	}
}

func TestHashCoversEveryField(t *testing.T) {
	s := recorded(coupe(t))
	base := s.Hash()
	var walk func(path string, v reflect.Value)
	walk = func(path string, v reflect.Value) {
		for _, follows := range [...]string{"State.Bars", "State.Driveline.Flow", "State.State.Impact", "State.State.Clearance", "State.Wheels.Roll.NormalizedSlip"} {
			if strings.HasPrefix(path, follows) {
				return // from the rest
			}
		}
		old := reflect.New(v.Type()).Elem()
		old.Set(v)
		switch v.Kind() {
		case reflect.Struct:
			for i := range v.NumField() {
				walk(path+"."+v.Type().Field(i).Name, v.Field(i))
			}
			return
		case reflect.Array:
			for i := range v.Len() {
				walk(path, v.Index(i))
			}
			return
		case reflect.Float64:
			v.SetFloat(math.Nextafter(v.Float(), 1e9))
		case reflect.Bool:
			v.SetBool(!v.Bool())
		case reflect.Int8:
			v.SetInt(v.Int() + 1)
		case reflect.Uint8, reflect.Uint64:
			v.SetUint(v.Uint() + 1)
		default:
			t.Fatalf("%s is a %s: not a plain value", path, v.Kind())
		}
		if s.Hash() == base {
			t.Errorf("%s does not change the hash", path)
		}
		v.Set(old)
	}
	walk("State", reflect.ValueOf(&s).Elem())
}

func TestAStraightLineStaysStraight(t *testing.T) {
	c := coupe(t)
	s := c.Rest(r3.Vec{}, 0)
	for i := range 30_000 {
		in := Input{Throttle: 1, Gear: 1, Assists: assist.Switches{AutoClutch: true, AutoShift: true}}
		if i > 24_000 {
			in.Throttle, in.Brake = 0, 1
		}
		c.Step(&s, in)
		if s.Pos.Y != 0 || s.Rate.Z != 0 || s.Roll() != 0 {
			t.Fatalf("after %d ms y = %g m, yaw rate %g rad/s, roll %g rad", i, s.Pos.Y, s.Rate.Z, s.Roll())
		}
	}
}

func TestHalfTheStepChangesLittle(t *testing.T) {
	at := func(dt float64) State {
		c := newCar(t, DefaultCar(), dt)
		s := rolling(c, 25, 4)
		run(c, &s, 1, Input{Throttle: 0.3, Gear: 4})
		run(c, &s, 3, Input{Throttle: 0.3, Gear: 4, Steer: 0.5})
		return s
	}
	coarse, mid, fine := at(1e-3), at(5e-4), at(2.5e-4)
	first := r3.Norm(r3.Sub(coarse.Pos, mid.Pos))
	second := r3.Norm(r3.Sub(mid.Pos, fine.Pos))
	if first > 0.15 || second > 0.6*first {
		t.Errorf("half the step moves the car by %.4f m, half of that by %.4f m", first, second)
	}
	near.Value(t, "yaw rate", coarse.Rate.Z, fine.Rate.Z, 2e-3)
}

func TestStepAllocatesNothing(t *testing.T) {
	c := coupe(t)
	s := rolling(c, 20, 3)
	tick := 0
	if n := testing.AllocsPerRun(1000, func() {
		c.Step(&s, drive(tick%16_000))
		_ = s.Hash()
		tick++
	}); n != 0 {
		t.Errorf("%g allocations", n)
	}
}

// Cars of one set of parameters on one ground share nothing that a step changes. They drive at
// the same time, so that the race detector can check that.
func TestCarsDriveAtOnce(t *testing.T) {
	p, ground := DefaultCar(), road.Asphalt()
	want := recorded(mustNew(t, p, ground))
	var all sync.WaitGroup
	for range 2 {
		all.Go(func() {
			if got := recorded(mustNew(t, p, ground)); got != want {
				t.Errorf("hash %016x beside another car, %016x alone", got.Hash(), want.Hash())
			}
		})
	}
	all.Wait()
}

func mustNew(t testing.TB, p Params, ground road.Ground) *Car {
	c, err := New(p, ground, Dt)
	if err != nil {
		t.Error(err)
	}
	return c
}
