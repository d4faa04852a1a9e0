package maneuver

import (
	"flag"
	"fmt"
	"math"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"

	"rig.example/rig/sim"
	"rig.example/rig/test/club"
	"rig.example/rig/test/level"
)

// `go test ./sim/maneuver -run ManeuversReference -write` writes the page anew.
var write = flag.Bool("write", false, "write docs/reference/maneuvers.md")

const maneuversReference = "../../docs/reference/maneuvers.md"

// usual is the run of a manoeuvre by the default car that several tests look at.
type usual struct {
	result *Result
	done   float64 // as the progress told it
	err    error
}

// usualRuns drive each manoeuvre once for all tests.
var usualRuns = func() map[string]func() usual {
	runs := map[string]func() usual{}
	for _, m := range list() {
		runs[m.name] = sync.OnceValue(func() (u usual) {
			circuit, err := club.LoadOnce()
			if err != nil {
				return usual{err: err}
			}
			u.result, u.err = Do(m.name, sim.DefaultCar(), Options{Rate: 20, Dt: milliseconds(4, 2), Circuit: circuit, Progress: func(d float64) { u.done = d }})
			return u
		})
	}
	return runs
}()

// maneuversPage returns a section for each manoeuvre, with the figures that a run of the default car gives.
func maneuversPage(t *testing.T) string {
	t.Helper()
	var contents, sections strings.Builder
	for _, m := range list() {
		run := usualRuns[m.name]()
		if run.err != nil {
			t.Fatal(run.err)
		}
		fmt.Fprintf(&contents, "- [%s](#%[1]s)\n", m.name)
		fmt.Fprintf(&sections, "\n## %s\n\n%s%s. %s.\n\n| figure | unit | what it is |\n|---|---|---|\n%s",
			m.name, strings.ToUpper(m.description[:1]), m.description[1:], speedText(m), figureRows(run.result))
	}
	return fmt.Sprintf(`# Figures of the manoeuvres

This page is generated from the code by `+"`go test ./sim/maneuver -run ManeuversReference -write`"+`: what `+"`rig maneuver`"+` prints
for the built-in coupe. [Manoeuvres](../maneuvers.md) says how you run them and how the cars are driven.

<!-- contents -->

%s
<!-- end -->
%s`, contents.String(), sections.String())
}

// speedText says what `--speed` means for a manoeuvre.
func speedText(m maneuver) string {
	switch {
	case m.noSpeed:
		return "It takes no `--speed`"
	case m.speed == 0:
		return "Without `--speed` it finds the speed by itself"
	}
	return fmt.Sprintf("Default of `--speed`: %g km/h", math.Round(m.speed*36)/10)
}

// figureRows returns a row for each metric, one for all gears.
func figureRows(r *Result) string {
	gear := regexp.MustCompile(`(_gear_|in gear )\d+`)
	var b strings.Builder
	seen := map[string]bool{}
	for _, m := range r.Metrics {
		row := gear.ReplaceAllString(fmt.Sprintf("| `%s` | %s | %s |\n", m.Name, m.Unit, m.Text), "${1}N")
		if !seen[row] {
			b.WriteString(row)
			seen[row] = true
		}
	}
	for _, note := range r.Notes {
		if name, missing := strings.CutSuffix(note, ": not reached in this run"); missing {
			fmt.Fprintf(&b, "| `%s` | | the coupe does not reach it |\n", name)
		}
	}
	return b.String()
}

func TestManeuversReference(t *testing.T) {
	level.SkipIfQuick(t)
	want := maneuversPage(t)
	if *write {
		if err := os.WriteFile(maneuversReference, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(maneuversReference); err != nil || string(got) != want {
		t.Errorf("docs/reference/maneuvers.md differs from what the manoeuvres give (%v): go test ./sim/maneuver -run ManeuversReference -write", err)
	}
}
