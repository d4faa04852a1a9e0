package main

import (
	"path/filepath"
	"testing"

	"rig.example/rig/test/level"
	"rig.example/rig/test/mutants/schema"
)

func TestMutantsOfAPath(t *testing.T) {
	m := mutant{file: "sim/chassis/cling.go", pkg: "internal/drive"}
	for _, p := range []string{".", "sim", "sim/chassis/", "./sim/chassis/cling.go", "internal/drive", "internal/drive/any_test.go"} {
		if !m.isIn([]string{"calib", p}) {
			t.Errorf("it is not in %s", p)
		}
	}
	if m.isIn([]string{"si", "sim/chassis/hull.go", "drive"}) || !m.isIn(nil) {
		t.Error("it is in a path that is not its own, or not in the whole list")
	}
}

// TestEveryMutantApplies fails if a function was rewritten and its mutant was not, without running `make mutants`.
func TestEveryMutantApplies(t *testing.T) {
	list, names := all(), map[string]bool{}
	if len(list) < 45 {
		t.Errorf("%d mutants, want 45 at least", len(list))
	}
	for i, m := range list {
		if _, err := (&schema.Compiler{Root: "../.."}).Check(m.fault(i + 1)); err != nil {
			t.Errorf("%s: %v", m.name, err)
		}
		if names[m.name] || m.tests == "" || m.old == m.new {
			t.Errorf("%s: named twice, without tests or without a change", m.name)
		}
		names[m.name] = true
	}
}

// TestEveryMutantCompiles fails if a mutant was not changed with what it uses, without running `make mutants`.
func TestEveryMutantCompiles(t *testing.T) {
	level.SkipIfQuick(t)
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	r := &runner{root: root}
	mutants, results := r.number(all())
	for _, res := range results {
		t.Error(res)
	}
	broken, err := r.compiler().Broken(switchable(mutants))
	for number, why := range broken {
		t.Errorf("%s: %v", all()[number-1].name, why)
	}
	if err != nil {
		t.Error(err)
	}
}
