package drivers

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"time"

	"github.com/pelletier/go-toml/v2"

	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/files/config"
	"rig.example/rig/internal/kit/userfile"
	"rig.example/rig/internal/kit/valid"
)

// Record is the best that a driver has done with a car on a circuit.
type Record struct {
	Car     string    `toml:"car" json:"car"`                                         // name of the car or of its file
	Track   string    `toml:"track" json:"track"`                                     // name of the circuit or of its file
	Lap     float64   `toml:"lap_s" json:"lap_s" range:"0 (none) or 0.001..1e6"`      // shortest valid lap [s]
	LapDate string    `toml:"lap_date,omitempty" json:"lap_date,omitempty"`           // when it was driven, as RFC 3339
	Sectors []float64 `toml:"sectors_s" json:"sectors_s" range:"0..1e6" count:"0..8"` // shortest times of the sectors [s], 0 for none
	Dates   []string  `toml:"sector_dates" json:"sector_dates" count:"0..8"`          // when they were driven
}

// recordsFile are the contents of a driver's file of records.
type recordsFile struct {
	List []Record `toml:"record" count:"0..10000"`
}

// Validate reports every key that is out of range.
func (r recordsFile) Validate() error {
	errs := []error{valid.Struct(r)}
	for i, x := range r.List {
		if len(x.Dates) != len(x.Sectors) {
			errs = append(errs, fmt.Errorf("record[%d].sector_dates: has %d entries; there must be as many as of sectors_s", i, len(x.Dates)))
		}
	}
	return errors.Join(errs...)
}

// Records returns a driver's records.
func (s Store) Records(name string) ([]Record, error) {
	path := s.recordsPath(name)
	text, err := userfile.Read(path, userfile.MaxText)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	var r recordsFile
	if err := config.Decode(path, text, &r); err != nil {
		return nil, err
	}
	return r.List, nil
}

// KeepRecord puts what is better than before into a driver's records, whatever other programs have put there meanwhile.
// It returns the record that they have now. A driver who is not there, or not any more, has none.
func (s Store) KeepRecord(name string, r Record) (Record, error) {
	unlock, err := s.lock(name)
	if err != nil {
		return r, err
	}
	defer unlock()
	if _, err := s.Text(name); err != nil {
		return r, err
	}
	list, err := s.Records(name)
	if err != nil {
		return r, err // and is left for the driver to look at
	}
	i := slices.IndexFunc(list, r.isFor)
	if i < 0 {
		list, i = append(list, Record{Car: r.Car, Track: r.Track}), len(list)
	}
	if !list[i].merge(r) {
		return list[i], nil
	}
	text, err := toml.Marshal(recordsFile{list})
	if err != nil {
		return r, err
	}
	return list[i], rewrite(s.recordsPath(name), text)
}

// isFor reports whether a record is for the same car and circuit.
func (r *Record) isFor(other Record) bool { return r.Car == other.Car && r.Track == other.Track }

// merge takes over what is better in another record, and reports whether there was anything.
func (r *Record) merge(other Record) (better bool) {
	if isBetter(other.Lap, r.Lap) {
		r.Lap, r.LapDate, better = other.Lap, other.LapDate, true
	}
	if len(r.Sectors) != len(other.Sectors) { // the circuit is divided in another way
		if len(other.Sectors) == 0 {
			return better
		}
		r.Sectors, r.Dates = make([]float64, len(other.Sectors)), make([]string, len(other.Sectors))
	}
	for i, t := range other.Sectors {
		if isBetter(t, r.Sectors[i]) {
			r.Sectors[i], r.Dates[i], better = t, other.Dates[i], true
		}
	}
	return better
}

// isBetter reports whether a time is a better one; 0 is none.
func isBetter(time, than float64) bool { return time > 0 && (than == 0 || time < than) }

// recordOf returns the best of a drive, as its frame tells it now.
func recordOf(f *frame.Frame, now time.Time) Record {
	date := now.UTC().Format(time.RFC3339)
	r := Record{Lap: toMilliseconds(f.Lap.Best), LapDate: date}
	for _, t := range f.Lap.BestSectors[:min(f.Lap.Sectors, frame.MaxSectors)] {
		r.Sectors, r.Dates = append(r.Sectors, toMilliseconds(t)), append(r.Dates, date)
	}
	return r
}

// toMilliseconds rounds a time to milliseconds, as it is shown.
func toMilliseconds(t float64) float64 { return float64(int64(t*1000+0.5)) / 1000 }
