package wheel

import (
	"fmt"
	"strings"
)

// Action is something that a button does.
type Action uint8

// The actions.
const (
	ShiftUp Action = iota
	ShiftDown
	Handbrake
	ClutchBite // holds the clutch where it bites, for starts
	LookLeft
	LookRight
	Reset // back on the wheels
	Pause
	HeadlightFlash
	PitLimiter
	ABSUp
	ABSDown
	TCUp
	TCDown
	FFBGainUp
	FFBGainDown
	HighTorque // gives and takes back the consent to a torque that can hurt
	DeadMan    // torque and motion pass only while it is held
	Stop       // a software stop: it does not replace a switch that cuts the power
	MotionGainUp
	MotionGainDown
	MotionNext // chooses the next of the platform's cues
	MotionCueUp
	MotionCueDown
	MotionOn  // lets the platform move with the car, or keeps it level
	Interlock // held while a belt is fastened or a door is shut
	actionCount
)

// actionNames are the keys of the configuration's table [buttons].
var actionNames = [actionCount]string{
	"shift_up", "shift_down", "handbrake", "clutch_bite", "look_left", "look_right", "reset", "pause",
	"headlight_flash", "pit_limiter", "abs_up", "abs_down", "tc_up", "tc_down", "ffb_gain_up", "ffb_gain_down",
	"high_torque", "dead_man", "stop", "motion_gain_up", "motion_gain_down", "motion_next", "motion_cue_up", "motion_cue_down",
	"motion_on", "interlock",
}

// String is the action's name in the configuration.
func (a Action) String() string {
	if a < actionCount {
		return actionNames[a]
	}
	return fmt.Sprintf("action %d", uint8(a))
}

// Actions is a set of actions, one bit each.
type Actions uint32

// Has tells whether the set holds a.
func (s Actions) Has(a Action) bool { return s>>a&1 == 1 }

func (s *Actions) add(a Action) { *s |= 1 << a }

// Edges are what the actions did since they were looked at last.
type Edges struct {
	Down     Actions // held now
	Pressed  Actions // began, also if ended again since
	Released Actions // ended
}

// nearestOf offers the known name that name is likely a slip of, if there is one.
func nearestOf(name string, known []string) string {
	best, least := "", len(name)/2+1
	for _, k := range known {
		if d := edits(strings.ToUpper(name), strings.ToUpper(k)); d < least {
			best, least = k, d
		}
	}
	if best == "" {
		return ""
	}
	return "; did you mean " + best + "?"
}

// edits is Levenshtein's distance: how many letters to change, add or drop.
func edits(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		corner := row[0]
		row[0]++
		for j := range len(b) {
			change := corner
			if a[i] != b[j] {
				change++
			}
			corner = row[j+1]
			row[j+1] = min(change, row[j]+1, corner+1)
		}
	}
	return row[len(b)]
}
