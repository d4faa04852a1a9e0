// Package session defines what the rigs of a session and their host tell each other: who is there, what happens in
// a race, and where a car is. It holds plain data and its checks; it does no input or output. The host keeps the
// events, and everything that it announces follows from them alone.
//
// Session time is counted in nanoseconds from the session's creation, the same for all rigs within the uncertainty
// of each rig's clock.
package session

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"rig.example/rig/internal/kit/printable"
)

// Protocol is the number of the messages' format. A host refuses members of another one.
const Protocol = 1

// MaxMembers is the highest number of rigs in a session.
const MaxMembers = 64

// StatesPerSecond is how many states of its car each rig sends.
const StatesPerSecond = 60

// ID names a session or a member: 1 to 24 of a-z, 0-9 and -, the first a letter or digit.
type ID string

// CheckID returns an error if name cannot be an ID.
func CheckID(name string) error {
	const longest = 24
	valid := func(r rune) bool { return r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '-' }
	if name == "" || len(name) > longest || name[0] == '-' || strings.ContainsFunc(name, func(r rune) bool { return !valid(r) }) {
		return fmt.Errorf("%q: a name is 1 to %d of a-z, 0-9 and -, and does not begin with -", printable.Line(name[:min(len(name), longest+1)]), longest)
	}
	return nil
}

// JoinIDs returns names as text, with commas between them.
func JoinIDs(ids []ID) string {
	names := make([]string, len(ids))
	for i, id := range ids {
		names[i] = string(id)
	}
	return strings.Join(names, ", ")
}

// Role is what a member may do on the bus.
type Role string

// Roles of members.
const (
	Rig      Role = "rig"      // drives: sends its own states and events
	Watcher  Role = "watcher"  // only listens
	Official Role = "official" // race control: may give orders to the host
	Worker   Role = "worker"   // takes units of sweeps, and has no part in the race
)

// Roles returns all roles.
func Roles() []Role { return []Role{Rig, Watcher, Official, Worker} }

// Phase is what a session is at.
type Phase string

// Phases of a session, in their order.
const (
	Practice  Phase = "practice"  // everybody drives; lap times count
	Grid      Phase = "grid"      // the order of the grid is fixed; cars wait for the start
	Countdown Phase = "countdown" // the time of the start is fixed
	Racing    Phase = "racing"    // from the start until the winner's finish
	Finishing Phase = "finishing" // the winner has finished; each of the others ends its lap
	Ended     Phase = "ended"     // the results are final
)

// Flag is what race control shows to everybody.
type Flag string

// Flags.
const (
	NoFlag    Flag = ""
	Green     Flag = "green"
	Yellow    Flag = "yellow" // danger: no overtaking
	Red       Flag = "red"    // the session is interrupted
	Checkered Flag = "checkered"
)

// Circuit says which road is driven. All rigs must have the same.
type Circuit struct {
	Name   string  `json:"name"`
	Digest string  `json:"digest"` // of the road's geometry and surfaces, in hex
	Length float64 `json:"length"` // of the center line [m]
}

// CarSize is what others must know of a car to draw it [m].
type CarSize struct {
	Length, Width, Height  float64
	CGHeight, CGToFront    float64
	Wheelbase, WheelRadius float64
}

// Rules are those of a race. A race ends after Laps, or with the lap in which Duration ends; one of the two is 0.
type Rules struct {
	Laps          int     `json:"laps"`
	Duration      float64 `json:"duration"`     // [s]
	JumpPenalty   float64 `json:"jump_penalty"` // for moving before the start [s]
	CutPenalty    float64 `json:"cut_penalty"`  // for each lap that left the road, after CutsAllowed of them [s]
	CutsAllowed   int     `json:"cuts_allowed"`
	PitStops      int     `json:"pit_stops"`      // required
	PitPenalty    float64 `json:"pit_penalty"`    // for each required stop that is missing [s]
	FinishTimeout float64 `json:"finish_timeout"` // after the winner, until the results are final [s]
}

// Join is what a rig asks its host for.
type Join struct {
	Protocol int     `json:"protocol"`
	Build    string  `json:"build"`
	Driver   string  `json:"driver"` // as shown to others; at most 24 bytes
	Car      string  `json:"car"`
	Size     CarSize `json:"size"`
	Circuit  Circuit `json:"circuit"`
}

// Joined is the host's answer to Join.
type Joined struct {
	Refused string `json:"refused,omitempty"` // why, in words; empty if the rig is in
	Session ID     `json:"session"`
	Slot    int    `json:"slot"`  // number of the rig in packets, 0 to MaxMembers-1
	Grid    int    `json:"grid"`  // place on the grid, from 1; 0 for none
	Key     []byte `json:"key"`   // of its packets, 32 bytes, new at each Join
	Epoch   uint32 `json:"epoch"` // number of the key
	UDP     string `json:"udp"`   // host and port for packets
	Rules   Rules  `json:"rules"`
	Phase   Phase  `json:"phase"`
}

// Kind is what an Event tells.
type Kind string

// Kinds of events. The first group comes from the host, the second from rigs.
const (
	Created   Kind = "created"   // Circuit, Rules, Epoch
	Entered   Kind = "entered"   // Member, Entry: a rig has joined, or has joined again
	Left      Kind = "left"      // Member: a rig was disconnected, or its key was revoked
	Gridded   Kind = "gridded"   // Order: members by grid place
	Scheduled Kind = "scheduled" // Start: session time of the start
	Aborted   Kind = "aborted"   // the countdown is called off
	PausedAt  Kind = "paused"
	ResumedAt Kind = "resumed"
	Shown     Kind = "flag"    // Flag
	Penalized Kind = "penalty" // Member, Seconds, Text
	Said      Kind = "notice"  // Text, to Member or to all
	Stopped   Kind = "stop"    // every rig is asked for its software stop
	Closed    Kind = "end"     // the session has ended
	Dismissed Kind = "dismiss" // Member, Text: the ID of an event of that rig that does not count, for its time is impossible

	LapDone    Kind = "lap"       // Member, Lap
	PitEntry   Kind = "pit-entry" // Member
	PitExit    Kind = "pit-exit"  // Member
	Marked     Kind = "mark"      // Member: its driver set a mark
	HasStopped Kind = "stopped"   // Member, Text: its software stop has come into effect, with its state
)

// Event is something that has happened in a session. Events are kept; their fold is the state of the race.
type Event struct {
	Sequence uint64   `json:"-"`  // in the order in which the host keeps them, from 1; 0 before
	ID       string   `json:"id"` // the same for a message that is sent again
	Kind     Kind     `json:"kind"`
	At       int64    `json:"at"` // session time [ns]
	Member   ID       `json:"member,omitempty"`
	Lap      *Lap     `json:"lap,omitempty"`
	Entry    *Join    `json:"entry,omitempty"`
	Slot     int      `json:"slot,omitempty"`
	Circuit  *Circuit `json:"circuit,omitempty"`
	Rules    *Rules   `json:"rules,omitempty"`
	Epoch    int64    `json:"epoch,omitempty"` // Unix time of session time 0 [ns]
	Order    []ID     `json:"order,omitempty"`
	Start    int64    `json:"start,omitempty"` // session time [ns]
	Flag     Flag     `json:"flag,omitempty"`
	Seconds  float64  `json:"seconds,omitempty"`
	Text     string   `json:"text,omitempty"`
	Laps     []string `json:"laps,omitempty"`    // with Dismissed: IDs of further events that do not count
	Answers  string   `json:"answers,omitempty"` // ID of the stop that has come into effect
}

// Lap is a finished lap, as the rig's own timing has it.
type Lap struct {
	Number  int       `json:"number"`  // of the drive, from 1
	Time    float64   `json:"time"`    // [s]
	Sectors []float64 `json:"sectors"` // [s]
	Valid   bool      `json:"valid"`   // it counts by the circuit's rules
	InPit   bool      `json:"in_pit"`  // part of it was in the pit lane
}

// State is a car at one time, as rigs send it by UDP [SI units, ISO 8855 axes as in frame.Frame].
type State struct {
	Slot     int
	At       int64      // session time [ns]
	Pos      [3]float64 // center of mass [m, world]
	Att      [4]float64 // quaternion body to world: w, x, y, z
	Vel      [3]float64 // [m/s, world]
	Rate     [3]float64 // angular velocity [rad/s, body]
	Acc      [3]float64 // [m/s², world]
	Steer    float64    // of the front wheels [rad], positive left
	RPM      float64    // [1/min]
	Gear     int
	Brake    float64 // 0..1
	Laps     int     // finished laps
	Distance float64 // of the front axle from the start line along the center line [m]
	Flags    StateFlags
}

// StateFlags are bits of State.Flags.
type StateFlags uint16

// Flags of a car's state.
const (
	InPit StateFlags = 1 << iota
	OffTrack
	WrongWay
	LapInvalid
	CarPaused
	HeadlightFlash
	NotDriving // the rig's safety state is none in which its car moves
)

// Check returns an error for a state that no car can have.
func (s *State) Check() error {
	const far, fast, quick, hard = 1e6, 200, 100, 1e3 // [m], [m/s], [rad/s], [m/s²]
	within := func(limit float64, values ...float64) bool {
		return !slices.ContainsFunc(values, func(v float64) bool { return !(math.Abs(v) <= limit) })
	}
	norm := 0.0
	for _, v := range s.Att {
		norm += v * v
	}
	if s.Slot < 0 || s.Slot >= MaxMembers || !within(far, s.Pos[:]...) || !within(fast, s.Vel[:]...) ||
		!within(quick, s.Rate[:]...) || !within(hard, s.Acc[:]...) || !(math.Abs(norm-1) < 0.01) {
		return fmt.Errorf("state of slot %d: not that of a car", s.Slot)
	}
	return nil
}

// Standing is one line of the classification.
type Standing struct {
	Place    int     `json:"place"`
	Member   ID      `json:"member"`
	Driver   string  `json:"driver"`
	Car      string  `json:"car"`
	Grid     int     `json:"grid"`
	Laps     int     `json:"laps"`
	Time     float64 `json:"time"` // of the race, with penalties, up to its last line [s]; 0 outside of a race and before its first line
	Gap      float64 `json:"gap"`  // to the leader [s]; NaN is not sent: -1 if unknown
	LapsDown int     `json:"laps_down"`
	Best     float64 `json:"best"`    // fastest valid lap [s]; 0 for none
	Last     float64 `json:"last"`    // [s]; 0 for none
	Penalty  float64 `json:"penalty"` // sum [s]
	Cuts     int     `json:"cuts"`
	PitStops int     `json:"pit_stops"`
	Status   string  `json:"status"` // driving, pit, finished, retired, absent
}

// Board is what the host announces some times a second.
type Board struct {
	Session   ID         `json:"session"`
	Now       int64      `json:"now"` // session time [ns]
	Phase     Phase      `json:"phase"`
	Flag      Flag       `json:"flag"`
	Paused    bool       `json:"paused"`
	Start     int64      `json:"start"` // session time of the start [ns]; 0 if unknown
	Rules     Rules      `json:"rules"`
	LapsLeft  int        `json:"laps_left"`
	TimeLeft  float64    `json:"time_left"` // [s]
	Notice    string     `json:"notice"`
	Entries   []Member   `json:"entries"`
	Standings []Standing `json:"standings"`
	Stop      string     `json:"stop,omitempty"` // ID of the last stop, for half a minute: a rig that missed it stops then
}

// Member is a rig of the session as others must know it.
type Member struct {
	ID      ID      `json:"id"`
	Slot    int     `json:"slot"`
	Driver  string  `json:"driver"`
	Car     string  `json:"car"`
	Size    CarSize `json:"size"`
	Present bool    `json:"present"` // its packets arrive
	Left    bool    `json:"left"`    // it was disconnected for good, or its key was revoked
	Stopped bool    `json:"stopped"` // since race control asked for it, its software stop has come into effect
}

// Health is what a rig tells of itself once a second, for race control and screens.
type Health struct {
	Member      ID      `json:"member"`
	At          int64   `json:"at"`    // session time [ns]
	State       string  `json:"state"` // its safety state, in the words of internal/core/guard
	Cause       string  `json:"cause"` // of a fault or stop, in words; empty for none
	Build       string  `json:"build"`
	Offset      float64 `json:"offset"`      // of its clock to session time since the last change of rate [s]
	Uncertainty float64 `json:"uncertainty"` // of its session time [s]
	RoundTrip   float64 `json:"round_trip"`  // shortest of the last seconds [s]
	Lost        float64 `json:"lost"`        // share of packets that it misses, 0..1
	Late        float64 `json:"late"`        // how late others are shown [s]
	Missed      uint64  `json:"missed"`      // loop periods missed so far
	Unsent      int     `json:"unsent"`      // events that the host has not acknowledged yet
	Wheel       bool    `json:"wheel"`
	Platform    bool    `json:"platform"`
}

// Order is what race control asks the host for.
type Order struct {
	Do     string  `json:"do"`           // grid, start, abort, pause, resume, end, stop, flag, notice, penalty, revoke
	In     float64 `json:"in,omitempty"` // for start: countdown [s]
	Flag   Flag    `json:"flag,omitempty"`
	Member ID      `json:"member,omitempty"`
	Order  []ID    `json:"order,omitempty"`
	Second float64 `json:"seconds,omitempty"`
	Text   string  `json:"text,omitempty"`
}

// Query is what anybody may ask the host for: its Board, or a part of the results.
type Query struct {
	Results bool `json:"results,omitempty"`
	Member  ID   `json:"member,omitempty"` // with Results: the laps of this rig; otherwise the classification
	From    int  `json:"from,omitempty"`   // index of the first lap; an answer has not more than fit into a message
}

// Answer is the host's answer to an Order.
type Answer struct {
	Error string `json:"error,omitempty"` // why not, in words
	Text  string `json:"text,omitempty"`  // what was done
}
