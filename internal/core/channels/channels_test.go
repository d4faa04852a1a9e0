package channels

import (
	"iter"
	"maps"
	"math"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/internal/core/drive"
	"rig.example/rig/internal/core/guard"
	"rig.example/rig/internal/files/circuit"
	"rig.example/rig/internal/files/config"
	"rig.example/rig/internal/files/drivesetup"
	"rig.example/rig/internal/kit/valid"
	"rig.example/rig/road"
	"rig.example/rig/sim"
	"rig.example/rig/test/level"
)

func TestNamesAreWellFormedAndUnique(t *testing.T) {
	name := regexp.MustCompile(`^[a-z][a-z0-9]*(_[a-z0-9]+)*$`)
	units := []string{"", "m", "m/s", "m/s²", "rad", "rad/s", "rad/s²", "N", "N·m", "W", "J", "Pa", "°C", "L", "s", "1/s", "Hz"}
	seen, motec := map[string]bool{}, map[string]bool{}
	for _, g := range Groups() {
		if seen[g] {
			t.Errorf("the group %s begins twice", g)
		}
		seen[g] = true
	}
	for _, c := range All() {
		if !name.MatchString(c.Name) || seen[c.Name] {
			t.Errorf("%q is malformed, or the name of another channel or a group", c.Name)
		}
		if !slices.Contains(units, c.Unit) {
			t.Errorf("%s has the unit %q", c.Name, c.Unit)
		}
		if c.About == "" || c.Decimals < 0 || c.Decimals > 6 || strings.Contains(c.About, "|") {
			t.Errorf("%s: %q with %d decimals", c.Name, c.About, c.Decimals)
		}
		if c.MoTeC != "" && motec[c.MoTeC] {
			t.Errorf("%s: another channel has MoTeC's name %q", c.Name, c.MoTeC)
		}
		seen[c.Name], motec[c.MoTeC] = true, true
	}
}

func TestNamed(t *testing.T) {
	for _, tt := range []struct {
		list string
		want []string // the first channels
		n    int
	}{
		{"speed", []string{"speed"}, 1},
		{" yaw_rate, speed,yaw_rate ", []string{"yaw_rate", "speed"}, 2},
		{"anti_roll_bar,speed", []string{"front_compression_left", "front_compression_right", "front_compression_diff", "front_spring_left", "front_spring_right"}, 11},
		{"wheel_*_load", []string{"wheel_fl_load", "wheel_fr_load", "wheel_rl_load", "wheel_rr_load"}, 4},
		{"wheel_fl_l*", []string{"wheel_fl_load", "wheel_fl_longitudinal_force", "wheel_fl_lateral_force"}, 3},
		{"all", []string{"speed", "position_x"}, len(All())},
	} {
		got, err := Named(tt.list)
		if err != nil || len(got) != tt.n {
			t.Errorf("%q: %d channels, %v", tt.list, len(got), err)
			continue
		}
		for i, want := range tt.want {
			if got[i].Name != want {
				t.Errorf("%q: channel %d is %s, want %s", tt.list, i, got[i].Name, want)
			}
		}
	}
	for list, want := range map[string]string{
		"sped":          `channel "sped" not found; the nearest are speed, `,
		"speed,wheels":  `channel "wheels" not found; the nearest are wheel, `,
		"":              `channel "" not found`,
		"wheel_xx_*":    `channel "wheel_xx_*" not found`,
		"[*":            `channel "[*" not found`,
		"speed\n,speed": "",
	} {
		_, err := Named(list)
		if (err == nil) != (want == "") || err != nil && (!strings.HasPrefix(err.Error(), want) || strings.Contains(err.Error(), "\n")) {
			t.Errorf("%q: %v", list, err)
		}
	}
}

func TestNamedOfCarLeavesOutWhatNeedsADrive(t *testing.T) {
	for list, want := range map[string]string{
		"all": "", "input": "", "speed,wheel_*": "", "rim_torque": "rim_torque needs a whole drive", "speed, force": "force needs a whole drive", "x": "not found",
	} {
		got, err := NamedOfCar(list)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%q: %v", list, err)
		}
		for _, c := range got {
			if c.NeedsTick() {
				t.Errorf("%q has %s", list, c.Name)
			}
		}
	}
}

// drivenCar is a car on asphalt with everything that a file can switch on.
func drivenCar(t *testing.T) (*sim.Car, *Point) {
	t.Helper()
	p, err := config.LoadCar("coupe")
	if err != nil {
		t.Fatal(err)
	}
	c, err := sim.New(p, road.Asphalt(), sim.Dt)
	if err != nil {
		t.Fatal(err)
	}
	s := c.Underway(r3.Vec{}, 0, 25, 3)
	return c, &Point{Car: c, State: &s, Input: &sim.Input{Gear: 3, Throttle: 0.2}}
}

// after returns the value of a channel after the car was driven with an input for a time [s].
func (p *Point) after(seconds float64, change func(in *sim.Input)) func(name string) float64 {
	change(p.Input)
	for range int(seconds / sim.Dt) {
		p.Car.Step(p.State, *p.Input)
	}
	return func(name string) float64 {
		all := All()
		return all[slices.IndexFunc(all, func(c Channel) bool { return c.Name == name })].Value(p)
	}
}

// above reports a channel that is not above a value, below the opposite.
func above(t *testing.T, of func(string) float64, name string, least float64) {
	t.Helper()
	if v := of(name); !(v > least) {
		t.Errorf("%s = %g: must be above %g", name, v, least)
	}
}

func below(t *testing.T, of func(string) float64, name string, most float64) {
	t.Helper()
	if v := of(name); !(v < most) {
		t.Errorf("%s = %g: must be below %g", name, v, most)
	}
}

func TestSignsInALeftTurn(t *testing.T) {
	_, p := drivenCar(t)
	straight := p.after(1, func(*sim.Input) {})
	load, camberLeft, camberRight := straight("wheel_fl_load"), straight("wheel_fl_camber"), straight("wheel_fr_camber")
	if math.Abs(camberLeft-camberRight) > 1e-4 { // the engine's torque rolls the body a little
		t.Errorf("camber %g left, %g right on a straight", camberLeft, camberRight)
	}
	of := p.after(2, func(in *sim.Input) { in.Steer = 0.6 })
	for _, name := range []string{"yaw_rate", "lateral_acceleration", "accelerometer_y", "roll_angle", "steering_wheel_angle", "road_wheel_angle",
		"wheel_fl_steer_angle", "wheel_fr_steer_angle", "wheel_fl_lateral_force", "wheel_rr_lateral_force", "rack_position", "yaw_angle", "position_y"} {
		above(t, of, name, 0)
	}
	for _, name := range []string{"column_torque", "rack_force", "wheel_fl_slip_angle", "wheel_rr_slip_angle", "wheel_fr_aligning_moment", "front_compression_diff", "rear_compression_diff"} {
		below(t, of, name, 0)
	}
	below(t, of, "wheel_fl_load", load)
	above(t, of, "wheel_fr_load", load)
	below(t, of, "wheel_rl_load", of("wheel_rr_load"))
	above(t, of, "wheel_fr_travel", of("wheel_fl_travel"))
	below(t, of, "front_spring_left", of("front_spring_right"))
	if got, want := of("lateral_acceleration"), of("speed")*of("yaw_rate"); math.Abs(got-want) > 0.1*want {
		t.Errorf("lateral acceleration %g, speed times yaw rate %g", got, want)
	}
	if got, want := of("front_compression_left"), of("wheel_fl_travel"); got != want {
		t.Errorf("compression %g, travel %g", got, want)
	}
}

func TestSignsInBraking(t *testing.T) {
	_, p := drivenCar(t)
	load := p.after(1, func(in *sim.Input) { in.Throttle = 0 })("wheel_fl_load")
	of := p.after(0.1, func(in *sim.Input) { in.Brake, in.Clutch = 0.5, 1 })
	for _, name := range []string{"pitch_rate", "wheel_fl_travel_speed", "wheel_fl_damper_speed"} {
		above(t, of, name, 0)
	}
	of = p.after(0.7, func(*sim.Input) {})
	for _, name := range []string{"longitudinal_acceleration", "accelerometer_x", "wheel_fl_longitudinal_force", "wheel_rl_slip_ratio"} {
		below(t, of, name, 0)
	}
	for _, name := range []string{"pitch_angle", "brake", "speed", "aero_drag", "position_x", "wheel_fl_brake_power", "wheel_fl_slip_energy"} {
		above(t, of, name, 0)
	}
	above(t, of, "wheel_fl_load", load)
	above(t, of, "wheel_fl_brake_pressure", 1e5)
	above(t, of, "wheel_fl_brake_torque", of("wheel_rl_brake_torque"))
	above(t, of, "wheel_fl_brake_temperature", 15)
	below(t, of, "wheel_fl_speed", of("speed"))
	above(t, of, "wheel_fl_speed", 0.8*of("speed"))
}

func TestSignsUnderPower(t *testing.T) {
	_, p := drivenCar(t)
	of := p.after(1.5, func(in *sim.Input) { in.Throttle = 1 })
	for _, name := range []string{"longitudinal_acceleration", "engine_torque", "engine_power", "half_shaft_rl_torque", "half_shaft_rl_twist", "wheel_rl_slip_ratio",
		"wheel_power", "gearbox_loss", "wheel_rl_longitudinal_force", "fuel", "engine_running"} {
		above(t, of, name, 0)
	}
	below(t, of, "pitch_angle", 0)
	if gear := of("gear"); gear != 3 {
		t.Errorf("gear %g", gear)
	}
	below(t, of, "wheel_power", of("engine_power"))
}

func TestCamberIsPositiveOutward(t *testing.T) {
	p, err := config.LoadCar("coupe", "front.kinematics.camber_deg=-2", "rear.kinematics.camber_deg=1")
	if err != nil {
		t.Fatal(err)
	}
	c, err := sim.New(p, road.Asphalt(), sim.Dt)
	if err != nil {
		t.Fatal(err)
	}
	s := c.Rest(r3.Vec{}, 1)
	of := (&Point{Car: c, State: &s, Input: &sim.Input{}}).after(0, func(*sim.Input) {})
	for name, want := range map[string]float64{"wheel_fl_camber": -2, "wheel_fr_camber": -2, "wheel_rl_camber": 1, "wheel_rr_camber": 1} {
		if got := of(name) * 180 / math.Pi; math.Abs(got-want) > 0.01 {
			t.Errorf("%s = %g°, want %g°", name, got, want)
		}
	}
}

func TestAirActsOnTheCar(t *testing.T) {
	p, err := config.LoadCar("formula")
	if err != nil {
		t.Fatal(err)
	}
	c, err := sim.New(p, road.Asphalt(), sim.Dt)
	if err != nil {
		t.Fatal(err)
	}
	s := c.Underway(r3.Vec{}, 0, 60, 5)
	at := &Point{Car: c, State: &s, Input: &sim.Input{}}
	of := at.after(0, func(*sim.Input) {})
	below(t, of, "aero_lift", -1000)
	if of("aero_pitch_moment") == 0 {
		t.Error("no pitch moment by the wings")
	}
	drag := of("aero_drag")
	above(t, of, "aero_drag", 500)
	at.Input.Slipstream = 0.5
	if got := of("aero_drag"); math.Abs(got-drag/2) > 1e-6*drag {
		t.Errorf("drag %g in half a slipstream, %g outside", got, drag)
	}
}

// demo is a drive of the demo whose tires have a temperature, with ABS, traction and stability control, all effects
// and a platform of six axes.
type demo struct {
	*drive.Drive
	in  drive.Inputs
	out drive.Outputs
	at  *Point
}

const demoConfig = `car = "car.toml"
platform = "hexapod-6"
[assists]
abs = 5
traction = 5
stability = 5
[ffb]
gain = 2
[ffb.effects]
scrub_nm = 2
rear_nm = 2
lockup_nm = 2
shift_nm = 2
engine_nm = 0.5
limiter_nm = 1
jolt_nm = 1
[ffb.rim]
inertia_kgm2 = 0.01
`

const demoCar = `base = "coupe"
[front.tire]
pressure_kpa = 220
[front.tire.heat]
enabled = true
[rear.tire]
pressure_kpa = 230
[rear.tire.heat]
enabled = true
`

// The circuit takes long to build and never changes.
var club = sync.OnceValues(func() (*road.Circuit, error) {
	c, _, err := circuit.Load("club", circuit.Options{})
	return c, err
})

func must[T any](v T, err error) func(t *testing.T) T {
	return func(t *testing.T) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// newDemo returns a drive of the demo before its first tick.
func newDemo(t *testing.T) *demo {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"rig.toml": demoConfig, "car.toml": demoCar} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cfg := must(config.Load(filepath.Join(dir, "rig.toml")))(t)
	parts := must(drivesetup.NewOnCircuit(cfg, must(club())(t), nil))(t)
	d := &demo{Drive: parts.Drive, in: drive.Inputs{
		Wheel: drive.Wheel{Present: true, Rated: 8, Rate: 400, Delay: 1e-3}, Pedals: drive.Pedals{Present: true},
		Platform: drive.Platform{Configured: true, Follows: true, Connected: true}, Operator: drive.Operator{Start: true},
	}}
	d.in.Wheel.Angle = d.UseDriverModel(must(drivesetup.DemoDriver(&d.Setup))(t)).Angle
	d.at = OfDrive(d.Drive, &d.in, &d.out)
	return d
}

// run steps the drive. The platform is where it was sent.
func (d *demo) run(ticks int) {
	for range ticks {
		d.out = *d.Step(&d.in)
		d.in.Wheel.Angle = d.out.Hands.Angle
		d.in.Platform.Target, d.in.Platform.Feedback = d.out.Platform.Legs, d.out.Platform.Legs
		d.in.Platform.Measured = drive.FramePose(&d.out.Pose)
	}
}

// still lists patterns of the channels that stay 0 in a drive of the demo, with the reason.
// TestChannelsThatStandStillReadTheirFields reads all but those of unreadable.
var still = map[string]string{
	"impact_force": "the driver model hits nothing", "*_axle_shift": "the coupe has no solid axle",
	"clutch": "the clutch is automatic", "handbrake": "the driver model does not pull it", "starter": "the engine runs from the start",
	"slipstream": "there is no other car", "push_force": "only manoeuvres push",
	"*_pedal": "the driver model has no pedals", "handbrake_lever": "the driver model has no pedals",
	"paddle_*": "the driver model has no paddles", "shifter_gear": "the driver model has no shifter",
	"buttons": "nobody presses one", "keys": "nobody presses one", "rain_level": "it is dry",
	"wheel_r?_steer_angle": "the rear axle has neither steering nor toe", "aero_pitch_moment": "the drag of a car without wings acts at its center of mass",
	"engine_limiter_cut": "the driver model shifts before", "engine_boost": "the coupe has no turbo", "converter_lockup": "the coupe has no converter",
	"half_shaft_f?_*": "the front axle is not driven", "launch_*": "it is off", "pit_limiter_*": "it is off",
	"abs_active": "the driver model stays within the grip", "brake_pedal_pulsation": "the ABS does not act",
	"traction_active": "the driver model stays within the grip", "traction_cut": "it does not act",
	"stability_active": "the driver model stays within the grip", "stability_cut": "it does not act", "stability_yaw_acceleration": "it does not act",
	"end_stop_torque": "the driver model stays within the lock", "soft_lock_torque": "the driver model stays within the lock",
	"own_effects_limit": "the wheel has none", "vibration_*": "the wheel has none",
	"effect_scrub": "the front tires do not slide", "effect_abs": "the ABS does not act", "effect_lock_up": "no wheel locks",
	"effect_limiter": "the driver model shifts before", "effect_collision": "the driver model hits nothing",
	"platform_slide": "the platform has no such axis", "platform_measured_slide": "the platform has no such axis",
	"actuator_?_follow_error": "the test's platform reports none", "actuator_?_temperature": "the test's platform reports none",
	"platform_state": "the test's platform reports none", "platform_faults": "the test's platform reports none", "platform_target_rate": "the test's platform reports none",
	"platform_line_share": "the test's platform reports none", "platform_latency": "the test's platform reports none", "platform_warnings": "the test's platform reports none",
	"off_track": "the driver model stays on the road", "wrong_way": "the driver model does not turn back", "in_pit": "the driver model does not stop", "pit_time": "the driver model does not stop",
	"latched_cause": "nothing fails", "emergency_stop": "nothing fails", "interlock_open": "nothing fails", "wheel_fault": "nothing fails", "pedals_fault": "nothing fails",
	"high_torque_consent": "nobody gives it", "hands_off": "it is not configured", "paused": "nobody pauses",
	"*ed_ticks": "a test has no clock", "lateness*": "a test has no clock", "tick_cost": "a test has no clock", "loop_gap": "a test has no clock",
}

// unreadable lists those of still whose fields a test cannot set.
var unreadable = []string{"soft_lock_torque", "effect_*", "high_torque_consent", "hands_off", "aero_pitch_moment"}

// matchesAny reports whether a pattern of a list matches a name.
func matchesAny(patterns iter.Seq[string], name string) bool {
	for pattern := range patterns {
		if matched, err := path.Match(pattern, name); matched && err == nil {
			return true
		}
	}
	return false
}

func TestChannelsOfADriveMoveAndAreFinite(t *testing.T) {
	level.SkipIfQuick(t)
	d := newDemo(t)
	all := All()
	moved := make([]bool, len(all))
	nextLap := 0
	for range 16_000 { // a lap and the beginning of the next
		if d.State.Laps.Clock.Count > 0 {
			nextLap++
		}
		if nextLap > 400 && !level.All() {
			break
		}
		d.run(25)
		for i := range all {
			v := all[i].Value(d.at)
			moved[i] = moved[i] || v != 0
			if !valid.Finite(v) && !(all[i].Name == "lap_delta" && d.State.Laps.Clock.Count == 0) {
				t.Fatalf("%s is %g after %.0f m", all[i].Name, v, d.State.Distance)
			}
		}
	}
	if d.State.Guard.State() != guard.Driving || d.State.Laps.Clock.Count < 1 {
		t.Fatalf("%s after %.0f m", d.State.Guard.State(), d.State.Distance)
	}
	for i, c := range all {
		if isStill := matchesAny(maps.Keys(still), c.Name); isStill == moved[i] {
			t.Errorf("%s: moved %v, listed as still %v", c.Name, moved[i], isStill)
		}
	}
}

// fill sets every exported number of a struct to a value that is not 0, and every flag.
func fill(v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				fill(v.Field(i))
			}
		}
	case reflect.Array:
		for i := range v.Len() {
			fill(v.Index(i))
		}
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Float64:
		v.SetFloat(0.5)
	case reflect.Int, reflect.Int8:
		v.SetInt(2)
	case reflect.Uint8, reflect.Uint32, reflect.Uint64, reflect.Uint16:
		v.SetUint(2)
	}
}

func TestChannelsThatStandStillReadTheirFields(t *testing.T) {
	level.SkipIfQuick(t)
	d := newDemo(t)
	d.run(3000)
	for _, v := range []any{&d.in, &d.State, &d.out} {
		fill(reflect.ValueOf(v).Elem())
	}
	for _, c := range All() {
		if !matchesAny(maps.Keys(still), c.Name) || matchesAny(slices.Values(unreadable), c.Name) {
			continue
		}
		if v := c.Value(d.at); v == 0 || math.IsNaN(v) {
			t.Errorf("%s is %g though all fields are set", c.Name, v)
		}
	}
}

func TestReadingAllocatesNothing(t *testing.T) {
	d := newDemo(t)
	d.run(3000)
	all := All()
	for i := range all {
		if n := testing.AllocsPerRun(10, func() { all[i].Value(d.at) }); n != 0 {
			t.Errorf("%s allocates %g times", all[i].Name, n)
		}
	}
}

func BenchmarkAll(b *testing.B) {
	all := All()
	c, err := sim.New(sim.DefaultCar(), road.Asphalt(), sim.Dt)
	if err != nil {
		b.Fatal(err)
	}
	s := c.Underway(r3.Vec{}, 0, 25, 3)
	p := &Point{Car: c, State: &s, Input: &sim.Input{}}
	for b.Loop() {
		for i := range all {
			all[i].Value(p)
		}
	}
}
