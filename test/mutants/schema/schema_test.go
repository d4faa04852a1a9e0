package schema

import (
	"go/format"
	"strings"
	"testing"
)

// TestSchemaOfEachShape plants a fault in functions of each shape, and compares what chooses between original and copy.
func TestSchemaOfEachShape(t *testing.T) {
	for _, c := range []struct{ name, function, source, head, copied string }{
		{
			"no results", "f", "func f(a, b int) { _ = 1 }",
			"func f(a, b int) {/*line mutant7:1:1*/if mutantPlanted == 7 { mutant7(a, b); return }; /*line /p.go:3:19*/ _ = 1 }",
			"func mutant7(a, b int) { _ = 2 }",
		},
		{
			"parameters without names, and a variadic one", "f", "func f(_ int, more ...string) int { return 1 }",
			"func f(mutantArgument0 int, more ...string) int {/*line mutant7:1:1*/if mutantPlanted == 7 { return mutant7(mutantArgument0, more...) }; ",
			"func mutant7(_ int, more ...string) int { return 2 }",
		},
		{
			"only types", "f", "func f(int, func(x int)) int { return 1 }",
			"func f(mutantArgument0 int, mutantArgument1 func(x int)) int {/*line mutant7:1:1*/if mutantPlanted == 7 { return mutant7(mutantArgument0, mutantArgument1) }; ",
			"func mutant7(int, func(x int)) int { return 2 }",
		},
		{
			"a method of a generic type", "(*box[T]).put", "func (b *box[T]) put(v T) int { return 1 }",
			"func (b *box[T]) put(v T) int {/*line mutant7:1:1*/if mutantPlanted == 7 { return b.mutant7(v) }; ",
			"func (b *box[T]) mutant7(v T) int { return 2 }",
		},
		{
			"a receiver without a name", "box.get", "func (box) get() (v, w int) { return 1, 3 }",
			"func (mutantReceiver0 box) get() (v, w int) {/*line mutant7:1:1*/if mutantPlanted == 7 { return mutantReceiver0.mutant7() }; ",
			"func (box) mutant7() (v, w int) { return 2, 3 }",
		},
		{
			"a generic function", "f", "func f[K comparable, V any](m map[K]V) int { return 1 }",
			"func f[K comparable, V any](m map[K]V) int {/*line mutant7:1:1*/if mutantPlanted == 7 { return mutant7[K, V](m) }; ",
			"func mutant7[K comparable, V any](m map[K]V) int { return 2 }",
		},
	} {
		m := Fault{7, "p.go", c.function, "1", "2"}
		text, err := schema("/p.go", []byte("package p\n\n"+c.source+"\n"), []Fault{m})
		if err != nil || !strings.HasPrefix(string(text), "package p\n\n"+c.head) || !strings.HasSuffix(string(text), "\n//line mutant7:1\n"+c.copied+"\n") {
			t.Errorf("%s: %v\n%s", c.name, err, text)
		}
		if _, err := format.Source(text); err != nil {
			t.Errorf("%s: %v\n%s", c.name, err, text)
		}
	}
}

func TestWhatARunningProgramCannotChoose(t *testing.T) {
	for _, c := range []struct {
		function, old, new string
		want               bool
	}{
		{"clamp", "v > limit", "v < limit", true},
		{"clamp", "clamp(v int)", "clamp(v uint8)", false},
		{"", "gain = 2", "gain = 3", false},
	} {
		text, err := Fault{1, "p.go", c.function, c.old, c.new}.variant([]byte(source))
		if err != nil || (text != "") != c.want {
			t.Errorf("%s: %q %v", c.new, text, err)
		}
	}
}

func TestAFaultThatDoesNotParse(t *testing.T) {
	m := Fault{1, "p.go", "clamp", "v > limit", "v >"}
	if _, err := m.variant([]byte(source)); err == nil || !strings.Contains(err.Error(), "does not compile: ") {
		t.Error(err)
	}
}

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
		{"a method without its type", "get", "b.v", "", "get is found 0 times"},
		{"no such function", "clamped", "v", "", "clamped is found 0 times"},
		{"a constant", "", "limit = 3", "limit = 30", "const limit = 30"},
		{"a variable", "", "half = 0.5", "half = 1", "	half = 1"},
		{"no type, comment or function", "", "struct", "", `"struct" occurs 0 times in the constants and variables`},
	} {
		out, err := Fault{1, "p.go", c.function, c.old, c.new}.apply([]byte(source))
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
	if _, err := (Fault{File: "p.go", Old: "x"}).apply([]byte("package")); err == nil {
		t.Error("no error")
	}
}
