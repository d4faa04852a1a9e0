package tire

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"rig.example/rig/internal/kit/valid"
)

// Parse returns the tire of a property file (.tir) with Magic Formula coefficients: MF-Tyre 5.2,
// PAC2002, MF 6.1 or MF 6.2. name is the file's name in errors, which begin with file:line.
//
// A file that lacks what its forces need, for example because it was cut off, is an error. Any other
// missing coefficient is set to a typical value or to 0, and Notices says so. UnusedKeys lists the
// numbers that the model does not use.
func Parse(name string, data []byte) (*Tire, error) {
	f, err := ParseFile(name, data)
	if err != nil {
		return nil, err
	}
	v, kind, err := f.formulaVersion()
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
	missingForces := r.findMissingForces()
	model := newMagicFormula(v, r.c)
	if errs := r.checkSigns(model); len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	vertical := r.vertical()
	if _, err := NewVertical(vertical); err != nil {
		at := f.firstKey("VERTICALSTIFFNESS", "QFZ2", "QFZ1")
		return nil, f.fault(at.Line, at.Column, "%v", err)
	}
	return &Tire{
		Name: name, Kind: kind, Size: f.size(c), Model: model, Side: f.side(),
		NominalLoad: c.FNOMIN, LoadMin: r.measured.min, LoadMax: r.measured.max,
		Pressure: r.nominalPressure(), MeasuredSpeed: c.LONGVL, Radius: c.UNLOADEDRADIUS,
		Vertical: vertical, Limits: r.limits(),
		Notices: r.notices, UnusedKeys: f.unusedKeys(v), MissingForces: missingForces,
	}, nil
}

// nominalPressure returns the inflation pressure of the file [Pa], 0 for MF 5.2, which does not depend
// on it.
func (r *reader) nominalPressure() float64 {
	if r.version == mf52 {
		return 0
	}
	return r.c.INFLPRES
}

// limits returns the ranges to which a contact is clamped.
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

// vertical returns the parameters of the tire as a spring.
func (r *reader) vertical() VerticalParams {
	c := &r.c
	return VerticalParams{
		Radius: c.UNLOADEDRADIUS, Stiffness: c.VERTICALSTIFFNESS, Damping: c.VERTICALDAMPING,
		NominalLoad: c.FNOMIN, MeasuredSpeed: c.LONGVL, NominalPressure: c.NOMPRES,
		BReff: c.BREFF, DReff: c.DREFF, FReff: c.FREFF,
		QRe0: c.QRE0, QV1: c.QV1, QV2: c.QV2, QFz1: c.QFZ1, QFz2: c.QFZ2, QFcx: c.QFCX, QFcy: c.QFCY, PFz1: c.PFZ1,
	}
}

// unsupportedFormats are values of PROPERTY_FILE_FORMAT, without punctuation, whose coefficients belong
// to other tire models.
var unsupportedFormats = []string{"FTIRE", "HTIRE", "FIALA", "PAC89", "PAC94", "PAC96", "PACMC", "MFMCTYRE", "PACTIME", "PACCT", "521", "521TIRE", "UA", "UATIRE",
	"TMEASY", "RMODK", "CDTIRE", "SOFTSOIL", "USER", "DELFT", "SWIFT", "MFSWIFT", "PUL"}

// formulaVersion returns the version of the Magic Formula and its name for Tire.Kind.
func (f *File) formulaVersion() (v version, name string, err error) {
	formatKey := f.find("PROPERTY_FILE_FORMAT")
	if formatKey == nil {
		formatKey = &Key{Line: 1, Column: 1}
	}
	format := strings.NewReplacer("_", "", "-", "", ".", "", " ", "").Replace(strings.ToUpper(formatKey.Text))
	k := f.find("FITTYP")
	// USER and SWIFT name a simulation program or an extension. With FITTYP such a file has Magic Formula
	// coefficients.
	isMagicFormula := k != nil && (format == "USER" || strings.HasSuffix(format, "SWIFT"))
	if slices.Contains(unsupportedFormats, format) && !isMagicFormula {
		return 0, "", f.fault(formatKey.Line, formatKey.Column, "PROPERTY_FILE_FORMAT = '%.40s' is not supported; choose a file of the Magic Formula: %s", formatKey.Text, supportedVersions)
	}
	switch {
	case k == nil && format == "PAC2002":
		return mf52, "PAC2002", nil
	case k == nil && format == "MF05":
		return mf52, "MF 5.2", nil
	case k == nil:
		return 0, "", f.fault(formatKey.Line, 1, "no FITTYP in [MODEL]: rig reads %s", supportedVersions)
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
	return 0, "", f.fault(k.Line, k.Column, "FITTYP = %.20s is not a supported version; rig reads %s", k.Text, supportedVersions)
}

// supportedVersions is the list of versions for error messages.
const supportedVersions = "FITTYP = 6 (MF 5.2), 61 (MF 6.1), 62 (MF 6.2), or PROPERTY_FILE_FORMAT = 'PAC2002'"

// side returns the side on which the tire was measured: left, unless the file says right.
func (f *File) side() Side {
	if k := f.find("TYRESIDE"); k != nil && strings.EqualFold(k.Text, "RIGHT") {
		return Right
	}
	return Left
}

// size returns the size as on the sidewall, "" if the file does not have all of it.
func (f *File) size(c *coefficients) string {
	if f.find("WIDTH") == nil || f.find("RIM_RADIUS") == nil || !(c.ASPECTRATIO > 0) {
		return ""
	}
	const inch = 0.0254
	return fmt.Sprintf("%.0f/%.0f R%.0f", c.WIDTH*1e3, c.ASPECTRATIO*100, 2*c.RIMRADIUS/inch)
}

// unusedKeys lists the numbers of a file that no equation of version v uses.
func (f *File) unusedKeys(v version) (list []string) {
	known := v.coefficientNames()
	known["FITTYP"] = true
	for _, k := range f.Keys {
		if k.Numeric && !known[plainName(k.Name)] {
			list = append(list, k.Name)
		}
	}
	return list
}

// plainName returns a key's name without underscores, because files differ in them.
func plainName(name string) string { return strings.ReplaceAll(name, "_", "") }

// reader reads the coefficients of a file.
type reader struct {
	file    *File
	version version
	units   units
	c       coefficients
	notices []string
	keys    map[string]*Key // keys by their names without underscores; the last one of a name counts

	measured struct{ min, max float64 } // range of loads that the file states [N]; 0 if it states none
}

// read sets r.c to the coefficients of the file, in SI, and adds notices about missing ones.
func (r *reader) read() error {
	given := map[string]*Key{}
	r.keys = given
	for i := range r.file.Keys {
		k := &r.file.Keys[i]
		if k.Section == "UNITS" {
			continue
		}
		name := plainName(k.Name)
		if earlier, twice := given[name]; twice {
			r.notices = append(r.notices, fmt.Sprintf("%s occurs twice, in lines %d and %d: the second one is used", k.Name, earlier.Line, k.Line))
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
			errs = append(errs, r.file.fault(k.Line, k.Column, "%s = %.40q: must be a number, for example 1.25 or 2.5e-3", k.Name, k.Text))
		case math.Abs(k.Number) > maxCoefficient:
			errs = append(errs, r.file.fault(k.Line, k.Column, "%s = %g: must be -1e9 to 1e9", k.Name, k.Number))
		case tag.known:
			*value = k.Number * r.units.factor(tag.unit)
		}
	})
	errs = append(errs, r.checkComplete()...)
	if len(errs) > 0 {
		return errors.Join(errs...) // without the range checks, which would only repeat errors about missing values
	}
	if given["FZMAX"] != nil {
		r.measured.min, r.measured.max = r.c.FZMIN, r.c.FZMAX
	} else {
		r.c.FZMAX = maxLoadRatio * r.c.FNOMIN
		typical = append(typical, fmt.Sprintf("FZMAX = %g, %d times FNOMIN", r.c.FZMAX, maxLoadRatio))
	}
	r.addNotice("not in the file, set to typical values: ", typical)
	r.addNotice("not in the file, set to 0: ", zero)
	return r.checkRanges(given)
}

// maxLoadRatio is the largest load, over the nominal load, for a file without FZMAX. At much larger loads
// the polynomials of the formula give implausible forces.
const maxLoadRatio = 3

// maxCoefficient is the largest magnitude of a coefficient, in the units of the file.
const maxCoefficient = 1e9

// addNotice adds a notice that lists names, unless there are none.
func (r *reader) addNotice(what string, names []string) {
	if len(names) > 0 {
		r.notices = append(r.notices, what+strings.Join(names, ", "))
	}
}

// checkRanges returns an error for each value with which the equations cannot work.
func (r *reader) checkRanges(given map[string]*Key) error {
	c := &r.c
	var errs []error
	for _, check := range []struct {
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
		if err := valid.InRange(check.name, check.v, check.low, check.high); err != nil {
			line, column := 1, 1
			if k := given[check.name]; k != nil {
				line, column = k.Line, k.Column
			}
			errs = append(errs, r.file.fault(line, column, "%v, in SI", err))
		}
	}
	return errors.Join(errs...)
}
