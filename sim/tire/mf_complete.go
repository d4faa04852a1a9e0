package tire

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// part is a force or moment that a file describes. A file must have all of its required coefficients.
// Complete files of every version also have the optional ones, and either all or none of the combined
// ones. So if the last section of a file is that of the part, and some of these are missing, the file was
// cut off.
type part struct {
	name, section                string
	required, optional, combined []string
	omitModes                    []int  // last digits of USE_MODE that declare the part as left out
	remedy                       string // appended to the message about a missing part
}

// parts are the forces and moments that a file must describe.
var parts = []part{
	{"longitudinal force", "LONGITUDINAL_COEFFICIENTS", words("PCX1 PDX1 PKX1"),
		words("PDX2 PEX1 PEX2 PEX3 PEX4 PKX2 PKX3 PHX1 PHX2 PVX1 PVX2"), words("RBX1 RBX2 RCX1 RHX1"), []int{0, 2},
		"; for a tire without it set USE_MODE = 2 in [MODEL]"},
	{"lateral force", "LATERAL_COEFFICIENTS", words("PCY1 PDY1 PKY1 PKY2"),
		words("PDY2 PDY3 PEY1 PEY2 PEY3 PEY4 PKY3 PHY1 PHY2 PVY1 PVY2 PVY3 PVY4"),
		words("RBY1 RBY2 RBY3 RCY1 RHY1 RVY1 RVY2 RVY3 RVY4 RVY5 RVY6"), []int{0, 1},
		"; for a tire without it set USE_MODE = 1 in [MODEL]"},
	{"aligning moment", "ALIGNING_COEFFICIENTS", words("QBZ1 QCZ1 QDZ1"),
		words("QBZ2 QBZ3 QBZ4 QBZ5 QBZ9 QDZ2 QDZ3 QDZ4 QDZ6 QDZ7 QDZ8 QDZ9 QEZ1 QEZ2 QEZ3 QEZ4 QEZ5 QHZ1 QHZ2 QHZ3 QHZ4"),
		words("SSZ1 SSZ2 SSZ3 SSZ4"), []int{0, 1}, ""},
}

// words splits a list of names at spaces.
func words(s string) []string { return strings.Fields(s) }

// checkComplete returns an error for each part that the file should have but lacks. A part that the file
// leaves out according to its USE_MODE is set to zero instead. A last line without a line end is an
// error if there are other errors, and a notice otherwise.
func (r *reader) checkComplete() (errs []error) {
	mode := r.file.useMode()
	addError := func(format string, args ...any) {
		errs = append(errs, r.file.fault(max(r.file.Lines, 1), 1, format, args...))
	}
	vertical := words("UNLOADEDRADIUS FNOMIN VERTICALSTIFFNESS")
	if r.keys["QFZ1"] != nil {
		vertical = vertical[:2]
	}
	if names := r.missing(vertical); len(names) > 0 {
		addError("%s not found: every tire needs them; get the whole file if it was cut off, or add them", strings.Join(names, ", "))
	}
	for i, p := range parts {
		names := r.missing(p.required)
		switch {
		case len(names) == 0:
			if names := r.missingAtEnd(&p, mode); len(names) > 0 {
				addError("the file ends within [%s], before %s; get the whole file if it was cut off, or add them (0 for none)", p.section, strings.Join(names, ", "))
			}
		case len(names) == len(p.required) && slices.Contains(p.omitModes, mode):
			r.zeroForce(i)
		default:
			addError("%s: %s not found; get the whole file if it was cut off, or add [%s]%s",
				p.name, strings.Join(names, ", "), p.section, p.remedy)
		}
	}
	k := r.unterminatedKey()
	switch {
	case k == nil:
	case len(errs) > 0:
		errs = append(errs, r.file.fault(k.Line, k.Column, "the file ends within this line, and %s = %.40s may be cut off; get the whole file, or end the line if it is whole", k.Name, k.Text))
	default: // the value may be complete
		r.notices = append(r.notices, fmt.Sprintf("line %d does not end, and %s = %.40s may be cut off: compare it with the original, and end the line", k.Line, k.Name, k.Text))
	}
	return errs
}

// missingAtEnd returns the missing coefficients of a part whose section is the last one in the file. A
// file without combined slip leaves out all of its coefficients, and has other sections after them.
func (r *reader) missingAtEnd(p *part, mode int) []string {
	last := r.file.Keys[len(r.file.Keys)-1]
	if !slices.ContainsFunc(p.required, func(name string) bool { return r.keys[name].Section == last.Section }) {
		return nil
	}
	names, combined := r.missing(p.optional), r.missing(p.combined)
	known := r.version.coefficientNames()[plainName(last.Name)]
	if mode != 2 && mode != 3 && (known || len(combined) < len(p.combined)) {
		names = append(names, combined...)
	}
	return names
}

// unterminatedKey returns the coefficient whose value ends the file without a line end, or nil.
func (r *reader) unterminatedKey() *Key {
	if !r.file.Truncated {
		return nil
	}
	k := &r.file.Keys[len(r.file.Keys)-1]
	if !r.version.coefficientNames()[plainName(k.Name)] {
		return nil
	}
	return k
}

// missing returns the names that the file does not have.
func (r *reader) missing(names []string) (list []string) {
	for _, name := range names {
		if r.keys[name] == nil {
			list = append(list, name)
		}
	}
	return list
}

// zeroForce sets the coefficients of part i so that it gives no force. The aligning moment follows the
// lateral force.
func (r *reader) zeroForce(i int) {
	c := &r.c
	switch i {
	case 0:
		c.PDX1, c.PDX2, c.PKX1, c.PKX2 = 0, 0, 0, 0
	case 1:
		c.PDY1, c.PDY2, c.PKY1 = 0, 0, 0
	}
}

// useMode returns the last digit of USE_MODE in ADAMS' convention: 0 load only, 1 Fx, 2 Fy, 3 and more
// both; 4 if the file has none.
func (f *File) useMode() int {
	k := f.find("USE_MODE")
	if k == nil || !k.Numeric || math.Abs(k.Number) > 1e6 {
		return 4
	}
	return int(math.Abs(k.Number)) % 10
}

// findMissingForces returns the names of the forces without coefficients or with zero friction, and adds
// a notice for each, and for slip limits of 0.
func (r *reader) findMissingForces() (list []string) {
	for i, mu := range []float64{r.c.PDX1, r.c.PDY1} {
		if mu == 0 {
			list = append(list, parts[i].name)
			r.notices = append([]string{fmt.Sprintf("the file has no %s (%s is missing or 0): the tire gives none, and no car can drive on it", parts[i].name, parts[i].required[1])}, r.notices...)
		}
	}
	for _, limit := range []struct {
		name  string
		v     float64
		force string
	}{{"KPUMAX", r.c.KPUMAX, "driving"}, {"KPUMIN", r.c.KPUMIN, "braking"}} {
		if limit.v == 0 {
			r.notices = append(r.notices, fmt.Sprintf("%s = 0: the tire was not measured when %s, and gives no %[2]s force", limit.name, limit.force))
		}
	}
	return list
}

// checkSigns returns an error for each coefficient that makes a force point the wrong way at the nominal
// load, in ISO 8855 axes: friction and slip stiffness must be positive, the cornering stiffness
// negative, the trail behind the contact, and rolling resistance must brake the wheel. The sign of PKY1
// alone is not conclusive, because it goes with those of PKY2 and PKY4.
func (r *reader) checkSigns(m *MagicFormula) (errs []error) {
	c := &r.c
	at := Contact{Load: c.FNOMIN, Surface: Dry()}
	var s mfContact
	s.setState(m, &at)
	for _, check := range []struct {
		value, sign float64 // the value, and the sign that it must have, in ISO axes
		scale       float64 // value of the scaling factor scaleName
		scaleName   string
		name, text  string
	}{
		{s.muX * c.LMUX, 1, c.LMUX, "LMUX", "PDX1", "longitudinal friction of %.4g at FNOMIN; it must be above 0: change the sign of PDX1, and of PDX2 if it has the wrong sign, too"},
		{s.muY * c.LMUY, 1, c.LMUY, "LMUY", "PDY1", "lateral friction of %.4g at FNOMIN; it must be above 0: change the sign of PDY1, and of PDY2 if it has the wrong sign, too"},
		{s.kxk, 1, c.LKX, "LKX", "PKX1", "a slip stiffness of %.4g N at FNOMIN; it must be above 0, or a driven wheel pushes back: change the sign"},
		{s.kya, -1, c.LKY, "LKY", "PKY1", "a cornering stiffness of %.4g N/rad at FNOMIN; it must be below 0 in the axes of ISO (TYDEX W), or the tire pushes out of a bend: change the sign"},
		{c.QDZ1 * c.LTR, 1, c.LTR, "LTR", "QDZ1", "a pneumatic trail of %.4g; it must not be below 0, or the tire steers itself: change the sign"},
		{s.myFree, -1, c.LMY, "LMY", "QSY1", "a rolling resistance moment of %.4g N·m at FNOMIN; it must not be above 0, or the wheel drives itself: change the sign"},
	} {
		if check.value*check.sign >= 0 {
			continue
		}
		name := check.name
		if check.scale < 0 {
			name = check.scaleName
		}
		at := Key{Line: 1, Column: 1, Text: "not given"}
		if k := r.keys[name]; k != nil {
			at = *k
		}
		errs = append(errs, r.file.fault(at.Line, at.Column, "%s = %.40s gives "+check.text, name, at.Text, check.value))
	}
	return errs
}
