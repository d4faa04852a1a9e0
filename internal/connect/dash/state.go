package dash

import (
	"encoding/json"

	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/kit/valid"
)

// state is what GET /state and each message say: SI units and the signs of a frame, unless the key names another
// unit. A number that is not known is null.
type state struct {
	Frames  uint64 `json:"frames"`  // published by the rig so far
	Age     number `json:"age_s"`   // time since the newest one came
	Ended   bool   `json:"ended"`   // the rig has ended
	Failure string `json:"failure"` // the error with which it ended
	Notice  string `json:"notice"`  // message to the driver
	*live
}

// live is the part of a state that needs a frame.
type live struct {
	Ticks    uint64            `json:"ticks"` // steps of the simulation, 1000 a second
	State    string            `json:"state"` // the safety state
	Flags    []string          `json:"flags"`
	Car      carState          `json:"car"`
	Wheels   [4]wheelState     `json:"wheels"` // front left, front right, rear left, rear right
	Lap      lapState          `json:"lap"`
	Force    forceState        `json:"force"`
	Platform platformState     `json:"platform"`
	Loop     loopState         `json:"loop"`
	Recorder recorderState     `json:"recorder"`
	Tuned    map[string]number `json:"tuned"` // share of its configured value that each gain, filter or limit has
}

type carState struct {
	Speed     number `json:"speed_m_s"`
	Gear      string `json:"gear"`
	RPM       number `json:"rpm"`
	Steer     number `json:"steer_rad"`
	Throttle  number `json:"throttle"`
	Brake     number `json:"brake"`
	Clutch    number `json:"clutch"`
	Handbrake number `json:"handbrake"`
	ABS       uint64 `json:"abs"`
	Traction  uint64 `json:"traction"`
	Stability uint64 `json:"stability"`
	Fuel      number `json:"fuel_l"`
	Charge    number `json:"charge"`
	Boost     number `json:"boost"`
	GripLoss  number `json:"grip_loss"`
	Distance  number `json:"distance_m"`
}

type wheelState struct {
	Tire     number `json:"tire_c"`
	Pressure number `json:"pressure_pa"`
	Wear     number `json:"wear"`
	Brake    number `json:"brake_c"`
	Load     number `json:"load_n"`
	Slip     number `json:"slip"` // 1 is the limit of grip
}

type lapState struct {
	Number      uint64   `json:"number"`
	Count       uint64   `json:"count"`
	Time        number   `json:"time_s"`
	Last        number   `json:"last_s"`
	Best        number   `json:"best_s"`
	Delta       number   `json:"delta_s"`
	Sector      uint64   `json:"sector"` // index of the present one
	Splits      []number `json:"splits_s"`
	LastSplits  []number `json:"last_splits_s"`
	BestSectors []number `json:"best_sectors_s"`
	Pit         number   `json:"pit_s"`
}

type forceState struct {
	Rim        number `json:"rim_nm"`
	Asked      number `json:"asked_nm"`
	Limit      number `json:"limit_nm"`
	OwnEffects number `json:"own_effects_nm"`
	Clipped    number `json:"clipped"`
	Gain       number `json:"gain"`
	HandsOn    number `json:"hands_on"`
	Delay      number `json:"delay_s"`
}

type platformState struct {
	State      string          `json:"state"`
	Faults     []string        `json:"faults"`
	Pose       []number        `json:"pose"`     // target: surge, sway, heave, roll, pitch, yaw, slide, belt
	Measured   []number        `json:"measured"` // the same, from the actuators' feedback
	Actuators  []actuatorState `json:"actuators"`
	Scale      number          `json:"scale"`
	GuardShare number          `json:"guard_share"`
	Rate       number          `json:"rate_hz"`
	LineShare  number          `json:"line_share"`
	Latency    number          `json:"latency_s"`
	Warnings   uint64          `json:"warnings"`
}

// actuatorState is one actuator; positions are shares of the stroke.
type actuatorState struct {
	Target      number `json:"target"`
	Feedback    number `json:"feedback"`
	FollowError number `json:"follow_error"`
	Temperature number `json:"temperature_c"`
}

type loopState struct {
	Missed   uint64 `json:"missed"`
	Dropped  uint64 `json:"dropped"`
	LateMax  number `json:"late_max_s"`
	TickCost number `json:"tick_cost_s"`
	Pictures uint64 `json:"pictures"`
}

type recorderState struct {
	On      bool   `json:"on"`
	Bytes   uint64 `json:"bytes"`
	Missing uint64 `json:"missing"`
}

// encodeState returns the JSON object of a state.
func encodeState(s *state) []byte {
	b, err := json.Marshal(s)
	if err != nil {
		panic(err) // the types above can always be encoded
	}
	return b
}

// stateOf returns the state of the newest sample. The caller holds the lock.
func (h *hub) stateOf() *state {
	s := &state{Frames: h.seq, Age: number((h.now - h.changed).Seconds()), Notice: h.source.Notice()}
	s.Failure, s.Ended = h.source.Ended()
	if !h.hasRead {
		return s
	}
	f := &h.frame
	s.live = &live{
		Ticks: f.Tick, State: frame.Name(h.names.States, f.State), Flags: setBits(f.Flags, flagNames[:]),
		Car: carOf(f), Lap: lapOf(&f.Lap), Force: forceOf(f), Platform: platformOf(f, &h.names),
		Loop:     loopState{f.Missed, f.Dropped, number(f.LateMax), number(f.TickCost), f.Pictures},
		Recorder: recorderState{f.Recorder.On == 1, f.Recorder.Bytes, f.Recorder.Missing},
		Tuned:    tunedOf(f, h.names.Tuned),
	}
	for i := range f.Wheels {
		w := &f.Wheels[i]
		s.Wheels[i] = wheelState{number(w.TireTemperature), number(w.TirePressure), number(w.TireWear), number(w.BrakeTemperature), number(w.Load), number(w.NormalizedSlip)}
	}
	return s
}

// setBits returns the names of the bits that are set.
func setBits(bits uint64, names []string) []string {
	set := []string{}
	for i, name := range names {
		if bits>>i&1 == 1 {
			set = append(set, name)
		}
	}
	return set
}

func carOf(f *frame.Frame) carState {
	return carState{
		Speed: number(f.Speed), Gear: frame.GearName(f.Gear), RPM: number(f.RPM), Steer: number(f.Steer),
		Throttle: number(f.Throttle), Brake: number(f.Brake), Clutch: number(f.Clutch), Handbrake: number(f.Handbrake),
		ABS: f.ABS, Traction: f.Traction, Stability: f.Stability,
		Fuel: number(f.Fuel), Charge: number(f.Charge), Boost: number(f.Boost), GripLoss: number(f.GripLoss), Distance: number(f.Distance),
	}
}

func lapOf(l *frame.Lap) lapState {
	n := min(l.Sectors, frame.MaxSectors)
	return lapState{
		Number: l.Number, Count: l.Count, Time: number(l.Time), Last: number(l.Last), Best: number(l.Best), Delta: number(l.Delta),
		Sector: l.Sector, Splits: numbers(l.Splits[:n]), LastSplits: numbers(l.LastSplits[:n]), BestSectors: numbers(l.BestSectors[:n]), Pit: number(l.PitTime),
	}
}

func forceOf(f *frame.Frame) forceState {
	v := &f.Force
	return forceState{
		Rim: number(f.RimTorque), Asked: number(f.AskedTorque), Limit: number(f.RatedTorque), OwnEffects: number(v.OwnEffects),
		Clipped: number(v.Clipped), Gain: number(f.Gain), HandsOn: number(v.HandsOn), Delay: number(v.Delay),
	}
}

func platformOf(f *frame.Frame, names *frame.Names) platformState {
	m := &f.Motion
	p := platformState{
		State: frame.Name(names.PlatformStates, m.State), Faults: setBits(m.Faults, names.Faults), Pose: numbers(f.Pose[:]), Measured: numbers(m.Measured[:]),
		Actuators: make([]actuatorState, min(m.LegCount, frame.MaxLegs)), Scale: number(m.Scale), GuardShare: number(m.GuardShare),
		Rate: number(m.Rate), LineShare: number(m.LineShare), Latency: number(m.Latency), Warnings: m.Warnings,
	}
	if m.Faults != 0 && len(p.Faults) == 0 {
		p.Faults = []string{names.FaultText(m.Faults)}
	}
	for i := range p.Actuators {
		p.Actuators[i] = actuatorState{number(f.Legs[i]), number(f.LegsFeedback[i]), number(m.FollowError[i]), number(m.Temperature[i])}
	}
	return p
}

// tunedOf returns the shares that are known, by name.
func tunedOf(f *frame.Frame, names []string) map[string]number {
	shares := map[string]number{}
	for i, name := range names[:min(len(names), frame.MaxTuned)] {
		if valid.Finite(f.Tuned[i]) {
			shares[name] = number(f.Tuned[i])
		}
	}
	return shares
}

func numbers(list []float64) []number {
	converted := make([]number, len(list))
	for i, v := range list {
		converted[i] = number(v)
	}
	return converted
}

// flagNames are the names of the bits of frame.Frame.Flags.
var flagNames = [...]string{
	"wheel", "pedals", "platform", "clipping", "demo", "keys_drive", "engine_running", "auto_gears", "gears_grinding", "auto_clutch",
	"pit_limiter_on", "launch_on", "abs_active", "traction_active", "stability_active", "launch_active", "pit_limiter_active",
	"off_track", "wrong_way", "in_pit", "lap_invalid", "last_lap_invalid", "paused", "look_left", "look_right", "headlight_flash",
	"gain_changed", "high_torque", "torque_limited", "dead_man_released", "hands_off", "interlock_open", "confirm_interlock",
	"confirm_after_gap", "confirm_window_lost", "motion_off", "tuning_changed", "starter_turns", "confirm_platform",
}
