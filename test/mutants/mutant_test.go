package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const source = `package p

// limit is not 3 as a comment would have it.
const limit = 3

var (
	gain = 2
	half = 0.5
)

type box[T any] struct{ v T }

func (b *box[T]) put(v T) { b.v = v; b.v = v }

func (b box[T]) get() T { return b.v }

// clamp returns limit at most.
func clamp(v int) int {
	if v > limit {
		return limit
	}
	return v
}
`

func TestApply(t *testing.T) {
	for _, c := range []struct {
		name, function, old, new string
		want                     string // of the line that changed, or of the error
	}{
		{"in a function", "clamp", "v > limit", "v < limit", "	if v < limit {"},
		{"nothing else of the file", "clamp", "v < limit", "", `"v < limit" occurs 0 times in clamp`},
		{"twice", "clamp", "limit", "9", `"limit" occurs 2 times in clamp`},
		{"a method", "box[T].get", "b.v", "*new(T)", "func (b box[T]) get() T { return *new(T) }"},
		{"twice in a method", "(*box[T]).put", "b.v = v", "", `occurs 2 times in (*box[T]).put`},
		{"a method without its type", "get", "b.v", "", `function "get" found 0 times`},
		{"no such function", "clamped", "v", "", `function "clamped" found 0 times`},
		{"a constant", "", "limit = 3", "limit = 30", "const limit = 30"},
		{"a variable", "", "half = 0.5", "half = 1", "	half = 1"},
		{"no type, comment or function", "", "struct", "", `"struct" occurs 0 times in the constants and variables`},
	} {
		out, err := mutant{name: c.name, file: "p.go", function: c.function, old: c.old, new: c.new}.apply([]byte(source))
		switch {
		case err != nil:
			if !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: %v, want %q", c.name, err, c.want)
			}
		case changed(source, string(out)) != c.want:
			t.Errorf("%s: changed to %q, want %q", c.name, changed(source, string(out)), c.want)
		}
	}
}

// changed returns the only line of after that is not as it was before.
func changed(before, after string) string {
	var list []string
	was := strings.Split(before, "\n")
	for i, line := range strings.Split(after, "\n") {
		if line != was[i] {
			list = append(list, line)
		}
	}
	return strings.Join(list, "\n")
}

func TestSourceThatDoesNotParse(t *testing.T) {
	if _, err := (mutant{file: "p.go", old: "x"}).apply([]byte("package")); err == nil {
		t.Error("no error")
	}
}

// TestEveryMutantApplies fails if a function was rewritten and its mutant was not, without running `make mutants`.
func TestEveryMutantApplies(t *testing.T) {
	list, names := all(), map[string]bool{}
	if len(list) < 45 {
		t.Errorf("%d mutants, want 45 at least", len(list))
	}
	for _, m := range list {
		text, err := os.ReadFile(filepath.Join("../..", m.file))
		if err != nil {
			t.Error(err)
			continue
		}
		if _, err := m.apply(text); err != nil {
			t.Errorf("%s: %v", m.name, err)
		}
		if names[m.name] || m.tests == "" || m.old == m.new {
			t.Errorf("%s: named twice, without tests or without a change", m.name)
		}
		names[m.name] = true
	}
}
