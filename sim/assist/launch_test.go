package assist

import (
	"testing"

	"rig.example/rig/sim/driveline"
	"rig.example/rig/sim/tire"
	"rig.example/rig/test/near"
)

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
		{"held by the brake", LaunchReady, braked, Orders{Gear: 1, Throttle: 1}, 0, 0, LaunchHolding},
		{"held by the clutch", LaunchReady, stands, Orders{Gear: 1, Throttle: 1, Clutch: 1}, 0, 0, LaunchHolding},
		{"let go", LaunchHolding, stands, Orders{Gear: 1, Throttle: 1}, 0, 0, LaunchStarting},
		{"given up", LaunchHolding, braked, Orders{Gear: 1, Throttle: 0.2}, 0, 0, LaunchReady},
		{"goes", LaunchStarting, rolls, Orders{Gear: 2, Throttle: 1}, 0, 0, LaunchStarting},
		{"lifts", LaunchStarting, rolls, Orders{Gear: 1, Throttle: 0.2}, 0, 0, LaunchReady},
		{"brakes", LaunchStarting, brakedRolling, Orders{Gear: 1, Throttle: 1}, 0, 0, LaunchReady},
		{"fast enough", LaunchStarting, fast, Orders{Gear: 2, Throttle: 1}, 0, 0, LaunchReady},
		{"fast, but spins", LaunchStarting, fast, Orders{Gear: 2, Throttle: 1}, 1, 0.2, LaunchStarting},
	}
	for _, tt := range tests {
		if got := k.nextPhase(tt.from, tt.gear, tt.cut, &tt.s, &tt.in); got != tt.want {
			t.Errorf("%s: phase %d, want %d", tt.name, got, tt.want)
		}
	}
}

// Held by the brake the clutch stays open, and the throttle goes by the engine's speed; let go,
// the clutch closes in a third of its time while nothing slips.
func TestLaunchControlWorksThrottleAndClutch(t *testing.T) {
	e := built(t, func(p *Params) { p.Launch.RPM, p.Launch.CloseTime = 3500, 0.6 })
	var s State
	step := func(in Sensors, rpm float64) (o Orders) {
		o = Orders{Throttle: 1, Gear: 1}
		d := inFirst(e, in.Spin[tire.RL])
		d.EngineSpeed = rpm * driveline.PerRPM
		in.Switches = Switches{Launch: true}
		e.Step(&s, d, &in, &o)
		return o
	}
	for _, tt := range []struct{ rpm, throttle float64 }{{1000, 1}, {7000, 0}} {
		if o := step(Sensors{Brake: 1}, tt.rpm); o.Clutch != 1 || o.Throttle != tt.throttle {
			t.Errorf("at %g rpm: %+v", tt.rpm, o)
		}
	}
	const ticks = 150
	rolls := Sensors{Speed: 1, Spin: [4]float64{1 / 0.304, 1 / 0.304, 1 / 0.304, 1 / 0.304}}
	var o Orders
	for range ticks {
		o = step(rolls, 3500)
	}
	near.Value(t, "clutch", o.Clutch, 1-3*ticks*tick/0.6, 0.01)
}
