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

// mutant is one small fault, and the tests that should notice it.
type mutant struct {
	name     string // what is wrong then
	file     string // from the module's root
	function string // such as "newAxis" or "(*pacer).settle"; "" is the constants and variables of the file
	old, new string // old must occur exactly once in the function
	tests    string // regexp of test names for go test -run
	pkg      string // where these tests are, if they are not beside the file
}

// dir returns the folder of the tests that should notice m.
func (m mutant) dir() string {
	if m.pkg != "" {
		return m.pkg
	}
	return path.Dir(m.file)
}

// apply returns source with the fault in it.
func (m mutant) apply(source []byte) ([]byte, error) {
	spans, err := find(source, m.function)
	if err != nil {
		return nil, err
	}
	count, at := 0, 0
	for _, s := range spans {
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

func (m mutant) place() string {
	if m.function == "" {
		return "the constants and variables"
	}
	return m.function
}

// span is a part of a file, in bytes.
type span struct{ from, to int }

// find returns where a function is in source, or where the constants and variables are.
func find(source []byte, function string) ([]span, error) {
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

// declares reports whether d is the function, or for "" a constant or variable.
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
