package tire

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"rig.example/rig/test/level"
)

// parseFault is the fault of a text, or nothing.
func parseFault(data []byte) string {
	_, err := Parse("a.tir", data)
	if err == nil {
		return ""
	}
	return err.Error()
}

func read(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name + ".tir")
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// Forms that files of tire makers and of ADAMS have.
func TestParseReadsCommonFileVariants(t *testing.T) {
	whole := string(completed("[MODEL]\nFITTYP = 6\n"))
	for _, tt := range []struct{ name, text string }{
		{"rows without a header", "[SHAPE]\n 1.00  0.00 \n 0.90\t1.00\n"},
		{"a table with a header", "[BOTTOMING_CURVE]\n{pen         fz}\n0.0 0.0\n"},
		{"comments in a block", "[MDI_HEADER]\nFILE_TYPE = 'tir'\n(COMMENTS)\n{comment_string}\n'Tire - 205/55'\n'PDY1 = -9'\nPDY1 = -9\nTest date: today = 5\n"},
		{"a block with a table", "[SHAPE]\n(TABLE)\n{radial width}\n 1 0\n"},
		{"an empty text", "[MAKER]\nTIRE_DOT = ''\n"},
	} {
		if fault := parseFault([]byte(tt.text + whole)); fault != "" {
			t.Errorf("%s: %s", tt.name, fault)
		}
	}
}

func TestUnsupportedFormatsAreRejected(t *testing.T) {
	for _, format := range []string{"FTIRE", "FTire", "FIALA", "PAC89", "PAC94", "PAC_MC", "PAC-MC", "MF-MCTYRE", "5.2.1", "521_TIRE", "UA", "SWIFT", "DELFT"} {
		fault := parseFault(completed("[MODEL]\nPROPERTY_FILE_FORMAT = '" + format + "'\n"))
		want := fmt.Sprintf("a.tir:2:24: PROPERTY_FILE_FORMAT = '%s' is not supported; choose a file of the Magic Formula: ", format)
		if !strings.HasPrefix(fault, want) {
			t.Errorf("%s: %s", format, fault)
		}
	}
	if fault := parseFault(completed("[MODEL]\nPROPERTY_FILE_FORMAT = 'PAC_MC'\nFITTYP = 6\n")); !strings.Contains(fault, "is not supported") {
		t.Errorf("with a FITTYP: %s", fault)
	}
}

// A file that ends after any of its lines, or within one, is refused as long as a coefficient
// is missing that a complete one holds.
func TestTruncatedFileIsRejected(t *testing.T) {
	level.SkipIfQuick(t)
	for _, name := range references {
		data := read(t, name)
		if fault := parseFault(data); fault != "" {
			t.Fatalf("%s: %s", name, fault)
		}
		last := bytes.Index(data, []byte("QHZ4")) // what follows turns a standing tire, or is not asked for
		if arm := bytes.Index(data, []byte("SSZ4")); arm > 0 {
			last = arm
		}
		last += bytes.IndexByte(data[last:], '=')
		last += bytes.IndexAny(data[last:], "0123456789")
		for end := 0; end < last; end += 3 { // lines differ in length: all their places are met
			if parseFault(data[:end]) == "" {
				t.Errorf("%s is taken when it ends with %q", name, data[max(0, end-20):end])
			}
		}
	}
}

// A file that holds all that a complete one does may lack the end of its last line: nobody can
// know whether the number there is whole.
func TestAWholeFileNeedsNoFinalNewline(t *testing.T) {
	for _, name := range references {
		data := read(t, name)
		last := bytes.Index(data, []byte("SSZ4"))
		if last < 0 {
			continue // it ends with keys that rig does not read
		}
		data = data[:last+bytes.IndexByte(data[last:], '\n')]
		key, value, _ := strings.Cut(string(data[last:]), "=")
		tr, err := Parse("a.tir", data)
		want := fmt.Sprintf("line %d does not end, and %s = %s may be cut off: compare it with the original, and end the line", bytes.Count(data, []byte("\n"))+1, strings.TrimSpace(key), strings.TrimSpace(value))
		if err != nil || !slices.Contains(tr.Notices, want) {
			t.Errorf("%s: %v, want %s", name, err, want)
		}
		if tr, err := Parse("a.tir", append(data, '\n')); err != nil || slices.Contains(tr.Notices, want) {
			t.Errorf("%s with a newline: %v", name, err)
		}
	}
	data := read(t, "mf52")
	short := data[:bytes.Index(data, []byte("46\nQTZ1"))] // SSZ4 = -0.70
	if tr, err := Parse("a.tir", short); err != nil || !slices.ContainsFunc(tr.Notices, func(s string) bool { return strings.Contains(s, "SSZ4 = -0.70 may be cut off") }) {
		t.Errorf("the last number is cut short: %v", err)
	}
	if fault := parseFault(data[:bytes.Index(data, []byte("3\nSSZ4"))]); !strings.Contains(fault, "before SSZ4;") || !strings.Contains(fault, "SSZ3 = 0.690 may be cut off") {
		t.Errorf("the one before: %s", fault)
	}
}

func TestTruncatedFileErrorNamesMissingKeys(t *testing.T) {
	data := read(t, "mf52")
	for _, tt := range []struct{ cut, want string }{
		{"[OVERTURNING", "a.tir:97:1: lateral force: PCY1, PDY1, PKY1, PKY2 not found; get the whole file if it was cut off, or add [LATERAL_COEFFICIENTS]"},
		{"QEZ3", "the file ends within [ALIGNING_COEFFICIENTS], before QEZ3, QEZ4, QEZ5, QHZ1, "},
		{"FNOMIN", "FNOMIN not found"},
		{"MIN = 9416", "a.tir:31:1: the file ends within this line, with \"FNO\"; get the whole file"},
	} {
		before, _, _ := bytes.Cut(data, []byte(tt.cut))
		if fault := parseFault(before); !strings.Contains(fault, tt.want) {
			t.Errorf("cut at %s: %s", tt.cut, fault)
		}
	}
	if fault := parseFault(bytes.TrimRight(completed("[MODEL]\nFITTYP=6\n"), "[END]\nOF_ILE=1 ")); !strings.Contains(fault, "the file ends within this line, and QDZ1 = 0.12 may be cut off") {
		t.Errorf("within a line: %s", fault)
	}
}

func TestUseModeDeclaresASingleForce(t *testing.T) {
	lines := strings.SplitAfter(string(completed("[MODEL]\nFITTYP = 6\nUSE_MODE = 2\n")), "\n")
	without := func(letters ...string) []byte {
		return []byte(strings.Join(slices.DeleteFunc(slices.Clone(lines), func(line string) bool {
			return slices.ContainsFunc(letters, func(l string) bool { return strings.HasPrefix(line, l) })
		}), ""))
	}
	slip := Contact{Kappa: 0.05, TanAlpha: 0.05, Load: 4000, Surface: Dry()}
	tr, err := Parse("a.tir", without("PCX", "PDX", "PKX"))
	if err != nil {
		t.Fatal(err)
	}
	if f := tr.Model.Forces(slip); f.Fx != 0 || !(f.Fy < -500) || !slices.Equal(tr.MissingForces, []string{"longitudinal force"}) ||
		tr.Notices[0] != "the file has no longitudinal force (PDX1 is missing or 0): the tire gives none, and no car can drive on it" {
		t.Errorf("%+v, without %q, %q", f, tr.MissingForces, tr.Notices)
	}
	if fault := parseFault(without("PCY", "PDY", "PKY", "Q")); !strings.Contains(fault, "lateral force: ") || !strings.Contains(fault, "aligning moment: ") {
		t.Errorf("the other is missing: %s", fault)
	}
	lines[2] = "USE_MODE = 1\n"
	if tr, err = Parse("a.tir", without("PCY", "PDY", "PKY", "Q")); err != nil {
		t.Fatal(err)
	}
	if f := tr.Model.Forces(slip); f.Fy != 0 || !(f.Fx > 500) || !slices.Equal(tr.MissingForces, []string{"lateral force"}) {
		t.Errorf("%+v, without %q", f, tr.MissingForces)
	}
	tr, err = Parse("a.tir", completed("[MODEL]\nFITTYP = 61\nPDX1 = 0\nPDX2 = 0\nPKX1 = 0\n"))
	if err != nil || !slices.Equal(tr.MissingForces, []string{"longitudinal force"}) {
		t.Errorf("zeros: %v, %+v", err, tr)
	}
}

// Coefficients by which a force points the wrong way are faults of their lines; the sign of
// PKY1 alone is none.
func TestForcesPointTheRightWay(t *testing.T) {
	for _, tt := range []struct{ lines, want string }{
		{"PDY1 = -0.7\nPDY2 = 0.1", "a.tir:3:8: PDY1 = -0.7 gives lateral friction of -0.7 at FNOMIN; it must be above 0: change the sign of PDY1, and of PDY2"},
		{"PDX1 = -1", "a.tir:3:8: PDX1 = -1 gives longitudinal friction of -1"},
		{"PKX1 = -20", "a.tir:3:8: PKX1 = -20 gives a slip stiffness of -8e+04 N"},
		{"PKY1 = 20", "a.tir:3:8: PKY1 = 20 gives a cornering stiffness of 8e+04 N/rad"},
		{"LKY = -1", "a.tir:3:7: LKY = -1 gives a cornering stiffness of 8e+04"},
		{"LMUY = -1", "a.tir:3:8: LMUY = -1 gives lateral friction"},
		{"QDZ1 = -0.1", "a.tir:3:8: QDZ1 = -0.1 gives a pneumatic trail of -0.1"},
		{"QSY1 = -0.1\nQSY3 = 0\nQSY4 = 0", "a.tir:3:8: QSY1 = -0.1 gives a rolling resistance moment of 120 N·m"},
		{"PKY1 = 20\nPKY2 = -1", ""},
		{"PKY1 = 20\nPKY4 = -2", ""},
		{"QSY1 = 0\nQSY3 = 0\nQSY4 = 0\nQDZ1 = 0", ""},
	} {
		fault := parseFault(completed("[MODEL]\nFITTYP = 61\n" + tt.lines + "\n"))
		if !strings.HasPrefix(fault, tt.want) || tt.want == "" && fault != "" {
			t.Errorf("%s: %s\nwant %s", tt.lines, fault, tt.want)
		}
	}
}

func TestFileWithTooManyKeysIsRejected(t *testing.T) {
	data := completed("[MODEL]\nFITTYP = 61\n[A]\n" + strings.Repeat("A = 1\n", maxKeys))
	_, err := ParseFile("a.tir", data)
	if fault := (*Fault)(nil); !errors.As(err, &fault) || !strings.Contains(fault.Text, "more than 10000 keys") {
		t.Errorf("%v", err)
	}
}

func TestSlipRangeWithoutDrivingIsNoticed(t *testing.T) {
	tr, err := Parse("a.tir", completed("[MODEL]\nFITTYP = 6\nKPUMIN = -0.8\nKPUMAX = 0\n"))
	if err != nil || !slices.Contains(tr.Notices, "KPUMAX = 0: the tire was not measured when driving, and gives no driving force") {
		t.Errorf("%v, %+v", err, tr)
	}
}
