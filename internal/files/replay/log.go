package replay

import (
	"errors"
	"fmt"
	"math"

	"rig.example/rig/internal/core/channels"
	"rig.example/rig/internal/files/drivelog"
	"rig.example/rig/internal/files/recording"
)

// Part is a part of a recording.
type Part struct {
	Start, End float64 // [s] from the beginning; End 0 is the end
	Rate       float64 // samples per second; 0 is as recorded
	Channels   []channels.Channel
	Progress   func(share float64) // is called with the share that Log has read; may be nil
}

// maxValues is how many values a log may have: 2.4 GB.
const maxValues = 300e6

// emptyLog returns the log of a part without samples, and the ticks from and up to which it reaches, and between two
// samples.
func emptyLog(r *recording.Recording, part Part) (l *drivelog.Log, from, to, every uint64, err error) {
	h := &r.Header
	if part.Rate == 0 {
		part.Rate = float64(h.Rate)
	}
	if part.Rate < 1 || part.Rate > 1000 || 1000/part.Rate != math.Trunc(1000/part.Rate) {
		return nil, 0, 0, 0, fmt.Errorf("%g samples per second: must divide 1000", part.Rate)
	}
	every = uint64(1000 / part.Rate)
	from, to = uint64(math.Ceil(part.Start*1000)), r.Length()
	if part.End > 0 {
		to = min(to, uint64(math.Floor(part.End*1000))+1)
	}
	if len(r.Blocks) > 0 {
		from = max(from, r.Blocks[0].First)
	}
	from = (from + every - 1) / every * every
	if to == 0 {
		return nil, 0, 0, 0, errors.New("it holds no drive")
	}
	if from >= to {
		return nil, 0, 0, 0, fmt.Errorf("no drive between %g s and %g s; it lasts %.1f s", part.Start, part.End, float64(r.Length())/1000)
	}
	l = &drivelog.Log{Car: h.CarName, Track: h.Track, Began: h.Began, Start: float64(from) / 1000, Rate: part.Rate}
	n := (to - from + every - 1) / every
	if n > maxValues/uint64(max(len(part.Channels), 1)) {
		return nil, 0, 0, 0, fmt.Errorf("%d samples of %d channels are too many: choose channels, or a part of the drive", n, len(part.Channels))
	}
	for _, c := range part.Channels {
		values := make([]float64, n)
		for i := range values {
			values[i] = math.NaN()
		}
		l.Channels = append(l.Channels, drivelog.Channel{Name: c.Name, Unit: c.Unit, About: c.About, MoTeC: c.MoTeC, Decimals: c.Decimals, Values: values})
	}
	return l, from, to, every, nil
}

// Log returns a part of a recording as samples. A rate above the recorded one is an error; Driven drives it again.
func Log(r *recording.Recording, part Part) (*drivelog.Log, error) {
	if part.Rate > float64(r.Header.Rate) {
		return nil, errors.New("more samples than recorded")
	}
	l, from, to, every, err := emptyLog(r, part)
	if err != nil {
		return nil, err
	}
	if uint64(1000/r.Header.Rate) != every && every%uint64(1000/r.Header.Rate) != 0 {
		return nil, fmt.Errorf("%g samples per second of %d recorded ones: must divide it", l.Rate, r.Header.Rate)
	}
	places := placesOf(&r.Header, part.Channels)
	unread, next := 0, uint64(0)
	for i, e := range r.Blocks {
		if part.Progress != nil {
			part.Progress(float64(i) / float64(len(r.Blocks)))
		}
		if e.Next < from || e.First >= to {
			continue
		}
		d, err := r.Block(e)
		if err != nil {
			unread++
			continue
		}
		if next > 0 && d.First > next && d.Missing == 0 { // otherwise the recording says so
			l.Events = append(l.Events, drivelog.Event{Time: float64(next) / 1000, Kind: drivelog.Gap, Text: fmt.Sprintf("%d ticks are missing: the disk was too slow, or the file is damaged", d.First-next)})
		}
		next = d.First + uint64(d.Count)
		addEvents(l, d, from, to)
		for i := range d.Samples {
			s := &d.Samples[i]
			if s.Tick < from || s.Tick >= to || (s.Tick-from)%every != 0 || s.Group >= len(places) {
				continue
			}
			for k, at := range places[s.Group] {
				if at >= 0 && k < len(s.Values) {
					l.Channels[at].Values[(s.Tick-from)/every] = float64(s.Values[k])
				}
			}
		}
	}
	if unread > 0 {
		l.Events = append(l.Events, drivelog.Event{Time: l.Start, Kind: drivelog.Gap, Text: fmt.Sprintf("%d blocks of the recording cannot be read", unread)})
	}
	return l, nil
}

// placesOf returns for each group of a recording's channels where its values go in a list, or -1.
func placesOf(h *recording.Header, list []channels.Channel) (all [][]int) {
	at := map[string]int{}
	for i := range list {
		at[list[i].Name] = i
	}
	for _, names := range h.GroupNames() {
		row := make([]int, len(names))
		for i, name := range names {
			row[i] = -1
			if place, ok := at[name]; ok {
				row[i] = place
			}
		}
		all = append(all, row)
	}
	return all
}

// addEvents adds the events and laps of a block.
func addEvents(l *drivelog.Log, d *recording.Data, from, to uint64) {
	within := func(tick uint64) bool { return tick >= from && tick < to }
	for _, e := range d.Events {
		if within(e.Tick) {
			l.Events = append(l.Events, drivelog.Event{Time: float64(e.Tick) / 1000, Kind: drivelog.Kind(e.Kind), Text: e.Text})
		}
	}
	for _, k := range d.Laps {
		if within(k.Tick) {
			end := float64(k.Tick+1) / 1000
			l.Laps = append(l.Laps, drivelog.Lap{Number: k.Number, Start: max(0, end-k.Time), Time: k.Time, Valid: k.Valid, Splits: k.Sectors})
		}
	}
}

// sampler takes samples of a drive that a player drives.
type sampler struct {
	p               *Player
	log             *drivelog.Log
	list            []channels.Channel
	from, to, every uint64
	block           *recording.Data
	point           *channels.Point
}

func newSampler(p *Player, part Part) (*sampler, error) {
	l, from, to, every, err := emptyLog(p.rec, part)
	return &sampler{p: p, log: l, list: part.Channels, from: from, to: to, every: every,
		point: channels.OfDrive(p.Drive, &p.In, nil)}, err
}

// take takes a sample of the tick that was just driven, if one is due. It reports whether that tick began a block.
func (s *sampler) take() (newBlock bool) {
	p := s.p
	if newBlock = p.block != s.block; newBlock {
		s.block = p.block
		addEvents(s.log, s.block, s.from, s.to)
	}
	tick := p.tick - 1
	if tick < s.from || tick >= s.to || (tick-s.from)%s.every != 0 {
		return newBlock
	}
	s.point.Tick.Out = p.Out
	for i := range s.list {
		s.log.Channels[i].Values[(tick-s.from)/s.every] = s.list[i].Value(s.point)
	}
	return newBlock
}

// share returns how much of the part is done.
func (s *sampler) share() float64 {
	return float64(s.p.tick-min(s.from, s.p.tick)) / float64(s.to-s.from)
}

// Driven returns a part of a drive as samples, by driving it again. progress is told the share that is done.
func (p *Player) Driven(part Part, progress func(share float64)) (*drivelog.Log, error) {
	s, err := newSampler(p, part)
	if err != nil {
		return nil, err
	}
	if !p.changed {
		if err := p.Seek(s.from); err != nil {
			return nil, err
		}
	}
	for p.tick < s.to {
		if ok, err := p.Next(); err != nil {
			return nil, err
		} else if !ok {
			break
		}
		if s.take() {
			progress(s.share())
		}
	}
	return s.log, nil
}

// Compared are a drive and the same drive in a changed rig.
type Compared struct {
	Base, Changed *drivelog.Log
	Hypothetical  float64 // when the car began to move in another way, so that the recorded hands did not react to it [s]; NaN for never
}

// Compare drives a part of a recording in the rig that recorded it and in one that KEY=VALUE arguments change.
func Compare(r *recording.Recording, set []string, part Part, progress func(share float64)) (*Compared, error) {
	base, err := NewPlayer(r, nil, false)
	if err != nil {
		return nil, err
	}
	changed, err := NewPlayer(r, set, false)
	if err != nil {
		return nil, err
	}
	a, err := newSampler(base, part)
	if err != nil {
		return nil, err
	}
	b, err := newSampler(changed, part)
	if err != nil {
		return nil, err
	}
	c := &Compared{a.log, b.log, math.NaN()}
	for base.tick < a.to {
		due := base.tick + 1
		ok, err := base.Next()
		if err != nil || !ok || base.tick != due { // behind missing ticks the recorded state would undo the changes
			return c, err
		}
		if ok, err = changed.Next(); err != nil || !ok {
			return c, err
		}
		if math.IsNaN(c.Hypothetical) && base.Drive.State.Car != changed.Drive.State.Car {
			c.Hypothetical = float64(base.tick-1) / 1000
		}
		b.take()
		if a.take() {
			progress(a.share())
		}
	}
	return c, nil
}
