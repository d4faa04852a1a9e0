package drive

import (
	"math"
	"testing"
)

// An H-pattern is where the lever is, even where the car would shift by itself;
// a sequential lever does what paddles do.
func TestLeversChooseTheGear(t *testing.T) {
	tests := []struct {
		name   string
		levers []Pedals // one tick each
		want   int8
	}{
		{"third on the gate", []Pedals{{HasHPattern: true, Gear: 3}}, 3},
		{"reverse on the gate", []Pedals{{HasHPattern: true, Gear: -1}}, -1},
		{"the gate in neutral", []Pedals{{HasHPattern: true}}, 0},
		{"two pulls from neutral", []Pedals{{}, {ShiftUp: true}, {}, {ShiftUp: true}}, 2},
		{"a pull back from neutral", []Pedals{{}, {ShiftDown: true}}, -1},
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			r := seated(t, func(s *Setup) { s.Assists.Clutch, s.Assists.Shifting = Off, Off })
			for _, l := range c.levers {
				r.in.Pedals = l
				if r.run(1); r.State.Input.Assists.AutoShift {
					t.Error("the car changes gears")
				}
			}
			gear := r.State.Input.Gear
			if gear != c.want {
				t.Errorf("gear %d, want %d", gear, c.want)
			}
		})
	}
}

// Without a wheel the car coasts and its steering goes back to the middle, whatever the
// foot does on pedals of their own.
func TestACarThatNobodySteersCoasts(t *testing.T) {
	r := seated(t, func(s *Setup) { s.Assists.Clutch, s.Assists.Shifting = Off, Off })
	r.in.Wheel.Angle, r.in.Pedals = 0.3, Pedals{Present: true, Throttle: 0.8, Brake: 0.1, Clutch: 0.2}
	in := &r.State.Input
	if r.run(1); in.Steer != 0.3 || in.Throttle != 0.8 || in.Brake != 0.1 || in.Clutch != 0.2 {
		t.Fatalf("at the wheel: %+v", in)
	}
	r.in.Wheel.Present = false
	if r.run(100); in.Throttle != 0 || in.Brake != 0.1 || in.Clutch != 0.2 || math.Abs(in.Steer-0.15) > 1e-9 {
		t.Errorf("0.1 s after it went: %+v, want no throttle and half of the way to the middle", in)
	}
	if r.run(200); in.Steer != 0 {
		t.Errorf("steers %g rad though nobody does", in.Steer)
	}
}
