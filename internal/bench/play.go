package bench

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"
	"os"
	"sync"
	"time"

	"rig.example/rig/calib"
	"rig.example/rig/devices/wheel"
	"rig.example/rig/internal/config"
	"rig.example/rig/internal/evdev"
	"rig.example/rig/internal/loop"
	"rig.example/rig/internal/operator"
	"rig.example/rig/internal/rt"
	"rig.example/rig/internal/switches"
	"rig.example/rig/internal/watch"
	"rig.example/rig/sim"
)

// TrialOptions say who is asked, and who watches.
type TrialOptions struct {
	UI       *calib.UI
	Say      io.Writer // what will happen, and why less of it
	Agreed   bool      // the operator agreed beforehand, to gentleTrial at most
	Log      *slog.Logger
	Terminal *os.File // shows angle and torque live; nil for none
}

// TrialResult is what the rim did.
type TrialResult struct {
	Effect   string   `json:"effect"`
	Wheel    string   `json:"wheel"`
	Peak     float64  `json:"peak_nm"`    // most torque asked for
	Given    float64  `json:"given_nm"`   // most torque handed to the wheel
	Duration float64  `json:"duration_s"` // for which it was played
	Left     float64  `json:"left_deg"`   // farthest to the left of where it began
	Right    float64  `json:"right_deg"`  // farthest to the right
	Moved    float64  `json:"moved_deg"`  // both together
	Delay    *float64 `json:"delay_ms"`   // from a torque to the rim's answer, an estimate; null where it cannot be told
	Rate     float64  `json:"rate_hz"`    // forces that the wheel takes a second
	Ended    string   `json:"ended"`      // done, or why it was cut short
}

// gentleTrial is the torque that --yes alone agrees to [N·m].
const gentleTrial = 2

// PlayTrial tells what an effect will do, asks, and plays it at the wheel that cfg would use. Whoever
// ends ctx takes the force off at once.
func PlayTrial(ctx context.Context, cfg config.Config, t Trial, o TrialOptions) (TrialResult, error) {
	nodes, err := evdev.List()
	if err != nil {
		return TrialResult{}, err
	}
	info, err := wheel.Choose(nodes, cfg.Wheel.Device)
	if err != nil {
		return TrialResult{}, err
	}
	if !info.HasForce() {
		return TrialResult{}, fmt.Errorf("ffb test: %s offers no force; plug its power supply in, see `rig devices`", info.Name)
	}
	if err := t.agree(ctx, cfg, info.Name, o); err != nil {
		return TrialResult{}, err
	}
	store, err := cfg.ProfileStore()
	if err != nil {
		return TrialResult{}, err
	}
	stop, err := switches.OpenStop(cfg.Estop)
	if err != nil {
		return TrialResult{}, err
	}
	w, c := wheel.New(cfg.Wheel, store, o.Log), wheel.NewControls(cfg.Buttons, cfg.Wheel.Device, o.Log)
	r, err := newTrialRun(cfg, t, w, c, nil)
	if err != nil {
		return TrialResult{}, err
	}
	if stop != nil {
		r.estop = stop
	}
	err = r.play(ctx, cfg, o, w.Run, c.Run)
	if errors.Is(err, errNoWheel) {
		err = fmt.Errorf("%w: %s", err, cmp.Or(w.Status().Problem, "see `rig devices`"))
	}
	result := r.result(info.Name, err)
	err = errors.Join(err, w.Close())
	if stop != nil {
		err = errors.Join(err, stop.Close())
	}
	return result, err
}

// agree tells what will happen, and is an error unless the operator agrees.
func (t Trial) agree(ctx context.Context, cfg config.Config, name string, o TrialOptions) error {
	if err := t.Validate(); err != nil {
		return err
	}
	effect, err := findTrial(t.Effect)
	if err != nil {
		return err
	}
	most, why := t.limit(cfg)
	if why != "" {
		fmt.Fprintf(o.Say, "%.1f N·m is limited to %.1f N·m by %s\n", math.Abs(t.Torque), most, why)
	}
	fmt.Fprintf(o.Say, "%s: %s %s. It fades in over %d s and lasts %v.\n", name, t.Effect, effect.says(math.Copysign(most, t.Torque), t.Hz, t.Duration.Seconds()), trialFadeIn, t.Duration)
	fmt.Fprintln(o.Say, "Hold the rim with both hands, thumbs outside. Ctrl-C, SIGUSR2, the button for stop and the stop switch take the force off at once.")
	if o.Agreed && most <= gentleTrial {
		return nil
	}
	flag := "--yes"
	if most > gentleTrial {
		flag = ""
		fmt.Fprintf(o.Say, "More than %d N·m needs a typed yes.\n", gentleTrial)
	}
	yes, err := o.UI.Consent(ctx, flag, "Play it now?")
	switch {
	case err != nil:
		return fmt.Errorf("ffb test: nothing was played: %w", err)
	case !yes:
		return errors.New("ffb test: nothing was played, for nobody agreed")
	}
	return nil
}

// play runs the devices and the loop until the trial is over.
func (r *trialRun) play(ctx context.Context, cfg config.Config, o TrialOptions, devices ...func(context.Context) error) error {
	problems, release := cfg.Realtime.Process()
	defer release()
	inner, cancel := context.WithCancel(context.WithoutCancel(ctx)) // they outlive the order to stop: the force is taken off first
	defer cancel()
	var wg sync.WaitGroup
	for _, run := range devices {
		wg.Go(func() { _ = run(inner) }) // what hinders them their status tells
	}
	refused, ended := make(chan []rt.Problem, 1), make(chan error, 1)
	go func() { // ends with its thread, whose priority nothing else must inherit
		refused <- cfg.Realtime.Thread()
		if r.estop != nil {
			switches.Settled(r.estop, cfg.Estop) // just before the first tick, which else would be a stop
		}
		ended <- loop.Run(cfg.Realtime.Clock(), time.Duration(sim.Dt*float64(time.Second)), cfg.Loop, &loop.Stats{}, r.tick)
	}()
	for _, p := range append(problems, <-refused...) {
		o.Log.Warn(p.What, "remedy", p.Remedy)
	}
	err := r.watch(ctx, ended, o.Terminal)
	cancel()
	wg.Wait()
	if errors.Is(err, errHalted) {
		return fmt.Errorf("ffb test: %w; %w", operator.EndedBy(ctx), err)
	}
	return err
}

// watch shows the rim until the loop has ended, and orders the stop.
func (r *trialRun) watch(ctx context.Context, ended <-chan error, terminal *os.File) error {
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case err := <-ended:
			if terminal != nil {
				fmt.Fprint(terminal, "\r\x1b[K")
			}
			return err
		case <-ctx.Done():
			r.halt.Store(true)
			ctx = context.Background()
		case <-tick.C:
			if terminal != nil {
				fmt.Fprint(terminal, "\r\x1b[K"+watch.Fit(r.line(), terminal))
			}
		}
	}
}

// line is where the rim is and what it is told.
func (r *trialRun) line() string {
	angle, torque := math.Float64frombits(r.seen[0].Load()), math.Float64frombits(r.seen[1].Load())
	return fmt.Sprintf("%s  %s %+5.2f N·m   rim %+7.1f°", r.trial.Effect, watch.WideBar(torque, r.most, 12), torque, angle*degrees)
}

// result sums up what the rim did; err is how it ended.
func (r *trialRun) result(name string, err error) TrialResult {
	t := TrialResult{Effect: r.trial.Effect, Wheel: name, Peak: r.most, Duration: float64(len(r.angles)) / 1000, Rate: r.rate, Ended: "done"}
	for i, a := range r.angles {
		t.Left, t.Right = max(t.Left, a*degrees), max(t.Right, -a*degrees)
		t.Given = max(t.Given, math.Abs(r.torques[i]))
	}
	t.Moved = t.Left + t.Right
	if r.effect.knocks {
		t.Delay = watch.Known(1000 * answerDelay(r.torques, r.angles))
	}
	if err != nil {
		t.Ended = err.Error()
	}
	return t
}

// Print tells people of it.
func (t TrialResult) Print(w io.Writer) {
	fmt.Fprintf(w, "%s: %s, up to %.2f N·m for %.1f s; the rim went %.1f° to the left and %.1f° to the right", t.Wheel, t.Effect, t.Given, t.Duration, t.Left, t.Right)
	if t.Delay != nil {
		fmt.Fprintf(w, ", and answered after about %.0f ms", *t.Delay)
	}
	fmt.Fprintln(w)
}
