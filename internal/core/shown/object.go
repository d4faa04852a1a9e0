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
//	speed_m_s=speed         the quantity speed; a key without a name is its own name
//	speed_kph=speed(km/h)   … in another unit; with a ? as in (s?) 0 and less are not known; (bool) says whether it is not 0,
//	                        (number) that a flag is 0 or 1
//	position_m=position_*   an array of all elements
//	pose=platform_*[6]      … of some of them; the number may be a quantity too
//	!state                  what the caller gives for this key, if it does; in an array its element, if it gives strings
//	state=!safety           … by another name
//	lap{ … }                an object
//	wheels[4]{ … }          an array of objects, in which a * is the element
//	sound?sound_devices{ … } null if that quantity is 0
//	pose?{ … }              null if a number in it is not known; so is an empty array with a ?
//
// A flag is true or false. A number that is NaN or Inf is not known, which is null.
type Object[T any] struct {
	parts  []part[T]
	digits int // of a number; -1 for as many as it has
}

// part is a key with what it holds: given by the caller, a quantity, or further parts.
type part[T any] struct {
	key      string
	own      string // what the caller gives; "" for nothing
	value    *Quantity[T]
	factor   float64
	unit     string
	parts    []part[T]
	count    *Quantity[T] // elements of an array; nil for length
	length   int          // elements of an array; -1 if it is none
	nullable bool
	needs    *Quantity[T] // must not be 0
}

// NewObject returns the object of a layout. It panics if the layout is wrong.
func NewObject[T any](layout string, digits int) *Object[T] {
	words := strings.Fields(strings.NewReplacer("{", " { ", "}", " } ").Replace(layout))
	parse := parser[T]{all: quantities[T](), words: words}
	return &Object[T]{parse.parts(), digits}
}

type parser[T any] struct {
	all   map[string]*Quantity[T]
	words []string
}

// parts takes words up to the end or a closing brace.
func (p *parser[T]) parts() (list []part[T]) {
	for len(p.words) > 0 {
		word := p.words[0]
		if p.words = p.words[1:]; word == "}" {
			break
		}
		part := part[T]{factor: 1, length: -1}
		inner := len(p.words) > 0 && p.words[0] == "{"
		if inner {
			var needs string
			if word, needs, part.nullable = strings.Cut(word, "?"); needs != "" {
				part.needs = named(p.all, needs)
			}
			word = p.counted(&part, word)
			p.words = p.words[1:]
			part.key, part.parts = word, p.parts()
		} else if key, own, is := strings.Cut(word, "!"); is {
			part.key, part.own = cmp.Or(strings.TrimSuffix(key, "="), own), own
		} else {
			p.valued(&part, word)
		}
		list = append(list, part)
	}
	return list
}

// counted takes the number of an array's elements from the end of a word, if it has one.
func (p *parser[T]) counted(to *part[T], word string) (rest string) {
	rest, count, is := strings.Cut(strings.TrimSuffix(word, "]"), "[")
	if n, err := strconv.Atoi(count); err == nil {
		to.length = n
	} else if is {
		to.count, to.length = named(p.all, count), 0
	}
	return rest
}

// conversions are units of layouts, with the unit of the quantity and the factor from there.
var conversions = map[string]struct {
	from   string
	factor float64
}{
	"km/h": {"m/s", 3.6}, "deg": {"rad", 180 / math.Pi}, "deg/s": {"rad/s", 180 / math.Pi}, "ms": {"s", 1e3}, "ms?": {"s", 1e3}, "mm": {"m", 1e3}, "bool": {"", 1}, "number": {"", 1}, "s?": {"s", 1},
}

// valued takes a key with its quantity.
func (p *parser[T]) valued(to *part[T], word string) {
	key, name, is := strings.Cut(p.counted(to, word), "=")
	if key, to.nullable = strings.CutSuffix(key, "?"); !is {
		name = key
	}
	name, to.unit, _ = strings.Cut(strings.TrimSuffix(name, ")"), "(")
	to.key, to.value = key, named(p.all, name)
	if to.unit != "" {
		c, known := conversions[to.unit]
		if !known || c.from != to.value.unit {
			panic(fmt.Sprintf("shown: %s [%s] in %q", name, to.value.unit, to.unit))
		}
		to.factor = c.factor
	}
}

// Append appends the object of a T. own holds what its keys with ! say.
func (o *Object[T]) Append(b []byte, from *T, own map[string]any) []byte {
	w := writer[T]{reflect.ValueOf(from).Elem(), own, o.digits, 0, false, false}
	return w.object(b, o.parts)
}

// JSON returns the object of a T, as Append does.
func (o *Object[T]) JSON(from *T, own map[string]any) json.RawMessage {
	return o.Append(nil, from, own)
}

type writer[T any] struct {
	from    reflect.Value
	own     map[string]any
	digits  int
	element int  // of the innermost array
	inArray bool // there is one
	unknown bool // a number was not known
}

func (w *writer[T]) object(b []byte, parts []part[T]) []byte {
	b = append(b, '{')
	start := len(b)
	for i := range parts {
		p := &parts[i]
		if _, has := w.own[p.own]; p.own != "" && !has {
			continue
		}
		if len(b) > start {
			b = append(b, ',')
		}
		b = w.part(append(strconv.AppendQuote(b, p.key), ':'), p)
	}
	return append(b, '}')
}

func (w *writer[T]) part(b []byte, p *part[T]) []byte {
	start := len(b)
	switch {
	case p.own != "":
		return w.given(b, p.own)
	case p.needs != nil && p.needs.at(w.from, 0).IsZero():
		return append(b, "null"...)
	case p.length >= 0:
		return w.array(b, p)
	case p.value != nil && p.value.count > 0 && p.value.index < 0 && !w.inArray:
		all := *p
		all.length = p.value.count
		return w.array(b, &all)
	case p.value != nil:
		return w.number(b, p)
	}
	w.unknown = false
	if b = w.object(b, p.parts); p.nullable && w.unknown {
		b = append(b[:start], "null"...)
	}
	return b
}

// array appends the elements of a quantity, or an object for each.
func (w *writer[T]) array(b []byte, p *part[T]) []byte {
	n := p.length
	if p.count != nil {
		n = int(min(p.count.at(w.from, 0).Uint(), uint64(p.most())))
	}
	if n == 0 && p.nullable {
		return append(b, "null"...)
	}
	w.inArray = true
	b = append(b, '[')
	for w.element = range n {
		if w.element > 0 {
			b = append(b, ',')
		}
		if p.value != nil {
			b = w.number(b, p)
		} else {
			b = w.object(b, p.parts)
		}
	}
	w.inArray, w.element = false, 0
	return append(b, ']')
}

// most returns how many elements the quantities of an array have.
func (p *part[T]) most() int {
	if p.value != nil {
		return p.value.count
	}
	for i := range p.parts {
		if v := p.parts[i].value; v != nil && v.count > 0 {
			return v.count
		}
	}
	return 0
}

// number appends a quantity.
func (w *writer[T]) number(b []byte, p *part[T]) []byte {
	v := p.value.at(w.from, w.element)
	switch {
	case p.unit == "number":
		return strconv.AppendUint(b, v.Uint()>>p.value.bit&1, 10)
	case p.value.bit >= 0:
		return strconv.AppendBool(b, v.Uint()>>p.value.bit&1 == 1)
	case p.unit == "bool":
		return strconv.AppendBool(b, !v.IsZero())
	case v.CanUint():
		return strconv.AppendUint(b, v.Uint(), 10)
	case v.CanInt():
		return strconv.AppendInt(b, v.Int(), 10)
	}
	x := p.factor * v.Float()
	if strings.HasSuffix(p.unit, "?") && !(x > 0) {
		x = math.NaN()
	}
	return w.float(b, x)
}

// float appends a number, or null if it is not known.
func (w *writer[T]) float(b []byte, x float64) []byte {
	switch {
	case !valid.Finite(x):
		w.unknown = true
		return append(b, "null"...)
	case w.digits >= 0:
		return strconv.AppendFloat(b, x, 'g', w.digits, 64)
	}
	text, _ := json.Marshal(x) // a finite number has a text
	return append(b, text...)
}

// given appends what the caller gives for a key, or null if JSON cannot express it.
func (w *writer[T]) given(b []byte, key string) []byte {
	v := w.own[key]
	switch list := v.(type) {
	case float64:
		return w.float(b, list)
	case []float64:
		for i, x := range list {
			b = w.float(append(b, "[,"[min(i, 1)]), x)
		}
		return append(b, ']')
	case []string:
		if w.inArray {
			v = list[w.element]
		}
	case [][3]float64:
		v = list[w.element]
	}
	text, err := json.Marshal(v)
	if err != nil {
		text = []byte("null")
	}
	return append(b, text...)
}
