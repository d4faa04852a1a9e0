package tire

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// part is a force or moment that a file describes. Without all of needs it has no meaning.
// Files of every version hold rest as well, and all or none of combined: where the file ends
// in a part's section, one of these that is missing shows that it was cut off.
type part struct {
	name, section         string
	needs, rest, combined []string
	modes                 []int // last digits of USE_MODE by which a file says that it leaves the part out
	remedy                string
}

var parts = []part{
	{"longitudinal force", "LONGITUDINAL_COEFFICIENTS", words("PCX1 PDX1 PKX1"),
		words("PDX2 PEX1 PEX2 PEX3 PEX4 PKX2 PKX3 PHX1 PHX2 PVX1 PVX2"), words("RBX1 RBX2 RCX1 RHX1"), []int{0, 2},
		"; a tire without says USE_MODE = 2 in [MODEL]"},
	{"lateral force", "LATERAL_COEFFICIENTS", words("PCY1 PDY1 PKY1 PKY2"),
		words("PDY2 PDY3 PEY1 PEY2 PEY3 PEY4 PKY3 PHY1 PHY2 PVY1 PVY2 PVY3 PVY4"),
		words("RBY1 RBY2 RBY3 RCY1 RHY1 RVY1 RVY2 RVY3 RVY4 RVY5 RVY6"), []int{0, 1},
		"; a tire without says USE_MODE = 1 in [MODEL]"},
	{"aligning moment", "ALIGNING_COEFFICIENTS", words("QBZ1 QCZ1 QDZ1"),
		words("QBZ2 QBZ3 QBZ4 QBZ5 QBZ9 QDZ2 QDZ3 QDZ4 QDZ6 QDZ7 QDZ8 QDZ9 QEZ1 QEZ2 QEZ3 QEZ4 QEZ5 QHZ1 QHZ2 QHZ3 QHZ4"),
		words("SSZ1 SSZ2 SSZ3 SSZ4"), []int{0, 1}, ""},
}

func words(s string) []string { return strings.Fields(s) }

// complete reports what a file must hold and does not. Parts that it leaves out by its
// USE_MODE, or whose friction is 0, are noted as missing. A last line that does not end is a
// fault of a file of which more is missing, and else a notice.
func (r *reader) complete() (errs []error) {
	mode := r.file.useMode()
	say := func(format string, args ...any) {
		errs = append(errs, r.file.fault(max(r.file.Lines, 1), 1, format, args...))
	}
	stands := words("UNLOADEDRADIUS FNOMIN VERTICALSTIFFNESS")
	if r.given["QFZ1"] != nil {
		stands = stands[:2]
	}
	if names := r.absent(stands); len(names) > 0 {
		say("no %s by the end of the file: a tire cannot stand without; get the whole file if it was cut off, or add what is missing", strings.Join(names, ", "))
	}
	for i, p := range parts {
		names := r.absent(p.needs)
		switch {
		case len(names) == 0:
			if names := r.cut(&p, mode); len(names) > 0 {
				say("the file ends within [%s], before %s; get the whole file if it was cut off, or add them (0 is none)", p.section, strings.Join(names, ", "))
			}
		case len(names) == len(p.needs) && slices.Contains(p.modes, mode):
			r.leaveOut(i)
		default:
			say("no %s by the end of the file: %s missing; get the whole file if it was cut off, or add [%s]%s",
				p.name, strings.Join(names, ", "), p.section, p.remedy)
		}
	}
	k := r.unended()
	switch {
	case k == nil:
	case len(errs) > 0:
		errs = append(errs, r.file.fault(k.Line, k.Column, "the file ends within this line, and %s = %.40s may be cut off; get the whole file, or end the line if it is whole", k.Name, k.Text))
	default: // nobody can tell
		r.notices = append(r.notices, fmt.Sprintf("line %d does not end, and %s = %.40s may be cut off: compare it with the original, and end the line", k.Line, k.Name, k.Text))
	}
	return errs
}

// cut returns what is missing of a part whose section is the file's last. Files without
// combined slip leave its coefficients out, all of them, and then have others at their end.
func (r *reader) cut(p *part, mode int) []string {
	last := r.file.Keys[len(r.file.Keys)-1]
	if !slices.ContainsFunc(p.needs, func(name string) bool { return r.given[name].Section == last.Section }) {
		return nil
	}
	names, combined := r.absent(p.rest), r.absent(p.combined)
	known := r.version.known()[plain(last.Name)]
	if mode != 2 && mode != 3 && (known || len(combined) < len(p.combined)) {
		names = append(names, combined...)
	}
	return names
}

// unended returns the coefficient with whose number the file ends, without the end of its line,
// or nil.
func (r *reader) unended() *Key {
	if !r.file.Cut {
		return nil
	}
	k := &r.file.Keys[len(r.file.Keys)-1]
	if !r.version.known()[plain(k.Name)] {
		return nil
	}
	return k
}

func (r *reader) absent(names []string) (list []string) {
	for _, name := range names {
		if r.given[name] == nil {
			list = append(list, name)
		}
	}
	return list
}

// leaveOut makes a part of the file give nothing; the aligning moment goes with the side force.
func (r *reader) leaveOut(i int) {
	c := &r.c
	switch i {
	case 0:
		c.PDX1, c.PDX2, c.PKX1, c.PKX2 = 0, 0, 0, 0
	case 1:
		c.PDY1, c.PDY2, c.PKY1 = 0, 0, 0
	}
}

// useMode is what a file says that it describes, as ADAMS counts it: 0 the load alone, 1 Fx,
// 2 Fy, 3 and more both; 4 where it says nothing.
func (f *File) useMode() int {
	k := f.find("USE_MODE")
	if k == nil || !k.Numeric || math.Abs(k.Number) > 1e6 {
		return 4
	}
	return int(math.Abs(k.Number)) % 10
}

// without returns the forces of which the file has no coefficients, or those of no friction.
func (r *reader) without() (list []string) {
	for i, mu := range []float64{r.c.PDX1, r.c.PDY1} {
		if mu == 0 {
			list = append(list, parts[i].name)
			r.notices = append([]string{fmt.Sprintf("the file has no %s (%s is missing or 0): the tire gives none, and no car can drive on it", parts[i].name, parts[i].needs[1])}, r.notices...)
		}
	}
	for _, limit := range []struct {
		name  string
		v     float64
		force string
	}{{"KPUMAX", r.c.KPUMAX, "drives"}, {"KPUMIN", r.c.KPUMIN, "brakes"}} {
		if limit.v == 0 {
			r.notices = append(r.notices, fmt.Sprintf("%s = 0: the tire was not measured as it %s, and gives no such force", limit.name, limit.force))
		}
	}
	return list
}

// signs reports coefficients by which a force points the wrong way at the nominal load, in the
// axes of ISO 8855: friction and slip stiffness are above 0, the cornering stiffness is below,
// the trail lies behind the contact and rolling resistance holds the wheel back. PKY1 alone
// tells nothing: its sign goes with those of PKY2 and PKY4.
func (r *reader) signs(m *Magic) (errs []error) {
	c := &r.c
	at := Contact{Load: c.FNOMIN, Surface: Dry()}
	var s slipping
	s.stand(m, &at)
	for _, law := range []struct {
		value, sign float64 // in ISO axes
		scale       float64 // of scaleName
		scaleName   string
		name, text  string
	}{
		{s.muX * c.LMUX, 1, c.LMUX, "LMUX", "PDX1", "friction lengthwise of %.4g at FNOMIN; it must be above 0: turn the sign of PDX1, and of PDX2 if it was turned too"},
		{s.muY * c.LMUY, 1, c.LMUY, "LMUY", "PDY1", "friction sideways of %.4g at FNOMIN; it must be above 0: turn the sign of PDY1, and of PDY2 if it was turned too"},
		{s.kX, 1, c.LKX, "LKX", "PKX1", "a slip stiffness of %.4g N at FNOMIN; it must be above 0, or a driven wheel pushes back: turn the sign"},
		{s.kY, -1, c.LKY, "LKY", "PKY1", "a cornering stiffness of %.4g N/rad at FNOMIN; it must be below 0 in the axes of ISO (TYDEX W), or the tire pushes out of a bend: turn the sign"},
		{c.QDZ1 * c.LTR, 1, c.LTR, "LTR", "QDZ1", "a pneumatic trail of %.4g; it must not be below 0, or the tire steers itself: turn the sign"},
		{s.free, -1, c.LMY, "LMY", "QSY1", "a rolling resistance moment of %.4g N·m at FNOMIN; it must not be above 0, or the wheel drives itself: turn the sign"},
	} {
		if law.value*law.sign >= 0 {
			continue
		}
		name := law.name
		if law.scale < 0 {
			name = law.scaleName
		}
		at := Key{Line: 1, Column: 1, Text: "not given"}
		if k := r.given[name]; k != nil {
			at = *k
		}
		errs = append(errs, r.file.fault(at.Line, at.Column, "%s = %.40s gives "+law.text, name, at.Text, law.value))
	}
	return errs
}
