// Package drivelog holds what a drive can be plotted from: its channels as samples at a constant rate, with laps and
// events.
//
// It is plain data. Readers of recordings fill it in; exporters and reports read it.
package drivelog

import "time"

// Log is a drive, or a part of one.
type Log struct {
	Car, Track string    // names as in the configuration
	Began      time.Time // when the recording began, in the zone of the rig; zero if unknown
	Start      float64   // time of the first sample from the beginning of the recording [s]
	Rate       float64   // samples per second
	Channels   []Channel // all with the same number of samples
	Laps       []Lap     // finished laps, in order
	Events     []Event   // in order of time
}

// Channel is one quantity over time.
type Channel struct {
	Name     string    // such as speed or wheel_fl_load: letters, digits and _
	Unit     string    // symbol such as m/s, N·m or °C; "" for a number without a unit
	About    string    // what it is, with its sign
	MoTeC    string    // name that MoTeC's own loggers use, such as "Ground Speed"; "" if there is none
	Decimals int       // decimals worth showing
	Values   []float64 // one for each sample; NaN where unknown
}

// Lap is a finished lap.
type Lap struct {
	Number int       // from 1
	Start  float64   // when it began, from the beginning of the recording [s]
	Time   float64   // [s]
	Valid  bool      // it counts
	Splits []float64 // times of its sectors [s]
}

// Kind tells events apart.
type Kind string

// The kinds of events.
const (
	Mark       Kind = "mark"       // the driver set a mark
	Transition Kind = "transition" // the safety state changed
	Fault      Kind = "fault"      // a fault or a stop was latched
	Device     Kind = "device"     // a device came or went
	Gap        Kind = "gap"        // ticks are missing from here on
)

// Event is something that happened during a drive.
type Event struct {
	Time float64 // from the beginning of the recording [s]
	Kind Kind
	Text string // one line
}

// Len returns the number of samples.
func (l *Log) Len() int {
	if len(l.Channels) == 0 {
		return 0
	}
	return len(l.Channels[0].Values)
}

// Time returns the time of sample i from the beginning of the recording [s].
func (l *Log) Time(i int) float64 { return l.Start + float64(i)/l.Rate }

// Channel returns the channel of a name, or nil.
func (l *Log) Channel(name string) *Channel {
	for i := range l.Channels {
		if l.Channels[i].Name == name {
			return &l.Channels[i]
		}
	}
	return nil
}
