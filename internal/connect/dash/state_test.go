package dash

import (
	"encoding/json"
	"math"
	"math/bits"
	"os"
	"reflect"
	"strings"
	"testing"

	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/core/guard"
)

func TestState(t *testing.T) {
	s := newTestServer(nil)
	s.source.change(func(f *fakeSource) {
		f.seq, f.frame, f.notice = 7, drivenFrame(0), `press "Enter" <now>`
		f.frame.Fuel, f.frame.Lap.Delta, f.frame.Gear = math.NaN(), math.Inf(-1), -1
		f.frame.Flags |= frame.TuningChanged
	})
	s.hub.sample(3e9)
	body := s.ask(request{method: "GET", path: "/state", host: "localhost:8888", peer: "127.0.0.1"}).Body
	var got map[string]any
	if err := json.Unmarshal(body.Bytes(), &got); err != nil {
		t.Fatalf("%v in %s", err, body)
	}
	for path, want := range map[string]any{
		"frames": 7.0, "age_s": 0.0, "ended": false, "failure": "", "notice": `press "Enter" <now>`, "state": "driving",
		"car.fuel_l": nil, "car.gear": "R", "lap.delta_s": nil, "lap.best_s": 82.901, "force.limit_nm": 8.0,
		"platform.state": "active", "recorder.on": true, "tuned.force_effects": 0.5, "loop.missed": 3.0,
		"flags":         []any{"wheel", "pedals", "platform", "engine_running", "tuning_changed"},
		"lap.splits_s":  []any{27.12, 0.0, 0.0},
		"platform.pose": []any{0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0},
	} {
		if v := at(got, path); !reflect.DeepEqual(v, want) {
			t.Errorf("%s is %v, want %v", path, v, want)
		}
	}
	if _, has := at(got, "tuned").(map[string]any)["motion_slide"]; has {
		t.Error("a factor that does not apply has a share")
	}
	if n := len(at(got, "platform.actuators").([]any)); n != 4 {
		t.Errorf("%d actuators", n)
	}
}

// at returns the value at a path of keys.
func at(object map[string]any, path string) any {
	key, rest, more := strings.Cut(path, ".")
	if !more {
		return object[key]
	}
	inner, _ := object[key].(map[string]any)
	return at(inner, rest)
}

func TestEveryFlagHasAName(t *testing.T) {
	if n := bits.Len64(frame.ConfirmPlatform); len(frame.FlagNames) != n {
		t.Errorf("%d names for %d flags", len(frame.FlagNames), n)
	}
	for bit, want := range map[uint64]string{
		frame.PlatformPresent: "platform", frame.GearsGrinding: "gears_grinding", frame.ABSActive: "abs_active", frame.OffTrack: "off_track",
		frame.Paused: "paused", frame.HighTorque: "high_torque", frame.InterlockOpen: "interlock_open", frame.ConfirmWindowLost: "confirm_window_lost",
		frame.MotionOff: "motion_off", frame.StarterTurns: "starter_turns", frame.ConfirmPlatform: "confirm_platform",
	} {
		if got := setBits(bit, frame.FlagNames[:]); len(got) != 1 || got[0] != want {
			t.Errorf("flag %b is %q, want %s", bit, got, want)
		}
	}
}

// The page has a look for each safety state, and asks for no key that the state does not have.
func TestThePageKnowsTheStates(t *testing.T) {
	style, err := os.ReadFile("web/style.css")
	if err != nil {
		t.Fatal(err)
	}
	for state := range guard.Stopped + 1 {
		if !strings.Contains(string(style), `#badge[data-state="`+state.String()+`"]`) {
			t.Errorf("no look for %v", state)
		}
	}
}
