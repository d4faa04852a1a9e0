package wheel

import (
	"fmt"
	"strings"

	"rig.example/rig/internal/kit/valid"
)

// Action is what a button does.
type Action uint8

// The actions.
const (
	ShiftUp Action = iota
	ShiftDown
	Handbrake
	ClutchBite // holds the clutch at its bite point, for standing starts
	LookLeft
	LookRight
	Reset // puts the car back on its wheels
	Pause
	HeadlightFlash
	PitLimiter
	ABSUp
	ABSDown
	TCUp
	TCDown
	FFBGainUp
	FFBGainDown
	HighTorque // allows a torque that can injure, or revokes that
	DeadMan    // torque and motion are on only while it is held
	Stop       // stops by software: it does not replace a switch that cuts the power
	MotionGainUp
	MotionGainDown
	MotionNext    // selects the next motion cue
	MotionCueUp   // raises the gain of the selected cue
	MotionCueDown // lowers the gain of the selected cue
	MotionOn      // switches between a platform that moves with the car and a level one
	Interlock     // held while a belt is fastened or a door is shut
	Mark          // sets a mark in the recording
	Confirm       // confirms that a fault or a stop is over
	actionCount
)

// actionNames are the keys of the configuration's table [buttons].
var actionNames = [actionCount]string{
	"shift_up", "shift_down", "handbrake", "clutch_bite", "look_left", "look_right", "reset", "pause",
	"headlight_flash", "pit_limiter", "abs_up", "abs_down", "tc_up", "tc_down", "ffb_gain_up", "ffb_gain_down",
	"high_torque", "dead_man", "stop", "motion_gain_up", "motion_gain_down", "motion_next", "motion_cue_up", "motion_cue_down",
	"motion_on", "interlock", "mark", "confirm",
}

// String returns the action's name in the configuration.
func (a Action) String() string {
	if a < actionCount {
		return actionNames[a]
	}
	return fmt.Sprintf("action %d", uint8(a))
}

// Actions is a set of actions, one bit each.
type Actions uint32

// Has reports whether a is in the set.
func (s Actions) Has(a Action) bool { return s>>a&1 == 1 }

func (s *Actions) add(a Action) { *s |= 1 << a }

// Edges are the changes of the actions since the last ActionMap.Take.
type Edges struct {
	Down     Actions // held now
	Pressed  Actions // pressed since then, even if released again
	Released Actions // released since then
	Other    bool    // a button without an action was pressed since then
}

// suggest returns a hint such as "; did you mean BTN_TOP2?" if name is probably a typing error of one of
// the known names, or "".
func suggest(name string, known []string) string {
	best, smallest := "", len(name)/2+1
	for _, k := range known {
		if d := valid.EditDistance(strings.ToUpper(name), strings.ToUpper(k)); d < smallest {
			best, smallest = k, d
		}
	}
	if best == "" {
		return ""
	}
	return "; did you mean " + best + "?"
}
