package road

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
)

// `go test ./road -run SurfacesReference -write` writes the page anew.
var write = flag.Bool("write", false, "write docs/reference/surfaces.md")

const surfacesReference = "../docs/reference/surfaces.md"

// surfacesPage returns the table of the built-in surfaces, in the order of the code.
func surfacesPage(t *testing.T) string {
	var b strings.Builder
	b.WriteString(`# Built-in surfaces

This page is generated from the code by ` + "`go test ./road -run SurfacesReference -write`" + `.

Grip, stiffness and rolling are factors on a tire's peak friction, slip stiffness and rolling resistance on dry
asphalt. Roughness is the class of ISO 8608. [Grounds](../grounds.md#surfaces) has the sources and how you define more.

| surface | grip | stiffness | rolling | roughness | pattern | sound |
|---|---|---|---|---|---|---|
`)
	for _, entry := range builtinSurfaces {
		s := named(t, entry.name)
		pattern := "none"
		if p := s.Profile; p.Kind != "" {
			pattern = fmt.Sprintf("`%s`, %.3g mm, every %.3g m", p.Kind, p.Height*1000, p.Pitch)
		}
		fmt.Fprintf(&b, "| `%s` | %.3g | %.3g | %.3g | %c | %s | %s |\n", s.Name, s.Tire.Grip, s.Tire.Stiffness,
			s.Tire.Rolling, s.Roughness.Class, pattern, s.Sound)
	}
	return b.String()
}

func TestSurfacesReference(t *testing.T) {
	want := surfacesPage(t)
	if *write {
		if err := os.WriteFile(surfacesReference, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(surfacesReference); err != nil || string(got) != want {
		t.Errorf("docs/reference/surfaces.md differs from the built-in surfaces (%v): go test ./road -run SurfacesReference -write", err)
	}
}
