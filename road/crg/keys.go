package crg

import (
	"math"

	"rig.example/rig/road"
)

// knownKeys are the keys that this package uses, by section.
var knownKeys = [sectionCount][]string{
	sectionRoad: {
		"REFERENCE_LINE_START_U", "REFERENCE_LINE_END_U", "REFERENCE_LINE_INCREMENT",
		"LONG_SECTION_V_RIGHT", "LONG_SECTION_V_LEFT", "LONG_SECTION_V_INCREMENT",
		"REFERENCE_LINE_START_S", "REFERENCE_LINE_END_S", "REFERENCE_LINE_START_B", "REFERENCE_LINE_END_B",
		"REFERENCE_LINE_START_X", "REFERENCE_LINE_START_Y", "REFERENCE_LINE_END_X", "REFERENCE_LINE_END_Y",
		"REFERENCE_LINE_START_PHI", "REFERENCE_LINE_END_PHI", "REFERENCE_LINE_START_Z", "REFERENCE_LINE_END_Z",
	},
	sectionOptions: {
		"BORDER_MODE_U", "BORDER_MODE_V", "BORDER_OFFSET_U", "BORDER_OFFSET_V",
		"BORDER_SMOOTH_UBEG", "BORDER_SMOOTH_UEND", "REFLINE_CONTINUATION",
	},
	sectionModifiers: {
		"SCALE_Z_GRID", "SCALE_SLOPE", "SCALE_BANKING", "SCALE_LENGTH", "SCALE_WIDTH", "SCALE_CURVATURE",
		"GRID_NAN_MODE", "GRID_NAN_OFFSET",
		"REFLINE_ROTCENTER_X", "REFLINE_ROTCENTER_Y", "REFLINE_OFFSET_PHI",
		"REFLINE_OFFSET_X", "REFLINE_OFFSET_Y", "REFLINE_OFFSET_Z",
		"REFPOINT_U", "REFPOINT_U_FRACTION", "REFPOINT_U_OFFSET", "REFPOINT_V", "REFPOINT_V_FRACTION", "REFPOINT_V_OFFSET",
		"REFPOINT_X", "REFPOINT_Y", "REFPOINT_Z", "REFPOINT_PHI",
	},
}

// ignoredKeys are keys of the standard that change no height: geographic coordinates,
// and how other programs search, check and log. They are ignored without a warning.
var ignoredKeys = [sectionCount][]string{
	sectionRoad: {
		"REFERENCE_LINE_START_LON", "REFERENCE_LINE_START_LAT", "REFERENCE_LINE_START_ALT",
		"REFERENCE_LINE_END_LON", "REFERENCE_LINE_END_LAT", "REFERENCE_LINE_END_ALT",
		"REFERENCE_LINE_OFFSET_X", "REFERENCE_LINE_OFFSET_Y", "REFERENCE_LINE_OFFSET_Z", "REFERENCE_LINE_OFFSET_PHI",
	},
	sectionOptions: {
		"REFLINE_SEARCH_FAR", "REFLINE_SEARCH_CLOSE", "WARN_MSGS", "WARN_CURV_LOCAL", "WARN_CURV_GLOBAL",
		"LOG_MSGS", "LOG_EVAL", "LOG_EVAL_FREQ", "LOG_HIST", "LOG_HIST_FREQ", "LOG_STAT", "LOG_STAT_FREQ",
		"CHECK_EPS", "CHECK_INC", "CHECK_TOL", "CHECK_PRO", "CHECK_WGS",
	},
}

// ranges lists the keys whose values have a limited range; whole means that the value must be an integer.
var ranges = [...]struct {
	section   int
	key       string
	low, high float64
	whole     bool
}{
	{sectionRoad, "REFERENCE_LINE_INCREMENT", 1e-4, 1e4, false},
	{sectionRoad, "LONG_SECTION_V_INCREMENT", 1e-4, 1e4, false},
	{sectionRoad, "REFERENCE_LINE_START_S", -1, 1, false},
	{sectionRoad, "REFERENCE_LINE_END_S", -1, 1, false},
	{sectionRoad, "REFERENCE_LINE_START_B", -1, 1, false},
	{sectionRoad, "REFERENCE_LINE_END_B", -1, 1, false},
	{sectionOptions, "BORDER_MODE_U", borderNone, borderReflect, true},
	{sectionOptions, "BORDER_MODE_V", borderNone, borderReflect, true},
	{sectionOptions, "BORDER_SMOOTH_UBEG", 0, road.MaxCoordinate, false},
	{sectionOptions, "BORDER_SMOOTH_UEND", 0, road.MaxCoordinate, false},
	{sectionOptions, "REFLINE_CONTINUATION", 0, 1, true},
	{sectionModifiers, "GRID_NAN_MODE", holeKeep, holeLast, true},
	{sectionModifiers, "SCALE_Z_GRID", -1e3, 1e3, false},
	{sectionModifiers, "SCALE_SLOPE", -1e3, 1e3, false},
	{sectionModifiers, "SCALE_BANKING", -1e3, 1e3, false},
	{sectionModifiers, "SCALE_LENGTH", 0.01, 100, false},
	{sectionModifiers, "SCALE_WIDTH", 0.01, 100, false},
	{sectionModifiers, "SCALE_CURVATURE", -1e3, 1e3, false},
}

// checkRanges reports the first value of the header that is out of range.
func (f *file) checkRanges() error {
	for _, r := range ranges {
		v, ok := f.values[r.section][r.key]
		switch {
		case !ok:
		case v.v < r.low || v.v > r.high:
			return f.errorAt(v.line, "%s = %g: must be %g to %g", r.key, v.v, r.low, r.high)
		case r.whole && v.v != math.Trunc(v.v):
			return f.errorAt(v.line, "%s = %g: must be a whole number", r.key, v.v)
		}
	}
	for _, p := range [...][2]string{{"REFPOINT_U", "REFPOINT_U_FRACTION"}, {"REFPOINT_V", "REFPOINT_V_FRACTION"}} {
		if f.has(sectionModifiers, p[0], p[1]) {
			return f.errorAt(f.lineOf(sectionModifiers, p[1]), "%s and %s are both given; remove one", p[1], p[0])
		}
	}
	return nil
}

// setSpacing sets the first u and the step of u from the header or a virtual channel.
func (f *file) setSpacing() error {
	f.uStep = f.get(sectionRoad, "REFERENCE_LINE_INCREMENT", f.virtualU.step)
	f.uBegin = f.get(sectionRoad, "REFERENCE_LINE_START_U", f.virtualU.begin)
	switch {
	case f.uStep == 0:
		return f.errorAt(f.line, "REFERENCE_LINE_INCREMENT is missing in section $ROAD_CRG: "+
			"add the distance between cross sections [m]")
	case f.get(sectionRoad, "REFERENCE_LINE_END_U", math.Inf(1)) <= f.uBegin:
		return f.errorAt(f.lineOf(sectionRoad, "REFERENCE_LINE_END_U"),
			"REFERENCE_LINE_END_U = %g: must be above the begin of the line, %g",
			f.get(sectionRoad, "REFERENCE_LINE_END_U", 0), f.uBegin)
	}
	return nil
}

// placeSections computes v of the long sections and checks its range.
func (f *file) placeSections() error {
	const widest = 1e4 // [m]
	if err := f.computePositions(); err != nil {
		return err
	}
	if right, left := f.v[0], f.v[len(f.v)-1]; right < -widest || left > widest {
		return f.errorAt(f.sections[0].line, "long sections from v = %g to %g: must be -%g to %g",
			right, left, widest, widest)
	}
	return nil
}

// computePositions sets f.v: the positions of the long sections as given, or from their numbers.
func (f *file) computePositions() error {
	n := len(f.sections)
	f.v = make([]float64, n)
	if f.sections[0].hasV {
		for i, s := range f.sections {
			f.v[i] = s.value
			if i > 0 && s.value-f.v[i-1] < 1e-4 {
				return f.errorAt(s.line, "two long sections at v = %g: must be at least 0.1 mm apart", s.value)
			}
		}
		f.warnIfDifferent("LONG_SECTION_V_RIGHT", f.v[0])
		f.warnIfDifferent("LONG_SECTION_V_LEFT", f.v[n-1])
		return nil
	}
	step, right, err := f.numberedSpacing(float64(n - 1))
	for i := range f.v {
		f.v[i] = right + float64(i)*step
	}
	return err
}

// numberedSpacing returns the step of numbered long sections and v of the first one [m]. n is the number
// of steps.
func (f *file) numberedSpacing(n float64) (step, right float64, err error) {
	step = f.get(sectionRoad, "LONG_SECTION_V_INCREMENT", 0)
	both := f.has(sectionRoad, "LONG_SECTION_V_RIGHT", "LONG_SECTION_V_LEFT")
	right, left := f.get(sectionRoad, "LONG_SECTION_V_RIGHT", 0), f.get(sectionRoad, "LONG_SECTION_V_LEFT", 0)
	switch {
	case both && step == 0:
		step = (left - right) / n
	case step == 0:
		return 0, 0, f.errorAt(f.line, "numbered long sections need LONG_SECTION_V_INCREMENT, "+
			"or both LONG_SECTION_V_RIGHT and LONG_SECTION_V_LEFT")
	case both && math.Abs(right+n*step-left) > step/2:
		return 0, 0, f.errorAt(f.lineOf(sectionRoad, "LONG_SECTION_V_INCREMENT"),
			"%g long sections %g m apart do not reach from v = %g to %g; make the number of D: lines and the borders agree",
			n+1, step, right, left)
	case f.has(sectionRoad, "LONG_SECTION_V_RIGHT"):
	case f.has(sectionRoad, "LONG_SECTION_V_LEFT"):
		right = left - n*step
	default:
		right = -n * step / 2
	}
	if !(step >= 1e-4) {
		return 0, 0, f.errorAt(f.lineOf(sectionRoad, "LONG_SECTION_V_LEFT"),
			"long sections %g m apart from v = %g to %g: must be at least 0.1 mm apart", step, right, left)
	}
	return step, right, nil
}

// warnIfDifferent adds a warning if a value of the header differs from v, the value that the data give.
func (f *file) warnIfDifferent(key string, v float64) {
	if given := f.get(sectionRoad, key, v); math.Abs(given-v) > 1e-4 {
		f.warn(f.lineOf(sectionRoad, key), "%s = %g: ignored, the data give %.6g", key, given, v)
	}
}
