package frame

// MaxNames is how many names each list of Names can hold.
const MaxNames = 64

// Names holds the names of the codes and indices in a Frame, for screens. Each list begins with the name
// of code 0. Only the first 24 bytes of a name are published.
type Names struct {
	States         []string // of Frame.State
	Effects        []string // of Force.Effects
	PlatformStates []string // of Motion.State
	Faults         []string // of the bits of Motion.Faults, lowest bit first
	Tunings        []string // of Motion.Tuning
	Actuators      []string // of Motion.Target and the other lists per actuator
	Tuned          []string // of Frame.Tuned
}

// FlagNames are the names of the bits of Frame.Flags.
var FlagNames = [...]string{
	"wheel", "pedals", "platform", "clipping", "demo", "keys_drive", "engine_running", "auto_gears", "gears_grinding", "auto_clutch",
	"pit_limiter_on", "launch_on", "abs_active", "traction_active", "stability_active", "launch_active", "pit_limiter_active",
	"off_track", "wrong_way", "in_pit", "lap_invalid", "last_lap_invalid", "paused", "look_left", "look_right", "headlight_flash",
	"gain_changed", "high_torque", "torque_limited", "dead_man_released", "hands_off", "interlock_open", "confirm_interlock",
	"confirm_after_gap", "confirm_window_lost", "motion_off", "tuning_changed", "starter_turns", "confirm_platform",
}

// Name returns entry i of a list of Names, or "" if the list is shorter.
func Name(list []string, i uint64) string {
	if i < uint64(len(list)) {
		return list[i]
	}
	return ""
}

// FaultText returns the names of the faults whose bits are set, or "" if no bit is set.
func (n *Names) FaultText(bits uint64) string { return string(n.AppendFaults(nil, bits)) }

// AppendFaults appends the text that FaultText returns.
func (n *Names) AppendFaults(to []byte, bits uint64) []byte {
	start := len(to)
	for i, name := range n.Faults {
		if bits>>i&1 == 0 {
			continue
		}
		if len(to) > start {
			to = append(to, ", "...)
		}
		to = append(to, name...)
	}
	if bits != 0 && len(to) == start {
		return append(to, "unknown fault"...)
	}
	return to
}

// OneIf returns 1 for true and 0 for false: whether something is so, in a number that a page copies as a word.
func OneIf(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}
