package archtest

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// implementation is what the module implements only once: code that matches pattern is allowed only in the folder of
// the owner. If a pattern has two groups named left and right, only matches with equal ones count.
type implementation struct {
	what, owner string
	signs       []string // one of them is in the last line of every match: most lines have none, and are not searched
	pattern     *regexp.Regexp
}

var oneOfEach = []implementation{
	{"the newest value, handed between goroutines or processes", "internal/kit/latest", []string{"math.Float", "& 1", "&1"}, regexp.MustCompile(`\.Store\(math\.Float(32|64)bits|\|\s*math\.Float(32|64)bits|(seq|number)\w*\s*&\s*1\b`)},
	{"the replacement of a file in one step", "internal/kit/sink", []string{".Rename"}, regexp.MustCompile(`(os|unix|syscall)\.Rename(at2?)?\(`)},
	{"the test for NaN and Inf", "internal/kit/valid", []string{"math.IsInf", "inite("}, regexp.MustCompile(`IsNaN\(([\w.]+)\) (\|\| |&& !)math\.IsInf|func (isFinite|finite)\(\w+ float64\)`)},
	{"the test for NaN and Inf", "internal/kit/valid", []string{" == 0", " != 0"}, regexp.MustCompile(`\b(?P<left>[\w.]+)-(?P<right>[\w.]+) [!=]= 0\b`)},
	{"opening what a data file names", "internal/kit/userfile", []string{"os.OpenRoot(", "url.PathUnescape("}, regexp.MustCompile(`os\.OpenRoot\(|url\.PathUnescape\(`)},
	{"SplitMix64", "internal/kit/splitmix", []string{"0x9", "0X9"}, regexp.MustCompile(`(?i)0x94d049bb133111eb`)},
	{"a gear's name", "internal/core/frame", []string{`return "R"`}, regexp.MustCompile(`return "R"`)},
}

// matches returns the matches of the pattern and of its groups. A match is in at most two lines.
func (one implementation) matches(text string) (all [][]string) {
	before := ""
	for line := range strings.Lines(text) {
		if slices.ContainsFunc(one.signs, func(sign string) bool { return strings.Contains(line, sign) }) {
			all = append(all, one.pattern.FindAllStringSubmatch(before+line, -1)...)
		}
		before = line
	}
	return all
}

// duplicates returns a fault for each pattern of oneOfEach that a file's text matches, unless the file is the
// owner's.
func duplicates(path, text string) (found []string) {
	for _, one := range oneOfEach {
		if filepath.ToSlash(filepath.Dir(path)) == one.owner {
			continue
		}
		left, right := one.pattern.SubexpIndex("left"), one.pattern.SubexpIndex("right")
		for _, at := range one.matches(text) {
			if left < 0 || at[left] == at[right] {
				found = append(found, path+" has `"+at[0]+"`: "+"use "+one.owner+" for "+one.what)
				break
			}
		}
	}
	return found
}

func TestEachIsImplementedOnce(t *testing.T) {
	for path := range sources(t) {
		text, err := os.ReadFile(filepath.Join("..", "..", path))
		if err != nil {
			t.Fatal(err)
		}
		for _, duplicate := range duplicates(path, string(text)) {
			t.Error(duplicate)
		}
	}
}

// recovers has the files in which a panic is caught, and why it may be.
var recovers = map[string]string{
	"display/window.go":                  "the window's binding panics where no window opens",
	"internal/tools/lab/sweep/unit.go":   "one drive of many, without devices",
	"internal/files/recording/reader.go": "a damaged recording",
	"internal/files/replay/player.go":    "a damaged recording",
	"internal/tools/exercise/play.go":    "lets the wheel go and panics again",
	"internal/live/rig/record.go":        "lets the wheel go, keeps the black box and panics again",
}

// A panic of any goroutine of a rig that drives ends it, and with it the wheel's force: none goes on with half of its state.
func TestNothingThatDrivesRecovers(t *testing.T) {
	for path := range sources(t) {
		text, err := os.ReadFile(filepath.Join("..", "..", path))
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(text), "recover()") != (recovers[filepath.ToSlash(path)] != "") {
			t.Errorf("%s: recover() is allowed only in the files of recovers, and all of these have it", path)
		}
	}
}

func TestDuplicatesAreFound(t *testing.T) {
	for _, code := range []string{
		"w.rated.Store(math.Float64bits(nm))",
		"if a := seq.Load(); seq & 1 == 1 {",
		"return os.Rename(name, path)",
		"func finite(v float64) bool { return !math.IsNaN(v) }",
		"if math.IsNaN(s.x) || math.IsInf(s.x, 0) {",
		"if a-b != 0 || s.x-s.x != 0 {",
		"x = (x ^ x>>27) * 0x94D049BB133111EB",
		"	return \"R\"",
		"name, err := url.PathUnescape(uri)",
	} {
		if len(duplicates("devices/wheel/wheel.go", "package wheel\n"+code+"\n")) != 1 {
			t.Errorf("%q in devices/wheel is not found", code)
		}
	}
	if found := duplicates("sim/sim.go", "if a-b != 0 {"); len(found) != 0 {
		t.Errorf("a difference of two values is refused: %s", strings.Join(found, "; "))
	}
	if found := duplicates("internal/kit/sink/replace.go", "return os.Rename(name, path)"); len(found) != 0 {
		t.Errorf("the owner is refused: %s", strings.Join(found, "; "))
	}
}
