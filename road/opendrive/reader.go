package opendrive

import (
	"encoding/xml"
	"fmt"
	"math"
	"strconv"
	"strings"

	"rig.example/rig/internal/kit/printable"
	"rig.example/rig/internal/kit/valid"
)

// Fault is an error in a file and its location.
type Fault struct {
	File    string
	Road    string // id of the road, or empty
	Element string // element of the road or file, or empty
	Text    string // what is wrong and what to do
}

// Error returns file, road, element and text on one line.
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

// numberText is the text of a number in an attribute. It is parsed where it is used, so that a fault in an unused
// part does no harm.
type numberText struct {
	text  string
	given bool
}

// UnmarshalXMLAttr keeps the text.
func (n *numberText) UnmarshalXMLAttr(a xml.Attr) error {
	n.text, n.given = strings.TrimSpace(a.Value), true
	return nil
}

// reader converts the raw elements of a file. It stores the first fault and then continues with zero values.
type reader struct {
	file, road, element string // location for faults and warnings, as in Fault
	fault               *Fault // first fault, or nil
	warnings            []string
	moreWarnings        int // number of warnings dropped after the first ones
	limits              limits
	unused              map[[2]string]int // number of unused elements, by enclosing element and name
	laneCount           int               // number of lanes of all sections so far
}

// fail records the first fault.
func (f *reader) fail(format string, args ...any) {
	if f.fault == nil {
		f.fault = &Fault{f.file, printable.Excerpt(f.road), f.element, fmt.Sprintf(format, args...)}
	}
}

// warn adds a warning.
func (f *reader) warn(format string, args ...any) {
	const maxWarnings = 50
	if len(f.warnings) >= maxWarnings {
		f.moreWarnings++
		return
	}
	w := Fault{f.file, printable.Excerpt(f.road), f.element, fmt.Sprintf(format, args...)}
	f.warnings = append(f.warnings, w.Error())
}

// allWarnings returns the warnings, those about unused elements last.
func (f *reader) allWarnings() []string {
	f.road, f.element = "", ""
	list := f.warnings
	if f.moreWarnings > 0 {
		list = append(list, fmt.Sprintf("%s: %d more warnings", f.file, f.moreWarnings))
	}
	return append(list, f.unusedWarnings()...)
}

// requiredNumber reads a number from lo to hi. It fails if the file does not have it.
func (f *reader) requiredNumber(n numberText, key string, lo, hi float64) float64 {
	if !n.given {
		f.fail("%s is missing: add it", key)
		return lo
	}
	v, err := strconv.ParseFloat(n.text, 64)
	if err != nil || !valid.Finite(v) {
		f.fail("%s is %q: must be a finite number", key, printable.Excerpt(n.text))
		return lo
	}
	if v < lo || v > hi {
		f.fail("%s is %g: must be from %g to %g", key, v, lo, hi)
		return lo
	}
	return v
}

// optionalNumber reads a number from lo to hi. It returns 0 if the file does not have it.
func (f *reader) optionalNumber(n numberText, key string, lo, hi float64) float64 {
	if !n.given {
		return 0
	}
	return f.requiredNumber(n, key, lo, hi)
}

// lenientNumber reads a number from 0 to hi on which the shape of the road does not depend. It returns 0 if the
// file does not have it; a number that cannot be used gives a warning and 0.
func (f *reader) lenientNumber(n numberText, key string, hi float64) float64 {
	if !n.given || n.text == "" {
		return 0
	}
	v, err := strconv.ParseFloat(n.text, 64)
	if err != nil || !(v >= 0 && v <= hi) {
		f.warn("%s is %q: taken as not given", key, printable.Excerpt(n.text))
		return 0
	}
	return v
}

// integer reads an integer from lo to hi. It fails if the file does not have it.
func (f *reader) integer(n numberText, key string, lo, hi int) int {
	v := f.requiredNumber(n, key, float64(lo), float64(hi))
	if v != math.Trunc(v) {
		f.fail("%s is %g: must be a whole number", key, v)
	}
	return int(v)
}
