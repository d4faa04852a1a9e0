package opendrive

import (
	"encoding/xml"
	"reflect"
	"strings"
)

// limits bound the work and the memory that a file costs; beyond them it is refused.
type limits struct {
	bytes    int // of the file
	elements int // in it, read or not
	read     int // elements that are read
	roads    int
	sections int // of one road
	lanes    int // of all sections, with those that a section takes over from the one before
	pieces   int // of one row of a shape across the road
	depth    int // of elements in elements
}

// usual are the limits of files. Large ones of whole towns have 3 MB and 40 000 elements.
var usual = limits{
	bytes: 512 << 20, elements: 10_000_000, read: 2_000_000, roads: 100_000,
	sections: 10_000, lanes: 500_000, pieces: 200, depth: 100,
}

// known is an element that is read, and which of its children are.
type known struct {
	name     string
	children map[string]*known
}

// readable is what the raw types read, from the document on.
var readable = &known{children: map[string]*known{"OpenDRIVE": childrenOf("OpenDRIVE", reflect.TypeFor[rawMap]())}}

// childrenOf finds the elements that a raw type has fields for.
func childrenOf(name string, t reflect.Type) *known {
	k := &known{name: name, children: map[string]*known{}}
	for t.Kind() == reflect.Slice || t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct {
		return k
	}
	for i := range t.NumField() {
		path, of, _ := strings.Cut(t.Field(i).Tag.Get("xml"), ",")
		if of == "attr" || t.Field(i).Name == "XMLName" {
			continue
		}
		k.add(strings.Split(path, ">"), t.Field(i).Type)
	}
	return k
}

// add puts the element at the end of a path below k.
func (k *known) add(path []string, t reflect.Type) {
	if len(path) == 1 {
		k.children[path[0]] = childrenOf(path[0], t)
		return
	}
	if k.children[path[0]] == nil {
		k.children[path[0]] = &known{name: path[0], children: map[string]*known{}}
	}
	k.children[path[0]].add(path[1:], t)
}

// sieve passes on the elements that are read, counts the others, and gives up a file that is
// beyond its limits.
type sieve struct {
	in       *xml.Decoder
	form     *form
	open     []*known // elements around
	elements int      // that began
	read     int      // that were passed on
	roads    int      // of them
	depth    int
}

// Token returns the next token of what is read.
func (s *sieve) Token() (xml.Token, error) {
	for {
		token, err := s.next()
		if err != nil {
			return nil, err
		}
		switch t := token.(type) {
		case xml.CharData:
			return t, nil
		case xml.EndElement:
			s.open = s.open[:len(s.open)-1]
			return t, nil
		case xml.StartElement:
			if taken, err := s.enter(t.Name.Local); taken || err != nil {
				return t, err
			}
		}
	}
}

// enter opens an element that is read, or passes over one that is not.
func (s *sieve) enter(name string) (taken bool, err error) {
	around := s.open[len(s.open)-1]
	inner := around.children[name]
	switch {
	case inner == nil && around != readable:
		return false, s.leaveOut(around.name, name)
	case inner == nil:
		inner = &known{} // another root: whoever decodes it says so
	case name == "road":
		s.roads++
	}
	s.open = append(s.open, inner)
	if s.read++; s.read > s.form.limits.read {
		return false, s.refuse("more than %d elements that describe roads: split the network, or leave roads out", s.form.limits.read)
	}
	if s.roads > s.form.limits.roads {
		return false, s.refuse("more than %d roads: split the network", s.form.limits.roads)
	}
	return true, nil
}

// next returns the next token, within the limits.
func (s *sieve) next() (xml.Token, error) {
	token, err := s.in.Token()
	switch token.(type) {
	case xml.StartElement:
		s.elements++
		s.depth++
	case xml.EndElement:
		s.depth--
	}
	switch {
	case err != nil:
		return nil, err
	case s.elements > s.form.limits.elements:
		return nil, s.refuse("more than %d elements: split the network, or leave out what is no road", s.form.limits.elements)
	case s.depth > s.form.limits.depth:
		return nil, s.refuse("elements within elements, %d deep: must be at most %d; export the file again", s.depth, s.form.limits.depth)
	}
	return token, nil
}

// refuse makes a fault at the present line.
func (s *sieve) refuse(format string, args ...any) error {
	line, _ := s.in.InputPos()
	s.form.fail("line %d: "+format, append([]any{line}, args...)...)
	return s.form.fault
}

// lists are elements that only hold others, each of which counts.
var lists = map[string]bool{"objects": true, "signals": true, "railroad": true, "surface": true}

// leaveOut counts an element, and passes over it and what it holds.
func (s *sieve) leaveOut(around, name string) error {
	list := lists[name]
	if !list {
		s.form.count(around, name)
	}
	for outside := s.depth - 1; s.depth > outside; {
		token, err := s.next()
		if err != nil {
			return err
		}
		if start, ok := token.(xml.StartElement); ok && list && s.depth == outside+2 {
			s.form.count(name, start.Name.Local)
		}
	}
	return nil
}
