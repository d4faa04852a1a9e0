package calib

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
)

func ExampleAxis_Value() {
	throttle := Axis{Code: "ABS_Z", Rest: 1023, Press: 23}
	fmt.Println(throttle.Value(523))
	// Output: 0.5
}

func ExampleWheelProfile_Angle() {
	w := WheelProfile{Left: 0, Right: 65535, Center: 32768, RangeDeg: 900}
	fmt.Printf("%.3f\n", w.Angle(16384)) // a quarter of the way from the left lock
	// Output: 3.927
}

func TestAxisValue(t *testing.T) {
	up := Axis{Rest: 100, Press: 1100, DeadLow: 0.1, DeadHigh: 0.1}
	down := Axis{Rest: 255, Press: 0}
	tests := []struct {
		name string
		a    Axis
		raw  int32
		want float64
	}{
		{"at rest", up, 100, 0},
		{"beyond rest", up, -500, 0},
		{"in the dead zone", up, 199, 0},
		{"half way", up, 600, 0.5},
		{"end of the travel that counts", up, 1000, 1},
		{"beyond the end", up, 9999, 1},
		{"counting down, released", down, 255, 0},
		{"counting down, pressed", down, 0, 1},
		{"counting down, a fifth", down, 204, 0.2},
		{"no travel", Axis{Rest: 7, Press: 7}, 7, 0},
		{"whole range of counts", Axis{Rest: math.MinInt32, Press: math.MaxInt32}, math.MaxInt32, 1},
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			if got := c.a.Value(c.raw); math.Abs(got-c.want) > 1e-12 {
				t.Errorf("got %g, want %g", got, c.want)
			}
		})
	}
}

func goodWheel() WheelProfile {
	return WheelProfile{Version: ProfileVersion, Axis: "ABS_X", Right: 65535, Center: 32768, RangeDeg: 900, Force: 1}
}

func TestWheelProfileValidate(t *testing.T) {
	tests := []struct {
		name  string
		spoil func(*WheelProfile)
		says  string // empty: it is good
	}{
		{"good", func(p *WheelProfile) {}, ""},
		{"counting to the left", func(p *WheelProfile) { p.Left, p.Right = 65535, 0 }, ""},
		{"other version", func(p *WheelProfile) { p.Version = 9 }, "version = 9, this rig reads 1"},
		{"no axis", func(p *WheelProfile) { p.Axis = "ABS_NO" }, `"ABS_NO"`},
		{"no travel", func(p *WheelProfile) { p.Right = 0; p.Center = 0 }, "too little travel"},
		{"center outside", func(p *WheelProfile) { p.Center = 70000 }, "center = 70000"},
		{"no range", func(p *WheelProfile) { p.RangeDeg = math.NaN() }, "must be 40 to 4000"},
		{"no sign", func(p *WheelProfile) { p.Force = 2 }, "force_sign = 2"},
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			p := goodWheel()
			c.spoil(&p)
			err := p.Validate()
			if (err == nil) != (c.says == "") || err != nil && !strings.Contains(err.Error(), c.says) {
				t.Errorf("got %v, want %q", err, c.says)
			}
		})
	}
}

func TestPedalsProfileValidateReportsAll(t *testing.T) {
	p := PedalsProfile{
		Version:  ProfileVersion,
		Throttle: &Axis{Code: "ABS_Z", Rest: 5, Press: 5, DeadLow: 0.9, DeadHigh: math.NaN()},
		Brake:    &Axis{Code: "ABS_Z", Rest: 0, Press: 255},
	}
	err := p.Validate()
	if !errors.Is(err, ErrNoTravel) {
		t.Errorf("%v is not ErrNoTravel", err)
	}
	for _, want := range []string{"throttle", "press it fully and measure again", "dead_low = 0.9", "dead_high = NaN", "ABS_Z is used for two pedals"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%v lacks %q", err, want)
		}
	}
	if err := (&PedalsProfile{Version: ProfileVersion}).Validate(); err == nil {
		t.Error("a profile without pedals was accepted")
	}
}
