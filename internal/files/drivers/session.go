package drivers

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"rig.example/rig/cueing"
	"rig.example/rig/internal/core/drive"
	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/files/config"
	"rig.example/rig/internal/kit/userfile"
)

// Session is a drive of a driver. Its methods do not wait for files but End; one goroutine calls them.
type Session struct {
	store     Store
	cfg       config.Config
	hasRecord bool // records are kept
	best      Record
	before    Record // as the drive found it
	now       func() time.Time

	keep  chan Record // to be kept; the newest counts. It is nil until there is one
	ended chan error
	kept  bool // what was changed by keys is in the profile

	notice      string
	noticeUntil uint64 // tick
}

// NewSession begins the drive of the driver in cfg.Driver, or returns nil if there is none. Without records none are
// kept, because somebody else may drive: a driver model. The error is about records that cannot be read; the others are
// kept as usual.
func NewSession(cfg config.Config, records bool) (*Session, error) {
	if cfg.Driver == "" {
		return nil, nil
	}
	store, err := StoreOf(cfg)
	if err != nil {
		return nil, err
	}
	s := &Session{store: store, cfg: cfg, now: time.Now}
	s.best = Record{Car: userfile.BaseName(cfg.Car), Track: userfile.BaseName(cfg.Track)}
	if records {
		var list []Record
		if list, err = store.Records(cfg.Driver); err == nil {
			s.hasRecord = true
			if i := slices.IndexFunc(list, s.best.isFor); i >= 0 {
				s.best = list[i].clone()
			}
		}
	}
	s.before = s.best.clone()
	return s, err
}

// clone returns a record that shares nothing.
func (r Record) clone() Record {
	r.Sectors, r.Dates = slices.Clone(r.Sectors), slices.Clone(r.Dates)
	return r
}

// startKeeping starts to write records as they come, until there are no more.
func (s *Session) startKeeping() {
	keep, ended := make(chan Record, 1), make(chan error, 1)
	s.keep, s.ended = keep, ended
	go func() {
		var err error
		for r := range keep {
			_, err = s.store.KeepRecord(s.cfg.Driver, r)
		}
		ended <- err
	}()
}

// noticeTime is how long a beaten record is shown [ticks].
const noticeTime = 6000

// See looks at a frame of the drive. It returns what to tell the driver now, "" for nothing, and whether that is new.
func (s *Session) See(f *frame.Frame) (notice string, isNew bool) {
	if s.hasRecord {
		isNew = s.seeLaps(f)
	}
	if f.Tick >= s.noticeUntil {
		s.notice = ""
	}
	return s.notice, isNew
}

// seeLaps keeps what is better than the record, and reports whether there is something new to tell.
func (s *Session) seeLaps(f *frame.Frame) bool {
	former := s.best.Lap
	if !s.best.merge(recordOf(f, s.now())) {
		return false
	}
	if s.keep == nil {
		s.startKeeping()
	}
	select { // the newest has all that an earlier one had
	case <-s.keep:
	default:
	}
	s.keep <- s.best.clone()
	if s.best.Lap == former {
		return false // a sector is told with its lap
	}
	s.notice = "RECORD: " + frame.FormatTime(s.best.Lap, 3)
	if former > 0 {
		s.notice += fmt.Sprintf(", %.3f s better than before", former-s.best.Lap)
	}
	s.noticeUntil = f.Tick + noticeTime
	return true
}

// Gearbox tells who changes gears, and whether the driver has changed that: a drive.Drive.
type Gearbox interface {
	ShiftingChanged() (drive.Mode, bool)
}

// End ends a drive with its last frame: it keeps what was changed by keys, and waits until everything is written.
func (s *Session) End(f *frame.Frame, d Gearbox) error {
	s.See(f)
	var errs []error
	if s.keep != nil {
		close(s.keep)
		if err := <-s.ended; err != nil {
			errs = append(errs, fmt.Errorf("records of %s are not kept: %w", s.cfg.Driver, err))
		}
	}
	keys := changedKeys(&s.cfg, f)
	if mode, changed := d.ShiftingChanged(); changed {
		keys["assists.automatic_shifting"] = map[drive.Mode]string{drive.Auto: config.Auto, drive.On: config.On, drive.Off: config.Off}[mode]
	}
	err := s.store.Keep(s.cfg, keys)
	if s.kept = err == nil; !s.kept {
		errs = append(errs, fmt.Errorf("what was changed by keys is not kept for %s: %w", s.cfg.Driver, err))
	}
	return errors.Join(errs...)
}

// changedKeys returns the keys of the configuration that were changed in a drive, whose last frame this is, with their
// new values.
func changedKeys(cfg *config.Config, f *frame.Frame) map[string]any {
	keys := map[string]any{}
	if share := f.Tuned[drive.ForceGain-1]; !math.IsNaN(share) && share != 1 {
		keys["ffb.gain"] = f.Gain
	}
	tuning := cueing.Tuning(cfg.Tuning)
	for i, factor := range drive.Factors(&tuning) {
		key := "gain" // of all motion
		if i > 0 {
			key = strings.TrimPrefix(drive.FactorNames()[int(drive.MotionGain)-1+i], "motion_")
		}
		if f.Motion.Tuning[i] != *factor {
			keys["tuning."+key] = f.Motion.Tuning[i]
		}
	}
	if f.Tick == 0 || f.Follow.On == 1 { // the car's aids have not been used
		return keys
	}
	for key, level := range map[string][2]int{
		"assists.abs": {int(f.ABS), cfg.Assists.ABS}, "assists.traction": {int(f.Traction), cfg.Assists.Traction}, "assists.stability": {int(f.Stability), cfg.Assists.Stability},
	} {
		if level[0] != level[1] {
			keys[key] = level[0]
		}
	}
	return keys
}

// Summary tells of a driver at the end of a drive.
type Summary struct {
	Name   string  `json:"name"`
	Beaten bool    `json:"beaten"`           // the drive has improved the record
	Record *Record `json:"record,omitempty"` // best with the drive's car on its circuit
	Before *Record `json:"before,omitempty"` // the one before, if it is beaten
	Kept   bool    `json:"kept"`             // what was changed by keys is in the profile
}

// Summary returns what to tell of the driver after End.
func (s *Session) Summary() *Summary {
	sum := &Summary{Name: s.cfg.Driver, Kept: s.kept}
	if before := s.before.clone(); s.hasRecord {
		sum.Beaten = before.merge(s.best)
		if sum.Record = &s.best; sum.Beaten {
			sum.Before = &s.before
		}
	}
	return sum
}

// String returns the summary as a line, or "" if there is no record.
func (s *Summary) String() string {
	if s.Record == nil || s.Record.Lap == 0 && len(s.Record.Sectors) == 0 {
		return ""
	}
	verb := "record"
	if s.Beaten {
		verb = "new record"
	}
	text := fmt.Sprintf("%s of %s with %s on %s: %s", verb, s.Name, s.Record.Car, s.Record.Track, s.Record.LapText())
	if s.Beaten && s.Before.Lap > 0 {
		text += "; before: " + s.Before.LapText()
	}
	return text
}

// LapText returns lap, sectors and date of a record.
func (r *Record) LapText() string {
	text := "no valid lap"
	if r.Lap > 0 {
		text = "lap " + frame.FormatTime(r.Lap, 3)
		if date, err := time.Parse(time.RFC3339, r.LapDate); err == nil {
			text += " of " + date.Local().Format("2006-01-02")
		}
	}
	for i, t := range r.Sectors {
		if t > 0 {
			text += fmt.Sprintf(", sector %d %.3f", i+1, t)
		}
	}
	return text
}
