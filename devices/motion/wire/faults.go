package wire

import "strings"

// Faults is a set of what is wrong with a platform.
type Faults uint32

// What can be wrong. The first six are what a controller tells.
const (
	FaultDrive     Faults = 1 << iota // a motor or its drive is broken or switched off
	FaultEndStop                      // an actuator ran into the end of its stroke
	FaultHot                          // a motor or its drive is too hot
	FaultStop                         // the controller's emergency stop is pressed
	FaultOffline                      // the controller is there but does not follow; no fault of the platform
	FaultSpike                        // the controller's spike filter holds an actuator; no fault of the platform
	FaultFollow                       // an actuator is not where it was sent
	FaultDemand                       // a demand was no number
	FaultSilent                       // the controller does not answer, or does not take what is sent
	FaultReference                    // the controller took another place for start_share
	FaultJump                         // an actuator told a place that it cannot have reached
)

// Latching are the faults that stop a platform until it is ordered to home.
const Latching = FaultDrive | FaultEndStop | FaultHot | FaultStop | FaultFollow | FaultDemand | FaultReference | FaultJump

var faultNames = [...]string{
	"drive fault", "end stop", "too hot", "emergency stop", "offline", "spike filter",
	"following error", "NaN or Inf in a demand", "controller not reached", "reference lost", "position jumped",
}

// String lists what is wrong, or says "none".
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
