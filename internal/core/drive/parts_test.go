package drive

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// parts lists the types of each part of a drive.
var parts = map[string][]string{
	"cockpit": {"cockpit", "CockpitState", "keys", "window", "panel", "gearSelector", "keyboard", "rain", "tuner"},
	"rim":     {"Rim", "RimState", "rimInputs", "servo", "ramp"},
	"watch":   {"Watch", "rimWatch"},
	"trip":    {"Trip", "Laps", "tank"},
	"game":    {"Game", "gameState"},
	"orders":  {"orders"},
}

// methodsOf returns the methods that the files of this package, without tests, declare for each type.
func methodsOf(t *testing.T) map[string][]*ast.FuncDecl {
	t.Helper()
	entries, err := os.ReadDir(".")
	must(t, err)
	methods := map[string][]*ast.FuncDecl{}
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".go") || strings.HasSuffix(e.Name(), "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), e.Name(), nil, parser.SkipObjectResolution)
		must(t, err)
		for _, decl := range file.Decls {
			if f, ok := decl.(*ast.FuncDecl); ok && f.Recv != nil {
				of := f.Recv.List[0].Type
				if star, ok := of.(*ast.StarExpr); ok {
					of = star.X
				}
				name := of.(*ast.Ident).Name
				methods[name] = append(methods[name], f)
			}
		}
	}
	return methods
}

// A drive stays small: what a feature does in a tick belongs to a part.
func TestADriveHasFewMethods(t *testing.T) {
	const most = 25
	if n := len(methodsOf(t)["Drive"]); n == 0 || n > most {
		t.Errorf("Drive has %d methods, want 1 to %d: give what a part does to the part", n, most)
	}
}

// No part sees the drive, its whole setup or state, or another part.
func TestPartsDoNotSeeEachOther(t *testing.T) {
	methods := methodsOf(t)
	for part, types := range parts {
		hidden := []string{"Drive", "Setup", "State"}
		for other, others := range parts {
			if other != part {
				hidden = append(hidden, others...)
			}
		}
		for _, name := range types {
			for _, f := range methods[name] {
				fields := map[*ast.Ident]bool{}
				ast.Inspect(f, func(n ast.Node) bool {
					switch n := n.(type) {
					case *ast.SelectorExpr: // a field, or another package's
						fields[n.Sel] = true
					case *ast.KeyValueExpr:
						if key, ok := n.Key.(*ast.Ident); ok {
							fields[key] = true
						}
					case *ast.Ident:
						if !fields[n] && n != f.Name && slices.Contains(hidden, n.Name) {
							t.Errorf("%s.%s of the part %s uses %s", name, f.Name.Name, part, n.Name)
						}
					}
					return true
				})
			}
		}
	}
}

// Each field of the state is a part, or a value that parts hand to each other; none is a pointer.
func TestTheStateConsistsOfParts(t *testing.T) {
	s := reflect.TypeFor[State]()
	for i := range s.NumField() {
		if f := s.Field(i); f.Type.Kind() != reflect.Struct {
			t.Errorf("%s is %v: put it into the part that it belongs to", f.Name, f.Type.Kind())
		}
	}
}
