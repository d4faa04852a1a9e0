package config

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

type engine struct {
	Torque float64 `toml:"max_torque_nm"`
	Idle   float64 `toml:"idle_rpm"`
}

type sample struct {
	Name   string  `toml:"name"`
	Count  int     `toml:"count"`
	Engine engine  `toml:"engine"`
	Motor  *engine `toml:"motor"`
}

func (s *sample) Validate() error {
	var errs []error
	if s.Engine.Torque > 25 {
		errs = append(errs, fmt.Errorf("engine.max_torque_nm = %g: must be 0 to 25", s.Engine.Torque))
	}
	if s.Count > 3 {
		errs = append(errs, errors.New("count is more than 3"))
	}
	return errors.Join(errs...)
}

func TestEveryFaultHasItsPlace(t *testing.T) {
	tests := []struct {
		name, text string
		want       []string
	}{
		{"unknown key", "name = 'a'\n[engine]\n  max_torqe_nm = 3\n", []string{`f.toml:3:3: unknown key "engine.max_torqe_nm"; did you mean "max_torque_nm"?`}},
		{"unit forgotten", "[engine]\nmax_torque = 3\n", []string{`f.toml:2:1: unknown key "engine.max_torque"; did you mean "max_torque_nm"?`}},
		{"wrong unit", "[engine]\nmax_torque_ncm = 300\n", []string{`f.toml:2:1: unknown key "engine.max_torque_ncm"; did you mean "max_torque_nm"?`}},
		{"nothing near", "[engine]\nzzz = 3\n", []string{`f.toml:2:1: unknown key "engine.zzz"; known here: idle_rpm, max_torque_nm`}},
		{"unknown table", "[engin]\nidle_rpm = 3\n", []string{`f.toml:1:2: unknown key "engin"; did you mean "engine"?`}},
		{"out of range", "count = 9\n\n[engine]\nidle_rpm = 1\nmax_torque_nm = 40\n", []string{
			`f.toml:5:1: engine.max_torque_nm = 40: must be 0 to 25`, `f.toml:1:1: count is more than 3`}},
		{"dotted key", "engine.max_torque_nm = 40\n", []string{`f.toml:1:1: engine.max_torque_nm = 40: must be 0 to 25`}},
		{"not TOML", "name = \n", []string{"f.toml:1:"}},
		{"wrong type", "[engine]\nmax_torque_nm = \"strong\"\n", []string{"f.toml:2:"}},
		{"twice", "count = 1\ncount = 2\n", []string{"f.toml:2:"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			err := Decode("f.toml", []byte(tt.text), &sample{})
			if err == nil {
				t.Fatal("accepted")
			}
			lines := strings.Split(err.Error(), "\n")
			if len(lines) != len(tt.want) {
				t.Fatalf("%d lines:\n%v", len(lines), err)
			}
			for i, want := range tt.want {
				if !strings.HasPrefix(lines[i], want) {
					t.Errorf("got  %s\nwant %s", lines[i], want)
				}
			}
			var p *Problem
			if !errors.As(err, &p) {
				t.Error("not a *Problem")
			}
		})
	}
}

// Every fault of the tables of pedals is one line, at the key of its own table.
func TestFaultsOfTablesBelowTables(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"two of one table", "[pedals.shape.throttle]\nlowpass_hz = 5\n[pedals.shape.brake]\nlowpass_hz = -1\nmedian_samples = 4\n",
			[]string{"f.toml:5:1: pedals.shape.brake.median_samples", "f.toml:4:1: pedals.shape.brake.lowpass_hz"}},
		{"the second of a list", "[[pedals.adc]]\naxis = 'brake'\nrate_hz = 50\n[[pedals.adc]]\naxis = 'clutch'\nchannel = '1'\nrate_hz = 60\n",
			[]string{"f.toml:7:1: pedals.adc[1].rate_hz is 60"}},
		{"a key that is missing", "[pedals.shape.throttle]\ncurve = 'gamma'\ngamma = 2\n[pedals.shape.brake]\ncurve = 'gamma'\n",
			[]string{"f.toml:4:2: pedals.shape.brake.gamma = 0"}},
		{"a lever without buttons", "[pedals.shifter]\nkind = 'h'\ndevice = 'x'\n", []string{"f.toml:1:2: pedals.shifter.gear_buttons has 0 names"}},
		{"a table as a value", "wheel = 3\n", []string{"f.toml:1:9: wheel: must not be a TOML integer; write it as a table, [wheel]"}},
		{"a list as a value", "[pedals]\nextra = {}\n", []string{"f.toml:2:9: pedals.extra: must not be a TOML inline table; write it as a table, [[pedals.extra]]"}},
		{"a text in a list of numbers", "[pedals.shape.brake]\npoints_in = ['a']\n", []string{"f.toml:2:14: pedals.shape.brake.points_in: must not be a TOML string; give a list of numbers"}},
	} {
		cfg := Default()
		err := Decode("f.toml", []byte(c.text), &cfg)
		lines := strings.Split(fmt.Sprint(err), "\n")
		if len(lines) != len(c.want) {
			t.Errorf("%s: %v, want %d lines", c.name, err, len(c.want))
			continue
		}
		for i, want := range c.want {
			if !strings.HasPrefix(lines[i], want) {
				t.Errorf("%s:\ngot  %s\nwant %s", c.name, lines[i], want)
			}
		}
	}
}

func TestWrongTypeSaysWhatTheKeyTakes(t *testing.T) {
	err := Decode("f.toml", []byte("[engine]\nmax_torque_nm = \"strong\"\n"), &sample{})
	if err == nil || !strings.Contains(err.Error(), "give a number, in the unit that the key ends with") {
		t.Errorf("got %v", err)
	}
}

func TestMissingFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "none.toml")
	_, err := LoadCar(path)
	if want := path + ": cannot be read: no such file or directory"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func TestDefaultsStayWhereTheFileIsSilent(t *testing.T) {
	s := sample{Name: "default", Engine: engine{Torque: 4, Idle: 800}}
	if err := Decode("f.toml", []byte("[engine]\nidle_rpm = 900\n"), &s); err != nil {
		t.Fatal(err)
	}
	if s.Name != "default" || s.Engine.Torque != 4 || s.Engine.Idle != 900 {
		t.Errorf("%+v", s)
	}
}

func FuzzDecode(f *testing.F) {
	f.Add("name = 'a'\n[engine]\nmax_torque_nm = 3\n")
	f.Add("[engine]\nmax_torque = 3e99\n[[motor]]\n")
	f.Add("\x00=\xff")
	f.Fuzz(func(t *testing.T, text string) {
		err := Decode("f.toml", []byte(text), &sample{})
		if err != nil && strings.TrimSpace(err.Error()) == "" {
			t.Error("refused without a word")
		}
	})
}

// Keys of before say where their meaning went, and faults of controls have their place.
func TestControlsInTheFile(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"a key of before", "[wheel]\nshift_up_button = 'BTN_TOP2'\n", `f.toml:2:1: key "wheel.shift_up_button" was renamed to "buttons.shift_up"`},
		{"an unknown button", "[buttons]\npause = 'BTN_TOP9'\n", "f.toml:2:1: buttons.pause:"},
		{"a button for two", "[buttons]\npause = 'BTN_TOP2'\nreset = 'BTN_TOP2'\n", "f.toml:2:1: buttons.pause: BTN_TOP2 is reset already"},
		{"a stop switch's pull", "[estop]\npin = 'a:0'\npull = 'up'\n", "f.toml:3:1: estop.pull:"},
		{"a converter's chip", "[[pedals.adc]]\naxis = 'brake'\nchip = 'ads9'\n", "f.toml:3:1: pedals.adc[0].chip"},
		{"a converter's default", "[[pedals.adc]]\naxis = 'brake'\n[[pedals.adc]]\naxis = 'clutch'\nchip = 'hx711'\nclock_line = 'gpiochip0:1'\n", "f.toml:3:3: pedals.adc[1].data_line"},
		{"the wheel's own spring", "[wheel]\nspring = 2\n", "f.toml:2:1: wheel.spring"},
	} {
		cfg := Default()
		if err := Decode("f.toml", []byte(c.text), &cfg); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", c.name, err, c.want)
		}
	}
}

// Each fault of a list of tables has the place of its own table, however it is written.
func TestFaultsOfListsHaveTheirOwnPlace(t *testing.T) {
	adc := "[[pedals.adc]]\naxis = 'throttle'\ngain = 1\n\n"
	extra := "[[pedals.extra]]\naxis = 'clutch'\ndevice = 'a'\ncode = 'ABS_X'\n\n"
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"of the second", adc + "[[pedals.adc]]\naxis = 'brake'\nchannel = '1'\ngain = 3\n", []string{"f.toml:8:1: pedals.adc[1].gain = 3"}},
		{"of both", "[[pedals.adc]]\naxis = 'brake'\ngain = 5\n[[pedals.adc]]\naxis = 'clutch'\nchannel = '1'\ngain = 3\n", []string{
			"f.toml:3:1: pedals.adc[0].gain = 5", "f.toml:7:1: pedals.adc[1].gain = 3"}},
		{"two of one table", adc + "[[pedals.adc]]\naxis = 'break'\nchannel = '1'\nsupply_v = 9\n", []string{
			"f.toml:6:1: pedals.adc[1].axis = \"break\"", "f.toml:8:1: pedals.adc[1].supply_v"}},
		{"what is not written", adc + "[[pedals.adc]]\nchannel = '1'\n", []string{`f.toml:5:3: pedals.adc[1].axis = ""`}},
		{"twice the same axis", adc + "[[pedals.adc]]\naxis = 'throttle'\nchannel = '1'\n", []string{"f.toml:6:1: pedals.adc[1].axis: throttle is on adc 1"}},
		{"rates of one chip", adc + "[[pedals.adc]]\naxis = 'brake'\nchannel = '1'\nrate_hz = 50\n", []string{"f.toml:8:1: pedals.adc[1].rate_hz is 50"}},
		{"of another list", adc + extra + "[[pedals.extra]]\naxis = 'handbrake'\ndevice = 'b'\ncode = 'ABS_Q'\n", []string{"f.toml:13:1: pedals.extra[1].code"}},
		{"in braces", "[pedals]\nextra = [\n  {axis='clutch', device='a', code='ABS_X'},\n  {axis='brake', device='b', code='ABS_Q'},\n]\n", []string{"f.toml:4:30: pedals.extra[1].code"}},
		{"in braces, what is not written", "[pedals]\nextra = [\n  {axis='clutch', device='a', code='ABS_X'},\n  {axis='brake', code='ABS_Y'},\n]\n", []string{"f.toml:4:4: pedals.extra[1].device is empty"}},
		{"a table of its own below", "[wheel]\nspring = 2\n" + adc, []string{"f.toml:2:1: wheel.spring"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			cfg := Default()
			err := Decode("f.toml", []byte(c.text), &cfg)
			if err == nil {
				t.Fatal("accepted")
			}
			lines := strings.Split(err.Error(), "\n")
			if len(lines) != len(c.want) {
				t.Fatalf("%d lines:\n%v", len(lines), err)
			}
			for i, want := range c.want {
				if !strings.HasPrefix(lines[i], want) {
					t.Errorf("got  %s\nwant %s", lines[i], want)
				}
			}
		})
	}
}

func TestPlacesOfListsInLists(t *testing.T) {
	at := places([]byte("[[a]]\nk = 1\n[[a.b]]\nk = 1\n[[a]]\n[a.c]\nk = 1\n[[a.b]]\nk = 1\n[[a.b]]\nl = [{k = 1}, 3]\n"))
	for _, c := range []struct {
		key  string
		line int
	}{{"a[0].k", 2}, {"a[0].b[0].k", 4}, {"a[1]", 5}, {"a[1].c.k", 7}, {"a[1].b[0].k", 9}, {"a[1].b[1]", 10}, {"a[1].b[1].l[0].k", 11}} {
		if got := at[c.key].Line; got != c.line {
			t.Errorf("%s is in line %d, want %d", c.key, got, c.line)
		}
	}
}
