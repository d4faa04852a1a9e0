package lap

import (
	"fmt"
	"math"

	"rig.example/rig/road"
)

// MaxSectors is the maximum number of sectors of a lap.
const MaxSectors = 8

// Timing holds the stations of a line at which times are taken, and the rules of a lap. It never changes;
// everything that changes from tick to tick is in the State.
//
// A closed line is driven lap after lap. An open one is driven from its start line to its end; for another
// lap the car must cross the start line again.
type Timing struct {
	line      *road.Line
	start     float64             // station of the start line on line [m]
	length    float64             // distance from the start line to the finish line [m]
	lapLength float64             // length of a closed line, 0 for an open one [m]
	sectors   int                 // number of sectors, at least 1
	ends      [MaxSectors]float64 // distances from the start line to the ends of the sectors [m]; the last is length
	// gates are the points at which a vertical plane across the line is crossed: at the start line, then at
	// the end of each sector.
	gates     [MaxSectors + 1]road.Point
	samples   int     // number of samples of a lap's trace
	sampleGap float64 // distance between samples [m]
	pit       road.PitLane
	clear     []float64 // how far the road reaches at least, for each stretch of clearStep [m]
}

// NewTiming returns the timing of laps on a line. start is the station of the start line [m]. sectorEnds
// are the stations where all sectors but the last end, in driving order; the last one ends at the start line,
// or at the end of an open line.
func NewTiming(l *road.Line, start float64, sectorEnds []float64, pit road.PitLane) (*Timing, error) {
	if !(start >= 0 && start < l.Length()) {
		return nil, fmt.Errorf("road: start line at %g m: must be at least 0 and less than %.5g m, the length of the line",
			start, l.Length())
	}
	if len(sectorEnds) >= MaxSectors {
		return nil, fmt.Errorf("road: %d ends of sectors: must be at most %d", len(sectorEnds), MaxSectors-1)
	}
	t := &Timing{
		line: l, start: start, length: l.Length(), lapLength: l.Length(), sectors: len(sectorEnds) + 1, pit: pit,
	}
	if !l.Closed() {
		t.length, t.lapLength = l.Length()-start, 0
	}
	t.gates[0] = l.At(start)
	t.setClearWidths()
	if err := t.setSectors(sectorEnds); err != nil {
		return nil, err
	}
	const spacing = 10.0 // approximate distance between samples of a trace [m]
	t.samples = int(min(max(math.Ceil(t.length/spacing), 1), maxSamples))
	t.sampleGap = t.length / float64(t.samples)
	return t, nil
}

// setSectors sets the ends of the sectors from the stations [m] at which all but the last end.
func (t *Timing) setSectors(sectorEnds []float64) error {
	const minLength = 5.0 // minimum length of a sector [m]: no car drives so far within a tick
	from := 0.0
	for i := range t.sectors {
		end, station := t.length, t.start+t.length
		if i < len(sectorEnds) {
			station = sectorEnds[i]
			end = t.distanceFromStart(station)
		}
		if !(end >= from+minLength && end <= t.length) {
			return fmt.Errorf("road: sector %d ends at %.5g m: must end at least %g m after its start; "+
				"list sectors in driving order from the start line at %g m, within a lap of %.5g m",
				i+1, station, minLength, t.start, t.length)
		}
		t.ends[i], t.gates[i+1] = end, t.line.At(t.start+end)
		from = end
	}
	return nil
}

// Sectors returns the number of sectors of a lap.
func (t *Timing) Sectors() int { return t.sectors }

// distanceFromStart returns the distance from the start line to a station [m]. On a closed line it is within
// a lap; on an open one it is negative before the start line.
func (t *Timing) distanceFromStart(station float64) float64 {
	if !t.line.Closed() {
		return station - t.start
	}
	return t.line.Wrap(station - t.start)
}
