package tunings

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"rig.example/rig/internal/files/config"
)

// half are factors of which one is halved.
func half() config.Tuning {
	t := config.DefaultTuning()
	t.Surge = 0.5
	return t
}

// configured returns a configuration for a car whose profiles are in a folder of the test's own.
func configured(t *testing.T, car string) config.Config {
	cfg := config.Default()
	cfg.Car, cfg.Profiles, cfg.Tuning.Heave = car, filepath.Join(t.TempDir(), "profiles"), 0.9
	return cfg
}

func TestATuningIsUsedByItsCar(t *testing.T) {
	cfg := configured(t, "gt")
	s, err := StoreOf(cfg)
	if err != nil {
		t.Fatal(err)
	}
	applied := func(car string) (string, config.Tuning) {
		t.Helper()
		c := cfg
		c.Car = car
		name, err := Apply(&c)
		if err != nil {
			t.Fatal(err)
		}
		return name, c.Tuning
	}
	if name, got := applied("gt"); name != "" || got != cfg.Tuning {
		t.Errorf("before: %q, %+v", name, got)
	}
	soft := half()
	soft.Gain = 0.3
	for name, tuning := range map[string]config.Tuning{"quick": half(), "soft": soft} {
		if _, err := s.Save(name, tuning); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Use("", "soft"); err != nil {
		t.Fatal(err)
	}
	if err := s.Use("gt", "quick"); err != nil {
		t.Fatal(err)
	}
	for car, want := range map[string]string{"gt": "quick", "cars/gt.toml": "quick", "hatch": "soft"} {
		name, got := applied(car)
		if want == "quick" && got != half() || want == "soft" && got != soft || name != want {
			t.Errorf("%s: %q, %+v; want %s", car, name, got, want)
		}
	}
	if names, err := s.Names(); err != nil || !slices.Equal(names, []string{"quick", "soft"}) {
		t.Errorf("names %q, %v", names, err)
	}
	if err := s.Use("gt", ""); err != nil {
		t.Fatal(err)
	}
	if name, _ := applied("gt"); name != "soft" {
		t.Errorf("without one of its own: %q", name)
	}
}

func TestTheFormerTuningIsKept(t *testing.T) {
	s := Store{t.TempDir()}
	for _, gain := range []float64{0.4, 0.6} {
		tuning := config.DefaultTuning()
		tuning.Gain = gain
		path, err := s.Save("mine", tuning)
		if err != nil {
			t.Fatal(err)
		}
		if st, err := os.Stat(path); err != nil || st.Mode().Perm() != 0o600 {
			t.Errorf("%v, %v", st, err)
		}
	}
	before, err := os.ReadFile(filepath.Join(s.Dir, "motion-mine.toml.bak"))
	if got, loadErr := s.Load("mine"); err != nil || loadErr != nil || got.Gain != 0.6 || !strings.Contains(string(before), "gain = 0.4") {
		t.Errorf("%+v, %v, %v; before:\n%s", got, err, loadErr, before)
	}
}

func TestBadTuningsAreRefused(t *testing.T) {
	s := Store{t.TempDir()}
	for _, name := range []string{"", "../x", "a b", "x.toml", strings.Repeat("x", 41), "-x"} {
		if _, err := s.Save(name, config.DefaultTuning()); err == nil {
			t.Errorf("%q was saved", name)
		}
	}
	if err := s.Use("gt", "none"); err == nil || !strings.Contains(err.Error(), `tuning "none": not found`) {
		t.Errorf("a tuning that there is not: %v", err)
	}
	wild := config.DefaultTuning()
	wild.Surge = 9
	if _, err := s.Save("wild", wild); err == nil || !strings.Contains(err.Error(), "surge") {
		t.Errorf("a factor of 9: %v", err)
	}
	for text, want := range map[string]string{"[tuning]\nsurge = 9\n": "surge", "[tuning]\nsurges = 1\n": "surges", "x": "motion-bad.toml:1"} {
		if err := os.WriteFile(filepath.Join(s.Dir, "motion-bad.toml"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Load("bad"); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func FuzzLoad(f *testing.F) {
	f.Add([]byte("[tuning]\ngain = 0.5\n"))
	f.Add([]byte("[[use]]\ncar = \"gt\"\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, v := range []interface{ Validate() error }{&saved{config.DefaultTuning()}, &uses{}} {
			if err := config.Decode("tuning", text, v); err == nil && v.Validate() != nil {
				t.Errorf("%q was read", text)
			}
		}
	})
}
