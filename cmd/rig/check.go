package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"rig.example/rig/internal/check"
	"rig.example/rig/internal/config"
	"rig.example/rig/internal/printable"
)

type checkCmd struct {
	Config string `type:"path" placeholder:"F" help:"Check this configuration file."`
	JSON   bool   `name:"json" help:"Print one JSON object."`
}

// checkReport is what `rig check --json` prints.
type checkReport struct {
	Config        string          `json:"config"`
	MotionSummary string          `json:"motion"` // the platform that the configuration describes, in one line
	Problems      []check.Finding `json:"problems"`
	Resolved      map[string]any  `json:"resolved"`
}

func (c *checkCmd) Run(s *streams) error {
	cfg, path, err := s.configuration(c.Config)
	if err != nil {
		return err
	}
	findings := checkDriver(&cfg)
	findings = append(findings, check.Run(cfg)...)
	cfg, presetOrigin := check.Resolve(cfg)
	if c.JSON {
		if findings == nil {
			findings = []check.Finding{}
		}
		keys, err := config.Keys(cfg)
		if err != nil {
			return err
		}
		return errors.Join(json.NewEncoder(s.out).Encode(checkReport{path, check.MotionResolved(cfg), findings, keys}), errorOfFindings(findings))
	}
	text, err := config.EncodeTOML(cfg)
	if err != nil {
		return err
	}
	io.WriteString(s.out, printable.Sprintf("# motion: %s\n# %s resolves to, with the force feedback's preset %q %s:\n\n", check.MotionResolved(cfg), path, cfg.FFB.Preset, presetOrigin))
	printKeys(s.out, text)
	for _, f := range findings {
		io.WriteString(s.out, printable.Sprintf("%-8s %s: %s\n         → %s\n", f.Level, f.Where, f.What, f.Remedy))
	}
	if len(findings) == 0 {
		fmt.Fprintln(s.out, "no problems found")
	}
	return errorOfFindings(findings)
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
	fmt.Fprintln(w)
}

// errorOfFindings returns an error if at least one of the findings has the level "error", else nil.
func errorOfFindings(findings []check.Finding) error {
	errorCount := 0
	for _, f := range findings {
		if f.Level == "error" {
			errorCount++
		}
	}
	if errorCount == 0 {
		return nil
	}
	return fmt.Errorf("check: fix %d of %d problems first", errorCount, len(findings))
}
