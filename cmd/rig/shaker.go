package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"sync"
	"time"

	"rig.example/rig/internal/connect/sound"
	"rig.example/rig/internal/connect/soundplayer"
	"rig.example/rig/internal/files/config"
	"rig.example/rig/internal/kit/printable"
	"rig.example/rig/internal/live/console"
)

type shakerCmd struct {
	Test  shakerTestCmd  `cmd:"" help:"Play each effect of each shaker, one after the other."`
	Sweep shakerSweepCmd `cmd:"" help:"Play a slow sweep on one shaker: press Enter where the seat or the frame shakes most."`
}

// shakerFlags choose shakers of the configuration.
type shakerFlags struct {
	Names  []string `arg:"" optional:"" name:"shaker" help:"Names of the shakers. Default: all."`
	Config string   `type:"path" placeholder:"F" help:"Read this configuration file."`
	JSON   bool     `name:"json" help:"Print JSON."`

	PageSocket string `name:"page" hidden:"" help:"Socket that keeps a second rig from running at the same time."`
}

func (*shakerFlags) forcedExitText() string { return "ended at once; the shakers with it" }

// shaker is a shaker of the configuration.
type shaker struct {
	sound.ShakerConfig
	label string
}

// chosen returns the shakers that were named, or all.
func (c *shakerFlags) chosen(s *streams) (list []shaker, err error) {
	cfg, _, err := s.configuration(c.Config)
	if err != nil {
		return nil, err
	}
	shakers := soundplayer.Of(&cfg, false).Shakers
	if len(shakers) == 0 {
		return nil, errors.New("no shaker is configured; add a table [[shaker]] with place and channel, see docs/sound.md")
	}
	var labels []string
	var all []shaker
	for i, k := range shakers {
		labels = append(labels, soundplayer.ShakerName(k, i))
		k.Name = labels[i]
		all = append(all, shaker{k, labels[i]})
	}
	if len(c.Names) == 0 {
		return all, nil
	}
	for _, name := range c.Names {
		i := slices.Index(labels, name)
		if i < 0 {
			return nil, &config.Problem{File: "rig", Text: fmt.Sprintf("no shaker is named %q; the configuration has %s", name, strings.Join(labels, ", "))}
		}
		list = append(list, all[i])
	}
	return list, nil
}

type shakerTestCmd struct {
	shakerFlags
	Seconds float64 `default:"1.5" help:"How long each effect plays [s]."`
}

func (c *shakerTestCmd) Run(s *streams) error {
	if !(c.Seconds >= 0.1 && c.Seconds <= 60) {
		return &config.Problem{File: "--seconds", Text: "must be 0.1 to 60"}
	}
	list, err := c.chosen(s)
	if err != nil {
		return err
	}
	return s.guarded(c, &c.PageSocket, func(ctx, stopCtx context.Context) error {
		for _, k := range list {
			if err := c.play(ctx, s, k); err != nil || ctx.Err() != nil {
				return errors.Join(err, context.Cause(stopCtx))
			}
		}
		return nil
	})
}

// play plays each effect of one shaker that is on.
func (c *shakerTestCmd) play(ctx context.Context, s *streams, k shaker) error {
	var effects []string
	for _, effect := range sound.Effects {
		if k.Has(effect) {
			effects = append(effects, effect)
		}
	}
	if len(effects) == 0 {
		return fmt.Errorf("shaker %s: all its effects are off; raise the gain_db of one", k.label)
	}
	const pause = 50 // between effects [ms]
	ticks := int(c.Seconds*1000) + pause
	maker := sound.NewShaker(k.ShakerConfig, sound.ExampleCar())
	trial := soundplayer.Trial{Config: k.ShakerConfig, Ticks: ticks * len(effects), Step: func(tick int, out *sound.Mono) *sound.Shaker {
		n, at := min(tick/ticks, len(effects)-1), tick%ticks
		if at == 0 {
			maker.Solo(effects[n])
		}
		if at >= ticks-pause { // fades
			maker.Step(out, nil)
			return maker
		}
		sense := sound.Example(effects[n], at)
		maker.Step(out, &sense)
		return maker
	}}
	b := newBars(s, c.JSON)
	defer b.end()
	return trial.Play(ctx, func(n soundplayer.Now) { b.show(k.label, effects[min(n.Tick/ticks, len(effects)-1)], n) })
}

type shakerSweepCmd struct {
	shakerFlags
	From    float64 `help:"Lowest frequency [Hz]. Default: the shaker's."`
	To      float64 `help:"Highest frequency [Hz]. Default: the shaker's."`
	Seconds float64 `default:"30" help:"How long the sweep takes [s]."`
	LevelDB float64 `name:"level-db" default:"-12" help:"Level below full scale [dB]."`
}

// check returns an error for values that cannot be swept.
func (c *shakerSweepCmd) check(k *shaker) error {
	low, high := k.Span()
	if c.From == 0 {
		c.From = low
	}
	if c.To == 0 {
		c.To = high
	}
	switch {
	case !(c.From >= 5 && c.From < c.To && c.To <= 400):
		return &config.Problem{File: "--from", Text: fmt.Sprintf("%g to %g Hz cannot be swept; give 5 to 400 Hz, the lower first", c.From, c.To)}
	case !(c.Seconds >= 1 && c.Seconds <= 600):
		return &config.Problem{File: "--seconds", Text: "must be 1 to 600"}
	case !(c.LevelDB >= -60 && c.LevelDB <= 0):
		return &config.Problem{File: "--level-db", Text: "must be -60 to 0"}
	}
	return nil
}

// hz returns the frequency at a tick: as many octaves in each second.
func (c *shakerSweepCmd) hz(tick int) float64 {
	return c.From * math.Pow(c.To/c.From, min(float64(tick)/(c.Seconds*1000), 1))
}

// sweepResult is the result of a sweep.
type sweepResult struct {
	Shaker string    `json:"shaker"`
	From   float64   `json:"from_hz"`
	To     float64   `json:"to_hz"`
	Marks  []float64 `json:"marks_hz"` // where Enter was pressed
}

func (c *shakerSweepCmd) Run(s *streams) error {
	list, err := c.chosen(s)
	if err != nil {
		return err
	}
	if len(list) > 1 {
		return &config.Problem{File: "rig", Text: "one shaker is swept at a time; name one of " + labelsOf(list)}
	}
	k := list[0]
	if err := c.check(&k); err != nil {
		return err
	}
	k.ResonanceHz, k.LowHz, k.HighHz = 0, 5, 400 // as it is, without what the configuration does to it
	maker, strength := sound.NewShaker(k.ShakerConfig, sound.ExampleCar()), math.Pow(10, c.LevelDB/20)
	trial := soundplayer.Trial{Config: k.ShakerConfig, Ticks: int(c.Seconds * 1000), Step: func(tick int, out *sound.Mono) *sound.Shaker {
		maker.Tone(out, c.hz(tick), strength)
		return maker
	}}
	return s.guarded(c, &c.PageSocket, func(ctx, stopCtx context.Context) error {
		marks, err := c.sweep(ctx, s, &k, trial)
		if err = errors.Join(err, context.Cause(stopCtx)); err != nil {
			return err
		}
		return c.print(s, sweepResult{k.label, c.From, c.To, marks})
	})
}

// sweep plays the sweep and returns the frequencies at which Enter was pressed.
func (c *shakerSweepCmd) sweep(ctx context.Context, s *streams, k *shaker, trial soundplayer.Trial) ([]float64, error) {
	fmt.Fprintf(s.err, "rig: sweeps %s from %g to %g Hz in %g s; press Enter where it shakes most\n", printable.Name(k.label), c.From, c.To, c.Seconds)
	marks := &marker{}
	go marks.read(s.in)
	b := newBars(s, c.JSON)
	defer b.end()
	err := trial.Play(ctx, func(n soundplayer.Now) {
		marks.at(c.hz(n.Tick))
		if !c.JSON {
			b.show(k.label, fmt.Sprintf("%.0f Hz", c.hz(n.Tick)), n)
		}
	})
	return marks.list(), err
}

func (c *shakerSweepCmd) print(s *streams, r sweepResult) error {
	if c.JSON {
		return json.NewEncoder(s.out).Encode(r)
	}
	if len(r.Marks) == 0 {
		fmt.Fprintln(s.out, "Enter was not pressed; sweep again, or slower with --seconds")
		return nil
	}
	sum := 0.0
	for _, hz := range r.Marks {
		fmt.Fprintf(s.out, "marked at %.1f Hz\n", hz)
		sum += math.Log(hz)
	}
	_, err := fmt.Fprintf(s.out, "for [[shaker]] of %s:\nresonance_hz = %.0f\nresonance_db = 6\n", printable.Line(r.Shaker), math.Exp(sum/float64(len(r.Marks))))
	return err
}

func labelsOf(list []shaker) string {
	var labels []string
	for _, k := range list {
		labels = append(labels, k.label)
	}
	return strings.Join(labels, ", ")
}

// marker notes the frequency that is felt when a line comes from the terminal.
type marker struct {
	mu    sync.Mutex
	now   float64
	marks []float64
}

// read notes a mark for each line, until there are no more.
func (m *marker) read(in io.Reader) {
	for lines := bufio.NewScanner(in); lines.Scan(); {
		m.mu.Lock()
		if m.now > 0 {
			m.marks = append(m.marks, m.now)
		}
		m.mu.Unlock()
	}
}

func (m *marker) at(hz float64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.now = hz
}

func (m *marker) list() []float64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	return append([]float64{}, m.marks...)
}

// bars shows what a shaker does: as a bar on a terminal, or as a line for each new effect and each second.
type bars struct {
	s      *streams
	panel  *console.Panel // nil without a terminal
	leave  func()
	asJSON bool
	what   string
	shown  time.Time
}

func newBars(s *streams, asJSON bool) *bars {
	b := &bars{s: s, asJSON: asJSON, leave: func() {}}
	if !asJSON {
		b.panel, b.leave = s.openView()
	}
	return b
}

// trialMoment is a moment of a trial.
type trialMoment struct {
	Shaker string  `json:"shaker"`
	What   string  `json:"what"`  // effect or frequency
	Level  float64 `json:"level"` // 0..1
	Heat   float64 `json:"heat"`  // of the voice coil; 1 is the limit
}

func (b *bars) show(label, what string, n soundplayer.Now) {
	line := fmt.Sprintf("%-16s %-10s [%-30s] %3.0f %%  heat %3.0f %%", label, what, strings.Repeat("#", int(math.Round(30*min(n.Peak, 1)))), 100*n.Peak, 100*n.Heat)
	switch {
	case b.asJSON:
		_ = json.NewEncoder(b.s.out).Encode(trialMoment{label, what, n.Peak, n.Heat})
	case b.panel != nil:
		_ = b.panel.Show([]console.Line{{Text: line}})
	case what != b.what && time.Since(b.shown) > time.Second || b.what == "":
		fmt.Fprintln(b.s.out, printable.Line(line))
		b.what, b.shown = what, time.Now()
	}
}

func (b *bars) end() { b.leave() }
