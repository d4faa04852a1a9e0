package drivereport

import (
	"encoding/base64"
	"encoding/binary"
	"math"
	"slices"
	"time"

	"rig.example/rig/internal/core/loop"
	"rig.example/rig/internal/files/drivelog"
	"rig.example/rig/internal/kit/printable"
	"rig.example/rig/internal/kit/valid"
)

// maxSamples is the largest number of samples of a channel in the page.
const maxSamples = 20_000

// data is what the page's script reads, as JSON.
type data struct {
	Drives  []drive
	Plots   []plot
	Station string
	Map     []string   // channels of the position, x and y; nil without a map
	GG      []string   // channels of the acceleration, to the left and forward; nil without a diagram
	Bins    []loop.Bin // of the loop's lateness
}

type drive struct {
	Title    string
	Start    float64 // time of the first sample [s]
	Step     float64 // time between two samples [s]
	Count    int     // of samples
	Laps     []drivelog.Lap
	Events   []drivelog.Event
	Channels map[string]channel
}

type channel struct {
	Unit   string
	Digits int    // decimals to show
	Values string // float32, little-endian, in base64
}

// dataOf returns what the page shows of a report: the channels that have values, and the plots that have channels.
func dataOf(r Report) data {
	d := data{Station: station, Bins: r.Lateness}
	for i, log := range r.Drives {
		d.Drives = append(d.Drives, driveOf(log, r.title(i)))
	}
	if c := r.Drives[0].Channel(lateness); c != nil && len(d.Bins) == 0 {
		d.Bins = histogram(c.Values)
	}
	for _, p := range plots {
		if p = d.plotted(p); len(p.Lines) > 0 {
			d.Plots = append(d.Plots, p)
		}
	}
	if d.channel(posX) != nil && d.channel(posY) != nil {
		d.Map = []string{posX, posY}
	}
	if d.channel(accelX) != nil && d.channel(accelY) != nil {
		d.GG = []string{accelY, accelX}
	}
	return d
}

// channel returns the channel of the first drive that has it, or nil.
func (d data) channel(name string) *channel {
	for _, v := range d.Drives {
		if c, ok := v.Channels[name]; ok {
			return &c
		}
	}
	return nil
}

// plotted returns a plot with those of its lines that a drive has, and with their unit.
func (d data) plotted(p plot) plot {
	found, thin := []line{}, false
	for _, l := range p.Lines {
		switch c := d.channel(l.Channel); {
		case c != nil:
			p.Unit = c.Unit
		case l.Channel != difference || d.channel(station) == nil:
			continue
		}
		found, thin = append(found, l), thin || !l.Broad
	}
	for i := range found {
		found[i].Broad = found[i].Broad && thin // nothing lies behind nothing
	}
	p.Lines = found
	return p
}

func driveOf(log *drivelog.Log, title string) drive {
	k := stride(log.Len())
	d := drive{
		Title: title, Start: log.Start, Step: float64(k) / log.Rate, Count: (log.Len() + k - 1) / k,
		Laps: log.Laps, Events: log.Events, Channels: map[string]channel{},
	}
	add := func(c *drivelog.Channel, wanted string) {
		if c != nil && slices.ContainsFunc(c.Values, valid.Finite) {
			d.Channels[c.Name] = channelOf(c, wanted, k)
		}
	}
	for _, name := range []string{station, posX, posY} {
		add(log.Channel(name), "")
	}
	for _, p := range plots {
		for _, l := range p.Lines {
			if c := log.Channel(l.Channel); c == nil || !p.Sparse || slices.ContainsFunc(c.Values, isMoving) {
				add(c, p.Unit)
			}
		}
	}
	add(clipping(log), "")
	return d
}

// isMoving reports whether a value is known and not 0.
func isMoving(v float64) bool { return valid.Finite(v) && v != 0 }

func channelOf(c *drivelog.Channel, wanted string, k int) channel {
	unit, factor := shown(c.Unit, wanted)
	bytes := []byte{}
	for _, v := range decimated(c.Values, k, slices.Contains(pairs, c.Name)) {
		bytes = binary.LittleEndian.AppendUint32(bytes, math.Float32bits(float32(v*factor)))
	}
	digits := c.Decimals - int(math.Round(math.Log10(factor)))
	return channel{printable.Name(unit), min(max(digits, 0), 3), base64.StdEncoding.EncodeToString(bytes)}
}

// stride returns how many samples of a log become one in the page.
func stride(samples int) int { return max(1, (samples+maxSamples-1)/maxSamples) }

// decimated returns one of every k samples, from the first on. If plain is false it returns instead the smallest and
// the largest of every 2k, in their order, so that no peak is lost; a NaN is dropped if the others are known.
func decimated(values []float64, k int, plain bool) []float64 {
	if k == 1 {
		return values
	}
	kept := []float64{}
	for i := 0; i < len(values); i += k {
		kept = append(kept, values[i])
	}
	for i := 0; i < len(kept) && !plain; i += 2 {
		first, second := extremes(values[i*k : min((i+2)*k, len(values))])
		kept[i] = first
		if i+1 < len(kept) {
			kept[i+1] = second
		}
	}
	return kept
}

// extremes returns the smallest and the largest finite value in the order in which they come, or NaN if there is none.
func extremes(values []float64) (first, second float64) {
	low, high := -1, -1
	for i, v := range values {
		if !valid.Finite(v) {
			continue
		}
		if low < 0 || v < values[low] {
			low = i
		}
		if high < 0 || v > values[high] {
			high = i
		}
	}
	if low < 0 {
		return math.NaN(), math.NaN()
	}
	return values[min(low, high)], values[max(low, high)]
}

// clipping returns a channel that is 1 where clearly less torque is sent to the rim than requested, or nil.
func clipping(log *drivelog.Log) *drivelog.Channel {
	request, sent := log.Channel(asked), log.Channel(torque)
	if request == nil || sent == nil {
		return nil
	}
	c := &drivelog.Channel{Name: clipped, Values: make([]float64, len(sent.Values))}
	for i, v := range sent.Values {
		switch lost := math.Abs(request.Values[i]) - math.Abs(v); {
		case !valid.Finite(lost):
			c.Values[i] = math.NaN()
		case lost > 0.1+0.02*math.Abs(v): // [N·m]; below is what filters and rounding change
			c.Values[i] = 1
		}
	}
	return c
}

// histogram counts latenesses [s].
func histogram(values []float64) []loop.Bin {
	var h loop.Histogram
	for _, v := range values {
		if valid.Finite(v) {
			h.Add(time.Duration(valid.Clamp(v, 0, 3600) * float64(time.Second)))
		}
	}
	return h.Bins()
}
