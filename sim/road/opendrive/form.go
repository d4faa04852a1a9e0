package opendrive

import (
	"encoding/xml"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Fault is what is wrong in a file, and where.
type Fault struct {
	File    string
	Road    string // its id, or empty
	Element string // of the road or file, or empty
	Text    string // with the remedy
}

func (e *Fault) Error() string {
	where := e.File
	if e.Road != "" {
		where += ": road " + e.Road
	}
	if e.Element != "" {
		where += ": " + e.Element
	}
	return where + ": " + e.Text
}

// num is a number's text in an attribute; it is read where it is used, so that
// a fault in an unused part does no harm.
type num struct {
	text  string
	given bool
}

// UnmarshalXMLAttr keeps the text.
func (n *num) UnmarshalXMLAttr(a xml.Attr) error {
	n.text, n.given = strings.TrimSpace(a.Value), true
	return nil
}

// form reads a file's elements and keeps the first fault.
type form struct {
	file, road, element string
	fault               *Fault
	warnings            []string
	more                int // warnings beyond the first ones
	limits              limits
	leftOut             map[[2]string]int // elements that are not read, by what they stand in and their name
	lanesRead           int               // of all sections
}

func (f *form) fail(format string, args ...any) {
	if f.fault == nil {
		f.fault = &Fault{f.file, clip(f.road), f.element, fmt.Sprintf(format, args...)}
	}
}

func (f *form) warn(format string, args ...any) {
	const most = 50
	if len(f.warnings) >= most {
		f.more++
		return
	}
	w := Fault{f.file, clip(f.road), f.element, fmt.Sprintf(format, args...)}
	f.warnings = append(f.warnings, w.Error())
}

// told returns the warnings, those about elements without a reader last.
func (f *form) told() []string {
	f.road, f.element = "", ""
	list := f.warnings
	if f.more > 0 {
		list = append(list, fmt.Sprintf("%s: %d more warnings", f.file, f.more))
	}
	return append(list, f.unread()...)
}

// need reads a number that must be there, from lo to hi.
func (f *form) need(n num, key string, lo, hi float64) float64 {
	if !n.given {
		f.fail("%s is missing: write it", key)
		return lo
	}
	v, err := strconv.ParseFloat(n.text, 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		f.fail("%s is %q: must be a finite number", key, clip(n.text))
		return lo
	}
	if v < lo || v > hi {
		f.fail("%s is %g: must be from %g to %g", key, v, lo, hi)
		return lo
	}
	return v
}

// may reads a number that is 0 if it is not there.
func (f *form) may(n num, key string, lo, hi float64) float64 {
	if !n.given {
		return 0
	}
	return f.need(n, key, lo, hi)
}

// hint reads a number that the shape of the road does not depend on: one that
// cannot be used is told and 0.
func (f *form) hint(n num, key string, hi float64) float64 {
	if !n.given || n.text == "" {
		return 0
	}
	v, err := strconv.ParseFloat(n.text, 64)
	if err != nil || !(v >= 0 && v <= hi) {
		f.warn("%s is %q: taken as not given", key, clip(n.text))
		return 0
	}
	return v
}

// whole reads an integer.
func (f *form) whole(n num, key string, lo, hi int) int {
	v := f.need(n, key, float64(lo), float64(hi))
	if v != math.Trunc(v) {
		f.fail("%s is %g: must be a whole number", key, v)
	}
	return int(v)
}

// clip keeps lines short whatever is in the file.
func clip(s string) string {
	const most = 40
	s = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, s)
	if len(s) > most {
		return strings.ToValidUTF8(s[:most], "") + "…"
	}
	return s
}
