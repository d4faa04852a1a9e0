package config

import (
	"fmt"
	"math"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"rig.example/rig/sim/road"
	"rig.example/rig/sim/road/layout"
)

// examples returns circuits that together have an entry of every kind.
func examples() []*Circuit {
	built := &Circuit{Layout: layout.Default(), Ground: DefaultGround()}
	built.Layout.Pieces = []layout.Piece{{Length: 10}, {Turn: 360, Radius: 50, Ramp: 10}}
	built.Layout.Parts = []layout.Part{{}}
	built.Layout.Features = []layout.Feature{{Kind: "bump"}, {Kind: "waves", Pitch: 1}, {Kind: "ramp", Grade: 10}}
	read := &Circuit{Layout: layout.Default(), Ground: DefaultGround()}
	read.Ground.File = "a.obj"
	read.Sectors, read.Changes = []Mark{{}}, []Change{{Grip: 1}}
	read.Walls = []Wall{{Side: "left", To: 10}}
	read.Cones = []Cones{{To: 10}, {Lanes: "iso-3888-1"}}
	return []*Circuit{built, read}
}

// visit calls see with each value of a struct and its place, as wall[0] and height_m.
func visit(v reflect.Value, table string, see func(table, key string, v reflect.Value)) {
	for i := range v.NumField() {
		f, tag := v.Field(i), v.Type().Field(i)
		key := tag.Tag.Get("toml")
		below := strings.TrimPrefix(table+"."+key, ".")
		switch {
		case tag.Anonymous:
			visit(f, table, see)
		case key == "" || key == "-" || f.Kind() == reflect.Map && table == "":
		case f.Type() == reflect.TypeFor[Mark](): // a place, written as one value
			see(table, key, f)
		case f.Kind() == reflect.Struct:
			visit(f, below, see)
		case f.Kind() == reflect.Slice && f.Type().Elem().Kind() == reflect.Struct:
			for k := range f.Len() {
				visit(f.Index(k), fmt.Sprintf("%s[%d]", below, k), see)
			}
		default:
			see(table, key, f)
		}
	}
}

// ruin makes a number NaN and returns how to mend it; nil if it is no such number.
func ruin(v reflect.Value) (mend func()) {
	was := reflect.ValueOf(v.Interface())
	switch {
	case v.Kind() == reflect.Float64:
		v.SetFloat(math.NaN())
	case v.Type() == reflect.TypeFor[*float64]():
		nan := math.NaN()
		v.Set(reflect.ValueOf(&nan))
	default:
		return nil
	}
	return func() { v.Set(was) }
}

// bounds is what a key may be, as faults tell it.
type bounds struct{ low, high string }

// circuitKeys returns the keys of circuits with their bounds, where they have some.
func circuitKeys() map[string]bounds {
	number := regexp.MustCompile(`\[\d+\]`)
	keys := map[string]bounds{}
	for _, c := range examples() {
		visit(reflect.ValueOf(c).Elem(), "", func(table, key string, v reflect.Value) {
			if table == "" {
				return // the title
			}
			name := number.ReplaceAllString(table, "") + "." + key
			if _, ok := keys[name]; !ok {
				keys[name] = bounds{}
			}
			if mend := ruin(v); mend != nil {
				if low, high, ok := enforcedRange(c.Validate(), table+"."+key); ok {
					keys[name] = bounds{low, high}
				}
				mend()
			}
		})
	}
	p := road.SurfaceParams{Base: "cobbles"}
	visit(reflect.ValueOf(&p).Elem(), "surface.NAME", func(table, key string, v reflect.Value) {
		name := table + "." + key
		keys[name] = bounds{}
		if mend := ruin(v); mend != nil {
			_, err := p.Surface("NAME")
			for _, fault := range leaves(err) {
				if m := enforced.FindStringSubmatch(fault.Error()); m != nil && strings.HasPrefix(fault.Error(), "road: "+name+" = ") {
					keys[name] = bounds{m[1], m[2]}
				}
			}
			mend()
		}
	})
	return keys
}

func TestTablesOfRoadsAreTrue(t *testing.T) {
	rows, keys := rowsOf(textOf(t, "roads.md")), circuitKeys()
	for key, b := range keys {
		doc, ok := rows[key]
		switch {
		case !ok:
			t.Errorf("no table has %s", key)
		case b != bounds{}:
			compareRange(t, key, doc.limits, b.low, b.high)
		case !strings.HasSuffix(key, ".on") && (fromTo.MatchString(doc.limits) || strings.HasPrefix(doc.limits, "±")): // a name beside a number has none
			t.Errorf("%s: nothing holds it to %s", key, doc.limits)
		}
	}
	for key := range rows {
		if _, ok := keys[key]; !ok && !strings.HasPrefix(key, "materials.") && !strings.HasPrefix(key, "areas.") {
			t.Errorf("a table has %s, which no circuit has", key)
		}
	}
	c := Circuit{Layout: layout.Default(), Ground: DefaultGround()}
	for _, table := range []string{"layout", "ground", "line", "start", "pit"} {
		visit(reflect.ValueOf(c), "", func(at, key string, v reflect.Value) {
			if at == table && v.Kind() != reflect.Struct {
				checkDefault(t, at+"."+key, rows[at+"."+key].initial, v)
			}
		})
	}
}
