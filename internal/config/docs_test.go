package config

import (
	"fmt"
	"maps"
	"math"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"rig.example/rig/sim"
)

// documented is what the documents' tables say of a car's key.
type documented struct{ initial, limits string }

var (
	tableNames = regexp.MustCompile("\\*\\*`\\[+([a-zA-Z_.]+)\\]+`\\*\\*")
	codeSpans  = regexp.MustCompile("`[^`]*`")
	keyNames   = regexp.MustCompile("[a-z][a-z0-9_]*")
	fromTo     = regexp.MustCompile(`^(?:0 or )?(-?[0-9.]+?(?:e-?[0-9]+)?)\.\.(-?[0-9.]+(?:e-?[0-9]+)?)$`)
	enforced   = regexp.MustCompile(`= NaN: allowed is (\S+) to ([^\s,]+)`)
)

func textOf(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile("../../docs/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return strings.NewReplacer("−", "-", ", or ", " or ").Replace(string(text))
}

// rowsOf reads the rows below each **`[table]`** of a document; a row may have several keys,
// with a default and a range for each or for all.
func rowsOf(text string) map[string]documented {
	rows, names := map[string]documented{}, []string(nil)
	for line := range strings.Lines(text) {
		cells := strings.Split(line, "|")
		if len(cells) < 5 {
			names = nil
			continue
		}
		if at := tableNames.FindAllStringSubmatch(cells[1], -1); at != nil {
			names = nil
			for _, m := range at {
				names = append(names, m[1])
			}
		}
		keys := codeSpans.FindAllString(tableNames.ReplaceAllString(cells[1], ""), -1)
		for i, key := range keys {
			for _, name := range names {
				rows[name+"."+strings.Trim(key, "`")] = documented{part(cells[2], i, len(keys)), part(cells[3], i, len(keys))}
			}
		}
	}
	return rows
}

// part returns what a cell says of one of several keys.
func part(cell string, i, of int) string {
	list := strings.Split(strings.ReplaceAll(strings.TrimSpace(cell), "; ", ", "), ", ")
	if len(list) == of {
		return list[i]
	}
	return strings.TrimSpace(cell)
}

// values returns the values of a struct by their dotted keys.
func values(v reflect.Value, prefix string) map[string]reflect.Value {
	m := map[string]reflect.Value{}
	for i := range v.NumField() {
		f, key := v.Type().Field(i), v.Type().Field(i).Tag.Get("toml")
		switch {
		case f.Anonymous:
			maps.Copy(m, values(v.Field(i), prefix))
		case f.Type.Kind() == reflect.Struct:
			maps.Copy(m, values(v.Field(i), prefix+key+"."))
		default:
			m[prefix+key] = v.Field(i)
		}
	}
	return m
}

func TestTablesOfTheDocumentsAreTrue(t *testing.T) {
	rows := rowsOf(textOf(t, "configuration.md"))
	maps.Copy(rows, rowsOf(textOf(t, "powertrain.md")))
	p := sim.DefaultCar()
	car := values(reflect.ValueOf(&p).Elem(), "")
	for key, v := range car {
		table, _, _ := strings.Cut(key, ".")
		if !slices.Contains([]string{"air", "assists", "brakes", "driveline", "fuel"}, table) {
			continue
		}
		doc, ok := rows[key]
		if !ok {
			t.Errorf("no table has %s", key)
			continue
		}
		checkDefault(t, key, doc.initial, v)
		checkRange(t, &p, key, doc.limits, v)
	}
	for key := range rows {
		table, _, _ := strings.Cut(key, ".")
		if _, ok := car[key]; !ok && slices.Contains([]string{"air", "brakes", "driveline", "fuel"}, table) {
			t.Errorf("a table has %s, which no car has", key)
		}
	}
}

// checkDefault holds the first word of what a document says against a value; lists are
// beyond it.
func checkDefault(t *testing.T, key, says string, v reflect.Value) {
	t.Helper()
	word, _, _ := strings.Cut(says, ":")
	want := fmt.Sprint(v.Interface())
	switch v.Kind() {
	case reflect.Slice:
		return
	case reflect.Float64:
		if n, err := strconv.ParseFloat(word, 64); err == nil {
			word = fmt.Sprint(n)
		}
	case reflect.String:
		word = strings.Trim(word, "`\"")
	}
	if word != want {
		t.Errorf("%s is %s, the document says %q", key, want, says)
	}
}

// checkRange asks a key's own check for its range. Ranges that depend on other keys are in
// words, and beyond it.
func checkRange(t *testing.T, p *sim.Params, key, says string, v reflect.Value) {
	t.Helper()
	if v.Kind() != reflect.Float64 {
		return
	}
	was := v.Float()
	v.SetFloat(math.NaN())
	defer v.SetFloat(was)
	low, high, ok := enforcedRange(p.Validate(), key)
	if !ok {
		t.Errorf("%s may be NaN", key)
		return
	}
	compareRange(t, key, says, low, high)
}

// enforcedRange finds in the faults of a key that is NaN from where to where it may go.
func enforcedRange(faults error, key string) (low, high string, ok bool) {
	for _, err := range leaves(faults) {
		if m := enforced.FindStringSubmatch(err.Error()); m != nil && strings.HasPrefix(err.Error(), key+" = ") {
			return m[1], m[2], true
		}
	}
	return "", "", false
}

// compareRange holds a document's range against what is enforced.
func compareRange(t *testing.T, key, says, low, high string) {
	t.Helper()
	numbers := says
	if size, ok := strings.CutPrefix(says, "±"); ok {
		numbers = "-" + size + ".." + size
	}
	doc := fromTo.FindStringSubmatch(numbers)
	if says == "" || doc != nil && (!sameNumber(doc[1], low) || !sameNumber(doc[2], high)) {
		t.Errorf("%s goes from %s to %s, the document says %q", key, low, high, says)
	}
}

func sameNumber(a, b string) bool {
	x, _ := strconv.ParseFloat(a, 64)
	y, err := strconv.ParseFloat(b, 64)
	return err == nil && x == y
}

func TestTheDocumentsNameEveryKey(t *testing.T) {
	words := map[string]bool{}
	for _, span := range codeSpans.FindAllString(textOf(t, "configuration.md")+textOf(t, "powertrain.md")+textOf(t, "controls.md")+textOf(t, "ffb.md")+textOf(t, "motion.md"), -1) {
		for _, word := range keyNames.FindAllString(span, -1) {
			words[word] = true
		}
	}
	var look func(t *testing.T, of reflect.Type, table string)
	look = func(t *testing.T, of reflect.Type, table string) {
		for key, f := range fields(of) {
			if !words[key] {
				t.Errorf("no document has %s%s", table, key)
			}
			look(t, f.Type, table+key+".")
		}
	}
	look(t, reflect.TypeFor[sim.Params](), "")
	look(t, reflect.TypeFor[Config](), "")
}
