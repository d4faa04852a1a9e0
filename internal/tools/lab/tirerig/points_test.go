package tirerig

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"testing/iotest"

	"rig.example/rig/internal/files/config"
)

func answers(t testing.TB, b *Bench, in string) string {
	t.Helper()
	var out strings.Builder
	if _, err := b.EvaluateTable("p.csv", strings.NewReader(in), &out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestPointsEqualTheSweepBitForBit(t *testing.T) {
	for _, kind := range Kinds() {
		b := brush(t)
		s := Sweep{Kind: kind}
		if kind != "camber" {
			s.Gamma = 1.5
		}
		want := table(t, run(t, b, s))
		var in strings.Builder
		for _, line := range want {
			fmt.Fprintln(&in, strings.Join(strings.Split(line, ",")[:4], ","))
		}
		if got := answers(t, b, in.String()); got != strings.Join(want, "\n")+"\n" {
			t.Errorf("%s: the batch differs from the sweep", kind)
		}
	}
}

func TestPointsKeepTheirColumns(t *testing.T) {
	const added = ",fx_n,fy_n,mx_nm,my_nm,mz_nm\n"
	const locked = ",-4000,0,0,-14.88,0\n"
	tests := []struct{ name, in, want string }{
		{"plain", "kappa,alpha_rad,gamma_rad,fz_n\n-1,0,0,4000\n", "kappa,alpha_rad,gamma_rad,fz_n" + added + "-1,0,0,4000" + locked},
		{"another order", "fz_n,gamma_rad,kappa,alpha_rad\n4e3,-0,-1.000,+0\n", "fz_n,gamma_rad,kappa,alpha_rad" + added + "4e3,-0,-1.000,+0" + locked},
		{"other columns", "run,kappa,note,alpha_rad,gamma_rad,fz_n\n7,-1,\"a, \"\"b\"\"\",0,0,4000\n",
			"run,kappa,note,alpha_rad,gamma_rad,fz_n" + added + "7,-1,\"a, \"\"b\"\"\",0,0,4000" + locked},
		{"quoted numbers", "\"kappa\",\"alpha_rad\",gamma_rad,\"fz_n\"\n\"-1\", \"0\" ,0,\"4000\"\n",
			"\"kappa\",\"alpha_rad\",gamma_rad,\"fz_n\"" + added + "\"-1\", \"0\" ,0,\"4000\"" + locked},
		{"BOM, CRLF, blank lines", "\xef\xbb\xbfkappa,alpha_rad,gamma_rad,fz_n\r\n\r\n-1,0,0,4000\r\n\r\n  \r\n",
			"kappa,alpha_rad,gamma_rad,fz_n" + added + "-1,0,0,4000" + locked},
		{"no end of line", "kappa,alpha_rad,gamma_rad,fz_n\n-1,0,0,4000", "kappa,alpha_rad,gamma_rad,fz_n" + added + "-1,0,0,4000" + locked},
		{"empty options", "kappa,alpha_rad,gamma_rad,fz_n,vx_mps,pressure_kpa\n-1,0,0,4000,,\n",
			"kappa,alpha_rad,gamma_rad,fz_n,vx_mps,pressure_kpa" + added + "-1,0,0,4000,," + locked},
		{"no load", "kappa,alpha_rad,gamma_rad,fz_n\n-1,0,0,0\n-1,0,0,-50\n",
			"kappa,alpha_rad,gamma_rad,fz_n" + added + "-1,0,0,0,0,0,0,0,0\n-1,0,0,-50,0,0,0,0,0\n"},
		{"header alone", "kappa,alpha_rad,gamma_rad,fz_n\n", "kappa,alpha_rad,gamma_rad,fz_n" + added},
		{"answers of another tire", "kappa,alpha_rad,gamma_rad,fz_n,fx_n\n-1,0,0,4000,5\n",
			"kappa,alpha_rad,gamma_rad,fz_n,fx_n" + added + "-1,0,0,4000,5" + locked},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := answers(t, brush(t), tt.in); got != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}

func TestPointsMayHavePressureAndSpeed(t *testing.T) {
	b := echoing()
	if err := errors.Join(b.SetPressure(200), b.SetSpeed(15)); err != nil {
		t.Fatal(err)
	}
	got := answers(t, b, "pressure_kpa,kappa,alpha_rad,gamma_rad,fz_n,vx_mps\n240,0,0,0.1,5000,30\n,0,0,0.1,5000,\n")
	const want = "240,0,0,0.1,5000,30,240000,30,1,0.1,5000\n,0,0,0.1,5000,,200000,15,1,0.1,5000\n"
	if _, rows, _ := strings.Cut(got, "\n"); rows != want {
		t.Errorf("%q, want %q", rows, want)
	}
}

func TestPointsRejectBadTables(t *testing.T) {
	const head = "kappa,alpha_rad,gamma_rad,fz_n,vx_mps,pressure_kpa\n"
	tests := []struct {
		name, in string
		want     []string
	}{
		{"nothing", "", []string{"p.csv:1:1: ", "empty", "kappa, alpha_rad"}},
		{"missing column", "kappa,alpha_rad,gamma_rad\n", []string{"p.csv:1:1: ", "fz_n is missing"}},
		{"semicolons", "kappa;alpha_rad;gamma_rad;fz_n\n", []string{"p.csv:1:1: ", "kappa is missing: the names are separated by semicolons", "separated by commas"}},
		{"tabs", "kappa\talpha_rad\tgamma_rad\tfz_n\n", []string{"p.csv:1:1: ", "kappa is missing: the names are separated by tabs", "separated by commas"}},
		{"column twice", "kappa,alpha_rad,kappa,gamma_rad,fz_n\n", []string{"p.csv:1:17: ", "kappa occurs twice"}},
		{"not a number", head + "0.1,0,0,4000,,\n0.1,nil,0,4000,,\n", []string{"p.csv:3:5: ", `alpha_rad: "nil"`, "give one such as"}},
		{"empty", head + "0.1,0,0,,,\n", []string{"p.csv:2:9: ", "fz_n is empty"}},
		{"not finite", head + "nan,0,0,4000,,\n", []string{"p.csv:2:1: ", "nan"}},
		{"infinite load", head + "0,0,0,+Inf,,\n", []string{"p.csv:2:7: ", "+Inf"}},
		{"too large", head + "1e999,0,0,1,,\n", []string{"p.csv:2:1: ", "1e999"}},
		{"degrees", head + "0,4,0,4000,,\n", []string{"p.csv:2:3: ", "alpha_rad: 4: ", "rad"}},
		{"camber in degrees", head + "0,0,-2,4000,,\n", []string{"p.csv:2:5: ", "gamma_rad: -2: "}},
		{"backward", head + "0,0,0,4000,-1,\n", []string{"p.csv:2:12: ", "vx_mps: -1 m/s", "must be above 0"}},
		{"standing", head + "0,0,0,4000,0,\n", []string{"p.csv:2:12: ", "vx_mps"}},
		{"bar", head + "0,0,0,4000,,2.2\n", []string{"p.csv:2:13: ", "pressure_kpa: 2.2 kPa", "100 kPa"}},
		{"pascal", head + "0,0,0,4000,,220000\n", []string{"p.csv:2:13: ", "220000 kPa"}},
		{"cell missing", head + "0,0,0,4000\n", []string{"p.csv:2:1: ", "4 cells, but the header has 6"}},
		{"open quote", head + "0,\"0,0,4000,,\n", []string{"p.csv:2:3: ", "quote is not closed"}},
		{"text after a quote", head + "0,\"0\"x,0,4000,,\n", []string{"p.csv:2:6: ", "a comma must follow"}},
		{"no text at all", strings.Repeat("\x00", 1<<20), []string{"p.csv:1:1: ", "longer than 65536 bytes"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := brush(t).EvaluateTable("p.csv", strings.NewReader(tt.in), io.Discard)
			refused(t, err, tt.want...)
		})
	}
}

func TestPointsPassOnFailuresOfTheirStreams(t *testing.T) {
	broken := errors.New("broken")
	_, err := brush(t).EvaluateTable("p.csv", iotest.ErrReader(broken), io.Discard)
	refused(t, err, "p.csv: cannot be read: broken")
	r, w := io.Pipe()
	r.CloseWithError(broken)
	if _, err := brush(t).EvaluateTable("p.csv", manyPoints(5000), w); !errors.Is(err, broken) {
		t.Errorf("error %v", err)
	}
}

// generated is a table of n points that nowhere stands as a whole.
type generated struct {
	n          int
	line, rest []byte
}

func manyPoints(n int) *generated {
	return &generated{n: n, rest: []byte("kappa,alpha_rad,gamma_rad,fz_n\n")}
}

func (g *generated) Read(p []byte) (int, error) {
	if len(g.rest) == 0 {
		if g.n == 0 {
			return 0, io.EOF
		}
		g.n--
		g.line = strconv.AppendFloat(g.line[:0], float64(g.n%100)/1000, 'g', -1, 64)
		g.line = append(g.line, ",-0.0523,0.01,4321.5\n"...)
		g.rest = g.line
	}
	n := copy(p, g.rest)
	g.rest = g.rest[n:]
	return n, nil
}

func TestPointsStreamInBoundedMemory(t *testing.T) {
	taken := func(rows int) (objects, size uint64) {
		b, in := brush(t), manyPoints(rows)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		got, err := b.EvaluateTable("p.csv", in, io.Discard)
		runtime.ReadMemStats(&after)
		if err != nil || got.Rows != rows {
			t.Fatalf("%d rows, %v", got.Rows, err)
		}
		return after.Mallocs - before.Mallocs, after.TotalAlloc - before.TotalAlloc
	}
	fewObjects, fewBytes := taken(1000)
	objects, size := taken(200_000)
	if objects > fewObjects+100 || size > fewBytes+64<<10 {
		t.Errorf("200000 rows took %d objects and %d bytes, 1000 rows %d and %d", objects, size, fewObjects, fewBytes)
	}
}

func FuzzPoints(f *testing.F) {
	f.Add("kappa,alpha_rad,gamma_rad,fz_n\n-1,0,0,4000\n")
	f.Add("\xef\xbb\xbffz_n,\"kappa\",x,alpha_rad,gamma_rad\r\n4e3,\"0.1\",\"a,\"\"b\",-0.1,0\r\n\r\n")
	f.Add("kappa,alpha_rad,gamma_rad,fz_n,vx_mps,pressure_kpa\n0x1p-3,1.57,-1.57,1e308,,220")
	f.Add("\"")
	f.Add("kappa,alpha_rad,gamma_rad,fz_n\n\r\n0,0,0,5e-324\n")
	f.Fuzz(func(t *testing.T, in string) {
		var out bytes.Buffer
		report, err := brush(t).EvaluateTable("p.csv", strings.NewReader(in), &out)
		if err != nil {
			var p *config.Problem
			if !errors.As(err, &p) || strings.Contains(err.Error(), "\n") {
				t.Fatalf("error %q", err)
			}
			return
		}
		lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
		if len(lines) != report.Rows+1 {
			t.Fatalf("%d lines for %d rows", len(lines), report.Rows)
		}
		for _, line := range lines[1:] {
			cells := strings.Split(line, ",")
			for _, c := range cells[len(cells)-5:] {
				if v, err := strconv.ParseFloat(c, 64); err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
					t.Fatalf("%q has %q", line, c)
				}
			}
		}
	})
}

// The tables are read by other programs, too.
func TestAnswersAreCSV(t *testing.T) {
	got := answers(t, brush(t), "note,kappa,alpha_rad,gamma_rad,fz_n\n\"wet, \"\"cold\"\"\",0.1,0,0,4000\n")
	rows, err := csv.NewReader(strings.NewReader(got)).ReadAll()
	if err != nil || len(rows) != 2 || len(rows[1]) != 10 || rows[1][0] != `wet, "cold"` {
		t.Errorf("%q, %v", rows, err)
	}
}

func BenchmarkPoints(b *testing.B) {
	bench := brush(b)
	b.ReportAllocs()
	if _, err := bench.EvaluateTable("p.csv", manyPoints(b.N), io.Discard); err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "rows/s")
}

// endless gives the same text for ever, and counts.
type endless struct {
	text string
	read int
}

func (e *endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = e.text[(e.read+i)%len(e.text)]
	}
	e.read += len(p)
	return len(p), nil
}

// A table is not read on after a line that is no line of one.
func TestReadingEndsAtTheLineLimit(t *testing.T) {
	for _, text := range []string{"\x00", "a", ",", "\"\n"} {
		in := &endless{text: text}
		_, err := brush(t).EvaluateTable("p.csv", in, io.Discard)
		if p := (*config.Problem)(nil); !errors.As(err, &p) || in.read > 2*bufferSize {
			t.Errorf("%q: %v after %d bytes", text, err, in.read)
		}
	}
}

func TestPointsFromPipesAndDevices(t *testing.T) {
	fifo := filepath.Join(t.TempDir(), "fifo")
	r, w, err := os.Pipe()
	if err := errors.Join(err, syscall.Mkfifo(fifo, 0o600)); err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	fmt.Fprint(w, onePoint)
	w.Close()
	var out strings.Builder
	if _, err := brush(t).Batch(Batch{From: fmt.Sprintf("/dev/fd/%d", r.Fd()), To: "-", Out: &out}); err != nil || strings.Count(out.String(), "\n") != 2 {
		t.Errorf("a pipe of a shell: %v, %q", err, out.String())
	}
	for path, want := range map[string]string{fifo: "it is a pipe", "/dev/zero": "it is a device"} {
		_, err := brush(t).Batch(Batch{From: path, To: "-", Out: io.Discard})
		if err == nil || !strings.HasPrefix(err.Error(), path+": cannot be read: "+want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// Numbers of a size that no tire sees are faults of their cells.
func TestPointsOutOfRangeAreRejected(t *testing.T) {
	for _, tt := range []struct{ line, want string }{
		{"1e308,0,0,4000", "p.csv:2:1: kappa: 1e+308: must be -1e+06 to 1e+06"},
		{"-1e7,0,0,4000", "p.csv:2:1: kappa: -1e+07: must be"},
		{"0,0,0,1e308", "p.csv:2:7: fz_n: 1e+308: must be -1e+06 to 1e+06"},
		{"0,0,0,1e400", "p.csv:2:7: fz_n: \"1e400\" must be a finite number"},
		{"0,1e308,0,1", "p.csv:2:3: alpha_rad: 1e+308: must be between -1.57 and 1.57 rad"},
	} {
		_, err := brush(t).EvaluateTable("p.csv", strings.NewReader("kappa,alpha_rad,gamma_rad,fz_n\n"+tt.line+"\n"), io.Discard)
		if err == nil || !strings.HasPrefix(err.Error(), tt.want) {
			t.Errorf("%s: %v", tt.line, err)
		}
	}
}
