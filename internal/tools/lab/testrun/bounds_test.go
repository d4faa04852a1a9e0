package testrun

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"rig.example/rig/internal/files/config"
	"rig.example/rig/sim/trial"
	"rig.example/rig/test/level"
)

// endless gives a head once, then the same text for ever, and counts.
type endless struct {
	head, text string
	read       int
	lines      int // counted in the text, if it asks for a number
}

func (e *endless) Read(p []byte) (int, error) {
	part := e.head
	e.head = ""
	if part == "" {
		if part = e.text; strings.Contains(part, "%") {
			part = fmt.Sprintf(part, e.lines)
		}
		e.lines++
	}
	e.read += copy(p, part)
	return min(len(part), len(p)), nil
}

// What is no table, or goes on for ever, is not read on: each fault names the limit.
func TestReadingEndsAtTheSizeLimit(t *testing.T) {
	level.SkipIfQuick(t)
	const head = "t_s,steer_road_rad\n"
	long := strings.Repeat("x", 4096)
	for _, tt := range []struct {
		name       string
		head, text string
		most       int // bytes read
		want       string
	}{
		{"a line of a device", "", strings.Repeat("\x00", 4096), 80 << 10, "cannot be read: line 1 has more than 65536 bytes"},
		{"a row", head, long, 80 << 10, "line 2 has more than 65536 bytes"},
		{"columns", "", strings.Repeat("x,", 2048), 80 << 10, "line 1 has more than 65536 bytes"},
		{"a quote", head, "\"" + strings.Repeat("\n", 4095), 80 << 10, "has more than 65536 bytes"},
		{"rows", head, "%d,0\n", 16 << 20, "in.csv:500002:1: the table has more than 500000 rows; remove some"},
	} {
		in := &endless{head: tt.head, text: tt.text}
		if tt.name == "a quote" {
			in.head, in.text = tt.head+"\"", strings.Repeat("\n", 4096)
		}
		_, err := readTable("in.csv", in, tableFormat{known: inputColumns(), strict: true})
		if p := (*config.Problem)(nil); !errors.As(err, &p) || !strings.Contains(err.Error(), tt.want) || in.read > tt.most {
			t.Errorf("%s: %v after %d bytes", tt.name, err, in.read)
		}
	}
	refused(t, second(ReadReference(file(t, strings.Repeat("c,", 150)+"t_s\n"), nil)), "in.csv:1:201: the table has 151 columns; give up to 100")
}

func second[T any](_ T, err error) error { return err }

func TestTablesFromPipesAndDevices(t *testing.T) {
	fifo := filepath.Join(t.TempDir(), "fifo")
	r, w, err := os.Pipe()
	if err := errors.Join(err, syscall.Mkfifo(fifo, 0o600)); err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	fmt.Fprint(w, "t_s,x_m\n0,1\n")
	w.Close()
	if ref, err := ReadReference(fmt.Sprintf("/dev/fd/%d", r.Fd()), nil); err != nil || ref.Rows[0].X != 1 {
		t.Errorf("a pipe of a shell: %v", err)
	}
	for path, want := range map[string]string{fifo: "it is a pipe", "/dev/zero": "it is a device"} {
		refused(t, second(ReadInputs(path, nil, 6)), path+": cannot be read: "+want)
		refused(t, second(ReadReference(path, nil)), path+": cannot be read: "+want)
	}
	if _, err := ReadInputs("-", io.LimitReader(&endless{text: "\x00"}, 1<<20), 6); err == nil || !strings.HasPrefix(err.Error(), "stdin: cannot be read: line 1 has more") {
		t.Errorf("%v", err)
	}
}

// A value with which no difference is a number is a fault of its cell.
func TestHugeValuesAreRefused(t *testing.T) {
	for _, tt := range []struct{ row, want string }{
		{"0,1e308", "in.csv:2:3: x_m: 1e+308: must be -1e+09 to 1e+09"},
		{"0,-2e9", "in.csv:2:3: x_m: -2e+09: must be"},
		{"1e308,0", "in.csv:2:1: t_s: 1e+308: must be"},
		{"0,Inf", "in.csv:2:3: x_m: \"Inf\": must be a number"},
		{"0,1e400", "in.csv:2:3: x_m: \"1e400\": must be a number"},
	} {
		refused(t, second(ReadReference(file(t, "t_s,x_m\n"+tt.row+"\n"), nil)), tt.want)
	}
	for _, v := range []string{"1e308", "-1e308", "NaN", "Inf", "1e400"} {
		for _, column := range inputColumns() {
			row := "0," + v
			if column == "t_s" {
				row = v + ",0"
			}
			head := "t_s," + column
			if column == "t_s" {
				head = "t_s,steer_road_rad"
			}
			refused(t, second(ReadInputs(file(t, head+"\n"+row+"\n"), nil, 6)), "in.csv:2:")
		}
	}
}

// Every figure of a comparison is finite, whatever allowed values a reference has.
func TestDeviationsAreFinite(t *testing.T) {
	got := []trial.Row{{}, {T: 1, X: 1e6}}
	for _, text := range []string{"0,1e9\n1,-1e9\n", "0,0\n1,5e-324\n", "0,1e-300\n1,0\n"} {
		ref, err := ReadReference(file(t, "t_s,x_m\n"+text), nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range trial.Compare(got, ref.Rows) {
			for _, v := range []float64{d.Largest, d.Mean, d.Range, d.LargestPct, d.MeanPct, d.At} {
				if math.IsNaN(v) || math.IsInf(v, 0) {
					t.Errorf("%q: %+v", text, d)
				}
			}
		}
	}
}
