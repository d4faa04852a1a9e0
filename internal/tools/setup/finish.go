package setup

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"rig.example/rig/calib"
	"rig.example/rig/calib/dialog"
	"rig.example/rig/internal/kit/printable"
	"rig.example/rig/internal/tools/calibration"
	"rig.example/rig/internal/tools/check"
)

// Summary is the result of a setup.
type Summary struct {
	Config   string          `json:"config"`   // path of the configuration
	Written  bool            `json:"written"`  // the configuration is new or was changed
	Previous string          `json:"previous"` // path of the file before; "" if there was none
	Changed  []string        `json:"changed"`  // keys with their new values
	Profiles []string        `json:"profiles"` // paths of the profiles that were written
	Steps    []StepResult    `json:"steps"`
	Problems []check.Finding `json:"problems"`
	Drive    bool            `json:"drive"` // the operator wants to drive now
	Run      string          `json:"run"`   // command that drives with the configuration
	Next     []string        `json:"next"`  // what to do next
}

// StepResult is what came of a step.
type StepResult struct {
	Name   string `json:"name"`
	Result string `json:"result"` // done, skipped, left out or failed
	Cause  string `json:"cause"`  // of a step that failed or was left out
}

// newFileComment begins a configuration that the setup creates.
const newFileComment = "# Configuration of rig; docs/configuration.md says what you can change and why.\n\n"

// isEnd reports whether an error ends the setup and not only a step.
func isEnd(err error) bool {
	return errors.Is(err, dialog.ErrQuit) || errors.Is(err, dialog.ErrNoAnswer)
}

// pending returns the lines that the configuration does not have yet.
func (w *wizard) pending() (lines []string) {
	for _, s := range w.steps {
		for _, c := range w.changes[s.name] {
			lines = append(lines, c.String())
		}
	}
	return lines
}

// footAndHand returns the profiles of pedals and levers that were measured.
func (w *wizard) footAndHand() []calib.PedalsProfile {
	if w.lever == nil {
		return w.pedals
	}
	return append(w.pedals[:len(w.pedals):len(w.pedals)], *w.lever)
}

// confirmWriting shows what will be written, and asks. It returns next if it may be written.
func (w *wizard) confirmWriting() (direction int, err error) {
	w.say("\nTo be written:")
	for _, line := range w.pending() {
		w.say("  %s", line)
	}
	if w.wheel != nil {
		w.say("  the profile of %s", w.wheel.Device.Name)
	}
	for _, p := range w.footAndHand() {
		w.say("  the profile of %s", p.Device.Name)
	}
	if w.target.exists && bytes.Equal(w.text, w.target.text) {
		w.say("  %s stays as it is.", w.target.path)
	} else {
		w.say("  %s%s", w.target.path, map[bool]string{true: "; the present file is kept as " + w.target.path + ".bak"}[w.target.exists])
	}
	answer, err := w.ui.OneOf(w.ctx, "  Write it?", answerYes, answerYes, answerBack)
	if answer == answerBack {
		return back, err
	}
	return next, err
}

// write writes the profiles and the configuration, each in one step.
func (w *wizard) write() error {
	store, err := w.cfg.ProfileStore()
	if err != nil {
		return err
	}
	saved := func(path string, err error) error {
		if err == nil {
			w.summary.Profiles = append(w.summary.Profiles, path)
		}
		return err
	}
	if w.wheel != nil {
		if err := saved(calibration.SaveWheel(store, w.wheel)); err != nil {
			return err
		}
	}
	for _, p := range w.footAndHand() {
		if err := saved(store.SavePedals(p)); err != nil {
			return err
		}
	}
	w.summary.Changed = append(w.summary.Changed, w.pending()...)
	if w.target.exists && bytes.Equal(w.text, w.target.text) {
		return nil
	}
	text := w.text
	if !w.target.exists {
		text = append([]byte(newFileComment), text...)
	}
	if w.summary.Previous, err = w.target.write(text); err != nil {
		return fmt.Errorf("%s: %w; the profiles were written", w.target.path, err)
	}
	w.summary.Written = true
	return nil
}

// check shows the problems that `rig check` finds.
func (w *wizard) check() {
	w.say("\nChecking the configuration and this machine:")
	w.summary.Problems = append(w.summary.Problems, w.machine.Check(w.cfg)...)
	for _, f := range w.summary.Problems {
		w.say("  %-8s %s: %s\n           → %s", f.Level, f.Where, f.What, f.Remedy)
	}
	if len(w.summary.Problems) == 0 {
		w.say("  no problems found")
	}
}

// HasErrors reports whether a problem keeps the rig from driving.
func (s *Summary) HasErrors() bool {
	for _, f := range s.Problems {
		if f.Level == "error" {
			return true
		}
	}
	return false
}

// Failed returns an error that names the steps that failed, or nil.
func (s *Summary) Failed() error {
	var names []string
	for _, r := range s.Steps {
		if r.Result == resultFailed {
			names = append(names, r.Name+" ("+r.Cause+")")
		}
	}
	if len(names) == 0 {
		return nil
	}
	return fmt.Errorf("setup: these steps failed, and all others are done: %s", strings.Join(names, "; "))
}

// offerDrive asks whether to drive now, if nothing keeps the rig from it.
func (w *wizard) offerDrive() error {
	w.addNext()
	hasPlatform := w.cfg.Motion.Protocol != ""
	list, _, err := w.wheels()
	switch {
	case err != nil:
		return err
	case w.opt.NoDrive, w.summary.HasErrors(), len(list) == 0, hasPlatform && w.notHome:
		return nil
	case w.yes && (!w.opt.PushOK || hasPlatform && !w.opt.MoveOK):
		w.say("\nNo drive: it needs --push-ok%s besides --yes.", map[bool]string{true: " and --move-ok"}[hasPlatform])
		return nil
	}
	w.say("\nA drive of 30 s with this configuration: the rim pushes with up to %g N·m.", min(w.cfg.Wheel.MaxTorque, w.cfg.Guard.MaxTorque))
	flag, agreed := "--push-ok", w.opt.PushOK
	if hasPlatform {
		w.say("The platform moves. Stay off the seat while rig starts, and keep its emergency stop in reach.")
		flag, agreed = "--push-ok and --move-ok", agreed && w.opt.MoveOK
	}
	w.say("Ctrl-C fades the torque out and parks. Press a pedal to drive off.")
	w.summary.Drive, err = w.consent(agreed, flag, "Drive now?")
	return err
}

// addNext fills in what to do next.
func (w *wizard) addNext() {
	add := func(text string) { w.summary.Next = append(w.summary.Next, text) }
	if w.summary.HasErrors() {
		add("fix the problems above; `rig check` finds them again")
	}
	if w.wheel != nil && w.wheel.Force == 0 {
		add("the direction of the wheel's force is not measured, which keeps some wheels below 1 N·m: rig calibrate wheel")
	}
	if w.notHome {
		add("find out why the platform did not home, then: rig motion home, seat empty")
	}
	if w.notMoved {
		add("an SMC3 may stand at its center: rig motion park, seat empty")
	}
	if len(w.changes["platform"]) > 0 {
		add("measure your platform and set [geometry]: docs/platforms.md; then rig motion jog 1, seat empty")
	}
	if w.target.ofService && w.cfg.Profiles == "" { // the profiles are this user's, and the service is another one
		add("the service measures for itself: sudo -u rig rig calibrate wheel --config " + w.target.path)
	}
	add(w.target.run)
}

// Print says what was written, where, and what to do next.
func (s *Summary) Print(out io.Writer) {
	say := func(format string, args ...any) { _, _ = io.WriteString(out, printable.Sprintf(format+"\n", args...)) }
	say("")
	if s.Written {
		say("written   %s", s.Config)
	} else {
		say("unchanged %s", s.Config)
	}
	if s.Previous != "" {
		say("before    %s", s.Previous)
	}
	for _, p := range s.Profiles {
		say("profile   %s", p)
	}
	for _, r := range s.Steps {
		if r.Result != resultDone {
			say("%-9s %s", r.Result, r.Name)
		}
	}
	for _, n := range s.Next {
		say("next      %s", n)
	}
}
