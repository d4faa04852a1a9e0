package tire

import (
	"reflect"
	"strconv"
	"strings"
)

// coefficients are the coefficients of a Magic Formula file. The fields have the names of the file
// without underscores; P, appendix 3, and the format's manuals explain them. The tags are
//
//   - def: default in SI for a coefficient that the file does not have; 0 without the tag;
//   - unit: dimension, for the conversion to SI;
//   - mf: the only version of the formula that has the coefficient, or with a plus the first one;
//   - may:"miss": the absence of the coefficient needs no notice.
type coefficients struct {
	// [MODEL], [DIMENSION] and [OPERATING_CONDITIONS], in SI.
	LONGVL         float64 `def:"16.7" unit:"speed"`
	VXLOW          float64 `def:"1" unit:"speed"`
	UNLOADEDRADIUS float64 `def:"0.3135" unit:"length"`
	WIDTH          float64 `def:"0.205" unit:"length"`
	ASPECTRATIO    float64
	RIMRADIUS      float64 `def:"0.1905" unit:"length"`
	INFLPRES       float64 `def:"220000" mf:"61+" unit:"pressure"`
	NOMPRES        float64 `def:"220000" mf:"61+" unit:"pressure"`

	// [VERTICAL], [STRUCTURAL] and the contact patch.
	FNOMIN                float64 `def:"4000" unit:"force"`
	VERTICALSTIFFNESS     float64 `def:"200000" unit:"stiffness"`
	VERTICALDAMPING       float64 `def:"50" unit:"damping"`
	BREFF                 float64 `def:"8.4"`
	DREFF                 float64 `def:"0.27"`
	FREFF                 float64 `def:"0.07"`
	QRE0                  float64 `def:"1"`
	QV1                   float64
	QV2                   float64
	QFZ1                  float64 `may:"miss"`
	QFZ2                  float64
	QFCX                  float64
	QFCY                  float64
	PFZ1                  float64
	QRA1                  float64 `def:"0.5" mf:"61+"`
	QRA2                  float64 `def:"1" mf:"61+"`
	QA1                   float64 `mf:"52" may:"miss"`
	QA2                   float64 `mf:"52" may:"miss"`
	LONGITUDINALSTIFFNESS float64 `def:"300000" mf:"61+" unit:"stiffness"`
	LATERALSTIFFNESS      float64 `def:"100000" mf:"61+" unit:"stiffness"`
	PCFX1                 float64 `mf:"61+"`
	PCFX2                 float64 `mf:"61+"`
	PCFX3                 float64 `mf:"61+"`
	PCFY1                 float64 `mf:"61+"`
	PCFY2                 float64 `mf:"61+"`
	PCFY3                 float64 `mf:"61+"`

	// Ranges of validity.
	PRESMIN float64 `def:"10000" mf:"61+" unit:"pressure"`
	PRESMAX float64 `def:"1000000" mf:"61+" unit:"pressure"`
	FZMIN   float64 `def:"100" unit:"force"`
	FZMAX   float64 `may:"miss" unit:"force"`
	KPUMIN  float64 `def:"-1.5"`
	KPUMAX  float64 `def:"1.5"`
	ALPMIN  float64 `def:"-1.5" unit:"angle"`
	ALPMAX  float64 `def:"1.5" unit:"angle"`
	CAMMIN  float64 `def:"-0.175" unit:"angle"`
	CAMMAX  float64 `def:"0.175" unit:"angle"`

	// Scaling factors: LFZO of the nominal load, LRES of the residual torque, LTR of the pneumatic trail, LS
	// of the moment arm of Fx; the others are named after the coefficient that they scale.
	LFZO  float64 `def:"1"`
	LCX   float64 `def:"1"`
	LMUX  float64 `def:"1"`
	LEX   float64 `def:"1"`
	LKX   float64 `def:"1"`
	LHX   float64 `def:"1"`
	LVX   float64 `def:"1"`
	LCY   float64 `def:"1"`
	LMUY  float64 `def:"1"`
	LEY   float64 `def:"1"`
	LKY   float64 `def:"1"`
	LHY   float64 `def:"1"`
	LVY   float64 `def:"1"`
	LTR   float64 `def:"1"`
	LRES  float64 `def:"1"`
	LXAL  float64 `def:"1"`
	LYKA  float64 `def:"1"`
	LVYKA float64 `def:"1"`
	LS    float64 `def:"1"`
	LKYC  float64 `def:"1" mf:"61+"`
	LKZC  float64 `def:"1" mf:"61+"`
	LMX   float64 `def:"1"`
	LVMX  float64 `def:"1"`
	LMY   float64 `def:"1"`
	LMUV  float64 `mf:"61+" may:"miss"`
	LGAX  float64 `def:"1" mf:"52"`
	LGAY  float64 `def:"1" mf:"52"`
	LGAZ  float64 `def:"1" mf:"52"`
	LSGKP float64 `def:"1" mf:"52"`
	LSGAL float64 `def:"1" mf:"52"`

	// Longitudinal force.
	PCX1                   float64 `def:"1.65"`
	PDX1                   float64 `def:"1.3"`
	PDX2                   float64 `def:"-0.15"`
	PDX3                   float64
	PEX1, PEX2, PEX3, PEX4 float64
	PKX1                   float64 `def:"20"`
	PKX2, PKX3             float64
	PHX1, PHX2             float64
	PVX1, PVX2             float64
	PPX1, PPX2, PPX3, PPX4 float64 `mf:"61+"`
	RBX1                   float64 `def:"20"`
	RBX2                   float64 `def:"15"`
	RBX3                   float64 `mf:"61+"`
	RCX1                   float64 `def:"1"`
	REX1, REX2, RHX1       float64
	PTX1, PTX2, PTX3       float64 `mf:"52"`

	// Overturning moment.
	QSX1, QSX2, QSX3                float64
	QSX4, QSX5, QSX6, QSX7          float64 `mf:"61+"`
	QSX8, QSX9, QSX10, QSX11, PPMX1 float64 `mf:"61+"`
	QSX12, QSX13, QSX14             float64 `mf:"61+"`

	// Lateral force.
	PCY1                         float64 `def:"1.3"`
	PDY1                         float64 `def:"1.1"`
	PDY2                         float64 `def:"-0.15"`
	PDY3                         float64
	PEY1, PEY2, PEY3, PEY4       float64
	PEY5                         float64 `mf:"61+"`
	PKY1                         float64 `def:"-20"`
	PKY2                         float64 `def:"1"`
	PKY3                         float64
	PKY4                         float64 `def:"2" mf:"61+"`
	PKY5                         float64 `mf:"61+"`
	PKY6                         float64 `def:"-1" mf:"61+"`
	PKY7                         float64 `mf:"61+"`
	PHY1, PHY2                   float64
	PHY3                         float64 `mf:"52"`
	PVY1, PVY2, PVY3, PVY4       float64
	PPY1, PPY2, PPY3, PPY4, PPY5 float64 `mf:"61+"`
	RBY1                         float64 `def:"10"`
	RBY2                         float64 `def:"10"`
	RBY3                         float64
	RBY4                         float64 `mf:"61+"`
	RCY1                         float64 `def:"1"`
	REY1, REY2, RHY1, RHY2       float64
	RVY1, RVY2, RVY3             float64
	RVY4                         float64 `def:"20"`
	RVY5                         float64 `def:"2"`
	RVY6                         float64 `def:"10"`
	PTY1                         float64 `mf:"52"`
	PTY2                         float64 `def:"1" mf:"52"`

	// Rolling resistance.
	QSY1       float64 `def:"0.01"`
	QSY3       float64 `def:"4e-4"`
	QSY4       float64 `def:"4e-5"`
	QSY2       float64
	QSY8       float64 `def:"-0.4" mf:"61+"`
	QSY5, QSY6 float64 `mf:"61+"`
	QSY7       float64 `def:"0.85" mf:"61+"`

	// Aligning moment.
	QBZ1                         float64 `def:"10"`
	QBZ2, QBZ3, QBZ4, QBZ5       float64
	QBZ9                         float64 `def:"10"`
	QBZ10                        float64
	QCZ1                         float64 `def:"1.1"`
	QDZ1                         float64 `def:"0.12"`
	QDZ2, QDZ3, QDZ4             float64
	QDZ8                         float64 `def:"-0.05"`
	QDZ6, QDZ7, QDZ9             float64
	QDZ10, QDZ11                 float64 `mf:"61+"`
	QEZ1, QEZ2, QEZ3, QEZ4, QEZ5 float64
	QHZ1, QHZ2, QHZ3, QHZ4       float64
	PPZ1, PPZ2                   float64 `mf:"61+"`
	SSZ1, SSZ2, SSZ3, SSZ4       float64
}

// version is the version of the Magic Formula, times 10.
type version int

const (
	mf52 version = 52
	mf61 version = 61
	mf62 version = 62
)

// has reports whether a version has the coefficients of a tag mf.
func (v version) has(tag string) bool {
	if tag == "" {
		return true
	}
	first, andLater := strings.CutSuffix(tag, "+")
	n, _ := strconv.Atoi(first)
	return v == version(n) || andLater && v > version(n)
}

// each calls visit for every coefficient. The tag says which default the coefficient has and whether
// version v has it.
func (c *coefficients) each(v version, visit func(name string, value *float64, tag coefficientTag)) {
	fields := reflect.ValueOf(c).Elem()
	for i := range fields.NumField() {
		field := fields.Type().Field(i)
		fallback, _ := strconv.ParseFloat(field.Tag.Get("def"), 64) // 0 where there is none
		visit(field.Name, fields.Field(i).Addr().Interface().(*float64), coefficientTag{
			fallback: fallback, unit: field.Tag.Get("unit"), known: v.has(field.Tag.Get("mf")), rare: field.Tag.Get("may") != "",
		})
	}
}

// coefficientNames returns, for every coefficient, whether the version has it.
func (v version) coefficientNames() map[string]bool {
	known := map[string]bool{}
	var c coefficients
	c.each(v, func(name string, _ *float64, tag coefficientTag) { known[name] = tag.known })
	return known
}

// coefficientTag is the parsed tag of a coefficient.
type coefficientTag struct {
	fallback float64 // default in SI
	unit     string  // dimension, as in units.factor; "" if it has none
	known    bool    // whether the version has it
	rare     bool    // whether its absence needs no notice
}
