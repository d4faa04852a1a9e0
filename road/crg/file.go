package crg

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"rig.example/rig/road"
)

// file is an OpenCRG file while it is being read: first the values of the header, then the channels, then the
// columns of the data.
type file struct {
	name     string                             // for errors and warnings
	line     int                                // line being read, counted from 1
	values   [sectionCount]map[string]headValue // by section and key
	format   numberFormat
	channels []channel
	sections []longSection  // long sections among the channels, from right to left
	virtualU virtualChannel // virtual channel of u
	warnings []string

	v                   []float64 // v of the long sections [m]
	uBegin, uStep       float64   // first u, and step of u between rows [m]
	rowCount            int       // number of rows, which are cross sections
	z                   []float32 // heights [m], row by row from right to left; NaN is a hole
	phi, banking, slope []float64 // direction [rad], cross slope and slope of the reference line at each row, or nil
}

// headValue is a number of the header and its line in the file.
type headValue struct {
	v    float64
	line int
}

// Sections of the header. Those before sectionCount have values.
const (
	sectionRoad = iota
	sectionOptions
	sectionModifiers
	sectionCount
	sectionDefinition // defines the channels
	sectionSkipped    // is ignored
	sectionReference  // names the file that has the data
)

var sectionNames = map[string]int{
	"ROAD_CRG": sectionRoad, "ROAD_CRG_OPTS": sectionOptions, "ROAD_CRG_MODS": sectionModifiers,
	"KD_DEFINITION": sectionDefinition, "CT": sectionSkipped, "ROAD_CRG_MPRO": sectionSkipped, "ROAD_CRG_FILE": sectionReference,
}

// errorAt returns an error about a line of the file.
func (f *file) errorAt(line int, format string, args ...any) error {
	return fmt.Errorf("road: %s:%d: %s", f.name, line, fmt.Sprintf(format, args...))
}

// warn adds a warning about a line of the file.
func (f *file) warn(line int, format string, args ...any) {
	const limit = 100 // further warnings are dropped
	if len(f.warnings) < limit {
		f.warnings = append(f.warnings, fmt.Sprintf("%s:%d: %s", f.name, line, fmt.Sprintf(format, args...)))
	}
}

// readHead reads all sections and returns the data after them.
func (f *file) readHead(data []byte) ([]byte, error) {
	section := sectionSkipped
	rest := bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	for len(rest) > 0 {
		var raw []byte
		raw, rest = cutLine(rest)
		f.line++
		text := string(raw[:min(len(raw), 1000)])
		switch {
		case strings.HasPrefix(text, "$$$$"):
			return rest, f.finishHead()
		case strings.HasPrefix(text, "$"):
			section = f.section(text)
		case strings.HasPrefix(text, "*") || section == sectionSkipped:
		default:
			text, _, _ = strings.Cut(text, "!")
			if text = strings.TrimSpace(text); text == "" {
				continue
			}
			if err := f.readEntry(section, text); err != nil {
				return nil, err
			}
		}
	}
	return nil, f.errorAt(max(f.line, 1), "the file ends before its data; add a line that begins with $$$$ before them")
}

// cutLine returns the first line of data, without its line end, and the rest.
func cutLine(data []byte) (line, rest []byte) {
	line, rest, _ = bytes.Cut(data, []byte{'\n'})
	return bytes.TrimSuffix(line, []byte{'\r'}), rest
}

// section returns the section that begins at a line that starts with $. A $ without a name only ends the
// previous section.
func (f *file) section(text string) int {
	text, _, _ = strings.Cut(text[1:], "!")
	fields := strings.Fields(text)
	if len(fields) == 0 {
		return sectionSkipped
	}
	s, known := sectionNames[strings.ToUpper(fields[0])]
	if !known {
		f.warn(f.line, "section $%.40s: unknown, ignored", fields[0])
		return sectionSkipped
	}
	if s < sectionCount && f.values[s] == nil {
		f.values[s] = map[string]headValue{}
	}
	return s
}

// readEntry reads one line of a section.
func (f *file) readEntry(section int, text string) error {
	switch section {
	case sectionReference:
		return f.errorAt(f.line, "$ROAD_CRG_FILE is not supported: the data are in %.80q; "+
			"copy this file's sections into that file and use it", text)
	case sectionDefinition:
		return f.readDefinition(text)
	}
	key, value, found := strings.Cut(text, "=")
	if !found {
		return f.errorAt(f.line, "%.40q: must be NAME = value; begin comments with * or !", text)
	}
	key, value = strings.ToUpper(strings.TrimSpace(key)), strings.TrimSpace(value)
	if !slices.Contains(knownKeys[section], key) {
		if !slices.Contains(ignoredKeys[section], key) {
			f.warn(f.line, "%.40s: unknown in this section, ignored", key)
		}
		return nil
	}
	v, ok := parseNumber(value)
	if number, rest := splitMisplacedSign(value); !ok && rest != "" { // the standard's own example has 2.000+e00
		if v, ok = parseNumber(number); ok {
			f.warn(f.line, "%s = %.40q is read as %g", key, value, v)
		}
	}
	if !ok {
		return f.errorAt(f.line, "%s = %.40q: must be a number from -%[3]g to %[3]g; "+
			"if it is a map coordinate, reproject to metres", key, value, road.MaxCoordinate)
	}
	f.values[section][key] = headValue{v, f.line}
	return nil
}

// parseNumber parses a number in the notation of C or Fortran. It returns false for anything else, for NaN and
// Inf, and for numbers above road.MaxCoordinate.
func parseNumber(text string) (float64, bool) {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		v, err = strconv.ParseFloat(strings.NewReplacer("d", "e", "D", "e").Replace(text), 64)
	}
	return v, err == nil && math.Abs(v) < road.MaxCoordinate // false for NaN
}

// splitMisplacedSign splits a number whose exponent has its sign before the letter, such as 2.000+e00. rest is
// empty for other text.
func splitMisplacedSign(text string) (number, rest string) {
	for _, sign := range [...]string{"+e", "-e", "+E", "-E"} {
		if at := strings.Index(text, sign); at > 0 {
			return text[:at], text[at:]
		}
	}
	return text, ""
}

// finishHead checks the header and computes the positions of rows and long sections from it.
func (f *file) finishHead() error {
	for _, step := range [...]func() error{f.checkRanges, f.sortSections, f.placeSections, f.setSpacing} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// get returns a value of the header, or fallback if the header does not have it.
func (f *file) get(section int, key string, fallback float64) float64 {
	if v, ok := f.values[section][key]; ok {
		return v.v
	}
	return fallback
}

// has reports whether the header has all of these values.
func (f *file) has(section int, keys ...string) bool {
	for _, key := range keys {
		if _, ok := f.values[section][key]; !ok {
			return false
		}
	}
	return true
}

// lineOf returns the line in the file of a value of the header, or the last line read if the header does not
// have it.
func (f *file) lineOf(section int, key string) int {
	if v, ok := f.values[section][key]; ok {
		return v.line
	}
	return f.line
}

// hasAny reports whether the header has at least one of these values.
func (f *file) hasAny(section int, keys ...string) bool {
	return slices.ContainsFunc(keys, func(key string) bool { return f.has(section, key) })
}
