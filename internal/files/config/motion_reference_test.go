package config

import (
	"fmt"
	"math"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"rig.example/rig/cueing"
	"rig.example/rig/devices/motion"
	"rig.example/rig/devices/motion/smc3"
	"rig.example/rig/devices/motion/thanos"
	"rig.example/rig/devices/motion/wire"
	"rig.example/rig/internal/kit/valid"
)

const motionReference = "../../../docs/reference/motion.md"

// The page of what is built in for platforms is written from their files and tables.
func TestReferenceOfMotion(t *testing.T) {
	var b strings.Builder
	b.WriteString("# Platforms and controllers\n\nThis page is generated from the code: `go generate ./internal/files/config`. " +
		"What each is for: [platforms](../platforms.md) and [cueing](../cueing.md).\n\n" +
		"<!-- contents -->\n\n")
	sections := []struct {
		title string
		write func(*testing.T, *strings.Builder)
	}{
		{"Workspaces of the built-in platforms", writePlatformWorkspaces},
		{"Workspaces of the kinds", writeKindWorkspaces},
		{"Sets of the washout", writeWashoutSets},
		{"Presets of controllers", writeControllerPresets},
		{"Parameters of an SMC3 controller", func(_ *testing.T, b *strings.Builder) { writeParameters(b, smc3.NewSettings().Table()) }},
		{"Parameters of a Thanos controller", func(_ *testing.T, b *strings.Builder) { writeParameters(b, thanos.NewSettings().Table()) }},
	}
	for _, s := range sections {
		fmt.Fprintf(&b, "- [%s](#%s)\n", s.title, strings.ReplaceAll(strings.ToLower(s.title), " ", "-"))
	}
	b.WriteString("\n<!-- end -->\n")
	for _, s := range sections {
		fmt.Fprintf(&b, "\n## %s\n\n", s.title)
		s.write(t, &b)
	}
	if *write {
		if err := os.WriteFile(motionReference, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if has, err := os.ReadFile(motionReference); err != nil || string(has) != b.String() {
		t.Errorf("%s is not what the code says (%v): go generate ./internal/files/config", motionReference, err)
	}
}

const workspaceHeader = " | surge [mm] | sway [mm] | heave [mm] | roll [°] | pitch [°] | yaw [°] |\n|---|---|---|---|---|---|---|\n"

func writeWorkspace(t *testing.T, b *strings.Builder, name string, g cueing.Geometry, span cueing.Span) {
	t.Helper()
	platform, err := cueing.NewPlatform(g, span)
	if err != nil {
		t.Fatal(err)
	}
	w := platform.Workspace()
	fmt.Fprintf(b, "| `%s` |", name)
	for i, v := range []float64{w.Surge, w.Sway, w.Heave, w.Roll, w.Pitch, w.Yaw} {
		switch {
		case v == 0:
			b.WriteString(" |")
		case i < 3:
			fmt.Fprintf(b, " %.0f |", 1000*v)
		default:
			fmt.Fprintf(b, " %.1f |", v*180/math.Pi)
		}
	}
	b.WriteString("\n")
}

func writePlatformWorkspaces(t *testing.T, b *strings.Builder) {
	b.WriteString("How far each goes to either side within `motion.min_share` and `motion.max_share`, when it moves in nothing else.\n\n| platform" + workspaceHeader)
	for _, name := range Platforms() {
		c := Default()
		if err := c.applyBases("rig.toml", []byte("platform = \""+name+"\"\n"), ""); err != nil {
			t.Fatal(err)
		}
		span := cueing.Span{Low: cueing.Legs(c.Motion.MinPosition), High: cueing.Legs(c.Motion.MaxPosition)}
		writeWorkspace(t, b, name, c.Geometry, span)
	}
}

func writeKindWorkspaces(t *testing.T, b *strings.Builder) {
	b.WriteString("How far the defaults of `[geometry]` go to either side on the whole stroke, when the platform moves in nothing else.\n\n| kind" + workspaceHeader)
	for _, kind := range []string{"seat", "roll-pitch", "heave", "corners", "hexapod", "rotary"} {
		g := cueing.DefaultGeometry()
		g.Kind = kind
		writeWorkspace(t, b, kind, g, cueing.FullStroke())
	}
}

func writeWashoutSets(t *testing.T, b *strings.Builder) {
	b.WriteString("What each key of [`[cueing.washout]`](rig.md#cueingwashout) is in the set that `set` names.\n\n| key |")
	var sets []reflect.Value
	for _, name := range cueing.Presets() {
		set, err := cueing.Preset(name)
		if err != nil {
			t.Fatal(err)
		}
		sets = append(sets, reflect.ValueOf(set))
		fmt.Fprintf(b, " `%s` |", name)
	}
	b.WriteString("\n|---|" + strings.Repeat("---|", len(sets)) + "\n")
	of := sets[0].Type()
	for i := range of.NumField() {
		key := valid.Key(of.Field(i))
		if key == "" || key == "set" {
			continue
		}
		fmt.Fprintf(b, "| `%s` |", key)
		for _, set := range sets {
			fmt.Fprintf(b, " %s |", shownDefault(set.Field(i)))
		}
		b.WriteString("\n")
	}
}

func writeControllerPresets(t *testing.T, b *strings.Builder) {
	b.WriteString("Name them in `motion.preset`.\n\n| preset | controller | `protocol` | axes | `baud` |\n|---|---|---|---|---|\n")
	sentence := regexp.MustCompile(`\.\s|\n`)
	address := regexp.MustCompile(`\s*\(https?://[^)]+\)`)
	for _, name := range motion.Presets() {
		c := Default()
		if err := c.applyControllerPreset(name, "rig.toml"); err != nil {
			t.Fatal(err)
		}
		text, err := motion.Preset(name)
		if err != nil {
			t.Fatal(err)
		}
		about := strings.ReplaceAll(address.ReplaceAllString(string(text), ""), "\n# ", " ") + ". "
		about = strings.TrimPrefix(about[:sentence.FindStringIndex(about)[0]], "# "+name+": ")
		n, _, _, err := c.Motion.Actuators()
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(b, "| `%s` | %s | `%s` | %d | %d |\n", name, about, c.Motion.Protocol, n, c.Motion.Baud)
	}
}

func writeParameters(b *strings.Builder, table []wire.Parameter) {
	b.WriteString("`rig motion config` reads and sets them.\n\n| parameter | range | unit | what it does |\n|---|---|---|---|\n")
	for i, names := 0, ""; i < len(table); i++ { // one row for the actuators' parameters of one kind
		p := table[i]
		names += ", `" + p.Name + "`"
		if i+1 < len(table) && p.Axis >= 0 && table[i+1].Axis > 0 && table[i+1].Help == p.Help {
			continue
		}
		unit := p.Unit
		if unit == wire.UnitGain {
			unit = ""
		}
		fmt.Fprintf(b, "| %s | %g..%g | %s | %s |\n", names[2:], p.Low, p.High, unit, p.Help)
		names = ""
	}
}
