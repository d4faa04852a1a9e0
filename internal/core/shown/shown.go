// Package shown gives the values of a frame, and of what a session shows, by name: each field's tag says which quantity it is,
// in which unit. Readers choose what they show from these names, alone or as the layout of a JSON object.
//
// Its input is a frame.Frame or another plain struct with such tags. Its outputs are numbers and JSON. A quantity of a frame
// with the name of a channel (package channels) has that channel's value and unit.
package shown

import (
	"fmt"
	"reflect"
	"strings"

	"rig.example/rig/internal/core/frame"
)

// Quantity is a number in a T, such as a frame.Frame: its tag channel names it.
type Quantity[T any] struct {
	unit  string
	path  []int // fields from T on; each array on the way is indexed
	count int   // elements of that array, or 0
	index int   // of the element; -1 if it is chosen later
	bit   int   // of a word; -1 for the word itself
}

// Pick returns the quantities of a T with these names. A * in a name stands for an element that is chosen later. It panics
// if there is none of a name.
func Pick[T any](names ...string) []*Quantity[T] {
	all, picked := quantities[T](), make([]*Quantity[T], len(names))
	for i, name := range names {
		picked[i] = named(all, name)
	}
	return picked
}

// named returns a quantity. It panics if there is none of that name.
func named[T any](all map[string]*Quantity[T], name string) *Quantity[T] {
	q := all[name]
	if q == nil {
		panic(fmt.Sprintf("shown: %v has no %q", reflect.TypeFor[T](), name))
	}
	return q
}

// quantities returns all quantities of a T.
func quantities[T any]() map[string]*Quantity[T] {
	all := map[string]*Quantity[T]{}
	list(all, reflect.TypeFor[T](), nil, 0, nil)
	return all
}

// list adds the quantities of a struct at a path. elements are the names of those of the array on the way, count of
// them.
func list[T any](all map[string]*Quantity[T], t reflect.Type, path []int, count int, elements []string) {
	for i := range t.NumField() {
		f, path, count, elements := t.Field(i), append(path[:len(path):len(path)], i), count, elements
		kind := f.Type
		if kind.Kind() == reflect.Array {
			count, elements, kind = kind.Len(), strings.Fields(f.Tag.Get("each")), kind.Elem()
		}
		name := f.Tag.Get("channel")
		if name == "" {
			if kind.Kind() == reflect.Struct {
				list(all, kind, path, count, elements)
			}
			continue
		}
		units := strings.Fields(f.Tag.Get("unit"))
		add := func(name string, index, bit int) {
			q := &Quantity[T]{path: path, count: count, index: index, bit: bit}
			if len(units) > 0 {
				q.unit = strings.Trim(units[max(index, 0)%len(units)], "-")
			}
			all[name] = q
		}
		if add(name, -1, -1); name == "flags" {
			for bit, name := range frame.FlagNames {
				add(name, -1, bit)
			}
		}
		for k := range count {
			element := fmt.Sprint(k + 1)
			if k < len(elements) {
				element = elements[k]
			}
			add(strings.Replace(name, "*", element, 1), k, -1)
		}
	}
}

// at returns the word of an element, which is used if the quantity has several.
func (q *Quantity[T]) at(from reflect.Value, element int) reflect.Value {
	if q.index >= 0 {
		element = q.index
	}
	for _, i := range q.path {
		if from = from.Field(i); from.Kind() == reflect.Array {
			from = from.Index(element)
		}
	}
	return from
}

// At returns the value of an element, or of the quantity itself if it is a single one.
func (q *Quantity[T]) At(from *T, element int) float64 {
	return q.number(q.at(reflect.ValueOf(from).Elem(), element))
}

// Word returns the word of a quantity that counts, or is a code or bits.
func (q *Quantity[T]) Word(from *T) uint64 { return q.at(reflect.ValueOf(from).Elem(), 0).Uint() }

// number returns a word of the quantity, or its bit.
func (q *Quantity[T]) number(word reflect.Value) float64 {
	switch {
	case word.CanFloat():
		return word.Float()
	case word.CanInt():
		return float64(word.Int())
	case q.bit >= 0:
		return float64(word.Uint() >> q.bit & 1)
	}
	return float64(word.Uint())
}
