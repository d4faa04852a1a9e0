package testrun

import (
	"testing"

	"rig.example/rig/sim/assist"
)

func TestAssistsAreRead(t *testing.T) {
	tests := []struct {
		name, text string
		want       assist.Switches
		again      string // as it is written in results
	}{
		{"all", "abs=5,traction=4,stability=10,clutch,shifting,launch,pit",
			assist.Switches{ABS: 5, Traction: 4, Stability: 10, AutoClutch: true, AutoShift: true, Launch: true, PitLimiter: true},
			"abs=5,traction=4,stability=10,clutch,shifting,launch,pit"},
		{"any order, with spaces", "launch, abs=1", assist.Switches{ABS: 1, Launch: true}, "abs=1,launch"},
		{"off", "abs=0", assist.Switches{}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := ParseAssists(tt.text)
			if err != nil || got != tt.want {
				t.Fatalf("%+v, %v", got, err)
			}
			if again := assistText(got); again != tt.again {
				t.Errorf("written as %q, want %q", again, tt.again)
			}
		})
	}
}

func TestFaultsOfAssistsNameTheRemedy(t *testing.T) {
	const known = "choose abs=5, traction=5, stability=5 (levels of 0 to 10), clutch, shifting, launch or pit, with commas between"
	tests := []struct{ name, text, want string }{
		{"not known", "esc=5", `"esc" not found; ` + known},
		{"nothing", "", `"" not found; ` + known},
		{"a comma too many", "abs=5,", `"" not found; ` + known},
		{"no level", "abs", "abs needs a level from 0 (off) to 10 (early); write abs=5"},
		{"too high", "abs=11", "abs=11: the level must be a whole number from 0 (off) to 10 (early); 5 is typical"},
		{"below 0", "stability=-1", "stability=-1: the level must be a whole number from 0 (off) to 10 (early); 5 is typical"},
		{"a share", "traction=0.5", "traction=0.5: the level must be a whole number from 0 (off) to 10 (early); 5 is typical"},
		{"a switch with a level", "clutch=1", "clutch=1: it is a switch without a level; write clutch"},
		{"twice", "abs=1,abs=2", "abs occurs twice; remove one"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got, err := ParseAssists(tt.text); err == nil || err.Error() != tt.want || got != (assist.Switches{}) {
				t.Errorf("got  %v, %+v\nwant %s", err, got, tt.want)
			}
		})
	}
}

func FuzzParseAssists(f *testing.F) {
	for _, text := range []string{"", "abs=5", "abs=5,traction=5,stability=5,clutch,shifting,launch,pit", "abs=,=,", "abs=256"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		a, err := ParseAssists(text)
		if err != nil {
			return
		}
		if a.ABS > 10 || a.Traction > 10 || a.Stability > 10 {
			t.Fatalf("%q gives %+v", text, a)
		}
		if written := assistText(a); written != "" {
			if again, err := ParseAssists(written); err != nil || again != a {
				t.Fatalf("%q is written as %q, which gives %+v, %v", text, written, again, err)
			}
		}
	})
}
