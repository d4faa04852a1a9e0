package testrun

import (
	"os"
	"strings"
	"testing"

	"rig.example/rig/sim/maneuver"
	"rig.example/rig/sim/trial"
)

func TestDocumentNamesEveryMetric(t *testing.T) {
	var text []byte
	for _, page := range []string{"maneuvers.md", "validation.md"} {
		data, err := os.ReadFile("../../../../docs/" + page)
		if err != nil {
			t.Fatal(err)
		}
		text = append(text, data...)
	}
	names := append(maneuver.Names(), "open-loop")
	names = append(append(names, trial.Columns()...), inputColumns()...)
	for _, name := range names {
		if !strings.Contains(string(text), "`"+name+"`") {
			t.Errorf("docs/maneuvers.md and docs/validation.md lack %s", name)
		}
	}
}
