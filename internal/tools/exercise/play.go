package exercise

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"
	"sync"
	"time"

	"rig.example/rig/calib/dialog"
	"rig.example/rig/devices/wheel"
	"rig.example/rig/internal/files/config"
	"rig.example/rig/internal/kit/evdev"
	"rig.example/rig/internal/live/console"
	"rig.example/rig/internal/live/operator"
	"rig.example/rig/internal/live/switches"
	"rig.example/rig/internal/live/ticks"
	"rig.example/rig/internal/tools/watch"
)

// ForceTrialOptions are the options of a trial.
type ForceTrialOptions struct {
	UI        *dialog.Dialog
	Output    io.Writer // receives messages for the operator: what will happen, and which key limits the torque
	Confirmed bool      // the operator has confirmed the trial with --yes, which is valid up to maxUnconfirmedTorque
	Log       *slog.Logger
	Progress  *console.Progress // shows angle and torque during the trial; nil for none
}

// ForceTrialResult is the result of a trial.
type ForceTrialResult struct {
	Effect          string   `json:"effect"`
	Wheel           string   `json:"wheel"`
	RequestedTorque float64  `json:"peak_nm"`    // largest torque of the effect within the limits [N·m]
	AppliedTorque   float64  `json:"given_nm"`   // largest torque that was sent to the wheel [N·m]
	Duration        float64  `json:"duration_s"` // of the part that was played [s]
	MaxLeft         float64  `json:"left_deg"`   // largest angle to the left of where the rim began [deg]
	MaxRight        float64  `json:"right_deg"`  // largest angle to the right [deg]
	TotalAngle      float64  `json:"moved_deg"`  // sum of both angles [deg]
	Delay           *float64 `json:"delay_ms"`   // estimated delay from a torque to the rim's movement [ms]; null if it could not be measured
	UpdateRate      float64  `json:"rate_hz"`    // torques that the wheel accepts per second [Hz]
	Outcome         string   `json:"ended"`      // done, or the error that ended the trial
}

// maxUnconfirmedTorque is the highest torque that --yes confirms without a typed answer [N·m].
const maxUnconfirmedTorque = 2

// PlayForceTrial tells the operator what an effect will do, asks for confirmation, and plays the
// effect at the wheel that cfg selects. When ctx ends, the torque is 0 at once.
func PlayForceTrial(ctx context.Context, cfg config.Config, t ForceTrial, o ForceTrialOptions) (ForceTrialResult, error) {
	nodes, err := evdev.List()
	if err != nil {
		return ForceTrialResult{}, err
	}
	info, err := wheel.Choose(nodes, cfg.Wheel.Device)
	if err != nil {
		return ForceTrialResult{}, err
	}
	if !info.HasForce() {
		return ForceTrialResult{}, fmt.Errorf("ffb test: %s has no force feedback; plug its power supply in, see `rig devices`", info.Name)
	}
	if err := t.confirm(ctx, cfg, info.Name, o); err != nil {
		return ForceTrialResult{}, err
	}
	store, err := cfg.ProfileStore()
	if err != nil {
		return ForceTrialResult{}, err
	}
	w, c := wheel.New(cfg.Wheel, store, o.Log), wheel.NewControls(cfg.Buttons, cfg.Wheel.Device, o.Log)
	r, err := newTrialRun(cfg, t, w, c)
	if err == nil {
		r.switches, err = switches.Open(cfg.Estop, true) // belt and door are the platform's, which rests
	}
	if err != nil {
		return ForceTrialResult{}, err
	}
	err = r.run(ctx, cfg, o, w.Run, c.Run)
	if errors.Is(err, errNoWheel) {
		err = fmt.Errorf("%w: %s", err, cmp.Or(w.Status().Problem, "see `rig devices`"))
	}
	result := r.result(info.Name, err)
	return result, errors.Join(err, w.Close(), r.switches.Close())
}

// confirm tells the operator what will happen, and returns an error unless the operator agrees.
func (t ForceTrial) confirm(ctx context.Context, cfg config.Config, name string, o ForceTrialOptions) error {
	if err := t.Validate(); err != nil {
		return err
	}
	effect, err := findEffect(t.Effect)
	if err != nil {
		return err
	}
	torque, limitedBy := t.torqueLimit(cfg)
	if limitedBy != "" {
		fmt.Fprintf(o.Output, "%.1f N·m is limited to %.1f N·m by %s\n", math.Abs(t.Torque), torque, limitedBy)
	}
	fmt.Fprintf(o.Output, "%s: %s %s. It fades in over %d s and lasts %v.\n", name, t.Effect, effect.describe(math.Copysign(torque, t.Torque), t.Hz, t.Duration.Seconds()), trialFadeIn, t.Duration)
	fmt.Fprintln(o.Output, "Hold the rim with both hands, thumbs outside. Ctrl-C, `rig stop` in another terminal, the button for stop and the stop switch switch the torque off at once.")
	limit := fmt.Sprintf("%d N·m", maxUnconfirmedTorque)
	if err := consent(ctx, o.UI, o.Output, o.Confirmed, torque <= maxUnconfirmedTorque, limit, "Play it now?"); err != nil {
		return fmt.Errorf("ffb test: nothing was played: %w", err)
	}
	return nil
}

// consent asks the operator to agree. --yes, which confirmed reports, does so in advance, but only to what is mild; anything
// above its limit needs a typed yes.
func consent(ctx context.Context, ui *dialog.Dialog, out io.Writer, confirmed, isMild bool, limit, question string) error {
	switch {
	case isMild && confirmed:
		return nil
	case isMild:
		return ui.Agree(ctx, "--yes", question)
	}
	fmt.Fprintf(out, "More than %s needs a typed yes.\n", limit)
	return ui.Agree(ctx, "", question)
}

// run operates the devices and the loop until the trial is over.
func (r *trialRun) run(ctx context.Context, cfg config.Config, o ForceTrialOptions, devices ...func(context.Context) error) error {
	problems, release := cfg.Realtime.Process()
	defer release()
	runCtx, cancel := context.WithCancel(context.WithoutCancel(ctx)) // lasts longer than ctx: the force is taken off first
	defer cancel()
	var wg sync.WaitGroup
	for _, run := range devices {
		wg.Go(func() { _ = run(runCtx) }) // errors are in the device's status
	}
	_, ended := ticks.Loop{Tick: r.tick, Panicked: r.takeForceOff, Switches: r.switches, Stats: &r.stats, Gap: &r.gap}.Start(&cfg, problems, o.Log)
	err := r.watch(ctx, ended, o.Progress)
	cancel()
	wg.Wait()
	if errors.Is(err, errHalted) {
		return fmt.Errorf("ffb test: %w; %w", operator.Cause(ctx), err)
	}
	return err
}

// takeForceOff takes the force off if a tick panics, which ends the program.
func (r *trialRun) takeForceOff() {
	if bad := recover(); bad != nil {
		r.wheel.Push(0)
		panic(bad)
	}
}

// watch shows the rim until the loop has ended, and orders the stop when ctx ends.
func (r *trialRun) watch(ctx context.Context, ended <-chan error, progress *console.Progress) error {
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case err := <-ended:
			progress.Clear()
			return err
		case <-ctx.Done():
			r.haltRequested.Store(true)
			ctx = context.Background()
		case <-tick.C:
			progress.Show(r.statusLine())
		}
	}
}

// statusLine returns angle and torque as one line of text.
func (r *trialRun) statusLine() string {
	angle, torque := r.angle.Load(), r.torque.Load()
	return fmt.Sprintf("%s  %s %+5.2f N·m   rim %+7.1f°", r.trial.Effect, watch.WideBar(torque, r.maxTorque, 12), torque, angle*degreesPerRadian)
}

// result returns the result of a trial that ended with err, nil if it was completed.
func (r *trialRun) result(name string, err error) ForceTrialResult {
	t := ForceTrialResult{Effect: r.trial.Effect, Wheel: name, RequestedTorque: r.maxTorque, Duration: float64(len(r.angles)) / 1000, UpdateRate: r.updateRate, Outcome: "done"}
	for i, a := range r.angles {
		t.MaxLeft, t.MaxRight = max(t.MaxLeft, a*degreesPerRadian), max(t.MaxRight, -a*degreesPerRadian)
		t.AppliedTorque = max(t.AppliedTorque, math.Abs(r.torques[i]))
	}
	t.TotalAngle = t.MaxLeft + t.MaxRight
	if r.effect.measuresDelay {
		t.Delay = watch.NumberOrNull(1000 * responseDelay(r.torques, r.angles))
	}
	if err != nil {
		t.Outcome = err.Error()
	}
	return t
}

// Print writes the result as a line of text.
func (t ForceTrialResult) Print(w io.Writer) {
	fmt.Fprintf(w, "%s: %s, up to %.2f N·m for %.1f s; the rim went %.1f° to the left and %.1f° to the right", t.Wheel, t.Effect, t.AppliedTorque, t.Duration, t.MaxLeft, t.MaxRight)
	if t.Delay != nil {
		fmt.Fprintf(w, ", and responded after about %.0f ms", *t.Delay)
	}
	fmt.Fprintln(w)
}
