package wire

// Parameter is a setting that a controller keeps by itself.
type Parameter struct {
	Name      string // by which it is set
	Value     float64
	Low, High float64 // what it may be, in Unit; the same where it can only be read
	Unit      string
	Help      string
	Axis      int // its actuator, 0 for the first, or -1 for all
}

// UnitGain is the unit of parameters that a controller keeps in hundredths.
const UnitGain = "1"

// ReadOnly reports whether the parameter can only be read.
func (p Parameter) ReadOnly() bool { return p.Low == p.High }
