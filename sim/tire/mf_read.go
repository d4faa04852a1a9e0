package tire

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
)

// Parse returns the tire of a property file (.tir) with Magic Formula
// coefficients: MF-Tyre 5.2, PAC2002, MF 6.1 or MF 6.2. name stands for the
// file in errors, which begin with file:line.
//
// A file without what its forces need, as one that was cut off, is refused. Any other
// coefficient that the file leaves out is taken as a typical value, or 0, and Notices says so.
// Keys that the model has no use for are listed in Unused.
func Parse(name string, data []byte) (*Tire, error) {
	f, err := ParseFile(name, data)
	if err != nil {
		return nil, err
	}
	v, kind, err := f.version()
	if err != nil {
		return nil, err
	}
	r := &reader{file: f, version: v}
	if r.units, err = f.units(); err != nil {
		return nil, err
	}
	if err := r.read(); err != nil {
		return nil, err
	}
	c := &r.c
	without := r.without()
	model := newMagic(v, r.c)
	if errs := r.signs(model); len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	vertical := r.vertical()
	if _, err := NewVertical(vertical); err != nil {
		at := f.place("VERTICALSTIFFNESS", "QFZ2", "QFZ1")
		return nil, f.fault(at.Line, at.Column, "%v", err)
	}
	return &Tire{
		Name: name, Kind: kind, Size: f.size(c), Model: model, Side: f.side(),
		Load: c.FNOMIN, LoadMin: r.measured.min, LoadMax: r.measured.max,
		Pressure: r.pressure(), Speed: c.LONGVL, Radius: c.UNLOADEDRADIUS,
		Vertical: vertical, Limits: r.limits(),
		Notices: r.notices, Unused: f.unused(v), Without: without,
	}, nil
}

// pressure is the file's inflation, or 0 where the version does not ask.
func (r *reader) pressure() float64 {
	if r.version == mf52 {
		return 0
	}
	return r.c.INFLPRES
}

// limits are what slip clamps a contact to.
func (r *reader) limits() Limits {
	c := &r.c
	l := Limits{
		LoadMax:  c.FZMAX,
		KappaMin: c.KPUMIN, KappaMax: c.KPUMAX,
		AlphaMin: c.ALPMIN, AlphaMax: c.ALPMAX,
		GammaMin: c.CAMMIN, GammaMax: c.CAMMAX,
	}
	if r.version != mf52 {
		l.PressureMin, l.PressureMax = c.PRESMIN, c.PRESMAX
	}
	return l
}

// vertical is the standing tire of the file.
func (r *reader) vertical() VerticalParams {
	c := &r.c
	return VerticalParams{
		Radius: c.UNLOADEDRADIUS, Stiffness: c.VERTICALSTIFFNESS, Damping: c.VERTICALDAMPING,
		Load: c.FNOMIN, Speed: c.LONGVL, Pressure: c.NOMPRES,
		B: c.BREFF, D: c.DREFF, F: c.FREFF,
		QRe0: c.QRE0, QV1: c.QV1, QV2: c.QV2, QFz1: c.QFZ1, QFz2: c.QFZ2, QFcx: c.QFCX, QFcy: c.QFCY, PFz1: c.PFZ1,
	}
}

// unread are formats of tire property files, as PROPERTY_FILE_FORMAT names them, without
// punctuation, whose numbers belong to other models.
var unread = []string{"FTIRE", "HTIRE", "FIALA", "PAC89", "PAC94", "PAC96", "PACMC", "MFMCTYRE", "PACTIME", "PACCT", "521", "521TIRE", "UA", "UATIRE",
	"TMEASY", "RMODK", "CDTIRE", "SOFTSOIL", "USER", "DELFT", "SWIFT", "MFSWIFT", "PUL"}

// version tells which equations a file's coefficients belong to.
func (f *File) version() (version, string, error) {
	form := f.find("PROPERTY_FILE_FORMAT")
	if form == nil {
		form = &Key{Line: 1, Column: 1}
	}
	format := strings.NewReplacer("_", "", "-", "", ".", "", " ", "").Replace(strings.ToUpper(form.Text))
	k := f.find("FITTYP")
	magic := k != nil && (format == "USER" || strings.HasSuffix(format, "SWIFT")) // their solver's name for coefficients that are known
	if slices.Contains(unread, format) && !magic {
		return 0, "", f.fault(form.Line, form.Column, "PROPERTY_FILE_FORMAT = '%.40s' is a format that rig does not read; name a file of the Magic Formula: %s", form.Text, readable)
	}
	switch {
	case k == nil && format == "PAC2002":
		return mf52, "PAC2002", nil
	case k == nil && format == "MF05":
		return mf52, "MF 5.2", nil
	case k == nil:
		return 0, "", f.fault(form.Line, 1, "no FITTYP in [MODEL]: rig reads %s", readable)
	}
	switch k.Number {
	case 5, 6, 21, 51, 52:
		if format == "PAC2002" {
			return mf52, "PAC2002", nil
		}
		return mf52, "MF 5.2", nil
	case 60, 61:
		return mf61, "MF 6.1", nil
	case 62:
		return mf62, "MF 6.2", nil
	}
	return 0, "", f.fault(k.Line, k.Column, "FITTYP = %.20s is no version that is known here; rig reads %s", k.Text, readable)
}

const readable = "FITTYP = 6 (MF 5.2), 61 (MF 6.1), 62 (MF 6.2), or PROPERTY_FILE_FORMAT = 'PAC2002'"

// side is where the tire was mounted when it was measured: left, unless the
// file says right.
func (f *File) side() Side {
	if k := f.find("TYRESIDE"); k != nil && strings.EqualFold(k.Text, "RIGHT") {
		return Right
	}
	return Left
}

// size is what stands on the sidewall, as far as the file has it.
func (f *File) size(c *coefficients) string {
	if f.find("WIDTH") == nil || f.find("RIM_RADIUS") == nil || !(c.ASPECTRATIO > 0) {
		return ""
	}
	const inch = 0.0254
	return fmt.Sprintf("%.0f/%.0f R%.0f", c.WIDTH*1e3, c.ASPECTRATIO*100, 2*c.RIMRADIUS/inch)
}

// unused lists the numbers of a file that no equation of v takes.
func (f *File) unused(v version) (list []string) {
	taken := v.known()
	taken["FITTYP"] = true
	for _, k := range f.Keys {
		if k.Numeric && !taken[plain(k.Name)] {
			list = append(list, k.Name)
		}
	}
	return list
}

// plain is a key's name without underscores: files differ in them.
func plain(name string) string { return strings.ReplaceAll(name, "_", "") }

// reader fills coefficients from a file.
type reader struct {
	file    *File
	version version
	units   units
	c       coefficients
	notices []string
	given   map[string]*Key // by their plain names

	measured struct{ min, max float64 } // loads that the file states [N]; 0 where it states none
}

// read takes over what the file has, in SI, and notes what it has not.
func (r *reader) read() error {
	given := map[string]*Key{}
	r.given = given
	for i := range r.file.Keys {
		k := &r.file.Keys[i]
		if k.Section == "UNITS" {
			continue
		}
		name := plain(k.Name)
		if before, twice := given[name]; twice {
			r.notices = append(r.notices, fmt.Sprintf("%s stands twice, in lines %d and %d: the second counts", k.Name, before.Line, k.Line))
		}
		given[name] = k
	}
	var errs []error
	var typical, zero []string
	r.c.each(r.version, func(name string, value *float64, tag coefficientTag) {
		*value = tag.fallback
		k := given[name]
		switch {
		case k == nil && (!tag.known || tag.rare):
		case k == nil && tag.fallback == 0:
			zero = append(zero, name)
		case k == nil:
			typical = append(typical, fmt.Sprintf("%s = %g", name, tag.fallback))
		case !k.Numeric:
			errs = append(errs, r.file.fault(k.Line, k.Column, "%s = %.40q is not a number; give one, as 1.25 or 2.5e-3", k.Name, k.Text))
		case math.Abs(k.Number) > mostCoefficient:
			errs = append(errs, r.file.fault(k.Line, k.Column, "%s = %g is beyond any tire: allowed is -1e9 to 1e9", k.Name, k.Number))
		case tag.known:
			*value = k.Number * r.units.factor(tag.unit)
		}
	})
	errs = append(errs, r.complete()...)
	if len(errs) > 0 {
		return errors.Join(errs...) // ranges of what is missing would say nothing
	}
	if given["FZMAX"] != nil {
		r.measured.min, r.measured.max = r.c.FZMIN, r.c.FZMAX
	} else {
		r.c.FZMAX = loadsCarried * r.c.FNOMIN
		typical = append(typical, fmt.Sprintf("FZMAX = %g, %d times FNOMIN", r.c.FZMAX, loadsCarried))
	}
	r.note("not in the file and taken as typical: ", typical)
	r.note("not in the file and taken as 0: ", zero)
	return r.ranges(given)
}

// loadsCarried is the range of loads in which a file that states none is trusted:
// far beyond, its polynomials leave any tire.
const loadsCarried = 3

const mostCoefficient = 1e9

func (r *reader) note(what string, names []string) {
	if len(names) > 0 {
		r.notices = append(r.notices, what+strings.Join(names, ", "))
	}
}

// ranges reports values that the equations cannot work with.
func (r *reader) ranges(given map[string]*Key) error {
	c := &r.c
	var errs []error
	for _, need := range []struct {
		name      string
		v         float64
		low, high float64
	}{
		{"UNLOADEDRADIUS", c.UNLOADEDRADIUS, 0.05, 2},
		{"FNOMIN", c.FNOMIN, 10, 1e6},
		{"LONGVL", c.LONGVL, 0.1, 200},
		{"VXLOW", c.VXLOW, 1e-3, 50},
		{"NOMPRES", c.NOMPRES, 1e3, 5e6},
		{"INFLPRES", c.INFLPRES, 1e3, 1e7},
		{"VERTICALSTIFFNESS", c.VERTICALSTIFFNESS, 1e3, 1e8},
		{"LONGITUDINALSTIFFNESS", c.LONGITUDINALSTIFFNESS, 1e3, 1e9},
		{"LATERALSTIFFNESS", c.LATERALSTIFFNESS, 1e3, 1e9},
		{"LFZO", c.LFZO, 0.01, 100},
		{"FZMAX", c.FZMAX, 10, 1e7},
		{"FZMIN", c.FZMIN, 0, c.FZMAX},
		{"KPUMAX", c.KPUMAX, 0, 1e3},
		{"KPUMIN", c.KPUMIN, -1e3, 0},
		{"ALPMAX", c.ALPMAX, 0, 10},
		{"ALPMIN", c.ALPMIN, -10, 0},
		{"CAMMAX", c.CAMMAX, 0, 10},
		{"CAMMIN", c.CAMMIN, -10, 0},
		{"PRESMAX", c.PRESMAX, c.PRESMIN, 1e8},
		{"VERTICALDAMPING", c.VERTICALDAMPING, 0, 20e3},
		{"BREFF", c.BREFF, 0, 100},
		{"DREFF", c.DREFF, 0, 10},
		{"FREFF", c.FREFF, -1, 2},
		{"QRE0", c.QRE0, 0.5, 2},
		{"QV1", c.QV1, -1, 1},
		{"QV2", c.QV2, -1, 10},
		{"QFZ1", c.QFZ1, 0, 1e4},
		{"QFZ2", c.QFZ2, -1e4, 1e5},
		{"QFCX", c.QFCX, -10, 10},
		{"QFCY", c.QFCY, -10, 10},
		{"PFZ1", c.PFZ1, -10, 10},
	} {
		if err := inRange(need.name, need.v, need.low, need.high); err != nil {
			line, column := 1, 1
			if k := given[need.name]; k != nil {
				line, column = k.Line, k.Column
			}
			errs = append(errs, r.file.fault(line, column, "%v, in SI", err))
		}
	}
	return errors.Join(errs...)
}
