// Package schema compiles many mutants at once (a mutant schema): a function with faults gets a copy for each, and begins
// with a choice between them by an environment variable. So each package of tests is compiled and linked once, and its
// binary runs once for each mutant. Only what a running program cannot choose, a constant, a variable or a
// signature, is compiled for itself. The source files are not changed (go test -overlay).
package schema

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"strconv"
	"strings"
)

// selector is the environment variable whose value is the number of the fault that a test binary plants.
const selector = "RIG_MUTANT"

// copyPrefix and the number of a fault are the name of its copy of the function. Messages of the compiler have it as the
// name of the file.
const copyPrefix = "mutant"

// selectorName and selectorFile are the file that is added to each package that has a switchable fault. %s is the name of the package.
const selectorName = "mutant_planted.go"

const selectorFile = `package %s

import (
	"os"
	"strconv"
)

var mutantPlanted, _ = strconv.Atoi(os.Getenv("` + selector + `"))
`

// Fault is a change of a source file.
type Fault struct {
	Number   int    // 1 to 1<<32-1, each number once
	File     string // path relative to the module's root
	Function string // such as "newAxis" or "(*pacer).settle"; "" means the constants and variables of the file
	Old, New string // New replaces Old, which must occur exactly once in the function
}

// apply returns source with the fault planted.
func (f Fault) apply(source []byte) ([]byte, error) {
	file, err := parse(source)
	if err != nil {
		return nil, err
	}
	declarations := file.declarations(f.Function)
	if len(declarations) == 0 || f.Function != "" && len(declarations) > 1 {
		return nil, fmt.Errorf("%s is found %d times in %s, must be once", f.place(), len(declarations), f.File)
	}
	count, at := 0, 0
	for _, d := range declarations {
		text := file.text(d)
		if n := strings.Count(text, f.Old); n > 0 {
			count += n
			at = file.offset(d.Pos()) + strings.Index(text, f.Old)
		}
	}
	if count != 1 {
		return nil, fmt.Errorf("%q occurs %d times in %s of %s, must be once", f.Old, count, f.place(), f.File)
	}
	out := append([]byte{}, source[:at]...)
	out = append(out, f.New...)
	return append(out, source[at+len(f.Old):]...), nil
}

// place returns the function of f, for messages.
func (f Fault) place() string {
	if f.Function == "" {
		return "the constants and variables"
	}
	return f.Function
}

// variant returns the function of f with the fault in it, under the name that copyName gives, or "" if f is not
// switchable.
func (f Fault) variant(source []byte) (string, error) {
	changed, err := f.apply(source)
	if err != nil {
		return "", err
	}
	before, err := parse(source)
	if err != nil {
		return "", err
	}
	after, err := parse(changed)
	if err != nil {
		return "", fmt.Errorf("does not compile: %w", err)
	}
	was, is := before.function(f.Function), after.function(f.Function)
	if was == nil || is == nil || before.text(was.Type) != after.text(is.Type) {
		return "", nil
	}
	head := string(changed[after.offset(is.Pos()):after.offset(is.Name.Pos())])
	return head + f.copyName() + string(changed[after.offset(is.Name.End()):after.offset(is.End())]), nil
}

// copyName returns the name of the function with the fault.
func (f Fault) copyName() string { return copyPrefix + strconv.Itoa(f.Number) }

// schema returns the file of path with a copy of a function for each of the faults, which are switchable: each function
// begins with a choice between its copies. The text of the file itself keeps its line numbers.
func schema(path string, source []byte, list []Fault) ([]byte, error) {
	file, err := parse(source)
	if err != nil {
		return nil, err
	}
	byFunction := map[string][]Fault{}
	for _, m := range list {
		byFunction[m.Function] = append(byFunction[m.Function], m)
	}
	var out bytes.Buffer
	at := 0
	for _, d := range file.Decls {
		for _, e := range file.choice(path, d, byFunction) {
			out.Write(source[at:e.at])
			out.WriteString(e.text)
			at = e.at + e.skip
		}
	}
	out.Write(source[at:])
	for _, m := range list {
		text, err := m.variant(source)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&out, "\n//line %s:1\n%s\n", m.copyName(), text)
	}
	return out.Bytes(), nil
}

// parsed is a file of source and its syntax.
type parsed struct {
	*ast.File
	source []byte
	set    *token.FileSet
}

func parse(source []byte) (parsed, error) {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, "", source, parser.SkipObjectResolution)
	return parsed{file, source, set}, err
}

func (p parsed) offset(at token.Pos) int { return p.set.PositionFor(at, false).Offset }

func (p parsed) text(n ast.Node) string { return string(p.source[p.offset(n.Pos()):p.offset(n.End())]) }

// declarations returns those of a function, or for "" those of constants and variables.
func (p parsed) declarations(function string) (list []ast.Decl) {
	for _, d := range p.Decls {
		if declares(d, function) {
			list = append(list, d)
		}
	}
	return list
}

// function returns the declaration of the function, or nil.
func (p parsed) function(name string) *ast.FuncDecl {
	for _, d := range p.declarations(name) {
		if f, ok := d.(*ast.FuncDecl); ok {
			return f
		}
	}
	return nil
}

// edit replaces skip bytes at an offset by a text.
type edit struct {
	at, skip int
	text     string
}

// choice returns the edits that let the function d choose between the copies that belong to it, in the order of their
// offsets.
func (p parsed) choice(path string, d ast.Decl, copies map[string][]Fault) (edits []edit) {
	f, ok := d.(*ast.FuncDecl)
	if !ok {
		return nil
	}
	var mine []Fault
	for name, list := range copies {
		if declares(d, name) {
			mine = list
		}
	}
	if len(mine) == 0 {
		return nil
	}
	receiver := ""
	if f.Recv != nil {
		var names []string
		edits, names = p.nameAll(f.Recv, "mutantReceiver")
		receiver = names[0] + "."
	}
	named, arguments := p.nameAll(f.Type.Params, "mutantArgument")
	var choices strings.Builder
	for _, m := range mine {
		call := receiver + m.copyName() + p.typeArguments(f) + "(" + strings.Join(arguments, ", ") + ")"
		if f.Type.Results != nil {
			call = "return " + call
		} else {
			call += "; return"
		}
		fmt.Fprintf(&choices, "/*line %s:1:1*/if mutantPlanted == %d { %s }; ", m.copyName(), m.Number, call)
	}
	body := p.set.PositionFor(f.Body.Lbrace, false)
	fmt.Fprintf(&choices, "/*line %s:%d:%d*/", path, body.Line, body.Column+1)
	return append(append(edits, named...), edit{at: body.Offset + 1, text: choices.String()})
}

// nameAll returns the names of the parameters, with ... after a variadic one, and the edits that give a name to those
// that have none.
func (p parsed) nameAll(list *ast.FieldList, prefix string) (edits []edit, names []string) {
	for _, field := range list.List {
		dots := ""
		if _, variadic := field.Type.(*ast.Ellipsis); variadic {
			dots = "..."
		}
		if len(field.Names) == 0 {
			name := prefix + strconv.Itoa(len(names))
			edits = append(edits, edit{at: p.offset(field.Type.Pos()), text: name + " "})
			names = append(names, name+dots)
		}
		for _, n := range field.Names {
			name := n.Name
			if name == "_" {
				name = prefix + strconv.Itoa(len(names))
				edits = append(edits, edit{p.offset(n.Pos()), len("_"), name})
			}
			names = append(names, name+dots)
		}
	}
	return edits, names
}

// typeArguments returns the type parameters of f as they are passed to a copy of f, such as [K, V].
func (p parsed) typeArguments(f *ast.FuncDecl) string {
	if f.Type.TypeParams == nil {
		return ""
	}
	var names []string
	for _, field := range f.Type.TypeParams.List {
		for _, n := range field.Names {
			names = append(names, n.Name)
		}
	}
	return "[" + strings.Join(names, ", ") + "]"
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
