package steering

import (
	"math"
	"testing"

	"rig.example/rig/test/near"
)

// The coupe's keys: 286.5 °/s, 344° at standstill, 8 m/s² at speed.
func TestKeysLockShrinksWithSpeed(t *testing.T) {
	k := NewKeyboard(Default(), 2.66)
	for _, tt := range []struct{ speed, want float64 }{
		{0, 6.0039}, {1, 6.0039}, {-20, 0.77140}, {20, 0.77140}, {40, 0.19285}, // 14.5·2.66·8/v²
	} {
		near.Value(t, "lock", k.Lock(tt.speed), tt.want, 1e-4)
	}
	if lock := k.Lock(math.NaN()); !(lock > 0) {
		t.Errorf("lock %g at no speed", lock)
	}
}

func TestKeysLockByTable(t *testing.T) {
	k := NewKeyboard(builtIn(func(s *Params) { s.Keys.BySpeed = []KeysLockPoint{{0, 300}, {100, 50}, {200, 20}} }), 2.66)
	for _, tt := range []struct{ kph, want float64 }{{0, 300}, {50, 175}, {-50, 175}, {100, 50}, {150, 35}, {300, 20}} {
		near.Value(t, "lock", k.Lock(tt.kph/3.6)/degree, tt.want, 1e-9)
	}
}

func TestKeysGoNoFurtherThanTheSteering(t *testing.T) {
	k := NewKeyboard(builtIn(func(s *Params) { s.Keys.Lock, s.MaxSteer = 1500, 30 }), 2.66)
	near.Value(t, "lock", k.Lock(0)/degree, 30*14.5, 1e-9)
}

func TestKeysRampAndReturn(t *testing.T) {
	k := NewKeyboard(builtIn(func(s *Params) { s.Keys.SteerRate, s.Keys.ReturnRate = 200, 400 }), 2.66)
	tests := []struct {
		name             string
		from, keys, want float64 // degrees, after 0.1 s
	}{
		{"left", 0, 1, 20},
		{"right", 0, -1, -20},
		{"let go", 100, 0, 60},
		{"let go on the right", -100, 0, -60},
		{"let go near the middle", 10, 0, 0},
		{"against", 100, -1, 60},
		{"at the lock", 340, 1, 344},
		{"beyond the lock", 400, 1, 360},
		{"NaN", math.NaN(), 0, 0},
	}
	for _, tt := range tests {
		near.Value(t, tt.name, k.Step(tt.from*degree, tt.keys, 0, 0.1)/degree, tt.want, 1e-9)
	}
}
