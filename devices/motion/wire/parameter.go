package wire

// Parameter is a setting that a controller stores itself.
type Parameter struct {
	Name      string // unique for the controller
	Value     float64
	Low, High float64 // range, in Unit; equal for a parameter that can only be read
	Unit      string
	Help      string
	Axis      int // its actuator, 0 for the first, or -1 for all
}

// UnitGain is the unit of gains, which controllers store in hundredths.
const UnitGain = "1"

// ReadOnly reports whether the parameter can only be read.
func (p Parameter) ReadOnly() bool { return p.Low == p.High }
