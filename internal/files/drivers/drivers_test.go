package drivers

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"rig.example/rig/internal/files/config"
)

// rigOf returns a configuration whose profiles are in a new folder, and its store of drivers.
func rigOf(t *testing.T) (config.Config, Store) {
	t.Helper()
	cfg := config.Default()
	cfg.Profiles = filepath.Join(t.TempDir(), "profiles")
	s, err := StoreOf(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return cfg, s
}

// put writes a file.
func put(t *testing.T, path, text string) {
	t.Helper()
	if err := write(path, []byte(text)); err != nil {
		t.Fatal(err)
	}
}

func get(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestWhereDriversAreKept(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", "/c")
	if s, err := StoreOf(config.Default()); err != nil || s.Dir != "/c/rig/drivers" || s.useFile != "/c/rig/profiles/driver.toml" {
		t.Errorf("%+v, %v", s, err)
	}
	cfg := config.Default()
	cfg.Profiles = "/var/lib/rig/profiles"
	if s, _ := StoreOf(cfg); s.Dir != "/var/lib/rig/profiles/drivers" {
		t.Errorf("%+v", s)
	}
	if path, _ := WindowFile(cfg); path != "/var/lib/rig/profiles/display.toml" {
		t.Errorf("the window's file is %s", path)
	}
	cfg.Driver = "anna"
	if path, _ := WindowFile(cfg); path != "/var/lib/rig/profiles/drivers/anna.window.toml" {
		t.Errorf("the window's file of a driver is %s", path)
	}
}

func TestANewDriverHasWhatTheConfigurationSets(t *testing.T) {
	cfg, s := rigOf(t)
	cfg.FFB.Gain, cfg.Assists.ABS, cfg.Guard.MaxTorque = 0.8, 5, 3
	const chosen = "[eye.gt]\nup_m = 0.02\n"
	put(t, filepath.Join(cfg.Profiles, "display.toml"), chosen)
	path, kept, err := s.New("anna", cfg)
	if err != nil || kept != "" {
		t.Fatal(err, kept)
	}
	if text := get(t, path); !strings.Contains(text, "[ffb]\ngain = 0.8\n") || !strings.Contains(text, "[assists]\nabs = 5\n") || strings.Contains(text, "guard") {
		t.Errorf("the profile is\n%s", text)
	}
	if got := get(t, s.Window("anna")); got != chosen {
		t.Errorf("chosen in the window: %q", got)
	}
	if _, _, err := s.New("anna", cfg); err == nil || !strings.Contains(err.Error(), "exists") {
		t.Errorf("once more: %v", err)
	}
	for _, bad := range []string{"../anna", "none", ""} {
		if _, _, err := s.New(bad, cfg); err == nil {
			t.Errorf("%q was made", bad)
		}
	}
	if names, err := s.Names(); err != nil || !slices.Equal(names, []string{"anna"}) {
		t.Errorf("%v, %v", names, err)
	}
}

func TestWhoDrives(t *testing.T) {
	cfg, s := rigOf(t)
	for i, name := range []string{"anna", "bob", "carl"} {
		put(t, s.Profile(name), "assists.abs = "+string(rune('1'+i))+"\n")
	}
	for _, tt := range []struct {
		flag, use, configured, want string
		abs                         int
	}{
		{"", "", "", "", 0},
		{"", "", "anna", "anna", 1},
		{"", "bob", "anna", "bob", 2},
		{"carl", "bob", "anna", "carl", 3},
		{"none", "bob", "anna", "", 0},
		{"", "none", "anna", "anna", 1},
	} {
		if err := s.Use(config.NoDriver); err != nil {
			t.Fatal(err)
		}
		if tt.use != "" {
			if err := s.Use(tt.use); err != nil {
				t.Fatal(err)
			}
		}
		c := cfg
		c.Driver = tt.configured
		if err := Apply(&c, tt.flag); err != nil || c.Driver != tt.want || c.Assists.ABS != tt.abs {
			t.Errorf("%+v: %q drives with ABS %d, %v", tt, c.Driver, c.Assists.ABS, err)
		}
	}
	c := cfg
	if err := Apply(&c, "dora"); err == nil || !strings.Contains(err.Error(), "choose anna, bob, carl, or run `rig driver new dora`") {
		t.Error(err)
	}
	if err := s.Use("dora"); err == nil {
		t.Error("a driver who is not there is used")
	}
	put(t, s.useFile, "driver = \"../../../x\"\n")
	if err := Apply(&c, ""); err == nil || !strings.Contains(err.Error(), "a driver's name must be") {
		t.Error(err)
	}
	put(t, s.Profile("anna"), "guard.max_torque_nm = 20\n")
	if err := Apply(&c, "anna"); err == nil || !strings.Contains(err.Error(), "anna.toml:1:1: guard.max_torque_nm: protects the person on the rig") || c.Guard.MaxTorque == 20 {
		t.Error(err)
	}
}

func TestDeleteKeepsCopies(t *testing.T) {
	_, s := rigOf(t)
	for range 2 {
		put(t, s.Profile("anna"), "profile")
		put(t, s.Window("anna"), "window")
		put(t, s.recordsPath("anna"), "")
		put(t, s.Profile("anna-2"), "another")
		if err := s.Use("anna"); err != nil {
			t.Fatal(err)
		}
		kept, err := s.Delete("anna")
		if err != nil || get(t, filepath.Join(kept, "anna.toml")) != "profile" || get(t, filepath.Join(kept, "anna.window.toml")) != "window" {
			t.Fatalf("%s, %v", kept, err)
		}
	}
	if names, _ := s.Names(); !slices.Equal(names, []string{"anna-2"}) {
		t.Errorf("left: %v", names)
	}
	if used, err := s.InUse(); used != "" || err != nil {
		t.Errorf("%q is in use, %v", used, err)
	}
	if copies, _ := filepath.Glob(filepath.Join(s.Dir, "deleted-anna-*")); len(copies) != 2 {
		t.Errorf("copies: %v", copies)
	}
	if _, err := s.Delete("anna"); err == nil {
		t.Error("deleted twice")
	}
}

func TestKeepLeavesTheRestOfTheProfile(t *testing.T) {
	cfg, s := rigOf(t)
	put(t, s.Profile("anna"), "# mine\n[ffb]\ngain = 1.0 # full\n")
	cfg.Driver = "anna"
	if err := s.Keep(cfg, map[string]any{"ffb.gain": 0.85, "assists.abs": 2}); err != nil {
		t.Fatal(err)
	}
	if got := get(t, s.Profile("anna")); got != "# mine\n[ffb]\ngain = 0.85 # full\n\n[assists]\nabs = 2\n" {
		t.Errorf("the profile is\n%s", got)
	}
	if err := s.Keep(cfg, map[string]any{"ffb.gain": 2.5}); err == nil {
		t.Error("a gain out of range was kept")
	}
	if err := s.Keep(cfg, map[string]any{"guard.max_torque_nm": 5.0}); err == nil || strings.Contains(get(t, s.Profile("anna")), "guard") {
		t.Errorf("a limit was kept: %v", err)
	}
}

// A key that has no place is named, and the others are kept.
func TestKeepPlacesTheOtherKeys(t *testing.T) {
	cfg, s := rigOf(t)
	cfg.Driver = "anna"
	put(t, s.Profile("anna"), "assists.abs = 1\n")
	err := s.Keep(cfg, map[string]any{"ffb.gain": 2.5, "assists.abs": 3, "tuning.surge": 0.5})
	if err == nil || !strings.Contains(err.Error(), "ffb.gain") || strings.Contains(err.Error(), "abs") || strings.Contains(err.Error(), "\n") {
		t.Errorf("told: %v", err)
	}
	next := cfg
	if err := Apply(&next, "anna"); err != nil || next.Assists.ABS != 3 || next.Tuning.Surge != 0.5 || next.FFB.Gain != cfg.FFB.Gain {
		t.Errorf("%v: the profile is\n%s", err, get(t, s.Profile("anna")))
	}
	put(t, s.Profile("anna"), "x = 1\n")
	if err := s.Keep(cfg, map[string]any{"ffb.gain": 0.5, "assists.abs": 3}); err == nil || strings.Count(err.Error(), "\"x\"") != 1 {
		t.Errorf("a profile that is wrong already: %v", err)
	}
}

// Files without a profile are those of an earlier driver of that name.
func TestANewDriverInheritsNothing(t *testing.T) {
	cfg, s := rigOf(t)
	put(t, s.recordsPath("anna"), "[[record]]\n")
	_, kept, err := s.New("anna", cfg)
	if err != nil || get(t, filepath.Join(kept, "anna.records.toml")) != "[[record]]\n" {
		t.Fatal(kept, err)
	}
	if list, err := s.Records("anna"); len(list) != 0 || err != nil {
		t.Errorf("%+v, %v", list, err)
	}
}
