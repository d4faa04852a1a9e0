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
	Config string `type:"path" placeholder:"F" help:"Configuration file."`
	JSON   bool   `name:"json" help:"Print one JSON object."`
}

// checked is what `rig check --json` prints.
type checked struct {
	Config   string          `json:"config"`
	Motion   string          `json:"motion"` // what came of the platform, in a line
	Problems []check.Finding `json:"problems"`
	Resolved map[string]any  `json:"resolved"`
}

func (c *checkCmd) Run(s *streams) error {
	cfg, path, err := s.configuration(c.Config)
	if err != nil {
		return err
	}
	found := check.Run(cfg)
	cfg, whose := check.Resolve(cfg)
	if c.JSON {
		if found == nil {
			found = []check.Finding{}
		}
		keys, err := config.Keys(cfg)
		if err != nil {
			return err
		}
		return errors.Join(json.NewEncoder(s.out).Encode(checked{path, check.MotionResolved(cfg), found, keys}), failed(found))
	}
	text, err := config.Text(cfg)
	if err != nil {
		return err
	}
	io.WriteString(s.out, printable.Sprintf("# motion: %s\n# %s resolves to, with the force feedback's preset %q %s:\n\n", check.MotionResolved(cfg), path, cfg.FFB.Preset, whose))
	printKeys(s.out, text)
	for _, f := range found {
		io.WriteString(s.out, printable.Sprintf("%-8s %s: %s\n         → %s\n", f.Level, f.Where, f.What, f.Remedy))
	}
	if len(found) == 0 {
		fmt.Fprintln(s.out, "no problems found")
	}
	return failed(found)
}

// printKeys prints a configuration. Its encoder writes control characters as escapes; a line is cut
// where nobody could read it.
func printKeys(w io.Writer, text string) {
	const longest = 10_000 // lists of numbers are long, too
	for line := range strings.Lines(text) {
		if len(line) > longest {
			line = printable.Line(strings.TrimSuffix(line, "\n")) + "\n"
		}
		io.WriteString(w, line)
	}
	fmt.Fprintln(w)
}

// failed is an error if one of the findings is.
func failed(found []check.Finding) error {
	n := 0
	for _, f := range found {
		if f.Level == "error" {
			n++
		}
	}
	if n == 0 {
		return nil
	}
	return fmt.Errorf("check: fix %d of %d problems first", n, len(found))
}
