package rig

import (
	"encoding/json"
	"log/slog"
	"math"
	"testing"

	"rig.example/rig/ffb"
	"rig.example/rig/internal/core/guard"
	"rig.example/rig/internal/files/config"
	"rig.example/rig/internal/live/operator"
	"rig.example/rig/internal/tools/watch"
)

// fitted is a rig with a simulated driver whose wheel may be another at any time.
func fitted(t *testing.T) *Rig {
	t.Helper()
	r := demo(t)
	r.platform = nil
	r.orders = operator.Pending{}
	if err := r.switchPresets(config.Default(), slog.New(slog.DiscardHandler)); err != nil {
		t.Fatal(err)
	}
	return r
}

func (r *Rig) ticks(t *testing.T, n int) {
	t.Helper()
	for range n {
		if err := r.Tick(); err != nil {
			t.Fatal(err)
		}
	}
}

func TestFeelOfAnotherWheelComesWithItsFirstTick(t *testing.T) {
	r := fitted(t)
	r.presets.wheelFound("gentle")
	r.ticks(t, 1)
	if r.drive.State.Rim.Force.Gain() != 0.5 {
		t.Errorf("gain %g, want that of the wheel's preset", r.drive.State.Rim.Force.Gain())
	}
}

func TestFeelOfAnotherWheelWaitsUntilThereIsNoTorque(t *testing.T) {
	r := fitted(t)
	r.orders.Start()
	r.ticks(t, 3000)
	first := r.drive.State.Rim.Force.Gain()
	r.presets.wheelFound("gentle")
	r.ticks(t, 10)
	if s := r.drive.State.Guard.State(); s != guard.Driving || r.drive.State.Rim.Force.Gain() != first {
		t.Fatalf("%s, feel changed %t: want it kept while driving", s, r.drive.State.Rim.Force.Gain() != first)
	}
	r.drive.State.Cockpit.Paused = true
	r.ticks(t, 1000)
	if s := r.drive.State.Guard.State(); s != guard.Ready || r.drive.State.Rim.Force.Gain() == first {
		t.Errorf("%s, feel changed %t: want the new one", s, r.drive.State.Rim.Force.Gain() != first)
	}
}

func TestTheSameWheelKeepsItsFeel(t *testing.T) {
	r := fitted(t)
	r.presets.wheelFound("belt")
	r.ticks(t, 1)
	r.drive.State.Rim.Force.Adjust(0.2)
	r.presets.wheelFound("belt")
	r.ticks(t, 1)
	if r.drive.State.Rim.Force.Gain() != 1.2 {
		t.Errorf("gain %g: want what the driver set", r.drive.State.Rim.Force.Gain())
	}
}

func TestForceIsShownStageByStage(t *testing.T) {
	r := withPage(t, fitted(t))
	r.orders.Start()
	r.ticks(t, 6000)
	f := r.out.Frame
	tr := r.drive.State.Rim.Force.Trace()
	if f.Force.Column != r.drive.State.Car.ColumnTorque || f.Force.Sent != tr.Sent || f.AskedTorque != tr.Asked || f.Force.Rate != 1000 || f.Force.Column == 0 {
		t.Errorf("frame's force %+v of %+v", f.Force, *tr)
	}
	var got struct {
		Force map[string]any `json:"force"`
	}
	if err := json.Unmarshal(watch.Status(&f, nil), &got); err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]float64{"column_nm": f.Force.Column, "sent_nm": f.Force.Sent, "rate_hz": 1000, "learned_peak_nm": f.Force.Peak} {
		if v, ok := got.Force[key].(float64); !ok || math.Abs(v-want) > 1e-9 {
			t.Errorf("%s is %v, want %g", key, got.Force[key], want)
		}
	}
	if effects, ok := got.Force["effects_nm"].(map[string]any); !ok || len(effects) != int(ffb.EffectCount) {
		t.Errorf("effects %v, want %d", got.Force["effects_nm"], int(ffb.EffectCount))
	}
}

// What the feel was asked before a drive does not change the drive.
func TestADriveFeelsTheSameHoweverLongItWaited(t *testing.T) {
	drive := func(wait int) (torques [500]float64) {
		r := fitted(t)
		r.ticks(t, wait)
		r.orders.Start()
		for !r.drive.State.Guard.State().Moves() {
			r.ticks(t, 1)
		}
		for i := range torques {
			r.ticks(t, 1)
			torques[i] = r.drive.State.Rim.Force.Trace().Sent
		}
		return torques
	}
	if drive(1) != drive(777) {
		t.Error("other torques after another wait")
	}
}
