package config

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/pelletier/go-toml/v2"
)

// decoded is what decoding a car's text says, a fault a line.
func decoded(text string) []string {
	f := carFile{}
	var lines []string
	for _, e := range Faults(Decode("c.toml", []byte(text), &f)) {
		lines = append(lines, e.Error())
	}
	return lines
}

func TestDocumentsHaveLimits(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"keys", strings.Repeat("a=1\n", 25_001), "c.toml:25001:1: more than 25000 keys and tables; name another file, or split it"},
		{"tables", strings.Repeat("[[aero]]\n", 100_000), "c.toml:25001:1: more than 25000 keys and tables"},
		{"keys in values", "a = [" + strings.Repeat("{b = 1},\n", 40_000) + "]", "c.toml:25000:1: more than 25000 keys and tables"},
		{"entries", "a = [" + strings.Repeat("1,", 600_000) + "]", "c.toml:1:1: more than 500000 entries in lists"},
		{"lists in each other", "a = " + strings.Repeat("[", 1_000_000), "c.toml:1:1: lists or tables lie more than 16 deep"},
		{"parts of a key", strings.Repeat("a.", 1_000_000) + "a = 1", "c.toml:1:1: a key has more than 16 parts"},
		{"parts of a table", "[" + strings.Repeat("a.", 1_000_000) + "a]", "c.toml:1:1: a key has more than 16 parts"},
	} {
		if got := decoded(tt.text); len(got) != 1 || !strings.HasPrefix(got[0], tt.want) {
			t.Errorf("%s: %.200q, want %s", tt.name, got, tt.want)
		}
	}
	quiet := "# " + strings.Repeat("=,[{.", 1000) + "\nbase = \"" + strings.Repeat("[", 100) + "\\\"=\"\ntitle = '''\n" + strings.Repeat("x=[\n", 20_000) + "'''\n"
	if got := decoded(quiet); len(got) != 1 || !strings.HasPrefix(got[0], "c.toml:3:1: unknown key \"title\"") {
		t.Errorf("signs in comments and texts: %.300q", got)
	}
}

// A list that is too long is one fault, and nobody looks at its entries.
func TestCountsAreCheckedBeforeContents(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"points", "[steering]\nratio_table = [" + strings.Repeat("{wheel_deg = -1, ratio = 0},", 4000) + "]", "c.toml:2:1: steering.ratio_table: has 4000 entries; give up to 32"},
		{"tables", strings.Repeat("[[aero]]\nx_m = 1e9\n", 4000), "c.toml:65:3: aero: has 4000 entries; give up to 32"},
		{"parts", strings.Repeat("[[part]]\nmass_kg = -1\n", 1000), "c.toml:513:3: part: has 1000 entries; give up to 256"},
		{"within a table of a list", "[[aero]]\n" + strings.Repeat("[[aero.ride_height]]\n", 40), "c.toml:34:3: aero[0].ride_height: has 40 entries; give up to 32"},
		{"without a limit of its own", "[driveline.engine]\nthrottle_curve = [" + strings.Repeat("{pedal = -1},", 1001) + "]",
			"c.toml:2:1: driveline.engine.throttle_curve: has 1001 entries; give up to 1000"},
	} {
		if got := decoded(tt.text); len(got) != 1 || got[0] != tt.want {
			t.Errorf("%s: %.300q of %d, want %s", tt.name, got, len(got), tt.want)
		}
	}
}

// Ten unknown keys get an answer, and the others are counted.
func TestOnlyTenFaultsAreLookedInto(t *testing.T) {
	lines := decoded(unknownKeys(5000))
	answered := 0
	for _, line := range lines {
		if strings.Contains(line, "known here") || strings.Contains(line, "did you mean") {
			answered++
		}
	}
	if len(lines) != 5000 || answered != maxExplained {
		t.Errorf("%d faults, %d with an answer", len(lines), answered)
	}
	if got := decoded(strings.Repeat("k", 1<<20) + " = 1"); len(got) != 1 || !strings.Contains(got[0], "known here") {
		t.Errorf("a key of a megabyte: %.100q", got)
	}
}

func unknownKeys(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "unknown%d = 1\n", i)
	}
	return b.String()
}

// What a document costs grows with its length, whatever is wrong with it: twice as much
// allocates about twice as many bytes, not four times.
func TestWorkGrowsWithTheDocument(t *testing.T) {
	for _, tt := range []struct {
		name string
		text func(n int) string
	}{
		{"unknown keys", unknownKeys},
		{"tables", func(n int) string { return strings.Repeat("[[aero]]\n", n) }},
		{"a list", func(n int) string { return "[hull]\npoints_m = [" + strings.Repeat("[99, 0],", n) + "]\n" }},
	} {
		cost := func(n int) float64 {
			text := tt.text(n)
			least := math.Inf(1) // without what is kept for good, or in a pool
			for range 5 {
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				decoded(text)
				runtime.ReadMemStats(&after)
				least = min(least, float64(after.TotalAlloc-before.TotalAlloc))
			}
			return least
		}
		if once, twice := cost(1500), cost(3000); twice > 3*once {
			t.Errorf("%s: %g and %g bytes, %.2f times as much", tt.name, once, twice, twice/once)
		}
	}
}

// The faults of a circuit are placed in one look at its file.
func TestManyFaultsOfACircuitArePlaced(t *testing.T) {
	c := Circuit{File: "c.toml", text: []byte(strings.Repeat("[[layout.piece]]\nlength_m = 1\n", 1000))}
	cost := func(n int) float64 {
		var errs []error
		for i := range n {
			errs = append(errs, fmt.Errorf("piece[%d].length_m = 1: must be 2 to 3", i))
		}
		return testing.AllocsPerRun(1, func() {
			got := Faults(c.Locate(errors.Join(errs...)))
			if len(got) != n || got[1].Error() != "c.toml:4:1: layout.piece[1].length_m = 1: must be 2 to 3" {
				t.Errorf("%d faults, %v", len(got), got[1])
			}
		})
	}
	if few, many := cost(2), cost(100); many > 2*few {
		t.Errorf("%g allocations for two faults, %g for a hundred", few, many)
	}
}

// A name as long as a file is no key's: the keys of its table do not each keep it.
func TestLongNamesAreNotKept(t *testing.T) {
	long := strings.Repeat("k", 1<<20)
	var keys strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&keys, "a%d = 1\n", i)
	}
	for name, text := range map[string]string{
		"a table":         "[" + long + "]\n" + keys.String(),
		"a list":          long + " = [" + strings.Repeat("{}, ", 1000) + "]\n",
		"tables in a key": "[x]\n" + long + " = {a = {b = 1}, c = {d = 1}}\n",
	} {
		d, err := readDocument([]byte(text))
		kept := 0
		for _, e := range d.entries {
			kept += len(e.name)
		}
		if err != nil || kept > 1<<10 {
			t.Errorf("%s: %v, names of %d bytes", name, err, kept)
		}
	}
}

func TestAByteOrderMarkIsAccepted(t *testing.T) {
	const mark = "\xef\xbb\xbf"
	if got := decoded(mark + "nothing = 1\n"); len(got) != 1 || !strings.HasPrefix(got[0], "c.toml:1:1: unknown key \"nothing\"") {
		t.Errorf("%q", got)
	}
	car := folder(t, map[string]string{"car.toml": mark + "base = \"gt\"\nwheelbase_m = 2.7\n"})
	if p, err := LoadCar(car); err != nil || p.Wheelbase != 2.7 {
		t.Errorf("%v, %g m", err, p.Wheelbase)
	}
	if _, err := LoadCar(folder(t, map[string]string{"car.toml": mark + "[rear.tire]\nmodel = \"none.tir\"\n"})); err == nil || !strings.Contains(err.Error(), "car.toml:2:1: rear.tire.model") {
		t.Errorf("the place of a fault: %v", err)
	}
	text := mark + "car = \"gt\"\nplatform = \"seat-mover\"\n[ffb]\npreset = \"" + Presets()[0] + "\"\n"
	if c, err := loaded(t, text); err != nil || c.Car != "gt" || c.FFB.Preset != Presets()[0] {
		t.Errorf("%v, %s, %s", err, c.Car, c.FFB.Preset)
	}
	club, err := circuitFiles.ReadFile("circuits/club.toml")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := LoadCircuit(folder(t, map[string]string{"car.toml": mark + string(club)})); err != nil {
		t.Error(err)
	}
}

// What is found beforehand is what the decoder would say: no key more, and none less.
func FuzzSurvey(f *testing.F) {
	f.Add([]byte("[wheel]\nDevice='a'\nx=1\n[[pedals.adc]]\nq=1\n[ffb.rim]\ndamping={a=1}\n[a]\n[a.b]\nc=1\n"))
	f.Add([]byte("motion.x.y = [{a = 1}, {b.c = 2}]\n[cueing.washout]\nforce_gain = [1, 1, 1, 1]\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if toml.Unmarshal(data, &Config{}) != nil || toml.Unmarshal(data, &map[string]any{}) != nil {
			return // its form or its values are wrong, which comes first
		}
		var strict *toml.StrictMissingError
		unknown := errors.As(toml.NewDecoder(bytes.NewReader(data)).DisallowUnknownFields().Decode(&Config{}), &strict)
		keys := checkDocument("f.toml", data, reflect.TypeFor[Config]()).keyErrors
		long := keys != nil && strings.Contains(keys.Error(), "entries; give up to")
		if unknown != (keys != nil) && !long {
			t.Errorf("the decoder says %v, the survey %v", strict, keys)
		}
	})
}
