package tire

import (
	"errors"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
)

func TestParseFileReadsTheFormat(t *testing.T) {
	const text = "\xef\xbb\xbf[MDI_HEADER]\r\nFILE_TYPE = 'tir' $ kind\r\n! whole line\n[ units ]\nLENGTH='meter'\n\n" +
		"[SHAPE]\n{radial width}\n 1.0 0.0\n[VERTICAL]\nfnomin = 4.0D3 ! N\nNOTE = 'costs $5!' $ odd\n X_Y=-1e-3\n"
	f, err := ParseFile("a.tir", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	want := []Key{
		{"MDI_HEADER", "FILE_TYPE", "tir", 0, false, 2, 13},
		{"UNITS", "LENGTH", "meter", 0, false, 5, 8},
		{"VERTICAL", "FNOMIN", "4.0D3", 4000, true, 11, 10},
		{"VERTICAL", "NOTE", "costs $5!", 0, false, 12, 8},
		{"VERTICAL", "X_Y", "-1e-3", -0.001, true, 13, 6},
	}
	if !slices.Equal(f.Keys, want) {
		t.Errorf("keys %+v\nwant %+v", f.Keys, want)
	}
}

// completed adds what a tire needs, as far as text has it not.
func completed(text string) []byte {
	text += "[NEEDED]\n"
	for _, line := range []string{"UNLOADED_RADIUS = 0.3", "FNOMIN = 4000", "VERTICAL_STIFFNESS = 200000", "PCX1 = 1.65", "PDX1 = 1.3", "PKX1 = 20",
		"PCY1 = 1.3", "PDY1 = 1.1", "PKY1 = -20", "PKY2 = 1", "QBZ1 = 10", "QCZ1 = 1.1", "QDZ1 = 0.12"} {
		name, _, _ := strings.Cut(line, " ")
		if !strings.Contains(text, name) {
			text += line + "\n"
		}
	}
	return []byte(text + "[END]\nOF_FILE = 1\n")
}

func TestParseErrorsHaveCauseAndPlace(t *testing.T) {
	const head = "[MODEL]\nFITTYP = 61\n[VERTICAL]\n"
	tests := []struct {
		name, text, want string
	}{
		{"no section", "FITTYP = 61\n", "a.tir:1:1: \"FITTYP\" is before the first section"},
		{"open section", "[MODEL\n", "a.tir:1:1: the section \"[MODEL\" has no closing bracket"},
		{"no key", "[MODEL]\nFITTYP 61\n", "a.tir:2:1: \"FITTYP 61\" is not KEY = value"},
		{"no value", "[MODEL]\nFITTYP =\n", "a.tir:2:1: \"FITTYP\" has no value"},
		{"two words", "[MODEL]\nFIT TYP = 61\n", "a.tir:2:1: \"FIT TYP\" is not a valid key"},
		{"no version", "[MODEL]\nLONGVL = 16\n", "a.tir:1:1: no FITTYP in [MODEL]: rig reads FITTYP = 6 (MF 5.2), 61"},
		{"other model", "[MODEL]\nPROPERTY_FILE_FORMAT = 'FIALA'\n", "a.tir:2:24: PROPERTY_FILE_FORMAT = 'FIALA' is not supported; choose a file of the Magic Formula: FITTYP = 6"},
		{"unknown version", "[MODEL]\nFITTYP = 7\n", "a.tir:2:10: FITTYP = 7 is not a supported version"},
		{"empty", "", "a.tir:1:1: no FITTYP"},
		{"text for a number", head + "FNOMIN = 'much'\n", "a.tir:4:10: FNOMIN = \"much\": must be a number"},
		{"broken number", head + "PDY1 = 1.2.3\n", "a.tir:4:8: PDY1 = \"1.2.3\": must be a number"},
		{"infinite", head + "PDY1 = Inf\n", "a.tir:4:8: PDY1 = \"Inf\": must be a number"},
		{"huge", head + "PDY1 = 1e30\n", "a.tir:4:8: PDY1 = 1e+30: must be -1e9 to 1e9"},
		{"no load", head + "FNOMIN = 0\n", "a.tir:4:10: FNOMIN = 0: must be 10 to 1000000, in SI"},
		{"range turned round", head + "KPUMAX = -1\n", "a.tir:4:10: KPUMAX = -1: must be 0 to 1000, in SI"},
		{"unit", "[UNITS]\nLENGTH = 'ell'\n" + head, "a.tir:2:10: LENGTH = \"ell\": must be meter"},
		{"no spring", head + "Q_FZ2 = 1e6\n", "a.tir:4:9: QFZ2 = 1000000: must be -10000 to 100000, in SI"},
		{"a spring too soft", head + "VERTICAL_STIFFNESS = 1e4\nQ_FZ2 = 100\n", "a.tir:4:22: tire: vertical stiffness = 10000: with q_fz2 = 100 it must be above"},
		{"radius of the free tire", head + "Q_RE0 = 5\n", "a.tir:4:9: QRE0 = 5: must be 0.5 to 2, in SI"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Parse("a.tir", completed(tt.text))
			if err == nil || !strings.HasPrefix(err.Error(), tt.want) {
				t.Errorf("error %v\nwant  %s …", err, tt.want)
			}
		})
	}
}

func TestParseReportsEveryBadNumber(t *testing.T) {
	_, err := Parse("a.tir", completed("[MODEL]\nFITTYP=61\nPCY1 = x\nPDY1 = y\n"))
	if err == nil || !strings.Contains(err.Error(), "a.tir:3:8: ") || !strings.Contains(err.Error(), "a.tir:4:8: ") {
		t.Errorf("error %v", err)
	}
}

func TestParseNoticesAssumedValues(t *testing.T) {
	tr, err := Parse("a.tir", completed("[MODEL]\nFITTYP = 62\n[LATERAL_COEFFICIENTS]\nPCY1 = 1.5\nPCY1 = 1.4\nMY_OWN = 3\nQ_RB1 = 1\n"))
	if err != nil {
		t.Fatal(err)
	}
	notices := strings.Join(tr.Notices, "\n")
	for _, want := range []string{
		"PCY1 occurs twice, in lines 4 and 5: the second one is used",
		"not in the file, set to typical values: ", "PKY4 = 2", "LMUX = 1",
		"not in the file, set to 0: ", "PVY1",
	} {
		if !strings.Contains(notices, want) {
			t.Errorf("no %q in\n%s", want, notices)
		}
	}
	if tr.Model.(*MagicFormula).c.PCY1 != 1.4 {
		t.Errorf("PCY1 = %g, want the second", tr.Model.(*MagicFormula).c.PCY1)
	}
	if want := []string{"MY_OWN", "Q_RB1", "OF_FILE"}; !slices.Equal(tr.UnusedKeys, want) {
		t.Errorf("unused %q, want %q", tr.UnusedKeys, want)
	}
}

func TestParseFindsTheVersion(t *testing.T) {
	for _, tt := range []struct{ model, kind string }{
		{"FITTYP = 6", "MF 5.2"},
		{"FITTYP = 52", "MF 5.2"},
		{"PROPERTY_FILE_FORMAT = 'PAC2002'", "PAC2002"},
		{"PROPERTY_FILE_FORMAT = 'MF_05'", "MF 5.2"},
		{"PROPERTY_FILE_FORMAT = 'MF-SWIFT'\nFITTYP = 61", "MF 6.1"},
		{"PROPERTY_FILE_FORMAT = 'PAC2002'\nFITTYP = 6", "PAC2002"},
		{"FITTYP = 61", "MF 6.1"},
		{"FITTYP = 62", "MF 6.2"},
	} {
		tr, err := Parse("a.tir", completed("[MODEL]\n"+tt.model+"\n"))
		if err != nil {
			t.Errorf("%s: %v", tt.model, err)
		} else if tr.Kind != tt.kind {
			t.Errorf("%s: %s, want %s", tt.model, tr.Kind, tt.kind)
		}
	}
}

// The same tire in other units is the same tire.
func TestUnitsDoNotMatter(t *testing.T) {
	const si = "[UNITS]\nLENGTH='meter'\nFORCE='newton'\nANGLE='radians'\nTIME='second'\n[MODEL]\nFITTYP=61\nLONGVL=20\n" +
		"[D]\nUNLOADED_RADIUS=0.3\nFNOMIN=5000\nVERTICAL_STIFFNESS=200000\nVERTICAL_DAMPING=500\nALPMAX=0.5\nNOMPRES=200000\n"
	const odd = "[UNITS]\nLENGTH='mm'\nFORCE='kilonewton'\nANGLE='degrees'\nTIME='millisecond'\nPRESSURE='bar'\n[MODEL]\nFITTYP=61\nLONGVL=20\n" +
		"[D]\nUNLOADED_RADIUS=300\nFNOMIN=5\nVERTICAL_STIFFNESS=0.2\nVERTICAL_DAMPING=0.5\nALPMAX=28.64788975654116\nNOMPRES=2\n"
	a, err := Parse("si.tir", completed(si))
	if err != nil {
		t.Fatal(err)
	}
	b, err := Parse("odd.tir", completed(odd))
	if err != nil {
		t.Fatal(err)
	}
	x, y := a.Model.(*MagicFormula).c, b.Model.(*MagicFormula).c
	for _, tt := range []struct {
		name string
		a, b float64
	}{
		{"radius", x.UNLOADEDRADIUS, y.UNLOADEDRADIUS}, {"load", x.FNOMIN, y.FNOMIN}, {"stiffness", x.VERTICALSTIFFNESS, y.VERTICALSTIFFNESS},
		{"damping", x.VERTICALDAMPING, y.VERTICALDAMPING}, {"angle", x.ALPMAX, y.ALPMAX}, {"pressure", x.NOMPRES, y.NOMPRES}, {"speed", x.LONGVL, y.LONGVL},
	} {
		if math.Abs(tt.a-tt.b) > 1e-12*math.Abs(tt.a) {
			t.Errorf("%s is %g and %g", tt.name, tt.a, tt.b)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, name := range references {
		data, err := os.ReadFile("testdata/" + name + ".tir")
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Add([]byte("[MODEL]\nFITTYP = 61\nFNOMIN = 10\nPKX3 = 1e9\nLFZO=0.01\nVXLOW=1e-3\n"))
	f.Add(completed("[MODEL]\nFITTYP = 6\nUSE_MODE = 2\nPDY1 = 0\nPKX1=0\n(COMMENTS)\n'a'\n"))
	f.Add([]byte("[SHAPE]\n{a b}\n1 2\n[X\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		tr, err := Parse("f.tir", data)
		if err != nil {
			var fault *Fault
			if !errors.As(err, &fault) || fault.Line < 1 || fault.Column < 1 {
				t.Fatalf("error without a place: %v", err)
			}
			return
		}
		for _, c := range []Contact{
			{Kappa: 0.1, TanAlpha: 0.1, Gamma: 0.05, Load: tr.NominalLoad, Surface: Dry()},
			{Kappa: -1, TanAlpha: -9, Gamma: -1, Load: 1, Surface: Dry()},
		} {
			got, capacity := tr.Model.Forces(c), tr.Model.Capacity(c)
			if sum := got.Fx + got.Fy + got.Mx + got.My + got.Mz + capacity.StiffnessX + capacity.StiffnessY + capacity.ForceX + capacity.ForceY +
				capacity.Rolling + capacity.RelaxationX + capacity.RelaxationY + capacity.HalfLength; sum-sum != 0 {
				t.Fatalf("%+v gives %+v, %+v", c, got, capacity)
			}
		}
	})
}
