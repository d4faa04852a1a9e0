package assist

import "testing"

func TestLaunchControlsPhases(t *testing.T) {
	k := built(t, func(*Params) {}).launch
	stands, rolls, fast := Sensors{}, Sensors{Speed: 5}, Sensors{Speed: 16}
	braked, brakedRolling := Sensors{Brake: 1}, Sensors{Brake: 1, Speed: 5}
	tests := []struct {
		name string
		from int8
		s    Sensors
		in   Orders
		gear int8 // that is in
		cut  float64
		want int8
	}{
		{"throttle alone", LaunchReady, stands, Orders{Gear: 1, Throttle: 1}, 0, 0, LaunchReady},
		{"half a throttle", LaunchReady, braked, Orders{Gear: 1, Throttle: 0.6}, 0, 0, LaunchReady},
		{"neutral", LaunchReady, braked, Orders{Throttle: 1}, 0, 0, LaunchReady},
		{"rolling", LaunchReady, brakedRolling, Orders{Gear: 1, Throttle: 1}, 0, 0, LaunchReady},
		{"held by the brake", LaunchReady, braked, Orders{Gear: 1, Throttle: 1}, 0, 0, LaunchHolds},
		{"held by the clutch", LaunchReady, stands, Orders{Gear: 1, Throttle: 1, Clutch: 1}, 0, 0, LaunchHolds},
		{"let go", LaunchHolds, stands, Orders{Gear: 1, Throttle: 1}, 0, 0, LaunchGoes},
		{"given up", LaunchHolds, braked, Orders{Gear: 1, Throttle: 0.2}, 0, 0, LaunchReady},
		{"goes", LaunchGoes, rolls, Orders{Gear: 2, Throttle: 1}, 0, 0, LaunchGoes},
		{"lifts", LaunchGoes, rolls, Orders{Gear: 1, Throttle: 0.2}, 0, 0, LaunchReady},
		{"brakes", LaunchGoes, brakedRolling, Orders{Gear: 1, Throttle: 1}, 0, 0, LaunchReady},
		{"fast enough", LaunchGoes, fast, Orders{Gear: 2, Throttle: 1}, 0, 0, LaunchReady},
		{"fast, but spins", LaunchGoes, fast, Orders{Gear: 2, Throttle: 1}, 1, 0.2, LaunchGoes},
	}
	for _, tt := range tests {
		if got := k.next(tt.from, tt.gear, tt.cut, &tt.s, &tt.in); got != tt.want {
			t.Errorf("%s: phase %d, want %d", tt.name, got, tt.want)
		}
	}
}
