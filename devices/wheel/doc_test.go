package wheel

import (
	"cmp"
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"rig.example/rig/internal/evdev"
)

// `go test ./devices/wheel -run WheelsDoc -write` writes the tables anew.
var write = flag.Bool("write", false, "write the tables of docs/wheels.md")

const (
	wheelsDoc   = "../../docs/wheels.md"
	controlsDoc = "../../docs/controls.md"
)

// wheelRows are the table of the wheels, a line each.
func wheelRows() string {
	ids := slices.SortedFunc(maps.Keys(models), func(a, b [2]evdev.ID) int {
		return cmp.Or(cmp.Compare(models[a].Name, models[b].Name), cmp.Compare(a[1], b[1]))
	})
	var s strings.Builder
	s.WriteString("| wheel | number | driver | rotation, default (deg) | torque asked, at full force (N·m) | source | updates (1/s) | paddles | mind |\n|---|---|---|---|---|---|---|---|---|\n")
	for _, id := range ids {
		m := models[id]
		fmt.Fprintf(&s, "| %s | `%s:%s` | %s | %s, %.0f | %g, %g | %s | %s | %s | %s |\n", m.Name, id[0], id[1], m.Family,
			rotationText(m), m.DefaultDeg, m.RatedNm, m.FullNm, m.Torque, rateText(m.Family), paddlesText(m), strings.Join(m.Quirks.Texts(), "; "))
	}
	return s.String()
}

func rotationText(m Model) string {
	switch {
	case m.MaxDeg == 0:
		return "maker's program"
	case m.MinDeg == m.MaxDeg:
		return "fixed"
	default:
		return fmt.Sprintf("%.0f..%.0f", m.MinDeg, m.MaxDeg)
	}
}

func rateText(f Family) string {
	if f.rateHz() == 0 {
		return "none"
	}
	return fmt.Sprintf("%.0f", f.rateHz())
}

func paddlesText(m Model) string {
	var list []string
	for _, p := range m.Paddles {
		list = append(list, "`"+p.Up+"` `"+p.Down+"`")
	}
	return strings.Join(list, " or ")
}

// driverRows are the table of the drivers.
func driverRows() string {
	var s strings.Builder
	s.WriteString("| driver | in sysfs | where | effects | rotation | gain | centring spring | updates (1/s) |\n|---|---|---|---|---|---|---|---|\n")
	for _, f := range slices.Sorted(maps.Keys(families)) {
		facts := families[f]
		var rotation, gain string
		var spring []string
		for _, d := range facts.drivers {
			t := tunings[d]
			rotation, gain = t.rotation, t.gain
			for _, set := range t.spring {
				spring = append(spring, set.name)
			}
		}
		fmt.Fprintf(&s, "| %s | %s | %s | %s | %s | %s | %s | %s |\n", f, strings.Join(facts.drivers, ", "), facts.home, facts.effects,
			rotation, gain, strings.Join(spring, ", "), rateText(f))
	}
	return s.String()
}

// readDoc reads a document, which the virtual machine does not have.
func readDoc(t *testing.T, file string) string {
	t.Helper()
	if os.Getenv("RIG_VM") != "" {
		t.Skip("documents are not in the virtual machine")
	}
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestWheelsDocIsTheTable(t *testing.T) {
	was := readDoc(t, wheelsDoc)
	text := was
	for name, rows := range map[string]string{"drivers": driverRows(), "wheels": wheelRows()} {
		head, rest, ok := strings.Cut(text, "<!-- "+name+" -->\n")
		_, tail, ends := strings.Cut(rest, "<!-- end -->")
		if !ok || !ends {
			t.Fatalf("docs/wheels.md has no place for the %s", name)
		}
		text = head + "<!-- " + name + " -->\n" + rows + "<!-- end -->" + tail
	}
	switch {
	case text == was:
	case *write:
		if err := os.WriteFile(wheelsDoc, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	default:
		t.Error("docs/wheels.md is not the table of the wheels; run `go test ./devices/wheel -run WheelsDoc -write`")
	}
}

// Each action is in the table of the other document.
func TestControlsDocHasEveryAction(t *testing.T) {
	_, rest, _ := strings.Cut(readDoc(t, controlsDoc), "| key of `[buttons]` |")
	table, _, _ := strings.Cut(rest, "\n\n")
	for a := range actionCount {
		if !strings.Contains(table, "`"+a.String()+"`") {
			t.Errorf("docs/controls.md does not tell of %s", a)
		}
	}
}
