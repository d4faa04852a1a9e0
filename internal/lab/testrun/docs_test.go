package testrun

import (
	"os"
	"strings"
	"testing"

	"rig.example/rig/sim/maneuver"
	"rig.example/rig/sim/trial"
)

func TestTheDocumentNamesEverything(t *testing.T) {
	text, err := os.ReadFile("../../../docs/maneuvers.md")
	if err != nil {
		t.Fatal(err)
	}
	names := append(maneuver.Names(), "open-loop")
	names = append(append(names, trial.Columns()...), inputColumns()...)
	for _, name := range names {
		if !strings.Contains(string(text), "`"+name+"`") {
			t.Errorf("docs/maneuvers.md lacks %s", name)
		}
	}
}
