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

	"golang.org/x/sys/unix"

	"rig.example/rig/internal/kit/evdev"
)

// `go test ./devices/wheel -run WheelsReference -write` writes the page anew.
var write = flag.Bool("write", false, "write docs/reference/wheels.md")

const (
	wheelsReference = "../../docs/reference/wheels.md"
	wheelsGuide     = "../../docs/wheels.md"
	controlsDoc     = "../../docs/controls.md"
)

// wheelsPage returns the reference page of the wheels, the drivers and the kernel's errors.
func wheelsPage() string {
	return fmt.Sprintf(`# Known wheels, drivers and errors

This page is generated from devices/wheel by `+"`go test ./devices/wheel -run WheelsReference -write`"+`.
How to use it: [wheels](../wheels.md).

<!-- contents -->

- [Known wheels](#known-wheels)
- [Drivers](#drivers)
- [Errors of the kernel](#errors-of-the-kernel)

<!-- end -->

## Known wheels

The sources are in [devices/wheel/table.go](../../devices/wheel/table.go).

| column | meaning |
|---|---|
| number | USB vendor and product, as `+"`lsusb`"+` shows them |
| rotation | lock to lock: what the driver can set, and what rig takes if neither you nor a calibration says [deg] |
| torque | the highest torque that rig asks of the weakest wheel with this number, and what the strongest one gives at full force [N·m] |
| source | of the torque: its maker, a review, a list kept by others, or estimated: nothing was found, and the figures are mild |
| updates | of the force, each second |
| paddles | up and down; the first pair counts that the device has |
| notes | [what they mean](../wheels.md#what-the-notes-mean) |

%s
## Drivers

**In sysfs** is the driver's name as `+"`rig devices --json`"+` shows it. **Rotation**, **gain** and **centering spring** are the driver's settings: [where they are](../wheels.md#what-drivers-do-with-the-rotation).

%s
## Errors of the kernel

What the notice says when the driver refuses a force, and what to do. rig tries again by itself: [when](../safety.md#the-wheel).

%s`, wheelRows(), driverRows(), errorRows())
}

// errorRows returns the table of the errors of the kernel.
func errorRows() string {
	var s strings.Builder
	s.WriteString("| error | the kernel's text | what it means, and what to do |\n|---|---|---|\n")
	for _, r := range remedies {
		name := "of rig"
		if errno, ok := r.err.(unix.Errno); ok {
			name = "`" + unix.ErrnoName(errno) + "`"
		}
		fmt.Fprintf(&s, "| %s | %s | %s |\n", name, r.err, r.text)
	}
	fmt.Fprintf(&s, "| `ENODEV` | %s | the wheel is disconnected: plug it in |\n", unix.ENODEV)
	fmt.Fprintf(&s, "| any other | | %s |\n", otherRemedy)
	return s.String()
}

// wheelRows returns the table of the wheels, a line each.
func wheelRows() string {
	ids := slices.SortedFunc(maps.Keys(modelTable), func(a, b [2]evdev.ID) int {
		return cmp.Or(cmp.Compare(modelTable[a].Name, modelTable[b].Name), cmp.Compare(a[1], b[1]))
	})
	var s strings.Builder
	s.WriteString("| wheel | number | driver | rotation, default (deg) | torque asked, at full force (N·m) | source | updates (1/s) | paddles | notes |\n|---|---|---|---|---|---|---|---|---|\n")
	for _, id := range ids {
		m := modelTable[id]
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
	if rateHz(f) == 0 {
		return "none"
	}
	return fmt.Sprintf("%.0f", rateHz(f))
}

func paddlesText(m Model) string {
	var list []string
	for _, p := range m.Paddles {
		list = append(list, "`"+p.Up+"` `"+p.Down+"`")
	}
	return strings.Join(list, " or ")
}

// driverRows returns the table of the drivers.
func driverRows() string {
	var s strings.Builder
	s.WriteString("| driver | in sysfs | where | effects | rotation | gain | centering spring | updates (1/s) |\n|---|---|---|---|---|---|---|---|\n")
	for _, f := range slices.Sorted(maps.Keys(familyTable)) {
		facts := familyTable[f]
		var rotation, gain string
		var spring []string
		for _, d := range facts.drivers {
			t := tuningTable[d]
			rotation, gain = t.rotation, t.gain
			for _, set := range t.spring {
				spring = append(spring, set.name)
			}
		}
		fmt.Fprintf(&s, "| %s | %s | %s | %s | %s | %s | %s | %s |\n", f, strings.Join(facts.drivers, ", "), facts.availability, facts.effects,
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

func TestWheelsReferenceIsGenerated(t *testing.T) {
	want := wheelsPage()
	if *write {
		if err := os.WriteFile(wheelsReference, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if readDoc(t, wheelsReference) != want {
		t.Error("docs/reference/wheels.md differs from the tables; run `go test ./devices/wheel -run WheelsReference -write`")
	}
}

// The guide explains each note of the reference.
func TestWheelsGuideExplainsEveryQuirk(t *testing.T) {
	_, rest, _ := strings.Cut(readDoc(t, wheelsGuide), "| note |")
	table, _, _ := strings.Cut(rest, "\n\n")
	for _, text := range quirkTexts {
		if !strings.Contains(table, "\n| "+text+" |") {
			t.Errorf("docs/wheels.md does not explain %q", text)
		}
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
