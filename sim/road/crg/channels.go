package crg

import (
	"slices"
	"strings"
)

// channel is what a column of the data means.
type channel int

const (
	channelUnknown channel = iota
	channelPhi
	channelBank
	channelSlope
	channelLong
)

var channelNames = map[string]struct {
	channel channel
	unit    string
}{
	"reference line phi":     {channelPhi, "rad"},
	"reference line banking": {channelBank, "m/m"},
	"reference line slope":   {channelSlope, "m/m"},
}

// longSection is a long section: a column of heights.
type longSection struct {
	at     float64 // v [m], or a number from the right counted from 1
	placed bool    // whether at is v
	column int
	line   int
}

// virtualU is what a virtual channel says of u; a step of 0 is none.
type virtualU struct{ begin, step float64 }

// numberFormat is how numbers are written.
type numberFormat struct {
	text bool
	wide bool // double precision
}

var numberFormats = map[string]numberFormat{
	"LRFI": {true, false}, "LDFI": {true, true}, "KRBI": {false, false}, "KDBI": {false, true},
}

// maxChannels bounds the columns: 65 m at steps of 1 mm.
const maxChannels = 1 << 16

// definition reads one line of $KD_Definition.
func (f *file) definition(text string) error {
	kind, rest, found := strings.Cut(text, ":")
	rest = strings.TrimSpace(rest)
	switch {
	case found && kind == "#":
		format, ok := numberFormats[strings.ToUpper(rest)]
		if !ok {
			return f.fault(f.line, "format %.20q is not known; write the file as LRFI, LDFI, KRBI or KDBI", rest)
		}
		f.format = format
	case found && strings.EqualFold(kind, "U"):
		f.virtual(rest)
	case found && strings.EqualFold(kind, "D"):
		if len(f.channels) == maxChannels {
			return f.fault(f.line, "more than %d channels; write fewer long sections", maxChannels)
		}
		return f.channel(rest)
	default:
		f.warn(f.line, "%.40q defines nothing known and is passed over", text)
	}
	return nil
}

// virtual reads a channel without a column; that of u has its begin and step.
func (f *file) virtual(text string) {
	fields := strings.Split(text, ",")
	if len(fields) != 4 || !strings.EqualFold(strings.TrimSpace(fields[0]), "reference line u") {
		return
	}
	begin, ok := parseNumber(strings.TrimSpace(fields[2]))
	step, well := parseNumber(strings.TrimSpace(fields[3]))
	if ok && well && step >= 1e-4 && step <= 1e4 {
		f.offered = virtualU{begin, step}
	}
}

// channel reads the meaning of the next column.
func (f *file) channel(text string) error {
	name, unit, _ := strings.Cut(text, ",")
	name, unit = strings.ToLower(strings.Join(strings.Fields(name), " ")), strings.TrimSpace(unit)
	column := len(f.channels)
	if where, found := strings.CutPrefix(name, "long section "); found {
		f.channels = append(f.channels, channelLong)
		return f.longSection(where, unit, column)
	}
	known := channelNames[name]
	switch {
	case known.channel == channelUnknown:
		f.warn(f.line, "channel %.40q is not known; its column is passed over", name)
	case unit != known.unit:
		return f.fault(f.line, "channel %s has the unit %.20q; give it in %s", name, unit, known.unit)
	case slices.Contains(f.channels, known.channel):
		return f.fault(f.line, "channel %s is there twice; leave one out", name)
	}
	f.channels = append(f.channels, known.channel)
	return nil
}

func (f *file) longSection(where, unit string, column int) error {
	s := longSection{column: column, line: f.line}
	number, found := strings.CutPrefix(where, "at v")
	if found {
		number, s.placed = strings.TrimPrefix(strings.TrimSpace(number), "="), true
	}
	var ok bool
	if s.at, ok = parseNumber(strings.TrimSpace(number)); !ok {
		return f.fault(f.line, "long section %.40q: give its number, or its place as at v = 1.5", where)
	}
	if unit != "m" {
		return f.fault(f.line, "long section %.40s has the unit %.20q; give it in m", where, unit)
	}
	f.sections = append(f.sections, s)
	return nil
}

// findSections sorts the long sections from right to left and checks them.
func (f *file) findSections() error {
	if len(f.sections) < 2 {
		return f.fault(f.line, "%d long sections; a road needs two, as D:long section at v = -1.5,m in $KD_Definition", len(f.sections))
	}
	slices.SortStableFunc(f.sections, func(a, b longSection) int {
		switch {
		case a.at < b.at:
			return -1
		case a.at > b.at:
			return 1
		}
		return 0
	})
	for i, s := range f.sections {
		if s.placed != f.sections[0].placed {
			return f.fault(s.line, "long sections are numbered and placed; do the same to all")
		}
		if !s.placed && s.at != float64(i+1) {
			return f.fault(s.line, "long section %g should be %d; number them from 1 without gaps", s.at, i+1)
		}
	}
	return nil
}
