package assist

import "testing"

func TestLaunchControlsPhases(t *testing.T) {
	k := built(t, func(*Params) {}).launch
	stands, rolls, fast := Sensors{}, Sensors{Speed: 5}, Sensors{Speed: 16}
	tests := []struct {
		name string
		from int8
		s    Sensors
		in   Input
		gear int8 // that is in
		cut  float64
		want int8
	}{
		{"throttle alone", LaunchReady, stands, Input{Gear: 1, Throttle: 1}, 0, 0, LaunchReady},
		{"half a throttle", LaunchReady, stands, Input{Gear: 1, Throttle: 0.6, Brake: 1}, 0, 0, LaunchReady},
		{"neutral", LaunchReady, stands, Input{Throttle: 1, Brake: 1}, 0, 0, LaunchReady},
		{"rolling", LaunchReady, rolls, Input{Gear: 1, Throttle: 1, Brake: 1}, 0, 0, LaunchReady},
		{"held by the brake", LaunchReady, stands, Input{Gear: 1, Throttle: 1, Brake: 1}, 0, 0, LaunchHolds},
		{"held by the clutch", LaunchReady, stands, Input{Gear: 1, Throttle: 1, Clutch: 1}, 0, 0, LaunchHolds},
		{"let go", LaunchHolds, stands, Input{Gear: 1, Throttle: 1}, 0, 0, LaunchGoes},
		{"given up", LaunchHolds, stands, Input{Gear: 1, Throttle: 0.2, Brake: 1}, 0, 0, LaunchReady},
		{"goes", LaunchGoes, rolls, Input{Gear: 2, Throttle: 1}, 0, 0, LaunchGoes},
		{"lifts", LaunchGoes, rolls, Input{Gear: 1, Throttle: 0.2}, 0, 0, LaunchReady},
		{"brakes", LaunchGoes, rolls, Input{Gear: 1, Throttle: 1, Brake: 1}, 0, 0, LaunchReady},
		{"fast enough", LaunchGoes, fast, Input{Gear: 2, Throttle: 1}, 0, 0, LaunchReady},
		{"fast, but spins", LaunchGoes, fast, Input{Gear: 2, Throttle: 1}, 1, 0.2, LaunchGoes},
	}
	for _, tt := range tests {
		tt.in.Sensors = tt.s
		if got := k.next(tt.from, tt.gear, tt.cut, &tt.in); got != tt.want {
			t.Errorf("%s: phase %d, want %d", tt.name, got, tt.want)
		}
	}
}
