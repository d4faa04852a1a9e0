package recording

import (
	"io"
	"math"

	"rig.example/rig/internal/channels"
	"rig.example/rig/internal/drivelog"
)

// WriteLog writes channels as an MCAP file, for programs that plot them. It holds no inputs, so that it cannot be driven
// again.
func WriteLog(out io.Writer, h *Header, l *drivelog.Log) error {
	known := map[string]channels.Channel{}
	for _, c := range channels.All() {
		known[c.Name] = c
	}
	var list []channels.Channel
	for i := range l.Channels {
		list = append(list, known[l.Channels[i].Name])
	}
	own := *h
	own.Rate = int(l.Rate)
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
			values[k] = l.Channels[k].Values[i]
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
