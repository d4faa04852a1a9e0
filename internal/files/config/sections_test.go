package config

import (
	"errors"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// AllSections are those of all features.
var AllSections []Section

// wholeType returns the type of a rig's file with the keys of all features.
func wholeType() reflect.Type {
	c := Default(AllSections...)
	return c.wholeType()
}

// radio is a section with every trait.
type radio struct {
	Radio struct {
		File    string    `toml:"file"`
		Volume  float64   `toml:"volume" range:"0..1"`
		Presets []station `toml:"preset"`
	} `toml:"radio"`
	Stations []station `toml:"station" count:"0..2"`
}

type station struct {
	Name string `toml:"name"`
}

func (r *radio) Validate() error {
	if r.Radio.Volume > 1 {
		return errors.New("radio.volume = 2: must be 0 to 1")
	}
	return nil
}

func (r *radio) ResolvePaths(folder string) { r.Radio.File = filepath.Join(folder, r.Radio.File) }

func radioSection() Section {
	return Section{Tables: &radio{}, Driver: []string{"radio.volume"}, Protecting: []string{"radio.file"}, Private: true}
}

func TestASectionIsPartOfTheFile(t *testing.T) {
	const text = "car = 'gt'\n[radio]\nfile = 'a.mp3'\nvolume = 0.5\n[[station]]\nname = 'one'\n"
	c, err := Parse("/etc/rig/rig.toml", []byte(text), radioSection())
	got := Get[radio](&c)
	if err != nil || c.Car != "gt" || got.Radio.File != "/etc/rig/a.mp3" || got.Radio.Volume != 0.5 || len(got.Stations) != 1 {
		t.Fatalf("%v, %+v", err, got)
	}
	copied := c
	if err := c.ApplyDriver("anna.toml", []byte("radio.volume = 0.25\n")); err != nil || Get[radio](&c).Radio.Volume != 0.25 || Get[radio](&copied).Radio.Volume != 0.5 {
		t.Errorf("%v, %+v, a copy has %+v", err, Get[radio](&c), Get[radio](&copied))
	}
	if keys, err := DriverKeys(c); err != nil || len(keys) != 1 || keys["radio.volume"] != 0.25 {
		t.Errorf("%v, %v", keys, err)
	}
	if c.DropPrivate(); Get[radio](&c).Radio.File != "" {
		t.Errorf("a recording has %+v", Get[radio](&c))
	}
	core := Default()
	if got := Get[radio](&core); got.Radio.Volume != 0 || len(got.Stations) != 0 {
		t.Errorf("without the section: %+v", got)
	}
	for text, want := range map[string]string{
		"[radio]\nvolume = 2\n":                     "f.toml:2:1: radio.volume = 2: must be 0 to 1",
		"[radio]\nvolum = 1\n":                      `f.toml:2:1: unknown key "radio.volum"; did you mean "volume"?`,
		"[radi]\n":                                  `f.toml:1:2: unknown key "radi"; did you mean "radio"?`,
		"[[station]]\n[[station]]\n[[station]]\n":   "f.toml:3:3: station: has 3 entries; give up to 2",
		"[ffb]\ndamping_nms_per_rad = 1\n[radio]\n": `f.toml:2:1: key "ffb.damping_nms_per_rad" was renamed to "ffb.rim.damping"`,
	} {
		if _, err := Parse("f.toml", []byte(text), radioSection()); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
	for key, why := range map[string]string{"radio.file = 'x'": "protects the person", "station = []": "belongs to the rig"} {
		if err := c.ApplyDriver("anna.toml", []byte(key)); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%s: %v, want %s", key, err, why)
		}
	}
}

// A program without a feature reads the recordings of one that has it, and writes all that it has read.
func TestARecordingKeepsTablesOfOtherFeatures(t *testing.T) {
	for _, stations := range [][]station{nil, {{"one"}, {"two"}}} {
		full, tables := Default(radioSection()), &radio{Stations: stations}
		tables.Radio.Presets = stations
		full.Put(tables)
		text, err := EncodeTOML(full)
		if err != nil {
			t.Fatal(err)
		}
		c, err := ParseRecorded("the recording", text)
		if err != nil || c.Wheel != full.Wheel {
			t.Fatalf("%v, %+v", err, c.Wheel)
		}
		want, _ := Keys(full) // has no error, as the text shows
		if again, err := Keys(c); err != nil || !reflect.DeepEqual(again, want) {
			t.Errorf("%v, it has become\n%v, want\n%v", err, again, want)
		}
		if err := c.Set("ffb.gain=0.5"); err != nil || c.FFB.Gain != 0.5 {
			t.Errorf("%v, gain %g", err, c.FFB.Gain)
		}
		if c, err = ParseRecorded("the recording", text, radioSection()); err != nil || len(Get[radio](&c).Stations) != len(stations) || len(c.foreign) > 0 {
			t.Errorf("%v, %+v, %v", err, Get[radio](&c), c.foreign)
		}
	}
	for text, want := range map[string]string{
		"[later]\nx = 1\n[wheel]\nfull_torque_nm = -1\n": "r:4:1: wheel.full_torque_nm = -1", "later = 1\n": `r:1:1: unknown key "later"`,
		"later = [1]\n": `r:1:1: unknown key "later"`, "'a,b' = {x = 1}\n": `r:1:1: unknown key "a,b"`, "[''.x]\n": `r:1:2: unknown key`, "['-']\n": `r:1:2: unknown key`, "[wheel": "r:1",
	} {
		if _, err := ParseRecorded("r", text); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// What is read of a recording can be written, and read again.
func FuzzParseRecorded(f *testing.F) {
	f.Add("car = 'gt'\nlater = []\n[radio]\nvolume = 0.5\n[[station]]\nname = 'a'\n[x.y]\n")
	f.Add("[a]\nb = [{c = 1}, [2.5, 1979-05-27]]\n[A]\n['\\u0000 \"`']\n")
	f.Fuzz(func(t *testing.T, text string) {
		c, err := ParseRecorded("r", text)
		if err != nil {
			return
		}
		again, err := EncodeTOML(c)
		if err == nil {
			_, err = ParseRecorded("r", again)
		}
		if err != nil {
			t.Errorf("%v in\n%s", err, again)
		}
	})
}
