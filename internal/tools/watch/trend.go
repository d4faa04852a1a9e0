package watch

import (
	"fmt"
	"math"
	"strings"
	"time"

	"rig.example/rig/internal/live/console"
)

// rate measures how often something happens, over the last two seconds.
type rate struct {
	times  []time.Duration
	counts []uint64
}

// add takes the number of events up to a time.
func (r *rate) add(at time.Duration, count uint64) {
	const over = 2 * time.Second
	r.times, r.counts = append(r.times, at), append(r.counts, count)
	for len(r.times) > 2 && at-r.times[1] >= over {
		r.times, r.counts = r.times[1:], r.counts[1:]
	}
}

// perSecond returns the rate [1/s], or NaN before half a second is over.
func (r *rate) perSecond() float64 {
	last := len(r.times) - 1
	if last < 1 || r.times[last]-r.times[0] < time.Second/2 {
		return math.NaN()
	}
	return float64(r.counts[last]-r.counts[0]) / (r.times[last] - r.times[0]).Seconds()
}

// trend is the course of a value: a figure for each of the last seconds, NaN where nothing was seen.
type trend struct {
	second int64     // number of the newest second
	values []float64 // the newest comes last
	sums   bool      // each counts events, so that the newest is not complete
}

// maxTrend is the longest trend [s].
const maxTrend = 60

// at returns the figure of a second, NaN if it is new.
func (c *trend) at(second int64) *float64 {
	if len(c.values) == 0 {
		c.second, c.values = second, []float64{math.NaN()}
	}
	for range min(max(second-c.second, 0), maxTrend+1) {
		c.values = append(c.values, math.NaN())
	}
	c.second = max(second, c.second)
	c.values = c.values[max(0, len(c.values)-maxTrend-1):]
	return &c.values[len(c.values)-1]
}

// peak takes a value; the one of the largest magnitude stands for its second.
func (c *trend) peak(second int64, v float64) {
	if to := c.at(second); math.IsNaN(*to) || math.Abs(v) > math.Abs(*to) {
		*to = v
	}
}

// sum adds a number of events to its second.
func (c *trend) sum(second int64, n float64) {
	c.sums = true
	to := c.at(second)
	if math.IsNaN(*to) {
		*to = 0
	}
	*to += n
}

// last returns the last n figures, or all if there are fewer.
func (c *trend) last(n int) []float64 {
	list := c.values
	if c.sums && len(list) > 0 {
		list = list[:len(list)-1]
	}
	return list[max(0, len(list)-n):]
}

// scale is how a trend is drawn: from 0, or from -end if it is signed, to end: a multiple of step that holds all values.
type scale struct {
	unit        string
	least, step float64 // lowest end
	signed      bool
}

// ends returns the values of the lowest and of the highest block.
func (s scale) ends(values []float64) (low, high float64) {
	high = s.least
	for _, v := range values {
		if v = math.Abs(v); v > high && !math.IsInf(v, 0) {
			high = s.step * math.Ceil(v/s.step)
		}
	}
	if s.signed {
		low = -high
	}
	return low, high
}

// text returns the ends in words.
func (s scale) text(low, high float64) string {
	gap := " "
	if s.unit == "°" || s.unit == "/s" {
		gap = ""
	}
	return fmt.Sprintf("%.3g to %.3g%s%s", low, high, gap, s.unit)
}

// sparkline draws values as blocks from low to high, right-aligned in width columns; what is NaN is left out.
func sparkline(values []float64, low, high float64, width int) string {
	blocks := []rune("▁▂▃▄▅▆▇█")
	line := []rune(strings.Repeat(" ", max(0, width-len(values))))
	for _, v := range values {
		if math.IsNaN(v) {
			line = append(line, ' ')
			continue
		}
		top := float64(len(blocks) - 1)
		line = append(line, blocks[int(math.Round(max(0, min(1, (v-low)/(high-low)))*top))])
	}
	return string(line)
}

// trendRow returns a row with the present value, the course of the last seconds, one block each, and its scale.
func trendRow(label, value string, c *trend, s scale, width int) string {
	const valueColumns, scaleColumns = 20, 16
	n := max(0, min(maxTrend, width-labelColumns-valueColumns-scaleColumns))
	values := c.last(n)
	low, high := s.ends(values)
	text := fmt.Sprintf("%-*s%s", labelColumns, label, console.Cut(value, valueColumns-1))
	text += strings.Repeat(" ", max(0, labelColumns+valueColumns-console.Width(text)))
	return console.Cut(text+sparkline(values, low, high, n)+"  "+s.text(low, high), width)
}
