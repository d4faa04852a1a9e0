package shown

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"

	"rig.example/rig/internal/kit/valid"
)

// Object is the layout of a JSON object of a T: its keys in order, each with the quantity of the T that it holds.
//
//	speed_m_s=speed          the quantity speed; a key without a name is its own name
//	speed_kph=speed(km/h)    … in another unit, one of conversions
//	position_m=position_*    an array of all elements
//	pose=platform_*[6]       … of the first six; the number may be a quantity too
//	state, state=!safety     what the caller gives as state or as safety, if it does; in an array its element of strings
//	lap{ … }, wheels[4]{ … } an object, and an array of objects, in which a * is the element
//	pose?{ … }, legs?=…      null if a number in the object is not known, or if the array is empty
//	sound?devices{ … }       null if that quantity is 0
//
// A flag is true or false. A number that is NaN or Inf is not known, which is null.
type Object[T any] struct {
	parts  []part[T]
	digits int // of a number; -1 for as many as it has
}

// part is a key with one of three: what the caller gives, a quantity, or further parts.
type part[T any] struct {
	key, own string
	value    *Quantity[T]
	unit     string // "" for that of value
	parts    []part[T]
	isArray  bool
	length   int          // of the array, at most
	count    *Quantity[T] // elements of the array; nil for length
	nullable bool
	needs    *Quantity[T] // must not be 0
}

// conversions are the units that a layout may ask for: the unit of the quantity, and the factor from there. With a ? what is 0
// or less is not known; bool is whether it is not 0, bit whether a flag is set as 0 or 1.
var conversions = map[string]struct {
	from   string
	factor float64
}{
	"km/h": {"m/s", 3.6}, "deg": {"rad", 180 / math.Pi}, "deg/s": {"rad/s", 180 / math.Pi}, "mm": {"m", 1e3}, "ms": {"s", 1e3}, "ms?": {"s", 1e3}, "s?": {"s", 1},
	"": {"", 1}, "bool": {"", 1}, "bit": {"", 1},
}

// NewObject returns the object of a layout. It panics if the layout is wrong.
func NewObject[T any](layout string, digits int) *Object[T] {
	p := parser[T]{quantities[T](), strings.Fields(strings.NewReplacer("{", " { ", "}", " } ").Replace(layout))}
	return &Object[T]{p.parts(false), digits}
}

type parser[T any] struct {
	all   map[string]*Quantity[T]
	words []string
}

// parts takes words up to the end or a closing brace. In an array a quantity with a * is one of its elements.
func (p *parser[T]) parts(inArray bool) (list []part[T]) {
	for len(p.words) > 0 {
		word := p.words[0]
		if p.words = p.words[1:]; word == "}" {
			break
		}
		word, count, isArray := strings.Cut(strings.TrimSuffix(word, "]"), "[")
		key, name, _ := strings.Cut(word, "=")
		to := part[T]{isArray: isArray}
		switch own, given := strings.CutPrefix(cmp.Or(name, key), "!"); {
		case given:
			to.key, to.own = cmp.Or(strings.TrimPrefix(key, "!"), own), own
		case len(p.words) > 0 && p.words[0] == "{":
			p.words = p.words[1:]
			if key, name, to.nullable = strings.Cut(key, "?"); name != "" {
				to.needs = named(p.all, name)
			}
			to.key, to.parts = key, p.parts(inArray || isArray)
			for i := range to.parts {
				if v := to.parts[i].value; v != nil {
					to.length = max(to.length, v.count)
				}
			}
		default:
			to.key, to.nullable = strings.CutSuffix(key, "?")
			p.quantity(&to, cmp.Or(name, key), inArray)
		}
		if n, err := strconv.Atoi(count); err == nil {
			to.length = n
		} else if isArray {
			to.count = named(p.all, count)
		}
		list = append(list, to)
	}
	return list
}

// quantity takes the name of a quantity, with a unit if it has one.
func (p *parser[T]) quantity(to *part[T], word string, inArray bool) {
	name, unit, _ := strings.Cut(strings.TrimSuffix(word, ")"), "(")
	to.value, to.unit = named(p.all, name), unit
	if c, known := conversions[unit]; !known || unit != "" && c.from != to.value.unit {
		panic(fmt.Sprintf("shown: %s [%s] cannot be shown in %q", name, to.value.unit, unit))
	}
	to.length = to.value.count
	to.isArray = to.isArray || !inArray && to.value.count > 0 && to.value.index < 0
}

// Append appends the object of a T. given is what the caller gives.
func (o *Object[T]) Append(b []byte, from *T, given map[string]any) []byte {
	w := writer[T]{from: reflect.ValueOf(from).Elem(), given: given, digits: o.digits, element: -1}
	return w.object(b, o.parts)
}

type writer[T any] struct {
	from    reflect.Value
	given   map[string]any
	digits  int
	element int  // of the array; -1 outside of one
	unknown bool // a number was not known
}

func (w *writer[T]) object(b []byte, parts []part[T]) []byte {
	b = append(b, '{')
	for i := range parts {
		p := &parts[i]
		if _, given := w.given[p.own]; p.own != "" && !given {
			continue
		}
		if b[len(b)-1] != '{' {
			b = append(b, ',')
		}
		b = append(strconv.AppendQuote(b, p.key), ':')
		switch start := len(b); {
		case p.needs != nil && p.needs.at(w.from, 0).IsZero():
			b = append(b, "null"...)
		case p.isArray:
			b = w.array(b, p)
		default:
			w.unknown = w.unknown && !p.nullable
			if b = w.value(b, p); p.nullable && w.unknown {
				b = append(b[:start], "null"...)
			}
		}
	}
	return append(b, '}')
}

func (w *writer[T]) array(b []byte, p *part[T]) []byte {
	n := p.length
	if p.count != nil {
		n = int(min(p.count.at(w.from, 0).Uint(), uint64(n)))
	}
	if n == 0 && p.nullable {
		return append(b, "null"...)
	}
	b = append(b, '[')
	for w.element = range n {
		if w.element > 0 {
			b = append(b, ',')
		}
		b = w.value(b, p)
	}
	w.element = -1
	return append(b, ']')
}

func (w *writer[T]) value(b []byte, p *part[T]) []byte {
	switch {
	case p.own != "":
		return w.append(b, w.given[p.own])
	case p.value == nil:
		return w.object(b, p.parts)
	}
	v, isFlag := p.value.at(w.from, w.element), p.value.bit >= 0
	switch {
	case p.unit == "bool", isFlag && p.unit != "bit":
		return strconv.AppendBool(b, p.value.number(v) != 0)
	case v.CanUint() && !isFlag:
		return strconv.AppendUint(b, v.Uint(), 10)
	case !v.CanFloat():
		return strconv.AppendInt(b, int64(p.value.number(v)), 10)
	case strings.HasSuffix(p.unit, "?") && !(v.Float() > 0):
		return w.append(b, math.NaN())
	}
	return w.append(b, conversions[p.unit].factor*v.Float())
}

// append appends a value, or null if JSON cannot express it.
func (w *writer[T]) append(b []byte, v any) []byte {
	switch list := v.(type) {
	case float64:
		if w.digits >= 0 && valid.Finite(list) {
			return strconv.AppendFloat(b, list, 'g', w.digits, 64)
		}
	case []float64:
		b = append(b, '[')
		for i, x := range list {
			if i > 0 {
				b = append(b, ',')
			}
			b = w.append(b, x)
		}
		return append(b, ']')
	case []string:
		if w.element >= 0 {
			v = list[w.element]
		}
	case [][3]float64:
		v = list[w.element]
	}
	text, err := json.Marshal(v)
	if w.unknown = w.unknown || err != nil; err != nil {
		return append(b, "null"...)
	}
	return append(b, text...)
}
