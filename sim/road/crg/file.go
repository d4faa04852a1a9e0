package crg

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"rig.example/rig/sim/road"
)

// file is an OpenCRG file on its way to a ground: the head's values by name,
// the channels, and then the columns of the data.
type file struct {
	name     string
	line     int // that is being read, counted from 1
	values   [sectionCount]map[string]headValue
	format   numberFormat
	channels []channel
	sections []longSection // the long ones among the channels, from right to left
	offered  virtualU
	warnings []string

	v               []float64 // of the long sections [m]
	uBegin, uStep   float64
	rows            int
	z               []float32
	phi, bank, rise []float64 // of the reference line at each row; nil without a channel
}

// headValue is a number of the head and its line.
type headValue struct {
	v    float64
	line int
}

// The sections with values.
const (
	sectionRoad = iota
	sectionOptions
	sectionModifiers
	sectionCount
	sectionDefinition // has channels
	sectionSkipped    // has nothing for us
	sectionReference  // has other files' names
)

var sectionNames = map[string]int{
	"ROAD_CRG": sectionRoad, "ROAD_CRG_OPTS": sectionOptions, "ROAD_CRG_MODS": sectionModifiers,
	"KD_DEFINITION": sectionDefinition, "CT": sectionSkipped, "ROAD_CRG_MPRO": sectionSkipped, "ROAD_CRG_FILE": sectionReference,
}

func (f *file) fault(line int, format string, args ...any) error {
	return fmt.Errorf("road: %s:%d: %s", f.name, line, fmt.Sprintf(format, args...))
}

func (f *file) warn(line int, format string, args ...any) {
	const most = 100 // warnings of a file; more say nothing more
	if len(f.warnings) < most {
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
			if err := f.entry(section, text); err != nil {
				return nil, err
			}
		}
	}
	return nil, f.fault(max(f.line, 1), "the file ends before its data; a line that begins with $$$$ must precede them")
}

// cutLine splits data after its first line and takes the line's end off.
func cutLine(data []byte) (line, rest []byte) {
	line, rest, _ = bytes.Cut(data, []byte{'\n'})
	return bytes.TrimSuffix(line, []byte{'\r'}), rest
}

// section returns which section a line with a $ begins; one without a name ends.
func (f *file) section(text string) int {
	text, _, _ = strings.Cut(text[1:], "!")
	fields := strings.Fields(text)
	if len(fields) == 0 {
		return sectionSkipped
	}
	s, known := sectionNames[strings.ToUpper(fields[0])]
	if !known {
		f.warn(f.line, "section $%.40s is not known and is passed over", fields[0])
		return sectionSkipped
	}
	if s < sectionCount && f.values[s] == nil {
		f.values[s] = map[string]headValue{}
	}
	return s
}

// entry reads one line of a section.
func (f *file) entry(section int, text string) error {
	switch section {
	case sectionReference:
		return f.fault(f.line, "$ROAD_CRG_FILE is not followed: its data are in %.80q; give that file, with this one's sections copied into it", text)
	case sectionDefinition:
		return f.definition(text)
	}
	key, value, found := strings.Cut(text, "=")
	if !found {
		return f.fault(f.line, "%.40q is no NAME = value; begin a comment with * or !", text)
	}
	key, value = strings.ToUpper(strings.TrimSpace(key)), strings.TrimSpace(value)
	if !slices.Contains(knownKeys[section], key) {
		if !slices.Contains(ignoredKeys[section], key) {
			f.warn(f.line, "%.40s is not known here and is passed over", key)
		}
		return nil
	}
	v, ok := parseNumber(value)
	if number, rest := mangled(value); !ok && rest != "" { // the standard's own example has 2.000+e00
		if v, ok = parseNumber(number); ok {
			f.warn(f.line, "%s = %.40q is read as %g", key, value, v)
		}
	}
	if !ok {
		return f.fault(f.line, "%s = %.40q: give a number of a size below %g; if it is a map's, reproject to metres", key, value, road.MostFar)
	}
	f.values[section][key] = headValue{v, f.line}
	return nil
}

// parseNumber reads a number as C and Fortran write it.
func parseNumber(text string) (float64, bool) {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		v, err = strconv.ParseFloat(strings.NewReplacer("d", "e", "D", "e").Replace(text), 64)
	}
	return v, err == nil && math.Abs(v) < road.MostFar // not for NaN
}

// mangled splits a number from an exponent whose sign stands before its letter;
// the rest is empty for anything else.
func mangled(text string) (number, rest string) {
	for _, sign := range [...]string{"+e", "-e", "+E", "-E"} {
		if at := strings.Index(text, sign); at > 0 {
			return text[:at], text[at:]
		}
	}
	return text, ""
}

// finishHead checks what the sections say together.
func (f *file) finishHead() error {
	for _, step := range [...]func() error{f.checkRanges, f.findSections, f.place, f.spacing} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// get returns a value of the head, or another if it is not there.
func (f *file) get(section int, key string, otherwise float64) float64 {
	if v, ok := f.values[section][key]; ok {
		return v.v
	}
	return otherwise
}

func (f *file) has(section int, keys ...string) bool {
	for _, key := range keys {
		if _, ok := f.values[section][key]; !ok {
			return false
		}
	}
	return true
}

// at returns the line of a value of the head, or the last line of the head.
func (f *file) at(section int, key string) int {
	if v, ok := f.values[section][key]; ok {
		return v.line
	}
	return f.line
}

// hasAny tells whether the head has one of some values.
func (f *file) hasAny(section int, keys ...string) bool {
	return slices.ContainsFunc(keys, func(key string) bool { return f.has(section, key) })
}
