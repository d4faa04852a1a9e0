package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"rig.example/rig/display"
	"rig.example/rig/internal/files/config"
	"rig.example/rig/internal/kit/printable"
	"rig.example/rig/internal/tools/check"
)

type checkCmd struct {
	Config string `type:"path" placeholder:"F" help:"Check this configuration file."`
	All    bool   `help:"Also print what every key of the configuration comes to."`
	JSON   bool   `name:"json" help:"Print one JSON object."`
}

// checkReport is what `rig check --json` prints.
type checkReport struct {
	Config        string              `json:"config"`
	MotionSummary string              `json:"motion"` // the platform that the configuration describes, in one line
	Problems      []check.Finding     `json:"problems"`
	Summary       []check.SummaryLine `json:"summary"`
	Resolved      map[string]any      `json:"resolved"`
}

func (c *checkCmd) Run(s *streams) error {
	cfg, path, err := s.configuration(c.Config)
	if err != nil {
		return err
	}
	o := check.Options{Features: features(), File: path, Renderer: display.RendererName}
	var endProgress func()
	o.Progress, endProgress = progressAfter(s.err, 2*time.Second)
	report := check.Examine(cfg, o)
	endProgress()
	cfg, presetOrigin := check.Resolve(report.Config)
	if c.JSON {
		if report.Findings == nil {
			report.Findings = []check.Finding{}
		}
		keys, err := config.Keys(cfg)
		if err != nil {
			return err
		}
		encoded := json.NewEncoder(s.out).Encode(checkReport{path, check.MotionResolved(cfg), report.Findings, report.Summary, keys})
		return errors.Join(encoded, errorOfFindings(report.Findings))
	}
	printReport(newInk(s.out), report)
	if c.All {
		text, err := config.EncodeTOML(cfg)
		if err != nil {
			return err
		}
		io.WriteString(s.out, printable.Sprintf("\n# %s resolves to, with the force feedback's preset %q %s:\n\n", path, cfg.FFB.Preset, presetOrigin))
		printKeys(s.out, text)
	}
	return errorOfFindings(report.Findings)
}

// printReport prints the problems, the worst first, then the parts of the rig, then what to do.
func printReport(w *ink, r check.Report) {
	problems := 0
	for _, f := range r.Findings {
		if f.Level != check.Note {
			problems++
		}
		printFinding(w, f)
	}
	if len(r.Findings) > 0 {
		w.print("", "\n")
	}
	for _, l := range r.Summary {
		color := green
		if l.Problems > 0 {
			color = yellow
		}
		w.print("", "%-14s %s: ", string(l.Part), l.Text)
		w.print(color, "%s\n", l.State())
	}
	switch {
	case problems == 0:
		w.print(green, "no problems found\n")
	case errorsIn(r.Findings) == 0:
		w.print(yellow, "%d to fix or to accept; none keeps rig from driving\n", problems)
	}
}

// printFinding prints a finding, and below it its remedy. The command of a remedy has a line of its own, so that it
// can be copied.
func printFinding(w *ink, f check.Finding) {
	w.print(levelColors[f.Level], "%-8s", string(f.Level))
	w.print("", " %s: %s\n", f.Where, f.What)
	if f.Command == "" {
		w.print("", "         → %s\n", f.Remedy)
		return
	}
	w.print("", "         → %s:\n", strings.TrimSuffix(f.Remedy, ": `"+f.Command+"`"))
	w.print(bold, "           %s\n", f.Command)
}

// printKeys prints a configuration as TOML. Very long lines are shortened.
func printKeys(w io.Writer, text string) {
	const maxLength = 10_000 // [bytes]; a line with a list of numbers may be long
	for line := range strings.Lines(text) {
		if len(line) > maxLength {
			line = printable.Line(strings.TrimSuffix(line, "\n")) + "\n"
		}
		io.WriteString(w, line)
	}
}

// errorsIn returns how many of the findings must be fixed.
func errorsIn(findings []check.Finding) (n int) {
	for _, f := range findings {
		if f.Level == check.Error {
			n++
		}
	}
	return n
}

// errorOfFindings returns an error if at least one of the findings must be fixed, else nil. Notes do not count.
func errorOfFindings(findings []check.Finding) error {
	problems := 0
	for _, f := range findings {
		if f.Level != check.Note {
			problems++
		}
	}
	if n := errorsIn(findings); n > 0 {
		return fmt.Errorf("check: fix %d of %d problems first", n, problems)
	}
	return nil
}
