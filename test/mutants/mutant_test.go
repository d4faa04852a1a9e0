package main

import (
	"path/filepath"
	"testing"

	"rig.example/rig/test/level"
)

func TestMutantsOfAPath(t *testing.T) {
	m := mutant{file: "sim/chassis/cling.go", pkg: "internal/core/drive"}
	for _, p := range []string{".", "sim", "sim/chassis/", "./sim/chassis/cling.go", "internal/core/drive", "internal/core/drive/any_test.go"} {
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
	level.SkipIfQuick(t)
	list, names := all(), map[int]string{}
	if len(list) < 45 {
		t.Errorf("%d mutants, want 45 at least", len(list))
	}
	_, wrong := (&runner{root: "../.."}).check(list)
	for _, res := range wrong {
		t.Error(res)
	}
	for _, m := range list {
		number := m.fault().Number
		if names[number] != "" || m.tests == "" || m.old == m.new {
			t.Errorf("%s: named as %q or with its number, without tests or without a change", m.name, names[number])
		}
		names[number] = m.name
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
	mutants, _ := r.check(all())
	broken, err := r.compiler().Broken(switchable(mutants))
	if err != nil {
		t.Error(err)
	}
	for _, m := range mutants {
		if why := broken[m.Number]; why != nil {
			t.Errorf("%s: %v", m.name, why)
		}
	}
}
