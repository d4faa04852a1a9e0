// Package setup guides the operator through the first run: it finds the devices, has them measured, chooses the
// platform and writes the configuration. The configuration file that is there and the operator's answers go in; out
// come the file with a few keys changed, the profiles of the devices, and a summary. Everything is written at the end
// and after a question. The package pushes no rim and moves no platform itself: calib and bench do, and only with the
// operator's consent.
package setup

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"

	"rig.example/rig/calib"
	"rig.example/rig/calib/dialog"
	"rig.example/rig/internal/files/config"
	"rig.example/rig/internal/kit/printable"
	"rig.example/rig/internal/live/console"
	"rig.example/rig/internal/live/operator"
	"rig.example/rig/internal/tools/check"
)

// Options are the options of Run.
type Options struct {
	Config  string // file to write; "" for that of the user
	Yes     bool   // every question gets its default answer, and nothing is agreed to
	PushOK  bool   // the operator has agreed to pulses at the rim
	MoveOK  bool   // the operator has agreed to a platform that moves
	NoDrive bool   // do not offer a drive

	Sections []config.Section // of the configuration

	In       io.Reader // answers
	Out      io.Writer // questions
	Log      *slog.Logger
	Progress *console.Progress // of the platform; nil for none
	Stop     context.Context   // is canceled by an emergency stop in software
	Place    *operator.Place   // is told where the platform stands; nil for nobody
	Getenv   func(string) string
	UID      int
}

// Results of a step.
const (
	resultDone    = "done"
	resultSkipped = "skipped"
	resultLeftOut = "left out" // it needs a consent that nobody gave
	resultFailed  = "failed"
)

// step is a part of the setup that can be skipped and repeated.
type step struct {
	name string
	// propose says what there is to do, and returns the question whether to do it, "" if the step does not apply, and
	// whether yes is the default answer.
	propose func(*wizard) (isDefault bool, question string, err error)
	run     func(*wizard) error
}

// allSteps returns the steps in their order.
func allSteps() []step {
	return []step{
		{"wheel", (*wizard).proposeWheel, (*wizard).measureWheel},
		{"pedals", (*wizard).proposePedals, (*wizard).measurePedals},
		{"levers", (*wizard).proposeLevers, (*wizard).describeLevers},
		{"platform", (*wizard).proposePlatform, (*wizard).choosePlatform},
		{"screens", (*wizard).proposeScreens, (*wizard).describeScreens},
	}
}

// wizard is the state of a setup.
type wizard struct {
	ctx     context.Context
	ui      *dialog.Dialog // Enter takes the answer that a question shows in brackets
	yes     bool           // every question gets its default answer
	steps   []step
	opt     Options
	machine Machine
	target  target
	text    []byte                        // of the configuration with all changes so far
	cfg     config.Config                 // that text says
	changes map[string][]config.KeyChange // by the name of the step
	results map[string]StepResult
	wheel   *calib.WheelProfile // nil if it was not measured
	pedals  []calib.PedalsProfile
	lever   *calib.PedalsProfile // of a handbrake on a device of its own; nil if it was not measured
	notHome bool                 // the platform did not home: no drive is offered
	summary Summary

	notMoved bool // the line of the platform was opened, and nobody agreed to a movement
}

// errLeftOut is the error of a step that needs a consent which was not given.
var errLeftOut = errors.New("left out")

// Run guides the operator through the setup. If it returns an error before the files are written, nothing is.
func Run(ctx context.Context, opt Options, machine Machine) (Summary, error) {
	w := &wizard{
		ctx: ctx, ui: dialog.New(opt.In, opt.Out, opt.Yes), yes: opt.Yes, steps: allSteps(), opt: opt, machine: machine,
		changes: map[string][]config.KeyChange{}, results: map[string]StepResult{},
		summary: Summary{Changed: []string{}, Profiles: []string{}, Steps: []StepResult{}, Problems: []check.Finding{}, Next: []string{}}, // no null in JSON
	}
	w.ui.Quit = "q"
	err := w.prepare()
	var fault *config.Problem
	if errors.As(err, &fault) {
		return w.summary, err // each fault of the present configuration begins with its place
	}
	if err == nil {
		err = w.doSteps()
	}
	if err != nil {
		return w.summary, fmt.Errorf("setup: %w; nothing was written", cause(ctx, err))
	}
	if err := w.write(); err != nil {
		return w.summary, fmt.Errorf("setup: %w", err)
	}
	w.summary.Steps = w.stepResults()
	w.check()
	if err := w.offerDrive(); err != nil {
		return w.summary, fmt.Errorf("setup: %w; the configuration was written", cause(ctx, err))
	}
	return w.summary, nil
}

// say writes a line.
func (w *wizard) say(format string, args ...any) { w.ui.Say(format, args...) }

// consent asks a question that only a typed yes answers with true, unless agreed says that the flag has done so.
func (w *wizard) consent(agreed bool, flag, question string) (bool, error) {
	if agreed {
		w.say("  %s (agreed by %s)", question, flag)
		return true, w.ctx.Err()
	}
	return w.ui.Consent(w.ctx, flag, "  "+question)
}

// Answers to the question whether to do a step.
const (
	answerYes  = "yes"
	answerSkip = "s"
	answerBack = "b"
)

// cause returns err, but why ctx ended in place of an error that only says that it did.
func cause(ctx context.Context, err error) error {
	if c := context.Cause(ctx); c != nil && errors.Is(err, context.Canceled) {
		return c
	}
	return err
}

// prepare reads the configuration and says what was found.
func (w *wizard) prepare() (err error) {
	if w.target, err = findTarget(w.opt.Config, w.opt.Getenv, w.opt.UID); err != nil {
		return err
	}
	w.summary.Config, w.summary.Run = w.target.path, w.target.run
	if err := w.rebuild(); err != nil {
		return err
	}
	store, err := w.cfg.ProfileStore()
	if err == nil {
		err = writable(store.Dir)
	}
	if err != nil {
		return err
	}
	w.say("This finds your devices, measures them and writes %s.", w.target.path)
	if w.target.note != "" {
		w.say("Note: %s.", w.target.note)
	}
	w.say("Enter takes the answer in [brackets]. s skips a step, b goes back one, q ends; until the end nothing is written.")
	return w.listDevices()
}

// change replaces the changes of a step, unless the configuration would not be valid with them.
func (w *wizard) change(name string, changes ...config.KeyChange) error {
	before := w.changes[name]
	w.changes[name] = changes
	err := w.rebuild()
	if err != nil {
		w.changes[name] = before
	}
	return err
}

// rebuild applies all changes to the configuration that was found.
func (w *wizard) rebuild() error {
	var all []config.KeyChange
	for _, s := range w.steps {
		all = append(all, w.changes[s.name]...)
	}
	text, err := config.Edit(w.target.text, all)
	if err != nil {
		return fmt.Errorf("%s: %w", w.target.path, err)
	}
	cfg, err := config.Parse(w.target.path, text, w.opt.Sections...)
	if err != nil {
		return err
	}
	w.text, w.cfg = text, cfg
	return nil
}

// doSteps does the steps one after the other, until the operator agrees that all is written.
func (w *wizard) doSteps() error {
	for i, direction := 0, next; ; {
		var err error
		if i == len(w.steps) {
			direction, err = w.confirmWriting()
			if err != nil || direction == next {
				return err
			}
		} else if direction, err = w.doStep(i, direction); err != nil {
			return err
		}
		if i += direction; i < 0 {
			i, direction = 0, next
		}
	}
}

// Directions of the operator's way through the steps.
const next, back = 1, -1

// doStep offers a step, and again if it failed. It returns the direction in which the operator goes on; that is the one
// in which the operator came if the step does not apply.
func (w *wizard) doStep(i, came int) (direction int, err error) {
	s := w.steps[i]
	w.say("\nStep %d of %d: %s", i+1, len(w.steps), s.name)
	isDefault, question, err := s.propose(w)
	if err != nil {
		return next, err
	}
	if question == "" {
		w.skip(s.name)
		return came, nil
	}
	for {
		defaultAnswer := answerSkip
		if isDefault {
			defaultAnswer = answerYes
		}
		answer, err := w.ui.OneOf(w.ctx, "  "+question, defaultAnswer, answerYes, answerSkip, answerBack)
		switch {
		case err != nil:
			return next, err
		case answer == answerBack:
			return back, nil
		case answer == answerSkip:
			w.skip(s.name)
			return next, nil
		}
		err = s.run(w)
		switch {
		case err == nil:
			w.results[s.name] = StepResult{s.name, resultDone, ""}
			return next, nil
		case errors.Is(err, errLeftOut):
			w.say("  %v.", err)
			w.results[s.name] = StepResult{s.name, resultLeftOut, err.Error()}
			return next, nil
		case w.ctx.Err() != nil || isEnd(err):
			return next, err
		}
		w.say("  That failed: %s", printable.Line(config.OneLine(err)))
		w.results[s.name] = StepResult{s.name, resultFailed, config.OneLine(err)}
		if w.yes {
			return next, nil
		}
		isDefault, question = true, "Try it again?"
	}
}

// skip notes that the operator does not do a step. What an earlier visit of the step has found stays, and so does its
// failure.
func (w *wizard) skip(name string) {
	if _, visited := w.results[name]; !visited {
		w.results[name] = StepResult{name, resultSkipped, ""}
	}
}

// stepResults returns the results of all steps in their order.
func (w *wizard) stepResults() (list []StepResult) {
	for _, s := range w.steps {
		list = append(list, w.results[s.name])
	}
	return list
}
