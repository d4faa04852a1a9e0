package wire

import "strings"

// Faults is a set of faults of a platform.
type Faults uint32

// The faults. The first six are reported by a controller, the others are detected by rig.
const (
	FaultDrive       Faults = 1 << iota // a motor or its drive is faulty or switched off
	FaultEndStop                        // an actuator ran into the end of its stroke
	FaultTemperature                    // a motor or its drive is too hot
	FaultStop                           // the controller's emergency stop is pressed
	FaultOffline                        // the controller answers but does not follow targets; it ends when the controller is on line again
	FaultSpike                          // the controller's own spike filter holds an actuator; it is only reported, and the platform continues
	FaultFollow                         // following error: an actuator is too far from its path
	FaultTarget                         // a target was NaN or Inf
	FaultSilent                         // the controller does not answer, or does not accept what is sent
	FaultReference                      // the controller assumes that the actuators are at another position than they are
	FaultJump                           // an actuator reported a position that it cannot have reached
)

// Latching has the faults that stop a platform until it is ordered to home.
const Latching = FaultDrive | FaultEndStop | FaultTemperature | FaultStop | FaultFollow | FaultTarget | FaultReference | FaultJump

var faultNames = [...]string{
	"drive fault", "end stop", "too hot", "emergency stop", "offline", "spike filter",
	"following error", "NaN or Inf in a target", "controller not reached", "reference lost", "position jumped",
}

// String returns the names of the faults, or "none".
func (f Faults) String() string {
	var names []string
	for i, name := range faultNames {
		if f&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	if names == nil {
		return "none"
	}
	return strings.Join(names, ", ")
}
