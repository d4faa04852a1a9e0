package config

import (
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"rig.example/rig/display/model"
	"rig.example/rig/internal/kit/valid"
	"rig.example/rig/road/layout"
	"rig.example/rig/sim"
)

// The pages of docs/reference are written from the types that a file is decoded into: defaults from
// values, limits from struct tags, descriptions from the comments of the fields.
//
//go:generate go test -run TestReference -write .
var write = flag.Bool("write", false, "write the pages of docs/reference")

var referencePages = []struct {
	file, title, text string
	of                func() any
}{
	{"rig.md", "Keys of rig.toml", `A platform's file has the tables ` + "`[geometry]`, `[cueing]`, `[tuning]` and `[motion]`" + `. A preset of the
force has the keys of ` + "`[ffb]`, and a preset of a motion controller those of `[motion]`" + `, both without the table's
name. When to change what: [configuration](../configuration.md).`, func() any { c := Default(AllSections...); return c.whole().Interface() }},
	{"car.md", "Keys of a car's file", "A car's file changes the keys that it names of the built-in car that `base` names, or of the plain car\n" +
		"whose values are the defaults here. `--set KEY=VALUE` changes a key for one manoeuvre. When to change what:\n" +
		"[cars](../cars.md).",
		func() any { return &carFile{Params: sim.DefaultCar(), Model: model.DefaultConfig()} }},
	{"circuit.md", "Keys of a circuit's file", "A circuit has either a `[layout]`, which rig builds, or a `[ground]`, which it reads from a file.\n" +
		"When to change what: [roads](../tracks.md).",
		func() any { return &Circuit{Layout: layout.Default(), Ground: DefaultGround()} }},
}

func TestReference(t *testing.T) {
	for _, page := range referencePages {
		r := reference{comments: map[string]string{}, read: map[string]bool{}}
		r.table([]string{""}, []reflect.Value{reflect.ValueOf(page.of()).Elem()})
		text := "# " + page.title + "\n\nThis page is generated from the code: `go generate ./internal/files/config`.\n\n" + page.text +
			"\n\n<!-- contents -->\n\n" + r.contents.String() + "\n<!-- end -->\n" + r.tables.String()
		for _, missing := range r.silent {
			t.Errorf("%s: %s has no comment: say in its field's comment what it does", page.file, missing)
		}
		path := filepath.Join("../../../docs/reference", page.file)
		if *write {
			if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if has, err := os.ReadFile(path); err != nil || string(has) != text {
			t.Errorf("%s is not what the code says (%v): go generate ./internal/files/config", path, err)
		}
	}
}

// reference collects a page: a section for each table of a file, and what its keys are.
type reference struct {
	contents, tables strings.Builder
	comments         map[string]string // by package path, type and field
	read             map[string]bool   // packages whose comments are known
	silent           []string          // keys without a comment
}

// child is a table below a table.
type child struct {
	names  []string
	values []reflect.Value
}

// table writes the section of tables that have one type, as front and rear, and those below them.
func (r *reference) table(names []string, values []reflect.Value) {
	var rows strings.Builder
	var below []child
	r.fields(names, values, &rows, &below)
	if rows.Len() > 0 {
		heading := "Keys above all tables"
		if names[0] != "" {
			heading = "`" + strings.Join(brackets(names), "`, `") + "`"
		}
		slug := strings.ReplaceAll(regexp.MustCompile(`[^\p{L}\p{N}_ -]`).ReplaceAllString(strings.ToLower(heading), ""), " ", "-")
		fmt.Fprintf(&r.contents, "- [%s](#%s)\n", heading, slug)
		fmt.Fprintf(&r.tables, "\n## %s\n\n", heading)
		if about := r.about(values[0].Type()); about != "" {
			fmt.Fprintf(&r.tables, "%s\n\n", about)
		}
		fmt.Fprintf(&r.tables, "| key | default | range | what it does |\n|---|---|---|---|\n%s", rows.String())
	}
	for i := 0; i < len(below); i++ { // tables of one type beside each other are one section
		c := below[i]
		for i+1 < len(below) && below[i+1].values[0].Type() == c.values[0].Type() && names[0] != "" || i+1 < len(below) && below[i+1].values[0].Type() == c.values[0].Type() && c.values[0].Type().NumField() > 3 {
			c.names, c.values = append(c.names, below[i+1].names...), append(c.values, below[i+1].values...)
			i++
		}
		r.table(c.names, c.values)
	}
}

// brackets returns the headers of tables as a file has them.
func brackets(names []string) (list []string) {
	for _, name := range names {
		if at, ok := strings.CutSuffix(name, "[]"); ok {
			list = append(list, "[["+at+"]]")
		} else {
			list = append(list, "["+strings.ReplaceAll(name, "[]", "")+"]")
		}
	}
	return list
}

// fields writes a row for each key of tables of one type, and finds the tables below them.
func (r *reference) fields(names []string, values []reflect.Value, rows *strings.Builder, below *[]child) {
	t := values[0].Type()
	for i := range t.NumField() {
		f, key := t.Field(i), valid.Key(t.Field(i))
		inner := make([]reflect.Value, len(values))
		for k, v := range values {
			inner[k] = v.Field(i)
		}
		paths := make([]string, len(names))
		for k, name := range names {
			paths[k] = strings.TrimPrefix(name+"."+key, ".")
		}
		kind, suffix := f.Type, ""
		if (kind.Kind() == reflect.Slice || kind.Kind() == reflect.Map) && kind.Elem().Kind() == reflect.Struct {
			kind, suffix = kind.Elem(), "[]"
			if f.Type.Kind() == reflect.Map {
				suffix = ".NAME"
			}
			for k := range inner {
				inner[k] = reflect.New(kind).Elem()
				paths[k] += suffix
			}
			if f.Type.Kind() == reflect.Slice && key != "" {
				r.row(t, f, "`"+key+"` (list)", entries(values[0].Field(i)), paths[0], rows)
			}
		}
		switch {
		case f.Anonymous && key == "":
			r.fields(names, inner, rows, below)
		case key == "":
		case kind.Kind() == reflect.Struct:
			*below = append(*below, child{paths, inner})
		default:
			var defaults []string
			for _, v := range inner {
				defaults = append(defaults, shownDefault(v))
			}
			r.row(t, f, "`"+key+"`", strings.Join(slices.Compact(defaults), "; "), paths[0], rows)
		}
	}
}

func (r *reference) row(t reflect.Type, f reflect.StructField, key, initial, path string, rows *strings.Builder) {
	text := r.comment(t, f.Name)
	if text == "" {
		r.silent = append(r.silent, path)
	}
	fmt.Fprintf(rows, "| %s | %s | %s | %s |\n", key, initial, limits(f), strings.ReplaceAll(text, "|", "\\|"))
}

// entries says how many entries a list has by default.
func entries(list reflect.Value) string {
	switch n := list.Len(); n {
	case 0:
		return "none"
	case 1:
		return "1 entry"
	default:
		return fmt.Sprintf("%d entries", n)
	}
}

// limits describes what a field's tags allow.
func limits(f reflect.StructField) string {
	var list []string
	if words, ok := f.Tag.Lookup("oneof"); ok {
		list = append(list, "`\""+strings.ReplaceAll(words, ",", "\"`, `\"")+"\"`")
	}
	if tag, ok := f.Tag.Lookup("range"); ok {
		list = append(list, tag)
	}
	if tag, ok := f.Tag.Lookup("count"); ok {
		list = append(list, tag+" entries")
	}
	return strings.Join(list, ", ")
}

// shownDefault writes a value as a file would.
func shownDefault(v reflect.Value) string {
	switch v.Kind() {
	case reflect.String:
		return fmt.Sprintf("`%q`", v.String())
	case reflect.Pointer, reflect.Map:
		return ""
	case reflect.Float64:
		if v.Float() >= 1e6 { // counts, not 1.6e+07
			return strconv.FormatFloat(v.Float(), 'f', -1, 64)
		}
	case reflect.Slice, reflect.Array:
		if v.Len() == 0 {
			return "none"
		}
		var list []string
		for i := range v.Len() {
			list = append(list, strings.Trim(shownDefault(v.Index(i)), "`"))
		}
		if len(slices.Compact(slices.Clone(list))) == 1 && len(list) > 3 {
			return list[0] + " each"
		}
		return "[" + strings.Join(list, ", ") + "]"
	}
	return fmt.Sprint(v.Interface())
}

// about returns what the comment of a table's type says beyond its first word, the type's name.
func (r *reference) about(t reflect.Type) string { return r.comment(t, "") }

// comment returns the comment of a field in one line, or of the type itself if there is no field.
func (r *reference) comment(t reflect.Type, field string) string {
	r.readComments(t.PkgPath())
	return r.comments[t.PkgPath()+"."+t.Name()+"."+field]
}

// readComments reads the comments of the fields of a package's structs.
func (r *reference) readComments(pkg string) {
	dir, ours := strings.CutPrefix(pkg, "rig.example/rig/")
	if !ours || r.read[pkg] {
		return
	}
	r.read[pkg] = true
	files, _ := filepath.Glob(filepath.Join("../../..", dir, "*.go")) // the pattern is valid
	for _, file := range files {
		tree, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments)
		if err != nil {
			panic(err)
		}
		ast.Inspect(tree, func(n ast.Node) bool {
			spec, ok := n.(*ast.TypeSpec)
			if !ok {
				return true
			}
			if s, ok := spec.Type.(*ast.StructType); ok {
				for _, f := range s.Fields.List {
					text := strings.Join(strings.Fields(f.Doc.Text()+" "+f.Comment.Text()), " ")
					for _, name := range f.Names {
						r.comments[pkg+"."+spec.Name.Name+"."+name.Name] = text
					}
				}
			}
			return true
		})
	}
}
