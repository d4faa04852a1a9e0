package watch

import (
	"fmt"
	"math"
	"strings"

	"rig.example/rig/ffb"
	"rig.example/rig/internal/frame"
	"rig.example/rig/internal/guard"
)

// EffectName returns what screens call an effect of frame.Force, empty where there is none.
func EffectName(i int) string {
	if i < 0 || i >= int(ffb.EffectCount) {
		return ""
	}
	return ffb.Effect(i).String()
}

// Force follows the force of a running rig from frame to frame.
type Force struct {
	asked, given float64 // magnitudes [N·m], smoothed
	tick         uint64
	shown        [ffb.EffectCount]bool // effects that did something so far
}

// deliveredOver is how long delivered and asked torque are averaged [s].
const deliveredOver = 5

// Add takes the newest frame.
func (w *Force) Add(f *frame.Frame) {
	dt := float64(f.Tick-w.tick) / 1000
	if w.tick == 0 || f.Tick < w.tick {
		dt = 0
	}
	w.tick = f.Tick
	k := dt / (dt + deliveredOver)
	w.asked += k * (size(f.AskedTorque) - w.asked)
	w.given += k * (size(f.RimTorque) - w.given)
	for i := range w.shown {
		w.shown[i] = w.shown[i] || f.Force.Effects[i] != 0
	}
}

// size is how large a torque is; what is no number is none.
func size(v float64) float64 {
	if v-v != 0 {
		return 0
	}
	return math.Abs(v)
}

// Delivered is what the rim was handed of what was asked for, 0..1; NaN where nothing was.
func (w *Force) Delivered() float64 {
	const nothing = 0.01 // [N·m]
	if w.asked < nothing {
		return math.NaN()
	}
	return w.given / w.asked
}

// forceRow is a stage of the force on a screen.
type forceRow struct {
	name   string
	torque float64 // the number [N·m]
	bar    float64 // what the bar shows [N·m at the rim]
}

// rows are the stages from column to rim.
func (w *Force) rows(f *frame.Frame) []forceRow {
	v := &f.Force
	same := func(name string, torque float64) forceRow { return forceRow{name, torque, torque} }
	list := []forceRow{{"column", v.Column, v.Column * v.Scale}, same("gained", v.Gained)}
	for i := range w.shown {
		if w.shown[i] {
			list = append(list, same("  "+EffectName(i), v.Effects[i]))
		}
	}
	return append(list, same("  lead", v.Lead), same("  damping", v.Damping), same("  friction", v.Friction), same("  inertia", v.Inertia), same("  soft lock", v.Lock),
		same("asked", f.AskedTorque), same("limited", v.Limited), same("sent", v.Sent), same("at the rim", f.RimTorque))
}

// Lines is the view of f for a terminal of so many columns.
func (w *Force) Lines(f *frame.Frame, columns int) []string {
	const label, figure = 14, 8
	half := max((columns-label-figure-10)/2, 4)
	lines := []string{forceHead(f), fmt.Sprintf("%*s ← left%*s", label+figure+6, "", 2*half-4, "right →")}
	for _, r := range w.rows(f) {
		lines = append(lines, fmt.Sprintf("%-*s%+*.2f N·m  %s", label, r.name, figure, r.torque, WideBar(r.bar, f.RatedTorque, half)))
	}
	return append(lines, "", w.forceFoot(f), forceGain(f), forceCare(f))
}

// forceHead tells of the wheel and the car.
func forceHead(f *frame.Frame) string {
	rate := "rate unknown"
	if f.Force.Rate > 0 {
		rate = fmt.Sprintf("%.0f forces a second", f.Force.Rate)
	}
	return fmt.Sprintf("%s %s   wheel may give %.1f N·m%s, takes %s, %.1f ms late", StateName(f.State), speedText(f, 0), f.RatedTorque, ownText(f), rate, f.Force.Delay*1e3)
}

// ownText says what the wheel's own effects may add to the torque, and what all comes to.
func ownText(f *frame.Frame) string {
	if f.Force.Own == 0 {
		return ""
	}
	return fmt.Sprintf(", its own effects add up to %.1f (now %.1f in all)", f.Force.Own, f.Force.Total)
}

// forceFoot tells what is lost.
func (w *Force) forceFoot(f *frame.Frame) string {
	clip := ""
	if f.Flags&frame.Clipping != 0 {
		clip = "  CLIP"
	}
	return fmt.Sprintf("delivered %s of asked   clipped %.1f %% of 10 s%s", percent(w.Delivered()), 100*f.Force.Clipped, clip)
}

func percent(share float64) string {
	if math.IsNaN(share) {
		return "-"
	}
	return fmt.Sprintf("%.0f %%", 100*share)
}

// forceGain tells how strong it is.
func forceGain(f *frame.Frame) string {
	return fmt.Sprintf("gain %.0f %%   %.2f N·m for each at the column   learned peak %.1f N·m   hands on %.0f %%",
		100*f.Gain, f.Force.Scale, f.Force.Peak, 100*f.Force.HandsOn)
}

// forceCare is a warning, or nothing.
func forceCare(f *frame.Frame) string {
	switch {
	case f.Force.Clipped > frame.MuchClipped:
		return fmt.Sprintf("! more than %.1f %% clipped: lower ffb.gain, raise ffb.full_scale_nm, or set ffb.strength = \"auto\"", 100*frame.MuchClipped)
	case f.Flags&frame.TorqueHeld != 0:
		return HeldTorque
	}
	return ""
}

// WideBar returns a bar of so many letters to either side, of a torque and the most there is [N·m]:
// it grows to the left for a torque to the left, in steps of half a letter.
func WideBar(torque, rated float64, half int) string {
	share := 0.0
	if rated > 0 && size(torque) > 0 {
		share = max(-1, min(1, torque/rated))
	}
	n := int(math.Round(2 * math.Abs(share) * float64(half))) // half letters
	full, odd := n/2, n%2
	left, right := strings.Repeat(" ", half), strings.Repeat(" ", half)
	if share > 0 {
		left = strings.Repeat(" ", half-full-odd) + strings.Repeat("▐", odd) + strings.Repeat("█", full)
	} else {
		right = strings.Repeat("█", full) + strings.Repeat("▌", odd) + strings.Repeat(" ", half-full-odd)
	}
	return "[" + left + "|" + right + "]"
}

// Line is the view of f in one line.
func (w *Force) Line(f *frame.Frame) string {
	v := &f.Force
	effects := v.Felt - v.Gained
	return fmt.Sprintf("%s %s  column %+.2f  gained %+.2f  effects %+.2f  rim %+.2f  asked %+.2f  sent %+.2f  at the rim %+.2f of %.1f N·m%s  clipped %.1f %%  delivered %s  gain %.0f %%",
		StateName(f.State), speedText(f, 0), v.Column, v.Gained, effects, f.AskedTorque-v.Felt, f.AskedTorque, v.Sent, f.RimTorque, f.RatedTorque, ownText(f),
		100*v.Clipped, percent(w.Delivered()), 100*f.Gain)
}

// ForceLine is the view of a frame for scripts.
type ForceLine struct {
	Tick   uint64  `json:"tick"`
	State  string  `json:"state"`
	Speed  float64 `json:"speed_kph"`
	Frozen bool    `json:"frozen"` // the simulation is not stepped: the speed is that at which it stopped
	ForceNow
	Rim        float64  `json:"rim_torque_nm"`
	Delivered  *float64 `json:"delivered_share"` // of asked; null while nothing is
	Gain       float64  `json:"ffb_gain"`
	Clipping   bool     `json:"clipping"`
	Wheel      bool     `json:"wheel_present"`
	HighTorque bool     `json:"high_torque"`            // somebody consented to more than needs no consent
	Held       *float64 `json:"needs_consent_above_nm"` // null where nothing is held back
}

// Describe puts f into the units of people.
func (w *Force) Describe(f *frame.Frame) ForceLine {
	has := func(bit uint64) bool { return f.Flags&bit != 0 }
	l := ForceLine{
		Tick: f.Tick, State: StateName(f.State), Speed: f.Speed * 3.6, Frozen: frozen(f), ForceNow: forceNow(f), Rim: f.RimTorque, Delivered: Known(w.Delivered()),
		Gain: f.Gain, Clipping: has(frame.Clipping), Wheel: has(frame.WheelPresent), HighTorque: has(frame.HighTorque),
	}
	if has(frame.TorqueHeld) {
		l.Held = Known(guard.SafeTorque)
	}
	return l
}

// HeldTorque says why a strong wheel is mild.
var HeldTorque = fmt.Sprintf("limited to %d N·m: more can hurt a wrist; press U in the window or the button for high_torque, or start with --high-torque", guard.SafeTorque)

// ForceNow is a torque on its way from the steering column to the rim, for scripts.
type ForceNow struct {
	Column   float64            `json:"column_nm"`
	Gained   float64            `json:"gained_nm"`
	Effects  map[string]float64 `json:"effects_nm"`
	Felt     float64            `json:"felt_nm"`
	Lead     float64            `json:"lead_nm"`
	Damping  float64            `json:"damping_nm"`
	Friction float64            `json:"friction_nm"`
	Inertia  float64            `json:"inertia_nm"`
	Lock     float64            `json:"soft_lock_nm"`
	Asked    float64            `json:"asked_nm"`
	Limited  float64            `json:"limited_nm"`
	Slewed   float64            `json:"slewed_nm"`
	Sent     float64            `json:"sent_nm"`
	Rated    float64            `json:"rated_nm"`
	Peak     float64            `json:"learned_peak_nm"` // at the column
	Scale    float64            `json:"scale"`           // rim N·m for each N·m at the column
	Clipped  float64            `json:"clipped_share"`   // of the last 10 s of driving
	RimSpeed float64            `json:"rim_deg_per_s"`
	HandsOn  float64            `json:"hands_on"` // 0..1
	Delay    float64            `json:"reconstruction_delay_ms"`
	Rate     float64            `json:"rate_hz"`        // forces the wheel takes a second; 0 is unknown
	Own      float64            `json:"own_effects_nm"` // what the wheel's own effects may add
	Total    float64            `json:"total_nm"`       // the most that the rim may feel
}

func forceNow(f *frame.Frame) ForceNow {
	v := &f.Force
	effects := map[string]float64{}
	for e := range ffb.Effect(ffb.EffectCount) {
		effects[e.String()] = v.Effects[e]
	}
	return ForceNow{
		Column: v.Column, Gained: v.Gained, Effects: effects, Felt: v.Felt, Lead: v.Lead, Damping: v.Damping, Friction: v.Friction, Inertia: v.Inertia,
		Lock: v.Lock, Asked: f.AskedTorque, Limited: v.Limited, Slewed: v.Slewed, Sent: v.Sent, Rated: f.RatedTorque,
		Peak: v.Peak, Scale: v.Scale, Clipped: v.Clipped, RimSpeed: v.RimSpeed * degrees, HandsOn: v.HandsOn, Delay: v.Delay * 1e3, Rate: v.Rate, Own: v.Own, Total: v.Total,
	}
}
