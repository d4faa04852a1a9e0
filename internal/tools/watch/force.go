package watch

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"

	"rig.example/rig/ffb"
	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/core/guard"
	"rig.example/rig/internal/core/shown"
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

// forceObject is the force's part of a frame as JSON for scripts. delivered_share is the fraction of the requested torque that
// is sent, null if none is requested; needs_consent_above_nm the limit without consent, null if it limits nothing.
var forceObject = shown.NewObject[frame.Frame](`
	tick=car_ticks !state speed_kph=speed(km/h) !frozen `+stages+`
	rim_torque_nm=rim_torque !delivered_share ffb_gain=force_gain clipping wheel_present=wheel high_torque !needs_consent_above_nm`, -1)

// Describe returns the force's part of a frame as JSON for scripts.
func (w *Force) Describe(f *frame.Frame) json.RawMessage {
	consentAbove := math.NaN()
	if f.Flags&frame.TorqueLimited != 0 {
		consentAbove = guard.SafeTorque
	}
	return forceObject.Append(nil, f, map[string]any{
		"state": StateName(f.State), "frozen": isFrozen(f), "effects": effectsNow(f), "delivered_share": w.Delivered(), "needs_consent_above_nm": consentAbove,
	})
}

// stages are the torque after each stage from the steering column to the rim, as JSON for scripts. scale is the torque at the
// rim per torque at the column, clipped_share a fraction of the last 10 s, hands_on an estimate from 0 to 1, rate_hz the torque
// updates that the wheel accepts, 0 if unknown, own_effects_nm what the wheel's own effects may add, total_nm the highest that
// the rim may feel.
const stages = `
	column_nm=rim_torque_column gained_nm=rim_torque_gained effects_nm=!effects felt_nm=rim_torque_felt lead_nm=rim_phase_lead damping_nm=rim_damping
	friction_nm=rim_friction inertia_nm=rim_inertia soft_lock_nm=soft_lock_torque asked_nm=rim_torque_requested limited_nm=rim_torque_limited
	slewed_nm=rim_torque_slewed sent_nm=rim_torque_reconstructed rated_nm=rim_torque_allowed learned_peak_nm=column_torque_peak scale=force_scale
	clipped_share=force_clipped rim_deg_per_s=rim_speed(deg/s) hands_on reconstruction_delay_ms=reconstruction_delay(ms) rate_hz=wheel_update_rate
	own_effects_nm=own_effects_torque total_nm=rim_torque_total`

// effectsNow returns the torque of each effect by its name.
func effectsNow(f *frame.Frame) map[string]float64 {
	effects := map[string]float64{}
	for e := range ffb.Effect(ffb.EffectCount) {
		effects[e.String()] = f.Force.Effects[e]
	}
	return effects
}
