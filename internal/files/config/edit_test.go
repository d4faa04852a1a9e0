package config

import (
	"strings"
	"testing"

	"github.com/pelletier/go-toml/v2"
)

func TestEditChangesNothingElse(t *testing.T) {
	tests := []struct {
		name, before string
		changes      []KeyChange
		want         string
	}{
		{"an empty file", "", []KeyChange{{"platform", "seat-mover"}, {"motion.port", "/dev/ttyACM0"}, {"motion.baud", 500000}},
			"platform = \"seat-mover\"\n\n[motion]\nport = \"/dev/ttyACM0\"\nbaud = 500000\n"},
		{"a comment at the beginning", "# mine\n", []KeyChange{{"platform", "a"}}, "# mine\nplatform = \"a\"\n"},
		{"a comment of a table", "# mine\n[wheel]\n", []KeyChange{{"platform", "a"}}, "platform = \"a\"\n# mine\n[wheel]\n"},
		{"a value is replaced", "[motion] # the seat\nport = '/dev/a' # left\nbaud = 9600\n", []KeyChange{{"motion.port", "/dev/b"}},
			"[motion] # the seat\nport = \"/dev/b\" # left\nbaud = 9600\n"},
		{"a table without end of line", "[motion]\nbaud = 9600", []KeyChange{{"motion.port", "/dev/b"}}, "[motion]\nbaud = 9600\nport = \"/dev/b\"\n"},
		{"between two tables", "car = \"gt\"\n\n[motion]\nbaud = 9600 # slow\n\n# screens\n[display]\nwindow = true\n", []KeyChange{{"motion.port", "p"}, {"platform", "x"}},
			"car = \"gt\"\nplatform = \"x\"\n\n[motion]\nbaud = 9600 # slow\nport = \"p\"\n\n# screens\n[display]\nwindow = true\n"},
		{"a table without keys", "[motion]\n[display]\n", []KeyChange{{"motion.port", "p"}}, "[motion]\nport = \"p\"\n[display]\n"},
		{"dotted keys", "motion.baud = 9600\n[wheel]\n", []KeyChange{{"motion.port", "p"}}, "motion.baud = 9600\nmotion.port = \"p\"\n[wheel]\n"},
		{"dotted keys in a table", "[pedals]\nshifter.kind = \"h\"\n", []KeyChange{{"pedals.shifter.device", "d"}}, "[pedals]\nshifter.kind = \"h\"\nshifter.device = \"d\"\n"},
		{"a table below", "[motion.smc3]\nfeedback = true\n", []KeyChange{{"motion.port", "p"}}, "[motion.smc3]\nfeedback = true\n\n[motion]\nport = \"p\"\n"},
		{"in an inline table", "motion = { port = \"a\", baud = 9600 } # all\n", []KeyChange{{"motion.port", "b"}}, "motion = { port = \"b\", baud = 9600 } # all\n"},
		{"a list of tables is left alone", "[[pedals.extra]]\naxis = \"clutch\"\n", []KeyChange{{"pedals.device", "p"}}, "[[pedals.extra]]\naxis = \"clutch\"\n\n[pedals]\ndevice = \"p\"\n"},
		{"a list over several lines", "[pedals.shifter]\ngear_buttons = [\n \"A\", # one\n]\nkind = \"h\"\n", []KeyChange{{"pedals.shifter.gear_buttons", []string{"B", "C"}}}, "[pedals.shifter]\ngear_buttons = [\"B\", \"C\"]\nkind = \"h\"\n"},
		{"line ends of another system", "car = \"gt\"\r\n[motion]\r\nbaud = 9600\r\n", []KeyChange{{"motion.port", "p"}, {"platform", "x"}}, "car = \"gt\"\r\nplatform = \"x\"\r\n[motion]\r\nbaud = 9600\r\nport = \"p\"\r\n"},
		{"quotes", "", []KeyChange{{"motion.port", "a\"b\\c\x7f<é>"}}, "[motion]\nport = \"a\\\"b\\\\c\\u007f<é>\"\n"},
		{"one more table of a list", "[[pedals.extra]]\naxis = \"clutch\" # left\n[wheel]", []KeyChange{{"pedals.extra", []KeyChange{{"axis", "handbrake"}, {"code", "ABS_X"}}}},
			"[[pedals.extra]]\naxis = \"clutch\" # left\n[wheel]\n\n[[pedals.extra]]\naxis = \"handbrake\"\ncode = \"ABS_X\"\n"},
		{"a table of a list", "[[pedals.extra]]\naxis = \"clutch\"\n[[pedals.extra]]\naxis = \"handbrake\" # right\ncode = \"ABS_X\"\n", []KeyChange{{"pedals.extra[1].code", "ABS_Y"}, {"pedals.extra[1].device", "d"}},
			"[[pedals.extra]]\naxis = \"clutch\"\n[[pedals.extra]]\naxis = \"handbrake\" # right\ncode = \"ABS_Y\"\ndevice = \"d\"\n"},
		{"a whole number of a length", "", []KeyChange{{"display.screens.distance_m", 1.0}}, "[display.screens]\ndistance_m = 1.0\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Edit([]byte(tt.before), tt.changes)
			if err != nil || string(got) != tt.want {
				t.Fatalf("%v\n%s\nwant\n%s", err, got, tt.want)
			}
			if _, adds := tt.changes[0].value.([]KeyChange); adds {
				return
			}
			if again, err := Edit(got, tt.changes); err != nil || string(again) != string(got) {
				t.Errorf("the second time: %v\n%s", err, again)
			}
		})
	}
}

// What cannot be changed safely is refused, with the lines that the user must write.
func TestEditRefusesWhatItWouldDisturb(t *testing.T) {
	list := KeyChange{"pedals.extra", []KeyChange{{"axis", "handbrake"}}}
	for _, before := range []string{"pedals.extra = [{axis = \"clutch\"}]\n", "pedals.extra = 3\n", "[pedals.extra]\n"} {
		if got, err := Edit([]byte(before), []KeyChange{list}); err == nil || !strings.Contains(err.Error(), `[[pedals.extra]] axis = "handbrake"`) {
			t.Errorf("%q became %q, %v", before, got, err)
		}
	}
	for _, before := range []string{"", "[[pedals.extra]]\n", "pedals.extra = [{}, {}]\n", "[pedals]\n\"extra[1]\" = {}\n"} {
		if got, err := Edit([]byte(before), []KeyChange{{"pedals.extra[1].code", "ABS_X"}}); err == nil {
			t.Errorf("%q became %q", before, got)
		}
	}
	for _, before := range []string{"motion = { baud = 9600 }\n", "motion = 3\n", "\"motion.port\" = 3\n[[motion]]\n", "\"motion.port\" = 3\n"} {
		if got, err := Edit([]byte(before), []KeyChange{{"motion.port", "p"}}); err == nil || !strings.Contains(err.Error(), `motion.port = "p"`) {
			t.Errorf("%q became %q, %v", before, got, err)
		}
	}
}

// Keys are set in the order of their names, whatever the case in which the text writes them.
func TestSetKeys(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"", "driver = \"anna\"\n[display]\ncamera = 2\n\n[ffb]\ngain = 0.8\n"},
		{"# mine\n[FFB]\nGain = 1 # full\n[Display]\n", "driver = \"anna\"\n# mine\n[FFB]\nGain = 0.8 # full\n[Display]\ncamera = 2\n"},
		{"FFB.gain = 1\nDisplay.x = 1\n", "FFB.gain = 0.8\nDisplay.x = 1\nDisplay.camera = 2\ndriver = \"anna\"\n"},
	} {
		got, err := SetKeys([]byte(tt.text), map[string]any{"ffb.gain": 0.8, "driver": "anna", "display.camera": 2})
		if err != nil || string(got) != tt.want {
			t.Errorf("%v\n%s\nwant\n%s", err, got, tt.want)
		}
	}
}

func FuzzEdit(f *testing.F) {
	for _, s := range []string{"", "a = 1", "[motion]\nport='x'", "motion.port = 3\n", "motion={port=1}", "[[motion]]\n", "[a]\n[motion.b]\nc=\"\"\"\n[motion]\n\"\"\"\n", "# c\n\n[x]"} {
		f.Add(s, "p")
	}
	f.Fuzz(func(t *testing.T, before, value string) {
		var was, is map[string]any
		if toml.Unmarshal([]byte(before), &was) != nil || strings.ToLower(before) != before { // TestSetKeys has other cases
			return
		}
		out, err := Edit([]byte(before), []KeyChange{{"motion.port", value}})
		if err != nil {
			return // refused, and nothing was changed
		}
		if err := toml.Unmarshal(out, &is); err != nil {
			t.Fatalf("%q became %q: %v", before, out, err)
		}
		motion, _ := is["motion"].(map[string]any)
		if motion["port"] != strings.ToValidUTF8(value, "\ufffd") {
			t.Fatalf("%q became %q, which does not have %q", before, out, value)
		}
		delete(motion, "port")
		if had, _ := was["motion"].(map[string]any); had != nil {
			delete(had, "port")
		} else if len(motion) == 0 {
			delete(is, "motion")
		}
		if !sameKeys(was, is) {
			t.Fatalf("%q became %q", before, out)
		}
	})
}
