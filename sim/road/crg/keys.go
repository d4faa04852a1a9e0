package crg

import (
	"math"

	"rig.example/rig/sim/road"
)

// knownKeys are the values that count, by section.
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

// ignoredKeys are values of the standard that change no height: places on the globe,
// and how another program searches, checks and logs.
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

// ranges are the values that not every number will do for.
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
	{sectionOptions, "BORDER_SMOOTH_UBEG", 0, road.MostFar, false},
	{sectionOptions, "BORDER_SMOOTH_UEND", 0, road.MostFar, false},
	{sectionOptions, "REFLINE_CONTINUATION", 0, 1, true},
	{sectionModifiers, "GRID_NAN_MODE", holeKeep, holeLast, true},
	{sectionModifiers, "SCALE_Z_GRID", -1e3, 1e3, false},
	{sectionModifiers, "SCALE_SLOPE", -1e3, 1e3, false},
	{sectionModifiers, "SCALE_BANKING", -1e3, 1e3, false},
	{sectionModifiers, "SCALE_LENGTH", 0.01, 100, false},
	{sectionModifiers, "SCALE_WIDTH", 0.01, 100, false},
	{sectionModifiers, "SCALE_CURVATURE", -1e3, 1e3, false},
}

func (f *file) checkRanges() error {
	for _, r := range ranges {
		v, ok := f.values[r.section][r.key]
		switch {
		case !ok:
		case v.v < r.low || v.v > r.high:
			return f.fault(v.line, "%s = %g: allowed is %g to %g", r.key, v.v, r.low, r.high)
		case r.whole && v.v != math.Trunc(v.v):
			return f.fault(v.line, "%s = %g: give a whole number", r.key, v.v)
		}
	}
	for _, p := range [...][2]string{{"REFPOINT_U", "REFPOINT_U_FRACTION"}, {"REFPOINT_V", "REFPOINT_V_FRACTION"}} {
		if f.has(sectionModifiers, p[0], p[1]) {
			return f.fault(f.at(sectionModifiers, p[1]), "%s is given besides %s; leave one out", p[1], p[0])
		}
	}
	return nil
}

// spacing settles where u begins and its steps.
func (f *file) spacing() error {
	f.uStep = f.get(sectionRoad, "REFERENCE_LINE_INCREMENT", f.offered.step)
	f.uBegin = f.get(sectionRoad, "REFERENCE_LINE_START_U", f.offered.begin)
	switch {
	case f.uStep == 0:
		return f.fault(f.line, "section $ROAD_CRG has no REFERENCE_LINE_INCREMENT; give the distance between cross sections [m]")
	case f.get(sectionRoad, "REFERENCE_LINE_END_U", math.Inf(1)) <= f.uBegin:
		return f.fault(f.at(sectionRoad, "REFERENCE_LINE_END_U"), "REFERENCE_LINE_END_U = %g: the line begins at %g; give a higher end",
			f.get(sectionRoad, "REFERENCE_LINE_END_U", 0), f.uBegin)
	}
	return nil
}

// place settles where the long sections lie.
func (f *file) place() error {
	const widest = 1e4 // [m]
	if err := f.placeAll(); err != nil {
		return err
	}
	if right, left := f.v[0], f.v[len(f.v)-1]; right < -widest || left > widest {
		return f.fault(f.sections[0].line, "long sections from v = %g to %g; allowed is -%g to %g", right, left, widest, widest)
	}
	return nil
}

func (f *file) placeAll() error {
	n := len(f.sections)
	f.v = make([]float64, n)
	if f.sections[0].placed {
		for i, s := range f.sections {
			f.v[i] = s.at
			if i > 0 && s.at-f.v[i-1] < 1e-4 {
				return f.fault(s.line, "two long sections at v = %g; give places at least 0.1 mm apart", s.at)
			}
		}
		f.disagree("LONG_SECTION_V_RIGHT", f.v[0])
		f.disagree("LONG_SECTION_V_LEFT", f.v[n-1])
		return nil
	}
	step, right, err := f.sideways(float64(n - 1))
	for i := range f.v {
		f.v[i] = right + float64(i)*step
	}
	return err
}

// sideways returns the step of numbered long sections and where the first one
// lies, over so many steps.
func (f *file) sideways(n float64) (step, right float64, err error) {
	step = f.get(sectionRoad, "LONG_SECTION_V_INCREMENT", 0)
	both := f.has(sectionRoad, "LONG_SECTION_V_RIGHT", "LONG_SECTION_V_LEFT")
	right, left := f.get(sectionRoad, "LONG_SECTION_V_RIGHT", 0), f.get(sectionRoad, "LONG_SECTION_V_LEFT", 0)
	switch {
	case both && step == 0:
		step = (left - right) / n
	case step == 0:
		return 0, 0, f.fault(f.line, "numbered long sections need LONG_SECTION_V_INCREMENT, or both LONG_SECTION_V_RIGHT and LONG_SECTION_V_LEFT")
	case both && math.Abs(right+n*step-left) > step/2:
		return 0, 0, f.fault(f.at(sectionRoad, "LONG_SECTION_V_INCREMENT"),
			"%g long sections %g m apart do not reach from v = %g to %g; make the number of D: lines and the borders agree", n+1, step, right, left)
	case f.has(sectionRoad, "LONG_SECTION_V_RIGHT"):
	case f.has(sectionRoad, "LONG_SECTION_V_LEFT"):
		right = left - n*step
	default:
		right = -n * step / 2
	}
	if !(step >= 1e-4) {
		return 0, 0, f.fault(f.at(sectionRoad, "LONG_SECTION_V_LEFT"), "long sections %g m apart from v = %g to %g; make them at least 0.1 mm apart", step, right, left)
	}
	return step, right, nil
}

// disagree warns of a value of the head that the data contradict.
func (f *file) disagree(key string, v float64) {
	if got := f.get(sectionRoad, key, v); math.Abs(got-v) > 1e-4 {
		f.warn(f.at(sectionRoad, key), "%s = %g: the data have %.6g, and count", key, got, v)
	}
}
