package assist

import (
	"math"
	"testing"

	"rig.example/rig/test/near"
)

func keyed(change func(*PedalKeys)) *KeyPedals {
	p := PedalKeys{Throttle: Ramp{2, 5}, Brake: Ramp{4, 8}, StartThrottle: 0.5, FullThrottleFrom: 36, EaseFromSlip: 0.2}
	change(&p)
	return NewKeyPedals(p)
}

func TestKeysRampThePedals(t *testing.T) {
	k := keyed(func(*PedalKeys) {})
	tests := []struct {
		name        string
		from        Pedals
		up, down    bool
		speed, slip float64
		want        Pedals // 0.1 s later
	}{
		{"forward", Pedals{}, true, false, 20, 0, Pedals{Throttle: 0.2}},
		{"let go", Pedals{Throttle: 1}, false, false, 20, 0, Pedals{Throttle: 0.5}},
		{"brake", Pedals{Throttle: 0.3}, false, true, 20, 0, Pedals{Brake: 0.4}},
		{"brake let go", Pedals{Brake: 0.9}, false, false, 20, 0, Pedals{Brake: 0.1}},
		{"both", Pedals{Throttle: 0.3}, true, true, 20, 0, Pedals{Brake: 0.4}},
		{"pulling away", Pedals{Throttle: 0.5}, true, false, 0, 0, Pedals{Throttle: 0.5}},
		{"half way to the whole throttle", Pedals{Throttle: 0.7}, true, false, 5, 0, Pedals{Throttle: 0.75}},
		{"wheels spin", Pedals{Throttle: 1}, true, false, 20, 0.4, Pedals{Throttle: 0.5}},
		{"wheels spin freely", Pedals{Throttle: 0.4}, true, false, 20, 0.9, Pedals{}},
		{"standing, backward", Pedals{}, false, true, 0, 0, Pedals{Throttle: 0.2, Reverse: true}},
		{"backward", Pedals{Reverse: true}, false, true, -12, 0, Pedals{Throttle: 0.2, Reverse: true}},
		{"braking while going backward", Pedals{Reverse: true}, true, false, -5, 0, Pedals{Brake: 0.4, Reverse: true}},
		{"forward again", Pedals{Reverse: true}, true, false, 0, 0, Pedals{Throttle: 0.2}},
		{"NaN", Pedals{Throttle: math.NaN(), Brake: math.Inf(1)}, true, false, math.NaN(), math.NaN(), Pedals{Throttle: 0.2, Brake: 0.2}},
	}
	for _, tt := range tests {
		got := k.Step(tt.from, tt.up, tt.down, tt.speed, tt.slip, 0.1)
		near.Value(t, tt.name+": throttle", got.Throttle, tt.want.Throttle, 1e-12)
		near.Value(t, tt.name+": brake", got.Brake, tt.want.Brake, 1e-12)
		if got.Reverse != tt.want.Reverse {
			t.Errorf("%s: reverse is %t", tt.name, got.Reverse)
		}
	}
}
