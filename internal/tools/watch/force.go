package watch

import (
	"fmt"
	"math"
	"strings"

	"rig.example/rig/ffb"
	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/core/guard"
	"rig.example/rig/internal/kit/valid"
)

// EffectName returns the name of effect i of frame.Force.Effects, or "" if there is none.
func EffectName(i int) string {
	if i < 0 || i >= int(ffb.EffectCount) {
		return ""
	}
	return ffb.Effect(i).String()
}

// Force describes the force of a running rig, averaged over the frames that Add gets.
type Force struct {
	asked, applied float64               // smoothed magnitudes of the requested and the sent torque [N·m]
	tick           uint64                // tick of the newest frame
	usedEffects    [ffb.EffectCount]bool // effects that were not 0 in any frame so far
}

// averagingTime is the time constant for averaging sent and requested torque [s].
const averagingTime = 5

// Add updates the averages by the newest frame.
func (w *Force) Add(f *frame.Frame) {
	dt := float64(f.Tick-w.tick) / 1000
	if w.tick == 0 || f.Tick < w.tick {
		dt = 0
	}
	w.tick = f.Tick
	k := dt / (dt + averagingTime)
	w.asked += k * (magnitude(f.AskedTorque) - w.asked)
	w.applied += k * (magnitude(f.RimTorque) - w.applied)
	for i := range w.usedEffects {
		w.usedEffects[i] = w.usedEffects[i] || f.Force.Effects[i] != 0
	}
}

// magnitude returns the absolute value of a torque, and 0 for NaN and Inf.
func magnitude(v float64) float64 {
	if !valid.Finite(v) {
		return 0
	}
	return math.Abs(v)
}

// Delivered returns the sent torque as a fraction of the requested torque, 0..1, or NaN if none was
// requested.
func (w *Force) Delivered() float64 {
	const minAsked = 0.01 // [N·m]
	if w.asked < minAsked {
		return math.NaN()
	}
	return w.applied / w.asked
}

// forceRow is a row of the terminal view: a stage of the force.
type forceRow struct {
	name   string
	torque float64 // torque shown as a number [N·m]
	bar    float64 // torque shown as a bar [N·m at the rim]
}

// rows returns the stages from the column to the rim.
func (w *Force) rows(f *frame.Frame) []forceRow {
	v := &f.Force
	row := func(name string, torque float64) forceRow { return forceRow{name, torque, torque} }
	list := []forceRow{{"column", v.Column, v.Column * v.Scale}, row("gained", v.Gained)}
	for i := range w.usedEffects {
		if w.usedEffects[i] {
			list = append(list, row("  "+EffectName(i), v.Effects[i]))
		}
	}
	return append(list, row("  lead", v.Lead), row("  damping", v.Damping), row("  friction", v.Friction), row("  inertia", v.Inertia), row("  soft lock", v.Lock),
		row("asked", f.AskedTorque), row("limited", v.Limited), row("sent", v.Sent), row("at the rim", f.RimTorque))
}

// Lines returns a frame as lines for a terminal with that many columns.
func (w *Force) Lines(f *frame.Frame, columns int) []string {
	const labelWidth, figureWidth = 14, 8
	halfWidth := max((columns-labelWidth-figureWidth-10)/2, 4)
	lines := []string{headerText(f), fmt.Sprintf("%*s ← left%*s", labelWidth+figureWidth+6, "", 2*halfWidth-4, "right →")}
	for _, r := range w.rows(f) {
		lines = append(lines, fmt.Sprintf("%-*s%+*.2f N·m  %s", labelWidth, r.name, figureWidth, r.torque, WideBar(r.bar, f.RatedTorque, halfWidth)))
	}
	return append(lines, "", w.lossText(f), gainText(f), warningText(f))
}

// headerText returns state and speed of the car, and torque limit, update rate and delay of the wheel.
func headerText(f *frame.Frame) string {
	rate := "rate unknown"
	if f.Force.Rate > 0 {
		rate = fmt.Sprintf("%.0f torque updates per second", f.Force.Rate)
	}
	return fmt.Sprintf("%s %s   wheel may give %.1f N·m%s, takes %s, %.1f ms late", StateName(f.State), speedText(f, 0), f.RatedTorque, ownEffectsText(f), rate, f.Force.Delay*1e3)
}

// ownEffectsText returns the torque that the wheel's own effects may add, and the highest total torque.
func ownEffectsText(f *frame.Frame) string {
	if f.Force.OwnEffects == 0 {
		return ""
	}
	return fmt.Sprintf(", its own effects add up to %.1f (now %.1f in all)", f.Force.OwnEffects, f.Force.Total)
}

// lossText returns how much of the requested torque is delivered, and how often it is clipped.
func (w *Force) lossText(f *frame.Frame) string {
	clip := ""
	if f.Flags&frame.Clipping != 0 {
		clip = "  CLIP"
	}
	return fmt.Sprintf("delivered %s of asked   clipped %.1f %% of 10 s%s", percent(w.Delivered()), 100*f.Force.Clipped, clip)
}

// percent returns a fraction in percent, or a dash for NaN.
func percent(share float64) string { return textOrDash("%.0f %%", 100*share) }

// gainText returns gain, scale and learned peak of the force, and the estimate of hands on the rim.
func gainText(f *frame.Frame) string {
	return fmt.Sprintf("gain %.0f %%   %.2f N·m for each at the column   learned peak %.1f N·m   hands on %.0f %%",
		100*f.Gain, f.Force.Scale, f.Force.Peak, 100*f.Force.HandsOn)
}

// warningText returns a warning about clipping or a limited torque, or "".
func warningText(f *frame.Frame) string {
	switch {
	case f.Force.Clipped > frame.ClippingWarning:
		return fmt.Sprintf("! more than %.1f %% clipped: lower ffb.gain, raise ffb.full_scale_nm, or set ffb.strength = \"auto\"", 100*frame.ClippingWarning)
	case f.Flags&frame.TorqueLimited != 0:
		return guard.TorqueLimitText
	}
	return ""
}

// WideBar returns a bar with halfWidth character cells on either side of its center, for a torque and its
// limit [N·m]. Torque to the left grows to the left, in steps of half a cell.
func WideBar(torque, rated float64, halfWidth int) string {
	share := 0.0
	if rated > 0 && magnitude(torque) > 0 {
		share = max(-1, min(1, torque/rated))
	}
	n := int(math.Round(2 * math.Abs(share) * float64(halfWidth))) // in half cells
	fullCells, halfCell := n/2, n%2
	left, right := strings.Repeat(" ", halfWidth), strings.Repeat(" ", halfWidth)
	if share > 0 {
		left = strings.Repeat(" ", halfWidth-fullCells-halfCell) + strings.Repeat("▐", halfCell) + strings.Repeat("█", fullCells)
	} else {
		right = strings.Repeat("█", fullCells) + strings.Repeat("▌", halfCell) + strings.Repeat(" ", halfWidth-fullCells-halfCell)
	}
	return "[" + left + "|" + right + "]"
}

// Line returns a frame as one line.
func (w *Force) Line(f *frame.Frame) string {
	v := &f.Force
	effects := v.Felt - v.Gained
	return fmt.Sprintf("%s %s  column %+.2f  gained %+.2f  effects %+.2f  rim %+.2f  asked %+.2f  sent %+.2f  at the rim %+.2f of %.1f N·m%s  clipped %.1f %%  delivered %s  gain %.0f %%",
		StateName(f.State), speedText(f, 0), v.Column, v.Gained, effects, f.AskedTorque-v.Felt, f.AskedTorque, v.Sent, f.RimTorque, f.RatedTorque, ownEffectsText(f),
		100*v.Clipped, percent(w.Delivered()), 100*f.Gain)
}

// ForceLine is the force's part of a frame as JSON for scripts.
type ForceLine struct {
	Tick   uint64  `json:"tick"`
	State  string  `json:"state"`
	Speed  float64 `json:"speed_kph"`
	Frozen bool    `json:"frozen"` // the simulation is not stepped: the speed is that at which it stopped
	ForceNow
	Rim          float64  `json:"rim_torque_nm"`   // torque sent to the wheel, positive left
	Delivered    *float64 `json:"delivered_share"` // fraction of the requested torque; null if none is requested
	Gain         float64  `json:"ffb_gain"`
	Clipping     bool     `json:"clipping"`
	Wheel        bool     `json:"wheel_present"`
	HighTorque   bool     `json:"high_torque"`            // the operator has consented to more than guard.SafeTorque
	ConsentAbove *float64 `json:"needs_consent_above_nm"` // the torque limit without consent; null if it limits nothing
}

// Describe converts the force's part of a frame to km/h, degrees and null for unknown values.
func (w *Force) Describe(f *frame.Frame) ForceLine {
	has := func(bit uint64) bool { return f.Flags&bit != 0 }
	l := ForceLine{
		Tick: f.Tick, State: StateName(f.State), Speed: f.Speed * 3.6, Frozen: isFrozen(f), ForceNow: forceNow(f), Rim: f.RimTorque, Delivered: NumberOrNull(w.Delivered()),
		Gain: f.Gain, Clipping: has(frame.Clipping), Wheel: has(frame.WheelPresent), HighTorque: has(frame.HighTorque),
	}
	if has(frame.TorqueLimited) {
		l.ConsentAbove = NumberOrNull(guard.SafeTorque)
	}
	return l
}

// ForceNow holds the torque after each stage from the steering column to the rim, as JSON for scripts.
type ForceNow struct {
	Column     float64            `json:"column_nm"`
	Gained     float64            `json:"gained_nm"`
	Effects    map[string]float64 `json:"effects_nm"`
	Felt       float64            `json:"felt_nm"`
	Lead       float64            `json:"lead_nm"`
	Damping    float64            `json:"damping_nm"`
	Friction   float64            `json:"friction_nm"`
	Inertia    float64            `json:"inertia_nm"`
	Lock       float64            `json:"soft_lock_nm"`
	Asked      float64            `json:"asked_nm"`
	Limited    float64            `json:"limited_nm"`
	Slewed     float64            `json:"slewed_nm"`
	Sent       float64            `json:"sent_nm"`
	Rated      float64            `json:"rated_nm"`
	Peak       float64            `json:"learned_peak_nm"` // peak of the column's torque
	Scale      float64            `json:"scale"`           // torque at the rim per torque at the column
	Clipped    float64            `json:"clipped_share"`   // fraction of the last 10 s of driving
	RimSpeed   float64            `json:"rim_deg_per_s"`
	HandsOn    float64            `json:"hands_on"` // estimate, 0 (nobody) to 1 (surely somebody)
	Delay      float64            `json:"reconstruction_delay_ms"`
	Rate       float64            `json:"rate_hz"`        // torque updates that the wheel accepts per second; 0 is unknown
	OwnEffects float64            `json:"own_effects_nm"` // torque that the wheel's own effects may add
	Total      float64            `json:"total_nm"`       // highest torque that the rim may feel
}

// forceNow converts the force's part of a frame to degrees and milliseconds.
func forceNow(f *frame.Frame) ForceNow {
	v := &f.Force
	effects := map[string]float64{}
	for e := range ffb.Effect(ffb.EffectCount) {
		effects[e.String()] = v.Effects[e]
	}
	return ForceNow{
		Column: v.Column, Gained: v.Gained, Effects: effects, Felt: v.Felt, Lead: v.Lead, Damping: v.Damping, Friction: v.Friction, Inertia: v.Inertia,
		Lock: v.Lock, Asked: f.AskedTorque, Limited: v.Limited, Slewed: v.Slewed, Sent: v.Sent, Rated: f.RatedTorque,
		Peak: v.Peak, Scale: v.Scale, Clipped: v.Clipped, RimSpeed: v.RimSpeed * degrees, HandsOn: v.HandsOn, Delay: v.Delay * 1e3, Rate: v.Rate, OwnEffects: v.OwnEffects, Total: v.Total,
	}
}
