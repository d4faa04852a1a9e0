package opendrive

import (
	"encoding/xml"
	"reflect"
	"strings"
)

// limits are the maxima for a file, which bound the time and the memory to read it.
type limits struct {
	bytes    int // size of the file
	elements int // number of all elements
	used     int // number of elements that are used
	roads    int // number of roads
	sections int // number of sections of one road
	lanes    int // number of lanes of all sections, including those that continue from the previous section
	pieces   int // number of cubics in one row of a shape
	depth    int // depth of nested elements
}

// defaultLimits are those of Parse. Large files of whole towns have 3 MB and 40 000 elements.
var defaultLimits = limits{
	bytes: 512 << 20, elements: 10_000_000, used: 2_000_000, roads: 100_000,
	sections: 10_000, lanes: 500_000, pieces: 200, depth: 100,
}

// elementType describes an element that this package uses, and those of its children that it uses.
type elementType struct {
	name     string
	children map[string]*elementType
}

// documentType is the document with all elements that are used: those for which the raw types have fields.
var documentType = &elementType{children: map[string]*elementType{
	"OpenDRIVE": elementTypeOf("OpenDRIVE", reflect.TypeFor[rawMap]()),
}}

// elementTypeOf returns the element of a name with the children for which the raw type t has fields.
func elementTypeOf(name string, t reflect.Type) *elementType {
	element := &elementType{name: name, children: map[string]*elementType{}}
	for t.Kind() == reflect.Slice || t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct {
		return element
	}
	for i := range t.NumField() {
		path, option, _ := strings.Cut(t.Field(i).Tag.Get("xml"), ",")
		if option == "attr" || t.Field(i).Name == "XMLName" {
			continue
		}
		element.add(strings.Split(path, ">"), t.Field(i).Type)
	}
	return element
}

// add adds the last element of a path of names, and the elements above it, to the children of k.
func (k *elementType) add(path []string, t reflect.Type) {
	if len(path) == 1 {
		k.children[path[0]] = elementTypeOf(path[0], t)
		return
	}
	if k.children[path[0]] == nil {
		k.children[path[0]] = &elementType{name: path[0], children: map[string]*elementType{}}
	}
	k.children[path[0]].add(path[1:], t)
}

// elementFilter passes on the elements that are used, counts the others, and refuses a file that exceeds a
// limit.
type elementFilter struct {
	decoder   *xml.Decoder
	reader    *reader
	enclosing []*elementType // the enclosing elements, the outermost first
	elements  int            // number of elements so far
	used      int            // number of elements passed on
	roads     int            // number of roads passed on
	depth     int            // depth of the current element
}

// Token returns the next token of a used element.
func (s *elementFilter) Token() (xml.Token, error) {
	for {
		token, err := s.next()
		if err != nil {
			return nil, err
		}
		switch t := token.(type) {
		case xml.CharData:
			return t, nil
		case xml.EndElement:
			s.enclosing = s.enclosing[:len(s.enclosing)-1]
			return t, nil
		case xml.StartElement:
			if taken, err := s.enter(t.Name.Local); taken || err != nil {
				return t, err
			}
		}
	}
}

// enter begins an element and reports whether it is used. It skips an element that is not.
func (s *elementFilter) enter(name string) (taken bool, err error) {
	parent := s.enclosing[len(s.enclosing)-1]
	child := parent.children[name]
	switch {
	case child == nil && parent != documentType:
		return false, s.skip(parent.name, name)
	case child == nil:
		child = &elementType{} // another root element: the decoder reports it
	case name == "road":
		s.roads++
	}
	s.enclosing = append(s.enclosing, child)
	if s.used++; s.used > s.reader.limits.used {
		return false, s.fail("more than %d elements that describe roads: split the network, or leave roads out", s.reader.limits.used)
	}
	if s.roads > s.reader.limits.roads {
		return false, s.fail("more than %d roads: split the network", s.reader.limits.roads)
	}
	return true, nil
}

// next returns the next token, within the limits.
func (s *elementFilter) next() (xml.Token, error) {
	token, err := s.decoder.Token()
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
	case s.elements > s.reader.limits.elements:
		return nil, s.fail("more than %d elements: split the network, or leave out what is no road", s.reader.limits.elements)
	case s.depth > s.reader.limits.depth:
		return nil, s.fail("elements nested %d deep: must be at most %d; export the file again", s.depth, s.reader.limits.depth)
	}
	return token, nil
}

// fail records a fault at the current line and returns it.
func (s *elementFilter) fail(format string, args ...any) error {
	line, _ := s.decoder.InputPos()
	s.reader.fail("line %d: "+format, append([]any{line}, args...)...)
	return s.reader.fault
}

// containers are the unused elements that only contain others; their children are counted instead of them.
var containers = map[string]bool{"objects": true, "signals": true, "railroad": true, "surface": true}

// skip counts an unused element and skips it with everything inside.
func (s *elementFilter) skip(parent, name string) error {
	list := containers[name]
	if !list {
		s.reader.countUnused(parent, name)
	}
	for outside := s.depth - 1; s.depth > outside; {
		token, err := s.next()
		if err != nil {
			return err
		}
		if start, ok := token.(xml.StartElement); ok && list && s.depth == outside+2 {
			s.reader.countUnused(name, start.Name.Local)
		}
	}
	return nil
}
