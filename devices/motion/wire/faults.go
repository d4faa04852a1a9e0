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

// remedies holds what to do about the faults, the most severe fault first.
var remedies = [...]struct {
	fault  Faults
	remedy string
}{
	{FaultStop, "release the platform's own emergency stop"},
	{FaultDrive, "look at the drive's own display and at its power"},
	{FaultEndStop, "narrow motion.min_share and max_share, or look at the end switches"},
	{FaultTemperature, "let it cool; lower the gains, motion.max_speed_strokes_per_s or the load"},
	{FaultFollow, "look for what blocks it; lower motion.max_speed_strokes_per_s and max_accel_strokes_per_s2, or raise follow_error_share"},
	{FaultJump, "look at the actuator's sensor, its wire and its coupling; the controller follows it wherever it jumps"},
	{FaultTarget, "see the log for what was NaN or Inf"},
	{FaultReference, "bring the actuators to motion.start_share by hand or by the controller's power-on procedure, switch it off and on"},
	{FaultSilent, "look at the controller's power, the cable, motion.port and motion.baud"},
	{FaultOffline, "switch the controller on line"},
	{FaultSpike, "lower motion.max_speed_strokes_per_s, or widen the controller's spike filter"},
}

// Remedy returns what to do about the most severe of the faults.
func (f Faults) Remedy() string {
	for _, r := range remedies {
		if f&r.fault != 0 {
			return r.remedy
		}
	}
	return "see the log"
}
