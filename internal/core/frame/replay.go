package frame

// MaxMarks is how many marks a Replay has room for.
const MaxMarks = 128

// Replay tells a display which part of a recording it shows. It is not part of a Frame, because the loop of a driving rig
// has none to publish. Every number in it is 8 bytes wide, because page copies it word by word.
type Replay struct {
	Active   uint64         // 1 in a replay, 0 while a rig drives
	Paused   uint64         // 1 while the replay is paused
	Speed    float64        // 1 is real time
	Length   float64        // length of the recording [s]; 0 shows no bar
	Position float64        // time of the tick that is shown, from the beginning of the recording [s]
	Count    uint64         // how many elements of Marks are used
	Marks    [MaxMarks]Mark // in order of time
}

// Bar returns what the scrub bar shows; nil for no bar.
func (r *Replay) Bar() *Replay {
	if r.Length == 0 {
		return nil
	}
	return r
}

// Mark is a time that the scrub bar marks.
type Mark struct {
	Time float64 // from the beginning of the recording [s]
	Kind uint64  // LapMark, DriverMark or FaultMark
}

// Values of Mark.Kind.
const (
	LapMark    uint64 = iota // a lap ended
	DriverMark               // the driver set a mark
	FaultMark                // a fault or a stop was latched
)
