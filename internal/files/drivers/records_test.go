package drivers

import (
	"os"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/pelletier/go-toml/v2"

	"rig.example/rig/internal/files/config"
)

func TestRecordsMerge(t *testing.T) {
	old := Record{Lap: 90, LapDate: "a", Sectors: []float64{30, 30, 30}, Dates: []string{"a", "a", "a"}}
	for _, tt := range []struct {
		name   string
		with   Record
		want   Record
		better bool
	}{
		{"nothing", Record{}, old, false},
		{"the same", old, old, false},
		{"a slower lap", Record{Lap: 91, LapDate: "b"}, old, false},
		{"a faster lap", Record{Lap: 89, LapDate: "b", Sectors: []float64{31, 29, 29}, Dates: []string{"b", "b", "b"}}, Record{Lap: 89, LapDate: "b", Sectors: []float64{30, 29, 29}, Dates: []string{"a", "b", "b"}}, true},
		{"a sector alone", Record{Sectors: []float64{0, 29, 0}, Dates: []string{"b", "b", "b"}}, Record{Lap: 90, LapDate: "a", Sectors: []float64{30, 29, 30}, Dates: []string{"a", "b", "a"}}, true},
		{"other sectors", Record{Sectors: []float64{40, 0}, Dates: []string{"b", "b"}}, Record{Lap: 90, LapDate: "a", Sectors: []float64{40, 0}, Dates: []string{"b", ""}}, true},
	} {
		got := old.clone()
		if better := got.merge(tt.with); better != tt.better || !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s: %+v, %v; want %+v, %v", tt.name, got, better, tt.want, tt.better)
		}
	}
}

// Several rigs write records of one driver at once: each one's best is there in the end, and the file is whole all the time.
func TestRigsKeepRecordsAtOnce(t *testing.T) {
	_, s := rigOf(t)
	put(t, s.Profile("anna"), "")
	const rigs, laps = 6, 15
	var all sync.WaitGroup
	for rig := range rigs {
		all.Go(func() {
			for lap := range laps {
				r := Record{Car: "gt", Track: "club", Lap: 100 - float64(lap*rigs+rig), LapDate: "x"}
				if _, err := s.KeepRecord("anna", r); err != nil {
					t.Error(err)
				}
				r = Record{Car: "gt", Track: string(rune('a' + rig)), Lap: 100 - float64(lap), LapDate: "x"}
				if _, err := s.KeepRecord("anna", r); err != nil {
					t.Error(err)
				}
				if _, err := s.Records("anna"); err != nil {
					t.Errorf("read meanwhile: %v", err)
				}
			}
		})
	}
	all.Wait()
	list, err := s.Records("anna")
	if err != nil || len(list) != rigs+1 {
		t.Fatalf("%d records, %v", len(list), err)
	}
	for _, r := range list {
		want := 100.0 - (laps - 1)
		if r.Track == "club" {
			want = 100 - (rigs*laps - 1)
		}
		if r.Lap != want {
			t.Errorf("%s: lap %g, want %g", r.Track, r.Lap, want)
		}
	}
}

// A file that cannot be read is told, and left as it is.
func TestDamagedRecordsAreLeft(t *testing.T) {
	_, s := rigOf(t)
	for _, bad := range []string{"[[record]]\nlap_s = -1\n", "half a fi", "[[record]]\nsectors_s = [1, 2]\n", "[[record]]\nlap = 1\n"} {
		put(t, s.Profile("anna"), "")
		put(t, s.recordsPath("anna"), bad)
		if _, err := s.KeepRecord("anna", Record{Car: "gt", Track: "club", Lap: 1}); err == nil || !strings.Contains(err.Error(), "anna.records.toml") {
			t.Errorf("%q: %v", bad, err)
		}
		if got := get(t, s.recordsPath("anna")); got != bad {
			t.Errorf("%q became %q", bad, got)
		}
	}
}

// A driver who is deleted during a drive gets no new file: the next one of that name would inherit it.
func TestNoRecordsOfADeletedDriver(t *testing.T) {
	cfg, s := rigOf(t)
	session := sessionOf(t, cfg, s, true)
	if _, err := s.Delete("anna"); err != nil {
		t.Fatal(err)
	}
	f := driven(&cfg, 1000)
	f.Lap.Best = 90
	if err := session.End(f, shifting{}); err == nil || !strings.Contains(err.Error(), `records of anna are not kept: driver "anna": not found`) {
		t.Errorf("told: %v", err)
	}
	if _, err := os.Stat(s.recordsPath("anna")); !os.IsNotExist(err) {
		t.Errorf("its records are there: %v", err)
	}
}

func FuzzRecords(f *testing.F) {
	f.Add([]byte("[[record]]\ncar = \"gt\"\ntrack = \"club\"\nlap_s = 90.5\nlap_date = \"2026-01-02T03:04:05Z\"\nsectors_s = [30.0, 60.5]\nsector_dates = [\"\", \"x\"]\n"))
	f.Add([]byte("[[record]]\nlap_s = nan\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		var r recordsFile
		if config.Decode("f.toml", text, &r) != nil {
			return
		}
		for i := range r.List {
			_ = r.List[i].LapText()
			before := r.List[i].clone()
			if before.merge(r.List[i]) {
				t.Errorf("%+v is better than itself", r.List[i])
			}
		}
		again, err := toml.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		var back recordsFile
		if err := config.Decode("again.toml", again, &back); err != nil || len(back.List) != len(r.List) {
			t.Errorf("it is refused when it is read again: %v", err)
		}
	})
}

// The lock's file, and what a killed program leaves, are no drivers.
func TestOnlyProfilesAreDrivers(t *testing.T) {
	cfg, s := rigOf(t)
	if _, _, err := s.New("anna", cfg); err != nil {
		t.Fatal(err)
	}
	if _, err := s.KeepRecord("anna", Record{Car: "gt", Track: "club", Lap: 1}); err != nil {
		t.Fatal(err)
	}
	put(t, s.Window("anna"), "")
	if err := os.WriteFile(s.Dir+"/.rig-0123456789abcdef", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if names, err := s.Names(); err != nil || !slices.Equal(names, []string{"anna"}) {
		t.Errorf("%v, %v", names, err)
	}
}
