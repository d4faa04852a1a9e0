package lap

import (
	"fmt"
	"math"

	"rig.example/rig/sim/road"
)

// MaxSectors is how many sectors a lap may have.
const MaxSectors = 8

// Timing knows where on a line times are taken, and what else a lap is judged by. It never
// changes: all that a tick hands to the next is in a State.
//
// A closed line is driven lap after lap. An open one is driven from its start line to its
// end; to be timed again a car has to pass the start line again.
type Timing struct {
	line    *road.Line
	start   float64                    // station of the start line [m]
	length  float64                    // from the start line to the finish [m]
	lap     float64                    // the same of a closed line, 0 of an open one [m]
	sectors int                        // at least 1
	ends    [MaxSectors]float64        // of the sectors, from the start line [m]; the last is length
	gates   [MaxSectors + 1]road.Point // planes across the line: the start, then the ends
	samples int                        // of a lap's trace
	gap     float64                    // between them [m]
	pit     road.Pit
}

// NewTiming times laps on a line from the station of the start line [m]. sectors are the
// stations where all sectors but the last one end, in the order that they are driven in;
// the last one ends at the start line, or at the end of an open line.
func NewTiming(l *road.Line, start float64, sectors []float64, pit road.Pit) (*Timing, error) {
	if !(start >= 0 && start < l.Length()) {
		return nil, fmt.Errorf("road: start line at %g m: allowed is 0 to less than %.5g m, the line's length", start, l.Length())
	}
	if len(sectors) >= MaxSectors {
		return nil, fmt.Errorf("road: %d ends of sectors: at most %d are allowed", len(sectors), MaxSectors-1)
	}
	t := &Timing{line: l, start: start, length: l.Length(), lap: l.Length(), sectors: len(sectors) + 1, pit: pit}
	if !l.Closed() {
		t.length, t.lap = l.Length()-start, 0
	}
	t.gates[0] = l.At(start)
	if err := t.divide(sectors); err != nil {
		return nil, err
	}
	const apart = 10.0 // [m]
	t.samples = int(min(max(math.Ceil(t.length/apart), 1), mostSamples))
	t.gap = t.length / float64(t.samples)
	return t, nil
}

// divide sets the ends of the sectors.
func (t *Timing) divide(sectors []float64) error {
	const shortest = 5.0 // [m]: no car drives through one within a tick
	from := 0.0
	for i := range t.sectors {
		end, station := t.length, t.start+t.length
		if i < len(sectors) {
			station = sectors[i]
			end = t.past(station)
		}
		if !(end >= from+shortest && end <= t.length) {
			return fmt.Errorf("road: sector %d ends at %.5g m: it must end %g m or more after its beginning, and sectors follow each other from the start line at %g m on, within a lap of %.5g m",
				i+1, station, shortest, t.start, t.length)
		}
		t.ends[i], t.gates[i+1] = end, t.line.At(t.start+end)
		from = end
	}
	return nil
}

// Sectors returns how many sectors a lap has.
func (t *Timing) Sectors() int { return t.sectors }

// past returns how far behind the start line a station is [m]: on a closed line within a
// lap, on an open one negative before the line.
func (t *Timing) past(station float64) float64 {
	if !t.line.Closed() {
		return station - t.start
	}
	return t.line.Wrap(station - t.start)
}
