package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path"
	"strings"
)

// mutant is one small fault to plant, and the tests that must detect it.
type mutant struct {
	name     string // says what is wrong in the faulty program
	file     string // path relative to the module's root
	function string // such as "newAxis" or "(*pacer).settle"; "" means the constants and variables of the file
	old, new string // new replaces old, which must occur exactly once in the function
	tests    string // regexp of test names for go test -run
	pkg      string // folder of these tests; "" if they are in the folder of the file
}

// dir returns the folder of the tests that must detect m.
func (m mutant) dir() string {
	if m.pkg != "" {
		return m.pkg
	}
	return path.Dir(m.file)
}

// apply returns source with the fault planted.
func (m mutant) apply(source []byte) ([]byte, error) {
	declarations, err := findDeclarations(source, m.function)
	if err != nil {
		return nil, err
	}
	count, at := 0, 0
	for _, s := range declarations {
		text := string(source[s.from:s.to])
		if n := strings.Count(text, m.old); n > 0 {
			count += n
			at = s.from + strings.Index(text, m.old)
		}
	}
	if count != 1 {
		return nil, fmt.Errorf("%q occurs %d times in %s of %s, must be once", m.old, count, m.place(), m.file)
	}
	out := append([]byte{}, source[:at]...)
	out = append(out, m.new...)
	return append(out, source[at+len(m.old):]...), nil
}

// place returns the function of m, for messages.
func (m mutant) place() string {
	if m.function == "" {
		return "the constants and variables"
	}
	return m.function
}

// span is a part of a file: byte offsets of its start and its end.
type span struct{ from, to int }

// findDeclarations returns the span of a function in source, or for "" the spans of the constants and variables.
func findDeclarations(source []byte, function string) ([]span, error) {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, "", source, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	var spans []span
	for _, d := range file.Decls {
		if declares(d, function) {
			spans = append(spans, span{files.Position(d.Pos()).Offset, files.Position(d.End()).Offset})
		}
	}
	if len(spans) == 0 || function != "" && len(spans) > 1 {
		return nil, fmt.Errorf("function %q found %d times", function, len(spans))
	}
	return spans, nil
}

// declares reports whether d declares the function, or for "" constants or variables.
func declares(d ast.Decl, function string) bool {
	switch d := d.(type) {
	case *ast.FuncDecl:
		name := d.Name.Name
		if d.Recv != nil {
			receiver := types.ExprString(d.Recv.List[0].Type)
			if strings.HasPrefix(receiver, "*") {
				receiver = "(" + receiver + ")"
			}
			name = receiver + "." + name
		}
		return name == function
	case *ast.GenDecl:
		return function == "" && (d.Tok == token.CONST || d.Tok == token.VAR)
	}
	return false
}
