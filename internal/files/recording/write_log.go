package recording

import (
	"io"
	"math"

	"rig.example/rig/internal/core/channels"
	"rig.example/rig/internal/files/drivelog"
)

// WriteLog writes channels as an MCAP file, for programs that plot them. It holds no inputs, so that it cannot be driven
// again.
func WriteLog(out io.Writer, h *Header, l *drivelog.Log) error {
	var list []channels.Channel // in their own order, so that each group is there once
	var of []*drivelog.Channel
	for _, c := range channels.All() {
		if v := l.Channel(c.Name); v != nil {
			list, of = append(list, c), append(of, v)
		}
	}
	own := Header{Format: Version, Version: h.Version, Commit: h.Commit, Target: h.Target, Began: h.Began, CarName: h.CarName, Track: h.Track, Rate: int(l.Rate)}
	own.SetChannels(list)
	w, err := NewWriter(out, &own, list)
	if err != nil {
		return err
	}
	p, err := newPacker(&own, groups(list))
	if err != nil {
		return err
	}
	values, b := make([]float64, len(list)), newBlock()
	every := uint64(math.Round(1000 / l.Rate))
	first := uint64(math.Round(l.Start * 1000))
	for i := range l.Len() {
		tick := first + uint64(i)*every
		if i == 0 {
			p.begin(tick)
		} else if tick/(10*blockTicks) != (tick-every)/(10*blockTicks) {
			p.finish(b)
			if err := w.Write(b); err != nil {
				return err
			}
			p.begin(tick)
		}
		for k := range values {
			values[k] = of[k].Values[i]
		}
		p.sample(tick, values)
	}
	if l.Len() > 0 {
		p.finish(b)
		if err := w.Write(b); err != nil {
			return err
		}
	}
	return w.Close()
}
