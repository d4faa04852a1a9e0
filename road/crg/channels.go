package crg

import (
	"cmp"
	"slices"
	"strings"
)

// channel is the meaning of a column of the data.
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

// longSection is a long section: a column of heights along the road.
type longSection struct {
	value  float64 // v [m], or the number of the section, counted from 1 at the right
	hasV   bool    // value is v instead of a constant
	column int     // index of the column
	line   int     // line of the file that defines it
}

// virtualChannel is the first u and the step of u [m] that a virtual channel gives instead of a column. A step
// of 0 means that the file has no such channel.
type virtualChannel struct{ begin, step float64 }

// numberFormat is the encoding of the numbers of the data.
type numberFormat struct {
	isText   bool
	isDouble bool // double precision
}

var numberFormats = map[string]numberFormat{
	"LRFI": {true, false}, "LDFI": {true, true}, "KRBI": {false, false}, "KDBI": {false, true},
}

// maxChannels is the maximum number of columns: 65 m at steps of 1 mm.
const maxChannels = 1 << 16

// readDefinition reads one line of $KD_Definition.
func (f *file) readDefinition(text string) error {
	kind, rest, found := strings.Cut(text, ":")
	rest = strings.TrimSpace(rest)
	switch {
	case found && kind == "#":
		format, ok := numberFormats[strings.ToUpper(rest)]
		if !ok {
			return f.errorAt(f.line, "format %.20q: must be LRFI, LDFI, KRBI or KDBI; write the file in one of these", rest)
		}
		f.format = format
	case found && strings.EqualFold(kind, "U"):
		f.virtualChannel(rest)
	case found && strings.EqualFold(kind, "D"):
		if len(f.channels) == maxChannels {
			return f.errorAt(f.line, "more than %d channels: write fewer long sections", maxChannels)
		}
		return f.channel(rest)
	default:
		f.warn(f.line, "%.40q: unknown definition, ignored", text)
	}
	return nil
}

// virtualChannel reads the definition of a channel without a column. It uses only that of u.
func (f *file) virtualChannel(text string) {
	fields := strings.Split(text, ",")
	if len(fields) != 4 || !strings.EqualFold(strings.TrimSpace(fields[0]), "reference line u") {
		return
	}
	begin, ok := parseNumber(strings.TrimSpace(fields[2]))
	step, stepOK := parseNumber(strings.TrimSpace(fields[3]))
	if ok && stepOK && step >= 1e-4 && step <= 1e4 {
		f.virtualU = virtualChannel{begin, step}
	}
}

// channel reads the definition of the next column.
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
		f.warn(f.line, "channel %.40q: unknown, its column is ignored", name)
	case unit != known.unit:
		return f.errorAt(f.line, "channel %s: unit %.20q: must be %s", name, unit, known.unit)
	case slices.Contains(f.channels, known.channel):
		return f.errorAt(f.line, "channel %s: defined twice; remove one", name)
	}
	f.channels = append(f.channels, known.channel)
	return nil
}

// longSection reads the definition of a long section. where is its number or position, column the index of its
// column.
func (f *file) longSection(where, unit string, column int) error {
	s := longSection{column: column, line: f.line}
	number, found := strings.CutPrefix(where, "at v")
	if found {
		number, s.hasV = strings.TrimPrefix(strings.TrimSpace(number), "="), true
	}
	var ok bool
	if s.value, ok = parseNumber(strings.TrimSpace(number)); !ok {
		return f.errorAt(f.line, "long section %.40q: must be a number or a position, as at v = 1.5", where)
	}
	if unit != "m" {
		return f.errorAt(f.line, "long section %.40s: unit %.20q: must be m", where, unit)
	}
	f.sections = append(f.sections, s)
	return nil
}

// sortSections sorts the long sections from right to left and checks them.
func (f *file) sortSections() error {
	if len(f.sections) < 2 {
		return f.errorAt(f.line, "%d long sections: must be at least 2; "+
			"add lines as D:long section at v = -1.5,m to $KD_Definition", len(f.sections))
	}
	slices.SortStableFunc(f.sections, func(a, b longSection) int { return cmp.Compare(a.value, b.value) })
	for i, s := range f.sections {
		if s.hasV != f.sections[0].hasV {
			return f.errorAt(s.line, "some long sections have a number and some a position: must be the same for all")
		}
		if !s.hasV && s.value != float64(i+1) {
			return f.errorAt(s.line, "long section %g: must be %d; number them from 1 without gaps", s.value, i+1)
		}
	}
	return nil
}
